"""Idempotency keys where something with a token is made: a repeat gives the same token, or says why not."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.app import create_app
from tests.api.conftest import MakeApp
from tests.databases import bytes_of, kept_at
from tests.scorekeeper import Json, Scorekeeper, event
from tests.service import Service

OPENING = {"game": "shippin", "players": ["Aki", "Ben", "Chie"]}
CSV = "Aki,5\nBen,-5\n"
TEXT = "game shippin\nplayers Oya Ko\nround\n"

Ask = Callable[..., TestResponse]


@pytest.fixture
def key() -> str:
    return str(uuid.uuid4())


@pytest.fixture(params=["open", "import json", "import text", "import csv", "link"])
def ask(request: pytest.FixtureRequest, scorekeeper: Scorekeeper) -> Ask:
    """Each way to make something with a token; `client` may be another worker's."""
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("chips_moved", from_="bank", to="p1", amount=5))
    file = scorekeeper.looks("/export.json")

    def asks(key: str | None, client: FlaskClient = scorekeeper.client, *, other: bool = False) -> TestResponse:
        sent: Json = {"json": {**OPENING, "name": "Monday" if other else "Sunday"}}
        address = "/v1/sessions"
        match str(request.param).split():
            case ["link"]:
                address = f"{scorekeeper.address}/links"
                sent = {"json": {"role": "scorer", "label": "phone" if other else "wall"}}
            case ["import", "json"]:
                sent = {"data": json.dumps(file) + " " * other, "content_type": "application/json"}
            case ["import", "text"]:
                sent = {"data": TEXT + "# a remark" * other, "content_type": "text/plain"}
            case ["import", "csv"]:
                query = {"game": "shippin", "name": "Monday" if other else "Sunday"}
                sent = {"data": CSV, "content_type": "text/csv", "query_string": query}
        if request.param.startswith("import"):
            address += "/import"
        headers = dict(scorekeeper.headers()) if request.param == "link" else {}
        return client.post(address, headers=headers | ({} if key is None else {"Idempotency-Key": key}), **sent)

    return asks


def token_in(answer: TestResponse) -> str:
    body = answer.get_json()
    token: str = body.get("link", body)["token"]
    return token


def has_token(client: FlaskClient, token: str) -> Scorekeeper:
    holder = Scorekeeper(client)
    holder.session_id, holder.token = token.partition(".")[0], token
    return holder


def sessions(app: Flask) -> int:
    return len(app.extensions["session_service"].store.session_ids())


# --- the same again -------------------------------------------------------------------------------------------------


def test_a_repeat_makes_nothing_new_and_answers_the_same(ask: Ask, app: Flask, key: str, make_app: MakeApp) -> None:
    first = ask(key)
    assert (first.status_code, first.headers.get("Idempotency-Replayed")) == (201, None)
    before = sessions(app)
    for client in (app.test_client(), make_app().test_client()):
        again = ask(key, client)
        assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
        assert again.data == first.data
        for name in ("Location", "ETag", "Content-Type"):
            assert again.headers.get(name) == first.headers.get(name)
    assert sessions(app) == before
    holder = has_token(app.test_client(), token_in(first))
    assert holder.looks("")["id"] == holder.session_id
    seen = len(app.extensions["session_service"].store.links(holder.session_id))
    assert seen == (2 if "link" not in first.get_json() else 1)


def test_a_token_that_can_be_repeated_looks_like_any_other(ask: Ask, key: str) -> None:
    with_key, without = token_in(ask(key)), token_in(ask(None))
    for token in (with_key, without):
        home, _, secret = token.partition(".")
        assert (len(home), len(secret), home.isalnum()) == (16, 43, True)
        assert not set(secret) - set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    assert token_in(ask(str(uuid.uuid4()))).partition(".")[2] != with_key.partition(".")[2]


def test_what_happened_meanwhile_does_not_change_the_answer(ask: Ask, app: Flask, key: str) -> None:
    first = ask(key)
    holder = has_token(app.test_client(), token_in(first))
    holder.reports(event("chips_moved", from_="bank", to="p1", amount=7))
    assert ask(key).data == first.data


def test_without_a_key_each_request_makes_something(ask: Ask) -> None:
    assert token_in(ask(None)) != token_in(ask(None))


def test_another_request_with_the_key_is_refused(ask: Ask, app: Flask, key: str) -> None:
    assert ask(key).status_code == 201
    before = sessions(app)
    problem = ask(key, other=True)
    assert (problem.status_code, problem.get_json()["code"]) == (422, "key_reused")
    assert sessions(app) == before
    assert ask(key).headers["Idempotency-Replayed"] == "true"


