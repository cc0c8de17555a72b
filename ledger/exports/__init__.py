"""The books to take home: one format a file, one line in `FORMATS` each.

A format is a function from a session, as it stands at one moment, to pieces of a file. Pieces are made as they are
asked for, so the memory an export takes does not grow with the session. What people wrote (names, notes, reasons) is
data in every format: each module says what its format needs escaped, and what a reader gets back.

`wanted`, `telling`, `tables`, `double_entry`, `naming` and `pieces` are no formats, but what several of them share;
`sheets` is the long part of a workbook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ledger.cooperation import yielding
from ledger.exports.archive import SessionArchive
from ledger.exports.beancount import write_beancount
from ledger.exports.csv import PARTS, write_csv
from ledger.exports.html import write_html
from ledger.exports.journal import write_journal
from ledger.exports.json import write_json
from ledger.exports.naming import ascii_part, file_name
from ledger.exports.text import write_text
from ledger.exports.wanted import Wanted
from ledger.sentences import Malformed, WrongParameter, say


class Format(NamedTuple):
    """A file format: its media type, what writes it, the parts one may ask for, and whether it may have a mark.

    The mark, three bytes in front (a BOM), tells a spreadsheet that a text is in UTF-8.
    """

    media_type: str
    write: Callable[[SessionArchive, Wanted], Iterator[bytes]]
    parts: tuple[str, ...] = ()
    marked: bool = False


class File(NamedTuple):
    """A file to take home, and what to call it, also where only ASCII is known. Its pieces are made when asked for."""

    name: str
    ascii_name: str
    media_type: str
    pieces: Iterator[bytes]


def write_xlsx(archive: SessionArchive, wanted: Wanted) -> Iterator[bytes]:
    """Write a workbook. What that takes is loaded for the first: a service starts without."""
    from ledger.exports import xlsx  # noqa: PLC0415

    return xlsx.write_xlsx(archive, wanted)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

FORMATS: Mapping[str, Format] = {
    "csv": Format("text/csv; charset=utf-8", write_csv, tuple(PARTS), marked=True),
    "json": Format("application/json", lambda archive, _: write_json(archive)),
    "txt": Format("text/plain; charset=utf-8", lambda archive, _: write_text(archive)),
    "xlsx": Format(XLSX, write_xlsx),
    "journal": Format("text/plain; charset=utf-8", write_journal),
    "beancount": Format("text/plain; charset=utf-8", write_beancount),
    "html": Format("text/html; charset=utf-8", write_html),
}


def file_of(archive: SessionArchive, form: str, wanted: Wanted) -> File:
    """Write a session, or a part of it, as a file. Raises Malformed for what the format does not have."""
    chosen, part = FORMATS[form], wanted.part
    if part is not None and part not in chosen.parts:
        raise Malformed(WrongParameter("what", say("this format has no such part")))
    if wanted.bom and not chosen.marked:
        raise Malformed(WrongParameter("bom", say("this format has no such mark; csv has")))
    number = f"fuda-ledger-{archive.session.id}"
    title = archive.session.name or number
    return File(
        file_name(title, part, form),
        file_name(ascii_part(title) or number, part, form),
        chosen.media_type,
        yielding(chosen.write(archive, wanted)),
    )
