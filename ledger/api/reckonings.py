"""What the evening came to: who pays whom, statistics, a chart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from ledger.api.door import ALL, Room, answered, desk, language_of, requires_role
from ledger.charts import balances_chart
from ledger.statistics import statistics, together
from schemas.sessions import LanguageQuery
from schemas.settlement import SettlementQuery, SettlementSchema, dump_settlement
from schemas.statistics import (
    SessionStatisticsSchema,
    SeveralSchema,
    TogetherSchema,
    dump_player,
    dump_statistics,
)

reckonings = Room("reckonings", __name__, description="What the evening came to.", url_prefix="/v1")


@reckonings.get("/sessions/<session_id>/settlement")
@requires_role(*ALL)
@reckonings.arguments(SettlementQuery, location="query")
@reckonings.response(200, SettlementSchema)
def show_settlement(query: Mapping[str, Any], session_id: str) -> Response:
    """Say who pays whom, in as few payments as possible, or through one player (`via`)."""
    session, settlement = desk().settlement(session_id, query["via"])
    return answered(dump_settlement(settlement, query["via"], session.opening.chip_value))


@reckonings.get("/sessions/<session_id>/statistics")
@requires_role(*ALL)
@reckonings.response(200, SessionStatisticsSchema)
def show_statistics(session_id: str) -> Response:
    """Count the session, per player and as a whole."""
    return answered(dump_statistics(statistics(desk().session(session_id).state)))


@reckonings.get("/sessions/<session_id>/chart.svg")
@requires_role(*ALL)
@reckonings.heeds("Accept-Language", "the reader's language, where `lang` does not say it")
@reckonings.arguments(LanguageQuery, location="query")
@reckonings.response(200, {}, content_type="image/svg+xml")
def show_chart(query: Mapping[str, Any], session_id: str) -> Response:
    """Draw everyone's balance after each round, a line a player."""
    people = statistics(desk().session(session_id).state).players.values()
    language = language_of(query)
    chart = balances_chart([person.name for person in people], [person.after_rounds for person in people], language)
    headers = {"Content-Language": language, "Vary": "Accept-Language"}
    return Response(chart, content_type="image/svg+xml", headers=headers)


@reckonings.post("/statistics")
@reckonings.arguments(SeveralSchema)
@reckonings.response(200, TogetherSchema)
def show_statistics_together(body: Mapping[str, Any]) -> Response:
    """Count several sessions together, by player name; a token of each opens it."""
    several = [statistics(session.state) for session in desk().sessions(body["tokens"])]
    people = {name: dump_player(person) for name, person in together(several).items()}
    return answered({"sessions": len(several), "players": people})
