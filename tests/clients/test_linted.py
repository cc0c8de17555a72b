"""The description under the rules that Redocly recommends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.conftest import Tools

pytestmark = pytest.mark.integration


def test_redocly_finds_nothing(tools: Tools, described: Path) -> None:
    linter = tools.of_npm(".bin", "redocly")
    said = tools.runs(linter, "lint", "--extends", "recommended", "--format", "json", described, cwd=described.parent)
    told = json.loads(said.out)
    assert told["problems"] == []
    assert told["totals"] == {"errors": 0, "warnings": 0, "ignored": 0}
