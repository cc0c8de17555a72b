"""What every view shares: a view is given its arguments and gives a record; `Room` does the rest.

    @events.get("/<session_id>/events")
    @events.answers(EVENTS, to=ALL)
    @events.arguments(PageQuery, location="query")
    def list_events(query: PageQuery, session_id: str) -> Page:

`answers` lets in who may come, writes the record as JSON, says how long it may be kept, and notes what `openapi` has to
describe: the record, by its hints, and the headers that the view heeds. It stands above `arguments`, so that a stranger
is told nothing of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from types import MappingProxyType
from typing import Any, NamedTuple, ParamSpec, TypeVar, cast

from flask import Response, request, url_for
from flask_smorest import Blueprint
from marshmallow import Schema

from ledger.answers.encoding import encoded
from ledger.answers.pages import Listing, Page
from ledger.answers.rounds import Replay
from ledger.api.admission import let_in
from ledger.api.bodies import BodyParser
from ledger.api.caching import (
    IF_NONE_MATCH,
    LOG,
    NEVER,
    ON_304,
    PRIVATELY,
    STILL_HOLDS,
    Keeping,
    still_holds,
    tagged,
)
from ledger.api.compression import compressed
from ledger.api.here import config
from ledger.api.queries import NO_PARAMETERS, read_query
from ledger.budget import limited
from ledger.store import Role
from schemas.components import Json, name_of, reference

P = ParamSpec("P")
T = TypeVar("T")
View = TypeVar("View", bound=Callable[..., Any])
NONE: Mapping[Any, str] = MappingProxyType({})
PARAMETERS = "_parameters"
"""Where a view has the schema of the parameters that it knows."""


ERASURE_PENDING = {"Erasure-Pending": "true"}
"""What an answer says if what it tells to be gone may not be cleared away yet."""


class Reply(NamedTuple):
    """An answer that has headers, or another status than the documented one. Without a record it has no body."""

    record: object | None
    headers: Mapping[str, str] = NONE
    status: int | None = None


class Files(NamedTuple):
    """An answer that is a file of one of these media types."""

    media: Sequence[str]


class OrBriefly(NamedTuple):
    """An answer that is one record, or a shorter one with `Prefer: return=minimal`."""

    usual: type
    briefly: type


Kind = type | OrBriefly | Listing | Files | None
"""What a view gives: a record, a page of a list, a file, or nothing."""


class Answered(NamedTuple):
    """What `openapi` has to describe of a view: what it gives, the headers it acts on, what it gives if little does."""

    kind: type | Listing | Files | None
    heeds: Mapping[str, str]
    briefly: type | None = None


class Room(Blueprint):
    """A blueprint whose views give records. `answered` has what is to be described of each."""

    ARGUMENTS_PARSER = BodyParser()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.answered: dict[str, Answered] = {}

    def arguments(self, schema: Schema | type[Schema], **kwargs: Any) -> Callable[[View], View]:
        """Read arguments by a schema that is made once, not once a request."""
        made = schema() if isinstance(schema, type) else schema
        by_schema: Callable[[View], View] = super().arguments(made, **kwargs)
        is_query = kwargs.get("location") == "query"

        def decorate(view: View) -> View:
            if is_query:

                @wraps(by_schema(view))
                def read_from_query(*args: Any, **named: Any) -> Any:
                    return view(*args, read_query(made), **named)

                vars(read_from_query)[PARAMETERS] = made
                return cast("View", read_from_query)

            return by_schema(view)

        return decorate

    def answers(  # noqa: PLR0913 - each says one thing of a view
        self,
        kind: Kind = None,
        status: int = 200,
        *,
        to: Sequence[Role] = (),
        heeds: Mapping[str, str] = NONE,
        also: Mapping[int, str] = NONE,
        keeping: Keeping | None = None,
        records: bool = False,
    ) -> Callable[[Callable[P, object]], Callable[P, Response]]:
        """Answer with what a view of this kind gives: a record is written as JSON.

        With `to`, only who has a live link of one of these roles to the session in the address is answered. `also` are
        other statuses that the answer may have; those that are successes have the same record. `keeping` says how long
        an answer may be kept: what is told without a token is not, unless that is said. A view that `records` makes
        sure of the link by recording (`admission`). What flask-smorest puts around a view to describe it is taken off
        again: there is nothing left for it to do.
        """
        usual, briefly = kind if isinstance(kind, OrBriefly) else (kind, None)
        kept = keeping or ((LOG if isinstance(usual, Listing) else PRIVATELY) if to else NEVER)
        may_be_known = kept.has_tag
        if may_be_known:
            heeds, also = {**heeds, **IF_NONE_MATCH}, {**also, **STILL_HOLDS}

        def decorate(view: Callable[P, object]) -> Callable[P, Response]:
            parameters = vars(view).get(PARAMETERS, NO_PARAMETERS)

            def answered(*args: P.args, **kwargs: P.kwargs) -> Response:
                if parameters is NO_PARAMETERS:
                    read_query(NO_PARAMETERS)
                tag = kept.stamp and kept.stamp(str(kwargs["session_id"]))
                if tag and still_holds(tag):
                    read_query(parameters)  # what is wrong with them is said all the same
                    return written(Reply(None, {"ETag": f'"{tag}"'}, 304), status, kept.control)
                response = written(view(*args, **kwargs), status, kept.control)
                return compressed(tagged(response, tag) if may_be_known else response)

            @wraps(view)
            def answer(*args: P.args, **kwargs: P.kwargs) -> Response:
                with limited(config().request_seconds):
                    if not to:
                        return answered(*args, **kwargs)
                    whom = str(kwargs["session_id"]), to
                    return let_in(partial(answered, *args, **kwargs), *whom, records=records)

            self.answered[view.__name__] = Answered(usual, heeds, briefly)
            documented = answer
            for other, about in also.items():
                schema = described(usual) if other < 300 else None
                documented = self.alt_response(other, schema=schema, description=about)(documented)
            for media in usual.media if isinstance(usual, Files) else ["application/json"]:
                documented = self.response(status, described(usual), content_type=media)(documented)
            documented = self.doc(security=[{"bearer": []}])(documented) if to else documented
            vars(answer)["_apidoc"] = vars(documented)["_apidoc"]
            return answer

        return decorate


def described(kind: type | Listing | Files | None) -> Json | None:
    """Refer to the schema of what a view gives; there is nothing to tell of a file's insides."""
    if isinstance(kind, Files):
        return {}
    return None if kind is None else reference(name_of(kind))


