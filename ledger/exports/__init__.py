"""Exports of a session: one format a file, one line in `FORMATS` each.

A format is a function from a session, read from one snapshot, to a whole file. Names, notes and reasons are data in
every format: each module says what its format needs escaped, and what a reader gets back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ledger.exports.archive import SessionArchive
from ledger.exports.csv import PARTS, write_csv
from ledger.exports.double_entry import write_beancount, write_journal
from ledger.exports.file_names import ascii_part, file_name
from ledger.exports.json import write_json
from ledger.exports.options import ExportOptions
from ledger.exports.score_sheet import write_html
from ledger.exports.text import write_text
from ledger.exports.workbook import write_xlsx
from ledger.i18n.sentences import Malformed, WrongParameter, say
from ledger.session.history import Session
from ledger.storage.store import Store


class Format(NamedTuple):
    media_type: str
    write: Callable[[SessionArchive], bytes]


class ExportFile(NamedTuple):
    """A file with its name, and a name for where only ASCII is known."""

    name: str
    ascii_name: str
    media_type: str
    content: bytes


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

FORMATS: Mapping[str, Format] = {
    "csv": Format("text/csv; charset=utf-8", write_csv),
    "json": Format("application/json", write_json),
    "txt": Format("text/plain; charset=utf-8", write_text),
    "xlsx": Format(XLSX, write_xlsx),
    "journal": Format("text/plain; charset=utf-8", write_journal),
    "beancount": Format("text/plain; charset=utf-8", write_beancount),
    "html": Format("text/html; charset=utf-8", write_html),
}


def export(session: Session, store: Store, form: str, options: ExportOptions) -> ExportFile:
    """Write a session, or a part of it, as a file. Raises Malformed for what the format lacks, NotFound."""
    (media_type, write), part = FORMATS[form], options.part
    if part is not None and (form != "csv" or part not in PARTS):
        raise Malformed(WrongParameter("what", say("this format has no such part")))
    if options.bom and form != "csv":
        raise Malformed(WrongParameter("bom", say("this format has no such mark; csv has")))
    with store.snapshot() as reader:
        content = write(SessionArchive(session, reader.session(session.id), reader, options))
    number = f"fuda-ledger-{session.id}"
    name, ascii_name = session.name or number, ascii_part(session.name or "") or number
    return ExportFile(file_name(name, part, form), file_name(ascii_name, part, form), media_type, content)
