"""The books to take home: CSV for a spreadsheet, JSON for everything."""

from __future__ import annotations

import csv
import io
import json

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Json, Scorekeeper, event

COLUMNS = ["id", "seq", "round", "from", "from_name", "to", "to_name", "amount", "reason", "reverses"]

NAMES = {
    "a comma, and a semicolon; here": None,
    'a "quoted" one': None,
    "two  spaces": None,
    "a back\\slash in it": None,
    "千恵 🎴": None,
    "שרה evil": None,
    "=HYPERLINK(1)": "'",
    "+1": "'",
    "-1": "'",
    "@SUM(A1)": "'",
    "＋1": "'",
    "＝1＋1": "'",
}
"""Names, and what is put before those that a spreadsheet would calculate."""


def exports(scorekeeper: Scorekeeper, form: str) -> TestResponse:
    answer = scorekeeper.client.get(f"{scorekeeper.address}/export.{form}", headers=scorekeeper.headers())
    assert answer.status_code == 200
    return answer


def rows(scorekeeper: Scorekeeper) -> list[dict[str, str]]:
    text = exports(scorekeeper, "csv").data.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), strict=True))


@pytest.fixture
def state(scorekeeper: Scorekeeper) -> Scorekeeper:
    """A round of people with difficult names, chips that moved outside, and a correction."""
    scorekeeper.opens(players=list(NAMES), name="New year")
    moved = event("chips_moved", from_="bank", to="p2", amount=70, note='=1+1, "noted"')
    recorded(scorekeeper, *shirinma_round(), moved)
    recorded(scorekeeper, event("event_taken_back", seq=27), event("round_voided", reason="?"))
    return scorekeeper


def test_csv_has_a_row_for_every_entry(state: Scorekeeper) -> None:
    told = rows(state)
    assert list(told[0])[: len(COLUMNS)] == COLUMNS
    entries = state.looks("/ledger?limit=500")["entries"]
    assert [int(row["id"]) for row in told] == [entry["id"] for entry in entries]
    for row, entry in zip(told, entries, strict=True):
        for column in set(COLUMNS) - {"from_name", "to_name"}:
            assert row[column] == ("" if entry[column] is None else str(entry[column]))


def test_names_come_back_from_csv_and_are_no_formulas(state: Scorekeeper) -> None:
    names = {f"p{number}": (mark or "") + name for number, (name, mark) in enumerate(NAMES.items(), 1)}
    antes = [row for row in rows(state) if row["reason"] == "ante"]
    assert {row["from"]: row["from_name"] for row in antes if row["to"] == "pot"} == names
    assert {row["to_name"] for row in antes if row["to"] == "pot"} == {""}


def test_an_empty_ledger_is_a_header(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    assert exports(scorekeeper, "csv").text.strip().split(",")[: len(COLUMNS)] == COLUMNS


def test_csv_of_many_entries_has_each_once(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    gift = event("chips_moved", from_="p1", to="p2", amount=1)
    for count in (500, 500, 3):
        recorded(scorekeeper, *[gift] * count)
    assert [int(row["id"]) for row in rows(scorekeeper)] == list(range(1, 1004))


def test_json_has_everything(state: Scorekeeper) -> None:
    told: Json = json.loads(exports(state, "json").data)
    assert (told["format"], told["version"]) == ("fuda-ledger", 1)
    assert told["session"] == state.looks("")
    for exported, listed in zip(told["events"], state.looks("/events?limit=500")["events"], strict=True):
        assert listed | exported == listed
    assert told["rounds"] == state.looks("/rounds")["rounds"]
    assert told["entries"] == state.looks("/ledger?limit=500")["entries"]
    assert [player["name"] for player in told["session"]["players"]] == list(NAMES)


def test_json_of_an_empty_session_is_json(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    told = json.loads(exports(scorekeeper, "json").data)
    assert (told["events"], told["rounds"], told["entries"]) == ([], [], [])


@pytest.mark.parametrize(("form", "kind"), [("csv", "text/csv; charset=utf-8"), ("json", "application/json")])
def test_a_file_says_what_it_is_and_how_to_call_it(scorekeeper: Scorekeeper, form: str, kind: str) -> None:
    scorekeeper.opens()
    answer = exports(scorekeeper, form)
    assert answer.content_type == kind
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert f'.{form}"' in answer.headers["Content-Disposition"]


def test_an_export_is_of_one_moment(app: Flask, scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, *[event("chips_moved", from_="p1", to="p2", amount=1)] * 10)
    client = FlaskClient(app)  # which does not look into the answer, but leaves it to us
    pieces = client.get(f"{scorekeeper.address}/export.json", headers=scorekeeper.headers()).iter_encoded()
    first = next(pieces)
    scorekeeper.reports(event("chips_moved", from_="p1", to="p2", amount=1))
    told = json.loads(first + b"".join(pieces))
    assert told["session"]["seq"] == len(told["events"]) == len(told["entries"]) == 10


@pytest.mark.parametrize("form", ["pdf", "CSV", "", "csv.exe", "json/"])
def test_a_format_that_there_is_not_is_not_there(scorekeeper: Scorekeeper, form: str) -> None:
    scorekeeper.opens()
    answer = scorekeeper.client.get(f"{scorekeeper.address}/export.{form}x", headers=scorekeeper.headers())
    assert answer.status_code == 404
