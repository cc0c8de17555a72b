"""Several processes that write at once, as gunicorn runs them: what was answered 201 is recorded, once and whole."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from threading import Barrier

import pytest

from tests.databases import kept_at
from tests.scorekeeper import Json, event
from tests.service import Answered, Client, Service
from tests.store.contract import in_threads
from tests.store.whole import whole

Amounts = Iterator[int]
"""Amounts that nobody else reports, so that an event is known by its amount."""


class Witness:
    """A client that reports chips changing hands, in every way there is, and remembers what it was answered."""

    def __init__(self, client: Client, owner: Client, amounts: Amounts, number: int) -> None:
        self.client = client
        self.chance = Random(number)
        self.client.speaks_for(owner)
        self.recorded: dict[int, int] = {}
        self.statuses = Counter[int]()
        self._amounts = amounts

    def moved(self) -> Json:
        return event("chips_moved", from_="bank", to="p1", amount=next(self._amounts))

    def tries(self, *events: Json, query: str = "", **headers: str) -> Answered:
        answer = self.client.tries(*events, query=query, **headers)
        self.statuses[answer.status] += 1
        if answer.status == 201:
            for told in answer.body["events"]:
                assert self.recorded.setdefault(told["seq"], told["amount"]) == told["amount"]
        return answer

    def plainly(self) -> None:
        assert self.tries(self.moved()).status == 201

    def several(self) -> None:
        answer = self.tries(*(self.moved() for _ in range(3)))
        first = answer.body["events"][0]["seq"]
        assert [told["seq"] for told in answer.body["events"]] == [first, first + 1, first + 2]

    def again_and_again(self) -> None:
        moved = self.moved()
        key = f"{self.client.session_id} {moved['amount']}"
        answers = [self.tries(moved, Idempotency_Key=key) for _ in range(3)]
        assert [answer.status for answer in answers] == [201] * 3
        assert [answer.headers.get("Idempotency-Replayed") for answer in answers] == [None, "true", "true"]
        assert answers[0].body == answers[1].body == answers[2].body

    def only_to_see(self) -> None:
        assert self.tries(self.moved(), query="?dry_run=true").status == 200

    def in_vain(self) -> None:
        to_oneself = event("chips_moved", from_="p1", to="p1", amount=1)
        assert self.tries(self.moved(), to_oneself).status in {409, 422}

    def having_looked(self) -> None:
        moved = self.moved()
        while True:
            seen = self.client.looks()["seq"]
            answer = self.tries(moved, If_Match=f'"{seen}"')
            if answer.status == 201:
                assert answer.body["events"][0]["seq"] == seen + 1
                return
            assert answer.status == 412

    def works(self, rounds: int) -> None:
        """Report in every way, in an order of one's own, some times over."""
        ways = [self.plainly, self.several, self.again_and_again, self.only_to_see, self.in_vain, self.having_looked]
        for _ in range(rounds):
            for way in self.chance.sample(ways, len(ways)):
                way()


def same_request_from_everybody(witnesses: list[Witness], amounts: Amounts) -> None:
    """Let witnesses of one session send the same request with the same key at the same moment."""
    moved, start = event("chips_moved", from_="bank", to="p1", amount=next(amounts)), Barrier(len(witnesses))
    answers: list[Answered] = []

    def send(witness: Witness) -> None:
        start.wait()
        answers.append(witness.tries(moved, Idempotency_Key="from everybody"))

    in_threads(*(partial(send, witness) for witness in witnesses))
    assert [answer.status for answer in answers] == [201] * len(witnesses)
    assert sum(answer.headers.get("Idempotency-Replayed") is None for answer in answers) == 1
    assert len({json.dumps(answer.body) for answer in answers}) == 1


def work_together(database: Path, *, workers: int, sessions: int, clients: int, rounds: int) -> None:
    """Let clients report to some sessions through several workers, and make sure that all is as they were answered."""
    amounts = count(1)
    with Service(database, workers=workers) as service, ExitStack() as connected:
        owners = [connected.enter_context(service.client()) for _ in range(sessions)]
        for owner in owners:
            owner.opens()
        witnesses = [
            Witness(connected.enter_context(service.client()), owners[number % sessions], amounts, number)
            for number in range(clients)
        ]
        in_threads(*(partial(witness.works, rounds) for witness in witnesses))
        of_each_session = [witnesses[number::sessions] for number in range(sessions)]
        for together in of_each_session:
            same_request_from_everybody(together, amounts)
        assert max(status for witness in witnesses for status in witness.statuses) < 500
        assert "Traceback" not in service.said
        assert "locked" not in service.said
    for owner, together in zip(owners, of_each_session, strict=True):
        reported: dict[int, int] = {}
        for witness in together:
            for seq, amount in witness.recorded.items():
                assert reported.setdefault(seq, amount) == amount
        found = whole(kept_at(database), owner.session_id)
        assert {row.seq: json.loads(row.body)["amount"] for row in found.rows} == reported
        assert [(entry.seq, entry.amount) for entry in found.entries] == sorted(reported.items())
        assert len(set(reported.values())) == len(reported)


@pytest.mark.parametrize("sessions", [1, 3])
def test_what_several_workers_record_at_once_is_lost_or_doubled_nowhere(tmp_path: Path, sessions: int) -> None:
    work_together(tmp_path / "ledger.db", workers=2, sessions=sessions, clients=6, rounds=3)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("sessions", "clients", "rounds"), [(1, 8, 20), (8, 32, 30)])
def test_what_many_workers_record_for_long_is_lost_or_doubled_nowhere(
    tmp_path: Path, sessions: int, clients: int, rounds: int
) -> None:
    work_together(tmp_path / "ledger.db", workers=4, sessions=sessions, clients=clients, rounds=rounds)
