"""Events as they stand in the log, and what recording some did."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from ledger import books, history
from ledger.play.events import Event
from ledger.play.values import LinkId, Timestamp
from ledger.records import UNSET, Meta, Record, UnsetType
from ledger.responses.corrections import Changes
from ledger.responses.entries import Entry, entries_answer
from ledger.responses.rounds import Round, round_answer
from ledger.responses.sessions import Session, session_answer
from ledger.session.corrections import EventAmended, EventTakenBack
from ledger.session.table import Round as PlayedRound
from ledger.storage.records import StoredEvent


class Corrected(Record):
    """The correction that took an event back or amended it."""

    seq: Annotated[int, Meta(description="The number of the correction.")]
    recorded_at: Annotated[Timestamp, Meta(description="When the correction was recorded, in UTC.")]
    recorded_by: Annotated[LinkId, Meta(description="The id of the link that recorded the correction.")]
    recorded_by_label: Annotated[str | None, Meta(description="That link's label today; null if it has none.")]
    note: Annotated[str | None, Meta(description="The correction's note; null if it has none.")]


class Part(Record):
    """What became of an event that was inserted together with others."""

    part: Annotated[
        int, Meta(description="The number of the part that inserted the event, counted from 1.", extra={"minimum": 1})
    ]
    status: Annotated[Literal["amended", "taken_back"], Meta(description="What became of the inserted event.")]
    correction: Annotated[int, Meta(description="The number of the correction that did it.")]


class LoggedEvent(Record, kw_only=True):
    """An event as it stands in the log."""

    event: Annotated[Event, Meta(extra={"spread": True})]
    target: Annotated[int | UnsetType, Meta(description="The number of the event that is corrected.")] = UNSET
    seq: Annotated[int, Meta(description="The event's number in its session, counted from 1.")]
    round: Annotated[int | None, Meta(description="The number of the event's round; null between rounds.")]
    recorded_at: Annotated[Timestamp, Meta(description="When the event was recorded, in UTC.")]
    recorded_by: Annotated[LinkId, Meta(description="The id of the link that recorded the event.")]
    recorded_by_label: Annotated[str | None, Meta(description="That link's label today; null if it has none.")]
    status: Annotated[
        Literal["standing", "amended", "taken_back"], Meta(description="Whether the event stands or was corrected.")
    ] = "standing"
    correction: Annotated[
        Corrected | UnsetType, Meta(description="The correction that took the event back or amended it, if one did.")
    ] = UNSET
    parts: Annotated[
        tuple[Part, ...] | UnsetType,
        Meta(description="The events that parts of this one inserted and that were corrected since."),
    ] = UNSET


class RecordedEvents(Record, kw_only=True):
    """What recording events did, as long and short answers have it."""

    events: Annotated[tuple[LoggedEvent, ...], Meta(description="The events as they were recorded, in order.")]
    entries: Annotated[tuple[Entry, ...], Meta(description="The ledger entries that the events caused.")]
    changes: Annotated[
        Changes | UnsetType, Meta(description="What a correction changed, or a dry run would change.")
    ] = UNSET


class Recorded(RecordedEvents, kw_only=True):
    """What recording events did."""

    session: Annotated[Session, Meta(description="The session after the events.")]
    ended: Annotated[tuple[Round, ...], Meta(description="The rounds that these events ended.")]


class RecordedBriefly(RecordedEvents, kw_only=True):
    """What recording events did, without the session and the rounds."""

    seq: Annotated[int, Meta(description="The number of the session's last event.")]
    rounds_ended: Annotated[tuple[int, ...], Meta(description="The numbers of the rounds that these events ended.")]


def logged_event(event: Event, row: StoredEvent, label: str | None, of_round: int | None) -> LoggedEvent:
    """Give an event with what the row that it stands in says besides; `label` is that of the link.

    A correction has a `target`: an event has a `seq` of its own in the log.
    """
    about = event.seq if isinstance(event, EventTakenBack | EventAmended) else None
    return LoggedEvent(
        event=event,
        seq=row.seq,
        target=UNSET if about is None else about,
        round=of_round,
        recorded_at=row.recorded_at,
        recorded_by=row.recorded_by,
        recorded_by_label=label,
    )


def recorded_answer(  # noqa: PLR0913 - all of it is about one report
    events: Iterable[LoggedEvent],
    entries: Iterable[books.Entry],
    after: history.Session,
    ended: Iterable[PlayedRound],
    changes: Changes | None,
    *,
    briefly: bool,
) -> Recorded | RecordedBriefly:
    """Give what recording events did, or only the numbers of the last event and of the rounds."""
    done: dict[str, Any] = {
        "events": tuple(events),
        "entries": entries_answer(entries),
        "changes": UNSET if changes is None else changes,
    }
    if briefly:
        return RecordedBriefly(**done, seq=after.state.seq, rounds_ended=tuple(each.number for each in ended))
    rounds = [round_answer(each, after.names) for each in ended]
    return Recorded(**done, session=session_answer(after), ended=tuple(rounds))
