"""Pages of other origins that may ask: those that the operator lists, and no others.

A browser asks before it sends anything unusual (a preflight), and hands an answer to a page only if the answer names
the page's origin. So every answer says that it depends on who asks, also to those who are not listed: a cache would
else hand on what was told to somebody else. Flask-Cors says so only to those who are.
"""

from __future__ import annotations

from collections.abc import Collection

from flask import Flask, Response, request

from ledger.api.compression import also_varies_by

TAKEN = (
    "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, "
    "X-Request-ID"
)
"""Headers that a page may send."""

TOLD = (
    "Content-Disposition, ETag, Erasure-Pending, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, "
    "RateLimit-Policy, Retry-After, X-Request-ID"
)
"""Headers that a page may read, besides those that it always may."""

SECONDS = 7200
"""How long a browser may go by the answer to a preflight."""


def let_read(response: Response, origin: str | None, origins: Collection[str]) -> None:
    """Let a page read an answer if its origin is one of these; say that it depends on that, if any are."""
    if origins:
        also_varies_by(response, "Origin")
    if origin is not None and origin in origins:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = TOLD


def open_to(app: Flask, origins: Collection[str]) -> None:
    """Let pages of these origins ask."""
    if not origins:
        return

    def permit(response: Response) -> Response:
        let_read(response, request.headers.get("Origin"), origins)
        if "Access-Control-Allow-Origin" not in response.headers:
            return response
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
            response.headers["Access-Control-Allow-Headers"] = TAKEN
            response.headers["Access-Control-Max-Age"] = str(SECONDS)
            del response.headers["Access-Control-Expose-Headers"]
        return response

    app.after_request(permit)
