"""Checking that a session is what was recorded: the chain of hashes, the words, the books, all worked out again.

Nothing is taken from what the service remembers. The log is read row by row; each row's hash has to follow from the one
before, each word has to match its digest, each event has to fold as it did, and the entries, the balances and what
corrections said they changed have to come out again byte for byte. A hand in the database is found by at least one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

import orjson

from ledger.books import Doubt, Entry, audit
from ledger.evening import Evening
from ledger.games import GAMES
from ledger.play import Refused
from ledger.seal import Word, canonical, row_hash
from ledger.session import Correction
from ledger.store import Store, StoredEvent
from schemas.corrections import dump_changes
from schemas.events import from_log
from schemas.sessions import opening_from_log


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
    stored, head = store.session(session_id), store.head(session_id)
    if stored is None or head is None:
        raise KeyError(session_id)
    rows = list(store.events(session_id))
    entries = list(store.entries(session_id))
    findings = [*check_chain(row_hash(b"", *stored.sealed), rows, (head.seq, head.hash))]
    findings += check_words(0, stored.body, stored.words)
    for row in rows:
        findings += check_words(row.seq, row.body, row.words)
    if not findings:
        evening = Evening.opened(*opened(stored))
        findings += check_books(evening, rows, entries, store.balances(session_id))
    words = [*stored.words.values(), *(said for row in rows for said in row.words.values())]
    forgotten = sum(not said.salt for said in words)
    return Verified(len(rows), len(entries), forgotten, head.hash.hex(), tuple(findings))


def opened(stored: Any) -> tuple[Any, Any]:
    """Read the rule books and the opening of a stored session."""
    opening = opening_from_log(stored.body, stored.words, stored.version)
    return GAMES[opening.game], opening


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


def check_words(seq: int, body: str, words: Mapping[str, Word]) -> Iterator[Finding]:
    """What people wrote is what they wrote then, or has been forgotten on purpose."""
    told = orjson.loads(body)
    for place, said in words.items():
        if said.salt and said.digest != value_at(told, place):
            yield Finding("words", f"{seq}/{place}", "the text is not the one that was recorded")


def value_at(body: Any, place: str) -> Any:
    """Find what stands at a place of a body, or None."""
    for step in place.split("/"):
        try:
            body = body[int(step)] if isinstance(body, list) else body[step]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return body


def check_books(
    evening: Evening, rows: Sequence[StoredEvent], entries: Sequence[Entry], balances: Mapping[str, int]
) -> Iterator[Finding]:
    """Every event folds as it did; entries, balances and told changes come out the same; the books pass every audit."""
    worked_out: list[Entry] = []
    for row in rows:
        try:
            recorded = evening.record(from_log(row.type, row.body, row.words), row.version)
        except (Refused, Doubt) as error:
            yield Finding("events", row.seq, f"it does not fold: {error}")
            return
        changes = None
        if isinstance(recorded.row.event, Correction):
            changes = canonical(dump_changes(evening, recorded.evening, recorded.entries))
        if (recorded.row.round, changes) != (row.round, row.changes):
            yield Finding("events", row.seq, "its round, or what it says it changed, does not come out again")
            return
        worked_out += recorded.entries
        evening = recorded.evening
    for number, (kept, expected) in enumerate(zip_longest(entries, worked_out), 1):
        if kept != expected:
            yield Finding("entries", number, f"it should be {expected}, and is {kept}")
            return
    for account in sorted({*balances, *evening.balances}):
        if balances.get(account, 0) != evening.balances.get(account, 0):
            should = evening.balances.get(account, 0)
            yield Finding("balances", account, f"it should be {should}, and is {balances.get(account, 0)}")
    yield from (Finding("entries", "all", what) for what in audit(entries, balances))
