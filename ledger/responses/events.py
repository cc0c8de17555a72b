"""Events as they stand in the log, with what had become of them by some moment; what recording some did and changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec

from ledger.accounting.books import Entry
from ledger.codec.log import read_event
from ledger.records import UNSET, Record, UnsetType, convert, doc, field, joined
from ledger.responses.rounds import Round
from ledger.responses.sessions import Session
from ledger.responses.shared import DealerId, EventInLog, EventSeq, PartNumber, PlainOutcome, Pot, RoundNumber
from ledger.rulebook.event import Event
from ledger.rulebook.values import Chips, Day, LinkId, PlayerId, Seq, Timestamp
from ledger.session.corrections import EventAmended, EventTakenBack
from ledger.session.events import ChipValue
from ledger.session.history import Address, SessionState
from ledger.session.table import Round as PlayedRound
from ledger.session.table import Table
from ledger.storage.store import Reader
from ledger.storage.stored import StoredEvent

EventStatus = Literal["standing", "amended", "taken_back"]
Labels = Mapping[str, str | None]
"""What links are called, by their ids. A session that was brought in has other links than those it was recorded by."""


RecordedAt = Annotated[Timestamp, doc("When the event was recorded, in UTC.")]
RecordedBy = Annotated[LinkId, doc("The id of the link that recorded the event.")]
LabelToday = Annotated[str | None, doc("The link's label today; null if it has none.")]


class Corrected(Record):
    """The correction that took an event back or amended it."""

    seq: EventSeq
    recorded_at: RecordedAt
    recorded_by: RecordedBy
    recorded_by_label: LabelToday
    note: Annotated[str | None, doc("The correction's note; null if it has none.")]


class Part(Record):
    """What became of an event that was inserted together with others."""

    part: PartNumber
    status: Annotated[Literal["amended", "taken_back"], doc("What became of the inserted event.")]
    correction: Annotated[int, doc("The number of the correction that did it.")]


class LoggedEvent(Record, kw_only=True):
    """An event as it stands in the log; the event's own members are further ones, as `stored_kind` has them."""

    target: Annotated[Seq | UnsetType, doc("The number of the event that is corrected.")] = UNSET
    seq: EventSeq
    round: Annotated[int | None, doc("The number of the event's round; null between rounds.")]
    recorded_at: RecordedAt
    recorded_by: RecordedBy
    recorded_by_label: LabelToday
    status: Annotated[EventStatus, doc("Whether the event stands or was corrected.")] = field(
        default_factory=lambda: "standing"
    )
    correction: Annotated[Corrected | UnsetType, doc("The correction that corrected it, if any.")] = UNSET
    parts: Annotated[tuple[Part, ...] | UnsetType, doc("Parts of it that were corrected since.")] = UNSET


class Recorded(Record, kw_only=True, omit_defaults=True):
    """What recording events did."""

    events: Annotated[tuple[EventInLog, ...], doc("The events as they were recorded, in order.")]
    entries: Annotated[tuple[Entry, ...], doc("The ledger entries that the events caused.")]
    changes: Annotated[Changes | None, doc("What a correction or a dry run changes.")] = None
    session: Annotated[Session | None, doc("The session after the events.")] = None
    ended: Annotated[tuple[Round, ...] | None, doc("The rounds that these events ended.")] = None
    seq: Annotated[int | None, doc("The number of the session's last event.")] = None
    rounds_ended: Annotated[tuple[int, ...] | None, doc("The numbers of the rounds that these events ended.")] = None


def stored_kind(kind: type[Event]) -> type[LoggedEvent]:
    """Give the record of events of a kind as they stand in the log. The `seq` that a correction has is its `target`."""
    return joined(kind, LoggedEvent, f"Stored{kind.__name__}Event")


def logged_event(event: Event, row: StoredEvent, label: str | None, **members: Any) -> LoggedEvent:
    """Give an event with the members of its row; `label` is the link's, `members` its round and status by then."""
    target = event.seq if isinstance(event, EventTakenBack | EventAmended) else None
    return convert(
        stored_kind(type(event)),
        event,
        seq=row.seq,
        target=target or UNSET,
        recorded_at=row.recorded_at,
        recorded_by=row.recorded_by,
        recorded_by_label=label,
        **members,
    )


# --- what had become of events --------------------------------------------------------------------------------------


def with_statuses(
    store: Reader, session_id: str, rows: Iterable[StoredEvent], state: SessionState
) -> Iterator[LoggedEvent]:
    """Give rows of the log with their statuses by then, and the corrections that changed them.

    It ends early if the session is deleted meanwhile.
    """
    by, labels, statuses = dict[int, Corrected](), labels_of(store, session_id), state.statuses()
    members_of_event = stands(state)
    for row in rows:
        members = members_of_event(row.seq)
        if became := statuses.get(Address(row.seq)):
            seq = became.correction
            if seq not in by:
                correction = next(store.events(session_id, after=seq - 1, limit=1), None)
                if correction is None:
                    return
                note = correction.words["note"].text if "note" in correction.words else None
                label = labels.get(correction.recorded_by)
                by[seq] = convert(Corrected, correction, recorded_by_label=label, note=note)
            members["correction"] = by[seq]
        event = read_event(row.type, row.body, row.words, state.table.rule_books[row.version])
        yield logged_event(event, row, labels.get(row.recorded_by), **members)


