"""Cooperation of greenlets: a long loop lets others go first every 2 ms.

A worker answers many requests at once, and one greenlet of it computes at a time. A loop over `yielding(iterable)`
pauses for a moment whenever it has computed for `SLICE_SECONDS`. It is put around the loops of callers, not into the
rules that they call. A recursion counts its steps instead: `next` of `yielding(repeat(None))` at each.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

SLICE_SECONDS = 0.002
"""How long a loop computes before other greenlets go first."""

PAUSE_SECONDS = 1e-6
"""How long it sleeps for that. After no time at all gevent would go on at once, without looking at the network."""


def yielding(iterable: Iterable[T]) -> Iterator[T]:
    """Pass the elements on; after every `SLICE_SECONDS` of work in the loop other greenlets go first."""
    began = time.perf_counter()
    for element in iterable:
        yield element
        if time.perf_counter() - began >= SLICE_SECONDS:
            time.sleep(PAUSE_SECONDS)  # gevent has replaced it in a worker
            began = time.perf_counter()
