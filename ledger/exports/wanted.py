"""How a reader wants a file: in which language, by whose clock, and what of it.

What people read is told by the clock on their wall, and says which clock that is. What programs read stays in UTC.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import format_date, get_timezone_name

from ledger.language import SOURCE, Language

UTC = ZoneInfo("UTC")


class Wanted(NamedTuple):
    """What somebody asks for; `part` is one of those that the format has, `bom` marks UTF-8 for a spreadsheet."""

    language: Language = SOURCE
    zone: ZoneInfo = UTC
    part: str | None = None
    bom: bool = False

    def moment(self, recorded_at: str) -> datetime:
        """Read a moment of the log on the reader's clock."""
        return datetime.fromisoformat(recorded_at).astimezone(self.zone)

    @property
    def written(self) -> Callable[[str], str]:
        """Give what writes a moment of the log for a table: as it stands there, or on the reader's clock.

        `2026-11-21T09:00:00Z` is `2026-11-21T18:00:00+09:00` in Tokyo.
        """
        return str if self.zone.key == UTC.key else lambda recorded_at: self.moment(recorded_at).isoformat()

    @property
    def day(self) -> Callable[[str], str]:
        """Give what finds the day of a moment of the log, `2026-11-21`, on the reader's calendar."""
        if self.zone.key == UTC.key:
            return lambda recorded_at: recorded_at[:10]
        return lambda recorded_at: f"{self.moment(recorded_at):%Y-%m-%d}"

    @property
    def clock(self) -> str:
        """Say by which clock moments are told: `Japan Time`, 日本時間, `UTC`."""
        if "/" not in self.zone.key or self.zone.key.startswith("Etc/"):
            return self.zone.key
        return get_timezone_name(self.zone, locale=self.language)

    def long_date(self, day: date) -> str:
        """Write a day as people do: `November 21, 2026`, 2026年11月21日."""
        return format_date(day, "long", locale=self.language)
