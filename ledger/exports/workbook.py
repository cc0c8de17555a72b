"""The books as a workbook: a summary, what was won over the rounds with a chart, the ledger, the rounds, who pays whom.

What grows with the evening XlsxWriter only begins; `pages` says what stands there, and `sheets` writes the rows. What
is longer than a sheet goes on in a further one. All of it is in the reader's words and prints on A4, as wide as a
page and on as many as it takes, its heads on each of them.

No text is a formula or an address; what people wrote is read back as it was written, control characters included.
Formulas are ours alone, and each comes with its value. Numbers of chips are int and money is Decimal up to the cell;
what a spreadsheet then makes of them is its own business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from io import BytesIO
from itertools import chain, islice
from typing import NamedTuple, cast

from babel.numbers import get_currency_precision
from xlsxwriter import Workbook
from xlsxwriter.chart_line import ChartLine
from xlsxwriter.format import Format
from xlsxwriter.utility import quote_sheetname, xl_col_to_name, xl_range
from xlsxwriter.worksheet import Worksheet

from ledger.exports.archive import SessionArchive
from ledger.exports.days import played_on
from ledger.exports.pages import (
    Column,
    Foot,
    Look,
    Page,
    Row,
    account_names,
    balances_page,
    height_of,
    ledger_page,
    rounds_page,
    settlement_page,
    stories_page,
    width_of,
    won_page,
)
from ledger.exports.pieces import in_pieces
from ledger.exports.sheets import Cell, Formula, Rest, number_of, with_rows, xml_of
from ledger.exports.telling import deck_name, game_title, house_rules, last_recorded_at
from ledger.exports.wanted import Wanted
from ledger.language import Language, cut, inert, render, translate
from ledger.play.values import BANK, POT, Account
from ledger.sentences import say
from ledger.session.events import ChipValue
from ledger.settlement import worth

MAX_ROWS = 1_048_576
"""How many rows a sheet holds, the header included."""

MAX_LINES = 255
"""How many lines a chart holds."""

NO_CACHE: Mapping[str, Sequence[int]] = {"categories_data": (), "values_data": ()}
"""What a chart remembers of its sheet: nothing, since XlsxWriter does not know the rows. A spreadsheet looks there."""

A4 = 9
UPRIGHT = 130
"""How many digits are side by side on a sheet of A4 that stands, if they are to be read; a wider table lies."""

MAX_OF_A_TITLE = 80
"""How many letters of an evening's name stand on every page; a head has no room for more than 255 signs."""

MOMENTS: Mapping[Language, tuple[str, str]] = {
    "en": ("[$-409]d mmm yyyy h:mm", "[$-409]d mmm h:mm"),
    "ja": ('yyyy"年"m"月"d"日" h:mm', 'm"月"d"日" h:mm'),
}
"""How a moment is written in the summary, and in a table."""

DAYS: Mapping[Language, str] = {"en": "[$-409]d mmm yyyy", "ja": 'yyyy"年"m"月"d"日"'}
"""How a day is written in a table."""


def write_xlsx(archive: SessionArchive, wanted: Wanted) -> Iterator[bytes]:
    """Make the workbook without its long sheets' rows, which is small, and then give all of it, in pieces."""
    begun = BytesIO()
    with Workbook(begun, {"in_memory": True, "remove_timezone": True}) as workbook:
        paper = Paper(workbook, archive, wanted)
        write_summary(paper, archive, wanted)
        won = won_page(archive, wanted)
        rests = paper.begin(won)
        for page in (balances_page, ledger_page, rounds_page, stories_page, settlement_page):
            rests |= paper.begin(page(archive, wanted))
        draw(paper, won, wanted.language, players=len(archive.session.names))
    yield from in_pieces(with_rows(begun.getvalue(), rests))


# --- looks ----------------------------------------------------------------------------------------------------------


