"""Statistics as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from marshmallow import INCLUDE, Schema, fields
from marshmallow.validate import Length

from ledger.statistics import PlayerStatistics, SessionStatistics
from schemas.sessions import Strict

MOST_SESSIONS = 50


class RoundNetSchema(Schema):
    """What one round brought somebody, in chips."""

    round = fields.Integer(required=True)
    net = fields.Integer(required=True)


class PlayerStatisticsSchema(Schema):
    """What an evening came to for one player, with the tallies of every game; all amounts are chips."""

    class Meta:
        unknown = INCLUDE

    name = fields.String(required=True)
    rounds = fields.Integer(required=True)
    wins = fields.Integer(required=True)
    forfeits = fields.Integer(required=True)
    won = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    paid = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    best = fields.Nested(RoundNetSchema, required=True, allow_none=True)
    worst = fields.Nested(RoundNetSchema, required=True, allow_none=True)
    balance = fields.Integer(required=True)
    after_rounds = fields.List(fields.Integer(), metadata={"description": "the balance after each round"})


class SessionStatisticsSchema(Schema):
    """What an evening came to, per session and per player (by id)."""

    rounds = fields.Integer(required=True)
    results = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    forfeits = fields.Dict(keys=fields.String(), values=fields.Integer(), required=True)
    pots = fields.List(fields.Integer(), required=True)
    carried = fields.List(fields.Integer(), required=True)
    players = fields.Dict(keys=fields.String(), values=fields.Nested(PlayerStatisticsSchema), required=True)


class SeveralSchema(Strict):
    """The sessions that are to be counted together, by a token of each."""

    tokens = fields.List(fields.String(), required=True, validate=Length(1, MOST_SESSIONS))


class TogetherSchema(Schema):
    """What several evenings came to, by player name."""

    sessions = fields.Integer(required=True)
    players = fields.Dict(keys=fields.String(), values=fields.Nested(PlayerStatisticsSchema), required=True)


def dump_statistics(counted: SessionStatistics) -> dict[str, Any]:
    """Give an evening's statistics as `SessionStatisticsSchema` describes them."""
    return {
        "rounds": counted.rounds,
        "results": dict(counted.results),
        "forfeits": dict(counted.forfeits),
        "pots": list(counted.pots),
        "carried": list(counted.carried),
        "players": {player: dump_player(person) for player, person in counted.players.items()},
    }


def dump_player(person: PlayerStatistics) -> dict[str, Any]:
    """Give one player's statistics as `PlayerStatisticsSchema` describes them."""
    told: dict[str, Any] = asdict(person)
    counts: dict[str, int] = told.pop("counts")
    return {
        **told,
        **counts,
        "won": dict(person.won),
        "paid": dict(person.paid),
        "best": person.best and person.best._asdict(),
        "worst": person.worst and person.worst._asdict(),
        "after_rounds": list(person.after_rounds),
    }
