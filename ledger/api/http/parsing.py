"""How a request is parsed: its query, and its body, which is JSON, the round notation or other text.

A parameter is one that the call knows, and is given once; what is wrong with any of them is said by its name, and of
all of them at once. What is wrong with a body is said by its place.
"""

from __future__ import annotations

import codecs
from typing import Any, TypeVar

from flask import g, request
from werkzeug.exceptions import BadRequest, ClientDisconnected, RequestEntityTooLarge, UnsupportedMediaType

from ledger.codec.json_text import NotJSON, read_json
from ledger.notation import Score, parse
from ledger.records import Record, members_of, memoized
from ledger.sentences import Fault, Malformed, Sentence, WrongParameter, say
from schemas.records import loaded_query

T = TypeVar("T", bound=Record)


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


# --- the query ------------------------------------------------------------------------------------------------------


def read_query(record: type[T]) -> T:
    """Read the query as a record. Raises Malformed."""
    return _read(record) if request.query_string else _of_nothing(record)


def _read(record: type[T]) -> T:
    """Read what a query says. Raises Malformed."""
    known = {member.name: not member.extra.get("undescribed") for member in members_of(record)}
    given = request.args.to_dict(flat=False)
    unknown = say(
        "there is no such parameter here; there are: {known:names}", known=tuple(name for name in known if known[name])
    )
    faults = [WrongParameter(name, unknown) for name in given if name not in known]
    faults += [WrongParameter(name, say("this parameter is given once")) for name in given if len(given[name]) > 1]
    try:
        read = loaded_query(record, {name: values[0] for name, values in given.items() if name in known})
    except Malformed as error:
        faults += of_parameters(error)
    if faults:
        raise Malformed(*faults)
    return read


@memoized
def _of_nothing(record: type[T]) -> T:
    """Give what a query comes to that says nothing. Raises Malformed, where it has to say something."""
    try:
        return loaded_query(record, {})
    except Malformed as error:
        raise Malformed(*of_parameters(error)) from None


def of_parameters(error: Malformed) -> list[WrongParameter]:
    """Say what is wrong with parameters by their names."""
    return [WrongParameter(fault.pointer.removeprefix("/"), fault.sentence) for fault in error.faults]


# --- the body -------------------------------------------------------------------------------------------------------


def json_or_notation() -> Any:
    """Read the body as JSON, or a round in the notation (`text/plain`) as the JSON that stands for the same."""
    if request.mimetype != "text/plain":
        return json_body()
    game = (request.view_args or {}).get("game")
    score = notation_body(game)
    if score.opening.get("game", game) != game:
        raise Malformed(Fault("/game", say("the text is about another game than {game}", game=game)))
    opening = {name: value for name, value in score.opening.items() if name not in {"game", "name", "chip_value"}}
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
    if codecs_name(request.mimetype_params.get("charset", "utf-8")) not in {"utf-8", "ascii"}:
        raise NotTaken(say("JSON is sent in UTF-8"))
    try:
        return read_json(whole_body())
    except NotJSON as error:
        raise Unreadable(error.sentence) from None


def text_body() -> str:
    """Read the body as text, in the charset that it says it has, else in UTF-8, or UTF-16 with its mark."""
    is_marked = whole_body().startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    said = request.mimetype_params.get("charset", "utf-16" if is_marked else "utf-8")
    charset = CHARSETS.get(codecs_name(said))
    if charset is None:
        raise NotTaken(say("texts are read in {known:names}", known=tuple(CHARSETS)))
    try:
        return whole_body().decode(charset).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        place = error.start + 1
        why = say("the body is not text in {charset}, from byte {place} on", charset=said[:40], place=place)
        raise Unreadable(why) from None


def codecs_name(charset: str) -> str:
    """Give a charset the name that Python has for it; an unknown one is empty."""
    try:
        return codecs.lookup({"windows-31j": "cp932", "x-sjis": "cp932"}.get(charset.lower(), charset)).name
    except (LookupError, ValueError):
        return ""


CHARSETS = {
    **{name: name for name in ("utf-8", "utf-16", "utf-16-le", "utf-16-be", "ascii", "iso8859-1", "cp1252")},
    "shift_jis": "cp932",
    "cp932": "cp932",
    "euc_jp": "euc_jp",
    "iso2022_jp": "iso2022_jp",
}
"""How texts are read, by Python's names of charsets. What calls itself Shift_JIS is Windows' own, as on the web."""


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
