"""What every view shares: letting people in, reading a body, writing an answer."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from math import isinf
from typing import Any, NoReturn, ParamSpec, TypeVar

import orjson
from flask import Flask, Response, current_app, g, request, url_for
from flask.json.provider import JSONProvider
from flask_smorest import Blueprint
from marshmallow import Schema, ValidationError
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from ledger.access import NotAdmitted, Role
from ledger.config import Config
from ledger.desk import Desk, Request
from ledger.language import Language, best
from ledger.notation import Score, parse
from ledger.store import StoredLink

ALL: tuple[Role, ...] = ("owner", "scorer", "viewer")
SCORERS: tuple[Role, ...] = ("owner", "scorer")
OWNER: tuple[Role, ...] = ("owner",)

MOST_KEY_CHARACTERS = 255
DEEPEST = 1_000
"""How deep orjson reads JSON; the standard parser's depth depends on the version of Python."""

P = ParamSpec("P")
View = TypeVar("View", bound=Callable[..., Any])


class ORJSONProvider(JSONProvider):
    """JSON by orjson: quick, and it knows neither NaN nor depths that exhaust the stack."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        """Write JSON text."""
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        """Read JSON text. Raises orjson.JSONDecodeError."""
        return orjson.loads(s)


class BodyParser(FlaskParser):
    """Reads bodies and queries; what is wrong with them is said as a problem, like everything else."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"json": None, "query": "raise"}  # noqa: RUF012 - webargs' own way

    def _raw_load_json(self, _req: Any) -> Any:
        return json_body()

    def handle_error(self, error: ValidationError, *_args: Any, **_kwargs: Any) -> NoReturn:
        """Hand on what is wrong with the fields, without the location that webargs wraps it in."""
        (messages,) = error.normalized_messages().values()
        raise ValidationError(messages)


class NotationParser(BodyParser):
    """Reads a round in the notation as well, sent as `text/plain`; it becomes the JSON that stands for the same."""

    def _raw_load_json(self, _req: Any) -> Any:
        if request.mimetype != "text/plain":
            return json_body()
        score = notation_body()
        opening = {"game": None, **score.opening}
        if opening.pop("game") not in (None, game := (request.view_args or {}).get("game")):
            raise ValidationError({"game": [f"the text is about another game than {game}"]})
        for name in ("name", "chip_value"):
            opening.pop(name, None)
        return {**opening, "events": list(score.events)}


def notation_body() -> Score:
    """Read the body in the round notation; a refusal of one of its events can then name the line (`g.lines`)."""
    score = parse(text_body())
    g.lines = score.lines
    return score


def read_json(text: bytes) -> Any:
    """Read JSON text. Raises BadRequest, also for NaN and for depths that exhaust the stack.

    A number beyond all that orjson can hold is JSON all the same. It is read as infinity, which no field takes, so
    that the answer can name the field.
    """
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        refusal = BadRequest(f"the body is not JSON that can be read: {error}")
    if text.count(b"[") + text.count(b"{") > DEEPEST:
        raise refusal
    beyond: list[str] = []

    def number(digits: str) -> float:
        if isinf(float(digits)):
            beyond.append(digits)
        return float(digits)

    def whole(digits: str) -> float:
        return int(digits) if len(digits) <= 19 else number(digits)

    def constant(name: str) -> NoReturn:
        raise ValueError(name)

    try:
        body = json.loads(text, parse_int=whole, parse_float=number, parse_constant=constant)
    except (ValueError, RecursionError):
        raise refusal from None
    if not beyond:
        raise refusal
    return body


def whole_body() -> bytes:
    """Read the body. One without a length is cut off where it gets too large; only asking for more says so (413)."""
    body = request.get_data()
    request.stream.read(1)
    return body


def json_body() -> Any:
    """Read the body as JSON, which it has to say it is."""
    if not request.is_json:
        raise UnsupportedMediaType("the body has to be JSON, sent as `Content-Type: application/json`")
    return read_json(whole_body())


def text_body() -> str:
    """Read the body as text in UTF-8."""
    try:
        return whole_body().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRequest(f"the body is not text in UTF-8: {error}") from None


