"""What is recorded, as it is recorded: a stream of server-sent events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from ledger.api.bodies import Unreadable
from ledger.api.here import live
from ledger.api.roles import ALL, bearer
from ledger.api.room import Files, Room
from ledger.sentences import say
from schemas.pages import CursorQuery, is_seq

RESUMES = {"Last-Event-ID": "the `id` of the last event that was received: the stream goes on after it"}
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the latter is for nginx, which would wait for more

streams = Room("streams", __name__, description="The log, as it grows.", url_prefix="/v1/sessions")


@streams.get("/<session_id>/stream")
@streams.answers(Files(["text/event-stream"]), to=ALL, heeds=RESUMES)
@streams.arguments(CursorQuery, location="query")
def stream_events(query: Mapping[str, Any], session_id: str) -> Response:
    """Tell every stored event once, in order, as it is recorded; ends after about a minute, to be resumed."""
    told = live().stream(session_id, bearer() or "", last_seen(query["after"]))
    return Response(told, content_type="text/event-stream; charset=utf-8", headers=HEADERS)


def last_seen(after: int) -> int:
    """Read which event the client saw last: of one that comes back, the header knows better than the address."""
    said = request.headers.get("Last-Event-ID", "")
    if said and not is_seq(said):
        raise Unreadable(say("Last-Event-ID is the number of an event that was received"))
    return int(said) if said else after
