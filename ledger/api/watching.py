"""What stands around the application: the id of a request, the line and the count of its answer, its security headers.

A client, or a proxy before us, may give a request an id (`X-Request-ID`); if it is harmless it is taken over, else one
is made. It stands in every line of the log about the request, and comes back with the answer, so that somebody who saw
something fail can say which request that was.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ledger.guards import CONSTANT, POLICIES, POLICY, USUAL
from ledger.logs import REQUEST_ID, request_id
from ledger.meters import REQUEST_SECONDS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

LOG = logging.getLogger(__name__)

METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
"""Methods that some address takes. Any other is noted as `other`: clients may make up as many as they like."""

NOWHERE = "(none)"
"""The route of a request to an address that there is not."""

Headers = list[tuple[str, str]]


def watched(environ: WSGIEnvironment, start_response: StartResponse, *, told: bool) -> StartResponse:
    """Give a request its id; give what begins the answer with it, guarded, and notes it, in the log if it is `told`.

    Of a stream only its beginning is timed. This stands around the application, and looks at the request where werkzeug
    has left it: to ask Flask for it, five times over, would cost a short answer a twentieth.
    """
    began, given = perf_counter(), request_id(environ.get("HTTP_X_REQUEST_ID"))
    REQUEST_ID.set(given)

    def answer(status: str, headers: Headers, *trouble: Any) -> Callable[[bytes], object]:
        headers.append(("X-Request-ID", given))
        rule = environ["werkzeug.request"].url_rule
        asked, seconds = environ["REQUEST_METHOD"], perf_counter() - began
        method, route = asked if asked in METHODS else "other", rule.rule if rule else NOWHERE
        REQUEST_SECONDS.saw(seconds, method, route, f"{status[0]}xx")
        if told:
            said = {"method": method, "route": route, "status": int(status[:3]), "ms": round(seconds * 1000, 1)}
            size = dict(headers).get("Content-Length")
            LOG.info("request", extra=said if size is None else {**said, "bytes": int(size)})
        return start_response(status, [*headers, *security_headers(status, headers)], *trouble)

    return answer


def security_headers(status: str, headers: Headers) -> Iterable[tuple[str, str]]:
    """Give the headers that an answer with these has besides. With a 304 the policy that came with the body stays."""
    kind = None
    for name, value in headers:
        if name == POLICY:
            return CONSTANT
        if name == "Content-Type":
            kind = value
    if kind is None:
        return CONSTANT if status.startswith("304") else USUAL
    other = POLICIES.get(kind.partition(";")[0])
    return (*CONSTANT, (POLICY, other)) if other else USUAL
