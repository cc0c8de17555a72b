"""Many evenings by several processes: the same figures whoever plays them, and an end when somebody wants it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.sentences import say
from ledger.simulation import CannotBePlayed, Figure, Plan, Setting, report, simulate
from ledger.simulation.crew import play
from ledger.simulation.intervals import Interval
from ledger.simulation.notes import Notes
from ledger.simulation.sums import Sums
from tests.service import ROOT
from tests.simulation.test_evenings import table


def plan(*tables: Setting, rounds: int = 450, evening: int = 20, seed: int = 1) -> Plan:
    return Plan(tables, rounds, evening, seed)


def test_it_comes_to_the_same_however_many_play() -> None:
    wanted = plan(table("shippin", 4), table("shippin", 4, tie="dealer_wins"), rounds=2_000)
    alone = simulate(wanted, 1, lambda _: None)
    assert alone.rounds == 2_000
    assert simulate(wanted, 3, lambda _: None) == alone
    assert simulate(plan(*wanted.tables, rounds=2_000, seed=2), 1, lambda _: None) != alone


def test_all_rounds_are_played_and_the_last_evening_may_be_shorter() -> None:
    shown: list[int] = []
    wanted = plan(table("shippin"), rounds=450, evening=100)
    sums = simulate(wanted, 1, shown.append)
    assert (sums.rounds, sums.evenings) == (450, 5)
    assert sum(shown) == 450
    assert [wanted.length(number) for number in range(5)] == [100] * 4 + [50]
    pieces = [(piece.first, piece.end) for piece in wanted.pieces]
    assert pieces == [(0, 2), (2, 4), (4, 5)]
    assert sum(play(piece).rounds for piece in wanted.pieces) == 450


def test_an_evening_may_be_as_long_as_all_of_it() -> None:
    (figures,) = report(simulate(plan(table("shippin"), rounds=60, evening=1000), 2, lambda _: None)).tables
    assert {told.interval for told in figures if told.name == "bets_won"} == {None}


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_rule_book_refuses_is_said(jobs: int) -> None:
    too_rich = table("shirinma", ante=10**9)
    with pytest.raises(CannotBePlayed) as refused:
        simulate(plan(too_rich), jobs, lambda _: None)
    assert refused.value.sentence.text.startswith("That would move {amount:chips}")


def test_figures_of_one_table_are_those_it_has_beside_another() -> None:
    first, second = table("shirinma", 13), table("shirinma", 13, third_deal="none_held")
    both = report(simulate(plan(first, second), 1, lambda _: None))
    for setting, figures in zip((first, second), both.tables, strict=True):
        assert report(simulate(plan(setting), 1, lambda _: None)).tables == (figures,)
    assert [told.name for told in both.differences] == [told.name for told in both.tables[0]]


def test_what_differs_in_a_few_evenings_only_is_not_told_of_others() -> None:
    """At twelve players one round in 200 has a third deal that another table leaves out."""
    tables = table("shirinma", playing="none"), table("shirinma", playing="none", third_deal="none_held")
    few = simulate(plan(*tables, rounds=1200), 1, lambda _: None)
    assert 0 < few.differ["third_deal"] < 10
    off = {told.name: told for told in report(few).differences}
    assert off["third_deal"].value
    assert off["third_deal"].interval is None
    assert off["low_bottom_card"].interval == Interval(0.0, 0.0)
    few.differ["third_deal"] = 10
    (third_deal,) = (told for told in report(few).differences if told.name == "third_deal")
    assert third_deal.interval


def test_what_is_always_all_of_it_does_not_differ_where_there_is_more_of_it() -> None:
    share = Figure("ridden", "won", say("Won rounds with a back-rider"), "share")
    sums = Sums((share,), 2)
    for number in range(20):
        evening = Notes(), Notes()
        for notes, won in zip(evening, (12, 13 if number == 0 else 12), strict=True):
            notes.add("won", won)
            notes.add("ridden", won)
        sums.add(evening)
    assert sums.differ["ridden"] == 1
    assert report(sums).differences[0].interval == Interval(0.0, 0.0)


def test_the_most_that_was_seen_is_kept_for_each_table() -> None:
    sums = Sums((), 2)
    sums.most["pot"] = [None, 3]
    sums.reach("pot", [None, None])
    assert sums.most["pot"] == [None, 3]
    sums.reach("pot", [4, 2])
    assert sums.most["pot"] == [4, 3]


@pytest.fixture
def interrupts_are_heard() -> Iterator[None]:
    """Commands that are started hear of Ctrl-C, also where the tests run in the background of a shell and do not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interrupts_are_heard")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="its children are read from /proc")
def test_an_interrupt_ends_the_command_and_all_that_play() -> None:
    command = [sys.executable, "-m", "ledger", "simulate", "shirinma", "--rounds", "10000000", "--jobs", "2"]
    running = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        players = wait_for_players(running.pid)
        os.killpg(running.pid, signal.SIGINT)
        told, complained = running.communicate(timeout=120)
    finally:
        running.kill()
    assert (running.returncode, told) == (1, "")
    assert complained.strip() == "Aborted!"
    while any(map(is_running, players)):  # what tracks their resources ends a moment later
        time.sleep(0.05)


def wait_for_players(pid: int) -> list[int]:
    """Wait until the command has processes that play, or are about to; they are there for as long as it runs."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    while len(found := [int(child) for child in children.read_text("utf-8").split()]) < 3:  # one tracks resources
        time.sleep(0.05)
    return found


def is_running(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
