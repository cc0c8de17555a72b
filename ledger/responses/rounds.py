"""Rounds: where they stand or how they ended, and each of their steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import starmap
from typing import Annotated

from ledger.accounting.books import Balances, Entry
from ledger.i18n.language import LANGUAGES, Language, render
from ledger.records import UNSET, Record, UnsetType, convert, doc, joined
from ledger.responses import shared
from ledger.responses.reports import WhyNoOdds
from ledger.rulebook.event import AnyEvent
from ledger.rulebook.exposing import cards_to_come
from ledger.rulebook.phase import CardsToCome, Expected, Outcome
from ledger.rulebook.values import Chips, Day, EventType, PhaseName, PlayerId
from ledger.session import history
from ledger.session.rounds import explain
from ledger.session.table import Round as PlayedRound
from ledger.session.table import RoundStatus

ChipsOfPlayers = Mapping[PlayerId, Chips]


class Overruled(Record):
    """An event that the table had recorded against the rules, and its reason."""

    type: Annotated[EventType, doc("The type of the event.")]
    reason: Annotated[str, doc("The table's reason, as the event gives it in `overrule`.")]


class Explained(Record, kw_only=True):
    """How a round ended; what its game adds are further members."""

    explanation: Annotated[Mapping[Language, tuple[str, ...]], doc("The same, sentence by sentence.")]


class Round(Record, kw_only=True):
    """A round: where it stands or how it ended."""

    number: Annotated[int, doc("The round's number in its session, counted from 1.")]
    status: Annotated[RoundStatus, doc("`recording` until the round ends, then its result.")]
    played_on: Annotated[Day | UnsetType, doc("The day of play, if the round has its own.")] = UNSET
    dealer: shared.DealerId
    players: Annotated[tuple[PlayerId, ...], doc("The ids of the round's players, in seat order.")]
    rules: Annotated[shared.HouseRules, doc("The house rules that the round was opened with.")]
    rule_book: Annotated[int, doc("The version of the rule book that applies.")]
    carried: Annotated[Chips, doc("The chips that were in the pot when the round opened.")]
    pot: shared.Pot
    phase: Annotated[PhaseName, doc("The phase of the round: a word of the game, or `over`.")]
    next: Annotated[tuple[Expected, ...], doc("The events that may be reported now; empty once it is over.")]
    cards: Annotated[CardsToCome | None, doc("The cards that may still come; null where none are known.")]
    table: Annotated[shared.OnTheTable, doc("The cards and bids on the table, as the game has them.")]
    overruled: Annotated[tuple[Overruled, ...], doc("The events recorded against the rules.")]
    outcome: Annotated[shared.ExplainedOutcome | None, doc("How the round ended; null while it is recorded.")]


class Calculated(Record, kw_only=True):
    """What a round comes to."""

    round: Annotated[Round, doc("The round.")]
    entries: Annotated[tuple[Entry, ...], doc("The ledger entries of the round.")]
    balances: Annotated[ChipsOfPlayers, doc("What the round brings each player, in chips, by id.")]
    odds: Annotated[shared.OddsOfTheGame | UnsetType | None, doc("The chances, on request; null if none.")] = UNSET
    why_no_odds: WhyNoOdds = UNSET


class Step(Record, kw_only=True):
    """One event of a round, the state after it in short, and the chips it moved."""

    event: Annotated[AnyEvent, doc("The event.")]
    seq: shared.EventSeq
    phase: Annotated[PhaseName | None, doc("The round's phase after the event; null outside of rounds.")]
    pot: shared.Pot
    next: Annotated[tuple[Expected, ...], doc("The events that could be reported then.")]
    moved: Annotated[tuple[Entry, ...], doc("The ledger entries that the event caused.")]
    balances: Annotated[ChipsOfPlayers, doc("The balances after the event, in chips, by player's id.")]


class Replay(Record):
    """Some of a round's steps, oldest first."""

    round: shared.RoundNumber
    steps: Annotated[tuple[Step, ...], doc("The events of the round, oldest first, with what each did.")]
    next: shared.Next


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
    sentences = explain(done)
    explanation = {language: tuple(render(each, language, names) for each in sentences) for language in LANGUAGES}
    return convert(explained_kind(type(outcome)), outcome, explanation=explanation)


def explained_kind(kind: type[Record]) -> type[Explained]:
    """Give the record of outcomes of a kind with their explanation."""
    return joined(kind, Explained, f"Explained{kind.__name__}")


def calculated_answer(
    done: PlayedRound, entries: Iterable[Entry], balances: Balances, names: Mapping[PlayerId, str]
) -> Calculated:
    """Give what a round comes to that is in no session."""
    brought = {player: balances.get(player, 0) for player in names}
    return Calculated(round=round_answer(done, names), entries=tuple(entries), balances=brought)


def step_answer(step: history.Step) -> Step:
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
