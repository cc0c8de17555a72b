"""The books as a workbook: a summary, what was won over the rounds with a chart, the ledger, the rounds, who pays whom.

XlsxWriter writes the rows of a long session to temporary files as they come (`constant_memory`): of 20,000 events a
process takes 99 MB so, in memory 152, and 187 with `add_table`. That mode has neither `add_table` nor `autofit`, so
headings, filters, totals and widths are written here.

No text is a formula or an address; what people wrote is read back as it was written, control characters included.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from io import BytesIO
from typing import Any, cast, get_args

import wcwidth
from babel.numbers import get_currency_precision
from gevent import get_hub
from xlsxwriter import Workbook
from xlsxwriter.chart_line import ChartLine
from xlsxwriter.format import Format
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from ledger.cooperation import yielding
from ledger.exports import tables
from ledger.exports.archive import SessionArchive
from ledger.exports.tables import Kind, Table, Text
from ledger.i18n.language import Language, cut, inert
from ledger.i18n.sentences import Sentence, say

MAX_ENTRIES_IN_MEMORY = 3000
MAX_LETTERS = 16_383
"""How much of a text is written: a cell holds 32,767 units of UTF-16, and no letter is more than two."""

LINE_HEIGHT, PORTRAIT_WIDTH, MIN_WIDTH, MAX_WIDTH, WRAPPED_WIDTH = 15, 130, 6, 30, 10
WIDTHS: Mapping[Kind, float] = {"day": 15, "time": 20, "story": 105}
"""A height in points, and widths of a page and of columns in digits; a Japanese heading is wrapped anywhere."""

TIMES: Mapping[Language, Mapping[Kind, str]] = {
    "en": {"time": "[$-409]d mmm yyyy h:mm", "day": "[$-409]d mmm yyyy"},
    "ja": {"time": 'yyyy"年"m"月"d"日" h:mm', "day": 'yyyy"年"m"月"d"日"'},
}
LOOKS: Mapping[str, Mapping[str, Any]] = {
    "plain": {"align": "left"},
    "bold": {"align": "left", "bold": True},
    "title": {"align": "left", "bold": True, "font_size": 16},
    "cell": {"bottom": 4, "bottom_color": "#BFB8A8"},
    "heading": {"bold": True, "bg_color": "#EDE6D6", "bottom": 1, "valign": "vcenter", "text_wrap": True},
    "total": {"bold": True, "top": 1},
}


def write_xlsx(archive: SessionArchive) -> bytes:
    content = BytesIO()
    is_long = archive.state.books.last_entry > MAX_ENTRIES_IN_MEMORY
    workbook = Workbook(content, {"constant_memory" if is_long else "in_memory": True})
    workbook.set_properties({"created": datetime.fromisoformat(archive.session.created_at)})  # else now, in each file
    try:
        book = Book(workbook, archive)
        book.write_summary()
        won = book.write_sheet(tables.after_rounds(archive, say("Won"), "won"))
        book.write_sheet(tables.after_rounds(archive, say("Balances"), "balances"))
        book.write_sheet(tables.entries(archive))
        rounds = tables.rounds(archive)
        book.write_sheet(rounds.only(*(column.key for column in rounds.columns if column.kind != "story")))
        book.write_sheet(rounds.only("round", "explanation")._replace(title=say("How the rounds went")))
        book.write_sheet(tables.payments(archive.settlement))
        book.draw(won, archive.state.table.rounds + 2)
    finally:  # packing is one long call that does not yield to other greenlets, so it is left to a thread
        get_hub().threadpool.apply(workbook.close)  # type: ignore[no-untyped-call]
    return content.getvalue()


class Book:
    """The workbook that is written: how its cells look, and what is written in them."""

    def __init__(self, workbook: Workbook, archive: SessionArchive) -> None:
        self.workbook, self.archive, self.words = workbook, archive, archive.words
        self.shown: Mapping[Kind, Callable[[Any], Any]] = {
            "name": lambda account: archive.accounts.get(account, account),
            "reason": lambda reason: archive.reasons.get(reason, reason),
            "status": lambda status: archive.statuses[status],
            "time": lambda time: archive.options.local(time).replace(tzinfo=None),
            "day": datetime.fromisoformat,
        }
        value = archive.session.chip_value
        money = "#,##0." + "0" * (get_currency_precision(value.currency) if value else 0)
        self.numbers: dict[Kind, str] = {**TIMES[archive.options.language], "money": money.strip(".")}
        self.numbers |= dict.fromkeys(("chips", "amount", "check"), "#,##0;[Red]-#,##0")

    @lru_cache  # noqa: B019 - as long as the workbook
    def format(self, kind: Kind = "word", look: str = "plain") -> Format:
        """Return one of `LOOKS` for cells of a kind."""
        is_text = kind in get_args(Text)
        usual = {"valign": "top", "align": "left" if is_text else "right", "indent": int(is_text)}
        usual |= {"text_wrap": kind == "story", "shrink": look == "cell" and kind != "story"}
        number = {} if look == "heading" else {"num_format": self.numbers.get(kind, "General")}
        return self.workbook.add_format({**usual, **number, **LOOKS[look]})

    def lay_out(self, sheet: Worksheet) -> Worksheet:
        """Print a sheet on A4, as wide as a page; on each page stand the session, the sheet and the page's number."""
        title = inert(cut(self.archive.title, 80, len)).replace("&", "&&")  # a header holds 255 signs
        sheet.set_paper(9)  # A4
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(left=0.5, right=0.5, top=0.8, bottom=0.7)
        sheet.set_header(f"&L&9 {title}&R&9&A")
        sheet.set_footer("&R&9&P / &N")
        return sheet

    # --- tables -----------------------------------------------------------------------------------------------------

    def write_sheet(self, table: Table) -> Worksheet:
        """Write a table on a sheet of its own, with a filter; its headings stay in sight and come on every page."""
        sheet = self.lay_out(self.workbook.add_worksheet(self.words(table.title)))
        last = self.write_table(sheet, table)
        sheet.autofilter(0, 0, last, len(table.columns) - 1)
        sheet.freeze_panes(1, 1)
        sheet.repeat_rows(0)
        return sheet

    def write_table(self, sheet: Worksheet, table: Table, top: int = 0, least: Sequence[float] = ()) -> int:
        """Write headings, rows and totals, in columns that are wide enough; return the number of the last row."""
        widths = [*least, *[MIN_WIDTH] * (len(table.columns) - len(least))]
        sheet.set_row(top, 3 * LINE_HEIGHT)
        for place, (_, label, kind) in enumerate(table.columns):
            heading = self.words(label) if isinstance(label, Sentence) else self.archive.accounts.get(label, label)
            widths[place] = max(widths[place], width_of(*heading.split()) if heading.isascii() else WRAPPED_WIDTH)
            write(sheet, top, place, heading, self.format(kind, "heading"))

        kinds = [column.kind for column in table.columns]
        columns = [(kind, self.shown.get(kind), self.format(kind, "cell")) for kind in kinds]
        at, sums, counted = top, Counter[int](), dict[int | None, Counter[int]]()
        for at, row in enumerate(yielding(table.rows), top + 1):
            for place, (cell, (kind, show, look)) in enumerate(zip(row, columns, strict=True)):
                if kind == "check":
                    sheet.write_formula(at, place, f"=SUM(B{at + 1}:{xl_col_to_name(place - 1)}{at + 1})", look, 0)
                elif cell is not None:
                    shown = show(cell) if show else cell
                    widths[place] = max(widths[place], WIDTHS.get(kind) or width_of(shown))
                    write(sheet, at, place, shown, look)
                if kind == "story":  # LibreOffice does not find out by itself how high a row has to be
                    sheet.set_row(at, LINE_HEIGHT * (1 + wcwidth.width(cell, control_codes="ignore") // 95))
                elif kind in {"amount", "money", "remainder"}:
                    sums[place] += cell or 0
            if any(count == at - top for _, count in table.totals):
                counted[at - top] = sums.copy()
        counted[None] = sums
        for below, (label, count) in enumerate(table.totals if sums else (), at + 1):
            for place, kind in enumerate(kinds):
                letter, look = xl_col_to_name(place), self.format(kind, "total")
                if place in sums:
                    cells = f"{letter}{top + 2}:{letter}{at + 1 if count is None else top + 1 + count}"
                    sheet.write_formula(below, place, f"=SUM({cells})", look, counted[count][place])
                else:
                    write(sheet, below, place, "" if place else self.words(label), look)
        for place, width in enumerate(widths):
            sheet.set_column(place, place, width)
        if sum(widths) > PORTRAIT_WIDTH:
            sheet.set_landscape()
        return at

    # --- the summary and the chart ----------------------------------------------------------------------------------

    def write_summary(self) -> None:
        """Write what the evening was, what everyone has, and the house rules."""
        archive, zone = self.archive, self.archive.options.zone_name
        sheet = self.lay_out(self.workbook.add_worksheet(self.words(say("Summary"))))
        value, table, time = archive.session.chip_value, archive.state.table, self.shown["time"]
        facts: list[tuple[Sentence, str | int | datetime]] = [
            (say("Game"), archive.game),
            (say("Deck"), archive.deck),
            (say("Status"), self.words(say("open" if table.status == "open" else "closed"))),
            *([(say("Played on"), archive.played_on)] if archive.played_on else []),
            (say("Opened ({clock})", clock=zone), time(archive.session.created_at)),
            (say("Last event ({clock})", clock=zone), time(archive.last_recorded_at)),
            (say("Events"), archive.state.seq),
            (say("Rounds"), table.rounds),
            *([(say("Value of a chip"), f"{value.per_chip} {value.currency}")] if value else []),
        ]
        sheet.set_row(0, 24)
        write(sheet, 0, 0, archive.title, self.format(look="title"))
        for at, (label, fact) in enumerate(facts, 1):
            write(sheet, at, 0, self.words(label), self.format(look="bold"))
            write(sheet, at, 1, fact, self.format("time" if isinstance(fact, datetime) else "word"))

        last = self.write_table(sheet, tables.standings(archive), len(facts) + 2, least=(32, 24))
        sheet.set_portrait()
        write(sheet, last + 4, 0, self.words(say("House rules")), self.format(look="heading"))
        for at, rule in enumerate(archive.house_rules, last + 5):
            for place, words in enumerate(rule):
                write(sheet, at, place, words, self.format(look="bold" if rule.usually else "plain"))

    def draw(self, won: Worksheet, last: int) -> None:
        """Draw what the players won over the rounds as lines, on a sheet of its own."""
        sheet = self.workbook.add_chartsheet(self.words(say("Chart")))
        self.lay_out(sheet).set_landscape()
        chart = cast("ChartLine", self.workbook.add_chart({"type": "line"}))
        for column in range(1, min(len(self.archive.session.names), 255) + 1):  # Excel takes no more
            cells = {"categories": [won.name, 1, 0, last, 0], "values": [won.name, 1, column, last, column]}
            chart.add_series({"name": [won.name, 0, column], **cells, "line": {"width": 1.75}})
        chart.set_title({"name": self.words(say("Won")), "overlay": False})
        chart.set_x_axis({"name": self.words(say("Round")), "label_position": "low"})
        chart.set_y_axis({"name": self.words(say("Chips")), "num_format": "#,##0"})
        sheet.set_chart(chart)


def write(sheet: Worksheet, row: int, column: int, value: str | float | Decimal | datetime, look: Format) -> None:
    """Write a cell. A text like `<r>…</r>` goes letter by letter, or XlsxWriter would take it for XML of its own."""
    if value == "" or isinstance(value, datetime):
        sheet.write(row, column, value, look)
    elif not isinstance(value, str):
        sheet.write_number(row, column, float(value), look)
    elif value.startswith("<r>") and value.endswith("</r>"):
        sheet.write_rich_string(row, column, *value, look)
    else:  # `write` would take some texts for formulas or addresses
        sheet.write_string(row, column, value[:MAX_LETTERS], look)


@lru_cache(4096)
def width_of(*values: str | float | Decimal) -> float:
    """Return how wide a column has to be for texts or a number, in digits; a Japanese letter takes two."""
    texts = (value if isinstance(value, str) else f"{value:,}" for value in values)
    widest = max((wcwidth.width(text, control_codes="ignore") for text in texts), default=0)
    return min(max(widest + 2, MIN_WIDTH), MAX_WIDTH)
