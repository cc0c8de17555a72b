"""The books to take home, streamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from errno import ECONNRESET
from logging import Logger
from typing import Any
from urllib.parse import quote

from flask import Response, current_app, request

from ledger.access import NotThere
from ledger.api.blueprint import ApiBlueprint, Files
from ledger.api.here import config, desk
from ledger.api.languages import HEEDS, IN_LANGUAGE, reader
from ledger.api.roles import ALL
from ledger.exports import FORMATS, File, file_of
from ledger.exports.wanted import Wanted
from schemas.fields import OneOfWords, TrueOrFalse
from schemas.languages import LanguageQuery

exports = ApiBlueprint("exports", __name__, description="The books to take home.", url_prefix="/v1/sessions")


class ExportQuery(LanguageQuery):
    """Which part of the books is wanted, and in which language."""

    what = OneOfWords(
        sorted({part for form in FORMATS.values() for part in form.parts}),
        load_default=None,
        metadata={"description": "Of a CSV: what has a row of its own; by default an entry."},
    )
    bom = TrueOrFalse(
        load_default=False,
        metadata={"description": "Of a CSV: whether a byte order mark says that it is UTF-8, for Excel."},
    )


@exports.get(f"/<session_id>/export.<any({','.join(FORMATS)}):form>")
@exports.answers(
    Files([form.media_type.partition(";")[0] for form in FORMATS.values()]),
    to=ALL,
    request_headers=HEEDS,
    headers=("Content-Disposition", *IN_LANGUAGE),
)
@exports.arguments(ExportQuery, location="query")
def export(query: Mapping[str, Any], session_id: str, form: str) -> Response:
    """Export the whole session as a file.

    The books for a spreadsheet or an accounting program, a score sheet to print, or a file that can be imported again.
    """
    language = query["lang"] or reader()
    wanted = Wanted(language, config().timezone, query["what"], query["bom"])
    return attached(file_of(desk().archive(session_id), form, wanted), language)


def attached(file: File, language: str) -> Response:
    """Answer with a file to be saved under its name (RFC 6266)."""
    named = f"attachment; filename=\"{file.ascii_name}\"; filename*=UTF-8''{quote(file.name, safe='')}"
    headers = {"Content-Disposition": named, "Content-Language": language, "Vary": "Accept-Language"}
    pieces = file.pieces
    if request.method != "HEAD":
        pieces = begun(next(pieces, b""), pieces, current_app.logger)
    return Response(pieces, content_type=file.media_type, headers=headers)


def begun(first: bytes, others: Iterator[bytes], log: Logger) -> Iterator[bytes]:
    """Send a file whose first piece is there: until then, it can still be answered what is the matter.

    Later on the file can only be broken off. The connection is reset for that, so that nobody takes it for whole: where
    a file ends with its connection (HTTP/1.0, and what many a proxy speaks to us), any other end looks like the file's.
    """
    try:
        yield first
        yield from others
    except NotThere:
        log.warning("A file was broken off, as its session was deleted meanwhile")
        raise ConnectionResetError(ECONNRESET, "the session was deleted meanwhile") from None
    except Exception:
        log.exception("A file was broken off")
        raise ConnectionResetError(ECONNRESET, "the rest of the file could not be made") from None
