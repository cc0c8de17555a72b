"""Events folded on tables: one at the end, or all that a correction may change.

The books get the difference: entries that come out the same stay, others are reversed and written anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ledger.books import Balances, Entry, entries_for, posted, prove, reversal
from ledger.cooperation import yielding
from ledger.history.rows import Logged, Slot
from ledger.play.chips import Transfer, Transfers
from ledger.play.events import Event
from ledger.play.exposing import CardExposed, CardSetAside
from ledger.play.refusals import CardAlreadySeen, Refused, RefusedAt
from ledger.play.values import BANK, POT
from ledger.records import Record, replace
from ledger.session.events import (
    BalancesBrought,
    ChipsMoved,
    OddsSwitched,
    PlayerErased,
    PlayerRenamed,
    RoundEntered,
    RoundOpened,
    SessionDescribed,
    SettlementPaid,
)
from ledger.session.rules import apply
from ledger.session.table import Table

BESIDE_A_ROUND = (
    ChipsMoved,
    BalancesBrought,
    SettlementPaid,
    PlayerRenamed,
    SessionDescribed,
    OddsSwitched,
    PlayerErased,
)
"""What may be reported while a round is open, and does not belong to it."""


# --- one event ------------------------------------------------------------------------------------------------------


class Stepped(Record, eq=False):
    """What an event leads to: as it is written down, its round, table and balances after it, the chips it moves."""

    event: Event
    round: int | None
    table: Table
    balances: Balances
    transfers: Transfers


def step(table: Table, balances: Balances, logged: Logged, earlier: Sequence[Slot]) -> Stepped:
    """Fold one event on, and make sure that the books add up.

    What it leads to hangs on the table alone; in the slots before it, `earlier`, is only looked up where a card was
    seen. Raises Refused; `BooksDoNotBalance` if the books do not add up.
    """
    try:
        applied = apply(table, logged.event, logged.version, logged.newcomers)
    except (CardAlreadySeen, CardSetAside) as refusal:
        raise RefusedAt(refusal, **where_seen(refusal.facts["card"], table, earlier)) from refusal
    if applied.transfers:
        balances = posted(balances, applied.transfers)
    prove(balances, applied.table.pot)
    number = _round_of(table, applied.table, logged.event)
    return Stepped(applied.event, number, applied.table, balances, applied.transfers)


def only_the_pot(table: Table) -> Balances:
    """Give balances that a table can be played on from when nobody asks who holds what: the bank has paid the pot.

    That chips only move, and that the pot in the books is the one on the table, is proved with these as with others.
    """
    return {POT: table.pot, BANK: -table.pot} if table.pot else {}


def where_seen(card: object, table: Table, earlier: Sequence[Slot]) -> Mapping[str, int]:
    """Find the event of the open round that showed a card, or of a draw for seats that goes on."""
    now = table.open_round
    if now is None and table.seating.drawing is None:
        return {}
    for logged in (slot.logged for slot in reversed(earlier) if slot.counts):
        book = now.book if now else table.rule_books[logged.version]
        shows = book.shows(logged.event) if isinstance(logged.event, book.events if now else book.between) else ()
        if isinstance(logged.event, CardExposed) and not logged.event.returns:
            shows = (logged.event.card,)
        if card in shows:
            part = {"first_seen_part": logged.part} if logged.part else {}
            return {"first_seen_seq": logged.seq, **part}
        if isinstance(logged.event, RoundOpened):
            break
    return {}


def _round_of(before: Table, after: Table, event: Event) -> int | None:
    """Say which round an event belongs to: the one it opens, or the open one if it is an event of a round."""
    if isinstance(event, RoundOpened | RoundEntered):
        return after.rounds
    if before.open_round is None or isinstance(event, BESIDE_A_ROUND):
        return None
    return before.open_round.number


# --- all that a correction may change -------------------------------------------------------------------------------


class Conflict(NamedTuple):
    """An event that would no longer fit after a correction, and why. `part` is its place among others, if inserted."""

    seq: int
    refusal: Refused
    part: int | None = None


class Refolded(NamedTuple):
    """Slots of which some, by their places, were folded `anew`: what each moves, and the entries that stood there.

    What no longer fits is left out, and named in `conflicts`. `begins` is the table before the first that differs.
    """

    slots: Sequence[Slot]
    anew: Mapping[int, tuple[Transfers, Sequence[Entry]]]
    begins: Table | None
    conflicts: Sequence[Conflict]

    def booked(self, seq: int, ids: Iterator[int]) -> tuple[list[Slot], tuple[Entry, ...]]:
        """Give the slots, and what the books get because of the row `seq`, with the next ids.

        What no longer stands is reversed, what is new is added, the rest stays.
        """
        slots, kept, stale = list(self.slots), dict[int, list[Entry | None]](), list[Entry]()
        for place, (transfers, stood) in self.anew.items():
            left = list(stood)
            kept[place] = [_taken_from(left, slots[place].round, moved) for moved in transfers]
            stale += left
        added = [reversal(entry, number=next(ids), seq=seq) for entry in sorted(stale, key=lambda entry: entry.id)]
        for place, entries in kept.items():
            slot = slots[place]
            part = slot.logged.part if slot.seq == seq and slot.logged.part else None
            missing = [moved for moved, entry in zip(self.anew[place][0], entries, strict=True) if entry is None]
            new = [entry for moved in missing for entry in entries_for([moved], next(ids), seq, slot.round, part)]
            added += new
            coming = iter(new)
            slots[place] = replace(slot, entries=tuple(entry or next(coming) for entry in entries))
        return slots, tuple(added)


def refold(begun: Table, slots: Sequence[Slot], wanted: Sequence[Logged]) -> Refolded:
    """Fold what is wanted, from the first event that differs; a slot whose table comes out the same stays as it is."""
    first = _alike(slots, wanted)
    rest = min(_alike(reversed(slots), reversed(wanted)), len(slots) - first, len(wanted) - first)
    table = begins = slots[first - 1].table if first else begun
    tables = (table, *(slot.table for slot in slots[first:]))
    was = {
        slot.logged.at: (before, slot) for before, slot in zip(tables, slots[first : len(slots) - rest], strict=False)
    }
    found, anew, conflicts = list(slots[:first]), dict[int, tuple[Transfers, Sequence[Entry]]](), list[Conflict]()
    for place, logged in enumerate(yielding(wanted[first:]), first - len(wanted)):
        if place >= -rest and tables[place - 1] is table:  # all that is left does the same as before
            found += slots[place:]
            break
        before, old = (tables[place - 1], slots[place]) if place >= -rest else was.get(logged.at, (None, None))
        if before and old and _same(old.logged, logged) and _does_the_same(logged, table, before):
            table = old.table if logged.counts else table
            found.append(old if old.table is table else replace(old, table=table))
            continue
        transfers: Transfers = ()
        slot = Slot(logged, table, old.round if old else None)
        if logged.counts:
            try:
                stepped = step(table, only_the_pot(table), logged, found)
            except Refused as refusal:
                conflicts.append(Conflict(logged.seq, refusal.with_traceback(None), logged.part or None))
                continue
            table, transfers = stepped.table, stepped.transfers
            written = logged if stepped.event is logged.event else replace(logged, event=stepped.event)
            slot = Slot(written, table, stepped.round)
        anew[len(found)] = transfers, old.entries if old else ()
        found.append(slot)
    return Refolded(found, anew, begins if first < max(len(wanted), len(slots)) else None, conflicts)


def _alike(slots: Iterable[Slot], wanted: Iterable[Logged]) -> int:
    """Count for how many events from the beginning the same is wanted."""
    alike = 0
    for slot, logged in zip(slots, wanted, strict=False):
        if slot.logged is not logged and not _same(slot.logged, logged):
            break
        alike += 1
    return alike


def _same(one: Logged, other: Logged) -> bool:
    """Say whether two stand for the same. Events are compared: the same one read from the log is another object."""
    if one is other:
        return True
    return one.at == other.at and one.counts == other.counts and (not one.counts or one.event == other.event)


def _does_the_same(logged: Logged, table: Table, before: Table) -> bool:
    """Say whether an event does the same on two tables: of a round that is over a new one only asks for its number."""
    if table is before:
        return True
    if isinstance(logged.event, RoundOpened) and table.rounds == before.rounds:
        table, before = (each if each.open_round else replace(each, round=None) for each in (table, before))
    return table == before


def _taken_from(entries: list[Entry], of_round: int | None, moved: Transfer) -> Entry | None:
    """Take the first entry that moves the same chips in the same round out of a list."""
    return next((entries.pop(at) for at, entry in enumerate(entries) if entry.moves == (of_round, moved)), None)
