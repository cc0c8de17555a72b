"""A database edited by hand is found: every column of every table, rows that go, come or change places."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ledger.app import create_app
from ledger.codec.hash_chain import row_hash
from ledger.responses.reports import Finding, Verified
from ledger.services.verification import verify
from ledger.storage.address import open_store
from ledger.storage.errors import NotFound
from ledger.storage.schema import TABLES
from tests.databases import Shell, by_hand, copied, kept_at
from tests.scorekeeper import Json, Scorekeeper, event

KEPT = ("sessions", "events", "words", "entries")
"""The tables that a session's record lies in."""


def columns() -> list[tuple[str, str]]:
    """Every column of every table of the record, but when a session was used last."""
    return [(table, column) for table in KEPT for column in TABLES[table].columns if column != "updated_at"]


class Record(NamedTuple):
    """A database with two sessions in it, of which one is tampered with."""

    path: Path
    session: str
    other: str


def chips(player: str, amount: int, **more: Any) -> Json:
    return event("chips_moved", from_="bank", to=player, amount=amount, **more)


def an_evening(at: Scorekeeper) -> str:
    """A session with everything a record can have: names, notes, corrections, a carried pot, somebody forgotten."""
    at.opens("kakkuri", name="New year", players=["Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen"])
    at.reports(
        event("round_opened", note="Emi dealt."),
        event("starter_revealed", card="cups-9"),
        event("turn_played", player="p1"),
        event("turn_played", player="p2", cards=["cups-10", "cups-11"]),
        event("turn_played", player="p3", count=6),
        chips("p4", 30, note="by card"),
        event("event_amended", seq=3, event=event("turn_played", player="p1", count=1, note="one, not none")),
        chips("p5", 4),
        event("event_taken_back", note="It was nothing."),
        event("event_inserted", after=6, event=event("player_renamed", player="p6", name="Fumiko")),
        event("player_renamed", player="p7", name="Genji"),
        event("player_erased", player="p7", note="Gen asked for it."),
        event("round_entered", payments={"p1": 9}, pot=9),
        event("session_closed", pot="split"),
        event("session_reopened"),
    )
    return at.session_id


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Record:
    path = tmp_path_factory.mktemp("recorded") / "ledger.db"
    at = Scorekeeper(create_app({"LEDGER_DATABASE": kept_at(path)}).test_client())
    other, session = an_evening(at), an_evening(at)
    return Record(path, session, other)


@pytest.fixture
def record(recorded: Record, tmp_path: Path) -> Record:
    """A copy to lay hands on."""
    copied(recorded.path, tmp_path / "ledger.db")
    return recorded._replace(path=tmp_path / "ledger.db")


class Hand:
    """Somebody with a shell."""

    def __init__(self, record: Record) -> None:
        self.record = record
        self.store = open_store(kept_at(record.path))
        self.shell = Shell(record.path)

    def changes(self, statement: str, *values: Any) -> int:
        """Change something; `:session` in the statement is the session's id. Gives how many rows were changed."""
        filled = statement.replace(":session", f"'{self.record.session}'").replace(":other", f"'{self.record.other}'")
        return self.shell.does(filled, *values)[1]

    def reads(self, statement: str, *values: Any) -> list[Any]:
        filled = statement.replace(":session", f"'{self.record.session}'")
        return self.shell.does(filled, *values)[0]

    def rows(self, table: str) -> list[int]:
        """The rowids of the session's rows in a table."""
        return [row for (row,) in self.reads(f"SELECT rowid FROM {table} WHERE {key(table)} = :session ORDER BY rowid")]

    def verified(self) -> Verified:
        return verify(self.store, self.record.session)

    def first_finding(self) -> Finding:
        """The first row that differs; there has to be one."""
        findings = self.verified().findings
        assert findings
        return findings[0]


@pytest.fixture
def hand(record: Record) -> Iterator[Hand]:
    somebody = Hand(record)
    with closing(somebody.shell), closing(somebody.store.engine):
        yield somebody


def key(table: str) -> str:
    return TABLES[table].session


