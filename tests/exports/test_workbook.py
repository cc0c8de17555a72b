"""The books as a workbook, read back with openpyxl."""

from __future__ import annotations

import csv
import io
import re
from datetime import datetime
from random import Random
from typing import Any
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook
from openpyxl.utils.escape import unescape

from ledger.exports import sheets
from ledger.exports.pages import account_names
from ledger.games import newest
from ledger.language import LANGUAGES, Language, render
from ledger.session.events import REASONS
from tests.exports.recorder import HOSTILE, Recorder, an_evening, names
from tests.reckoning.evenings import an_evening as random_evening
from tests.scorekeeper import event

Row = tuple[Any, ...]

OURS = re.compile(r"=SUM\([A-Z]+\d+:[A-Z]+\d+\)|=[A-Z]+\d+\+[A-Z]+\d+")
"""The formulas that there are."""


def workbook(recorder: Recorder, language: Any = "en") -> Workbook:
    return load_workbook(io.BytesIO(recorder.takes_home("xlsx", language)))


def rows(book: Workbook, sheet: str) -> list[Row]:
    return list(book[sheet].iter_rows(values_only=True))


SHEETS: dict[Language, list[str]] = {
    "en": ["Summary", "Won", "Balances", "Entries", "Rounds", "How the rounds went", "Who pays whom", "Chart"],
    "ja": ["まとめ", "勝ち負け", "収支", "仕訳", "局", "各局のあらまし", "支払い", "グラフ"],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheets_are_in_order_and_in_words(recorder: Recorder, language: Language) -> None:
    an_evening(recorder)
    assert workbook(recorder, language).sheetnames == SHEETS[language]


def as_csv(recorder: Recorder, part: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(recorder.takes_home("csv", what=part).decode(), newline="")))


