"""The two locks: what runs, and what develops."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.service import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
RUNS, DEVELOPS = "requirements.lock", "requirements-dev.lock"

Versions = Mapping[str, frozenset[str]]


def locked(lock: str) -> Versions:
    """The versions of each package that a lock names; on some systems or Pythons it may be another."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9-]+)==([^\s;]+)", (ROOT / lock).read_text("utf-8"), re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return {name: frozenset(versions) for name, versions in found.items()}


def asked(*groups: Iterable[str]) -> dict[str, Requirement]:
    """What pyproject.toml asks for by name."""
    every = [Requirement(line) for group in groups for line in group]
    return {canonicalize_name(one.name): one for one in every if one.name != PROJECT["name"]}


TO_RUN = asked(PROJECT["dependencies"])
TO_DEVELOP = asked(*PROJECT["optional-dependencies"].values())


@pytest.mark.parametrize(("lock", "wanted"), [(RUNS, TO_RUN), (DEVELOPS, TO_RUN | TO_DEVELOP)])
def test_a_lock_has_all_that_is_asked_for(lock: str, wanted: dict[str, Requirement]) -> None:
    versions = locked(lock)
    assert set(wanted) <= set(versions)
    for name, requirement in wanted.items():
        assert all(requirement.specifier.contains(version) for version in versions[name]), requirement


def for_here(lock: str) -> set[str]:
    """The packages of a lock that are for this system: what others need is not installed to be asked."""
    lines = re.findall(r"^([a-z0-9-]+)==[^\s;]+(?: ; ([^\\\n]+))?", (ROOT / lock).read_text("utf-8"), re.MULTILINE)
    return {name for name, marker in lines if not marker or Marker(marker).evaluate()}


def needed(wanted: Iterable[Requirement]) -> set[str]:
    """These packages and all that they need, with the extras that are asked for."""
    found: set[tuple[str, str]] = set()
    ahead = [(canonicalize_name(one.name), extra) for one in wanted for extra in ("", *one.extras)]
    while ahead:
        if (package := ahead.pop()) not in found:
            found.add(package)
            name, extra = package
            with suppress(PackageNotFoundError):  # another system's
                for one in map(Requirement, requires(name) or []):
                    if one.marker is None or one.marker.evaluate({"extra": extra}):
                        ahead += [(canonicalize_name(one.name), wish) for wish in ("", *one.extras)]
    return {name for name, _ in found}


def test_who_wants_to_keep_score_gets_nothing_to_develop_with() -> None:
    assert not {"mypy", "sphinx", "pytest"} & set(locked(RUNS))
    assert for_here(RUNS) <= needed(TO_RUN.values())


def test_what_is_developed_with_is_what_runs() -> None:
    runs, develops = locked(RUNS), locked(DEVELOPS)
    assert {name: develops.get(name) for name in runs} == runs


@pytest.mark.parametrize("lock", [RUNS, DEVELOPS])
def test_a_lock_says_how_it_is_made_and_not_where_from(lock: str) -> None:
    text = (ROOT / lock).read_text("utf-8")
    assert re.match(rf"#.*\n#\s+uv pip compile pyproject\.toml .*--generate-hashes .*-o {re.escape(lock)}\n", text)
    assert "://" not in text
