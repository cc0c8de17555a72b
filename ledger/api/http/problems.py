"""One table from what can go wrong to what a client is told, as problem+json (RFC 9457).

`PROBLEMS` is the whole of it. The `code` of a problem is the name of its exception, its `detail` the exception's own
sentence, put into the reader's words here and nowhere else; a refusal adds its rule and the numbers that help to mend
it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, current_app, g, has_request_context, request
from gunicorn.http.errors import ParseException
from structlog.contextvars import get_contextvars
from werkzeug.exceptions import (
    BadRequest,
    ClientDisconnected,
    HTTPException,
    InternalServerError,
    RequestEntityTooLarge,
)

from ledger.access import DeadTokens, LastOwnerLink, LinkIsDead, NotAdmitted, OddsNotWanted, RoleTooSmall
from ledger.api.here import desk
from ledger.api.languages import reader
from ledger.api.rates import WRONG_TOKENS, TooManyRequests, not_too_often
from ledger.books import BooksDoNotBalance
from ledger.cards import Card
from ledger.codec.encoding import encoded, members
from ledger.cooperation import yielding
from ledger.history import Conflict
from ledger.idempotency import KeyReused
from ledger.importing import FileIsBroken
from ledger.language import Language, render
from ledger.live import TooManyStreams
from ledger.middleware import OriginNotAllowed
from ledger.notation import Misread
from ledger.play.refusals import Refused, RefusedAt
from ledger.play.values import PlayerId
from ledger.recording import Stale
from ledger.records import Record
from ledger.responses.problems import Problem, WrongField
from ledger.sentences import MAX_TOLD, Fault, Malformed, Sentence, WrongParameter, docline, docsentence, say, snake_case
from ledger.serving.metrics import REFUSALS
from ledger.session.refusals import CorrectedTwice
from ledger.session_cache import LogIsDamaged
from ledger.storage.errors import NotFound, StoreBusy, StoreDamaged, StoreFull, StoreUnavailable

TITLES: Mapping[int, Sentence] = {
    400: say("The request cannot be read"),
    401: say("A token is needed"),
    403: say("This link may not do that"),
    404: say("Not found"),
    405: say("This cannot be done here"),
    409: say("Not possible at this table now"),
    412: say("The session has moved on"),
    413: say("The request is too large"),
    415: say("This kind of body is not understood"),
    422: say("A field is wrong"),
    429: say("Too many requests"),
    500: say("Something went wrong here"),
    503: say("Busy; try again in a moment"),
    507: say("There is no room left"),
}
REFUSED = say("The request was refused")
OWN_TITLES: Mapping[str, Sentence] = {
    "link_is_dead": say("This link cannot be given again"),
    "odds_not_wanted": say("This table does not want to be told the chances"),
    "origin_not_allowed": say("Pages of this origin may not ask for that"),
    "last_owner_link": say("This link is the last of its kind"),
    "database_unusable": say("The database cannot be used"),
}
"""Titles of problems for which that of their status would be misleading, by code."""

DETAILS: Mapping[int, Sentence] = {
    400: say("The request cannot be understood."),
    404: say("There is nothing at this address."),
    405: say("This address does not know this method."),
    413: say("The body is larger than what is taken here."),
    415: say("The body is of a kind that is not taken here."),
}
"""What is said of failures that the web framework finds."""

Facts = Mapping[str, Any]


class Telling(Record):
    """How an exception is told: the status, further members from the exception, further headers."""

    status: int
    facts: Callable[[Any, Language], Facts] = lambda _error, _language: {}
    headers: Mapping[str, str] | None = None


def refusal_facts(refusal: Refused, language: Language) -> Facts:
    """Tell a refusal's rule and facts; sentences among them in the reader's language."""
    facts = {name: told(fact, language) for name, fact in refusal.facts.items() if name != "reasons"}
    if "lines" in g and isinstance(index := facts.get("index"), int):
        facts["line"] = g.lines[index]
    return {**({"rule": refusal.rule} if refusal.rule else {}), **facts}


def names() -> Mapping[PlayerId, str]:
    """Give what the players of the session in the address are called; without a session they go by their ids."""
    if "names" not in g:
        session_id = (request.view_args or {}).get("session_id")
        g.names = desk().session(session_id).names if session_id else {}
    found: Mapping[PlayerId, str] = g.names
    return found


def told(fact: Any, language: Language) -> Any:
    """Give a fact of a refusal as JSON."""
    match fact:
        case Card():
            return fact.code
        case Sentence():
            return render(fact, language, names())
        case Conflict(seq, refusal, part):
            sentence = render(refusal.sentence, language, names())
            place = {"seq": seq} if part is None else {"seq": seq, "part": part}
            return {**place, "code": refusal.code, "detail": sentence, **refusal_facts(refusal, language)}
        case tuple() | list():
            return [told(part, language) for part in yielding(fact)]
        case None | bool() | int() | str():
            return fact
    return str(fact)


def wrong_fields(error: Malformed, language: Language) -> Facts:
    """Tell the first fields that are wrong, by their JSON pointers, and how many more there are.

    A parameter of the query is told by its name.
    """
    named, more = error.faults[:MAX_TOLD], len(error.faults) - MAX_TOLD
    errors = [wrong_field(fault, render(fault.sentence, language, {})) for fault in named]
    return {"errors": errors, "more_errors": more} if more > 0 else {"errors": errors}


def wrong_field(fault: Fault, detail: str) -> WrongField:
    if isinstance(fault, WrongParameter):
        return WrongField(parameter=fault.pointer, detail=detail)
    return WrongField(pointer=fault.pointer, detail=detail)


LATER = {"Retry-After": "60"}
"""What whoever runs the service has to mend takes a while."""

PROBLEMS: Mapping[type[Exception], Telling] = {
    Refused: Telling(409, refusal_facts),
    Malformed: Telling(422, wrong_fields),
    KeyReused: Telling(422),
    LinkIsDead: Telling(409),
    LastOwnerLink: Telling(409),
    NotAdmitted: Telling(401, headers={"WWW-Authenticate": 'Bearer realm="fuda-ledger"'}),
    RoleTooSmall: Telling(403),
    OriginNotAllowed: Telling(403),
    NotFound: Telling(404),
    OddsNotWanted: Telling(404),
    Stale: Telling(412, lambda stale, _language: {"seq": stale.seq}),
    TooManyRequests: Telling(429),
    StoreBusy: Telling(503, headers={"Retry-After": "1"}),
    StoreFull: Telling(507),
    StoreUnavailable: Telling(503, headers=LATER),
    StoreDamaged: Telling(500),
    TooManyStreams: Telling(503, headers={"Retry-After": "5"}),
    BooksDoNotBalance: Telling(500),
    LogIsDamaged: Telling(500),
    FileIsBroken: Telling(422, refusal_facts),
    CorrectedTwice: Telling(422, refusal_facts),
    Misread: Telling(422, lambda misread, _language: {"line": misread.line, "column": misread.column}),
}
CODES: Mapping[type[Exception], str] = {
    NotFound: "not_there",
    StoreUnavailable: "database_unusable",
    StoreDamaged: "database_damaged",
    Malformed: "malformed_fields",
    ClientDisconnected: "bad_request",
}
"""Codes that are not the names of their exceptions."""


def register_problems(app: Flask) -> None:
    """Make the application tell every failure as a problem."""
    for kind in PROBLEMS:
        app.register_error_handler(kind, _handler(kind))
    for kind in (NotAdmitted, DeadTokens):
        app.register_error_handler(kind, not_admitted)
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(ParseException, lambda _error: http_problem(BadRequest()))  # a body in broken chunks
    app.register_error_handler(Exception, unforeseen)


def not_admitted(error: NotAdmitted | DeadTokens) -> Response:
    """Tell that a token is none, or that too many were."""
    try:
        not_too_often(WRONG_TOKENS)
    except TooManyRequests as refusal:
        return _handler(TooManyRequests)(refusal)
    return _handler(Malformed if isinstance(error, DeadTokens) else NotAdmitted)(error)


def _handler(kind: type[Exception]) -> Callable[[Any], Response]:
    """Tell a failure of a kind. What is a special case of it for the house alone is told as what it is."""
    usual = PROBLEMS[kind]

    def handle(error: Any) -> Response:
        telling = PROBLEMS.get(type(error.refusal), usual) if isinstance(error, RefusedAt) else usual
        language = reader()
        if isinstance(error, BooksDoNotBalance | LogIsDamaged):
            current_app.logger.critical("%s", docline(type(error)), exc_info=error)
        if isinstance(error, StoreDamaged | StoreUnavailable):
            current_app.logger.critical("%s (%s)", docline(type(error)), error)
        if isinstance(error, Refused):
            code, detail = error.code, render(error.sentence, language, names())
        else:
            code = CODES.get(kind, snake_case(kind.__name__))
            detail = render(getattr(error, "sentence", docsentence(kind)), language, {})
        response = problem_response(telling.status, code, detail, language, telling.facts(error, language))
        response.headers.update(telling.headers or {})
        return response

    return handle


def http_problem(error: HTTPException, language: Language | None = None) -> Response:
    """Tell what the web server, Flask, werkzeug and `bodies` refuse: addresses, methods, bodies."""
    language = language or reader()
    status = error.code or 500
    if isinstance(error, InternalServerError):
        return unforeseen(error.original_exception or error) if has_request_context() else fault_of_ours(language)
    facts = {"at_most": request.max_content_length} if isinstance(error, RequestEntityTooLarge) else {}
    sentence = getattr(error, "sentence", DETAILS.get(status, REFUSED))
    kind = next(kind for kind in type(error).mro() if kind.__module__ == HTTPException.__module__)
    code = CODES.get(kind, snake_case(kind.__name__))
    response = problem_response(status, code, render(sentence, language, {}), language, facts)
    for name, value in error.get_headers():
        if name not in {"Content-Type", "Content-Length"}:
            response.headers[name] = value
    return response


def unforeseen(error: BaseException) -> Response:
    """Tell a fault of the program as such, without its insides; the log has them."""
    current_app.logger.error("unforeseen: %s %s", request.method, request.url_rule, exc_info=error)
    return fault_of_ours(reader())


def fault_of_ours(language: Language) -> Response:
    """Tell that something went wrong here, and no more."""
    detail = render(say("The service made a mistake; nothing of this request was kept."), language, {})
    return problem_response(500, "internal_error", detail, language, {})


def problem_response(status: int, code: str, detail: str, language: Language, facts: Facts) -> Response:
    """Write a problem; no fact takes the place of a member. A fault of ours has the id of its lines in the log."""
    REFUSALS.labels(code).inc()
    problem = Problem(
        type=f"urn:fuda-ledger:problem:{code}",
        title=render(OWN_TITLES.get(code) or TITLES.get(status, REFUSED), language, {}),
        status=status,
        detail=detail,
        code=code,
        request_id=get_contextvars().get("request_id", "") if status == HTTPStatus.INTERNAL_SERVER_ERROR else None,
    )
    named = members(problem)
    response = Response(encoded({**named, **facts, **named}), status, content_type="application/problem+json")
    response.headers["Content-Language"] = language
    response.headers["Vary"] = "Accept-Language"
    response.headers["Cache-Control"] = "no-store"
    return response
