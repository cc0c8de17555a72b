"""Bringing in what was taken home: a whole session, or the balances of a group with a past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import request

from ledger.access import Once
from ledger.answers.sessions import Opened
from ledger.api.bodies import json_body, notation_body, text_body
from ledger.api.here import config, desk
from ledger.api.once import ONCE, made_once
from ledger.api.rates import IMPORTING, not_too_often
from ledger.api.roles import may_open
from ledger.api.room import Reply, Room
from ledger.api.sessions import opened
from ledger.importing import bring_in, read_balances, read_score
from ledger.sentences import Fault, Malformed, WrongParameter
from ledger.session import Opening
from schemas.base import loaded
from schemas.components import reference
from schemas.sessions import ImportQuery, OpeningSchema

TEXT = {"schema": {"type": "string"}}
FILES = {"application/json": {"schema": reference("SessionFile")}, "text/plain": TEXT, "text/csv": TEXT}

imports = Room("imports", __name__, description="Sessions brought in.", url_prefix="/v1/sessions")


@imports.before_request
def check_import() -> None:
    """Let in who may open sessions, and larger bodies than elsewhere."""
    if request.method == "POST":
        may_open()
        not_too_often(IMPORTING)
    request.max_content_length = config().import_bytes


@imports.post("/import")
@imports.doc(security=[{}, {"bearer": []}], requestBody={"required": True, "content": FILES})
@imports.answers(Opened, 201, heeds=ONCE)
@imports.arguments(ImportQuery, location="query")
@made_once(opened)
def import_session(query: Mapping[str, Any], once: Once | None) -> Reply:
    """Open a session out of an `export.json` or an `export.txt`, or with balances from a CSV (`name,balance`)."""
    if request.mimetype == "text/plain":
        return opened(*desk().open(*read_score(notation_body()), once))
    if request.mimetype == "text/csv":
        people = read_balances(text_body())
        opening = opening_for([name for name, _ in people], query)
        return opened(*desk().open_with_balances(opening, [balance for _, balance in people], once))
    return opened(*bring_in(desk(), json_body(), once))


def opening_for(people: Sequence[str], query: Mapping[str, Any]) -> Opening:
    """Make an opening of a list of people, and of what the query says besides. Raises Malformed."""
    try:
        opening: Opening = loaded(OpeningSchema(), {**query, "players": people})
    except Malformed as error:
        raise Malformed(*(of_query(fault) for fault in error.faults)) from None
    return opening


def of_query(fault: Fault) -> Fault:
    """Say of what stands in the query that it does; the people are in the body."""
    name = fault.pointer[1:]
    return fault if name.startswith("players") else WrongParameter(name, fault.sentence)
