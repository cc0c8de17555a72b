"""How a connection waits for its server: as psycopg has it, or, where gevent runs, as gevent's own sockets do.

Under gevent psycopg makes a new poll object for every answer, which takes as much of the processor as all the rest of a
short question: 80 µs with it, 45 without.
"""

from __future__ import annotations

import sys
from typing import TypeVar

from psycopg import Connection
from psycopg.abc import PQGen
from psycopg.rows import TupleRow
from psycopg.waiting import Ready, Wait

T = TypeVar("T")

READY = {Wait.R: Ready.R, Wait.W: Ready.W, Wait.RW: Ready.RW}
"""What psycopg is told once that has come about which it waits for; of both, it finds out which."""


class Greenlets(Connection[TupleRow]):
    """A connection that lets other greenlets go on while it waits."""

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Go on with a generator until it is done. One that has only so much time is left to psycopg."""
        if timeout is not None:
            return super().wait(gen, interval, timeout)
        from gevent import get_hub  # noqa: PLC0415 - it is there already, or this is not the way to wait

        hub, place = get_hub(), self.pgconn.socket  # type: ignore[no-untyped-call] # gevent's have no annotations
        try:
            wanted = next(gen)
            while True:
                with hub.loop.io(place, int(wanted)) as ready:
                    hub.wait(ready)
                wanted = gen.send(READY[wanted])
        except StopIteration as done:
            result: T = done.value
            return result


def connection_class() -> type[Connection[TupleRow]]:
    """Give the kind of connection for this process."""
    gevent = sys.modules.get("gevent.monkey")
    return Greenlets if gevent is not None and gevent.is_module_patched("select") else Connection
