"""What several formats show of each round: how it ended, and its chips."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from ledger.accounting.books import Balances, posted
from ledger.cooperation import yielding
from ledger.rulebook.values import POT, Chips, PlayerId
from ledger.session.history import SessionState
from ledger.session.table import Round


class RoundSummary(NamedTuple):
    """A round and the seq of its opening; what came of it, with `status` `recording` while it is open.

    `nets` is what it brought each account; `balances` and `won` are those of all accounts after it.
    """

    round: Round
    seq: int
    status: str
    winner: PlayerId | None
    next_dealer: PlayerId | None
    paid_in: Chips
    nets: Balances
    balances: Balances
    won: Balances


def round_summaries(state: SessionState) -> list[RoundSummary]:
    """Summarise every round, in order, from the events and entries that stand."""
    summaries = []
    of_rounds = (step for step in yielding(state.steps()) if step.slot.round is not None)
    for _, group in groupby(of_rounds, key=lambda step: step.slot.round):
        steps = list(group)
        done, books = steps[-1].after.round, steps[-1].books
        if done is None:
            raise ValueError("an event of a round leaves it on the table")
        over = None if done.is_open else done.phase.outcome
        entries = [entry for step in steps for entry in step.slot.entries]
        summary = RoundSummary(
            done,
            steps[0].slot.seq,
            status=over.result if over else "recording",
            winner=over.won_by if over else None,
            next_dealer=over.next_dealer if over else None,
            paid_in=sum(entry.amount for entry in entries if entry.payee == POT),
            nets=posted({}, entries),
            balances=books.balances,
            won=books.won,
        )
        summaries.append(summary)
    return summaries
