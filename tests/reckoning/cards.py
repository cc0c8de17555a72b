"""The cards, as people write them and as the games mean them.

Shirinma and Kakkuri mean one of 48 mekurifuda cards, whatever deck lies on the table; Shippin means a value
from 1 to 10. Small tables made from suits, ranks and months, none of them copied from the project's own.
"""

from functools import cache
from random import Random
from typing import NamedTuple


class Card(NamedTuple):
    """One of the 48: suit by its English name, rank 1 to 12."""

    suit: str
    rank: int


SUITS = ("clubs", "swords", "cups", "coins")
PACK = tuple(Card(suit, rank) for suit in SUITS for rank in range(1, 13))
WESTERN_SUITS = {"clubs": "C", "swords": "S", "cups": "H", "coins": "D"}
SUIT_SIGNS = {"C": "♣", "S": "♠", "H": "♥", "D": "♦"}

# Month by month: the flower, its rank in the order of Nagoya, what stands for clubs, swords, cups and coins.
HANAFUDA = (
    ("pine", 1, ("crane", "ribbon", "chaff-1", "chaff-2")),
    ("plum", 12, ("warbler", "ribbon", "chaff-1", "chaff-2")),
    ("cherry", 3, ("curtain", "ribbon", "chaff-1", "chaff-2")),
    ("wisteria", 4, ("cuckoo", "ribbon", "chaff-1", "chaff-2")),
    ("iris", 5, ("bridge", "ribbon", "chaff-1", "chaff-2")),
    ("peony", 11, ("butterflies", "ribbon", "chaff-1", "chaff-2")),
    ("clover", 7, ("boar", "ribbon", "chaff-1", "chaff-2")),
    ("susuki", 8, ("moon", "geese", "chaff-1", "chaff-2")),
    ("chrysanthemum", 9, ("sake-cup", "ribbon", "chaff-1", "chaff-2")),
    ("maple", 10, ("deer", "ribbon", "chaff-1", "chaff-2")),
    ("willow", 2, ("rain-man", "ribbon", "swallow", "lightning")),
    ("paulownia", 6, ("phoenix", "yellow-chaff", "chaff-2", "chaff-3")),
)
BRIGHTS = {"crane", "curtain", "moon"}


@cache
def names(deck: str, courts: str = "JQK") -> dict[Card, str]:
    """What each of the 48 is called in this deck; ``courts`` are the western 10, 11 and 12 in that order."""
    if deck == "western":
        face = {1: "A", 10: courts[0], 11: courts[1], 12: courts[2]}
        return {card: face.get(card.rank, str(card.rank)) + WESTERN_SUITS[card.suit] for card in PACK}
    if deck == "hanafuda":
        return {
            Card(suit, rank): f"{flower}-{piece}"
            for flower, rank, pieces in HANAFUDA
            for suit, piece in zip(SUITS, pieces, strict=True)
        }
    return {card: f"{card.suit}-{card.rank}" for card in PACK}


@cache
def readings(deck: str, courts: str = "JQK") -> dict[str, Card]:
    """Every way of writing one of the 48 with this deck: its own codes, suit signs, mekurifuda codes."""
    understood = {name: card for card, name in names("mekurifuda").items()}
    understood |= {name: card for card, name in names(deck, courts).items()}
    if deck == "western":
        understood |= {with_sign(name): card for card, name in names(deck, courts).items()}
    return understood


def with_sign(western: str) -> str:
    """``QH`` as ``Q♥``."""
    return western[:-1] + SUIT_SIGNS[western[-1]]


def written(rng: Random, card: Card, deck: str, courts: str = "JQK") -> str:
    """A card as somebody at the table might enter it: mostly in the deck's own code."""
    name = names(deck, courts)[card]
    chance = rng.random()
    if chance < 0.06:
        return names("mekurifuda")[card]
    return with_sign(name) if deck == "western" and chance < 0.12 else name


@cache
def kabu_pack(deck: str) -> tuple[str, ...]:
    """The 40 cards of a Shippin deck, as codes; of kabufuda each code four times."""
    if deck == "kabufuda":
        return tuple(str(value) for value in range(1, 11)) * 4
    if deck == "western":
        return tuple(("A" if value == 1 else str(value)) + suit for suit in "CSHD" for value in range(1, 11))
    return tuple(f"{flower}-{piece}" for flower, _, pieces in HANAFUDA[:10] for piece in pieces)


@cache
def kabu_value(code: str) -> int:
    """1 to 10: a kabufuda card's number, a western pip's, a hanafuda's month in the ordinary calendar."""
    for month, (flower, _, _) in enumerate(HANAFUDA, start=1):
        if code.startswith(flower):
            return month
    pips = code.rstrip("CSHD♣♠♥♦")
    return 1 if pips == "A" else int(pips)


@cache
def class_of_hanafuda(code: str) -> int:
    """0 Bright, 1 Animal, 2 Ribbon, 3 Chaff: equal months are seated in this order. 0 for other decks."""
    if "-" not in code:
        return 0
    piece = code.split("-", 1)[1]
    if piece in BRIGHTS:
        return 0
    if piece == "ribbon":
        return 2
    return 3 if piece.startswith("chaff") else 1


@cache
def suit_of_western(code: str) -> int:
    """0 Spades, 1 Hearts, 2 Diamonds, 3 Clubs, also by their signs. 0 for other decks."""
    return {"♠": 0, "S": 0, "♥": 1, "H": 1, "♦": 2, "D": 2, "♣": 3, "C": 3}.get(code[-1], 0)
