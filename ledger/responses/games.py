"""Rule books and decks as data: what a program needs to draw its forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import inspect

from ledger.codec.encoding import plain
from ledger.i18n.language import LANGUAGES, translate
from ledger.i18n.sentences import Sentence, docsentence, say, snake_case
from ledger.records import UNSET, Member, Record, convert, doc, element, field, members_of, replace
from ledger.responses.shared import InWords, in_words
from ledger.rulebook import cards
from ledger.rulebook.cards import CardGroup, CardNumber, DeckName, words_of
from ledger.rulebook.event import AnyEvent
from ledger.rulebook.phase import RESULTS, Over, Phase
from ledger.rulebook.rule_book import RuleBook
from ledger.rulebook.values import BANK, POT, EventType
from ledger.session.events import EVENTS, FIELDS, REASONS

EachInWords = Mapping[str, InWords]
Kind = Literal[
    "account", "card", "day", "event", "flag", "group", "list", "player", "switches", "text", "whole", "word"
]


class Shape(Record, kw_only=True, omit_defaults=True):
    """What a value may be, so that a program can ask for it."""

    kind: Annotated[Kind, doc("The kind of value.")]
    at_least: Annotated[int | None, doc("The smallest number, or the fewest elements.")] = None
    at_most: Annotated[int | None, doc("The largest number, or the most elements.")] = None
    at_most_characters: Annotated[int | None, doc("The greatest length of a text.")] = None
    pattern: Annotated[str | None, doc("A regular expression that all of a text matches.")] = None
    values: Annotated[
        tuple[str, ...], doc("The words of a `word`, or the types of an `event`, which may else be any of the game.")
    ] = ()
    instead: Annotated[tuple[str, ...], doc("Words that are possible instead of such a value.")] = field(
        name="or", default=()
    )
    nullable: Annotated[bool, doc("Whether the value may be null.")] = False
    of: Annotated[Shape | None, doc("The elements of a list.")] = None
    fields: Annotated[tuple[Field, ...], doc("The fields of a group.")] = ()


class Field(Shape, kw_only=True, omit_defaults=True):
    """A field of an event, or a switch of the house rules with its row, default and help."""

    name: Annotated[str, doc("The field's name in JSON.")]
    label: Annotated[InWords, doc("The field's label in a form.")]
    help: Annotated[InWords | None, doc("The explanation of a switch in a form.")] = None
    required: Annotated[bool, doc("Whether the field is required.")]
    row: Annotated[str | None, doc("The row of the rule book that a switch belongs to.")] = None
    value_labels: Annotated[EachInWords, doc("The labels of the field's words.")] = field(default_factory=dict)
    matters: Annotated[
        Mapping[DeckName, Sequence[str]] | None,
        doc("By deck, the cards that are worth noting, where a word may stand for any other."),
    ] = None
    only_with: Annotated[DeckName | None, doc("The only deck for which a switch matters.")] = None
    default: Annotated[Any, doc("The default of a switch.")] = UNSET


class EventKind(Record):
    """An event that can be reported."""

    type: Annotated[EventType, doc("The type of the event, as in its `type`.")]
    label: Annotated[InWords, doc("The event's label on a button.")]
    about: Annotated[InWords, doc("The meaning of the event.")]
    told: Annotated[
        tuple[InWords, ...], doc("Its sentences in a log: the first of which no field (in braces) is null, empty or 0.")
    ]
    fields: Annotated[tuple[Field, ...], doc("The fields of the event.")]


class Limits(Record):
    """The fewest and the most players."""

    min: Annotated[int, doc("The fewest players.")]
    max: Annotated[int, doc("The most players.")]


class Game(Record, kw_only=True):
    """A rule book as data, with every text in both languages."""

    name: Annotated[str, doc("The game's name in addresses and in `game`.", "shirinma")]
    version: Annotated[int, doc("The version of the rule book.")]
    title: Annotated[InWords, doc("The game's title.")]
    players: Annotated[Limits, doc("How many may play.")]
    decks: Annotated[tuple[DeckName, ...], doc("The decks of the game, the usual one first.")]
    speaks_of_numbers: Annotated[bool, doc("Whether a card is called by its number: 1, not Dragon.")]
    deck_labels: Annotated[EachInWords, doc("The labels of the decks.")]
    default_deck: Annotated[DeckName, doc("The deck that is used by default.")]
    rules: Annotated[tuple[Field, ...], doc("Every switch of the house rules.")]
    events: Annotated[tuple[EventKind, ...], doc("Every event that can be reported.")]
    phases: Annotated[EachInWords, doc("The phases of a round, with their labels.")]
    results: Annotated[EachInWords, doc("The results of a round, with their labels.")]
    forfeits: Annotated[EachInWords, doc("The reasons for which nobody wins, with their labels.")]
    reasons: Annotated[EachInWords, doc("The reasons for which chips move, with their labels.")]
    tallies: Annotated[EachInWords, doc("The counts of the statistics, with their labels.")]
    accounts: Annotated[EachInWords, doc("The accounts that belong to no player, with their labels.")]


ACCOUNTS: Mapping[str, Sentence] = {POT: say("Pot"), BANK: say("Bank")}
"""How the accounts are called that are no player's."""


