"""Texts in the round notation over HTTP: taken where they may be sent, and told where they are wrong."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.scorekeeper import Scorekeeper

TABLE = "players A B C D E F G H I J K L\ndealer p5\n"
ROUND = "field swords-1\ndeal plain plain\n"


def sends(client: FlaskClient, address: str, text: str, **headers: str) -> TestResponse:
    return client.post(f"/v1/{address}", data=text, content_type="text/plain", headers=headers)


def test_a_round_is_calculated_without_its_game_and_its_opening(client: FlaskClient) -> None:
    answer = sends(client, "calculate/shirinma", TABLE + ROUND)
    assert answer.status_code == 200, answer.text
    assert [dealt["player"] for dealt in answer.get_json()["round"]["table"]["dealt"]] == ["p5", "p6"]


def test_a_text_about_another_game_is_refused(client: FlaskClient) -> None:
    answer = sends(client, "calculate/kakkuri", f"game shirinma\n{TABLE}{ROUND}")
    assert (answer.status_code, answer.get_json()["errors"][0]["pointer"]) == (422, "/game")


@pytest.mark.parametrize("address", ["calculate/shirinma", "sessions/import"])
@pytest.mark.parametrize(
    ("language", "why", "form"),
    [
        ("en", "line 5, column 7: `A` is not a player, such as p7", "; the line is written `leave <player>`"),
        (
            "ja",
            "5行目7文字目：`A`ではなく、ここにはプレイヤー（p7など）を書きます",
            "。この行は`leave <player>`のように書きます",
        ),
    ],
)
def test_what_cannot_be_read_is_told_to_the_reader(
    client: FlaskClient, address: str, language: str, why: str, form: str
) -> None:
    text = f"game shirinma\n{TABLE}round\nleave A\n"
    answer = sends(client, address, text, **{"Accept-Language": language})
    problem = answer.get_json()
    assert (answer.status_code, problem["code"], problem["detail"]) == (422, "misread", why + form)
    assert (problem["line"], problem["column"]) == (5, 7)


def test_what_is_refused_at_the_table_is_told_with_its_line(client: FlaskClient) -> None:
    text = f"game shirinma\n{TABLE}\nround\n{ROUND}deal plain p12=plain\n"
    for address in ("calculate/shirinma", "sessions/import"):
        problem = sends(client, address, text).get_json()
        assert (problem["status"], problem["code"]) == (409, "out_of_turn")
        assert (problem["index"], problem["line"]) == (5, 8)


def test_an_evening_taken_home_as_text_is_brought_back(client: FlaskClient) -> None:
    answer = sends(client, "sessions/import", f"game shirinma\nname Evening\n{TABLE}round\n{ROUND}undo\nvoid spilt\n")
    assert answer.status_code == 201, answer.text
    first = Scorekeeper(client)
    first.session_id, first.token = answer.get_json()["session"]["id"], answer.get_json()["link"]["token"]
    text = client.get(f"{first.address}/export.txt", headers=first.headers()).text
    assert "deal plain plain\nundo 4\nvoid spilt\n" in text
    again = sends(client, "sessions/import", text).get_json()["session"]
    assert (again["name"], again["seq"]) == ("Evening", 6)
