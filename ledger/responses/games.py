"""Rule books and decks as data: what a program needs to draw its forms."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Annotated, Any, Literal

from ledger import cards
from ledger.cards import DeckName
from ledger.codec.description import (
    CardCode,
    Group,
    Kinds,
    Member,
    Nullable,
    Plain,
    Several,
    Switches,
    Type,
    Words,
    members_of,
)
from ledger.codec.writer import members
from ledger.language import LANGUAGES, Language, render, translate
from ledger.play.events import Event
from ledger.play.rounds import RESULTS, Over, Phase
from ledger.play.rule_book import RuleBook
from ledger.play.values import BANK, POT, Between, CalendarDay, EventType, Kind, Matching
from ledger.records import UNSET, Meta, Record, UnsetType, field, replace
from ledger.sentences import Sentence, docsentence, say, snake_case
from ledger.session.events import EVENTS, FIELDS, REASONS

InWords = Mapping[Language, str]


class Shape(Record, kw_only=True):
    """What a value may be, so that a program can ask for it."""

    kind: Annotated[
        Literal[
            "account", "card", "day", "event", "flag", "group", "list", "player", "switches", "text", "whole", "word"
        ],
        Meta(description="The kind of value."),
    ]
    at_least: Annotated[int | UnsetType, Meta(description="The smallest number, or the fewest elements of a list.")] = (
        UNSET
    )
    at_most: Annotated[int | UnsetType, Meta(description="The largest number, or the most elements of a list.")] = UNSET
    at_most_characters: Annotated[
        int | UnsetType, Meta(description="The greatest length of a text, in characters.")
    ] = UNSET
    pattern: Annotated[str | UnsetType, Meta(description="A regular expression that the whole of a text matches.")] = (
        UNSET
    )
    values: Annotated[
        tuple[str, ...] | UnsetType,
        Meta(description="The words of a `word`, or the types of an `event`, which may else be any of the game."),
    ] = UNSET
    instead: Annotated[
        tuple[str, ...] | UnsetType, Meta(description="Words that are possible instead of such a value.")
    ] = field(name="or", default=UNSET)
    nullable: Annotated[bool | UnsetType, Meta(description="Whether the value may be null.")] = UNSET
    of: Annotated[Shape | UnsetType, Meta(description="The elements of a list.")] = UNSET
    fields: Annotated[tuple[Field, ...] | UnsetType, Meta(description="The fields of a group.")] = UNSET


class Field(Record, kw_only=True):
    """A field of an event, or a switch of the house rules with its row, default and help."""

    name: Annotated[str, Meta(description="The field's name in JSON.")]
    label: Annotated[InWords, Meta(description="The field's label in a form.")]
    help: Annotated[InWords | UnsetType, Meta(description="The explanation of a switch in a form.")] = UNSET
    required: Annotated[bool, Meta(description="Whether the field is required.")]
    row: Annotated[str | UnsetType, Meta(description="The row of the rule book that a switch belongs to.")] = UNSET
    shape: Annotated[Shape, Meta(extra={"spread": True})]
    value_labels: Annotated[
        Mapping[str, InWords] | UnsetType, Meta(description="The labels of the words that the field may hold.")
    ] = UNSET
    matters: Annotated[
        Mapping[DeckName, tuple[str, ...]] | UnsetType,
        Meta(description="By deck, the cards that are worth noting, where a word may stand for any other."),
    ] = UNSET
    only_with: Annotated[
        DeckName | UnsetType, Meta(description="The only deck with which a switch makes a difference, if there is one.")
    ] = UNSET
    default: Annotated[Any | UnsetType, Meta(description="The default of a switch.")] = UNSET


class EventKind(Record):
    """An event that can be reported."""

    type: Annotated[EventType, Meta(description="The type of the event, as in its `type`.")]
    label: Annotated[InWords, Meta(description="The event's label on a button.")]
    about: Annotated[InWords, Meta(description="The meaning of the event.")]
    told: Annotated[
        tuple[InWords, ...],
        Meta(
            description="The event's sentences in a log, with its fields in braces: the first of which no field is "
            "null, empty or 0 applies; if none does, the label."
        ),
    ]
    fields: Annotated[tuple[Field, ...], Meta(description="The fields of the event.")]


class Limits(Record):
    """The fewest and the most players."""

    min: Annotated[int, Meta(description="The fewest players.")]
    max: Annotated[int, Meta(description="The most players.")]


class Game(Record, kw_only=True):
    """A rule book as data, with every text in both languages."""

    name: Annotated[str, Meta(description="The game's name in addresses and in `game`.", examples=["shirinma"])]
    version: Annotated[int, Meta(description="The version of the rule book.")]
    title: Annotated[InWords, Meta(description="The game's title.")]
    players: Annotated[Limits, Meta(description="How many may play.")]
    decks: Annotated[tuple[DeckName, ...], Meta(description="The decks of the game, the usual one first.")]
    speaks_of_numbers: Annotated[
        bool, Meta(description="Whether a card is called by the number it stands for: the 1 of Clubs, not the Dragon.")
    ]
    deck_labels: Annotated[Mapping[str, InWords], Meta(description="The labels of the decks.")]
    default_deck: Annotated[DeckName, Meta(description="The deck that is used by default.")]
    rules: Annotated[tuple[Field, ...], Meta(description="Every switch of the house rules.")]
    events: Annotated[tuple[EventKind, ...], Meta(description="Every event that can be reported.")]
    phases: Annotated[Mapping[str, InWords], Meta(description="The phases of a round, with their labels.")]
    results: Annotated[Mapping[str, InWords], Meta(description="The results of a round, with their labels.")]
    forfeits: Annotated[
        Mapping[str, InWords], Meta(description="The reasons for which nobody wins, with their labels.")
    ]
    reasons: Annotated[Mapping[str, InWords], Meta(description="The reasons for which chips move, with their labels.")]
    tallies: Annotated[Mapping[str, InWords], Meta(description="The counts of the statistics, with their labels.")]
    accounts: Annotated[
        Mapping[str, InWords], Meta(description="The accounts that belong to no player, with their labels.")
    ]


ACCOUNTS: Mapping[str, Sentence] = {POT: say("Pot"), BANK: say("Bank")}
"""How the accounts are called that are no player's."""


