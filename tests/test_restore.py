"""A backup is only read by who restores it: the release that made it can read it ever after."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
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

NOBODY = 65_534


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


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that also nobody can reach: for root rights count for nothing, so nobody is who asks."""
    made = Path(tempfile.mkdtemp()).resolve()
    yield made
    os.seteuid(os.getuid())
    for place in (made, *made.iterdir()):
        place.chmod(0o700)
    shutil.rmtree(made)


def restores(backup: Path, target: Path, *words: str) -> Result:
    return CliRunner().invoke(main, ["restore", str(backup), *words], env={"LEDGER_DATABASE": str(target)})


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def as_it_was_made(_backup: Path) -> None:
    """The usual."""


def of_the_release_before(backup: Path) -> None:
    with closing(sqlite3.connect(backup)) as db, db:
        db.execute("DROP TABLE forgetting")
        assert db.execute("DELETE FROM _sqlite_migrations WHERE name LIKE 'm007%'").rowcount == 1
    with closing(sqlite3.connect(backup)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def copied_by_hand(backup: Path) -> None:
    """What was written last is in the log beside it."""
    by_hand = backup.with_name("by-hand")
    with closing(sqlite3.connect(backup)) as db:
        db.execute("PRAGMA user_version = 7")
        for name in ("", "-wal"):
            shutil.copyfile(f"{backup}{name}", f"{by_hand}{name}")
    for name in ("", "-wal"):
        Path(f"{by_hand}{name}").replace(f"{backup}{name}")
    assert contents(backup.parent)["sunday.db-wal"]


def written_last(database: Path) -> int:
    with closing(sqlite3.connect(database)) as db:
        (number,) = db.execute("PRAGMA user_version").fetchone()
    return int(number)


@pytest.mark.parametrize("make", [as_it_was_made, of_the_release_before, copied_by_hand])
def test_a_backup_that_is_restored_stays_as_it_is(backup: Path, tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(backup)
    before = contents(backup.parent)
    target = tmp_path / "tried" / "ledger.db"
    for words in ((), ("--force",)):
        done = restores(backup, target, *words)
        assert done.exit_code == 0, done.output
        assert f"{backup} is whole: 1 sessions" in done.output
        assert contents(backup.parent) == before
    assert not list(target.parent.glob("*restoring*"))
    assert written_last(target) == (7 if make == copied_by_hand else 0)
    with closing(open_store(Address.read(target))) as store:
        assert store.is_ready()
        assert len(store.session_ids()) == 1


def test_a_backup_in_a_folder_that_may_not_be_written_is_restored(backup: Path, folder: Path) -> None:
    of_the_release_before(backup)
    closed, target = folder / "closed", folder / "tried" / "ledger.db"
    shutil.copytree(backup.parent, closed)
    before = contents(closed)
    for place, rights in ((closed / backup.name, 0o444), (closed, 0o555)):
        place.chmod(rights)
    if os.getuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.seteuid(NOBODY)
    done = restores(closed / backup.name, target)
    assert done.exit_code == 0, done.output
    assert target.stat().st_mode & 0o777 == 0o600
    assert contents(closed) == before


def test_a_backup_that_is_open_is_restored_as_it_stands(backup: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(backup)) as db:
        db.execute("PRAGMA user_version = 7")
        before = contents(backup.parent)
        assert set(before) == {"sunday.db", "sunday.db-wal", "sunday.db-shm"}
        assert restores(backup, tmp_path / "ledger.db").exit_code == 0
        assert written_last(tmp_path / "ledger.db") == 7
        after = contents(backup.parent)
        assert set(after) == set(before)
        assert all(after[name] == before[name] for name in ("sunday.db", "sunday.db-wal"))


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
