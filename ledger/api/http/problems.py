"""One table from exceptions to problems (`application/problem+json`, RFC 9457).

A row of `PROBLEMS` is an exception that a request may end with. Where a row says nothing else, the code of the problem
is the name of the exception, and its detail the exception's own sentence. A refusal adds its rule, and the numbers that
help to mend the request.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, NamedTuple, cast

from flask import Response, current_app, g, request
from gunicorn.http.errors import ParseException
from structlog.contextvars import get_contextvars
from werkzeug import exceptions

from ledger.accounting.books import BooksDoNotBalance
from ledger.api.http.current import session_service
from ledger.api.http.middleware import OriginNotAllowed
from ledger.api.http.parsing import reader
from ledger.api.http.rate_limits import TooManyRequests
from ledger.codec.encoding import encoded, plain
from ledger.cooperation import yielding
from ledger.i18n.language import Language, render
from ledger.i18n.sentences import MAX_NAMED, Malformed, Sentence, WrongParameter, docsentence, say, snake_case
from ledger.notation import NotationSyntaxError
from ledger.responses.service import Problem, WrongField
from ledger.rulebook.refusal import Refused, RefusedAt
from ledger.rulebook.values import PlayerId
from ledger.services.access import LastOwnerLink, LinkIsDead, NotAdmitted, RoleTooSmall
from ledger.services.idempotency_keys import KeyReused
from ledger.services.importing import FileIsBroken
from ledger.services.odds import OddsNotWanted
from ledger.services.recording import PreconditionFailed
from ledger.services.session_cache import LogIsDamaged
from ledger.services.streams import TooManyStreams
from ledger.serving.metrics import REFUSALS
from ledger.session.history import Conflict
from ledger.session.refusals import CorrectedTwice, LinksAreUsedUp, TooManyLinks
from ledger.storage.errors import NotFound, StoreBusy, StoreDamaged, StoreError, StoreFull, StoreUnavailable

Facts = Mapping[str, Any]


def refusal_facts(refusal: Any, language: Language) -> Facts:
    """Give a refusal's rule and facts; sentences among them in the reader's language."""
    facts = {name: fact_of(fact, language) for name, fact in refusal.facts.items() if name != "reasons"}
    if "lines" in g and isinstance(index := facts.get("index"), int):
        facts["line"] = g.lines[index]
    return {**({"rule": refusal.rule} if refusal.rule else {}), **facts}


def fact_of(fact: Any, language: Language) -> Any:
    """Give a fact of a refusal as JSON."""
    match fact:
        case Sentence():
            return render(fact, language, names())
        case Conflict((seq, part), refusal):
            place = {"seq": seq, "part": part} if part else {"seq": seq}
            detail = render(refusal.sentence, language, names())
            return {**place, "code": refusal.code, "detail": detail, **refusal_facts(refusal, language)}
        case tuple() | list():
            return [fact_of(part, language) for part in yielding(fact)]
    return fact if fact is None or isinstance(fact, int | str) else str(fact)


def names() -> Mapping[PlayerId, str]:
    """Give the names of the players of the session in the address; without a session their ids are shown."""
    if "names" not in g:
        session_id = (request.view_args or {}).get("session_id")
        g.names = session_service().session(session_id).names if session_id else {}
    return cast("Mapping[PlayerId, str]", g.names)


def wrong_fields(error: Malformed, language: Language) -> Facts:
    """Give the first wrong fields by their JSON pointers, parameters by their names, and the number of others."""
    errors, more = [], len(error.faults) - MAX_NAMED
    for fault in error.faults[:MAX_NAMED]:
        where = "parameter" if isinstance(fault, WrongParameter) else "pointer"
        errors.append(WrongField(detail=render(fault.sentence, language, {}), **{where: fault.pointer}))
    return {"errors": errors, "more_errors": more} if more > 0 else {"errors": errors}


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
"""The titles of problems without one of their own, by status."""


class ProblemType(NamedTuple):
    """The problem of an exception: its status; its code, title and detail, if not the usual ones; facts and headers."""

    status: int
    code: str = ""
    title: Sentence | None = None
    detail: Sentence = Sentence("")  # by default the docstring of the exception
    facts: Callable[[Any, Language], Facts] = lambda _error, _language: {}
    headers: Mapping[str, str] = MappingProxyType({})


REFUSED = say("The request was refused")
UNREADABLE = ProblemType(400, "bad_request", detail=say("The request cannot be understood."))
LATER = {"Retry-After": "60"}
"""For what the operator has to mend."""

PROBLEMS: Mapping[type[Exception], ProblemType] = {
    exceptions.BadRequest: UNREADABLE,
    exceptions.BadHost: UNREADABLE._replace(code="bad_host"),
    ParseException: UNREADABLE,
    exceptions.NotFound: ProblemType(404, "not_found", detail=say("There is nothing at this address.")),
    exceptions.MethodNotAllowed: ProblemType(405, detail=say("This address does not know this method.")),
    exceptions.RequestEntityTooLarge: ProblemType(
        413,
        detail=say("The body is larger than what is taken here."),
        facts=lambda _error, _language: {"at_most": request.max_content_length},
    ),
    exceptions.UnsupportedMediaType: ProblemType(415, detail=say("The body is of a kind that is not taken here.")),
    exceptions.HTTPException: ProblemType(500, detail=REFUSED),
    Refused: ProblemType(409, facts=refusal_facts),
    Malformed: ProblemType(422, "malformed_fields", facts=wrong_fields),
    KeyReused: ProblemType(422),
    LinkIsDead: ProblemType(409, title=say("This link cannot be given again")),
    LastOwnerLink: ProblemType(409, title=say("This link is the last of its kind")),
    NotAdmitted: ProblemType(401, headers={"WWW-Authenticate": 'Bearer realm="fuda-ledger"'}),
    RoleTooSmall: ProblemType(403),
    OriginNotAllowed: ProblemType(403, title=say("Pages of this origin may not ask for that")),
    NotFound: ProblemType(404, "not_there"),
    OddsNotWanted: ProblemType(404, title=say("This table does not want to be told the chances")),
    PreconditionFailed: ProblemType(412, "stale", facts=lambda failed, _language: {"seq": failed.seq}),
    TooManyRequests: ProblemType(429),
    StoreBusy: ProblemType(503, headers={"Retry-After": "1"}),
    StoreFull: ProblemType(507),
    StoreUnavailable: ProblemType(503, "database_unusable", title=say("The database cannot be used"), headers=LATER),
    StoreDamaged: ProblemType(500, "database_damaged"),
    TooManyStreams: ProblemType(503, headers={"Retry-After": "5"}),
    BooksDoNotBalance: ProblemType(500),
    LogIsDamaged: ProblemType(500),
    FileIsBroken: ProblemType(422, facts=refusal_facts),
    CorrectedTwice: ProblemType(422, facts=refusal_facts),
    TooManyLinks: ProblemType(409, facts=refusal_facts),
    LinksAreUsedUp: ProblemType(409, facts=refusal_facts),
    NotationSyntaxError: ProblemType(
        422, "misread", facts=lambda error, _: {"line": error.line, "column": error.column}
    ),
    Exception: ProblemType(
        500, "internal_error", detail=say("The service made a mistake; nothing of this request was kept.")
    ),
}

FAULTS = (StoreDamaged, BooksDoNotBalance, LogIsDamaged, Exception)
ANYWHERE = (exceptions.BadHost, exceptions.NotFound, exceptions.MethodNotAllowed, *FAULTS)
"""How any request may end."""


def problem_type(kind: type[Exception]) -> ProblemType:
    """Find the row of an exception, with its code and detail; of a kind of refusal the code is its own name."""
    row = next(each for each in kind.mro() if each in PROBLEMS)
    found, named = PROBLEMS[row], kind if row in (Refused, exceptions.HTTPException) else row
    detail = found.detail if found.detail.text else docsentence(named)
    return found._replace(code=found.code or snake_case(named.__name__), detail=detail)


def codes_of(kinds: Iterable[type[Exception]]) -> Mapping[int, Sequence[str]]:
    """Give the codes of exceptions by status; `Refused` stands for every refusal that has no row of its own."""
    codes = defaultdict[int, set[str]](set)
    for kind in kinds:
        for each in refusals() if kind is Refused else (kind,):
            found = problem_type(each)
            codes[found.status].add(found.code)
    return {status: sorted(found) for status, found in sorted(codes.items())}


def refusals(kind: type[Refused] = Refused) -> Iterator[type[Refused]]:
    """Find the kinds of refusals that have no row of their own."""
    for each in kind.__subclasses__():
        if each not in PROBLEMS and each is not RefusedAt:
            yield each
        yield from refusals(each)


def problem_response(error: Exception) -> Response:
    """Respond with the problem of an exception; faults of the service are logged."""
    if isinstance(error, exceptions.InternalServerError):
        error = error.original_exception if isinstance(error.original_exception, Exception) else error
    kind, language = type(error.refusal if isinstance(error, RefusedAt) else error), reader()
    found = problem_type(kind)
    status, headers = found.status, dict(found.headers)
    detail = getattr(error, "sentence", found.detail)
    if isinstance(error, exceptions.HTTPException):
        status = error.code or status
        detail = error.description if isinstance(error.description, Sentence) else detail
        headers |= dict(error.get_headers())
    if status == HTTPStatus.INTERNAL_SERVER_ERROR or isinstance(error, StoreUnavailable):
        why = f" ({error})" if isinstance(error, StoreError) else ""
        where = {"method": request.method, "route": str(request.url_rule)}
        current_app.logger.critical("%s%s", detail, why, exc_info=error, extra=where)
    REFUSALS.labels(found.code).inc()
    problem = Problem(
        type=f"urn:fuda-ledger:problem:{found.code}",
        title=render(found.title or TITLES.get(status) or REFUSED, language, {}),
        status=status,
        detail=render(detail, language, names() if isinstance(error, Refused) else {}),
        code=found.code,
        request_id=get_contextvars().get("request_id", "") if status == HTTPStatus.INTERNAL_SERVER_ERROR else None,
    )
    own = plain(problem)
    body = encoded({**own, **found.facts(error, language), **own})  # no fact replaces a member
    headers |= {"Content-Language": language, "Vary": "Accept-Language", "Cache-Control": "no-store"}
    return Response(body, status, headers, content_type="application/problem+json")
