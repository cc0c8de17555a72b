"""How old a session is: in days that the service lived through."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ledger.retention import day_of, idle_since, jump
from ledger.store import timestamp

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def at(number: int) -> datetime:
    return START + timedelta(days=number)


def days(*numbers: int) -> list[str]:
    return [day_of(at(number)) for number in numbers]


def goes(keep_days: int, used: int, *noted: int) -> bool:
    """Say whether a session goes that was used last on a day, on the last of those that were noted."""
    since = idle_since(days(*noted), keep_days, at(noted[-1]) + timedelta(seconds=1))
    return since is not None and timestamp(at(used)) < since


def test_a_service_that_always_runs_counts_as_the_calendar_does() -> None:
    for today in (30, 31, 400):
        assert goes(30, today - 30, *range(today + 1))
        assert not goes(30, today - 29, *range(today + 1))


@pytest.mark.parametrize("keep_days", [2, 30, 400])
@pytest.mark.parametrize("ahead", [2, 31, 32, 500, 100_000])
def test_a_jump_of_the_clock_makes_nothing_old(keep_days: int, ahead: int) -> None:
    used = 500
    noted = [*range(used + 1), used + ahead]
    assert not goes(keep_days, used, *noted)
    assert not goes(keep_days, used - keep_days + 2, *noted)


def test_what_follows_a_jump_counts_day_by_day() -> None:
    noted = [0, *range(500, 899)]
    assert not goes(400, 0, *noted)
    assert goes(400, 0, *noted, 899)


def test_a_clock_that_is_set_right_again_goes_on_counting() -> None:
    wrong = [*range(10), 5_000, 5_001]
    assert not goes(30, 9, *wrong, *range(10, 38))
    assert goes(30, 9, *wrong, *range(10, 40))
    assert not goes(30, 5_001, *wrong, *range(10, 1_000))


def test_a_service_that_runs_one_evening_a_week_lives_through_the_days_between() -> None:
    evenings = range(0, 420, 7)
    assert goes(400, 0, *evenings)
    assert not goes(400, 7, *range(0, 407, 7))


def test_a_gap_counts_in_full_once_another_day_follows() -> None:
    assert not goes(400, 0, *range(380), 379 + 25)
    assert goes(400, 0, *range(380), 379 + 25, 379 + 26)


def test_a_gap_that_is_long_for_what_is_kept_counts_as_one_day() -> None:
    assert not goes(30, 0, *range(0, 30, 5), 31)
    assert goes(30, 0, *range(0, 31, 3), 31)
    assert not goes(400, 0, 0, 100, 200, 300, 400, 500)


@pytest.mark.parametrize(
    ("noted", "found"),
    [([0], 0), ([0, 1], 0), ([0, 31], 0), ([0, 32], 32), ([0, 500], 500), ([0, 500, 501], 0), ([5, 2], -3)],
)
def test_a_jump_is_known(noted: list[int], found: int) -> None:
    assert jump(days(*noted)) == found
