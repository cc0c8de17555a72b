"""What one request may take of a process: others go in between, and what would take too long is refused.

A process answers many at once, and one of them computes at a time. So whatever may take long says `breathe()` in every
turn of its loop: after a millisecond the others go first. Within `limited`, work that has computed for longer than it
may is refused; it is said before anything is kept. Outside of it, work goes on to its end without a pause.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ClassVar

SLICE_SECONDS = 0.001
"""How long work computes before others go first. Works that take longer share it among them, down to a tenth."""

PAUSE_SECONDS = 1e-6
"""How long a pause for others is. After none at all gevent would go on at once, and look only now and then who else has
something to say."""

LONGEST_SLICE = 0.1
"""What of a pause counts as computed at most: who comes back after longer has waited for others."""


class TakesTooLong(Exception):
    """This takes longer than one request may; ask for less at once."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Budget:
    """The seconds that a piece of work may compute, how many of them are left, and since when it has computed."""

    __slots__ = ("began", "left", "seconds")

    long: ClassVar[set[Budget]] = set()
    """Those of the works under way that have taken longer than a slice."""

    def __init__(self, seconds: float) -> None:
        self.seconds = self.left = seconds
        self.began = time.perf_counter()


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Let a block compute for so long at most, and let others go in between; `inf` is without an end."""
    budget = Budget(seconds)
    before = _budget.set(budget)
    try:
        yield
    finally:
        Budget.long.discard(budget)
        _budget.reset(before)


def give_way() -> None:
    """Let others go first now, if this work is limited: they may have something to do together with it.

    Raises TakesTooLong.
    """
    budget = _budget.get()
    if budget is None:
        return
    budget.left -= min(time.perf_counter() - budget.began, LONGEST_SLICE)
    if budget.left < 0:
        raise TakesTooLong(budget.seconds)
    time.sleep(PAUSE_SECONDS)
    budget.began = time.perf_counter()


def breathe() -> None:
    """Let others go first, if it is time; said in every turn of a loop that may be long. Raises TakesTooLong."""
    budget = _budget.get()
    if budget is None:
        return
    if time.perf_counter() - budget.began >= SLICE_SECONDS / min(10, len(Budget.long) or 1):
        Budget.long.add(budget)
        give_way()
