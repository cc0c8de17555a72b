"""Rounds and the ledger: how each round went, and every chip that moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from ledger import calculation
from ledger.api.door import ALL, Room, answered, desk, paged, requires_role
from schemas.sessions import (
    AtQuery,
    CalculatedSchema,
    EntryPage,
    PageQuery,
    RecalculateSchema,
    ReplaySchema,
    RoundPage,
    RoundSchema,
    dump_calculated,
    dump_entry,
    dump_round,
    dump_step,
    rules_below,
)

rounds = Room("rounds", __name__, description="Rounds, and the books.", url_prefix="/v1/sessions")


@rounds.get("/<session_id>/rounds")
@requires_role(*ALL)
@rounds.arguments(PageQuery, location="query")
@rounds.response(200, RoundPage)
def list_rounds(query: Mapping[str, Any], session_id: str) -> Response:
    """List the rounds after a number, oldest first."""
    session = desk().session(session_id)
    found = [done for done in session.state.rounds() if done.number > query["after"]][: query["limit"] + 1]
    told = [dump_round(done, session.names) for done in found]
    return paged("rounds", told, query["limit"], lambda done: done["number"])


@rounds.get("/<session_id>/rounds/<int:number>")
@requires_role(*ALL)
@rounds.arguments(AtQuery, location="query")
@rounds.response(200, RoundSchema)
def show_round(query: Mapping[str, Any], session_id: str, number: int) -> Response:
    """Show one round, now or at an earlier event: its cards, how it stands or ended, who was paid what and why."""
    session, found = desk().round(session_id, number, query["at"])
    return answered(dump_round(found, session.names))


@rounds.get("/<session_id>/rounds/<int:number>/replay")
@requires_role(*ALL)
@rounds.response(200, ReplaySchema)
def replay_round(session_id: str, number: int) -> Response:
    """Go through one round step by step: each event, the state after it in short, and what moved."""
    return answered({"round": number, "steps": [dump_step(point) for point in desk().replay(session_id, number)]})


@rounds.post("/<session_id>/rounds/<int:number>/recalculate")
@requires_role(*ALL)
@rounds.arguments(RecalculateSchema)
@rounds.response(200, CalculatedSchema)
def recalculate_round(body: Mapping[str, Any], session_id: str, number: int) -> Response:
    """Pay a recorded round under other house rules; nothing is stored."""
    session, done = desk().round(session_id, number)
    switches = rules_below("rules", body["rules"], done.book)
    return answered(dump_calculated(calculation.recalculate(session, done.number, switches)))


@rounds.get("/<session_id>/ledger")
@requires_role(*ALL)
@rounds.arguments(PageQuery, location="query")
@rounds.response(200, EntryPage)
def list_entries(query: Mapping[str, Any], session_id: str) -> Response:
    """Read the ledger after an entry's id, oldest first."""
    found = desk().entries(session_id, query["after"], query["limit"] + 1)
    return paged("entries", [dump_entry(entry) for entry in found], query["limit"], lambda entry: entry["id"])
