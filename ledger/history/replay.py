"""The timeline played again from the first slot that a correction changes, until the table is again as it was.

The books get the difference: entries that come out the same stay, others are reversed and written anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ledger.books import Balances, Entry, entries_for, posted, prove, reversal
from ledger.budget import breathe
from ledger.history.rows import BEFORE_ALL, Address, Logged
from ledger.history.timeline import Segment, Timeline, begins_a_segment
from ledger.play import (
    BANK,
    POT,
    CardAlreadySeen,
    CardExposed,
    CardSetAside,
    Event,
    Refused,
    RefusedAt,
    Transfer,
    Transfers,
)
from ledger.records import Record, field, replace
from ledger.session import (
    BalancesBrought,
    ChipsMoved,
    OddsSwitched,
    PlayerErased,
    PlayerRenamed,
    RoundEntered,
    RoundOpened,
    SessionDescribed,
    SettlementPaid,
    Table,
    apply,
)

BEGINS_A_ROUND = (RoundOpened, RoundEntered)
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
    """What an event leads to: the table and the balances after it, and the chips it moves."""

    logged: Logged
    round: int | None
    table: Table
    balances: Balances
    transfers: Transfers

    def entries(self, first_id: int, seq: int) -> tuple[Entry, ...]:
        """Write down what moved, because of the row `seq`."""
        part = self.logged.part if self.logged.seq == seq and self.logged.part else None
        return entries_for(self.transfers, first_id=first_id, seq=seq, round_number=self.round, part=part)


def step(table: Table, balances: Balances, logged: Logged, earlier: Callable[[], Iterable[Logged]] = tuple) -> Stepped:
    """Fold one event on, and make sure that the books add up.

    What it leads to hangs on the table alone; `earlier` gives what counts before it, newest first, and is only asked
    where a card was seen. Raises Refused; `BooksDoNotBalance` if the books do not add up.
    """
    try:
        applied = apply(table, logged.event, logged.version, logged.newcomers)
    except (CardAlreadySeen, CardSetAside) as refusal:
        raise RefusedAt(refusal, **where_seen(refusal.facts["card"], table, earlier())) from refusal
    if applied.transfers:
        balances = posted(balances, applied.transfers)
    prove(balances, applied.table.pot)
    number = _round_of(table, applied.table, logged.event)
    if applied.event is not logged.event:
        logged = replace(logged, event=applied.event)
    return Stepped(logged, number, applied.table, balances, applied.transfers)


def only_the_pot(table: Table) -> Balances:
    """Give balances that a table can be played on from when nobody asks who holds what: the bank has paid the pot.

    That chips only move, and that the pot in the books is the one on the table, is proved with these as with others.
    """
    return {POT: table.pot, BANK: -table.pot} if table.pot else {}


def where_seen(card: object, table: Table, earlier: Iterable[Logged]) -> Mapping[str, int]:
    """Find the event of the open round that showed a card, or of a draw for seats that goes on."""
    now = table.open_round
    if now is None and table.seating.drawing is None:
        return {}
    for logged in earlier:
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
    if isinstance(event, BEGINS_A_ROUND):
        return after.rounds
    if before.open_round is None or isinstance(event, BESIDE_A_ROUND):
        return None
    return before.open_round.number


# --- what is changed ------------------------------------------------------------------------------------------------


class Edits:
    """Changes of a timeline: all slots of each segment that is changed, and what stood in place of those that are."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self.segments: dict[int, list[Logged]] = {}
        self.before: dict[Address, Logged | None] = {}

    def insert(self, slot: Logged, after: Address) -> None:
        """Put an event right after another; after what the same row has put there already."""
        segment, place = 0, -1
        if after != BEFORE_ALL:
            segment = self._timeline.segment_of(after, slot.anchor)
        slots = self._slots(segment)
        if after != BEFORE_ALL:
            place = _place_in(slots, after)
        while place + 1 < len(slots) and slots[place + 1].seq == slot.seq:
            place += 1
        slots.insert(place + 1, slot)
        self.before[slot.at] = None

    def change(self, slot: Logged) -> None:
        """Let something else count in the place of an event, or nothing; if it is the same, nothing is changed.

        Events are compared by what they say: the same one read from the log is another object.
        """
        segment = self._timeline.segment_of(slot.at, slot.anchor)
        was = next(old for old in self._timeline.segment(segment).slots if old.is_at(slot.at))
        if was.counts != slot.counts or (slot.counts and was.event != slot.event):
            slots = self._slots(segment)
            slots[_place_in(slots, slot.at)] = replace(slot, round=was.round)
            self.before[slot.at] = was

    def remove_after(self, seq: int) -> None:
        """Leave out what rows after `seq` inserted, as if they had never been."""
        for number, segment in enumerate(self._timeline.segments):
            breathe()
            if any(slot.seq > seq for slot in segment.slots):
                self.segments[number] = [slot for slot in segment.slots if slot.seq <= seq]

    def _slots(self, segment: int) -> list[Logged]:
        return self.segments.setdefault(segment, list(self._timeline.segment(segment).slots))


