"""The four decks: every card, how it is written, and what it stands for.

A `Card` is one physical card of one deck. Codes are unique across the decks (`cups-11`, `QH`, `pine-crane`, `4`), so
a written card is read without knowing the game. What a card *means* depends on the game, and that is a `Pack`:

* Shirinma and Kakkuri are played with 48 cards; each stands for a mekurifuda card, a suit and a rank (its `Face`). A
  mekurifuda code is understood with every such pack, and a pack writes every card its own way.
* Shippin is played with 40 cards; each stands for a value from 1 to 10 (its `kabu` value).

The cards, suits, ranks, months and classes of each deck are rows of `decks.json`.
"""

from __future__ import annotations

import re
from abc import ABCMeta
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from importlib.resources import files
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar, get_args

from msgspec import inspect, json, to_builtins

from ledger.i18n.sentences import Sentence, say
from ledger.records import Member, Record, doc, replace

DeckName = Literal["mekurifuda", "western", "hanafuda", "kabufuda"]
DECK_NAMES: tuple[DeckName, ...] = get_args(DeckName)

DECK_LABELS: Mapping[DeckName, Sentence] = {
    "mekurifuda": say("mekurifuda"),
    "western": say("Western cards"),
    "hanafuda": say("hanafuda"),
    "kabufuda": say("kabufuda"),
}

Courts = Literal["JQK", "QJK"]
"""Which western courts are Maid, Horse and King (10, 11, 12), in that order (SH-17)."""

KABU_NAMES = {
    "en": ("buta", "pin", "nizō", "santa", "yotsuya", "goke", "roppō", "shichiken", "oicho", "kabu"),
    "ja": ("ブタ", "ピン", "ニゾウ", "サンタ", "ヨツヤ", "ゴケ", "ロッポウ", "シチケン", "オイチョ", "カブ"),
}
"""The names of the totals of a kabufuda hand, 0 to 9 (SP-7)."""


class Suit(StrEnum):
    """The mekurifuda suits: hau (sticks), isu (swords), koppu (cups), ōru (coins)."""

    CLUBS = "clubs"
    SWORDS = "swords"
    CUPS = "cups"
    COINS = "coins"


class WesternSuit(StrEnum):
    """The western suits."""

    CLUBS = "clubs"
    SPADES = "spades"
    HEARTS = "hearts"
    DIAMONDS = "diamonds"


class Face(NamedTuple):
    """What a 48-card deck's card stands for: a mekurifuda suit and a rank from 1 to 12."""

    suit: Suit
    rank: int


class Card(SimpleNamespace):
    """One physical card. There is exactly one object a card, so cards compare by identity; JSON has its code.

    `copies` is how many of it a deck holds: four of each kabufuda value, one of anything else. `suit` and `rank` are
    those of its own deck, if the deck has suits: a western Jack is 11 there, whatever it stands for in a game.
    """

    code: str
    deck: DeckName
    english: str
    japanese: str
    copies: int = 1
    kabu: int | None = None
    month_class: str | None = None
    month: int | None = None
    suit: Suit | WesternSuit | None = None
    rank: int | None = None
    faces: Mapping[Courts, Face] = {}
    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment]  # a namespace has none

    def face(self, courts: Courts = "JQK") -> Face | None:
        """Give the mekurifuda suit and rank this card stands for, or None where it stands for none."""
        return self.faces.get(courts)

    def __repr__(self) -> str:
        return self.code


class CardGroup(Record, omit_defaults=True):
    """A suit of a deck, or a class of hanafuda."""

    code: Annotated[str, doc("The suit or the class as its cards have it.")]
    name: Annotated[Mapping[str, str], doc("The name of the suit or the class.")]
    symbol: Annotated[str | None, doc("The sign of the suit or the class, if it has one.")] = None


class CardNumber(Record, omit_defaults=True):
    """A rank of a deck, or a month of hanafuda."""

    number: Annotated[int, doc("The rank or the month as its cards have it.")]
    name: Annotated[Mapping[str, str], doc("The name of the rank or the month.")]
    symbol: Annotated[str | None, doc("The index on the card, if it is not that number.")] = None


