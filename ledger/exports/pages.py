"""What the long sheets of a workbook say, in the reader's words: columns, rows, and what stands below them.

Rows are made as they are asked for, and so is what stands below: totals are formulas, and each comes with the number
that a spreadsheet will find, which is known once all rows have gone by.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import Literal, NamedTuple

import wcwidth
from msgspec.structs import astuple
from xlsxwriter.utility import xl_col_to_name

from ledger.books import Balances
from ledger.exports.archive import SessionArchive
from ledger.exports.days import Days
from ledger.exports.sheets import Cell, Formula
from ledger.exports.telling import (
    Played,
    how_it_ended,
    note_of,
    played,
    reasons,
    settlement,
    status_name,
    with_moments,
    with_rows,
)
from ledger.exports.wanted import Wanted
from ledger.language import Language, display_names, translate
from ledger.play.rounds import RESULTS
from ledger.play.values import BANK, POT, Account, Chips
from ledger.records import UNSET
from ledger.settlement import Payment

Row = tuple[Cell, ...]
Look = Literal["text", "story", "count", "chips", "money", "moment", "day"]

FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001 - a spreadsheet knows no zones
"""The day that a spreadsheet counts as 0."""

DAY = timedelta(days=1)
LEAST_WIDTH, MAX_OF_A_NAME, NOTE, STORY, MOMENT = 6.0, 16.0, 14.0, 105.0, 13.5
"""How wide columns are, in digits."""

LINE, LETTERS_ASTRAY = 15.0, 1.12
"""How high a line is, in points, and how much more room letters may take than is guessed."""


class Column(NamedTuple):
    """A column: what stands above it, how its cells look, how wide it is in digits, and whether it is added up."""

    heading: str
    look: Look
    width: float = LEAST_WIDTH
    has_total: bool = False

    def fits(self) -> Column:
        """Give the column, as wide as the longest word above it, so that no word is broken there."""
        words = width_of(*self.heading.split()) if self.heading.isascii() else 0.0
        return self._replace(width=max(self.width, words))


class Foot(NamedTuple):
    """What is known below a table: its sums by column, where its cells are, and the number of the first row below."""

    sums: Mapping[int, int | Decimal]
    ranges: Callable[[int], str]
    first: int

    def total(self, column: int) -> Formula:
        return Formula(f"SUM({self.ranges(column)})", self.sums[column])

    def two_above(self, column: int, row: int, value: int) -> Formula:
        """Add up the two cells above a row below the table, counted from 0."""
        letter, above = xl_col_to_name(column), self.first + row - 1
        return Formula(f"{letter}{above - 1}+{letter}{above}", value)


class Page(NamedTuple):
    """A table on a sheet: its name, its columns, how many rows it has, the rows, and how many and which stand below."""

    name: str
    columns: Sequence[Column]
    length: int
    rows: Iterator[Row]
    below: int = 0
    foot: Callable[[Foot], Iterable[Row]] = lambda _: ()
    height: Callable[[Sequence[Cell]], float] | None = None


# --- people ---------------------------------------------------------------------------------------------------------


def account_names(archive: SessionArchive, language: Language) -> Mapping[Account, str]:
    """Say what every account is called."""
    return {**display_names(archive.session.names), POT: translate("Pot", language), BANK: translate("Bank", language)}


def width_of(*texts: str, most: float = MAX_OF_A_NAME) -> float:
    """Say how wide a column has to be for texts, in digits; a Japanese letter takes two. Longer ones are wrapped."""
    widest = max((wcwidth.width(text, control_codes="ignore") for text in texts), default=0)
    return min(max(widest + 1.5, LEAST_WIDTH), most)


def height_of(*texts: tuple[str, float]) -> float:
    """Say how high a row has to be for texts that are wrapped in columns of these widths, in points."""
    lines = (-(-LETTERS_ASTRAY * wcwidth.width(text, control_codes="ignore") // (wide - 1)) for text, wide in texts)
    return LINE * max(1.0, *lines)


def digits_of(archive: SessionArchive, *accounts: Account) -> float:
    """Say how wide a column of balances has to be, by default of every account; what is longer is written smaller."""
    state = archive.session.state
    sums = [sums.get(account, 0) for sums in (state.balances, state.won) for account in accounts or sums]
    return width_of(*(f"{-abs(chips):,}" for chips in sums), "-99,999", most=25)


# --- the ledger -----------------------------------------------------------------------------------------------------


def ledger_page(archive: SessionArchive, wanted: Wanted) -> Page:
    """Give an entry a row, with what both accounts hold after it."""
    language = wanted.language
    by_id = {account: account for account in archive.session.state.balances}  # also people whose coming was taken back
    names, why = {**by_id, **account_names(archive, language)}, reasons(archive, language)
    name, wide = width_of(*names.values()), digits_of(archive)

    def rows() -> Iterator[Row]:
        held: dict[Account, int] = defaultdict(int)
        for entry, event in with_rows(archive):
            number, seq, done, payer, payee, amount, reason, reverses, part = astuple(entry)
            paid = held[payer] = held[payer] - amount
            got = held[payee] = held[payee] + amount
            accounts = names[payer], names[payee]
            told = why.get(reason, reason), note_of(entry, event) or None
            yield number, seq, part, done, *accounts, amount, *told, reverses, paid, got

    columns = (
        Column(translate("Entry", language), "count", 7),
        Column(translate("Event", language), "count"),
        Column(translate("Part", language), "count"),
        Column(translate("Round", language), "count"),
        Column(translate("From", language), "text", name),
        Column(translate("To", language), "text", name),
        Column(translate("Chips", language), "chips", wide, has_total=True),
        Column(translate("Why", language), "text", width_of(*why.values(), most=20)),
        Column(translate("Note", language), "text", NOTE),
        Column(translate("Takes back entry", language), "count", 9),
        Column(translate("Balance of who paid", language), "chips", wide),
        Column(translate("Balance of who got", language), "chips", wide),
    )

    def foot(below: Foot) -> Iterator[Row]:
        yield (*[None] * 4, translate("Total", language), None, below.total(6), *[None] * 5)

    length = archive.session.state.books.last_entry
    return Page(translate("Entries", language), columns, length, rows(), 1, foot)


# --- rounds ---------------------------------------------------------------------------------------------------------


def rounds_page(archive: SessionArchive, wanted: Wanted) -> Page:
    """Give a round a row, with what it brought every player: nothing where somebody did not sit in.

    Below them stand what they brought together, what else play brought (a pot that was split) and both together, what
    was bought, given or paid, and the balance.
    """
    language, state = wanted.language, archive.session.state
    names = account_names(archive, language)
    players = tuple(archive.session.names)
    name, wide, pot = width_of(*names.values(), most=11), digits_of(archive, *players), digits_of(archive, POT)
    days, day_of = Days.of(archive, wanted), wanted.day

    def row(done: Played, opened_at: str) -> Row:
        ground, open_pot = done.round.ground, done.round.phase.pot
        return (
            done.round.number,
            (datetime.fromisoformat(days.day(done.round.number, day_of(opened_at))) - FIRST_DAY).days,
            (wanted.moment(opened_at).replace(tzinfo=None) - FIRST_DAY) / DAY,
            status_name(done, language),
            names[ground.dealer],
            done.winner and names[done.winner],
            done.next_dealer and names[done.next_dealer],
            *(len(ground.seats), ground.carried, done.paid_in, open_pot),
            *(done.nets.get(player, 0) if player in ground.seats else None for player in players),
        )

    statuses = [translate(label.text, language) for label in RESULTS.values()]
    before = (
        Column(translate("Round", language), "count"),
        Column(translate("Played on", language), "day", MOMENT),
        Column(translate("Opened", language), "moment", MOMENT),
        Column(translate("Status", language), "text", width_of(*statuses, translate("being played", language))),
        *(
            Column(heading, "text", name)
            for heading in (
                translate("Dealer", language),
                translate("Winner", language),
                translate("Next dealer", language),
            )
        ),
        Column(translate("Players", language), "count"),
        Column(translate("Carried over", language), "chips", pot),
        Column(translate("Paid in", language), "chips", pot, has_total=True),
        Column(translate("Pot", language), "chips", pot),
    )
    after = [Column(names[player], "chips", wide, has_total=True) for player in players]

    won, held = ([sums.get(player, 0) for player in players] for sums in (state.won, state.balances))
    foot = partial(rounds_foot, language, len(before), won, held)
    rows = (row(done, opened_at) for done, opened_at in with_moments(archive))
    return Page(translate("Rounds", language), (*before, *after), state.table.rounds, rows, 5, foot)


def rounds_foot(
    language: Language, first: int, won: Sequence[Chips], held: Sequence[Chips], below: Foot
) -> Iterator[Row]:
    """Sum the rounds up: what the players `won` and their balances, whose columns begin after the `first` ones."""
    nothing = [None] * (first - 3)
    together = [below.total(column) for column in range(first, first + len(held))]
    paid_in = (*nothing[:-1], below.total(first - 2), None)
    yield None, translate("Rounds together", language), *paid_in, *together
    outside = [chips - int(brought.value) for chips, brought in zip(won, together, strict=True)]
    yield None, translate("Outside the rounds", language), *nothing, None, *outside
    sums = [below.two_above(first + place, 2, chips) for place, chips in enumerate(won)]
    yield None, translate("Won", language), *nothing, None, *sums
    beside = [balance - chips for chips, balance in zip(won, held, strict=True)]
    yield None, translate("Bought, given, paid", language), *nothing, None, *beside
    sums = [below.two_above(first + place, 4, chips) for place, chips in enumerate(held)]
    yield None, translate("Balance", language), *nothing, None, *sums


def stories_page(archive: SessionArchive, wanted: Wanted) -> Page:
    """Tell how each round ended."""
    language = wanted.language
    columns = (
        Column(translate("Round", language), "count"),
        Column(translate("How the rounds went", language), "story", STORY),
    )
    rows = (
        (done.round.number, how_it_ended(archive, done.round, language) or status_name(done, language))
        for done in played(archive.session.state)
    )

    def height(row: Sequence[Cell]) -> float:
        return height_of((str(row[1]), STORY)) + 3

    name, length = translate("How the rounds went", language), archive.session.state.table.rounds
    return Page(name, columns, length, rows, height=height)


def won_page(archive: SessionArchive, wanted: Wanted) -> Page:
    """Tell what play had brought every account after each round, and has now."""
    stands = ((done.round.number, done.won) for done in played(archive.session.state))
    return accounts_page(archive, wanted, translate("Won", wanted.language), stands, archive.session.state.won)


def balances_page(archive: SessionArchive, wanted: Wanted) -> Page:
    """Tell what every account held after each round, and holds now."""
    stands = ((done.round.number, done.after) for done in played(archive.session.state))
    return accounts_page(
        archive, wanted, translate("Balances", wanted.language), stands, archive.session.state.balances
    )


def accounts_page(
    archive: SessionArchive, wanted: Wanted, called_so: str, stands: Iterable[tuple[int, Balances]], now: Balances
) -> Page:
    """Give a round a row, with a number for every account, and one for now; the last column is always nothing."""
    language, state = wanted.language, archive.session.state
    names = account_names(archive, language)
    accounts = tuple(names)
    last = xl_col_to_name(len(accounts))
    start: Balances = {}
    labelled: Iterator[tuple[int | str, Balances]] = chain([(0, start)], stands, [(translate("now", language), now)])
    rows = (
        (label, *(held.get(account, 0) for account in accounts), Formula(f"SUM(B{at}:{last}{at})", 0))
        for at, (label, held) in enumerate(labelled, 2)
    )
    check = translate("Check (0)", language)
    columns = (
        Column(translate("Round", language), "count"),
        *(Column(name, "chips", digits_of(archive, account)) for account, name in names.items()),
        Column(check, "chips", width_of(check)),
    )
    return Page(called_so, columns, state.table.rounds + 2, rows)


# --- the settlement -------------------------------------------------------------------------------------------------


def settlement_page(archive: SessionArchive, wanted: Wanted) -> Page:
    """Say who pays whom, in chips and, where a chip has a value, in money."""
    language, due = wanted.language, settlement(archive)
    names, wide = account_names(archive, language), digits_of(archive)
    name = width_of(*names.values(), most=30)

    def row(payment: Payment) -> Row:
        told = (names[payment.payer], names[payment.payee], payment.amount)
        if payment.money is UNSET:
            return told
        rest = 0 if payment.remainder is UNSET else Decimal(payment.remainder)
        return (*told, Decimal(payment.money), rest)

    columns = [
        Column(translate("From", language), "text", name),
        Column(translate("To", language), "text", name),
        Column(translate("Chips", language), "chips", wide, has_total=True),
    ]
    if due.currency:
        columns += [
            Column(due.currency, "money", wide + 3, has_total=True),
            Column(translate("Left over", language), "count", 12, has_total=True),
        ]

    def foot(below: Foot) -> Iterator[Row]:
        yield (translate("Total", language), None, *(below.total(column) for column in range(2, len(columns))))

    length = len(due.payments)
    return Page(translate("Who pays whom", language), columns, length, map(row, due.payments), 1, foot)
