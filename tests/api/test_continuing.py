"""The next evening of the same people: `continues` in the opening, and the pot that they bring along."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.api.conftest import MakeApp
from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Json, Scorekeeper, event

YEN = {"currency": "JPY", "per_chip": "10"}
FIVE = ["Aki", "Ben", "Chie", "Dai", "Emi"]


@pytest.fixture
def shippin(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Five people, with house rules of their own, and 30 chips in a pot that nobody has won."""
    scorekeeper.opens("shippin", name="First", deck="western", players=FIVE, rules={"bet": 7}, chip_value=YEN, dealer=2)
    recorded(scorekeeper, event("round_entered", payments={"p1": 30}, pot=30, next_dealer="p4"))
    return scorekeeper


def tries(at: Scorekeeper, key: str = "", **said: Any) -> Any:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return at.client.post("/v1/sessions", json={"continues": at.token, **said}, headers=headers)


def goes_on(at: Scorekeeper, **said: Any) -> tuple[Scorekeeper, Json]:
    """Open the next evening; give who keeps its books, and the answer."""
    answer = tries(at, **said)
    assert answer.status_code == 201, answer.text
    body: Json = answer.get_json()
    following = Scorekeeper(at.client)
    following.session_id, following.token = body["session"]["id"], body["link"]["token"]
    return following, body


def is_refused(at: Scorekeeper, **said: Any) -> list[str]:
    """Where something is wrong with what is asked."""
    answer = tries(at, **said)
    assert answer.status_code == 422, answer.text
    assert said.get("continues", at.token) not in answer.text
    return [error["pointer"] for error in answer.get_json()["errors"]]


def sits(session: Json) -> list[str]:
    """Who sits here, in seat order."""
    return [player["name"] for player in sorted(session["players"], key=lambda player: player["seat"])]


# --- who and how ----------------------------------------------------------------------------------------------------


def test_the_same_people_go_on_as_they_sit_and_play_now(shippin: Scorekeeper) -> None:
    recorded(
        shippin,
        event("player_left", player="p1"),
        event("player_joined", name="Fumi", seat=1),
        event("player_renamed", player="p3", name="Chieko"),
        event("seats_changed", seats=["p5", "p6", "p2", "p4", "p3"]),
        event("rules_changed", rules={"tie": "dealer_wins"}),
        event("session_described", name="Second", chip_value={**YEN, "per_chip": "5"}),
    )
    before = shippin.looks("")
    _, body = goes_on(shippin)
    session = body["session"]
    assert sits(session) == ["Emi", "Fumi", "Ben", "Dai", "Chieko"]
    assert [player["id"] for player in session["players"]] == ["p1", "p2", "p3", "p4", "p5"]
    assert all(player["balance"] == 0 for player in session["players"])
    assert session["rules"] == before["rules"]
    assert (session["rules"]["bet"], session["rules"]["tie"]) == (7, "dealer_wins")
    same = ("game", "deck", "name", "chip_value")
    assert [session[each] for each in same] == ["shippin", "western", "Second", {**YEN, "per_chip": "5"}]
    assert [session[each] for each in same] == [before[each] for each in same]
    assert (session["dealer"], session["status"], session["rounds"]) == ("p4", "open", 0)
    assert body["link"]["role"] == "owner"
    assert session["id"] != shippin.session_id


def test_what_is_named_besides_replaces_it(shippin: Scorekeeper) -> None:
    named = {"name": "Third", "deck": "kabufuda", "dealer": "p1", "chip_value": {"currency": "EUR", "per_chip": "1"}}
    _, body = goes_on(shippin, **named, game="shippin", rules={"tie": "dealer_wins"})
    session = body["session"]
    assert {**session, **named} == session
    assert (session["rules"]["bet"], session["rules"]["tie"]) == (7, "dealer_wins")
    assert sits(session) == FIVE


def test_others_may_come_and_who_deals_stays_the_dealer_if_still_there(shippin: Scorekeeper) -> None:
    _, body = goes_on(shippin, players=["Gen", {"name": "Dai"}, "Haru"])
    assert (sits(body["session"]), body["session"]["dealer"]) == (["Gen", "Dai", "Haru"], "p2")
    for players in (["Gen", "Haru"], ["Gen", "Dai", "Dai"]):
        assert goes_on(shippin, players=players)[1]["session"]["dealer"] == "p1"
    assert goes_on(shippin, players=["Gen", "Dai"], dealer=1)[1]["session"]["dealer"] == "p1"


