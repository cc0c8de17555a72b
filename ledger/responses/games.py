"""Rule books and decks as data: what a program needs to draw its forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import inspect

from ledger import cards
from ledger.cards import CardGroup, CardNumber, DeckName, words_of
from ledger.codec.encoding import members
from ledger.language import LANGUAGES, translate
from ledger.play.events import AnyEvent, Event
from ledger.play.rounds import RESULTS, Over, Phase
from ledger.play.rule_book import RuleBook
from ledger.play.values import BANK, POT, EventType
from ledger.records import UNSET, Member, Meta, Record, convert, field, members_of, taken_apart
from ledger.responses.shared import InWords, in_words
from ledger.sentences import Sentence, docsentence, say, snake_case
from ledger.session.events import EVENTS, FIELDS, REASONS

EachInWords = Mapping[str, InWords]
Kind = Literal[
    "account", "card", "day", "event", "flag", "group", "list", "player", "switches", "text", "whole", "word"
]


class Shape(Record, kw_only=True, omit_defaults=True):
    """What a value may be, so that a program can ask for it."""

    kind: Annotated[Kind, Meta(description="The kind of value.")]
    at_least: Annotated[int | None, Meta(description="The smallest number, or the fewest elements.")] = None
    at_most: Annotated[int | None, Meta(description="The largest number, or the most elements.")] = None
    at_most_characters: Annotated[int | None, Meta(description="The greatest length of a text.")] = None
    pattern: Annotated[str | None, Meta(description="A regular expression that all of a text matches.")] = None
    values: Annotated[
        tuple[str, ...],
        Meta(description="The words of a `word`, or the types of an `event`, which may else be any of the game."),
    ] = ()
    instead: Annotated[tuple[str, ...], Meta(description="Words that are possible instead of such a value.")] = field(
        name="or", default=()
    )
    nullable: Annotated[bool, Meta(description="Whether the value may be null.")] = False
    of: Annotated[Shape | None, Meta(description="The elements of a list.")] = None
    fields: Annotated[tuple[Field, ...], Meta(description="The fields of a group.")] = ()


class Field(Shape, kw_only=True, omit_defaults=True):
    """A field of an event, or a switch of the house rules with its row, default and help."""

    name: Annotated[str, Meta(description="The field's name in JSON.")]
    label: Annotated[InWords, Meta(description="The field's label in a form.")]
    help: Annotated[InWords | None, Meta(description="The explanation of a switch in a form.")] = None
    required: Annotated[bool, Meta(description="Whether the field is required.")]
    row: Annotated[str | None, Meta(description="The row of the rule book that a switch belongs to.")] = None
    value_labels: Annotated[EachInWords, Meta(description="The labels of the field's words.")] = field(
        default_factory=dict
    )
    matters: Annotated[
        Mapping[DeckName, Sequence[str]] | None,
        Meta(description="By deck, the cards that are worth noting, where a word may stand for any other."),
    ] = None
    only_with: Annotated[DeckName | None, Meta(description="The only deck for which a switch matters.")] = None
    default: Annotated[Any, Meta(description="The default of a switch.")] = UNSET


class EventKind(Record):
    """An event that can be reported."""

    type: Annotated[EventType, Meta(description="The type of the event, as in its `type`.")]
    label: Annotated[InWords, Meta(description="The event's label on a button.")]
    about: Annotated[InWords, Meta(description="The meaning of the event.")]
    told: Annotated[
        tuple[InWords, ...],
        Meta(description="Its sentences in a log: the first of which no field (in braces) is null, empty or 0."),
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
    speaks_of_numbers: Annotated[bool, Meta(description="Whether a card is called by its number: 1, not Dragon.")]
    deck_labels: Annotated[EachInWords, Meta(description="The labels of the decks.")]
    default_deck: Annotated[DeckName, Meta(description="The deck that is used by default.")]
    rules: Annotated[tuple[Field, ...], Meta(description="Every switch of the house rules.")]
    events: Annotated[tuple[EventKind, ...], Meta(description="Every event that can be reported.")]
    phases: Annotated[EachInWords, Meta(description="The phases of a round, with their labels.")]
    results: Annotated[EachInWords, Meta(description="The results of a round, with their labels.")]
    forfeits: Annotated[EachInWords, Meta(description="The reasons for which nobody wins, with their labels.")]
    reasons: Annotated[EachInWords, Meta(description="The reasons for which chips move, with their labels.")]
    tallies: Annotated[EachInWords, Meta(description="The counts of the statistics, with their labels.")]
    accounts: Annotated[EachInWords, Meta(description="The accounts that belong to no player, with their labels.")]


ACCOUNTS: Mapping[str, Sentence] = {POT: say("Pot"), BANK: say("Bank")}
"""How the accounts are called that are no player's."""


class GameList(Record):
    """All rule books."""

    games: Annotated[tuple[Game, ...], Meta(description="Every rule book.")]


