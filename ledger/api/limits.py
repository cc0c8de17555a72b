"""Everything that has a limit, as data: whatever a request can make the service do has one.

A limit is a line below, with the constant or the setting that it really is. The table in `docs/api.md` is generated
from these lines.
"""

from __future__ import annotations

from collections.abc import Iterator

from ledger.access import MAX_LINKS, MAX_LINKS_EVER
from ledger.api.blueprint import ApiBlueprint
from ledger.api.caching import PUBLIC
from ledger.api.events import MAX_KEY_CHARACTERS
from ledger.api.here import config
from ledger.api.once import MAX_KEY
from ledger.api.rates import KINDS, policy
from ledger.codec.files import MAX_ENTRIES_IN_A_FILE, MAX_EVENTS_IN_A_FILE
from ledger.codec.json_text import DEEPEST
from ledger.config import MAX_HEADER, MAX_HEADERS, MAX_REQUEST_LINE, Config
from ledger.desk import MAX_EVENTS_TOGETHER
from ledger.importing import MAX_LINES, MAX_WORK
from ledger.live import STREAM_SECONDS
from ledger.notation import LONGEST_LINE
from ledger.play.values import MAX_CHIPS, MAX_WORDS
from ledger.recording import MAX_EVENTS_IN_A_SESSION, MAX_PEOPLE
from ledger.responses.service import Limit, LimitList
from ledger.sentences import MAX_TOLD
from ledger.session.corrections import MAX_CORRECTIONS
from ledger.session.rounds import MAX_EVENTS_IN_A_ROUND
from ledger.session_cache import MAX_CACHED_EVENTS
from schemas.events import MAX_EVENTS
from schemas.fields import MAX_IN_A_LIST, MAX_IN_AN_OBJECT, MAX_MEMBERS, MAX_NAME
from schemas.queries import MAX_PAGE
from schemas.statistics import MAX_SESSIONS

limits = ApiBlueprint("limits", __name__, description="What has a limit.", url_prefix="/v1")


@limits.get("/limits")
@limits.answers(LimitList, cache=PUBLIC)
def show_limits() -> LimitList:
    """List everything that has a limit.

    How much of what each limit allows, which status and code an answer has beyond it, and the setting that changes it.
    """
    return LimitList(tuple(limits_of(config())))


def limits_of(settings: Config) -> Iterator[Limit]:
    """Give every limit."""
    yield from of_requests(settings)
    yield from of_fields()
    yield from of_sessions()
    yield from of_files(settings)
    yield from of_work(settings)
    yield from of_streams(settings)
    yield from of_addresses(settings)


def of_requests(settings: Config) -> Iterator[Limit]:
    """What a request may be."""
    yield limit("body", settings.body_bytes, "bytes", "request", 413, setting="LEDGER_BODY_BYTES")
    yield limit("request_line", MAX_REQUEST_LINE, "bytes", "request", 414)
    yield limit("headers", MAX_HEADERS, "headers", "request", 431)
    yield limit("header", MAX_HEADER, "bytes", "header", 431)
    yield limit("json_depth", DEEPEST, "levels", "request", 400)
    yield limit("errors_named", MAX_TOLD, "fields", "answer")


def of_fields() -> Iterator[Limit]:
    """What may stand in one."""
    yield limit("events_per_request", MAX_EVENTS, "events", "request", 422)
    yield limit("corrections_together", MAX_CORRECTIONS, "corrections", "event", 422)
    yield limit("list", MAX_IN_A_LIST, "elements", "list", 422)
    yield limit("house_rules", MAX_MEMBERS, "members", "object", 422)
    yield limit("page", MAX_PAGE, "elements", "page", 422)
    yield limit("sessions_counted_together", MAX_SESSIONS, "sessions", "request", 422)
    yield limit("events_counted_together", MAX_EVENTS_TOGETHER, "events", "request", 422)
    yield limit("amount", MAX_CHIPS, "chips", "amount", 422)
    yield limit("name", MAX_NAME, "characters", "name", 422)
    yield limit("note", MAX_WORDS, "characters", "note", 422)
    yield limit("notation_line", LONGEST_LINE, "characters", "line", 422, "misread")
    yield limit("idempotency_key", min(MAX_KEY, MAX_KEY_CHARACTERS), "characters", "key", 400)


def of_sessions() -> Iterator[Limit]:
    """What may come together in a session."""
    yield limit("events_per_session", MAX_EVENTS_IN_A_SESSION, "events", "session", 409, "session_is_full")
    yield limit("events_per_round", MAX_EVENTS_IN_A_ROUND, "events", "round", 409, "round_is_full")
    yield limit("people_per_session", MAX_PEOPLE, "people", "session", 409, "too_many_people")
    yield limit("links", MAX_LINKS, "live links", "session", 409, "too_many_links")
    yield limit("links_ever", MAX_LINKS_EVER, "links", "session", 409, "links_are_used_up")


def of_files(settings: Config) -> Iterator[Limit]:
    """What may be brought in."""
    yield limit("import_body", settings.import_bytes, "bytes", "import", 413, setting="LEDGER_IMPORT_BYTES")
    objects = settings.import_objects
    yield limit("import_objects", objects, "objects and lists", "import", 422, setting="LEDGER_IMPORT_BYTES")
    yield limit("import_lines", MAX_LINES, "lines", "import", 422)
    yield limit("import_events", MAX_EVENTS_IN_A_FILE, "events", "import", 422)
    yield limit("import_entries", MAX_ENTRIES_IN_A_FILE, "entries", "import", 422)
    yield limit("import_object", MAX_IN_AN_OBJECT, "members", "object", 422)
    yield limit("import_corrections_times_events", MAX_WORK, "events", "import", 422, "file_is_broken")


def of_work(settings: Config) -> Iterator[Limit]:
    """What a request may take."""
    waiting = round(settings.busy_seconds * 1000)
    yield limit(
        "waiting_to_write", waiting, "milliseconds", "request", 503, "store_busy", setting="LEDGER_BUSY_SECONDS"
    )
    yield limit("memory", MAX_CACHED_EVENTS, "events", "worker")


def of_streams(settings: Config) -> Iterator[Limit]:
    """How many may follow along."""
    yield limit("streams", settings.streams, "streams", "worker", 503, "too_many_streams", setting="LEDGER_STREAMS")
    yield limit("stream", round(STREAM_SECONDS * 1000), "milliseconds", "stream")


def of_addresses(settings: Config) -> Iterator[Limit]:
    """How often one address may ask."""
    for kind in KINDS:
        for rate in settings.rate_limit:
            yield Limit(
                name=policy(kind, settings.rate_limit, rate).replace("-", "_"),
                at_most=rate.amount,
                unit="requests",
                per="address",
                seconds=rate.get_expiry(),
                status=429,
                code="too_many_requests",
                setting="LEDGER_RATE_LIMIT",
            )


CODES = {400: "bad_request", 413: "request_entity_too_large", 422: "malformed_fields"}
"""The code of a problem beyond a limit, by its status, where a limit names no other."""


def limit(  # noqa: PLR0913, PLR0917 - each says one thing of it
    name: str, at_most: int, unit: str, per: str, status: int = 0, code: str = "", *, setting: str | None = None
) -> Limit:
    """Give a limit; beyond it there may be nothing to be refused, and what the web server refuses has no code."""
    told = code or CODES.get(status)
    return Limit(name=name, at_most=at_most, unit=unit, per=per, status=status or None, code=told, setting=setting)
