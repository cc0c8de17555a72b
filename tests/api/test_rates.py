"""Rate limits by address: refusals say when to retry, and right tokens are never refused for wrong ones."""

from __future__ import annotations

import logging
import re
import time

import pytest
from flask import request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.config import BadSetting, Config
from tests.api.conftest import MakeApp
from tests.scorekeeper import Json, Scorekeeper

OPENING = {"game": "shippin", "players": ["Aki", "Ben", "Chie"]}
ASKED: dict[str, tuple[str, Json]] = {
    "opening": ("/v1/sessions", OPENING),
    "importing": ("/v1/sessions/import", {}),
    "calculating": ("/v1/calculate/shippin", {"players": OPENING["players"], "events": [{"type": "round_opened"}]}),
    "counting-together": ("/v1/statistics", {}),
}
RIGHT, WRONG, STRANGER = "Bearer sesame", "Bearer guessed", {"Authorization": "Bearer 0123456789abcdef.nobody"}


def asks(client: FlaskClient, kind: str, address: str = "192.0.2.1", **headers: str) -> TestResponse:
    where, body = ASKED[kind]
    return client.post(where, json=body, environ_base={"REMOTE_ADDR": address}, headers=headers)


def refused(answer: TestResponse) -> int:
    """After how many seconds whoever was refused may come back."""
    problem, seconds = answer.get_json(), int(answer.headers["Retry-After"])
    assert (answer.status_code, problem["code"]) == (429, "too_many_requests"), answer.text
    assert f"in {seconds} seconds" in problem["detail"]
    return seconds


def parts(field: str) -> dict[str, dict[str, int]]:
    """A structured field (RFC 9651): a list of strings, each with whole numbers as parameters."""
    found = [re.fullmatch(r'"([a-z0-9-]+)"((?:;[a-z]=[0-9]+)*)', item) for item in field.split(", ")]
    pairs = {read[1]: re.findall(r";([a-z])=([0-9]+)", read[2]) for read in found if read}
    assert len(pairs) == len(found), field
    return {name: {key: int(value) for key, value in told} for name, told in pairs.items()}


@pytest.mark.parametrize("kind", ASKED)
def test_what_costs_much_may_be_asked_so_often_from_one_address(make_app: MakeApp, kind: str) -> None:
    client = make_app(rate_limit="3/minute;5/day").test_client()
    for left in (2, 1, 0):
        answer = asks(client, kind)
        assert answer.status_code < 429, answer.text
        policies, limits = (parts(answer.headers[name]) for name in ("RateLimit-Policy", "RateLimit"))
        assert policies == {kind: {"q": 3, "w": 60}, f"{kind}-day": {"q": 5, "w": 86_400}}
        assert (limits[kind]["r"], limits[f"{kind}-day"]["r"]) == (left, left + 2)
        assert 0 < limits[kind]["t"] <= 60 < limits[f"{kind}-day"]["t"] <= 86_400
    assert 0 < refused(asks(client, kind)) <= 60
    others = [asks(client, other) for other in ASKED if other != kind] + [asks(client, kind, "192.0.2.2")]
    assert not [other for other in others if "Retry-After" in other.headers], "each is counted by itself"


def test_waiting_as_long_as_told_works(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    client, now, ahead = make_app(rate_limit="2/minute;4/day").test_client(), time.time, 0
    monkeypatch.setattr(time, "time", lambda: now() + ahead)
    waits = list[int]()
    for _ in range(3):
        assert [asks(client, "calculating").status_code for _ in range(2)] == [200, 200]
        waits.append(refused(asks(client, "calculating")))  # which is not counted for the day
        ahead += waits[-1]
    assert waits[0] <= 60 < waits[1], "of two limits that are passed the longer wait is told"


def test_wrong_tokens_are_slowed_and_right_ones_from_the_same_address_are_not(make_app: MakeApp) -> None:
    table = Scorekeeper(client := make_app(rate_limit="3/minute").test_client())
    table.opens("shippin")
    for left in (2, 1, 0):
        answer = client.get(table.address, headers=STRANGER)
        assert (answer.status_code, parts(answer.headers["RateLimit"])["wrong-tokens"]["r"]) == (401, left)
    refused(client.get(table.address, headers=STRANGER))
    refused(client.post("/v1/statistics", json={"tokens": ["0123456789abcdef.nobody"]}))
    right = client.get(table.address, headers=table.headers())
    assert (right.status_code, "RateLimit" in right.headers) == (200, False)


@pytest.mark.parametrize("kind", ["opening", "importing"])
def test_who_guesses_the_opening_key_is_not_told_when_it_is_right(make_app: MakeApp, kind: str) -> None:
    client = make_app(rate_limit="3/minute", opening_key="sesame").test_client()
    right = asks(client, kind, Authorization=RIGHT)
    assert (right.status_code < 429, list(parts(right.headers["RateLimit"]))) == (True, [kind])
    assert [asks(client, kind, Authorization=WRONG).status_code for _ in range(3)] == [401] * 3
    wrong, right = (asks(client, kind, Authorization=key) for key in (WRONG, RIGHT))
    assert (refused(wrong), list(parts(wrong.headers["RateLimit"]))) == (refused(right), ["wrong-tokens"])
    assert asks(client, kind, "192.0.2.2", Authorization=RIGHT).status_code < 429, "others are not locked out"


@pytest.mark.parametrize(
    ("proxies", "said", "counted_for"),
    [
        (0, "198.51.100.1", "192.0.2.1"),
        (1, "198.51.100.9, 198.51.100.1", "198.51.100.1"),  # the first is what the client has claimed
        (1, "198.51.100.1:4001", "198.51.100.1:4002"),
        (1, "[2001:db8::1]:4001", "2001:db8::2"),
        (1, "unknown", "hidden"),
    ],
)
def test_a_proxy_is_believed_who_asks(make_app: MakeApp, proxies: int, said: str, counted_for: str) -> None:
    app, seen = make_app(rate_limit="1/minute", proxies=proxies), list[str]()
    app.before_request(lambda: seen.append(request.host_url))
    client = app.test_client()
    answer = asks(client, "calculating", X_Forwarded_For=said, X_Forwarded_Host="evil.example")
    assert (answer.status_code, seen) == (200, ["http://localhost/"])
    refused(asks(client, "calculating", counted_for, **({"X_Forwarded_For": counted_for} if proxies else {})))


def test_a_storage_that_cannot_be_reached_refuses_nobody(make_app: MakeApp, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    client = make_app(rate_limit="1/minute", rate_limit_storage="redis://:secret@127.0.0.1:1").test_client()
    answers = [asks(client, "calculating") for _ in range(3)]
    assert [(answer.status_code, "RateLimit" in answer.headers) for answer in answers] == [(200, False)] * 3
    assert [record.name for record in caplog.records] == ["ledger.api.http.rate_limits"]
    with pytest.raises(BadSetting, match=r"^LEDGER_RATE_LIMIT_STORAGE is [^\n]*$") as refusal:
        Config.read({"LEDGER_RATE_LIMIT_STORAGE": "none://:secret@127.0.0.1"})
    assert "secret" not in str(refusal.value) + repr(client.application.extensions["config"])
