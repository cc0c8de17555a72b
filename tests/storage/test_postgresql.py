"""PostgreSQL: connections and answers that are lost, waiting for others, and a password that is shown nowhere."""

from __future__ import annotations

import logging
import re
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from select import select
from typing import Literal
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from ledger.app import create_app
from ledger.cli import main
from ledger.storage.address import open_store
from ledger.storage.errors import StoreBusy, StoreError, StoreUnavailable
from ledger.storage.store import Store
from tests.postgres import OWNER, Server
from tests.scorekeeper import Scorekeeper, event
from tests.storage.conftest import Addresses
from tests.storage.contract import A, B, append_next, is_whole, prepared, row

psycopg = pytest.importorskip("psycopg")
pytestmark = pytest.mark.integration

SECRET = "sesame-of-the-database"

END_ALL = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
    " AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
)


@pytest.fixture
def address(addresses: Addresses) -> str:
    return addresses("postgresql:books")


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with prepared(address) as made:
        yield made


# --- others ---------------------------------------------------------------------------------------------------------


def test_writers_of_two_sessions_do_not_wait_for_one_another(store: Store) -> None:
    with store.transaction(A) as log:
        log.append([row(1)], [])
        append_next(store, B)
        is_whole(store, B, 1)


@pytest.mark.usefixtures("store")
def test_who_waits_too_long_for_a_session_is_told_that_it_is_busy(address: str) -> None:
    with closing((hasty := open_store(address, busy_seconds=0.1)).engine), psycopg.connect(address) as other:
        other.execute("SELECT 1 FROM sessions WHERE id = %s FOR UPDATE", [A])
        with pytest.raises(StoreBusy):
            append_next(hasty, A)
        append_next(hasty, B)
        other.rollback()
        append_next(hasty, A)
        is_whole(hasty, A, 1)


# --- lost -----------------------------------------------------------------------------------------------------------


class Cable:
    """A socket that leads to the server's, on which a COMMIT is lost once: `before` it is done, or `after` it.

    If it `is_cut` then, nobody reaches the server any more.
    """

    def __init__(self, folder: Path, server: Server) -> None:
        self.loses: Literal["before", "after"] | None = None
        self.is_cut = False
        self.folder = folder
        self._server = f"{server.folder}/.s.PGSQL.{server.port}"
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(f"{folder}/.s.PGSQL.5432")
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client = self._listening.accept()[0]
                threading.Thread(target=self._carry, args=[client], daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        """Carry what a client and the server say until one of them has gone, or what is said is lost."""
        is_lost = False
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._server)
            while True:
                for end in select([client, server], [], [])[0]:
                    said = end.recv(65536)
                    if end is client and self.loses and b"COMMIT" in said:
                        is_lost = self.loses == "after"
                        self.loses, said = None, said if is_lost else b""
                    is_cut = self.is_cut and self.loses is None
                    if not said or (end is server if is_lost else is_cut):
                        return
                    (server if end is client else client).sendall(said)


@pytest.fixture
def cable(tmp_path: Path, postgres: Server) -> Iterator[Cable]:
    with closing(Cable(tmp_path, postgres)) as made:
        yield made


@pytest.fixture
def far(cable: Cable, address: str) -> Iterator[Store]:
    """A store at the other end of a cable."""
    with prepared(re.sub(r"host=[^&]*", f"host={quote(str(cable.folder), safe='')}", address), busy_seconds=1) as made:
        yield made


def test_a_commit_whose_answer_was_lost_is_looked_for(far: Store, cable: Cable) -> None:
    cable.loses = "after"
    append_next(far, A)
    is_whole(far, A, 1)
    cable.loses = "before"
    with pytest.raises(StoreError):
        append_next(far, A)
    is_whole(far, A, 1)
    append_next(far, A)
    is_whole(far, A, 2)


def test_of_a_commit_that_cannot_be_looked_for_nothing_is_said(far: Store, cable: Cable) -> None:
    cable.loses, cable.is_cut = "after", True
    with pytest.raises(StoreBusy):
        append_next(far, A)
    cable.is_cut = False
    append_next(far, A)
    is_whole(far, A, 2)


def test_a_connection_that_was_ended_is_replaced(store: Store, postgres: Server) -> None:
    for _ in range(3):
        postgres.tells(END_ALL)
        assert store.head(A) is not None
        append_next(store, A)
    is_whole(store, A, 3)


