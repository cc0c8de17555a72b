"""The books to take home, streamed."""

from __future__ import annotations

from flask import Response

from ledger.api.door import ALL, Room, admits, desk
from ledger.desk import NotThere
from ledger.exports import FORMATS

exports = Room("exports", __name__, description="The books to take home.", url_prefix="/v1/sessions")


@exports.get("/<session_id>/export.<form>")
@admits(*ALL)
@exports.response(200, {"type": "string"}, content_type="application/octet-stream")
def export(session_id: str, form: str) -> Response:
    """Give the whole session as a file: `csv`, an entry a row, or `json`, everything."""
    if form not in FORMATS:
        raise NotThere
    books = desk().books(session_id)
    file_name = f'attachment; filename="fuda-ledger-{session_id}.{form}"'
    chosen = FORMATS[form]
    return Response(chosen.write(books), content_type=chosen.media_type, headers={"Content-Disposition": file_name})
