"""What a correction changes: rounds, players' balances, entries, what the session is called and a chip is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ledger import books
from ledger.answers.encoding import ABSENT, Absent
from ledger.answers.entries import Entry, entries_answer
from ledger.history import SessionState, rounds_changed
from ledger.play import Chips, Outcome, Over, PlayerId
from ledger.session import ChipValue, Round, Table


@dataclass(frozen=True, slots=True)
class RoundStand:
    """How a round stands, in short. `pot` is in chips."""

    status: str
    dealer: PlayerId
    pot: Chips
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class RoundChange:
    """A round before and after; null where there is no such round."""

    round: int
    before: RoundStand | None
    after: RoundStand | None


@dataclass(frozen=True, slots=True)
class BalanceChange:
    """A player's balance before and after, in chips."""

    player: PlayerId
    before: Chips
    after: Chips


@dataclass(frozen=True, slots=True)
class EntryChanges:
    """The entries that are reversed, as they stood, and those that are added in their place."""

    reversed: tuple[int, ...]
    added: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class NameChange:
    """What the session was called, and what it is called; null without a name."""

    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class ChipValueChange:
    """What a chip was worth, and what it is worth; null where that is not said."""

    before: ChipValue | None
    after: ChipValue | None


@dataclass(frozen=True, slots=True)
class OddsChange:
    """Whether the table wanted to be told the chances, and whether it does."""

    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class SessionChange:
    """What is different of the session itself."""

    name: NameChange | Absent = ABSENT
    chip_value: ChipValueChange | Absent = ABSENT
    odds: OddsChange | Absent = field(
        default=ABSENT, metadata={"description": "whether the table wants to be told the chances"}
    )


@dataclass(frozen=True, slots=True)
class Changes:
    """What an event changes that was recorded before it: rounds that differ, every player's balance, entries.

    `session` is there if the session is called something else, a chip is worth something else, or chances are told that
    were not.
    """

    rounds: tuple[RoundChange, ...]
    players: tuple[BalanceChange, ...]
    entries: EntryChanges
    session: SessionChange | Absent = ABSENT


def changes_answer(before: SessionState, after: SessionState, entries: Sequence[books.Entry]) -> Changes:
    """Give what lies between two stands of a session, and the entries that lead from one to the other."""
    old, new = rounds_changed(before, after)
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


def session_change(old: Table, new: Table) -> SessionChange | Absent:
    """Give what is different of the session itself; nothing, if nothing is."""
    change = SessionChange(
        ABSENT if old.name == new.name else NameChange(old.name, new.name),
        ABSENT if old.chip_value == new.chip_value else ChipValueChange(old.chip_value, new.chip_value),
        ABSENT if old.odds == new.odds else OddsChange(old.odds, new.odds),
    )
    return ABSENT if change == SessionChange() else change


def stand(done: Round | None) -> RoundStand | None:
    """Give how a round stands, in short; None if there is none."""
    if done is None:
        return None
    outcome = done.phase.outcome if isinstance(done.phase, Over) else None
    return RoundStand(outcome.result if outcome else "recording", done.ground.dealer, done.phase.pot, outcome)
