"""For those who run it: whether it lives, and whether it can work."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from ledger.app import create_app
from tests.databases import by_hand, is_sqlite, kept_at


def test_it_lives_and_is_ready(client: FlaskClient) -> None:
    for address in ("/livez", "/readyz"):
        answer = client.get(address)
        assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})


def test_it_is_not_ready_with_an_older_schema(tmp_path: Path) -> None:
    client = create_app({"LEDGER_DATABASE": kept_at(tmp_path / "ledger.db")}).test_client()
    by_hand(tmp_path / "ledger.db", "DELETE FROM _sqlite_migrations" if is_sqlite() else "DELETE FROM migrations")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.content_type) == (503, "application/problem+json")
    assert int(answer.headers["Retry-After"]) >= 1
    assert client.get("/livez").status_code == 200


@pytest.mark.sqlite("its file is damaged")
def test_it_is_not_ready_when_the_database_is_no_database(tmp_path: Path) -> None:
    app = create_app({"LEDGER_DATABASE": tmp_path / "ledger.db"})
    app.extensions["session_service"].store.engine.close()
    for path in tmp_path.iterdir():
        path.unlink()
    (tmp_path / "ledger.db").write_bytes(b"this is no database" * 1000)
    client = app.test_client()
    assert client.get("/readyz").status_code == 503
    assert client.get("/livez").status_code == 200
