"""How a connection waits for its server, and how long: as psycopg has it, or, where gevent runs, as its sockets do.

A server that stands still, or that is cut off, leaves a socket open that nothing comes out of. So whoever is lent a
connection says until when answers are waited for; then the connection is closed, and counts as lost.

Under gevent psycopg makes a new poll object for every answer, which takes as much of the processor as all the rest of a
short question: 80 µs with it, 45 without.
"""

from __future__ import annotations

import sys
import time
from typing import TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen
from psycopg.errors import _WaitTimeout
from psycopg.rows import TupleRow
from psycopg.waiting import Ready, Wait

T = TypeVar("T")

READY = {Wait.R: Ready.R, Wait.W: Ready.W, Wait.RW: Ready.RW}
"""What psycopg is told once that has come about which it waits for; of both, it finds out which."""


class NoAnswer(OperationalError):
    """The server has not answered in time, and nobody listens for it any more."""


class Bounded(Connection[TupleRow]):
    """A connection on which answers are waited for until a moment on the monotonic clock, or so long for each.

    If neither is said, they are waited for as long as it takes.
    """

    until: float | None = None
    seconds: float | None = None

    def waits(self, *, until: float | None = None, seconds: float | None = None) -> None:
        """Wait for answers from now on until a moment, or for so many seconds each."""
        self.until, self.seconds = until, seconds

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Go on with a generator until it is done. Raises NoAnswer if that takes too long."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        left = self.seconds if self.until is None else max(0.0, self.until - time.monotonic())
        try:
            return self._wait(gen, interval, left)
        except _WaitTimeout:
            self.close()
            raise NoAnswer("the server has not answered in time") from None

    def _wait(self, gen: PQGen[T], interval: float, left: float | None) -> T:
        return super().wait(gen, interval, left)


class Greenlets(Bounded):
    """A connection that lets other greenlets go on while it waits."""

    def _wait(self, gen: PQGen[T], interval: float, left: float | None) -> T:  # noqa: ARG002 - gevent is told at once
        from gevent import get_hub, getcurrent  # noqa: PLC0415 - it is there already, or this is not the way to wait

        hub, place = get_hub(), self.pgconn.socket  # type: ignore[no-untyped-call] # gevent's have no annotations
        late = None if left is None else hub.loop.timer(left)
        try:
            wanted = next(gen)
            if late is not None:
                late.start(getcurrent().throw, _WaitTimeout, update=True)
            while True:
                with hub.loop.io(place, int(wanted)) as ready:
                    hub.wait(ready)
                wanted = gen.send(READY[wanted])
        except StopIteration as done:
            result: T = done.value
            return result
        finally:
            if late is not None:
                late.close()


def connection_class() -> type[Bounded]:
    """Give the kind of connection for this process."""
    gevent = sys.modules.get("gevent.monkey")
    return Greenlets if gevent is not None and gevent.is_module_patched("select") else Bounded
