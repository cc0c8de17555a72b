"""The books to take home: one format a file, one line in `FORMATS` each.

A format is a function from a session, as it stands at one moment, to pieces of a file. Pieces are made as they are
asked for, so the memory an export takes does not grow with the session. What people wrote (names, notes, reasons) is
data in every format: each module says what its format needs escaped, and what a reader gets back.

`telling`, `tables`, `double_entry`, `naming` and `pieces` are no formats, but what several of them share; `sheets` is
the long part of a workbook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ledger.desk import SessionArchive
from ledger.exports.beancount import write_beancount
from ledger.exports.csv import PARTS, write_csv
from ledger.exports.html import write_html
from ledger.exports.journal import write_journal
from ledger.exports.json import write_json
from ledger.exports.naming import ascii_part, file_name
from ledger.exports.pieces import at_leisure
from ledger.exports.text import write_text
from ledger.language import Language
from ledger.sentences import Malformed, WrongParameter, say


class Format(NamedTuple):
    """A file format: its media type, what writes it for a reader of a language, and the parts one may ask for."""

    media_type: str
    write: Callable[[SessionArchive, Language, str | None], Iterator[bytes]]
    parts: tuple[str, ...] = ()


class File(NamedTuple):
    """A file to take home, and what to call it, also where only ASCII is known. Its pieces are made when asked for."""

    name: str
    ascii_name: str
    media_type: str
    pieces: Iterator[bytes]


def write_xlsx(archive: SessionArchive, language: Language, _part: str | None) -> Iterator[bytes]:
    """Write a workbook. What that takes is loaded for the first: a service starts without."""
    from ledger.exports import xlsx  # noqa: PLC0415

    return xlsx.write_xlsx(archive, language)


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

FORMATS: Mapping[str, Format] = {
    "csv": Format("text/csv; charset=utf-8", write_csv, tuple(PARTS)),
    "json": Format("application/json", lambda archive, *_: write_json(archive)),
    "txt": Format("text/plain; charset=utf-8", lambda archive, *_: write_text(archive)),
    "xlsx": Format(XLSX, write_xlsx),
    "journal": Format("text/plain; charset=utf-8", lambda archive, *_: write_journal(archive)),
    "beancount": Format("text/plain; charset=utf-8", lambda archive, *_: write_beancount(archive)),
    "html": Format("text/html; charset=utf-8", lambda archive, language, _: write_html(archive, language)),
}


def file_of(archive: SessionArchive, form: str, language: Language, what: str | None) -> File:
    """Write a session, or a part of it, as a file. Raises Malformed for a part that is not there."""
    chosen = FORMATS[form]
    if what is not None and what not in chosen.parts:
        raise Malformed(WrongParameter("what", say("this format has no such part")))
    number = f"fuda-ledger-{archive.session.id}"
    title = archive.session.name or number
    return File(
        file_name(title, what, form),
        file_name(ascii_part(title) or number, what, form),
        chosen.media_type,
        at_leisure(chosen.write(archive, language, what)),
    )
