"""What the tests of the API share: services whose every answer is held against their documentation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.app import create_app
from tests.api.documented import DocumentedClient
from tests.databases import kept_at
from tests.scorekeeper import Json, Scorekeeper

MakeApp = Callable[..., Flask]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database for all tests of a file: sessions are strangers to one another."""
    return tmp_path_factory.mktemp("api") / "ledger.db"


@pytest.fixture(scope="module")
def make_app(database: Path) -> MakeApp:
    """Make services on one database; settings are named as in the environment, in small letters without LEDGER_."""

    def make(**settings: object) -> Flask:
        given = {f"LEDGER_{name.upper()}": value for name, value in settings.items()}
        app = create_app({"LEDGER_DATABASE": kept_at(database), **given})
        app.test_client_class = DocumentedClient
        return app

    return make


@pytest.fixture(scope="module")
def app(make_app: MakeApp) -> Flask:
    return make_app()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def scorekeeper(client: FlaskClient) -> Scorekeeper:
    return Scorekeeper(client)


@pytest.fixture(scope="module")
def spec(app: Flask) -> Json:
    """The API's description of itself."""
    told: Json = app.test_client().get("/openapi.json").get_json()
    return told