class GameList(Record):
    """All rule books."""

    games: Annotated[tuple[Game, ...], Meta(description="Every rule book.")]


class Card(Record, kw_only=True):
    """A card: its code, its names, and what it stands for."""

    code: Annotated[str, Meta(description="The card's code, as in events.", examples=["cups-11"])]
    name: Annotated[InWords, Meta(description="The card's name.")]
    copies: Annotated[int, Meta(description="How many copies of the card the deck has.")]
    stands_for: Annotated[str | UnsetType, Meta(description="The mekurifuda card that this one stands for.")] = UNSET
    stands_for_if_courts_are_qjk: Annotated[
        str | UnsetType,
        Meta(description="The mekurifuda card that it stands for where the western courts are Queen, Jack, King."),
    ] = UNSET
    value: Annotated[int | UnsetType, Meta(description="The card's value in Shippin.")] = UNSET
    suit: Annotated[str | UnsetType, Meta(description="The suit in the card's own deck, if that has suits.")] = UNSET
    rank: Annotated[
        int | UnsetType,
        Meta(description="The rank in the card's own deck: a western Jack is 11, whatever it stands for."),
    ] = UNSET
    month: Annotated[int | UnsetType, Meta(description="The month of a hanafuda card, 1 to 12.")] = UNSET
    month_class: Annotated[str | UnsetType, Meta(description="The class of a hanafuda card within its month.")] = field(
        name="class", default=UNSET
    )


class CardGroup(Record, kw_only=True):
    """A suit of a deck, or a class of hanafuda."""

    code: Annotated[str, Meta(description="The suit or the class as its cards have it.")]
    symbol: Annotated[str | UnsetType, Meta(description="The sign of the suit or the class, if it has one.")] = UNSET
    name: Annotated[InWords, Meta(description="The name of the suit or the class.")]