# --- the decks ------------------------------------------------------------------------------------------------------


class DeckData(Record):
    """A deck as `decks.json` has it."""

    cards: tuple[dict[str, Any], ...]
    suits: tuple[CardGroup, ...] = ()
    ranks: tuple[CardNumber, ...] = ()
    months: tuple[CardNumber, ...] = ()
    classes: tuple[CardGroup, ...] = ()


def _card(deck: DeckName, row: dict[str, Any]) -> Card:
    if "suit" in row:
        row["suit"] = WesternSuit(row["suit"]) if deck == "western" else Suit(row["suit"])
    row["faces"] = {courts: Face(Suit(suit), rank) for courts, (suit, rank) in row.get("faces", {}).items()}
    return Card(deck=deck, **row)


DECK_DATA = json.decode((files("ledger.rulebook") / "decks.json").read_bytes(), type=dict[DeckName, DeckData])
DECKS: Mapping[DeckName, tuple[Card, ...]] = {
    name: tuple(_card(name, row) for row in deck.cards) for name, deck in DECK_DATA.items()
}
HANAFUDA_CLASSES = tuple(each.code for each in DECK_DATA["hanafuda"].classes)
"""Hanafuda classes, highest first."""


def _group(suit: Suit | WesternSuit) -> CardGroup:
    deck = DECK_DATA["western" if isinstance(suit, WesternSuit) else "mekurifuda"]
    return next(group for group in deck.suits if group.code == suit)


def suit_name(suit: Suit | WesternSuit, language: str) -> str:
    """Name a suit in English ("en") or Japanese ("ja"), as its deck calls it."""
    return _group(suit).name[language]


_NUMBERS = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")


def name_by_number(card: Card, number: int, language: str) -> str | None:
    """Name a card by a number, not by its rank: 1 of Clubs, ハウの一, ♣1. None for a card without a suit."""
    if card.suit is None:
        return None
    if language == "en":
        return f"{number} of {suit_name(card.suit, language)}"
    symbol = _group(card.suit).symbol
    return f"{symbol}{number}" if symbol else f"{suit_name(card.suit, language)}の{_NUMBERS[number - 1]}"


class UnknownCard(ValueError):
    """The text is not a card of any deck."""


_BY_CODE: Mapping[str, Card] = {card.code: card for deck in DECKS.values() for card in deck}
_WESTERN_WRITING = re.compile(
    r"(?P<rank>10|[2-9]|[AJQKajqk])(?P<suit>[CSHDcshd♣♠♥♦♧♤♡♢])\N{VARIATION SELECTOR-15}?\N{VARIATION SELECTOR-16}?"
)
_SUIT_LETTERS = str.maketrans("♣♧♠♤♥♡♦♢", "CCSSHHDD")


def read(text: str) -> Card:
    """Read a card as any deck writes it: `cups-11`, `QH` or `Q♥`, `pine-crane`, `4`.

    Raises UnknownCard for anything else.
    """
    if card := _BY_CODE.get(text):
        return card
    if western := _WESTERN_WRITING.fullmatch(text):
        return _BY_CODE[(western["rank"] + western["suit"]).upper().translate(_SUIT_LETTERS)]
    raise UnknownCard(text)


# --- words in place of a card ---------------------------------------------------------------------------------------

INSTEAD: dict[Any, tuple[str, ...]] = {Card: ()}
"""The words that may stand in place of a card, by the type of the field."""


def card_or(*words: str) -> Any:
    """Give the type of a card that may have one of these words instead; msgspec knows no such union of its own."""
    kind = ABCMeta("CardOrWord", (), {})
    kind.register(Card)
    kind.register(str)
    INSTEAD[kind] = words
    return kind


if TYPE_CHECKING:
    CardOrPlain = Card | Literal["plain"]
else:
    CardOrPlain = card_or("plain")
    """A card, or `plain` for one that is no showdown card and was not noted."""


