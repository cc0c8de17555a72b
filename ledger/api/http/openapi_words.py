"""The texts of `/openapi.json` that belong to no record and no view: the service, headers, addresses, failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger import __version__
from ledger.api.http.rate_limits import RATES

Json = dict[str, Any]

ABOUT = """Fuda Ledger keeps the books for Shirinma, Shippin and Kakkuri, three Japanese card games for money of play.

Report what is seen at the table, event by event; the rules are applied, and every chip that moves is written down. A
token opens one session: `Authorization: Bearer <token>`. Every failure is an `application/problem+json`, with a
stable `code`. Members may be added to answers; what is there keeps its meaning."""

OF_THE_SERVICE = {
    "openapi": "3.1.0",
    "info": {
        "title": "Fuda Ledger",
        "version": __version__,
        "description": ABOUT,
        "contact": {"name": "The Fuda Ledger authors"},
        "license": {"name": "MIT", "identifier": "MIT"},
    },
    "servers": [{"url": "/", "description": "The service that this description was read from."}],
}
BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of a session, as it was shown when the link was made; to open one, the operator's key.",
}


def header(description: str, **more: Any) -> Json:
    """Describe a header: what it means, and what its text is like."""
    return {"description": description, "schema": {"type": "string", **more}}


HEADERS: Mapping[str, Json] = {
    name: header(description, examples=examples)
    for name, description, *examples in (
        ("ETag", "What the answer depends on, of a session its last seq: for `If-None-Match`, `If-Match`.", '"41"'),
        ("Location", "The address of what was made."),
        ("Link", "Where the list goes on (`rel=next`), if it does.", '</v1/…?after=100>; rel="next"'),
        ("Cache-Control", "Whether the answer may be stored.", "no-store"),
        ("Vary", "By which headers of the request answers differ.", "Accept-Language"),
        ("Content-Language", "The language of the answer.", "en"),
        ("Content-Disposition", "The name under which the file is saved (RFC 6266)."),
        ("Idempotency-Replayed", "`true` on an answer that was given before.", "true"),
        ("Preference-Applied", "Which preference was applied.", "return=minimal"),
        ("RateLimit", "How many requests are left, and in how many seconds all are.", '"opening";r=599;t=60'),
        ("RateLimit-Policy", "How many requests an address has in how many seconds.", '"opening";q=600;w=60'),
        ("Retry-After", "In how many seconds to try again.", "1"),
        ("X-Request-ID", "The id of the request in the log: its own `X-Request-ID`, or a new one."),
        ("WWW-Authenticate", "How to authenticate.", 'Bearer realm="fuda-ledger"'),
    )
}
"""The headers of answers."""

OF_FAILURES: Mapping[int, tuple[str, ...]] = {
    **dict.fromkeys((400, 403, 404, 409, 412, 413, 415, 422, 507), ()),
    401: ("WWW-Authenticate", *RATES),
    429: ("Retry-After", *RATES),
    503: ("Retry-After",),
}
"""The failures that are described by their status, and the headers that they have besides; others are the `default`."""
