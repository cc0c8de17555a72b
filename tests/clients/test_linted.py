"""The description under the rules that Redocly recommends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.conftest import Release, Tools

pytestmark = pytest.mark.integration


def runs_redocly(node: Release) -> bool:
    """As its package says: from 20.19 on, or from 22.12 on."""
    return (20, 19) <= node < (21,) or node >= (22, 12)


@pytest.mark.parametrize(
    ("node", "runs"),
    [((), False), ((18, 20, 4), False), ((20, 18, 3), False), ((20, 19, 0), True), ((21, 7), False), ((22, 12), True)],
)
def test_redocly_does_not_run_on_every_node(node: Release, runs: bool) -> None:  # noqa: FBT001
    assert runs_redocly(node) is runs


def test_redocly_finds_nothing(tools: Tools, described: Path) -> None:
    linter = tools.of_npm(".bin", "redocly", runs_on=runs_redocly)
    said = tools.runs(linter, "lint", "--extends", "recommended", "--format", "json", described, cwd=described.parent)
    told = json.loads(said.out)
    assert told["problems"] == []
    assert told["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}
