"""The page's scripts under TypeScript, which reads their JSDoc."""

from __future__ import annotations

import pytest

from tests.clients.conftest import HERE, Tools
from tests.service import ROOT

pytestmark = pytest.mark.integration


def test_the_scripts_are_typed_right(tools: Tools) -> None:
    tools.of_npm("preact", "package.json")
    checker = tools.of_npm(".bin", "tsc")
    tools.does(checker, "--project", HERE / "tsconfig.page.json", cwd=ROOT)
