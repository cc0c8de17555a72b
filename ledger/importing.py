"""Bringing a session in that was taken home as `export.json`, and opening balances from a list.

A file comes from anywhere, so nothing in it is believed: its form is checked first, then its chain, its words, and its
books, which are worked out again from the log and have to be the ones in the file. Only then is it stored, as a whole.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from marshmallow import ValidationError

from ledger.books import Entry
from ledger.games import GAMES, newest
from ledger.history import SessionState
from ledger.notation import Score
from ledger.play import Event, Refused, event_type
from ledger.session import Correction, Opening, RulesChanged
from ledger.session_cache import first_hash
from ledger.store import Contents, StoredEvent, StoredSession
from ledger.verification import UNREADABLE, Finding, check
from schemas.events import from_log
from schemas.files import FileSchema, ReportsSchema, load_words
from schemas.sessions import OpeningSchema, checked, checked_below, opening_from_log

MOST_WORK = 2_000_000
"""How many events, over all its corrections, a file may make us work out again: a dozen seconds."""

CORRECTIONS = tuple(event_type(kind) for kind in get_args(Correction))
WITH_RULES = (event_type(RulesChanged), *CORRECTIONS)


class FileIsBroken(Refused):
    """The file is not what was exported; the first thing that differs is {table} {row}: {what}."""


class FromFile(NamedTuple):
    """A session out of a file, checked: its opening, its log, its books."""

    session: StoredSession
    contents: Contents


def read_file(file: Mapping[str, Any], session_id: str) -> FromFile:
    """Read and check an `export.json`, to be stored under a new id.

    Raises marshmallow.ValidationError and FileIsBroken.
    """
    told: dict[str, Any] = FileSchema().load(file)
    opening = told["log"]["opening"]
    session = StoredSession(
        session_id, opening["body"], opening["version"], opening["created_at"], load_words(opening["words"])
    )
    rows = [
        StoredEvent(**{**row, "hash": bytes.fromhex(row["hash"]), "words": load_words(row["words"])})
        for row in told["log"]["rows"]
    ]
    entries = [Entry(**entry) for entry in told["entries"]]
    read = FromFile(session, Contents(rows, entries, told["balances"]))
    if finding := next(iter(findings(read)), None):
        raise FileIsBroken(**finding._asdict())
    return read


def findings(read: FromFile) -> Iterable[Finding]:
    """Check a session out of a file as if it lay in the database, and give what is wrong with it."""
    session, rows = read.session, read.contents.events
    corrections = sum(row.type in CORRECTIONS for row in rows)
    if corrections * len(rows) > MOST_WORK:
        yield Finding("log", len(rows), f"has {corrections} corrections, more than this service works out again")
        return
    yield from check_choices(session, rows)
    last = rows[-1].hash if rows else first_hash(session)
    yield from check(session, (len(rows), last), read.contents)


def check_choices(session: StoredSession, rows: Iterable[StoredEvent]) -> Iterable[Finding]:
    """What people choose freely (names, seats, house rules) is what they may choose when they report it.

    A file can be written by anybody, with any hashes. What cannot be read at all, the other checks find.
    """
    seq = 0
    try:
        opening = opening_from_log(session.body, session.words, session.version)
        OpeningSchema().load(asked_for(opening))
        for row in rows:
            seq = row.seq
            if row.type in WITH_RULES:
                checked(from_log(row.type, row.body, row.words), GAMES[opening.game][row.version])
    except ValidationError as error:
        yield Finding("events", seq, f"it could not have been reported: {error}"[:300])
    except UNREADABLE:
        return


def asked_for(opening: Opening) -> dict[str, Any]:
    """Give the request that a session may have been opened with; its house rules are read by their own rule book."""
    value = opening.chip_value
    return {
        "game": opening.game,
        "deck": opening.deck,
        "players": list(opening.players),
        "dealer": opening.dealer,
        "name": opening.name,
        "chip_value": value and {"currency": value.currency, "per_chip": value.per_chip},
    }


def folded(read: FromFile) -> SessionState:
    """Live through the evening of a session out of a file."""
    opening = opening_from_log(read.session.body, read.session.words, read.session.version)
    state = SessionState.opened(GAMES[opening.game], opening)
    for row in read.contents.events:
        state = state.record(from_log(row.type, row.body, row.words), row.version).state
    return state


def read_score(score: Score) -> tuple[Opening, Sequence[Event]]:
    """Read a session out of the round notation. Raises marshmallow.ValidationError."""
    opening: Opening = OpeningSchema().load(score.opening)
    events = ReportsSchema().load({"events": list(score.events)})["events"]
    return opening, checked_below("events", events, newest(opening.game))


def read_balances(text: str) -> list[tuple[str, int]]:
    """Read `name,balance` rows, with or without that header, in seat order.

    Raises marshmallow.ValidationError naming the rows.
    """
    try:
        read = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        raise ValidationError({"balances": [f"this is no CSV that can be read: {error}"]}) from None
    rows = [row for row in read if any(cell.strip() for cell in row)]
    if rows and [cell.strip().lower() for cell in rows[0]] == ["name", "balance"]:
        rows = rows[1:]
    people = [person_of(row) for row in rows]
    if wrong := [place for place, person in enumerate(people) if person is None]:
        detail = "a name and a whole number of chips are needed, as in Aki,-30"
        raise ValidationError({"balances": {place: [detail] for place in wrong}})
    return [person for person in people if person is not None]


def person_of(row: list[str]) -> tuple[str, int] | None:
    """Read one row: a name, and a whole number of at most nine digits; None if it is anything else."""
    match [cell.strip() for cell in row]:
        case [name, balance] if name and re.fullmatch(r"[+-]?[0-9]{1,9}", balance):
            return name, int(balance)
    return None
