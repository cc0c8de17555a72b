"""What tests of the store work with: rows by number, writers in threads, and a check that nothing was lost or torn."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from typing import Any

from ledger.accounting.books import Entry
from ledger.codec.hash_chain import row_hash
from ledger.records import replace
from ledger.storage.address import open_store
from ledger.storage.errors import NotFound
from ledger.storage.store import Reader, Store
from ledger.storage.stored import Head, IdempotencyRecord, SessionCopy, StoredEvent, StoredLink, StoredSession

A, B = "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"
MOMENT, LATER = "2026-11-21T12:00:00Z", "2026-12-01T00:00:00Z"
FIRST, KEY = b"\x01" * 32, b"\x02" * 32
MANY = 1_203
"""More rows than are read at a time, and no round number of them."""


def opening(session_id: str, **fields: Any) -> StoredSession:
    return replace(StoredSession(session_id, '{"game":"shippin"}', 1, MOMENT), **fields)


def link(number: int = 1, **fields: Any) -> StoredLink:
    return replace(StoredLink(f"link{number}", "owner", None, bytes([number]) * 32, MOMENT), **fields)


def row(seq: int, **fields: Any) -> StoredEvent:
    made = StoredEvent(seq, "chips_moved", 1, "{}", MOMENT, "link1", bytes([seq % 256]) * 32)
    return replace(made, **fields)


def entry(number: int, seq: int = 1, amount: int = 1, **fields: Any) -> Entry:
    return replace(Entry(number, seq, None, "bank", "p1", amount, "buy_in", None), **fields)


def record(session_id: str = A, **fields: Any) -> IdempotencyRecord:
    """Say what a report did with its key."""
    return IdempotencyRecord(session_id, KEY, b"\x03" * 32, session_id, 1, 1, None, MOMENT)._replace(**fields)


def opened_with(session_id: str, **fields: Any) -> IdempotencyRecord:
    """Say what an opening did with its key."""
    return record(session_id, scope=KEY.hex(), first_seq=None, last_seq=0, link_id="link1")._replace(**fields)


def fresh(session_id: str, *rows: StoredEvent, **fields: Any) -> SessionCopy:
    """Give a session with a link and some rows."""
    head = Head(rows[-1].seq, rows[-1].hash) if rows else Head(0, FIRST)
    return SessionCopy(opening(session_id), head, rows, links=[link()])._replace(**fields)


@contextmanager
def prepared(address: str, busy_seconds: float = 20) -> Iterator[Store]:
    """Open a store with two sessions in which nothing has happened yet."""
    store = open_store(address, busy_seconds=busy_seconds)
    with closing(store.engine):
        store.engine.prepare()
        for session_id in (A, B):
            store.create_session(fresh(session_id), MOMENT)
        yield store


def append(store: Store, session_id: str, *rows: StoredEvent, entries: Sequence[Entry] = (), **key: Any) -> None:
    with store.transaction(session_id) as log:
        log.append(rows, entries, **key)


def append_next(store: Store, session_id: str) -> None:
    """Append a row as a report does: its number, its hash and its entry follow from what is there."""
    with store.transaction(session_id) as log:
        made = row(log.end.seq + 1)
        made = replace(made, hash=row_hash(log.end.hash, *made.hashed))
        log.append([made], [entry(made.seq, made.seq)])


def is_whole(store: Store, session_id: str, events: int) -> None:
    """Make sure that nothing of what `append_next` wrote was lost, doubled or torn."""
    rows, before = list(store.events(session_id)), FIRST
    for found in rows:
        assert found.hash == row_hash(before, *found.hashed)
        before = found.hash
    assert [found.seq for found in rows] == list(range(1, events + 1))
    assert [found.id for found in store.entries(session_id)] == list(range(1, events + 1))
    assert store.balances(session_id) == ({"p1": events, "bank": -events} if events else {})
    assert store.head(session_id) == Head(events, before)


def everything(reader: Reader, session_id: str) -> Sequence[object]:
    """All that is kept of a session: nothing at all if it is not there."""
    told: list[object] = [*reader.words(session_id), *reader.balances(session_id).items()]
    with suppress(NotFound):
        told.append(reader.copy(session_id))
    return told


def in_threads(*works: Callable[[], object]) -> None:
    """Do several things at once, and raise what any of them raised."""
    raised: list[BaseException] = []
    start = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        try:
            start.wait()
            work()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test has to see it
            raised.append(error)

    threads = [threading.Thread(target=run, args=[work], daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]
