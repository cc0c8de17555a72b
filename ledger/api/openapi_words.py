"""What `/openapi.json` says besides the records: parameters, headers, and the failures that a call can have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.api.events import MOST_KEY_CHARACTERS
from ledger.api.once import LEAST_KEY, MOST_KEY
from schemas.wording import LINK_ID, SESSION_ID

Json = dict[str, Any]

ABOUT = """Fuda Ledger keeps the books for Shirinma, Shippin and Kakkuri, three Japanese card games for money of play.

Report what is seen at the table, event by event; the rules are applied, and every chip that moves is written down. A
token opens one session: `Authorization: Bearer <token>`. Whatever fails is told as `application/problem+json`, with a
stable `code`. Members may be added to answers; what is there keeps its meaning."""

LICENSE = {"name": "MIT", "identifier": "MIT"}
SERVERS = [{"url": "/", "description": "The service that this description was read from."}]
BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A token of a session, as it was shown when the link was made; to open one, the operator's key.",
}

PATH: Mapping[str, tuple[str, Json]] = {
    "session_id": ("The session's id.", {"type": "string", "minLength": 1, **SESSION_ID}),
    "link_id": ("The link's id.", {"type": "string", "minLength": 1, **LINK_ID}),
    "number": ("The round's number, from 1.", {"type": "integer", "format": "int64", "minimum": 1, "examples": [1]}),
    "seq": ("The event's number, from 1.", {"type": "integer", "format": "int64", "minimum": 1, "examples": [1]}),
    "game": ("Which game.", {"examples": ["shirinma"]}),
    "deck": ("Which deck.", {"examples": ["mekurifuda"]}),
    "form": ("In which form.", {"examples": ["csv"]}),
}
"""What stands in addresses."""

QUERY: Mapping[str, str] = {
    "after": "Only what comes after this one: the seq of an event, the number of a round, the id of an entry.",
    "limit": "How many at most.",
    "at": "The last event that is to count.",
    "lang": "The reader's language; by default as in `Accept-Language`.",
    "what": "Of a CSV: what has a row of its own; by default an entry.",
    "even_if_last": "Also if it is the last link that owns the session.",
    "dry_run": "Say what would happen, and store nothing.",
    "via": "The id of a player through whom everything is paid.",
    "account": "Only the entries of this account: a player's id, `pot` or `bank`.",
    "game": "Of a list of balances: which game will be played.",
    "deck": "Of a list of balances: with which deck.",
    "name": "Of a list of balances: what the session is called.",
}
"""What is said of the parameters of the query."""

HEADERS: Mapping[str, tuple[str, Json]] = {
    "ETag": (
        "What the answer depends on, of a session its last seq: for `If-None-Match`, `If-Match`.",
        {"examples": ['"41"']},
    ),
    "Location": ("Where what was made can be looked at.", {"format": "uri-reference"}),
    "Link": ("Where the list goes on (`rel=next`), if it does.", {"examples": ['</v1/…?after=100>; rel="next"']}),
    "Cache-Control": ("Whether the answer may be kept.", {"examples": ["no-store"]}),
    "Vary": ("By which headers of the request answers differ.", {"examples": ["Accept-Language"]}),
    "Content-Language": ("In which language it is written.", {"examples": ["en"]}),
    "Content-Disposition": ("Under which name the file is saved (RFC 6266).", {}),
    "Idempotency-Replayed": ("`true` on an answer that was given before.", {"examples": ["true"]}),
    "Preference-Applied": ("Which preference was heeded.", {"examples": ["return=minimal"]}),
    "RateLimit": (
        "How often it may still be asked from this address, and in how many seconds as often as ever.",
        {"examples": ['"opening";r=599;t=60']},
    ),
    "RateLimit-Policy": ("How often in how many seconds it may be asked.", {"examples": ['"opening";q=600;w=60']}),
    "Erasure-Pending": (
        "`true` while what is gone may not be cleared away yet, as somebody uses the database; it will be.",
        {"examples": ["true"]},
    ),
    "Retry-After": ("In how many seconds to try again.", {"examples": ["1"]}),
    "X-Request-ID": ("What the request is called in the log: its own `X-Request-ID`, or a new id.", {}),
    "WWW-Authenticate": ("How to show who one is.", {"examples": ['Bearer realm="fuda-ledger"']}),
}
"""What is said of the headers of answers."""

RATES = ("RateLimit", "RateLimit-Policy")

GIVEN: Mapping[str, tuple[str, ...]] = {
    "open_session": ("Location", "ETag", "Idempotency-Replayed", *RATES),
    "import_session": ("Location", "ETag", "Idempotency-Replayed", *RATES),
    "calculate_round": RATES,
    "show_statistics_together": RATES,
    "replay_round": ("Link",),
    "make_link": ("Idempotency-Replayed",),
    "show_session": ("ETag",),
    "show_odds": ("ETag",),
    "record_events": ("ETag", "Idempotency-Replayed", "Preference-Applied", "Erasure-Pending", *RATES),
    "delete_session": ("Erasure-Pending",),
    "verify_session": ("Content-Language", "Vary"),
    "show_chart": ("Content-Language", "Vary"),
    "export": ("Content-Disposition", "Content-Language", "Vary"),
}
"""Which of them a successful answer of an operation may have."""

NAMES: Mapping[int, str] = {
    400: "Unreadable",
    401: "TokenNeeded",
    403: "RoleTooSmall",
    404: "NotThere",
    409: "NotPossible",
    412: "MovedOn",
    413: "TooLarge",
    415: "NotTaken",
    422: "WrongFields",
    429: "TooOften",
    503: "Busy",
    507: "StorageFull",
}
"""How the failures are called that have a response of their own; any other is told as `default`."""

OF_FAILURES: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate", *RATES),
    429: ("Retry-After", *RATES),
    503: ("Retry-After",),
}
OF_ALL = ("X-Request-ID",)
"""Headers that every answer has."""

CONFLICTS = {
    "record_events",
    "show_odds",
    "calculate_round",
    "import_session",
    "recalculate_round",
    "open_session",
    "make_link",
    "revoke_link",
    "stream_events",
}
"""What can be well formed and still not be possible."""

RATED = {"open_session", "import_session", "calculate_round", "show_statistics_together"}
"""What may be asked so often from one address; besides it, whatever is asked with a wrong token."""

WRITES = {"record_events", "open_session", "import_session", "delete_session", "make_link", "revoke_link"}
"""What is stored, and finds the storage busy or full."""


def failures_of(operation: Json, path: str) -> set[int]:
    """Say how an operation can fail."""
    name, security = operation["operationId"], operation.get("security", [])
    found = {422}
    if security:
        found |= {401}
    if security == [{"bearer": []}]:
        found |= {403, 404}
    if "{" in path:
        found |= {404}
    if "requestBody" in operation:
        found |= {400, 413, 415}
    if name in CONFLICTS:
        found |= {409}
    if name in WRITES:
        found |= {503, 507}
    if name in {"record_events", "delete_session"}:
        found |= {412}
    if name == "stream_events":
        found |= {400, 503}
    if 401 in found or name in RATED:
        found |= {429}
    if name in {"readyz", "show_statistics_together"}:
        found |= {503}
    return found


def heeded(name: str, about: str, operation: Json) -> Json:
    """Describe a header that an operation heeds."""
    schema: Json = {"type": "string"}
    if name == "Idempotency-Key":
        least, most = (1, MOST_KEY_CHARACTERS) if operation["operationId"] == "record_events" else (LEAST_KEY, MOST_KEY)
        schema |= {"minLength": least, "maxLength": most}
    return {"in": "header", "name": name, "description": about, "schema": schema}


def header(name: str, *, needed: bool = False) -> Json:
    """Describe a header of an answer."""
    about, schema = HEADERS[name]
    return {"description": about, **({"required": True} if needed else {}), "schema": {"type": "string", **schema}}
