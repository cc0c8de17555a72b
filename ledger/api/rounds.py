"""Rounds and the ledger: how each round went, and every chip that moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response

from ledger.api.door import ALL, Room, admits, answered, desk, paged
from ledger.desk import NotThere
from schemas.sessions import EntryPage, PageQuery, RoundPage, RoundSchema, dump_entry, dump_round

rounds = Room("rounds", __name__, description="Rounds, and the books.", url_prefix="/v1/sessions")


@rounds.get("/<session_id>/rounds")
@admits(*ALL)
@rounds.arguments(PageQuery, location="query")
@rounds.response(200, RoundPage)
def list_rounds(query: Mapping[str, Any], session_id: str) -> Response:
    """List the rounds after a number, oldest first."""
    sitting = desk().sitting(session_id)
    found = [done for done in sitting.evening.rounds() if done.number > query["after"]][: query["limit"] + 1]
    told = [dump_round(done, sitting.names) for done in found]
    return paged("rounds", told, query["limit"], lambda done: done["number"])


@rounds.get("/<session_id>/rounds/<int:number>")
@admits(*ALL)
@rounds.response(200, RoundSchema)
def show_round(session_id: str, number: int) -> Response:
    """Show one round: its cards, where it stands or how it ended, who was paid what and why."""
    sitting = desk().sitting(session_id)
    found = next((done for done in sitting.evening.rounds() if done.number == number), None)
    if found is None:
        raise NotThere
    return answered(dump_round(found, sitting.names))


@rounds.get("/<session_id>/ledger")
@admits(*ALL)
@rounds.arguments(PageQuery, location="query")
@rounds.response(200, EntryPage)
def list_entries(query: Mapping[str, Any], session_id: str) -> Response:
    """Read the ledger after an entry's id, oldest first."""
    found = desk().entries(session_id, query["after"], query["limit"] + 1)
    return paged("entries", [dump_entry(entry) for entry in found], query["limit"], lambda entry: entry["id"])
