"""Shippin's chances: against whatever cards may lie there, by the second reckoning, and against their mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import perm, prod
from random import Random
from typing import Any

import pytest

from ledger.games.odds.shippin_table import ShippinOdds, odds
from ledger.games.shippin import BOOK, FirstCardsRevealed, Rules, SecondCardsDealt
from ledger.records import replace
from ledger.rulebook.cards import DECKS, DeckName, read
from ledger.rulebook.phase import Ground, Phase, Seats
from tests.reckoning.shippin import SWITCHES, verdict

RULES = [
    Rules(karami_vs_karami=karami, tie=tie) for karami, tie in product(SWITCHES["karami_vs_karami"], SWITCHES["tie"])
]
each_rules = pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.karami_vs_karami}-{rules.tie}")
VALUES = range(1, 11)


def opening(rules: Rules | None = None, deck: DeckName = "kabufuda", set_aside: Iterable[int] = ()) -> Phase:
    gone = tuple(read(str(value)) for value in set_aside)
    return BOOK.open_round(Ground(Seats(("p1", "p2", "p3")), "p1", deck, rules or Rules(), set_aside=gone)).phase


def five(kind: Any, values: Iterable[Any]) -> Any:
    one, two, three, four, dealer = (read(str(each)) if each else None for each in values)
    return kind((one, two, three, four), dealer)


def with_seconds(*values: Any, deck: DeckName = "kabufuda", rules: Rules | None = None) -> Phase:
    return BOOK.play(opening(rules, deck), five(SecondCardsDealt, values)).phase


def known(at: Phase) -> ShippinOdds:
    found = odds(at)
    assert found
    return found


def pack_without(*values: int) -> Counter[int]:
    left = Counter(dict.fromkeys(VALUES, 4))
    left.subtract(values)
    return left


def agreed_on(rules: Rules) -> dict[str, str]:
    return {"karami_vs_karami": rules.karami_vs_karami, "tie": rules.tie}


def are_shares(column: Any, ways: Counter[str]) -> None:
    shares = tuple(Fraction(ways[end], ways.total()) for end in ("player", "dealer", "tie"))
    assert (column.wins, column.loses, column.ties) == shares
    assert column.worth == shares[0] - shares[1]


# --- against every order that is left, by the second reckoning ------------------------------------------------------


def agrees(seconds: Sequence[int], dealer: int, rules: Rules) -> None:
    """Turn every five first cards, by value: how each column fares, and how often all four win."""
    left, agreed = pack_without(*seconds, dealer), agreed_on(rules)
    fates, losses = [Counter[str]() for _ in seconds], 0
    for dealers in VALUES:
        told = [{own: verdict((own, second), (dealers, dealer), agreed) for own in VALUES} for second in seconds]
        for firsts in product(VALUES, repeat=len(seconds)):
            if ways := prod(perm(left[each], count) for each, count in Counter((*firsts, dealers)).items()):
                ends = [ends[own] for ends, own in zip(told, firsts, strict=True)]
                for fate, end in zip(fates, ends, strict=True):
                    fate[end] += ways
                losses += ways * (set(ends) == {"player"})
    found = known(with_seconds(*seconds, dealer, rules=rules))
    for column, fate in zip(found.columns, fates, strict=True):
        are_shares(column, fate)
    assert found.total_loss == Fraction(losses, perm(35, 5))


@pytest.mark.parametrize("rules", [RULES[0], RULES[-1]])
def test_every_five_first_cards_come_to_what_was_counted(rules: Rules) -> None:
    """100,000 of them by value, with a dealer who may come to shippin."""
    agrees([4, 10, 9, 1], 1, rules)


@pytest.mark.endurance
@each_rules
def test_every_five_first_cards_on_any_second_cards_come_to_what_was_counted(rules: Rules) -> None:
    chance = Random(f"{rules.karami_vs_karami} {rules.tie}")
    for _ in range(12):
        *seconds, dealer = chance.sample([value for value in VALUES for _ in range(4)], 5)
        agrees(seconds, dealer, rules)


@each_rules
@pytest.mark.parametrize("set_aside", [(), (1, 4, 4, 9)])
def test_a_bet_is_worth_what_all_two_hands_of_a_pack_come_to(rules: Rules, set_aside: tuple[int, ...]) -> None:
    left, agreed, ways = pack_without(*set_aside), agreed_on(rules), Counter[str]()
    for own, second, dealers, dealers_second in product(VALUES, repeat=4):
        end = verdict((own, second), (dealers, dealers_second), agreed)
        four = Counter((own, second, dealers, dealers_second))
        ways[end] += prod(perm(left[each], count) for each, count in four.items())
    told = known(opening(rules, set_aside=set_aside))
    assert (told.unseen, told.total_loss, ways.total()) == (left.total(), None, perm(left.total(), 4))
    for column in told.columns:
        are_shares(column, ways)
    assert told.shippin == Fraction(left[4] * left[1], perm(left.total(), 2))


# --- against their mean -----------------------------------------------------------------------------------------------


@each_rules
def test_the_chances_before_the_second_cards_are_the_mean_of_those_after(rules: Rules) -> None:
    """Of a column that alone has a second card, as three may be left out where the role is fixed."""
    rules, mean = replace(rules, dealer_role="fixed"), Counter[str]()
    for own, dealer in product(VALUES, repeat=2):
        (column,) = known(with_seconds(own, None, None, None, dealer, rules=rules)).columns
        for end, chance in (("player", column.wins), ("dealer", column.loses), ("tie", column.ties)):
            mean[end] += int(perm(38, 2) * chance) * 4 * (4 - (own == dealer))
    assert mean.total() == perm(40, 4)
    are_shares(known(opening(rules)).columns[0], mean)


# --- by example -------------------------------------------------------------------------------------------------------


def test_only_a_second_card_that_is_a_1_leaves_the_dealer_a_chance_of_shippin() -> None:
    assert known(with_seconds(2, 4, 6, 8, 1)).shippin == Fraction(3, 35)
    assert known(with_seconds(4, 4, 4, 4, 1)).shippin == known(with_seconds(2, 6, 8, 9, 4)).shippin == 0


def test_a_column_that_was_left_out_has_no_chances_and_nobody_asks_for_a_total_loss() -> None:
    told = known(with_seconds(7, None, None, 3, 9, rules=Rules(dealer_role="fixed")))
    assert [column.column for column in told.columns] == [1, 4]
    assert (told.total_loss, told.unseen) == (None, 37)


@pytest.mark.parametrize("deck", ["hanafuda", "western"])
def test_a_card_that_is_named_counts_as_its_value(deck: DeckName) -> None:
    values = (7, 3, 5, 10, 9)
    named = [next(card for card in DECKS[deck] if card.kabu == value) for value in values]
    assert known(with_seconds(*named, deck=deck)) == known(with_seconds(*values))


@pytest.mark.parametrize(
    ("seconds", "firsts", "ends", "shippin"),
    [
        ((7, 3, 5, 10, 9), (2, 2, 2, 10, 8), "wltl", 0),
        ((6, 1, 4, 3, 7), (4, 10, 4, 1, 2), "wwww", 0),
        ((6, 1, 4, 3, 1), (4, 10, 4, 1, 4), "llll", 1),
    ],
)
def test_what_has_happened_is_certain(seconds: Any, firsts: Any, ends: str, shippin: int) -> None:
    told = known(BOOK.play(with_seconds(*seconds), five(FirstCardsRevealed, firsts)).phase)
    for column, end in zip(told.columns, ends, strict=True):
        assert [column.wins, column.loses, column.ties] == [end == each for each in "wlt"]
    assert [told.total_loss, told.shippin, told.unseen] == [ends == "wwww", shippin, 30]
