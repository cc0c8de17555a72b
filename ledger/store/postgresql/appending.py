"""What is appended to a session's log, as one statement that holds only where the log ends as it is said to.

The statement takes the session's row first, waits for whoever has it, and adds nothing unless the row is then as it has
to be: so it is all or nothing with a transaction around it, and without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from psycopg import Connection
from psycopg.rows import TupleRow

from ledger.books import Balances, Entry
from ledger.store import Head, StoreBusy, StoredEvent, StoredLink, StoredReply, new_nonce
from ledger.store.checksums import row_sum

DB = Connection[TupleRow]

FEW_VALUES = 50
"""Up to so many are sent one by one; more of them as arrays, which cost more a column and less a row."""

KNOWN_LINK = "session = %s AND id = %s AND revoked_at IS NULL AND label IS NOT DISTINCT FROM %s"
"""What holds of a link that is as it was known, of which nothing else ever changes."""

STANDS = "id = %s AND seq = %s AND hash = %s AND deleted_at IS NULL AND moving IS NULL"
"""What holds of a session that may be written and whose log ends where it is said to."""


class Table(NamedTuple):
    """Where rows of a session are added: the columns behind `session`, with their types, and what to do instead."""

    name: str
    columns: Mapping[str, str]
    instead: str = ""

    def are_few(self, rows: int) -> bool:
        """Say whether the values of so many rows are sent one by one."""
        return rows * len(self.columns) <= FEW_VALUES

    def added(self, rows: int) -> str:
        """Give what adds so many rows, or any number if that is 0, to the session that is `taken`."""
        if rows == 0:
            given = f"unnest({', '.join(f'%s::{kind}[]' for kind in self.columns.values())})"
        else:
            first = ", ".join(f"%s::{kind}" for kind in self.columns.values())
            others = f", ({', '.join(['%s'] * len(self.columns))})" * (rows - 1)
            given = f"(VALUES ({first}){others})"
        into = f"INSERT INTO {self.name} (session, {', '.join(self.columns)})"
        return f"{into} SELECT taken.id, new.* FROM taken, {given} AS new {self.instead}"

    def values(self, rows: Sequence[Sequence[object]]) -> Iterable[object]:
        """Give rows as the statement wants them that adds them."""
        if self.are_few(len(rows)):
            return chain.from_iterable(rows)
        return map(list, zip(*rows, strict=True))


EVENTS = Table(
    "events",
    {
        "seq": "bigint",
        "type": "text",
        "version": "bigint",
        "body": "text",
        "recorded_at": "text",
        "recorded_by": "text",
        "hash": "bytea",
        "nonce": "bytea",
    },
)
WORDS = Table("words", {"seq": "bigint", "place": "text", "salt": "bytea", "text": "text", "sum": "bigint"})
ENTRIES = Table(
    "entries", {name: "text" if name in {"payer", "payee", "reason"} else "bigint" for name in Entry._fields}
)
BALANCES = Table(
    "balances",
    {"account": "text", "balance": "bigint"},
    "ON CONFLICT (session, account) DO UPDATE SET balance = excluded.balance",
)
REPLIES = Table(
    "replies",
    {
        "key": "bytea",
        "request": "bytea",
        "first_seq": "bigint",
        "last_seq": "bigint",
        "recorded_at": "text",
        "sum": "bigint",
    },
)
APPENDED = (EVENTS, WORDS, ENTRIES, BALANCES, REPLIES)


@lru_cache(1_000)
def appending(few: tuple[int | None, ...], *, by_a_link: bool) -> str:
    """Give the statement that moves a session on and adds rows to each of the tables; it finds the session, or nothing.

    `few` says how many rows: 0 for any number, None for none at all. Whoever records needs few such statements, again
    and again, so the server need not read them each time.
    """
    stands = f"{STANDS} AND EXISTS (SELECT FROM links WHERE {KNOWN_LINK})" if by_a_link else STANDS
    parts = [f"taken AS (UPDATE sessions SET seq = %s, hash = %s WHERE {stands} RETURNING id)"]
    for table, rows in zip(APPENDED, few, strict=True):
        if rows is not None:
            parts.append(f"{table.name}_added AS ({table.added(rows)})")
    return f"WITH {', '.join(parts)} SELECT 1 FROM taken"


def summed(session_id: str, *values: str | int | bytes | None) -> Sequence[object]:
    """Give the values of a session's row with their checksum behind them."""
    return (*values, row_sum(session_id, *values))


