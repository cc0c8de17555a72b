"""The books as tables, whatever the file is: an entry, a round or an event a row.

Each format gives the function that makes free text harmless in it (`safe`); all other cells are numbers, words
of the program, or nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from itertools import starmap
from typing import Any, NamedTuple

from msgspec.structs import astuple

from ledger.books import is_play
from ledger.codec.encoding import encoded, members
from ledger.exports.archive import SessionArchive
from ledger.exports.days import Days
from ledger.exports.double_entry import dated
from ledger.exports.telling import Played, how_it_ended, with_moments
from ledger.exports.wanted import Wanted
from ledger.records import UNSET
from ledger.responses.events import LoggedEvent

Cell = int | float | Decimal | str | None
Safe = Callable[[str], str]


class Table(NamedTuple):
    """A header, and rows that are made as they are asked for."""

    header: tuple[str, ...]
    rows: Iterator[tuple[Cell, ...]]


ENTRY_COLUMNS = (
    *("id", "seq", "round", "from", "from_name", "to", "to_name", "amount", "reason", "reverses"),
    *("from_balance", "to_balance", "part", "from_won", "to_won", "played_on", "note"),
)
ROUND_COLUMNS = (
    *("round", "played_on", "opened_at", "status", "dealer", "dealer_name", "winner", "winner_name"),
    *("next_dealer", "next_dealer_name", "players", "carried", "paid_in", "pot", "explanation"),
)
EVENT_COLUMNS = (
    *("seq", "round", "type", "player", "player_name", "fields", "note", "overrule"),
    *("recorded_at", "recorded_by", "status", "corrected_by"),
)


def entries(archive: SessionArchive, wanted: Wanted, safe: Safe) -> Table:
    """Give an entry a row, with what both accounts hold after it, what they have won by then, and its day."""

    def rows() -> Iterator[tuple[Cell, ...]]:
        name_of = {account: safe(name) for account, name in archive.session.names.items()}.get
        held: dict[str, int] = defaultdict(int)
        won: dict[str, int] = defaultdict(int)
        for day, _recorded_at, entry, note in dated(archive, wanted):
            number, seq, done, payer, payee, amount, reason, reverses, part = astuple(entry)
            paid = held[payer] = held[payer] - amount
            got = held[payee] = held[payee] + amount
            if is_play(entry):
                won[payer] -= amount
                won[payee] += amount
            accounts = (payer, name_of(payer), payee, name_of(payee))
            rest = won[payer], won[payee], day, safe(note) or None
            yield number, seq, done, *accounts, amount, reason, reverses, paid, got, part, *rest

    return Table(ENTRY_COLUMNS, rows())


def rounds(archive: SessionArchive, wanted: Wanted, safe: Safe) -> Table:
    """Give a round a row, with what it brought every player: nothing for a player who did not sit in."""
    names, written = {account: safe(name) for account, name in archive.session.names.items()}, wanted.written
    days, day_of = Days.of(archive, wanted), wanted.day

    def row(done: Played, opened_at: str) -> tuple[Cell, ...]:
        ground = done.round.ground
        return (
            done.round.number,
            days.day(done.round.number, day_of(opened_at)),
            written(opened_at),
            done.status,
            *named(ground.dealer, names),
            *named(done.winner, names),
            *named(done.next_dealer, names),
            len(ground.seats),
            ground.carried,
            done.paid_in,
            done.round.phase.pot,
            safe(how_it_ended(archive, done.round, wanted.language)),
            *(done.nets.get(player, 0) if player in ground.seats else None for player in names),
        )

    players = tuple(f"{player} {name}" for player, name in archive.session.names.items())
    return Table((*ROUND_COLUMNS, *map(safe, players)), starmap(row, with_moments(archive)))


def events(archive: SessionArchive, wanted: Wanted, safe: Safe) -> Table:
    """Give an event a row: what all have in columns of their own, the rest of its fields as JSON."""
    of_all = frozenset(LoggedEvent.__struct_fields__)
    names, written = {account: safe(name) for account, name in archive.session.names.items()}, wanted.written

    def row(event: LoggedEvent) -> tuple[Cell, ...]:
        fields: dict[str, Any] = {} if event.target is UNSET else {"seq": event.target}
        fields |= {name: value for name, value in members(event).items() if name not in of_all}
        note, overrule = fields.pop("note", None), fields.pop("overrule", None)
        return (
            event.seq,
            event.round,
            fields.pop("type"),
            *named(fields.pop("player", None), names),
            safe(encoded(fields).decode()),
            note and safe(note),
            overrule and safe(overrule),
            written(event.recorded_at),
            event.recorded_by,
            event.status,
            None if event.correction is UNSET else event.correction.seq,
        )

    return Table(EVENT_COLUMNS, map(row, archive.events()))


def named(player: str | None, names: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Give a player's id and name; two empty cells for nobody."""
    return (None, None) if player is None else (player, names.get(player))
