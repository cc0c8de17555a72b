"""What is recorded, as it is recorded: a stream of server-sent events."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Mapping
from typing import Any

from flask import Response, request
from gevent.monkey import get_original

from ledger.api.auth import ALL, bearer
from ledger.api.blueprint import ApiBlueprint, Files
from ledger.api.here import config, desk, live
from ledger.api.parsing import Unreadable
from ledger.rates import one_client
from ledger.sentences import say
from ledger.session.refusals import NoSuchEvent
from schemas.pages import StreamQuery, is_seq

RESUMES = {
    "Last-Event-ID": {"description": "The `id` of the last event that was received: the stream goes on after it."}
}
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the latter is for nginx, which would wait for more

streams = ApiBlueprint("streams", __name__, description="The log, as it grows.", url_prefix="/v1/sessions")


@streams.get("/<session_id>/stream")
@streams.answers(Files(["text/event-stream"]), to=ALL, request_headers=RESUMES, failures=(400, 409, 503))
@streams.arguments(StreamQuery, location="query")
def stream_events(query: Mapping[str, Any], session_id: str) -> Response:
    """Stream every stored event once, in order, as it is recorded.

    Server-sent events. The stream ends after about a minute; `Last-Event-ID`, or `after`, resumes it.
    """
    last, after = desk().head(session_id).seq, last_seen(query["after"])
    if after > last:  # whoever has seen that has seen another log: this one may be a backup that was put in its place
        raise NoSuchEvent(seq=after, last=last)
    caller = hash(one_client(request.remote_addr or "")) if config().rate_limit else None
    told = live().stream(session_id, bearer() or "", after, hung_up(request.environ.get("gunicorn.socket")), caller)
    return Response(told, content_type="text/event-stream; charset=utf-8", headers=HEADERS)


def last_seen(after: int) -> int:
    """Read which event the client saw last: of one that comes back, the header knows better than the address."""
    said = request.headers.get("Last-Event-ID", "")
    if said and not is_seq(said):
        raise Unreadable(say("Last-Event-ID is the number of an event that was received"))
    return int(said) if said else after


def hung_up(connection: socket.socket | None) -> Callable[[], bool]:
    """Say of whoever asks whether they have closed the connection, where the server lets it be seen.

    Nobody reads from it meanwhile, and what is sent to somebody who is gone fails only once there is something to tell.
    """
    if connection is None:
        return lambda: False
    ends = get_original("select", "poll")()  # which tells at once; gevent's knows only what can be read or written
    ends.register(connection.fileno(), getattr(select, "POLLRDHUP", 0))
    return lambda: bool(ends.poll(0))
