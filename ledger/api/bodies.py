"""How bodies are read: JSON, the round notation, other text. What is wrong with one is said by its place."""

from __future__ import annotations

from math import inf
from typing import Any, NoReturn

import orjson
from flask import Flask, g, request
from flask.json.provider import JSONProvider
from gevent import Timeout
from marshmallow import ValidationError
from webargs.flaskparser import FlaskParser
from werkzeug.exceptions import BadRequest, ClientDisconnected, RequestEntityTooLarge, UnsupportedMediaType

from ledger.codec.json_text import NotJSON, read_json
from ledger.notation import Score, parse
from ledger.sentences import Fault, Malformed, Sentence, say
from schemas.base import malformed_by

PIECE, PIECE_SECONDS = 64 * 1024, 10
"""How many bytes of a large body arrive in how many seconds at least: a phone with a poor connection is faster."""


class Unreadable(BadRequest):
    """A request cannot be read, for a reason that its sentence says."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__()
        self.sentence = sentence


class NotTaken(UnsupportedMediaType):
    """A body is of a kind that is not taken; its sentence says which is."""

    def __init__(self, sentence: Sentence) -> None:
        super().__init__()
        self.sentence = sentence


class ORJSONProvider(JSONProvider):
    """JSON by orjson: quick, and it knows neither NaN nor depths that exhaust the stack."""

    def dumps(self, obj: Any, **_kwargs: Any) -> str:
        """Write JSON text."""
        return orjson.dumps(obj).decode()

    def loads(self, s: str | bytes, **_kwargs: Any) -> Any:
        """Read JSON text. Raises orjson.JSONDecodeError."""
        return orjson.loads(s)


class BodyParser(FlaskParser):
    """Reads bodies; what is wrong with them is said as a problem, like everything else."""

    DEFAULT_UNKNOWN_BY_LOCATION = {"json": None}  # noqa: RUF012 - webargs' own way

    def _raw_load_json(self, _req: Any) -> Any:
        return json_body()

    def handle_error(self, error: ValidationError, *_args: Any, **_kwargs: Any) -> NoReturn:
        """Hand on what is wrong with the fields, without the location that webargs wraps it in."""
        (messages,) = error.normalized_messages().values()
        raise malformed_by(messages)


class NotationParser(BodyParser):
    """Reads a round in the notation as well, sent as `text/plain`; it becomes the JSON that stands for the same."""

    def _raw_load_json(self, _req: Any) -> Any:
        if request.mimetype != "text/plain":
            return json_body()
        game = (request.view_args or {}).get("game")
        score = notation_body(game)
        opening = {"game": game, **score.opening}
        if opening.pop("game") != game:
            raise Malformed(Fault("/game", say("the text is about another game than {game}", game=game)))
        for name in ("name", "chip_value"):
            opening.pop(name, None)
        return {**opening, "events": list(score.events)}


def notation_body(game: str | None = None) -> Score:
    """Read the body in the round notation; a refusal of one of its events can then name the line (`g.lines`)."""
    score = parse(text_body(), game)
    g.lines = score.lines
    return score


def json_body() -> Any:
    """Read the body as JSON, which it has to say it is."""
    if not request.is_json:
        raise NotTaken(say("the body has to be JSON, sent as `Content-Type: application/json`"))
    try:
        return read_json(whole_body())
    except NotJSON as error:
        raise Unreadable(error.sentence) from None


def text_body() -> str:
    """Read the body as text in UTF-8."""
    try:
        return whole_body().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        place = error.start + 1
        raise Unreadable(say("the body is not text in UTF-8, from byte {place} on", place=place)) from None


def whole_body() -> bytes:
    """Read the body: all of it, and no more than may be.

    One without a length is cut off where it gets too large; only asking for more says so (413). One that ends before
    its length has lost its sender on the way.
    """
    body, length = request.get_data(), request.content_length
    if length is None and len(body) == request.max_content_length and request.environ["wsgi.input"].read(1):
        raise RequestEntityTooLarge
    if length is not None and len(body) < length:
        raise ClientDisconnected
    return body


class SteadyBody:
    """A body each piece of which has to arrive in time. Raises Unreadable.

    It is no OSError, which werkzeug takes for a client that is gone; the server closes the connection after it.
    """

    def __init__(self, body: Any) -> None:
        self._body = body

    def read(self, size: int = -1) -> bytes:
        """Read so many bytes, or all; fewer only at the end."""
        pieces, left = list[bytes](), inf if size < 0 else size
        while left:
            piece = self._piece(int(min(PIECE, left)))
            if not piece:
                break
            pieces.append(piece)
            left -= len(piece)
        return b"".join(pieces)

    def _piece(self, size: int) -> bytes:
        needed = say(
            "a large body has to arrive faster: {bytes} bytes in {seconds} seconds", bytes=PIECE, seconds=PIECE_SECONDS
        )
        with Timeout(PIECE_SECONDS, Unreadable(needed)):
            piece: bytes = self._body.read(size)
        return piece


def expect_steady_body() -> None:
    """Bound the time that the body of this request may take to arrive."""
    request.environ["wsgi.input"] = SteadyBody(request.environ["wsgi.input"])


def read_json_by_orjson(app: Flask) -> None:
    """Make orjson the application's JSON."""
    app.json = ORJSONProvider(app)
