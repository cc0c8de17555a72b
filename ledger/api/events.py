"""Events: recording what was seen, and reading the log."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from flask import g, request

from ledger.api.auth import ALL, SCORERS
from ledger.api.blueprint import ApiBlueprint, Reply, page
from ledger.api.caching import expected
from ledger.api.here import desk
from ledger.api.parsing import Unreadable
from ledger.idempotency import IdempotencyKey
from ledger.recording import Request
from ledger.responses.corrections import Changes
from ledger.responses.events import Recorded
from ledger.responses.pages import Listing, Page
from ledger.responses.shared import EventInLog
from ledger.sentences import say
from ledger.storage.records import StoredLink
from schemas.events import Events
from schemas.queries import EventsQuery, RecordQuery
from schemas.rules import CHECKED_BY_THE_GAME, below, checked_all

EVENTS = Listing("EventPage", "events", EventInLog)
MAX_KEY_CHARACTERS = 255
CONDITIONS: Mapping[str, dict[str, Any]] = {
    "If-Match": {"description": "A seq, as an ETag has it: nothing is recorded (412) if the session has moved on."},
    "Idempotency-Key": {
        "description": "The same key with the same body is answered the same, and recorded once.",
        "minLength": 1,
        "maxLength": MAX_KEY_CHARACTERS,
    },
    "Prefer": {
        "description": "`return=minimal`: the answer leaves out `session` and `ended`; `Preference-Applied` says so."
    },
}

events = ApiBlueprint("events", __name__, description="The log: what was seen, in order.", url_prefix="/v1/sessions")


@events.post("/<session_id>/events")
@events.answers(
    Recorded,
    201,
    to=SCORERS,
    request_headers=CONDITIONS,
    headers=("ETag", "Idempotency-Replayed", "Preference-Applied"),
    also={200: "What would have been recorded: a dry run"},
    failures=(409, 412, 503, 507),
)
@events.arguments(RecordQuery, location="query")
@events.arguments(Events)
def record_events(query: RecordQuery, body: Events, session_id: str) -> Reply:
    """Record 1 to 500 events, all or none.

    With `dry_run` the answer (200) has what would happen, and nothing is stored. What the rules refuse is answered with
    409 and its reason. The answer has the events as stored, the chips they moved and where the session stands then.
    """
    sessions, reports = desk(), body.events
    if not CHECKED_BY_THE_GAME.isdisjoint(map(type, reports)):
        reports = below("events", checked_all, reports, sessions.rule_book(session_id))
    done = sessions.recorder.record(session_id, reports, report(dry_run=query.dry_run))
    headers = {} if query.dry_run else {"ETag": f'"{done.session.state.seq}"'}
    if done.replayed:
        headers["Idempotency-Replayed"] = "true"
    if briefly := wants_little():
        headers["Preference-Applied"] = "return=minimal"
    return Reply(done.response(briefly=briefly), headers, 200 if query.dry_run else None)


def wants_little() -> bool:
    """Say whether the reporter would rather have a short answer; of several preferences the first holds (RFC 7240)."""
    for preference in request.headers.get("Prefer", "").split(","):
        name, _, value = preference.partition(";")[0].partition("=")
        if name.strip().lower() == "return":
            return value.strip().strip('"').lower() == "minimal"
    return False


def report(*, dry_run: bool) -> Request:
    """Say who reports and under which conditions, from the link and the headers."""
    link: StoredLink = g.link
    key = request.headers.get("Idempotency-Key")
    if key is not None and not 1 <= len(key) <= MAX_KEY_CHARACTERS:
        raise Unreadable(say("an Idempotency-Key has 1 to {most} characters", most=MAX_KEY_CHARACTERS))
    return Request(
        by=link.id,
        label=link.label,
        role=link.role,
        expected=expected() if "If-Match" in request.headers else None,
        key=None if key is None else IdempotencyKey(key, (request.view_args or {})["session_id"], fingerprint()),
        dry_run=dry_run,
    )


def fingerprint() -> bytes:
    """Tell this request from others with the same key."""
    return hashlib.sha256(f"{request.method} {request.path}\n".encode() + request.get_data()).digest()


@events.get("/<session_id>/events/<int:seq>/changes")
@events.answers(Changes, to=ALL)
def show_changes(session_id: str, seq: int) -> Changes:
    """Show what an event changed: rounds, balances and entries.

    It is worked out again from the log: how each of them was before the event and after it.
    """
    return desk().changes(session_id, seq)


@events.get("/<session_id>/events")
@events.answers(EVENTS, to=ALL)
@events.arguments(EventsQuery, location="query")
def list_events(query: EventsQuery, session_id: str) -> Page:
    """Read the log, oldest event first.

    With `after` only what was recorded later than that seq: a client that was offline catches up with it.
    """
    found = desk().events(session_id, query.after, query.limit + 1)
    return page(EVENTS, found, query.limit, lambda event: event.seq)
