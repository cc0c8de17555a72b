"""Statistics over HTTP: of one session, and of several together by a token of each."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Scorekeeper, event


def together(client: FlaskClient, *tokens: object, status: int = 200) -> dict[str, object]:
    answer = client.post("/v1/statistics", json={"tokens": list(tokens)})
    assert answer.status_code == status, answer.text
    told: dict[str, object] = answer.get_json()
    return told


def test_a_session_is_counted(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    told = scorekeeper.looks("/statistics")
    assert (told["rounds"], told["results"], told["forfeits"]) == (1, {"won": 1}, {})
    assert (told["pots"], told["carried"]) == ([270], [0])
    assert list(told["players"]) == [f"p{seat}" for seat in range(1, 13)]
    assert told["players"]["p1"] == {
        "name": "Player 1",
        "rounds": 1,
        "wins": 1,
        "forfeits": 0,
        "won": {"pot_won": 270},
        "paid": {"ante": 20, "king_payment": 30},
        "best": {"round": 1, "net": 220},
        "worst": {"round": 1, "net": 220},
        "back_rides": 0,
        "back_rides_cost": 0,
        "back_rides_brought": 0,
        "columns_won": 0,
        "guri": 0,
        "empty_turns": 0,
        "balance": 220,
        "after_rounds": [220],
    }


def test_an_evening_without_rounds_is_counted_too(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    told = scorekeeper.looks("/statistics")
    assert (told["rounds"], told["players"]["p1"]["best"], told["players"]["p1"]["after_rounds"]) == (0, None, [])


def test_several_sessions_are_counted_together_by_name(scorekeeper: Scorekeeper) -> None:
    tokens = []
    for players in (["Aki", "Ben"], ["Ben", "Aki"]):
        others = [f"Player {number}" for number in range(3, 13)]
        scorekeeper.opens(players=[*players, *others])
        recorded(scorekeeper, *shirinma_round())
        tokens.append(scorekeeper.token)
    told = together(scorekeeper.client, *tokens)
    assert told["sessions"] == 2
    people = told["players"]
    assert isinstance(people, dict)
    assert (people["Aki"]["wins"], people["Aki"]["balance"], people["Player 3"]["balance"]) == (1, 200, -40)


def test_a_session_counts_once_however_many_tokens_are_given(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    viewer = scorekeeper.client.post(
        f"{scorekeeper.address}/links", json={"role": "viewer"}, headers=scorekeeper.headers()
    ).get_json()["token"]
    assert together(scorekeeper.client, scorekeeper.token, viewer)["sessions"] == 1
    assert together(scorekeeper.client, viewer)["sessions"] == 1


@pytest.mark.parametrize("token", ["", "nobody", "0123456789abcdef.nothing", "a.\0", "a\0.b", "x" * 10_000])
def test_a_token_that_opens_nothing_lets_nobody_in(scorekeeper: Scorekeeper, token: str) -> None:
    scorekeeper.opens()
    problem = together(scorekeeper.client, scorekeeper.token, token, status=401)
    assert problem["code"] == "not_admitted"


def test_a_revoked_token_lets_nobody_in(scorekeeper: Scorekeeper) -> None:
    link = scorekeeper.opens()["link"]["id"]
    owner = scorekeeper.token
    address = f"{scorekeeper.address}/links/{link}?even_if_last=true"
    assert scorekeeper.client.delete(address, headers=scorekeeper.headers()).status_code == 204
    together(scorekeeper.client, owner, status=401)


@pytest.mark.parametrize("tokens", [[], ["x"] * 51, [1], [None], [["x"]]])
def test_one_to_fifty_tokens_are_needed(client: FlaskClient, tokens: list[object]) -> None:
    assert together(client, *tokens, status=422)["code"] == "malformed_fields"


def test_the_numbers_follow_a_correction(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round("swords-5"))
    assert scorekeeper.looks("/statistics")["forfeits"] == {"no_trump_held": 1}
    recorded(scorekeeper, event("event_amended", seq=27, event=event("trump_revealed", card="cups-5")))
    told = scorekeeper.looks("/statistics")
    assert (told["forfeits"], told["results"], told["players"]["p1"]["wins"]) == ({}, {"won": 1}, 1)