class CardNumber(Record, kw_only=True):
    """A rank of a deck, or a month of hanafuda."""

    number: Annotated[int, Meta(description="The rank or the month as its cards have it.")]
    symbol: Annotated[str | UnsetType, Meta(description="The index on the card, if it is not that number.")] = UNSET
    name: Annotated[InWords, Meta(description="The name of the rank or the month.")]


class Deck(Record, kw_only=True):
    """A deck as data. A list is empty if the deck has nothing of the kind."""

    deck: Annotated[DeckName, Meta(description="The deck's name.")]
    cards: Annotated[tuple[Card, ...], Meta(description="The deck's cards.")]
    suits: Annotated[tuple[CardGroup, ...], Meta(description="The deck's suits.")]
    ranks: Annotated[tuple[CardNumber, ...], Meta(description="The deck's ranks, lowest first.")]
    months: Annotated[tuple[CardNumber, ...], Meta(description="The months of hanafuda, named by their flowers.")]
    classes: Annotated[tuple[CardGroup, ...], Meta(description="The classes of hanafuda, highest first.")]


def game_answer(book: RuleBook[Any]) -> Game:
    """Give a rule book: who may play, with what, under which house rules, and what can be reported."""
    kinds: tuple[type[Event], ...] = (*EVENTS, *book.between, *book.events)
    phases: tuple[type[Phase], ...] = (*book.phases, Over)
    named = {**FIELDS, **book.fields}
    return Game(
        name=book.name,
        version=book.version,
        title=in_words(book.title),
        players=Limits(book.seats.start, book.seats.stop - 1),
        decks=book.decks,
        speaks_of_numbers=book.speaks_of_numbers,
        deck_labels={deck: in_words(cards.DECK_LABELS[deck]) for deck in book.decks},
        default_deck=book.decks[0],
        rules=fields_of(book.rules, {}, members(book.rules())),
        events=tuple(
            EventKind(
                kind.type,
                in_words(kind.label),
                in_words(docsentence(kind)),
                tuple(map(as_it_stands, kind.told)),
                fields_of(kind, named, decks=book.decks),
            )
            for kind in kinds
        ),
        phases={snake_case(phase.__name__): in_words(phase.label) for phase in phases},
        results=each_in_words(RESULTS),
        forfeits=each_in_words(book.forfeits),
        reasons=each_in_words({**book.reasons, **REASONS}),
        tallies=each_in_words({tally.name: tally.label for tally in book.tallies}),
        accounts=each_in_words(ACCOUNTS),
    )


def in_words(text: Sentence) -> InWords:
    """Say a text in every language."""
    return {language: render(text, language, {}) for language in LANGUAGES}


def as_it_stands(text: Sentence) -> InWords:
    """Give a text in every language with its places as they are, for others to fill in."""
    return {language: translate(text.text, language) for language in LANGUAGES}


def each_in_words(labels: Mapping[Any, Sentence]) -> Mapping[str, InWords]:
    """Say the label of each word in every language."""
    return {word: in_words(label) for word, label in labels.items()}


def fields_of(
    record: type,
    named: Mapping[str, Sentence],
    defaults: Mapping[str, object] | None = None,
    *,
    decks: tuple[DeckName, ...] = (),
) -> tuple[Field, ...]:
    """Give the fields of a record: how each is called, whether it is needed, and what it may be.

    `named` has the labels of those that do not bring their own, `decks` are those that the game is played with.
    """
    return tuple(_field(member, named, defaults, decks) for member in members_of(record))


def _field(
    member: Member, named: Mapping[str, Sentence], defaults: Mapping[str, object] | None, decks: tuple[DeckName, ...]
) -> Field:
    name, extra, shape = member.name, member.field.extra, shape_of(member.type, named)
    if "instead" in extra:
        shape = replace(shape, instead=extra["instead"])
    return Field(
        name=name,
        label=in_words(extra.get("label") or named[name]),
        help=in_words(extra["help"]) if "help" in extra else UNSET,
        required=member.field.required,
        row=extra.get("row", UNSET),
        shape=shape,
        value_labels=each_in_words(extra.get("values") or words_for(shape)) or UNSET,
        matters=those_that_matter(extra["matters"], decks) if "matters" in extra else UNSET,
        only_with=extra.get("only_with") or UNSET,
        default=defaults[name] if defaults else UNSET,
    )


