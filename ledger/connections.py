"""Connections of one worker: how many an address may have, and which end when no place is left.

A connection that waits for the rest of a request takes a place and nothing else. Where all places are taken, those on
which nothing has arrived for a moment are shut, as if their clients had gone: half of a body that never comes, and
connections that are kept open between requests. So are those that have been sending one request for long, be it a byte
at a time. What is being answered, streams included, is not.

One address has three places in four, so a hall behind one address is served and nobody takes all places alone. A proxy
and this machine itself are not counted: many clients come through them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_address
from math import inf
from time import monotonic
from typing import Any
from weakref import WeakSet

from gevent import socket

from ledger.rates import one_client

SILENT_SECONDS = 5.0
"""How long nothing has arrived on a connection that is shut when no place is left."""

SENDING_SECONDS = 30.0
"""How long a client has been sending one request whose connection is shut when no place is left."""


class Connection(socket.socket):  # type: ignore[misc, name-defined]  # it is put there when gevent runs
    """A socket that knows since when it waits for its client, and since when that has been sending a request."""

    waits_since = inf
    sending_since = inf

    def recv(self, *args: Any) -> Any:
        """Receive some bytes."""
        self.waits_since = monotonic()
        self.sending_since = min(self.sending_since, self.waits_since)
        try:
            return super().recv(*args)
        finally:
            self.waits_since = inf

    def send(self, *args: Any, **named: Any) -> Any:
        """Send some bytes: what is received from now on is of another request. `sendall` does it by this."""
        self.sending_since = inf
        return super().send(*args, **named)

    def is_slow(self, now: float) -> bool:
        """Whether it waits for a client that has been silent, or has been sending one request, for too long."""
        is_silent = self.waits_since <= now - SILENT_SECONDS
        return is_silent or (self.waits_since < inf and self.sending_since <= now - SENDING_SECONDS)


class Connections:
    """The open connections of a worker; an address has at most so many of them, or as many as there are places."""

    def __init__(self, most_of_an_address: float = inf) -> None:
        self._most = most_of_an_address
        self._open = WeakSet[Connection]()
        self._addresses = Counter[str]()

    def add(self, accepted: Any) -> Connection:
        """Make a connection of a socket that was just accepted."""
        connection = Connection(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        self._open.add(connection)
        return connection

    @contextmanager
    def place_of(self, address: Any) -> Iterator[bool]:
        """Take one of an address's places; False if it has none left."""
        client = client_of(address)
        if client is None:
            yield True
            return
        is_free = self._addresses[client] < self._most
        self._addresses[client] += 1
        try:
            yield is_free
        finally:
            self._addresses[client] -= 1
            if not self._addresses[client]:
                del self._addresses[client]

    def shut_slow(self) -> None:
        """Shut those whose clients are silent or send for too long: readers find the connection ended."""
        now = monotonic()
        for connection in [connection for connection in self._open if connection.is_slow(now)]:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RD)  # type: ignore[attr-defined]


def client_of(address: Any) -> str | None:
    """Say which client has an address; none for a Unix socket and for this machine."""
    if not isinstance(address, tuple):
        return None
    host = str(address[0]).partition("%")[0]
    found = ip_address(host)
    is_here = (getattr(found, "ipv4_mapped", None) or found).is_loopback
    return None if is_here else one_client(host)
