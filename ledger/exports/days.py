"""On which day something was played: as somebody said of a round or of the evening, or else as it was recorded."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import date

from babel.dates import format_date

from ledger.desk import SessionArchive
from ledger.exports.telling import last_recorded_at
from ledger.exports.wanted import Wanted
from ledger.history import SessionState
from ledger.language import Language, render
from ledger.play import Day
from ledger.records import Record
from ledger.sentences import say


class Days(Record, gc=True):
    """The days of a session: that of the evening, and those of rounds, as far as anybody has said them."""

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
    def are_told(self) -> bool:
        """Whether any day is not the one on which something was recorded."""
        return self.evening is not None or bool(self.rounds)

    @property
    def first(self) -> Day:
        """No day of the session is before this one."""
        return min(self.opened, self.evening or self.opened, *self.rounds.values())

    def day(self, number: int | None, recorded: Day) -> Day:
        """Say on which day a round was played, or, between rounds, something was moved."""
        return self.rounds.get(number or 0) or self.evening or recorded


def played_on(archive: SessionArchive, wanted: Wanted) -> str:
    """Say in words on which day or days a session was played; nothing where nobody said a day."""
    days, state = Days.of(archive, wanted), archive.session.state
    if not days.are_told:
        return ""
    told = {*days.rounds.values()}
    if len(days.rounds) < state.table.rounds or not told:
        told |= {days.evening} if days.evening else {days.opened, wanted.day(last_recorded_at(archive))}
    return in_words(told, wanted.language)


def played_on_by_rounds(state: SessionState, language: Language) -> str:
    """Say in words on which day or days the rounds were played, as far as somebody said it."""
    told = {day for done in state.rounds() if (day := done.played_on or state.table.played_on)}
    return in_words(told, language) if told else ""


def in_words(days: Collection[Day], language: Language) -> str:
    """Write the first and the last of some days for people: `November 20, 2026 – November 21, 2026`."""
    ends = sorted({min(days), max(days)})
    first, *last = (str(format_date(date.fromisoformat(day), "long", locale=language)) for day in ends)
    return render(say("{day} – {next_day}", day=first, next_day=last[0]), language, {}) if last else first
