"""A file that cannot be brought to its end is broken off so that nobody takes it for whole."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from ledger.exports import FORMATS
from tests.scorekeeper import event
from tests.service import Client, Service
from tests.wire.breaking import READ_BEFORE


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("breaking")
    with Service(folder / "ledger.db", workers=1, app="tests.wire.breaking:app") as running:
        yield running


@pytest.fixture(scope="module")
def long_evening(service: Service) -> Client:
    with service.client() as client:
        client.opens("shippin")
        moved = [event("chips_moved", from_="bank", to="p1", amount=5)] * 500
        for _ in range(0, READ_BEFORE + 1, 500):
            assert client.tries(*moved).status == 201
        return client


def taken(service: Service, client: Client, form: str, version: str) -> tuple[bytes, bool]:
    """Take a file home over a connection that is closed afterwards; say whether it was reset."""
    asked = f"GET {client.address}/export.{form} HTTP/{version}\r\nHost: x\r\nConnection: close\r\n"
    with socket.create_connection(("127.0.0.1", service.port)) as connection:
        connection.sendall(f"{asked}Authorization: Bearer {client.token}\r\n\r\n".encode())
        received = b""
        try:
            while piece := connection.recv(1 << 16):
                received += piece
        except ConnectionResetError:
            return received, True
    return received, False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "version"),
    [("csv", "1.1"), *((form, "1.0") for form in FORMATS if form not in {"html", "txt"})],  # which tell no entries
)
def test_a_file_that_fails_is_reset(service: Service, long_evening: Client, form: str, version: str) -> None:
    received, is_reset = taken(service, long_evening, form, version)
    if received.startswith(f"HTTP/{version} 500".encode()):  # nothing of it had been sent yet
        assert b"application/problem+json" in received
    else:
        assert is_reset
        assert not received.endswith(b"\r\n0\r\n\r\n")


@pytest.mark.slow
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_a_file_that_is_whole_is_not_reset(service: Service, version: str) -> None:
    with service.client() as client:
        client.opens("shippin")
        received, is_reset = taken(service, client, "csv", version)
    assert received.startswith(f"HTTP/{version} 200".encode())
    assert not is_reset
