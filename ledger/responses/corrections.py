"""What a correction changes: rounds, players' balances, entries, what the session is called and a chip is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from ledger import books
from ledger.history import SessionState
from ledger.play.rounds import Outcome, Over
from ledger.play.values import Chips, Day, PlayerId
from ledger.records import UNSET, Meta, Record, UnsetType
from ledger.responses.entries import Entry, entries_answer
from ledger.session.events import ChipValue
from ledger.session.table import Round, Table


class RoundStand(Record):
    """A round in short."""

    status: Annotated[str, Meta(description="`recording` until the round ends, then its result.")]
    played_on: Annotated[Day | None, Meta(description="The day on which it was played, if it has one.")]
    dealer: Annotated[PlayerId, Meta(description="The id of the round's dealer.")]
    pot: Annotated[Chips, Meta(description="The chips in the pot.")]
    outcome: Annotated[Outcome | None, Meta(description="How the round ended; null while it is being recorded.")]


class RoundChange(Record):
    """A round before and after an event."""

    round: Annotated[int, Meta(description="The number of the round.")]
    before: Annotated[RoundStand | None, Meta(description="The round before the event; null if there was none.")]
    after: Annotated[RoundStand | None, Meta(description="The round after the event; null if there is none.")]


class BalanceChange(Record):
    """A player's balance before and after, in chips."""

    player: Annotated[PlayerId, Meta(description="The player's id.")]
    before: Annotated[Chips, Meta(description="The balance before the event, in chips.")]
    after: Annotated[Chips, Meta(description="The balance after the event, in chips.")]


class EntryChanges(Record):
    """The entries that a correction reverses and those that it adds."""

    reversed: Annotated[tuple[int, ...], Meta(description="The ids of the entries that are reversed.")]
    added: Annotated[tuple[Entry, ...], Meta(description="The entries that are added in their place.")]


class NameChange(Record):
    """The session's name before and after an event."""

    before: Annotated[str | None, Meta(description="The session's name before the event; null if it had none.")]
    after: Annotated[str | None, Meta(description="The session's name after the event; null if it has none.")]


class ChipValueChange(Record):
    """The value of a chip before and after an event."""

    before: Annotated[ChipValue | None, Meta(description="A chip's value before the event; null if it had none.")]
    after: Annotated[ChipValue | None, Meta(description="A chip's value after the event; null if it has none.")]


class OddsChange(Record):
    """Whether the chances are shown, before and after an event."""

    before: Annotated[bool, Meta(description="Whether the chances were shown before the event.")]
    after: Annotated[bool, Meta(description="Whether the chances are shown after the event.")]


class DayChange(Record):
    """The session's day before and after an event."""

    before: Annotated[Day | None, Meta(description="The session's day before the event; null if it had none.")]
    after: Annotated[Day | None, Meta(description="The session's day after the event; null if it has none.")]


class SessionChange(Record):
    """The session's own changes."""

    name: Annotated[NameChange | UnsetType, Meta(description="The session's name, if it changes.")] = UNSET
    chip_value: Annotated[ChipValueChange | UnsetType, Meta(description="A chip's value, if it changes.")] = UNSET
    odds: Annotated[OddsChange | UnsetType, Meta(description="Whether the chances are shown, if that changes.")] = UNSET
    played_on: Annotated[DayChange | UnsetType, Meta(description="The session's day, if it changes.")] = UNSET


class Changes(Record):
    """What an event changes of what was recorded before it: rounds, balances, entries."""

    rounds: Annotated[tuple[RoundChange, ...], Meta(description="The rounds that differ.")]
    players: Annotated[tuple[BalanceChange, ...], Meta(description="The balance of every player, before and after.")]
    entries: Annotated[EntryChanges, Meta(description="The entries that are reversed and those that are added.")]
    session: Annotated[SessionChange | UnsetType, Meta(description="The session's own changes, if any.")] = UNSET


def changes_answer(before: SessionState, after: SessionState, entries: Sequence[books.Entry]) -> Changes:
    """Give what lies between two stands of a session, and the entries that lead from one to the other."""
    old, new = ({done.number: done for done in state.rounds()} for state in (before, after))
    touched = [number for number in sorted({*old, *new}) if old.get(number) is not new.get(number)]
    rounds = [RoundChange(number, stand(old.get(number)), stand(new.get(number))) for number in touched]
    people = {player.id: player for player in (*before.table.players, *after.table.players)}
    return Changes(
        rounds=tuple(change for change in rounds if change.before != change.after),
        players=tuple(
            BalanceChange(player, before.balances.get(player, 0), after.balances.get(player, 0)) for player in people
        ),
        entries=EntryChanges(
            reversed=tuple(entry.reverses for entry in entries if entry.reverses is not None),
            added=entries_answer(entry for entry in entries if entry.reverses is None),
        ),
        session=session_change(before.table, after.table),
    )


def session_change(old: Table, new: Table) -> SessionChange | UnsetType:
    """Give what is different of the session itself; nothing, if nothing is."""
    change = SessionChange(
        UNSET if old.name == new.name else NameChange(old.name, new.name),
        UNSET if old.chip_value == new.chip_value else ChipValueChange(old.chip_value, new.chip_value),
        UNSET if old.odds == new.odds else OddsChange(old.odds, new.odds),
        UNSET if old.played_on == new.played_on else DayChange(old.played_on, new.played_on),
    )
    return UNSET if change == SessionChange() else change


def stand(done: Round | None) -> RoundStand | None:
    """Give how a round stands, in short; None if there is none."""
    if done is None:
        return None
    outcome = done.phase.outcome if isinstance(done.phase, Over) else None
    status = outcome.result if outcome else "recording"
    return RoundStand(status, done.played_on, done.ground.dealer, done.phase.pot, outcome)
