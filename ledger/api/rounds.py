"""Rounds and the ledger: how each round went, and every chip that moved."""

from __future__ import annotations

from ledger import calculation
from ledger.api.auth import ALL
from ledger.api.blueprint import ApiBlueprint, Reply, following, page
from ledger.api.caching import IF_NONE_MATCH, NOT_MODIFIED, is_not_modified
from ledger.api.here import desk
from ledger.books import Entry
from ledger.cooperation import yielding
from ledger.desk import round_of
from ledger.responses.odds import Odds, odds_answer, past_odds_answer
from ledger.responses.pages import Listing, Page
from ledger.responses.rounds import Calculated, Replay, Round, calculated_answer, round_answer, step_answer
from schemas.queries import AtQuery, EntriesQuery, OddsQuery, RoundsQuery, StepsQuery
from schemas.rounds import Recalculate
from schemas.rules import below, load_rules

ROUNDS = Listing("RoundPage", "rounds", Round)
ENTRIES = Listing("EntryPage", "entries", Entry)

rounds = ApiBlueprint("rounds", __name__, description="Rounds, and the books.", url_prefix="/v1/sessions")


@rounds.get("/<session_id>/rounds")
@rounds.answers(ROUNDS, to=ALL)
@rounds.arguments(RoundsQuery, location="query")
def list_rounds(query: RoundsQuery, session_id: str) -> Page:
    """List the rounds, oldest first.

    With `after` only those with a later number. The last one may still be open.
    """
    session = desk().session(session_id)
    found = session.state.rounds(query.after, query.limit + 1)
    rounds = [round_answer(done, session.names) for done in yielding(found)]
    return page(ROUNDS, rounds, query.limit, lambda done: done.number)


@rounds.get("/<session_id>/rounds/<int:number>")
@rounds.answers(Round, to=ALL)
@rounds.arguments(AtQuery, location="query")
def show_round(query: AtQuery, session_id: str, number: int) -> Round:
    """Show one round, now or at an earlier event (`at`).

    Its cards, where it stands or how it ended, and who was paid what and why.
    """
    session, found = desk().round(session_id, number, query.at)
    return round_answer(found, session.names)


@rounds.get("/<session_id>/rounds/<int:number>/replay")
@rounds.answers(Replay, to=ALL, headers=("Link",))
@rounds.arguments(StepsQuery, location="query")
def replay_round(query: StepsQuery, session_id: str, number: int) -> Replay:
    """Show one round step by step.

    Each event with the state after it, in short, and the chips that it moved. `after` is how many steps to pass over.
    """
    first, last = query.after, query.after + query.limit
    steps = [step_answer(moment) for moment in desk().replay(session_id, number, first, query.limit + 1)]
    return Replay(number, tuple(steps[: query.limit]), following(steps, query.limit, last))


@rounds.post("/<session_id>/rounds/<int:number>/recalculate")
@rounds.answers(Calculated, to=ALL, failures=(409,))
@rounds.arguments(Recalculate)
def recalculate_round(body: Recalculate, session_id: str, number: int) -> Calculated:
    """Work out a recorded round under other house rules.

    The body has the rules that differ; the others are as they were. Nothing is stored.
    """
    session, done = desk().round(session_id, number)
    switches = below("rules", load_rules, body.rules, done.book)
    return calculated_answer(*calculation.recalculate(session, done.number, switches))


@rounds.get("/<session_id>/odds")
@rounds.answers(Odds, to=ALL, request_headers=IF_NONE_MATCH, headers=("ETag",), also=NOT_MODIFIED, failures=(409,))
@rounds.arguments(OddsQuery, location="query")
def show_odds(query: OddsQuery, session_id: str) -> Reply:
    """Show the chances in the open round, or event by event in another (`round`).

    Only where the table has switched them on. The ETag is the session's seq; If-None-Match is answered 304.
    """
    session = desk().session_that_wants_odds(session_id)
    state, tag = session.state, {"ETag": f'"{session.state.seq}"'}
    is_known, odds = is_not_modified(str(state.seq)), None
    if query.round is not None:
        done = round_of(state, query.round)
        odds = None if is_known else past_odds_answer(state, done)
    elif not is_known or query.what_if is not None:  # only trying shows whether a card may come next
        odds = odds_answer(desk().rule_book(session_id), state.table.open_round, query.what_if)
    return Reply(None, tag, 304) if is_known else Reply(odds, tag)


@rounds.get("/<session_id>/ledger")
@rounds.answers(ENTRIES, to=ALL)
@rounds.arguments(EntriesQuery, location="query")
def list_entries(query: EntriesQuery, session_id: str) -> Page:
    """Read the entries of the ledger, oldest first.

    With `after` only those with a later id, with `account` only those from or to that account.
    """
    found = desk().entries(session_id, query.after, query.limit + 1, query.account)
    return page(ENTRIES, found, query.limit, lambda entry: entry.id)
