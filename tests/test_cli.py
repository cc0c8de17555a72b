"""The command line, on a database with a real evening in it."""

from __future__ import annotations

import json
import os
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
from ledger.storage.records import Head, SessionCopy, StoredLink, StoredSession
from tests.databases import by_hand, is_sqlite, kept_at, tried
from tests.postgres import shared
from tests.scorekeeper import Scorekeeper, event
from tests.service import ROOT

ROUND = """\
game shippin
players Oya Ko
rules bet=10
round
bet p2=1
second 7 3 5 10 / 9
first 2 2 2 10 / 8
"""


OF_TOMORROW = {
    "sqlite": "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
    " VALUES ('fuda-ledger', 'm998_of_tomorrow', '')",
    "postgresql": "INSERT INTO migrations (name, applied_at) VALUES ('m998_of_tomorrow', now())",
}


class Shell:
    """Runs commands on one database."""

    def __init__(self, database: Path) -> None:
        self.database = database

    @property
    def address(self) -> str:
        return str(kept_at(self.database))

    def runs(self, *words: str, exit_code: int = 0) -> Result:
        done = CliRunner().invoke(main, words, env={"LEDGER_DATABASE": self.address})
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
    app.extensions["desk"].store.engine.close()


def test_sessions_are_listed(shell: Shell, evening: Scorekeeper) -> None:
    assert [one["id"] for one in shell.gives("sessions")["sessions"]] == [evening.session_id]
    assert "New year" in shell.runs("sessions").stdout


def test_verify_finds_a_whole_database_whole(shell: Shell, evening: Scorekeeper) -> None:
    assert shell.gives("verify")[evening.session_id]["ok"]
    assert "whole" in shell.runs("verify", evening.session_id).stdout


def test_verify_finds_a_hand_in_the_database_and_says_where(shell: Shell, evening: Scorekeeper) -> None:
    by_hand(shell.database, "UPDATE entries SET amount = 11 WHERE id = 1")
    found = shell.gives("verify", exit_code=1)[evening.session_id]["findings"]
    assert (found[0]["table"], found[0]["row"]) == ("entries", 1)


