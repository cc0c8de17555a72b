"""A session's name and the value of a chip, mended at any time: `session_described`."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.api.rounds import recorded
from tests.scorekeeper import Json, Scorekeeper, event

YEN = {"currency": "JPY", "per_chip": "10"}
EURO = {"currency": "EUR", "per_chip": "0.05"}


def described(**said: object) -> Json:
    return event("session_described", **said)


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Five people at Shippin, in a hurry when they opened."""
    scorekeeper.opens("shippin", name="New yaer", chip_value=YEN, players=["Aki", "Ben", "Chie", "Dai", "Emi"])
    return scorekeeper


def told(at: Scorekeeper, where: str = "") -> tuple[object, object]:
    """What the session is called, and what a chip is worth."""
    session = at.looks(where)
    return session["name"], session["chip_value"]


def test_what_was_mistyped_is_mended_and_how_it_was_stays_to_be_seen(table: Scorekeeper) -> None:
    answer = table.reports(described(name="New year", note="typed in the dark"))
    assert (answer["session"]["name"], answer["session"]["chip_value"]) == ("New year", YEN)
    table.reports(described(chip_value=EURO))
    assert told(table) == ("New year", EURO)
    assert [told(table, f"?at={seq}") for seq in range(3)] == [("New yaer", YEN), ("New year", YEN), ("New year", EURO)]


def test_what_is_different_is_told_at_once_beforehand_and_afterwards(table: Scorekeeper) -> None:
    mended = described(name="New year", chip_value=EURO)
    changed = {"name": {"before": "New yaer", "after": "New year"}, "chip_value": {"before": YEN, "after": EURO}}
    assert table.tries(mended, query="?dry_run=true").get_json()["changes"]["session"] == changed
    table.reports(mended)
    assert table.looks("/events/1/changes")["session"] == changed
    amended = event("event_amended", seq=1, event=described(name="New year"))
    changes = table.reports(amended)["changes"]
    assert changes["session"] == {"chip_value": {"before": EURO, "after": YEN}}
    assert changes["rounds"] == changes["entries"]["added"] == []
    table.reports(event("round_opened"), described(name="New year"))
    for seq in (3, 4):
        assert "session" not in table.looks(f"/events/{seq}/changes")


def test_it_is_mended_while_a_round_is_open_and_does_not_belong_to_it(table: Scorekeeper) -> None:
    recorded(table, event("round_opened"), event("bet_placed", player="p2", column=1), described(name="New year"))
    assert table.looks("/events")["events"][2]["round"] is None
    recorded(table, event("bet_placed", player="p3", column=2), event("event_taken_back"))
    assert table.looks("")["seq"] == 5
    assert told(table)[0] == "New year"


def test_it_is_mended_after_closing_and_the_session_stays_closed(table: Scorekeeper) -> None:
    recorded(table, event("session_closed"), described(name="New year", chip_value=EURO))
    session = table.looks("")
    assert (session["status"], session["name"], session["chip_value"]) == ("closed", "New year", EURO)
    table.reports(event("event_taken_back"))
    assert told(table) == ("New yaer", YEN)


def test_it_is_corrected_like_everything_else(table: Scorekeeper) -> None:
    table.reports(described(name="Newyear"), described(chip_value=EURO))
    table.reports(event("event_amended", seq=1, event=described(name="New year")))
    assert told(table) == ("New year", EURO)
    table.reports(event("event_taken_back", seq=2), event("event_inserted", after=0, event=described(chip_value=EURO)))
    assert told(table) == ("New year", EURO)
    table.reports(event("event_taken_back", seq=1))
    assert told(table) == ("New yaer", EURO)
    assert table.looks("/verify")["findings"] == []


def test_what_is_null_stays_as_what_is_left_out_does(table: Scorekeeper) -> None:
    """Some programs send null for whatever their user left empty; it would be a pity about the name."""
    stored = table.reports(described(name=None, chip_value=EURO))["events"][0]
    assert told(table) == ("New yaer", EURO)
    assert "name" not in stored


@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        ({}, "/events/0"),
        ({"name": None, "chip_value": None}, "/events/0"),
        ({"name": " "}, "/events/0/name"),
        ({"name": "x" * 101}, "/events/0/name"),
        ({"chip_value": {"currency": "yen", "per_chip": "10"}}, "/events/0/chip_value/currency"),
        ({"chip_value": {"currency": "JPY"}}, "/events/0/chip_value/per_chip"),
        ({"title": "New year"}, "/events/0/title"),
    ],
    ids=str,
)
def test_what_cannot_be_is_named(table: Scorekeeper, said: Json, pointer: str) -> None:
    problem = table.is_refused(described(**said), status=422)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


def test_money_and_files_follow(table: Scorekeeper) -> None:
    recorded(table, event("chips_moved", from_="p1", to="p2", amount=30), described(name="Neujahr", chip_value=EURO))
    settlement = table.looks("/settlement")
    assert (settlement["currency"], settlement["payments"][0]["money"]) == ("EUR", "1.50")
    for form in ("journal", "beancount", "html"):
        answer = table.client.get(f"{table.address}/export.{form}", headers=table.headers())
        assert "Neujahr" in answer.text, form
        assert "New yaer" not in answer.text, form
        assert "EUR" in answer.text, form
        assert "Neujahr" in answer.headers["Content-Disposition"]


@pytest.mark.parametrize(("form", "kind"), [("json", "application/json"), ("txt", "text/plain")])
def test_it_comes_back_with_what_was_taken_home(table: Scorekeeper, client: FlaskClient, form: str, kind: str) -> None:
    table.reports(described(name="New year", note="typed in the dark"), described(chip_value=EURO))
    file = client.get(f"{table.address}/export.{form}", headers=table.headers()).data
    answer = client.post("/v1/sessions/import", data=file, content_type=kind)
    assert answer.status_code == 201, answer.text
    session = answer.get_json()["session"]
    assert (session["name"], session["chip_value"], session["seq"]) == ("New year", EURO, 2)


def test_a_persons_name_goes_from_it_too(table: Scorekeeper) -> None:
    table.reports(described(name="Aki turns 40"), event("event_amended", seq=1, event=described(name="Aki turns 50")))
    table.reports(event("player_erased", player="p1"))
    assert told(table)[0] == "p1 turns 50"
    assert told(table, "?at=1")[0] == "p1 turns 40"
    for where in ("", "/events", "/export.json", "/export.txt", "/export.html"):
        assert "Aki" not in table.client.get(table.address + where, headers=table.headers()).text
    assert table.looks("/verify")["findings"] == []


def test_forms_are_told_what_may_stand_there(client: FlaskClient) -> None:
    kinds = {kind["type"]: kind for kind in client.get("/v1/games/kakkuri").get_json()["events"]}
    name, value, day = kinds["session_described"]["fields"][-3:]
    assert (day["name"], day["kind"]) == ("played_on", "day")
    assert (name["name"], name["label"]["ja"], name["at_most_characters"]) == ("name", "会の名前", 100)
    assert (value["name"], value["kind"], value["label"]["ja"]) == ("chip_value", "group", "1枚の値段")
    assert [(each["name"], each["required"]) for each in value["fields"]] == [("currency", True), ("per_chip", True)]
    assert value["fields"][0]["pattern"] == "[A-Z]{3}"