def test_nothing_stays_of_a_block_whose_connection_was_ended(store: Store, postgres: Server) -> None:
    def is_ended() -> None:
        with store.transaction(A) as log:
            log.append([row(1)], [])
            postgres.tells(END_ALL)

    with pytest.raises(StoreError):
        is_ended()
    append_next(store, A)
    is_whole(store, A, 1)


# --- what it says ---------------------------------------------------------------------------------------------------


def runs(address: str, *words: str, exit_code: int = 0) -> str:
    done = CliRunner().invoke(main, words, env={"LEDGER_DATABASE": address})
    assert done.exit_code == exit_code, done.output
    return done.output


def test_it_says_what_makes_and_brings_back_copies_of_it(store: Store, tmp_path: Path) -> None:
    copy = str(tmp_path / "copy.db")
    with pytest.raises(StoreUnavailable, match="pg_basebackup"):
        store.engine.backup(copy)
    with pytest.raises(StoreUnavailable, match="pg_basebackup"):
        store.engine.restore(copy, lambda _store: None)


def test_a_database_that_cannot_write_every_name_is_refused_with_what_to_do(postgres: Server) -> None:
    postgres.tells(
        "DROP DATABASE IF EXISTS latin", "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
    )
    try:
        with pytest.raises(StoreUnavailable, match=r"LATIN1.*--encoding=UTF8"):
            open_store(postgres.address("latin")).engine.prepare()
    finally:
        postgres.tells("DROP DATABASE latin")


def test_of_several_hosts_the_one_that_can_be_written_is_taken(postgres: Server, address: str, tmp_path: Path) -> None:
    schema = address.rpartition("search_path%3D")[2]
    for hosts in (f"{tmp_path},{postgres.folder}", f"{postgres.folder},{tmp_path}"):
        several = postgres.address(host=hosts, port="5432,5432", options=f"-csearch_path={schema}")
        with closing(open_store(several, busy_seconds=5).engine) as engine:
            engine.prepare()
            assert engine.is_ready()


def test_an_address_at_which_nobody_is_or_that_cannot_be_read_is_refused_without_its_password(tmp_path: Path) -> None:
    nowhere = f"postgresql:///books?host={tmp_path}&password={SECRET}"
    assert "cannot be reached" in runs(nowhere, "sessions", exit_code=1)
    wrong = [f"postgresql:///books?password={SECRET}&nonsense=1", f"postgresql://aki:{SECRET}@host:port/books"]
    for address in (nowhere, *wrong):
        for command in ("sessions", "verify", "tidy", "doctor"):
            said = runs(address, command, exit_code=1)
            assert SECRET not in said
            assert "Traceback" not in said


WITH_PASSWORDS = [
    "postgresql://{role}:{secret}@/{database}?host={folder}&options={options}",
    "postgres:///{database}?host={folder}&user={role}&password={secret}&options={options}",
]


@pytest.mark.parametrize("form", WITH_PASSWORDS)
def test_a_password_is_in_no_answer_no_line_of_the_log_and_no_command(
    form: str, postgres: Server, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    role = f"aki_of_{postgres.database}"
    postgres.tells(f"DROP ROLE IF EXISTS {role}", f"CREATE ROLE {role} LOGIN SUPERUSER")
    options = address.rpartition("options=")[2].partition("&")[0]
    folder = quote(str(postgres.folder), safe="")
    secret = form.format(secret=SECRET, folder=folder, options=options, role=role, database=postgres.database)
    caplog.set_level(logging.DEBUG)
    app = create_app({"LEDGER_DATABASE": secret})
    keeper = Scorekeeper(app.test_client())
    keeper.opens()
    said = [runs(secret, *words) for words in (["doctor"], ["doctor", "--json"], ["sessions"], ["verify"])]
    store = open_store(secret)
    said += [repr(store), repr(store.engine), runs(secret, "backup", "copy.db", exit_code=1)]
    with psycopg.connect(address, user=OWNER) as db:
        db.execute("ALTER TABLE events RENAME TO gone")
    answer = keeper.tries(event("round_opened"))
    assert answer.status_code >= 500
    said += [answer.text, runs(secret, "verify", exit_code=1), caplog.text]
    app.extensions["session_service"].store.engine.close()
    assert not [text for text in said if SECRET in text]
    assert any("***" in text for text in said)


def test_without_psycopg_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ledger.storage.postgresql", None)
    with pytest.raises(StoreUnavailable, match=r"pip install 'fuda-ledger\[postgres\]'") as refused:
        open_store(f"postgresql://aki:{SECRET}@db.example/ledger")
    assert SECRET not in str(refused.value)
