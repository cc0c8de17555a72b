"""The rows of the database as records. Times are ISO 8601 in UTC, to the second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from ledger.accounting.books import Entry
from ledger.codec.hash_chain import SaltedText
from ledger.records import Record, field

Words = Mapping[str, SaltedText]
"""Texts that people wrote in a row, by place: `name`, `players/0`."""


class StoredSession(Record):
    """A session as it was opened: `body` is JSON text with digests in the places of `words`."""

    id: str
    body: str
    version: int
    created_at: str
    words: Words = field(default_factory=dict)

    @property
    def hashed(self) -> tuple[str | int, ...]:
        """The values that the first hash of the chain covers."""
        return (self.body, self.version, self.created_at)


class StoredEvent(Record):
    """A row of the log: `body` is JSON text with digests in the places of `words`."""

    seq: int
    type: str
    version: int
    body: str
    recorded_at: str
    recorded_by: str
    hash: bytes
    words: Words = field(default_factory=dict)

    @property
    def hashed(self) -> tuple[str | int, ...]:
        """The values that its hash covers, besides the hash before it."""
        return (self.seq, self.type, self.version, self.body, self.recorded_at, self.recorded_by)


Role = Literal["owner", "scorer", "viewer"]

ROLES: tuple[Role, ...] = get_args(Role)
"""The roles of links."""


class StoredLink(Record):
    """A link to a session; of its token only the hash is stored.

    From `salt` and the idempotency key that it was made with, the token can be derived again.
    """

    id: str
    role: Role
    label: str | None
    token_hash: bytes
    created_at: str
    expires_at: str | None = None
    revoked_at: str | None = None
    salt: bytes | None = None


class IdempotencyRecord(NamedTuple):
    """What a request with an Idempotency-Key did; `key` and `request` are digests.

    `scope` is the session, or for an opening the key's digest in hex. A report recorded the events from `first_seq` to
    `last_seq`; an opening or a new link made `link_id`, when the session was at `last_seq`.
    """

    scope: str
    key: bytes
    request: bytes
    session_id: str
    first_seq: int | None
    last_seq: int
    link_id: str | None
    created_at: str


class Head(NamedTuple):
    """The end of a session's log: the last seq (0 before the first event) and its hash."""

    seq: int
    hash: bytes


class SessionCopy(NamedTuple):
    """Everything of one session, at one moment."""

    session: StoredSession
    head: Head
    events: Sequence[StoredEvent] = ()
    entries: Sequence[Entry] = ()
    links: Sequence[StoredLink] = ()
    records: Sequence[IdempotencyRecord] = ()


class Condition(NamedTuple):
    """A database's condition, for an operator.

    `exists` is None if the database cannot be reached. `warnings` are faults, `notes` are advice.
    """

    engine: str
    release: str
    exists: bool | None
    bytes: int | None = None
    free_bytes: int | None = None
    pending_migrations: Sequence[str] = ()
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()


class Damage(NamedTuple):
    """A fault of the database's own files: its table, its row, and what is wrong."""

    table: str
    row: int | str
    what: str

    def __str__(self) -> str:
        return f"{self.table} {self.row}: {self.what}"


ORPHAN = "it belongs to a session that is not there"
