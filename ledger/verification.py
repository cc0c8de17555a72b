"""Checking that a session is what was recorded: the chain of hashes, the words, the books, all worked out again.

Nothing is taken from what the service remembers. The log is read row by row; each row's hash has to follow from the one
before, each word has to match its digest, each event has to fold as it did, and the entries, the balances and what
corrections said they changed have to come out again byte for byte. A hand in the database is found by at least one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import orjson
from marshmallow import ValidationError

from ledger.answers.corrections import changes_answer
from ledger.answers.encoding import plain
from ledger.books import BooksDoNotBalance, Entry, audit
from ledger.games import GAMES
from ledger.hash_chain import SaltedText, canonical, row_hash
from ledger.history import SessionState
from ledger.play import PlayerId, Refused, event_type
from ledger.session import Correction, PlayerErased
from ledger.store import Contents, Store, StoredEvent, StoredSession
from schemas.events import from_log, places_of_words
from schemas.sessions import opening_from_log, places_in_opening

ERASURE = event_type(PlayerErased)
UNREADABLE = (ValidationError, LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What reading a row can end in that a hand wrote."""


class Finding(NamedTuple):
    """A row that is not as it should be: in which table, which one, and what is wrong with it."""

    table: str
    row: int | str
    what: str


class Verified(NamedTuple):
    """What checking a session gave. `findings` is empty if all is well; the first is the first row that differs.

    `head` is the hash that the chain ends with, in hex: noted elsewhere, it proves later that nothing was cut off.
    """

    events: int
    entries: int
    forgotten: int
    head: str
    findings: tuple[Finding, ...]


def verify(store: Store, session_id: str) -> Verified:
    """Check a session. Raises KeyError if there is none."""
    with store.at_one_moment():
        stored, head = store.session(session_id), store.head(session_id)
        rows, entries = list(store.events(session_id)), list(store.entries(session_id))
        contents = Contents(rows, entries, store.balances(session_id))
    if stored is None or head is None:
        raise KeyError(session_id)
    findings = tuple(check(stored, head, contents))
    words = [*stored.words.values(), *(said for row in rows for said in row.words.values())]
    forgotten = sum(not said.salt for said in words)
    return Verified(len(rows), len(entries), forgotten, head.hash.hex(), findings)


def check(stored: StoredSession, head: tuple[int, bytes], contents: Contents) -> Iterator[Finding]:
    """Make every check, the chain first. What does not fit the chain is looked at no further."""
    rows, entries, balances = contents
    broken = list(check_chain(row_hash(b"", *stored.sealed), rows, head))
    yield from broken
    if broken:
        return
    try:
        yield from check_words(stored, rows)
        opening = opening_from_log(stored.body, stored.words, stored.version)
        yield from check_books(SessionState.opened(GAMES[opening.game], opening), rows, entries, balances)
    except UNREADABLE as error:
        yield Finding("sessions", "all", f"cannot be read: {type(error).__name__} {error}"[:300])


def check_chain(first: bytes, rows: Sequence[StoredEvent], head: tuple[int, bytes]) -> Iterator[Finding]:
    """Every row follows the one before, in number and in hash, and the session ends where its log does."""
    before = first
    for number, row in enumerate(rows, 1):
        if row.seq != number:
            yield Finding("events", number, f"missing; event {row.seq} stands in its place")
            return
        if row.hash != row_hash(before, *row.sealed):
            yield Finding("events", row.seq, "its hash does not follow from the row and the hash before it")
            return
        before = row.hash
    if head != (len(rows), before):
        yield Finding("sessions", head[0], f"the session should end with event {len(rows)} and its hash")


def check_words(stored: StoredSession, rows: Sequence[StoredEvent]) -> Iterator[Finding]:
    """What people wrote is what they wrote then, wherever they did; or it was forgotten on purpose, with a person."""
    erased = [orjson.loads(row.body)["player"] for row in rows if row.type == ERASURE]
    opening = orjson.loads(stored.body)
    yield from check_words_of(0, opening, stored.words, places_in_opening(opening), erased)
    for row in rows:
        body = orjson.loads(row.body)
        yield from check_words_of(row.seq, body, row.words, places_of_words(row.type, body), erased)


def check_words_of(
    seq: int, body: Any, words: Mapping[str, SaltedText], places: Iterable[str], erased: Iterable[PlayerId]
) -> Iterator[Finding]:
    """One row has its words, and no others. In place of what was forgotten stands the id of somebody erased."""
    expected = set(places)
    for place in sorted({*words, *expected}):
        said = words.get(place)
        if said is None:
            yield Finding("words", f"{seq}/{place}", "missing")
        elif place not in expected:
            yield Finding("words", f"{seq}/{place}", "no text belongs there")
        elif said.salt and said.digest != value_at(body, place):
            yield Finding("words", f"{seq}/{place}", "the text is not the one that was recorded")
        elif not said.salt and not any(player in said.text for player in erased):
            yield Finding("words", f"{seq}/{place}", "the salt is gone, and nobody was erased who could stand there")


def value_at(body: Any, place: str) -> Any:
    """Find what stands at a place of a body."""
    for step in place.split("/"):
        body = body[int(step)] if isinstance(body, list) else body[step]
    return body


def check_books(
    state: SessionState, rows: Sequence[StoredEvent], entries: Sequence[Entry], balances: Mapping[str, int]
) -> Iterator[Finding]:
    """Every event folds as it did; entries, balances and told changes come out the same; the books pass every audit."""
    worked_out: list[Entry] = []
    for row in rows:
        try:
            recorded = state.record(from_log(row.type, row.body, row.words), row.version)
        except (Refused, BooksDoNotBalance, *UNREADABLE) as error:
            yield Finding("events", row.seq, f"it does not fold: {error}"[:300])
            return
        changes = None
        if isinstance(recorded.row.event, Correction):
            changes = canonical(plain(changes_answer(state, recorded.state, recorded.entries)))
        if (recorded.row.round, changes) != (row.round, row.changes):
            yield Finding("events", row.seq, "its round, or what it says it changed, does not come out again")
            return
        worked_out += recorded.entries
        state = recorded.state
    for number, (kept, expected) in enumerate(zip_longest(entries, worked_out), 1):
        if kept != expected:
            yield Finding("entries", number, f"it should be {expected}, and is {kept}")
            return
    for account in sorted({*balances, *state.balances}):
        kept_balance, should = balances.get(account), state.balances.get(account)
        if kept_balance != should:
            yield Finding("balances", account, f"it should be {should}, and is {kept_balance}")
    yield from (Finding("entries", "all", what) for what in audit(entries, balances))
