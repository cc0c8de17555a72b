"""The books to take home, streamed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from errno import ECONNRESET
from logging import Logger
from typing import Annotated
from urllib.parse import quote

from flask import Response, current_app, request

from ledger.api.auth import ALL
from ledger.api.blueprint import ApiBlueprint, Files
from ledger.api.here import config, desk
from ledger.api.languages import ACCEPT_LANGUAGE, IN_LANGUAGE, reader
from ledger.exports import FORMATS, File, file_of
from ledger.exports.archive import SessionArchive
from ledger.exports.csv import PARTS
from ledger.exports.wanted import Wanted
from ledger.records import Meta
from ledger.storage.errors import NotFound
from schemas.queries import LanguageQuery

exports = ApiBlueprint("exports", __name__, description="The books to take home.", url_prefix="/v1/sessions")


What = Annotated[str | None, Meta(extra={"words": sorted(PARTS)})]
"""Which part of the books is wanted."""


class FileQuery(LanguageQuery, kw_only=True):
    """In which language a file is wanted; and what is refused by name, as only a CSV has it."""

    what: Annotated[What, Meta(extra={"undescribed": True})] = None
    bom: Annotated[bool, Meta(extra={"undescribed": True})] = False


class CsvQuery(LanguageQuery, kw_only=True):
    """Which part of the books is wanted, and in which language."""

    what: Annotated[What, Meta(description="What has a row of its own; by default an entry.")] = None
    bom: Annotated[bool, Meta(description="Whether a byte order mark says that it is UTF-8, for Excel.")] = False


DESCRIPTIONS: Mapping[str, str] = {
    "csv": """Export entries, rounds or events as CSV.

    For a spreadsheet; a cell that would be taken for a formula there has an apostrophe in front.""",
    "json": """Export the whole session as JSON.

    What `POST /v1/sessions/import` takes: the log with all hashes, and the entries; besides, session and rounds.""",
    "txt": """Export the log in the round notation.

    A text that people can read and write, and that can be imported again.""",
    "xlsx": """Export the books as a workbook.

    Summary, balances with a chart, ledger, rounds, and who pays whom.""",
    "journal": """Export the ledger for hledger.

    A transaction an entry, with the balances asserted.""",
    "beancount": """Export the ledger for beancount.

    A transaction an entry, with the balances asserted.""",
    "html": """Export a score sheet.

    A page to read and print, which loads nothing from elsewhere.""",
}
"""The summary and the description of the operation for each form."""


def serve(form: str) -> None:
    """Serve a session in one form, as an operation of its own."""

    def export(query: FileQuery | CsvQuery, session_id: str) -> Response:
        language = query.lang or reader()
        wanted = Wanted(language, config().timezone, query.what, query.bom)
        return attached(file_of(SessionArchive(desk().session(session_id), desk().store), form, wanted), language)

    export.__name__, export.__doc__ = f"export_{form}", DESCRIPTIONS[form]
    view = exports.arguments(CsvQuery if form == "csv" else FileQuery, location="query")(export)
    file, headers = Files([FORMATS[form].media_type.partition(";")[0]]), ("Content-Disposition", *IN_LANGUAGE)
    exports.get(f"/<session_id>/export.{form}")(
        exports.answers(file, to=ALL, request_headers=ACCEPT_LANGUAGE, headers=headers)(view)
    )


for each_form in FORMATS:
    serve(each_form)


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
    except NotFound:
        log.warning("A file was broken off, as its session was deleted meanwhile")
        raise ConnectionResetError(ECONNRESET, "the session was deleted meanwhile") from None
    except Exception:
        log.exception("A file was broken off")
        raise ConnectionResetError(ECONNRESET, "the rest of the file could not be made") from None
