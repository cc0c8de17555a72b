"""Two services on one PostgreSQL behind one address: what is told to one of them is known to the other at once."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from itertools import count
from pathlib import Path

import pytest

from tests.postgres import Server
from tests.scorekeeper import Json, event
from tests.service import Client, Service
from tests.storage.contract import in_threads
from tests.wire.test_behind_nginx import nginx

WRITERS = 4
REPORTS = 25
"""Of each writer."""


@pytest.fixture
def services(postgres: Server, tmp_path: Path) -> Iterator[list[Service]]:
    name = f"two_{secrets.token_hex(6)}"
    with ExitStack() as running:
        yield [
            running.enter_context(Service(path, workers=1, address=postgres.schema(name), stream_seconds=3600))
            for path in (tmp_path / "one.db", tmp_path / "other.db")
        ]
    postgres.drop(name)


@pytest.fixture
def one_address(services: list[Service], tmp_path: Path) -> Iterator[int]:
    """A port at which each request goes to the service whose turn it is, whoever asks."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    where = "".join(f"server 127.0.0.1:{service.port};" for service in services)

    def servers(port: int) -> str:
        return (
            f"upstream services {{ {where} }}\n"
            f"server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://services; proxy_buffering off; }} }}"
        )

    with nginx(tmp_path, servers) as port:
        yield port


def buys_in(amount: int = 1) -> Json:
    return event("chips_moved", **{"from": "bank", "to": "p1", "amount": amount})


def test_what_is_reported_to_one_is_read_from_the_other(one_address: int) -> None:
    """No request has to come back to where the last one was, and what was acknowledged is there wherever one looks."""
    client = Client(one_address)
    client.opens("shippin")
    for seq in range(1, 41):
        answered = client.tries(buys_in(), If_Match=f'"{seq - 1}"')
        assert answered.status == 201, answered
        for _ in range(2):
            assert client.looks()["seq"] == seq
        again = client.tries(buys_in(), If_Match=f'"{seq - 1}"')
        assert again.status == 412
    client.hangs_up()


def test_phones_that_record_at_any_of_them_share_one_log(one_address: int) -> None:
    owner = Client(one_address)
    owner.opens("shippin")
    numbers = count(1)

    def record() -> None:
        client = Client(one_address)
        client.speaks_for(owner)
        for _ in range(REPORTS):
            key = f"phone-{next(numbers):032}"
            answers = [client.tries(buys_in(), Idempotency_Key=key) for _ in range(2)]
            assert [answered.status for answered in answers] == [201, 201]
            assert answers[0].body["events"] == answers[1].body["events"]
        client.hangs_up()

    in_threads(*[record] * WRITERS)
    assert owner.looks()["seq"] == WRITERS * REPORTS
    assert owner.looks("/verify")["findings"] == []
    owner.hangs_up()


def test_who_listens_at_one_hears_what_is_reported_to_the_other(services: list[Service]) -> None:
    one, other = services
    with one.client() as client, closing(HTTPConnection("127.0.0.1", other.port, timeout=60)) as connection:
        client.opens("shippin")
        connection.request("GET", f"{client.address}/stream", headers={"Authorization": f"Bearer {client.token}"})
        with connection.getresponse() as stream:
            assert stream.status == 200
            for seq in range(1, 21):
                assert client.tries(buys_in()).status == 201
                assert next(line for line in stream if line.startswith(b"id: ")) == b"id: %d\n" % seq
