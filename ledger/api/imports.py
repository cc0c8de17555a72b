"""Importing: a whole session that was exported, or the balances of a group."""

from __future__ import annotations

from flask import g, request

from ledger.api.http.blueprint import ApiBlueprint, Reply
from ledger.api.http.current import config, one_at_a_time, session_service
from ledger.api.http.parsing import json_body, notation_body, text_body, whole_body
from ledger.api.http.rate_limits import IMPORTING
from ledger.api.sessions import OPENS, opened
from ledger.codec.export_file import File
from ledger.codec.json_text import count_objects
from ledger.i18n.sentences import Fault, Malformed, say
from ledger.notation import NotationSyntaxError
from ledger.rulebook.refusal import Refused
from ledger.services.idempotency_keys import IdempotencyKey
from ledger.services.importing import MAX_LINES, FileIsBroken, read_balances, read_file, too_much_work
from ledger.session.refusals import CorrectedTwice
from schemas.imports import ImportQuery, load_balances, load_score
from schemas.loading import loaded

TEXT = {"type": "string"}
FILES = {"application/json": File, "text/plain": TEXT, "text/csv": TEXT}
imports = ApiBlueprint("imports", "Sessions from files.", "/v1/sessions")


@imports.before_request
def allow_large_bodies() -> None:
    request.max_content_length = config().import_bytes


@imports.post(
    "/import",
    **OPENS,
    rate=IMPORTING,
    bodies=FILES,
    raises=(FileIsBroken, NotationSyntaxError, Refused, CorrectedTwice),
)
def import_session(query: ImportQuery, key: IdempotencyKey | None) -> Reply:
    """Open a session from a file: an export, or the balances of a group.

    `application/json` is an `export.json`, `text/plain` an `export.txt` in the round notation, `text/csv` a list of
    balances (`name,balance`), for which the query says the game. The owner's token is in this answer alone.
    """
    whole_body()  # read before the lock, so that a slow client blocks no other import
    with one_at_a_time(IMPORTING):
        need_few_parts()
        if request.mimetype == "text/plain":
            score = notation_body()
            opening, events = load_score(score.opening, score.events)
            if why := too_much_work([event.type for event in events]):
                raise Malformed(Fault("", why))
            g.names = opening.names
            return opened(*session_service().open(opening, events, key))
        if request.mimetype == "text/csv":
            return opened(*session_service().open(*load_balances(read_balances(text_body()), query), key))
        return opened(*session_service().create_imported(read_file(loaded(File, json_body())), key))


def need_few_parts() -> None:
    """Make sure that a text has no more lines, and JSON no more objects, than a session needs. Raises Malformed.

    They are counted before they are read: a dozen bytes become hundreds in memory.
    """
    if request.is_json:
        most = config().import_objects
        count = count_objects(whole_body(), most)
        needed = say("a file of at most {most} objects and lists is needed; this has {count}", most=most, count=count)
    else:
        most, count = MAX_LINES, whole_body().count(b"\n")
        needed = say("a text of at most {most} lines is needed; this has {count}", most=most, count=count)
    if count > most:
        raise Malformed(Fault("", needed))
