"""The four decks: every card, how it is written, and what it stands for.

A `Card` is one physical card of one deck. Codes are unique across the decks (`cups-11`, `QH`, `pine-crane`, `4`), so
a written card is read without knowing the game. What a card *means* depends on the game, and that is a `Pack`:

* Shirinma and Kakkuri are played with 48 cards; each stands for a mekurifuda card, a suit and a rank (its `Face`). A
  mekurifuda code is understood with every such pack, and a pack writes every card its own way.
* Shippin is played with 40 cards; each stands for a value from 1 to 10 (its `kabu` value).

The data is `decks.json`; nothing about a particular card is written down anywhere else.
"""

from __future__ import annotations

import json
import re
from abc import ABCMeta
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_type_hints

from msgspec import StructMeta, inspect

from ledger.records import Member, Meta, Record, replace
from ledger.sentences import Sentence, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_DATA: Mapping[str, Any] = json.loads((files("ledger") / "decks.json").read_text("utf-8"))

DeckName = Literal["mekurifuda", "western", "hanafuda", "kabufuda"]
DECK_NAMES: tuple[DeckName, ...] = ("mekurifuda", "western", "hanafuda", "kabufuda")

DECK_LABELS: Mapping[DeckName, Sentence] = {
    "mekurifuda": say("mekurifuda"),
    "western": say("Western cards"),
    "hanafuda": say("hanafuda"),
    "kabufuda": say("kabufuda"),
}

Courts = Literal["JQK", "QJK"]
"""Which western courts are Maid, Horse and King (10, 11, 12), in that order (SH-17)."""


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


HANAFUDA_CLASSES: tuple[str, ...] = tuple(each["class"] for each in _DATA["classes"])
"""Hanafuda classes, highest first."""

KABU_NAMES: tuple[tuple[str, str], ...] = (
    ("buta", "ブタ"),
    ("pin", "ピン"),
    ("nizō", "ニゾウ"),
    ("santa", "サンタ"),
    ("yotsuya", "ヨツヤ"),
    ("goke", "ゴケ"),
    ("roppō", "ロッポウ"),
    ("shichiken", "シチケン"),
    ("oicho", "オイチョ"),
    ("kabu", "カブ"),
)
"""What the totals of a kabufuda hand are called, 0 to 9, in English and Japanese (SP-7)."""


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
    faces: tuple[tuple[Courts, Face], ...] = ()
    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment]  # a namespace has none

    def face(self, courts: Courts = "JQK") -> Face | None:
        """Give the mekurifuda suit and rank this card stands for, or None where it stands for none."""
        for known, stands_for in self.faces:
            if known == courts:
                return stands_for
        return None

    def __repr__(self) -> str:
        return self.code


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


class UnknownCard(ValueError):
    """The text is not a card of any deck."""


def _face(code: str | None) -> Face | None:
    if code is None:
        return None
    suit, rank = code.split("-")
    return Face(Suit(suit), int(rank))


def _faces(jqk: str | None, qjk: str | None) -> tuple[tuple[Courts, Face], ...]:
    pairs: tuple[tuple[Courts, Face | None], ...] = (("JQK", _face(jqk)), ("QJK", _face(qjk)))
    return tuple((courts, face) for courts, face in pairs if face is not None)


_RANKS: Mapping[int, Any] = {rank["rank"]: rank for rank in _DATA["ranks"]}
_MEKURIFUDA_IN_JAPANESE = {Suit.CLUBS: "ハウ", Suit.SWORDS: "イス", Suit.CUPS: "コップ", Suit.COINS: "オール"}
"""One name a suit, as the glossary has it; the data has others beside them."""
_WESTERN_IN_JAPANESE = {
    WesternSuit.CLUBS: "クラブ",
    WesternSuit.SPADES: "スペード",
    WesternSuit.HEARTS: "ハート",
    WesternSuit.DIAMONDS: "ダイヤ",
}
_WESTERN_SUITS = {
    "C": (WesternSuit.CLUBS, "♣"),
    "S": (WesternSuit.SPADES, "♠"),
    "H": (WesternSuit.HEARTS, "♥"),
    "D": (WesternSuit.DIAMONDS, "♦"),
}
_WESTERN_RANKS: Mapping[str, Any] = {rank["symbol"]: rank for rank in _DATA["western_ranks"]}


def suit_name(suit: Suit | WesternSuit, language: str) -> str:
    """Name a suit in English ("en") or Japanese ("ja"), as its deck calls it."""
    if language == "en":
        return suit.title()
    return _WESTERN_IN_JAPANESE[suit] if isinstance(suit, WesternSuit) else _MEKURIFUDA_IN_JAPANESE[suit]


def rank_name(rank: int, language: str) -> str:
    """Name a mekurifuda rank in English ("en") or Japanese ("ja"): Dragon, 2, … King."""
    name: str = _RANKS[rank][language]
    return name


