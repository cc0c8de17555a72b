"""Cross-origin requests: pages of the origins that the operator lists may ask, and no others.

A browser asks before it sends anything unusual (a preflight), and hands an answer to a page only if the answer names
the page's origin. So every answer says that it depends on who asks, also to those who are not listed: a cache would
else hand on what was told to somebody else. Flask-Cors says so only to those who are.

A simple request (a text in `text/plain`, without a token) is sent without a preflight. It would open sessions in a
service at home for any page that is looked at there. So what does not only read is refused when a browser says that it
comes from a page of another origin, as Go's `http.CrossOriginProtection` does it: by `Sec-Fetch-Site`, and where that
is not sent, as over plain HTTP, by `Origin` and `Host`. A proxy may have replaced `Host`; a page cannot send
`X-Forwarded-Host` without a preflight, so it is as good.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from flask import Flask, Response, request

from ledger.api.compression import also_varies_by

SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that only read (RFC 9110)."""

TAKEN = (
    "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, "
    "X-Request-ID"
)
"""Headers that a page may send."""

TOLD = (
    "Content-Disposition, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, "
    "Retry-After, X-Request-ID"
)
"""Headers that a page may read, besides those that it always may."""

PORTS = {"http": 80, "https": 443}
"""Ports that a scheme has by default: written or not, they are the same."""

SECONDS = 7200
"""How long a browser may go by the answer to a preflight."""


class OriginNotAllowed(Exception):
    """Pages of this origin may not ask for that; the operator of the service can allow it."""


def is_cross_origin() -> bool:
    """Say whether a browser sends this request for a page of another origin."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site not in {"same-origin", "none"}
    origin = request.headers.get("Origin")
    if origin is None:
        return False
    scheme, _, host = origin.lower().partition("://")
    hosts = f"{request.headers.get('Host', '')},{request.headers.get('X-Forwarded-Host', '')}".lower()
    known = [host_and_port(host.strip(), scheme) for host in hosts.split(",")]
    asking = host_and_port(host, scheme)
    return asking is None or asking not in known


def host_and_port(host: str, scheme: str) -> tuple[str, int | None] | None:
    """Split a host from its port, by default that of the scheme; none of what is no host, as of `null`."""
    try:
        found = urlsplit(f"//{host}")
        port = PORTS.get(scheme) if found.port is None else found.port
    except ValueError:
        return None
    return (found.hostname, port) if found.hostname else None


def let_read(response: Response, origin: str | None, origins: Collection[str]) -> None:
    """Let a page read an answer if its origin is one of these; say that it depends on that, if any are."""
    if origins:
        also_varies_by(response, "Origin")
    if origin is not None and origin in origins:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = TOLD


def open_to(app: Flask, origins: Collection[str]) -> None:
    """Let pages of these origins ask; those of others may not write."""

    def protect() -> None:
        if request.method not in SAFE and request.headers.get("Origin") not in origins and is_cross_origin():
            raise OriginNotAllowed

    app.before_request(protect)
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
