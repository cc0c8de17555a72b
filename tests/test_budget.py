"""A piece of work that is limited lets others go first, and ends where it has taken what it may."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import inf

import pytest

from ledger import budget
from ledger.budget import Budget, TakesTooLong, breathe, give_way, limited

TICK = budget.SLICE_SECONDS / 20


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """The pauses that were made for others, while each look at the clock takes a tick."""
    made: list[float] = []
    ticks = count()
    monkeypatch.setattr("time.perf_counter", lambda: next(ticks) * TICK)
    monkeypatch.setattr("time.sleep", made.append)
    yield made
    monkeypatch.undo()
    assert not Budget.long


def busy(slices: float) -> None:
    """Compute for so many slices."""
    for _ in range(round(slices * budget.SLICE_SECONDS / TICK)):
        breathe()


def test_work_without_a_limit_makes_no_pause(pauses: list[float]) -> None:
    busy(3)
    assert not pauses


def test_limited_work_lets_others_go_first_after_each_slice(pauses: list[float]) -> None:
    with limited(inf):
        busy(0.9)
        assert not pauses
        busy(4.2)
    assert set(pauses) == {budget.PAUSE_SECONDS}
    assert 4 <= len(pauses) <= 5


def test_work_that_has_given_way_begins_a_new_slice(pauses: list[float]) -> None:
    with limited(inf):
        busy(0.8)
        give_way()
        busy(0.8)
    assert pauses == [budget.PAUSE_SECONDS]


def test_work_that_takes_longer_than_it_may_is_refused(pauses: list[float]) -> None:
    with limited(3 * budget.SLICE_SECONDS), pytest.raises(TakesTooLong) as refused:
        busy(10)
    assert refused.value.seconds == 3 * budget.SLICE_SECONDS
    assert len(pauses) <= 3
    busy(10)  # what comes after it is not limited


def test_time_spent_waiting_is_not_taken_for_computing(monkeypatch: pytest.MonkeyPatch) -> None:
    with limited(2 * budget.LONGEST_SLICE):
        monkeypatch.setattr("time.perf_counter", lambda: 3_600.0)
        breathe()


def test_long_works_share_the_time_that_others_wait(pauses: list[float]) -> None:
    with limited(inf):
        busy(8)
        alone = len(pauses)
        others = {Budget(inf) for _ in range(3)}
        Budget.long.update(others)
        busy(8)
        Budget.long.difference_update(others)
    assert len(pauses) - alone > 3 * alone
