"""Two people of one name: whoever reads a sentence knows which of them it is about."""

from __future__ import annotations

import io

import pytest
from flask.testing import FlaskClient
from openpyxl import load_workbook

from tests.api.rounds import case
from tests.scorekeeper import Scorekeeper, event

NAMES = {"en": ["Oya", "Aki", "Ben", "Aki", "Aki 1"], "ja": ["親方", "明", "弁", "明", "明 1"]}
"""Where somebody is called as a number would make another, that number is passed over."""


def evening(scorekeeper: Scorekeeper, language: str) -> None:
    told = case("shippin-by-hand")
    scorekeeper.opens(**told["session"] | {"players": NAMES[language]})
    scorekeeper.reports(*told["rounds"][0]["events"])


def explained(scorekeeper: Scorekeeper, language: str) -> str:
    outcome = scorekeeper.looks("/rounds/1")["outcome"]
    return "\n".join(outcome["explanation"][language])


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_explanation_tells_them_apart(scorekeeper: Scorekeeper, language: str) -> None:
    evening(scorekeeper, language)
    aki = NAMES[language][1]
    text = explained(scorekeeper, language)
    assert all(f"{aki} {number}" in text for number in (1, 2, 3))
    assert aki not in text.replace(f"{aki} ", "")
    assert [person["name"] for person in scorekeeper.looks("")["players"]] == NAMES[language]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_sheets_and_the_chart_call_them_the_same(scorekeeper: Scorekeeper, language: str) -> None:
    evening(scorekeeper, language)
    aki = NAMES[language][1]
    for form in ("export.html", "chart.svg", "export.csv?what=rounds&", "export.xlsx"):
        mark = "" if form.endswith("&") else "?"
        answer = scorekeeper.client.get(
            f"{scorekeeper.address}/{form}{mark}lang={language}", headers=scorekeeper.headers()
        )
        assert answer.status_code == 200, answer.text
        if form == "export.xlsx":
            cells = [cell for page in load_workbook(io.BytesIO(answer.data)) for row in page.values for cell in row]
            texts = [cell for cell in cells if isinstance(cell, str)]
            assert aki not in texts
            text = "\n".join(texts)
        else:
            text = answer.data.decode()
        assert f"{aki} 2" in text, form
        assert f"{aki} 3" in text, form


def test_names_that_only_look_the_same_are_numbered_too(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Aki\u3000", "が", "か\u3099"])
    for player, called in (("p1", "Aki 1"), ("p2", "Aki 2"), ("p4", "が 2".replace("が", "か\u3099"))):
        bets = [event("bet_placed", player=player, column=1)] * 2
        assert called in scorekeeper.is_refused(event("round_opened"), *bets)["detail"]


def test_a_text_that_is_brought_in_is_refused_by_names(client: FlaskClient) -> None:
    text = "game shippin\nplayers Aki Aki Ben\nround\nbet p1=1\n"
    answer = client.post("/v1/sessions/import", data=text.encode(), content_type="text/plain")
    assert "Aki 1" in answer.get_json()["detail"]


def test_a_refusal_says_which_of_them(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=NAMES["en"])
    bets = [event("bet_placed", player="p4", column=1), event("bet_placed", player="p4", column=1)]
    problem = scorekeeper.is_refused(event("round_opened"), *bets)
    assert "Aki 3" in problem["detail"]