_IN_JAPANESE = ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二")


def name_by_number(card: Card, number: int, language: str) -> str | None:
    """Name a card by a number, not by its rank: 1 of Clubs, ハウの一. None for one that is not called by its suit."""
    if card.suit is None:
        return None
    if language == "en":
        return f"{number} of {suit_name(card.suit, language)}"
    if isinstance(card.suit, WesternSuit):
        return f"{_WESTERN_SUITS[card.code[-1]][1]}{number}"
    return f"{suit_name(card.suit, language)}の{_IN_JAPANESE[number - 1]}"


def _mekurifuda() -> Iterator[Card]:
    for row in _DATA["mekurifuda"]:
        suit, rank = Suit(row["suit"]), row["rank"]
        yield Card(
            code=row["code"],
            deck="mekurifuda",
            english=f"{rank_name(rank, 'en')} of {suit_name(suit, 'en')}",
            japanese=f"{suit_name(suit, 'ja')}の{rank_name(rank, 'ja')}",
            suit=suit,
            rank=rank,
            faces=_faces(row["code"], row["code"]),
        )


def _western() -> Iterator[Card]:
    for row in _DATA["western"]:
        rank = _WESTERN_RANKS[row["code"][:-1]]
        suit, symbol = _WESTERN_SUITS[row["code"][-1]]
        yield Card(
            code=row["code"],
            deck="western",
            english=f"{rank['en']} of {suit_name(suit, 'en')}",
            japanese=f"{symbol}{rank['symbol']}",
            kabu=row["kabu_value"],
            suit=suit,
            rank=rank["rank"],
            faces=_faces(row["mekurifuda"], row["mekurifuda_if_courts_are_qjk"]),
        )


def _own_name(code: str, japanese: str) -> str:
    """Give a card one name, and no other the same: 柳に雷 without its second name; 松のカス一 and 松のカス二."""
    last = code[-1]
    which = "一二三"[int(last) - 1] if last.isdigit() else ""
    return japanese.partition("（")[0] + which


def _hanafuda() -> Iterator[Card]:
    for row in _DATA["hanafuda"]:
        yield Card(
            code=row["code"],
            deck="hanafuda",
            english=row["en"],
            japanese=_own_name(row["code"], row["ja"]),
            kabu=row["kabu_value"],
            month_class=row["class"],
            month=row["month"],
            faces=_faces(row["mekurifuda"], row["mekurifuda"]),
        )


def _kabufuda() -> Iterator[Card]:
    for row in _DATA["kabufuda"]:
        yield Card(
            code=row["code"],
            deck="kabufuda",
            english=row["code"],
            japanese=row["code"],
            copies=row["copies"],
            kabu=row["value"],
        )


DECKS: Mapping[DeckName, tuple[Card, ...]] = {
    "mekurifuda": tuple(_mekurifuda()),
    "western": tuple(_western()),
    "hanafuda": tuple(_hanafuda()),
    "kabufuda": tuple(_kabufuda()),
}


class CardGroup(Record, omit_defaults=True):
    """A suit of a deck, or a class of hanafuda."""

    code: Annotated[str, Meta(description="The suit or the class as its cards have it.")]
    name: Annotated[Mapping[str, str], Meta(description="The name of the suit or the class.")]
    symbol: Annotated[str | None, Meta(description="The sign of the suit or the class, if it has one.")] = None


class CardNumber(Record, omit_defaults=True):
    """A rank of a deck, or a month of hanafuda."""

    number: Annotated[int, Meta(description="The rank or the month as its cards have it.")]
    name: Annotated[Mapping[str, str], Meta(description="The name of the rank or the month.")]
    symbol: Annotated[str | None, Meta(description="The index on the card, if it is not that number.")] = None


def _suits(suits: Mapping[Any, str | None]) -> tuple[CardGroup, ...]:
    return tuple(
        CardGroup(suit, {"en": suit_name(suit, "en"), "ja": suit_name(suit, "ja")}, sign)
        for suit, sign in suits.items()
    )


def _numbers(what: str, rows: str) -> tuple[CardNumber, ...]:
    return tuple(CardNumber(row[what], _names(row), row.get("symbol")) for row in _DATA[rows])


def _names(row: Mapping[str, str]) -> Mapping[str, str]:
    return {"en": row["en"], "ja": row["ja"]}


SUITS = {"mekurifuda": _suits(dict.fromkeys(Suit)), "western": _suits(dict(_WESTERN_SUITS.values()))}
RANKS = {"mekurifuda": _numbers("rank", "ranks"), "western": _numbers("rank", "western_ranks")}
MONTHS = {"hanafuda": _numbers("month", "months")}
CLASSES = {"hanafuda": tuple(CardGroup(row["class"], _names(row)) for row in _DATA["classes"])}
"""What distinguishes the cards of a deck, for the decks that have it."""

