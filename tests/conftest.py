"""What tests share: a service on a fresh database, and a scorekeeper who talks to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import settings

from ledger.app import create_app
from tests.scorekeeper import Scorekeeper

settings.register_profile("unhurried", deadline=None)  # pytest-timeout watches the time; a busy machine is no fault
settings.load_profile("unhurried")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"LEDGER_DATABASE": tmp_path / "ledger.db"})
    yield made
    made.extensions["desk"].store.close()


@pytest.fixture
def scorekeeper(app: Flask) -> Scorekeeper:
    return Scorekeeper(app.test_client())
