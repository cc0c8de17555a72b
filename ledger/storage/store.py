"""The log and the books in a database: every statement, once, with named parameters, for every engine.

A `Reader` reads what is committed, a snapshot, or, as the `Log` of one session, within a transaction.
`Store.transaction` locks a session; what its `Log` writes is committed when the block ends, or rolled back if the block
raises. A transaction writes to one session only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from itertools import starmap
from math import inf
from typing import Any, Protocol, TypeVar

from msgspec.structs import astuple

from ledger.accounting.books import Balances, Entry
from ledger.codec.hash_chain import SaltedText
from ledger.cooperation import yielding
from ledger.records import replace
from ledger.storage.errors import AlreadyProcessed, NotFound
from ledger.storage.schema import TABLES
from ledger.storage.stored import (
    Condition,
    Damage,
    Head,
    IdempotencyRecord,
    SessionCopy,
    StoredEvent,
    StoredLink,
    StoredSession,
    Words,
)

T = TypeVar("T")
Row = tuple[Any, ...]
Query = Callable[..., list[Row]]
"""Runs a statement with its parameters, by name; gives the rows."""

PAGE = 500
"""How many rows are read at a time; between pages other requests get their turn."""

SESSION, EVENT, LINK, RECORD, ENTRY = (
    ", ".join(name for name in names if name != "words")
    for names in (
        StoredSession.__struct_fields__,
        StoredEvent.__struct_fields__,
        StoredLink.__struct_fields__,
        IdempotencyRecord._fields,
        Entry.__struct_fields__,
    )
)
"""The columns of each record, in the order of its fields."""

HEAD = "SELECT seq, hash FROM sessions WHERE id = :id"


class Connection(Protocol):
    """A connection within a transaction. `head` is that of the session that it locks: None if there is none."""

    head: Row | None

    def query(self, statement: str, **parameters: Any) -> list[Row]: ...
    def execute(self, statement: str, **parameters: Any) -> None: ...
    def insert(self, table: str, columns: str, rows: Sequence[Row]) -> None: ...


WasCommitted = Callable[[Query], bool]
"""Checks whether a transaction is committed whose COMMIT was not answered."""


class Engine(Protocol):
    """A database. Its driver's errors are raised as StoreErrors."""

    poll_seconds: float
    """How often a followed session is checked for commits of other processes."""

    def query(self, statement: str, **parameters: Any) -> list[Row]: ...  # reads what is committed
    def snapshot(self) -> AbstractContextManager[Query]: ...  # reads what is committed at one moment, in the block

    def transaction(
        self, was_committed: WasCommitted, session_id: str | None = None
    ) -> AbstractContextManager[Connection]:
        """Write, perhaps with a session locked: committed when the block ends, rolled back if it raises.

        A COMMIT whose answer is lost is checked once (`was_committed`). Raises StoreBusy if that cannot be known. The
        check may decide for other transactions that share the COMMIT, so it is false where nothing was written.
        """

    def prepare(self) -> None: ...  # makes or migrates the schema, one process at a time; raises StoreUnavailable
    def exists(self) -> bool: ...
    def is_ready(self) -> bool: ...  # whether the database answers and has the newest schema
    def condition(self) -> Condition: ...  # for an operator; changes nothing, and is not for a process that serves
    def damage(self) -> Sequence[Damage]: ...
    def backup(self, to: str) -> None: ...  # copies a snapshot of the database, which may be in use, to a new file

    def restore(self, backup: str, check: Callable[[Store], None]) -> str | None:
        """Put a copy of a backup in the database's place; give the path of the old database, if there was one.

        The copy is migrated and passed to `check` first, which raises to stop the restore. Raises StoreUnavailable if
        the database is in use.
        """

    def clean_up(self) -> None:
        """Remove overwritten and deleted data from the engine's files, unless another connection prevents it.

        It raises nothing, and is tried again within the hour.
        """

    def close(self) -> None: ...  # closes all connections; the next use opens new ones


