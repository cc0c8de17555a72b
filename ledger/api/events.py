"""Events: recording what was seen, and reading the log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from ledger.api.door import ALL, SCORERS, Room, answered, desk, paged, report, requires_role
from ledger.games import newest
from schemas.events import dump_told
from schemas.sessions import (
    EventPage,
    EventsSchema,
    PageQuery,
    RecordedSchema,
    RecordQuery,
    checked_below,
    dump_entry,
    dump_round,
    dump_session,
)

events = Room("events", __name__, description="The log: what was seen, in order.", url_prefix="/v1/sessions")


@events.post("/<session_id>/events")
@requires_role(*SCORERS)
@events.heeds("If-Match", "a seq, as an ETag has it: nothing is recorded (412) if the session has moved on")
@events.heeds("Idempotency-Key", "the same key with the same body is answered the same, and recorded once")
@events.arguments(RecordQuery, location="query")
@events.arguments(EventsSchema)
@events.response(201, RecordedSchema)
@events.alt_response(200, schema=RecordedSchema, description="What would have been recorded: a dry run")
def record_events(query: Mapping[str, Any], body: Mapping[str, Any], session_id: str) -> Response:
    """Record 1 to 500 events, all or none; with `dry_run` say what would happen (200) and store nothing."""
    book = newest(desk().session(session_id).opening.game)
    events = checked_below("events", body["events"], book)
    answer = desk().record(session_id, events, report(dry_run=query["dry_run"]))
    seq = answer.session.state.seq
    return answered(
        {
            "events": [dump_told(told) for told in answer.events],
            "entries": [dump_entry(entry) for entry in answer.entries],
            "session": dump_session(answer.session),
            "ended": [dump_round(done, answer.session.names) for done in answer.ended],
            **({"changes": answer.changes} if answer.changes is not None else {}),
        },
        200 if query["dry_run"] else 201,
        **({} if query["dry_run"] else {"ETag": f'"{seq}"'}),
        **({"Idempotency_Replayed": "true"} if answer.replayed else {}),
    )


@events.get("/<session_id>/events")
@requires_role(*ALL)
@events.arguments(PageQuery, location="query")
@events.response(200, EventPage)
def list_events(query: Mapping[str, Any], session_id: str) -> Response:
    """Read the log after a seq; also the way to catch up."""
    found = desk().events(session_id, query["after"], query["limit"] + 1)
    return paged("events", [dump_told(told) for told in found], query["limit"], lambda event: event["seq"])