@pytest.mark.sqlite("its file is damaged")
def test_verify_looks_through_the_file(shell: Shell, evening: Scorekeeper) -> None:
    assert shell.gives("verify")["database"] == {"ok": True, "findings": []}
    assert "the file is whole" in shell.runs("verify", evening.session_id).stdout
    with closing(sqlite3.connect(shell.database)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_schema SET rootpage = 3 WHERE name = 'sqlite_autoindex_events_1'")
    evening.client.application.extensions["desk"].store.engine.close()
    found = shell.gives("verify", exit_code=1)["database"]
    assert found["ok"] is False
    assert any("sqlite_autoindex_events_1" in finding["what"] for finding in found["findings"])


@pytest.mark.sqlite("text that is no text is in its file")
def test_a_session_that_cannot_be_read_at_all_is_a_finding(shell: Shell, evening: Scorekeeper) -> None:
    with closing(sqlite3.connect(shell.database)) as db, db:
        db.execute("UPDATE events SET body = CAST(x'ff' AS TEXT) WHERE seq = 2")
    found = shell.gives("verify", exit_code=1)[evening.session_id]
    assert (found["ok"], found["findings"][0]["what"]) == (False, "it cannot be read")


def test_a_session_that_is_not_there_is_said_so(shell: Shell, evening: Scorekeeper) -> None:
    assert evening.session_id
    for words in (["verify", "nobody"], ["export", "nobody"], ["token", "nobody"]):
        assert "`fuda-ledger sessions` lists them" in shell.runs(*words, exit_code=1).output


def test_a_missing_database_is_said_so(shell: Shell) -> None:
    assert "there is no database" in shell.runs("sessions", exit_code=1).output


def test_a_wrong_setting_is_a_wrong_call() -> None:
    done = CliRunner().invoke(main, ["doctor"], env={"LEDGER_WORKERS": "many"})
    assert done.exit_code == 2
    assert "LEDGER_WORKERS is 'many'; it has to be a whole number" in done.output


def test_what_is_exported_can_be_imported(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    shell.runs("export", evening.session_id, "--format", "json", "-o", str(tmp_path / "evening.json"))
    answer = shell.gives("import", str(tmp_path / "evening.json"))
    assert answer["session"]["id"] != evening.session_id
    assert answer["session"]["players"] == evening.looks("")["players"]
    evening.session_id, evening.token = answer["session"]["id"], answer["link"]["token"]
    assert evening.looks("/verify")["ok"]


def test_an_export_in_the_notation_can_be_imported(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    shell.runs("export", evening.session_id, "--format", "txt", "-o", str(tmp_path / "evening.txt"))
    assert shell.gives("import", str(tmp_path / "evening.txt"))["session"]["players"] == evening.looks("")["players"]


def test_an_export_without_a_file_is_printed(shell: Shell, evening: Scorekeeper) -> None:
    assert shell.runs("export", evening.session_id, "--format", "csv").stdout.startswith("id,seq,round,from")
    assert shell.runs("export", evening.session_id, "--format", "csv", "--what", "rounds").stdout.count("\n") == 2


def test_a_broken_file_is_not_imported(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"format": "fuda-ledger"}', "utf-8")
    shell.runs("import", str(tmp_path / "broken.json"), exit_code=1)
    assert len(shell.gives("sessions")["sessions"]) == 1
    assert evening.session_id


def test_a_token_from_the_command_line_opens_the_session(shell: Shell, evening: Scorekeeper) -> None:
    evening.token = shell.runs("token", evening.session_id, "--role", "viewer", "--label", "hall").stdout.strip()
    assert evening.looks("")["id"] == evening.session_id
    assert evening.tries(event("round_opened")).status_code == 403


def test_a_token_that_has_expired_is_not_made(shell: Shell, evening: Scorekeeper) -> None:
    refused = shell.runs("token", evening.session_id, "--expires", "2020-01-01", exit_code=1)
    assert "a moment that is still to come is needed" in refused.output


def test_a_session_is_deleted_once_that_is_confirmed(shell: Shell, evening: Scorekeeper) -> None:
    run = CliRunner().invoke
    there = {"LEDGER_DATABASE": shell.address}
    refused = run(main, ["delete", evening.session_id], env=there, input="n\n")
    assert (refused.exit_code, "with 4 events for good?" in refused.output) == (1, True)
    assert evening.looks("")["seq"] == 4
    assert run(main, ["delete", evening.session_id], env=there, input="y\n").exit_code == 0
    assert shell.gives("sessions")["sessions"] == []
    assert "`fuda-ledger sessions` lists them" in shell.runs("delete", evening.session_id, "--yes", exit_code=1).output
    assert evening.client.get(evening.address, headers=evening.headers()).status_code == 401


def test_a_session_is_deleted_unasked_if_wanted(shell: Shell, evening: Scorekeeper) -> None:
    assert "is gone" in shell.runs("delete", evening.session_id, "--yes").output
    assert shell.gives("sessions")["sessions"] == []


def test_tidying_deletes_what_nobody_has_used_for_long(shell: Shell, evening: Scorekeeper) -> None:
    store = open_store(shell.address)
    long_ago = "2020-01-01T00:00:00Z"
    made = StoredLink("link1", "owner", None, b"", long_ago)
    store.create_session(SessionCopy(StoredSession("old", "{}", 1, long_ago), Head(0, b""), links=[made]), long_ago)
    assert shell.gives("tidy") == {"sessions": []}
    assert shell.gives("tidy", "--keep-days", "30", "--dry-run") == {"sessions": ["old"]}
    assert "would be deleted: 1" in shell.runs("tidy", "--keep-days", "30", "--dry-run").output
    assert store.session_ids() == ["old", evening.session_id]
    done = CliRunner().invoke(main, ["tidy"], env={"LEDGER_DATABASE": shell.address, "LEDGER_KEEP_DAYS": "30"})
    assert (done.exit_code, done.output) == (0, "session old\ndeleted: 1\n")
    assert store.session_ids() == [evening.session_id]
    store.engine.close()


@pytest.mark.sqlite("backups are files")
def test_a_backup_is_checked_and_can_be_restored(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert "is whole: 1 sessions" in shell.runs("backup", str(copy)).output
    evening.reports(event("chips_moved", from_="bank", to="p1", amount=5))
    assert "--force" in shell.runs("restore", str(copy), exit_code=1).output
    shell.runs("restore", str(copy), "--force")
    assert shell.gives("sessions")["sessions"][0]["seq"] == 4
    (aside,) = tmp_path.glob("ledger.db.before-*Z")
    assert Shell(aside).gives("sessions")["sessions"][0]["seq"] == 5


@pytest.mark.sqlite("backups are files")
def test_a_backup_over_a_file_is_refused(shell: Shell, evening: Scorekeeper) -> None:
    assert evening.session_id
    assert "is there already" in shell.runs("backup", str(shell.database), exit_code=1).output


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


def test_a_file_in_the_notation_is_worked_out(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "round.txt").write_text(ROUND, "utf-8")
    answer = shell.gives("calculate", str(tmp_path / "round.txt"))
    assert answer["balances"] == {"p1": -10, "p2": 10}
    assert "+10  Ko" in shell.runs("calculate", str(tmp_path / "round.txt")).stdout
    assert "親" in shell.runs("calculate", str(tmp_path / "round.txt"), "--language", "ja").stdout
    assert "Round" not in shell.runs("calculate", str(tmp_path / "round.txt"), "--language", "ja").stdout


def test_a_file_is_replayed_step_by_step(shell: Shell, evening: Scorekeeper, tmp_path: Path) -> None:
    (tmp_path / "round.txt").write_text(ROUND, "utf-8")
    shell.runs("export", evening.session_id, "-o", str(tmp_path / "evening.json"))
    for file in ("round.txt", "evening.json"):
        steps = shell.gives("replay", str(tmp_path / file))["steps"]
        assert [step["event"]["type"] for step in steps][-1] == "first_cards_revealed"
        assert steps[-1]["balances"]["p2"] == 10


def test_what_is_wrong_in_a_file_is_said_with_its_place(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "round.txt").write_text(ROUND.replace("p2=1", "p2=5"), "utf-8")
    assert "/events/1/column: " in shell.runs("calculate", str(tmp_path / "round.txt"), exit_code=1).output
    (tmp_path / "round.txt").write_text(ROUND.replace("bet p2=1", "bet p1=1"), "utf-8")
    assert "event 2: " in shell.runs("calculate", str(tmp_path / "round.txt"), exit_code=1).output


def test_doctor_says_versions_settings_and_room(shell: Shell, evening: Scorekeeper) -> None:
    assert evening.session_id
    told = shell.gives("doctor")
    assert told[tried["engine"]] == (sqlite3.sqlite_version if is_sqlite() else shared().release)
    assert told["settings"]["LEDGER_DATABASE"] == shell.address
    assert told["database"]["pending_migrations"] == []
    assert told["database"]["exists"] is True
    assert told["warnings"] == []


def test_doctor_finds_a_fresh_install_well_before_and_after_its_first_start(shell: Shell, tmp_path: Path) -> None:
    before = shell.gives("doctor")
    assert before["database"]["exists"] is False
    assert before["warnings"] == []
    assert "there is no database yet; the first start of the service makes it" in before["notes"]
    assert "nothing seems wrong" in shell.runs("doctor").stdout
    assert list(tmp_path.iterdir()) == [], "doctor looks and makes nothing"
    create_app({"LEDGER_DATABASE": shell.address}).extensions["desk"].store.engine.close()
    after = shell.gives("doctor")
    assert after["database"]["exists"] is True
    assert after["warnings"] == []
    assert after["notes"] == [note for note in before["notes"] if "no database yet" not in note]


def test_doctor_does_not_print_the_opening_key(shell: Shell) -> None:
    env = {"LEDGER_DATABASE": shell.address, "LEDGER_OPENING_KEY": "sesame"}
    assert "sesame" not in CliRunner().invoke(main, ["doctor"], env=env).output


@pytest.mark.parametrize("command", sorted(main.commands))
def test_every_command_has_a_help_text(command: str) -> None:
    done = CliRunner().invoke(main, [command, "--help"])
    assert done.exit_code == 0
    assert len(done.output.splitlines()) > 4


def test_the_package_run_as_a_program_is_the_command_line(shell: Shell) -> None:
    def says(*words: str) -> str:
        variables = {**os.environ, "LEDGER_DATABASE": shell.address}
        python = [sys.executable, "-m", "ledger", *words]
        return subprocess.run(python, cwd=ROOT, env=variables, capture_output=True, check=True, text=True).stdout

    help_text = says("--help")
    assert "Usage: python -m ledger [OPTIONS]" in help_text
    assert all(command in help_text for command in main.commands)
    assert json.loads(says("doctor", "--json"))["notes"] == shell.gives("doctor")["notes"]


@pytest.mark.sqlite("backups are files")
def test_over_a_database_that_cannot_be_read_a_backup_is_restored(
    shell: Shell, evening: Scorekeeper, tmp_path: Path
) -> None:
    assert evening.session_id
    shell.runs("backup", str(tmp_path / "copy.db"))
    evening.client.application.extensions["desk"].store.engine.close()
    for file in tmp_path.glob("ledger.db-*"):
        file.unlink()
    shell.database.write_bytes(b"this is no database" * 1000)
    assert any("is no database" in warning for warning in shell.gives("doctor", exit_code=1)["warnings"])
    shell.runs("restore", str(tmp_path / "copy.db"), "--force")
    assert [one["id"] for one in shell.gives("sessions")["sessions"]] == [evening.session_id]
    (aside,) = tmp_path.glob("ledger.db.before-*Z")
    assert aside.read_bytes() == b"this is no database" * 1000


def test_what_is_wrong_is_said_in_a_sentence_and_never_traced(
    shell: Shell, evening: Scorekeeper, tmp_path: Path
) -> None:
    assert evening.session_id
    for name, content in (
        ("fields.json", b'{"format": "fuda-ledger"}'),
        ("half.json", b'{"format": '),
        ("twice.json", b'{"format": "fuda-ledger", "format": "fuda-ledger"}'),
        ("surrogate.json", b'{"\\ud83c": 1e400}'),
        ("binary.txt", b"\xff\xfe"),
        ("words.txt", b"what now\n"),
        ("refused.txt", ROUND.replace("bet p2=1", "bet p1=1").encode()),
    ):
        (tmp_path / name).write_bytes(content)
        for command in ("import", "calculate"):
            done = shell.runs(command, str(tmp_path / name), exit_code=1)
            assert isinstance(done.exception, SystemExit), (command, name)
            assert done.output.startswith("Error: "), (command, name)


def test_a_database_that_a_newer_release_changed_is_left_alone(shell: Shell, evening: Scorekeeper) -> None:
    assert evening.session_id
    by_hand(shell.database, OF_TOMORROW[tried["engine"]])
    done = shell.runs("sessions", exit_code=1)
    assert (
        "Error: a newer release has changed the database, and this one leaves it as it is: m998_of_tomorrow"
        in done.output
    )
    assert "m998_of_tomorrow" in shell.gives("doctor", exit_code=1)["warnings"][0]
