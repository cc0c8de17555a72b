"""Making sure that a session is whole: nothing lost, doubled or torn, the chain and the books as they have to be."""

from __future__ import annotations

from typing import NamedTuple

from ledger.accounting.books import AUDITS, Entry, audit
from ledger.codec.hash_chain import row_hash
from ledger.services.verification import verify
from ledger.storage.address import open_store
from ledger.storage.stored import Head, StoredEvent
from tests.databases import Where


class Whole(NamedTuple):
    """What is in the log and in the books of a session that is whole."""

    rows: list[StoredEvent]
    entries: list[Entry]


def whole(database: Where, session_id: str) -> Whole:
    """Make sure that a session is whole, and give what is in it."""
    store = open_store(database)
    assert list(store.engine.damage()) == []
    session = store.session(session_id)
    rows, entries = list(store.events(session_id)), list(store.entries(session_id))
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    head = row_hash(b"", *session.hashed)
    for row in rows:
        head = row_hash(head, *row.hashed)
        assert row.hash == head, row
    assert store.head(session_id) == Head(len(rows), head)
    assert [entry.id for entry in entries] == list(range(1, len(entries) + 1))
    assert {entry.seq for entry in entries} <= {row.seq for row in rows}
    assert audit(entries, store.balances(session_id), AUDITS) == ()
    assert verify(store, session_id).findings == ()
    store.engine.close()
    return Whole(rows, entries)