def _place_in(slots: Sequence[Logged], at: Address) -> int:
    return next(number for number, slot in enumerate(slots) if slot.is_at(at))


# --- what it changes ------------------------------------------------------------------------------------------------


class Conflict(Record, gc=True):
    """An event that would no longer fit after a correction, and why. `part` is its place among others, if inserted.

    The collector tracks it: the frames that a refusal's traceback holds lead back to the replay, and so to it.
    """

    seq: int
    refusal: Refused
    part: int | None = None


class Replayed(Record, eq=False):
    """A slot that was played again: what stood in it, what came of it (nothing, if taken back), the table then."""

    slot: Logged
    was: Logged | None
    stepped: Stepped | None
    table: Table

    def entries(self, number: int, entry: int, seq: int) -> tuple[Entry, ...]:
        """Write one of its transfers down as an entry, because of the row `seq`."""
        if self.stepped is None:
            return ()
        moved = self.stepped.transfers[number : number + 1]  # played ahead, the slot was of another row
        return replace(self.stepped, logged=self.slot, transfers=moved).entries(entry, seq)

    def comes_to(self, entries: tuple[Entry, ...]) -> Logged:
        """Give the slot with its entries that stand; the old one, if it is the same."""
        if self.stepped is None:
            return self.slot
        event, number, was = self.stepped.logged.event, self.stepped.round, self.was
        if was is self.slot and was.event is event and was.round == number and was.entries == entries:
            return was
        return replace(self.slot, event=event, round=number, entries=entries)


class Run(Struct):
    """Slots that follow one another and are played again; `known` is what came of them ahead, as long as it is so."""

    begin: Table
    known: Iterator[Replayed]
    table: Table
    balances: Balances
    slots: list[Replayed] = field(default_factory=list)

    def play(self, slot: Logged, was: Logged | None, earlier: Callable[[], Iterable[Logged]]) -> None:
        """Play the next slot. Raises Refused, and has then left it out."""
        ahead, stepped = next(self.known, None), None
        if ahead is not None and _same(ahead.slot, slot):
            stepped = ahead.stepped
        else:
            self.known = iter(())
            stepped = step(self.table, self.balances, slot, earlier) if slot.counts else None
        if stepped is not None:
            self.table, self.balances = stepped.table, stepped.balances
        self.slots.append(Replayed(slot, was, stepped, self.table))

    def segments(self, slots: Iterator[Logged]) -> Iterator[Segment]:
        """Cut them into segments, as they would be if all had been reported in this order."""
        begin, table, cut = self.begin, self.begin, list[Logged]()
        for replayed in self.slots:
            breathe()
            slot = next(slots)
            if begins_a_segment(slot, cut):
                yield Segment(begin, tuple(cut))
                begin, cut = table, []
            cut.append(slot)
            table = replayed.table
        if cut:
            yield Segment(begin, tuple(cut))


def _same(one: Logged, other: Logged) -> bool:
    return one is other or (one.event, one.version, one.newcomers, one.counts) == (
        other.event,
        other.version,
        other.newcomers,
        other.counts,
    )


