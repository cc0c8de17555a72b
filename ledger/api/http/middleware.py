"""Middleware of all requests: request ids, metrics and log lines; compression; security headers; other origins.

`X-Request-ID` of a client or a proxy is used if it is harmless, else an id is made. It is in all log lines of the
request and in its answer, so that a client can say which request failed.

An answer may load and run nothing, be in no frame, and be read by no page of another origin; `POLICIES` has the few
kinds that need more. `Strict-Transport-Security` is left to a proxy: a local network has no https.
"""

from __future__ import annotations

import logging
import os
import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Mapping
from hashlib import sha256
from time import perf_counter

from flask import Flask, Response, g, request
from flask_compress import Compress
from flask_cors import CORS
from structlog.contextvars import bind_contextvars, get_contextvars

from ledger.serving.metrics import REQUEST_SECONDS

LOG = logging.getLogger(__name__)

METHODS = ("GET", "HEAD", "POST", "DELETE", "OPTIONS")
"""Methods of all addresses. Any other is logged as `other`, since clients choose it freely."""

HARMLESS = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""Request ids that may be logged."""

POLICY = "Content-Security-Policy"
NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
POLICIES: Mapping[str, str] = {
    "text/html": f"{NOTHING}; style-src 'unsafe-inline'; sandbox",
    "image/svg+xml": f"{NOTHING}; sandbox",
}
"""Policies of files that are complete in themselves: a score sheet with its styles, a chart."""

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}

ALLOWED_HEADERS = "Authorization Content-Type Idempotency-Key If-Match If-None-Match Last-Event-ID Prefer X-Request-ID"
EXPOSED_HEADERS = (
    "Content-Disposition ETag Idempotency-Replayed Link Location Preference-Applied Retry-After X-Request-ID"
)


class OriginNotAllowed(Exception):
    """Pages of this origin may not ask for that; the operator of the service can allow it."""


def watch_requests(app: Flask, *, is_logged: bool) -> None:
    """Measure each request until its answer begins, and log it if `is_logged`."""

    @app.before_request
    def begin() -> None:
        given = request.headers.get("X-Request-ID", "")
        bind_contextvars(request_id=given if HARMLESS.fullmatch(given) else os.urandom(8).hex())
        g.began = perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        seconds, status = perf_counter() - g.began, response.status_code
        method = request.method if request.method in METHODS else "other"
        route = request.url_rule.rule if request.url_rule else "(none)"
        response.headers.add("X-Request-ID", get_contextvars()["request_id"])
        REQUEST_SECONDS.labels(method, route, f"{status // 100}xx").observe(seconds)
        if is_logged:
            line = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 1)}
            size = response.content_length
            LOG.info("request", extra=line if size is None else {**line, "bytes": size})
        return response


def compress_answers(app: Flask) -> None:
    """Compress long answers for clients that accept gzip, streamed ones as they are written (Flask-Compress).

    Answers that are not stored (`no-store`) may contain a token and are not compressed: an attacker who chooses other
    parts of such an answer, and sees its compressed size, could guess the token letter by letter (BREACH). The ETag of
    a compressed answer is a weak one. Flask-Compress appends the algorithm to it; it has to stay a seq.
    """
    app.config.update(
        COMPRESS_REGISTER=False,
        COMPRESS_ALGORITHM=["gzip"],
        COMPRESS_ALGORITHM_STREAMING=["gzip"],
        COMPRESS_EVALUATE_CONDITIONAL_REQUEST=False,
    )
    extension = Compress(app)
    extension.compress_mimetypes_set.add("text/csv")

    @app.after_request
    def compressed(response: Response) -> Response:
        headers = response.headers
        if headers.get("Cache-Control") == "no-store" or response.status_code == 206:
            return response
        if not request.accept_encodings["gzip"]:  # Flask-Compress takes `gzip;q=0` for a wish
            response.vary.add("Accept-Encoding")
            return response
        tag, close = headers.get("ETag"), getattr(response.response, "close", None)
        response = extension.after_request(response)
        if "Content-Encoding" in headers and tag is not None:
            headers["ETag"] = f"W/{tag.removeprefix('W/')}"
        if close is not None:
            response.call_on_close(close)
        return response


def add_security_headers(response: Response) -> Response:
    """Add the headers; with a 304 the policy of the cached answer stays."""
    response.headers.extend(SECURITY)
    if response.status_code != 304:
        response.headers.setdefault(POLICY, POLICIES.get(response.mimetype or "", NOTHING))
    return response


def page_policy(scripts: Iterable[str] = (), more: str = "") -> str:
    """Give the policy of a page that loads its scripts, styles and pictures from here, and asks here for all else.

    `scripts` are those inside the page itself, `more` is what it needs besides.
    """
    hashes = "".join(f" 'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'" for script in scripts)
    own = f"script-src 'self'{hashes}; style-src 'self'; img-src 'self' data:; connect-src 'self'"
    return f"{NOTHING}; {own}{more}"


def allow_origins(app: Flask, origins: Collection[str]) -> None:
    """Allow requests by pages of these origins (Flask-Cors); refuse writes by pages of others.

    Browsers send simple requests (`text/plain`, without a token) without a preflight, so any page could open sessions
    in a service at home.
    """

    @app.before_request
    def protect() -> None:
        writes = request.method not in {"GET", "HEAD", "OPTIONS"}
        if writes and request.headers.get("Origin") not in origins and is_cross_origin():
            raise OriginNotAllowed

    if not origins:
        return

    @app.after_request
    def vary(response: Response) -> Response:
        """Add `Vary` to answers for other origins, too, which Flask-Cors does not: a cache would reuse them."""
        response.vary.add("Origin")
        return response

    CORS(
        app,
        origins=[re.compile(rf"{re.escape(origin)}\Z") for origin in origins],
        methods=METHODS,
        allow_headers=["Accept-Language", *ALLOWED_HEADERS.split()],
        expose_headers=["RateLimit", "RateLimit-Policy", *EXPOSED_HEADERS.split()],
        max_age=7200,
        always_send=False,
        vary_header=False,
        intercept_exceptions=False,
    )


def is_cross_origin() -> bool:
    """Whether a browser sends this request for a page of another origin, as Go's `http.CrossOriginProtection` does.

    By `Sec-Fetch-Site`, and where that is missing, as over plain HTTP, by `Origin` and `Host`, whose default ports may
    be left out. A proxy may have replaced `Host`; `X-Forwarded-Host` is trusted, as pages need a preflight to send it.
    """
    if site := request.headers.get("Sec-Fetch-Site"):
        return site not in {"same-origin", "none"}
    if (origin := request.headers.get("Origin")) is None:
        return False
    scheme, _, asking = origin.lower().partition("://")
    port = {"http": ":80", "https": ":443"}.get(scheme, "")
    hosts = f"{request.headers.get('Host', '')},{request.headers.get('X-Forwarded-Host', '')}".lower().split(",")
    return not asking or asking.removesuffix(port) not in [host.strip().removesuffix(port) for host in hosts]