class GameList(Record):
    """All rule books."""

    games: Annotated[tuple[Game, ...], doc("Every rule book.")]


class Card(Record, kw_only=True, omit_defaults=True):
    """A card: its code, its names, and what it stands for."""

    code: Annotated[str, doc("The card's code, as in events.", "cups-11")]
    name: Annotated[InWords, doc("The card's name.")]
    copies: Annotated[int, doc("How many copies of the card the deck has.")]
    stands_for: Annotated[str | None, doc("The mekurifuda card that this one stands for.")] = None
    stands_for_if_courts_are_qjk: Annotated[str | None, doc("The same with `QJK`.")] = None
    value: Annotated[int | None, doc("The card's value in Shippin.")] = None
    suit: Annotated[str | None, doc("The suit in the card's own deck, if that has suits.")] = None
    rank: Annotated[int | None, doc("The rank in its own deck: a western Jack is 11.")] = None
    month: Annotated[int | None, doc("The month of a hanafuda card, 1 to 12.")] = None
    month_class: Annotated[str | None, doc("The class of a hanafuda card.")] = field(name="class", default=None)


class Deck(Record, kw_only=True):
    """A deck as data. A list is empty if the deck has nothing of the kind."""

    deck: Annotated[DeckName, doc("The deck's name.")]
    cards: Annotated[tuple[Card, ...], doc("The deck's cards.")]
    suits: Annotated[tuple[CardGroup, ...], doc("The deck's suits.")]
    ranks: Annotated[tuple[CardNumber, ...], doc("The deck's ranks, lowest first.")]
    months: Annotated[tuple[CardNumber, ...], doc("The months of hanafuda, named by their flowers.")]
    classes: Annotated[tuple[CardGroup, ...], doc("The classes of hanafuda, highest first.")]


def game_answer(book: RuleBook[Any]) -> Game:
    """Give a rule book: who may play, with what, under which house rules, and what can be reported."""
    phases: tuple[type[Phase], ...] = (*book.phases, Over)
    return convert(
        Game,
        book,
        title=in_words(book.title),
        players=Limits(book.seats.start, book.seats.stop - 1),
        deck_labels={deck: in_words(cards.DECK_LABELS[deck]) for deck in book.decks},
        default_deck=book.decks[0],
        rules=fields_of(book.rules, {}, defaults=plain(book.rules())),
        events=tuple(
            EventKind(
                kind.type,
                in_words(kind.label),
                in_words(docsentence(kind)),
                tuple({language: translate(text.text, language) for language in LANGUAGES} for text in kind.told),
                fields_of(kind, {**FIELDS, **book.fields}, book.decks),
            )
            for kind in (*EVENTS, *book.between, *book.events)
        ),
        phases={snake_case(phase.__name__): in_words(phase.label) for phase in phases},
        results=each_in_words(RESULTS),
        forfeits=each_in_words(book.forfeits),
        reasons=each_in_words({**book.reasons, **REASONS}),
        tallies=each_in_words({tally.name: tally.label for tally in book.tallies}),
        accounts=each_in_words(ACCOUNTS),
    )


def each_in_words(labels: Mapping[Any, Sentence]) -> EachInWords:
    return {word: in_words(label) for word, label in labels.items()}


def fields_of(
    record: type, named: Mapping[str, Sentence], decks: Sequence[DeckName] = (), defaults: Mapping[str, object] = {}
) -> tuple[Field, ...]:
    """Give the fields of a record: how each is called, whether it is needed, and what it may be.

    `named` has the labels of those that do not bring their own, `decks` are those that the game is played with.
    """

    def field_of(member: Member) -> Field:
        name, extra, shape = member.name, member.extra, shape_of(member, named)
        accounts = {word: ACCOUNTS[word] for word in shape.instead} if shape.kind == "account" else {}
        of = extra.get("matters")
        return convert(
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

    return tuple(map(field_of, members_of(record)))


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
            values = tuple(str(kind.tag) for kind in kinds if isinstance(kind, inspect.StructType))
            return Shape(kind="event", values=values)
        case inspect.StructType(record):
            return Shape(kind="group", fields=fields_of(record, named))
        case inspect.VarTupleType(item) | inspect.TupleType((item, *_)):
            inner = element(item)
            count = len(member.type.item_types) if isinstance(member.type, inspect.TupleType) else None
            of = replace(shape_of(inner, named), nullable=inner.nullable)
            return Shape(kind="list", at_least=count, at_most=count, of=of)
        case inspect.DictType():
            return Shape(kind="switches")
    raise TypeError(f"no form asks for {member.type}")


def deck_answer(deck: DeckName) -> Deck:
    return convert(Deck, cards.DECK_DATA[deck], deck=deck, cards=tuple(map(card_answer, cards.DECKS[deck])))


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
