"""Working a round out without a session: the same answer as a recorded one, and nothing kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.rounds import case, first_cards, recorded, second_cards, shirinma_round
from tests.databases import bytes_of
from tests.scorekeeper import Json, Scorekeeper, event

TWELVE = [f"Player {number}" for number in range(1, 13)]


def calculates(client: FlaskClient, of: str, **request: object) -> TestResponse:
    return client.post(f"/v1/calculate/{of}", json=request)


def without_numbers(entries: list[Json]) -> list[Json]:
    return [{name: fact for name, fact in entry.items() if name not in {"id", "seq"}} for entry in entries]


def test_a_day_that_has_not_begun_is_refused_here_too(client: FlaskClient) -> None:
    entered = event("round_entered", payments={"p1": 5}, payouts={"p2": 5}, played_on="2999-11-21")
    answer = calculates(client, "shippin", players=["Aki", "Ben"], events=[entered])
    assert [error["pointer"] for error in answer.get_json()["errors"]] == ["/events/0/played_on"]


@pytest.mark.parametrize("opened", [True, False])
def test_the_seeds_example_is_calculated_as_recorded(scorekeeper: Scorekeeper, *, opened: bool) -> None:
    told = case("shirinma-seed-example")
    scorekeeper.opens(**told["session"])
    recorded(scorekeeper, *told["events"])
    request = {name: fact for name, fact in told["session"].items() if name != "game"}
    answer = calculates(scorekeeper.client, "shirinma", **request, events=told["events"][not opened :])
    body = answer.get_json()
    assert answer.status_code == 200, answer.text
    assert body["round"] == scorekeeper.looks("/rounds/1")
    assert body["entries"] == scorekeeper.looks("/ledger")["entries"]
    assert body["balances"] == scorekeeper.balances() == told["expected"]["balances"]


@pytest.mark.parametrize("opened", [True, False])
@pytest.mark.parametrize("name", ["shippin-by-hand", "kakkuri-by-hand"])
def test_each_round_by_hand_is_calculated_as_recorded(scorekeeper: Scorekeeper, name: str, *, opened: bool) -> None:
    told = case(name)
    scorekeeper.opens(**told["session"])
    before, session = scorekeeper.balances(), scorekeeper.looks("")
    for number, done in enumerate(told["rounds"], 1):
        entries = recorded(scorekeeper, *done["events"])["entries"]
        body = calculates(
            scorekeeper.client,
            session["game"],
            players=told["session"]["players"],
            rules=told["session"]["rules"],
            dealer=session["dealer"],
            carried=session["pot"],
            events=done["events"][not opened :],
        ).get_json()
        after, session = scorekeeper.balances(), scorekeeper.looks("")
        assert body["balances"] == {player: after[player] - before[player] for player in after}
        assert without_numbers(body["entries"]) == [entry | {"round": 1} for entry in without_numbers(entries)]
        assert body["round"] == scorekeeper.looks(f"/rounds/{number}") | {"number": 1}
        before = after


def test_a_carried_pot_is_won_with_the_rest(client: FlaskClient) -> None:
    body = calculates(client, "shirinma", players=TWELVE, carried=1000, events=shirinma_round()).get_json()
    assert body["round"]["carried"] == 1000
    assert body["round"]["outcome"]["payouts"] == [{"player": "p1", "amount": 1270, "reason": "pot_won"}]
    assert body["balances"]["p1"] == 1270 - 50


def test_a_round_may_be_calculated_as_far_as_it_has_come(client: FlaskClient) -> None:
    body = calculates(client, "shirinma", players=TWELVE, events=shirinma_round()[:3]).get_json()
    assert (body["round"]["status"], body["round"]["pot"], body["round"]["outcome"]) == ("recording", 270, None)


def test_a_deck_and_people_may_be_given_as_at_opening(client: FlaskClient) -> None:
    events = [event("field_card_revealed", card="3D"), event("card_dealt", player="p3", card="cups-12")]
    people = [{"name": "千恵"}, *TWELVE[1:]]
    body = calculates(client, "shirinma", players=people, deck="western", dealer="p3", events=events).get_json()
    assert body["round"]["table"]["dealt"][0]["card"] == "KH"
    assert body["round"]["dealer"] == "p3"


def test_nothing_is_stored_and_no_token_is_needed(client: FlaskClient, database: Path) -> None:
    marked = ["a name that nobody stores", *TWELVE[1:]]
    assert calculates(client, "shirinma", players=marked, events=shirinma_round()).status_code == 200
    kept = bytes_of(database)
    assert b"a name that nobody stores" not in kept


def test_what_is_refused_at_a_table_is_refused_here(client: FlaskClient) -> None:
    events = [*shirinma_round()[:4], event("card_dealt", player="p2", card="plain")]
    for given, index in ((events, 4), (events[1:], 3)):
        answer = calculates(client, "shirinma", players=TWELVE, events=given)
        problem = answer.get_json()
        assert (answer.status_code, problem["code"], problem["rule"]) == (409, "out_of_turn", "SH-5")
        assert (problem["expected"], problem["index"]) == ("p3", index)


def test_the_index_counts_events_before_the_round_too(client: FlaskClient) -> None:
    before = [event("dealer_named", player="p2"), event("chips_moved", from_="bank", to="p1", amount=1)]
    wrong = event("bet_placed", player="p2", column=1)
    answer = calculates(client, "shippin", players=["Aki", "Ben"], events=[*before, wrong])
    assert (answer.status_code, answer.get_json()["code"], answer.get_json()["index"]) == (409, "dealer_cannot_bet", 2)
    rules = event("rules_changed", rules={"bet": 0})
    opened = calculates(client, "shippin", players=["Aki", "Ben"], events=[*before, rules])
    assert [error["pointer"] for error in opened.get_json()["errors"]] == ["/events/2/rules/bet"]


def test_seats_changed_before_the_round_count(client: FlaskClient) -> None:
    events = [event("seats_changed", seats=["p3", "p2", "p1"]), event("bet_placed", player="p3", column=1)]
    answer = calculates(client, "shippin", players=["Aki", "Ben", "Chie"], events=events)
    told = answer.get_json()["round"]
    assert (told["players"], told["dealer"], told["next"][0]["players"]) == (["p3", "p2", "p1"], "p1", ["p2"])


def test_seats_drawn_before_the_round_count(client: FlaskClient) -> None:
    draws = [{"player": "p1", "card": "9"}, {"player": "p2", "card": "2"}]
    events = [
        event("cards_drawn_for_seats", draws=draws),
        event("bet_placed", player="p1", column=1),
        second_cards("9", "3", "3", "3", dealer="2"),
        first_cards("10", "2", "2", "2", dealer="5"),
    ]
    body = calculates(client, "shippin", players=["Aki", "Ben"], events=events).get_json()
    assert (body["round"]["dealer"], body["balances"]) == ("p2", {"p1": 1, "p2": -1})


@pytest.mark.parametrize(
    ("request_", "pointer"),
    [
        ({"players": TWELVE[1:]}, "/players"),
        ({"players": [*TWELVE, *TWELVE]}, "/players"),
        ({"players": None}, "/players"),
        ({"deck": "hanafuda"}, "/deck"),
        ({"dealer": 13}, "/dealer"),
        ({"rules": {"ante": -1}}, "/rules/ante"),
        ({"carried": -1}, "/carried"),
        ({"carried": 10**9 + 1}, "/carried"),
        ({"carried": True}, "/carried"),
        ({"events": []}, "/events"),
        ({"events": [event("round_opened")] * 501}, "/events"),
        ({"events": [event("field_card_revealed", card="joker")]}, "/events/0/card"),
        ({"name": "New year"}, "/name"),
        ({"game": "shirinma"}, "/game"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_field_is_named(client: FlaskClient, request_: Json, pointer: str) -> None:
    answer = calculates(client, "shirinma", **{"players": TWELVE, "events": shirinma_round()} | request_)
    assert answer.status_code == 422, answer.text
    assert [error["pointer"] for error in answer.get_json()["errors"]] == [pointer]


def test_there_is_no_such_game(client: FlaskClient) -> None:
    assert calculates(client, "poker", players=TWELVE, events=shirinma_round()).status_code == 404


def test_a_pot_too_large_to_carry_is_refused(client: FlaskClient) -> None:
    answer = calculates(client, "shirinma", players=TWELVE, carried=10**9, events=shirinma_round())
    assert (answer.status_code, answer.get_json()["code"]) == (409, "pot_too_large")
