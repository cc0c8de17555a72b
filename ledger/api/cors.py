"""Pages of other origins that may ask: those that the operator lists, and no others.

A browser asks before it sends anything unusual (a preflight), and hands an answer to a page only if the answer names
the page's origin. So every answer says that it depends on who asks, also to those who are not listed: a cache would
else hand on what was told to somebody else. Flask-Cors says so only to those who are.
"""

from __future__ import annotations

from collections.abc import Collection

from flask import Flask, Response, request

from ledger.api.compression import also_varies_by

TAKEN = "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer"
"""Headers that a page may send."""

TOLD = (
    "Content-Disposition, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, "
    "Retry-After"
)
"""Headers that a page may read, besides those that it always may."""

SECONDS = 7200
"""How long a browser may go by the answer to a preflight."""


def open_to(app: Flask, origins: Collection[str]) -> None:
    """Let pages of these origins ask."""
    if not origins:
        return

    def permit(response: Response) -> Response:
        also_varies_by(response, "Origin")
        origin = request.headers.get("Origin")
        if origin not in origins:
            return response
        response.headers["Access-Control-Allow-Origin"] = origin
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
            response.headers["Access-Control-Allow-Headers"] = TAKEN
            response.headers["Access-Control-Max-Age"] = str(SECONDS)
        else:
            response.headers["Access-Control-Expose-Headers"] = TOLD
        return response

    app.after_request(permit)
