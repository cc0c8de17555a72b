"""Two services on one PostgreSQL: events that one of them records are in the answers of the other at once."""

from __future__ import annotations

import secrets
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

from tests.postgres import Server
from tests.scorekeeper import event
from tests.service import Service
from tests.storage.contract import in_threads

MOVED = event("chips_moved", **{"from": "bank", "to": "p1", "amount": 1})


def test_phones_at_either_of_them_share_one_log_and_are_told_of_all_of_it(postgres: Server, tmp_path: Path) -> None:
    name = f"two_{secrets.token_hex(6)}"
    address = postgres.schema(name)
    with (
        Service(tmp_path / "one.db", workers=1, address=address) as one,
        Service(tmp_path / "other.db", workers=1, address=address) as other,
        one.client() as owner,
        closing(HTTPConnection("127.0.0.1", other.port, timeout=60)) as listener,
    ):
        owner.opens("shippin")
        listener.request("GET", f"{owner.address}/stream", headers={"Authorization": f"Bearer {owner.token}"})

        def record(phone: int) -> None:
            with one.client() as here, other.client() as there:
                here.speaks_for(owner)
                there.speaks_for(owner)
                for number in range(25):
                    key = f"phone-{phone:016}-{number:016}"
                    told = [client.tries(MOVED, Idempotency_Key=key) for client in (here, there)]
                    assert [answered.status for answered in told] == [201, 201]
                    assert told[0].body["events"] == told[1].body["events"]
                    assert there.looks()["seq"] >= told[0].body["events"][-1]["seq"]

        in_threads(*[lambda phone=phone: record(phone) for phone in range(4)])
        with listener.getresponse() as stream:
            for seq in range(1, 101):
                assert next(line for line in stream if line.startswith(b"id: ")) == b"id: %d\n" % seq
        assert owner.looks("/verify")["findings"] == []
    postgres.drop(name)
