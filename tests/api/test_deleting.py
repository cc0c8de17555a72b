"""A session that is deleted for good: by whom, how it is asked for, and what is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.conftest import MakeApp
from tests.databases import bytes_of
from tests.scorekeeper import Json, Scorekeeper, event


def deletes(scorekeeper: Scorekeeper, query: str | None = None) -> TestResponse:
    query = f"?confirm={scorekeeper.session_id}" if query is None else query
    return scorekeeper.client.delete(scorekeeper.address + query, headers=scorekeeper.headers())


def link(scorekeeper: Scorekeeper, role: str) -> Json:
    headers = scorekeeper.headers()
    made = scorekeeper.client.post(f"{scorekeeper.address}/links", json={"role": role}, headers=headers)
    told: Json = made.get_json()
    return told


def evening(client: FlaskClient, name: str) -> Scorekeeper:
    scorekeeper = Scorekeeper(client)
    scorekeeper.opens("shippin", name=name, players=[f"{name} {number}" for number in range(1, 6)])
    scorekeeper.reports(event("chips_moved", from_="bank", to="p1", amount=5, note=f"said by {name}"))
    return scorekeeper


def test_a_deleted_session_is_gone_with_its_links_and_others_stay(client: FlaskClient, database: Path) -> None:
    mine, other = evening(client, "Zwetschgendatschi"), evening(client, "Kaiserschmarrn")
    guest = link(mine, "scorer")["token"]
    before = other.looks("")
    answer = deletes(mine)
    assert (answer.status_code, answer.data) == (204, b"")
    for token in (mine.token, guest):
        mine.token = token
        for where in ("", "/events", "/links", "/export.json", "/verify"):
            assert client.get(mine.address + where, headers=mine.headers()).status_code == 401
        assert mine.tries(event("round_opened")).status_code == 401
    assert client.get(mine.address, headers=other.headers()).status_code == 404
    assert deletes(mine).status_code == 401
    assert other.looks("") == before
    kept = bytes_of(database)
    assert b"Zwetschgendatschi" not in kept
    assert mine.session_id.encode() not in kept
    assert b"Kaiserschmarrn" in kept


@pytest.mark.parametrize("query", ["", "?confirm=", "?confirm=yes", "?confirm={id}0", "?confirm={id}&confirm={id}"])
def test_who_does_not_confirm_deletes_nothing_and_is_told_the_parameter(scorekeeper: Scorekeeper, query: str) -> None:
    scorekeeper.opens()
    answer = deletes(scorekeeper, query.format(id=scorekeeper.session_id))
    assert answer.status_code == 422
    assert {error["parameter"] for error in answer.get_json()["errors"]} == {"confirm"}
    assert scorekeeper.looks("")["seq"] == 0


def test_who_has_not_seen_the_last_event_deletes_nothing_with_if_match(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    address = f"{scorekeeper.address}?confirm={scorekeeper.session_id}"
    for stale in ('"0"', 'W/"2"', '"x", "0"', ""):
        answer = scorekeeper.client.delete(address, headers=scorekeeper.headers(If_Match=stale))
        assert (answer.status_code, answer.get_json()["code"], answer.get_json()["seq"]) == (412, "stale", 1)
    assert scorekeeper.looks("")["seq"] == 1
    answer = scorekeeper.client.delete(address, headers=scorekeeper.headers(If_Match='"0", W/"1"'))
    assert (answer.status_code, "Content-Type" in answer.headers) == (204, False)


@pytest.mark.parametrize("role", ["scorer", "viewer"])
def test_only_an_owner_deletes(scorekeeper: Scorekeeper, role: str) -> None:
    scorekeeper.opens()
    owner = scorekeeper.token
    scorekeeper.token = link(scorekeeper, role)["token"]
    assert deletes(scorekeeper).status_code == 403
    assert deletes(scorekeeper, "").status_code == 403
    scorekeeper.token = ""
    assert deletes(scorekeeper).status_code == 401
    scorekeeper.token = owner
    other = Scorekeeper(scorekeeper.client)
    other.opens()
    address = f"{scorekeeper.address}?confirm={scorekeeper.session_id}"
    assert scorekeeper.client.delete(address, headers=other.headers()).status_code == 404
    assert scorekeeper.looks("")["seq"] == 0


def test_another_worker_does_not_know_it_any_more_either(scorekeeper: Scorekeeper, make_app: MakeApp) -> None:
    scorekeeper.opens("shippin")
    other = Scorekeeper(make_app().test_client())
    other.session_id, other.token = scorekeeper.session_id, scorekeeper.token
    other.reports(event("round_opened"))
    assert deletes(scorekeeper).status_code == 204
    assert other.tries(event("bet_placed", player="p2", column=1)).status_code == 401
    assert other.client.get(other.address, headers=other.headers()).status_code == 401


def test_who_was_let_in_just_before_finds_nothing(
    scorekeeper: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link was alive when it was looked at, and its session is gone a moment later."""
    scorekeeper.opens("shippin")
    found = app.extensions["session_service"].store.links(scorekeeper.session_id)[0]
    assert deletes(scorekeeper).status_code == 204
    monkeypatch.setattr(app.extensions["session_service"].access, "link", lambda *_args: found)
    headers = scorekeeper.headers()
    assert scorekeeper.tries(event("round_opened")).status_code == 404
    answer = scorekeeper.client.post(f"{scorekeeper.address}/links", json={"role": "viewer"}, headers=headers)
    assert answer.status_code == 404
    assert deletes(scorekeeper).status_code == 404
    for where in ("", "/rounds", "/ledger?account=p1", "/export.csv", "/settlement"):
        assert scorekeeper.client.get(scorekeeper.address + where, headers=headers).status_code == 404


def test_who_follows_it_is_told_no_more(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    with scorekeeper.client.get(f"{scorekeeper.address}/stream", headers=scorekeeper.headers()) as answer:
        pieces = answer.iter_encoded()
        assert b"retry" in next(pieces)
        assert b"round_opened" in next(pieces)
        assert deletes(scorekeeper).status_code == 204
        assert list(pieces) == []