class Reader:
    """All reads. For a session that does not exist nothing is given, where no NotFound is raised."""

    def __init__(self, query: Query) -> None:
        self._query = query

    def _all(self, kind: Callable[..., T], statement: str, **parameters: Any) -> list[T]:
        return [kind(*row) for row in self._query(statement, **parameters)]

    def _one(self, kind: Callable[..., T], statement: str, **parameters: Any) -> T | None:
        rows = self._query(statement, **parameters)
        return kind(*rows[0]) if rows else None

    def session(self, session_id: str) -> StoredSession:
        """Read a session as it was opened. Raises NotFound."""
        found = self._one(StoredSession, f"SELECT {SESSION} FROM sessions WHERE id = :id", id=session_id)
        if found is None:
            raise NotFound
        return replace(found, words=self._words(session_id, 0, 0)[0])

    def session_ids(self) -> list[str]:
        """List all sessions, oldest first, those of one second by id."""
        return self._all(str, "SELECT id FROM sessions ORDER BY created_at, id")

    def head(self, session_id: str) -> Head:
        """Read the head of a session's log. Raises NotFound."""
        if (head := self._one(Head, HEAD, id=session_id)) is None:
            raise NotFound
        return head

    def last_seqs(self, session_ids: Sequence[str]) -> dict[str, int]:
        """Give the last seqs of several sessions; a session that does not exist is left out."""
        names = {f"id{number}": session_id for number, session_id in enumerate(session_ids)}
        places = ", ".join(f":{name}" for name in names)
        return dict(self._query(f"SELECT id, seq FROM sessions WHERE id IN ({places})", **names)) if names else {}

    def _pages(self, statement: str, key: str, after: int, limit: int | None, **parameters: Any) -> Iterator[list[Row]]:
        """Read up to `limit` rows page by page; the next page begins after the last row's `key`, its first column."""
        statement = f"{statement} AND {key} > :after ORDER BY {key} LIMIT :count"
        left = inf if limit is None else limit
        while left > 0:
            count = int(min(PAGE, left))
            if rows := self._query(statement, after=after, count=count, **parameters):
                yield rows
            if len(rows) < count:
                return
            after, left = rows[-1][0], left - count

    def events(self, session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
        """Read rows of the log after a seq, oldest first, page by page."""
        statement = f"SELECT {EVENT} FROM events WHERE session_id = :id"
        for rows in self._pages(statement, "seq", after, limit, id=session_id):
            words = self._words(session_id, rows[0][0], rows[-1][0])
            yield from (StoredEvent(*(*row, words[row[0]])) for row in rows)

    def _words(self, session_id: str, first: int, last: int) -> defaultdict[int, dict[str, SaltedText]]:
        statement = (
            "SELECT seq, place, salt, text FROM words WHERE session_id = :id AND seq BETWEEN :first AND :last"
            " ORDER BY seq, place"
        )
        words = defaultdict[int, dict[str, SaltedText]](dict)
        for seq, place, salt, text in self._query(statement, id=session_id, first=first, last=last):
            words[seq][place] = SaltedText(salt, text)
        return words

    def words(self, session_id: str) -> Iterator[tuple[tuple[int, str], str]]:
        """Read all texts that people wrote in a session, each with its seq (0 for the opening) and place."""
        rows = self._query("SELECT seq, place, text FROM words WHERE session_id = :id", id=session_id)
        return (((seq, place), text) for seq, place, text in rows)

    def entries(
        self, session_id: str, *, after: int = 0, limit: int | None = None, account: str | None = None
    ) -> Iterator[Entry]:
        """Read entries after an id, oldest first, page by page; of all accounts, or of one."""
        statement, parameters = f"SELECT {ENTRY} FROM entries WHERE session_id = :id", {"id": session_id}
        if account is not None:
            statement += " AND (payer = :account OR payee = :account)"
            parameters["account"] = account
        for rows in self._pages(statement, "id", after, limit, **parameters):
            yield from starmap(Entry, rows)

    def balances(self, session_id: str) -> Balances:
        return dict(self._query("SELECT account, balance FROM balances WHERE session_id = :id", id=session_id))

    def links(self, session_id: str) -> list[StoredLink]:
        """List a session's links, oldest first, including revoked and expired ones."""
        return self._all(StoredLink, f"SELECT {LINK} FROM links WHERE session_id = :id ORDER BY number", id=session_id)

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        statement = f"SELECT {LINK} FROM links WHERE session_id = :id AND token_hash = :token_hash"
        return self._one(StoredLink, statement, id=session_id, token_hash=token_hash)

    def idempotency_record(self, scope: str, key: bytes) -> IdempotencyRecord | None:
        statement = f"SELECT {RECORD} FROM idempotency_records WHERE scope = :scope AND key = :key"
        return self._one(IdempotencyRecord, statement, scope=scope, key=key)

    def copy(self, session_id: str) -> SessionCopy:
        """Read everything of one session. Raises NotFound."""
        session, head = self.session(session_id), self.head(session_id)
        events, entries = list(yielding(self.events(session_id))), list(yielding(self.entries(session_id)))
        statement = f"SELECT {RECORD} FROM idempotency_records WHERE session_id = :id"
        records = sorted(self._all(IdempotencyRecord, statement, id=session_id))
        return SessionCopy(session, head, events, entries, self.links(session_id), records)

    def idle_sessions(self, since: str) -> list[str]:
        """List sessions that were opened, and last recorded in, before a moment."""
        return self._all(str, "SELECT id FROM sessions WHERE updated_at < :since", since=since)

    def last_used(self) -> str | None:
        """Give the moment of the newest event or opening in any session; None if there is no session."""
        moment: str | None = self._query("SELECT MAX(updated_at) FROM sessions")[0][0]
        return moment


class Log(Reader):
    """One session's log within a transaction that has the session locked. `end` is the log's head now."""

    def __init__(self, connection: Connection, session_id: str) -> None:
        super().__init__(connection.query)
        self._connection = connection
        self.session_id = session_id
        if connection.head is None:
            raise NotFound
        self.end = Head(*connection.head)
        self.was_committed: Callable[[Reader], bool] = lambda _reader: False  # nothing was written

    def append(
        self, events: Sequence[StoredEvent], entries: Sequence[Entry], record: IdempotencyRecord | None = None
    ) -> None:
        """Append events with their entries and the request's idempotency record. Raises AlreadyProcessed."""
        if record:
            insert_record(self._connection, record)
        insert_events(self._connection, self.session_id, events, entries)
        last = events[-1]
        self.end = Head(last.seq, last.hash)
        statement = "UPDATE sessions SET seq = :seq, hash = :hash, updated_at = :now WHERE id = :id"
        self._connection.execute(statement, id=self.session_id, seq=last.seq, hash=last.hash, now=last.recorded_at)
        self.was_committed = lambda reader: (
            [last.hash] == [row.hash for row in reader.events(self.session_id, after=last.seq - 1, limit=1)]
        )

    def overwrite(self, words: Mapping[tuple[int, str], str], labels: Mapping[str, str]) -> None:
        """Overwrite words, removing their salts, and the labels of links."""
        statement = (
            "UPDATE words SET text = :text, salt = :salt WHERE session_id = :id AND seq = :seq AND place = :place"
        )
        for (seq, place), text in words.items():
            self._connection.execute(statement, id=self.session_id, seq=seq, place=place, text=text, salt=b"")
        statement = "UPDATE links SET label = :label WHERE session_id = :id AND id = :link_id"
        for link_id, label in labels.items():
            self._connection.execute(statement, id=self.session_id, link_id=link_id, label=label)

    def add_link(self, link: StoredLink, record: IdempotencyRecord | None = None) -> None:
        """Add a link, with the request's idempotency record. Raises AlreadyProcessed."""
        if record:
            insert_record(self._connection, record)
        insert_links(self._connection, self.session_id, [link], len(self.links(self.session_id)) + 1)
        self.was_committed = lambda reader: link in reader.links(self.session_id)

    def revoke_link(self, link_id: str, revoked_at: str) -> None:
        statement = "UPDATE links SET revoked_at = :at WHERE session_id = :id AND id = :link_id"
        self._connection.execute(statement, id=self.session_id, link_id=link_id, at=revoked_at)
        self.was_committed = lambda reader: (
            (link_id, revoked_at) in {(link.id, link.revoked_at) for link in reader.links(self.session_id)}
        )

    def delete(self) -> None:
        """Delete the session and all its rows; the idempotency record of its opening stays until it expires."""
        for name, table in reversed([*TABLES.items()]):
            self._connection.execute(f"DELETE FROM {name} WHERE {table.session} = :id", id=self.session_id)
        self.was_committed = lambda reader: not reader.last_seqs([self.session_id])


class Store(Reader):
    """The log and the books. Each read sees what is committed by then."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine.query)
        self.engine = engine
        self.on_commit: Callable[[], None] = lambda: None

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        with self.engine.snapshot() as query:
            yield Reader(query)

    @contextmanager
    def transaction(self, session_id: str) -> Iterator[Log]:
        """Lock a session, and write to it. Raises NotFound, StoreBusy, StoreFull."""
        with self.engine.transaction(lambda query: log.was_committed(Reader(query)), session_id) as connection:
            log = Log(connection, session_id)
            yield log
        self.on_commit()

    def create_session(self, copy: SessionCopy, now: str) -> None:
        """Add a session with all its rows. Raises AlreadyProcessed, StoreBusy, StoreFull."""
        session, session_id = copy.session, copy.session.id
        with self.engine.transaction(lambda query: bool(Reader(query).last_seqs([session_id]))) as connection:
            for record in copy.records:
                insert_record(connection, record)
            row = (*astuple(session)[:-1], *copy.head, now)
            connection.insert("sessions", f"{SESSION}, seq, hash, updated_at", [row])
            insert_words(connection, session_id, {0: session.words})
            insert_events(connection, session_id, copy.events, copy.entries)
            insert_links(connection, session_id, copy.links, 1)
        self.on_commit()

    def delete_records(self, before: str) -> None:
        """Delete the idempotency records of openings and new links that were made before a moment."""
        condition = "link_id IS NOT NULL AND created_at < :before"
        if self._query(f"SELECT key FROM idempotency_records WHERE {condition} LIMIT 1", before=before):
            with self.engine.transaction(lambda _query: False) as connection:
                connection.execute(f"DELETE FROM idempotency_records WHERE {condition}", before=before)


def insert_record(connection: Connection, record: IdempotencyRecord) -> None:
    """Add an idempotency record; a concurrent one with its key waits for the commit. Raises AlreadyProcessed."""
    places = ", ".join(f":{name}" for name in IdempotencyRecord._fields)
    statement = f"INSERT INTO idempotency_records ({RECORD}) VALUES ({places}) ON CONFLICT DO NOTHING RETURNING key"
    if not connection.query(statement, **record._asdict()):
        raise AlreadyProcessed


def insert_events(
    connection: Connection, session_id: str, events: Sequence[StoredEvent], entries: Sequence[Entry]
) -> None:
    connection.insert("events", f"session_id, {EVENT}", [(session_id, *astuple(event)[:-1]) for event in events])
    connection.insert("entries", f"session_id, {ENTRY}", [(session_id, *astuple(entry)) for entry in entries])
    insert_words(connection, session_id, {event.seq: event.words for event in events})


def insert_words(connection: Connection, session_id: str, words: Mapping[int, Words]) -> None:
    """Add words by seq: 0 for the opening, otherwise the event's."""
    rows = [(session_id, seq, place, *text) for seq, texts in words.items() for place, text in texts.items()]
    connection.insert("words", "session_id, seq, place, salt, text", rows)


def insert_links(connection: Connection, session_id: str, links: Sequence[StoredLink], first: int) -> None:
    """Add links; `first` is the number of the first one among all that the session ever had."""
    rows = [(session_id, number, *astuple(link)) for number, link in enumerate(links, first)]
    connection.insert("links", f"session_id, number, {LINK}", rows)


def timestamp(moment: datetime) -> str:
    """Write a moment as it is stored: ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
