"""What has a limit is listed, and what is beyond a limit is refused as the list says."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger import access, recording
from ledger.api.limits import limits_of
from ledger.codec import files
from ledger.codec.json_text import DEEPEST
from ledger.config import Config
from ledger.session import rounds
from schemas.fields import MAX_IN_AN_OBJECT
from tests.api.conftest import MakeApp
from tests.api.rounds import first_cards, second_cards
from tests.scorekeeper import Json, Scorekeeper, event

USUAL = Config.read({"LEDGER_RATE_LIMIT": "600/minute"})
NAMES = [limit.name for limit in limits_of(USUAL)]


@pytest.fixture
def listed(client: FlaskClient) -> dict[str, Json]:
    answer = client.get("/v1/limits")
    assert answer.status_code == 200
    return {limit["name"]: limit for limit in answer.get_json()["limits"]}


def test_limits_are_listed_for_everybody_and_may_be_kept(make_app: MakeApp) -> None:
    client = make_app(rate_limit="7/hour", body_bytes=999).test_client()
    answer = client.get("/v1/limits")
    limits: list[Json] = answer.get_json()["limits"]
    assert [limit["name"] for limit in limits] == NAMES
    named = {limit["name"]: limit for limit in limits}
    assert named["body"] == {
        "name": "body",
        "at_most": 999,
        "unit": "bytes",
        "per": "request",
        "status": 413,
        "code": "request_entity_too_large",
        "setting": "LEDGER_BODY_BYTES",
    }
    assert (named["calculating"]["at_most"], named["calculating"]["seconds"]) == (7, 3600)
    assert answer.headers["Cache-Control"].startswith("public")
    tag = answer.headers["ETag"]
    assert client.get("/v1/limits", headers={"If-None-Match": tag}).status_code == 304


def test_what_has_no_limit_is_not_listed(make_app: MakeApp) -> None:
    limits = make_app(rate_limit="off").test_client().get("/v1/limits").get_json()["limits"]
    rated = {
        "connections_per_address",
        "streams_per_address",
        "opening",
        "counting_together",
        "importing",
        "calculating",
        "wrong_tokens",
    }
    assert [limit["name"] for limit in limits] == [name for name in NAMES if name not in rated]


def refused(answer: TestResponse, limit: Json) -> Json:
    """An answer is what the list says of what is beyond a limit."""
    problem: Json = answer.get_json()
    assert (answer.status_code, problem["code"]) == (limit["status"], limit["code"]), answer.text[:500]
    return problem


# --- what may stand in a request ------------------------------------------------------------------------------------


def calculated(**changed: object) -> tuple[str, Json]:
    body = {"players": ["Aki", "Ben", "Chie", "Dai"], "events": [{"type": "round_opened"}], **changed}
    return "/v1/calculate/shippin", body


def moved(**changed: object) -> Json:
    return event("chips_moved", **{"from": "bank", "to": "p1", "amount": 1, **changed})


def field_of(name: str, size: int) -> tuple[str, Json]:
    """A request in which something is as large as its limit."""
    match name:
        case "house_rules":
            return calculated(rules=dict.fromkeys(map(str, range(size)), 0))
        case "sessions_counted_together":
            return "/v1/statistics", {"tokens": ["x"] * size}
        case "amount":
            return calculated(events=[{"type": "round_opened"}, moved(amount=size)])
        case "name":
            return calculated(players=["長" * size, "Ben", "Chie"])
    return calculated(events=[{"type": "round_opened", "note": "長" * size}])


@pytest.mark.parametrize("name", ["house_rules", "sessions_counted_together", "amount", "name", "note"])
def test_what_is_beyond_a_limit_of_a_field_is_refused(client: FlaskClient, listed: dict[str, Json], name: str) -> None:
    limit = listed[name]
    address, body = field_of(name, limit["at_most"])
    within = client.post(address, json=body).get_json()
    assert str(limit["at_most"]) not in json.dumps(within.get("errors", "")), "a limit can be reached"
    address, body = field_of(name, limit["at_most"] + 1)
    (error,) = refused(client.post(address, json=body), limit)["errors"]
    assert f"{limit['at_most']}" in error["detail"].replace(",", "")


def test_what_is_beyond_a_limit_of_a_query_is_refused(scorekeeper: Scorekeeper, listed: dict[str, Json]) -> None:
    scorekeeper.opens()
    most, client, headers = listed["page"]["at_most"], scorekeeper.client, scorekeeper.headers()
    for place in ("events", "ledger", "rounds", "links"):
        assert client.get(f"{scorekeeper.address}/{place}?limit={most}", headers=headers).status_code == 200
        refused(client.get(f"{scorekeeper.address}/{place}?limit={most + 1}", headers=headers), listed["page"])


def test_json_is_read_so_deep(client: FlaskClient, listed: dict[str, Json]) -> None:
    def sent(deep: int) -> TestResponse:
        text = "[" * deep + "]" * deep
        return client.post("/v1/calculate/shippin", data=text, content_type="application/json")

    assert sent(listed["json_depth"]["at_most"]).status_code == 422
    assert listed["json_depth"]["at_most"] == DEEPEST
    refused(sent(DEEPEST + 1), listed["json_depth"])


# --- what comes together in a session -------------------------------------------------------------------------------


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    scorekeeper.opens("shippin")
    return scorekeeper


def test_a_session_has_so_many_events(
    table: Scorekeeper, listed: dict[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MAX_EVENTS_IN_A_SESSION", 5)
    table.reports(*[moved()] * 4)
    for language, said in {"en": "This session has 5 events", "ja": "上限の5件"}.items():
        problem = refused(table.tries(moved(), moved(), Accept_Language=language), listed["events_per_session"])
        assert said in problem["detail"]
        assert problem["at_most"] == 5
    table.reports(moved())
    assert table.looks("")["seq"] == 5
    for query in ("", "?dry_run=true"):
        refused(table.tries({"type": "event_taken_back"}, query=query), listed["events_per_session"])
    body = {"continues": table.token}
    assert table.client.post("/v1/sessions", json=body).status_code == 201


def test_a_full_session_still_erases_everybody_and_can_be_imported_again(
    table: Scorekeeper, listed: dict[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "MAX_EVENTS_IN_A_SESSION", 5)
    table.reports(*[moved()] * 5)
    players = [player["id"] for player in table.looks("")["players"]]
    refused(table.tries(event("player_erased", player="p1"), moved()), listed["events_per_session"])
    for player in players:
        table.reports(event("player_erased", player=player))
    assert [player["name"] for player in table.looks("")["players"]] == players
    refused(table.tries(moved()), listed["events_per_session"])
    assert recording.MAX_PEOPLE + 20_000 == files.MAX_EVENTS_IN_A_FILE
    monkeypatch.setattr(recording, "MAX_PEOPLE", len(players))
    refused(table.tries(event("player_erased", player="p1")), listed["events_per_session"])


def test_a_round_has_so_many_events_and_can_be_ended_all_the_same(
    scorekeeper: Scorekeeper, listed: dict[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "MAX_EVENTS_IN_A_ROUND", 6)
    scorekeeper.opens("shirinma")
    king = event("card_dealt", player="p1", card="cups-12")
    bids = [event("bid_placed", player=f"p{2 + place % 2}", amount=place) for place in range(1, 5)]
    scorekeeper.reports(event("round_opened"), event("field_card_revealed", card="swords-4"), king, *bids[:3])
    for language, said in {"en": "Round 1 has 6 events", "ja": "上限の6件"}.items():
        problem = refused(scorekeeper.tries(bids[3], Accept_Language=language), listed["events_per_round"])
        assert said in problem["detail"]
        assert (problem["round"], problem["at_most"]) == (1, 6)
    insertion = event("event_inserted", after=3, event=bids[0])
    assert scorekeeper.tries(insertion).status_code == 409
    scorekeeper.reports(moved(), event("event_taken_back", seq=6), bids[2])
    scorekeeper.reports(event("round_voided", reason="too many bids"), event("round_opened"))


def test_the_last_event_of_a_round_may_be_one_too_many(
    table: Scorekeeper, listed: dict[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = [
        event("round_opened"),
        event("bet_placed", player="p2", column=1),
        second_cards("7", "3", "5", "10", dealer="9"),
        first_cards("2", "2", "2", "10", dealer="8"),
    ]
    monkeypatch.setattr(rounds, "MAX_EVENTS_IN_A_ROUND", 2)
    refused(table.tries(*played), listed["events_per_round"])
    monkeypatch.setattr(rounds, "MAX_EVENTS_IN_A_ROUND", 3)
    table.reports(*played)


def test_so_many_people_sit_down_in_a_session(
    table: Scorekeeper, listed: dict[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = len(table.looks("")["players"])
    monkeypatch.setattr(recording, "MAX_PEOPLE", here + 1)
    table.reports(event("player_left", player="p1"), event("player_joined", name="Fumi"))
    problem = refused(
        table.tries(event("player_left", player="p2"), event("player_joined", name="Gen")), listed["people_per_session"]
    )
    assert problem["at_most"] == here + 1
    table.reports(event("player_left", player="p2"), event("player_joined", player="p1"))


def makes_a_link(table: Scorekeeper) -> TestResponse:
    return table.client.post(f"{table.address}/links", json={"role": "viewer"}, headers=table.headers())


def test_so_many_links_are_alive(
    table: Scorekeeper, app: Flask, listed: dict[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "MAX_LINKS", 3)
    soon = (datetime.now(UTC) + timedelta(minutes=5)).isoformat()
    body = {"role": "viewer", "expires_at": soon}
    assert table.client.post(f"{table.address}/links", json=body, headers=table.headers()).status_code == 201
    first = makes_a_link(table).get_json()
    assert refused(makes_a_link(table), listed["links"])["at_most"] == 3
    assert table.client.delete(f"{table.address}/links/{first['id']}", headers=table.headers()).status_code == 204
    assert makes_a_link(table).status_code == 201
    refused(makes_a_link(table), listed["links"])
    monkeypatch.setattr(app.extensions["desk"].access, "clock", lambda: datetime.now(UTC) + timedelta(minutes=6))
    assert makes_a_link(table).status_code == 201, "one that has expired is not alive"


def test_so_many_links_are_ever_made(
    table: Scorekeeper, listed: dict[str, Json], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "MAX_LINKS_EVER", 3)
    for _ in range(2):
        link = makes_a_link(table).get_json()
        table.client.delete(f"{table.address}/links/{link['id']}", headers=table.headers())
    problem = refused(makes_a_link(table), listed["links_ever"])
    assert problem["at_most"] == 3


def test_a_line_of_the_notation_is_so_long(client: FlaskClient, listed: dict[str, Json]) -> None:
    def sent(line: str) -> TestResponse:
        return client.post("/v1/calculate/kakkuri", data=line, content_type="text/plain")

    longest: int = listed["notation_line"]["at_most"]
    assert "at most" not in sent("(" * longest).get_json()["detail"], "a limit can be reached"
    problem = refused(sent("(" * (longest + 1)), listed["notation_line"])
    assert (problem["line"], problem["column"]) == (1, longest + 1)
    assert f"{longest:,}" in problem["detail"] or str(longest) in problem["detail"]


# --- what is brought in ---------------------------------------------------------------------------------------------


def test_a_file_is_so_large(make_app: MakeApp) -> None:
    client = make_app(import_bytes=2_000).test_client()
    limit = next(limit for limit in client.get("/v1/limits").get_json()["limits"] if limit["name"] == "import_body")
    assert limit["at_most"] == 2_000
    assert client.post("/v1/sessions/import", json=["x" * 1_900]).status_code == 422
    refused(client.post("/v1/sessions/import", json=["x" * 2_000]), limit)


def exported(table: Scorekeeper) -> Any:
    return json.loads(table.client.get(f"{table.address}/export.json", headers=table.headers()).data)


def test_a_file_has_so_many_rows_and_entries(table: Scorekeeper, listed: dict[str, Json]) -> None:
    file = exported(table)
    for name, told in {
        "import_events": {**file, "log": {**file["log"], "rows": [{}] * (files.MAX_EVENTS_IN_A_FILE + 1)}},
        "import_entries": {**file, "entries": [{}] * (files.MAX_ENTRIES_IN_A_FILE + 1)},
    }.items():
        (error,) = refused(table.client.post("/v1/sessions/import", json=told), listed[name])["errors"]
        assert str(listed[name]["at_most"]) in error["detail"].replace(",", "")


def test_an_object_in_a_file_has_so_many_members(table: Scorekeeper, listed: dict[str, Json]) -> None:
    balances = dict.fromkeys(map(str, range(MAX_IN_AN_OBJECT + 1)), 0)
    problem = refused(
        table.client.post("/v1/sessions/import", json={**exported(table), "balances": balances}),
        listed["import_object"],
    )
    assert [error["pointer"] for error in problem["errors"]] == ["/balances"]
