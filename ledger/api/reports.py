"""What the evening came to: who pays whom, statistics, a chart."""

from __future__ import annotations

from flask import Response, request

from ledger.api.auth import ALL
from ledger.api.blueprint import ApiBlueprint, Files
from ledger.api.here import desk, one_at_a_time
from ledger.api.languages import ACCEPT_LANGUAGE, IN_LANGUAGE, reader
from ledger.api.rates import COUNTING, RATES, not_too_often
from ledger.charts import won_chart
from ledger.exports.days import played_on_by_rounds
from ledger.history import Session
from ledger.settlement import Settlement
from ledger.statistics import SessionStatistics, Together, statistics, together
from schemas.queries import LanguageQuery, SettlementQuery
from schemas.statistics import Several

reckonings = ApiBlueprint("reckonings", __name__, description="What the evening came to.", url_prefix="/v1")


@reckonings.get("/sessions/<session_id>/settlement")
@reckonings.answers(Settlement, to=ALL)
@reckonings.arguments(SettlementQuery, location="query")
def show_settlement(query: SettlementQuery, session_id: str) -> Settlement:
    """Show who pays whom, so that all balances are settled.

    In as few payments as possible, or all of them through one player (`via`).
    """
    return desk().settlement(session_id, query.via)


@reckonings.get("/sessions/<session_id>/statistics")
@reckonings.answers(SessionStatistics, to=ALL)
def show_statistics(session_id: str) -> SessionStatistics:
    """Show the statistics of the session.

    For each player and for the session as a whole: rounds, results, what play brought, and what the game counts.
    """
    return statistics(desk().session(session_id).state)


@reckonings.get("/sessions/<session_id>/chart.svg")
@reckonings.answers(Files(["image/svg+xml"]), to=ALL, request_headers=ACCEPT_LANGUAGE, headers=IN_LANGUAGE)
@reckonings.arguments(LanguageQuery, location="query")
def show_chart(query: LanguageQuery, session_id: str) -> Response:
    """Draw a chart of what each player had won after each round.

    An SVG image with a line for each player; its labels are in the reader's language.
    """
    state, language = desk().session(session_id).state, query.lang or reader()
    people = statistics(state).players.values()
    names, after_rounds = [person.name for person in people], [person.after_rounds for person in people]
    chart = won_chart(names, after_rounds, language, played_on_by_rounds(state, language))
    headers = {"Content-Language": language, "Vary": "Accept-Language"}
    return Response(chart, content_type="image/svg+xml", headers=headers)


@reckonings.before_request
def check_rate() -> None:
    """Let in who has not asked too often."""
    if request.endpoint == "reckonings.show_statistics_together" and request.method == "POST":
        not_too_often(COUNTING)


@reckonings.post("/statistics")
@reckonings.answers(Together, headers=RATES, failures=(429, 503))
@reckonings.arguments(Several)
def show_statistics_together(body: Several) -> Together:
    """Show the statistics of several sessions together.

    The body has a token of each session; `people` says which of their players are one person.
    """
    with one_at_a_time(COUNTING):
        return together(list(map(counted, desk().sessions(body.tokens))), body.people)


def counted(session: Session) -> tuple[str, SessionStatistics]:
    """Count one of several sessions; nothing else of it is kept."""
    return session.id, statistics(session.state)
