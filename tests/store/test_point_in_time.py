"""A PostgreSQL database is brought back as it was at a moment, from a base backup and archived write-ahead logs.

The settings and the steps are those that docs/operating.md shows.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator

import pytest

from ledger.desk import Desk
from ledger.games import newest
from ledger.recording import Request
from ledger.session import ChipsMoved, Opening
from ledger.store import Store, open_store
from ledger.verification import verify
from tests.postgres import NoPostgreSQL, Server, somebody
from tests.scorekeeper import SEATS
from tests.service import ROOT

pytest.importorskip("psycopg")
pytestmark = pytest.mark.slow

ARCHIVING = {"archive_mode": "on", "archive_command": "test ! -f ../archive/%f && cp %p ../archive/%f"}
"""A command is run in the folder of the data."""

RESTORING = """
restore_command = 'cp {archive}/%f %p'
recovery_target_time = '{moment}'
recovery_target_action = 'promote'
"""

STEPS = 20
"""How many events are recorded before the base backup, between it and the moment, and after that."""


@pytest.fixture
def server() -> Iterator[Server]:
    with a_server(**ARCHIVING) as running:
        yield running


def a_server(**settings: str) -> Server:
    try:
        return Server(durable=True, settings=settings)
    except NoPostgreSQL as missing:
        pytest.skip(str(missing))


def test_it_is_restored_to_a_moment_and_is_whole(server: Server) -> None:
    archive = server.folder / "archive"
    archive.mkdir()
    if as_whom := somebody():
        shutil.chown(archive, as_whom["user"], as_whom["group"])
    books = Books(server)
    books.records(STEPS)
    server.runs("pg_basebackup", "--pgdata", server.folder / "base", "--checkpoint=fast", "--wal-method=none")
    books.records(STEPS)
    ((moment,),) = server.tells("SELECT clock_timestamp()::text")
    books.records(STEPS)
    server.tells("SELECT pg_switch_wal()")
    server.stop()  # what is not archived yet, is before it ends
    with restored(server, RESTORING.format(archive=archive, moment=moment)) as again:
        store = open_store(again.address())
        (session_id,) = store.session_ids()
        assert [event.seq for event in store.events(session_id)] == list(range(1, 2 * STEPS + 1))
        assert verify(store, session_id).findings == ()
        assert store.damage() == []
        desk = Desk(store)
        desk.recorder.record(session_id, [ChipsMoved("bank", "p1", 1)], Request(by=books.link))
        store.close()


class Books:
    """A session in a server's database."""

    def __init__(self, server: Server) -> None:
        self.store: Store = open_store(server.address())
        self.store.prepare()
        players = tuple(f"Player {seat}" for seat in range(1, SEATS["shirinma"] + 1))
        opening = Opening(game="shirinma", deck="mekurifuda", players=players, rules=newest("shirinma").rules())
        self.desk = Desk(self.store)
        session, link, _ = self.desk.open(opening)
        self.session, self.link = session.id, link.id

    def records(self, events: int) -> None:
        for _ in range(events):
            self.desk.recorder.record(self.session, [ChipsMoved("bank", "p1", 1)], Request(by=self.link))


def restored(server: Server, recovery: str) -> Server:
    """Make a server of a base backup that lies in another's folder; it recovers when it starts."""
    again = a_server()
    again.make()
    settings = (again.data / "postgresql.conf").read_text("utf-8")
    shutil.rmtree(again.data)
    shutil.move(server.folder / "base", again.data)
    (again.data / "postgresql.conf").write_text(settings + recovery, "utf-8")
    (again.data / "recovery.signal").touch()
    return again


@pytest.mark.parametrize(
    "step", ["archive_mode = ", "recovery.signal", *re.findall(r"^\w+ = ", RESTORING, re.MULTILINE)]
)
def test_the_documents_show_what_is_done_here(step: str) -> None:
    assert step in (ROOT / "docs" / "operating.md").read_text("utf-8")
