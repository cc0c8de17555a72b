"""Two services on one PostgreSQL behind one address: what is told to one of them is known to the other at once."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, HTTPResponse
from itertools import count, islice
from pathlib import Path
from statistics import quantiles

import pytest

from tests.postgres import Server
from tests.scorekeeper import Json, event
from tests.service import Client, Service
from tests.store.contract import in_threads
from tests.wire.test_behind_nginx import nginx

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not here"),
]

EVENTS = 300
WRITERS = 4


@pytest.fixture
def services(postgres: Server, tmp_path: Path) -> Iterator[list[Service]]:
    name = f"two_{secrets.token_hex(6)}"
    with ExitStack() as running:
        yield [
            running.enter_context(Service(tmp_path / f"{number}.db", workers=1, address=postgres.schema(name)))
            for number in range(2)
        ]
    postgres.drop(name)


@pytest.fixture
def one_address(services: list[Service], tmp_path: Path) -> Iterator[int]:
    """A port at which each request goes to the service whose turn it is, whoever asks."""
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


@contextmanager
def stream_of(client: Client, port: int) -> Iterator[HTTPResponse]:
    """Listen to a session, at any of the services."""
    with closing(HTTPConnection("127.0.0.1", port)) as connection:
        connection.request("GET", f"{client.address}/stream", headers={"Authorization": f"Bearer {client.token}"})
        with closing(connection.getresponse()) as answer:
            assert answer.status == 200
            yield answer


def heard(answer: HTTPResponse) -> Iterator[tuple[int, float]]:
    """Give the number of each event that is told, and when it was."""
    for line in answer:
        if line.startswith(b"id: "):
            yield int(line[4:]), time.monotonic()


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
        for _ in range(EVENTS // WRITERS // 3):
            key = f"phone-{next(numbers):032}"
            answers = [client.tries(buys_in(), Idempotency_Key=key) for _ in range(2)]
            assert [answered.status for answered in answers] == [201, 201]
            assert answers[0].body["events"] == answers[1].body["events"]
        client.hangs_up()

    in_threads(*[record] * WRITERS)
    assert owner.looks()["seq"] == EVENTS // WRITERS // 3 * WRITERS
    assert owner.looks("/verify")["findings"] == []
    owner.hangs_up()


def test_who_listens_at_one_hears_what_is_reported_to_the_other(
    services: list[Service], figures: Callable[..., None]
) -> None:
    with services[0].client() as client:
        client.opens("shippin")
        told: list[tuple[int, float]] = []
        sent: dict[int, float] = {}

        def listen() -> None:
            told.extend(islice(heard(listening), EVENTS))

        def report() -> None:
            for seq in range(1, EVENTS + 1):
                sent[seq] = time.monotonic()
                assert client.tries(buys_in()).status == 201

        with stream_of(client, services[1].port) as listening:
            in_threads(listen, report)
    assert [seq for seq, _ in told] == list(range(1, EVENTS + 1))
    waits = sorted((moment - sent[seq]) * 1000 for seq, moment in told)
    cuts = quantiles(waits, n=100)
    figures(events=EVENTS, milliseconds=f"p50 {cuts[49]:.0f}, p99 {cuts[98]:.0f}, most {waits[-1]:.0f}")
