"""Connections: what an address may have, and that half-sent requests on all places keep nobody waiting for long."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gevent
import pytest

from ledger import connections
from ledger.config import Config
from ledger.connections import Connections, client_of
from tests.bench.evening import MOVED, Evening
from tests.bench.wire import Caller, get
from tests.service import Service
from tests.slow_clients.crowd import HALF_A_BODY, HALF_A_HEADER, phones
from tests.test_worker import started

SECONDS = 60
"""How long an answer may take on a machine that is busy; before, it took five minutes."""

LIVEZ = get("/livez")


@pytest.mark.parametrize("said", [HALF_A_BODY, HALF_A_HEADER, b""], ids=["half a body", "half a header", "nothing"])
def test_what_is_half_sent_on_all_places_is_shut_and_others_are_served(tmp_path: Path, said: bytes) -> None:
    with Service(tmp_path / "ledger.db", workers=1, connections=4) as service, ExitStack() as strangers:
        strangers.enter_context(phones(service.port, 6, said))
        caller = strangers.enter_context(Caller(service.port, timeout=SECONDS))
        assert caller.call(LIVEZ).status == 200


@pytest.mark.soak
def test_a_thousand_half_sent_bodies_on_each_worker_silence_neither(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=2) as service:
        evening = Evening.opened(service.port)
        with phones(service.port, 2_100, HALF_A_BODY):
            for _ in range(20):
                with Caller(service.port, timeout=SECONDS) as caller:
                    assert caller.call(LIVEZ).status == 200
                    assert caller.call(evening.reports(MOVED)).status == 201
        assert "Traceback" not in service.said


def test_a_body_that_stands_still_is_left_alone_while_there_are_places(tmp_path: Path) -> None:
    """Who is slow is not refused for it: it goes on once the rest comes."""
    text = b'{"players": ["A", "B", "C"], "events": [{"type": "round_opened"}]}'
    head = b"POST /v1/calculate/shippin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    with Service(tmp_path / "ledger.db", workers=1, connections=4) as service, ExitStack() as opened:
        slow = opened.enter_context(socket.create_connection(("127.0.0.1", service.port), SECONDS))
        slow.sendall(head + b"Content-Length: %d\r\n\r\n" % len(text) + text[:10])
        caller = opened.enter_context(Caller(service.port, timeout=SECONDS))
        assert caller.call(LIVEZ).status == 200
        time.sleep(connections.SILENT_SECONDS + 1)
        assert caller.call(LIVEZ).status == 200
        slow.sendall(text[10:])
        assert slow.recv(100).startswith(b"HTTP/1.1 200 ")


HALF_A_FILE = (
    b"POST /v1/sessions/import HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b"Content-Length: 2000000\r\n\r\n{"
)


def test_half_sent_files_do_not_stop_large_imports(tmp_path: Path) -> None:
    """What holds a place for large files has to arrive in time, wherever it comes from."""
    whole = HALF_A_FILE[:-1] + b'"%s"' % (b"x" * 1_999_998)
    with Service(tmp_path / "ledger.db", workers=1) as service, ExitStack() as strangers:
        half = [strangers.enter_context(Caller(service.port, timeout=SECONDS)) for _ in range(8)]
        for stranger in half:
            stranger.socket.sendall(HALF_A_FILE)
        told = list[int]()
        while not told or told[-1] == 503:
            assert len(told) < SECONDS, "the places are never free"
            time.sleep(1)
            with Caller(service.port, timeout=SECONDS) as caller:
                told.append(caller.call(whole).status)
        assert told[-1] == 422, "it was read, and is no evening"
        statuses = sorted(stranger.call(b"").status for stranger in half)
        assert statuses == [400] * 4 + [503] * 4


@pytest.mark.soak
def test_bodies_that_drip_are_shut_when_no_place_is_left_and_others_are_served(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=1, connections=4) as service, ExitStack() as strangers:
        drips = list[socket.socket]()
        for _ in range(4):
            drips.append(strangers.enter_context(socket.create_connection(("127.0.0.1", service.port), SECONDS)))
            drips[-1].sendall(HALF_A_BODY)
        time.sleep(1)
        caller = strangers.enter_context(Caller(service.port, timeout=2))
        caller.socket.sendall(LIVEZ)
        for _ in range(SECONDS):
            for drip in drips:
                with suppress(OSError):
                    drip.sendall(b"x")
            with suppress(TimeoutError):
                received(caller, b"HTTP/1.1 200 ")
                return
        pytest.fail("the worker is silent")


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    one, other = socket.socketpair()
    with one, other:
        yield one, other


class Clock:
    """A clock that is set by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr("ledger.connections.monotonic", lambda: self.now)


