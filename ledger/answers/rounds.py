"""Rounds: where they stand or how they ended, and each of their steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Annotated, Literal

from ledger import books, history, play, session
from ledger.answers.encoding import ABSENT, Absent
from ledger.answers.entries import Entry, entries_answer
from ledger.answers.odds import NONE_TOLD, OddsOfTheGame, why_no_odds
from ledger.budget import breathe
from ledger.chances import chances
from ledger.language import LANGUAGES, Language, render
from ledger.play import CardsToCome, Chips, Event, Expected, Over, PlayerId, cards_to_come, record
from ledger.session import explain

HouseRules = Annotated[object, "the house rules of a game, as its rule book has them"]
OnTheTable = Annotated[object, "what lies on the table, as the rule book of the game has it"]


@record()
class Overruled:
    """An event that the table had recorded although the rules say otherwise, and its reason."""

    type: str
    reason: str


@record()
class Outcome:
    """How a round ended, with the members that its game has; `explanation` says it in words."""

    outcome: play.Outcome = field(metadata={"spread": True})
    explanation: Mapping[Language, tuple[str, ...]]


@record(kw_only=True)
class Round:
    """One round: where it stands or how it ended. `table` is what lies on it, as the game has it; `pot` is in chips."""

    number: int
    status: Literal["recording", "won", "settled", "forfeited", "void"]
    dealer: PlayerId
    players: tuple[PlayerId, ...]
    rules: HouseRules = field(metadata={"lasting": True})
    rule_book: int = field(metadata={"description": "the version of the rule book it is played by"})
    carried: Chips
    pot: Chips
    phase: str
    next: tuple[Expected, ...]
    cards: CardsToCome | None = field(
        metadata={"description": "the cards that may still come; null when the round is over, or nothing is known"}
    )
    table: OnTheTable
    overruled: tuple[Overruled, ...]
    outcome: Outcome | None


@record(kw_only=True)
class Calculated:
    """What a round comes to. Balances are the players', in chips."""

    round: Round
    entries: tuple[Entry, ...]
    balances: Mapping[PlayerId, Chips]
    odds: OddsOfTheGame | Absent | None = field(
        default=ABSENT, metadata={"description": "the chances, if they were asked for"}
    )
    why_no_odds: Mapping[Language, str] | Absent = field(default=ABSENT, metadata=NONE_TOLD)


@record(kw_only=True)
class Step:
    """One event of a round, the state after it in short, and the chips it moved."""

    event: Event
    seq: int
    phase: str | None
    pot: Chips
    next: tuple[Expected, ...]
    moved: tuple[Entry, ...]
    balances: Mapping[PlayerId, Chips]


@record()
class Replay:
    """Some of a round's steps, oldest first."""

    round: int
    steps: tuple[Step, ...]
    next: str | None = field(metadata={"description": "the address where the steps go on; null at their end"})


def round_answer(done: session.Round, names: Mapping[PlayerId, str]) -> Round:
    """Give a round; `names` says what the players are called, for the explanation."""
    breathe()
    phase = done.phase
    outcome = phase.outcome if isinstance(phase, Over) else None
    may_come = expected(done)
    return Round(
        number=done.number,
        status=outcome.result if outcome else "recording",
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


def expected(done: session.Round) -> tuple[Expected, ...]:
    """Say what may be reported now in a round."""
    return done.book.expected(done.phase) if done.is_open else ()


def explained(done: session.Round, names: Mapping[PlayerId, str]) -> Mapping[Language, tuple[str, ...]]:
    """Say how a round ended, in every language."""
    sentences = explain(done)
    return {language: tuple(render(said, language, names) for said in sentences) for language in LANGUAGES}


def calculated_answer(
    done: session.Round,
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
        odds=told.odds if told else ABSENT,
        why_no_odds=why_no_odds(told.why_none) if told else ABSENT,
    )


def step_answer(moment: history.Moment) -> Step:
    """Give one step of a round."""
    breathe()
    point, done = moment.point, moment.point.table.round
    return Step(
        event=point.event,
        seq=point.seq,
        phase=done.phase.name if done else None,
        pot=point.table.pot,
        next=expected(done) if done else (),
        moved=entries_answer(point.entries),
        balances={player.id: moment.balances.get(player.id, 0) for player in point.table.players},
    )
