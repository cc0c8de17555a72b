"""One bit of the database's file that has tipped over: it is found, or it changes nothing that anybody can read."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ledger.app import create_app
from ledger.hash_chain import SaltedText
from ledger.store import StoreTrouble
from ledger.store.checksums import COVERED, row_sum
from ledger.store.sqlite import SQLiteStore
from ledger.store.sqlite.deleting import begin_deletion
from ledger.verification import verify
from tests.scorekeeper import Scorekeeper, event
from tests.store.contract import FIRST, A, append, link, made, opening, reply, row

pytestmark = pytest.mark.sqlite("bits of its file are flipped")

BITS_A_BYTE = 8
FEW, MANY = 40, 1_000
"""How many bits are tried: by default, and in the slow suite."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with something in every table, in every column."""
    path = tmp_path_factory.mktemp("sound") / "ledger.db"
    app = create_app({"LEDGER_DATABASE": path})
    store = app.extensions["desk"].store
    for number in range(3):
        keeper = Scorekeeper(app.test_client())
        keeper.opens("shippin", name=f"New year {number}", rules={"bet": 10})
        cards = {"columns": ["7", "3", "5", "10"], "dealer": "9"}
        keeper.reports(
            event("round_opened"),
            event("bet_placed", player="p2", column=1, note="p1 said so"),
            event("second_cards_dealt", **cards),
            event("first_cards_revealed", columns=["2", "2", "2", "10"], dealer="8"),
        )
        for amount in range(1, 30):
            moved = event("chips_moved", from_="bank", to="p1", amount=amount, note=f"for the {amount}th time")
            keeper.tries(moved, Idempotency_Key=f"key {amount}")
        for label in ("hall", "kitchen"):
            asked = {"role": "scorer", "label": label, "expires_at": "2030-01-01T00:00:00Z"}
            keeper.client.post(f"{keeper.address}/links", json=asked, headers=keeper.headers())
        store.revoke_link(keeper.session_id, store.links(keeper.session_id)[-1].id, "2026-11-22T00:00:00Z")
    keeper.reports(event("player_erased", player="p2"))
    for day in ("2026-11-21", "2026-11-22"):
        store.note_day(day)
    store.open_session(opening(A), FIRST, link())
    store.add_link(A, link(2), made(A))
    with store._here.writer.block() as db:
        begin_deletion(db, A, None)
    store.close()
    return path.read_bytes()


UNCOVERED = {"sum", "applied_at", "nonce"}
"""Columns in which nothing lies that anybody is told; by a nonce, an append knows its own rows again, and no other."""


def contents(path: Path) -> dict[str, list[Any]]:
    """All that can be read in all tables: not when migrations were applied, nor of what is being deleted."""
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1")]
        tables.remove("forgetting")  # marks by which a process knows its own again, and no other
        found: dict[str, list[Any]] = {}
        for table in tables:
            columns = [name for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]
            wanted = ", ".join(f'+"{name}"' for name in columns if name not in UNCOVERED)
            there = "deleted_at IS NULL" if table == "sessions" else "TRUE"
            found[table] = db.execute(f"SELECT {wanted} FROM {table} WHERE {there} ORDER BY rowid").fetchall()  # noqa: S608
        return found


def who_finds(path: Path) -> str | None:
    """Say who finds that something is wrong: the start, a look through the file, or the check of a session."""
    store = SQLiteStore(path)
    try:
        store.prepare()
        if damage := store.damage():
            return f"the file's check: {damage[0].table}"
        for session in store.session_ids():
            if verify(store, session).findings:
                return "a session's check"
    except StoreTrouble as error:
        return type(error).__name__
    except Exception:  # noqa: BLE001 - `verify` tells whatever damage makes of a row as a finding
        return "what is raised"
    finally:
        store.close()
    return None


def tips_over(sound: bytes, path: Path, seed: int) -> str | None:
    """Tip one bit over, and say who finds it; None if nobody does, and nothing that can be read is different."""
    bit = random.Random(seed).randrange(len(sound) * BITS_A_BYTE)
    at, mask = bit // BITS_A_BYTE, 1 << bit % BITS_A_BYTE
    path.with_name("sound.db").write_bytes(sound)
    path.write_bytes(sound[:at] + bytes([sound[at] ^ mask]) + sound[at + 1 :])
    finder = who_finds(path)
    if finder is None:
        assert contents(path) == contents(path.with_name("sound.db")), f"bit {bit} (seed {seed})"
    for leftover in path.parent.glob("ledger.db*"):
        leftover.unlink()
    return finder


