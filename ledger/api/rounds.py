"""Rounds and the ledger: how each round went, and every chip that moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger import calculation
from ledger.answers.entries import Entry, entries_answer
from ledger.answers.odds import Odds, odds_answer, past_odds_answer
from ledger.answers.pages import Listing, Page
from ledger.answers.rounds import Calculated, Replay, Round, calculated_answer, round_answer, step_answer
from ledger.api.caching import IF_NONE_MATCH, STILL_HOLDS, still_holds
from ledger.api.here import desk
from ledger.api.roles import ALL
from ledger.api.room import Reply, Room, following, page
from ledger.desk import round_of
from schemas.pages import LedgerQuery, PageQuery
from schemas.rounds import OddsQuery, RecalculateSchema
from schemas.rules import below, load_rules
from schemas.sessions import AtQuery

ROUNDS = Listing("RoundPage", "rounds", Round)
ENTRIES = Listing("EntryPage", "entries", Entry)

rounds = Room("rounds", __name__, description="Rounds, and the books.", url_prefix="/v1/sessions")


@rounds.get("/<session_id>/rounds")
@rounds.answers(ROUNDS, to=ALL)
@rounds.arguments(PageQuery, location="query")
def list_rounds(query: Mapping[str, Any], session_id: str) -> Page:
    """List the rounds after a number, oldest first."""
    session = desk().session(session_id)
    found = session.state.rounds(query["after"], query["limit"] + 1)
    told = [round_answer(done, session.names) for done in found]
    return page(ROUNDS, told, query["limit"], lambda done: done.number)


@rounds.get("/<session_id>/rounds/<int:number>")
@rounds.answers(Round, to=ALL)
@rounds.arguments(AtQuery, location="query")
def show_round(query: Mapping[str, Any], session_id: str, number: int) -> Round:
    """Show one round, now or at an earlier event: its cards, how it stands or ended, who was paid what and why."""
    session, found = desk().round(session_id, number, query["at"])
    return round_answer(found, session.names)


@rounds.get("/<session_id>/rounds/<int:number>/replay")
@rounds.answers(Replay, to=ALL)
@rounds.arguments(PageQuery, location="query")
def replay_round(query: Mapping[str, Any], session_id: str, number: int) -> Replay:
    """Go through one round step by step: each event, the state after it in short, and what moved.

    `after` is how many steps to pass over.
    """
    first, last = query["after"], query["after"] + query["limit"]
    steps = [step_answer(moment) for moment in desk().replay(session_id, number, first, query["limit"] + 1)]
    return Replay(number, tuple(steps[: query["limit"]]), following(steps, query["limit"], last))


@rounds.post("/<session_id>/rounds/<int:number>/recalculate")
@rounds.answers(Calculated, to=ALL)
@rounds.arguments(RecalculateSchema)
def recalculate_round(body: Mapping[str, Any], session_id: str, number: int) -> Calculated:
    """Pay a recorded round under other house rules; nothing is stored."""
    session, done = desk().round(session_id, number)
    switches = below("rules", load_rules, body["rules"], done.book)
    return calculated_answer(*calculation.recalculate(session, done.number, switches))


@rounds.get("/<session_id>/odds")
@rounds.answers(Odds, to=ALL, heeds=IF_NONE_MATCH, also=STILL_HOLDS)
@rounds.arguments(OddsQuery, location="query")
def show_odds(query: Mapping[str, Any], session_id: str) -> Reply:
    """Show the chances in the open round, or event by event in another, where the table wants to be told.

    The ETag is the session's seq; If-None-Match is answered 304.
    """
    session = desk().session_that_wants_odds(session_id)
    state, tag = session.state, {"ETag": f'"{session.state.seq}"'}
    is_known, told = still_holds(str(state.seq)), None
    if query["round"] is not None:
        done = round_of(state, query["round"])
        told = None if is_known else past_odds_answer(state, done)
    elif not is_known or query["what_if"] is not None:  # whether a card may come next is said only by trying it
        told = odds_answer(desk().rule_book(session_id), state.table.open_round, query["what_if"])
    return Reply(None, tag, 304) if is_known else Reply(told, tag)


@rounds.get("/<session_id>/ledger")
@rounds.answers(ENTRIES, to=ALL)
@rounds.arguments(LedgerQuery, location="query")
def list_entries(query: Mapping[str, Any], session_id: str) -> Page:
    """Read the ledger after an entry's id, oldest first, as a whole or of one account."""
    found = desk().entries(session_id, query["after"], query["limit"] + 1, query["account"])
    return page(ENTRIES, entries_answer(found), query["limit"], lambda entry: entry.id)
