"""What is promised about faults is what a test shows: each sentence of `docs/reliability.md` names tests that exist.

A promise is an item of a list: one sentence, and behind it the tests, as `tests/a/test_b.py::test_c`. Below a heading
stands nothing else, so that no sentence can slip in without its tests. What was measured stands in a table of its own,
with the test that measures it and how that was done; a promise has no figures of its own, but statuses and settings.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import NamedTuple

import pytest

from tests.service import ROOT

PAGE = ROOT / "docs" / "reliability.md"
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
STATUS = re.compile(r"\b[1-5]\d\d\b")
NUMBERS_TOLD = re.compile(r"`[^`]*`|\b[A-Z]\w*-?\d+\b")
"""Names in which a digit is part of the name: code, and the likes of UTF-8."""


class Promise(NamedTuple):
    """What is said, and the tests that show it, each with its file."""

    said: str
    tests: list[tuple[str, str]]


def sections(page: str) -> dict[str, str]:
    """What stands below each heading."""
    _, *parts = re.split(r"^## (.*)$", page, flags=re.MULTILINE)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def promises(section: str) -> list[Promise]:
    items = re.split(r"^- ", section, flags=re.MULTILINE)[1:]
    return [Promise(" ".join(TEST.sub("", item).split()), TEST.findall(item)) for item in items]


@cache
def defined_in(file: str) -> set[str]:
    """The tests that a file defines; none if there is no such file."""
    path = ROOT / file
    tree = ast.parse(path.read_text("utf-8")) if path.exists() else ast.Module([], [])
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def is_not_shown(page: str) -> list[str]:
    """Say which sentences are not shown by a test, or do not say how a figure came about."""
    found = []
    for heading, section in sections(page).items():
        if heading == "Figures":
            found += [row for row in rows(section) if not is_measured(row)]
            continue
        loose = re.split(r"^- ", section, flags=re.MULTILINE)[0].strip()
        promised = promises(section)
        found += [loose] if loose else []
        found += [f"below {heading} nothing is promised"] if not promised else []
        found += [said for said, tests in promised if not is_one_sentence(said) or not are_there(tests)]
        found += [said for said, _ in promised if re.search(r"\d", STATUS.sub("", NUMBERS_TOLD.sub("", said)))]
        found += [f"{item!r} has a paragraph of its own" for item in re.findall(r"\n\n(?!- )(\S.*)", section)]
    return found


def is_one_sentence(said: str) -> bool:
    return bool(re.fullmatch(r"[A-Z`][^.!?]*(?:[.!?]\S[^.!?]*)*\.", said))


def are_there(tests: list[tuple[str, str]]) -> bool:
    return bool(tests) and all(name in defined_in(file) for file, name in tests)


def rows(section: str) -> list[str]:
    return [line for line in section.splitlines() if line.strip()][2:]


def is_measured(row: str) -> bool:
    """Whether a row has its test and says how: on what, and when."""
    cells = [cell.strip() for cell in row.split("|")[1:-1]]
    return len(cells) == 4 and all(cells) and are_there(TEST.findall(cells[2])) and "core" in cells[3]


def test_every_sentence_names_tests_that_exist() -> None:
    assert is_not_shown(PAGE.read_text("utf-8")) == []


HERE = "`tests/test_reliability.py::test_every_sentence_names_tests_that_exist`"


@pytest.mark.parametrize(
    "section",
    [
        "- Nothing is ever lost.",
        "- Nothing is ever lost. `tests/test_reliability.py::test_that_nobody_wrote`",
        "- Nothing is ever lost. `tests/no_such_file.py::test_every_sentence_names_tests_that_exist`",
        f"- Nothing is lost. Nor is it slow. {HERE}",
        f"- Nothing is lost in 2000 tries. {HERE}",
        f"Nothing is ever lost.\n\n- Names are kept. {HERE}",
        f"- Names are kept. {HERE}\n\nNothing is ever lost.",
        "",
    ],
)
def test_a_promise_that_no_test_shows_is_found(section: str) -> None:
    assert not is_not_shown(f"## Promises\n\n- Nothing is lost: it is answered 201, or `x=5`.\n  {HERE}\n")
    assert is_not_shown(f"## Promises\n\n{section}\n")


@pytest.mark.parametrize("row", [f"| kills | 200 | {HERE} | |", "| kills | 200 | none | 2 cores |"])
def test_a_figure_of_which_nobody_says_how_it_was_measured_is_found(row: str) -> None:
    table = "## Figures\n\n| what | figure | test | how |\n|---|---|---|---|\n"
    assert not is_not_shown(f"{table}| kills | 200 | {HERE} | 2 cores, 2026-11 |\n")
    assert is_not_shown(f"{table}{row}\n")
