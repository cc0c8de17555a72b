"""What is tried out comes to what the rule books count exactly, within four standard errors.

Seeds stand here, so a test that passes always will. The long ones play as many rounds as the documents speak of.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import sqrt
from typing import Any, get_args, get_type_hints

import pytest

from ledger.games import shippin, shirinma
from ledger.games.odds import shippin_table, shirinma_table
from ledger.play import Ground, Phase
from ledger.simulation import Plan, Setting, report, simulate
from ledger.simulation.intervals import student
from ledger.simulation.report import Told
from tests.simulation.test_evenings import table

FOUR = 4
SHIPPIN_SWITCHES = [
    (karami, tie)
    for hints in [get_type_hints(shippin.Rules)]
    for karami, tie in product(get_args(hints["karami_vs_karami"]), get_args(hints["tie"]))
]


def played(setting: Setting, rounds: int, seed: int, evening: int = 20) -> Mapping[str, Told]:
    (figures,) = report(simulate(Plan((setting,), rounds, evening, seed), 1, lambda _: None)).tables
    return {told.name: told for told in figures}


def opened(setting: Setting) -> Phase:
    ground = Ground(setting.seats, "p1", setting.deck, setting.rules)
    books: Mapping[str, Any] = {"shirinma": shirinma, "shippin": shippin}
    phase: Phase = books[setting.game].open_round(ground).phase
    return phase


def need_near(told: Told, exact: Fraction, evenings: int) -> None:
    """A share of rounds is as far off as its chance says, anything else as its interval does."""
    assert told.value is not None
    assert told.interval is not None
    if not told.of or exact in {0, 1}:
        assert told.value == exact
        return
    error = (told.interval.high - told.interval.low) / 2 / student(evenings - 1)
    if told.name in COUNTED:
        error = sqrt(exact * (1 - exact) / told.of)
    assert abs(told.value - exact) <= FOUR * error, told.name


COUNTED = {*get_args(shirinma.ForfeitReason), "third_deal", "forfeited", "shippin", "total_loss"}
"""Of what each round has or has not, by itself."""


def test_what_is_held_against_the_exact_chances_can_fail() -> None:
    told = played(table("shippin"), 400, 1)["shippin"]
    need_near(told, Fraction(16, 40 * 39), 20)
    with pytest.raises(AssertionError):
        need_near(told, Fraction(1, 10), 20)


def need_shirinma_near(players: int, third_deal: str, rounds: int, seed: int) -> None:
    setting = table("shirinma", players, "none", third_deal=third_deal)
    found, chances = played(setting, rounds, seed), shirinma_table.odds(opened(setting))
    assert chances
    for reason, chance in chances.forfeited.items():
        need_near(found[reason], chance, rounds // 20)
    need_near(found["forfeited"], chances.nobody_wins, rounds // 20)
    need_near(found["third_deal"], chances.third_deal, rounds // 20)


def need_shippin_near(karami: str, tie: str, rounds: int, seed: int) -> None:
    setting = table("shippin", 5, karami_vs_karami=karami, tie=tie, bet=3)
    found, chances = played(setting, rounds, seed), shippin_table.odds(opened(setting))
    assert chances
    column, evenings = chances.columns[0], rounds // 20
    need_near(found["bets_won"], column.wins, evenings)
    need_near(found["bets_lost"], column.loses, evenings)
    need_near(found["bets_tied"], column.ties, evenings)
    need_near(found["bet_brings"], column.worth, evenings)
    need_near(found["dealer_gains"], -column.worth * Fraction(16, 5), evenings)
    need_near(found["shippin"], chances.shippin, evenings)


@pytest.mark.parametrize("players", [12, 16, *(pytest.param(many, marks=pytest.mark.endurance) for many in (13, 23))])
@pytest.mark.parametrize("third_deal", ["none_received", "none_held"])
def test_shirinma_comes_to_its_exact_chances(players: int, third_deal: str) -> None:
    need_shirinma_near(players, third_deal, 1_000, players)


@pytest.mark.parametrize(("karami", "tie"), SHIPPIN_SWITCHES)
def test_shippin_comes_to_its_exact_chances(karami: str, tie: str) -> None:
    need_shippin_near(karami, tie, 2_000, 7)


@pytest.mark.parametrize("evening", [1, 5])
def test_pots_are_carried_as_long_as_their_exact_chances_say(evening: int) -> None:
    """However short an evening is: what is carried for long is not left out."""
    setting, rounds = table("shirinma", 13, "none"), 1_000
    found, chances = played(setting, rounds, 6, evening), shirinma_table.odds(opened(setting))
    assert chances
    again, evenings = chances.nobody_wins, rounds // evening
    for times in range(3):
        need_near(found[f"waited_{times}"], (1 - again) * again**times, evenings)
    need_near(found["waited_3"], again**3, evenings)
    need_near(found["waited"], again / (1 - again), evenings)
    assert found["left_over"].value


@pytest.mark.endurance
@pytest.mark.parametrize("players", [12, 13, 16, 23])
def test_many_rounds_of_shirinma_come_to_its_exact_chances(players: int) -> None:
    need_shirinma_near(players, "none_received", 50_000, players)


@pytest.mark.endurance
@pytest.mark.parametrize(("karami", "tie"), SHIPPIN_SWITCHES)
def test_many_rounds_of_shippin_come_to_its_exact_chances(karami: str, tie: str) -> None:
    need_shippin_near(karami, tie, 50_000, 8)
