"""Requests that are half sent, on all connections that a worker has: others are served all the same."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.bench.wire import Caller, get
from tests.service import Service

pytestmark = pytest.mark.integration

HALF_A_HEADER = b"GET /livez HTTP/1.1\r\nHost: loc"
HALF_A_BODY = (
    b"POST /v1/calculate/shirinma HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    b'Content-Length: 1000\r\n\r\n{"players": ["Player #1", "Pla'
)


@pytest.mark.parametrize("sent", [HALF_A_BODY, HALF_A_HEADER, b""], ids=["half a body", "half a header", "nothing"])
def test_what_is_half_sent_on_all_connections_is_closed_and_others_are_served(tmp_path: Path, sent: bytes) -> None:
    with Service(tmp_path / "ledger.db", workers=1, connections=4) as service, ExitStack() as opened:
        for _ in range(6):
            opened.enter_context(socket.create_connection(("127.0.0.1", service.port))).sendall(sent)
        assert opened.enter_context(Caller(service.port, timeout=300)).call(get("/livez")).status == 200
