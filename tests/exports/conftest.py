"""What the tests of exports share: somebody who records sessions."""

from __future__ import annotations

import pytest

from tests.exports.recorder import Recorder


@pytest.fixture(scope="session")
def recorder(tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    return Recorder(tmp_path_factory.mktemp("exports") / "ledger.db")
