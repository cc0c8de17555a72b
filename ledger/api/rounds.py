"""Rounds and the ledger: how each round went, and every chip that moved."""

from __future__ import annotations

from itertools import islice

from ledger.accounting.books import Entry
from ledger.api.http.auth import ALL
from ledger.api.http.blueprint import ApiBlueprint, Reply, following, page
from ledger.api.http.conditional import PRIVATE_BY_VIEW, is_not_modified
from ledger.api.http.current import session_service
from ledger.cooperation import yielding
from ledger.responses.reports import Odds
from ledger.responses.rounds import Calculated, Replay, Round, calculated_answer, round_answer, step_answer
from ledger.responses.shared import Listing, Page
from ledger.rulebook.refusal import Refused
from ledger.services import calculation
from ledger.services.odds import OddsNotWanted, odds_by_step, odds_of
from ledger.services.sessions import round_of
from schemas.loading import below, load_rules
from schemas.requests import AtQuery, EntriesQuery, OddsQuery, Recalculate, RoundsQuery, StepsQuery

ROUNDS = Listing("RoundPage", "rounds", Round)
ENTRIES = Listing("EntryPage", "entries", Entry)

rounds = ApiBlueprint("rounds", "Rounds, and the books.", "/v1/sessions")


@rounds.get("/<session_id>/rounds", ROUNDS, to=ALL)
def list_rounds(query: RoundsQuery, session_id: str) -> Page:
    """List the rounds, oldest first.

    With `after` only those with a later number. The last one may still be open.
    """
    session = session_service().session(session_id)
    found = session.state.rounds(query.after, query.limit + 1)
    rounds = [round_answer(done, session.names) for done in yielding(found)]
    return page(ROUNDS, rounds, query.limit, lambda done: done.number)


@rounds.get("/<session_id>/rounds/<int:number>", to=ALL)
def show_round(query: AtQuery, session_id: str, number: int) -> Round:
    """Show one round, now or at an earlier event (`at`).

    Its cards, where it stands or how it ended, and who was paid what and why.
    """
    session, found = session_service().round(session_id, number, query.at)
    return round_answer(found, session.names)


@rounds.get("/<session_id>/rounds/<int:number>/replay", to=ALL, headers=("Link",))
def replay_round(query: StepsQuery, session_id: str, number: int) -> Replay:
    """Show one round step by step.

    Each event with the state after it, in short, and the chips that it moved. `after` is how many steps to pass over.
    """
    first, last = query.after, query.after + query.limit
    session, done = session_service().round(session_id, number)
    steps = [step_answer(step) for step in islice(session.state.steps(done.number), first, last + 1)]
    return Replay(number, tuple(steps[: query.limit]), following(steps, query.limit, last))


@rounds.post("/<session_id>/rounds/<int:number>/recalculate", to=ALL, raises=(Refused,))
def recalculate_round(body: Recalculate, session_id: str, number: int) -> Calculated:
    """Work out a recorded round under other house rules.

    The body has the rules that differ; the others are as they were. Nothing is stored.
    """
    session, done = session_service().round(session_id, number)
    switches = below("rules", load_rules, body.rules, done.book)
    return calculated_answer(*calculation.recalculate(session, done.number, switches))


@rounds.get("/<session_id>/odds", Odds, to=ALL, cache=PRIVATE_BY_VIEW, raises=(Refused, OddsNotWanted))
def show_odds(query: OddsQuery, session_id: str) -> Reply:
    """Show the chances in the open round, or event by event in another (`round`).

    Only where the table has switched them on. The ETag is the session's seq; If-None-Match is answered 304.
    """
    state = session_service().session(session_id).state
    if not state.table.odds:
        raise OddsNotWanted
    tag, is_known, odds = {"ETag": f'"{state.seq}"'}, is_not_modified(str(state.seq)), None
    if query.round is not None:
        done = round_of(state, query.round)
        odds = None if is_known else odds_by_step(state, done)
    elif not is_known or query.what_if is not None:  # only trying shows whether a card may come next
        odds = odds_of(session_service().rule_book(session_id), state.table.open_round, query.what_if)
    return Reply(None, tag, 304) if is_known else Reply(odds, tag)


@rounds.get("/<session_id>/ledger", ENTRIES, to=ALL)
def list_entries(query: EntriesQuery, session_id: str) -> Page:
    """Read the entries of the ledger, oldest first.

    With `after` only those with a later id, with `account` only those from or to that account.
    """
    found = session_service().entries(session_id, query.after, query.limit + 1, query.account)
    return page(ENTRIES, found, query.limit, lambda entry: entry.id)
