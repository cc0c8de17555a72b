"""Sessions that nobody uses are deleted by the days that the service lived through, not by a clock that jumps."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ledger.retention import day_of, idle_since
from ledger.store import timestamp

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def is_deleted(keep_days: int, used: int, *noted: int) -> bool:
    """Say whether a session that was used last on a day is deleted, on the last of the days that were noted."""
    days = [START + timedelta(days=number) for number in noted]
    since = idle_since([day_of(day) for day in days], keep_days, days[-1] + timedelta(seconds=1))
    return since is not None and timestamp(START + timedelta(days=used)) < since


@pytest.mark.parametrize("keep_days", [2, 30, 400])
@pytest.mark.parametrize("ahead", [2, 31, 32, 500, 100_000])
def test_a_jump_of_the_clock_makes_nothing_old(keep_days: int, ahead: int) -> None:
    used = 500
    noted = [*range(used + 1), used + ahead]
    assert not is_deleted(keep_days, used, *noted)
    assert not is_deleted(keep_days, used - keep_days + 2, *noted)
    assert is_deleted(keep_days, used - keep_days, *range(used + 1))
