"""Events: recording what was seen, and reading the log."""

from __future__ import annotations

from flask import g, request
from werkzeug.exceptions import BadRequest

from ledger.api.http.auth import ALL, SCORERS
from ledger.api.http.blueprint import WRITING, ApiBlueprint, Reply, page
from ledger.api.http.conditional import if_match
from ledger.api.http.current import session_service
from ledger.api.http.idempotency import MAX_KEY, idempotency_key
from ledger.api.http.openapi_words import header
from ledger.responses.events import Changes, Recorded
from ledger.responses.shared import EventInLog, Listing, Page
from ledger.rulebook.refusal import Refused
from ledger.services.idempotency_keys import KeyReused
from ledger.services.recording import PreconditionFailed, Request
from ledger.session.refusals import CorrectedTwice
from schemas.loading import CHECKED_BY_THE_GAME, below, checked_all
from schemas.requests import Events, EventsQuery, RecordQuery

EVENTS = Listing("EventPage", "events", EventInLog)
CONDITIONS = {
    "If-Match": header("A seq, as an ETag has it: nothing is recorded (412) if the session has moved on."),
    "Idempotency-Key": header(
        "The same key with the same body is answered the same, and recorded once.", minLength=1, maxLength=MAX_KEY
    ),
    "Prefer": header("`return=minimal`: the answer leaves out `session` and `ended`; `Preference-Applied` says so."),
}

events = ApiBlueprint("events", "The log: what was seen, in order.", "/v1/sessions")


@events.post(
    "/<session_id>/events",
    Recorded,
    status=201,
    to=SCORERS,
    request_headers=CONDITIONS,
    headers=("ETag", "Idempotency-Replayed", "Preference-Applied"),
    also={200: "What would have been recorded: a dry run"},
    raises=(BadRequest, Refused, CorrectedTwice, KeyReused, PreconditionFailed, *WRITING),
)
def record_events(query: RecordQuery, body: Events, session_id: str) -> Reply:
    """Record 1 to 500 events, all or none.

    With `dry_run` the answer (200) has what would happen, and nothing is stored. What the rules refuse is answered with
    409 and its reason. The answer has the events as stored, the chips they moved and where the session stands then.
    """
    service, reports, link = session_service(), body.events, g.link
    if not CHECKED_BY_THE_GAME.isdisjoint(map(type, reports)):
        reports = below("events", checked_all, reports, service.rule_book(session_id))
    terms = Request(link.id, link.label, link.role, if_match(), idempotency_key(at_least=1), query.dry_run)
    done, briefly = service.recorder.record(session_id, reports, terms), prefers_minimal()
    headers = {} if query.dry_run else {"ETag": f'"{done.session.state.seq}"'}
    if done.replayed:
        headers["Idempotency-Replayed"] = "true"
    if briefly:
        headers["Preference-Applied"] = "return=minimal"
    return Reply(done.response(briefly=briefly), headers, 200 if query.dry_run else None)


def prefers_minimal() -> bool:
    """Whether the client prefers a short answer; of several preferences the first holds (RFC 7240)."""
    for preference in request.headers.get("Prefer", "").split(","):
        name, _, value = preference.partition(";")[0].partition("=")
        if name.strip().lower() == "return":
            return value.strip().strip('"').lower() == "minimal"
    return False


@events.get("/<session_id>/events/<int:seq>/changes", to=ALL)
def show_changes(session_id: str, seq: int) -> Changes:
    """Show what an event changed: rounds, balances and entries.

    It is worked out again from the log: how each of them was before the event and after it.
    """
    return session_service().changes(session_id, seq)


@events.get("/<session_id>/events", EVENTS, to=ALL)
def list_events(query: EventsQuery, session_id: str) -> Page:
    """Read the log, oldest event first.

    With `after` only what was recorded later than that seq: a client that was offline catches up with it.
    """
    found = session_service().events(session_id, query.after, query.limit + 1)
    return page(EVENTS, found, query.limit, lambda event: event.seq)