class Appended:
    """What is appended to a log that ends where `began` says, and is not sent yet. `head` is where it ends then.

    Its rows have a `nonce`. With `by`, it is added only if that link is as it is known.
    """

    def __init__(
        self, session_id: str, began: Head, *, nonce: bytes | None = None, by: StoredLink | None = None
    ) -> None:
        self.session = session_id
        self.began = self.head = began
        self.nonce = nonce or new_nonce()
        self._by = by
        self._rows: list[list[Sequence[object]]] = [[] for _ in APPENDED]
        self._balances: dict[str, int] = {}

    def append(
        self,
        events: Sequence[StoredEvent],
        entries: Sequence[Entry],
        balances: Balances,
        reply: StoredReply | None = None,
    ) -> None:
        """Add rows to the log, entries to the books, and set the balances given."""
        session = self.session
        into_events, into_words, into_entries, _, into_replies = self._rows
        for e in events:
            into_events.append((*e.hashed, e.hash, self.nonce))
            into_words += [summed(session, e.seq, place, *word) for place, word in e.words.items()]
        into_entries += entries
        self._balances.update(balances)
        if reply:
            into_replies.append(summed(session, *reply))
        if events:
            self.head = Head(events[-1].seq, events[-1].hash)

    def __bool__(self) -> bool:
        """Say whether there is anything to send."""
        return bool(self._balances) or any(self._rows)

    def may_be_added(self, db: DB) -> bool:
        """Say whether nothing but where the log ends can keep it from being added."""
        return self._by is None or has_link(db, self.session, self._by)

    def is_kept(self, db: DB) -> bool:
        """Say whether the last of the events lies in the database; not so, if there are none."""
        return self.head != self.began and is_ours(db, self.session, self.head, self.nonce)

    def sent(self, db: DB) -> bool:
        """Send it, all of it or nothing; False if the session does not stand as it did when this began."""
        self._rows[APPENDED.index(BALANCES)] = list(self._balances.items())
        few: list[int | None] = []
        values: list[object] = [*self.head, self.session, *self.began]
        if self._by is not None:
            values += known(self.session, self._by)
        for table, rows in zip(APPENDED, self._rows, strict=True):
            few.append((len(rows) if table.are_few(len(rows)) else 0) if rows else None)
            values += table.values(rows)
        # as texts, whose type follows from where they stand: numbers of other sizes would be another statement
        told = [str(value) if type(value) is int else value for value in values]
        statement = appending(tuple(few), by_a_link=self._by is not None)
        return db.execute(statement, told, prepare=True).fetchone() is not None


def is_ours(db: DB, session_id: str, head: Head, nonce: bytes) -> bool:
    """Say whether a session's log has the event that is the last at a head, from the append with this nonce.

    The hash alone does not tell: two reports that say the same, with no words in them, by the same link and in the same
    second, have one hash if each was to go on from the same event.

    Raises StoreBusy if that is not known: the session is not here any more, and may have been moved away with that
    event, or the event has no nonce, as it was moved here, or recorded by a release that knew none.
    """
    found = db.execute("SELECT hash, nonce FROM events WHERE session = %s AND seq = %s", (session_id, head.seq))
    row = found.fetchone()
    if row is None:
        make_sure_it_is_here(db, session_id)
        return False
    if row == (head.hash, None):
        raise StoreBusy
    return bool(row[1] == nonce)


def make_sure_it_is_here(db: DB, session_id: str) -> None:
    """Raise StoreBusy if a session is not here any more: what became of it may be told by where it was moved to."""
    if db.execute("SELECT 1 FROM sessions WHERE id = %s AND deleted_at IS NULL", (session_id,)).fetchone() is None:
        raise StoreBusy


def has_link(db: DB, session_id: str, link: StoredLink) -> bool:
    """Say whether a session has a link as it was known."""
    found = db.execute(f"SELECT 1 FROM links WHERE {KNOWN_LINK}", known(session_id, link))
    return found.fetchone() is not None


def known(session_id: str, link: StoredLink) -> Sequence[object]:
    """Give the values that tell how a link is known."""
    return (session_id, link.id, link.label)


def stands_at(db: DB, session_id: str, head: Head) -> bool:
    """Say whether a session may be written, and its log ends there."""
    found = db.execute(f"SELECT 1 FROM sessions WHERE {STANDS}", (session_id, *head))
    return found.fetchone() is not None
