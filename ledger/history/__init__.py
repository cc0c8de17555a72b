"""One session folded from its log: the table and its books, side by side.

A `SessionState` is a frozen value: recording gives a new one and leaves the old as it was, so a dry run, a refusal or a
failed write needs no undoing, and readers never see half an event. It shares everything with the one before. Two
chains make that cheap, each element pointing at the one before it:

* the log, every row as it was recorded (`Row`), and
* the timeline, every event that counts, in the order in which it counts, with the table after it (`Point`).

They are the same until something is corrected. A correction goes back along the timeline to the last point before the
change and folds on from there; the books get the difference, as reversing entries and new ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Literal, NamedTuple, NoReturn

from ledger.books import Balances, Entry, entries_for, posted, prove, reversal
from ledger.cards import cards_in
from ledger.history.corrections import Logged, amended, in_effect, timeline, undone
from ledger.play import BANK, POT, CardAlreadySeen, Chips, Event, PlayerId, Reason, Refused, RuleBook, Transfers
from ledger.sentences import Sentence, say
from ledger.session import (
    AlreadyTakenBack,
    BalancesBrought,
    ChipsMoved,
    Correction,
    ErasedForGood,
    EventAmended,
    EventInserted,
    EventTakenBack,
    IsACorrection,
    NoSuchEvent,
    NotAnEventOfTheTable,
    NothingToTakeBack,
    Opening,
    PlayerErased,
    PlayerJoined,
    PlayerRenamed,
    Round,
    RoundEntered,
    RoundOpened,
    SessionIsClosed,
    SettlementPaid,
    Table,
    apply,
    changed,
    open_table,
    rules_under,
)

BESIDE_A_ROUND = (ChipsMoved, BalancesBrought, SettlementPaid, PlayerRenamed, PlayerErased)
"""What may be reported while a round is open, and does not belong to it."""

NOT_IN_CHIPS: tuple[Reason, ...] = ("settlement_paid", "brought_forward")
"""Reasons of entries for which no chips cross the table."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """An event that would no longer fit after a correction, and why."""

    seq: int
    refusal: Refused


class LaterEventsDoNotFit(Refused):
    """With that changed, later events would no longer be possible: {reasons:list}."""

    def __init__(self, conflicts: tuple[Conflict, ...]) -> None:
        reasons = tuple(say("event {seq} ({why:sentence})", seq=c.seq, why=c.refusal.sentence) for c in conflicts)
        super().__init__(conflicts=conflicts, reasons=reasons)


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A row of the log, and the one before it. `version` is that of the rule book in use when it was recorded.

    `round` is where it belonged then, `newcomer` the id that it gave to somebody new. `left` has the events that no
    longer stand because of it, and the rounds they were in until then.
    """

    seq: int
    event: Event
    version: int
    round: int | None
    before: Row | None
    newcomer: PlayerId | None = None
    left: Mapping[int, int | None] = field(default_factory=dict)

    @property
    def logged(self) -> Logged:
        """What corrections look at."""
        return Logged(self.seq, self.event, self.version, self.newcomer)


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """A point on the timeline: the table after an event that counts, its entries that stand, the point before it.

    The first point has no event: it is the table as it was opened.
    """

    seq: int
    event: Event | None
    version: int
    round: int | None
    table: Table
    balances: Balances
    entries: tuple[Entry, ...]
    before: Point | None


class CorrectionStatus(NamedTuple):
    """What became of an event, and the number of the correction that did it."""

    status: Literal["amended", "taken_back"]
    correction: int


class Closing(NamedTuple):
    """What the bank gave out when people bought in, and what came back to it, in chips, where these do not match."""

    buy_ins: Chips
    cash_outs: Chips

    @property
    def difference(self) -> Chips:
        """How many chips are missing; below zero, how many too many came back."""
        return self.buy_ins - self.cash_outs

    @property
    def sentence(self) -> Sentence:
        """The same for people to read."""
        return say(
            "The bank gave out {buy_ins:chips} and got back {cash_outs:chips}: {off:chips} too few."
            if self.difference > 0
            else "The bank gave out {buy_ins:chips} and got back {cash_outs:chips}: {off:chips} too many.",
            buy_ins=self.buy_ins,
            cash_outs=self.cash_outs,
            off=abs(self.difference),
        )


