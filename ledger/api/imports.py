"""Importing: a whole session that was exported, or the balances of a group."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import g, request

from ledger.api.http.blueprint import ApiBlueprint, Json, Reply
from ledger.api.http.current import config, one_at_a_time, session_service
from ledger.api.http.parsing import json_body, notation_body, text_body, whole_body
from ledger.api.http.rate_limits import IMPORTING
from ledger.api.sessions import OPENED_HEADERS, opened
from ledger.codec.export_file import File
from ledger.codec.json_text import count_objects
from ledger.i18n.sentences import Fault, Malformed, say
from ledger.notation import NotationSyntaxError
from ledger.responses.sessions import Opened
from ledger.rulebook.refusal import Refused
from ledger.services.idempotency_keys import IdempotencyKey
from ledger.services.importing import MAX_LINES, FileIsBroken, read_balances, read_file, too_much_work
from ledger.session.refusals import CorrectedTwice
from schemas.imports import ImportQuery, load_balances, load_score
from schemas.loading import loaded

TEXT = {"type": "string"}
FILES: Mapping[str, type[File] | Json] = {"application/json": File, "text/plain": TEXT, "text/csv": TEXT}
imports = ApiBlueprint("imports", "Sessions brought in.", "/v1/sessions")


@imports.before_request
def allow_large_bodies() -> None:
    request.max_content_length = config().import_bytes


@imports.post(
    "/import",
    Opened,
    status=201,
    by_key=True,
    rate=IMPORTING,
    bodies=FILES,
    creates=opened,
    headers=OPENED_HEADERS,
    raises=[FileIsBroken, NotationSyntaxError, Refused, CorrectedTwice],
)
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
            return opened(*session_service().open(opening, events, key))
        if request.mimetype == "text/csv":
            return opened(*session_service().open(*load_balances(read_balances(text_body()), query), key))
        return opened(*session_service().create_imported(read_file(loaded(File, file_of_few_objects())), key))


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
