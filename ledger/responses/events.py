"""Events as they stand in the log, with what had become of them by some moment; and what recording some did."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from ledger.books import Entry
from ledger.codec import read_event
from ledger.history import Address, SessionState
from ledger.play.events import Event
from ledger.play.values import LinkId, Seq, Timestamp
from ledger.records import UNSET, Meta, Record, UnsetType, convert, field, joined, memoized
from ledger.responses.corrections import Changes
from ledger.responses.rounds import Round
from ledger.responses.sessions import Session
from ledger.responses.shared import EventInLog, EventSeq, PartNumber
from ledger.session.corrections import EventAmended, EventTakenBack
from ledger.storage.records import StoredEvent
from ledger.storage.store import Store

EventStatus = Literal["standing", "amended", "taken_back"]
Labels = Mapping[str, str | None]
"""What links are called, by their ids. A session that was brought in has other links than those it was recorded by."""


RecordedAt = Annotated[Timestamp, Meta(description="When the event was recorded, in UTC.")]
RecordedBy = Annotated[LinkId, Meta(description="The id of the link that recorded the event.")]
LabelToday = Annotated[str | None, Meta(description="The link's label today; null if it has none.")]


class Corrected(Record):
    """The correction that took an event back or amended it."""

    seq: EventSeq
    recorded_at: RecordedAt
    recorded_by: RecordedBy
    recorded_by_label: LabelToday
    note: Annotated[str | None, Meta(description="The correction's note; null if it has none.")]


class Part(Record):
    """What became of an event that was inserted together with others."""

    part: PartNumber
    status: Annotated[Literal["amended", "taken_back"], Meta(description="What became of the inserted event.")]
    correction: Annotated[int, Meta(description="The number of the correction that did it.")]


class LoggedEvent(Record, kw_only=True):
    """An event as it stands in the log; the event's own members are further ones, as `stored_kind` has them."""

    target: Annotated[Seq | UnsetType, Meta(description="The number of the event that is corrected.")] = UNSET
    seq: EventSeq
    round: Annotated[int | None, Meta(description="The number of the event's round; null between rounds.")]
    recorded_at: RecordedAt
    recorded_by: RecordedBy
    recorded_by_label: LabelToday
    status: Annotated[EventStatus, Meta(description="Whether the event stands or was corrected.")] = field(
        default_factory=lambda: "standing"
    )
    correction: Annotated[Corrected | UnsetType, Meta(description="The correction that corrected it, if any.")] = UNSET
    parts: Annotated[tuple[Part, ...] | UnsetType, Meta(description="Parts of it that were corrected since.")] = UNSET


class Recorded(Record, kw_only=True, omit_defaults=True):
    """What recording events did."""

    events: Annotated[tuple[EventInLog, ...], Meta(description="The events as they were recorded, in order.")]
    entries: Annotated[tuple[Entry, ...], Meta(description="The ledger entries that the events caused.")]
    changes: Annotated[Changes | None, Meta(description="What a correction or a dry run changes.")] = None
    session: Annotated[Session | None, Meta(description="The session after the events.")] = None
    ended: Annotated[tuple[Round, ...] | None, Meta(description="The rounds that these events ended.")] = None
    seq: Annotated[int | None, Meta(description="The number of the session's last event.")] = None
    rounds_ended: Annotated[
        tuple[int, ...] | None, Meta(description="The numbers of the rounds that these events ended.")
    ] = None


@memoized
def stored_kind(kind: type[Event]) -> type[LoggedEvent]:
    """Give the record of events of a kind as they stand in the log. The `seq` that a correction has is its `target`."""
    return joined(kind, LoggedEvent, f"Stored{kind.__name__}Event")


def logged_event(event: Event, row: StoredEvent, label: str | None, **members: Any) -> LoggedEvent:
    """Give an event with the members of its row; `label` is the link's, `members` its round and status by then."""
    target = event.seq if isinstance(event, EventTakenBack | EventAmended) else None
    return convert(
        stored_kind(type(event)),
        event,
        seq=row.seq,
        target=target or UNSET,
        recorded_at=row.recorded_at,
        recorded_by=row.recorded_by,
        recorded_by_label=label,
        **members,
    )


# --- what had become of events --------------------------------------------------------------------------------------


def with_statuses(
    store: Store, session_id: str, rows: Iterable[StoredEvent], state: SessionState
) -> Iterator[LoggedEvent]:
    """Give rows of the log with their statuses by then, and the corrections that changed them.

    It ends early if the session is deleted meanwhile.
    """
    by, labels, statuses = dict[int, Corrected](), labels_of(store, session_id), state.statuses()
    members_of_event = stands(state)
    for row in rows:
        members = members_of_event(row.seq)
        if became := statuses.get(Address(row.seq)):
            seq = became.correction
            if seq not in by:
                correction = next(store.events(session_id, after=seq - 1, limit=1), None)
                if correction is None:
                    return
                note = correction.words["note"].text if "note" in correction.words else None
                label = labels.get(correction.recorded_by)
                by[seq] = convert(Corrected, correction, recorded_by_label=label, note=note)
            members["correction"] = by[seq]
        event = read_event(row.type, row.body, row.words, state.table.rule_books[row.version])
        yield logged_event(event, row, labels.get(row.recorded_by), **members)


def stands(state: SessionState) -> Callable[[int], dict[str, Any]]:
    """Give a function from an event's seq to its status, its round (or last one) and its corrected parts."""
    rounds, of_parts, became = state.rounds_of_events(), defaultdict[int, list[Part]](list), dict[int, EventStatus]()
    for at, status in state.statuses().items():
        if at.part:
            of_parts[at.seq].append(Part(at.part, *status))
        else:
            became[at.seq] = status.status

    def members(seq: int) -> dict[str, Any]:
        parts = tuple(of_parts[seq]) if seq in of_parts else UNSET
        return {"round": rounds.get(seq), "status": became.get(seq, "standing"), "parts": parts}

    return members


def labels_of(store: Store, session_id: str) -> Labels:
    """Read what the links of a session are called, those included that are dead."""
    return {link.id: link.label for link in store.links(session_id)}
