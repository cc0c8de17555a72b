"""What every view shares: a view takes its arguments and gives a record; `ApiBlueprint` does the rest.

    @events.get("/<session_id>/events", EVENTS, to=ALL)
    def list_events(query: EventsQuery, session_id: str) -> Page:

The request is authenticated and counted, `query` and `body` are validated as the records that they are annotated with,
and what the view gives is written as JSON with its cache policy. The `Operation` that is made of a view is what
`openapi` describes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, get_type_hints

from flask import Blueprint, Response, g, request, url_for
from werkzeug.exceptions import BadRequest, RequestEntityTooLarge, UnsupportedMediaType

from ledger.api.http.auth import authenticate, may_open
from ledger.api.http.conditional import NO_STORE, PRIVATE, PRIVATE_BY_SEQ, CachePolicy, is_not_modified, tagged_by_body
from ledger.api.http.current import session_service
from ledger.api.http.idempotency import IDEMPOTENCY_KEY, idempotency_key
from ledger.api.http.middleware import OriginNotAllowed
from ledger.api.http.openapi_words import header
from ledger.api.http.parsing import json_body, read_query
from ledger.api.http.rate_limits import RATES, WRONG_TOKENS, TooManyRequests, not_too_often
from ledger.codec.encoding import encoded
from ledger.i18n.sentences import Malformed
from ledger.records import Record
from ledger.responses.rounds import Replay
from ledger.responses.shared import Listing, Page
from ledger.services.access import DeadTokens, LinkIsDead, NotAdmitted, RoleTooSmall
from ledger.services.idempotency_keys import KeyReused
from ledger.storage.errors import AlreadyProcessed, NotFound, StoreBusy, StoreFull, StoreUnavailable
from schemas.loading import loaded
from schemas.requests import NoQuery

Json = dict[str, Any]
T = TypeVar("T")
View = TypeVar("View", bound=Callable[..., Any])
WRITING = (StoreBusy, StoreFull, StoreUnavailable)
"""How writing may fail."""


class Reply(NamedTuple):
    """An answer that has headers, or another status than the documented one. Without a record it has no body."""

    record: object | None
    headers: Mapping[str, str] = MappingProxyType({})
    status: int | None = None


class Files(NamedTuple):
    """An answer that is a file of one of these media types."""

    media: Sequence[str]


Kind = type | Listing | Files | None
"""What a view gives: a record, a page of a list, a file, or nothing."""


@dataclass
class Operation:
    """A view at an address, and what it takes and gives: a `kind`, by default what it is annotated to return.

    `to`: the roles of the links to the session in the address that may call it; without, anyone may. `by_key`: it may
    need the operator's key. `rate`: the kind of request as which it is counted. `read_body`: how the body is read.
    `bodies`: media types that the body may have besides JSON. `also`: other statuses of its answer; those that are
    successes have the same record. `raises`: the exceptions that do not follow from the rest. `cache`: by default an
    answer without a token is not stored. `creates`: the function that replies again to what an earlier request
    with the same Idempotency-Key has made. `in_language`: its texts are in the reader's language.
    """

    method: str
    rule: str
    view: Callable[..., object]
    kind: Kind = None
    _: KW_ONLY
    status: int = 200
    to: Sequence[str] = ()
    by_key: bool = False
    rate: str | None = None
    read_body: Callable[[], Any] = json_body
    bodies: Mapping[str, type[Record] | Json] = field(default_factory=dict)
    request_headers: Mapping[str, Json] = field(default_factory=dict)
    headers: Sequence[str] = ()
    also: Mapping[int, str] = field(default_factory=dict)
    raises: Iterable[type[Exception]] = ()
    cache: CachePolicy | None = None
    creates: Callable[..., Reply] | None = None
    in_language: bool = False

    def __post_init__(self) -> None:
        hints = get_type_hints(self.view)
        self.query, self.body = hints.get("query", NoQuery), hints.get("body")
        is_list = isinstance(self.kind, Listing)
        self.policy = self.cache or (PRIVATE_BY_SEQ if is_list else PRIVATE if self.to else NO_STORE)
        if self.status != 204:
            self.kind = self.kind or hints["return"]
        if self.body:
            self.bodies = {"application/json": self.body, **self.bodies}
        raises: set[type[Exception]] = {Malformed, *self.raises}
        request_headers, headers = {**self.request_headers}, ["Cache-Control", "X-Request-ID", *self.headers]
        if self.method != "GET":
            raises.add(OriginNotAllowed)
        if self.to:
            raises |= {RoleTooSmall, NotFound, StoreBusy, StoreUnavailable}
        if self.to or self.by_key:
            raises |= {NotAdmitted, TooManyRequests}
        if self.rate:
            raises.add(TooManyRequests)
            headers += RATES
        if self.bodies:
            raises |= {BadRequest, RequestEntityTooLarge, UnsupportedMediaType}
        if self.creates:
            raises |= {BadRequest, KeyReused, LinkIsDead, *WRITING}
            request_headers |= IDEMPOTENCY_KEY
            headers.append("Idempotency-Replayed")
        if is_list:
            headers.append("Link")
        if self.in_language:
            request_headers["Accept-Language"] = header("The reader's language, where the query does not say it.")
            headers += "Content-Language", "Vary"
        if self.policy.tag_of or self.policy.by_body or self.policy.by_view:
            about = "The ETag of an earlier answer: if nothing has changed since, the answer is 304."
            request_headers["If-None-Match"] = header(about)
            headers.append("ETag")
            self.also = {**self.also, 304: "Nothing has changed since"}
        self.raises, self.request_headers, self.headers = raises, request_headers, headers

    def answer(self, **kwargs: Any) -> Response:
        """Call the view for a request, and make the response. Wrong tokens are counted."""
        try:
            return self.checked(kwargs)
        except (NotAdmitted, DeadTokens):
            not_too_often(WRONG_TOKENS)
            raise

    def checked(self, kwargs: dict[str, Any]) -> Response:
        """Authenticate, count and validate a request, then call the view, unless the client has the answer."""
        if self.to:
            authenticate(kwargs["session_id"], self.to)
        if self.by_key:
            may_open()
        if self.rate:
            not_too_often(self.rate)
        tag = self.policy.tag_of(kwargs["session_id"]) if self.policy.tag_of else None
        query = read_query(self.query)
        if self.query is not NoQuery:
            kwargs["query"] = query
        if self.body:
            kwargs["body"] = loaded(self.body, self.read_body())
        if tag is not None and is_not_modified(tag):
            response = self.response(Reply(None, status=304))
        else:
            response = self.response(self.create(kwargs) if self.creates else self.view(**kwargs))
        if tag is not None:
            response.headers["ETag"] = f'"{tag}"'
        return tagged_by_body(response) if self.policy.by_body else response

    def create(self, kwargs: Mapping[str, Any]) -> object:
        """Call the view with the request's key; a repeat gets the reply of what the first request made."""
        key = idempotency_key()
        try:
            if key:
                session_service().check_not_processed(key)
            return self.view(key=key, **kwargs)
        except AlreadyProcessed:
            if key is None or self.creates is None:
                raise
        reply = self.creates(*session_service().replay_creation(key))
        return reply._replace(headers={**reply.headers, "Idempotency-Replayed": "true"})

    def response(self, given: object) -> Response:
        if isinstance(given, Response):
            response = given
            response.headers.setdefault("Cache-Control", self.policy.control)
        else:
            record, headers, status = given if isinstance(given, Reply) else Reply(given)
            body = b"" if record is None else encoded(record)
            response = Response(body, status or self.status, headers, content_type="application/json")
            if record is None:
                del response.headers["Content-Type"]
            response.headers["Cache-Control"] = self.policy.control
            match record:
                case {"next": str(address)} | Replay(next=str(address)):
                    response.headers["Link"] = f'<{address}>; rel="next"'
        if self.in_language:
            response.headers["Content-Language"], response.headers["Vary"] = g.language, "Accept-Language"
        return response


