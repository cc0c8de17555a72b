"""What is recorded, as it is recorded: a stream of server-sent events."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable

from flask import Response, current_app, request
from gevent.monkey import get_original
from werkzeug.exceptions import BadRequest

from ledger.api.http.auth import ALL, bearer
from ledger.api.http.blueprint import ApiBlueprint, Files
from ledger.api.http.current import session_service
from ledger.api.http.openapi_words import header
from ledger.api.http.parsing import because
from ledger.i18n.sentences import say
from ledger.services.streams import Live, TooManyStreams
from ledger.session.refusals import NoSuchEvent
from schemas.requests import MAX_SEQ, StreamQuery

LAST_EVENT_ID = header("The `id` of the last event that was received: the stream goes on after it.")
HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # the latter is for nginx, which would wait for more

streams = ApiBlueprint("streams", "The log, as it grows.", "/v1/sessions")


@streams.get(
    "/<session_id>/stream",
    Files(["text/event-stream"]),
    to=ALL,
    request_headers={"Last-Event-ID": LAST_EVENT_ID},
    raises=(BadRequest, NoSuchEvent, TooManyStreams),
)
def stream_events(query: StreamQuery, session_id: str) -> Response:
    """Stream every stored event once, in order, as it is recorded.

    Server-sent events. The stream ends after about a minute; `Last-Event-ID`, or `after`, resumes it.
    """
    last, after = session_service().store.head(session_id).seq, last_seen(query.after)
    if after > last:  # the client read another log: this one may be a restored backup
        raise NoSuchEvent(seq=after, last=last)
    live: Live = current_app.extensions["live"]
    blocks, leave = live.follow(session_id, bearer(), after, hung_up(request.environ.get("gunicorn.socket")))
    response = Response(blocks, content_type="text/event-stream; charset=utf-8", headers=HEADERS)
    response.call_on_close(leave)
    return response


def last_seen(after: int) -> int:
    """Read the seq of the last event received: a client that reconnects sends it in a header, to the old address."""
    seq = request.headers.get("Last-Event-ID") or str(after)
    if not (seq.isascii() and seq.isdigit() and len(seq) <= len(str(MAX_SEQ))):
        raise because(BadRequest, say("Last-Event-ID is the number of an event that was received"))
    return int(seq)


def hung_up(connection: socket.socket | None) -> Callable[[], bool]:
    """Give a function that says whether a client has closed its connection; without a connection it never has."""
    if connection is None:
        return lambda: False
    poll = get_original("select", "poll")()  # gevent's does not know the end of a stream
    poll.register(connection.fileno(), getattr(select, "POLLRDHUP", 0))
    return lambda: bool(poll.poll(0))
