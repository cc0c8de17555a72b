"""Cooperation of greenlets: a long loop lets others run every 2 ms.

A worker answers many requests at once, but only one of its greenlets computes at a time. `yielding(iterable)` belongs
around the loops of callers, not into the rules that they call. A recursion counts its steps instead: `next` of
`yielding(repeat(None))` at each.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

SLICE_SECONDS, PAUSE_SECONDS = 0.002, 1e-6
"""How long a loop computes, and how long it then sleeps. After `sleep(0)` gevent would not poll the network."""


def yielding(iterable: Iterable[T], seconds: float = SLICE_SECONDS) -> Iterator[T]:
    """Pass the elements on; after so many seconds of work in the loop let other greenlets run."""
    began = time.perf_counter()
    for element in iterable:
        yield element
        if time.perf_counter() - began >= seconds:
            time.sleep(PAUSE_SECONDS)  # gevent has replaced it in a worker
            began = time.perf_counter()
