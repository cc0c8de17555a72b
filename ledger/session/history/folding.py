"""Events folded on tables: one at the end, or all that a correction may change.

The books get the difference: an entry that comes out the same stays, others are reversed and written anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from ledger.accounting.books import Books, Entry, entries_for, posted, prove, reversal
from ledger.cooperation import yielding
from ledger.records import convert, replace
from ledger.rulebook.chips import Transfer, Transfers
from ledger.rulebook.exposing import CardExposed, CardSetAside
from ledger.rulebook.refusal import CardAlreadySeen, Refused, RefusedAt
from ledger.rulebook.values import BANK, POT
from ledger.session import events
from ledger.session.history.effective import Address, Logged
from ledger.session.rules import apply
from ledger.session.table import Table

BESIDE_A_ROUND = (
    events.ChipsMoved,
    events.BalancesBrought,
    events.SettlementPaid,
    events.PlayerRenamed,
    events.SessionDescribed,
    events.OddsSwitched,
    events.PlayerErased,
)
"""Events that may be reported while a round is open, and do not belong to it."""


class Slot(Logged, eq=False, kw_only=True):
    """An event in its place, the table after it, its entries that stand, and the number of its round (or last one)."""

    table: Table
    round: int | None = None
    entries: tuple[Entry, ...] = ()


class Step(NamedTuple):
    """A slot that counts, the table before it, and the books after it."""

    slot: Slot
    before: Table
    books: Books

    @property
    def after(self) -> Table:
        return self.slot.table


# --- one event ------------------------------------------------------------------------------------------------------


def step(table: Table, logged: Logged, earlier: Sequence[Slot]) -> tuple[Slot, Transfers]:
    """Fold one event: give its slot, without entries, and the chips that it moves. Raises Refused.

    Both depend on the table alone; the `earlier` slots only tell where a card was seen.
    """
    try:
        applied = apply(table, logged.event, logged.version, logged.newcomers)
    except (CardAlreadySeen, CardSetAside) as refusal:
        raise RefusedAt(refusal, **where_seen(refusal.facts["card"], table, earlier)) from refusal
    begins_one = isinstance(logged.event, events.RoundOpened | events.RoundEntered)
    of_a_round = begins_one or (table.open_round and not isinstance(logged.event, BESIDE_A_ROUND))
    number = applied.table.rounds if of_a_round else None
    at = logged.seq, applied.event, logged.version, logged.newcomers, logged.part
    return Slot(*at, table=applied.table, round=number), applied.transfers


def where_seen(card: object, table: Table, earlier: Sequence[Slot]) -> Mapping[str, int]:
    """Find the event of the open round, or of an unfinished draw for seats, that showed a card."""
    now = table.open_round
    if now is None and table.seating.drawing is None:
        return {}
    for slot in reversed(earlier):
        event, book = slot.event, now.book if now else table.rule_books[slot.version]
        shows = book.shows(event) if isinstance(event, book.events if now else book.between) else ()
        if isinstance(event, CardExposed) and not event.returns:
            shows = (event.card,)
        if slot.counts and card in shows:
            return {"first_seen_seq": slot.seq, **({"first_seen_part": slot.part} if slot.part else {})}
        if slot.counts and isinstance(event, events.RoundOpened):
            break
    return {}


# --- all that a correction may change -------------------------------------------------------------------------------


class Conflict(NamedTuple):
    """An event that would no longer fit after a correction, and why."""

    at: Address
    refusal: Refused


class Refolded(NamedTuple):
    """Slots after a correction; those folded `anew`, by place, have the chips that they move, and their old entries.

    `begins` is the table before the first slot that differs; events in `conflicts` are left out.
    """

    slots: Sequence[Slot]
    anew: Mapping[int, Transfers]
    begins: Table
    conflicts: Sequence[Conflict]

    def booked(self, seq: int, ids: Iterator[int]) -> tuple[list[Slot], tuple[Entry, ...]]:
        """Give the slots with their entries, and the entries that row `seq` adds: reversals first, then new ones."""
        slots, standing, stale = list(self.slots), dict[int, list[Entry | None]](), list[Entry]()
        for place, transfers in self.anew.items():
            left = list(slots[place].entries)
            standing[place] = [_taken_from(left, slots[place].round, moved) for moved in transfers]
            stale += left
        added = [reversal(entry, number=next(ids), seq=seq) for entry in sorted(stale, key=lambda entry: entry.id)]
        for place, stood in standing.items():
            slot, entries = slots[place], list[Entry]()
            part = slot.part if slot.seq == seq and slot.part else None
            for moved, entry in zip(self.anew[place], stood, strict=True):
                new = () if entry else entries_for([moved], next(ids), seq, slot.round, part)
                entries += [entry] if entry else new
                added += new
            slots[place] = replace(slot, entries=tuple(entries))
        return slots, tuple(added)


def refold(begun: Table, slots: Sequence[Slot], wanted: Sequence[Logged]) -> Refolded:
    """Fold the wanted events from the first that differs; a slot whose table comes out the same is shared."""
    first = _alike(slots, wanted)
    ends, coming = slots[first:], wanted[first:]
    rest = _alike(reversed(ends), reversed(coming))
    table = begins = slots[first - 1].table if first else begun
    before = (table, *(slot.table for slot in ends))
    was = {slot.at: (table, slot) for table, slot in zip(before, ends[: len(ends) - rest], strict=False)}
    found, anew, conflicts = list(slots[:first]), dict[int, Transfers](), list[Conflict]()
    for left, logged in zip(range(len(coming), 0, -1), yielding(coming), strict=True):
        stood_on, old = (before[-left - 1], ends[-left]) if left <= rest else was.get(logged.at, (None, None))
        if left <= rest and stood_on is table:  # the rest does the same as before
            found += ends[-left:]
            break
        if old and _same(old, logged) and (stood_on is table or stood_on == table):
            table = old.table if logged.counts else table
            found.append(old if old.table is table else replace(old, table=table))
            continue
        transfers: Transfers = ()
        if logged.counts:
            try:
                slot, transfers = step(table, logged, found)
            except Refused as refusal:
                conflicts.append(Conflict(logged.at, refusal.with_traceback(None)))
                continue
            prove(posted({POT: table.pot, BANK: -table.pot}, transfers), slot.table.pot)
            table = slot.table
        else:
            slot = convert(Slot, logged, table=table, round=old.round if old else None)
        anew[len(found)] = transfers
        found.append(replace(slot, entries=old.entries) if old and old.entries else slot)
    return Refolded(found, anew, begins, conflicts)


def _alike(slots: Iterable[Slot], wanted: Iterable[Logged]) -> int:
    """Count the slots at the beginning that are wanted as they are."""
    return sum(takewhile(bool, map(_same, slots, wanted)))


def _same(one: Logged, other: Logged) -> bool:
    """Compare two events at their addresses; the same one read from the log is another object."""
    if one.seq != other.seq or one.part != other.part or one.counts != other.counts:
        return False
    return one.event is other.event or not one.counts or one.event == other.event


def _taken_from(entries: list[Entry], of_round: int | None, moved: Transfer) -> Entry | None:
    """Remove and return the first entry that moves the same chips in the same round."""
    return next((entries.pop(at) for at, entry in enumerate(entries) if entry.moves == (of_round, moved)), None)