def test_the_key_of_an_opening_is_the_services_and_that_of_a_link_its_sessions(client: FlaskClient, key: str) -> None:
    headers = {"Idempotency-Key": key}
    opened = client.post("/v1/sessions", json=OPENING, headers=headers)
    imported = client.post("/v1/sessions/import", data=TEXT, content_type="text/plain", headers=headers)
    assert (imported.status_code, imported.get_json()["code"]) == (422, "key_reused")
    one, other = has_token(client, token_in(opened)), Scorekeeper(client)
    other.opens()
    tokens = set()
    for holder in (one, other):
        for _ in range(2):
            asked = holder.headers(Idempotency_Key=key)
            made = client.post(f"{holder.address}/links", json={"role": "viewer"}, headers=asked)
            assert made.status_code == 201
            tokens.add(made.get_json()["token"])
    assert len(tokens) == 2
    report = holder.tries(event("round_opened"), Idempotency_Key=key)
    assert (report.status_code, report.get_json()["code"]) == (422, "key_reused")


def test_the_next_evening_is_opened_once_whatever_becomes_of_the_earlier(scorekeeper: Scorekeeper, key: str) -> None:
    scorekeeper.opens("shippin")
    asked: Json = {"json": {"continues": scorekeeper.token}, "headers": {"Idempotency-Key": key}}
    first = scorekeeper.client.post("/v1/sessions", **asked)
    assert first.status_code == 201
    gone = f"{scorekeeper.address}?confirm={scorekeeper.session_id}"
    assert scorekeeper.client.delete(gone, headers=scorekeeper.headers()).status_code == 204
    assert scorekeeper.client.post("/v1/sessions", **asked).data == first.data
    asked["headers"] = {"Idempotency-Key": str(uuid.uuid4())}
    assert scorekeeper.client.post("/v1/sessions", **asked).status_code == 422


# --- not any more ---------------------------------------------------------------------------------------------------


def is_dead(answer: TestResponse) -> bool:
    assert "token" not in answer.text
    return (answer.status_code, answer.get_json()["code"]) == (409, "link_is_dead")


def test_a_link_that_was_revoked_is_not_given_again(ask: Ask, app: Flask, key: str) -> None:
    first = ask(key)
    body = first.get_json()
    holder = has_token(app.test_client(), token_in(first))
    access = app.extensions["session_service"].access
    access.revoke_link(holder.session_id, body.get("link", body)["id"], even_if_last=True)
    before = sessions(app)
    assert is_dead(ask(key))
    assert sessions(app) == before


def test_a_link_that_has_expired_is_not_given_again(
    scorekeeper: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    scorekeeper.opens()
    soon = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=5)

    def ask() -> TestResponse:
        body = {"role": "viewer", "expires_at": soon.isoformat()}
        headers = scorekeeper.headers(Idempotency_Key=key)
        return scorekeeper.client.post(f"{scorekeeper.address}/links", json=body, headers=headers)

    assert ask().data == ask().data
    monkeypatch.setattr(app.extensions["session_service"].access, "clock", lambda: soon)
    assert is_dead(ask())


def test_a_session_that_was_deleted_is_not_opened_again_by_a_repeat(client: FlaskClient, app: Flask, key: str) -> None:
    opened = client.post("/v1/sessions", json=OPENING, headers={"Idempotency-Key": key})
    holder = has_token(client, token_in(opened))
    gone = client.delete(f"{holder.address}?confirm={holder.session_id}", headers=holder.headers())
    assert gone.status_code == 204
    before = sessions(app)
    assert is_dead(client.post("/v1/sessions", json=OPENING, headers={"Idempotency-Key": key}))
    assert sessions(app) == before


