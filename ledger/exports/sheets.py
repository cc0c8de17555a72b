"""The long sheets of a workbook, written while it is sent.

XlsxWriter makes the workbook as if its long sheets ended after the header: small, and all that takes knowledge of the
format (looks, charts, what belongs to what) is in it. As it is packed once more for the reader, the rows are put in, in
the XML that XlsxWriter would have written for them, at a fraction of the time. Neither memory nor disk ever holds more
than some of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import NamedTuple
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name


class Formula(NamedTuple):
    """A formula, and what comes of it, for who reads the file without calculating."""

    text: str
    value: int | Decimal


Cell = int | float | Decimal | str | Formula | None

ROWS_A_PAGE = 100
END_OF_ROWS = b"</sheetData>"
DIMENSION = re.compile(rb'<dimension ref="[^"]*"')
"""How far a sheet goes; who reads it row by row believes that."""

LEVEL = 2
"""How hard a workbook is packed: at the usual 6 that takes three times as long, for a file a sixth smaller."""

MAX_LETTERS = 16_383
"""How much of a text is written: a cell holds 32,767 units of UTF-16, and no letter is more than two."""


def xml_of(
    rows: Iterable[Sequence[Cell]],
    first: int,
    looks: Sequence[int],
    height: Callable[[Sequence[Cell]], float] | None = None,
) -> Iterator[bytes]:
    """Write rows, of which the first has this number, some at a time. An empty cell is left out.

    `height` says how high a row is, in points, where that is not as usual; not every program finds out by itself how
    much room a long text takes. `looks` are the numbers of how each column looks, as `number_of` gives them.
    """
    rows = iter(rows)
    columns = [(f'<c r="{xl_col_to_name(at)}', f'" s="{look}"') for at, look in enumerate(looks)]
    while page := list(islice(rows, ROWS_A_PAGE)):
        written = []
        for number, row in enumerate(page, first):
            at = str(number)
            high = "" if height is None else f' ht="{height(row)}" customHeight="1"'
            written.append(f'<row r="{at}"{high}>')
            written += [
                f"{begin}{at}{look}{text_in_cell(cell)}"
                if cell.__class__ is str
                else f"{begin}{at}{look}><f>{escape(cell.text)}</f><v>{cell.value}</v></c>"
                if isinstance(cell, Formula)
                else f"{begin}{at}{look}><v>{cell}</v></c>"
                for (begin, look), cell in zip(columns, row, strict=True)
                if cell is not None
            ]
            written.append("</row>")
        first += len(page)
        yield "".join(written).encode()


def number_of(look: Format) -> int:
    """Give the number of a look in its workbook, in which it then is, whether XlsxWriter writes such a cell or not.

    XlsxWriter says it nowhere else; an attribute has it, but not for a look that is like another one.
    """
    number: int = look._get_xf_index()  # type: ignore[no-untyped-call]  # noqa: SLF001
    return number


@lru_cache(4096)
def text_in_cell(text: str) -> str:
    """Write a text as it stands in a cell, after its place and look; names and reasons come again and again."""
    spaces = "" if text == text.strip() else ' xml:space="preserve"'
    letters = escape(NOT_IN_XML.sub(lambda found: f"_x{ord(found[0]):04X}_", text[:MAX_LETTERS]))
    return f' t="inlineStr"><is><t{spaces}>{letters}</t></is></c>'


NOT_IN_XML = re.compile(r"[\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""What a workbook writes by its number, `_x001B_`, and what would be read as such a number."""


class Outbox:
    """What a zip file is written to: it keeps what was not taken yet. Nothing is gone back to."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def write(self, data: bytes) -> int:
        """Keep some bytes."""
        self._kept += data
        return len(data)

    def flush(self) -> None:
        """Do nothing: what is kept is there to be taken."""

    def taken(self) -> bytes:
        """Give what was kept, and keep it no longer."""
        taken = bytes(self._kept)
        self._kept.clear()
        return taken


class Rest(NamedTuple):
    """What a sheet has below its header: how far it goes (`A1:M43`), and its rows as XML."""

    goes: str
    rows: Iterator[bytes]


def with_rows(workbook: bytes, rests: Mapping[str, Rest]) -> Iterator[bytes]:
    """Pack a workbook for its reader, and put rows at the end of its sheets, which are called by their files in it."""
    outbox = Outbox()
    with ZipFile(BytesIO(workbook)) as made, ZipFile(outbox, "w", ZIP_DEFLATED, compresslevel=LEVEL) as sent:  # type: ignore[call-overload]  # it needs no more of a file
        for name in made.namelist():
            before, end, after = made.read(name).partition(END_OF_ROWS)
            with sent.open(name, "w") as part:
                if rest := rests.get(name):
                    part.write(DIMENSION.sub(f'<dimension ref="{rest.goes}"'.encode(), before, count=1))
                    for page in rest.rows:
                        part.write(page)
                        yield outbox.taken()
                else:
                    part.write(before)
                part.write(end + after)
            yield outbox.taken()
    yield outbox.taken()
