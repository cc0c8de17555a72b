"""The score sheet: read as a page, and printed by Chromium."""

from __future__ import annotations

import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.exports import html
from ledger.exports.html import Sheet, css_text
from ledger.exports.wanted import Wanted
from ledger.language import Language, inert, unique_names
from tests.exports.recorder import HOSTILE, Recorder, an_evening, names, shippin, tool
from tests.scorekeeper import event

HARMLESS = {
    *("html", "head", "meta", "title", "style", "body", "header", "section", "footer", "div", "h1", "h2", "p", "small"),
    *("table", "thead", "tbody", "tr", "th", "td", "bdi", "span", "ol", "li", "b", "dl", "dt", "dd"),
    *("figure", "svg", "g", "desc", "rect", "text", "line", "path"),
}
CELLS = {"td", "th", "h1", "h2", "p", "li", "bdi", "title", "dt", "dd"}


class Page(HTMLParser):
    """What a browser makes of a page: its elements, and the text of each cell, heading and name."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[tuple[str, list[str]]] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in CELLS:
            self._open.append((tag, []))

    def handle_endtag(self, tag: str) -> None:
        if tag in CELLS:
            opened, text = self._open.pop()
            assert opened == tag
            self.texts.append((tag, "".join(text)))

    def handle_data(self, data: str) -> None:
        for _, text in self._open:
            text.append(data)

    def of(self, tag: str) -> list[str]:
        return [text for found, text in self.texts if found == tag]


def page(recorder: Recorder, language: Language = "en") -> Page:
    return Page(recorder.takes_home("html", language))


def headless(folder: Path, *command: str) -> str:
    """Run Chromium without a window; give what it prints."""
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    run = [tool("chromium"), *quiet, *command]
    return subprocess.run(run, check=True, capture_output=True, encoding="utf-8").stdout


def printed(page: bytes, folder: Path) -> tuple[str, str]:
    """Print a page as PDF; say how large and how many its pages are, and what stands on them."""
    pdfinfo, pdftotext = tool("pdfinfo"), tool("pdftotext")
    sheet, pdf = folder / "sheet.html", folder / "sheet.pdf"
    sheet.write_bytes(page)
    headless(folder, "--no-pdf-header-footer", f"--print-to-pdf={pdf}", sheet.as_uri())
    about, text = (
        subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
        for command in ([pdfinfo, str(pdf)], [pdftotext, "-layout", str(pdf), "-"])
    )
    return about, text


# --- what stands on it ----------------------------------------------------------------------------------------------


def test_the_sheet_says_who_has_what_and_who_pays_whom(recorder: Recorder) -> None:
    an_evening(recorder, name="New year", chip_value={"currency": "JPY", "per_chip": "10"})
    sheet = Sheet(recorder.archive, Wanted())
    assert [(one.place, one.name, one.balance, one.money) for one in sheet.standings] == [
        (1, "Aki", 987, "¥9,870"),
        (2, "Chie", 14, "¥140"),
        (3, "Ben", -2, "−¥20"),
        (None, "Pot", 1, "¥10"),
        (None, "Bank", -1000, "−¥10,000"),
    ]
    assert [(one.won, one.won_money) for one in sheet.standings] == [
        (2, "¥20"),
        (-1, "−¥10"),
        (-2, "−¥20"),
        (1, "¥10"),
        (0, "¥0"),
    ]
    names = {"p1": "Aki", "p2": "Ben", "p3": "Chie", "pot": "Pot", "bank": "Bank"}
    settlement = recorder.desk.settlement(recorder.session_id)
    assert sheet.payments == [
        (names[due.payer], names[due.payee], due.amount, f"¥{due.amount * 10:,}") for due in settlement.payments
    ]
    assert page(recorder).of("h1") == ["New year"]


def test_those_who_won_as_much_share_a_place(recorder: Recorder) -> None:
    """Places go by what play brought, whatever was paid or cashed out."""
    recorder.opens(["Aki", "Ben", "Chie"])
    recorder.reports(event("round_entered", payments={"p1": 5}, pot=5))
    assert [one.place for one in Sheet(recorder.archive, Wanted()).standings] == [1, 1, 3, None]
    recorder.reports(event("settlement_paid", from_="p1", to="p2", amount=5))
    recorder.reports(event("chips_moved", from_="p3", to="bank", amount=50))
    standings = Sheet(recorder.archive, Wanted()).standings
    assert [one.place for one in standings] == [1, 1, 3, None, None]
    people = [(one.name, one.won, one.balance) for one in standings[:3]]
    assert people == [("Ben", 0, -5), ("Chie", 0, -50), ("Aki", -5, 0)]


def test_a_round_is_a_row_with_what_it_brought_and_what_was_won_by_then(recorder: Recorder) -> None:
    an_evening(recorder)
    sheet = Sheet(recorder.archive, Wanted())
    (table,) = sheet.tables
    first, voided, opened = sheet.lines(table)
    assert [(cell.net, cell.after) for cell in first.cells] == [("+2", "+2"), ("−1", "−1"), ("−1", "−1")]
    assert [cell.looks for cell in first.cells] == ["deals", "minus", "minus"]
    assert [(line.number, line.status, line.pot) for line in (first, voided, opened)] == [
        (1, "", 0),
        (2, "void", 0),
        (3, "being played", 1),
    ]


def test_rounds_and_what_came_outside_them_add_up_to_the_balance(recorder: Recorder) -> None:
    an_evening(recorder)
    sheet = Sheet(recorder.archive, Wanted())
    (table,) = sheet.tables
    for place, column in enumerate(table):
        nets = [int(line.cells[place].net.replace("−", "-")) for line in sheet.lines(table)]
        assert sum(nets) + column.outside == column.won
        assert column.won + column.beside == column.balance == recorder.balances[column.player]
    assert {"Won", "Bought, given, paid", "Balance"} <= set(page(recorder).of("th"))


def test_who_did_not_sit_in_a_round_has_an_empty_cell(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(*shippin({"p2": 1}, dealer="wins"), event("player_joined", name="Chie"))
    sheet = Sheet(recorder.archive, Wanted())
    (table,) = sheet.tables
    (line,) = sheet.lines(table)
    assert [cell.net for cell in line.cells] == ["+1", "−1", ""]


def test_each_round_that_is_over_is_told(recorder: Recorder) -> None:
    an_evening(recorder)
    told = page(recorder).of("li")
    assert len(told) == 2
    assert told[0].startswith("1Aki dealt and held")
    assert told[1].startswith("2The round was voided: a card lay face up.")


def test_the_sheet_is_in_the_readers_language(recorder: Recorder) -> None:
    an_evening(recorder, ["千恵", "大輔", "春香"], name="新年会")
    sheet = page(recorder, "ja")
    assert sheet.elements[0] == ("html", {"lang": "ja"})
    assert {"支払い", "各局のあらまし"} <= set(sheet.of("h2"))
    assert any("この局は無効になりました" in told for told in sheet.of("li"))


def test_an_empty_session_is_a_sheet(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    sheet = page(recorder)
    assert "No round has been played yet." in sheet.of("td")
    assert "Nobody owes anybody anything." in sheet.of("p")
    assert "svg" not in dict(sheet.elements)


def test_a_chart_shows_the_rounds_that_are_over(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    an_evening(recorder)
    assert "svg" in dict(page(recorder).elements)
    monkeypatch.setattr(html, "MAX_ROUNDS_DRAWN", 1)
    assert "svg" not in dict(page(recorder).elements)


def test_money_that_cannot_be_paid_is_named(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "JPY", "per_chip": "0.5"})
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    sheet = Sheet(recorder.archive, Wanted())
    assert sheet.payments == [("Aki", "Ben", 3, "¥1")]
    assert sheet.notes == ["Money is rounded down; in all, ¥0.5 is left over."]


@pytest.mark.parametrize(
    ("players", "amount", "how", "columns"),
    [(12, 1, "upright", [12]), (12, 10**6, "lies", [12]), (23, 1, "lies", [23]), (23, 10**9, "lies", [12, 11])],
)
def test_a_sheet_lies_when_it_has_to_and_tables_divide_when_they_have_to(
    recorder: Recorder, players: int, amount: int, how: str, columns: list[int]
) -> None:
    recorder.opens([f"Player {number}" for number in range(1, players + 1)], "shirinma")
    recorder.reports(event("chips_moved", from_="bank", to="p1", amount=amount))
    recorder.reports(event("round_opened"), event("round_voided", reason="?"))
    sheet = Sheet(recorder.archive, Wanted())
    assert (sheet.is_wide, [len(table) for table in sheet.tables]) == (how == "lies", columns)


@pytest.mark.parametrize(
    ("zone", "language", "when"),
    [
        ("UTC", "en", "November 21, 2026, 09:00 – November 22, 2026, 00:14 (UTC)"),
        ("UTC", "ja", "2026年11月21日 09:00 – 2026年11月22日 00:14（UTC）"),
        ("America/New_York", "en", "November 21, 2026, 04:00–19:14 (Eastern Time)"),
        ("Asia/Tokyo", "ja", "2026年11月21日 18:00 – 2026年11月22日 09:14（日本時間）"),
    ],
)
def test_the_sheet_says_when_it_was_by_the_readers_clock(
    recorder: Recorder, zone: str, language: Language, when: str
) -> None:
    an_evening(recorder)
    assert when in Sheet(recorder.archive, Wanted(language, ZoneInfo(zone))).about


def test_a_night_in_which_clocks_change_says_how_far_they_are_from_utc() -> None:
    told = Wanted("en", ZoneInfo("Europe/Berlin")).when("2026-10-25T00:30:00Z", "2026-10-25T01:10:00Z")
    assert told == "October 25, 2026, 02:30 GMT+02:00–02:10 GMT+01:00 (Central European Time)"


def test_house_rules_are_in_words_and_those_that_differ_say_how_it_usually_is(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], rules={"bet": 3, "tie": "dealer_wins"})
    for language, bet, tie, place in (
        ("en", "3usually: 1", "The dealer winsusually: The bet goes back", "Who deals"),
        ("ja", "3通常は1", "親の勝ち通常は張りが戻る", "親の交代"),
    ):
        sheet = page(recorder, language)  # type: ignore[arg-type]  # mypy takes a tuple's text for any
        assert {bet, tie} <= set(sheet.of("dd"))
        assert place in sheet.of("dt")
        assert [attributes for tag, attributes in sheet.elements if attributes.get("class") == "differs"] == [
            {"class": "differs"}
        ] * 2


def test_columns_of_people_of_one_surname_have_different_names(recorder: Recorder) -> None:
    an_evening(recorder, [f"Yamamoto-Fujiwara {name}" for name in ("Kenichi", "Kazuko", "Taro")])
    told = page(recorder)
    assert [each for each in told.of("th") if each in {"Kenichi", "Kazuko", "Taro"}][:3] == [
        "Kenichi",
        "Kazuko",
        "Taro",
    ]


def test_people_of_one_name_are_numbered(recorder: Recorder) -> None:
    an_evening(recorder, ["山本", "明", "山本"])
    sheet = page(recorder)
    shown = {text for tag in ("th", "bdi") for text in sheet.of(tag)}
    assert {"山本 1", "明", "山本 2"} <= shown
    assert "山本" not in shown


# --- what people wrote ----------------------------------------------------------------------------------------------


def test_a_fine_is_not_won_and_lies_in_the_pot(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"])
    entered = event("round_entered", payments={"p1": 5}, payouts={"p2": 2}, pot=3)
    recorder.reports(entered, event("chips_moved", from_="p1", to="pot", amount=4))
    text = recorder.takes_home("html").decode()
    sums = re.findall(r'<tr class="sum"><th class="round">(\w+)</th>.*?<td class="pot">([^<]*)</td>', text)
    assert sums == [("Won", "3"), ("Balance", "7")]


def test_hostile_names_stay_names(recorder: Recorder) -> None:
    for start in range(0, len(HOSTILE), 5):
        names_stay_names(recorder, [*HOSTILE[start : start + 5], "Ben"][:5])


@given(st.lists(names, min_size=2, max_size=5, unique=True))
def test_names_stay_names(recorder: Recorder, people: list[str]) -> None:
    names_stay_names(recorder, people)


def names_stay_names(recorder: Recorder, people: list[str]) -> None:
    recorder.opens(people, name=people[0])
    recorder.reports(event("round_opened"), event("round_voided", reason=people[-1]))
    sheet = page(recorder)
    assert sheet.of("bdi")[: len(people) + 1] == [inert(name) for name in (people[0], *unique_names(people))]
    assert sheet.of("title")[0] == inert(people[0])
    for tag, attributes in sheet.elements:
        assert tag in HARMLESS, tag
        assert not any(name.startswith("on") or name in {"src", "href", "style"} for name in attributes), tag


@given(names)
def test_a_text_in_the_style_sheet_cannot_end_it(name: str) -> None:
    written = str(css_text(name))
    assert re.fullmatch(r'"(\w|\\[0-9a-f]+ )*"', written), written
    assert re.sub(r"\\([0-9a-f]+) ", lambda found: chr(int(found[1], 16)), written[1:-1]) == name


# --- printed --------------------------------------------------------------------------------------------------------


@pytest.mark.integration
@pytest.mark.parametrize(("players", "how"), [(12, "upright"), (23, "lying")])
def test_the_sheet_prints_on_a4(recorder: Recorder, tmp_path: Path, players: int, how: str) -> None:
    recorder.opens([f"Player {number}" for number in range(1, players + 1)], "shirinma", name="New year")
    for number in range(40):
        recorder.reports(event("round_opened"), event("round_voided", reason=f"once more {number}"))
    about, text = printed(recorder.takes_home("html"), tmp_path)
    size = re.search(r"Page size: +([\d.]+) x ([\d.]+) pts \(A4\)", about)
    assert size, about
    assert (float(size[1]) > float(size[2])) == (how == "lying")
    pages = text.removesuffix("\f").split("\f")
    for number, page in enumerate(pages, 1):
        assert re.search(rf"New year +{number} ?/ ?{len(pages)}\s*\Z", page)
    for player in range(1, players + 1):
        assert f"Player {player}" in text


@pytest.mark.integration
def test_the_sheet_prints_in_japanese(recorder: Recorder, tmp_path: Path) -> None:
    an_evening(recorder, ["千恵", "大輔", "春香"], name="新年会")
    _, text = printed(recorder.takes_home("html", "ja"), tmp_path)
    assert all(words in text for words in ("新年会", "千恵", "支払い", "各局のあらまし"))
