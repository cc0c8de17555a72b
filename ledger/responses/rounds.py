"""Rounds: where they stand or how they ended, and each of their steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import starmap
from typing import Annotated

from ledger import history
from ledger.books import Balances, Entry
from ledger.language import LANGUAGES, Language, render
from ledger.play.events import AnyEvent
from ledger.play.exposing import cards_to_come
from ledger.play.rounds import CardsToCome, Expected, Outcome
from ledger.play.values import Chips, Day, EventType, PhaseName, PlayerId
from ledger.records import UNSET, Meta, Record, UnsetType, convert, joined, memoized
from ledger.responses.odds import WhyNoOdds
from ledger.responses.shared import (
    DealerId,
    EventSeq,
    ExplainedOutcome,
    HouseRules,
    Next,
    OddsOfTheGame,
    OnTheTable,
    Pot,
    RoundNumber,
)
from ledger.session.rounds import explain
from ledger.session.table import Round as PlayedRound
from ledger.session.table import RoundStatus

ChipsOfPlayers = Mapping[PlayerId, Chips]


class Overruled(Record):
    """An event that the table had recorded against the rules, and its reason."""

    type: Annotated[EventType, Meta(description="The type of the event.")]
    reason: Annotated[str, Meta(description="The table's reason, as the event gives it in `overrule`.")]


class Explained(Record, kw_only=True):
    """How a round ended; what its game adds are further members."""

    explanation: Annotated[Mapping[Language, tuple[str, ...]], Meta(description="The same, sentence by sentence.")]


class Round(Record, kw_only=True):
    """A round: where it stands or how it ended."""

    number: Annotated[int, Meta(description="The round's number in its session, counted from 1.")]
    status: Annotated[RoundStatus, Meta(description="`recording` until the round ends, then its result.")]
    played_on: Annotated[Day | UnsetType, Meta(description="The day of play, if the round has its own.")] = UNSET
    dealer: DealerId
    players: Annotated[tuple[PlayerId, ...], Meta(description="The ids of the round's players, in seat order.")]
    rules: Annotated[HouseRules, Meta(description="The house rules that the round was opened with.")]
    rule_book: Annotated[int, Meta(description="The version of the rule book that applies.")]
    carried: Annotated[Chips, Meta(description="The chips that were in the pot when the round opened.")]
    pot: Pot
    phase: Annotated[PhaseName, Meta(description="The phase of the round: a word of the game, or `over`.")]
    next: Annotated[
        tuple[Expected, ...], Meta(description="The events that may be reported now; empty once it is over.")
    ]
    cards: Annotated[CardsToCome | None, Meta(description="The cards that may still come; null where none are known.")]
    table: Annotated[OnTheTable, Meta(description="The cards and bids on the table, as the game has them.")]
    overruled: Annotated[tuple[Overruled, ...], Meta(description="The events recorded against the rules.")]
    outcome: Annotated[ExplainedOutcome | None, Meta(description="How the round ended; null while it is recorded.")]


class Calculated(Record, kw_only=True):
    """What a round comes to."""

    round: Annotated[Round, Meta(description="The round.")]
    entries: Annotated[tuple[Entry, ...], Meta(description="The ledger entries of the round.")]
    balances: Annotated[ChipsOfPlayers, Meta(description="What the round brings each player, in chips, by id.")]
    odds: Annotated[OddsOfTheGame | UnsetType | None, Meta(description="The chances, on request; null if none.")] = (
        UNSET
    )
    why_no_odds: WhyNoOdds = UNSET


class Step(Record, kw_only=True):
    """One event of a round, the state after it in short, and the chips it moved."""

    event: Annotated[AnyEvent, Meta(description="The event.")]
    seq: EventSeq
    phase: Annotated[PhaseName | None, Meta(description="The round's phase after the event; null outside of rounds.")]
    pot: Pot
    next: Annotated[tuple[Expected, ...], Meta(description="The events that could be reported then.")]
    moved: Annotated[tuple[Entry, ...], Meta(description="The ledger entries that the event caused.")]
    balances: Annotated[ChipsOfPlayers, Meta(description="The balances after the event, in chips, by player's id.")]


class Replay(Record):
    """Some of a round's steps, oldest first."""

    round: RoundNumber
    steps: Annotated[tuple[Step, ...], Meta(description="The events of the round, oldest first, with what each did.")]
    next: Next


def round_answer(done: PlayedRound, names: Mapping[PlayerId, str]) -> Round:
    """Give a round; `names` says what the players are called, for the explanation."""
    phase, may_come = done.phase, done.expected
    return convert(
        Round,
        done.ground,
        number=done.number,
        status=done.status,
        played_on=done.played_on or UNSET,
        players=done.ground.seats,
        rule_book=done.book.version,
        pot=phase.pot,
        phase=phase.name,
        next=may_come,
        cards=cards_to_come(done.book, phase, may_come) if done.is_open else None,
        table={} if done.is_entered else done.book.board(phase),
        overruled=tuple(starmap(Overruled, done.overruled)),
        outcome=explained(done, done.outcome, names) if done.outcome else None,
    )


def explained(done: PlayedRound, outcome: Outcome, names: Mapping[PlayerId, str]) -> Explained:
    """Say how a round ended, in every language."""
    sentences = explain(done)
    explanation = {language: tuple(render(each, language, names) for each in sentences) for language in LANGUAGES}
    return convert(explained_kind(type(outcome)), outcome, explanation=explanation)


@memoized
def explained_kind(kind: type[Record]) -> type[Explained]:
    """Give the record of outcomes of a kind with their explanation."""
    return joined(kind, Explained, f"Explained{kind.__name__}")


def calculated_answer(
    done: PlayedRound, entries: Iterable[Entry], balances: Balances, names: Mapping[PlayerId, str]
) -> Calculated:
    """Give what a round comes to that is not kept."""
    brought = {player: balances.get(player, 0) for player in names}
    return Calculated(round=round_answer(done, names), entries=tuple(entries), balances=brought)


def step_answer(step: history.Step) -> Step:
    """Give one step of a round."""
    table, done = step.after, step.after.round
    return convert(
        Step,
        step.slot,
        phase=done.phase.name if done else None,
        pot=table.pot,
        next=done.expected if done else (),
        moved=step.slot.entries,
        balances={player.id: step.books.balances.get(player.id, 0) for player in table.players},
    )