class Room(Blueprint):
    """A blueprint whose arguments are read by `BodyParser`."""

    ARGUMENTS_PARSER = BodyParser()

    def arguments(self, schema: Schema | type[Schema], **kwargs: Any) -> Callable[[View], View]:
        """Read arguments by a schema that is made once, not once a request."""
        made: Callable[[View], View] = super().arguments(schema() if isinstance(schema, type) else schema, **kwargs)
        return made

    @staticmethod
    def heeds(header: str, about: str) -> Callable[[View], View]:
        """Document a header that a view acts on."""

        def decorate(view: View) -> View:
            arguments = view._apidoc.setdefault("arguments", {})  # type: ignore[attr-defined]  # noqa: SLF001
            parameter = {"in": "header", "name": header, "description": about, "schema": {"type": "string"}}
            arguments.setdefault("parameters", []).append(parameter)
            return view

        return decorate


def desk() -> Desk:
    """Give this application's front desk."""
    found: Desk = current_app.extensions["desk"]
    return found


def config() -> Config:
    """Give this application's settings."""
    found: Config = current_app.extensions["config"]
    return found


def requires_role(*roles: Role) -> Callable[[Callable[P, Response]], Callable[P, Response]]:
    """Let a view answer only who has a live link of one of these roles to the session in the address."""

    def decorate(view: Callable[P, Response]) -> Callable[P, Response]:
        @wraps(view)
        def admitted(*args: P.args, **kwargs: P.kwargs) -> Response:
            g.link = desk().admit(str(kwargs["session_id"]), bearer(), roles)
            return view(*args, **kwargs)

        admitted._apidoc = {  # type: ignore[attr-defined]  # noqa: SLF001 - where flask-smorest keeps it
            **getattr(view, "_apidoc", {}),
            "manual_doc": {
                **getattr(view, "_apidoc", {}).get("manual_doc", {}),
                "security": [{"bearer": []}],
            },
        }
        return admitted

    return decorate


def bearer() -> str | None:
    """Read the token of the `Authorization` header, if there is one."""
    given = request.authorization
    return given.token if given is not None and given.type == "bearer" else None


def may_open() -> None:
    """Let in who may open sessions: anyone, until the operator sets a key. Raises NotAdmitted."""
    key = config().opening_key
    if key and not hmac.compare_digest(key.encode(), (bearer() or "").encode("utf-8", "surrogatepass")):
        raise NotAdmitted


def language_of(query: Mapping[str, Any]) -> Language:
    """Choose the reader's language: the one asked for, or else the one that `Accept-Language` likes best."""
    asked: Language | None = query["lang"]
    return asked or best(request.headers.get("Accept-Language"))


def report(*, dry_run: bool) -> Request:
    """Say who reports and under which conditions, from the link and the headers."""
    link: StoredLink = g.link
    key = request.headers.get("Idempotency-Key")
    if key is not None and not 1 <= len(key) <= MOST_KEY_CHARACTERS:
        raise BadRequest(f"an Idempotency-Key has 1 to {MOST_KEY_CHARACTERS} characters")
    asked = request.if_match
    return Request(
        by=link.id,
        role=link.role,
        expected=(lambda seq: asked.contains(str(seq))) if "If-Match" in request.headers else None,
        key=key,
        fingerprint=hashlib.sha256(f"{request.method} {request.path}\n".encode() + request.get_data()).digest(),
        dry_run=dry_run,
    )


def answered(body: Mapping[str, Any], status: int = 200, **headers: str) -> Response:
    """Write an answer as JSON. Header names are given with underscores."""
    response = Response(orjson.dumps(body), status, content_type="application/json")
    response.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
    return response


def paged(
    name: str, told: Sequence[Mapping[str, Any]], limit: int, cursor: Callable[[Mapping[str, Any]], int]
) -> Response:
    """Write a page of a list, given one element more than was asked for if there is one."""
    page = told[:limit]
    following = None
    if len(told) > limit and request.endpoint:
        following = url_for(request.endpoint, **(request.view_args or {}), after=cursor(page[-1]), limit=limit)
    return answered({name: page, "next": following})


def read_json_by_orjson(app: Flask) -> None:
    """Make orjson the application's JSON."""
    app.json = ORJSONProvider(app)