def test_those_who_are_left_go_on_with_fewer_if_the_table_says_so(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shirinma")
    scorekeeper.reports(event("player_left", player="p12"))
    assert is_refused(scorekeeper) == ["/players", "/overrule"]
    following, body = goes_on(scorekeeper, overrule="one has gone home")
    assert len(body["session"]["players"]) == 11
    following.is_refused(event("round_opened"), code="too_few_players")
    following.reports(event("round_opened", overrule="one has gone home"))
    text = following.client.get(f"{following.address}/export.txt", headers=following.headers()).data
    again = following.client.post("/v1/sessions/import", data=text, content_type="text/plain")
    assert again.status_code == 201, again.text
    whole = following.client.post("/v1/sessions/import", json=following.looks("/export.json"))
    assert whole.status_code == 201, whole.text
    assert is_refused(scorekeeper, players=["Aki"], overrule="all others have gone home") == ["/players"]


def test_two_of_one_name_keep_their_seats(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Ben", "Ben", "Ben"], dealer=3)
    assert goes_on(scorekeeper)[1]["session"]["dealer"] == "p3"


def test_what_is_null_is_as_it_was(shippin: Scorekeeper) -> None:
    session = goes_on(shippin, name=None, chip_value=None)[1]["session"]
    assert (session["name"], session["chip_value"]) == ("First", YEN)
    answer = shippin.client.post("/v1/sessions", json={"continues": None, "game": "shippin", "players": FIVE})
    assert answer.status_code == 201


def test_who_was_forgotten_stays_forgotten(shippin: Scorekeeper) -> None:
    recorded(shippin, event("player_erased", player="p2"))
    assert sits(goes_on(shippin)[1]["session"]) == ["Aki", "p2", "Chie", "Dai", "Emi"]


def test_who_was_forgotten_is_called_by_the_id_they_get_and_by_nobody_elses(shippin: Scorekeeper) -> None:
    recorded(shippin, event("player_erased", player="p4"), event("seats_changed", seats=["p4", "p1", "p2", "p3", "p5"]))
    following, body = goes_on(shippin)
    assert sits(body["session"]) == ["p1", "Aki", "Ben", "Chie", "Emi"]
    recorded(following, event("seats_changed", seats=["p2", "p1", "p3", "p4", "p5"]))
    assert sits(goes_on(following)[1]["session"]) == ["Aki", "p2", "Ben", "Chie", "Emi"]


@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        ({"game": "kakkuri"}, "/game"),
        ({"game": "poker"}, "/game"),
        ({"deck": "mekurifuda"}, "/deck"),
        ({"players": ["Aki"]}, "/players"),
        ({"players": []}, "/players"),
        ({"dealer": 6}, "/dealer"),
        ({"rules": {"ante": 5}}, "/rules/ante"),
        ({"name": ""}, "/name"),
        ({"carried": 5}, "/carried"),
        ({"continues": ""}, "/continues"),
        ({"continues": 7}, "/continues"),
        ({"continues": "x" * 201}, "/continues"),
    ],
    ids=str,
)
def test_a_field_that_is_wrong_is_named(shippin: Scorekeeper, said: Json, pointer: str) -> None:
    answer = tries(shippin, **said)
    assert (answer.status_code, [error["pointer"] for error in answer.get_json()["errors"]]) == (422, [pointer])


def test_without_an_earlier_session_game_and_players_are_needed(client: FlaskClient) -> None:
    for said, missing in (
        ({}, ["/game", "/players"]),
        ({"continues": None, "game": "shippin"}, ["/players"]),
        ({"game": 5}, ["/game", "/players"]),
    ):
        answer = client.post("/v1/sessions", json=said)
        assert answer.status_code == 422
        assert sorted(error["pointer"] for error in answer.get_json()["errors"]) == missing
    assert client.post("/v1/sessions", json=[]).status_code == 422


