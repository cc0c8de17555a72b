"""The ledger as a journal, judged by hledger."""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.exports.double_entry import on_one_line
from tests.exports.recorder import HOSTILE, Recorder, an_evening, names, rounds_of_other_days, tool
from tests.reckoning.evenings import Evening, evenings
from tests.scorekeeper import Json, event

ENGLISH = {**os.environ, "LC_ALL": "C.UTF-8"}

Hledger = Callable[..., str]


@pytest.fixture(scope="session")
def hledger(tmp_path_factory: pytest.TempPathFactory) -> Hledger:
    """Ask hledger about a journal. Raises AssertionError with what it says if it refuses."""
    program, file = tool("hledger"), tmp_path_factory.mktemp("journal") / "books.journal"

    def ask(journal: bytes, *command: str) -> str:
        file.write_bytes(journal)
        asked = subprocess.run(
            [program, "-f", str(file), *command], capture_output=True, check=False, env=ENGLISH, encoding="utf-8"
        )
        assert asked.returncode == 0, asked.stderr
        return asked.stdout

    return ask


def balances(hledger: Hledger, journal: bytes) -> dict[str, int]:
    """What hledger makes of every account, by player, pot and bank."""
    listed = csv.reader(io.StringIO(hledger(journal, "balance", "--no-total", "-O", "csv")))
    next(listed)
    return {our_account(theirs): int(amount.removesuffix(" CHIP")) for theirs, amount in listed if amount != "0"}


def our_account(theirs: str) -> str:
    seat = re.match(r"assets:[0-9a-f]{8}:seat:(\d+)", theirs)
    return f"p{int(seat[1])}" if seat else theirs.rpartition(":")[2]


# --- without hledger ------------------------------------------------------------------------------------------------


def test_an_entry_is_a_transaction_with_both_balances_after_it(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("round_opened"), event("bet_placed", player="p2", column=1))
    _, transaction = recorder.takes_home("journal").decode().split("\n\n2026", 1)
    session = recorder.archive.session.id[:8]
    assert transaction == (
        "-11-21 * (1) Bet | round 1  ; entry:1, seq:2, reason:bet, round:1, recorded_at:2026-11-21T09:01:00Z\n"
        f"    assets:{session}:seat:02 Ben  -1 CHIP = -1 CHIP\n"
        f"    assets:{session}:pot  1 CHIP = 1 CHIP\n"
    )


@pytest.mark.parametrize("note", ["a loan", "[2026-13-41]", "date:2020-01-01", ":tag:", "x:: (1", *HOSTILE])
def test_a_note_of_chips_stands_with_them(hledger: Hledger, recorder: Recorder, note: str) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=5, note=note))
    journal = recorder.takes_home("journal")
    hledger(journal, "check", "--strict")
    (found,) = hledger(journal, "tags", "--values", "^note$").splitlines() or [""]
    assert found.strip() == on_one_line(note).replace(",", "，").replace("[", "［").strip()


def test_journals_of_two_evenings_are_included_in_one(hledger: Hledger, recorder: Recorder, tmp_path: Path) -> None:
    once: dict[str, int] = {}
    for number in (1, 2):
        an_evening(recorder, chip_value={"currency": "JPY", "per_chip": "12.5"})
        (tmp_path / f"{number}.journal").write_bytes(recorder.takes_home("journal"))
        once = recorder.balances
    books = b"".join(f"include {tmp_path / f'{number}.journal'}\n".encode() for number in (1, 2))
    hledger(books, "check", "--strict")
    listed = csv.reader(io.StringIO(hledger(books, "balance", "--no-total", "-O", "csv")))
    assert sorted(amount for _, amount in listed if amount.endswith(" CHIP")) == sorted(
        f"{chips} CHIP" for chips in once.values() for _ in "ab" if chips
    )


def test_a_reversal_says_so(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=5))
    recorder.reports(event("event_taken_back"))
    journal = recorder.takes_home("journal").decode()
    assert "* (2) Gift | between rounds, takes back entry 1  ; entry:2, seq:2, reason:gift, reverses:1, rec" in journal
    japanese = recorder.takes_home("journal", "ja").decode()
    assert "* (2) 譲渡 | 局と局の間、仕訳1の取り消し  ; entry:2, seq:2, reason:gift, reverses:1, rec" in japanese


def test_house_rules_stand_on_top_in_words(recorder: Recorder) -> None:
    recorder.opens(["青木", "Ben"], rules={"bet": 3})
    assert ";   * Bet: 3 (usually: 1)\n" in recorder.takes_home("journal").decode()
    assert ";   ＊張り：3（通常は1）\n" in recorder.takes_home("journal", "ja").decode()


