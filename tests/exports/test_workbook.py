"""The books as a workbook: read back with openpyxl, printed and calculated anew by LibreOffice."""

from __future__ import annotations

import csv
import io
import re
import subprocess
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook
from openpyxl.utils.escape import unescape

from ledger.i18n.language import LANGUAGES, Language, unique_names
from tests.exports.recorder import HOSTILE, Recorder, an_evening, names, tool
from tests.reckoning.evenings import Table, move_chips, with_corrections
from tests.scorekeeper import event

Row = tuple[Any, ...]

SHEETS: dict[Language, list[str]] = {
    "en": ["Summary", "Won", "Balances", "Entries", "Rounds", "How the rounds went", "Who pays whom", "Chart"],
    "ja": ["まとめ", "勝ち負け", "収支", "仕訳", "局", "各局のあらまし", "支払い", "グラフ"],
}


def workbook(recorder: Recorder, language: Language = "en", zone: str = "UTC") -> Workbook:
    return load_workbook(io.BytesIO(recorder.exports("xlsx", language, zone=zone)))


def rows(book: Workbook, sheet: str) -> list[Row]:
    return list(book[sheet].iter_rows(values_only=True))


@pytest.mark.parametrize("part", ["entries", "rounds"])
def test_columns_are_those_of_the_csv_in_words(recorder: Recorder, part: str) -> None:
    an_evening(recorder, ["佐藤", "佐藤", "Ben"])
    keys, *table = csv.reader(io.StringIO(recorder.exports("csv", what=part).decode(), newline=""))
    for language in LANGUAGES:
        book = workbook(recorder, language)
        assert book.sheetnames == SHEETS[language]
        headings, *cells = rows(book, SHEETS[language][3 if part == "entries" else 4])
        plain = [key for key in keys if key != "explanation"]
        assert len(headings) == len(set(headings)) == len(plain)
        for row, shown in zip(table, cells[:-1], strict=True):
            for key, cell in zip(plain, shown, strict=True):
                value = row[keys.index(key)]
                if isinstance(cell, datetime):
                    assert value.startswith(f"{cell:%Y-%m-%d}")
                elif not key.endswith("_name") and key not in {"reason", "status", "note"}:
                    assert str("" if cell is None else cell) == value, key


def test_people_who_share_a_name_are_told_apart_and_reasons_are_in_words(recorder: Recorder) -> None:
    an_evening(recorder, ["佐藤", "佐藤", "青木"])
    first = dict(zip(*rows(workbook(recorder), "Entries")[:2], strict=True))
    assert (first["From"], first["To"], first["Why"], first["Chips"]) == ("Bank", "佐藤 1", "Buy-in", 1000)
    assert rows(workbook(recorder, "ja"), "収支")[0][1:4] == ("佐藤 1", "佐藤 2", "青木")
    stories = rows(workbook(recorder), "How the rounds went")
    assert [row[0] for row in stories] == ["Round", 1, 2, 3]
    assert str(stories[2][1]).startswith("The round was voided: a card lay face up.")


def test_what_everyone_won_and_held_after_each_round_is_there_and_drawn(recorder: Recorder) -> None:
    an_evening(recorder)
    recorder.reports(event("settlement_paid", from_="p2", to="p1", amount=2))
    book = workbook(recorder)
    header, *won = rows(book, "Won")
    assert header == ("Round", "Aki", "Ben", "Chie", "Pot", "Bank", "Check (0)")
    assert [row[:-1] for row in won] == [
        *((0, 0, 0, 0, 0, 0), (1, 2, -1, -1, 0, 0), (2, 2, -1, -1, 0, 0), (3, 2, -2, -1, 1, 0)),
        ("now", 2, -2, -1, 1, 0),
    ]
    held = rows(book, "Balances")
    assert held[2] == (1, 1002, -1, -1, 0, -1000, "=SUM(B3:F3)")
    balances = dict(zip(("p1", "p2", "p3", "pot", "bank"), held[-1][1:-1], strict=True))
    assert {account: chips for account, chips in balances.items() if chips} == recorder.balances
    (chart,) = book["Chart"]._charts  # type: ignore[attr-defined]
    assert [line.val.numRef.f for line in chart.series] == [f"Won!${column}$2:${column}$6" for column in "BCD"]
    assert [line.tx.strRef.f for line in chart.series] == ["Won!$B$1", "Won!$C$1", "Won!$D$1"]


def test_the_summary_says_what_it_was_and_what_everyone_has(recorder: Recorder) -> None:
    an_evening(recorder, name="=New year", chip_value={"currency": "JPY", "per_chip": "10"}, rules={"bet": 3})
    told = {row[0]: row[1:] for row in rows(workbook(recorder), "Summary")}
    assert (told["Game"][0], told["Status"][0], told["Rounds"][0]) == ("Shippin", "open", 3)
    assert told["Opened (UTC)"][0] == datetime(2026, 11, 21, 9)  # noqa: DTZ001 - a workbook knows no zones
    assert told["No."][:3] == ("Name", "Seat", "Rounds together")
    assert told["No."][3:] == (
        "Outside the rounds",
        "Won",
        "Bought, given, paid",
        "Balance",
        "Won (JPY)",
        "Balance (JPY)",
    )
    assert told[1] == ("Aki", 1, 6, 0, 6, 985, 991, 60, 9910)
    assert {"=New year", "Players together", "Everything together has to be 0"} <= told.keys()
    assert (told["Bet"][:2], told["Tie"][:2]) == ((3, "usually: 1"), ("The bet goes back", None))
    bet = next(row for row in workbook(recorder)["Summary"].iter_rows() if row[0].value == "Bet")
    assert bet[1].font.b
    japanese = {row[0]: row[1] for row in rows(workbook(recorder, "ja", "Asia/Tokyo"), "まとめ")}
    assert japanese["開始（日本時間）"] == datetime(2026, 11, 21, 18)  # noqa: DTZ001
    assert japanese["引き分けの扱い"] == "張りが戻る"


