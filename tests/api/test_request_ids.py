"""Every request has an id, by which who asked and who runs the service can speak of it."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from flask.testing import FlaskClient
from structlog.contextvars import get_contextvars

from ledger.api.http.middleware import HARMLESS
from ledger.services.sessions import SessionService
from tests.api.conftest import MakeApp
from tests.scorekeeper import Scorekeeper, event

GIVEN = "X-Request-ID"


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", "/livez", 200),
        ("HEAD", "/v1/games", 200),
        ("OPTIONS", "/v1/sessions", 200),
        ("GET", "/nowhere", 404),
        ("PATCH", "/v1/sessions", 405),
        ("POST", "/v1/sessions", 415),
        ("GET", "/v1/sessions/0123456789abcdef", 401),
        ("GET", "/openapi.json", 200),
        ("GET", "/docs/", 200),
    ],
)
def test_every_answer_has_the_id_that_came_with_the_request(
    client: FlaskClient, method: str, address: str, status: int
) -> None:
    answer = client.open(address, method=method, headers={GIVEN: "from-a-proxy.1"})
    assert (answer.status_code, answer.headers.getlist(GIVEN)) == (status, ["from-a-proxy.1"])


def test_what_a_session_answers_has_it_too(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    headers = {GIVEN: "mine"}
    assert scorekeeper.tries(event("round_opened"), X_Request_ID="mine").headers[GIVEN] == "mine"
    for where in ("", "/events", "/export.csv", "/export.xlsx", "/stream", "/chart.svg"):
        answer = scorekeeper.client.get(scorekeeper.address + where, headers=scorekeeper.headers(**headers))
        assert (answer.status_code, answer.headers[GIVEN]) == (200, "mine"), where
        answer.close()
    held = scorekeeper.client.get(scorekeeper.address, headers=scorekeeper.headers(If_None_Match='"1"', **headers))
    assert (held.status_code, held.headers[GIVEN]) == (304, "mine")


@pytest.mark.parametrize("said", ["", "x" * 65, "a b", "<script>", "é", "a;b"])
def test_an_id_that_could_do_harm_is_replaced(client: FlaskClient, said: str) -> None:
    one, other = (client.get("/livez", headers={GIVEN: said}).headers[GIVEN] for _ in range(2))
    assert HARMLESS.fullmatch(one)
    assert len({one, other, said}) == 3


def test_a_fault_of_ours_says_its_id_in_the_answer_and_in_the_log(
    scorekeeper: Scorekeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    scorekeeper.opens()
    logged: list[str] = []

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(SessionService, "entries", fails)
    monkeypatch.setattr(
        logging.Logger, "critical", lambda *_args, **_named: logged.append(get_contextvars()["request_id"])
    )
    answer = scorekeeper.client.get(f"{scorekeeper.address}/ledger", headers=scorekeeper.headers())
    assert answer.status_code == 500
    assert answer.get_json()["request_id"] == answer.headers[GIVEN]
    assert logged == [answer.headers[GIVEN]]


def test_only_a_fault_of_ours_says_it_in_its_body(client: FlaskClient) -> None:
    assert "request_id" not in client.get("/nowhere").get_json()


def test_a_page_may_send_and_read_it(make_app: MakeApp) -> None:
    client = make_app(origins="https://cards.example").test_client()
    asked = {"Origin": "https://cards.example", "Access-Control-Request-Method": "GET"}
    asked["Access-Control-Request-Headers"] = GIVEN
    assert GIVEN in client.options("/livez", headers=asked).headers["Access-Control-Allow-Headers"]
    assert GIVEN in client.get("/livez", headers=asked).headers["Access-Control-Expose-Headers"]


# --- the line of a request --------------------------------------------------------------------------------------------


def requests_in(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    return [vars(record) for record in caplog.records if record.getMessage() == "request"]


def test_a_request_has_a_line_if_that_is_asked_for(make_app: MakeApp, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    Scorekeeper(make_app().test_client()).opens()
    assert not requests_in(caplog)
    scorekeeper = Scorekeeper(make_app(log_requests="on").test_client())
    scorekeeper.opens("shippin", name="Aki's evening")
    scorekeeper.reports(event("round_opened", note="Aki"))
    scorekeeper.client.get("/nowhere/Aki?token=Aki")
    scorekeeper.client.open("/livez", method="AKI")
    lines = requests_in(caplog)
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("POST", "/v1/sessions", 201),
        ("POST", "/v1/sessions/<session_id>/events", 201),
        ("GET", "(none)", 404),
        ("other", "(none)", 405),
    ]
    assert all(line["ms"] >= 0 and line["bytes"] > 0 for line in lines)
    for secret in ("Aki", scorekeeper.token, scorekeeper.session_id, "127.0.0.1"):
        assert secret not in str([{key: line[key] for key in ("method", "route", "status", "msg")} for line in lines])
