"""The books as a workbook: a summary, the balances over the rounds with a chart, the ledger, the rounds, who pays whom.

What grows with the evening (balances, ledger, rounds) XlsxWriter only begins; `sheets` writes the rows. A table that is
longer than a sheet goes on in a further one.

No text is a formula or an address; what people wrote is read back as it was written, control characters included.
Numbers of chips are int and money is Decimal up to the cell; what a spreadsheet then makes of them is its own business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from io import BytesIO
from itertools import chain, islice
from typing import NamedTuple, cast

from babel.numbers import get_currency_precision
from xlsxwriter import Workbook
from xlsxwriter.chart_line import ChartLine
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_range
from xlsxwriter.worksheet import Worksheet

from ledger.answers.encoding import ABSENT
from ledger.answers.settlement import Payment
from ledger.books import Balances
from ledger.desk import SessionArchive
from ledger.exports import tables
from ledger.exports.pieces import in_pieces
from ledger.exports.sheets import Rest, with_rows, xml_of
from ledger.exports.tables import Cell, Table
from ledger.exports.telling import deck_name, game_title, house_rules, last_recorded_at, played, settlement
from ledger.exports.wanted import Wanted
from ledger.language import Language, render, translate
from ledger.play import BANK, POT
from ledger.sentences import say
from ledger.session import ChipValue
from ledger.settlement import worth

Look = Format | None
"""How a cell looks; None as any other."""

MOST_ROWS = 1_048_576
"""How many rows a sheet holds, the header included."""

MOST_LINES = 255
"""How many lines a chart holds."""

NO_CACHE: Mapping[str, Sequence[int]] = {"categories_data": (), "values_data": ()}
"""What a chart remembers of its sheet: nothing, since XlsxWriter does not know the rows. A spreadsheet looks there."""

COUNTS = frozenset({"id", "seq", "round", "reverses", "players", "part"})
"""Columns whose numbers are not chips."""

FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001 - a spreadsheet knows no zones
"""The day that a spreadsheet counts as 0."""

WIDTHS = {"explanation": 100, "opened_at": 20, "reason": 18, "dealer_name": 16}
WIDTH = 12


def write_xlsx(archive: SessionArchive, wanted: Wanted) -> Iterator[bytes]:
    """Make the workbook without its long sheets' rows, which is small, and then give all of it, in pieces."""
    begun, language = BytesIO(), wanted.language
    with Workbook(begun, {"in_memory": True, "remove_timezone": True}) as workbook:
        looks = Looks.of(workbook, archive.session.chip_value)
        write_summary(workbook, archive, wanted, looks)
        balances = begin_balances(workbook, archive, language, looks)
        entries, played = tables.entries(archive, wanted, str), as_moments(tables.rounds(archive, wanted, str))
        ledger = begin_table(workbook, "ledger", archive.session.state.last_entry, entries, looks)
        rounds = begin_table(workbook, "rounds", archive.session.state.table.rounds, played, looks)
        write_payments(workbook, archive, looks)
    yield from in_pieces(with_rows(begun.getvalue(), balances | ledger | rounds))


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


class Rows:
    """A worksheet that is written row by row; `looks` says how the numbers and moments in each column look."""

    def __init__(self, sheet: Worksheet, looks: Sequence[Look]) -> None:
        self.sheet = sheet
        self.count = 0
        self.looks = looks

    def append(self, cells: Iterable[Cell | datetime], *looks: Look) -> None:
        """Write a row, its cells as they look in their columns, or all of them as said. An empty cell is left out."""
        sheet, row = self.sheet, self.count
        for column, (cell, look) in enumerate(zip(cells, looks or self.looks, strict=False)):
            if isinstance(cell, str):
                write_text(sheet, row, column, cell, look if looks else None)
            elif cell.__class__ is int:
                sheet.write_number(row, column, cell, look)
            elif cell is not None:
                sheet.write(row, column, cell, look)
        self.count += 1