class ApiBlueprint(Blueprint):
    """A blueprint whose views give records; `operations` has an `Operation` for each view."""

    def __init__(self, name: str, description: str, prefix: str = "") -> None:
        super().__init__(name, __name__, url_prefix=prefix)
        self.description = description
        self.operations: list[Operation] = []

    def get(self, rule: str, kind: Kind = None, **about: Any) -> Callable[[View], View]:
        """Call a view for GET; for `kind` and `about` see `Operation`."""
        return self.operation("GET", rule, kind, **about)

    def post(self, rule: str, kind: Kind = None, **about: Any) -> Callable[[View], View]:
        return self.operation("POST", rule, kind, **about)

    def delete(self, rule: str, **about: Any) -> Callable[[View], View]:
        return self.operation("DELETE", rule, None, status=204, **about)

    def operation(self, method: str, rule: str, kind: Kind, **about: Any) -> Callable[[View], View]:
        def decorate(view: View) -> View:
            operation = Operation(method, f"{self.url_prefix}{rule}", view, kind, **about)
            self.operations.append(operation)
            self.add_url_rule(rule, view.__name__, operation.answer, methods=[method])
            return view

        return decorate


def page(listing: Listing, found: Sequence[T], limit: int, cursor: Callable[[T], int]) -> Page:
    """Give a page of a list, of which one element more than was asked for was found if there is one."""
    after = cursor(found[limit - 1]) if len(found) > limit else 0
    return {listing.member: found[:limit], "next": following(found, limit, after)}


def following(found: Sequence[object], limit: int, after: int) -> str | None:
    """Give the address of the page after a cursor, if one element more than was asked for was found."""
    if len(found) <= limit or not request.endpoint:
        return None
    return url_for(request.endpoint, **{**request.args, **(request.view_args or {}), "after": after, "limit": limit})
