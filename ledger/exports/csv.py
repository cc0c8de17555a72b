"""The books as CSV, ready for a spreadsheet: an entry a row, or (`what`) a round or an event a row.

A spreadsheet takes some texts for formulas. Those get an apostrophe in front, which is how a spreadsheet itself marks
a text; everything else is read back as it was written.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping
from typing import Any
from unicodedata import normalize

from ledger.codec.words import is_seen
from ledger.exports import tables
from ledger.exports.archive import SessionArchive
from ledger.exports.tables import Kind, Table

SIGNS = frozenset("=+-@")
"""What a formula may begin with, in whatever width it is written: a Japanese spreadsheet takes `＝`, too."""

BREAKS = ("\t", "\r", "\n")
"""What a spreadsheet may pass over, or begin another cell with."""

PARTS: Mapping[str, Callable[[SessionArchive], Table]] = {
    "entries": tables.entries,
    "rounds": tables.rounds,
    "events": tables.events,
}


def write_csv(archive: SessionArchive) -> bytes:
    """Write a part of the session, by default the entries; `bom` makes Excel read it as UTF-8."""
    options = archive.options
    table = PARTS[options.part or "entries"](archive)
    names = {player: harmless(name) for player, name in archive.session.names.items()}
    written: dict[Kind, Callable[[Any], Any]] = {"name": names.get, "time": options.timestamp}
    written |= {"text": harmless, "story": harmless}
    converters = [written.get(column.kind) for column in table.columns]
    buffer = io.StringIO(newline="")
    buffer.write("\N{ZERO WIDTH NO-BREAK SPACE}" * options.bom)
    writer = csv.writer(buffer)
    writer.writerow(column.key for column in table.columns)
    for row in table.rows:
        cells = zip(converters, row, strict=True)
        writer.writerow([convert(cell) if convert and cell else cell for convert, cell in cells])
    return buffer.getvalue().encode()


def harmless(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula, also behind what it does not show, as a mark of UTF-8."""
    first = next((letter for letter in text if is_seen(letter)), "")
    is_formula = normalize("NFKC", first)[:1] in SIGNS or text.startswith(BREAKS)
    return "'" + text if is_formula else text
