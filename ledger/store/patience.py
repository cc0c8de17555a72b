"""How long whoever asks a database waits for one that does not answer.

Who keeps something waits as long as `busy_seconds` says: it may be that a replica takes over meanwhile. A probe has to
be answered sooner.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

A_MOMENT = 1.0
"""How long who is impatient waits, in seconds."""

_until: ContextVar[float | None] = ContextVar("until", default=None)


@contextmanager
def impatient() -> Iterator[None]:
    """Wait no longer than a moment, for all that is asked in the block together.

    What a generator holds may end in another context, so no token is kept.
    """
    before = _until.get()
    _until.set(until(A_MOMENT))
    try:
        yield
    finally:
        _until.set(before)


def until(seconds: float) -> float:
    """Say until when who would wait some seconds from now on does wait, on the monotonic clock."""
    latest = time.monotonic() + seconds
    earlier = _until.get()
    return latest if earlier is None else min(latest, earlier)


def left() -> float | None:
    """Say how many seconds are left to who is impatient, and no less than none; None, if nobody is."""
    found = _until.get()
    return None if found is None else max(0.0, found - time.monotonic())