def test_after_a_day_a_key_is_as_good_as_new(ask: Ask, app: Flask, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    service = app.extensions["session_service"]
    now = datetime.now(UTC)
    monkeypatch.setattr(service.access, "clock", lambda: now)
    first = ask(key)
    for later, is_new in ((timedelta(hours=24), False), (timedelta(hours=24, seconds=1), True)):
        monkeypatch.setattr(service.access, "clock", lambda later=later: now + later)
        again = ask(key)
        assert (again.status_code, "Idempotency-Replayed" not in again.headers) == (201, is_new)
        assert (again.data != first.data) == is_new
    assert token_in(again) != token_in(first)


def test_keys_that_are_a_day_old_are_forgotten_while_tidying(
    ask: Ask, app: Flask, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    service = app.extensions["session_service"]
    ask(key)
    for later, is_kept in ((timedelta(hours=23), True), (timedelta(hours=25), False)):
        now = datetime.now(UTC) + later
        with monkeypatch.context() as patch:
            patch.setattr(service.access, "clock", lambda now=now: now)
            list(service.tidy(None))
        assert ("Idempotency-Replayed" in ask(key).headers) == is_kept


# --- keys as secrets ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", "1", "a" * 21, "a" * 256])
def test_a_key_that_could_be_guessed_is_refused(ask: Ask, app: Flask, key: str) -> None:
    before = sessions(app)
    problem = ask(key)
    assert problem.status_code == 400
    assert "22 to 255 characters" in problem.get_json()["detail"]
    assert sessions(app) == before


@pytest.mark.parametrize("key", ["a1-" * 7 + "b", "x" * 255, "5f2b" * 8, '"018f2b7e-7c1d-7cc0-9f6e-2f1d3c4b5a69"'])
def test_a_key_of_another_make_will_do(client: FlaskClient, key: str) -> None:
    answers = [client.post("/v1/sessions", json=OPENING, headers={"Idempotency-Key": key}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].data == answers[1].data


def test_keys_are_neither_stored_nor_logged(
    ask: Ask, key: str, database: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    first = ask(key)
    ask(key)
    monkeypatch.setattr("ledger.services.sessions.SessionService.replay_creation", lambda *_: 1 // 0)
    assert ask(key).status_code == 500
    assert "ZeroDivisionError" in caplog.text
    kept = bytes_of(database)
    for secret in (key, token_in(first).partition(".")[2]):
        assert secret.encode() not in kept
        assert secret not in caplog.text


def test_who_has_the_key_still_needs_what_others_need(make_app: MakeApp, key: str) -> None:
    client = make_app(opening_key="a key of the operator's").test_client()
    allowed = {"Authorization": "Bearer a key of the operator's", "Idempotency-Key": key}
    opened = client.post("/v1/sessions", json=OPENING, headers=allowed)
    assert opened.status_code == 201
    assert client.post("/v1/sessions", json=OPENING, headers={"Idempotency-Key": key}).status_code == 401
    holder = has_token(client, token_in(opened))
    asked = {"json": {"role": "viewer"}, "headers": holder.headers(Idempotency_Key=key)}
    made = client.post(f"{holder.address}/links", **asked)
    holder.token = made.get_json()["token"]
    asked["headers"] = holder.headers(Idempotency_Key=key)
    assert client.post(f"{holder.address}/links", **asked).status_code == 403


# --- at the same time -----------------------------------------------------------------------------------------------


def test_repeats_at_the_same_time_open_one_session(tmp_path: Path) -> None:
    apps = [create_app({"LEDGER_DATABASE": kept_at(tmp_path / "ledger.db")}) for _ in range(3)]
    asks: list[tuple[str, dict[str, Any]]] = [
        ("/v1/sessions", {"json": OPENING}),
        ("/v1/sessions/import", {"data": TEXT, "content_type": "text/plain"}),
    ]
    for number in range(10):
        key = str(uuid.uuid4())
        start = Barrier(6)
        address, body = asks[number % 2]

        def ask(place: int) -> Json:
            client = apps[place % 3].test_client()
            start.wait()  # noqa: B023 - all are over before the next round
            answer = client.post(address, headers={"Idempotency-Key": key}, **body)  # noqa: B023
            assert answer.status_code == 201, answer.text
            return {"body": answer.data, "again": "Idempotency-Replayed" in answer.headers}

        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(ask, range(6)))
        assert len({answer["body"] for answer in answers}) == 1
        assert sorted(answer["again"] for answer in answers) == [False, *[True] * 5]
        assert sessions(apps[0]) == number + 1
    for app in apps:
        app.extensions["session_service"].store.engine.close()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with Service(tmp_path / "ledger.db", workers=2) as running:
        yield running


def test_several_workers_open_one_session_too(service: Service) -> None:
    def ask(key: str) -> tuple[int, str]:
        with service.client() as client:
            answer = client.asks("POST", "/v1/sessions", OPENING, Idempotency_Key=key)
            return answer.status, answer.body["link"]["token"]

    with ThreadPoolExecutor(8) as pool:
        for _ in range(5):
            answers = set(pool.map(ask, [str(uuid.uuid4())] * 8))
            assert len(answers) == 1
            assert {status for status, _ in answers} == {201}


def test_how_long_a_key_is_is_described(client: FlaskClient) -> None:
    paths = client.get("/openapi.json").get_json()["paths"]
    told = {
        (path, parameter["schema"]["minLength"], parameter["schema"]["maxLength"])
        for path, operations in paths.items()
        for method in operations.keys() & {"get", "post", "delete"}
        for parameter in operations[method].get("parameters", [])
        if parameter.get("name") == "Idempotency-Key"
    }
    assert told == {
        ("/v1/sessions", 22, 255),
        ("/v1/sessions/import", 22, 255),
        ("/v1/sessions/{session_id}/links", 22, 255),
        ("/v1/sessions/{session_id}/events", 1, 255),
    }


def test_a_repeat_needs_the_role_of_the_first_request(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    link = scorekeeper.client.post(
        f"{scorekeeper.address}/links", json={"role": "scorer"}, headers=scorekeeper.headers()
    )
    body, repeated = {"events": [event("player_erased", player="p1")]}, {"Idempotency-Key": "once"}
    tokens = [scorekeeper.token, link.get_json()["token"]]
    answers = [
        scorekeeper.client.post(
            f"{scorekeeper.address}/events", json=body, headers={"Authorization": f"Bearer {token}", **repeated}
        )
        for token in tokens
    ]
    assert [answer.status_code for answer in answers] == [201, 403]
