"""Texts in the round notation over HTTP: taken where they may be sent, and told where they are wrong."""

from __future__ import annotations

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


def test_what_cannot_be_read_is_told_to_the_reader(client: FlaskClient) -> None:
    text = f"game shirinma\n{TABLE}round\nleave A\n"
    problem = sends(client, "sessions/import", text, **{"Accept-Language": "ja"}).get_json()
    assert (problem["status"], problem["code"], problem["line"], problem["column"]) == (422, "misread", 5, 7)
    why = "`A`ではなく、ここにはプレイヤー（p7など）を書きます。この行は`leave <player>`のように書きます"
    assert problem["detail"] == f"5行目7文字目：{why}"


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
    assert "\ndeal p5=plain\ndeal p6=plain\nundo 4\nvoid spilt\n" in text
    again = sends(client, "sessions/import", text).get_json()["session"]
    assert (again["name"], again["seq"]) == ("Evening", 6)
