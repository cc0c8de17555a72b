"""Connections of one worker: how many an address may have, and which end when no place is left.

A connection that waits for the rest of a request takes a place and nothing else. Where all places are taken, those on
which nothing has arrived for a moment are shut, as if their clients had gone: half of a body that never comes, and
connections that are kept open between requests. What is being answered, streams included, is not.

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


class Connection(socket.socket):  # type: ignore[misc, name-defined]  # it is put there when gevent runs
    """A socket that knows since when it waits for its client."""

    waits_since = inf

    def recv(self, *args: Any) -> Any:
        """Receive some bytes."""
        self.waits_since = monotonic()
        try:
            return super().recv(*args)
        finally:
            self.waits_since = inf


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

    def shut_silent(self) -> None:
        """Shut those on which nothing has arrived for a while: whoever reads from them finds that the client ended."""
        since = monotonic() - SILENT_SECONDS
        for connection in [connection for connection in self._open if connection.waits_since <= since]:
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
