"""Requests that the web server cannot read: told as the same problems as everything else.

Most of them never come as far as the application, and nothing is known of who sent them, so they are told in English;
`ledger.worker` writes the answer. A body in broken chunks is noticed only when a view reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from flask import Flask, Response
from gunicorn.http import errors as gunicorn
from werkzeug import exceptions as werkzeug

from ledger.api.cors import let_read
from ledger.api.errors import http_problem
from ledger.api.parsing import Unreadable
from ledger.guards import USUAL
from ledger.language import SOURCE
from ledger.sentences import say


class TooManyConnections(werkzeug.ServiceUnavailable):
    """An address has all the connections open that it may have."""

    sentence = say("As many connections as one address may have are open; try again once some of them are closed.")

    def __init__(self) -> None:
        super().__init__(retry_after=5)


KINDS: Mapping[type[Exception], type[werkzeug.HTTPException]] = {
    gunicorn.InvalidResponseHeader: werkzeug.InternalServerError,
    gunicorn.InvalidResponseHeaderName: werkzeug.InternalServerError,
    gunicorn.ConfigurationProblem: werkzeug.InternalServerError,
    gunicorn.LimitRequestLine: werkzeug.RequestURITooLarge,
    gunicorn.LimitRequestHeaders: werkzeug.RequestHeaderFieldsTooLarge,
    gunicorn.ExpectationFailed: werkzeug.ExpectationFailed,
    gunicorn.UnsupportedTransferCoding: werkzeug.NotImplemented,
    gunicorn.InvalidHTTPVersion: werkzeug.HTTPVersionNotSupported,
    gunicorn.ParseException: werkzeug.BadRequest,
}
"""As what each failure is told, the narrower kinds first. Whatever else fails is a fault of ours."""

NAMED = frozenset(
    {"HOST", "CONTENT-TYPE", "CONTENT-LENGTH", "TRANSFER-ENCODING"}
    | {"AUTHORIZATION", "IDEMPOTENCY-KEY", "LAST-EVENT-ID", "ORIGIN"}
)
"""Headers that are given once and have to be right for a request to be understood at all."""


def as_http(error: BaseException) -> werkzeug.HTTPException:
    """Say as which failure of HTTP it is told that a request cannot be read."""
    if isinstance(error, werkzeug.HTTPException):
        return error
    if isinstance(error, gunicorn.InvalidHeader) and error.hdr in NAMED:
        name = error.hdr.title()
        return Unreadable(say("the header {name} is given twice, or has a value that it cannot have", name=name))
    return next((told() for kind, told in KINDS.items() if isinstance(error, kind)), werkzeug.InternalServerError())


def unread_problem(error: BaseException, request: Any = None, origins: Collection[str] = ()) -> Response:
    """Tell whoever sent it that a request cannot be read, before any application has seen it.

    A page of one of these origins may read that, if so much of the request could be read that its origin is known.
    """
    problem = http_problem(as_http(error), SOURCE)
    headers = getattr(request or getattr(error, "req", None), "headers", ())
    said = [value for name, value in headers if name == "ORIGIN"]
    let_read(problem, said[0] if len(said) == 1 else None, origins)
    problem.headers.extend(USUAL)
    return problem


def register_unread(app: Flask) -> None:
    """Make the application tell what is found wrong only when a view reads the body."""
    app.register_error_handler(gunicorn.ParseException, lambda error: http_problem(as_http(error)))
