"""Who asks too often from one address is told so, and when to come back; a token that is right is never refused."""

from __future__ import annotations

import re

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.rates import Rate
from tests.api.conftest import MakeApp
from tests.scorekeeper import Json, Scorekeeper, event

OPENING = {"game": "shippin", "players": ["Aki", "Ben", "Chie"]}
ROUND: Json = {"players": OPENING["players"], "events": [{"type": "round_opened"}]}
ADDRESSES = {
    "opening": "/v1/sessions",
    "importing": "/v1/sessions/import",
    "calculating": "/v1/calculate/shippin",
    "counting-together": "/v1/statistics",
}
BODIES: dict[str, Json] = {"opening": OPENING, "importing": {}, "calculating": ROUND, "counting-together": {}}
STRANGER = {"Authorization": "Bearer 0123456789abcdef.nobody"}


@pytest.fixture
def limited(make_app: MakeApp) -> Flask:
    return make_app(rate_limit="3/minute", statistics_rate="3/minute")


@pytest.fixture
def client(limited: Flask) -> FlaskClient:
    return limited.test_client()


def asks(client: FlaskClient, kind: str, address: str = "192.0.2.1", **headers: str) -> TestResponse:
    return client.post(ADDRESSES[kind], json=BODIES[kind], environ_base={"REMOTE_ADDR": address}, headers=headers)


def refused(answer: TestResponse) -> int:
    """After how many seconds whoever was refused may come back."""
    problem = answer.get_json()
    assert (answer.status_code, problem["code"]) == (429, "too_many_requests"), answer.text
    seconds = int(answer.headers["Retry-After"])
    assert f"in {seconds} seconds" in problem["detail"]
    return seconds


def parts(field: str) -> dict[str, dict[str, int]]:
    """A structured field (RFC 9651): a list of strings, each with whole numbers as parameters."""
    found = dict[str, dict[str, int]]()
    for item in field.split(", "):
        read = re.fullmatch(r'"([a-z-]+)"((?:;[a-z]=[0-9]+)*)', item)
        assert read is not None, field
        found[read[1]] = {name: int(value) for name, value in re.findall(r";([a-z])=([0-9]+)", read[2])}
    return found


@pytest.mark.parametrize("kind", ADDRESSES)
def test_what_costs_much_may_be_asked_so_often_from_one_address(client: FlaskClient, kind: str) -> None:
    for left in (2, 1, 0):
        answer = asks(client, kind)
        assert answer.status_code < 429, answer.text
        assert parts(answer.headers["RateLimit-Policy"])[kind] == {"q": 3, "w": 60}
        told = parts(answer.headers["RateLimit"])[kind]
        assert (told["r"], 0 < told["t"] <= 60) == (left, True)
    answer = asks(client, kind)
    assert 0 < refused(answer) <= 60
    assert parts(answer.headers["RateLimit"])[kind]["r"] == 0
    assert "Retry-After" not in asks(client, kind, "192.0.2.2").headers


def test_each_kind_is_counted_by_itself(client: FlaskClient) -> None:
    for _ in range(4):
        last = asks(client, "calculating")
    refused(last)
    assert asks(client, "opening").status_code == 201


def test_waiting_as_long_as_told_works(client: FlaskClient, limited: Flask) -> None:
    counters, ahead = limited.extensions["rates"].counters, 0.0
    usual = counters._clock
    counters._clock = lambda: usual() + ahead
    for _ in range(2):
        for _ in range(3):
            assert asks(client, "opening").status_code == 201
        ahead += refused(asks(client, "opening"))


def test_an_address_opens_so_many_sessions_a_day(make_app: MakeApp) -> None:
    client = make_app(rate_limit="100/minute", sessions_per_address="2/day").test_client()
    assert asks(client, "opening").status_code == 201
    answer = asks(client, "opening")
    assert parts(answer.headers["RateLimit-Policy"])["opening-in-all"] == {"q": 2, "w": 86_400}
    for kind in ("opening", "importing"):  # which are one for this
        assert 86_000 < refused(asks(client, kind)) <= 86_400
    assert asks(client, "calculating").status_code == 200


