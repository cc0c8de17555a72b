"""What has a limit is listed; each limit can be reached, and what is beyond it is refused as the list says."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.api.limits import limits_of
from ledger.config import Config
from ledger.services import access, recording
from ledger.session import rounds
from tests.api.conftest import MakeApp
from tests.api.rounds import first_cards, second_cards
from tests.scorekeeper import Json, Scorekeeper, event

MOVED = event("chips_moved", from_="bank", to="p1", amount=1)
LIMITS = {limit.name: limit for limit in limits_of(Config.read({"LEDGER_RATE_LIMIT": "600/minute"}))}
RATED = ("opening", "importing", "calculating", "counting_together", "wrong_tokens")
OPENED = {"game": "shippin", "players": ["Aki", "Ben", "Chie"]}
Posted = tuple[str, Json]


def calculated(*events: object, **changed: object) -> Posted:
    opening = {"players": ["Aki", "Ben", "Chie"], "events": [*events] or [event("round_opened")]}
    return "/v1/calculate/shippin", {"json": opening | changed}


def imported(rows: int = 0, **changed: object) -> Posted:
    opening = {"body": "{}", "version": 1, "created_at": "2026-11-20T18:00:00Z", "words": {}}
    file = {"format": "fuda-ledger", "version": 1, "log": {"opening": opening, "rows": [{}] * rows}}
    return "/v1/sessions/import", {"json": {**file, "balances": {}, "entries": [], **changed}}


def sent(text: str, kind: str = "application/json", to: str = "/v1/calculate/shippin") -> Posted:
    return to, {"data": text, "content_type": kind}


EDGES: Mapping[str, Callable[[int], Posted]] = {
    "body": lambda size: sent(" " * size),
    "json_depth": lambda size: sent("[" * size + "]" * size),
    "events_per_request": lambda size: calculated(*[0] * size),
    "corrections_together": lambda size: calculated(event("corrections_made", corrections=[0] * size)),
    "list": lambda size: calculated(event("seats_changed", seats=["x"] * size)),
    "house_rules": lambda size: calculated(rules=dict.fromkeys(map(str, range(size)), 0)),
    "sessions_counted_together": lambda size: ("/v1/statistics", {"json": {"tokens": ["x"] * size}}),
    "amount": lambda size: calculated(event("round_opened"), MOVED | {"amount": size}),
    "name": lambda size: calculated(players=["長" * size, "Ben", "Chie"]),
    "note": lambda size: calculated(event("round_opened", note="長" * size)),
    "notation_line": lambda size: sent("(" * size, "text/plain"),
    "idempotency_key": lambda size: ("/v1/sessions", {"json": OPENED, "headers": {"Idempotency-Key": "x" * size}}),
    "import_body": lambda size: sent(" " * size, to="/v1/sessions/import"),
    "import_objects": lambda size: sent(f"[{','.join(['[]'] * (size - 1))}]", to="/v1/sessions/import"),
    "import_lines": lambda size: sent("\n" * size, "text/plain", "/v1/sessions/import"),
    "import_events": lambda size: imported(rows=size),
    "import_entries": lambda size: imported(entries=[{}] * size),
    "import_object": lambda size: imported(balances=dict.fromkeys(map(str, range(size)), 0)),
}
"""What is posted where, with so much of what a limit counts."""


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    scorekeeper.opens("shippin")
    return scorekeeper


def refuses(answer: TestResponse, name: str, at_most: int) -> bool:
    """Whether an answer refuses what is beyond a limit as the list says, and nothing else, and says what is allowed."""
    problem, limit = dict[str, Any](answer.get_json()), LIMITS[name]
    fact, errors = problem.get("at_most"), problem.get("errors", ())
    numbers = re.findall(r"\d+", f"{problem.get('detail')} {fact} {errors}".replace(",", ""))
    as_listed = (answer.status_code, problem.get("code")) == (limit.status, limit.code)
    is_told = fact == at_most if limit.status in {409, 413} else len(errors) < 2
    return as_listed and is_told and str(at_most) in numbers


@pytest.mark.parametrize("name", EDGES)
def test_a_limit_can_be_reached_and_not_exceeded(client: FlaskClient, name: str) -> None:
    at_most = LIMITS[name].at_most
    for size in (at_most, at_most + 1):
        address, request = EDGES[name](size)
        answer = client.post(address, **request)
        assert refuses(answer, name, at_most) == (size > at_most), answer.text[:500]


def test_every_limit_with_a_code_is_provoked() -> None:
    """What is elsewhere stands in the tests of problems, streams, statistics, the import and rates."""
    below = {"page", "events_per_session", "events_per_round", "people_per_session", "links", "links_ever"}
    elsewhere = {"waiting_to_write", "streams", "events_counted_together", "import_corrections_times_events", *RATED}
    assert {name for name, limit in LIMITS.items() if limit.code} == EDGES.keys() | below | elsewhere


def test_limits_are_listed_for_everybody_and_may_be_kept(make_app: MakeApp) -> None:
    client = make_app(rate_limit="7/hour", body_bytes=999).test_client()
    answer = client.get("/v1/limits")
    limits = {limit.pop("name"): limit for limit in answer.get_json()["limits"]}
    assert list(limits) == list(LIMITS)
    body = {"at_most": 999, "unit": "bytes", "per": "request", "status": 413, "code": "request_entity_too_large"}
    assert limits["body"] == body | {"setting": "LEDGER_BODY_BYTES"}
    assert (limits["calculating"]["at_most"], limits["calculating"]["seconds"]) == (7, 3600)
    assert answer.headers["Cache-Control"].startswith("public")
    assert client.get("/v1/limits", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    unlimited = make_app(rate_limit="off").test_client().get("/v1/limits").get_json()["limits"]
    assert {limit["name"] for limit in unlimited} == limits.keys() - {*RATED}


# --- what comes together in a session -------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["events", "ledger", "rounds", "links"])
def test_a_page_is_so_long(table: Scorekeeper, place: str) -> None:
    most = LIMITS["page"].at_most
    table.looks(f"/{place}?limit={most}")
    answer = table.client.get(f"{table.address}/{place}?limit={most + 1}", headers=table.headers())
    assert refuses(answer, "page", most)


def test_a_full_session_takes_only_that_a_person_is_erased(table: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it takes beyond its limit can be imported again: as many events as people may be erased."""
    limit, players = "events_per_session", [player["id"] for player in table.looks("")["players"]]
    assert LIMITS["import_events"].at_most == LIMITS[limit].at_most + LIMITS["people_per_session"].at_most
    monkeypatch.setattr(recording, "MAX_EVENTS_IN_A_SESSION", 5)
    table.reports(*[MOVED] * 4)
    for language, words in {"en": "This session has 5 events", "ja": "上限の5件"}.items():
        answer = table.tries(MOVED, MOVED, Accept_Language=language)
        assert (refuses(answer, limit, 5), words in answer.get_json()["detail"]) == (True, True)
    table.reports(MOVED)
    assert table.looks("")["seq"] == 5
    for query in ("", "?dry_run=true"):
        assert refuses(table.tries(event("event_taken_back"), query=query), limit, 5)
    assert refuses(table.tries(event("player_erased", player="p1"), MOVED), limit, 5)
    table.reports(*(event("player_erased", player=player) for player in players))
    assert [player["name"] for player in table.looks("")["players"]] == players
    assert refuses(table.tries(MOVED), limit, 5)
    monkeypatch.setattr(recording, "MAX_PEOPLE", len(players))
    assert refuses(table.tries(event("player_erased", player="p1")), limit, 5)
    assert table.client.post("/v1/sessions", json={"continues": table.token}).status_code == 201