def test_too_few_who_stayed_cannot_go_on_alone(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben"])
    recorded(scorekeeper, event("player_left", player="p1"))
    assert is_refused(scorekeeper) == ["/players"]
    assert sits(goes_on(scorekeeper, players=["Ben", "Chie"])[1]["session"]) == ["Ben", "Chie"]
    recorded(scorekeeper, event("player_left", player="p2"))
    assert is_refused(scorekeeper) == ["/players"]


# --- the pot --------------------------------------------------------------------------------------------------------


def test_the_pot_that_was_carried_is_brought_along_and_is_the_banks(shippin: Scorekeeper) -> None:
    following, body = goes_on(shippin)
    session = body["session"]
    assert (session["pot"], session["bank"], session["seq"]) == (30, -30, 1)
    assert sum(player["balance"] for player in session["players"]) + session["pot"] + session["bank"] == 0
    (stored,) = following.looks("/events")["events"]
    assert (stored["type"], stored["amount"], stored["recorded_by"]) == ("pot_brought", 30, body["link"]["id"])
    (entry,) = following.looks("/ledger")["entries"]
    assert (entry["from"], entry["to"], entry["amount"], entry["reason"]) == ("bank", "pot", 30, "brought_forward")
    assert following.looks("/verify")["findings"] == []
    assert following.reports(event("round_opened"))["session"]["round"]["carried"] == 30


def test_who_would_rather_begin_anew_takes_it_back(shippin: Scorekeeper) -> None:
    following, _ = goes_on(shippin)
    session = following.reports(event("event_taken_back"))["session"]
    assert (session["pot"], session["bank"]) == (0, 0)


@pytest.mark.parametrize(("how", "brought"), [("bank", 30), ("split", 0), ("refund", 0)])
def test_of_a_session_that_was_closed_only_what_went_to_the_bank_is_brought(
    shippin: Scorekeeper, how: str, brought: int
) -> None:
    recorded(shippin, event("session_closed", pot=how), event("settlement_paid", from_="p1", to="p2", amount=1))
    session = goes_on(shippin)[1]["session"]
    assert (session["pot"], session["seq"], session["status"]) == (brought, 1 if brought else 0, "open")


def test_what_counts_is_how_the_session_stands_after_corrections(shippin: Scorekeeper) -> None:
    recorded(shippin, event("session_closed", pot="bank"), event("session_reopened"))
    assert goes_on(shippin)[1]["session"]["pot"] == 30  # what was paid at closing stays paid
    recorded(shippin, event("event_taken_back"), event("event_taken_back", seq=2))
    assert goes_on(shippin)[1]["session"]["pot"] == 30
    amended = event("round_entered", payments={"p1": 35}, pot=35)
    recorded(shippin, event("event_amended", seq=1, event=amended), event("session_closed", pot="bank"))
    assert goes_on(shippin)[1]["session"]["pot"] == 35


def test_a_pot_that_is_put_back_or_given_to_the_bank_between_rounds_is_there_once(shippin: Scorekeeper) -> None:
    recorded(shippin, event("session_closed", pot="bank"), event("session_reopened"))
    recorded(shippin, event("chips_moved", **{"from": "bank"}, to="pot", amount=30))
    assert goes_on(shippin)[1]["session"]["pot"] == 30
    recorded(shippin, event("chips_moved", **{"from": "pot"}, to="bank", amount=20, overrule="for next time"))
    assert goes_on(shippin)[1]["session"]["pot"] == 30
    recorded(shippin, event("round_entered", payouts={"p2": 10}))
    assert goes_on(shippin)[1]["session"]["pot"] == 20


def test_what_every_closing_put_into_the_bank_is_brought(shippin: Scorekeeper) -> None:
    recorded(shippin, event("session_closed", pot="bank"), event("session_reopened"), event("session_closed"))
    assert goes_on(shippin)[1]["session"]["pot"] == 30
    another = event("round_entered", payments={"p2": 5}, pot=5)
    recorded(shippin, event("session_reopened"), another)
    assert goes_on(shippin)[1]["session"]["pot"] == 35
    recorded(shippin, event("session_closed", pot="bank"))
    assert goes_on(shippin)[1]["session"]["pot"] == 35


def test_a_pot_that_was_brought_back_from_the_bank_is_brought_on_once(shippin: Scorekeeper) -> None:
    following, _ = goes_on(shippin)
    recorded(following, event("session_closed", pot="bank"), event("session_reopened"))
    recorded(following, event("pot_brought", amount=20))
    assert goes_on(following)[1]["session"]["pot"] == 30
    recorded(following, event("session_closed", pot="split"))
    assert goes_on(following)[1]["session"]["pot"] == 10


def test_what_closing_could_give_to_nobody_but_the_bank_is_brought(shippin: Scorekeeper) -> None:
    recorded(
        shippin, *(event("player_left", player=f"p{n}") for n in range(1, 6)), event("session_closed", pot="split")
    )
    assert goes_on(shippin, players=FIVE)[1]["session"]["pot"] == 30


def test_without_a_pot_there_is_nothing_to_record(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    answer = tries(scorekeeper)
    assert (answer.get_json()["session"]["seq"], answer.headers["ETag"]) == (0, '"0"')
    assert answer.headers["Location"] == f"/v1/sessions/{answer.get_json()['session']['id']}"


def test_a_pot_goes_from_evening_to_evening_until_it_is_won(scorekeeper: Scorekeeper) -> None:
    """A forfeited round leaves it, closing puts it into the bank, and the winner of the next evening gets it."""
    scorekeeper.opens("shirinma", rules={"dealer_on_forfeit": "stay"})
    recorded(scorekeeper, *shirinma_round("coins-5"))
    pot = scorekeeper.looks("")["pot"]
    assert pot > 0
    second, body = goes_on(scorekeeper)
    assert body["session"]["pot"] == pot
    recorded(second, event("session_closed", pot="bank"))
    third, _ = goes_on(second)
    recorded(third, *shirinma_round())
    session = third.looks("")
    assert (session["pot"], session["bank"]) == (0, -pot)
    assert sum(player["balance"] for player in session["players"]) == pot
    assert third.looks("/verify")["findings"] == []


def test_while_a_round_is_open_nobody_knows_what_is_carried(shippin: Scorekeeper, app: Flask) -> None:
    recorded(shippin, event("round_opened"))
    count = len(app.extensions["session_service"].store.session_ids())
    answer = tries(shippin)
    assert (answer.status_code, answer.get_json()["code"], answer.get_json()["round"]) == (409, "round_is_open", 2)
    assert len(app.extensions["session_service"].store.session_ids()) == count
    recorded(shippin, event("round_voided", reason="late"))
    assert goes_on(shippin)[1]["session"]["pot"] == 30


# --- who may --------------------------------------------------------------------------------------------------------


def with_link(at: Scorekeeper, **link: object) -> tuple[str, str]:
    """Make a link; give its id and its token."""
    told = at.client.post(f"{at.address}/links", json=link, headers=at.headers()).get_json()
    return told["id"], told["token"]


def test_a_scorer_may_go_on_and_owns_the_new_session(shippin: Scorekeeper) -> None:
    _, token = with_link(shippin, role="scorer")
    following, body = goes_on(shippin, continues=token)
    assert body["link"]["role"] == "owner"
    assert following.looks("")["pot"] == 30


def test_a_token_that_is_dead_or_may_only_look_opens_nothing(shippin: Scorekeeper, app: Flask) -> None:
    link, dead = with_link(shippin, role="owner")
    shippin.client.delete(f"{shippin.address}/links/{link}", headers=shippin.headers())
    _, viewer = with_link(shippin, role="viewer")
    count = len(app.extensions["session_service"].store.session_ids())
    for token in (dead, viewer, shippin.token + "x", f"{shippin.session_id}.", "nonsense", "é.é"):
        assert is_refused(shippin, continues=token) == ["/continues"]
    assert len(app.extensions["session_service"].store.session_ids()) == count


def test_the_earlier_session_is_not_written_to(shippin: Scorekeeper) -> None:
    looks = ("", "/events", "/ledger", "/links", "/verify")
    before = [shippin.looks(where) for where in looks]
    goes_on(shippin)
    goes_on(shippin)
    assert [shippin.looks(where) for where in looks] == before


def test_the_operators_key_is_needed_as_for_any_session(shippin: Scorekeeper, make_app: MakeApp) -> None:
    shippin.client = make_app(opening_key="kotatsu").test_client()
    assert tries(shippin).status_code == 401
    assert tries(shippin, key=shippin.token).status_code == 401
    assert tries(shippin, key="kotatsu").status_code == 201


def test_a_repeat_is_answered_the_same_whatever_became_of_the_earlier_session(shippin: Scorekeeper) -> None:
    body = {"continues": shippin.token}
    key = {"Idempotency-Key": "2c1b7b0e-6f0e-4a65-9f4e-9a1f7c0e5d11"}
    first = shippin.client.post("/v1/sessions", json=body, headers=key)
    recorded(shippin, event("round_opened"))
    again = shippin.client.post("/v1/sessions", json=body, headers=key)
    assert (again.status_code, again.headers["Idempotency-Replayed"]) == (201, "true")
    assert again.get_json() == first.get_json()
    assert shippin.client.post("/v1/sessions", json=body).status_code == 409


# --- taken home -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("form", "kind"), [("json", "application/json"), ("txt", "text/plain")])
def test_it_comes_back_with_what_was_taken_home(shippin: Scorekeeper, form: str, kind: str) -> None:
    following, _ = goes_on(shippin)
    following.reports(event("round_opened"), event("bet_placed", player="p5", column=1))
    file = shippin.client.get(f"{following.address}/export.{form}", headers=following.headers()).data
    answer = shippin.client.post("/v1/sessions/import", data=file, content_type=kind)
    assert answer.status_code == 201, answer.text
    session = answer.get_json()["session"]
    told = ("players", "pot", "bank", "dealer", "rules", "name", "seq", "deck")
    assert [session[each] for each in told] == [following.looks("")[each] for each in told]
    assert session["pot"] == 37


def test_nobody_is_asked_for_a_pot_in_an_event_that_came_too_late(shippin: Scorekeeper) -> None:
    problem = shippin.is_refused(event("pot_brought", amount=5), code="rounds_were_played")
    assert problem["rounds"] == 1
    shippin.is_refused(event("pot_brought", amount=0), status=422)
