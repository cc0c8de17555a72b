"""A piece of work that is limited lets others go first, and ends where it has taken what it may."""

from __future__ import annotations

import time
from math import inf

import pytest

from ledger import budget
from ledger.budget import TakesTooLong, breathe, limited


def busy(seconds: float) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        breathe()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made for others."""
    made: list[float] = []
    monkeypatch.setattr(budget.time, "sleep", made.append)  # type: ignore[attr-defined]
    return made


def test_work_without_a_limit_makes_no_pause(pauses: list[float]) -> None:
    busy(3 * budget.SLICE_SECONDS)
    assert not pauses


def test_limited_work_lets_others_go_first_every_few_milliseconds(pauses: list[float]) -> None:
    with limited(inf):
        busy(5 * budget.SLICE_SECONDS)
    assert pauses
    assert set(pauses) == {0}


def test_work_that_takes_longer_than_it_may_is_refused() -> None:
    with limited(0.02), pytest.raises(TakesTooLong) as refused:
        busy(10)
    assert refused.value.seconds == 0.02
    busy(2 * budget.SLICE_SECONDS)  # what comes after it is not limited


def test_time_spent_waiting_is_not_taken_for_computing() -> None:
    with limited(2 * budget.LONGEST_SLICE):
        time.sleep(4 * budget.LONGEST_SLICE)
        breathe()
