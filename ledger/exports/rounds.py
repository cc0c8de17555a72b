"""What every format tells about a round: who dealt, how it ended, what it brought everyone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from ledger.books import Balances, posted
from ledger.desk import Books
from ledger.evening import Evening
from ledger.language import Language, render
from ledger.play import POT, Chips, PlayerId
from ledger.session import Round, explain


class Played(NamedTuple):
    """A round as it was played: its opening event's number, what it brought each account, what each had after it.

    `paid_in` is what went into the pot.
    """

    round: Round
    seq: int
    paid_in: Chips
    nets: Balances
    after: Balances

    @property
    def status(self) -> str:
        """How the round ended, or that it is still being recorded."""
        status: str = "recording" if self.round.is_open else self.round.phase.outcome.result
        return status

    @property
    def next_dealer(self) -> PlayerId | None:
        """Who deals after it, once that is known."""
        return None if self.round.is_open else self.round.phase.outcome.next_dealer

    @property
    def winner(self) -> PlayerId | None:
        """Who won it, where the game has a winner."""
        return None if self.round.is_open else getattr(self.round.phase.outcome, "winner", None)


def played(evening: Evening) -> Iterator[Played]:
    """Give every round, in order, from the events and entries that stand."""
    points = [point for point in evening.points() if point.round is not None]
    points.reverse()
    for _, of_round in groupby(points, key=lambda point: point.round):
        first, *_ = events = list(of_round)
        last = events[-1]
        entries = [entry for point in events for entry in point.entries]
        paid_in = sum(entry.amount for entry in entries if entry.payee == POT)
        if last.table.round is not None:
            yield Played(last.table.round, first.seq, paid_in, posted({}, entries), last.balances)


def recorded_at(books: Books, seq: int) -> str:
    """Say when an event was recorded."""
    return next(books.store.events(books.sitting.id, after=seq - 1, limit=1)).recorded_at


def how_it_ended(books: Books, done: Round, language: Language) -> str:
    """Tell how a round ended, in one paragraph; nothing while it is open."""
    between = "" if language == "ja" else " "
    return between.join(render(sentence, language, books.sitting.names) for sentence in explain(done))