def stands(state: SessionState) -> Callable[[int], dict[str, Any]]:
    """Give a function from an event's seq to its status, its round (or last one) and its corrected parts."""
    rounds, of_parts, became = state.rounds_of_events(), defaultdict[int, list[Part]](list), dict[int, EventStatus]()
    for at, status in state.statuses().items():
        if at.part:
            of_parts[at.seq].append(Part(at.part, *status))
        else:
            became[at.seq] = status.status

    def members(seq: int) -> dict[str, Any]:
        parts = tuple(of_parts[seq]) if seq in of_parts else UNSET
        return {"round": rounds.get(seq), "status": became.get(seq, "standing"), "parts": parts}

    return members


def labels_of(store: Reader, session_id: str) -> Labels:
    """Read what the links of a session are called, those included that are dead."""
    return {link.id: link.label for link in store.links(session_id)}


# --- what a correction changes --------------------------------------------------------------------------------------

T = TypeVar("T")


class RoundStand(Record):
    """A round in short."""

    status: Annotated[str, doc("`recording` until the round ends, then its result.")]
    played_on: Annotated[Day | None, doc("The day on which it was played, if it has one.")]
    dealer: DealerId
    pot: Pot
    outcome: Annotated[PlainOutcome | None, doc("How the round ended; null while it is recorded.")]


class Change(Record, Generic[T], kw_only=True):
    """What something was before an event, and what it is after."""

    before: Annotated[T, doc("What it was before the event; null if there was none.")]
    after: Annotated[T, doc("What it is after the event; null if there is none.")]


class RoundChange(Change[RoundStand | None]):
    """A round before and after an event."""

    round: RoundNumber


class BalanceChange(Change[Chips]):
    """A player's balance before and after, in chips."""

    player: Annotated[PlayerId, doc("The player's id.")]


class EntryChanges(Record):
    """The entries that a correction reverses and those that it adds."""

    reversed: Annotated[tuple[int, ...], doc("The ids of the entries that are reversed.")]
    added: Annotated[tuple[Entry, ...], doc("The entries that are added in their place.")]


class NameChange(Change[str | None]):
    """The session's name before and after an event."""


class ChipValueChange(Change[ChipValue | None]):
    """The value of a chip before and after an event."""


class OddsChange(Change[bool]):
    """Whether the chances are shown, before and after an event."""


class DayChange(Change[Day | None]):
    """The session's day before and after an event."""


class SessionChange(Record):
    """The session's own changes; a member is absent where nothing changes."""

    name: Annotated[NameChange | UnsetType, doc("The session's name.")] = UNSET
    chip_value: Annotated[ChipValueChange | UnsetType, doc("The value of a chip.")] = UNSET
    odds: Annotated[OddsChange | UnsetType, doc("Whether the chances are shown.")] = UNSET
    played_on: Annotated[DayChange | UnsetType, doc("The session's day.")] = UNSET


class Changes(Record):
    """What an event changes of what was recorded before it: rounds, balances, entries."""

    rounds: Annotated[tuple[RoundChange, ...], doc("The rounds that differ.")]
    players: Annotated[tuple[BalanceChange, ...], doc("The balance of every player, before and after.")]
    entries: Annotated[EntryChanges, doc("The entries that are reversed and those that are added.")]
    session: Annotated[SessionChange | UnsetType, doc("The session's own changes, if any.")] = UNSET


def changes_answer(before: SessionState, after: SessionState, entries: Sequence[Entry]) -> Changes:
    """Give what lies between two stands of a session, and the entries that lead from one to the other."""
    old, new = ({done.number: done for done in state.rounds()} for state in (before, after))
    touched = [n for n in sorted({*old, *new}) if old.get(n) is not new.get(n)]
    rounds = [RoundChange(round=n, before=stand(old.get(n)), after=stand(new.get(n))) for n in touched]
    people = {player.id: player for player in (*before.table.players, *after.table.players)}
    return Changes(
        rounds=tuple(change for change in rounds if change.before != change.after),
        players=tuple(
            BalanceChange(player=player, before=before.balances.get(player, 0), after=after.balances.get(player, 0))
            for player in people
        ),
        entries=EntryChanges(
            reversed=tuple(entry.reverses for entry in entries if entry.reverses is not None),
            added=tuple(entry for entry in entries if entry.reverses is None),
        ),
        session=session_change(before.table, after.table),
    )


def session_change(old: Table, new: Table) -> SessionChange | UnsetType:
    """Give what is different of the session itself; nothing, if nothing is."""
    values = {name: (getattr(old, name), getattr(new, name)) for name in SessionChange.__struct_fields__}
    changes = {name: {"before": was, "after": now} for name, (was, now) in values.items() if was != now}
    return msgspec.convert(changes, SessionChange) if changes else UNSET


def stand(done: PlayedRound | None) -> RoundStand | None:
    return convert(RoundStand, done, dealer=done.ground.dealer, pot=done.phase.pot) if done else None
