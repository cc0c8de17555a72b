"""Where a database may be, how an address is shown, and that nobody but the store asks which engine is there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ledger.app import create_app
from ledger.cli import main
from ledger.config import BadSetting, Config
from ledger.store import address, open_store
from ledger.store.address import ENGINES, Address, BadAddress
from tests.scorekeeper import Scorekeeper, event
from tests.service import ROOT
from tests.store.memory import ENGINE, PLACES

WITH_PASSWORDS = [
    "mysql://aki:sesame@db.example/ledger",
    "mysql://aki:s/e:s@sesame@db.example/ledger",
    "mysql://a/ki:sesame@db.example/ledger",
    "mysql://:sesame@db.example/ledger",
    "mysql://db.example/ledger?user=aki&password=sesame",
    "mysql://db.example/ledger?sslPassword=open&sesame=1",
    "mysql:aki:sesame@db.example/ledger",
    " mysql+x://aki:sesame@db.example/ledger",
    '"mysql://aki:sesame@db.example/ledger"',
    "sqlite://aki:sesame@db.example/ledger.db",
]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- what is an address, and what is a path -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "file"),
    [
        ("evening.db", "evening.db"),
        ("books/evening.db", "books/evening.db"),
        ("sqlite:///evening.db", "evening.db"),
        ("sqlite:///books/evening.db", "books/evening.db"),
        ("sqlite:///a:b@c%20d.db", "a:b@c%20d.db"),
        ("./a:b.db", "a:b.db"),
        ("./odd://name.db", "odd:/name.db"),
        ("2026-11-21T12:00.db", "2026-11-21T12:00.db"),
        ("C:\\books\\evening.db", "C:\\books\\evening.db"),
        ("what now?.db", "what now?.db"),
        (Path("postgresql:evening.db"), "postgresql:evening.db"),
        ("木曜日.db", "木曜日.db"),
    ],
)
def test_the_books_are_in_the_file_that_is_named(given: str | Path, file: str, tmp_path: Path) -> None:
    store = open_store(given)
    store.prepare()
    store.close()
    assert (tmp_path / file).is_file()


def test_four_slashes_begin_at_the_root(tmp_path: Path) -> None:
    for given in (f"sqlite:///{tmp_path}/one.db", f"{tmp_path}/two.db"):
        open_store(given).prepare()
    assert {file.name for file in tmp_path.glob("*.db")} == {"one.db", "two.db"}


@pytest.mark.parametrize(
    "given",
    [
        *WITH_PASSWORDS,
        "mysql://db.example/ledger",
        "mysql+x://db.example/ledger",
        "mysql:ledger",
        "://db.example/ledger",
        "file:evening.db",
        "evening:thursday.db",
        "sqlite:",
        "sqlite:evening.db",
        "sqlite://",
        "sqlite:///",
        "sqlite://books/evening.db",
        "sqlite:///evening.db?mode=memory",
        "sqlite:///:memory:",
        "sqlite+pysqlite:///evening.db",
        ":memory:",
        "",
        "nu\0l.db",
    ],
)
def test_no_other_address_is_taken_for_a_path_and_nothing_is_made(given: str, tmp_path: Path) -> None:
    with pytest.raises(BadAddress):
        open_store(given)
    with pytest.raises(BadSetting, match=r"^LEDGER_DATABASE is .*sqlite:///beside/here.db") as refused:
        create_app({"LEDGER_DATABASE": given})
    assert "sesame" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_the_service_does_not_start_at_an_address_of_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.execv", lambda *_: pytest.fail("it starts"))
    for command in ("serve", "doctor", "sessions"):
        done = CliRunner().invoke(main, [command], env={"LEDGER_DATABASE": WITH_PASSWORDS[0]})
        assert done.exit_code == 2
        assert "LEDGER_DATABASE is 'mysql://aki:***@db.example/ledger'; it has to be the path" in done.output
    assert list(tmp_path.iterdir()) == []


def test_gunicorn_says_why_it_does_not_start() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gunicorn", "-c", "python:ledger.server", "wsgi:app"],
        cwd=ROOT,
        env={**os.environ, "LEDGER_DATABASE": WITH_PASSWORDS[0], "LEDGER_BIND": "127.0.0.1:0"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 2
    assert b"Error: LEDGER_DATABASE is 'mysql://aki:***@" in done.stderr
    assert b"sesame" not in done.stderr + done.stdout


def test_a_copy_is_not_made_at_an_address_of_no_engine(tmp_path: Path) -> None:
    open_store("ledger.db").prepare()
    before = sorted(tmp_path.iterdir())
    for command in ("backup", "restore"):
        done = CliRunner().invoke(main, [command, WITH_PASSWORDS[0]], env={"LEDGER_DATABASE": "ledger.db"})
        assert done.exit_code == 2
        assert "***" in done.output
        assert "sesame" not in done.output
    assert sorted(tmp_path.iterdir()) == before


# --- how it is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", WITH_PASSWORDS)
def test_a_password_is_not_shown(given: str) -> None:
    shown = address.without_password(given)
    assert "***" in shown
    assert "sesame" not in shown


@pytest.mark.parametrize("given", ["instance/ledger.db", "./a:b@c.db", "sqlite:////srv/books/ledger.db"])
def test_what_has_no_password_is_shown_as_it_is(given: str) -> None:
    assert str(Address.read(given)) == given


def test_settings_show_neither_password_nor_key(another_engine: str) -> None:
    config = Config.read({"LEDGER_DATABASE": another_engine, "LEDGER_OPENING_KEY": "knock"})
    assert config.database.whole == another_engine
    for text in (repr(config), str(config), repr(config.database), f"{config.database}", repr(config.database.shown)):
        assert "sesame" not in text
        assert "knock" not in text


# --- an engine is a line in the table -------------------------------------------------------------------------------


@pytest.fixture
def another_engine(monkeypatch: pytest.MonkeyPatch) -> str:
    """An engine that the house has never heard of, and the address of a database in it."""
    monkeypatch.setitem(ENGINES, "memory", ENGINE)
    PLACES.clear()
    return "memory://aki:sesame@evening"


def test_the_house_needs_no_other_line_for_another_engine(another_engine: str, tmp_path: Path) -> None:
    app = create_app({"LEDGER_DATABASE": another_engine})
    keeper = Scorekeeper(app.test_client())
    keeper.opens("shippin", name="New year")
    keeper.reports(event("chips_moved", from_="bank", to="p1", amount=5))
    assert keeper.client.get("/readyz").status_code == 200

    def runs(*words: str, exit_code: int = 0) -> str:
        done = CliRunner().invoke(main, words, env={"LEDGER_DATABASE": another_engine})
        assert "sesame" not in done.output
        assert done.exit_code == exit_code, done.output
        return done.output

    assert "New year" in runs("sessions")
    assert "whole" in runs("verify")
    assert "memory://aki:***@evening" in runs("doctor")
    assert "memory://copy is whole: 1 sessions" in runs("backup", "memory://copy")
    keeper.reports(event("chips_moved", from_="bank", to="p1", amount=7))
    runs("restore", "memory://copy", exit_code=1)
    assert "kept as memory://aki:***@eveningbefore" in runs("restore", "memory://copy", "--force")
    assert keeper.client.get(keeper.address, headers=keeper.headers()).status_code == 503
    keeper.client = create_app({"LEDGER_DATABASE": another_engine}).test_client()
    assert keeper.looks("/verify")["events"] == 1
    assert "is no memory" in runs("backup", "evening.db", exit_code=2)
    assert list(tmp_path.iterdir()) == []


def test_no_room_but_the_store_names_an_engine() -> None:
    rooms = [path for top in ("ledger", "schemas") for path in (ROOT / top).rglob("*.py")]
    outside = [path for path in rooms if ROOT / "ledger" / "store" not in path.parents]
    assert len(outside) > 50
    for path in (*outside, ROOT / "wsgi.py"):
        text = re.sub("Example: .*", "", path.read_text("utf-8"))  # an example may show an address
        assert [engine for engine in ENGINES if engine in text.lower()] == [], path
    program = "import sys, ledger.app, ledger.cli, ledger.server; sys.exit('ledger.store.sqlite' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0
