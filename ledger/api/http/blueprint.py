"""What every view shares: a view takes its arguments and gives a record; `ApiBlueprint` does the rest.

    @events.get("/<session_id>/events")
    @events.answers(EVENTS, to=ALL)
    @events.arguments(EventsQuery, location="query")
    def list_events(query: EventsQuery, session_id: str) -> Page:

`answers` authenticates, writes the record as JSON, sets its cache policy, and registers what `openapi` describes: the
record, the headers, the failures. It stands above `arguments`, so that authentication comes before validation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from flask import Blueprint, Response, request, url_for

from ledger.api.auth import authenticate
from ledger.api.caching import (
    IF_NONE_MATCH,
    NO_STORE,
    NOT_MODIFIED,
    PRIVATE,
    PRIVATE_BY_SEQ,
    CachePolicy,
    is_not_modified,
    tagged,
)
from ledger.api.parsing import json_body, read_query
from ledger.codec.encoding import encoded
from ledger.records import Record
from ledger.responses.pages import Listing, Page
from ledger.responses.rounds import Replay
from ledger.storage.records import Role
from schemas.queries import NoQuery
from schemas.records import loaded

Json = dict[str, Any]
T = TypeVar("T")
View = TypeVar("View", bound=Callable[..., Any])
NONE: Mapping[Any, Any] = MappingProxyType({})
ARGUMENTS = "_arguments"
"""The attribute of a view that has its arguments, in order."""


class Reply(NamedTuple):
    """An answer that has headers, or another status than the documented one. Without a record it has no body."""

    record: object | None
    headers: Mapping[str, str] = NONE
    status: int | None = None


class Files(NamedTuple):
    """An answer that is a file of one of these media types."""

    media: Sequence[str]


Kind = type | Listing | Files | None
"""What a view gives: a record, a page of a list, a file, or nothing."""


class Argument(NamedTuple):
    """What a view takes: the record, and how the body is read that it is of; None where it is of the query."""

    record: type[Record]
    read_body: Callable[[], Any] | None


class Operation(NamedTuple):
    """What `openapi` describes of a view, besides its docstring and its address."""

    kind: Kind
    status: int
    query: type[Record]
    bodies: Mapping[str, type[Record] | Json]
    """The record of the body in each media type, or its schema."""
    security: Sequence[Json]
    request_headers: Mapping[str, Json]
    headers: Sequence[str]
    """The names of the headers that its answer may have."""
    also: Mapping[int, str]
    failures: Sequence[int]


class ApiBlueprint(Blueprint):
    """A blueprint whose views give records; `operations` describes each view by its name."""

    def __init__(self, name: str, import_name: str, *, description: str, url_prefix: str | None = None) -> None:
        super().__init__(name, import_name, url_prefix=url_prefix)
        self.description = description
        self.operations: dict[str, Operation] = {}

    @staticmethod
    def arguments(
        record: type[Record], location: str = "json", read: Callable[[], Any] = json_body
    ) -> Callable[[View], View]:
        """Give a view its body, or its query, as a record. `read` reads the body.

        Of several the uppermost is the first argument.
        """
        argument = Argument(record, None if location == "query" else read)

        def decorate(view: View) -> View:
            vars(view)[ARGUMENTS] = (argument, *vars(view).get(ARGUMENTS, ()))
            return view

        return decorate

    def answers(  # noqa: PLR0913 - each says one thing of a view
        self,
        kind: Kind = None,
        status: int = 200,
        *,
        to: Sequence[Role] = (),
        by_key: bool = False,
        bodies: Mapping[str, type[Record] | Json] = NONE,
        request_headers: Mapping[str, Json] = NONE,
        headers: Sequence[str] = (),
        also: Mapping[int, str] = NONE,
        failures: Sequence[int] = (),
        cache: CachePolicy | None = None,
    ) -> Callable[[Callable[..., object]], Callable[..., Response]]:
        """Answer with what a view of this kind gives: a record is written as JSON.

        `to`: the roles of the links to the session in the address that may call it; without, anyone may. `by_key`: it
        may need the operator's key. `bodies`: media types that the body may have besides JSON. `also`: other statuses
        of its answer; those that are successes have the same record. `failures`: those that do not follow from the
        rest. `cache`: by default an answer without a token is not stored.
        """
        policy = cache or ((PRIVATE_BY_SEQ if isinstance(kind, Listing) else PRIVATE) if to else NO_STORE)
        has_tag = policy.has_tag
        if has_tag:
            request_headers, also = {**request_headers, **IF_NONE_MATCH}, {**also, **NOT_MODIFIED}
            headers = (*headers, "ETag")
        security: Sequence[Json] = [{"bearer": []}] if to else [{}, {"bearer": []}] if by_key else []

        def decorate(view: Callable[..., object]) -> Callable[..., Response]:
            arguments: Sequence[Argument] = vars(view).get(ARGUMENTS, ())
            query = next((each.record for each in arguments if each.read_body is None), NoQuery)
            records = [each.record for each in arguments if each.read_body is not None]
            taken: Mapping[str, type[Record] | Json] = {"application/json": records[0], **bodies} if records else bodies
            self.operations[view.__name__] = Operation(
                kind, status, query, taken, security, request_headers, headers, also, failures
            )

            def answered(**kwargs: Any) -> Response:
                if query is NoQuery:
                    read_query(NoQuery)
                tag = policy.stamp and policy.stamp(kwargs["session_id"])
                if tag and is_not_modified(tag):
                    read_query(query)  # a malformed query is refused all the same
                    return response_of(Reply(None, {"ETag": f'"{tag}"'}, 304), status, policy.control)
                values = [
                    read_query(record) if read_body is None else loaded(record, read_body())
                    for record, read_body in arguments
                ]
                response = response_of(view(*values, **kwargs), status, policy.control)
                return tagged(response, tag) if has_tag else response

            @wraps(view)
            def answer(**kwargs: Any) -> Response:
                if to:
                    authenticate(kwargs["session_id"], to)
                return answered(**kwargs)

            return answer

        return decorate


class JSONResponse(Response):
    """A response whose body, if it has one, is JSON; without a body it has no media type."""

    default_mimetype = None


def response_of(given: object, status: int, control: str) -> Response:
    """Make the response of what a view gave, with its `Cache-Control`."""
    if isinstance(given, Response):
        given.headers.setdefault("Cache-Control", control)
        return given
    record, own_headers, other = given if isinstance(given, Reply) else Reply(given)
    headers = {**own_headers, "Cache-Control": control}
    match record:
        case {"next": str(address)} | Replay(next=str(address)):
            headers["Link"] = f'<{address}>; rel="next"'
    body = None if record is None else encoded(record)
    return JSONResponse(body, other or status, headers, content_type="application/json" if body else None)


def page(listing: Listing, found: Sequence[T], limit: int, cursor: Callable[[T], int]) -> Page:
    """Give a page of a list, of which one element more than was asked for was found if there is one."""
    after = cursor(found[limit - 1]) if len(found) > limit else 0
    return {listing.member: found[:limit], "next": following(found, limit, after)}


def following(found: Sequence[object], limit: int, after: int) -> str | None:
    """Give the address of the page after a cursor, if one element more than was asked for was found."""
    if len(found) <= limit or not request.endpoint:
        return None
    return url_for(request.endpoint, **{**request.args, **(request.view_args or {}), "after": after, "limit": limit})