class Stepped(NamedTuple):
    """A new point on the timeline, its entries not yet written down, and the chips its event moves."""

    point: Point
    transfers: Transfers


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording an event gives: the evening after it, the row in the log, and the entries it caused."""

    state: SessionState
    row: Row
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SessionState:
    """A session at one event of its log: `row` is the last of the log, `tip` the last that counts."""

    tip: Point
    row: Row | None = None
    last_entry: int = 0

    @classmethod
    def opened(cls, books: Mapping[int, RuleBook[Any]], opening: Opening) -> SessionState:
        """Begin an evening at a table where nothing has happened yet. A carried pot is the bank's until it is won."""
        balances = {POT: opening.carried, BANK: -opening.carried} if opening.carried else {}
        return cls(Point(0, None, 0, None, open_table(books, opening), balances, (), None))

    @property
    def seq(self) -> int:
        """The number of the last event in the log, 0 before the first."""
        return self.row.seq if self.row else 0

    @property
    def table(self) -> Table:
        """Where the table stands."""
        return self.tip.table

    @property
    def balances(self) -> Balances:
        """What every account holds, in chips."""
        return self.tip.balances

    def record(self, event: Event, version: int) -> Recorded:
        """Record an event, or refuse it.

        Raises Refused; `BooksDoNotBalance` if the program has made a mistake.
        """
        if isinstance(event, Correction):
            return self._correct(event, version)
        newcomer = self._newcomer(event)
        point, transfers = step(self.tip, self.seq + 1, event, version, newcomer)
        entries = entries_for(transfers, first_id=self.last_entry + 1, seq=self.seq + 1, round_number=point.round)
        row = Row(self.seq + 1, point.event or event, version, point.round, self.row, newcomer)
        after = SessionState(replace(point, entries=entries), row, self.last_entry + len(entries))
        return Recorded(after, row, entries)

    def points(self) -> Iterator[Point]:
        """Go back along the timeline, from the last event that counts to the first."""
        point = self.tip
        while point.before is not None:
            yield point
            point = point.before

    def rows(self) -> Iterator[Row]:
        """Go back along the log, from the last row to the first."""
        row = self.row
        while row is not None:
            yield row
            row = row.before

    def rounds(self) -> list[Round]:
        """Every round as it stands, or as it ended, in order."""
        found: dict[int, Round] = {}
        for point in self.points():
            if point.table.round:
                found.setdefault(point.table.round.number, point.table.round)
        return [found[number] for number in sorted(found)]

    def ended_since(self, seq: int) -> list[Round]:
        """Give the rounds that events from `seq` on have ended, in order."""
        ended: list[Round] = []
        for point in takewhile(lambda point: point.seq >= seq, self.points()):
            done = point.table.round
            if done is not None and not done.is_open and done.number == point.round:
                ended.append(done)
        ended.reverse()
        return ended

    def closing(self) -> Closing | None:
        """Hold what came back to the bank against what it gave out; None if they match, or the session is open.

        A pot that went to the bank came back. Debts that are settled and balances brought along are no chips.
        """
        if self.table.status != "closed":
            return None
        entries = [e for point in self.points() for e in point.entries if e.reason not in NOT_IN_CHIPS]
        buy_ins = sum(entry.amount for entry in entries if entry.payer == BANK)
        cash_outs = sum(entry.amount for entry in entries if entry.payee == BANK)
        return Closing(buy_ins, cash_outs) if buy_ins != cash_outs else None

    def corrections(self) -> Mapping[int, CorrectionStatus]:
        """Say of every event that was corrected what became of it, and by which correction."""
        rows = [row.logged for row in self.rows()]
        gone = undone(rows)
        changed = {seq: CorrectionStatus("amended", row.seq) for seq, row in amended(rows, gone).items()}
        return changed | {seq: CorrectionStatus("taken_back", by) for seq, by in gone.items()}

    def rounds_of_events(self) -> Mapping[int, int | None]:
        """Say to which round every event belongs that counts, or was in when it last did."""
        found = {point.seq: point.round for point in self.points()}
        for row in self.rows():
            for seq, number in row.left.items():
                found.setdefault(seq, number)
        return found

    def at(self, seq: int) -> SessionState:
        """Give the evening as it stood when `seq` was the last event of the log."""
        return next((state for state in self.history() if state.seq == seq), self)

    def history(self) -> Iterator[SessionState]:
        """Live the evening through again, from its opening on, event by event of the log."""
        state = self._opening()
        yield state
        for row in reversed(list(self.rows())):
            state = state.record(row.event, row.version).state
            yield state

    def _opening(self) -> SessionState:
        point = self.tip
        while point.before is not None:
            point = point.before
        return SessionState(point)

    def _newcomer(self, event: Event) -> PlayerId | None:
        """Say which id an event gives to somebody new: the next one, or the one that they had before an amendment."""
        said = in_effect(event)
        if not isinstance(said, PlayerJoined) or said.name is None:
            return None
        about = amends(event)
        same = (row for row in self.rows() if about and about in (row.seq, amends(row.event)))
        return next((row.newcomer for row in same if row.newcomer), self.table.next_id)

    # --- corrections ------------------------------------------------------------------------------------------------

    def _correct(self, event: Correction, version: int) -> Recorded:
        """Write a correction down, and work out again what follows the first event that it changes.

        Of a session that stays closed, only what was reported after closing can be corrected.
        """
        row = Row(self.seq + 1, self._explicit(event), version, None, self.row, self._newcomer(event))
        after = timeline([earlier.logged for earlier in SessionState(self.tip, row).rows()])
        shared, kept, dropped = self._common(after)
        tip, reworked, conflicts = kept, list[Stepped](), list[Conflict]()
        for logged in after[shared:]:
            try:
                point, transfers = step(tip, *logged)
            except Refused as refusal:
                conflicts.append(Conflict(logged.seq, refusal))
                continue
            reworked.append(Stepped(point, transfers))
            tip = point
        if conflicts:
            if self.table.status == "closed":
                raise SessionIsClosed
            self._refuse(row, conflicts)
        if self.table.status == tip.table.status == "closed" != kept.table.status:
            raise SessionIsClosed
        standing = {logged.seq for logged in after}
        row = replace(_as_written(row, reworked), left={p.seq: p.round for p in dropped if p.seq not in standing})
        return self._balanced(row, kept, dropped, reworked)

    @staticmethod
    def _refuse(row: Row, conflicts: list[Conflict]) -> NoReturn:
        """Refuse a correction: for what it says itself if that is not possible, otherwise for all that follows."""
        said = row.event.seq if isinstance(row.event, EventAmended) else row.seq
        if conflicts[0].seq == said:
            raise conflicts[0].refusal
        raise LaterEventsDoNotFit(tuple(conflicts))

    def _explicit(self, event: Correction) -> Correction:
        """Make sure that what a correction is about is there; name it, if the report left it to us."""
        rows = [row.logged for row in self.rows()]
        gone = undone(rows)
        if isinstance(event, EventTakenBack) and event.seq is None:
            last = next((r for r in rows if r.seq not in gone and not isinstance(r.event, EventTakenBack)), None)
            if last is None:
                raise NothingToTakeBack
            event = replace(event, seq=last.seq)
        about = event.after if isinstance(event, EventInserted) else event.seq or 0
        if about > self.seq:
            raise NoSuchEvent(seq=about, last=self.seq)
        if isinstance(event, EventTakenBack | EventAmended):
            if about in gone:
                raise AlreadyTakenBack(seq=about)
            if isinstance(rows[-about].event, PlayerErased):
                raise ErasedForGood(seq=about)
        if isinstance(event, EventTakenBack):
            return event
        if isinstance(event.event, Correction | PlayerErased):
            raise NotAnEventOfTheTable(type=event.event.type)
        if about and isinstance(rows[-about].event, EventTakenBack | EventAmended):
            raise IsACorrection(seq=about)
        return event

    def _common(self, after: Sequence[Logged]) -> tuple[int, Point, list[Point]]:
        """Say how many points another timeline shares with this one; give the last of them and those after it."""
        own = list(reversed(list(self.points())))
        shared = sum(
            1
            for _ in takewhile(
                lambda pair: pair[0].seq == pair[1].seq and pair[0].event is pair[1].event,
                zip(own, after, strict=False),
            )
        )
        return shared, own[shared - 1] if shared else self._opening().tip, own[shared:]

    def _balanced(self, row: Row, kept: Point, dropped: list[Point], reworked: list[Stepped]) -> Recorded:
        """Give the books the difference: what no longer stands is reversed, what is new is added, the rest stays.

        An account that has had entries stays in the balances, also if nothing stands on it any more.
        """
        standing: dict[tuple[int, object], list[Entry]] = {}
        for old in dropped:
            for entry in old.entries:
                standing.setdefault((old.seq, entry.moves), []).append(entry)
        stays = [
            [_pop(standing.get((new.point.seq, (new.point.round, t)), [])) for t in new.transfers] for new in reworked
        ]
        stale = sorted(entry for left in standing.values() for entry in left)
        added = [reversal(entry, number=n, seq=row.seq) for n, entry in enumerate(stale, self.last_entry + 1)]
        tip = kept
        for new, kept_entries in zip(reworked, stays, strict=True):
            entries = []
            for transfer, old_entry in zip(new.transfers, kept_entries, strict=True):
                if old_entry is None:
                    first = self.last_entry + len(added) + 1
                    added += entries_for([transfer], first_id=first, seq=row.seq, round_number=new.point.round)
                entries.append(old_entry or added[-1])
            tip = replace(new.point, entries=tuple(entries), before=tip)
        tip = replace(tip, balances={**dict.fromkeys(self.balances, 0), **tip.balances})
        return Recorded(SessionState(tip, row, self.last_entry + len(added)), row, tuple(added))


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """A session as somebody looks at it: what it was opened with, and where it stands."""

    id: str
    opening: Opening
    created_at: str
    state: SessionState

    @property
    def names(self) -> Mapping[PlayerId, str]:
        """What everyone who ever sat here is called."""
        return {player.id: player.name for player in self.state.table.players}


