"""Idempotency keys: a repeated request with the same key is answered again, and does nothing twice.

One mechanism serves reports, new sessions and new links: the record of what a request did is written in the same
transaction, with digests of the key and of the request. The token of a link is derived from the key and the link's
salt, so it can be given again; the database alone has neither the key nor the token.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from dataclasses import dataclass, field
from datetime import timedelta

from ledger.storage.errors import AlreadyProcessed
from ledger.storage.records import IdempotencyRecord
from ledger.storage.store import Reader

KEPT = timedelta(hours=24)
"""How long a request that makes a session or a link may be repeated; a report, as long as its session exists."""


class KeyReused(Exception):
    """This Idempotency-Key was used with another request; a new request needs a new key."""


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """The key of a request, its session (None for an opening), and the request's fingerprint.

    A key that makes a link must be too long to guess, as the link's token is derived from it.
    """

    key: str = field(repr=False)
    session_id: str | None
    fingerprint: bytes

    @property
    def digest(self) -> bytes:
        """The digest of the key, which is stored in its place."""
        return hashlib.sha256(self.key.encode()).digest()

    @property
    def scope(self) -> str:
        """Where the key is unique: in its session, or in the whole service."""
        return self.session_id or self.digest.hex()

    def find(self, reader: Reader) -> IdempotencyRecord | None:
        """Find the record of this request. Raises KeyReused if the record is of another one."""
        record = reader.idempotency_record(self.scope, self.digest)
        if record and record.request != self.fingerprint:
            raise KeyReused
        return record

    def record(
        self, session_id: str, last_seq: int, now: str, *, first_seq: int | None = None, link_id: str | None = None
    ) -> IdempotencyRecord:
        """Make the record of what this request does; `now` is ISO 8601 in UTC."""
        request = (self.scope, self.digest, self.fingerprint)
        return IdempotencyRecord(*request, session_id, first_seq, last_seq, link_id, now)

    def token(self, session_id: str, salt: bytes) -> str:
        """Derive the token of the link that was made with a salt."""
        secret = hmac.digest(self.key.encode(), b"token of a link" + salt, "sha256")
        return f"{session_id}.{base64.urlsafe_b64encode(secret).rstrip(b'=').decode()}"


def need_new(key: IdempotencyKey | None, reader: Reader) -> None:
    """Make sure that no request with this Idempotency-Key was processed before. Raises AlreadyProcessed, KeyReused."""
    if key and key.find(reader):
        raise AlreadyProcessed
