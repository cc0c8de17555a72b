"""Names of files, after names that people gave."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given

from ledger.exports.file_names import ascii_part, file_name
from tests.exports.recorder import names


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("新年会 2026", "新年会 2026.csv"),
        ("Cafe\u0301", "Café.csv"),
        ('a/b\\c:d*e?f"g<h>i|j%k', "a b c d e f g h i j k.csv"),
        ("../../etc/passwd", "etc passwd.csv"),
        ("-rf ~", "rf.csv"),
        ("a\r\nb\tc\x7f", "a b c.csv"),
        ("gpj\u202evsc.exe", "gpj vsc.exe.csv"),
        ("two  spaces. ", "two spaces.csv"),
        ("con", "fuda-ledger con.csv"),
        ("LPT1.x", "fuda-ledger LPT1.x.csv"),
        ("...", "fuda-ledger.csv"),
        ("👨\u200d👩\u200d👧 🇯🇵 か\u0323", "👨\u200d👩\u200d👧 🇯🇵 か\u0323.csv"),
        ("a\u200d\u200db\u200d \u200d", "ab.csv"),
        ("長" * 100, "長" * 50 + ".csv"),
        ("👨\u200d👩\u200d👧" * 100, "👨\u200d👩\u200d👧" * 8 + ".csv"),
    ],
)
def test_a_file_is_called_by_what_every_system_takes(title: str, name: str) -> None:
    assert file_name(title, None, "csv") == name


@given(names)
def test_a_file_can_be_called_by_any_title(tmp_path_factory: pytest.TempPathFactory, title: str) -> None:
    name = file_name(title, "entries", "beancount")
    assert Path(name).name == name
    assert name.replace("\u200d", "").isprintable()
    assert len(name.encode()) <= 200
    file = tmp_path_factory.getbasetemp() / name
    file.touch()
    file.unlink()
    assert re.fullmatch(r"|[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?", ascii_part(title))


@pytest.mark.parametrize(
    ("name", "part"), [("Zoë O'Neil", "Zoe-O-Neil"), ("千恵", ""), ("-a--b-", "a-b"), ("Ⅷ ２", "VIII-2")]
)
def test_of_a_name_there_is_what_ascii_has(name: str, part: str) -> None:
    assert ascii_part(name) == part
