"""Many evenings, played by as many processes as there are processors.

An evening hangs on the seed and its own number, and sums hang on no order, so what comes out is the same whoever plays
what. Processes are made anew (spawn), so that nothing of the caller's goes along.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import NamedTuple

from ledger.play import Refused
from ledger.records import Record
from ledger.sentences import Sentence
from ledger.simulation.evenings import GAMES, play_evening
from ledger.simulation.sums import Sums
from ledger.simulation.tables import Setting

ROUNDS_AT_ONCE = 200
"""About so many rounds a process plays before it tells of them."""
WAITING = 4
"""So many pieces of work for each process lie ready."""
A_MOMENT = 0.2
"""So many seconds whoever breaks off waits at most until that is heard."""


class Plan(Record):
    """What is to be played: so many rounds at one table or at two, in evenings of so many; the last may be shorter."""

    tables: tuple[Setting, ...]
    rounds: int
    evening: int
    seed: int

    @property
    def evenings(self) -> int:
        """Say how many evenings there are."""
        return -(-self.rounds // self.evening)

    @property
    def firsts(self) -> range:
        """Say with which evenings the pieces begin."""
        return range(0, self.evenings, max(1, ROUNDS_AT_ONCE // self.evening))

    @property
    def pieces(self) -> Iterator[Piece]:
        """Give all evenings, some at a time."""
        return (Piece(self, first, min(first + self.firsts.step, self.evenings)) for first in self.firsts)

    def length(self, number: int) -> int:
        """Say how many rounds an evening has."""
        return min(self.evening, self.rounds - number * self.evening)


class Piece(NamedTuple):
    """Some evenings of a plan: from the number of the first to that after the last."""

    plan: Plan
    first: int
    end: int


class CannotBePlayed(Exception):
    """What the rule book refused, with its sentence and its row."""

    def __init__(self, sentence: Sentence, rule: str | None) -> None:
        super().__init__(sentence, rule)
        self.sentence, self.rule = sentence, rule


def play(piece: Piece) -> Sums:
    """Play some evenings, each at every table. Raises CannotBePlayed."""
    plan = piece.plan
    sums = Sums(GAMES[plan.tables[0].game].figures, len(plan.tables))
    try:
        for number in range(piece.first, piece.end):
            length = plan.length(number)
            sums.add([play_evening(setting, plan.seed, number, length) for setting in plan.tables])
    except Refused as refusal:  # it cannot be sent from a process to another: it is made of facts by name
        raise CannotBePlayed(refusal.sentence, refusal.rule) from None
    return sums


def simulate(plan: Plan, jobs: int, show: Callable[[int], object]) -> Sums:
    """Play all evenings; `show` is told now and then how many rounds more there have been. Raises CannotBePlayed."""
    sums = Sums(GAMES[plan.tables[0].game].figures, len(plan.tables))
    jobs = min(jobs, len(plan.firsts))
    for some in map(play, plan.pieces) if jobs < 2 else by_several(plan.pieces, jobs):
        sums.merge(some)
        show(some.rounds)
    return sums


def by_several(pieces: Iterator[Piece], jobs: int) -> Iterator[Sums]:
    """Have pieces played by so many processes, and give each as it comes. Whoever breaks off waits for no other."""
    crew = ProcessPoolExecutor(jobs, get_context("spawn"))
    try:
        running: set[Future[Sums]] = set()
        more = WAITING * jobs
        while True:
            with interrupts_held_back():
                running |= {crew.submit(play, piece) for piece in islice(pieces, more)}
                done, running = wait(running, A_MOMENT, FIRST_COMPLETED)
            if not done and not running:
                return
            more = len(done)
            yield from (each.result() for each in done)
    finally:
        crew.shutdown(cancel_futures=True)


@contextmanager
def interrupts_held_back() -> Iterator[None]:
    """Start processes that never hear of Ctrl-C, which goes to all of a terminal: it is for the one they work for.

    What is held back as a process starts stays so in it; here it is heard afterwards. Nor is it heard while pieces are
    waited for: that could leave one of them locked for good.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