def test_of_two_limits_that_are_passed_the_longer_wait_is_told(make_app: MakeApp) -> None:
    client = make_app(rate_limit="2/minute", sessions_per_address="2/day").test_client()
    for _ in range(2):
        asks(client, "opening")
    assert refused(asks(client, "opening")) > 60


def test_only_what_was_opened_counts_for_the_day(make_app: MakeApp) -> None:
    client = make_app(rate_limit="100/minute", sessions_per_address="2/day").test_client()

    def left(answer: TestResponse, status: int) -> int:
        assert answer.status_code == status, answer.text
        return parts(answer.headers["RateLimit"])["opening-in-all"]["r"]

    sender = {"environ_base": {"REMOTE_ADDR": "192.0.2.1"}}
    for kind in ("opening", "importing"):
        for _ in range(3):
            assert left(client.post(ADDRESSES[kind], json={}, **sender), 422) == 2
    assert left(client.post(ADDRESSES["opening"], data="{", content_type="application/json", **sender), 400) == 2
    key = {"Idempotency-Key": "6e6f7420612073656372657420617420616c6c"}
    told = [client.post(ADDRESSES["opening"], json=OPENING, headers=key, **sender) for _ in range(4)]
    assert [left(answer, 201) for answer in told] == [1, 1, 1, 1]
    assert [answer.headers.get("Idempotency-Replayed") for answer in told] == [None, "true", "true", "true"]
    brought = client.post(
        ADDRESSES["importing"], data="game shippin\nplayers Aki Ben", content_type="text/plain", **sender
    )
    assert left(brought, 201) == 0
    assert refused(asks(client, "opening")) > 60


# --- recording --------------------------------------------------------------------------------------------------------

GIFT = event("chips_moved", from_="p1", to="p2", amount=1)


def reports(table: Scorekeeper, count: int, **headers: str) -> TestResponse:
    body = {"events": [GIFT] * count}
    return table.client.post(f"{table.address}/events", json=body, headers=table.headers(**headers))


def test_so_many_events_are_recorded_in_a_session(make_app: MakeApp) -> None:
    app = make_app(rate_limit="600/minute", recording_rate="10/minute")
    client, counters, ahead = app.test_client(), app.extensions["rates"].counters, 0.0
    usual = counters._clock
    counters._clock = lambda: usual() + ahead
    table, other = Scorekeeper(client), Scorekeeper(client)
    table.opens("shippin")
    other.opens("shippin")
    for count, left in ((1, 9), (8, 1), (5, 0)):  # whatever a request has room for; the next one waits
        answer = reports(table, count)
        assert answer.status_code == 201
        assert parts(answer.headers["RateLimit-Policy"]) == {"recording": {"q": 10, "w": 60}}
        assert parts(answer.headers["RateLimit"])["recording"]["r"] == left
    answer = reports(table, 1)
    assert 0 < refused(answer) <= 60
    assert "session" in answer.get_json()["detail"]
    assert table.looks("")["seq"] == 14
    assert reports(other, 1).status_code == 201, "each session is counted by itself"
    ahead = 61.0
    assert reports(table, 1).status_code == 201


def test_only_what_was_stored_counts_for_a_session(make_app: MakeApp) -> None:
    table = Scorekeeper(make_app(rate_limit="600/minute", recording_rate="10/minute").test_client())
    table.opens("shippin")

    def left(answer: TestResponse, status: int) -> int:
        assert answer.status_code == status, answer.text
        return parts(answer.headers["RateLimit"])["recording"]["r"]

    key = {"Idempotency-Key": "an outbox that repeats"}
    told = [reports(table, 4, **key) for _ in range(13)]
    assert [left(answer, 201) for answer in told] == [6] * 13
    assert [answer.headers.get("Idempotency-Replayed") for answer in told] == [None, *["true"] * 12]
    body = {"events": [GIFT] * 4}
    for _ in range(13):
        answer = table.client.post(f"{table.address}/events?dry_run=true", json=body, headers=table.headers())
        assert left(answer, 200) == 6
        assert left(reports(table, 4, **{"If-Match": '"99"'}), 412) == 6
        assert left(reports(table, 5, **key), 422) == 6
    assert left(reports(table, 6), 201) == 0
    refused(reports(table, 1))