def number(cell: str) -> int | None:
    return int(cell) if cell else None


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_entry_says_in_words_what_csv_says(recorder: Recorder, language: Language) -> None:
    an_evening(recorder)
    names = account_names(recorder.archive, language)
    words = {reason: render(label, language, {}) for reason, label in REASONS.items()} | {
        reason: render(label, language, {}) for reason, label in newest("shippin").reasons.items()
    }
    assert rows(workbook(recorder, language), SHEETS[language][3])[1:-1] == [
        (
            *(number(row[column]) for column in ("id", "seq", "part", "round")),
            *(names[row["from"]], names[row["to"]], int(row["amount"]), words[row["reason"]]),
            row["note"].removeprefix("'") or None,
            *(number(row[column]) for column in ("reverses", "from_balance", "to_balance")),
        )
        for row in as_csv(recorder, "entries")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_round_says_in_words_what_csv_says(recorder: Recorder, language: Language) -> None:
    an_evening(recorder)
    names = account_names(recorder.archive, language)
    english = {"settled": "settled", "void": "void", "recording": "being played"}
    statuses = {"settled": "決着", "void": "無効", "recording": "途中"} if language == "ja" else english
    counted = ("players", "carried", "paid_in", "pot", "p1 Aki", "p2 Ben", "p3 Chie")
    book = workbook(recorder, language)
    assert [
        tuple(cell.strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(cell, datetime) else cell for cell in row)
        for row in rows(book, SHEETS[language][4])[1:-5]
    ] == [
        (
            *(int(row["round"]), f"{row['played_on']}T00:00:00Z", row["opened_at"], statuses[row["status"]]),
            *(names.get(row[column]) for column in ("dealer", "winner", "next_dealer")),
            *(number(row[column]) for column in counted),
        )
        for row in as_csv(recorder, "rounds")
    ]
    told = {row[0]: row[1] for row in rows(book, SHEETS[language][5])}
    for row in csv.DictReader(io.StringIO(recorder.takes_home("csv", language, "rounds").decode(), newline="")):
        assert told[int(row["round"])] == (row["explanation"] or statuses["recording"])


WIRE = re.compile(r"\b([a-z]+_[a-z_]+|p\d+|id|seq|recording)\b")
"""What programs say to one another."""


@pytest.mark.parametrize("game", ["shirinma", "shippin", "kakkuri"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_of_the_wire_is_in_it_and_in_japanese_none_of_english(
    recorder: Recorder, game: str, language: Language
) -> None:
    evening = random_evening(Random(game), game, corrections=True, max_rounds=4)
    people = [f"青木{seat}" for seat, _ in enumerate(evening.opening["players"])]
    recorder.opens(**{**evening.opening, "players": people, "name": "新年会"})
    for place, reported in enumerate(evening.events):
        joins = reported["type"] == "player_joined"
        recorder.reports({**reported, "name": f"佐藤{place}"} if joins else reported)
    book = workbook(recorder, language)
    cells = {str(cell) for name in SHEETS[language][:-1] for row in rows(book, name) for cell in row}
    texts = {text for text in (*book.sheetnames, *cells) if not text.startswith("=")}
    assert len(texts) > 40
    assert {text for text in texts if WIRE.search(text)} == set()
    if language == "ja":
        own_words = re.compile("Tea was spilt|Somebody rang|認めました：.*|UTC|None")
        assert {text for text in texts if re.search("[A-Za-z]{2}", own_words.sub("", text))} == set()


def test_people_who_share_a_name_are_told_apart(recorder: Recorder) -> None:
    recorder.opens(["佐藤", "佐藤", "青木"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    assert rows(workbook(recorder), "Entries")[1][4:6] == ("佐藤 1", "佐藤 2")
    assert rows(workbook(recorder, "ja"), "収支")[0][1:4] == ("佐藤 1", "佐藤 2", "青木")


def test_numbers_are_numbers(recorder: Recorder) -> None:
    an_evening(recorder)
    header, *told = rows(workbook(recorder), "Entries")
    for row in told[:-1]:
        for heading, cell in zip(header, row, strict=True):
            if heading in {"Entry", "Event", "Chips", "Balance of who paid", "Balance of who got"}:
                assert isinstance(cell, int)


def test_the_balances_are_those_after_each_round_and_now(recorder: Recorder) -> None:
    an_evening(recorder)
    header, *told = rows(workbook(recorder), "Balances")
    assert header == ("Round", "Aki", "Ben", "Chie", "Pot", "Bank", "Check (0)")
    assert [row[0] for row in told] == [0, 1, 2, 3, "now"]
    assert told[1][1:] == (1002, -1, -1, 0, -1000, "=SUM(B3:F3)")
    assert all(sum(row[1:-1]) == 0 for row in told)
    held = dict(zip(("p1", "p2", "p3", "pot", "bank"), told[-1][1:-1], strict=True))
    assert {account: chips for account, chips in held.items() if chips} == recorder.balances


def test_what_was_won_after_each_round_and_now_stands_beside_the_balances(recorder: Recorder) -> None:
    an_evening(recorder)
    recorder.reports(event("settlement_paid", from_="p2", to="p1", amount=2))
    _, *told = rows(workbook(recorder), "Won")
    assert [row[:-1] for row in told] == [
        (0, 0, 0, 0, 0, 0),
        (1, 2, -1, -1, 0, 0),
        (2, 2, -1, -1, 0, 0),
        (3, 2, -2, -1, 1, 0),
        ("now", 2, -2, -1, 1, 0),
    ]


def test_below_the_rounds_stand_what_was_won_and_the_balance(recorder: Recorder) -> None:
    an_evening(recorder)
    told = rows(workbook(recorder), "Rounds")[-5:]
    assert [row[1] for row in told] == [
        "Rounds together",
        "Outside the rounds",
        "Won",
        "Bought, given, paid",
        "Balance",
    ]
    assert [row[-3:] for row in told[1::2]] == [(0, 0, 0), (985, 0, 15)]
    assert told[2][-1] == "=N5+N6"
    assert told[4][-1] == "=N7+N8"


def test_the_chart_draws_every_player_over_the_rounds(recorder: Recorder) -> None:
    an_evening(recorder)
    (chart,) = workbook(recorder)["Chart"]._charts  # type: ignore[attr-defined]
    assert [line.val.numRef.f for line in chart.series] == ["Won!$B$2:$B$5", "Won!$C$2:$C$5", "Won!$D$2:$D$5"]
    assert [line.tx.strRef.f for line in chart.series] == ["Won!$B$1", "Won!$C$1", "Won!$D$1"]
    assert {line.cat.numRef.f for line in chart.series} == {"Won!$A$2:$A$5"}


def test_a_session_without_rounds_is_a_workbook_too(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    book = workbook(recorder)
    assert [row[:-1] for row in rows(book, "Balances")[1:]] == [(0, 0, 0, 0, 0), ("now", 0, 0, 0, 0)]
    assert {len(rows(book, name)) for name in ("Entries", "Rounds", "How the rounds went", "Who pays whom")} == {1}


def test_the_settlement_says_who_pays_whom_in_chips_and_money(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "USD", "per_chip": "0.125"})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    assert rows(workbook(recorder), "Who pays whom") == [
        ("From", "To", "Chips", "USD", "Left over"),
        ("Aki", "Ben", 3, 0.37, 0.005),
        ("Total", None, "=SUM(C2:C2)", "=SUM(D2:D2)", "=SUM(E2:E2)"),
    ]


def test_money_is_written_as_it_was_worked_out(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "USD", "per_chip": "0.100000000001"})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    with ZipFile(io.BytesIO(recorder.takes_home("xlsx"))) as packed:
        assert {"-0.300000000003", "0.300000000003"} <= numbers(packed.read("xl/worksheets/sheet1.xml"))
        assert {"0.30", "3E-12"} <= numbers(packed.read("xl/worksheets/sheet7.xml"))


def numbers(sheet: bytes) -> set[str]:
    return set(re.findall("<v>(.*?)</v>", sheet.decode()))


def test_the_summary_says_what_it_was_and_what_everyone_has(recorder: Recorder) -> None:
    an_evening(recorder, name="=New year", chip_value={"currency": "JPY", "per_chip": "10"})
    told = {row[0]: row[1:] for row in rows(workbook(recorder), "Summary")}
    assert told["=New year"][0] is None
    assert (told["Game"][0], told["Status"][0], told["Rounds"][0]) == ("Shippin", "open", 3)
    assert told["Opened (UTC)"][0] == datetime(2026, 11, 21, 9)  # noqa: DTZ001 - a workbook knows no zones
    assert told["No."] == ("Name", "Seat", "Won", "Balance", "Won (JPY)", "Balance (JPY)")
    assert told[1] == ("Aki", 1, 2, 987, 20, 9870)
    for figure in (2, 3):
        assert sum(told[account][figure] for account in (1, 2, 3, "Pot", "Bank")) == 0
    assert (told["Bet"][:2], told["Tie"][:2]) == ((1, None), ("The bet goes back", None))


@pytest.mark.parametrize(("language", "usually"), [("en", "usually: 1"), ("ja", "通常は1")])
def test_house_rules_that_differ_are_bold_and_say_how_it_usually_is(
    recorder: Recorder, language: Language, usually: str
) -> None:
    recorder.opens(["Aki", "Ben"], rules={"bet": 3})
    sheet = workbook(recorder, language)[SHEETS[language][0]]
    lines = list(sheet.iter_rows())
    (at,) = [at for at, row in enumerate(lines) if row[2].value == usually]
    assert (lines[at][1].value, lines[at][1].font.b) == (3, True)
    assert (lines[at + 1][1].font.b, lines[at + 1][2].value) == (False, None)


def test_moments_are_on_the_readers_clock(recorder: Recorder) -> None:
    an_evening(recorder)
    book = load_workbook(io.BytesIO(recorder.takes_home("xlsx", "ja", zone="Asia/Tokyo")))
    told = {row[0]: row[1] for row in rows(book, "まとめ")}
    assert told["開始（日本時間）"] == datetime(2026, 11, 21, 18)  # noqa: DTZ001
    assert rows(book, "局")[1][1:3] == (datetime(2026, 11, 22), datetime(2026, 11, 22, 8, 50))  # noqa: DTZ001


def test_the_summary_is_in_the_readers_language(recorder: Recorder) -> None:
    an_evening(recorder)
    told = {row[0]: row[1] for row in rows(workbook(recorder, "ja"), "まとめ")}
    assert (told["ゲーム"], told["引き分けの扱い"]) == ("シッピン", "張りが戻る")


def test_numbers_and_moments_look_like_what_they_are(recorder: Recorder) -> None:
    an_evening(recorder)
    book = workbook(recorder)
    ledger = dict(zip([cell.value for cell in book["Entries"][1]], book["Entries"][2], strict=True))
    assert ledger["Chips"].number_format == ledger["Balance of who got"].number_format == "#,##0;[Red]-#,##0"
    assert ledger["Entry"].number_format == "General"
    opened = dict(zip([cell.value for cell in book["Rounds"][1]], book["Rounds"][2], strict=True))["Opened"]
    assert (opened.number_format, opened.value) == ("[$-409]d mmm h:mm", datetime(2026, 11, 21, 23, 50))  # noqa: DTZ001
    assert workbook(recorder, "ja")["局"]["C2"].number_format == 'm"月"d"日" h:mm'


def test_a_text_is_cut_to_what_a_cell_holds() -> None:
    (row,) = sheets.xml_of([("🎴" * 20_000,)], 2, [0])
    assert row.decode().count("🎴") == sheets.MAX_LETTERS


def test_what_reads_as_a_characters_number_comes_back(recorder: Recorder) -> None:
    names_come_back(recorder, ["_x0041_x0042_", "_x005F_", "_x004", "__x0041__"])


def test_spaces_at_the_ends_of_a_name_are_kept(recorder: Recorder) -> None:
    recorder.opens(["  Aki ", "Ben"])
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=1))
    with ZipFile(io.BytesIO(recorder.takes_home("xlsx"))) as packed:
        assert b'<t xml:space="preserve">  Aki </t>' in packed.read("xl/worksheets/sheet4.xml")


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
    names = list(account_names(recorder.archive, "en").values())
    assert [name == told or name.startswith(f"{told} (") for name, told in zip(names, people, strict=False)]
    assert [unescape(row[5]) for row in rows(book, "Entries")[1:-1]] == names[: len(people)]
    cells = [cell for sheet in book.worksheets for row in sheet.iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n", "d", "f", "inlineStr"}
    assert all(OURS.fullmatch(str(cell.value)) for cell in cells if cell.data_type == "f")
    assert all(not cell.hyperlink for cell in cells)
