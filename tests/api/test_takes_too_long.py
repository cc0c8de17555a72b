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
    keeper.tries(*[event("chips_moved", from_="bank", to="p1", amount=1)] * 5)
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
