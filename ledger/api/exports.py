"""The books to take home, streamed."""

from __future__ import annotations

from flask import Response

from ledger.api.door import ALL, Room, View, admits, desk
from ledger.exports import FORMATS

exports = Room("exports", __name__, description="The books to take home.", url_prefix="/v1/sessions")


def gives_every_format(view: View) -> View:
    """Document an answer in every format that there is."""
    for form in FORMATS.values():
        view = exports.response(200, {}, content_type=form.media_type.partition(";")[0])(view)
    return view


@exports.get(f"/<session_id>/export.<any({','.join(FORMATS)}):form>")
@admits(*ALL)
@gives_every_format
def export(session_id: str, form: str) -> Response:
    """Give the whole session as a file: `csv`, an entry a row, or `json`, everything."""
    books = desk().books(session_id)
    file_name = f'attachment; filename="fuda-ledger-{session_id}.{form}"'
    chosen = FORMATS[form]
    return Response(chosen.write(books), content_type=chosen.media_type, headers={"Content-Disposition": file_name})
