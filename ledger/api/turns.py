"""Large requests: one of a kind is worked on at a time in a process, so that their memory does not add up.

Few large bodies of a kind are in memory at a time. One address has half of these places at most, unless there is no
rate limit; and what holds one has to arrive steadily (`parsing.expect_steady_body`): half-sent bodies block nobody
long.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Semaphore

from flask import current_app

from ledger.api.here import config
from ledger.rates import one_client


class WorkerBusy(Exception):
    """Another large request of this kind is being worked on; the same request may succeed in a moment."""


MOST_WAITING = 4
"""How many bodies that are larger than usual are in memory at a time: being read, waiting, or worked on."""

MOST_OF_AN_ADDRESS = MOST_WAITING // 2
"""How many of them may come from one address."""


class Turns:
    """The locks of a process, for each kind of large request."""

    def __init__(self) -> None:
        self.work = defaultdict[str, Lock](Lock)
        self.bodies = defaultdict[str, Semaphore](lambda: Semaphore(MOST_WAITING))
        self.addresses = Counter[tuple[str, str]]()


def turns() -> Turns:
    """Give this application's."""
    found: Turns = current_app.extensions["turns"]
    return found


@contextmanager
def one_at_a_time(kind: str) -> Iterator[None]:
    """Wait for other requests of this kind as long as a writer waits for its turn. Raises WorkerBusy."""
    lock = turns().work[kind]
    if not lock.acquire(timeout=config().busy_seconds):
        raise WorkerBusy
    try:
        yield
    finally:
        lock.release()


@contextmanager
def few_at_a_time(kind: str, address: str) -> Iterator[None]:
    """Let so many in and no more: what waits holds its body in memory. Raises WorkerBusy."""
    places, addresses, client = turns().bodies[kind], turns().addresses, (kind, one_client(address))
    has_its_share = config().rate_limit and addresses[client] >= MOST_OF_AN_ADDRESS
    if has_its_share or not places.acquire(blocking=False):
        raise WorkerBusy
    addresses[client] += 1
    try:
        yield
    finally:
        places.release()
        addresses[client] -= 1
        if not addresses[client]:
            del addresses[client]