def those_that_matter(
    of: Callable[[DeckName], Container[cards.Card]], decks: tuple[DeckName, ...]
) -> Mapping[DeckName, tuple[str, ...]]:
    """Give the cards of each deck that are worth noting."""
    return {deck: tuple(card.code for card in cards.DECKS[deck] if card in of(deck)) for deck in decks}


def words_for(shape: Shape) -> Mapping[str, Sentence]:
    """Give the labels of words that may stand for any account."""
    return {word: ACCOUNTS[word] for word in shape.instead} if shape.kind == "account" and shape.instead else {}


def shape_of(type_: Type, named: Mapping[str, Sentence]) -> Shape:
    """Give what a form offers for a type. Raises TypeError for one that no form asks for."""
    match type_:
        case Between(least, most):
            return Shape(kind="whole", at_least=least, at_most=most)
        case Kind("name" | "words", most):
            return Shape(kind="text", at_most_characters=most)
        case Kind("player"):
            return Shape(kind="player")
        case Kind("account"):
            return Shape(kind="account", instead=(BANK,))
        case Matching(pattern):
            return Shape(kind="text", pattern=pattern)
        case CalendarDay():
            return Shape(kind="day")
        case Words(words):
            return Shape(kind="word", values=words)
        case CardCode(words):
            return Shape(kind="card", instead=words or UNSET)
        case Plain(kind) if kind is bool:
            return Shape(kind="flag")
        case Several(item, exact):
            of = shape_of(item, named)
            of = replace(of, nullable=True) if isinstance(item, Nullable) else of
            count = UNSET if exact is None else exact
            return Shape(kind="list", at_least=count, at_most=count, of=of)
        case Kinds(_, few):
            return Shape(kind="event", values=tuple(kind.type for kind in few) or UNSET)
        case Group(record):
            return Shape(kind="group", fields=fields_of(record, named))
        case Switches():
            return Shape(kind="switches")
        case Nullable(inner):
            return shape_of(inner, named)
    raise TypeError(f"no form asks for {type_}")


def deck_answer(deck: DeckName) -> Deck:
    return Deck(
        deck=deck,
        cards=tuple(map(card_answer, cards.DECKS[deck])),
        suits=tuple(map(group_answer, cards.SUITS.get(deck, ()))),
        ranks=tuple(map(number_answer, cards.RANKS.get(deck, ()))),
        months=tuple(map(number_answer, cards.MONTHS.get(deck, ()))),
        classes=tuple(map(group_answer, cards.CLASSES.get(deck, ()))),
    )


def group_answer(named: cards.Naming) -> CardGroup:
    """Give what cards have in common."""
    return CardGroup(code=named.value, symbol=named.symbol or UNSET, name=both(named))


def number_answer(named: cards.Naming) -> CardNumber:
    """Give a number that cards have in common."""
    return CardNumber(number=named.value, symbol=named.symbol or UNSET, name=both(named))


def both(named: cards.Naming | cards.Card) -> InWords:
    """Give the names of a card, or of what some have in common."""
    return {"en": named.english, "ja": named.japanese}


def card_answer(card: cards.Card) -> Card:
    face, other = card.face("JQK"), card.face("QJK")
    return Card(
        code=card.code,
        name=both(card),
        copies=card.copies,
        stands_for=f"{face.suit}-{face.rank}" if face else UNSET,
        stands_for_if_courts_are_qjk=f"{other.suit}-{other.rank}" if other and other != face else UNSET,
        value=UNSET if card.kabu is None else card.kabu,
        suit=card.suit or UNSET,
        rank=card.rank or UNSET,
        month=card.month or UNSET,
        month_class=card.month_class or UNSET,
    )
