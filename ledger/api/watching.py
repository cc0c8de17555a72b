"""What is noted of every request: the id that it has, and how it was answered.

A client, or a proxy before us, may give a request an id (`X-Request-ID`); if it is harmless it is taken over, else one
is made. It stands in every line of the log about the request, and comes back with the answer, so that somebody who saw
something fail can say which request that was.
"""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING

from flask import Response, request

from ledger.api.here import config
from ledger.config import Switch
from ledger.logs import REQUEST_ID, request_id

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

LOG = logging.getLogger(__name__)

BEGAN = "ledger.began"
"""Where it is noted when a request began."""

METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
"""Methods that some address takes. Any other is noted as `other`: clients may make up as many as they like."""

NOWHERE = "(none)"
"""The route of a request to an address that there is not."""


def begin_to_watch(environ: WSGIEnvironment) -> None:
    """Give a request its id, and note when it began."""
    REQUEST_ID.set(request_id(environ.get("HTTP_X_REQUEST_ID")))
    environ[BEGAN] = perf_counter()


def note(response: Response) -> None:
    """Send the id back, and note how the request was answered. Of a stream only its beginning is timed."""
    response.headers.add("X-Request-ID", REQUEST_ID.get())
    if config().log_requests is Switch.ON:
        rule = request.url_rule
        said = {
            "method": request.method if request.method in METHODS else "other",
            "route": rule.rule if rule else NOWHERE,
            "status": response.status_code,
            "ms": round((perf_counter() - request.environ[BEGAN]) * 1000, 1),
        }
        length = response.calculate_content_length()
        LOG.info("request", extra=said if length is None else {**said, "bytes": length})
