"""How a request is read: its language, its query, and its body, which is JSON, the round notation or other text."""

from __future__ import annotations

import codecs
from typing import Any, TypeVar, cast

from flask import g, request
from werkzeug import exceptions
from werkzeug.datastructures import Accept

from ledger.codec.json_text import NotJSON, read_json
from ledger.i18n.language import LANGUAGES, SOURCE, Language
from ledger.i18n.sentences import Fault, Malformed, Sentence, WrongParameter, say
from ledger.notation import ParsedNotation, parse
from ledger.records import Record, members_of
from schemas.loading import loaded

T = TypeVar("T", bound=Record)

UNICODE = ("utf-8", "utf-16", "utf-16-le", "utf-16-be")
CHARSETS = (*UNICODE, "ascii", "iso8859-1", "cp1252", "shift_jis", "cp932", "euc_jp", "iso2022_jp")
"""Charsets of texts, by Python's names."""


def because(kind: type[exceptions.HTTPException], why: Sentence) -> exceptions.HTTPException:
    """Make an exception with a sentence for its description, which werkzeug keeps as it is."""
    return kind(cast("str", why))


def reader(chosen: Language | None = None) -> Language:
    """Choose the language of the answer: the one chosen, else the one that is accepted best, in any region.

    Werkzeug's own choice prefers an exact match to a region of a better one: Japanese, for `en-GB, ja;q=0.5`.
    """
    accepted = Accept((tag.partition("-")[0].lower(), quality) for tag, quality in request.accept_languages)
    known = [tag for tag in (*accepted.values(), *LANGUAGES) if tag in LANGUAGES]
    g.language = chosen or accepted.best_match(known, SOURCE)
    return cast("Language", g.language)


def read_query(record: type[T]) -> T:
    """Read the query as a record. Raises Malformed with every wrong parameter by its name."""
    members, given = members_of(record), request.args.to_dict()
    known = tuple(member.name for member in members if not member.extra.get("undescribed"))
    values = {member.name: given[member.name] for member in members if member.name in given}
    faults = [
        WrongParameter(name, say("there is no such parameter here; there are: {known:names}", known=known))
        for name in given
        if name not in values
    ]
    repeated = [name for name, each in request.args.lists() if len(each) > 1]
    faults += [WrongParameter(name, say("this parameter is given once")) for name in repeated]
    try:
        read = loaded(record, values, query=True)
    except Malformed as error:
        faults += [WrongParameter(fault.pointer.removeprefix("/"), fault.sentence) for fault in error.faults]
    if faults:
        raise Malformed(*faults)
    return read


def json_body() -> Any:
    """Read the body as JSON, which its `Content-Type` has to say."""
    if not request.is_json:
        needed = say("the body has to be JSON, sent as `Content-Type: application/json`")
        raise because(exceptions.UnsupportedMediaType, needed)
    if codecs_name(request.mimetype_params.get("charset", "utf-8")) not in {"utf-8", "ascii"}:
        raise because(exceptions.UnsupportedMediaType, say("JSON is sent in UTF-8"))
    try:
        return read_json(whole_body())
    except NotJSON as error:
        raise because(exceptions.BadRequest, error.sentence) from None


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


def notation_body(game: str | None = None) -> ParsedNotation:
    """Read the body in the round notation; a refusal of one of its events can then name the line (`g.lines`)."""
    score = parse(text_body(), game)
    g.lines = score.lines
    return score


def text_body() -> str:
    """Read the body as text in the charset of its `Content-Type`, else in UTF-8, or in UTF-16 with its mark.

    Shift_JIS is decoded as Windows' own, as on the web.
    """
    body = whole_body()
    is_marked = body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    named = request.mimetype_params.get("charset", "utf-16" if is_marked else "utf-8")
    charset = codecs_name(named)
    if charset not in CHARSETS:
        raise because(exceptions.UnsupportedMediaType, say("texts are read in {known:names}", known=CHARSETS))
    try:
        return body.decode("cp932" if charset == "shift_jis" else charset).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        why = say("the body is not text in {charset}, from byte {place} on", charset=named[:40], place=error.start + 1)
        raise because(exceptions.BadRequest, why) from None


def codecs_name(charset: str) -> str:
    """Give Python's name of a charset; an unknown one has none."""
    try:
        return codecs.lookup({"windows-31j": "cp932", "x-sjis": "cp932"}.get(charset.lower(), charset)).name
    except (LookupError, ValueError):
        return ""


def whole_body() -> bytes:
    """Read the body whole. Raises RequestEntityTooLarge, and ClientDisconnected for one that ends before its length.

    A body without a length is cut off where it gets too large, which only a further read shows.
    """
    body, length = request.get_data(), request.content_length
    if length is None and len(body) == request.max_content_length and request.environ["wsgi.input"].read(1):
        raise exceptions.RequestEntityTooLarge
    if length is not None and len(body) < length:
        raise exceptions.ClientDisconnected
    return body
