"""Strangers' phones: connections that say nothing, half of something, or do not read what they asked for."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

SMALLEST_BUFFER = 4096
"""Of a phone that does not read: what is sent to it has to wait where it came from. In bytes."""

HALF_A_HEADER = b"GET /livez HTTP/1.1\r\nHost: loc"
HALF_A_BODY = (
    b"POST /v1/calculate/shirinma HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Content-Length: 1000\r\n\r\n{"players": ["Player #1", "Pla'
)


@contextmanager
def phones(port: int, count: int, said: bytes = b"") -> Iterator[None]:
    """Keep connections open that have said no more than this, and read nothing."""
    with ExitStack() as opened:
        for _ in range(count):
            phone = opened.enter_context(socket.socket())
            phone.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALLEST_BUFFER)
            phone.connect(("127.0.0.1", port))
            phone.sendall(said)
        yield