class Card(Record, kw_only=True, omit_defaults=True):
    """A card: its code, its names, and what it stands for."""

    code: Annotated[str, Meta(description="The card's code, as in events.", examples=["cups-11"])]
    name: Annotated[InWords, Meta(description="The card's name.")]
    copies: Annotated[int, Meta(description="How many copies of the card the deck has.")]
    stands_for: Annotated[str | None, Meta(description="The mekurifuda card that this one stands for.")] = None
    stands_for_if_courts_are_qjk: Annotated[str | None, Meta(description="The same with `QJK`.")] = None
    value: Annotated[int | None, Meta(description="The card's value in Shippin.")] = None
    suit: Annotated[str | None, Meta(description="The suit in the card's own deck, if that has suits.")] = None
    rank: Annotated[int | None, Meta(description="The rank in its own deck: a western Jack is 11.")] = None
    month: Annotated[int | None, Meta(description="The month of a hanafuda card, 1 to 12.")] = None
    month_class: Annotated[str | None, Meta(description="The class of a hanafuda card.")] = field(
        name="class", default=None
    )


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
    return convert(
        Game,
        book,
        title=in_words(book.title),
        players=Limits(book.seats.start, book.seats.stop - 1),
        deck_labels={deck: in_words(cards.DECK_LABELS[deck]) for deck in book.decks},
        default_deck=book.decks[0],
        rules=fields_of(book.rules, {}, defaults=members(book.rules())),
        events=tuple(
            EventKind(
                kind.type,
                in_words(kind.label),
                in_words(docsentence(kind)),
                tuple(map(as_it_stands, kind.told)),
                fields_of(kind, named, book.decks),
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


def as_it_stands(text: Sentence) -> InWords:
    """Give a text in every language with its places as they are, for others to fill in."""
    return {language: translate(text.text, language) for language in LANGUAGES}


def each_in_words(labels: Mapping[Any, Sentence]) -> EachInWords:
    """Say the label of each word in every language."""
    return {word: in_words(label) for word, label in labels.items()}


def fields_of(
    record: type, named: Mapping[str, Sentence], decks: Sequence[DeckName] = (), defaults: Mapping[str, object] = {}
) -> tuple[Field, ...]:
    """Give the fields of a record: how each is called, whether it is needed, and what it may be.

    `named` has the labels of those that do not bring their own, `decks` are those that the game is played with.
    """
    fields = []
    for member in members_of(record):
        name, extra, shape = member.name, member.extra, shape_of(member, named)
        accounts = {word: ACCOUNTS[word] for word in shape.instead} if shape.kind == "account" else {}
        of = extra.get("matters")
        made = convert(
            Field,
            shape,
            name=name,
            label=in_words(extra.get("label") or named[name]),
            help=in_words(extra["help"]) if "help" in extra else None,
            required=member.required,
            row=extra.get("row"),
            value_labels=each_in_words(extra.get("values") or accounts),
            matters=of and {deck: [card.code for card in cards.DECKS[deck] if card in of(deck)] for deck in decks},
            only_with=extra.get("only_with"),
            default=defaults.get(name, UNSET),
        )
        fields.append(made)
    return tuple(fields)


def shape_of(member: Member, named: Mapping[str, Sentence]) -> Shape:
    """Give what a form offers for a member of a record. Raises TypeError for one that no form asks for."""
    match member.type:
        case inspect.IntType(ge=least, le=most):
            return Shape(kind="whole", at_least=least, at_most=most)
        case inspect.StrType() if member.extra.get("kind") == "account":
            return Shape(kind="account", instead=member.extra.get("instead", (BANK,)))
        case inspect.StrType() if (kind := member.extra.get("kind")) in ("player", "day"):
            return Shape(kind=kind)
        case inspect.StrType(max_length=most, pattern=pattern):
            pattern = pattern and pattern.removeprefix("^(?:").removesuffix(")$")
            return Shape(kind="text", at_most_characters=most, pattern=pattern)
        case inspect.BoolType():
            return Shape(kind="flag")
        case inspect.LiteralType() | inspect.EnumType():
            return Shape(kind="word", values=words_of(member))
        case inspect.CustomType(kind):
            return Shape(kind="event") if kind is AnyEvent else Shape(kind="card", instead=words_of(member))
        case inspect.UnionType(kinds):
            return Shape(
                kind="event", values=tuple(str(kind.tag) for kind in kinds if isinstance(kind, inspect.StructType))
            )
        case inspect.StructType(record):
            return Shape(kind="group", fields=fields_of(record, named))
        case inspect.VarTupleType(item):
            return Shape(kind="list", of=_shape_of_item(item, named))
        case inspect.TupleType(items):
            return Shape(kind="list", at_least=len(items), at_most=len(items), of=_shape_of_item(items[0], named))
        case inspect.DictType():
            return Shape(kind="switches")
    raise TypeError(f"no form asks for {member.type}")


def _shape_of_item(item: inspect.Type, named: Mapping[str, Sentence]) -> Shape:
    type_, nullable, about, extra = taken_apart(item)
    shape = shape_of(Member("", "", type_, nullable, None, about, extra), named)
    return convert(Shape, shape, nullable=nullable)


def deck_answer(deck: DeckName) -> Deck:
    return Deck(
        deck=deck,
        cards=tuple(map(card_answer, cards.DECKS[deck])),
        suits=cards.SUITS.get(deck, ()),
        ranks=cards.RANKS.get(deck, ()),
        months=cards.MONTHS.get(deck, ()),
        classes=cards.CLASSES.get(deck, ()),
    )


def card_answer(card: cards.Card) -> Card:
    face, other = card.face("JQK"), card.face("QJK")
    return convert(
        Card,
        card,
        code=card.code,
        name={"en": card.english, "ja": card.japanese},
        stands_for=f"{face.suit}-{face.rank}" if face else None,
        stands_for_if_courts_are_qjk=f"{other.suit}-{other.rank}" if other and other != face else None,
        value=card.kabu,
    )
