"""What a store keeps, and what it says of itself: plain records. Times are ISO 8601 in UTC."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, get_args

from ledger.books import Balances, Entry
from ledger.hash_chain import SaltedText
from ledger.records import Record, field


class StoredSession(Record):
    """A session as it was opened: `body` is JSON text, with digests in the `words`' places."""

    id: str
    body: str
    version: int
    created_at: str
    words: Mapping[str, SaltedText] = field(default_factory=dict)

    @property
    def hashed(self) -> tuple[str | int, ...]:
        """What the first hash of the chain covers."""
        return (self.body, self.version, self.created_at)


class StoredEvent(Record):
    """A row of the log: `body` is JSON text, with digests in the `words`' places."""

    seq: int
    type: str
    version: int
    body: str
    recorded_at: str
    recorded_by: str
    hash: bytes
    words: Mapping[str, SaltedText] = field(default_factory=dict)

    @property
    def hashed(self) -> tuple[str | int, ...]:
        """What of a row its hash covers."""
        return (self.seq, self.type, self.version, self.body, self.recorded_at, self.recorded_by)


def new_nonce() -> bytes:
    """Make the value that marks the rows of one append, so that it can be told from every other."""
    return secrets.token_bytes(12)


Role = Literal["owner", "scorer", "viewer"]

ROLES: tuple[Role, ...] = get_args(Role)
"""What the holder of a link may do."""


class StoredLink(NamedTuple):
    """A key to a session. Times are ISO 8601 in UTC; only the token's hash is kept.

    With its `salt` and the idempotency key that it was made with, the token can be worked out again.
    """

    id: str
    role: Role
    label: str | None
    token_hash: bytes
    created_at: str
    expires_at: str | None = None
    revoked_at: str | None = None
    salt: bytes | None = None


LinksCheck = Callable[[Sequence[StoredLink]], None]
"""Looks at the links of a session before one of them is changed, and raises if that may not be."""


class StoredReply(NamedTuple):
    """What a request with an idempotency key did: the digests of key and request, and the events it recorded."""

    key: bytes
    request: bytes
    first_seq: int
    last_seq: int
    recorded_at: str


class Made(NamedTuple):
    """What a request with an idempotency key made: the digests of key and request, the session at a seq, the link."""

    key: bytes
    request: bytes
    session: str
    seq: int
    link: str
    made_at: str


def timestamp(moment: datetime) -> str:
    """Write a moment as it is kept: ISO 8601 in UTC, to the second."""
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class Head(NamedTuple):
    """Where a session's log ends: the last seq (0 before the first event) and its hash."""

    seq: int
    hash: bytes


class Contents(NamedTuple):
    """What a session has that is brought in: its log and its books."""

    events: Sequence[StoredEvent] = ()
    entries: Sequence[Entry] = ()
    balances: Balances = MappingProxyType({})


NOTHING = Contents()


class Packed(NamedTuple):
    """All that is kept of one session, as it stood at one moment, to be kept elsewhere.

    What may be long comes as it is asked for, once and in order: events by seq, entries by id, replies by key. Links
    come oldest first, dead ones included; `made` is what was made in this session with keys that are still known.
    """

    session: StoredSession
    head: Head
    links: Sequence[StoredLink]
    balances: Balances
    made: Sequence[Made]
    events: Iterable[StoredEvent]
    entries: Iterable[Entry]
    replies: Iterable[StoredReply]


class Condition(NamedTuple):
    """What an operator wants to know of a database: which release of which engine keeps it, and how it stands there.

    `exists` is None where nobody could look. `warnings` name what is wrong, `notes` what is good to know of a database
    that is well.
    """

    engine: str
    release: str
    exists: bool | None
    bytes: int | None = None
    free_bytes: int | None = None
    pending_migrations: Sequence[str] = ()
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()


class Figures(NamedTuple):
    """How large a database and its write-ahead log are, how much room is left (all in bytes), and the last backup.

    What an engine does not know is None, as is the moment of a backup (ISO 8601 in UTC) before the first.
    """

    bytes: int | None
    wal_bytes: int | None
    free_bytes: int | None
    backed_up_at: str | None


class Damage(NamedTuple):
    """Something wrong with the engine's own files: in which table (`file`: in none), which row, and what."""

    table: str
    row: int | str
    what: str

    def __str__(self) -> str:
        return f"{self.table} {self.row}: {self.what}"
