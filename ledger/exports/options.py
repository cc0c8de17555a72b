"""How a reader wants a file: in which language, by whose clock, and what of it.

What people read is told by the clock on their wall, and says which clock that is. What programs read stays in UTC.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_time, get_timezone_name

from ledger.language import SOURCE, Language, render
from ledger.sentences import say

UTC = ZoneInfo("UTC")


class Wanted(NamedTuple):
    """What somebody asks for; `part` is one of those that the format has, `bom` marks UTF-8 for a spreadsheet."""

    language: Language = SOURCE
    zone: ZoneInfo = UTC
    part: str | None = None
    bom: bool = False

    def moment(self, recorded_at: str) -> datetime:
        """Read a moment of the log on the reader's clock, or in UTC where the reader's calendar has ended."""
        moment = datetime.fromisoformat(recorded_at)
        try:
            return moment.astimezone(self.zone)
        except OverflowError:
            return moment

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

    def when(self, began: str, ended: str) -> str:
        """Say when something was, from moments of the log: `November 21, 2026, 18:00–23:10 (Japan Time)`.

        Each time has its day if there are several, and how far it is from UTC if clocks were changed in between.
        """
        first, last = self.moment(began), self.moment(ended)
        shows = "HH:mm" if first.utcoffset() == last.utcoffset() else "HH:mm OOOO"
        times = [format_time(moment, shows, tzinfo=moment.tzinfo, locale=self.language) for moment in (first, last)]
        days = [format_date(moment.date(), "long", locale=self.language) for moment in (first, last)]
        if days[0] != days[1]:
            said = say(
                "{day}, {time} – {next_day}, {next_time} ({clock})",
                day=days[0],
                time=times[0],
                next_day=days[1],
                next_time=times[1],
                clock=self.clock,
            )
        else:
            several = "–".join(dict.fromkeys(times))
            said = say("{day}, {time} ({clock})", day=days[0], time=several, clock=self.clock)
        return render(said, self.language, {})
