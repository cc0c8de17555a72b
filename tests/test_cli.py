"""The command line, on a database with a real evening in it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ledger.app import create_app
from ledger.cli import main
from ledger.storage.address import open_store
from ledger.storage.stored import Head, SessionCopy, StoredLink, StoredSession
from tests.databases import by_hand, is_sqlite, kept_at, tried
from tests.postgres import shared
from tests.scorekeeper import Scorekeeper, event
from tests.service import ROOT

ROUND = "game shippin\nplayers Oya Ko\nrules bet=10\nround\nbet p2=1\nsecond 7 3 5 10 / 9\nfirst 2 2 2 10 / 8\n"


class Shell:
    """Runs commands on one database."""

    def __init__(self, database: Path) -> None:
        self.database = database

    @property
    def address(self) -> str:
        return str(kept_at(self.database))

    def runs(self, *words: str, exit_code: int = 0, input: str = "", **settings: str) -> Result:  # noqa: A002
        done = CliRunner().invoke(main, words, input, {"LEDGER_DATABASE": self.address, **settings})
        assert done.exit_code == exit_code, done.output
        return done

    def gives(self, *words: str, exit_code: int = 0) -> Any:
        return json.loads(self.runs(*words, "--json", exit_code=exit_code).stdout)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "ledger.db")


@pytest.fixture
def evening(shell: Shell) -> Iterator[Scorekeeper]:
    """A session of Shippin with one round in it, in the shell's database."""
    app = create_app({"LEDGER_DATABASE": shell.address})
    keeper = Scorekeeper(app.test_client())
    keeper.opens("shippin", name="New year", rules={"bet": 10})
    cards = {"columns": ["7", "3", "5", "10"], "dealer": "9"}
    keeper.reports(
        event("round_opened"),
        event("bet_placed", player="p2", column=1),
        event("second_cards_dealt", **cards),
        event("first_cards_revealed", columns=["2", "2", "2", "10"], dealer="8"),
    )
    yield keeper
    app.extensions["session_service"].store.engine.close()


def test_sessions_are_listed_and_verified(shell: Shell, evening: Scorekeeper) -> None:
    assert [one["id"] for one in shell.gives("sessions")["sessions"]] == [evening.session_id]
    assert "New year" in shell.runs("sessions").stdout
    assert shell.gives("verify")["database"] == {"ok": True, "findings": []}
    assert shell.gives("verify")[evening.session_id]["ok"]
    told = shell.runs("verify", evening.session_id).stdout
    assert "whole, ends with" in told
    assert "the file is whole" in told


def test_verify_finds_a_hand_in_the_database_and_says_where(shell: Shell, evening: Scorekeeper) -> None:
    by_hand(shell.database, "UPDATE entries SET amount = 11 WHERE id = 1")
    found = shell.gives("verify", exit_code=1)[evening.session_id]["findings"]
    assert (found[0]["table"], found[0]["row"]) == ("entries", 1)


