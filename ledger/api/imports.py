"""Bringing in what was taken home: a whole session, or the balances of a group with a past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import g, request

from ledger.api.auth import may_open
from ledger.api.blueprint import ApiBlueprint, Json, Reply
from ledger.api.here import config, desk, one_at_a_time
from ledger.api.once import ONCE, made_once
from ledger.api.parsing import json_body, notation_body, text_body, whole_body
from ledger.api.rates import IMPORTING, not_too_often
from ledger.api.sessions import OPENED_HEADERS, opened
from ledger.codec.files import File
from ledger.codec.json_text import count_objects
from ledger.idempotency import IdempotencyKey
from ledger.importing import MAX_LINES, bring_in, read_balances, too_much_work
from ledger.play.events import Event
from ledger.responses.sessions import Opened
from ledger.sentences import Fault, Malformed, WrongParameter, say
from ledger.session.table import Opening
from schemas.imports import ImportQuery, load_balances, load_score
from schemas.records import loaded

TEXT = {"type": "string"}
FILES: Mapping[str, type[File] | Json] = {"application/json": File, "text/plain": TEXT, "text/csv": TEXT}
imports = ApiBlueprint("imports", __name__, description="Sessions brought in.", url_prefix="/v1/sessions")


@imports.before_request
def check_import() -> None:
    """Let in who may open sessions, and larger bodies than elsewhere."""
    if request.method == "POST":
        may_open()
        not_too_often(IMPORTING)
    request.max_content_length = config().import_bytes


@imports.post("/import")
@imports.answers(
    Opened, 201, by_key=True, bodies=FILES, request_headers=ONCE, headers=OPENED_HEADERS, failures=(409, 503, 507)
)
@imports.arguments(ImportQuery, location="query")
@made_once(opened)
def import_session(query: ImportQuery, key: IdempotencyKey | None) -> Reply:
    """Open a session from a file: an export, or the balances of a group.

    `application/json` is an `export.json`, `text/plain` an `export.txt` in the round notation, `text/csv` a list of
    balances (`name,balance`), for which the query says the game. The owner's token is in this answer alone.
    """
    whole_body()  # read before the lock, so that a slow client blocks no other import
    with one_at_a_time(IMPORTING):
        need_few_lines()
        if request.mimetype == "text/plain":
            score = notation_body()
            opening, events = load_score(score.opening, score.events)
            if why := too_much_work([event.type for event in events]):
                raise Malformed(Fault("", why))
            g.names = opening.names
            return opened(*desk().open(opening, events, key))
        if request.mimetype == "text/csv":
            return opened(*desk().open(*with_balances(read_balances(text_body()), query), key))
        return opened(*bring_in(desk(), loaded(File, file_of_few_objects()), key))


def need_few_lines() -> None:
    """Make sure that a text has no more lines than a session needs. Raises Malformed."""
    count = whole_body().count(b"\n")
    if count > MAX_LINES and not request.is_json:
        needed = say("a text of at most {most} lines is needed; this has {count}", most=MAX_LINES, count=count)
        raise Malformed(Fault("", needed))


def file_of_few_objects() -> Any:
    """Read the body as JSON if it has no more objects than an export of that size could have.

    They are counted first: a dozen bytes become hundreds in memory. Raises Malformed.
    """
    most = config().import_objects
    count = count_objects(whole_body(), most) if request.is_json else 0
    if count > most:
        needed = say("a file of at most {most} objects and lists is needed; this has {count}", most=most, count=count)
        raise Malformed(Fault("", needed))
    return json_body()


def with_balances(people: Sequence[tuple[str, int]], query: ImportQuery) -> tuple[Opening, Sequence[Event]]:
    """Make an opening of a list of people, and of what the query says besides. Raises Malformed."""
    try:
        return load_balances(people, query)
    except Malformed as error:
        raise Malformed(*(of_query(fault) for fault in error.faults)) from None


def of_query(fault: Fault) -> Fault:
    """Say of what stands in the query that it does; the people are in the body."""
    name = fault.pointer[1:]
    return fault if name.startswith(("players", "balances")) else WrongParameter(name, fault.sentence)
