"""Shirinma's chances in packs so small that every order of the cards can be tried."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple, get_args

import pytest

from ledger.games.odds.shirinma import THIRD_DEAL, Counted, Position, Suited, ToDeal, counted
from ledger.games.shirinma import ForfeitReason


class Small(NamedTuple):
    """A card of a small pack: a suit, and the strength of a showdown card, or whether it is `low` or `fair`."""

    suit: int
    kind: Any

    @property
    def shows(self) -> bool:
        return isinstance(self.kind, int)


class Table(NamedTuple):
    """Who plays with which cards: a first letter for the suit, then a strength, `l`ow or `f`air."""

    pack: str
    players: int
    third_deal: str
    noted: str

    @property
    def cards(self) -> list[Small]:
        kinds = {"l": "low", "f": "fair"}
        return [Small("abc".index(card[0]), kinds.get(card[1]) or int(card[1])) for card in self.pack.split()]


PRICES = (3, 10, 100)


@dataclass
class Round:
    """A round from the first card to the last: what was laid, how many deals, and why nobody won or what did."""

    dealt: list[Small]
    deals: int
    reasons: list[str]
    winner: Small | None


def played(order: tuple[Small, ...], table: Table) -> Round:
    """Play a round, as the seed tells it, with the cards in this order; the last lies at the bottom."""
    on_field, bottom, n = order[0], order[-1], table.players
    first, second, third = order[1 : 1 + n], order[1 + n : 1 + 2 * n], order[1 + 2 * n : 1 + 3 * n]
    asked = second if table.third_deal == "none_received" else first + second
    enough = 3 * n + 2 <= len(order)
    deals = 3 if enough and not any(card.shows for card in asked) else 2
    dealt = [*first, *second, *(third if deals == 3 else ())]
    held = [card for card in dealt if card.shows]
    if not held:
        return Round(dealt, deals, ["no_showdown_card"], None)
    trumps = [card for card in held if card.suit == bottom.suit]
    applies = {
        "low_bottom_card": bottom.kind == "low",
        "field_card_is_trump": on_field.suit == bottom.suit,
        "no_trump_held": not trumps,
    }
    reasons = [reason for reason, it_does in applies.items() if it_does]
    return Round(dealt, deals, reasons, None if reasons else max(trumps, key=lambda card: card.kind))


@dataclass
class Tried:
    """What came of all orders that look alike up to some card."""

    orders: int = 0
    wins: Counter[Small] = field(default_factory=Counter)
    paid: Counter[Small] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    nobody: int = 0
    third_deals: int = 0


Seen = tuple[Small | None, ...]
"""The field card and those dealt so far; None for a plain card that was not noted."""


def every_order(table: Table) -> dict[Seen, Tried]:
    """Try every order; what was seen at any time comes with all that followed on it."""
    found: dict[Seen, Tried] = defaultdict(Tried)
    for order in permutations(table.cards):
        done = played(order, table)
        shown = tuple(seen(card, place, table) for place, card in enumerate((order[0], *done.dealt)))
        for length in range(len(shown) + 1):
            if length == len(shown) and "no_showdown_card" in done.reasons:
                continue  # it is over by then
            tried = found[shown[:length]]
            tried.orders += 1
            tried.third_deals += done.deals == 3
            tried.nobody += bool(done.reasons)
            tried.reasons.update(done.reasons)
            if done.winner:
                tried.wins[done.winner] += 1
                later = done.dealt[max(length - 1, 0) :]
                tried.paid[done.winner] += sum(PRICES[card.kind] for card in later if card.shows)
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
                low=sum(card == (suit, "low") for card in unseen),
                fair=sum(card == (suit, "fair") for card in unseen),
            )
            for suit in range(len({card.suit for card in table.cards}))
        ),
        field_suit=shown[0].suit if shown and shown[0] else None,
        not_noted=shown.count(None),
        to_deal=to_deal(shown, table),
        prices=PRICES,
    )


def to_deal(shown: Seen, table: Table) -> ToDeal:
    n, dealt = table.players, shown[1:]
    if len(dealt) > 2 * n:
        return ToDeal(3 * n - len(dealt))
    asked_from = n if table.third_deal == "none_received" else 0
    against = [card for card in dealt[asked_from:] if card and card.shows]
    if against or 3 * n + 2 > len(table.cards):
        return ToDeal(2 * n - len(dealt))
    if len(dealt) == 2 * n:
        return ToDeal(n)
    return ToDeal(2 * n - len(dealt), deciding=2 * n - max(len(dealt), asked_from), further=n)


def agree(found: Counted, tried: Tried, at: Position) -> None:
    def share(times: int) -> Fraction:
        return Fraction(times, tried.orders)

    def of_cards(what: str) -> dict[Small, Fraction]:
        keys = [key for key, ways in found.ways.items() if key[0] == what and len(key) == 3 and ways]
        return {Small(int(suit), int(strength)): found.chance(what, suit, strength) for _, suit, strength in keys}

    assert of_cards("wins") == {card: share(times) for card, times in tried.wins.items()}
    assert of_cards("paid") == {card: share(chips) for card, chips in tried.paid.items() if chips}
    for reason in get_args(ForfeitReason):
        assert found.chance("nobody", reason) == share(tried.reasons[reason])
    assert found.chance("nobody") == share(tried.nobody)
    assert found.chance("nobody") + sum(of_cards("wins").values()) == 1
    if at.to_deal.further:
        assert found.chance(*THIRD_DEAL) == share(tried.third_deals)


def all_agree(table: Table) -> int:
    found = every_order(table)
    for shown, tried in found.items():
        at = position(shown, table)
        agree(counted(at), tried, at)
    return len(found)


def tables(*packs: tuple[str, int]) -> Iterator[Table]:
    for pack, players in packs:
        for third_deal in ("none_received", "none_held"):
            for noted in ("all", "none", "every other"):
                yield Table(pack, players, third_deal, noted)


ALIKE = "a0 a2 al b0 b2 bl"
"""Two suits that are alike, as all are before the first card."""

QUICK = list(tables((ALIKE, 1), ("a0 a1 al af b1 cl", 1), ("a0 a1 a2 al b0 cf", 2)))
LONG = list(tables(("a0 a1 al af b0 bf cl c1", 2), ("a0 af al b1 bf cl cf c1", 2), ("a0 a1 a2 al af b0 bf cl", 3)))


def named(table: Table) -> str:
    return f"{table.pack}, {table.players}, {table.third_deal}, noted: {table.noted}"


@pytest.mark.parametrize("table", QUICK, ids=named)
def test_every_order_of_six_cards_comes_to_what_was_counted(table: Table) -> None:
    assert all_agree(table) > 50


@pytest.mark.endurance
@pytest.mark.parametrize("table", LONG, ids=named)
def test_every_order_of_eight_cards_comes_to_what_was_counted(table: Table) -> None:
    assert all_agree(table) > 500