class Looks(NamedTuple):
    """How cells look; `bold` and the like are for the summary, `total` is for what stands below a table."""

    title: Format
    headings: Mapping[Look, Format]
    bold: Format
    plain: Format
    moment: Format
    cells: Mapping[Look, Format]
    totals: Mapping[Look, Format]

    @classmethod
    def of(cls, workbook: Workbook, language: Language, value: ChipValue | None) -> Looks:
        """Make the looks of a workbook; money has as many digits behind the point as its currency."""
        digits = get_currency_precision(value.currency) if value else 0
        numbers: Mapping[Look, Mapping[str, object]] = {
            "text": {"align": "left", "indent": 1, "shrink": True},
            "story": {"align": "left", "indent": 1, "text_wrap": True},
            "count": {"align": "right"},
            "chips": {"align": "right", "num_format": "#,##0;[Red]-#,##0", "shrink": True},
            "money": {"align": "right", "num_format": "#,##0" + "." * bool(digits) + "0" * digits, "shrink": True},
            "moment": {"align": "right", "num_format": MOMENTS[language][1], "shrink": True},
            "day": {"align": "right", "num_format": DAYS[language], "shrink": True},
        }
        cell: Mapping[str, object] = {"valign": "top", "bottom": 4, "bottom_color": "#BFB8A8"}
        head: Mapping[str, object] = {"bold": True, "bg_color": "#EDE6D6", "bottom": 1, "valign": "vcenter"}
        left: Mapping[str, object] = {"align": "left", "indent": 1, "valign": "top"}
        return cls(
            title=workbook.add_format({"bold": True, "font_size": 16}),
            headings={
                look: workbook.add_format({**number, **head, "shrink": False, "text_wrap": True})
                for look, number in numbers.items()
            },
            bold=workbook.add_format({**left, "bold": True}),
            plain=workbook.add_format(left),
            moment=workbook.add_format({**left, "num_format": MOMENTS[language][0]}),
            cells={look: workbook.add_format({**number, **cell}) for look, number in numbers.items()},
            totals={
                look: workbook.add_format({**number, "bold": True, "top": 1, "shrink": False})
                for look, number in numbers.items()
            },
        )


# --- tables ---------------------------------------------------------------------------------------------------------


