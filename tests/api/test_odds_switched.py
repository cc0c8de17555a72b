"""Whether a table wants to be told the chances: `odds` in the opening, and `odds_switched`."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.rounds import recorded
from tests.scorekeeper import Json, Scorekeeper, event

FIVE = ["Aki", "Ben", "Chie", "Dai", "Emi"]


def switched(*, on: object) -> Json:
    return event("odds_switched", on=on)


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Five people at Shippin who have not asked for chances."""
    scorekeeper.opens("shippin", players=FIVE)
    return scorekeeper


def as_scorer(table: Scorekeeper) -> Scorekeeper:
    """Somebody who may record at the same table."""
    link = table.client.post(f"{table.address}/links", json={"role": "scorer"}, headers=table.headers()).get_json()
    other = Scorekeeper(table.client)
    other.session_id, other.token = table.session_id, link["token"]
    return other


def wanted(at: Scorekeeper, where: str = "") -> bool:
    """Whether the table wants to be told."""
    told: bool = at.looks(where)["odds"]
    return told


@pytest.mark.parametrize("game", ["shirinma", "shippin", "kakkuri"])
def test_it_is_asked_for_as_a_session_is_opened_and_is_off_by_default(scorekeeper: Scorekeeper, game: str) -> None:
    """Also for a game whose chances nobody can know: the table may want them, and is told that there are none."""
    for said, is_wanted in (({}, False), ({"odds": None}, False), ({"odds": False}, False), ({"odds": True}, True)):
        opened = scorekeeper.opens(game, **said)
        assert opened["session"]["odds"] is wanted(scorekeeper) is is_wanted
        assert "odds" not in opened["session"]["rules"]


@pytest.mark.parametrize("value", ["yes", "true", 1, 0, [], {}])
def test_it_is_true_or_false(client: FlaskClient, table: Scorekeeper, value: Any) -> None:
    answer = client.post("/v1/sessions", json={"game": "shippin", "players": FIVE, "odds": value})
    assert [error["pointer"] for error in answer.get_json()["errors"]] == ["/odds"]
    for said in ({"on": value}, {"on": None}, {}):
        problem = table.is_refused(event("odds_switched", **said), status=422)
        assert [error["pointer"] for error in problem["errors"]] == ["/events/0/on"]


def test_it_is_switched_at_any_time_and_belongs_to_no_round(table: Scorekeeper) -> None:
    assert table.reports(switched(on=True))["session"]["odds"] is True
    recorded(table, event("round_opened"), event("bet_placed", player="p2", column=1), switched(on=False))
    assert table.looks("/events")["events"][3]["round"] is None
    recorded(table, event("round_voided", reason="tea"), event("session_closed"), switched(on=True))
    assert (wanted(table), table.looks("")["status"]) == (True, "closed")
    assert [wanted(table, f"?at={seq}") for seq in range(8)] == [False, True, True, True, False, False, False, True]
    assert table.looks("/verify")["findings"] == []


def test_only_the_owner_switches_it(table: Scorekeeper) -> None:
    scorer = as_scorer(table)
    scorer.is_refused(switched(on=True), status=403, code="role_too_small")
    scorer.is_refused(switched(on=False), status=403, code="role_too_small")
    scorer.is_refused(switched(on=True), switched(on=False), status=403)
    assert scorer.tries(switched(on=True), query="?dry_run=true").status_code == 403
    table.reports(switched(on=True))
    scorer.is_refused(event("event_taken_back", seq=1), status=403, code="role_too_small")
    assert scorer.tries(event("event_taken_back", seq=1), query="?dry_run=true").status_code == 403
    table.reports(event("event_taken_back", seq=1))
    scorer.is_refused(event("event_taken_back", seq=2), status=403, code="role_too_small")
    recorded(scorer, event("round_opened"), event("event_taken_back"))
    assert wanted(table) is False


@pytest.mark.parametrize("seq", [2, 4], ids=["taken back", "put back"])
def test_a_correction_that_changes_nothing_now_is_the_owners_all_the_same(table: Scorekeeper, seq: int) -> None:
    """It would have its effect later, once another switch is taken back."""
    recorded(table, *(switched(on=on) for on in (True, False, True)), event("event_taken_back", seq=1))
    correction = event("event_taken_back", seq=seq)
    as_scorer(table).is_refused(correction, status=403, code="role_too_small")
    assert table.tries(correction).status_code == 201


def test_a_bare_undo_takes_back_what_happened_at_the_table(table: Scorekeeper) -> None:
    table.is_refused(event("event_taken_back"), code="nothing_to_take_back")
    table.reports(switched(on=True))
    table.is_refused(event("event_taken_back"), code="nothing_to_take_back")
    recorded(table, event("round_opened"), event("bet_placed", player="p2", column=1), switched(on=False))
    table.reports(switched(on=True))
    undone = [table.reports(event("event_taken_back"))["events"][0]["target"] for _ in range(2)]
    assert undone == [3, 2]
    table.is_refused(event("event_taken_back"), code="nothing_to_take_back")
    assert (wanted(table), table.looks("")["round"]) == (True, None)


