"""Rule books and decks as data: what a program needs to draw its forms."""

from __future__ import annotations

import types
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from ledger import cards, records, session
from ledger.answers.encoding import ABSENT, Absent, described, members
from ledger.cards import DeckName
from ledger.language import LANGUAGES, Language, render, translate
from ledger.play import BANK, POT, RESULTS, Between, Event, Kind, Matching, Over, Phase, RuleBook, event_type
from ledger.sentences import Sentence, docsentence, say, snake_case

InWords = Mapping[Language, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What a value may be, so that a program can ask for it."""

    kind: Literal["account", "card", "event", "flag", "group", "list", "player", "switches", "text", "whole", "word"]
    at_least: int | Absent = field(default=ABSENT, metadata={"description": "of a number, or how many of a list"})
    at_most: int | Absent = ABSENT
    at_most_characters: int | Absent = ABSENT
    pattern: str | Absent = field(
        default=ABSENT, metadata={"description": "a regular expression that all of a text matches"}
    )
    values: tuple[str, ...] | Absent = field(
        default=ABSENT, metadata={"description": "the words, or the types of event; without it any event of the table"}
    )
    instead: tuple[str, ...] | Absent = field(
        default=ABSENT,
        metadata={"wire": "or", "description": "words that may stand there instead"},
    )
    nullable: bool | Absent = field(default=ABSENT, metadata={"description": "null may stand there"})
    of: Shape | Absent = ABSENT
    fields: tuple[Field, ...] | Absent = ABSENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of an event; or a switch of the house rules with its row and its default, and help beside it."""

    name: str
    label: InWords
    help: InWords | Absent = ABSENT
    required: bool
    row: str | Absent = ABSENT
    shape: Shape = field(metadata={"spread": True})
    value_labels: Mapping[str, InWords] | Absent = ABSENT
    matters: Mapping[DeckName, tuple[str, ...]] | Absent = field(
        default=ABSENT,
        metadata={"description": "by deck, the cards that are worth noting, where a word may stand for any other"},
    )
    only_with: DeckName | Absent = field(
        default=ABSENT, metadata={"description": "the deck with which it makes a difference, if there is only one"}
    )
    default: Any | Absent = ABSENT


@dataclass(frozen=True, slots=True)
class EventKind:
    """An event that can be reported."""

    type: str
    label: InWords
    about: InWords
    told: tuple[InWords, ...] = field(
        metadata={
            "description": "how a log tells it, with its fields in braces: the first holds of which none is null, "
            "empty or 0; with none the label does"
        }
    )
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """The fewest and the most players."""

    min: int
    max: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """A rule book as data, with every text in both languages.

    `phases`, `results`, `reasons` of entries and of forfeits, `tallies` of the statistics and the `accounts` that are
    no player's are words with their labels.
    """

    name: str
    version: int
    title: InWords
    players: Limits
    decks: tuple[DeckName, ...]
    speaks_of_numbers: bool = field(
        metadata={"description": "whether a card is called by the number it stands for: the 1 of Clubs, not the Dragon"}
    )
    deck_labels: Mapping[str, InWords]
    default_deck: DeckName
    rules: tuple[Field, ...]
    events: tuple[EventKind, ...]
    phases: Mapping[str, InWords]
    results: Mapping[str, InWords]
    forfeits: Mapping[str, InWords]
    reasons: Mapping[str, InWords]
    tallies: Mapping[str, InWords]
    accounts: Mapping[str, InWords]


ACCOUNTS: Mapping[str, Sentence] = {POT: say("Pot"), BANK: say("Bank")}
"""How the accounts are called that are no player's."""


@dataclass(frozen=True, slots=True)
class GameList:
    """All rule books."""

    games: tuple[Game, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A card: its code, its names, and what it stands for."""

    code: str
    name: InWords
    copies: int
    stands_for: str | Absent = ABSENT
    stands_for_if_courts_are_qjk: str | Absent = ABSENT
    value: int | Absent = ABSENT
    suit: str | Absent = field(default=ABSENT, metadata={"description": "the suit in its own deck, if that has suits"})
    rank: int | Absent = field(
        default=ABSENT,
        metadata={"description": "the rank in its own deck: a western Jack is 11, whatever it stands for"},
    )
    month: int | Absent = field(default=ABSENT, metadata={"description": "of hanafuda: the month, 1 to 12"})
    month_class: str | Absent = field(default=ABSENT, metadata={"wire": "class"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CardGroup:
    """A suit of a deck, or a class of hanafuda: `code` is how its cards have it."""

    code: str
    symbol: str | Absent = field(default=ABSENT, metadata={"description": "the sign it is written with, if it has one"})
    name: InWords


@dataclass(frozen=True, slots=True, kw_only=True)
class CardNumber:
    """A rank of a deck, or a month of hanafuda: `number` is how its cards have it."""

    number: int = field(metadata={"description": "the rank or the month of its cards"})
    symbol: str | Absent = field(
        default=ABSENT, metadata={"description": "how it is written on the card, if not as that number"}
    )
    name: InWords


@dataclass(frozen=True, slots=True, kw_only=True)
class Deck:
    """A deck as data: its cards, and what they are told apart by; of what a deck does not have there is none."""

    deck: DeckName
    cards: tuple[Card, ...]
    suits: tuple[CardGroup, ...] = field(metadata={"description": "its suits, by name"})
    ranks: tuple[CardNumber, ...] = field(metadata={"description": "its ranks, lowest first, by name"})
    months: tuple[CardNumber, ...] = field(metadata={"description": "the months of hanafuda, by their flowers"})
    classes: tuple[CardGroup, ...] = field(metadata={"description": "the classes of hanafuda, highest first, by name"})


def game_answer(book: RuleBook[Any]) -> Game:
    """Give a rule book: who may play, with what, under which house rules, and what can be reported."""
    kinds: tuple[type[Event], ...] = (*session.EVENTS, *book.between, *book.events)
    phases: tuple[type[Phase], ...] = (*book.phases, Over)
    named = {**session.FIELDS, **book.fields}
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
                event_type(kind),
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
        reasons=each_in_words({**book.reasons, **session.REASONS}),
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
    needed = {each.attribute for each in records.fields_of(record) if each.required}
    return tuple(
        Field(
            name=member.name,
            label=in_words(member.notes.get("label") or named[member.name]),
            help=in_words(member.notes["help"]) if "help" in member.notes else ABSENT,
            required=member.attribute in needed,
            row=member.notes.get("row", ABSENT),
            shape=(shape := shape_of(member.hint, named)),
            value_labels=each_in_words(member.notes.get("values") or words_for(shape)) or ABSENT,
            matters=those_that_matter(member.notes["matters"], decks) if "matters" in member.notes else ABSENT,
            only_with=member.notes.get("only_with") or ABSENT,
            default=defaults[member.name] if defaults else ABSENT,
        )
        for member in described(record)
    )


def those_that_matter(
    of: Callable[[DeckName], Container[cards.Card]], decks: tuple[DeckName, ...]
) -> Mapping[DeckName, tuple[str, ...]]:
    """Give the cards of each deck that are worth noting."""
    return {deck: tuple(card.code for card in cards.DECKS[deck] if card in of(deck)) for deck in decks}


def words_for(shape: Shape) -> Mapping[str, Sentence]:
    """Give the labels of words that may stand for any account."""
    return {BANK: ACCOUNTS[BANK]} if shape.kind == "account" else {}


def shape_of(hint: Any, named: Mapping[str, Sentence]) -> Shape:
    """Say what a type may hold. Raises TypeError for one that nobody can be asked for."""
    parts, origin = get_args(hint), get_origin(hint)
    if origin is Annotated:
        return bounded(parts[1])
    if origin in (Union, types.UnionType):
        some = [part for part in parts if part is not types.NoneType]
        words = tuple(word for part in some if get_origin(part) is Literal for word in get_args(part))
        if cards.Card in some and words:
            return Shape(kind="card", instead=words)
        if len(some) > 1 and all(isinstance(part, type) and issubclass(part, Event) for part in some):
            return Shape(kind="event", values=tuple(map(event_type, some)))
        return shape_of(some[0], named)
    if origin is Literal:
        return Shape(kind="word", values=parts)
    if origin is tuple:
        each = shape_of(parts[0], named)
        count = ABSENT if Ellipsis in parts else len(parts)
        of = replace(each, nullable=True) if types.NoneType in get_args(parts[0]) else each
        return Shape(kind="list", at_least=count, at_most=count, of=of)
    if origin is not None and issubclass(origin, Mapping):
        return Shape(kind="switches")
    if hint is cards.Card:
        return Shape(kind="card")
    if hint is bool:
        return Shape(kind="flag")
    if issubclass(hint, Event):
        return Shape(kind="event")
    return Shape(kind="group", fields=fields_of(hint, named))


def bounded(note: object) -> Shape:
    """Say what a type with bounds may hold. Raises TypeError for bounds that are not known."""
    match note:
        case Between(least, most):
            return Shape(kind="whole", at_least=least, at_most=most)
        case Kind("name" | "words", most):
            return Shape(kind="text", at_most_characters=most)
        case Matching(pattern):
            return Shape(kind="text", pattern=pattern)
        case Kind("player"):
            return Shape(kind="player")
        case Kind("account"):
            return Shape(kind="account", instead=(BANK,))
    raise TypeError(f"nobody can be asked for {note}")


def deck_answer(deck: DeckName) -> Deck:
    """Give a deck."""
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
    return CardGroup(code=named.value, symbol=named.symbol or ABSENT, name=both(named))


def number_answer(named: cards.Naming) -> CardNumber:
    """Give a number that cards have in common."""
    return CardNumber(number=named.value, symbol=named.symbol or ABSENT, name=both(named))


def both(named: cards.Naming | cards.Card) -> InWords:
    """Give the names of a card, or of what some have in common."""
    return {"en": named.english, "ja": named.japanese}


def card_answer(card: cards.Card) -> Card:
    """Give a card."""
    face, other = card.face("JQK"), card.face("QJK")
    return Card(
        code=card.code,
        name=both(card),
        copies=card.copies,
        stands_for=f"{face.suit}-{face.rank}" if face else ABSENT,
        stands_for_if_courts_are_qjk=f"{other.suit}-{other.rank}" if other and other != face else ABSENT,
        value=ABSENT if card.kabu is None else card.kabu,
        suit=card.suit or ABSENT,
        rank=card.rank or ABSENT,
        month=card.month or ABSENT,
        month_class=card.month_class or ABSENT,
    )
