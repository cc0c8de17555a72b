"""Ports of this machine, and a proxy between two of them that can be told to pass nothing on."""

from __future__ import annotations

import socket
from contextlib import ExitStack, suppress
from threading import Event, Thread

A_PIECE = 65_536


def free_ports(count: int) -> list[int]:
    """Give ports that nobody has, all of them different."""
    with ExitStack() as held:
        taken = [held.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [each.getsockname()[1] for each in taken]


def is_taken(port: int) -> bool:
    """Say whether somebody listens at a port."""
    try:
        socket.create_connection(("127.0.0.1", port), timeout=3).close()
    except OSError:
        return False
    return True


class Proxy:
    """Passes on what comes to a port of its own; while it is cut, it keeps what comes, and hangs up on nobody."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._passes = Event()
        self._passes.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._open: list[socket.socket] = [self._listening]
        self.port: int = self._listening.getsockname()[1]
        Thread(target=self._accepts, daemon=True).start()

    def is_cut(self) -> None:
        self._passes.clear()

    def is_mended(self) -> None:
        self._passes.set()

    def close(self) -> None:
        """Hang up on everybody."""
        self._passes.set()
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accepts(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                Thread(target=self._serves, args=[here], daemon=True).start()

    def _serves(self, here: socket.socket) -> None:
        self._passes.wait()
        with suppress(OSError):
            there = socket.create_connection(("127.0.0.1", self._to))
            self._open += [here, there]
            Thread(target=self._pumps, args=[there, here], daemon=True).start()
            self._pumps(here, there)

    def _pumps(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while piece := source.recv(A_PIECE):
                self._passes.wait()
                sink.sendall(piece)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
