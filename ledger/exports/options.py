"""How a reader wants a file, and days and times for the reader: local with their zone. Programs read UTC."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from babel.dates import format_date, get_timezone_name

from ledger.i18n.language import SOURCE, Language, render
from ledger.i18n.sentences import say
from ledger.rulebook.values import Day
from ledger.session.history import SessionState

UTC = ZoneInfo("UTC")


class ExportOptions(NamedTuple):
    """`part` is one of those that a CSV has; `bom` marks UTF-8 for a spreadsheet."""

    language: Language = SOURCE
    zone: ZoneInfo = UTC
    part: str | None = None
    bom: bool = False

    def local(self, recorded_at: str) -> datetime:
        """Read a time of the log in the reader's zone, or in UTC where the reader's calendar has ended."""
        time = datetime.fromisoformat(recorded_at)
        try:
            return time.astimezone(self.zone)
        except OverflowError:
            return time

    def timestamp(self, recorded_at: str) -> str:
        """Write a time of the log for a table: `2026-11-21T09:00:00Z`, in Tokyo `2026-11-21T18:00:00+09:00`."""
        return recorded_at if self.zone.key == UTC.key else self.local(recorded_at).isoformat()

    def day(self, recorded_at: str) -> str:
        """Return the local day of a time of the log: `2026-11-21`."""
        return recorded_at[:10] if self.zone.key == UTC.key else self.local(recorded_at).date().isoformat()

    @property
    def zone_name(self) -> str:
        """Name the time zone: `Japan Time`, 日本時間, `UTC`."""
        is_place = "/" in self.zone.key and not self.zone.key.startswith("Etc/")
        return get_timezone_name(self.zone, locale=self.language) if is_place else self.zone.key


def played_on_by_rounds(state: SessionState, language: Language) -> str:
    """Format the `played_on` of the rounds; empty if there is none."""
    return in_words({day for done in state.rounds() if (day := done.played_on or state.table.played_on)}, language)


def in_words(days: Collection[Day], language: Language) -> str:
    """Format the first and last of some days: `November 20, 2026 – November 21, 2026`."""
    ends = sorted({min(days), max(days)}) if days else []
    words = [str(format_date(date.fromisoformat(day), "long", locale=language)) for day in ends]
    if len(words) < 2:
        return "".join(words)
    return render(say("{day} – {next_day}", day=words[0], next_day=words[1]), language, {})
