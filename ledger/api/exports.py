"""Exports of a session as files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote

from flask import Response

from ledger.api.http.auth import ALL
from ledger.api.http.blueprint import ApiBlueprint, Files
from ledger.api.http.current import config, session_service
from ledger.api.http.parsing import reader
from ledger.exports import FORMATS, export
from ledger.exports.csv import PARTS
from ledger.exports.options import ExportOptions
from ledger.records import Meta, doc
from schemas.requests import LanguageQuery

exports = ApiBlueprint("exports", "The books as files.", "/v1/sessions")

What = Annotated[str | None, Meta(extra={"words": sorted(PARTS)})]
"""Which part of the books is wanted."""


class FileQuery(LanguageQuery, kw_only=True):
    """In which language a file is wanted; and what is refused by name, as only a CSV has it."""

    what: Annotated[What, Meta(extra={"undescribed": True})] = None
    bom: Annotated[bool, Meta(extra={"undescribed": True})] = False


class CsvQuery(LanguageQuery, kw_only=True):
    """Which part of the books is wanted, and in which language."""

    what: Annotated[What, doc("What has a row of its own; by default an entry.")] = None
    bom: Annotated[bool, doc("Whether a byte order mark says that it is UTF-8, for Excel.")] = False


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
    """Serve a session in one form, as an operation of its own, as a file to be saved under its name (RFC 6266)."""

    def view(query: FileQuery | CsvQuery, session_id: str) -> Response:
        options = ExportOptions(reader(query.lang), config().timezone, query.what, query.bom)
        file = export(session_service().session(session_id), session_service().store, form, options)
        name = f"attachment; filename=\"{file.ascii_name}\"; filename*=UTF-8''{quote(file.name, safe='')}"
        return Response(file.content, content_type=file.media_type, headers={"Content-Disposition": name})

    view.__name__, view.__doc__ = f"export_{form}", DESCRIPTIONS[form]
    view.__annotations__["query"] = CsvQuery if form == "csv" else FileQuery
    file = Files([FORMATS[form].media_type.partition(";")[0]])
    exports.get(f"/<session_id>/export.{form}", file, to=ALL, in_language=True, headers=["Content-Disposition"])(view)


for each_form in FORMATS:
    serve(each_form)