def test_recording_has_a_rate_that_no_table_reaches(make_app: MakeApp) -> None:
    table = Scorekeeper(make_app(rate_limit="600/minute").test_client())
    table.opens("shippin")
    for _ in range(3):  # a phone that was away all evening
        answer = reports(table, 500)
        assert answer.status_code == 201
    assert parts(answer.headers["RateLimit"])["recording"]["r"] == 4500


@pytest.mark.parametrize("settings", [{"rate_limit": "off"}, {"rate_limit": "600/minute", "recording_rate": "off"}])
def test_a_private_table_records_as_fast_as_it_likes(make_app: MakeApp, settings: dict[str, str]) -> None:
    table = Scorekeeper(make_app(**{"recording_rate": "1/minute", **settings}).test_client())
    table.opens("shippin")
    for _ in range(3):
        answer = reports(table, 2)
        assert answer.status_code == 201
        assert "RateLimit" not in answer.headers


# --- wrong tokens ---------------------------------------------------------------------------------------------------


def test_wrong_tokens_are_slowed_and_right_ones_from_the_same_address_are_not(client: FlaskClient) -> None:
    table = Scorekeeper(client)
    table.opens("shippin")
    for left in (2, 1, 0):
        answer = client.get(table.address, headers=STRANGER)
        assert (answer.status_code, parts(answer.headers["RateLimit"])["wrong-tokens"]["r"]) == (401, left)
    for _ in range(3):
        refused(client.get(table.address, headers=STRANGER))
        refused(client.get(table.address))
        right = client.get(table.address, headers=table.headers())
        assert right.status_code == 200
        assert "RateLimit" not in right.headers


RIGHT, WRONG = "Bearer sesame", "Bearer guessed"


def test_a_wrong_opening_key_is_a_wrong_token_and_uses_nothing_up(make_app: MakeApp) -> None:
    client = make_app(rate_limit="3/minute", opening_key="sesame").test_client()
    for _ in range(2):
        assert asks(client, "opening", Authorization=WRONG).status_code == 401
    for _ in range(3):
        answer = asks(client, "opening", Authorization=RIGHT)
        assert answer.status_code == 201
        assert "wrong-tokens" not in answer.headers["RateLimit"]
    refused(asks(client, "opening", Authorization=RIGHT))
    assert asks(client, "opening", Authorization=WRONG).status_code == 401
    refused(asks(client, "opening", Authorization=WRONG))


@pytest.mark.parametrize("kind", ["opening", "importing"])
def test_who_guesses_the_opening_key_is_not_told_when_it_is_right(make_app: MakeApp, kind: str) -> None:
    app = make_app(rate_limit="3/minute", opening_key="sesame")
    client, counters, ahead = app.test_client(), app.extensions["rates"].counters, 0.0
    usual = counters._clock
    counters._clock = lambda: usual() + ahead
    table = Scorekeeper(client)
    answer = asks(client, "opening", Authorization=RIGHT)
    table.session_id, table.token = answer.get_json()["session"]["id"], answer.get_json()["link"]["token"]
    for _ in range(3):
        assert asks(client, kind, Authorization=WRONG).status_code == 401
    wrong, right = (asks(client, kind, Authorization=key) for key in (WRONG, RIGHT))
    ahead += refused(right)
    refused(wrong)
    assert wrong.get_json().keys() == right.get_json().keys()
    assert parts(right.headers["RateLimit"]).keys() == {"wrong-tokens"} == parts(wrong.headers["RateLimit"]).keys()
    ahead = 0.0
    assert asks(client, kind, "192.0.2.2", Authorization=RIGHT).status_code < 429, "others are not locked out"
    sender = {"REMOTE_ADDR": "192.0.2.1"}
    assert client.get(table.address, headers=table.headers(), environ_base=sender).status_code == 200, "nor is a table"
    ahead = 61.0
    assert asks(client, kind, Authorization=RIGHT).status_code in {201, 422}


