"""The ledger as a journal, judged by Ledger: the program that hledger's format comes from reads it just the same."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ledger.language import LANGUAGES, Language
from tests.exports.recorder import HOSTILE, Recorder, an_evening, rounds_of_other_days, tool
from tests.scorekeeper import event

Ledger = Callable[..., str]


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """Ask Ledger about a journal. Raises AssertionError with what it says if it refuses or warns."""
    program, file = tool("ledger"), tmp_path / "books.journal"

    def ask(journal: bytes, *command: str) -> str:
        file.write_bytes(journal)
        variables = {**os.environ, "LC_ALL": "C.UTF-8"}
        asked = subprocess.run(
            [program, "--args-only", "--pedantic", "-f", file, *command],
            capture_output=True, check=False, env=variables, encoding="utf-8",
        )  # fmt: skip
        assert asked.returncode == 0, asked.stderr
        assert asked.stderr == ""
        return asked.stdout

    return ask


def balances(ledger: Ledger, journal: bytes) -> dict[str, int]:
    """What Ledger makes of every account, by player, pot and bank."""
    form = "%(account)\t%(quantity(scrub(display_total)))\n"
    lines = ledger(journal, "balance", "--flat", "--no-total", "--format", form).splitlines()
    return {our_account(theirs): int(amount) for theirs, amount in (line.split("\t") for line in lines)}


def our_account(theirs: str) -> str:
    seat = re.match(r"assets:[0-9a-f]{8}:seat:(\d+)", theirs)
    return f"p{int(seat[1])}" if seat else theirs.rpartition(":")[2]


def test_journals_of_two_evenings_are_included_in_one(ledger: Ledger, recorder: Recorder, tmp_path: Path) -> None:
    for number in (1, 2):
        an_evening(recorder, chip_value={"currency": "JPY", "per_chip": "12.5"})
        (tmp_path / f"{number}.journal").write_bytes(recorder.takes_home("journal"))
    books = b"".join(f"include {number}.journal\n".encode() for number in (1, 2))
    assert len(ledger(books, "accounts").splitlines()) == 2 * sum(map(bool, recorder.balances.values()))


@pytest.mark.parametrize("note", ["[2026-13-41]", "[=2026-13-41]", "date:2020-01-01", ":tag:", "x:: (1", *HOSTILE])
def test_any_note_is_no_harm(ledger: Ledger, recorder: Recorder, note: str) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=5, note=note))
    assert balances(ledger, recorder.takes_home("journal")) == {"p1": 5, "bank": -5}


def test_ledger_holds_the_balances_of_rounds_that_were_entered_later(ledger: Ledger, recorder: Recorder) -> None:
    rounds_of_other_days(recorder)
    assert balances(ledger, recorder.takes_home("journal")) == recorder.balances


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("per_chip", [None, "12.5", "0.000000000001"])
def test_ledger_finds_nothing_wrong(
    ledger: Ledger, recorder: Recorder, language: Language, per_chip: str | None
) -> None:
    an_evening(recorder, ["青木", "佐藤", "佐藤"], chip_value=per_chip and {"currency": "JPY", "per_chip": per_chip})
    journal = recorder.takes_home("journal", language)
    assert balances(ledger, journal) == {one: chips for one, chips in recorder.balances.items() if chips}


def test_ledger_would_find_an_amount_that_was_changed(ledger: Ledger, recorder: Recorder) -> None:
    an_evening(recorder)
    journal = recorder.takes_home("journal")
    changed = journal.replace(b"  -15 CHIP", b"  -16 CHIP").replace(b"  15 CHIP", b"  16 CHIP")
    assert changed != journal
    with pytest.raises(AssertionError, match="Balance assertion off by"):
        ledger(changed, "balance")


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 5))
def test_no_name_is_more_to_ledger_than_a_name(ledger: Ledger, recorder: Recorder, start: int) -> None:
    people = [*HOSTILE[start : start + 5], "Ben"][:5]
    recorder.opens(people, name=people[0])
    recorder.reports(
        *(event("chips_moved", from_="bank", to=f"p{seat}", amount=1) for seat in range(1, len(people) + 1))
    )
    assert balances(ledger, recorder.takes_home("journal")) == recorder.balances
