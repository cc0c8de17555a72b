"""The ledger as CSV: an entry a row, in order, ready for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from ledger.desk import Books

COLUMNS = ("id", "seq", "round", "from", "from_name", "to", "to_name", "amount", "reason", "reverses")
ROWS_A_PIECE = 500
FORMULA_BEGINNINGS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet, also a Japanese one, may take for the beginning of a formula."""


def write_csv(books: Books) -> Iterator[bytes]:
    """Write every entry, with the names of the accounts it moves chips between."""
    names = {account: harmless(name) for account, name in books.sitting.names.items()}
    rows = (
        (e.id, e.seq, e.round, e.payer, names.get(e.payer), e.payee, names.get(e.payee), e.amount, e.reason, e.reverses)
        for e in books.entries()
    )
    yield from in_pieces(COLUMNS, rows)


def harmless(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    return "'" + text if text.startswith(FORMULA_BEGINNINGS) else text


def in_pieces(header: Iterable[object], rows: Iterable[Iterable[object]]) -> Iterator[bytes]:
    """Write rows as CSV, some hundred at a time."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(header)
    for number, row in enumerate(rows, 1):
        writer.writerow(row)
        if number % ROWS_A_PIECE == 0:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()