def words_of(member: Member) -> tuple[str, ...]:
    """Give the words that may stand in a member of a record, in the order in which their labels have them."""
    match member.type:
        case inspect.LiteralType(words):
            known = tuple(member.extra.get("values", ()))
            return known if set(known) == set(words) else tuple(map(str, words))
        case inspect.EnumType(kind):
            return tuple(each.value for each in kind)
        case inspect.CustomType(kind):
            return INSTEAD.get(kind, ())
    return ()


# --- cards in records -----------------------------------------------------------------------------------------------

_R = TypeVar("_R")


def cards_in(value: object) -> tuple[Card, ...]:
    """List the cards that a record names, in the order it names them."""
    found: list[Card] = []
    to_builtins(value, enc_hook=found.append)  # it is called for what msgspec does not know: cards
    return tuple(found)


def _replaced(value: Any, new: Callable[[Card], Card]) -> Any:
    """Replace every card in a record or a tuple; what has none stays the same object."""
    if isinstance(value, Card):
        return new(value)
    if isinstance(value, tuple):
        items = tuple(_replaced(item, new) for item in value)
        return value if items == value else items
    if isinstance(value, Record):
        changes = {}
        for name in value.__struct_fields__:
            old = getattr(value, name)
            if (found := _replaced(old, new)) is not old:
                changes[name] = found
        return replace(value, **changes) if changes else value
    return value


# --- packs ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Pack:
    """The cards one game is played with: which may be named, and how the pack itself writes each of them.

    `native` maps every card that is understood to the pack's own card; `faces` maps the pack's own cards to what
    they stand for (empty for a pack of values). `left_out` says which of the deck's cards are taken out, if some are.
    """

    deck: DeckName
    native: Mapping[Card, Card]
    faces: Mapping[Card, Face]
    left_out: Sentence | None = None

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """The pack's own cards, each once."""
        return tuple(dict.fromkeys(self.native.values()))

    @cached_property
    def in_deck_order(self) -> tuple[Card, ...]:
        """The pack's own cards, each once, in the order in which its deck has them."""
        return tuple(card for card in DECKS[self.deck] if card in self.native)

    @cached_property
    def copies(self) -> Mapping[str, int]:
        """How many there are of each of the pack's own cards, by its code, in the order of its deck."""
        return {card.code: card.copies for card in self.in_deck_order}

    def written(self, record: _R, foreign: Callable[..., Exception]) -> _R:
        """Write every card in a record the pack's own way.

        A card that the pack does not have raises `foreign(card=…, deck=…, why=…)`.
        """
        try:
            written: _R = _replaced(record, self.native.__getitem__)
        except KeyError as error:
            (card,) = error.args
            why = self.left_out if card.deck == self.deck else None
            why = why or say("the table plays with {deck:deck}", deck=self.deck)
            raise foreign(card=card, deck=self.deck, why=why) from None
        return written


@cache
def pack_of_48(deck: DeckName, courts: Courts = "JQK") -> Pack:
    """Give the pack of 48 that stands for a mekurifuda deck (SH-1, SH-17, KA-1): a western pack loses its tens."""
    own = {face: card for card in DECKS[deck] if (face := card.face(courts)) is not None}
    native = {card: own[face] for card in DECKS["mekurifuda"] if (face := card.face()) is not None}
    native |= {card: card for card in own.values()}
    left_out = say("the tens are taken out") if deck == "western" else None
    return Pack(deck, native, {card: face for face, card in own.items()}, left_out)


@cache
def pack_of_values(deck: DeckName) -> Pack:
    """Give the pack of 40 that counts from 1 to 10 (SP-1); a bare value is understood with any of them (SP-15)."""
    left_out = {
        "western": say("Jacks, Queens and Kings are taken out"),
        "hanafuda": say("the cards of November and December are taken out"),
    }
    cards = (card for card in (*DECKS["kabufuda"], *DECKS[deck]) if card.kabu is not None)
    return Pack(deck, {card: card for card in cards}, {}, left_out.get(deck))
