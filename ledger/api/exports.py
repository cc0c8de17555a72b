"""The books to take home, streamed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from flask import Response
from marshmallow import fields
from marshmallow.validate import OneOf

from ledger.api.door import ALL, Room, View, desk, language_of, requires_role
from ledger.exports import FORMATS, File, file_of
from schemas.sessions import LanguageQuery

exports = Room("exports", __name__, description="The books to take home.", url_prefix="/v1/sessions")


class ExportQuery(LanguageQuery):
    """Which part of the books is wanted, and in which language."""

    what = fields.String(
        load_default=None,
        validate=OneOf(sorted({part for form in FORMATS.values() for part in form.parts})),
        metadata={"description": "csv only: what has a row of its own; by default an entry"},
    )


def gives_every_format(view: View) -> View:
    """Document an answer in every format that there is."""
    for form in FORMATS.values():
        view = exports.response(200, {}, content_type=form.media_type.partition(";")[0])(view)
    return view


@exports.get(f"/<session_id>/export.<any({','.join(FORMATS)}):form>")
@requires_role(*ALL)
@exports.heeds("Accept-Language", "the reader's language, where `lang` does not say it")
@exports.arguments(ExportQuery, location="query")
@gives_every_format
def export(query: Mapping[str, Any], session_id: str, form: str) -> Response:
    """Give the whole session as a file: the books for a spreadsheet or an accounting program, or a score sheet."""
    language = language_of(query)
    return attached(file_of(desk().archive(session_id), form, language, query["what"]), language)


def attached(file: File, language: str) -> Response:
    """Answer with a file to be saved under its name (RFC 6266)."""
    named = f"attachment; filename=\"{file.ascii_name}\"; filename*=UTF-8''{quote(file.name, safe='')}"
    headers = {"Content-Disposition": named, "Content-Language": language, "Vary": "Accept-Language"}
    return Response(file.pieces, content_type=file.media_type, headers=headers)
