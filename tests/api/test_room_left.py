"""The reserve on the database's disk: below it no session is begun, and those that are open go on."""

from __future__ import annotations

import json
import shutil
from types import SimpleNamespace

import pytest
from flask.testing import FlaskClient

from ledger.config import BadSetting, Config
from tests.api.conftest import MakeApp
from tests.scorekeeper import Scorekeeper, event

pytestmark = pytest.mark.sqlite("the disk of a database server is not seen from here")

RESERVE = 1_000_000
OPENING = {"game": "shippin", "players": ["Aki", "Ben", "Chie"]}


@pytest.fixture
def client(make_app: MakeApp) -> FlaskClient:
    return make_app(disk_reserve=RESERVE).test_client()


@pytest.fixture
def table(client: FlaskClient) -> Scorekeeper:
    table = Scorekeeper(client)
    table.opens("shippin")
    return table


def free(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: SimpleNamespace(free=count))


def test_below_the_reserve_nothing_is_opened_or_brought_in_and_tables_go_on(
    client: FlaskClient, table: Scorekeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = table.client.get(f"{table.address}/export.json", headers=table.headers()).data
    sessions = client.application.extensions["desk"].store.session_ids()
    free(monkeypatch, RESERVE - 1)
    for address, body, kind in (
        ("/v1/sessions", json.dumps(OPENING), "application/json"),
        ("/v1/sessions", json.dumps({"continues": table.token}), "application/json"),
        ("/v1/sessions/import", file, "application/json"),
        ("/v1/sessions/import", "Aki,0\nBen,0\n", "text/csv"),
        ("/v1/sessions/import", "game shippin\nplayers Aki Ben Chie\n", "text/plain"),
    ):
        answer = client.post(address, data=body, content_type=kind)
        assert (answer.status_code, answer.get_json()["code"]) == (507, "disk_reserve_reached")
    assert client.application.extensions["desk"].store.session_ids() == sessions
    table.reports(event("round_opened"))
    assert table.looks("")["seq"] == 1


def test_what_is_brought_in_leaves_the_reserve_free(
    client: FlaskClient, table: Scorekeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = table.client.get(f"{table.address}/export.json", headers=table.headers()).data
    for room, status in ((len(file) - 1, 507), (len(file), 201)):
        free(monkeypatch, RESERVE + room)
        answer = client.post("/v1/sessions/import", data=file, content_type="application/json")
        assert answer.status_code == status


def test_what_was_opened_before_is_answered_again(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    key = {"Idempotency-Key": "c9f3bd4a-63a1-4b0e-9b6f-4f5d5f6f1d11"}
    first = client.post("/v1/sessions", json=OPENING, headers=key)
    free(monkeypatch, 0)
    again = client.post("/v1/sessions", json=OPENING, headers=key)
    assert (again.status_code, again.get_json()["link"]) == (201, first.get_json()["link"])


def test_no_reserve_is_needed(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    free(monkeypatch, 0)
    assert make_app(disk_reserve=0).test_client().post("/v1/sessions", json=OPENING).status_code == 201
    assert make_app().test_client().post("/v1/sessions", json=OPENING).status_code == 507


@pytest.mark.parametrize("value", ["-1", "much", "1.5", str(2**41)])
def test_a_reserve_that_cannot_be_is_refused_by_name(value: str) -> None:
    with pytest.raises(BadSetting, match="LEDGER_DISK_RESERVE"):
        Config.read({"LEDGER_DISK_RESERVE": value})
