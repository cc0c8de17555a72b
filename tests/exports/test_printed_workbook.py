"""The workbook in LibreOffice: printed, and calculated anew."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from random import Random
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from openpyxl import load_workbook

from ledger.language import LANGUAGES, Language
from tests.exports.recorder import Recorder, tool
from tests.reckoning.evenings import Table, move_chips, with_corrections

pytestmark = pytest.mark.integration

PEOPLE = (
    *("山田さくら", "佐藤", "鈴木 一郎", "青木", "高橋美咲", "伊藤", "渡辺 健太", "佐藤"),
    *("小林", "Ben", "中村 千恵子", "加藤", "吉田", "長谷川 万里子", "Zoë O'Neil"),
)
ROUNDS = 25
ENTRIES_A_PAGE = 60
"""How many entries a page of A4 holds at least."""

Office = Callable[[bytes, str], bytes]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    """Record a long evening of fifteen people, with mistakes and corrections."""
    recorder = Recorder(tmp_path_factory.mktemp("evening") / "ledger.db")
    opening = {"game": "shirinma", "players": list(PEOPLE), "rules": {"odd_chip": "carry"}}
    table = Table(opening)
    for number in range(ROUNDS):
        table.happens(move_chips, Random(f"chips {number}"))
        table.play(Random(f"round {number}"))
    value = {"currency": "EUR", "per_chip": "0.25"}
    recorder.opens(PEOPLE, "shirinma", name="新年会 & more", rules=opening["rules"], chip_value=value)
    for reported in with_corrections(Random("mistakes"), table.pages):
        recorder.reports(reported, after=timedelta(seconds=30))
    return recorder


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Office:
    """Have LibreOffice make something else of a workbook."""
    program, folder = tool("soffice"), tmp_path_factory.mktemp("office")

    def converted(workbook: bytes, into: str) -> bytes:
        (folder / "books.xlsx").write_bytes(workbook)
        out = folder / "out"
        settings = f"-env:UserInstallation={(folder / 'settings').as_uri()}"
        command = [program, settings, "--headless", "--convert-to", into, "--outdir", str(out)]
        subprocess.run([*command, str(folder / "books.xlsx")], check=True, capture_output=True, timeout=300)
        return (out / f"books.{into}").read_bytes()

    return converted


def pages_of(pdf: bytes, folder: Path) -> list[str]:
    """Give what stands on each page. Raises AssertionError where one is not A4."""
    file = folder / "books.pdf"
    file.write_bytes(pdf)
    about, text = (
        subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
        for command in ([tool("pdfinfo"), "-l", "-1", str(file)], [tool("pdftotext"), "-layout", str(file), "-"])
    )
    sizes = re.findall(r"^Page +\d+ size: +(.*)$", about, re.MULTILINE)
    assert sizes
    assert all(size.endswith("(A4)") for size in sizes), sizes
    return text.removesuffix("\f").split("\f")


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_prints_on_as_many_pages_as_it_takes_with_its_heads_on_each(
    evening: Recorder, office: Office, tmp_path: Path, language: Language
) -> None:
    workbook = evening.takes_home("xlsx", language)
    pages = pages_of(office(workbook, "pdf"), tmp_path)
    for number, page in enumerate(pages, 1):
        assert re.search(rf"\b{number} / {len(pages)}\s*\Z", page)
        assert page.lstrip().startswith("新年会 & more")
    sheets = [page.splitlines()[0].rpartition("  ")[2] for page in pages]
    book = load_workbook(io.BytesIO(workbook))
    assert list(dict.fromkeys(sheets)) == book.sheetnames
    summary, won, balances, entries, rounds, stories, settlement, chart = book.sheetnames
    assert all(sheets.count(name) == 1 for name in (summary, won, balances, rounds, settlement, chart))
    assert sheets.count(stories) <= 4
    assert sheets.count(entries) <= 1 + evening.archive.session.state.books.last_entry // ENTRIES_A_PAGE
    for sheet, page in zip(sheets, pages, strict=True):
        if sheet in {won, balances, entries, rounds, stories, settlement}:
            last = [cell.value for cell in book[sheet][1]][-1]
            assert str(last)[:3] in page, f"no heads on a page of {sheet}"


FORMULA = re.compile(rb"(<f>[^<]+</f>)<v>[^<]*</v>")


def without_values(workbook: bytes) -> bytes:
    """Give the same workbook as if nobody had calculated it yet."""
    out = io.BytesIO()
    with ZipFile(io.BytesIO(workbook)) as read, ZipFile(out, "w", ZIP_DEFLATED) as written:
        for name in read.namelist():
            written.writestr(name, FORMULA.sub(rb"\1", read.read(name)))
    return out.getvalue()


def test_what_formulas_come_to_is_what_the_file_says(evening: Recorder, office: Office) -> None:
    workbook = evening.takes_home("xlsx")
    again = office(without_values(workbook), "xlsx")
    formulas = load_workbook(io.BytesIO(workbook))
    ours, theirs = (load_workbook(io.BytesIO(book), data_only=True) for book in (workbook, again))
    places = [
        (sheet.title, cell.coordinate)
        for sheet in formulas.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    ]
    assert len(places) > ROUNDS + 2 * len(PEOPLE)
    for sheet, place in places:
        assert theirs[sheet][place].value == pytest.approx(ours[sheet][place].value), f"{sheet} {place}"
    held = evening.archive.session.state.balances
    last = ours["Rounds"].max_row
    assert [cell.value for cell in ours["Rounds"][last]][-len(PEOPLE) :] == [
        held.get(f"p{seat}", 0) for seat in range(1, len(PEOPLE) + 1)
    ]
    assert not any(ours["Balances"].cell(row, ours["Balances"].max_column).value for row in range(2, ROUNDS + 3))
