"""What the evening came to: who pays whom, statistics, a chart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from ledger.answers.settlement import Settlement, settlement_answer
from ledger.answers.statistics import Together
from ledger.api.here import desk
from ledger.api.languages import HEEDS, reader
from ledger.api.rates import COUNTING, not_too_often
from ledger.api.roles import ALL
from ledger.api.room import Files, Room
from ledger.api.turns import one_at_a_time
from ledger.charts import won_chart
from ledger.history import Session
from ledger.statistics import SessionStatistics, statistics, together
from schemas.languages import LanguageQuery
from schemas.settlement import SettlementQuery
from schemas.statistics import SeveralSchema

reckonings = Room("reckonings", __name__, description="What the evening came to.", url_prefix="/v1")


@reckonings.get("/sessions/<session_id>/settlement")
@reckonings.answers(Settlement, to=ALL)
@reckonings.arguments(SettlementQuery, location="query")
def show_settlement(query: Mapping[str, Any], session_id: str) -> Settlement:
    """Say who pays whom, in as few payments as possible, or through one player (`via`)."""
    session, settlement = desk().settlement(session_id, query["via"])
    return settlement_answer(settlement, query["via"], session.chip_value)


@reckonings.get("/sessions/<session_id>/statistics")
@reckonings.answers(SessionStatistics, to=ALL)
def show_statistics(session_id: str) -> SessionStatistics:
    """Count the session, per player and as a whole."""
    return statistics(desk().session(session_id).state)


@reckonings.get("/sessions/<session_id>/chart.svg")
@reckonings.answers(Files(["image/svg+xml"]), to=ALL, heeds=HEEDS)
@reckonings.arguments(LanguageQuery, location="query")
def show_chart(query: Mapping[str, Any], session_id: str) -> Response:
    """Draw what everyone won after each round, a line a player."""
    people = statistics(desk().session(session_id).state).players.values()
    language = query["lang"] or reader()
    chart = won_chart([person.name for person in people], [person.after_rounds for person in people], language)
    headers = {"Content-Language": language, "Vary": "Accept-Language"}
    return Response(chart, content_type="image/svg+xml", headers=headers)


@reckonings.before_request
def check_rate() -> None:
    """Let in who has not asked too often."""
    if request.endpoint == "reckonings.show_statistics_together" and request.method == "POST":
        not_too_often(COUNTING)


@reckonings.post("/statistics")
@reckonings.answers(Together)
@reckonings.arguments(SeveralSchema)
def show_statistics_together(body: Mapping[str, Any]) -> Together:
    """Count several sessions together; a token of each opens it, and `people` says who in them is one person."""
    with one_at_a_time(COUNTING):
        several = list(map(counted, desk().sessions(body["tokens"])))
        return Together(len(several), together(several, body["people"]))


def counted(session: Session) -> tuple[str, SessionStatistics]:
    """Count one of several sessions; nothing else of it is kept."""
    return session.id, statistics(session.state)