def test_a_sound_database_is_found_so(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(sound)
    assert who_finds(path) is None
    found = contents(path)
    assert all(found.values()), {table: len(rows) for table, rows in found.items()}


def test_a_bit_that_has_tipped_over_is_found_or_changes_nothing(sound: bytes, tmp_path: Path) -> None:
    finders = Counter(tips_over(sound, tmp_path / "ledger.db", seed) for seed in range(FEW))
    assert sum(finders.values()) - finders[None] > FEW // 4


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_any_bit_that_has_tipped_over_is_found_or_changes_nothing(sound: bytes, tmp_path: Path) -> None:
    finders = Counter(tips_over(sound, tmp_path / "ledger.db", seed) for seed in range(1_000, 1_000 + MANY))
    print(*(f"{count:>6}  {finder}" for finder, count in finders.most_common()), sep="\n")  # noqa: T201
    assert sum(finders.values()) - finders[None] > MANY // 4


# --- by hand, one column after the other ----------------------------------------------------------------------------

IN_A_COLUMN = [(table, column) for table, columns in COVERED.items() for column in columns if table != "sessions"]


@pytest.mark.parametrize(("table", "column"), IN_A_COLUMN)
def test_a_changed_value_is_found_in_every_column(sound: bytes, tmp_path: Path, table: str, column: str) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as db, db:
        db.create_function("other", 1, other_than if column != "salt" else lambda salt: (salt or b"") + b"x")
        (first,) = db.execute(f"SELECT min(rowid) FROM {table}").fetchone()  # noqa: S608
        db.execute(f"UPDATE {table} SET {column} = other({column}) WHERE rowid = ?", [first])  # noqa: S608
    assert table in {damage.table for damage in SQLiteStore(path).damage()}


def other_than(value: Any) -> Any:
    match value:
        case int():
            return value + 1_000
        case bytes():
            return value + b"\0"
        case None:
            return "2020-01-01T00:00:00Z"
    return f"{value}x"


def test_a_session_that_was_hidden_by_hand_is_found(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE sessions SET deleted_at = '2026-01-01T00:00:00Z' WHERE deleted_at IS NULL")
    assert {damage.table for damage in SQLiteStore(path).damage()} == {"sessions"}


@pytest.mark.parametrize(
    ("sql", "table", "what"),
    [
        (
            "DROP INDEX sessions_being_deleted",
            "sessions",
            "index sessions_being_deleted ('id',) 0 c 1 is missing in the schema",
        ),
        ("CREATE TABLE notes (id INTEGER)", "notes", "column id integer 0 None 0 is new in the schema"),
        ("ALTER TABLE made ADD COLUMN more TEXT", "made", "column more text 0 None 0 is new in the schema"),
    ],
)
def test_a_schema_that_is_another_is_found(sound: bytes, tmp_path: Path, sql: str, table: str, what: str) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(sql)
    damage = SQLiteStore(path).damage()
    assert {(one.table, one.row) for one in damage} == {(table, "schema")}
    assert what in {one.what for one in damage}


def test_who_looks_for_damage_leaves_no_file_behind(
    sound: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    path = tmp_path / "ledger.db"
    path.write_bytes(sound)
    assert SQLiteStore(path).damage() == []
    assert list(Path.cwd().iterdir()) == []


def test_a_text_that_nobody_can_read_is_found_in_its_row_and_keeps_nobody_from_the_other_rows(
    sound: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as db, db:
        rows = [row for (row,) in db.execute("SELECT rowid FROM words ORDER BY rowid")]
        db.execute("UPDATE words SET text = CAST(X'FF' AS TEXT) WHERE rowid IN (?, ?)", [rows[0], rows[-1]])
    assert {(one.table, one.row) for one in SQLiteStore(path).damage()} == {("words", rows[0]), ("words", rows[-1])}


def test_rows_of_a_session_that_is_not_there_are_found(sound: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(sound)
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE balances SET session = 'nobody' WHERE rowid = 1")
    assert {damage.table for damage in SQLiteStore(path).damage()} == {"balances"}


def test_a_link_that_was_changed_by_hand_does_not_become_whole_by_being_written_to(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "ledger.db")
    store.prepare()
    store.open_session(opening(A), FIRST, link())
    for number in (2, 3):
        store.add_link(A, link(number, role="viewer"))
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE links SET role = 'owner' WHERE id = 'link3'")
    with store.writing(A) as log:
        log.forget({}, {"link2": "p1's phone", "link3": "p1's phone"})
    store.revoke_link(A, "link2", "2026-12-01T00:00:00Z")
    assert [damage.table for damage in store.damage()] == ["links"]
    store.revoke_link(A, "link3", "2026-12-01T00:00:00Z")
    assert [damage.table for damage in store.damage()] == ["links"]
    store.close()


def test_rows_of_a_release_that_knew_no_checksums_are_taken_as_they_are(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "ledger.db")
    store.prepare()
    store.open_session(opening(A), FIRST, link())
    append(store, A, row(1, words={"note": SaltedText(b"s", "so be it")}))
    with store.writing(A) as log:
        log.append([], [], {}, reply())
    with closing(sqlite3.connect(store.path)) as db, db:
        for table in COVERED:
            db.execute(f"UPDATE {table} SET sum = NULL")  # noqa: S608
    assert store.damage() == []
    store.close()


def test_a_checksum_tells_values_of_different_kinds_and_lengths_apart() -> None:
    rows: list[tuple[str | int | bytes | None, ...]] = [
        ("1",),
        (1,),
        (b"1",),
        (None,),
        ("",),
        (b"",),
        ("1", ""),
        ("", "1"),
        ("11",),
        (11,),
        (1, 1),
    ]
    assert len({row_sum(*values) for values in rows}) == len(rows)
