"""Events as they stand in the log, and what recording some did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Literal

from ledger import books, history, session
from ledger.answers.corrections import Changes
from ledger.answers.encoding import ABSENT, Absent
from ledger.answers.entries import Entry, entries_answer
from ledger.answers.rounds import Round, round_answer
from ledger.answers.sessions import Session, session_answer
from ledger.play import Event, record
from ledger.session import EventAmended, EventTakenBack


@record()
class Corrected:
    """Who took an event back or amended it, when, and with which note."""

    seq: int
    recorded_at: str
    recorded_by: str
    recorded_by_label: str | None
    note: str | None


@record()
class Part:
    """What became of an event that was inserted together with others."""

    part: int
    status: Literal["amended", "taken_back"]
    correction: int = field(metadata={"description": "the number of the correction that did it"})


@record(kw_only=True)
class LoggedEvent:
    """Any event as it stands in the log; `type` says which, `recorded_by` is a link's id."""

    event: Event = field(metadata={"spread": True})
    target: int | Absent = field(
        default=ABSENT, metadata={"description": "of a correction: the event that it is about"}
    )
    seq: int
    round: int | None
    recorded_at: str
    recorded_by: str
    recorded_by_label: str | None = field(metadata={"description": "what that link is called now"})
    status: Literal["standing", "amended", "taken_back"] = "standing"
    correction: Corrected | Absent = ABSENT
    parts: tuple[Part, ...] | Absent = field(
        default=ABSENT, metadata={"description": "inserted events among its parts, corrected"}
    )


@record(kw_only=True)
class Recorded:
    """What recording events did; `ended` has the rounds that they ended.

    `changes` comes with a dry run, and with a correction: what lies between the session before and after.
    """

    events: tuple[LoggedEvent, ...]
    entries: tuple[Entry, ...]
    session: Session
    ended: tuple[Round, ...]
    changes: Changes | Absent = ABSENT


@record(kw_only=True)
class RecordedBriefly:
    """What recording events did, for whom that is enough; `rounds_ended` has the numbers of the rounds they ended."""

    events: tuple[LoggedEvent, ...]
    entries: tuple[Entry, ...]
    seq: int = field(metadata={"description": "the last event of the session"})
    rounds_ended: tuple[int, ...]
    changes: Changes | Absent = ABSENT


def target_of(event: Event) -> int | Absent:
    """Say which event a correction is about: it has a `seq` of its own in the log."""
    about = event.seq if isinstance(event, EventTakenBack | EventAmended) else None
    return ABSENT if about is None else about


def recorded_answer(
    events: Iterable[LoggedEvent],
    entries: Iterable[books.Entry],
    after: history.Session,
    ended: Iterable[session.Round],
    changes: Changes | None,
) -> Recorded:
    """Give what recording events did."""
    return Recorded(
        events=tuple(events),
        entries=entries_answer(entries),
        session=session_answer(after),
        ended=tuple(round_answer(done, after.names) for done in ended),
        changes=ABSENT if changes is None else changes,
    )


def recorded_briefly(
    events: Iterable[LoggedEvent],
    entries: Iterable[books.Entry],
    after: history.Session,
    ended: Iterable[session.Round],
    changes: Changes | None,
) -> RecordedBriefly:
    """Give what recording events did, without the session and the rounds."""
    return RecordedBriefly(
        events=tuple(events),
        entries=entries_answer(entries),
        seq=after.state.seq,
        rounds_ended=tuple(done.number for done in ended),
        changes=ABSENT if changes is None else changes,
    )
