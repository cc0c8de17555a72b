"""Large requests: one of a kind is worked on at a time in a process, so that their memory does not add up."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from flask import current_app

from ledger.api.here import config


class WorkerBusy(Exception):
    """Another large request of this kind is being worked on; the same request may succeed in a moment."""


def turns() -> defaultdict[str, Lock]:
    """Make the locks of a process, one for each kind of request."""
    return defaultdict(Lock)


@contextmanager
def one_at_a_time(kind: str) -> Iterator[None]:
    """Wait for other requests of this kind as long as a writer waits for its turn. Raises WorkerBusy."""
    lock: Lock = current_app.extensions["turns"][kind]
    if not lock.acquire(timeout=config().busy_seconds):
        raise WorkerBusy
    try:
        yield
    finally:
        lock.release()
