"""The score sheet: read as a page, and printed by Chromium."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.i18n.language import Language, inert, unique_names
from tests.exports.recorder import HOSTILE, Recorder, an_evening, names, tool
from tests.scorekeeper import event

HARMLESS = {
    *("html", "head", "meta", "title", "style", "body", "header", "section", "footer", "div", "h1", "h2", "p", "small"),
    *("table", "thead", "tbody", "tr", "th", "td", "bdi", "span", "ol", "li", "b", "dl", "dt", "dd"),
    *("figure", "svg", "g", "desc", "rect", "text", "line", "path"),
}


class Page(HTMLParser):
    """What a browser makes of a page: its elements, the text of each, and the cells of each row of its tables."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.rows: list[list[str]] = []
        self._open: list[tuple[str, list[str]]] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.rows += [[]] if tag == "tr" else []
        if tag not in {"meta", "rect", "line", "path"}:
            self._open.append((tag, []))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            return
        text = "".join(self._open.pop()[1]).strip()
        self.texts.append((tag, text))
        if tag in {"td", "th"}:
            self.rows[-1].append(text)

    def handle_data(self, data: str) -> None:
        for _, text in self._open:
            text.append(data)

    def of(self, tag: str) -> list[str]:
        return [text for found, text in self.texts if found == tag]


def page(recorder: Recorder, language: Language = "en", zone: str = "UTC") -> Page:
    return Page(recorder.exports("html", language, zone=zone))


def test_the_sheet_says_who_has_what_who_pays_whom_and_how_rounds_went(recorder: Recorder) -> None:
    an_evening(recorder, name="New year", chip_value={"currency": "JPY", "per_chip": "10"})
    sheet = page(recorder)
    assert sheet.of("h1") == ["New year"]
    assert sheet.rows[1:6] == [
        ["1", "Aki", "+2", "¥20", "+987", "¥9,870"],
        ["2", "Chie", "−1", "−¥10", "+14", "¥140"],
        ["3", "Ben", "−2", "−¥20", "−2", "−¥20"],
        ["", "Pot", "+1", "¥10", "+1", "¥10"],
        ["", "Bank", "0", "¥0", "−1,000", "−¥10,000"],
    ]
    names = {"p1": "Aki", "p2": "Ben", "p3": "Chie", "pot": "Pot", "bank": "Bank"}
    due = recorder.service.settlement(recorder.session_id).payments
    at = 7 + len(due)
    assert sheet.rows[7:at] == [
        [names[each.payer], names[each.payee], f"{each.amount:,}", f"¥{each.amount * 10:,}", ""] for each in due
    ]
    assert sheet.rows[at:] == [
        ["", "Aki", "Ben", "Chie", "Pot"],
        ["1", "+2+2", "−1−1", "−1−1", "–"],
        ["2 void", "0+2", "0−1", "0−1", "–"],
        ["3 being played", "0+2", "−1−2", "0−1", "1"],
        ["Won", "+2", "−2", "−1", "1"],
        ["Bought, given, paid", "+985", "0", "+15", ""],
        ["Balance", "+987", "−2", "+14", "1"],
    ]
    first, second = sheet.of("li")
    assert first.startswith("1Aki dealt and held")
    assert second.startswith("2The round was voided: a card lay face up.")
    assert {"svg", "figure"} <= set(dict(sheet.elements))


def test_those_who_won_as_much_share_a_place(recorder: Recorder) -> None:
    """Places go by what play brought, whatever was paid or cashed out."""
    recorder.opens(["Aki", "Ben", "Chie"])
    recorder.reports(event("round_entered", payments={"p1": 5}, pot=5))
    recorder.reports(event("settlement_paid", from_="p1", to="p2", amount=5))
    recorder.reports(event("chips_moved", from_="p3", to="bank", amount=50))
    recorder.reports(event("player_joined", name="Dai"), event("chips_moved", from_="p1", to="pot", amount=4))
    sheet = page(recorder)
    assert sheet.rows[1:5] == [
        *(["1", "Ben", "0", "−5"], ["1", "Chie", "0", "−50"], ["1", "Dai", "0", "0"], ["4", "Aki", "−5", "−4"])
    ]
    assert [row for row in sheet.rows if row[0] in {"1", "Won", "Balance"}][-3:] == [
        ["1", "−5−5", "00", "00", "", "5"],
        ["Won", "−5", "0", "0", "0", "5"],
        ["Balance", "−4", "−5", "−50", "0", "9"],
    ]


