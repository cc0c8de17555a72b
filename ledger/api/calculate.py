"""Working out a round without a session: nothing is stored, no token is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, g

from ledger.access import NotThere
from ledger.api.door import NotationParser, Room, answered, desk
from ledger.games import GAMES
from schemas.sessions import CalculatedSchema, CalculateSchema, dump_calculated


class NotationRoom(Room):
    """A blueprint whose bodies may be in the round notation."""

    ARGUMENTS_PARSER = NotationParser()


calculate = NotationRoom("calculate", __name__, description="Rounds without a session.", url_prefix="/v1/calculate")


@calculate.post("/<game>")
@calculate.arguments(CalculateSchema)
@calculate.response(200, CalculatedSchema)
def calculate_round(body: Mapping[str, Any], game: str) -> Response:
    """Work out a round from its events, in JSON or (text/plain) the round notation; `round_opened` may be left out."""
    if game not in GAMES:
        raise NotThere
    opening = CalculateSchema().opening(game, body, carried=body["carried"])
    g.names = opening.names
    return answered(dump_calculated(desk().calculate(opening, body["events"])))
