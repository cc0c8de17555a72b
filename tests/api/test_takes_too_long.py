"""A request that computes for longer than it may is refused, before anything of it is kept."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from werkzeug.test import TestResponse

from tests.api.conftest import MakeApp
from tests.scorekeeper import Scorekeeper, event

NEXT_TO_NOTHING = 1e-9


@pytest.fixture
def scorekeeper(make_app: MakeApp) -> Scorekeeper:
    """At a session that has some events already."""
    keeper = Scorekeeper(make_app().test_client())
    keeper.opens("shippin")
    keeper.tries(event("round_opened"), *[event("chips_moved", from_="bank", to="p1", amount=1)] * 4)
    return keeper


TOO_LONG: dict[str, Callable[[Scorekeeper], TestResponse]] = {
    "a report": lambda keeper: keeper.tries(event("chips_moved", from_="bank", to="p1", amount=1)),
    "a dry run": lambda keeper: keeper.tries(event("event_taken_back", seq=1), query="?dry_run=true"),
    "a correction": lambda keeper: keeper.tries(event("event_taken_back", seq=1)),
    "a calculation": lambda keeper: keeper.client.post(
        "/v1/calculate/shippin", json={"players": ["Aki", "Ben"], "events": [event("round_opened")]}
    ),
    "a text in the notation": lambda keeper: keeper.client.post(
        "/v1/sessions/import", data="game shippin\nplayers Aki Ben\nbuy-in p1=5", content_type="text/plain"
    ),
    "a file": lambda keeper: keeper.client.post(
        "/v1/sessions/import", json={"format": "fuda-ledger", "version": 1, "balances": {"p1": 5}}
    ),
    "a replay": lambda keeper: keeper.client.get(f"{keeper.address}/rounds/1/replay", headers=keeper.headers()),
    "another way to pay a round": lambda keeper: keeper.client.post(
        f"{keeper.address}/rounds/1/recalculate", json={"rules": {}}, headers=keeper.headers()
    ),
    "checking it": lambda keeper: keeper.client.get(f"{keeper.address}/verify", headers=keeper.headers()),
}


@pytest.mark.parametrize("ask", TOO_LONG.values(), ids=TOO_LONG)
def test_what_takes_too_long_is_refused_and_leaves_nothing(
    make_app: MakeApp,
    scorekeeper: Scorekeeper,
    monkeypatch: pytest.MonkeyPatch,
    ask: Callable[[Scorekeeper], TestResponse],
) -> None:
    hurried = Scorekeeper(make_app(request_seconds=NEXT_TO_NOTHING).test_client())
    hurried.session_id, hurried.token = scorekeeper.session_id, scorekeeper.token
    with monkeypatch.context() as at_once:
        at_once.setattr("ledger.budget.SLICE_SECONDS", 0)  # the clock is looked at in every turn of a loop
        answer = ask(hurried)
    problem = answer.get_json()
    assert (answer.status_code, problem["code"]) == (422, "takes_too_long"), problem
    assert problem["title"] == "The request takes too long"
    assert problem["seconds"] == NEXT_TO_NOTHING
    assert len(scorekeeper.looks("/events")["events"]) == 5


@pytest.mark.parametrize("name", ["a replay", "another way to pay a round"])
def test_a_round_gives_way_at_every_step(scorekeeper: Scorekeeper, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    bets = [event("bet_placed", player=f"p{seat}", column=seat) for seat in (2, 3, 4)]
    assert scorekeeper.tries(*bets).status_code == 201
    steps = len(scorekeeper.looks("/rounds/1/replay")["steps"])
    gave_way: list[float] = []
    monkeypatch.setattr("ledger.budget.SLICE_SECONDS", -1)
    monkeypatch.setattr("ledger.budget.time.sleep", gave_way.append)
    assert TOO_LONG[name](scorekeeper).status_code == 200
    assert len(gave_way) >= 2 * steps, "once where it is read, once where it is played or told"