def test_days_are_the_readers_and_a_change_of_clocks_turns_none_around(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Berlin clocks go back on October 25 at 3: the night has an hour more, and midnight is at 22 o'clock UTC."""
    monkeypatch.setattr("tests.exports.recorder.NINE", datetime(2026, 10, 24, 21, tzinfo=UTC))
    recorder.opens(["Aki", "Ben"])
    recorder.now += timedelta(minutes=59)
    for hours in (0, 1, 2, 22, 1):
        recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(hours=hours))
    journal = recorder.takes_home("journal", zone="Europe/Berlin").decode()
    told = re.findall(r"^(\S+) \*.*recorded_at:(\S+)", journal, re.MULTILINE)
    assert told == [
        ("2026-10-24", "2026-10-24T21:59:00Z"),
        ("2026-10-25", "2026-10-24T22:59:00Z"),
        ("2026-10-25", "2026-10-25T00:59:00Z"),
        ("2026-10-25", "2026-10-25T22:59:00Z"),
        ("2026-10-26", "2026-10-25T23:59:00Z"),
    ]
    assert "; Days are by the clock of Central European Time" in journal


# --- with it --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "opening", [{}, {"chip_value": {"currency": "JPY", "per_chip": "12.5"}}, {"name": "x\ninclude y"}]
)
def test_hledger_finds_nothing_wrong(hledger: Hledger, recorder: Recorder, opening: Json) -> None:
    an_evening(recorder, **opening)
    journal = recorder.takes_home("journal")
    hledger(journal, "check", "--strict")
    hledger(journal, "check", "ordereddates")
    assert balances(hledger, journal) == recorder.balances


def test_hledger_holds_the_balances_of_rounds_that_were_entered_later(hledger: Hledger, recorder: Recorder) -> None:
    rounds_of_other_days(recorder)
    journal = recorder.takes_home("journal")
    hledger(journal, "check", "--strict")
    hledger(journal, "check", "ordereddates")
    assert balances(hledger, journal) == recorder.balances


def test_hledger_would_find_an_amount_that_was_changed(hledger: Hledger, recorder: Recorder) -> None:
    an_evening(recorder)
    journal = recorder.takes_home("journal")
    changed = journal.replace(b"  -15 CHIP", b"  -16 CHIP").replace(b"  15 CHIP", b"  16 CHIP")
    assert changed != journal
    with pytest.raises(AssertionError, match="balance assertion"):
        hledger(changed, "check", "--strict")


def test_an_empty_session_is_a_journal(hledger: Hledger, recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    assert hledger(recorder.takes_home("journal"), "check", "--strict") == ""


def test_chips_are_valued_where_they_have_a_value(hledger: Hledger, recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "EUR", "per_chip": "0.25"})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    assert "0.75 EUR" in hledger(recorder.takes_home("journal"), "balance", "-V", "Ben")


@pytest.mark.parametrize("per_chip", ["10", "0.50", "0.000000000001", "999999999999.999999999999"])
def test_any_value_of_a_chip_that_a_session_takes_is_no_harm(
    hledger: Hledger, recorder: Recorder, per_chip: str
) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "JPY", "per_chip": per_chip})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    journal = recorder.takes_home("journal")
    hledger(journal, "check", "--strict")


def test_a_clock_that_was_set_back_does_not_turn_the_days_around(hledger: Hledger, recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(days=2))
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=timedelta(days=-3))
    journal = recorder.takes_home("journal")
    assert re.findall(rb"^(\S+) \*", journal, re.MULTILINE) == [b"2026-11-23", b"2026-11-23"]
    assert b"recorded_at:2026-11-20T09:00:00Z" in journal
    hledger(journal, "check", "--strict")
    hledger(journal, "check", "ordereddates")


@given(st.lists(names, min_size=2, max_size=5))
def test_names_come_back_on_one_line(hledger: Hledger, recorder: Recorder, people: list[str]) -> None:
    names_come_back(hledger, recorder, people)


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 5))
def test_hostile_names_come_back_on_one_line(hledger: Hledger, recorder: Recorder, start: int) -> None:
    names_come_back(hledger, recorder, [*HOSTILE[start : start + 5], "Ben"][:5])


def names_come_back(hledger: Hledger, recorder: Recorder, people: list[str]) -> None:
    recorder.opens(people, name=people[0])
    recorder.reports(
        *(event("chips_moved", from_="bank", to=f"p{seat}", amount=1) for seat in range(1, len(people) + 1))
    )
    journal = recorder.takes_home("journal")
    hledger(journal, "check", "--strict")
    assert balances(hledger, journal) == recorder.balances
    for account in hledger(journal, "accounts", "--declared", "seat").splitlines():
        called = account.partition(":seat:")[2]
        assert "  " not in called
        assert all(letter == " " or category(letter)[0] not in "CZ" for letter in called)
        assert not set(called) & set(':;,|()[]{}"=@*!#')
    for seat, name in enumerate(people, 1):
        one = f":seat:{seat:02}"
        (found,) = hledger(journal, "tags", "--values", "^name$", one).splitlines() or [""]
        assert found.strip() == on_one_line(name).replace(",", "，").strip()


@pytest.mark.parametrize("game", ["shirinma", "shippin", "kakkuri"])
def test_hledger_finds_nothing_wrong_with_any_evening(hledger: Hledger, recorder: Recorder, game: str) -> None:
    @given(evenings(game, corrections=True))
    def judge(state: Evening) -> None:
        recorder.opens(**state.opening)
        for reported in state.events:
            recorder.reports(reported, after=timedelta(minutes=45))
        journal = recorder.takes_home("journal")
        hledger(journal, "check", "--strict")
        assert balances(hledger, journal) == recorder.balances

    judge()
