"""What tests share: a service on a fresh database, and a scorekeeper who talks to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings

from ledger.app import create_app
from tests.scorekeeper import Scorekeeper

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""pytest-timeout watches the time; a busy machine is no fault."""

settings.register_profile("the same each time", UNHURRIED, derandomize=True)
settings.register_profile("searching", UNHURRIED, print_blob=True)
settings.load_profile("the same each time")  # `--hypothesis-profile=searching` tries others each time


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"LEDGER_DATABASE": tmp_path / "ledger.db"})
    yield made
    made.extensions["desk"].store.close()


@pytest.fixture
def scorekeeper(app: Flask) -> Scorekeeper:
    return Scorekeeper(app.test_client())