def step(tip: Point, seq: int, event: Event, version: int, newcomer: PlayerId | None = None) -> Stepped:
    """Fold one event on: the next point on the timeline, its entries not yet written down, and the chips moved.

    Makes sure that the books add up. Raises Refused; `BooksDoNotBalance` if they do not.
    """
    try:
        taken = apply(tip.table, event, version, newcomer)
    except CardAlreadySeen as refusal:
        refusal.facts |= where_seen(refusal.facts["card"], tip)
        raise
    balances = posted(tip.balances, taken.transfers) if taken.transfers else tip.balances
    prove(balances, taken.table.pot)
    number = _round_of(tip.table, taken.table, event)
    return Stepped(Point(seq, taken.event, version, number, taken.table, balances, (), tip), taken.transfers)


def where_seen(card: object, tip: Point) -> Mapping[str, int]:
    """Find the event of the open round that showed a card; between rounds none did."""
    for point in SessionState(tip).points() if tip.table.open_round else ():
        if card in cards_in(point.event):
            return {"first_seen_seq": point.seq}
        if isinstance(point.event, RoundOpened):
            break
    return {}


def points_of(number: int, state: SessionState) -> list[Point]:
    """Give the points of a round on the timeline, oldest first."""
    points = [point for point in state.points() if point.round == number]
    points.reverse()
    return points


