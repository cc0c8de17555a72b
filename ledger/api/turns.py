"""Large requests: one of a kind is worked on at a time in a process, so that their memory does not add up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Semaphore

from flask import current_app

from ledger.api.here import config


class WorkerBusy(Exception):
    """Another large request of this kind is being worked on; the same request may succeed in a moment."""


MOST_WAITING = 4
"""How many bodies that are larger than usual are in memory at a time: being read, waiting, or worked on."""


class Turns:
    """The locks of a process, for each kind of large request."""

    def __init__(self) -> None:
        self.work = defaultdict[str, Lock](Lock)
        self.bodies = defaultdict[str, Semaphore](lambda: Semaphore(MOST_WAITING))


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
def few_at_a_time(kind: str) -> Iterator[None]:
    """Let so many in and no more: what waits holds its body in memory. Raises WorkerBusy."""
    places = turns().bodies[kind]
    if not places.acquire(blocking=False):
        raise WorkerBusy
    try:
        yield
    finally:
        places.release()