class Replay:
    """A timeline played again as edits change it. What no longer fits is left out, and named in `conflicts`.

    `begins` is the table before the first change. `ahead` is the same replay on a timeline that had not come as far:
    as long as the same is played again, what it came to then is taken.
    """

    def __init__(self, timeline: Timeline, edits: Edits, ahead: Replay | None = None) -> None:
        self._before = edits.before
        self._parts: list[Segment | Run] = []
        self.runs: dict[int, Run] = {}
        self.conflicts: list[Conflict] = []
        self.begins: Table | None = None
        self.table = self._play(timeline, edits.segments, ahead.runs if ahead else {})

    @property
    def written(self) -> Mapping[Address, Event]:
        """The events that are changed, with their cards as the deck writes them."""
        changed = (one for one in self._replayed() if one.was is not one.slot)
        return {one.slot.at: one.stepped.logged.event for one in changed if one.stepped}

    def booked(self, seq: int, ids: Iterator[int]) -> tuple[Timeline, tuple[Entry, ...]]:
        """Give the timeline, and what the books get because of the row `seq`: what no longer stands is reversed.

        What is new is added, with the next ids; the rest stays.
        """
        stays, stale = list[list[Entry | None]](), list[Entry]()
        for one in self._replayed():
            breathe()
            old, stepped = list(one.was.entries) if one.was else [], one.stepped
            stays.append([_taken_from(old, stepped.round, moved) for moved in stepped.transfers] if stepped else [])
            stale += old
        added = [reversal(entry, number=next(ids), seq=seq) for entry in sorted(stale, key=lambda entry: entry.id)]
        slots = list[Logged]()
        for one, kept in zip(self._replayed(), stays, strict=True):
            breathe()
            entries = list[Entry]()
            for number, entry in enumerate(kept):
                if entry is None:
                    added += one.entries(number, next(ids), seq)
                entries.append(entry or added[-1])
            slots.append(one.comes_to(tuple(entries)))
        return self._timeline(iter(slots)), tuple(added)

    def _timeline(self, slots: Iterator[Logged]) -> Timeline:
        segments: list[Segment] = []
        for part in self._parts:
            segments += [part] if isinstance(part, Segment) else part.segments(slots)
        if not segments:
            return Timeline.beginning(self.table)
        return Timeline(tuple(segments[:-1]), segments[-1], self.table)

    def _replayed(self) -> Iterator[Replayed]:
        return (replayed for run in self.runs.values() for replayed in run.slots)

    def _play(self, timeline: Timeline, edited: Mapping[int, Sequence[Logged]], ahead: Mapping[int, Run]) -> Table:
        """Go through the segments from the first that is changed; those that come to the same stay as they are."""
        segments, run = timeline.segments, None
        number = min(edited, default=len(segments))
        table = segments[number].begin if edited else timeline.table
        self._parts += segments[:number]
        while number < len(segments):
            segment = segments[number]
            if number not in edited and segment.can_begin_with(table):
                # all segments up to the next edited one begin as the one before them ends
                following = min((other for other in edited if other > number), default=len(segments))
                self._parts.append(segment if table is segment.begin else replace(segment, begin=table))
                self._parts += segments[number + 1 : following]
                number, table, run = following, timeline.end(following - 1), None
                continue
            if run is None:
                known = ahead.get(number)
                same = known.slots if known and known.begin == table else ()
                run = self.runs[number] = Run(table, iter(same), table, only_the_pot(table))
                self._parts.append(run)
            for slot in edited.get(number, segment.slots):
                breathe()
                self._play_slot(run, slot)
            number, table = number + 1, run.table
        return table

    def _play_slot(self, run: Run, slot: Logged) -> None:
        is_changed = slot.at in self._before
        if is_changed and self.begins is None:
            self.begins = run.table
        try:
            run.play(slot, self._before[slot.at] if is_changed else slot, self._earlier)
        except Refused as refusal:
            self.conflicts.append(Conflict(slot.seq, refusal.with_traceback(None), slot.part or None))

    def _earlier(self) -> Iterator[Logged]:
        """Go back along what counts so far."""
        for part in reversed(self._parts):
            if isinstance(part, Segment):
                yield from (slot for slot in reversed(part.slots) if slot.counts)
            else:
                stepped = ((one.slot, one.stepped) for one in reversed(part.slots))
                yield from (replace(slot, event=done.logged.event) for slot, done in stepped if done)


# --- the books ------------------------------------------------------------------------------------------------------


def _taken_from(entries: list[Entry], of_round: int | None, moved: Transfer) -> Entry | None:
    """Take the first entry that moves the same chips in the same round out of a list."""
    for number, entry in enumerate(entries):
        told = (entry.round, entry.payer, entry.payee, entry.amount, entry.reason)
        if told == (of_round, moved.payer, moved.payee, moved.amount, moved.reason):
            return entries.pop(number)
    return None
