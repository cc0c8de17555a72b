"""The books as CSV, ready for a spreadsheet: an entry a row, or (`what`) a round or an event a row.

A spreadsheet takes some texts for formulas. Those get an apostrophe in front, which is how a spreadsheet itself marks
a text; everything else is read back as it was written.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from unicodedata import normalize

from ledger.codec.words import is_seen
from ledger.exports import tables
from ledger.exports.archive import SessionArchive
from ledger.exports.tables import Safe, Table
from ledger.exports.wanted import Wanted

ROWS_A_PIECE = 500
SIGNS = frozenset("=+-@")
"""What a formula may begin with, in whatever width it is written: a Japanese spreadsheet takes `＝`, too."""

BREAKS = ("\t", "\r", "\n")
"""What a spreadsheet may pass over, or begin another cell with."""

PARTS: Mapping[str, Callable[[SessionArchive, Wanted, Safe], Table]] = {
    "entries": tables.entries,
    "rounds": tables.rounds,
    "events": tables.events,
}


def write_csv(archive: SessionArchive, wanted: Wanted) -> Iterator[bytes]:
    """Write a part of the archive, by default the entries, some hundred rows at a time.

    With a mark in front, Excel reads it as UTF-8, and names in Japanese as what they are.
    """
    header, rows = PARTS[wanted.part or "entries"](archive, wanted, harmless)
    buffer = io.StringIO(newline="")
    buffer.write("\N{ZERO WIDTH NO-BREAK SPACE}" * wanted.bom)
    writer = csv.writer(buffer)
    writer.writerow(header)
    while piece := buffer.getvalue():
        yield piece.encode()
        buffer.seek(0)
        buffer.truncate()
        writer.writerows(islice(rows, ROWS_A_PIECE))


def harmless(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula, also behind what it does not show, as a mark of UTF-8."""
    first = next((letter for letter in text if is_seen(letter)), "")
    is_formula = normalize("NFKC", first)[:1] in SIGNS or text.startswith(BREAKS)
    return "'" + text if is_formula else text
