"""A request that takes long: others are answered while it is worked on."""

from __future__ import annotations

import select
from pathlib import Path

import pytest

from tests.bench.wire import Caller, get, post
from tests.service import Service

pytestmark = pytest.mark.integration

GIFTS = "gift p1 p2=1\n" * 1_000
INSERTIONS = "".join(f"insert {seq} gift p1 p2=1\n" for seq in range(1_000))
TEXT = f"game shippin\nplayers Aki Ben Chie\n{GIFTS}{INSERTIONS}"


def test_others_are_answered_while_a_text_is_brought_in(tmp_path: Path) -> None:
    request = post("/v1/sessions/import", TEXT, Content_Type="text/plain")
    with (
        Service(tmp_path / "ledger.db", workers=1) as service,
        Caller(service.port) as importing,
        Caller(service.port) as other,
    ):
        importing.socket.sendall(request[:-1])
        assert other.call(get("/livez")).status == 200
        importing.socket.sendall(request[-1:])
        for _ in range(20):
            assert other.call(get("/livez")).status == 200
        assert not select.select([importing.socket], [], [], 0)[0]
        assert importing.call(b"").status == 201
