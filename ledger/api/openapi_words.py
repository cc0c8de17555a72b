"""The texts of `/openapi.json` that belong to no record and no view: the service, headers, addresses, failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.api.rates import RATES
from ledger.play.values import LinkId, SessionId
from schemas.wording import form_of

Json = dict[str, Any]

ABOUT = """Fuda Ledger keeps the books for Shirinma, Shippin and Kakkuri, three Japanese card games for money of play.

Report what is seen at the table, event by event; the rules are applied, and every chip that moves is written down. A
token opens one session: `Authorization: Bearer <token>`. Every failure is an `application/problem+json`, with a
stable `code`. Members may be added to answers; what is there keeps its meaning."""

INFO = {
    "description": ABOUT,
    "contact": {"name": "The Fuda Ledger authors"},
    "license": {"name": "MIT", "identifier": "MIT"},
}
SERVERS = [{"url": "/", "description": "The service that this description was read from."}]
BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of a session, as it was shown when the link was made; to open one, the operator's key.",
}

COUNTED: Json = {"type": "integer", "format": "int64", "minimum": 1, "examples": [1]}
PATH: Mapping[str, Json] = {
    "session_id": {"description": "The session's id.", "type": "string", "minLength": 1, **form_of(SessionId)},
    "link_id": {"description": "The link's id.", "type": "string", "minLength": 1, **form_of(LinkId)},
    "number": {"description": "The round's number, from 1.", **COUNTED},
    "seq": {"description": "The event's number, from 1.", **COUNTED},
    "game": {"description": "Which game.", "examples": ["shirinma"]},
    "deck": {"description": "Which deck.", "examples": ["mekurifuda"]},
}
"""The parameters of addresses; the last two are sets of words."""

HEADERS: Mapping[str, Json] = {
    "ETag": {
        "description": "What the answer depends on, of a session its last seq: for `If-None-Match`, `If-Match`.",
        "examples": ['"41"'],
    },
    "Location": {"description": "The address of what was made.", "format": "uri-reference"},
    "Link": {
        "description": "Where the list goes on (`rel=next`), if it does.",
        "examples": ['</v1/…?after=100>; rel="next"'],
    },
    "Cache-Control": {"description": "Whether the answer may be stored.", "examples": ["no-store"]},
    "Vary": {"description": "By which headers of the request answers differ.", "examples": ["Accept-Language"]},
    "Content-Language": {"description": "The language of the answer.", "examples": ["en"]},
    "Content-Disposition": {"description": "The name under which the file is saved (RFC 6266)."},
    "Idempotency-Replayed": {"description": "`true` on an answer that was given before.", "examples": ["true"]},
    "Preference-Applied": {"description": "Which preference was applied.", "examples": ["return=minimal"]},
    "RateLimit": {
        "description": "How many requests this address has left, and in how many seconds it has all of them again.",
        "examples": ['"opening";r=599;t=60'],
    },
    "RateLimit-Policy": {
        "description": "How many requests an address has in how many seconds.",
        "examples": ['"opening";q=600;w=60'],
    },
    "Retry-After": {"description": "In how many seconds to try again.", "examples": ["1"]},
    "X-Request-ID": {"description": "The id of the request in the log: its own `X-Request-ID`, or a new one."},
    "WWW-Authenticate": {"description": "How to authenticate.", "examples": ['Bearer realm="fuda-ledger"']},
}
"""The headers of answers."""

OF_ALL = ("X-Request-ID",)
"""Headers that every answer has."""

NAMES: Mapping[int, str] = {
    400: "Unreadable",
    401: "TokenNeeded",
    403: "RoleTooSmall",
    404: "NotFound",
    409: "NotPossible",
    412: "MovedOn",
    413: "TooLarge",
    415: "NotTaken",
    422: "WrongFields",
    429: "TooOften",
    503: "Busy",
    507: "StorageFull",
}
"""The failures that have a response of their own, by name; any other is the `default`."""

OF_FAILURES: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate", *RATES),
    429: ("Retry-After", *RATES),
    503: ("Retry-After",),
}
"""Headers of failures."""
