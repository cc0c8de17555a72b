"""A database that cannot be used, a setting that cannot be: one sentence with what to do, and an exit code, everywhere.

Each case is put to every command. Nobody sees a traceback, and what is not ours stays as it is, to the byte.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ledger.app import create_app
from ledger.cli import main
from ledger.storage.address import open_store
from tests.scorekeeper import Scorekeeper, event
from tests.service import ROOT

pytestmark = pytest.mark.sqlite("its file cannot be used")

NOBODY = 65_534


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a session in it that nobody has open."""
    path = tmp_path_factory.mktemp("sound") / "ledger.db"
    app = create_app({"LEDGER_DATABASE": path})
    keeper = Scorekeeper(app.test_client())
    keeper.opens("shippin", name="New year")
    moved = event("chips_moved", **{"from": "bank", "to": "p1", "amount": 5}, note="x" * 400)
    keeper.reports(*[moved] * 100)
    app.extensions["session_service"].store.engine.close()
    return path


@pytest.fixture
def database(sound: Path) -> Iterator[Path]:
    """A copy of the database in a folder whose rights count: nobody is who asks, as root may do everything."""
    folder = Path(tempfile.mkdtemp()).resolve()
    yield shutil.copyfile(sound, folder / "ledger.db")
    os.seteuid(os.getuid())
    folder.chmod(0o700)
    shutil.rmtree(folder)


def forbid(place: Path, database: Path, mode: int) -> None:
    place.chmod(mode)
    if os.getuid() == 0:
        for each in (database.parent, database):
            os.chown(each, NOBODY, NOBODY)
        os.seteuid(NOBODY)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE sessions (id TEXT)")


def newer(path: Path) -> None:
    row = "('fuda-ledger', 'm998_of_tomorrow', '')"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(f"INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES {row}")  # noqa: S608


CASES: dict[str, tuple[str, Callable[[Path], object]]] = {
    "no database": ("is no database", lambda path: path.write_bytes(b"this is no database" * 1000)),
    "truncated": ("is damaged", lambda path: os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)),
    "a folder": ("is a folder", a_folder),
    "of another program": ("is another program's database", of_another_program),
    "newer": ("a newer release has changed the database", newer),
    "read-only": ("cannot be written", lambda path: forbid(path, path, 0o400)),
    "in a read-only folder": ("cannot be written", lambda path: forbid(path.parent, path, 0o500)),
    "unreadable": ("cannot be opened", lambda path: forbid(path, path, 0)),
}
WHAT_TO_DO = ("set LEDGER_DATABASE to another file", "start that release")
COMMANDS = (
    *("sessions", "verify", "doctor", "export nobody", "token nobody", "delete nobody --yes", "tidy --keep-days 30"),
    *("import {root}/tests/rounds/shippin-by-hand.txt", "backup {database}.copy", "move {database}.there"),
)
"""The commands that work on the database, besides `restore`, which replaces it."""


def runs(database: Path, command: str, **settings: str) -> Result:
    words = command.format(root=ROOT, database=database).split()
    return CliRunner().invoke(main, words, env={"LEDGER_DATABASE": str(database), **settings})


def contents(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, but for what nobody may read and the file in which writers queue."""
    files = [file for file in folder.rglob("*") if file.is_file() and not file.name.endswith("-lock")]
    return {file.name: file.read_bytes() for file in files if os.access(file, os.R_OK, effective_ids=True)}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_is_wrong_and_what_to_do(case: str, command: str, database: Path) -> None:
    why, make_unusable = CASES[case]
    make_unusable(database)
    before = contents(database.parent)
    done = runs(database, command)
    assert (done.exit_code, type(done.exception)) == (1, SystemExit)
    said = [line for line in done.output.splitlines() if line.startswith(("Error: ", "warning: "))]
    assert len(said) == 1 or command == "doctor"
    assert any(why in line and any(what in line for what in WHAT_TO_DO) for line in said)
    assert contents(database.parent) == before


@pytest.mark.parametrize(("variable", "value"), [("LEDGER_STREAMS", "0"), ("LEDGER_DATABASE", "")])
@pytest.mark.parametrize("command", [*COMMANDS, "restore {root}/README.md", "serve"])
def test_every_command_refuses_a_setting_that_cannot_be(
    command: str, variable: str, value: str, tmp_path: Path
) -> None:
    done = runs(tmp_path / "x.db", command, **{variable: value})
    assert (done.exit_code, type(done.exception)) == (2, SystemExit)
    assert [line.startswith(f"Error: {variable} is ") for line in done.output.splitlines()] == [True]
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize(
    "words",
    [("gunicorn", "-c", "python:ledger.serving.gunicorn_config", "wsgi:app"), ("ledger", "serve")],
    ids=["gunicorn", "serve"],
)
@pytest.mark.parametrize(
    ("bind", "exit_code", "why"), [("127.0.0.1:0", 1, "is no database"), ("8000", 2, "LEDGER_BIND is '8000'")]
)
def test_it_does_not_start(words: tuple[str, ...], bind: str, exit_code: int, why: str, tmp_path: Path) -> None:
    (tmp_path / "ledger.db").write_bytes(b"this is no database" * 1000)
    environment = os.environ | {"LEDGER_DATABASE": str(tmp_path / "ledger.db"), "LEDGER_BIND": bind}
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, text=True)
    (line,) = [line for line in done.stderr.splitlines() if not line.startswith("time=")]
    assert (done.returncode, line.startswith("Error: "), why in line) == (exit_code, True, True), done.stderr


def test_damage_that_is_met_while_serving_is_told_as_such(database: Path, caplog: pytest.LogCaptureFixture) -> None:
    client = (app := create_app({"LEDGER_DATABASE": database})).test_client()
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (database.stat().st_size - 4096))
    token = {"Authorization": "Bearer 0123456789abcdef.x"}
    for answer in (
        client.get("/v1/sessions/0123456789abcdef", headers=token),
        client.post("/v1/sessions", json={"game": "shippin", "players": ["Zwetschge", "Ben"]}),
    ):
        assert (answer.status_code, answer.get_json()["code"]) == (500, "database_damaged")
    assert client.get("/readyz").status_code == 503
    assert "The database is damaged" in caplog.text
    assert "Zwetschge" not in caplog.text
    app.extensions["session_service"].store.engine.close()


def test_a_database_that_cannot_be_written_any_more_is_told_as_such(database: Path) -> None:
    client = create_app({"LEDGER_DATABASE": database}).test_client()
    forbid(database, database, 0o400)
    answer = client.post("/v1/sessions", json={"game": "shippin", "players": ["Aki", "Ben"]})
    assert (answer.status_code, answer.get_json()["code"]) == (503, "database_unusable")
    assert int(answer.headers["Retry-After"]) >= 1


def test_what_is_made_is_for_its_owner_only(tmp_path: Path) -> None:
    database, mask = tmp_path / "made" / "for-it" / "ledger.db", os.umask(0)
    try:
        open_store(database).engine.prepare()
        Scorekeeper(create_app({"LEDGER_DATABASE": database}).test_client()).opens("shippin")
        assert runs(database, "backup {database}.copy").exit_code == 0
        assert runs(database, "restore {database}.copy --force").exit_code == 0
    finally:
        os.umask(mask)
    made = [tmp_path / "made", *(tmp_path / "made").rglob("*")]
    assert {"ledger.db", "ledger.db-lock", "ledger.db.copy"} < {place.name for place in made}
    for place in made:
        assert place.stat().st_mode & 0o777 == (0o700 if place.is_dir() else 0o600), place
