"""Working out a round without a session: nothing is stored, no token is needed."""

from __future__ import annotations

from datetime import UTC, datetime

from flask import g

from ledger.api.http.blueprint import ApiBlueprint
from ledger.api.http.parsing import json_or_notation
from ledger.api.http.rate_limits import CALCULATING
from ledger.games import GAMES, newest
from ledger.notation import NotationSyntaxError
from ledger.records import replace
from ledger.responses.rounds import Calculated, calculated_answer
from ledger.rulebook.refusal import Refused
from ledger.services import calculation
from ledger.services.odds import odds_of
from ledger.session.events import days_in, need_no_future
from ledger.session.refusals import CorrectedTwice
from ledger.storage.errors import NotFound
from schemas.loading import below, checked_all
from schemas.requests import Calculate, CalculateQuery

NOTATION = {"type": "string", "minLength": 1, "description": "The same in the round notation, as UTF-8."}

calculate = ApiBlueprint("calculate", "Rounds without a session.", "/v1/calculate")


@calculate.post(
    "/<game>",
    rate=CALCULATING,
    bodies={"text/plain": NOTATION},
    raises=(NotFound, Refused, CorrectedTwice, NotationSyntaxError),
    read_body=json_or_notation,
)
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
    chances = odds_of(done.round.book, done.round)
    return replace(answer, odds=chances.odds, why_no_odds=chances.why_no_odds)
