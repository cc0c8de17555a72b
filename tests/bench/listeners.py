"""Many phones that follow one session: each on a stream of its own, coming back when it ends."""

from __future__ import annotations

import re
import selectors
import socket
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

from tests.bench.evening import Evening

SEQ = re.compile(rb"^id: (\d+)$")
WHOLE_ANSWER = b"0\r"
"""The line that ends an answer of unknown length."""


class Listener:
    """One phone: what it was told, and when, by the seq of the event."""

    def __init__(self, port: int, evening: Evening) -> None:
        self.heard: list[tuple[int, float]] = []
        self.answers = 0
        self.is_refused = False
        self._port = port
        self._evening = evening
        self.connects()

    def connects(self) -> None:
        """Connect, and ask for what comes next. Raises ConnectionError."""
        self._rest = b""
        self.socket = socket.create_connection(("127.0.0.1", self._port))
        self.socket.settimeout(0)
        self.asks()

    def asks(self) -> None:
        """Ask for what comes after the last event that was told."""
        last = {"Last-Event-ID": str(self.heard[-1][0])} if self.heard else {}
        self.socket.sendall(self._evening.looks("/stream", **last))

    def reads(self) -> bool:
        """Read what has arrived; False once the service has hung up."""
        try:
            arrived, now = self.socket.recv(1 << 16), time.perf_counter()
        except ConnectionError:
            return False
        *lines, self._rest = (self._rest + arrived).split(b"\n")
        for line in lines:
            if found := SEQ.match(line):
                self.heard.append((int(found[1]), now))
            elif line.startswith(b"HTTP/1.1 "):
                self.is_refused = not line.startswith(b"HTTP/1.1 200 ")
                self.answers += 1
            elif line == WHOLE_ANSWER:
                self.asks()
        return bool(arrived)


class Crowd:
    """So many listeners, who are attended to by a thread as long as the block lasts."""

    def __init__(self, port: int, evening: Evening, count: int) -> None:
        self.listeners = [Listener(port, evening) for _ in range(count)]
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._listen)

    def _listen(self) -> None:
        with selectors.DefaultSelector() as ready:
            for listener in self.listeners:
                ready.register(listener.socket, selectors.EVENT_READ, listener)
            while not self._is_over.is_set():
                for key, _ in ready.select(0.1):
                    if not key.data.reads():
                        ready.unregister(key.fileobj)
                        key.data.socket.close()
                        with suppress(ConnectionError):  # the service has stopped
                            key.data.connects()
                            ready.register(key.data.socket, selectors.EVENT_READ, key.data)

    def have_begun(self, seconds: float = 60.0) -> None:
        """Wait until everybody has been answered. Raises TimeoutError."""
        until = time.monotonic() + seconds
        while not all(listener.answers for listener in self.listeners):
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(0.01)

    def have_ended(self, seconds: float = 60.0) -> None:
        """Wait until everybody's stream has ended and they are let in no more. Raises TimeoutError."""
        until = time.monotonic() + seconds
        while not all(listener.is_refused for listener in self.listeners):
            if time.monotonic() > until:
                raise TimeoutError
            time.sleep(0.01)

    def have_heard(self, seq: int, seconds: float = 60.0) -> bool:
        """Wait until everybody has been told of an event; False if somebody has not after so many seconds."""
        until = time.monotonic() + seconds
        while not all(listener.heard and listener.heard[-1][0] >= seq for listener in self.listeners):
            if time.monotonic() > until:
                return False
            time.sleep(0.01)
        return True

    def waits(self, recorded: Mapping[int, float]) -> list[float]:
        """Say how many seconds after it was reported each event came to each listener."""
        return [at - recorded[seq] for listener in self.listeners for seq, at in listener.heard if seq in recorded]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._is_over.set()
        self._thread.join()
        for listener in self.listeners:
            listener.socket.close()
