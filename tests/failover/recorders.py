"""Clients that record through whichever service answers, and a model of what they were told was kept.

Every event has a number of its own in its note, every request a key, and whoever is answered 503 or is hung up on sends
the same request again, perhaps to the other service, until it is acknowledged. So in the end everything that was sent
has to be in the log once, and nothing else.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count, pairwise
from threading import Event, Thread
from typing import NamedTuple
from uuid import uuid4

from tests.crash.witnesses import Number, pages
from tests.scorekeeper import Json, event
from tests.service import Answered, Client, Service

PAUSE = 0.05
"""How long a client thinks between two reports, in seconds."""

AT_ONCE = (1, 1, 1, 3)
"""How many events a report has."""

PATIENCE = 60.0
"""How long a client waits for one answer, in seconds."""

FOR_GOOD = 180.0
"""After so many seconds without an acknowledgement a client gives up: the service does not come back."""


class Acknowledged(NamedTuple):
    """What one request was acknowledged for: when, how long that took with all repeats, and each event with its seq."""

    at: float
    waited: float
    seqs: dict[Number, int]


class Recorder:
    """Somebody who records, one report after the other, and is told that each was kept before the next one."""

    def __init__(
        self, owner: Client, services: Sequence[Service], numbers: Iterator[int], chance: random.Random
    ) -> None:
        self.owner = owner
        self.acknowledged: list[Acknowledged] = []
        self.statuses = Counter[int]()
        self.broken = 0
        self._services, self._numbers, self._chance = services, numbers, chance
        self._client: Client | None = None

    def records_until(self, is_over: Event) -> None:
        while not is_over.is_set():
            moved = [self._moved() for _ in range(self._chance.choice(AT_ONCE))]
            begun = time.monotonic()
            told = self._acknowledged_for(moved, str(uuid4()), begun + FOR_GOOD)
            ended = time.monotonic()
            self.acknowledged.append(Acknowledged(ended, ended - begun, told))
            is_over.wait(PAUSE)
        self._hangs_up()

    def _moved(self) -> Json:
        note = f"n{next(self._numbers)}"
        return event("chips_moved", from_="bank", to="p1", amount=self._chance.randint(1, 99), note=note)

    def _acknowledged_for(self, events: list[Json], key: str, until: float) -> dict[Number, int]:
        """Send a report until it is acknowledged, and give what was told of it."""
        while True:
            answer = self._sends(events, key)
            if answer is not None and not is_busy(answer):
                assert answer.status == 201, answer
                told = {Number(each["note"]): int(each["seq"]) for each in answer.body["events"]}
                assert list(told) == [each["note"] for each in events], answer
                return told
            assert time.monotonic() < until, "nobody acknowledges any more"
            if answer is not None:
                time.sleep(float(answer.headers["Retry-After"]))

    def _sends(self, events: list[Json], key: str) -> Answered | None:
        """Send a report once; None if there was no answer."""
        try:
            if self._client is None:
                self._client = Client(self._chance.choice(self._services).port, PATIENCE)
                self._client.speaks_for(self.owner)
            answer = self._client.tries(*events, Idempotency_Key=key)
        except OSError:
            self.broken += 1
            self._hangs_up()
            return None
        self.statuses[answer.status] += 1
        return answer

    def _hangs_up(self) -> None:
        if self._client is not None:
            self._client.hangs_up()
            self._client = None


def is_busy(answer: Answered) -> bool:
    """Whether it is worth asking again. A service that says `database_exchanged` has seen acknowledged events go."""
    return answer.status == 503 and answer.body["code"] == "store_busy"


def recorders(services: Sequence[Service], how_many: int, sessions: int) -> list[Recorder]:
    """Open sessions, and have clients for them."""
    owners = []
    for number in range(sessions):
        with services[number % len(services)].client() as owner:
            owner.opens()
            owners.append(owner)
    numbers = count(1)
    return [Recorder(owners[each % sessions], services, numbers, random.Random(each)) for each in range(how_many)]


@contextmanager
def recording(clients: Sequence[Recorder]) -> Iterator[None]:
    """Have clients record meanwhile. What one of them finds wrong is raised afterwards."""
    is_over, wrong = Event(), list[Exception]()

    def records(client: Recorder) -> None:
        try:
            client.records_until(is_over)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is raised where the test is
            wrong.append(error)

    threads = [Thread(target=records, args=[client], daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join(FOR_GOOD + PATIENCE)
        if wrong:
            raise wrong[0]


def acknowledged(clients: Sequence[Recorder]) -> int:
    """Say how many requests were acknowledged so far."""
    return sum(len(client.acknowledged) for client in clients)


def longest_gap(clients: Sequence[Recorder], since: float, until: float) -> float:
    """Say for how many seconds at most nothing was acknowledged to anybody between two moments."""
    moments = sorted(told.at for client in clients for told in client.acknowledged if since <= told.at <= until)
    return max(later - earlier for earlier, later in pairwise([since, *moments, until]))


def wrong_in(service: Service, clients: Sequence[Recorder]) -> list[str]:
    """Say what is not as the clients were told, as a service tells it now."""
    found: list[str] = []
    for owner in {client.owner.session_id: client.owner for client in clients}.values():
        there = [client for client in clients if client.owner.session_id == owner.session_id]
        with service.client() as reader:
            reader.speaks_for(owner)
            found += wrong_in_log([Number(told["note"]) for told in pages(reader, "events")], there)
            found += [f"not whole: {finding}" for finding in reader.looks("/verify")["findings"]]
    return found


def wrong_in_log(log: Sequence[Number], clients: Sequence[Recorder]) -> list[str]:
    """Say what of one session's log its clients were told otherwise: lost, doubled, moved, strange, out of order."""
    told = {number: seq for client in clients for each in client.acknowledged for number, seq in each.seqs.items()}
    found = [f"doubled: {number}" for number, times in Counter(log).items() if times > 1]
    found += [f"strange: {number}" for number in set(log) - told.keys()]
    places = {number: place for place, number in enumerate(log, 1)}
    for number, seq in told.items():
        if places.get(number) != seq:
            found.append(f"{'moved' if number in places else 'lost'}: {number}, told {seq}, is {places.get(number)}")
    for client in clients:
        mine = [places.get(number, 0) for each in client.acknowledged for number in each.seqs]
        found += [f"out of order: {later} after {earlier}" for earlier, later in pairwise(mine) if later <= earlier]
    return found
