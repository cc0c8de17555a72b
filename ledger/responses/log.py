"""Rows of the log, told with what had become of them by some moment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from ledger.codec import read_event
from ledger.history import Address, SessionState
from ledger.records import UNSET, replace
from ledger.responses.events import Corrected, LoggedEvent, Part, logged_event
from ledger.storage.records import StoredEvent
from ledger.storage.store import Store


def with_statuses(
    store: Store, session_id: str, rows: Iterable[StoredEvent], state: SessionState
) -> Iterator[LoggedEvent]:
    """Tell rows of the log with what had become of them by then, and the corrections that did it.

    It ends early if the session is deleted meanwhile.
    """
    by = dict[int, Corrected]()
    labels, statuses = labels_of(store, session_id), state.statuses()
    for event in as_they_stand((logged(row, state, labels) for row in rows), state):
        became = statuses.get(Address(event.seq))
        if became is None:
            yield event
            continue
        seq = became.correction
        if seq not in by:
            row = next(store.events(session_id, after=seq - 1, limit=1), None)
            if row is None:
                return
            by[seq] = corrected_by(row, labels)
        yield replace(event, correction=by[seq])


def as_they_stand(events: Iterable[LoggedEvent], state: SessionState) -> Iterator[LoggedEvent]:
    """Tell events with what had become of them by then, and the round they belong to, or last did."""
    rounds, of_parts = state.rounds_of_events(), defaultdict[int, list[Part]](list)
    became = dict[int, Literal["amended", "taken_back"]]()
    for at, status in state.statuses().items():
        if at.part:
            of_parts[at.seq].append(Part(at.part, *status))
        else:
            became[at.seq] = status.status
    for event in events:
        seq = event.seq
        parts = tuple(of_parts[seq]) if seq in of_parts else UNSET
        yield replace(event, status=became.get(seq, "standing"), round=rounds.get(seq), parts=parts)


Labels = Mapping[str, str | None]
"""What links are called, by their ids. A session that was brought in has other links than those it was recorded by."""


def labels_of(store: Store, session_id: str) -> Labels:
    """Read what the links of a session are called, those included that are dead."""
    return {link.id: link.label for link in store.links(session_id)}


def logged(row: StoredEvent, state: SessionState, labels: Labels, of_round: int | None = None) -> LoggedEvent:
    """Read a row of the log, and tell it."""
    event = read_event(row.type, row.body, row.words, state.table.rule_books[row.version])
    return logged_event(event, row, labels.get(row.recorded_by), of_round)


def corrected_by(row: StoredEvent, labels: Labels) -> Corrected:
    note = row.words["note"].text if "note" in row.words else None
    return Corrected(row.seq, row.recorded_at, row.recorded_by, labels.get(row.recorded_by), note)