def other_than(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case None:
            return 1
        case int():
            return value + 1
        case bytes():
            return bytes([value[0] ^ 1, *value[1:]]) if value else b"\1"
    return f"{value} "


def test_a_record_that_nobody_touched_is_whole(hand: Hand) -> None:
    told = hand.verified()
    assert told.findings == ()
    assert (told.events, told.forgotten) == (15, 3)
    assert told.entries == hand.reads("SELECT count(*) FROM entries WHERE session_id = :session")[0][0]
    assert told.head == hand.reads("SELECT hash FROM sessions WHERE id = :session")[0][0].hex()


# --- every column of every table ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("table", "column"), columns())
def test_a_changed_value_is_found_in_every_row(hand: Hand, table: str, column: str) -> None:
    for row in hand.rows(table):
        ((value,),) = hand.reads(f"SELECT {column} FROM {table} WHERE rowid = ?", row)
        if (table, column) == ("words", "text") and is_forgotten(hand, row):
            continue
        changed = "0" * 16 if column == key(table) else other_than(value)
        try:
            assert hand.changes(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", changed, row) == 1
        except hand.shell.refused:
            changed = 1_000 + row
            assert hand.changes(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", changed, row) == 1
        assert is_found(hand), (table, column, row, value)
        hand.changes(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", value, row)
    assert hand.verified().findings == ()


def is_forgotten(hand: Hand, row: int) -> bool:
    """What was written over when somebody was forgotten cannot be held against its digest any more."""
    return hand.reads("SELECT salt = x'' FROM words WHERE rowid = ?", row) == [(1,)]


def is_found(hand: Hand) -> bool:
    """Whether checking the session finds something, or does not find the session."""
    try:
        return bool(hand.verified().findings)
    except NotFound:
        return True


@pytest.mark.parametrize(("table", "column"), [place for place in columns() if place[0] != "sessions"])
def test_values_that_change_places_are_found(hand: Hand, table: str, column: str) -> None:
    change, others = f"UPDATE {table} SET {column} = ? WHERE rowid = ?", [n for of, n in columns() if of == table]
    others.remove(column)
    for one, other in pairwise(hand.rows(table)):
        a, b = (hand.reads(f"SELECT {column} FROM {table} WHERE rowid = ?", row)[0][0] for row in (one, other))
        rest = [hand.reads(f"SELECT {', '.join(others)} FROM {table} WHERE rowid = ?", row) for row in (one, other)]
        forgotten = table == "words" and any(is_forgotten(hand, row) for row in (one, other))
        if a == b or rest[0] == rest[1] or forgotten:
            continue
        aside = -1 - a if isinstance(a, int) else other_than(a)
        for value, row in ((aside, one), (a, other), (b, one)):
            hand.changes(change, value, row)
        assert is_found(hand), (table, column, one, other)
        for value, row in ((aside, one), (b, other), (a, one)):
            hand.changes(change, value, row)
    assert hand.verified().findings == ()


@pytest.mark.parametrize("table", KEPT[1:])
def test_a_row_that_is_gone_is_found(hand: Hand, table: str) -> None:
    names = ", ".join(name for of, name in columns() if of == table)
    for row in hand.rows(table):
        (kept,) = hand.reads(f"SELECT rowid, {names} FROM {table} WHERE rowid = ?", row)
        hand.changes(f"DELETE FROM {table} WHERE rowid = ?", row)
        assert is_found(hand), (table, kept)
        hand.changes(f"INSERT INTO {table} (rowid, {names}) VALUES ({', '.join('?' * len(kept))})", *kept)
    assert hand.verified().findings == ()


WORD = "INSERT INTO words (session_id, seq, place, salt, text) VALUES"
ADDED = {
    "events": "INSERT INTO events SELECT session_id, 16, type, version, body, recorded_at, recorded_by,"
    " hash FROM events WHERE session_id = :session AND seq = 8",
    "events of another session": "UPDATE events SET session_id = :session, seq = 16"
    " WHERE session_id = :other AND seq = 15",
    "entries": "INSERT INTO entries SELECT session_id, (SELECT max(id) + 1 FROM entries WHERE session_id = :session),"
    " seq, round, payer, payee, amount, reason, reverses, part FROM entries WHERE session_id = :session AND id = 1",
    "words beside an event": f"{WORD} (:session, 8, 'note', x'', 'p7')",
    "words in place of a player": f"{WORD} (:session, 8, 'to', x'', 'p7')",
    "words in place of nothing": f"{WORD} (:session, 8, 'event/event/note', x'', 'p7')",
}


@pytest.mark.parametrize("statement", ADDED.values(), ids=ADDED)
def test_a_row_too_many_is_found(hand: Hand, statement: str) -> None:
    assert hand.changes(statement) == 1
    assert hand.first_finding()


@pytest.mark.parametrize("count", [1, 2, 7, 15])
def test_a_log_that_was_cut_off_is_found(hand: Hand, count: int) -> None:
    last = 15 - count
    for table in ("events", "words", "entries"):
        hand.changes(f"DELETE FROM {table} WHERE session_id = :session AND seq > ?", last)
    what = f"the session should end with event {last} and its hash"
    assert hand.first_finding() == Finding("sessions", 15, what, "error")


@pytest.mark.parametrize(
    ("statement", "table", "row", "what"),
    [
        ("UPDATE events SET recorded_at = '2026-01-01' WHERE seq >= 4", "events", 4, "its hash does not follow"),
        ("DELETE FROM events WHERE seq = 4", "events", 4, "missing; event 5 stands in its place"),
        ("UPDATE entries SET amount = amount + 1 WHERE id >= 3", "entries", 3, "it should be Entry(id=3"),
        ("UPDATE words SET text = 'by cash' WHERE text = 'by card'", "words", "6/note", "the text is not the one"),
        ("UPDATE words SET text = 'Ben' WHERE place = 'players/2'", "words", "0/players/2", "the text is not the one"),
        ("DELETE FROM words WHERE place = 'players/2'", "words", "0/players/2", "the text is missing"),
        ("DELETE FROM words WHERE place = 'event/note'", "words", "7/event/note", "the text is missing"),
        ("UPDATE words SET salt = x'' WHERE place = 'name' AND seq = 0", "words", "0/name", "the salt is gone, and"),
        ("UPDATE words SET text = 'p6' WHERE place = 'players/6'", "words", "0/players/6", "the salt is gone, and"),
    ],
)
def test_the_first_row_that_differs_is_named(hand: Hand, statement: str, table: str, row: int | str, what: str) -> None:
    hand.changes(f"{statement} AND session_id = :session")
    found = hand.first_finding()
    assert (found.table, found.row, found.severity) == (table, row, "error")
    assert str(found.what).startswith(what)


# --- a hand that mends the chain ------------------------------------------------------------------------------------


def rechained(hand: Hand) -> None:
    """Make every hash anew, as a clever hand would."""
    ((body, version, created_at),) = hand.reads("SELECT body, version, created_at FROM sessions WHERE id = :session")
    before = row_hash(b"", body, version, created_at)
    names = "seq, type, version, body, recorded_at, recorded_by"
    for fields in hand.reads(f"SELECT {names} FROM events WHERE session_id = :session ORDER BY seq"):
        before = row_hash(before, *fields)
        hand.changes("UPDATE events SET hash = ? WHERE session_id = :session AND seq = ?", before, fields[0])
    hand.changes("UPDATE sessions SET hash = ? WHERE id = :session", before)


def test_making_the_chain_anew_changes_nothing_in_an_honest_record(hand: Hand) -> None:
    rechained(hand)
    assert hand.verified().findings == ()


@pytest.mark.parametrize(
    ("statement", "table", "row"),
    [
        ("UPDATE events SET body = replace(body, ':30', ':31') WHERE seq = 6", "entries", 9),
        ("UPDATE events SET body = replace(body, 'p5', 'p6') WHERE seq = 8", "entries", 12),
        ("UPDATE events SET body = replace(body, 'p1', 'p2') WHERE seq = 13", "entries", 14),
        ("UPDATE events SET version = 99 WHERE seq = 1", "events", 1),
        ("UPDATE events SET body = '{' WHERE seq = 6", "events", 6),
        ("UPDATE events SET body = '{}' WHERE seq = 6", "words", "6/note"),
        ("UPDATE events SET body = '{}' WHERE seq = 8", "events", 8),
        ("UPDATE events SET type = 'nothing' WHERE seq = 8", "events", 8),
        ("UPDATE events SET body = replace(body, 'p4', 'p99') WHERE seq = 6", "events", 6),
        ("UPDATE events SET body = replace(body, '9}', '9,\"played_on\":\"tomorrow\"}') WHERE seq = 13", "events", 13),
        ("UPDATE sessions SET version = 99", "sessions", 0),
        ("UPDATE sessions SET body = '[]'", "sessions", 0),
        ("UPDATE sessions SET body = replace(body, '\"chips_per_share\":1', '\"chips_per_share\":2')", "entries", 1),
    ],
)
def test_with_the_chain_mended_the_books_still_tell(hand: Hand, statement: str, table: str, row: int | str) -> None:
    hand.changes(statement + (" AND session_id = :session" if "WHERE" in statement else " WHERE id = :session"))
    rechained(hand)
    found = hand.first_finding()
    assert (found.table, found.row) == (table, row), found


def test_whoever_noted_the_head_sees_that_the_chain_was_made_anew(hand: Hand) -> None:
    noted = hand.verified().head
    hand.changes("UPDATE events SET recorded_by = 'somebody' WHERE session_id = :session AND seq = 8")
    rechained(hand)
    told = hand.verified()
    assert told.findings == ()
    assert told.head != noted


# --- over HTTP ------------------------------------------------------------------------------------------------------


def test_the_owner_is_told_what_differs(scorekeeper: Scorekeeper, tmp_path: Path) -> None:
    an_evening(scorekeeper)
    told = scorekeeper.looks("/verify")
    assert (told["ok"], told["events"], told["findings"], len(told["head"])) == (True, 15, [], 64)
    by_hand(tmp_path / "ledger.db", "UPDATE entries SET amount = 31 WHERE amount = 30")
    told = scorekeeper.looks("/verify")
    found = told["findings"][0]
    assert (told["ok"], found["table"], found["row"], found["severity"]) == (False, "entries", 9, "error")
    assert "amount=31" in found["what"]
    assert "のはずですが" in scorekeeper.looks("/verify", Accept_Language="ja")["findings"][0]["what"]
