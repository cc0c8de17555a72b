"""Rounds: where they stand or how they ended, and each of their steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from ledger import books, history
from ledger.chances import chances
from ledger.codec.description import OfGame
from ledger.language import LANGUAGES, Language, render
from ledger.play.events import Event
from ledger.play.exposing import cards_to_come
from ledger.play.rounds import CardsToCome, Expected, Over
from ledger.play.rounds import Outcome as RoundOutcome
from ledger.play.values import Chips, Day, EventType, PhaseName, PlayerId
from ledger.records import UNSET, Meta, Record, UnsetType
from ledger.responses.entries import Entry, entries_answer
from ledger.responses.odds import OddsOfTheGame, WhyNoOdds, why_no_odds
from ledger.session.rounds import explain
from ledger.session.table import Round as PlayedRound

HouseRules = Annotated[object, OfGame("rules")]
OnTheTable = Annotated[object, OfGame("table")]


class Overruled(Record):
    """An event that the table had recorded against the rules, and its reason."""

    type: Annotated[EventType, Meta(description="The type of the event.")]
    reason: Annotated[str, Meta(description="The table's reason, as the event gives it in `overrule`.")]


class Outcome(Record):
    """How a round ended, with the members that its game has."""

    outcome: Annotated[RoundOutcome, Meta(extra={"spread": True})]
    explanation: Annotated[
        Mapping[Language, tuple[str, ...]], Meta(description="How the round ended, sentence by sentence.")
    ]


class Round(Record, kw_only=True):
    """A round: where it stands or how it ended."""

    number: Annotated[int, Meta(description="The round's number in its session, counted from 1.")]
    status: Annotated[
        Literal["recording", "won", "settled", "forfeited", "void"],
        Meta(description="`recording` until the round ends, then its result."),
    ]
    played_on: Annotated[
        Day | UnsetType, Meta(description="The day on which it was played, if the round has its own.")
    ] = UNSET
    dealer: Annotated[PlayerId, Meta(description="The dealer's id.")]
    players: Annotated[tuple[PlayerId, ...], Meta(description="The ids of the round's players, in seat order.")]
    rules: Annotated[HouseRules, Meta(description="The house rules that the round was opened with.")]
    rule_book: Annotated[int, Meta(description="The version of the rule book that applies.")]
    carried: Annotated[Chips, Meta(description="The chips that were in the pot when the round opened.")]
    pot: Annotated[Chips, Meta(description="The chips in the pot.")]
    phase: Annotated[PhaseName, Meta(description="The phase of the round: a word of the game, or `over`.")]
    next: Annotated[
        tuple[Expected, ...], Meta(description="The events that may be reported now; empty once the round is over.")
    ]
    cards: Annotated[
        CardsToCome | None,
        Meta(description="The cards that may still come; null when the round is over or nothing is known of them."),
    ]
    table: Annotated[OnTheTable, Meta(description="The cards and bids on the table, as the game has them.")]
    overruled: Annotated[
        tuple[Overruled, ...], Meta(description="The events that the table had recorded against the rules.")
    ]
    outcome: Annotated[Outcome | None, Meta(description="How the round ended; null while it is being recorded.")]


class Calculated(Record, kw_only=True):
    """What a round comes to."""

    round: Annotated[Round, Meta(description="The round.")]
    entries: Annotated[tuple[Entry, ...], Meta(description="The ledger entries of the round.")]
    balances: Annotated[
        Mapping[PlayerId, Chips], Meta(description="What the round brings each player, in chips, by the player's id.")
    ]
    odds: Annotated[
        OddsOfTheGame | UnsetType | None,
        Meta(description="The chances in the round, on request; null where none are known."),
    ] = UNSET
    why_no_odds: WhyNoOdds = UNSET


class Step(Record, kw_only=True):
    """One event of a round, the state after it in short, and the chips it moved."""

    event: Annotated[Event, Meta(description="The event.")]
    seq: Annotated[int, Meta(description="The event's number in its session, counted from 1.")]
    phase: Annotated[
        PhaseName | None, Meta(description="The phase of the round after the event; null outside of rounds.")
    ]
    pot: Annotated[Chips, Meta(description="The chips in the pot after the event.")]
    next: Annotated[tuple[Expected, ...], Meta(description="The events that could be reported then.")]
    moved: Annotated[tuple[Entry, ...], Meta(description="The ledger entries that the event caused.")]
    balances: Annotated[
        Mapping[PlayerId, Chips], Meta(description="The balances after the event, in chips, by the player's id.")
    ]


class Replay(Record):
    """Some of a round's steps, oldest first."""

    round: Annotated[int, Meta(description="The number of the round.")]
    steps: Annotated[tuple[Step, ...], Meta(description="The events of the round, oldest first, with what each did.")]
    next: Annotated[str | None, Meta(description="The address of the following steps; null after the last.")]


def round_answer(done: PlayedRound, names: Mapping[PlayerId, str]) -> Round:
    """Give a round; `names` says what the players are called, for the explanation."""
    phase = done.phase
    outcome = phase.outcome if isinstance(phase, Over) else None
    may_come = expected(done)
    return Round(
        number=done.number,
        status=outcome.result if outcome else "recording",
        played_on=done.played_on or UNSET,
        dealer=done.ground.dealer,
        players=done.ground.seats,
        rules=done.ground.rules,
        rule_book=done.book.version,
        carried=done.ground.carried,
        pot=phase.pot,
        phase=phase.name,
        next=may_come,
        cards=cards_to_come(done.book, phase, may_come) if done.is_open else None,
        table={} if done.is_entered else done.book.board(phase),
        overruled=tuple(Overruled(type_, reason) for type_, reason in done.overruled),
        outcome=Outcome(outcome, explained(done, names)) if outcome else None,
    )


def expected(done: PlayedRound) -> tuple[Expected, ...]:
    """Say what may be reported now in a round."""
    return done.book.expected(done.phase) if done.is_open else ()


def explained(done: PlayedRound, names: Mapping[PlayerId, str]) -> Mapping[Language, tuple[str, ...]]:
    """Say how a round ended, in every language."""
    sentences = explain(done)
    return {language: tuple(render(said, language, names) for said in sentences) for language in LANGUAGES}


def calculated_answer(
    done: PlayedRound,
    entries: Iterable[books.Entry],
    balances: books.Balances,
    names: Mapping[PlayerId, str],
    *,
    with_odds: bool = False,
) -> Calculated:
    """Give what a round comes to that is not kept, perhaps with the chances there."""
    told = chances(done.book, done) if with_odds else None
    return Calculated(
        round=round_answer(done, names),
        entries=entries_answer(entries),
        balances={player: balances.get(player, 0) for player in names},
        odds=told.odds if told else UNSET,
        why_no_odds=why_no_odds(told.why_none) if told else UNSET,
    )


def step_answer(step: history.Step) -> Step:
    """Give one step of a round."""
    slot, table, done = step.slot, step.after, step.after.round
    return Step(
        event=slot.event,
        seq=slot.seq,
        phase=done.phase.name if done else None,
        pot=table.pot,
        next=expected(done) if done else (),
        moved=entries_answer(slot.entries),
        balances={player.id: step.books.balances.get(player.id, 0) for player in table.players},
    )
