"""A PostgreSQL with a synchronous replica is killed under load, and the replica promoted: nothing acknowledged is lost.

Two services have the hosts of both servers in their address. Whoever records sends each request with a key again and
again until it is acknowledged, so in the end a session's log is what was acknowledged, each event once, and nothing
else. Promoting is what Patroni or a managed service does by itself; here the test does it, right after the kill.
"""

from __future__ import annotations

import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count, cycle, pairwise
from pathlib import Path
from threading import Event, Thread
from typing import NamedTuple
from uuid import uuid4

import pytest

from tests.postgres import SERVICE, NoPostgreSQL, Server
from tests.scorekeeper import Json, event
from tests.service import Answered, Client, Service
from tests.waiting import eventually

pytestmark = [pytest.mark.endurance, pytest.mark.timeout(600)]

SERVICES, SESSIONS, RECORDERS = 2, 8, 16
DATABASE = "ledger"

SETTINGS = {"wal_retrieve_retry_interval": "1s"}
"""A replica that looks for its primary in vain hears of its promotion only after so long: 5 seconds by default."""

AT_MOST_SECONDS = 15.0
"""How long nothing may be acknowledged to anybody, from the kill on."""

PATIENCE = 60.0
"""How long a recorder waits for one answer, in seconds, and so long again for one that is no 503."""

AT_ONCE = (1, 1, 1, 3)
"""How many rounds a request has, in turn."""


