"""Requests as bytes, and one connection that sends them: next to nothing of what is measured is the client's."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from math import inf
from typing import NamedTuple, Self

PATIENCE = 20.0
"""How long anybody waits for an answer before they give up, in seconds."""


class Heard(NamedTuple):
    """One answer: how long it took in seconds, its status, its headers in small letters, and its body."""

    took: float
    status: int
    headers: dict[str, str]
    body: bytes


class Caller:
    """One connection to a service on this machine; `timeout` is how many seconds it waits for anything."""

    def __init__(self, port: int, timeout: float | None = None) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._arrived = b""

    def call(self, request: bytes) -> Heard:
        """Send a request and wait for the whole answer. Raises ConnectionError, TimeoutError."""
        begun = time.perf_counter()
        status, headers = self._asked(request)
        if headers.get("transfer-encoding") == "chunked":
            body = b"".join(iter(self._chunk, b""))
        else:
            body = self._exactly(0 if status in {204, 304} else int(headers["content-length"]))
        return Heard(time.perf_counter() - begun, status, headers, body)

    def pieces(self, request: bytes) -> Iterator[bytes]:
        """Send a request and give the answer's body as it comes, so that no more than a piece of it is held here."""
        status, headers = self._asked(request)
        assert (status, headers.get("transfer-encoding")) == (200, "chunked"), (status, headers)
        yield from iter(self._chunk, b"")

    def _asked(self, request: bytes) -> tuple[int, dict[str, str]]:
        """Send a request and wait for the beginning of the answer; give its status and its headers."""
        self.socket.sendall(request)
        head, _, self._arrived = self._until(b"\r\n\r\n").partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        return int(first.split()[1]), headers

    def _chunk(self) -> bytes:
        size, _, self._arrived = self._until(b"\r\n").partition(b"\r\n")
        return self._exactly(int(size, 16) + 2)[:-2]

    def _until(self, mark: bytes) -> bytes:
        """Read until a mark has arrived; give all that has."""
        while mark not in self._arrived:
            self._receive()
        return self._arrived

    def _exactly(self, length: int) -> bytes:
        parts = [self._arrived]
        missing = length - len(self._arrived)
        while missing > 0:
            self._arrived = b""
            self._receive()
            parts.append(self._arrived)
            missing -= len(self._arrived)
        whole = b"".join(parts)
        self._arrived = whole[length:]
        return whole[:length]

    def _receive(self) -> None:
        part = self.socket.recv(1 << 18)
        if not part:
            raise ConnectionError(f"hung up after {self._arrived[:200]!r}")
        self._arrived += part

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()


def request(method: str, address: str, token: str = "", **headers: str) -> bytes:
    """Write a request without a body. Header names are given with underscores."""
    return _head(method, address, token, headers) + b"\r\n"


def get(address: str, token: str = "", **headers: str) -> bytes:
    """Write a GET request. Header names are given with underscores."""
    return request("GET", address, token, **headers)


def post(address: str, body: object, token: str = "", **headers: str) -> bytes:
    """Write a POST request: JSON, or a text as it is."""
    text = (body if isinstance(body, str) else json.dumps(body)).encode()
    sent = {"Content-Type": "application/json"} | headers | {"Content-Length": str(len(text))}
    return _head("POST", address, token, sent) + b"\r\n" + text


def _head(method: str, address: str, token: str, headers: dict[str, str]) -> bytes:
    allowed = {"Authorization": f"Bearer {token}"} if token else {}
    lines = {"Host": "localhost"} | allowed | {name.replace("_", "-"): value for name, value in headers.items()}
    told = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {address} HTTP/1.1\r\n{told}".encode()


def p99(port: int, request: bytes, seconds: float, pace: float = 0.05) -> float:
    """Send a request again and again at a pace, as people do, and say how long 99 in 100 wait at most, in seconds.

    Each wait begins when the request was due, not when the answer before it allowed it to be sent: what makes one wait
    makes all wait who would have come meanwhile.
    """
    waits, began = list[float](), time.perf_counter()
    try:
        with Caller(port, timeout=PATIENCE) as caller:
            for due in (began + number * pace for number in range(int(seconds / pace))):
                time.sleep(max(0.0, due - time.perf_counter()))
                heard = caller.call(request)
                waits.append(time.perf_counter() - due if heard.status in {200, 201} else inf)
                if waits[-1] > PATIENCE:
                    return inf
    except (ConnectionError, TimeoutError):
        return inf
    return sorted(waits)[int(len(waits) * 0.99)]