class Told(Response):
    """An answer; one without a body is of no kind."""

    default_mimetype = None


def written(told: object, status: int, control: str) -> Response:
    """Write what a view gave, with how long it may be kept."""
    if isinstance(told, Response):
        told.headers.setdefault("Cache-Control", control)
        return told
    record, given, other = told if isinstance(told, Reply) else Reply(told)
    headers = {**given, "Cache-Control": control}
    if isinstance(record, Page | Replay) and record.next is not None:
        headers["Link"] = f'<{record.next}>; rel="next"'
    if other == 304:
        headers |= ON_304
    body = None if record is None else encoded(record)
    return Told(body, other or status, headers, content_type="application/json" if body else None)


def page(listing: Listing, found: Sequence[T], limit: int, cursor: Callable[[T], int]) -> Page:
    """Give a page of a list, of which one element more than was asked for was found if there is one."""
    after = cursor(found[limit - 1]) if len(found) > limit else 0
    return Page(listing, found[:limit], following(found, limit, after))


def following(found: Sequence[object], limit: int, after: int) -> str | None:
    """Give the address of the page after a cursor, if one element more than was asked for was found."""
    if len(found) <= limit or not request.endpoint:
        return None
    return url_for(request.endpoint, **{**request.args, **(request.view_args or {}), "after": after, "limit": limit})
