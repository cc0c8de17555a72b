"""Parameters of the address: each is known to the call, and given once; else the answer names it."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.scorekeeper import Json, Scorekeeper, event

STANDS_FOR = {"game": "shippin", "deck": "kabufuda", "number": "1", "seq": "1", "link_id": "x"}
"""What is put into the places of addresses, so that they are those of something."""


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    return scorekeeper


def every_call(app: Flask, table: Scorekeeper) -> list[tuple[str, str]]:
    """The method and the address of every call that there is, but for the pages that people look at."""
    places = {**STANDS_FOR, "session_id": table.session_id}
    return [
        (method, re.sub(r"<(?:[^<>]*:)?(\w+)>", lambda place: places[place[1]], rule.rule))
        for rule in app.url_map.iter_rules()
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
        if not rule.rule.startswith("/docs") and not rule.endpoint.startswith("pages.")
    ]


def wrong_parameters(answer: TestResponse) -> dict[str, str]:
    """What is wrong with which parameter; none is told as a place in a body."""
    problem: Json = answer.get_json()
    assert (answer.status_code, problem["code"]) == (422, "malformed_fields"), answer.text
    assert all("pointer" not in error for error in problem["errors"])
    return {error["parameter"]: error["detail"] for error in problem["errors"]}


def test_a_parameter_that_a_call_does_not_know_is_refused_on_every_call(app: Flask, table: Scorekeeper) -> None:
    calls = every_call(app, table)
    assert {("GET", "/readyz"), ("GET", "/v1/games"), ("DELETE", f"{table.address}/links/x")} < set(calls)
    for method, address in calls:
        answer = table.client.open(f"{address}?un/heard=1", method=method, headers=table.headers())
        assert "no such parameter" in wrong_parameters(answer)["un/heard"], (method, address)


def test_those_that_there_are_are_named(table: Scorekeeper) -> None:
    answer = table.client.get(f"{table.address}/events?page=2&limit=0", headers=table.headers())
    wrong = wrong_parameters(answer)
    assert wrong.keys() == {"page", "limit"}
    assert "after" in wrong["page"]
    assert "limit" in wrong["page"]
    assert "none" in wrong_parameters(table.client.get("/livez?page=2"))["page"]


@pytest.mark.parametrize("query", ["limit=5&limit=5", "limit=5&after=0&limit=6", "limit=0&limit=5"])
def test_a_parameter_that_is_given_twice_is_refused(table: Scorekeeper, query: str) -> None:
    answer = table.client.get(f"{table.address}/events?{query}", headers=table.headers())
    assert wrong_parameters(answer).keys() == {"limit"}
    assert "this parameter is given once" in answer.text


def test_a_stranger_is_not_told_about_parameters(table: Scorekeeper) -> None:
    assert table.client.get(f"{table.address}/events?page=2").status_code == 401
    assert table.client.get(f"{table.address}/statistics?page=2").status_code == 401


def test_nothing_is_done_where_a_parameter_is_wrong(table: Scorekeeper) -> None:
    assert table.tries(event("chips_moved", from_="bank", to="p1", amount=5), query="?dryrun=true").status_code == 422
    (link,) = table.looks("/links")["links"]
    refused = table.client.delete(f"{table.address}/links/{link['id']}?sure=yes", headers=table.headers())
    assert wrong_parameters(refused).keys() == {"sure"}
    assert table.looks("")["seq"] == 1
