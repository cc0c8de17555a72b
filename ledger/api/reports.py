"""What the evening came to: who pays whom, statistics, a chart."""

from __future__ import annotations

from flask import Response

from ledger.accounting.charts import won_chart
from ledger.accounting.settlement import Settlement
from ledger.api.http.auth import ALL
from ledger.api.http.blueprint import ApiBlueprint, Files
from ledger.api.http.current import one_at_a_time, session_service
from ledger.api.http.parsing import reader
from ledger.api.http.rate_limits import COUNTING
from ledger.exports.options import played_on_by_rounds
from ledger.session.statistics import SessionStatistics, Together, statistics, together
from ledger.storage.errors import StoreBusy
from schemas.requests import LanguageQuery, SettlementQuery, Several

reports = ApiBlueprint("reckonings", "What the evening came to.", "/v1")


@reports.get("/sessions/<session_id>/settlement", to=ALL)
def show_settlement(query: SettlementQuery, session_id: str) -> Settlement:
    """Show who pays whom, so that all balances are settled.

    In as few payments as possible, or all of them through one player (`via`).
    """
    return session_service().settlement(session_id, query.via)


@reports.get("/sessions/<session_id>/statistics", to=ALL)
def show_statistics(session_id: str) -> SessionStatistics:
    """Show the statistics of the session.

    For each player and for the session as a whole: rounds, results, what play brought, and what the game counts.
    """
    return statistics(session_service().session(session_id).state)


@reports.get("/sessions/<session_id>/chart.svg", Files(["image/svg+xml"]), to=ALL, in_language=True)
def show_chart(query: LanguageQuery, session_id: str) -> Response:
    """Draw a chart of what each player had won after each round.

    An SVG image with a line for each player; its labels are in the reader's language.
    """
    state, language = session_service().session(session_id).state, reader(query.lang)
    people = statistics(state).players.values()
    names, after_rounds = [person.name for person in people], [person.after_rounds for person in people]
    chart = won_chart(names, after_rounds, language, played_on_by_rounds(state, language))
    return Response(chart, content_type="image/svg+xml")


@reports.post("/statistics", rate=COUNTING, raises=(StoreBusy,))
def show_statistics_together(body: Several) -> Together:
    """Show the statistics of several sessions together.

    The body has a token of each session; `people` says which of their players are one person.
    """
    with one_at_a_time(COUNTING):
        counted = [(each.id, statistics(each.state)) for each in session_service().sessions(body.tokens)]
        return together(counted, body.people)