class Paper:
    """The workbook as it is begun: how its cells look, and how its sheets are laid out on paper."""

    def __init__(self, workbook: Workbook, archive: SessionArchive, wanted: Wanted) -> None:
        self.workbook = workbook
        self.looks = Looks.of(workbook, wanted.language, archive.session.chip_value)
        self._title = inert(cut(archive.session.name or game_title(archive, wanted.language), MAX_OF_A_TITLE, len))
        self._worksheets = 0

    def add(self, name: str) -> Worksheet:
        """Add a sheet."""
        self._worksheets += 1
        return self.workbook.add_worksheet(name)

    def print_out(self, sheet: Worksheet, *, lying: bool) -> None:
        """Lay a sheet out on A4: as wide as a page, on as many as it takes; each says what it is, and its number."""
        sheet.set_paper(A4)
        if lying:
            sheet.set_landscape()
        sheet.set_margins(left=0.5, right=0.5, top=0.8, bottom=0.7)
        sheet.set_header(f"&L&9{' ' + self._title.replace('&', '&&')}&R&9&A")
        sheet.set_footer("&R&9&P / &N")

    def begin(self, page: Page) -> dict[str, Rest]:
        """Begin a table on as many sheets as it takes; give the rest of each by the name of its file."""
        rests, room = dict[str, Rest](), MAX_ROWS - 1 - page.below
        columns = [column.fits() for column in page.columns]
        lengths = [room] * (page.length // room) + [page.length % room] * bool(page.length % room or not page.length)
        names = [f"{page.name} ({number + 1})" if number else page.name for number in range(len(lengths))]
        sums: dict[int, int | Decimal] = {at: 0 for at, column in enumerate(page.columns) if column.has_total}
        rows = added_up(page.rows, sums)
        for name, length in zip(names, lengths, strict=True):
            is_last = name == names[-1]
            foot = Foot(sums, ranges(names, lengths), length + 2)
            below = page.below if is_last and length else 0
            goes = (0, 0, length + below, len(page.columns) - 1)
            self._begin_sheet(name, columns, length, goes)
            body = xml_of(islice(rows, length), 2, numbers(self.looks.cells, page.columns), page.height)
            if below:
                body = chain(body, below_it(page, foot, numbers(self.looks.totals, page.columns)))
            rests[f"xl/worksheets/sheet{self._worksheets}.xml"] = Rest(xl_range(*goes), body)
        return rests

    def _begin_sheet(self, name: str, columns: Sequence[Column], length: int, goes: tuple[int, int, int, int]) -> None:
        """Begin a sheet with a header that stays in sight, and comes again on every page."""
        sheet = self.add(name)
        for at, column in enumerate(columns):
            write_text(sheet, 0, at, column.heading, self.looks.headings[column.look])
            sheet.set_column(at, at, column.width)
        sheet.set_row(0, height_of(*((column.heading, column.width) for column in columns)) + 3)
        sheet.freeze_panes(1, 1)
        sheet.autofilter(0, 0, length, len(columns) - 1)
        self.print_out(sheet, lying=sum(column.width for column in columns) > UPRIGHT)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(0)
        sheet.print_area(*goes)


def numbers(looks: Mapping[Look, Format], columns: Sequence[Column]) -> list[int]:
    """Give the numbers of how columns look."""
    return [number_of(looks[column.look]) for column in columns]


def below_it(page: Page, foot: Foot, looks: Sequence[int]) -> Iterator[bytes]:
    """Write what stands below a table; begun when all of its rows have gone by."""
    yield from xml_of(page.foot(foot), foot.first, looks)


def added_up(rows: Iterator[Row], sums: dict[int, int | Decimal]) -> Iterator[Row]:
    """Give rows as they are, and add up some of their columns in passing."""
    for row in rows:
        for column in sums:
            if number := row[column]:
                sums[column] += cast("int", number)
        yield row


def ranges(names: Sequence[str], lengths: Sequence[int]) -> Callable[[int], str]:
    """Say where the cells of a column are, for who stands on the last of these sheets."""

    def of(column: int) -> str:
        letter = xl_col_to_name(column)
        before = [
            f"{quote_sheetname(name)}!{letter}2:{letter}{length + 1}"
            for name, length in zip(names[:-1], lengths[:-1], strict=True)
        ]
        return ",".join([*before, f"{letter}2:{letter}{lengths[-1] + 1}"])

    return of


def write_text(sheet: Worksheet, row: int, column: int, text: str, look: Format | None) -> None:
    """Write a text. One like `<r>…</r>` goes letter by letter, or XlsxWriter would take it for XML of its own."""
    if text.startswith("<r>") and text.endswith("</r>"):
        sheet.write_rich_string(row, column, *text, *filter(None, [look]))
    else:
        sheet.write_string(row, column, text, look)


# --- the summary ----------------------------------------------------------------------------------------------------


class Rows:
    """A worksheet that is written row by row."""

    def __init__(self, sheet: Worksheet) -> None:
        self.sheet = sheet
        self.count = 0

    def append(self, cells: Iterable[Cell | datetime], *looks: Format | None) -> None:
        """Write a row, its cells as they look. An empty cell is left out."""
        for column, (cell, look) in enumerate(zip(cells, looks, strict=False)):
            if isinstance(cell, str):
                write_text(self.sheet, self.count, column, cell, look)
            elif isinstance(cell, Formula):
                self.sheet.write_formula(self.count, column, cell.text, look, cell.value)
            elif cell is not None:
                self.sheet.write(self.count, column, cell, look)
        self.count += 1


def write_summary(paper: Paper, archive: SessionArchive, wanted: Wanted) -> None:
    """Write what the evening was, what everyone has, and the house rules."""
    language, looks = wanted.language, paper.looks
    sheet = paper.add(translate("Summary", language))
    names = account_names(archive, language)
    rows = Rows(sheet)
    rows.append([archive.session.name or game_title(archive, language)], looks.title)
    for label, told in about(archive, wanted):
        rows.append([label, told], looks.bold, looks.moment if isinstance(told, datetime) else looks.plain)
    rows.append([])
    write_standings(rows, archive, names, language, looks)
    rows.append([])
    write_house_rules(rows, archive, language, looks)
    settings = (str(rule.setting) for rule in house_rules(archive, language))
    sheet.set_column(0, 0, 32)
    sheet.set_column(1, 1, width_of(*names.values(), *settings, " " * 20, most=52))
    sheet.set_column(2, 2, 8)
    sheet.set_column(3, 6, 14)
    paper.print_out(sheet, lying=False)
    sheet.fit_to_pages(1, 0)
    sheet.print_area(0, 0, rows.count - 1, 6)


def about(archive: SessionArchive, wanted: Wanted) -> Iterator[tuple[str, str | int | datetime]]:
    """Say what was played, when, and how long."""
    session, language = archive.session, wanted.language
    table, value = session.state.table, session.chip_value
    first, last = (wanted.moment(at).replace(tzinfo=None) for at in (session.created_at, last_recorded_at(archive)))
    yield translate("Game", language), game_title(archive, language)
    yield translate("Deck", language), deck_name(archive, language)
    yield translate("Status", language), translate("open" if table.status == "open" else "closed", language)
    if told := played_on(archive, wanted):
        yield translate("Played on", language), told
    yield render(say("Opened ({clock})", clock=wanted.clock), language, {}), first
    yield render(say("Last event ({clock})", clock=wanted.clock), language, {}), last
    yield translate("Events", language), session.state.seq
    yield translate("Rounds", language), table.rounds
    if value:
        yield translate("Value of a chip", language), f"{value.per_chip} {value.currency}"


def write_standings(
    rows: Rows, archive: SessionArchive, names: Mapping[Account, str], language: Language, looks: Looks
) -> None:
    """Write what every account won and holds, and below it that each comes to nothing."""
    state, value = archive.session.state, archive.session.chip_value
    table, won, balances = state.table, state.won, state.balances
    seats = table.seating.seats
    order: Sequence[Look] = ("text", "text", "count", "chips", "chips", "money", "money")
    heads, usual, total = ([each[look] for look in order] for each in (looks.headings, looks.cells, looks.totals))

    def sums(*accounts: Account) -> tuple[int | Decimal, ...]:
        chips, held = (sum(each.get(account, 0) for account in accounts) for each in (won, balances))
        return (chips, held, *(worth(sum_, value.per_chip) for sum_ in (chips, held))) if value else (chips, held)

    def added(first: int, last: int, *accounts: Account) -> Iterator[Formula]:
        for column, sum_ in zip("DEFG", sums(*accounts), strict=False):
            yield Formula(f"=SUM({column}{first}:{column}{last})", sum_)

    figures, in_money = (
        (translate("Won", language), translate("Balance", language)),
        translate("{name} ({number})", language),
    )
    headings = (translate("No.", language), translate("Name", language), translate("Seat", language), *figures)
    money = [in_money.format(name=figure, number=value.currency) for figure in figures] if value else []
    rows.append([*headings, *money], *heads)
    first = rows.count + 1
    for player in table.players:
        seat = seats.index(player.id) + 1 if player.active else None
        number = int(player.id.removeprefix("p"))
        rows.append([number, names[player.id], seat, *sums(player.id)], *usual)
    last = rows.count
    label = translate("Players together", language)
    rows.append([label, None, None, *added(first, last, *(player.id for player in table.players))], *total)
    for account in (POT, BANK):
        rows.append([names[account], None, None, *sums(account)], *usual)
    label = translate("Everything together has to be 0", language)
    rows.append([label, None, None, *added(last + 1, last + 3)], *total)


def write_house_rules(rows: Rows, archive: SessionArchive, language: Language, looks: Looks) -> None:
    """Write every house rule; what differs from the usual is bold, and says how it usually is."""
    rows.append([translate("House rules", language), *[""] * 6], *[looks.headings["text"]] * 7)
    for rule in house_rules(archive, language):
        usual = render(say("usually: {usual}", usual=rule.usual), language, {}) if rule.differs else None
        look = looks.bold if rule.differs else looks.plain
        rows.append([rule.switch, rule.setting, usual], look, look, looks.plain)


# --- the chart ------------------------------------------------------------------------------------------------------


def draw(paper: Paper, won: Page, language: Language, *, players: int) -> None:
    """Draw what the players won over the rounds as lines, on a sheet of their own that prints on a page."""
    sheet = paper.workbook.add_chartsheet(translate("Chart", language))
    chart = cast("ChartLine", paper.workbook.add_chart({"type": "line"}))
    last = min(won.length - 1, MAX_ROWS - 1)
    for column in range(1, min(players, MAX_LINES) + 1):
        chart.add_series(
            {
                "name": [won.name, 0, column],
                "categories": [won.name, 1, 0, last, 0],
                "values": [won.name, 1, column, last, column],
                "line": {"width": 1.75},
                **NO_CACHE,
            }
        )
    chart.set_title({"name": translate("Won", language), "overlay": False})
    chart.set_x_axis({"name": translate("Round", language), "label_position": "low"})
    chart.set_y_axis({"name": translate("Chips", language), "num_format": "#,##0"})
    sheet.set_chart(chart)
    paper.print_out(sheet, lying=True)
