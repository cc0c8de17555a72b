"""The books as a workbook: a summary, the balances over the rounds with a chart, the ledger, the rounds, who pays whom.

The long tables are written as they are made: XlsxWriter's `constant_memory` keeps rows in files until the workbook is
packed, and `Rows` writes them there itself, since its cell-by-cell calls take most of the time otherwise. A table that
is longer than a sheet goes on in a further one.

No text is a formula or an address. Control characters in people's words are spaces here, since a workbook has no place
for them; everything else is read back as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.sax.saxutils import escape

from xlsxwriter import Workbook
from xlsxwriter.chart import Chart
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from ledger.desk import Books, settlement_of
from ledger.exports import tables
from ledger.exports.double_entry import price
from ledger.exports.rounds import played, recorded_at
from ledger.exports.tables import Cell
from ledger.language import Language, translate
from ledger.play import BANK, POT
from schemas.sessions import dump_rules
from schemas.settlement import dump_payment

BYTES_A_PIECE = 64 * 1024
MOST_ROWS = 1_048_576
"""How many rows a sheet holds."""

MOST_LINES = 255
"""How many lines a chart holds."""

CHIPS = "#,##0;[Red]-#,##0"


def write_xlsx(books: Books, language: Language) -> Iterator[bytes]:
    """Write the workbook to a file of its own, and give that."""
    with TemporaryDirectory(prefix="fuda-ledger-") as folder:
        path = Path(folder, "books.xlsx")
        options = {
            "constant_memory": True,
            "strings_to_formulas": False,
            "strings_to_urls": False,
            "tmpdir": folder,
        }
        with Workbook(path, options) as book:
            write_summary(book, books, language)
            write_balances(book, books, language)
            write_table(book, "ledger", tables.entries(books, language, plain), chips=("amount", "_balance"))
            write_table(book, "rounds", tables.rounds(books, language, plain), chips=("carried", "paid_in", "pot", "p"))
            write_settlement(book, books)
        with path.open("rb") as file:
            while piece := file.read(BYTES_A_PIECE):
                yield piece


def plain(words: str) -> str:
    """Give somebody's words without what a workbook has no place for."""
    return _NO_PLACE.sub(" ", words)


_NO_PLACE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