def test_a_full_round_can_be_ended_all_the_same(scorekeeper: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MAX_EVENTS_IN_A_ROUND", 6)
    scorekeeper.opens("shirinma")
    king = event("card_dealt", player="p1", card="cups-12")
    bids = [event("bid_placed", player=f"p{2 + place % 2}", amount=place) for place in range(1, 5)]
    scorekeeper.reports(event("round_opened"), event("field_card_revealed", card="swords-4"), king, *bids[:3])
    answer = scorekeeper.tries(bids[3])
    assert (refuses(answer, "events_per_round", 6), answer.get_json()["round"]) == (True, 1)
    assert scorekeeper.tries(event("event_inserted", after=3, event=bids[0])).status_code == 409
    scorekeeper.reports(MOVED, event("event_taken_back", seq=6), bids[2])
    scorekeeper.reports(event("round_voided", reason="too many bids"), event("round_opened"))


def test_the_last_event_of_a_round_may_be_one_too_many(table: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    second, first = second_cards("7", "3", "5", "10", dealer="9"), first_cards("2", "2", "2", "10", dealer="8")
    played = [event("round_opened"), event("bet_placed", player="p2", column=1), second, first]
    monkeypatch.setattr(rounds, "MAX_EVENTS_IN_A_ROUND", 2)
    assert refuses(table.tries(*played), "events_per_round", 2)
    monkeypatch.setattr(rounds, "MAX_EVENTS_IN_A_ROUND", 3)
    table.reports(*played)


def test_so_many_people_sit_down_in_a_session(table: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MAX_PEOPLE", 6)
    table.reports(event("player_left", player="p1"), event("player_joined", name="Fumi"))
    answer = table.tries(event("player_left", player="p2"), event("player_joined", name="Gen"))
    assert refuses(answer, "people_per_session", 6)
    table.reports(event("player_left", player="p2"), event("player_joined", player="p1"))


def test_so_many_links_are_alive_or_made(table: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def makes(**expiry: str) -> TestResponse:
        return table.client.post(f"{table.address}/links", json={"role": "viewer", **expiry}, headers=table.headers())

    monkeypatch.setattr(access, "MAX_LINKS", 3)
    monkeypatch.setattr(access, "MAX_LINKS_EVER", 5)
    assert makes(expires_at=(datetime.now(UTC) + timedelta(minutes=5)).isoformat()).status_code == 201
    made = makes().get_json()["id"]
    assert refuses(makes(), "links", 3)
    assert table.client.delete(f"{table.address}/links/{made}", headers=table.headers()).status_code == 204
    assert makes().status_code == 201
    assert refuses(makes(), "links", 3)
    later = datetime.now(UTC) + timedelta(minutes=6)
    monkeypatch.setattr(app.extensions["session_service"].access, "clock", lambda: later)
    made = makes().get_json()["id"]  # one that has expired is not alive
    table.client.delete(f"{table.address}/links/{made}", headers=table.headers())
    assert refuses(makes(), "links_ever", 5)
