"""Processes killed in the middle of their work: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple

import pytest

from ledger.store import open_store
from tests.scorekeeper import Json, event
from tests.service import Client, Service
from tests.store.whole import whole

pytestmark = [pytest.mark.crash, pytest.mark.timeout(120)]

CLIENTS = 8
SESSIONS = 3


class Report(NamedTuple):
    """One request: the events' amounts, by which they are known, and perhaps a key."""

    amounts: tuple[int, ...]
    key: str | None

    @property
    def events(self) -> list[Json]:
        return [event("chips_moved", from_="bank", to="p1", amount=amount) for amount in self.amounts]

    def sent(self, client: Client) -> list[int]:
        """Send it, and give the seqs that were acknowledged. Raises OSError."""
        answer = client.tries(*self.events, **({"Idempotency_Key": self.key} if self.key else {}))
        assert answer.status == 201, answer
        return [told["seq"] for told in answer.body["events"]]


class Reporter:
    """A client that never stops reporting, whatever happens to the service."""

    def __init__(self, owner: Client, amounts: Iterator[int]) -> None:
        self.owner = owner
        self.acknowledged: dict[int, int] = {}
        self.unanswered: list[Report] = []
        self._amounts = amounts

    def reports_until(self, is_over: Event, service: Service) -> None:
        """Report until it is over or nobody is there any more."""
        with suppress(ConnectionRefusedError):
            while not is_over.is_set():
                with service.client() as client:
                    client.speaks_for(self.owner)
                    self._reports_until(is_over, client)

    def _reports_until(self, is_over: Event, client: Client) -> None:
        while not is_over.is_set():
            amounts = tuple(next(self._amounts) for _ in range(random.choice([1, 1, 3])))
            if not self.sends(Report(amounts, random.choice([None, f"key {amounts[0]}"])), client):
                return

    def sends(self, report: Report, client: Client) -> bool:
        """Send a report, note whether it was acknowledged, and say so."""
        try:
            seqs = report.sent(client)
        except ConnectionRefusedError:
            raise  # nothing was sent
        except OSError:
            self.unanswered.append(report)
            return False
        self.acknowledged |= dict(zip(report.amounts, seqs, strict=True))
        return True

    def sends_again(self, service: Service) -> None:
        """Send those reports with a key again that were not answered."""
        again, self.unanswered = self.unanswered, [report for report in self.unanswered if not report.key]
        with service.client() as client:
            client.speaks_for(self.owner)
            for report in again:
                assert not report.key or self.sends(report, client)


def kill_a_worker(service: Service) -> None:
    os.kill(random.choice(service.workers), signal.SIGKILL)


@pytest.mark.parametrize(("kill", "times"), [(Service.kill, 10), (kill_a_worker, 15)])
def test_what_was_acknowledged_outlives_a_kill_and_nothing_is_half_there(
    tmp_path: Path, kill: Callable[[Service], None], times: int
) -> None:
    database, amounts = tmp_path / "ledger.db", count(1)
    with Service(database, workers=2) as service:
        owners = [Client(service.port) for _ in range(SESSIONS)]
        for owner in owners:
            owner.opens()
            owner.hangs_up()
        reporters = [Reporter(owners[number % SESSIONS], amounts) for number in range(CLIENTS)]
        for _ in range(times):
            while_killing(service, kill, reporters)
            if kill is Service.kill:
                service.start()
        for reporter in reporters:
            reporter.sends_again(service)
    for owner in owners:
        is_as_acknowledged(database, owner, [reporter for reporter in reporters if reporter.owner is owner])
    assert sum(len(reporter.acknowledged) for reporter in reporters) > 10 * times


def while_killing(service: Service, kill: Callable[[Service], None], reporters: list[Reporter]) -> None:
    """Kill in the middle of what everybody reports."""
    is_over = Event()
    threads = [Thread(target=reporter.reports_until, args=[is_over, service]) for reporter in reporters]
    for thread in threads:
        thread.start()
    time.sleep(random.uniform(0.1, 0.4))
    kill(service)
    time.sleep(0.1)
    is_over.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def is_as_acknowledged(database: Path, owner: Client, reporters: list[Reporter]) -> None:
    found = whole(database, owner.session_id)
    amounts = [json.loads(row.body)["amount"] for row in found.rows]
    assert max(Counter(amounts).values()) == 1
    acknowledged = {amount: seq for reporter in reporters for amount, seq in reporter.acknowledged.items()}
    assert {amount: amounts.index(amount) + 1 for amount in acknowledged} == acknowledged
    unanswered = [report for reporter in reporters for report in reporter.unanswered]
    assert set(amounts) - set(acknowledged) <= {amount for report in unanswered for amount in report.amounts}
    for report in unanswered:
        there = [amounts.index(amount) for amount in report.amounts if amount in amounts]
        assert there == [] or there == list(range(there[0], there[0] + len(report.amounts)))
    assert [(entry.seq, entry.amount) for entry in found.entries] == list(enumerate(amounts, 1))


def test_a_service_killed_while_it_starts_starts_the_next_time(tmp_path: Path) -> None:
    database = tmp_path / "ledger.db"
    service = Service(database, workers=2)
    for _ in range(6):
        service.launch()
        time.sleep(random.uniform(0.2, 0.8))
        service.kill()
    with service, service.client() as client:
        client.opens()
        assert client.looks()["seq"] == 0
    store = open_store(database)
    assert store.is_ready()
    assert store.damage() == []


def test_a_deletion_that_is_killed_has_not_begun_or_can_be_brought_to_its_end(tmp_path: Path) -> None:
    database = tmp_path / "ledger.db"
    outcomes = Counter[bool]()
    with Service(database, workers=2) as service:
        for _ in range(6):
            with service.client() as client, service.client() as other:
                client.opens()
                for amount in range(5):
                    many = [
                        event("chips_moved", from_="bank", to="p1", amount=1 + amount, note="zwetschgendatschi")
                    ] * 500
                    assert client.tries(*many).status == 201
                other.speaks_for(client)
                deleting = Thread(target=deletes, args=[other])
                deleting.start()
                time.sleep(random.uniform(0, 0.1))
                service.kill()
                deleting.join(60)
            store = open_store(database)
            outcomes[store.head(client.session_id) is None] += 1
            if store.head(client.session_id) is not None:
                assert len(whole(database, client.session_id).rows) == 2_500
                store.delete_session(client.session_id)
            for half_deleted in store.sessions_to_delete():
                assert half_deleted == client.session_id
                assert store.delete_session(half_deleted)
            assert store.session_ids() == []
            assert store.damage() == []
            assert b"zwetschgendatschi" not in database.read_bytes()
            store.close()
            service.start()
    assert outcomes[True]


def deletes(client: Client) -> None:
    with suppress(OSError):
        client.asks("DELETE", f"{client.address}?confirm={client.session_id}")
