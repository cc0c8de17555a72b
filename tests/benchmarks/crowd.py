"""A crowd of clients in one thread: it keeps every connection busy and takes little of the machine for itself.

Requests are bytes made beforehand, answers are read as far as their status and their length.
"""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from typing import NamedTuple

Next = Callable[[int], bytes]
"""What a connection sends next, given its number."""


class Heard(NamedTuple):
    """One answer: when it was complete, how long it took (both in seconds), its status, the worker that gave it."""

    at: float
    took: float
    status: int
    worker: str


class _Caller:
    """One connection, and as much of an answer as has arrived."""

    def __init__(self, port: int, number: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.number = number
        self.sent_at = 0.0
        self.arrived = b""

    def send(self, request: bytes) -> None:
        self.arrived = b""
        self.sent_at = time.perf_counter()
        self.socket.sendall(request)

    def receive(self) -> Heard | None:
        """Read on; give the answer once it is complete."""
        part = self.socket.recv(65536)
        if not part:
            raise ConnectionError(f"hung up after {self.arrived!r}")
        self.arrived += part
        head, found, body = self.arrived.partition(b"\r\n\r\n")
        if not found:
            return None
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        if len(body) < int(headers["content-length"]):
            return None
        now = time.perf_counter()
        return Heard(now, now - self.sent_at, int(first.split()[1]), headers.get("x-worker", ""))

    def call(self, request: bytes) -> Heard:
        """Send a request and wait for its answer."""
        self.send(request)
        while not (answer := self.receive()):
            pass
        return answer


def spread(port: int, connections: int, workers: int) -> list[_Caller]:
    """Connect as often to each worker as to any other: workers take new connections as it comes."""
    places = Counter[str]()
    callers: list[_Caller] = []
    for _ in range(connections * 50):
        caller = _Caller(port, len(callers))
        worker = caller.call(get("/livez")).worker
        if places[worker] < connections / workers:
            places[worker] += 1
            callers.append(caller)
        else:
            caller.socket.close()
        if len(callers) == connections:
            return callers
    raise AssertionError(f"the workers do not share the connections: {places}")


def busy(callers: list[_Caller], seconds: float, request: Next) -> list[Heard]:
    """Keep some connections busy for a while; give every answer."""
    heard: list[Heard] = []
    with selectors.DefaultSelector() as selector:
        for caller in callers:
            selector.register(caller.socket, selectors.EVENT_READ, caller)
            caller.send(request(caller.number))
        end, waiting = time.perf_counter() + seconds, len(callers)
        while waiting:
            for key, _ in selector.select():
                caller = key.data
                if answer := caller.receive():
                    heard.append(answer)
                    if answer.at < end:
                        caller.send(request(caller.number))
                    else:
                        waiting -= 1
    return heard


def get(address: str) -> bytes:
    """Write a GET request."""
    return f"GET {address} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def post(address: str, body: object, token: str = "", headers: Mapping[str, str] | None = None) -> bytes:
    """Write a POST request."""
    text = json.dumps(body)
    lines = {
        "Host": "localhost",
        "Content-Type": "application/json",
        "Content-Length": str(len(text)),
        "Authorization": f"Bearer {token}",
        **(headers or {}),
    }
    head = "\r\n".join(f"{name}: {value}" for name, value in lines.items())
    return f"POST {address} HTTP/1.1\r\n{head}\r\n\r\n{text}".encode()


def per_second(heard: list[Heard]) -> float:
    """Say how many answers a second there were."""
    return len(heard) / (max(h.at for h in heard) - min(h.at - h.took for h in heard))


def by_worker(heard: list[Heard]) -> Mapping[str, list[float]]:
    """Give how long the answers of each worker took, in seconds and sorted."""
    found: dict[str, list[float]] = defaultdict(list)
    for answer in heard:
        found[answer.worker].append(answer.took)
    return {worker: sorted(took) for worker, took in sorted(found.items())}


def quantile(took: list[float], part: float) -> float:
    """Give the time that a part of the sorted times does not exceed."""
    return took[min(len(took) - 1, int(len(took) * part))]
