"""A database that cannot be used, a setting that cannot be: one sentence with what to do, and an exit code, everywhere.

Each case is put to every command, and to both ways to start. Nobody sees a traceback, and what is not ours stays as it
is, to the byte.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result
from flask.testing import FlaskClient

from ledger import server
from ledger.app import create_app
from ledger.cli import main
from ledger.config import BadSetting, Config
from ledger.starting import NowhereToListen, make_sure_of
from ledger.storage.address import open_store
from ledger.storage.errors import StoreError
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
    app.extensions["desk"].store.engine.close()
    return path


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder whose rights count: for root there are none, so it belongs to nobody, and nobody is who asks."""
    made = Path(tempfile.mkdtemp()).resolve()
    yield made
    os.seteuid(os.getuid())
    for place in (made, *made.rglob("*")):
        if place.is_dir():
            place.chmod(0o700)
    shutil.rmtree(made)


@pytest.fixture
def database(folder: Path, sound: Path) -> Path:
    """A copy of the database that is not sound any more, once a case has been at it."""
    return shutil.copyfile(sound, folder / "ledger.db")


def become_nobody(path: Path) -> None:
    """Be somebody for whom rights count."""
    if os.getuid() == 0:
        for place in (path.parent, path):
            os.chown(place, NOBODY, NOBODY)
        os.seteuid(NOBODY)


def no_database(path: Path) -> None:
    path.write_bytes(b"this is no database" * 1000)


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def of_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("CREATE TABLE sessions (id TEXT)")


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
            " VALUES ('fuda-ledger', 'm998_of_tomorrow', '')"
        )


def read_only(path: Path) -> None:
    path.chmod(0o400)
    become_nobody(path)


def in_a_read_only_folder(path: Path) -> None:
    path.parent.chmod(0o500)
    become_nobody(path)


def unreadable(path: Path) -> None:
    path.chmod(0)
    become_nobody(path)


CASES: dict[Callable[[Path], None], str] = {
    no_database: "is no database",
    truncated: "is damaged",
    a_folder: "is a folder",
    of_another_program: "is another program's database",
    newer: "a newer release has changed the database",
    read_only: "cannot be written",
    in_a_read_only_folder: "cannot be written",
    unreadable: "cannot be opened",
}
WHAT_TO_DO = ("set LEDGER_DATABASE to another file", "start that release")
COMMANDS: dict[str, tuple[str, ...]] = {
    "sessions": (),
    "export": ("nobody",),
    "import": (str(ROOT / "tests/rounds/shippin-by-hand.txt"),),
    "token": ("nobody",),
    "delete": ("nobody", "--yes"),
    "tidy": ("--keep-days", "30"),
    "verify": (),
    "backup": ("{folder}/copy.db",),
    "move": ("{folder}/there.db",),
}
"""The commands that work on the database, besides `restore`, which replaces it, and `doctor`, which only looks."""

WITHOUT_A_DATABASE = {"calculate", "replay", "simulate"}

each_case = pytest.mark.parametrize("make_unusable", CASES, ids=lambda case: case.__name__)


def runs(database: Path, command: str, *words: str, **settings: str) -> Result:
    variables = {"LEDGER_DATABASE": str(database), **settings}
    return CliRunner().invoke(main, [command, *words], env=variables)


def says_one_sentence(done: Result, exit_code: int) -> str:
    assert isinstance(done.exception, SystemExit), done.exception
    (line,) = [line for line in done.output.splitlines() if line.startswith("Error: ")]
    assert done.exit_code == exit_code
    assert "Traceback" not in done.output
    return line


def contents(folder: Path) -> dict[str, bytes]:
    """Everything in a folder, but for what nobody may read and the file in which writers queue."""
    files = [file for file in folder.rglob("*") if file.is_file() and not file.name.endswith("-lock")]
    return {file.name: file.read_bytes() for file in files if os.access(file, os.R_OK, effective_ids=True)}


