"""Sessions: opening one, and seeing where it stands."""

from __future__ import annotations

from flask import Response, request, url_for

from ledger.api.door import ALL, Room, admits, answered, desk, may_open
from ledger.session import Opening
from schemas.sessions import OpenedSchema, OpeningSchema, SessionSchema, dump_link, dump_session

sessions = Room("sessions", __name__, description="Sittings at one table, playing one game.", url_prefix="/v1/sessions")


@sessions.before_request
def check_opening() -> None:
    """Ask for the operator's key, if there is one, before a new session is looked at any closer."""
    if request.endpoint == "sessions.open_session":
        may_open()


@sessions.post("")
@sessions.arguments(OpeningSchema)
@sessions.response(201, OpenedSchema)
def open_session(opening: Opening) -> Response:
    """Open a session. The owner's token is shown this once."""
    sitting, link, token = desk().open(opening)
    body = {"session": dump_session(sitting), "link": dump_link(link, token)}
    return answered(body, 201, Location=url_for("sessions.show_session", session_id=sitting.id), ETag='"0"')


@sessions.get("/<session_id>")
@admits(*ALL)
@sessions.response(200, SessionSchema)
def show_session(session_id: str) -> Response:
    """Show where the table stands. The ETag is the last seq; `If-None-Match` is answered by 304."""
    if request.if_none_match.contains_weak(str(seq := desk().head(session_id).seq)):
        return Response(status=304, headers={"ETag": f'"{seq}"'})
    sitting = desk().sitting(session_id)
    return answered(dump_session(sitting), ETag=f'"{sitting.evening.seq}"')
