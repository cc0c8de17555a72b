"""What psycopg's pool says of a database that is gone: why, and not over and over.

It tries again all the time, and has a line of the log for each try.
"""

from __future__ import annotations

import logging
import time

SELDOM_SECONDS = 60.0
"""How long a line is not written once more that differs from the last of its pool in nothing but what was added."""


class Seldom(logging.Filter):
    """Lets a kind of line of one pool through once in a while."""

    def __init__(self) -> None:
        super().__init__()
        self._again_at: dict[tuple[str, object], float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Say whether a record is to be written."""
        if record.levelno < logging.WARNING:
            return True
        first = record.args[0] if isinstance(record.args, tuple) and record.args else None
        kind = (str(record.msg), first if isinstance(first, str) else None)
        now = time.monotonic()
        if now < self._again_at.get(kind, now):
            return False
        self._again_at[kind] = now + SELDOM_SECONDS
        return True


def keep_the_pool_quiet() -> None:
    """Have psycopg's pool say the same of one database once in a while; to ask for it twice changes nothing."""
    log = logging.getLogger("psycopg.pool")
    if not any(isinstance(each, Seldom) for each in log.filters):
        log.addFilter(Seldom())
