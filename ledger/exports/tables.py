"""The books as tables. A CSV writes the keys of the columns and plain values; people read labels and names.

A cell is a number, a text, or what the kind of its column says: an account's id, a reason's or a status's word, a day,
or a time of the log. None is an empty cell.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from msgspec.structs import astuple

from ledger.accounting.books import OUTSIDE_PLAY, Balances, Entry, is_play
from ledger.accounting.settlement import Settlement, worth
from ledger.codec.encoding import encoded, plain
from ledger.cooperation import yielding
from ledger.exports.archive import RoundSummary, SessionArchive
from ledger.i18n.sentences import Sentence, say
from ledger.records import UNSET
from ledger.responses.events import LoggedEvent
from ledger.rulebook.values import BANK, POT
from ledger.storage.stored import StoredEvent

Row = tuple[Any, ...]
Text = Literal["word", "text", "story", "name", "reason", "status"]
Kind = Text | Literal["count", "chips", "amount", "money", "remainder", "check", "time", "day"]


class Column(NamedTuple):
    """A column; a label that is no sentence is an account's id or a currency.

    Amounts, money and remainders are added up. A check has to be 0 in every row.
    """

    key: str
    label: Sentence | str = ""
    kind: Kind = "word"


class Table(NamedTuple):
    """A table; below it stand the totals of its first rows, so many of them, or of all."""

    title: Sentence
    columns: tuple[Column, ...]
    rows: Iterable[Row]
    totals: tuple[tuple[Sentence, int | None], ...] = ((say("Total"), None),)

    def only(self, *keys: str) -> Table:
        """Return some of the columns."""
        chosen = [place for place, column in enumerate(self.columns) if column.key in keys]
        rows = (tuple(row[place] for place in chosen) for row in self.rows)
        return self._replace(columns=tuple(self.columns[place] for place in chosen), rows=rows)


def account(key: str, label: Sentence) -> tuple[Column, Column]:
    """Make two columns of an account: its id and its name."""
    return Column(key, say("{label:sentence} (ID)", label=label)), Column(f"{key}_name", label, "name")


ENTRY_COLUMNS = (
    Column("id", say("Entry"), "count"),
    Column("seq", say("Event"), "count"),
    Column("round", say("Round"), "count"),
    *account("from", say("From")),
    *account("to", say("To")),
    Column("amount", say("Chips"), "amount"),
    Column("reason", say("Why"), "reason"),
    Column("reverses", say("Takes back entry"), "count"),
    Column("from_balance", say("Balance of who paid"), "chips"),
    Column("to_balance", say("Balance of who got"), "chips"),
    Column("part", say("Part"), "count"),
    Column("from_won", say("Won by who paid"), "chips"),
    Column("to_won", say("Won by who got"), "chips"),
    Column("played_on", say("Played on"), "day"),
    Column("note", say("Note"), "text"),
)
ROUND_COLUMNS = (
    Column("round", say("Round"), "count"),
    Column("played_on", say("Played on"), "day"),
    Column("opened_at", say("Opened"), "time"),
    Column("status", say("Status"), "status"),
    *account("dealer", say("Dealer")),
    *account("winner", say("Winner")),
    *account("next_dealer", say("Next dealer")),
    Column("players", say("Players"), "count"),
    Column("carried", say("Carried over"), "chips"),
    Column("paid_in", say("Paid in"), "amount"),
    Column("pot", say("Pot"), "chips"),
    Column("explanation", say("How the rounds went"), "story"),
)
EVENT_COLUMNS = (  # without labels, as only a CSV has events
    *map(Column, ("seq", "round", "type")),
    *account("player", say("Player")),
    *(Column(key, kind="text") for key in ("fields", "note", "overrule")),
    Column("recorded_at", kind="time"),
    *map(Column, ("recorded_by", "status", "corrected_by")),
)


def dated_entries(archive: SessionArchive) -> Iterator[tuple[str, str, Entry, str]]:
    """Give every entry, in the order of the books, as its day, when it was recorded (UTC), the entry, and its note.

    The clock of a service can be set back; the day of recording here never goes back.
    """
    rows, row, recorded = archive.rows(), None, archive.opened
    for entry in yielding(archive.entries()):
        while row is None or row.seq < entry.seq:
            row = next(rows)
            recorded = max(recorded, archive.options.day(row.recorded_at))
        yield archive.day(entry.round, recorded), row.recorded_at, entry, note_of(entry, row)


def note_of(entry: Entry, row: StoredEvent) -> str:
    """Return the note on chips that were bought, given or paid, or on what takes them back; else nothing."""
    if entry.reason not in OUTSIDE_PLAY | {"fine", "pot_given"}:
        return ""
    event = f"corrections/{entry.part - 1}/event/note" if entry.part else "event/note"
    places = ("note",) if entry.reverses else (event, "note")
    return next((row.words[place].text for place in places if place in row.words), "")


def entries(archive: SessionArchive) -> Table:
    """Give an entry a row, with what both accounts hold after it, what they have won by then, and its day."""

    def rows() -> Iterator[Row]:
        held, won = defaultdict[str, int](int), defaultdict[str, int](int)
        for day, _, entry, note in dated_entries(archive):
            number, seq, done, payer, payee, amount, reason, reverses, part = astuple(entry)
            for sums in (held, won) if is_play(entry) else (held,):
                sums[payer] -= amount
                sums[payee] += amount
            yield (
                *(number, seq, done, payer, payer, payee, payee, amount, reason, reverses),
                *(held[payer], held[payee], part, won[payer], won[payee], day, note or None),
            )

    return Table(say("Entries"), ENTRY_COLUMNS, rows())


def rounds(archive: SessionArchive) -> Table:
    """Give a round a row, with what it brought every player: nothing for a player who did not sit in."""
    names = archive.session.names
    times = {row.seq: row.recorded_at for row in yielding(archive.rows())}

    def row(done: RoundSummary) -> Row:
        setup, time = done.round.ground, times[done.seq]
        return (
            *(done.round.number, archive.day(done.round.number, archive.options.day(time)), time, done.status),
            *(setup.dealer, setup.dealer, done.winner, done.winner, done.next_dealer, done.next_dealer),
            *(len(setup.seats), setup.carried, done.paid_in, done.round.phase.pot),
            archive.explanation(done),
            *(done.nets.get(player, 0) if player in setup.seats else None for player in names),
        )

    players = (Column(f"{player} {name}", player, "amount") for player, name in names.items())
    rows = list(map(row, yielding(archive.rounds)))
    return Table(say("Rounds"), (*ROUND_COLUMNS, *players), rows, ((say("Rounds together"), None),))


def events(archive: SessionArchive) -> Table:
    """Give an event a row: what all have in columns of their own, the rest of its fields as JSON."""
    of_all = frozenset(LoggedEvent.__struct_fields__)

    def row(event: LoggedEvent) -> Row:
        fields: dict[str, Any] = {} if event.target is UNSET else {"seq": event.target}
        fields |= {name: value for name, value in plain(event).items() if name not in of_all}
        type_, player, note, overrule = (fields.pop(key, None) for key in ("type", "player", "note", "overrule"))
        return (
            *(event.seq, event.round, type_, player, player, encoded(fields).decode(), note, overrule),
            *(event.recorded_at, event.recorded_by, event.status),
            None if event.correction is UNSET else event.correction.seq,
        )

    return Table(say("Events"), EVENT_COLUMNS, map(row, yielding(archive.events())))


def standings(archive: SessionArchive) -> Table:
    """Give every player a row, and the pot and the bank: what the rounds and all else brought, in chips and money."""
    state, value = archive.state, archive.session.chip_value
    seats, in_rounds = state.table.seating.seats, Counter[str]()
    for done in archive.rounds:
        in_rounds.update(done.nets)

    def row(account: str, number: int | None = None) -> Row:
        won, balance = state.won.get(account, 0), state.balances.get(account, 0)
        chips = (in_rounds[account], won - in_rounds[account], won, balance - won, balance)
        money = (worth(won, value.per_chip), worth(balance, value.per_chip)) if value else ()
        return number, account, seats.index(account) + 1 if account in seats else None, *chips, *money

    columns: tuple[Column, ...] = (
        Column("number", say("No."), "count"),
        Column("name", say("Name"), "name"),
        Column("seat", say("Seat"), "count"),
        Column("rounds", say("Rounds together"), "amount"),
        Column("outside", say("Outside the rounds"), "amount"),
        Column("won", say("Won"), "amount"),
        Column("beside", say("Bought, given, paid"), "amount"),
        Column("balance", say("Balance"), "amount"),
    )
    if value:
        for key, label in (("won_money", say("Won")), ("balance_money", say("Balance"))):
            in_money = say("{label:sentence} ({currency})", label=label, currency=value.currency)
            columns += (Column(key, in_money, "money"),)
    players = [row(player.id, int(player.id.removeprefix("p"))) for player in state.table.players]
    totals = ((say("Players together"), len(players)), (say("Everything together has to be 0"), None))
    return Table(say("Result"), columns, [*players, row(POT), row(BANK)], totals)


def payments(due: Settlement) -> Table:
    """Give each payment of a settlement a row."""
    columns = [*account("from", say("From")), *account("to", say("To")), Column("amount", say("Chips"), "amount")]
    if due.currency:
        columns += [Column("money", due.currency, "money"), Column("remainder", say("Left over"), "remainder")]

    def row(payer: str, payee: str, amount: int, money: Any, rest: Any) -> Row:
        in_money = () if money is UNSET else (Decimal(money), Decimal(0 if rest is UNSET else rest))
        return payer, payer, payee, payee, amount, *in_money

    return Table(say("Who pays whom"), tuple(columns), [row(*astuple(payment)) for payment in due.payments])


def after_rounds(archive: SessionArchive, title: Sentence, figure: Literal["won", "balances"]) -> Table:
    """Give what every account had won, or held, before the first round, after each, and now."""
    accounts = [*archive.session.names, POT, BANK]

    def row(stage: int | str, held: Balances) -> Row:
        return stage, *(held.get(account, 0) for account in accounts), 0

    rows = [row(0, {}), *(row(done.round.number, getattr(done, figure)) for done in archive.rounds)]
    rows.append(row(archive.words(say("now")), getattr(archive.state, figure)))
    first, check = Column("round", say("Round"), "count"), Column("check", say("Check (0)"), "check")
    return Table(title, (first, *(Column(account, account, "chips") for account in accounts), check), rows)
