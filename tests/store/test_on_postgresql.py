"""What only PostgreSQL has: prepared by many at once, refused in words, never shown with its password."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ledger.app import create_app
from ledger.cli import main
from ledger.store import DatabaseUnusable, open_store
from ledger.store.address import Address
from ledger.store.postgresql import open_at
from tests.postgres import OWNER, Server
from tests.scorekeeper import Scorekeeper, event
from tests.store.contract import in_threads

psycopg = pytest.importorskip("psycopg")

SECRET = "sesame-of-the-database"


@pytest.fixture
def address(postgres: Server, tmp_path: Path) -> Iterator[str]:
    """A schema in which there is nothing yet."""
    name = f"alone_{abs(hash(tmp_path)):x}"
    yield postgres.schema(name)
    postgres.drop(name)


def runs(address: str, *words: str, exit_code: int = 0) -> Result:
    done = CliRunner().invoke(main, words, env={"LEDGER_DATABASE": address})
    assert done.exit_code == exit_code, done.output
    return done


@pytest.fixture
def evening(address: str) -> Iterator[Scorekeeper]:
    app = create_app({"LEDGER_DATABASE": address})
    keeper = Scorekeeper(app.test_client())
    keeper.opens("shippin", name="木曜日", players=["Aki", "שלום", "e\u0301", "👩‍👩‍👧‍👦", "\U0010ffff"])
    keeper.reports(event("chips_moved", from_="bank", to="p1", amount=1_000_000, note="Ω"))
    yield keeper
    app.extensions["desk"].store.close()


# --- an evening over HTTP, and every command ------------------------------------------------------------------------


def test_an_evening_is_recorded_corrected_taken_home_and_brought_back(evening: Scorekeeper) -> None:
    evening.reports(event("event_amended", seq=1, event=event("chips_moved", from_="bank", to="p1", amount=5)))
    evening.reports(event("player_erased", player="p2"), event("player_renamed", player="p3", name="é"))
    told = evening.looks("")
    assert [(player["name"], player["balance"]) for player in told["players"]][:3] == [("Aki", 5), ("p2", 0), ("é", 0)]
    assert evening.looks("/verify")["findings"] == []
    file = evening.looks("/export.json")
    brought = evening.client.post("/v1/sessions/import", json=file)
    assert brought.status_code == 201, brought.text
    assert brought.get_json()["session"]["players"] == told["players"]


def test_every_command_works_on_it(address: str, evening: Scorekeeper, tmp_path: Path) -> None:
    session = evening.session_id
    assert "木曜日" in runs(address, "sessions").stdout
    assert json.loads(runs(address, "verify", "--json").stdout)[session]["ok"]
    file = tmp_path / "evening.json"
    runs(address, "export", session, "-o", str(file))
    brought = json.loads(runs(address, "import", str(file), "--json").stdout)
    assert len(json.loads(runs(address, "sessions", "--json").stdout)["sessions"]) == 2
    assert brought
    assert runs(address, "token", session, "--role", "viewer").stdout.startswith(f"{session}.")
    assert runs(address, "tidy").stdout == "deleted: 0\n"
    assert "deleted: 0" in runs(address, "tidy", "--keep-days", "30").stdout
    assert "is gone" in runs(address, "delete", session, "--yes").stdout
    assert len(json.loads(runs(address, "sessions", "--json").stdout)["sessions"]) == 1
    told = json.loads(runs(address, "doctor", "--json").stdout)
    assert (told["warnings"], told["database"]["pending_migrations"]) == ([], [])
    assert told["database"]["bytes"] > 0
    assert told["postgresql"]


def test_backup_and_restore_say_what_to_use_instead(address: str, evening: Scorekeeper, tmp_path: Path) -> None:
    assert evening.session_id
    file = str(tmp_path / "copy.db")
    for words in (
        ["backup", file],
        ["backup", address],
        ["restore", file],
        ["restore", file, "--force"],
        ["restore", address],
        ["restore", address, "--force"],
    ):
        assert "use pg_basebackup" in runs(address, *words, exit_code=1).output, words
    assert list(tmp_path.iterdir()) == []


# --- its schema -----------------------------------------------------------------------------------------------------


def test_many_threads_that_prepare_it_at_once_wait_for_one_another(address: str) -> None:
    stores = [open_store(address) for _ in range(8)]
    in_threads(*(store.prepare for store in stores))
    for store in stores:
        assert store.is_ready()
        store.close()


def test_a_database_that_cannot_write_every_name_is_refused_with_what_to_do(postgres: Server) -> None:
    postgres.tells(
        "DROP DATABASE IF EXISTS latin", "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
    )
    try:
        with pytest.raises(DatabaseUnusable, match=r"writes LATIN1.*--encoding=UTF8"):
            open_store(postgres.address("latin")).prepare()
        assert "--encoding=UTF8" in runs(postgres.address("latin"), "doctor", exit_code=1).output
    finally:
        postgres.tells("DROP DATABASE latin")


# --- its address ----------------------------------------------------------------------------------------------------


def test_of_several_hosts_the_one_that_can_be_written_is_taken(postgres: Server, address: str, tmp_path: Path) -> None:
    schema = address.rpartition("search_path%3D")[2]
    for hosts in (f"{tmp_path},{postgres.folder}", f"{postgres.folder},{tmp_path}"):
        several = postgres.address(
            host=hosts, port="5432,5432", options=f"-csearch_path={schema}", target_session_attrs="read-write"
        )
        with closing(open_store(several, busy_seconds=5)) as store:
            store.prepare()
            assert store.is_ready()


def test_nobody_there_is_said_in_a_sentence(tmp_path: Path) -> None:
    nowhere = f"postgresql:///books?host={tmp_path}&password={SECRET}"
    for words in (["sessions"], ["verify"], ["tidy"], ["doctor"]):
        said = runs(nowhere, *words, exit_code=1).output
        assert "cannot be reached" in said, words
        assert SECRET not in said
        assert "Traceback" not in said


WITH_PASSWORDS = [
    "postgresql://{role}:{secret}@/{database}?host={folder}&options={options}",
    "postgresql:///{database}?host={folder}&user=postgres&password={secret}&options={options}",
    "postgres://postgres:{secret}@/{database}?host={folder}&options={options}",
]


@pytest.mark.parametrize("form", WITH_PASSWORDS)
def test_a_password_is_in_no_answer_no_line_of_the_log_and_no_command(
    form: str, postgres: Server, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    role = f"aki_of_{postgres.database}"
    postgres.tells(f"DROP ROLE IF EXISTS {role}", f"CREATE ROLE {role} LOGIN SUPERUSER")
    options = f"-csearch_path%3D{address.rpartition('search_path%3D')[2]}"
    folder = str(postgres.folder).replace("/", "%2F")
    secret = form.format(secret=SECRET, folder=folder, options=options, role=role, database=postgres.database)
    caplog.set_level(logging.DEBUG)
    app = create_app({"LEDGER_DATABASE": secret})
    keeper = Scorekeeper(app.test_client())
    keeper.opens()
    said = [runs(secret, *words).output for words in (["doctor"], ["doctor", "--json"], ["sessions"], ["verify"])]
    said += [runs(secret, "backup", "copy.db", exit_code=1).output, repr(open_store(secret)), caplog.text]
    with psycopg.connect(address, user=OWNER) as db:
        db.execute("ALTER TABLE events RENAME TO gone")
    answer = keeper.tries(event("round_opened"))
    assert answer.status_code >= 500
    said += [answer.text, caplog.text, runs(secret, "verify", exit_code=1).output]
    app.extensions["desk"].store.close()
    assert not [text for text in said if SECRET in text]


def test_an_address_that_cannot_be_read_is_refused_without_its_password() -> None:
    for wrong in (f"postgresql:///books?password={SECRET}&nonsense=1", f"postgresql://aki:{SECRET}@host:port/books"):
        said = runs(wrong, "sessions", exit_code=1).output
        assert SECRET not in said
        assert "Error: " in said
        assert "Traceback" not in said


def test_without_psycopg_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    found = "ledger.store.postgresql.find_spec"
    monkeypatch.setattr(found, lambda name: None if name.startswith("psycopg") else object())
    with pytest.raises(DatabaseUnusable, match=r"pip install\s+'fuda-ledger\[postgres\]'"):
        open_at(Address.read(f"postgresql://aki:{SECRET}@db.example/ledger"), busy_seconds=1)
    said = runs(f"postgresql://aki:{SECRET}@db.example/ledger", "sessions", exit_code=1).output
    assert "fuda-ledger[postgres]" in said
    assert SECRET not in said