# --- servers --------------------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A server that is written, and its replica, which has all that was acknowledged."""

    primary: Server
    replica: Server

    @property
    def address(self) -> str:
        """Where services find whichever of them is written."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self)
        return f"postgresql://{SERVICE}@{hosts}/{DATABASE}?target_session_attrs=read-write"

    def fails_over(self) -> None:
        """Kill the one that is written, and have the other take its place, which waits for no replica of its own.

        The replica is cut off a moment before: commits that it does not have are on the primary's disk, and wait.
        """
        for (sender,) in self.primary.tells("SELECT pid FROM pg_stat_replication"):
            os.kill(sender, signal.SIGSTOP)
        eventually(lambda: self.primary.tells("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))
        self.primary.kill()
        self.replica.tells("ALTER SYSTEM SET synchronous_standby_names = ''", "SELECT pg_reload_conf()")
        self.replica.runs("pg_ctl", "promote", "--wait", "--silent", "--pgdata", self.replica.data)


@pytest.fixture
def pair() -> Iterator[Pair]:
    pytest.importorskip("psycopg")
    with ExitStack() as running:
        try:
            primary = running.enter_context(Server(durable=True, tcp=True, settings=SETTINGS))
        except NoPostgreSQL as missing:
            pytest.skip(str(missing))
        primary.runs("createdb", f"--owner={SERVICE}", DATABASE)
        replica = Server(durable=True, tcp=True, settings=SETTINGS)
        running.callback(replica.close)
        replica.copy(primary)
        replica.start()
        primary.tells("ALTER SYSTEM SET synchronous_standby_names = 'replica'", "SELECT pg_reload_conf()")
        eventually(lambda: primary.tells("SELECT sync_state FROM pg_stat_replication") == [("sync",)])
        yield Pair(primary, replica)


# --- who records ----------------------------------------------------------------------------------------------------


class Acknowledged(NamedTuple):
    """What one request was acknowledged for: when, how long that took with all repeats, and the events as told."""

    at: float
    waited: float
    events: list[Json]


class Recorder:
    """Somebody who records rounds through one service, and is told that each was kept before the next one."""

    def __init__(self, owner: Client, service: Service, numbers: Iterator[int]) -> None:
        self.owner = owner
        self.acknowledged: list[Acknowledged] = []
        self.repeated = Counter[str]()
        self._service, self._numbers, self._sizes = service, numbers, cycle(AT_ONCE)

    def records_until(self, is_over: Event) -> None:
        while not is_over.is_set():
            rounds = [self._round() for _ in range(next(self._sizes))]
            key, begun = str(uuid4()), time.monotonic()
            answer = eventually(lambda: self._kept(rounds, key), 2 * PATIENCE)  # noqa: B023 - it is over by then
            assert answer is not None
            assert answer.status == 201, answer
            told = answer.body["events"]
            assert [each["note"] for each in told] == [each["note"] for each in rounds], answer
            self.acknowledged.append(Acknowledged(time.monotonic(), time.monotonic() - begun, told))

    def _round(self) -> Json:
        number = next(self._numbers)
        chips = number % 99 + 1
        return event("round_entered", payments={"p1": chips}, payouts={"p2": chips}, note=f"n{number}")

    def _kept(self, rounds: Sequence[Json], key: str) -> Answered | None:
        """Send a report once; None if it has to be sent again, as there was no answer, or a 503."""
        client = Client(self._service.port, PATIENCE)
        client.speaks_for(self.owner)
        try:
            answer = client.tries(*rounds, Idempotency_Key=key)
        except OSError as error:
            self.repeated[type(error).__name__] += 1
            return None
        finally:
            client.hangs_up()
        if answer.status != 503:
            return answer
        assert "Retry-After" in answer.headers, answer
        self.repeated[answer.body["code"]] += 1
        return None


@contextmanager
def recording(recorders: Sequence[Recorder]) -> Iterator[None]:
    """Have all of them record meanwhile. What one of them finds wrong is raised afterwards."""
    is_over, wrong = Event(), list[BaseException]()

    def records(recorder: Recorder) -> None:
        try:
            recorder.records_until(is_over)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised where the test is
            wrong.append(error)

    threads = [Thread(target=records, args=[recorder], daemon=True) for recorder in recorders]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
        if wrong:
            raise wrong[0]


def each_is_acknowledged_more(recorders: Sequence[Recorder], requests: int = 40) -> None:
    """Wait until each has been acknowledged so many more requests."""
    had = [len(recorder.acknowledged) for recorder in recorders]
    eventually(
        lambda: all(len(each.acknowledged) >= before + requests for each, before in zip(recorders, had, strict=True)),
        3 * PATIENCE,
    )


# --- the drill ------------------------------------------------------------------------------------------------------


def test_what_was_acknowledged_outlives_the_primary_and_nothing_is_there_twice(
    pair: Pair, tmp_path: Path, figures: Callable[..., None]
) -> None:
    with ExitStack() as running:
        services = [
            running.enter_context(Service(tmp_path / f"{number}.db", address=pair.address))
            for number in range(SERVICES)
        ]
        owners = [Client(services[number % SERVICES].port) for number in range(SESSIONS)]
        for owner in owners:
            owner.opens("shippin")
            owner.hangs_up()
        numbers = count(1)
        recorders = [
            Recorder(owners[each % SESSIONS], services[each // SESSIONS % SERVICES], numbers)
            for each in range(RECORDERS)
        ]
        with recording(recorders):
            each_is_acknowledged_more(recorders)
            killed_at = time.monotonic()
            pair.fails_over()
            promoted_at = time.monotonic()
            each_is_acknowledged_more(recorders)
            ended_at = time.monotonic()
        moments = sorted(
            told.at for each in recorders for told in each.acknowledged if killed_at <= told.at <= ended_at
        )
        without = max(later - earlier for earlier, later in pairwise([killed_at, *moments, ended_at]))
        everything = [told for each in recorders for told in each.acknowledged]
        figures(
            requests_acknowledged=len(everything),
            rounds_acknowledged=sum(len(told.events) for told in everything),
            of_these_requests_before_the_kill=sum(told.at < killed_at for told in everything),
            seconds_without_an_acknowledgement=f"{without:.2f}",
            seconds_to_kill_and_promote=f"{promoted_at - killed_at:.2f}",
            longest_wait_of_a_recorder=f"{max(told.waited for told in everything):.2f} s",
            sent_again=dict(sum((each.repeated for each in recorders), Counter[str]())),
        )
        for service in services:
            for owner in owners:
                is_as_it_was_told(service, owner, [each for each in recorders if each.owner is owner])
        assert without <= AT_MOST_SECONDS


def is_as_it_was_told(service: Service, owner: Client, recorders: Sequence[Recorder]) -> None:
    """Hold a session's log and its books against what was acknowledged, as a service tells them now."""
    told = [event for each in recorders for request in each.acknowledged for event in request.events]
    with service.client() as reader:
        reader.speaks_for(owner)
        log = list(events_of(reader))
        assert log == sorted(told, key=lambda event: int(event["seq"]))
        assert [event["seq"] for event in log] == [*range(1, len(log) + 1)]
        assert len({event["note"] for event in log}) == len(log)
        verified = reader.looks("/verify")
        assert verified["ok"], verified
        chips = sum(paid["amount"] for event in log for paid in event["payments"])
        balances = [player["balance"] for player in reader.looks()["players"]]
        assert balances == [-chips, chips, *[0] * (len(balances) - 2)]


def events_of(reader: Client) -> Iterator[Json]:
    """Give a session's whole log, page by page."""
    page = reader.looks("/events?limit=500")
    yield from page["events"]
    while page["next"]:
        page = reader.asks("GET", page["next"]).body
        yield from page["events"]
