"""The house is as its map says: one ladder of rooms, every module on one step of it, and imports that run down."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from pkgutil import iter_modules

import ledger

ROOT = Path(__file__).parent.parent
LADDER = "Imports run down the house, and rooms on one step are strangers"


def steps() -> list[list[str]]:
    """The rooms of the ladder, from the street door down, those of one step together."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = (c for c in settings["tool"]["importlinter"]["contracts"] if c["name"] == LADDER)
    return [re.split(r"\s*\|\s*", layer.strip()) for layer in contract["layers"]]


def rooms() -> list[str]:
    """Every module of the house that is right behind a door."""
    return ["schemas", *(f"ledger.{module.name}" for module in iter_modules(ledger.__path__))]


def test_every_room_stands_on_the_ladder_once() -> None:
    assert sorted(room for step in steps() for room in step) == sorted(rooms())


def test_the_map_is_the_ladder() -> None:
    drawn = [
        re.split(r"\s+\|\s+", found[1])
        for found in re.finditer(r"^    (\w+(?:\s+\|\s+\w+)*)(?:  .*)?$", ledger.__doc__ or "", re.MULTILINE)
    ]
    assert drawn == [[room.removeprefix("ledger.") for room in step] for step in steps()]


def test_the_ladder_is_checked_for_both_packages() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    assert settings["root_packages"] == ["ledger", "schemas"]


def constants(page: str) -> Iterator[str]:
    """The names in capitals that a module gives to something."""
    for line in ast.parse(page).body:
        given = (
            line.targets if isinstance(line, ast.Assign) else [line.target] if isinstance(line, ast.AnnAssign) else []
        )
        yield from (name.id for name in given if isinstance(name, ast.Name) and name.id.isupper())


def test_there_is_no_constant_that_nothing_needs() -> None:
    pages = [file.read_text("utf-8") for package in ("ledger", "schemas") for file in (ROOT / package).rglob("*.py")]
    said = Counter(word for page in pages for word in re.findall(r"\w+", page))
    assert not [name for page in pages for name in constants(page) if said[name] == 1]


def dataclasses(page: str) -> Iterator[tuple[str, str]]:
    """The frozen dataclasses of a module, each with its source."""
    for node in ast.walk(ast.parse(page)):
        if isinstance(node, ast.ClassDef):
            made = [ast.unparse(each) for each in node.decorator_list]
            if any(each.startswith("dataclass(") and "frozen=True" in each for each in made):
                yield node.name, ast.unparse(node)


def test_a_frozen_value_is_a_record() -> None:
    """A dataclass is left only where a field is hidden (a secret) or not compared, which a Struct cannot do."""
    pages = [file.read_text("utf-8") for package in ("ledger", "schemas") for file in (ROOT / package).rglob("*.py")]
    found = dict(each for page in pages for each in dataclasses(page))
    assert {name for name, source in found.items() if not re.search(r"(repr|compare)=False", source)} == set()
    assert found.keys() == {"Address", "Check", "Config", "Once", "Score"}


WORKING = {
    "Record": "the base of every record",
    "_Counted": "adds up what a player did, through a whole log",
    "_Counting": "adds up what was played, through a whole log",
    "Counted": "counts the ways a round can go on, step by step",
    "Run": "plays slots of a timeline again, one after the other",
}
"""The Structs that are no records, and why: working objects, which change and never leave the function they are in."""


def structs(page: str) -> Iterator[str]:
    """The classes of a module that are made of `msgspec.Struct` itself."""
    for node in ast.walk(ast.parse(page)):
        if isinstance(node, ast.ClassDef) and {"Struct", "msgspec.Struct"} & set(map(ast.unparse, node.bases)):
            yield node.name


def test_what_is_no_working_object_is_a_record() -> None:
    pages = [file.read_text("utf-8") for package in ("ledger", "schemas") for file in (ROOT / package).rglob("*.py")]
    assert sorted(name for page in pages for name in structs(page)) == sorted(WORKING)
