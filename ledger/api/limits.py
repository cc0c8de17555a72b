"""Everything that has a limit, as data: whatever a request can make the service do has one.

A limit is a line below, with the constant or the setting that it really is. The table in `docs/api.md` is generated
from these lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ledger.access import MOST_LINKS, MOST_LINKS_EVER
from ledger.answers.limits import Limit, LimitList
from ledger.api.blueprint import ApiBlueprint
from ledger.api.caching import PUBLIC
from ledger.api.events import MOST_KEY_CHARACTERS
from ledger.api.here import config
from ledger.api.once import MOST_KEY
from ledger.api.rates import COUNTING, OPENING_IN_ALL, RECORDING, USUAL
from ledger.codec.description import MOST_IN_A_LIST
from ledger.codec.files import MOST_ENTRIES_IN_A_FILE, MOST_EVENTS_IN_A_FILE
from ledger.codec.json_text import DEEPEST
from ledger.codec.reader import MOST_IN_AN_OBJECT
from ledger.config import LONGEST_HEADER, LONGEST_REQUEST_LINE, MOST_HEADERS, Config
from ledger.desk import MOST_EVENTS_TOGETHER
from ledger.importing import MOST_LINES, MOST_WORK
from ledger.live import StreamPlaces
from ledger.notation import LONGEST_LINE
from ledger.play.values import MOST_CHIPS, MOST_WORDS
from ledger.recording import MOST_EVENTS_IN_A_SESSION, MOST_PEOPLE
from ledger.sentences import MOST_TOLD
from ledger.session.corrections import MOST_CORRECTIONS
from ledger.session.rounds import MOST_EVENTS_IN_A_ROUND
from schemas.base import MOST_MEMBERS
from schemas.events import MOST_EVENTS
from schemas.pages import MOST_PAGE
from schemas.sessions import MOST_NAME
from schemas.statistics import MOST_SESSIONS

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
    yield limit("request_line", LONGEST_REQUEST_LINE, "bytes", "request", 414)
    yield limit("headers", MOST_HEADERS, "headers", "request", 431)
    yield limit("header", LONGEST_HEADER, "bytes", "header", 431)
    yield limit("json_depth", DEEPEST, "levels", "request", 400)
    yield limit("errors_named", MOST_TOLD, "fields", "answer")


def of_fields() -> Iterator[Limit]:
    """What may stand in one."""
    yield limit("events_per_request", MOST_EVENTS, "events", "request", 422)
    yield limit("corrections_together", MOST_CORRECTIONS, "corrections", "event", 422)
    yield limit("list", MOST_IN_A_LIST, "elements", "list", 422)
    yield limit("house_rules", MOST_MEMBERS, "members", "object", 422)
    yield limit("page", MOST_PAGE, "elements", "page", 422)
    yield limit("sessions_counted_together", MOST_SESSIONS, "sessions", "request", 422)
    yield limit("events_counted_together", MOST_EVENTS_TOGETHER, "events", "request", 422)
    yield limit("amount", MOST_CHIPS, "chips", "amount", 422)
    yield limit("name", MOST_NAME, "characters", "name", 422)
    yield limit("note", MOST_WORDS, "characters", "note", 422)
    yield limit("notation_line", LONGEST_LINE, "characters", "line", 422, "misread")
    yield limit("idempotency_key", min(MOST_KEY, MOST_KEY_CHARACTERS), "characters", "key", 400)


def of_sessions() -> Iterator[Limit]:
    """What may come together in a session."""
    yield limit("events_per_session", MOST_EVENTS_IN_A_SESSION, "events", "session", 409, "session_is_full")
    yield limit("events_per_round", MOST_EVENTS_IN_A_ROUND, "events", "round", 409, "round_is_full")
    yield limit("people_per_session", MOST_PEOPLE, "people", "session", 409, "too_many_people")
    yield limit("links", MOST_LINKS, "live links", "session", 409, "too_many_links")
    yield limit("links_ever", MOST_LINKS_EVER, "links", "session", 409, "links_are_used_up")


def of_files(settings: Config) -> Iterator[Limit]:
    """What may be brought in."""
    yield limit("import_body", settings.import_bytes, "bytes", "import", 413, setting="LEDGER_IMPORT_BYTES")
    objects = settings.import_objects
    yield limit("import_objects", objects, "objects and lists", "import", 422, setting="LEDGER_IMPORT_BYTES")
    yield limit("import_lines", MOST_LINES, "lines", "import", 422)
    yield limit("import_events", MOST_EVENTS_IN_A_FILE, "events", "import", 422)
    yield limit("import_entries", MOST_ENTRIES_IN_A_FILE, "entries", "import", 422)
    yield limit("import_object", MOST_IN_AN_OBJECT, "members", "object", 422)
    yield limit("import_corrections_times_events", MOST_WORK, "events", "import", 422, "file_is_broken")


def of_work(settings: Config) -> Iterator[Limit]:
    """What a request may take."""
    waiting = round(settings.busy_seconds * 1000)
    yield limit(
        "waiting_to_write", waiting, "milliseconds", "request", 503, "store_busy", setting="LEDGER_BUSY_SECONDS"
    )
    yield limit("connections", settings.connections, "connections", "worker", setting="LEDGER_CONNECTIONS")
    if most := settings.connections_per_address:
        per, code = "address and worker", "service_unavailable"
        yield limit("connections_per_address", most, "connections", per, 503, code, setting="LEDGER_CONNECTIONS")
    yield limit("memory", settings.memory_bytes, "bytes", "worker", setting="LEDGER_MEMORY_BYTES")


def of_streams(settings: Config) -> Iterator[Limit]:
    """How many may follow along."""
    places = StreamPlaces(settings.streams)
    for name, most, per in (
        ("streams", places.most, "worker"),
        ("streams_per_session", places.of_a_session, "session and worker"),
        ("streams_per_link", places.of_a_link, "link and worker"),
        *([("streams_per_address", places.of_an_address, "address and worker")] if settings.rate_limit else []),
    ):
        yield limit(name, most, "streams", per, 503, "too_many_streams", setting="LEDGER_STREAMS")
    lasting = round(settings.stream_seconds * 1000)
    yield limit("stream", lasting, "milliseconds", "stream", setting="LEDGER_STREAM_SECONDS")


def of_addresses(settings: Config) -> Iterator[Limit]:
    """How often one address may ask."""
    rate = settings.rate_limit
    if not rate:
        return
    for kind in USUAL:
        yield rated(kind, rate.most, rate.seconds, "LEDGER_RATE_LIMIT")
    if rate := settings.sessions_per_address:
        yield rated(OPENING_IN_ALL, rate.most, rate.seconds, "LEDGER_SESSIONS_PER_ADDRESS", "sessions")
    if rate := settings.statistics_rate:
        yield rated(COUNTING, rate.most, rate.seconds, "LEDGER_STATISTICS_RATE")
    if rate := settings.recording_rate:
        yield rated(RECORDING, rate.most, rate.seconds, "LEDGER_RECORDING_RATE", "events", "session")


def rated(  # noqa: PLR0913, PLR0917 - each says one thing of it
    kind: str, most: int, seconds: int, setting: str, unit: str = "requests", per: str = "address"
) -> Limit:
    """Give a limit on how often."""
    return Limit(
        name=kind.replace("-", "_"),
        at_most=most,
        unit=unit,
        per=per,
        seconds=seconds,
        status=429,
        code="too_many_requests",
        setting=setting,
    )


CODES = {
    400: "bad_request",
    413: "request_entity_too_large",
    414: "request_uri_too_large",
    422: "malformed_fields",
    431: "request_header_fields_too_large",
}
"""What most limits of a status are told as."""


def limit(  # noqa: PLR0913, PLR0917 - each says one thing of it
    name: str, at_most: int, unit: str, per: str, status: int | None = None, code: str = "", *, setting: str = ""
) -> Limit:
    """Give a limit; beyond it there may be nothing to be refused."""
    told: dict[str, Any] = {} if status is None else {"status": status, "code": code or CODES[status]}
    if setting:
        told["setting"] = setting
    return Limit(name=name, at_most=at_most, unit=unit, per=per, **told)
