"""Won and owed: what play brought, and what is still to be settled, are two figures wherever a result stands."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.rounds import first_cards, recorded, second_cards
from tests.scorekeeper import Json, Scorekeeper, event

ROUND = [
    event("round_opened"),
    event("bet_placed", player="p2", column=1),
    event("bet_placed", player="p3", column=4),
    second_cards("7", "3", "5", "10", dealer="9"),
    first_cards("2", "2", "2", "10", dealer="8"),
]
"""p2 wins 10 chips of p1, and p3 loses as many to p1."""

PAID = event("settlement_paid", from_="p3", to="p2", amount=10)


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    """A table of Shippin after a round."""
    scorekeeper.opens("shippin", rules={"bet": 10}, players=["Aki", "Ben", "Chie"])
    recorded(scorekeeper, *ROUND)
    return scorekeeper


def figures(table: Scorekeeper, name: str) -> list[int]:
    return [player[name] for player in table.looks("")["players"]]


def statistics(table: Scorekeeper) -> list[Any]:
    people = table.looks("/statistics")["players"].values()
    return [(one["won"], one["after_rounds"], one["best"], one["received"]) for one in people]


def test_a_payment_never_changes_what_was_won(table: Scorekeeper) -> None:
    before, drawn = statistics(table), chart(table)
    assert figures(table, "won") == figures(table, "balance") == [0, 10, -10]
    answer = recorded(table, PAID)
    assert [player["won"] for player in answer["session"]["players"]] == [0, 10, -10]
    assert figures(table, "balance") == [0, 0, 0]
    assert statistics(table) == before
    assert [one["balance"] for one in table.looks("/statistics")["players"].values()] == [0, 0, 0]
    assert chart(table) == drawn
    recorded(table, event("event_taken_back"))
    assert figures(table, "won") == figures(table, "balance") == [0, 10, -10]


def chart(table: Scorekeeper) -> str:
    return table.client.get(f"{table.address}/chart.svg", headers=table.headers()).text


@pytest.mark.parametrize(
    ("moved", "held"),
    [
        (event("chips_moved", from_="bank", to="p1", amount=100), [100, 10, -10]),
        (event("chips_moved", from_="p2", to="bank", amount=5), [0, 5, -10]),
        (event("chips_moved", from_="p2", to="p3", amount=5), [0, 5, -5]),
        (event("balances_brought", balances={"p1": 7, "p2": -7}), [7, 3, -10]),
        (event("chips_moved", from_="p1", to="pot", amount=7), [-7, 10, -10]),
    ],
)
def test_what_play_did_not_bring_changes_the_balance_alone(table: Scorekeeper, moved: Json, held: list[int]) -> None:
    seq = recorded(table, moved)["session"]["seq"]
    assert (figures(table, "won"), figures(table, "balance")) == ([0, 10, -10], held)
    recorded(table, event("event_amended", seq=seq, event=moved | {"note": "counted again"}))
    assert (figures(table, "won"), figures(table, "balance")) == ([0, 10, -10], held)
    recorded(table, event("event_taken_back", seq=seq))
    assert figures(table, "won") == figures(table, "balance") == [0, 10, -10]


def test_a_correction_of_a_round_counts_as_what_it_reverses(table: Scorekeeper) -> None:
    recorded(table, PAID)
    recorded(table, event("event_amended", seq=2, event=event("bet_placed", player="p2", column=2)))
    assert figures(table, "won") == [20, -10, -10]
    assert figures(table, "balance") == [20, -20, 0]
    recorded(table, event("round_opened"), event("round_voided", reason="tea"))
    assert figures(table, "won") == [20, -10, -10]


@pytest.mark.parametrize(
    ("closing", "won"), [("split", [-6, 13, -7]), ("refund", [0, 10, -10]), ("bank", [-10, 10, -10])]
)
def test_what_becomes_of_a_pot_is_won(table: Scorekeeper, closing: str, won: list[int]) -> None:
    """A pot of 10 that p1 has put in lies there when the evening is closed."""
    recorded(table, event("round_entered", payments={"p1": 10}, pot=10), event("session_closed", pot=closing))
    session = table.looks("")
    assert figures(table, "won") == figures(table, "balance") == won
    assert sum(won) + session["pot"] + session["bank"] == 0


def test_a_pot_that_was_brought_is_won_by_who_gets_it(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben"])
    recorded(scorekeeper, event("pot_brought", amount=50), event("round_entered", payouts={"p2": 50}, pot=0))
    assert figures(scorekeeper, "won") == figures(scorekeeper, "balance") == [0, 50]
    assert scorekeeper.looks("")["bank"] == -50


def test_an_import_has_both_figures_again(table: Scorekeeper) -> None:
    recorded(table, PAID)
    file = table.looks("/export.json")
    assert [(player["won"], player["balance"]) for player in file["session"]["players"]] == [(0, 0), (10, 0), (-10, 0)]
    answer = table.client.post("/v1/sessions/import", json=file)
    assert answer.status_code == 201, answer.text
    assert answer.get_json()["session"]["players"] == file["session"]["players"]
    earlier = table.looks("?at=5")["players"]
    assert [(player["won"], player["balance"]) for player in earlier] == [(0, 0), (10, 10), (-10, -10)]