def test_what_drips_is_shut_after_a_while_and_each_request_counts_anew(
    monkeypatch: pytest.MonkeyPatch, pair: tuple[socket.socket, socket.socket]
) -> None:
    clock, places, (accepted, phone) = Clock(monkeypatch), Connections(), pair
    with places.add(accepted) as connection:

        def drip(times: int) -> list[bytes]:
            """Send a byte every two seconds, while no place is left."""
            arrived = list[bytes]()
            for _ in range(times):
                reader = gevent.spawn(connection.recv, 1)  # type: ignore[no-untyped-call]
                gevent.sleep(0)  # type: ignore[no-untyped-call]
                clock.now += 2
                places.shut_slow()
                with suppress(BrokenPipeError):
                    phone.sendall(b"x")
                arrived.append(reader.get(timeout=SECONDS))
            return arrived

        assert drip(14) == [b"x"] * 14
        clock.now += 600  # it is being answered
        places.shut_slow()
        connection.sendall(b"an answer")
        assert drip(14) == [b"x"] * 14, "this is another request"
        clock.now += 600
        places.shut_slow()
        assert phone.recv(100) == b"an answer"
        with pytest.raises(OSError, match="closed"):
            drip(1)


def received(caller: Caller, expected: bytes) -> None:
    """Read from a connection until something has arrived, in as many pieces as it comes. It times out otherwise."""
    data = b""
    while expected not in data:
        piece = caller.socket.recv(10_000)
        assert piece, f"the connection ended without {expected!r}"
        data += piece


def test_a_stream_is_not_shut_when_no_place_is_left(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=1, connections=3, streams=2) as service:
        evening = Evening.opened(service.port)
        with Caller(service.port, timeout=SECONDS) as follower, phones(service.port, 3, HALF_A_BODY):
            follower.socket.sendall(evening.looks("/stream"))
            received(follower, b"retry:")
            for seq in (1, 2):
                with Caller(service.port, timeout=SECONDS) as caller:
                    assert caller.call(evening.reports(MOVED)).status == 201
                received(follower, b"id: %d\n" % seq)


def test_an_address_with_all_its_places_taken_is_refused_and_others_are_served(
    monkeypatch: pytest.MonkeyPatch, pair: tuple[socket.socket, socket.socket]
) -> None:
    served, listener = list[Any](), socket.socket()
    monkeypatch.setattr("ledger.worker.GeventWorker.handle", lambda _me, _listener, _client, addr: served.append(addr))
    worker, (client, phone) = started(), pair
    worker.wsgi, worker.clients = SimpleNamespace(), Connections(2)
    with ExitStack() as others:
        for _ in range(2):
            assert others.enter_context(worker.clients.place_of(("192.0.2.1", 5)))
        worker.handle(listener, client, ("192.0.2.1", 7))
        head, _, body = phone.recv(10_000).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 503 ")
        assert b"Retry-After: 5" in head
        assert b'"service_unavailable"' in body
        assert client.fileno() == -1
        worker.handle(listener, client, ("192.0.2.2", 7))
        assert served == [("192.0.2.2", 7)]
    worker.handle(listener, client, ("192.0.2.1", 7))
    assert served == [("192.0.2.2", 7), ("192.0.2.1", 7)]
    worker.leaves_its_place()
    listener.close()


@pytest.mark.parametrize("address", ["", ("127.0.0.1", 5), ("::1", 5, 0, 0), ("::ffff:127.0.0.1", 5, 0, 0)])
def test_a_proxy_on_this_machine_is_not_counted_as_one_client(address: Any) -> None:
    places = Connections(1)
    with places.place_of(address) as first, places.place_of(address) as second:
        assert first
        assert second


def test_a_network_of_ipv6_is_one_client_and_what_is_closed_is_not_remembered() -> None:
    places = Connections(1)
    assert client_of(("fe80::1%eth0", 5, 0, 2)) is not None
    with places.place_of(("2001:db8::1", 5, 0, 0)) as first, places.place_of(("2001:db8::2", 5, 0, 0)) as second:
        assert (first, second) == (True, False)
    assert not places._addresses


def test_behind_a_proxy_and_at_a_private_table_no_address_has_a_share() -> None:
    assert Config.read({"LEDGER_RATE_LIMIT": "600/minute"}).connections_per_address == 750
    assert Config.read({"LEDGER_RATE_LIMIT": "600/minute", "LEDGER_CONNECTIONS": 1}).connections_per_address == 1
    assert Config.read({"LEDGER_RATE_LIMIT": "off"}).connections_per_address is None
    assert Config.read({"LEDGER_RATE_LIMIT": "600/minute", "LEDGER_PROXIES": 1}).connections_per_address is None