def test_the_settlement_says_who_pays_whom_in_chips_and_money(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "USD", "per_chip": "0.125"})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    book = workbook(recorder)
    assert rows(book, "Who pays whom") == [
        ("From (ID)", "From", "To (ID)", "To", "Chips", "USD", "Left over"),
        ("p1", "Aki", "p2", "Ben", 3, 0.37, 0.005),
        ("Total", None, None, None, "=SUM(E2:E2)", "=SUM(F2:F2)", "=SUM(G2:G2)"),
    ]
    assert [cell.number_format for cell in book["Who pays whom"][2]][4:6] == ["#,##0;[Red]-#,##0", "#,##0.00"]
    assert [row[0] for row in rows(book, "Balances")[1:]] == [0, "now"]
    assert len(rows(book, "Rounds")) == len(rows(book, "How the rounds went")) == 1


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 5))
def test_hostile_names_come_back(recorder: Recorder, start: int) -> None:
    names_come_back(recorder, [*HOSTILE[start : start + 5], "Ben"][:5])


@given(st.lists(names, min_size=2, max_size=5))
def test_names_come_back_and_no_cell_is_a_formula(recorder: Recorder, people: list[str]) -> None:
    names_come_back(recorder, people)


def names_come_back(recorder: Recorder, people: list[str]) -> None:
    recorder.opens(people, name=people[0])
    moved = ({"to": f"p{seat}", "note": name} for seat, name in enumerate(people, 1))
    recorder.reports(*(event("chips_moved", from_="bank", amount=1, **each) for each in moved))
    book = workbook(recorder)
    header, *entries = rows(book, "Entries")
    for heading, texts in (("To", unique_names(people)), ("Note", people)):
        shown = [row[header.index(heading)] for row in entries[:-1]]  # of some escapes openpyxl undoes a half
        assert all(text in {cell, unescape(cell)} for cell, text in zip(shown, texts, strict=True))
    cells = [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row]
    assert all(re.fullmatch(r"=SUM\([A-Z]+\d+:[A-Z]+\d+\)", str(cell.value)) for cell in cells if cell.data_type == "f")
    assert all(not cell.hyperlink for cell in cells)


# --- LibreOffice ----------------------------------------------------------------------------------------------------

PEOPLE = (
    *("山田さくら", "佐藤", "鈴木 一郎", "青木", "高橋美咲", "伊藤", "渡辺 健太", "佐藤"),
    *("小林", "Ben", "中村 千恵子", "加藤", "吉田", "長谷川 万里子", "Zoë O'Neil"),
)


@pytest.mark.integration
@pytest.mark.parametrize("language", LANGUAGES)
def test_libreoffice_prints_it_and_finds_the_same_sums(recorder: Recorder, tmp_path: Path, language: Language) -> None:
    table = Table({"game": "shirinma", "players": list(PEOPLE)})
    for number in range(12):
        table.happens(move_chips, Random(f"chips {number}"))
        table.play(Random(f"round {number}"))
    recorder.opens(PEOPLE, "shirinma", name="新年会 & more", chip_value={"currency": "EUR", "per_chip": "0.25"})
    recorder.reports(*with_corrections(Random("mistakes"), table.pages))
    content, blank = recorder.exports("xlsx", language), tmp_path / "books.xlsx"
    with ZipFile(io.BytesIO(content)) as read, ZipFile(blank, "w", ZIP_DEFLATED) as written:
        for name in read.namelist():  # the same workbook as if it had not been calculated yet
            written.writestr(name, re.sub(rb"(<f>[^<]+</f>)<v>[^<]*</v>", rb"\1", read.read(name)))
    office = [tool("soffice"), f"-env:UserInstallation={(tmp_path / 'settings').as_uri()}", "--headless"]
    for form in ("xlsx", "pdf"):
        command = [*office, "--convert-to", form, "--outdir", str(tmp_path / "out"), str(blank)]
        subprocess.run(command, check=True, capture_output=True, timeout=300)

    ours, theirs = (load_workbook(book, data_only=True) for book in (io.BytesIO(content), tmp_path / "out/books.xlsx"))
    formulas = load_workbook(io.BytesIO(content))
    cells = [cell for sheet in formulas.worksheets for row in sheet.iter_rows() for cell in row]
    places = [(cell.parent.title, cell.coordinate) for cell in cells if cell.data_type == "f"]
    assert len(places) > 12 + 2 * len(PEOPLE)
    for sheet, place in places:
        assert theirs[sheet][place].value == pytest.approx(ours[sheet][place].value), f"{sheet} {place}"

    printed = [tool("pdftotext"), "-layout", str(tmp_path / "out/books.pdf"), "-"]
    text = subprocess.run(printed, check=True, capture_output=True, encoding="utf-8").stdout
    pages = text.removesuffix("\f").split("\f")
    for number, page in enumerate(pages, 1):
        assert re.search(rf"\b{number} / {len(pages)}\s*\Z", page)
        assert page.lstrip().startswith("新年会 & more")
    sheets = [page.splitlines()[0].rpartition("  ")[2] for page in pages]
    assert list(dict.fromkeys(sheets)) == SHEETS[language]
    assert {name: sheets.count(name) for name in SHEETS[language]} == dict.fromkeys(SHEETS[language], 1) | {
        name: sheets.count(name) for name in SHEETS[language][3:6:2]
    }