def test_an_empty_session_is_a_sheet(recorder: Recorder) -> None:
    recorder.opens(["Aki", "Ben"], chip_value={"currency": "JPY", "per_chip": "0.5"})
    sheet = page(recorder)
    assert ("No round has been played yet.", "svg" in dict(sheet.elements)) == (sheet.rows[-2][0], False)
    assert "Nobody owes anybody anything." in sheet.of("p")
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3))
    assert "Money is rounded down; in all, ¥0.5 is left over." in page(recorder).of("p")


@pytest.mark.parametrize(
    ("zone", "language", "when"),
    [
        ("UTC", "en", "November 21, 2026, 09:00 – November 22, 2026, 00:14 (UTC)"),
        ("America/New_York", "en", "November 21, 2026, 04:00–19:14 (Eastern Time)"),
        ("Asia/Tokyo", "ja", "2026年11月21日 18:00 – 2026年11月22日 09:14（日本時間）"),
    ],
)
def test_the_sheet_says_when_it_was_in_the_readers_words(
    recorder: Recorder, zone: str, language: Language, when: str
) -> None:
    an_evening(recorder, ["千恵", "大輔", "春香"], rules={"bet": 3, "tie": "dealer_wins"})
    sheet = page(recorder, language, zone)
    assert any(when in text for text in sheet.of("p"))
    bet, tie, heading = {
        "en": ("3usually: 1", "The dealer winsusually: The bet goes back", "Who pays whom"),
        "ja": ("3通常は1", "親の勝ち通常は張りが戻る", "支払い"),
    }[language]
    assert {bet, tie} <= set(sheet.of("dd"))
    assert heading in sheet.of("h2")
    recorder.reports(event("session_described", played_on="2026-11-15"))
    assert any("2026年11月15日 (記録：" in text for text in page(recorder, "ja").of("p"))


def test_a_night_in_which_clocks_change_has_offsets(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.exports.recorder.NINE", datetime(2026, 10, 25, 0, 30, tzinfo=UTC))
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=3), after=timedelta(minutes=40))
    text = recorder.exports("html", zone="Europe/Berlin").decode()
    assert "October 25, 2026, 02:30 GMT+02:00–02:10 GMT+01:00 (Central European Time)" in text


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 5))
def test_hostile_names_stay_names(recorder: Recorder, start: int) -> None:
    names_stay_names(recorder, [*HOSTILE[start : start + 5], "Ben"][:5])


@given(st.lists(names, min_size=2, max_size=5, unique=True))
def test_names_stay_names(recorder: Recorder, people: list[str]) -> None:
    names_stay_names(recorder, people)


def names_stay_names(recorder: Recorder, people: list[str]) -> None:
    recorder.opens(people, name=people[0])
    recorder.reports(event("round_opened"), event("round_voided", reason=people[-1]))
    sheet = page(recorder)
    shown = [inert(name).strip() for name in (people[0], *unique_names(people))]
    assert sheet.of("bdi")[: len(people) + 1] == shown
    for tag, attributes in sheet.elements:
        assert tag in HARMLESS, tag
        assert not any(name.startswith("on") or name in {"src", "href", "style"} for name in attributes), tag


@pytest.mark.integration
@pytest.mark.parametrize(("players", "is_landscape"), [(8, False), (12, True), (23, True)])
def test_the_sheet_prints_on_a4(recorder: Recorder, tmp_path: Path, players: int, *, is_landscape: bool) -> None:
    people = [f"選手 {number}" for number in range(1, players + 1)]
    recorder.opens(people, "shirinma" if players > 8 else "kakkuri", name="新年会")
    for number in range(40):
        recorder.reports(event("round_opened"), event("round_voided", reason=f"once more {number}"))
    sheet, pdf = tmp_path / "sheet.html", tmp_path / "sheet.pdf"
    sheet.write_bytes(recorder.exports("html", "ja"))
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    chromium = [tool("chromium"), *quiet, "--no-pdf-header-footer", f"--print-to-pdf={pdf}", sheet.as_uri()]
    _, about, text = (
        subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
        for command in (chromium, [tool("pdfinfo"), str(pdf)], [tool("pdftotext"), "-layout", str(pdf), "-"])
    )
    size = re.search(r"Page size: +([\d.]+) x ([\d.]+) pts \(A4\)", about)
    assert size, about
    assert (float(size[1]) > float(size[2])) == is_landscape
    pages = text.removesuffix("\f").split("\f")
    for number, printed in enumerate(pages, 1):
        assert re.search(rf"{number} ?/ ?{len(pages)}\s*\Z", printed)
    assert all(words in text for words in ("新年会", "支払い", "各局のあらまし"))
