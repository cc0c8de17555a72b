"""The books as a workbook: a summary, the balances over the rounds with a chart, the ledger, the rounds, who pays whom.

XlsxWriter's `constant_memory` keeps rows in files until the workbook is packed. `Rows` writes them there a whole row
at a time, since going cell by cell takes most of the time otherwise. A table that is longer than a sheet goes on in a
further one.

No text is a formula or an address. Control characters in people's words are spaces here, since a workbook has no place
for them; everything else is read back as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from decimal import Decimal
from functools import lru_cache
from itertools import chain, islice, repeat
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, cast
from xml.sax.saxutils import escape

from babel.numbers import get_currency_precision
from xlsxwriter import Workbook
from xlsxwriter.chart_line import ChartLine
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from ledger.books import Balances
from ledger.desk import SessionArchive, settlement_of
from ledger.exports import tables
from ledger.exports.tables import Cell, Table
from ledger.exports.telling import deck_name, game_title, house_rules, last_recorded_at, played
from ledger.language import Language, translate
from ledger.play import BANK, POT
from ledger.session import ChipValue
from ledger.settlement import Payment
from schemas.settlement import dump_payment

BYTES_A_PIECE = 64 * 1024
MOST_ROWS = 1_048_576
"""How many rows a sheet holds, the header included."""

MOST_LINES = 255
"""How many lines a chart holds."""

COUNTS = frozenset({"id", "seq", "round", "reverses", "players"})
"""Columns whose numbers are not chips."""

WIDTHS = {"explanation": 100, "opened_at": 20, "reason": 18, "dealer_name": 16}
WIDTH = 12


def write_xlsx(archive: SessionArchive, language: Language) -> Iterator[bytes]:
    """Write the workbook to a file, and give that in pieces."""
    with TemporaryDirectory(prefix="fuda-ledger-") as folder:
        path = Path(folder, "archive.xlsx")
        with Workbook(path, {"constant_memory": True, "tmpdir": folder}) as workbook:
            looks = Looks.of(workbook, archive.session.opening.chip_value)
            write_summary(workbook, archive, language, looks)
            write_balances(workbook, archive, language, looks)
            write_table(workbook, "ledger", tables.entries(archive, language, plain), looks)
            write_table(workbook, "rounds", with_moments(tables.rounds(archive, language, plain)), looks)
            write_table(workbook, "settlement", settlement(archive), looks)
        with path.open("rb") as file:
            while piece := file.read(BYTES_A_PIECE):
                yield piece


def plain(words: str) -> str:
    """Give somebody's words with a space for each character that a workbook has no place for."""
    return _NO_PLACE.sub(" ", words)


_NO_PLACE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")

# --- sheets ---------------------------------------------------------------------------------------------------------


class Looks(NamedTuple):
    """How cells look."""

    title: Format
    heading: Format
    bold: Format
    chips: Format
    money: Format
    moment: Format

    @classmethod
    def of(cls, workbook: Workbook, value: ChipValue | None) -> Looks:
        """Make the looks of a workbook; money has as many digits behind the point as its currency."""
        digits = get_currency_precision(value.currency) if value else 0
        return cls(
            title=workbook.add_format({"bold": True, "font_size": 16}),
            heading=workbook.add_format({"bold": True, "bg_color": "#EDE6D6", "bottom": 1}),
            bold=workbook.add_format({"bold": True}),
            chips=workbook.add_format({"num_format": "#,##0;[Red]-#,##0"}),
            money=workbook.add_format({"num_format": "#,##0" + "." * bool(digits) + "0" * digits}),
            moment=workbook.add_format({"num_format": "yyyy-mm-dd hh:mm:ss", "align": "left"}),
        )


