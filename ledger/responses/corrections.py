"""What a correction changes: rounds, players' balances, entries, what the session is called and a chip is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Generic, TypeVar

import msgspec

from ledger.books import Entry
from ledger.history import SessionState
from ledger.play.values import Chips, Day, PlayerId
from ledger.records import UNSET, Meta, Record, UnsetType, convert
from ledger.responses.shared import DealerId, PlainOutcome, Pot, RoundNumber
from ledger.session.events import ChipValue
from ledger.session.table import Round, Table

T = TypeVar("T")


class RoundStand(Record):
    """A round in short."""

    status: Annotated[str, Meta(description="`recording` until the round ends, then its result.")]
    played_on: Annotated[Day | None, Meta(description="The day on which it was played, if it has one.")]
    dealer: DealerId
    pot: Pot
    outcome: Annotated[PlainOutcome | None, Meta(description="How the round ended; null while it is recorded.")]


class Change(Record, Generic[T], kw_only=True):
    """What something was before an event, and what it is after."""

    before: Annotated[T, Meta(description="What it was before the event; null if there was none.")]
    after: Annotated[T, Meta(description="What it is after the event; null if there is none.")]


class RoundChange(Change[RoundStand | None]):
    """A round before and after an event."""

    round: RoundNumber


class BalanceChange(Change[Chips]):
    """A player's balance before and after, in chips."""

    player: Annotated[PlayerId, Meta(description="The player's id.")]


class EntryChanges(Record):
    """The entries that a correction reverses and those that it adds."""

    reversed: Annotated[tuple[int, ...], Meta(description="The ids of the entries that are reversed.")]
    added: Annotated[tuple[Entry, ...], Meta(description="The entries that are added in their place.")]


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

    name: Annotated[NameChange | UnsetType, Meta(description="The session's name.")] = UNSET
    chip_value: Annotated[ChipValueChange | UnsetType, Meta(description="The value of a chip.")] = UNSET
    odds: Annotated[OddsChange | UnsetType, Meta(description="Whether the chances are shown.")] = UNSET
    played_on: Annotated[DayChange | UnsetType, Meta(description="The session's day.")] = UNSET


class Changes(Record):
    """What an event changes of what was recorded before it: rounds, balances, entries."""

    rounds: Annotated[tuple[RoundChange, ...], Meta(description="The rounds that differ.")]
    players: Annotated[tuple[BalanceChange, ...], Meta(description="The balance of every player, before and after.")]
    entries: Annotated[EntryChanges, Meta(description="The entries that are reversed and those that are added.")]
    session: Annotated[SessionChange | UnsetType, Meta(description="The session's own changes, if any.")] = UNSET


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


def stand(done: Round | None) -> RoundStand | None:
    """Give how a round stands, in short; None if there is none."""
    return convert(RoundStand, done, dealer=done.ground.dealer, pot=done.phase.pot) if done else None
