"""The books to take home: one format a file, one line in `FORMATS` each.

A format is a function from a session, as it stands at one moment, to pieces of a file. Pieces are made as they are
asked for, so the memory an export takes does not grow with the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from ledger.desk import Books
from ledger.exports.csv import write_csv
from ledger.exports.json import write_json


class Format(NamedTuple):
    """A file format: its media type, and what writes it."""

    media_type: str
    write: Callable[[Books], Iterator[bytes]]


FORMATS: Mapping[str, Format] = {
    "csv": Format("text/csv; charset=utf-8", write_csv),
    "json": Format("application/json", write_json),
}
