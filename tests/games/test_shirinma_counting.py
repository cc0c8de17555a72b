"""Shirinma's chances in packs so small that every order of the cards can be tried."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import permutations, product
from typing import Any, NamedTuple

import pytest

from ledger.games.odds.shirinma import THIRD_DEAL, Key, Position, Suited, ToDeal, counted

PRICES = (3, 10, 100)
ORDERS: Key = ("orders",)


class Small(NamedTuple):
    """A card of a small pack: a suit, and the strength of a showdown card, or whether it is `low` or `fair`."""

    suit: int
    kind: Any

    @property
    def shows(self) -> bool:
        return isinstance(self.kind, int)


class Table(NamedTuple):
    """Who plays with which cards: a first letter for the suit, then a strength, `l`ow or `f`air; what plain ones noted.

    A third deal is due if nobody was dealt a showdown card from the deal `asked_from` on.
    """

    pack: str
    players: int
    asked_from: int
    noted: str

    @property
    def cards(self) -> list[Small]:
        kinds = {"l": "low", "f": "fair"}
        return [Small("abc".index(card[0]), kinds.get(card[1]) or int(card[1])) for card in self.pack.split()]

    @property
    def is_enough_for_three(self) -> bool:
        return 3 * self.players + 2 <= len(self.cards)


Seen = tuple[Small | None, ...]
"""The field card and those dealt so far; None for a plain card that was not noted."""


def played(order: tuple[Small, ...], table: Table) -> tuple[list[Small], Counter[Key], Small | None]:
    """Play a round, as the seed tells it: what is dealt, what comes of it, and the card that wins."""
    on_field, *deck, bottom = order
    dealt, third = deck[: 2 * table.players], deck[2 * table.players : 3 * table.players]
    came = Counter({ORDERS: 1})
    if table.is_enough_for_three and not any(card.shows for card in dealt[table.asked_from * table.players :]):
        dealt, came[THIRD_DEAL] = [*dealt, *third], 1
    held = [card for card in dealt if card.shows]
    trumps = [card for card in held if card.suit == bottom.suit]
    applies = {
        "low_bottom_card": bottom.kind == "low",
        "field_card_is_trump": on_field.suit == bottom.suit,
        "no_trump_held": not trumps,
    }
    reasons = [reason for reason, it_does in applies.items() if it_does] if held else ["no_showdown_card"]
    if not reasons:
        return dealt, came, max(trumps)
    return dealt, came + Counter([("nobody",), *(("nobody", reason) for reason in reasons)]), None


def every_order(table: Table) -> dict[Seen, Counter[Key]]:
    """Try every order; what was seen at any time comes with all that followed on it, added up."""
    found: dict[Seen, Counter[Key]] = defaultdict(Counter)
    for order in permutations(table.cards):
        dealt, came, winner = played(order, table)
        cards = [order[0], *dealt]
        shown = tuple(seen(card, place, table) for place, card in enumerate(cards))
        is_over = came["nobody", "no_showdown_card"]
        for length in range(len(shown) + (not is_over)):
            found[shown[:length]] += came
            if winner:
                later = cards[max(length, 1) :]
                found[shown[:length]]["wins", *winner] += 1
                found[shown[:length]]["paid", *winner] += sum(PRICES[card.kind] for card in later if card.shows)
    return found


def seen(card: Small, place: int, table: Table) -> Small | None:
    """The field card and showdown cards are always named."""
    noted = {"all": True, "none": False, "every other": place % 2 == 0}[table.noted]
    return card if place == 0 or card.shows or noted else None


def position(shown: Seen, table: Table) -> Position:
    unseen = [card for card in table.cards if card not in shown]
    held = [card for card in shown[1:] if card and card.shows]
    return Position(
        suits=tuple(
            Suited(
                held=tuple(card.kind for card in held if card.suit == suit),
                to_come=tuple(card.kind for card in unseen if card.suit == suit and card.shows),
                low=unseen.count(Small(suit, "low")),
                fair=unseen.count(Small(suit, "fair")),
            )
            for suit in range(len({card.suit for card in table.cards}))
        ),
        field_suit=shown[0].suit if shown and shown[0] else None,
        not_noted=shown.count(None),
        to_deal=to_deal(shown[1:], table),
        prices=PRICES,
    )


def to_deal(dealt: Seen, table: Table) -> ToDeal:
    two, three, asked_from = 2 * table.players, 3 * table.players, table.asked_from * table.players
    if len(dealt) > two:
        return ToDeal(three - len(dealt))
    if not table.is_enough_for_three or any(card and card.shows for card in dealt[asked_from:]):
        return ToDeal(two - len(dealt))
    if len(dealt) == two:
        return ToDeal(table.players)
    return ToDeal(two - len(dealt), deciding=two - max(len(dealt), asked_from), further=table.players)


def tables(*packs: tuple[str, int]) -> list[Table]:
    """Each pack with both readings of SH-9, and with all, no or some plain cards noted."""
    return [Table(*pack, *how) for pack, how in product(packs, product((1, 0), ("all", "none", "every other")))]


def agrees(table: Table) -> int:
    found = every_order(table)
    for shown, tried in found.items():
        at = position(shown, table)
        chances, orders = counted(at), tried.pop(ORDERS)
        keys = {key for key in chances.ways if key[1:] not in {("deciding",), ("further",)}} | set(tried)
        for key in keys if at.to_deal.further else keys - {THIRD_DEAL}:
            assert chances.chance(*key) == Fraction(tried[key], orders), (shown, key)
    return len(found)


ALIKE = "a0 a2 al b0 b2 bl"
"""Two suits that are alike, as all are before the first card."""


@pytest.mark.parametrize("table", tables((ALIKE, 1), ("a0 a1 al af b1 cl", 1), ("a0 a1 a2 al b0 cf", 2)), ids=str)
def test_every_order_of_six_cards_comes_to_what_was_counted(table: Table) -> None:
    assert agrees(table) > 50


LONG = tables(("a0 a1 al af b0 bf cl c1", 2), ("a0 af al b1 bf cl cf c1", 2), ("a0 a1 a2 al af b0 bf cl", 3))


@pytest.mark.endurance
@pytest.mark.parametrize("table", LONG, ids=str)
def test_every_order_of_eight_cards_comes_to_what_was_counted(table: Table) -> None:
    assert agrees(table) > 500
