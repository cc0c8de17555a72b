"""The day on which something was played, where somebody said it: books, tables and sheets carry that."""

from __future__ import annotations

import csv
import io
import re
from datetime import date

from beancount import loader
from beancount.core.data import Transaction
from openpyxl import load_workbook

from tests.exports.recorder import Recorder, entered, rounds_of_other_days
from tests.scorekeeper import event


def rows(recorder: Recorder, what: str = "entries") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(recorder.takes_home("csv", what=what).decode(), newline="")))


DAYS = ["2026-11-21", "2026-11-20", "2026-11-18", "2026-11-21", "2026-11-20"]
"""Those of the rounds."""


def test_a_round_carries_its_day_the_log_when_it_was_recorded(recorder: Recorder) -> None:
    rounds_of_other_days(recorder)
    assert [row["played_on"] for row in rows(recorder, "rounds")] == DAYS
    assert {row["opened_at"][:10] for row in rows(recorder, "rounds")} == {"2026-11-21"}
    told = {(row["round"], row["played_on"]) for row in rows(recorder) if not row["reverses"]}
    assert told >= {("", "2026-11-21"), *((str(number), day) for number, day in enumerate(DAYS, 1))}
    sheet = load_workbook(io.BytesIO(recorder.takes_home("xlsx")))["Rounds"]
    assert [f"{row[1].value:%Y-%m-%d}" for row in list(sheet.rows)[1:6]] == DAYS


def test_beancount_has_the_entries_by_day_and_finds_nothing_wrong(recorder: Recorder) -> None:
    rounds_of_other_days(recorder, chip_value={"currency": "JPY", "per_chip": "10"})
    directives, errors, _ = loader.load_string(recorder.takes_home("beancount").decode())
    assert not errors
    told = {(each.meta.get("round"), each.date) for each in directives if isinstance(each, Transaction)}
    assert told >= {(number, date.fromisoformat(day)) for number, day in enumerate(DAYS, 1)}
    assert min(each.date for each in directives) == date(2026, 11, 18)


def test_a_journal_has_the_entries_by_day_with_the_balances_of_that_order(recorder: Recorder) -> None:
    rounds_of_other_days(recorder)
    journal = recorder.takes_home("journal").decode()
    days = re.findall(r"^(2026-\S+) \*", journal, re.MULTILINE)
    assert days == sorted(days)
    assert days[0] == "2026-11-18"
    held = dict.fromkeys(("01 Aki", "02 Ben"), 0)
    for account, amount, balance in re.findall(r"seat:(\d\d \w+)  (-?\d+) CHIP = (-?\d+) CHIP", journal):
        held[account] += int(amount)
        assert held[account] == int(balance)
    assert held == {"01 Aki": 67, "02 Ben": 33}


def test_where_all_was_recorded_afterwards_everything_carries_the_evenings_day(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], played_on="2026-11-14")
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=100), entered(None, 5), event("round_opened"))
    assert {row["played_on"] for row in (*rows(recorder), *rows(recorder, "rounds"))} == {"2026-11-14"}
    assert "2026-11-14 * (1)" in recorder.takes_home("journal").decode()
    sheet = recorder.takes_home("html").decode()
    assert "November 14, 2026 (recorded November 21, 2026" in sheet
    recorder.reports(event("session_described", played_on="2026-11-15"))
    assert {row["played_on"] for row in rows(recorder)} == {"2026-11-15"}
    assert "2026年11月15日 (記録：" in recorder.takes_home("html", "ja").decode()
