"""The one way in which tests wait: until something is so, however long a busy machine takes for it.

worker = eventually(lambda: next(iter(service.workers), None))
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def eventually(condition: Callable[[], T], seconds: float = 60, sleep: Callable[[float], object] = time.sleep) -> T:
    """Ask again until the answer is true, and give it; what is raised meanwhile counts as no answer.

    Raises AssertionError, with the last answer, if none was true after so many seconds.
    """
    end, pause = time.monotonic() + seconds, 0.005
    while True:
        try:
            if found := condition():
                return found
            last = repr(found)
        except Exception as error:  # noqa: BLE001 - it is told, if it is the last
            last = f"{type(error).__name__}: {error}"
        assert time.monotonic() < end, f"not so after {seconds} seconds; at last: {last}"
        sleep(pause)
        pause = min(2 * pause, 0.1)
