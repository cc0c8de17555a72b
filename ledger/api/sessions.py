"""Sessions: opening one, and seeing where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request, url_for

from ledger.api.door import ALL, OWNER, Room, answered, desk, may_open, requires_role
from ledger.history import Session
from ledger.session import Opening
from ledger.store import StoredLink
from schemas.sessions import (
    AtQuery,
    OpenedSchema,
    OpeningSchema,
    SessionSchema,
    VerifiedSchema,
    dump_link,
    dump_session,
    dump_verified,
)

sessions = Room("sessions", __name__, description="Sittings at one table, playing one game.", url_prefix="/v1/sessions")


@sessions.before_request
def check_opening() -> None:
    """Ask for the operator's key, if there is one, before a new session is looked at any closer."""
    if request.endpoint == "sessions.open_session":
        may_open()


@sessions.post("")
@sessions.doc(security=[{}, {"bearer": []}])
@sessions.arguments(OpeningSchema)
@sessions.response(201, OpenedSchema)
def open_session(opening: Opening) -> Response:
    """Open a session. The owner's token is shown this once."""
    return opened(*desk().open(opening))


def opened(session: Session, link: StoredLink, token: str) -> Response:
    """Answer with a session just opened, and its owner's link."""
    body = {"session": dump_session(session), "link": dump_link(link, token)}
    address = url_for("sessions.show_session", session_id=session.id)
    return answered(body, 201, Location=address, ETag=f'"{session.state.seq}"')


@sessions.get("/<session_id>")
@requires_role(*ALL)
@sessions.heeds("If-None-Match", "the ETag of an earlier answer: if it still holds, the answer is 304")
@sessions.arguments(AtQuery, location="query")
@sessions.response(200, SessionSchema)
@sessions.alt_response(304, description="Nothing has been recorded since")
def show_session(query: Mapping[str, Any], session_id: str) -> Response:
    """Show where the table stands, or stood at an earlier event. The ETag is the seq; If-None-Match is answered 304."""
    if query["at"] is not None:
        return answered(dump_session(desk().session(session_id, query["at"])), ETag=f'"{query["at"]}"')
    if request.if_none_match.contains_weak(str(seq := desk().head(session_id).seq)):
        return Response(status=304, headers={"ETag": f'"{seq}"'})
    session = desk().session(session_id)
    return answered(dump_session(session), ETag=f'"{session.state.seq}"')


@sessions.get("/<session_id>/verify")
@requires_role(*OWNER)
@sessions.response(200, VerifiedSchema)
def verify_session(session_id: str) -> Response:
    """Check the whole record: the chain of hashes, the words, and the books worked out again."""
    return answered(dump_verified(desk().verify(session_id)))