class Rows(Worksheet):
    """A worksheet that is written a row at a time, into the file that keeps its rows until the workbook is packed."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0
        self.columns: list[tuple[str, str]] = []

    def look(self, *formats: Format | None) -> None:
        """Say how the numbers in each column look, which is also how many columns there are."""
        self.columns = [(xl_col_to_name(at), _style(look)) for at, look in enumerate(formats)]

    def append(self, cells: Iterable[Cell], *looks: Format | None) -> None:
        """Write a row, its cells as they look in their columns, or as said. An empty cell is left out."""
        self.count = row = self.count + 1
        styles = (_style(look) for look in looks) if looks else repeat(None)
        written = [f'<row r="{row}">']
        for (column, own), style, cell in zip(self.columns, styles, cells, strict=False):
            if isinstance(cell, str):
                written.append(f'<c r="{column}{row}"{style or ""}{_text(cell)}')
            elif cell is not None:
                written.append(f'<c r="{column}{row}"{own if style is None else style}><v>{cell}</v></c>')
        self.row_data_fh.write("".join((*written, "</row>")))  # type: ignore[attr-defined]

    def end(self) -> None:
        """Say how large the sheet has become."""
        self._check_dimensions(0, 0)
        self._check_dimensions(self.count - 1, len(self.columns) - 1)


def _style(look: Format | None) -> str:
    return f' s="{look._get_xf_index()}"' if look else ""  # type: ignore[no-untyped-call]  # noqa: SLF001 - as its own cells do


@lru_cache(4096)
def _text(text: str) -> str:
    """Write the rest of a cell that holds a text. What looks like an escape of the format is itself escaped."""
    spaces = ' xml:space="preserve"' if text != text.strip() else ""
    text = escape(_LOOKS_ESCAPED.sub(r"_x005F\1", text))
    return f' t="inlineStr"><is><t{spaces}>{text}</t></is></c>'


_LOOKS_ESCAPED = re.compile("(_x[0-9a-fA-F]{4}_)")


# --- tables ---------------------------------------------------------------------------------------------------------


def write_table(workbook: Workbook, name: str, table: Table, looks: Looks) -> Rows:
    """Write a table, on as many sheets as it takes; give the first of them."""
    rows, sheets = iter(table.rows), list[Rows]()
    while (row := next(rows, None)) is not None or not sheets:
        sheet = cast("Rows", workbook.add_worksheet(f"{name} ({len(sheets) + 1})" if sheets else name, Rows))
        sheet.look(*(look_of(heading, looks) for heading in table.header))
        sheet.append(table.header, *repeat(looks.heading, len(table.header)))
        for cells in chain([] if row is None else [row], islice(rows, MOST_ROWS - 2)):
            sheet.append(cells)
        sheet.end()
        for column, heading in enumerate(table.header):
            sheet.set_column(column, column, WIDTHS.get(heading, WIDTH))
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, sheet.count - 1, len(table.header) - 1)
        sheets.append(sheet)
    return sheets[0]


def look_of(heading: str, looks: Looks) -> Format | None:
    """Say how the numbers in a column look."""
    if heading in COUNTS:
        return None
    return {"opened_at": looks.moment, "money": looks.money, "remainder": None}.get(heading, looks.chips)


def with_moments(table: Table) -> Table:
    """Give a table with moments as a spreadsheet counts them: in days."""
    at = table.header.index("opened_at")
    return Table(table.header, ((*row[:at], days(str(row[at])), *row[at + 1 :]) for row in table.rows))


def days(moment: str) -> float:
    """Count a moment as a spreadsheet does: in days since the end of 1899, in UTC."""
    return (datetime.fromisoformat(moment) - datetime(1899, 12, 30, tzinfo=UTC)).total_seconds() / 86400


def settlement(archive: SessionArchive) -> Table:
    """Say who pays whom, in chips and, where a chip has a value, in money."""
    names, value = archive.session.names, archive.session.opening.chip_value

    def row(payment: Payment) -> tuple[Cell, ...]:
        told = dump_payment(payment, value)
        return (
            payment.payer,
            plain(names.get(payment.payer, "")),
            payment.payee,
            plain(names.get(payment.payee, "")),
            payment.amount,
            *((float(told["money"]), value.currency, float(told.get("remainder", 0))) if value else ()),
        )

    money = ("money", "currency", "remainder") if value else ()
    header = ("from", "from_name", "to", "to_name", "amount", *money)
    return Table(header, map(row, settlement_of(archive.session.state, None).payments))


# --- the summary, and the balances over the rounds ------------------------------------------------------------------


def write_summary(workbook: Workbook, archive: SessionArchive, language: Language, looks: Looks) -> None:
    """Write what the evening was, what everyone has, and the house rules."""
    session, table, value = archive.session, archive.session.state.table, archive.session.opening.chip_value
    title = game_title(archive, language)
    status = translate("open", language) if table.status == "open" else translate("closed", language)
    sheet = cast("Rows", workbook.add_worksheet("summary", Rows))
    sheet.look(None, None, None, looks.chips, looks.money)
    sheet.append([plain(session.opening.name or title)], looks.title)
    sheet.append([translate("Game", language), title], looks.bold, None)
    sheet.append([translate("Deck", language), deck_name(archive, language)], looks.bold, None)
    sheet.append([translate("Status", language), status], looks.bold, None)
    sheet.append([translate("Opened (UTC)", language), days(session.created_at)], looks.bold, looks.moment)
    last = last_recorded_at(archive)
    sheet.append([translate("Last event (UTC)", language), days(last)], looks.bold, looks.moment)
    sheet.append([translate("Events", language), session.state.seq], looks.bold, None)
    sheet.append([translate("Rounds", language), table.rounds], looks.bold, None)
    if value:
        sheet.append([translate("Value of a chip", language), f"{value.per_chip} {value.currency}"], looks.bold, None)
    sheet.append([])
    for row in standings(archive, language):
        sheet.append(row, *(repeat(looks.heading, len(row)) if isinstance(row[-1], str) else ()))
    sheet.append([])
    sheet.append([translate("House rules", language)], looks.bold)
    for switch in house_rules(archive):
        sheet.append(switch)
    sheet.end()
    sheet.set_column(0, 0, 24)
    sheet.set_column(1, 1, 32)
    sheet.set_column(2, 4, WIDTH)


def standings(archive: SessionArchive, language: Language) -> Iterator[tuple[Cell, ...]]:
    """Say what every account holds, under a header."""
    table, balances = archive.session.state.table, archive.session.state.balances
    value = archive.session.opening.chip_value
    seats = table.seating.seats
    accounts = (
        *(
            (person.id, plain(person.name), seats.index(person.id) + 1 if person.active else None)
            for person in table.players
        ),
        (POT, translate("Pot", language), None),
        (BANK, translate("Bank", language), None),
    )
    header = (
        translate("Player", language),
        translate("Name", language),
        translate("Seat", language),
        translate("Balance", language),
    )
    yield (*header, *((value.currency,) if value else ()))
    for account in accounts:
        held = balances.get(account[0], 0)
        yield (*account, held, *((float(held * Decimal(value.per_chip)),) if value else ()))


def write_balances(workbook: Workbook, archive: SessionArchive, language: Language, looks: Looks) -> None:
    """Write what every account held after each round, and draw the players' as lines."""
    state, names = archive.session.state, archive.session.names
    accounts = (*names, POT, BANK)
    header = ("round", *(f"{player} {plain(name)}" for player, name in names.items()), POT, BANK)
    start: Balances = {}
    stands = chain([(0, start)], ((done.round.number, done.after) for done in played(state)))
    rows = ((number, *(held.get(account, 0) for account in accounts)) for number, held in stands)
    now: tuple[Cell, ...] = (translate("now", language), *(state.balances.get(account, 0) for account in accounts))
    sheet = write_table(workbook, "balances", Table(header, chain(rows, [now])), looks)
    chart = cast("ChartLine", workbook.add_chart({"type": "line"}))
    last = min(state.table.rounds + 1, MOST_ROWS - 1)
    for column in range(1, min(len(names), MOST_LINES) + 1):
        chart.add_series(
            {
                "name": [sheet.name, 0, column],
                "categories": [sheet.name, 1, 0, last, 0],
                "values": [sheet.name, 1, column, last, column],
                "line": {"width": 1.75},
            }
        )
    chart.set_title({"name": translate("Balances", language), "overlay": False})
    chart.set_x_axis({"name": translate("Round", language), "label_position": "low"})
    chart.set_y_axis({"name": translate("Chips", language), "num_format": "#,##0"})
    chart.set_size({"width": 960, "height": 540})
    sheet.insert_chart(1, len(header) + 1, chart)
