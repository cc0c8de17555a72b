"""Everything that has a limit, as a table, of which the one in `docs/api.md` is generated."""

from __future__ import annotations

from itertools import product
from typing import Any

from werkzeug.exceptions import BadRequest, RequestEntityTooLarge

from ledger.api.http.blueprint import ApiBlueprint
from ledger.api.http.conditional import PUBLIC
from ledger.api.http.current import config
from ledger.api.http.idempotency import MAX_KEY
from ledger.api.http.problems import problem_type
from ledger.api.http.rate_limits import KINDS, TooManyRequests, policy
from ledger.codec.export_file import MAX_ENTRIES_IN_A_FILE, MAX_EVENTS_IN_A_FILE
from ledger.codec.json_text import MAX_DEPTH
from ledger.config import MAX_HEADER, MAX_HEADERS, MAX_REQUEST_LINE, Config
from ledger.i18n.sentences import MAX_NAMED, Malformed
from ledger.notation import MAX_LINE_LENGTH, NotationSyntaxError
from ledger.responses.service import Limit, LimitList
from ledger.rulebook.values import MAX_CHIPS, MAX_WORDS
from ledger.services.access import MAX_LINKS, MAX_LINKS_EVER
from ledger.services.importing import MAX_LINES, MAX_WORK, FileIsBroken
from ledger.services.recording import MAX_EVENTS_IN_A_SESSION, MAX_PEOPLE
from ledger.services.session_cache import MAX_CACHED_EVENTS
from ledger.services.sessions import MAX_EVENTS_TOGETHER
from ledger.services.streams import STREAM_SECONDS, TooManyStreams
from ledger.session.corrections import MAX_CORRECTIONS
from ledger.session.refusals import LinksAreUsedUp, RoundIsFull, SessionIsFull, TooManyLinks, TooManyPeople
from ledger.session.rounds import MAX_EVENTS_IN_A_ROUND
from ledger.storage.errors import StoreBusy
from schemas.fields import MAX_IN_A_LIST, MAX_IN_AN_OBJECT, MAX_MEMBERS, MAX_NAME
from schemas.requests import MAX_EVENTS, MAX_PAGE, MAX_SESSIONS

limits = ApiBlueprint("limits", "What has a limit.", "/v1")


@limits.get("/limits", cache=PUBLIC)
def show_limits() -> LimitList:
    """List everything that has a limit.

    How much of what each limit allows, which status and code an answer has beyond it, and the setting that changes it.
    """
    return LimitList(tuple(limits_of(config())))


def limits_of(settings: Config) -> list[Limit]:
    waiting, of_import, of_rate = round(settings.busy_seconds * 1000), "LEDGER_IMPORT_BYTES", "LEDGER_RATE_LIMIT"
    return [
        limit("body", settings.body_bytes, "bytes", "request", RequestEntityTooLarge, setting="LEDGER_BODY_BYTES"),
        limit("request_line", MAX_REQUEST_LINE, "bytes", "request", 414),
        limit("headers", MAX_HEADERS, "headers", "request", 431),
        limit("header", MAX_HEADER, "bytes", "header", 431),
        limit("json_depth", MAX_DEPTH, "levels", "request", BadRequest),
        limit("errors_named", MAX_NAMED, "fields", "answer"),
        limit("events_per_request", MAX_EVENTS, "events", "request", Malformed),
        limit("corrections_together", MAX_CORRECTIONS, "corrections", "event", Malformed),
        limit("list", MAX_IN_A_LIST, "elements", "list", Malformed),
        limit("house_rules", MAX_MEMBERS, "members", "object", Malformed),
        limit("page", MAX_PAGE, "elements", "page", Malformed),
        limit("sessions_counted_together", MAX_SESSIONS, "sessions", "request", Malformed),
        limit("events_counted_together", MAX_EVENTS_TOGETHER, "events", "request", Malformed),
        limit("amount", MAX_CHIPS, "chips", "amount", Malformed),
        limit("name", MAX_NAME, "characters", "name", Malformed),
        limit("note", MAX_WORDS, "characters", "note", Malformed),
        limit("notation_line", MAX_LINE_LENGTH, "characters", "line", NotationSyntaxError),
        limit("idempotency_key", MAX_KEY, "characters", "key", BadRequest),
        limit("events_per_session", MAX_EVENTS_IN_A_SESSION, "events", "session", SessionIsFull),
        limit("events_per_round", MAX_EVENTS_IN_A_ROUND, "events", "round", RoundIsFull),
        limit("people_per_session", MAX_PEOPLE, "people", "session", TooManyPeople),
        limit("links", MAX_LINKS, "live links", "session", TooManyLinks),
        limit("links_ever", MAX_LINKS_EVER, "links", "session", LinksAreUsedUp),
        limit("import_body", settings.import_bytes, "bytes", "import", RequestEntityTooLarge, setting=of_import),
        limit("import_objects", settings.import_objects, "objects and lists", "import", Malformed, setting=of_import),
        limit("import_lines", MAX_LINES, "lines", "import", Malformed),
        limit("import_events", MAX_EVENTS_IN_A_FILE, "events", "import", Malformed),
        limit("import_entries", MAX_ENTRIES_IN_A_FILE, "entries", "import", Malformed),
        limit("import_object", MAX_IN_AN_OBJECT, "members", "object", Malformed),
        limit("import_corrections_times_events", MAX_WORK, "events", "import", FileIsBroken),
        limit("waiting_to_write", waiting, "milliseconds", "request", StoreBusy, setting="LEDGER_BUSY_SECONDS"),
        limit("memory", MAX_CACHED_EVENTS, "events", "worker"),
        limit("streams", settings.streams, "streams", "worker", TooManyStreams, setting="LEDGER_STREAMS"),
        limit("stream", round(STREAM_SECONDS * 1000), "milliseconds", "stream"),
        *(
            limit(name, rate.amount, "requests", "address", TooManyRequests, setting=of_rate, seconds=rate.get_expiry())
            for kind, rate in product(KINDS, settings.rate_limit.limits)
            for name in [policy(kind, settings.rate_limit.limits, rate).replace("-", "_")]
        ),
    ]


def limit(
    name: str, at_most: int, unit: str, per: str, beyond: int | type[Exception] | None = None, **more: Any
) -> Limit:
    """Give a limit: `beyond` it there is a problem, or, refused by gunicorn, only a status."""
    if isinstance(beyond, type):
        problem = problem_type(beyond)
        more |= {"status": problem.status, "code": problem.code}
    return Limit(name=name, at_most=at_most, unit=unit, per=per, **{"status": beyond, **more})