_BY_CODE: Mapping[str, Card] = {card.code: card for deck in DECKS.values() for card in deck}
_WESTERN_WRITING = re.compile(
    r"(?P<rank>10|[2-9]|[AJQKajqk])(?P<suit>[CSHDcshd♣♠♥♦♧♤♡♢])\N{VARIATION SELECTOR-15}?\N{VARIATION SELECTOR-16}?"
)
_SUIT_LETTER = {"♣": "C", "♧": "C", "♠": "S", "♤": "S", "♥": "H", "♡": "H", "♦": "D", "♢": "D"}


def read(text: str) -> Card:
    """Read a card as any deck writes it: `cups-11`, `QH` or `Q♥`, `pine-crane`, `4`.

    Raises UnknownCard for anything else.
    """
    if card := _BY_CODE.get(text):
        return card
    if western := _WESTERN_WRITING.fullmatch(text):
        suit = western["suit"]
        return _BY_CODE[western["rank"].upper() + _SUIT_LETTER.get(suit, suit.upper())]
    raise UnknownCard(text)


class Pack(Record, eq=False):
    """The cards one game is played with: which may be named, and how the pack itself writes each of them.

    `native` maps every card that is understood to the pack's own card; `faces` maps the pack's own cards to what
    they stand for (empty for a pack of values). `left_out` says which of the deck's cards are taken out, if some are.
    """

    deck: DeckName
    native: Mapping[Card, Card]
    faces: Mapping[Card, Face]
    left_out: Sentence | None = None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The pack's own cards, each once."""
        return tuple(dict.fromkeys(self.native.values()))

    @property
    def in_deck_order(self) -> tuple[Card, ...]:
        """The pack's own cards, each once, in the order in which its deck has them."""
        return _in_deck_order(self)

    @property
    def copies(self) -> Mapping[str, int]:
        """How many there are of each of the pack's own cards, by its code, in the order of its deck."""
        return _copies(self)

    def written(self, record: _R, foreign: Callable[..., Exception]) -> _R:
        """Write every card in a record the pack's own way.

        A card that the pack does not have raises `foreign(card=…, deck=…, why=…)`.
        """
        try:
            rewritten: _R = _rewrite(record, self.native.__getitem__)
        except KeyError as error:
            (card,) = error.args
            raise foreign(card=card, deck=self.deck, why=self.why_not(card)) from None
        return rewritten

    def why_not(self, card: Card) -> Sentence:
        """Say why a card is not in the pack: it is taken out, or of another deck."""
        if self.left_out and card.deck == self.deck:
            return self.left_out
        return say("the table plays with {deck:deck}", deck=self.deck)


_R = TypeVar("_R")


@cache
def _in_deck_order(pack: Pack) -> tuple[Card, ...]:
    return tuple(card for card in DECKS[pack.deck] if card in pack.native)


@cache
def _copies(pack: Pack) -> Mapping[str, int]:
    return {card.code: card.copies for card in _in_deck_order(pack)}


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
    cards = (*DECKS["kabufuda"], *DECKS[deck])
    left_out = {
        "western": say("Jacks, Queens and Kings are taken out"),
        "hanafuda": say("the cards of November and December are taken out"),
    }.get(deck)
    return Pack(deck, {card: card for card in cards if card.kabu is not None}, {}, left_out)


def _rewrite(value: Any, translate: Callable[[Card], Card]) -> Any:
    if isinstance(value, Card):
        return translate(value)
    if isinstance(value, tuple):
        rewritten = tuple(_rewrite(item, translate) for item in value)
        return value if rewritten == value else rewritten
    changes = {}
    for name in _fields_with_cards(type(value)):  # type: ignore[arg-type]  # mypy takes a class for an object
        old = getattr(value, name)
        if (new := _rewrite(old, translate)) is not old:
            changes[name] = new
    return replace(value, **changes) if changes else value


@cache
def _fields_with_cards(kind: type[Any]) -> tuple[str, ...]:
    """Name the fields of a record that can hold cards, as its hints say; found out once, for every event asks."""
    hints = get_type_hints(kind) if isinstance(kind, StructMeta) else {}
    return tuple(name for name, hint in hints.items() if _may_hold_cards(hint) and name in kind.__struct_fields__)


def _may_hold_cards(hint: Any) -> bool:
    parts = get_args(hint)
    return any(map(_may_hold_cards, parts)) if parts else hint in (Any, Card) or isinstance(hint, ABCMeta | StructMeta)


def cards_in(value: object) -> tuple[Card, ...]:
    """List the cards that a record names, in the order it names them."""
    found: list[Card] = []

    def note(card: Card) -> Card:
        found.append(card)
        return card

    _rewrite(value, note)
    return tuple(found)


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
