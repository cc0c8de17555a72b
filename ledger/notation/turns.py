"""Whose turn it is, as the rules see it: what has been read, or written, is folded as if it were being recorded.

What is not known has to be named in a text: nothing is known of a table whose opening is not complete, nor once the
rules have refused something. Reader and writer ask in the same way, so nothing is misunderstood.

A long text costs as much an event as a short one. What was before the last round or rounds (`FOLDED` events) is kept
only as the table it led to; a correction of it is passed over.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from ledger.codec import event_from, opening_from
from ledger.games import GAMES, newest
from ledger.history import SessionState
from ledger.notation.kinds import Json
from ledger.play import Event, PlayerId, Refused, RuleBook
from ledger.records import replace
from ledger.sentences import Malformed
from ledger.session import (
    Correction,
    CorrectionsMade,
    EventAmended,
    EventInserted,
    EventTakenBack,
    NoRoundOpen,
    Opening,
    RoundIsOver,
    RoundOpened,
)

_OneCorrection = EventTakenBack | EventAmended | EventInserted

FOLDED = 200
"""How many events are kept at least, so that corrections of them can be followed."""


class Turns:
    """The table after the events so far, as long as it is known; and only in a game where players may go unnamed."""

    def __init__(self, opening: Json) -> None:
        self._table: _Table | None = None
        with suppress(Malformed):
            told = opening_from({name: said for name, said in opening.items() if name != "carried"})
            if any(form.goes_round for form in newest(told.game).forms):
                self._table = _Table(told)

    def next(self, kind: str) -> PlayerId | None:
        """Say for whom an event of this type is next; None if that is not known."""
        return self._table.next(kind) if self._table else None

    def follow(self, event: Json) -> None:
        """Note what an event does to the table."""
        try:
            if self._table:
                self._table.record(event)
        except (Refused, Malformed):
            self._table = None


class _Table:
    """A table that is known. `_begun` is how many events came before those that are kept."""

    def __init__(self, opening: Opening) -> None:
        self._book: RuleBook[Any] = newest(opening.game)
        self._state = SessionState.opened(GAMES[opening.game], opening)
        self._begun = 0

    def next(self, kind: str) -> PlayerId | None:
        now = self._state.table.open_round
        expected = now.book.expected(now.phase) if now else ()
        return next((each.player for each in expected if each.type == kind), None)

    def record(self, body: Json) -> None:
        """Fold an event. One of a round that nobody opened opens it, as `calculate` has it.

        Raises Refused, Malformed.
        """
        event = event_from(body, self._book)
        if isinstance(event, Correction):
            if kept := _counted_from(self._begun, event):
                self._fold(kept)
            return
        if isinstance(event, RoundOpened) and self._state.seq > FOLDED:
            self._begun += self._state.seq
            self._state = SessionState.beginning(self._state.table, self._state.balances)
        try:
            self._fold(event)
        except (NoRoundOpen, RoundIsOver):
            self._fold(RoundOpened())
            self._fold(event)

    def _fold(self, event: Event) -> None:
        self._state = self._state.record(event, self._book.version).state


def _counted_from(begun: int, event: Correction) -> Correction | None:
    """Give a correction with the numbers that count from there; None if it goes further back."""
    if not isinstance(event, CorrectionsMade):
        return _one_counted_from(begun, event)
    parts = [part for said in event.corrections if (part := _one_counted_from(begun, said))]
    return replace(event, corrections=tuple(parts)) if len(parts) == len(event.corrections) else None


def _one_counted_from(begun: int, event: _OneCorrection) -> _OneCorrection | None:
    if isinstance(event, EventInserted):
        return replace(event, after=event.after - begun) if event.after >= begun else None
    if event.seq is None:
        return event
    return replace(event, seq=event.seq - begun) if event.seq > begun else None
