"""Which sessions are old enough to be deleted: counted in days that the service lived through, not by the clock alone.

A clock that is wrong by years would make every session old at once. So the store notes each day on which the service
runs, and a session is idle for as many days as were lived through since. A service that runs only now and then, on one
evening a week say, lives through the days in between as well: a gap counts in full once another day follows it, if it
is no longer than a tenth of the time that sessions are kept, nor a month. A longer gap counts as one day: the clock has
jumped, or the service was off for long, and sessions are kept for longer. So does a clock that goes back.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from ledger.store import timestamp

LONGEST_GAP = 31
"""A longer gap between two days is taken for a jump of the clock, however long sessions are kept."""

MOST_DAYS = 365_000
"""How many days back a calendar goes that begins with the year 1."""


def idle_since(days: Sequence[str], keep_days: int, now: datetime) -> str | None:
    """Give the moment since which nothing may have been recorded in a session that is deleted; None if none is.

    `days` are those that were noted, in that order, today at the end.
    """
    longest = max(1, min(LONGEST_GAP, keep_days // 10))
    lived, since = 0, days[-1]
    for index in range(len(days) - 1, 0, -1):
        gap = gap_between(days[index - 1], days[index])
        is_last = index == len(days) - 1
        lived += int(gap == 1) if is_last else gap if 0 < gap <= longest else 1
        if lived >= keep_days:
            by_the_clock = timestamp(now - timedelta(days=min(keep_days, MOST_DAYS)))
            return min(by_the_clock, f"{since}T00:00:00Z")
        since = min(since, days[index - 1])
    return None


def gap_between(day: str, later: str) -> int:
    """Count the days from one to another; negative if the other is earlier."""
    return (date.fromisoformat(later) - date.fromisoformat(day)).days


def jump(days: Sequence[str]) -> int:
    """Say by how many days the clock has jumped to the last day that was noted; 0 if it has not."""
    gaps = [gap_between(day, later) for day, later in pairwise(days[-2:])]
    return next((gap for gap in gaps if not 0 <= gap <= LONGEST_GAP), 0)


def day_of(moment: datetime) -> str:
    """Write the day of a moment, as it is noted."""
    return moment.astimezone(UTC).date().isoformat()
