"""One table from what can go wrong to what a client is told, as problem+json (RFC 9457).

`PROBLEMS` is the whole of it. The `code` of a problem is the name of its exception, its `detail` the exception's own
sentence in the reader's language; a refusal adds its rule and the numbers that help to mend it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Flask, Response, current_app, g, request
from marshmallow import ValidationError
from werkzeug.exceptions import HTTPException, InternalServerError, RequestEntityTooLarge

from ledger.access import NotAdmitted, NotThere, RoleTooSmall
from ledger.answers import problems as answers
from ledger.answers.encoding import encoded
from ledger.api.here import desk
from ledger.api.languages import reader
from ledger.books import BooksDoNotBalance
from ledger.cards import Card
from ledger.desk import KeyReused, Stale
from ledger.history import Conflict
from ledger.importing import FileIsBroken
from ledger.language import render, translate
from ledger.notation import Misread
from ledger.play import PlayerId, Refused, RefusedAt
from ledger.sentences import Malformed, Sentence, docline, snake_case
from ledger.session import CorrectedTwice
from ledger.store import StoreBusy, StoreFull
from schemas.faults import in_language, pointers

TITLES: Mapping[int, str] = {
    400: "The request cannot be read",
    401: "A token is needed",
    403: "This link may not do that",
    404: "Not found",
    405: "This cannot be done here",
    409: "Not possible at this table now",
    412: "The session has moved on",
    413: "The request is too large",
    415: "This kind of body is not understood",
    422: "A field is wrong",
    500: "Something went wrong here",
    503: "Busy; try again in a moment",
    507: "There is no room left",
}

DETAILS: Mapping[int, str] = {
    400: "The request cannot be understood.",
    404: "There is nothing at this address.",
    405: "This address does not know this method.",
    413: "The body is larger than what is taken here.",
    415: "The body is of a kind that is not taken here.",
}
"""What is said of failures that the web framework finds."""

Extras = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Problem:
    """How an exception is told: the status, further members from the exception, further headers."""

    status: int
    extras: Callable[[Any, str], Extras] = lambda _error, _language: {}
    headers: Mapping[str, str] | None = None


def refusal_extras(refusal: Refused, language: str) -> Extras:
    """Tell a refusal's rule and facts; sentences among them in the reader's language."""
    facts = {name: told(fact, language) for name, fact in refusal.facts.items() if name != "reasons"}
    if "lines" in g and isinstance(index := facts.get("index"), int):
        facts["line"] = g.lines[index]
    return {**({"rule": refusal.rule} if refusal.rule else {}), **facts}


def names() -> Mapping[PlayerId, str]:
    """Give what the players of the session in the address are called; without a session they go by their ids."""
    if "names" in g:
        found: Mapping[PlayerId, str] = g.names
        return found
    session_id = (request.view_args or {}).get("session_id")
    return desk().session(session_id).names if session_id else {}


def told(fact: Any, language: str) -> Any:
    """Give a fact of a refusal as JSON."""
    match fact:
        case Card():
            return fact.code
        case Sentence():
            return render(fact, language, names())
        case Conflict(seq, refusal, part):
            sentence = render(refusal.sentence, language, names())
            place = {"seq": seq} if part is None else {"seq": seq, "part": part}
            return {**place, "code": refusal.code, "detail": sentence, **refusal_extras(refusal, language)}
        case tuple() | list():
            return [told(part, language) for part in fact]
        case None | bool() | int() | str():
            return fact
    return str(fact)


def field_errors(error: ValidationError, language: str) -> Extras:
    """Tell every field that is wrong, by its JSON pointer; a parameter of the query by its name."""
    return {
        "errors": [
            {"pointer": pointer, "detail": in_language(detail, language)}
            for pointer, detail in pointers(error.normalized_messages())
        ]
    }


def faults_told(error: Malformed, language: str) -> Extras:
    """Tell every fault of what was malformed, by its JSON pointer."""
    return {"errors": [{"pointer": at, "detail": render(said, language, {})} for at, said in error.faults]}


PROBLEMS: Mapping[type[Exception], Problem] = {
    Refused: Problem(409, refusal_extras),
    ValidationError: Problem(422, field_errors),
    Malformed: Problem(422, faults_told),
    KeyReused: Problem(422),
    NotAdmitted: Problem(401, headers={"WWW-Authenticate": 'Bearer realm="fuda-ledger"'}),
    RoleTooSmall: Problem(403),
    NotThere: Problem(404),
    Stale: Problem(412, lambda stale, _language: {"seq": stale.seq}),
    StoreBusy: Problem(503, headers={"Retry-After": "1"}),
    StoreFull: Problem(507),
    BooksDoNotBalance: Problem(500),
    FileIsBroken: Problem(422, refusal_extras),
    CorrectedTwice: Problem(422, refusal_extras),
    Misread: Problem(422, lambda misread, _language: {"line": misread.line, "column": misread.column}),
}


class MalformedFields(Exception):
    """One or more fields are wrong; `errors` names each."""


def register_problems(app: Flask) -> None:
    """Make the application tell every failure as a problem."""
    for kind, problem in PROBLEMS.items():
        app.register_error_handler(kind, _handler(problem))
    app.register_error_handler(HTTPException, http_problem)
    app.register_error_handler(Exception, unforeseen)


def _handler(usual: Problem) -> Callable[[Any], Response]:
    def handle(error: Any) -> Response:
        problem = PROBLEMS.get(type(error.refusal), usual) if isinstance(error, RefusedAt) else usual
        language = reader()
        if isinstance(error, BooksDoNotBalance):
            current_app.logger.critical("the books do not add up", exc_info=error)
        if isinstance(error, Refused):
            code, detail = error.code, render(error.sentence, language, names())
        elif isinstance(error, Misread):
            code, detail = "misread", render(error.sentence, language, {})
        else:
            kind = MalformedFields if isinstance(error, ValidationError | Malformed) else type(error)
            code, detail = snake_case(kind.__name__), translate(docline(kind), language)
        response = problem_response(problem.status, code, detail, language, problem.extras(error, language))
        response.headers.update(problem.headers or {})
        return response

    return handle


def http_problem(error: HTTPException) -> Response:
    """Tell what Flask and werkzeug refuse: addresses, methods, bodies."""
    language = reader()
    status = error.code or 500
    if isinstance(error, InternalServerError):
        return unforeseen(error.original_exception or error)
    extras = {"at_most": request.max_content_length} if isinstance(error, RequestEntityTooLarge) else {}
    said = error.description or ""
    detail = translate(DETAILS[status], language) if said == type(error).description and status in DETAILS else said
    code = snake_case(type(error).__name__)
    response = problem_response(status, code, in_language(detail, language), language, extras)
    for name, value in error.get_headers():
        if name not in {"Content-Type", "Content-Length"}:
            response.headers[name] = value
    return response


def unforeseen(error: BaseException) -> Response:
    """Tell a fault of the program as such, without its insides; the log has them."""
    current_app.logger.error("unforeseen: %s %s", request.method, request.path, exc_info=error)
    language = reader()
    detail = translate("The service made a mistake; nothing of this request was kept.", language)
    return problem_response(500, "internal_error", detail, language, {})


def problem_response(status: int, code: str, detail: str, language: str, extras: Extras) -> Response:
    """Write a problem. No extra takes the place of a member that every problem has."""
    problem = answers.Problem(
        facts=extras,
        type=f"urn:fuda-ledger:problem:{code}",
        title=translate(TITLES.get(status, "The request was refused"), language),
        status=status,
        detail=detail,
        code=code,
    )
    response = Response(encoded(problem), status, content_type="application/problem+json")
    response.headers["Content-Language"] = language
    response.headers["Vary"] = "Accept-Language"
    return response
