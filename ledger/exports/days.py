"""The day of a round: its own `played_on`, else the session's, else the day on which it was recorded."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date

from babel.dates import format_date

from ledger.exports.archive import SessionArchive
from ledger.exports.telling import last_recorded_at
from ledger.exports.wanted import Wanted
from ledger.history import SessionState
from ledger.language import Language, render
from ledger.play.values import Day
from ledger.records import Record
from ledger.sentences import say


class Days(Record, gc=True):
    """The `played_on` of a session (`evening`) and of its rounds, and the day on which it was opened."""

    evening: Day | None
    rounds: Mapping[int, Day]
    opened: Day

    @classmethod
    def of(cls, archive: SessionArchive, wanted: Wanted) -> Days:
        """Read them off a session; the day on which it was opened is the reader's."""
        state = archive.session.state
        rounds = {done.number: done.played_on for done in state.rounds() if done.played_on}
        return cls(state.table.played_on, rounds, wanted.day(archive.session.created_at))

    @property
    def has_any(self) -> bool:
        """Whether the session or a round has a `played_on`."""
        return self.evening is not None or bool(self.rounds)

    @property
    def first(self) -> Day:
        """No day of the session is before this one."""
        return min(self.opened, self.evening or self.opened, *self.rounds.values())

    def day(self, number: int | None, recorded: Day) -> Day:
        """Return the day of a round, or of what was recorded between rounds."""
        return self.rounds.get(number or 0) or self.evening or recorded


def played_on(archive: SessionArchive, wanted: Wanted) -> str:
    """Format the day or days of a session; empty if there is no `played_on`."""
    days, state = Days.of(archive, wanted), archive.session.state
    if not days.has_any:
        return ""
    told = {*days.rounds.values()}
    if len(days.rounds) < state.table.rounds or not told:
        told |= {days.evening} if days.evening else {days.opened, wanted.day(last_recorded_at(archive))}
    return in_words(told, wanted.language)


def played_on_by_rounds(state: SessionState, language: Language) -> str:
    """Format the `played_on` of the rounds; empty if there is none."""
    told = {day for done in state.rounds() if (day := done.played_on or state.table.played_on)}
    return in_words(told, language) if told else ""


def in_words(days: Collection[Day], language: Language) -> str:
    """Format the first and last of some days: `November 20, 2026 – November 21, 2026`."""
    ends = sorted({min(days), max(days)})
    first, *last = (str(format_date(date.fromisoformat(day), "long", locale=language)) for day in ends)
    return render(say("{day} – {next_day}", day=first, next_day=last[0]), language, {}) if last else first
