"""The books as a workbook, read back with openpyxl."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook
from openpyxl.utils.escape import unescape

from ledger.exports import sheets, xlsx
from tests.exports.recorder import HOSTILE, Recorder, an_evening, names
from tests.scorekeeper import event

Row = tuple[Any, ...]


def workbook(recorder: Recorder, language: Any = "en") -> Workbook:
    return load_workbook(io.BytesIO(recorder.takes_home("xlsx", language)))


def rows(book: Workbook, sheet: str) -> list[Row]:
    return list(book[sheet].iter_rows(values_only=True))


def test_a_service_starts_without_what_writes_workbooks() -> None:
    told = "import sys, ledger.app; print('xlsxwriter' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", told], check=True, capture_output=True, text=True).stdout == "False\n"


def test_the_sheets_are_in_order(recorder: Recorder) -> None:
    an_evening(recorder)
    assert workbook(recorder).sheetnames == ["summary", "balances", "ledger", "rounds", "settlement"]


@pytest.mark.parametrize(("sheet", "part"), [("ledger", "entries"), ("rounds", "rounds")])
def test_a_table_has_the_rows_that_csv_has(recorder: Recorder, sheet: str, part: str) -> None:
    an_evening(recorder)
    text = recorder.takes_home("csv", what=part).decode()
    told = [[written(cell) for cell in row] for row in rows(workbook(recorder), sheet)]
    assert told == list(csv.reader(io.StringIO(text, newline="")))


def written(cell: object) -> str:
    """Write a cell as CSV has it."""
    if isinstance(cell, datetime):
        return cell.strftime("%Y-%m-%dT%H:%M:%SZ")
    return "" if cell is None else str(cell)


def test_numbers_are_numbers(recorder: Recorder) -> None:
    an_evening(recorder)
    header, *told = rows(workbook(recorder), "ledger")
    for row in told:
        for heading, cell in zip(header, row, strict=True):
            if heading in {"id", "seq", "amount", "from_balance", "to_balance"}:
                assert isinstance(cell, int)


def test_the_balances_are_those_after_each_round_and_now(recorder: Recorder) -> None:
    an_evening(recorder)
    header, *told = rows(workbook(recorder), "balances")
    assert header == ("round", "p1 Aki", "p2 Ben", "p3 Chie", "pot", "bank")
    assert [row[0] for row in told] == [0, 1, 2, 3, "now"]
    assert told[1][1:] == (1002, -1, -1, 0, -1000)
    assert all(sum(row[1:]) == 0 for row in told)
    held = dict(zip(("p1", "p2", "p3", "pot", "bank"), told[-1][1:], strict=True))
    assert {account: chips for account, chips in held.items() if chips} == recorder.balances


def test_the_chart_draws_every_player_over_the_rounds(recorder: Recorder) -> None:
    an_evening(recorder)
    (chart,) = workbook(recorder)["balances"]._charts  # type: ignore[attr-defined]
    assert [line.val.numRef.f for line in chart.series] == [
        "balances!$B$2:$B$5",
        "balances!$C$2:$C$5",
        "balances!$D$2:$D$5",
    ]
    assert [line.tx.strRef.f for line in chart.series] == ["balances!$B$1", "balances!$C$1", "balances!$D$1"]
    assert {line.cat.numRef.f for line in chart.series} == {"balances!$A$2:$A$5"}


def test_a_session_without_rounds_is_a_workbook_too(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    book = workbook(recorder)
    assert rows(book, "balances")[1:] == [(0, 0, 0, 0, 0), ("now", 0, 0, 0, 0)]
    assert len(rows(book, "ledger")) == len(rows(book, "rounds")) == len(rows(book, "settlement")) == 1


def test_the_settlement_says_who_pays_whom_in_chips_and_money(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "USD", "per_chip": "0.125"})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    assert rows(workbook(recorder), "settlement") == [
        ("from", "from_name", "to", "to_name", "amount", "money", "currency", "remainder"),
        ("p1", "Aki", "p2", "Ben", 3, 0.37, "USD", 0.005),
    ]


def test_money_is_written_as_it_was_worked_out(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "USD", "per_chip": "0.100000000001"})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    with ZipFile(io.BytesIO(recorder.takes_home("xlsx"))) as packed:
        assert {"-0.300000000003", "0.300000000003"} <= numbers(packed.read("xl/worksheets/sheet1.xml"))
        assert {"0.30", "3E-12"} <= numbers(packed.read("xl/worksheets/sheet5.xml"))


def numbers(sheet: bytes) -> set[str]:
    return set(re.findall("<v>(.*?)</v>", sheet.decode()))


def test_the_summary_says_what_it_was_and_what_everyone_has(recorder: Recorder) -> None:
    an_evening(recorder, name="=New year", chip_value={"currency": "JPY", "per_chip": "10"})
    told = {row[0]: row[1:] for row in rows(workbook(recorder), "summary")}
    assert told["=New year"][0] is None
    assert (told["Game"][0], told["Status"][0], told["Rounds"][0]) == ("Shippin", "open", 3)
    assert told["Opened (UTC)"][0] == datetime(2026, 11, 21, 9)  # noqa: DTZ001 - a workbook knows no zones
    assert told["p1"] == ("Aki", 1, 987, 9870)
    assert sum(told[account][2] for account in ("p1", "p2", "p3", "pot", "bank")) == 0
    assert (told["Bet"][0], told["Tie"][0]) == (1, "The bet goes back")


def test_the_summary_is_in_the_readers_language(recorder: Recorder) -> None:
    an_evening(recorder)
    told = {row[0]: row[1] for row in rows(workbook(recorder, "ja"), "summary")}
    assert (told["ゲーム"], told["引き分けの扱い"]) == ("シッピン", "張りが戻る")


def test_a_table_too_long_for_a_sheet_goes_on_in_the_next(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MOST_ROWS", 4)
    recorder.opens(["Aki", "Ben"])
    recorder.reports(*[event("chips_moved", from_="p1", to="p2", amount=1)] * 7)
    book = workbook(recorder)
    assert [name for name in book.sheetnames if name.startswith("ledger")] == ["ledger", "ledger (2)", "ledger (3)"]
    sheets = [rows(book, name) for name in ("ledger", "ledger (2)", "ledger (3)")]
    assert [[row[0] for row in sheet] for sheet in sheets] == [["id", 1, 2, 3], ["id", 4, 5, 6], ["id", 7]]


def test_a_table_that_just_fits_stays_on_one_sheet(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx, "MOST_ROWS", 4)
    recorder.opens(["Aki", "Ben"])
    recorder.reports(*[event("chips_moved", from_="p1", to="p2", amount=1)] * 3)
    assert [name for name in workbook(recorder).sheetnames if name.startswith("ledger")] == ["ledger"]


def test_a_long_table_goes_on_from_page_to_page(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    long = 2 * sheets.ROWS_A_PAGE + 7
    recorder.reports(*[event("chips_moved", from_="p1", to="p2", amount=1)] * long)
    assert [row[0] for row in rows(workbook(recorder), "ledger")] == ["id", *range(1, long + 1)]


@pytest.mark.parametrize("sheet", ["balances", "ledger", "rounds", "settlement"])
def test_a_sheet_says_how_far_it_goes(recorder: Recorder, sheet: str) -> None:
    """Readers that go row by row believe it, and so does whoever filters."""
    an_evening(recorder)
    told = workbook(recorder)[sheet]
    read = load_workbook(io.BytesIO(recorder.takes_home("xlsx")), read_only=True)[sheet]
    assert read.calculate_dimension() == told.calculate_dimension() == told.auto_filter.ref
    assert len(list(read.iter_rows())) == told.max_row


def test_numbers_and_moments_look_like_what_they_are(recorder: Recorder) -> None:
    an_evening(recorder)
    book = workbook(recorder)
    ledger = dict(zip([cell.value for cell in book["ledger"][1]], book["ledger"][2], strict=True))
    assert ledger["amount"].number_format == ledger["to_balance"].number_format == "#,##0;[Red]-#,##0"
    assert ledger["id"].number_format == "General"
    opened = dict(zip([cell.value for cell in book["rounds"][1]], book["rounds"][2], strict=True))["opened_at"]
    assert (opened.number_format, opened.value) == ("yyyy-mm-dd hh:mm:ss", datetime(2026, 11, 21, 23, 50))  # noqa: DTZ001


def test_a_text_is_cut_to_what_a_cell_holds() -> None:
    (row,) = sheets.xml_of([("🎴" * 20_000,)], 2, [None])
    assert row.decode().count("🎴") == sheets.MOST_LETTERS


def test_what_reads_as_a_characters_number_comes_back(recorder: Recorder) -> None:
    names_come_back(recorder, ["_x0041_x0042_", "_x005F_", "_x004", "__x0041__"])


def test_nothing_is_written_to_the_disk(recorder: Recorder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "there is no such folder"))
    an_evening(recorder)
    assert rows(workbook(recorder), "rounds")


def test_spaces_at_the_ends_of_a_name_are_kept(recorder: Recorder) -> None:
    recorder.opens(["  Aki ", "Ben"])
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=1))
    with ZipFile(io.BytesIO(recorder.takes_home("xlsx"))) as packed:
        assert b'<t xml:space="preserve">  Aki </t>' in packed.read("xl/worksheets/sheet3.xml")


@settings(max_examples=40)
@given(st.lists(names, min_size=2, max_size=5))
def test_names_come_back_and_no_cell_is_a_formula(recorder: Recorder, people: list[str]) -> None:
    names_come_back(recorder, people)


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 5))
def test_hostile_names_come_back(recorder: Recorder, start: int) -> None:
    names_come_back(recorder, [*HOSTILE[start : start + 5], "Ben"][:5])


def names_come_back(recorder: Recorder, people: list[str]) -> None:
    recorder.opens(people, name=people[0])
    recorder.reports(
        *(event("chips_moved", from_="bank", to=f"p{seat}", amount=1) for seat in range(1, len(people) + 1))
    )
    book = workbook(recorder)
    assert [unescape(row[6]) for row in rows(book, "ledger")[1:]] == people
    assert {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row} <= {
        "s",
        "n",
        "d",
        "inlineStr",
    }
    assert all(not cell.hyperlink for sheet in book for row in sheet.iter_rows() for cell in row)