def test_wrong_tokens_among_several_sessions_are_slowed_too(client: FlaskClient) -> None:
    body = {"tokens": ["0123456789abcdef.nobody"]}
    answers = [client.post("/v1/statistics", json=body) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [422, 422, 422, 429]


# --- settings -------------------------------------------------------------------------------------------------------


def test_a_private_table_has_no_limit(make_app: MakeApp) -> None:
    client = make_app(rate_limit="off", sessions_per_address="1/day").test_client()
    for _ in range(5):
        answer = asks(client, "opening")
        assert answer.status_code == 201
        assert "RateLimit" not in answer.headers
        assert client.get("/v1/sessions/0123456789abcdef", headers=STRANGER).status_code == 401


def test_six_hundred_a_minute_are_usual(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEDGER_RATE_LIMIT")
    answer = asks(make_app().test_client(), "opening")
    assert parts(answer.headers["RateLimit-Policy"]) == {
        "opening": {"q": 600, "w": 60},
        "opening-in-all": {"q": 2000, "w": 86_400},
    }


def test_counting_several_sessions_together_has_a_rate_of_its_own(make_app: MakeApp) -> None:
    """A worker does about one costly request a second."""
    for settings, rate in (({}, "30/minute"), ({"statistics_rate": "2/hour"}, "2/hour")):
        app = make_app(rate_limit="600/minute", **settings)
        answer = asks(app.test_client(), "counting-together")
        most, seconds = Rate(rate)
        assert parts(answer.headers["RateLimit-Policy"]) == {"counting-together": {"q": most, "w": seconds}}
        listed = {limit["name"]: limit for limit in app.test_client().get("/v1/limits").get_json()["limits"]}
        limit = listed["counting_together"]
        assert (limit["at_most"], limit["seconds"], limit["setting"]) == (most, seconds, "LEDGER_STATISTICS_RATE")
    for settings in ({"rate_limit": "off"}, {"rate_limit": "600/minute", "statistics_rate": "off"}):
        answer = asks(make_app(**settings).test_client(), "counting-together")
        assert "RateLimit" not in answer.headers


@pytest.mark.parametrize(
    ("proxies", "said", "counted_for"),
    [
        (0, "198.51.100.1", "192.0.2.1"),
        (1, "198.51.100.1", "198.51.100.1"),
        (1, "198.51.100.9, 198.51.100.1", "198.51.100.1"),  # the first is what the client has claimed
        (2, "198.51.100.1, 203.0.113.1", "198.51.100.1"),
        (1, "", "192.0.2.1"),
        (1, "198.51.100.1:4001", "198.51.100.1:4002"),
        (1, "[2001:db8::1]:4001", "2001:db8::1"),
        (1, "unknown", "hidden"),
    ],
)
def test_a_proxy_is_believed_if_it_is_said_to_be_there(
    make_app: MakeApp, proxies: int, said: str, counted_for: str
) -> None:
    app = make_app(rate_limit="1/minute", proxies=proxies)
    assert asks(app.test_client(), "calculating", X_Forwarded_For=said).status_code == 200
    counters = app.extensions["rates"].counters
    limit = app.extensions["config"].rate_limit
    assert counters.count("calculating", counted_for, limit).is_over


def test_a_proxy_is_believed_nothing_else(make_app: MakeApp) -> None:
    app = make_app(proxies=1)
    seen = dict[str, str]()
    app.before_request(lambda: seen.update(host=request.host, scheme=request.scheme))
    asks(app.test_client(), "opening", X_Forwarded_Host="evil.example", X_Forwarded_Proto="https")
    assert seen == {"host": "localhost", "scheme": "http"}