@each_case
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_what_is_wrong_and_what_to_do(
    make_unusable: Callable[[Path], None], command: str, database: Path, folder: Path, tmp_path: Path
) -> None:
    make_unusable(database)
    before = contents(folder)
    words = [word.format(folder=tmp_path, database=database) for word in COMMANDS[command]]
    line = says_one_sentence(runs(database, command, *words), 1)
    assert CASES[make_unusable] in line
    assert any(what in line for what in WHAT_TO_DO)
    assert contents(folder) == before


@each_case
def test_doctor_warns(make_unusable: Callable[[Path], None], database: Path, folder: Path) -> None:
    make_unusable(database)
    before = contents(folder)
    done = runs(database, "doctor")
    assert done.exit_code == 1
    warnings = "\n".join(line for line in done.output.splitlines() if line.startswith("warning: "))
    assert CASES[make_unusable] in warnings
    assert "nothing seems wrong" not in done.output
    assert contents(folder) == before


@each_case
def test_it_does_not_start(
    make_unusable: Callable[[Path], None], database: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The master says so and ends, before there are workers."""
    make_unusable(database)
    before = contents(folder)
    monkeypatch.setattr(server, "_settings", Config.read({"LEDGER_DATABASE": database}))
    arbiter = SimpleNamespace(master_pid=0, cfg=SimpleNamespace(address=[]))
    with pytest.raises(SystemExit, match=re.escape(CASES[make_unusable])) as ended:
        server.on_starting(cast("Any", arbiter))
    assert str(ended.value).startswith("Error: ")
    assert contents(folder) == before
    with pytest.raises(StoreError):
        create_app({"LEDGER_DATABASE": database})


SETTINGS = [
    ("LEDGER_BIND", "127.0.0.1:99999", "an address and a port"),
    ("LEDGER_BIND", "", "an address and a port"),
    ("LEDGER_BIND", "8000", "an address and a port"),
    ("LEDGER_BIND", "127.0.0.1:8000,[::1]", "an address and a port"),
    ("LEDGER_BIND", "unix:", "an address and a port"),
    ("LEDGER_BIND", "127.0.0.1:８０００", "an address and a port"),
    ("LEDGER_BUSY_SECONDS", "nan", "more than 0, and at most 86400"),
    ("LEDGER_BUSY_SECONDS", "-inf", "more than 0, and at most 86400"),
    ("LEDGER_STREAM_SECONDS", "1e300", "more than 0, and at most 86400"),
    ("LEDGER_STREAM_SECONDS", "-1", "more than 0, and at most 86400"),
    ("LEDGER_WORKERS", "100000", "more than 0, and at most 128"),
    ("LEDGER_KEEP_DAYS", "4000000", "more than 0, and at most 36500"),
    ("LEDGER_BODY_BYTES", "9" * 30, "more than 0, and at most 1073741824"),
    ("LEDGER_OPENING_KEY", "開けゴマ", "letters, digits and signs of ASCII"),
    ("LEDGER_OPENING_KEY", "se\u0301same", "letters, digits and signs of ASCII"),
    ("LEDGER_OPENING_KEY", "sesame ", "letters, digits and signs of ASCII"),
    ("LEDGER_ORIGINS", "cards.example", "origins with commas"),
    ("LEDGER_DATABASE", "", "the path of a file"),
    ("LEDGER_DATABASE", "mysql://ledger", "the path of a file"),
]


@pytest.mark.parametrize(("variable", "value", "wanted"), SETTINGS)
def test_a_setting_that_cannot_be_is_refused_everywhere(variable: str, value: str, wanted: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=f"^{variable} is .*{wanted}"):
        Config.read({variable: value})
    for command in set(main.commands) - WITHOUT_A_DATABASE:
        words = [word.format(folder=tmp_path, database="y.db") for word in COMMANDS.get(command, ())]
        words += [str(ROOT / "README.md")] * (command == "restore")
        line = says_one_sentence_of_use(runs(tmp_path / "x.db", command, *words, **{variable: value}))
        assert line.startswith(f"Error: {variable} is ")
    assert not (tmp_path / "x.db").exists()


def says_one_sentence_of_use(done: Result) -> str:
    return says_one_sentence(done, 2)


def test_an_opening_key_that_is_refused_is_not_shown() -> None:
    with pytest.raises(BadSetting) as refused:
        Config.read({"LEDGER_OPENING_KEY": "sésame"})
    assert "same" not in str(refused.value)


# --- where it listens -----------------------------------------------------------------------------------------------


def test_an_address_that_is_taken_is_said_so() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = ("127.0.0.1", other.getsockname()[1])
        with pytest.raises(NowhereToListen, match=r"^somebody listens at 127\.0\.0\.1:\d+ already: stop them"):
            make_sure_of(address)
    make_sure_of(address)


# --- while it serves ------------------------------------------------------------------------------------------------


@pytest.fixture
def served(sound: Path, tmp_path: Path) -> Iterator[FlaskClient]:
    """A service whose database breaks while it serves: every page but the first is not what it was."""
    database = shutil.copyfile(sound, tmp_path / "ledger.db")
    app = create_app({"LEDGER_DATABASE": database})
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (database.stat().st_size - 4096))
    yield app.test_client()
    app.extensions["desk"].store.engine.close()


def test_damage_that_is_met_while_serving_is_told_as_such(
    served: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    token = {"Authorization": "Bearer 0123456789abcdef.x"}
    for answer in (
        served.get("/v1/sessions/0123456789abcdef", headers=token),
        served.post("/v1/sessions", json={"game": "shippin", "players": ["Zwetschge", "Ben"]}),
    ):
        problem = answer.get_json()
        assert (answer.status_code, problem["code"]) == (500, "database_damaged")
        assert answer.content_type == "application/problem+json"
    assert served.get("/readyz").status_code == 503
    assert "The database is damaged" in caplog.text
    assert "Traceback" not in caplog.text
    assert "Zwetschge" not in caplog.text


def test_what_cannot_be_read_of_a_text_is_not_told_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    database = tmp_path / "ledger.db"
    app = create_app({"LEDGER_DATABASE": database})
    scorekeeper = Scorekeeper(app.test_client())
    scorekeeper.opens("shippin", players=["Zwetschge", "Ben"])
    app.extensions["desk"].store.engine.close()
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE words SET text = CAST(CAST(text AS BLOB) || x'ff' AS TEXT)")
    again = create_app({"LEDGER_DATABASE": database})
    answer = again.test_client().get(scorekeeper.address, headers=scorekeeper.headers())
    assert (answer.status_code, answer.get_json()["code"]) == (500, "database_damaged")
    assert "The database is damaged" in caplog.text
    assert "Zwetschge" not in caplog.text
    again.extensions["desk"].store.engine.close()


def test_a_database_that_cannot_be_written_any_more_is_told_as_such(
    sound: Path, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = shutil.copyfile(sound, folder / "ledger.db")
    client = create_app({"LEDGER_DATABASE": database}).test_client()
    read_only(database)
    answer = client.post("/v1/sessions", json={"game": "shippin", "players": ["Aki", "Ben"]})
    assert (answer.status_code, answer.get_json()["code"]) == (503, "database_unusable")
    assert int(answer.headers["Retry-After"]) >= 1
    assert "Traceback" not in caplog.text


# --- who can read it ------------------------------------------------------------------------------------------------


@pytest.fixture
def no_mask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("no_mask")
def test_what_is_made_is_for_its_owner_only(tmp_path: Path) -> None:
    database = tmp_path / "made" / "for it" / "ledger.db"
    store = open_store(database)
    store.engine.prepare()
    Scorekeeper(create_app({"LEDGER_DATABASE": database}).test_client()).opens("shippin")
    assert runs(database, "backup", str(tmp_path / "made" / "copy.db")).exit_code == 0
    assert runs(database, "restore", str(tmp_path / "made" / "copy.db"), "--force").exit_code == 0
    made = list((tmp_path / "made").rglob("*"))
    assert {"ledger.db", "ledger.db-lock", "copy.db"} < {place.name for place in made}
    rights = {place.relative_to(tmp_path): oct(place.stat().st_mode & 0o777) for place in [tmp_path / "made", *made]}
    assert rights == {place: "0o700" if (tmp_path / place).is_dir() else "0o600" for place in rights}