def test_its_own_number_takes_it_back_and_puts_it_back(table: Scorekeeper) -> None:
    recorded(table, switched(on=True), event("round_opened"))
    taken = table.reports(event("event_taken_back", seq=1))
    assert (taken["session"]["odds"], taken["changes"]["session"]) == (
        False,
        {"odds": {"before": True, "after": False}},
    )
    assert table.looks("")["round"]["number"] == 1
    assert table.reports(event("event_taken_back", seq=3))["session"]["odds"] is True
    assert table.looks("/events/4/changes")["session"] == {"odds": {"before": False, "after": True}}
    assert table.looks("/verify")["findings"] == []


@pytest.mark.parametrize(
    "correction",
    [
        event("event_amended", seq=1, event=switched(on=True)),
        event("event_amended", seq=2, event=event("round_opened")),
        event("event_inserted", after=0, event=switched(on=True)),
        event("corrections_made", corrections=[event("event_taken_back", seq=2)]),
        event("corrections_made", corrections=[event("event_inserted", after=1, event=switched(on=False))]),
    ],
    ids=str,
)
def test_it_is_nothing_seen_at_the_table_so_no_correction_puts_it_there(table: Scorekeeper, correction: Json) -> None:
    """Else a bare undo of that correction would switch it after all."""
    recorded(table, event("round_opened"), switched(on=True))
    problem = table.is_refused(correction, code="not_an_event_of_the_table")
    assert "Switch the chances" in problem["detail"]


def test_a_correction_beside_it_leaves_it_as_it_is(table: Scorekeeper) -> None:
    bets = (event("bet_placed", player="p2", column=1), event("bet_placed", player="p3", column=2))
    recorded(table, event("round_opened"), switched(on=True), *bets)
    amended = event("event_amended", seq=3, event=event("bet_placed", player="p2", column=4))
    assert recorded(as_scorer(table), amended)["session"]["odds"] is True
    inserted = event("event_inserted", after=2, event=event("chips_moved", from_="bank", to="p1", amount=5))
    assert table.reports(inserted)["session"]["odds"] is True


def test_a_dry_run_tells_it_and_leaves_it(table: Scorekeeper) -> None:
    told = table.tries(switched(on=True), query="?dry_run=true").get_json()
    assert (told["session"]["odds"], told["changes"]["session"]) == (True, {"odds": {"before": False, "after": True}})
    assert wanted(table) is False


def test_the_next_evening_wants_what_this_one_did_if_nothing_else_is_said(table: Scorekeeper) -> None:
    table.reports(switched(on=True))
    for said, is_wanted in (({}, True), ({"odds": None}, True), ({"odds": False}, False)):
        answer = table.client.post("/v1/sessions", json={"continues": table.token, **said})
        assert answer.get_json()["session"]["odds"] is is_wanted


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize(("form", "kind"), [("json", "application/json"), ("txt", "text/plain")])
def test_it_comes_back_with_what_was_taken_home(
    scorekeeper: Scorekeeper, client: FlaskClient, form: str, kind: str, *, opened: bool
) -> None:
    scorekeeper.opens("shippin", odds=opened)
    recorded(scorekeeper, event("round_opened"), switched(on=not opened), switched(on=opened))
    file = client.get(f"{scorekeeper.address}/export.{form}", headers=scorekeeper.headers()).data
    answer = client.post("/v1/sessions/import", data=file, content_type=kind)
    assert answer.status_code == 201, answer.text
    again = Scorekeeper(client)
    again.session_id, again.token = answer.get_json()["session"]["id"], answer.get_json()["link"]["token"]
    assert [wanted(again, f"?at={seq}") for seq in range(4)] == [opened, opened, not opened, opened]


def test_an_opening_that_asks_for_none_is_written_as_it_was_before_there_were_any(scorekeeper: Scorekeeper) -> None:
    """So what was exported before, and its hashes, are what they would be today."""
    for odds, is_written in ((False, False), (True, True)):
        scorekeeper.opens("shippin", odds=odds)
        log = scorekeeper.looks("/export.json")["log"]
        assert ("odds" in log["opening"]["body"]) is is_written


def test_a_log_tells_it_in_words(client: FlaskClient) -> None:
    (kind,) = (k for k in client.get("/v1/games/kakkuri").get_json()["events"] if k["type"] == "odds_switched")
    (on,) = (field for field in kind["fields"] if field["name"] == "on")
    assert (kind["told"], on["kind"], on["required"]) == (
        [{"en": "Chances: {on}", "ja": "勝つ見込み：{on}"}],
        "flag",
        True,
    )
    assert on["value_labels"] == {"true": {"en": "On", "ja": "出す"}, "false": {"en": "Off", "ja": "出さない"}}
