"""Whose turn it is, as the rules see it: what has been read, or written, is folded as if it were being recorded.

What is not known has to be named in a text: nothing is known of a table whose opening is not complete, nor once the
rules have refused something. Reader and writer ask in the same way, so nothing is misunderstood.
"""

from __future__ import annotations

from contextlib import suppress

from ledger.games import GAMES, newest
from ledger.history import SessionState
from ledger.notation.kinds import Json
from ledger.play.events import Event
from ledger.play.refusals import Refused
from ledger.play.values import PlayerId
from ledger.sentences import Malformed
from ledger.session.corrections import Correction
from ledger.session.events import RoundOpened
from ledger.session.refusals import NoRoundOpen, RoundIsOver
from schemas.events import load_event
from schemas.records import loaded
from schemas.rules import checked
from schemas.sessions import NewSession


class Turns:
    """The table after the events so far, as long as it is known; and only in a game where players may go unnamed."""

    def __init__(self, opening: Json) -> None:
        self._state: SessionState | None = None
        self._not_folded = list[Json]()
        with suppress(Malformed):
            opened = loaded(NewSession, {name: value for name, value in opening.items() if name != "carried"}).opening()
            self._book = newest(opened.game)
            if any(form.goes_round for form in self._book.forms):
                self._state = SessionState.opened(GAMES[opened.game], opened)

    def follow(self, event: Json) -> None:
        """Note what happened; what it does to the table is worked out when it is asked for."""
        self._not_folded.append(event)

    def next(self, kind: str) -> PlayerId | None:
        """Say for whom an event of this type is next; None if that is not known."""
        state, self._state = self._state, None
        if state:
            with suppress(Refused, Malformed):
                for event in self._not_folded:
                    state = self._after(state, checked(load_event(event), self._book))
                self._state = state
        self._not_folded.clear()
        now = self._state.table.open_round if self._state else None
        expected = now.book.expected(now.phase) if now else ()
        return next((each.player for each in expected if each.type == kind), None)

    def _after(self, state: SessionState, event: Event) -> SessionState:
        """Fold an event on. One of a round that was not opened opens it, as `calculate` has it."""
        try:
            return state.record(event, self._book.version).state
        except (NoRoundOpen, RoundIsOver):
            if isinstance(event, Correction):
                raise
            return state.after((each, self._book.version) for each in (RoundOpened(), event))
