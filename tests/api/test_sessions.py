"""Opening a session, and seeing where the table stands."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.conftest import MakeApp
from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Json, Scorekeeper, event

TWELVE = [f"Player {number}" for number in range(1, 13)]


def opens(client: FlaskClient, status: int = 201, token: str = "", **opening: Any) -> Json:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = client.post("/v1/sessions", json={"game": "shirinma", "players": TWELVE} | opening, headers=headers)
    assert answer.status_code == status, answer.text
    body: Json = answer.get_json()
    return body


def pointers(problem: Json) -> list[str]:
    return [error["pointer"] for error in problem["errors"]]


# --- opening --------------------------------------------------------------------------------------------------------


def test_a_session_is_opened_as_asked(client: FlaskClient) -> None:
    players = ["Aki", {"name": "ベン 🎴"}, *TWELVE[2:]]
    chip_value = {"currency": "JPY", "per_chip": "0.5"}
    body = opens(
        client, name="New year", deck="western", players=players, dealer=3, rules={"ante": 5}, chip_value=chip_value
    )
    session = body["session"]
    assert session["players"][1] == {"id": "p2", "name": "ベン 🎴", "seat": 2, "won": 0, "balance": 0, "active": True}
    assert [player["id"] for player in session["players"]] == [f"p{number}" for number in range(1, 13)]
    wanted = {"name": "New year", "deck": "western", "dealer": "p3", "seq": 0, "pot": 0, "status": "open", "rounds": 0}
    assert session | wanted | {"chip_value": chip_value, "round": None, "bank": 0} == session
    assert session["created_at"].endswith("Z")


def test_opening_says_where_the_session_is(client: FlaskClient) -> None:
    answer = client.post("/v1/sessions", json={"game": "shirinma", "players": TWELVE})
    body = answer.get_json()
    address = answer.headers["Location"]
    assert address == f"/v1/sessions/{body['session']['id']}"
    found = client.get(address, headers={"Authorization": f"Bearer {body['link']['token']}"})
    assert found.get_json() == body["session"]
    assert found.headers["ETag"] == answer.headers["ETag"] == '"0"'
    assert body["link"]["role"] == "owner"


@pytest.mark.parametrize(
    ("game", "seats", "deck"),
    [("shirinma", 12, "mekurifuda"), ("shippin", 2, "kabufuda"), ("kakkuri", 8, "mekurifuda")],
)
def test_what_is_not_said_is_as_usual(client: FlaskClient, game: str, seats: int, deck: str) -> None:
    session = opens(client, game=game, players=["x"] * seats)["session"]
    book = client.get(f"/v1/games/{game}").get_json()
    assert session["rules"] == {switch["name"]: switch["default"] for switch in book["rules"]}
    assert (session["deck"], session["dealer"], session["name"], session["chip_value"]) == (deck, "p1", None, None)


def test_one_payment_may_be_named_and_the_others_stay(client: FlaskClient) -> None:
    rules = opens(client, rules={"payments": {"maid": 7}})["session"]["rules"]
    assert rules["payments"] == {"dragon": 0, "maid": 7, "horse": 20, "king": 30}
    assert rules["ante"] == 20


@pytest.mark.parametrize("dealer", [5, "p5"])
def test_the_dealer_is_a_seat_or_a_player(client: FlaskClient, dealer: object) -> None:
    assert opens(client, dealer=dealer)["session"]["dealer"] == "p5"


@pytest.mark.parametrize("dealer", [0, 13, -1, 1.5, True, "p0", "p13", "p05", "5", "Aki", "p５", None, [], {}])
def test_a_dealer_who_does_not_sit_here_is_refused(client: FlaskClient, dealer: object) -> None:
    assert pointers(opens(client, 422, dealer=dealer)) == ["/dealer"]


@pytest.mark.parametrize(("game", "seats"), [("shirinma", 11), ("shirinma", 24), ("shippin", 1), ("shippin", 6)])
def test_a_table_of_the_wrong_size_is_refused(client: FlaskClient, game: str, seats: int) -> None:
    error = opens(client, 422, game=game, players=["x"] * seats)["errors"][0]
    least, most = {"shirinma": (12, 23), "shippin": (2, 5)}[game]
    assert error["pointer"] == "/players"
    assert f"{least} to {most}" in error["detail"]
    assert str(seats) in error["detail"]


@pytest.mark.parametrize(
    ("opening", "pointer"),
    [
        ({"game": "poker"}, "/game"),
        ({"game": None}, "/game"),
        ({"deck": "hanafuda"}, "/deck"),
        ({"deck": "tarot"}, "/deck"),
        ({"name": ""}, "/name"),
        ({"name": " \t"}, "/name"),
        ({"name": "x" * 101}, "/name"),
        ({"name": "a\0b"}, "/name"),
        ({"players": "Aki"}, "/players"),
        ({"players": [*TWELVE[1:], ""]}, "/players/11"),
        ({"players": [*TWELVE[1:], 7]}, "/players/11"),
        ({"players": [{"name": "a\0b"}, *TWELVE[1:]]}, "/players/0"),
        ({"players": [{"name": "Aki", "age": 3}, *TWELVE[1:]]}, "/players/0/age"),
        ({"players": [{}, *TWELVE[1:]]}, "/players/0"),
        ({"rules": {"jokers": 2}}, "/rules/jokers"),
        ({"rules": {"payments": {"jack": 2}}}, "/rules/payments/jack"),
        ({"rules": {"payments": {"maid": -1}}}, "/rules/payments/maid"),
        ({"rules": {"payments": 5}}, "/rules/payments"),
        ({"rules": {"ante": True}}, "/rules/ante"),
        ({"rules": {"ante": "20"}}, "/rules/ante"),
        ({"rules": {"ante": 10**9 + 1}}, "/rules/ante"),
        ({"rules": {"min_bid": 0}}, "/rules/min_bid"),
        ({"rules": {"odd_chip": "bank"}}, "/rules/odd_chip"),
        ({"rules": []}, "/rules"),
        ({"chip_value": {"currency": "yen", "per_chip": "1"}}, "/chip_value/currency"),
        ({"chip_value": {"currency": "JPY\n", "per_chip": "1"}}, "/chip_value/currency"),
        ({"chip_value": {"currency": "JPY", "per_chip": "0"}}, "/chip_value/per_chip"),
        ({"chip_value": {"currency": "JPY", "per_chip": "NaN"}}, "/chip_value/per_chip"),
        ({"chip_value": {"currency": "JPY", "per_chip": 1}}, "/chip_value/per_chip"),
        ({"chip_value": {"currency": "JPY", "per_chip": "1", "note": "x"}}, "/chip_value/note"),
        ({"stakes": 5}, "/stakes"),
        ({"carried": 5}, "/carried"),
        ({"a/b~c": 5}, "/a~1b~0c"),
    ],
)
def test_a_field_that_is_wrong_is_named(client: FlaskClient, opening: Json, pointer: str) -> None:
    assert pointers(opens(client, 422, **opening)) == [pointer]


def test_every_wrong_field_is_named_at_once(client: FlaskClient) -> None:
    problem = opens(client, 422, name=5, players=["", *TWELVE[1:]], deck="tarot")
    assert sorted(pointers(problem)) == ["/deck", "/name", "/players/0"]


def test_the_operators_key_is_needed_to_open_sessions(make_app: MakeApp) -> None:
    client = make_app(opening_key="kotatsu").test_client()
    problem = opens(client, 401)
    assert problem["code"] == "not_admitted"
    opens(client, 401, token="Kotatsu")
    opens(client, 401, token="kotatsu-ヤ".encode().decode("latin-1"))
    opens(client, 401, game="poker")
    body = opens(client, token="kotatsu")
    looking = client.get(f"/v1/sessions/{body['session']['id']}", headers={"Authorization": "Bearer kotatsu"})
    assert looking.status_code == 401


# --- looking --------------------------------------------------------------------------------------------------------


def test_an_unchanged_session_is_not_sent_again(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    for known in ('"1"', 'W/"1"', '"0", "1"', "*"):
        answer = scorekeeper.client.get(scorekeeper.address, headers=scorekeeper.headers(If_None_Match=known))
        assert (answer.status_code, answer.headers["ETag"], answer.data) == (304, '"1"', b"")
    for known in ('"0"', '"2"', '"11"'):
        assert scorekeeper.looks("", If_None_Match=known)["seq"] == 1
    scorekeeper.reports(event("field_card_revealed", card="cups-5"))
    assert scorekeeper.looks("", If_None_Match='"1"')["seq"] == 2


def test_balances_pot_and_bank_sum_to_zero(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("chips_moved", from_="bank", to="p3", amount=500), *shirinma_round()[:4])
    session = scorekeeper.looks("")
    assert sum(scorekeeper.balances().values()) + session["pot"] + session["bank"] == 0
    assert (session["pot"], session["bank"]) == (12 * 20 + 30, -500)


def test_the_open_round_is_told_with_the_session(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:3], event("bid_placed", player="p6", amount=2))
    session = scorekeeper.looks("")
    assert session["round"] == scorekeeper.looks("/rounds/1")
    assert session["round"]["status"] == "recording"
    assert session["round"]["phase"] == "auction"
    assert session["round"]["next"] == [
        {"type": "bid_placed", "amount_at_least": 3, "not_players": ["p1", "p6"]},
        {"type": "card_dealt", "player": "p2"},
        {"type": "auction_closed"},
    ]


def test_a_session_is_the_same_after_a_restart(scorekeeper: Scorekeeper, make_app: MakeApp) -> None:
    scorekeeper.opens(name="New year", players=["Aki 🎴", *TWELVE[1:]], rules={"ante": 7})
    recorded(scorekeeper, *shirinma_round()[:3], event("auction_closed", note="nobody wanted it"))
    before = [scorekeeper.looks(where) for where in ("", "/events", "/rounds", "/ledger")]
    scorekeeper.client = make_app().test_client()
    assert [scorekeeper.looks(where) for where in ("", "/events", "/rounds", "/ledger")] == before


# --- who may look ---------------------------------------------------------------------------------------------------


def test_nobody_looks_without_a_token(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    basic = {"Authorization": f"Basic {scorekeeper.token}"}
    for sent in ({}, {"Authorization": ""}, {"Authorization": "Bearer"}, {"Authorization": scorekeeper.token}, basic):
        answer = scorekeeper.client.get(scorekeeper.address, headers=sent)
        assert answer.status_code == 401
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert answer.get_json()["code"] == "not_admitted"


def test_somebody_elses_session_is_not_there(scorekeeper: Scorekeeper) -> None:
    stranger = scorekeeper.opens()["link"]["token"]
    scorekeeper.opens()
    answer = scorekeeper.client.get(scorekeeper.address, headers={"Authorization": f"Bearer {stranger}"})
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_there")


def test_a_token_that_was_made_up_is_no_token(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    token = scorekeeper.token
    for made_up in (token[:-1], token + "x", token.upper(), f"{scorekeeper.session_id}.", "x", "é.é", "a" * 5000):
        scorekeeper.token = made_up
        assert scorekeeper.client.get(scorekeeper.address, headers=scorekeeper.headers()).status_code == 401


def test_a_session_that_never_was_is_not_there(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.session_id = "0123456789abcdef"
    answer = scorekeeper.client.get(scorekeeper.address, headers=scorekeeper.headers())
    assert answer.status_code == 404


def test_a_token_in_the_address_does_not_count(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    assert scorekeeper.client.get(f"{scorekeeper.address}/events?token={scorekeeper.token}").status_code == 401
