"""Working out a round without a session: nothing is stored, no token is needed."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import g, request

from ledger import calculation
from ledger.api.blueprint import ApiBlueprint
from ledger.api.parsing import json_or_notation
from ledger.api.rates import CALCULATING, RATES, not_too_often
from ledger.games import GAMES, newest
from ledger.records import replace
from ledger.responses.odds import odds_answer
from ledger.responses.rounds import Calculated, calculated_answer
from ledger.session.days import days_in, need_no_future
from ledger.storage.errors import NotFound
from schemas.queries import CalculateQuery
from schemas.rounds import Calculate
from schemas.rules import below, checked_all

NOTATION = {"type": "string", "minLength": 1, "description": "The same in the round notation, as UTF-8."}

calculate = ApiBlueprint("calculate", __name__, description="Rounds without a session.", url_prefix="/v1/calculate")


@calculate.before_request
def check_rate() -> None:
    """Let in who has not asked too often."""
    if request.method == "POST":
        not_too_often(CALCULATING)


@calculate.post("/<game>")
@calculate.answers(Calculated, bodies={"text/plain": NOTATION}, headers=RATES, failures=(404, 409, 429))
@calculate.arguments(CalculateQuery, location="query")
@calculate.arguments(Calculate, read=json_or_notation)
def calculate_round(query: CalculateQuery, body: Calculate, game: str) -> Calculated:
    """Work out a round from its events, without a session.

    The body is JSON, or, as `text/plain`, the round notation. `round_opened` may be left out. With `odds` the answer
    also has the chances where the round stands. Nothing is stored.
    """
    if game not in GAMES:
        raise NotFound
    opening = body.opening(game)
    g.names = opening.names
    events = below("events", checked_all, body.events, newest(game))
    need_no_future([day for n, event in enumerate(events) for day in days_in(event, f"/events/{n}")], datetime.now(UTC))
    done = calculation.calculate(opening, events)
    answer = calculated_answer(*done)
    if not query.odds:
        return answer
    chances = odds_answer(done.round.book, done.round)
    return replace(answer, odds=chances.odds, why_no_odds=chances.why_no_odds)