def paid_under(points: Sequence[Point], switches: Mapping[str, Any]) -> tuple[Round, tuple[Entry, ...], Balances]:
    """Play a round again under other house rules: the round, the entries it would have, what each would get.

    Raises Refused for what would not have been possible.
    """
    start = points[0].before
    if start is None:
        raise ValueError("a round begins with an event")
    rules = rules_under(start.table.rule_books[points[0].version], start.table.rules)
    table = replace(start.table, rules=changed(rules, switches))
    tip, entries = replace(start, table=table), list[Entry]()
    for point in points:
        if point.event is None:
            continue
        tip, transfers = step(tip, point.seq, point.event, point.version)
        entries += entries_for(transfers, first_id=len(entries) + 1, seq=point.seq, round_number=point.round)
    if tip.table.round is None:
        raise ValueError("a round was opened")
    return tip.table.round, tuple(entries), posted({}, entries)


def _as_written(row: Row, reworked: list[Stepped]) -> Row:
    """Give a correction's row with its event's cards as the deck writes them."""
    event = row.event
    if not isinstance(event, EventAmended | EventInserted):
        return row
    place = event.seq if isinstance(event, EventAmended) else row.seq
    said = next((new.point.event for new in reworked if new.point.seq == place), None)
    return replace(row, event=replace(event, event=said)) if said else row


def amends(event: Event) -> int | None:
    """Say which event an amendment is about."""
    return event.seq if isinstance(event, EventAmended) else None


def _round_of(before: Table, after: Table, event: Event) -> int | None:
    """Say which round an event belongs to: the one it opens, or the open one if it is an event of a round."""
    if isinstance(event, RoundOpened | RoundEntered):
        return after.rounds
    if before.open_round is None or isinstance(event, BESIDE_A_ROUND):
        return None
    return before.open_round.number


def _pop(entries: list[Entry]) -> Entry | None:
    return entries.pop(0) if entries else None