@pytest.mark.sqlite("its file is damaged")
def test_verify_looks_through_the_file(shell: Shell, evening: Scorekeeper) -> None:
    with closing(sqlite3.connect(shell.database)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'sqlite_autoindex_events_1'")
    evening.client.application.extensions["session_service"].store.engine.close()
    found = shell.gives("verify", exit_code=1)["database"]
    assert found["ok"] is False
    assert any("sqlite_autoindex_events_1" in finding["what"] for finding in found["findings"])


@pytest.mark.sqlite("text that is no text is in its file")
def test_a_session_that_cannot_be_read_at_all_is_a_finding(shell: Shell, evening: Scorekeeper) -> None:
    with closing(sqlite3.connect(shell.database)) as db, db:
        db.execute("UPDATE events SET body = CAST(x'ff' AS TEXT) WHERE seq = 2")
    found = shell.gives("verify", exit_code=1)[evening.session_id]
    assert (found["ok"], found["findings"][0]["what"]) == (False, "it cannot be read")


@pytest.mark.usefixtures("evening")
def test_what_is_not_there_is_named_with_what_to_do(shell: Shell, tmp_path: Path) -> None:
    for command in ("verify", "export", "token", "delete"):
        assert "`fuda-ledger sessions` lists them" in shell.runs(command, "nobody", exit_code=1).output
    assert "there is no database" in Shell(tmp_path / "none.db").runs("sessions", exit_code=1).output


@pytest.mark.parametrize("form", ["json", "txt"])
def test_what_is_exported_can_be_imported(shell: Shell, evening: Scorekeeper, tmp_path: Path, form: str) -> None:
    file = str(tmp_path / f"evening.{form}")
    shell.runs("export", evening.session_id, "--format", form, "-o", file)
    answer = shell.gives("import", file)
    assert answer["session"]["id"] != evening.session_id
    assert answer["session"]["players"] == evening.looks("")["players"]
    evening.session_id, evening.token = answer["session"]["id"], answer["link"]["token"]
    assert evening.looks("/verify")["ok"]


def test_an_export_without_a_file_is_printed(shell: Shell, evening: Scorekeeper) -> None:
    words = ("export", evening.session_id, "--format", "csv")
    assert shell.runs(*words).stdout.startswith("id,seq,round,from")
    assert shell.runs(*words, "--what", "rounds").stdout.count("\n") == 2


def test_a_token_from_the_command_line_opens_the_session(shell: Shell, evening: Scorekeeper) -> None:
    evening.token = shell.runs("token", evening.session_id, "--role", "viewer", "--label", "hall").stdout.strip()
    assert evening.looks("")["id"] == evening.session_id
    assert evening.tries(event("round_opened")).status_code == 403
    refused = shell.runs("token", evening.session_id, "--expires", "2020-01-01", exit_code=1)
    assert "a moment that is still to come is needed" in refused.output


def test_a_session_is_deleted_once_that_is_confirmed(shell: Shell, evening: Scorekeeper) -> None:
    refused = shell.runs("delete", evening.session_id, exit_code=1, input="n\n")
    assert "with 4 events for good?" in refused.output
    assert evening.looks("")["seq"] == 4
    copy = shell.runs("import", str(ROOT / "tests/rounds/shippin-by-hand.txt")).stdout.split()[1]
    shell.runs("delete", evening.session_id, input="y\n")
    assert "is gone" in shell.runs("delete", copy, "--yes").output
    assert shell.gives("sessions")["sessions"] == []
    assert evening.client.get(evening.address, headers=evening.headers()).status_code == 401


def test_tidying_deletes_what_nobody_has_used_for_long(shell: Shell, evening: Scorekeeper) -> None:
    store = open_store(shell.address)
    long_ago = "2020-01-01T00:00:00Z"
    made = StoredLink("link1", "owner", None, b"", long_ago)
    store.create_session(SessionCopy(StoredSession("old", "{}", 1, long_ago), Head(0, b""), links=[made]), long_ago)
    assert shell.gives("tidy") == {"sessions": []}
    assert shell.gives("tidy", "--keep-days", "30", "--dry-run") == {"sessions": ["old"]}
    assert "would be deleted: 1" in shell.runs("tidy", "--keep-days", "30", "--dry-run").output
    assert store.session_ids() == ["old", evening.session_id]
    assert shell.runs("tidy", LEDGER_KEEP_DAYS="30").output == "session old\ndeleted: 1\n"
    assert store.session_ids() == [evening.session_id]
    store.engine.close()


@pytest.mark.sqlite("backups are files")
def test_a_backup_is_checked_and_can_be_restored(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert "is whole: 1 sessions" in shell.runs("backup", str(copy)).output
    assert "is there already" in shell.runs("backup", str(copy), exit_code=1).output
    evening.reports(event("chips_moved", from_="bank", to="p1", amount=5))
    assert "--force" in shell.runs("restore", str(copy), exit_code=1).output
    shell.runs("restore", str(copy), "--force")
    assert shell.gives("sessions")["sessions"][0]["seq"] == 4
    (aside,) = tmp_path.glob("ledger.db.before-*Z")
    assert Shell(aside).gives("sessions")["sessions"][0]["seq"] == 5


@pytest.mark.sqlite("backups are files")
def test_a_damaged_backup_is_not_restored(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    shell.runs("backup", str(copy))
    with closing(sqlite3.connect(copy)) as db, db:
        db.execute("UPDATE entries SET amount = amount + 1 WHERE id = 1")
    assert "is not whole" in shell.runs("restore", str(copy), "--force", exit_code=1).output
    copy.write_bytes(b"this is no database" * 1000)
    assert f"{copy} is no database" in shell.runs("restore", str(copy), "--force", exit_code=1).output
    copy.unlink()
    assert "there is no database at" in shell.runs("restore", str(copy), "--force", exit_code=1).output
    assert evening.looks("/verify")["ok"]
    assert not list(tmp_path.glob("*.before-*"))


def test_a_file_is_calculated_and_replayed(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    text, file = tmp_path / "round.txt", tmp_path / "evening.json"
    text.write_text(ROUND, "utf-8")
    shell.runs("export", evening.session_id, "-o", str(file))
    assert shell.gives("calculate", str(text))["balances"] == {"p1": -10, "p2": 10}
    assert "+10  Ko" in shell.runs("calculate", str(text)).stdout
    in_japanese = shell.runs("calculate", str(text), "--language", "ja").stdout
    assert ("親" in in_japanese, "Round" in in_japanese) == (True, False)
    for each in (text, file):
        last = shell.gives("replay", str(each))["steps"][-1]
        assert (last["event"]["type"], last["balances"]["p2"]) == ("first_cards_revealed", 10)


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("fields.json", b'{"format": "fuda-ledger"}', "/"),
        ("half.json", b'{"format": ', "JSON"),
        ("twice.json", b'{"format": "fuda-ledger", "format": "fuda-ledger"}', "twice"),
        ("surrogate.json", b'{"\\ud83c": 1e400}', "JSON"),
        ("binary.txt", b"\xff\xfe", "can't decode"),
        ("words.txt", b"what now\n", "line 1, column 1: "),
        ("field.txt", ROUND.replace("p2=1", "p2=5").encode(), "/events/1/column: "),
        ("refused.txt", ROUND.replace("bet p2=1", "bet p1=1").encode(), "event 2: "),
    ],
)
def test_a_wrong_file_is_refused_in_a_sentence(shell: Shell, name: str, content: bytes, error: str) -> None:
    file = shell.database.with_name(name)
    file.write_bytes(content)
    for command in ("import", "calculate", "replay"):
        done = shell.runs(command, str(file), exit_code=1)
        assert isinstance(done.exception, SystemExit)
        assert done.output.startswith("Error: ")
        assert error in done.output
    assert len(shell.gives("sessions")["sessions"]) == 1


def test_doctor_finds_a_fresh_install_well_before_and_after_its_first_start(shell: Shell, tmp_path: Path) -> None:
    before = shell.gives("doctor")
    assert (before["database"]["exists"], before["warnings"]) == (False, [])
    assert "there is no database yet; the first start of the service makes it" in before["notes"]
    assert "nothing seems wrong" in (told := shell.runs("doctor", LEDGER_OPENING_KEY="sesame").stdout)
    assert "sesame" not in told
    assert list(tmp_path.iterdir()) == [], "doctor looks and makes nothing"
    create_app({"LEDGER_DATABASE": shell.address}).extensions["session_service"].store.engine.close()
    after = shell.gives("doctor")
    assert (after["database"]["exists"], after["warnings"]) == (True, [])
    assert after["database"]["pending_migrations"] == []
    assert after["settings"]["LEDGER_DATABASE"] == shell.address
    assert after[tried["engine"]] == (sqlite3.sqlite_version if is_sqlite() else shared().release)
    assert after["notes"] == [note for note in before["notes"] if "no database yet" not in note]


def test_the_package_run_as_a_program_is_the_command_line() -> None:
    told = subprocess.run([sys.executable, "-m", "ledger", "-h"], cwd=ROOT, capture_output=True, check=True, text=True)
    assert "Usage: python -m ledger [OPTIONS]" in told.stdout
    assert all(command in told.stdout for command in main.commands)


@pytest.mark.sqlite("backups are files")
def test_a_backup_takes_the_place_of_junk(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    shell.runs("backup", str(tmp_path / "copy.db"))
    evening.client.application.extensions["session_service"].store.engine.close()
    for file in tmp_path.glob("ledger.db-*"):
        file.unlink()
    shell.database.write_bytes(b"this is no database" * 1000)
    assert any("is no database" in warning for warning in shell.gives("doctor", exit_code=1)["warnings"])
    shell.runs("restore", str(tmp_path / "copy.db"), "--force")
    assert [one["id"] for one in shell.gives("sessions")["sessions"]] == [evening.session_id]
    (aside,) = tmp_path.glob("ledger.db.before-*Z")
    assert aside.read_bytes() == b"this is no database" * 1000
