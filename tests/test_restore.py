"""A backup is only read by who restores it, and what is wrong with it leaves nothing behind."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ledger.app import create_app
from ledger.cli import main
from ledger.store import open_store
from ledger.store.address import Address
from ledger.store.sqlite import SQLiteStore
from tests.scorekeeper import Scorekeeper, event

pytestmark = pytest.mark.sqlite("backups are files")


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a session in it that nobody has open."""
    path = tmp_path_factory.mktemp("live") / "ledger.db"
    app = create_app({"LEDGER_DATABASE": path})
    keeper = Scorekeeper(app.test_client())
    keeper.opens("shippin", name="New year")
    keeper.reports(event("chips_moved", from_="bank", to="p1", amount=5))
    app.extensions["desk"].store.close()
    return path


@pytest.fixture
def backup(live: Path, tmp_path: Path) -> Path:
    """A backup in a folder of its own."""
    made = tmp_path / "backups" / "sunday.db"
    made.parent.mkdir()
    SQLiteStore(live).copy(Address.read(made))
    return made


def restores(backup: Path, target: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["restore", str(backup), *words], env={"LEDGER_DATABASE": str(target)})


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_backup_that_is_restored_stays_as_it_is(backup: Path, tmp_path: Path) -> None:
    before = contents(backup.parent)
    target = tmp_path / "tried" / "ledger.db"
    for words in ((), ("--force",)):
        done = restores(backup, target, *words)
        assert done.exit_code == 0, done.output
        assert f"{backup} is whole: 1 sessions" in done.output
        assert contents(backup.parent) == before
    assert not list(target.parent.glob("*restoring*"))
    with closing(open_store(Address.read(target))) as store:
        assert store.is_ready()
        assert len(store.session_ids()) == 1


def test_what_is_wrong_with_a_backup_leaves_nothing_behind(backup: Path, tmp_path: Path) -> None:
    target = tmp_path / "tried" / "ledger.db"
    with closing(sqlite3.connect(backup)) as db, db:
        db.execute("UPDATE balances SET balance = balance + 1 WHERE account = 'p1'")
    before = contents(backup.parent)
    done = restores(backup, target)
    assert (done.exit_code, f"{backup} is not whole" in done.output) == (1, True)
    backup.write_bytes(b"this is no database" * 1000)
    done = restores(backup, target)
    assert (done.exit_code, f"{backup} is no database" in done.output) == (1, True)
    backup.unlink()
    assert "there is no database at" in restores(backup, target).output
    assert set(contents(backup.parent)) <= set(before)
    assert list(target.parent.iterdir()) == []