def write_text(sheet: Worksheet, row: int, column: int, text: str, look: Look) -> None:
    """Write a text. One like `<r>…</r>` goes letter by letter, or XlsxWriter would take it for XML of its own."""
    if text.startswith("<r>") and text.endswith("</r>"):
        sheet.write_rich_string(row, column, *text, *filter(None, [look]))
    else:
        sheet.write_string(row, column, text, look)


# --- tables ---------------------------------------------------------------------------------------------------------


def begin_table(workbook: Workbook, name: str, length: int, table: Table, looks: Looks) -> dict[str, Rest]:
    """Begin a table of so many rows, on as many sheets as it takes; give the rest of each by the name of its file."""
    rests, room = dict[str, Rest](), MOST_ROWS - 1
    for number in range(-(-length // room) or 1):
        sheet = workbook.add_worksheet(f"{name} ({number + 1})" if number else name)
        written = begin_sheet(sheet, table.header, looks)
        goes = (0, 0, min(room, length - number * room), len(table.header) - 1)
        sheet.autofilter(*goes)
        rest = Rest(xl_range(*goes), xml_of(islice(table.rows, room), 2, written.looks))
        rests[f"xl/worksheets/sheet{len(workbook.worksheets())}.xml"] = rest
    return rests


def begin_sheet(sheet: Worksheet, header: Sequence[str], looks: Looks) -> Rows:
    """Begin a sheet with a header that stays in sight."""
    rows = Rows(sheet, [look_of(heading, looks) for heading in header])
    rows.append(header, *[looks.heading] * len(header))
    for column, heading in enumerate(header):
        sheet.set_column(column, column, WIDTHS.get(heading, WIDTH))
    sheet.freeze_panes(1, 0)
    return rows


def look_of(heading: str, looks: Looks) -> Look:
    """Say how the numbers in a column look."""
    if heading in COUNTS:
        return None
    return {"opened_at": looks.moment, "money": looks.money, "remainder": None}.get(heading, looks.chips)


def as_moments(table: Table) -> Table:
    """Give a table with moments for the texts that tell them: the days since a spreadsheet's first."""
    at = table.header.index("opened_at")

    def days(told: str) -> float:
        return (datetime.fromisoformat(told).replace(tzinfo=None) - FIRST_DAY) / timedelta(days=1)

    return Table(table.header, ((*row[:at], days(str(row[at])), *row[at + 1 :]) for row in table.rows))


def write_payments(workbook: Workbook, archive: SessionArchive, looks: Looks) -> None:
    """Write who pays whom."""
    header, rows = payments(archive)
    sheet = workbook.add_worksheet("settlement")
    written = begin_sheet(sheet, header, looks)
    for row in rows:
        written.append(row)
    sheet.autofilter(0, 0, written.count - 1, len(header) - 1)


def payments(archive: SessionArchive) -> Table:
    """Say who pays whom, in chips and, where a chip has a value, in money."""
    names, due = archive.session.names, settlement(archive)

    def row(payment: Payment) -> tuple[Cell, ...]:
        payer, payee = payment.payer, payment.payee
        told = (payer, names.get(payer), payee, names.get(payee), payment.amount)
        if payment.money is ABSENT:
            return told
        rest = 0 if payment.remainder is ABSENT else Decimal(payment.remainder)
        return (*told, Decimal(payment.money), due.currency, rest)

    money = ("money", "currency", "remainder") if due.currency else ()
    return Table(("from", "from_name", "to", "to_name", "amount", *money), map(row, due.payments))


# --- the summary, and the balances over the rounds ------------------------------------------------------------------


def write_summary(workbook: Workbook, archive: SessionArchive, wanted: Wanted, looks: Looks) -> None:
    """Write what the evening was, what everyone has, and the house rules."""
    session, table, value, language = (
        archive.session,
        archive.session.state.table,
        archive.session.chip_value,
        wanted.language,
    )
    title = game_title(archive, language)
    status = translate("open", language) if table.status == "open" else translate("closed", language)
    summary = workbook.add_worksheet("summary")
    sheet = Rows(summary, [None, None, None, looks.chips, looks.money])
    sheet.append([session.name or title], looks.title)
    sheet.append([translate("Game", language), title], looks.bold, None)
    sheet.append([translate("Deck", language), deck_name(archive, language)], looks.bold, None)
    sheet.append([translate("Status", language), status], looks.bold, None)
    first, last = (wanted.moment(at).replace(tzinfo=None) for at in (session.created_at, last_recorded_at(archive)))
    opened = render(say("Opened ({clock})", clock=wanted.clock), language, {})
    sheet.append([opened, first], looks.bold, looks.moment)
    ended = render(say("Last event ({clock})", clock=wanted.clock), language, {})
    sheet.append([ended, last], looks.bold, looks.moment)
    sheet.append([translate("Events", language), session.state.seq], looks.bold, None)
    sheet.append([translate("Rounds", language), table.rounds], looks.bold, None)
    if value:
        sheet.append([translate("Value of a chip", language), f"{value.per_chip} {value.currency}"], looks.bold, None)
    sheet.append([])
    for row in standings(archive, language):
        sheet.append(row, *([looks.heading] * len(row) if isinstance(row[-1], str) else ()))
    sheet.append([])
    sheet.append([translate("House rules", language)], looks.bold)
    for switch in house_rules(archive, language):
        sheet.append(switch)
    summary.set_column(0, 0, 24)
    summary.set_column(1, 1, 32)
    summary.set_column(2, 4, WIDTH)


def standings(archive: SessionArchive, language: Language) -> Iterator[tuple[Cell, ...]]:
    """Say what every account holds, under a header."""
    table, balances = archive.session.state.table, archive.session.state.balances
    value = archive.session.chip_value
    seats = table.seating.seats
    accounts = (
        *((person.id, person.name, seats.index(person.id) + 1 if person.active else None) for person in table.players),
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
        yield (*account, held, *((worth(held, value.per_chip),) if value else ()))


def begin_balances(workbook: Workbook, archive: SessionArchive, language: Language, looks: Looks) -> dict[str, Rest]:
    """Tell what every account held after each round, and draw the players' as lines; give the rest as `begin_table`."""
    state, names = archive.session.state, archive.session.names
    accounts = (*names, POT, BANK)
    header = ("round", *(f"{player} {name}" for player, name in names.items()), POT, BANK)
    start: Balances = {}
    stands = chain([(0, start)], ((done.round.number, done.after) for done in played(state)))
    rows = ((number, *(held.get(account, 0) for account in accounts)) for number, held in stands)
    now: tuple[Cell, ...] = (translate("now", language), *(state.balances.get(account, 0) for account in accounts))
    told = begin_table(workbook, "balances", state.table.rounds + 2, Table(header, chain(rows, [now])), looks)
    sheet = cast("Worksheet", workbook.get_worksheet_by_name("balances"))
    chart = cast("ChartLine", workbook.add_chart({"type": "line"}))
    last = min(state.table.rounds + 1, MOST_ROWS - 1)
    for column in range(1, min(len(names), MOST_LINES) + 1):
        chart.add_series(
            {
                "name": [sheet.name, 0, column],
                "categories": [sheet.name, 1, 0, last, 0],
                "values": [sheet.name, 1, column, last, column],
                "line": {"width": 1.75},
                **NO_CACHE,
            }
        )
    chart.set_title({"name": translate("Balances", language), "overlay": False})
    chart.set_x_axis({"name": translate("Round", language), "label_position": "low"})
    chart.set_y_axis({"name": translate("Chips", language), "num_format": "#,##0"})
    chart.set_size({"width": 960, "height": 540})
    sheet.insert_chart(1, len(header) + 1, chart)
    return told
