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
from ledger.storage.store import Reader
from ledger.storage.stored import IdempotencyRecord

RETENTION = timedelta(hours=24)
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

    def find(self, reader: Reader) -> IdempotencyRecord | None:
        """Find the record of this request. Raises KeyReused if it is of another request."""
        record = reader.idempotency_record(*self.place)
        if record and record.request != self.fingerprint:
            raise KeyReused
        return record

    def check_not_processed(self, reader: Reader) -> None:
        """Make sure that this request was not processed before. Raises AlreadyProcessed, KeyReused."""
        if self.find(reader):
            raise AlreadyProcessed

    def record(
        self, session_id: str, last_seq: int, now: str, *, first_seq: int | None = None, link_id: str | None = None
    ) -> IdempotencyRecord:
        """Make the record of what this request does; `now` is ISO 8601 in UTC."""
        return IdempotencyRecord(*self.place, self.fingerprint, session_id, first_seq, last_seq, link_id, now)

    @property
    def place(self) -> tuple[str, bytes]:
        """Where the key is unique (in its session, or in the whole service), and its digest."""
        digest = hashlib.sha256(self.key.encode()).digest()
        return self.session_id or digest.hex(), digest

    def token(self, session_id: str, salt: bytes) -> str:
        """Derive the token of the link that was made with a salt."""
        secret = hmac.digest(self.key.encode(), b"token of a link" + salt, "sha256")
        return f"{session_id}.{base64.urlsafe_b64encode(secret).rstrip(b'=').decode()}"
