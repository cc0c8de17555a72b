"""What files and accounts are called after names that people gave."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from ledger.exports.naming import ascii_part, file_name, letters_of
from tests.exports.recorder import names


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("New year", "New year.csv"),
        ("新年会 2026", "新年会 2026.csv"),
        ("Cafe\u0301", "Café.csv"),
        ('a/b\\c:d*e?f"g<h>i|j%k', "a b c d e f g h i j k.csv"),
        ("../../etc/passwd", "etc passwd.csv"),
        (".hidden", "hidden.csv"),
        ("-rf ~", "rf.csv"),
        ("a\r\nb\tc\x7f", "a b c.csv"),
        ("gpj\u202evsc.exe", "gpj vsc.exe.csv"),
        ("two  spaces. ", "two spaces.csv"),
        ("con", "fuda-ledger con.csv"),
        ("LPT1.x", "fuda-ledger LPT1.x.csv"),
        ("...", "fuda-ledger.csv"),
        ("🎴", "🎴.csv"),
        ("👨\u200d👩\u200d👧 🇯🇵 か\u0323", "👨\u200d👩\u200d👧 🇯🇵 か\u0323.csv"),
        ("a\u200d\u200db\u200d \u200d", "ab.csv"),
    ],
)
def test_a_file_is_called_by_what_every_system_takes(title: str, name: str) -> None:
    assert file_name(title, None, "csv") == name


def test_a_part_is_named_too() -> None:
    assert file_name("New year", "rounds", "csv") == "New year rounds.csv"


def test_a_long_title_is_cut_between_letters() -> None:
    assert file_name("長" * 100, None, "csv") == "長" * 50 + ".csv"
    for letter in ("👨\u200d👩\u200d👧", "🇯🇵", "👍🏽", "か\u0323", "x" + "\u0323" * 60):
        assert file_name(letter * 100, None, "csv") == letter * (150 // len(letter.encode())) + ".csv"


@given(names)
def test_a_file_can_be_called_by_any_title(tmp_path_factory: pytest.TempPathFactory, title: str) -> None:
    name = file_name(title, "entries", "beancount")
    assert Path(name).name == name
    assert name.replace("\u200d", "").isprintable()
    assert len(name.encode()) <= 200
    folder = tmp_path_factory.getbasetemp()
    (folder / name).touch()
    (folder / name).unlink()


@pytest.mark.parametrize(
    ("name", "part"),
    [("Zoë O'Neil", "Zoe-O-Neil"), ("千恵", ""), ("-a--b-", "a-b"), ("Ⅷ ２", "VIII-2"), ("x" * 99, "x" * 30)],
)
def test_of_a_name_there_is_what_ascii_has(name: str, part: str) -> None:
    assert ascii_part(name) == part


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("Zoë O'Neil", "Zoë-O-Neil"),
        ("山田 太郎", "山田-太郎"),
        ("か\u3099ー", "がー"),
        ("🎴", ""),
        ("長" * 99, "長" * 30),
    ],
)
def test_of_a_name_there_are_the_letters_in_any_script(name: str, part: str) -> None:
    assert letters_of(name) == part


@given(names)
def test_what_ascii_has_of_any_name_is_letters_digits_and_hyphens(name: str) -> None:
    assert re.fullmatch(r"|[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?", ascii_part(name))
