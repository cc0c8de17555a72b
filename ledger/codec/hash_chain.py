"""The hash chain over a session's log, and the digests that stand in it for people's words.

Each row's hash covers the row and the hash before it, back to the opening of the session, so a row that is changed,
dropped or moved by hand is found. What people write in their own words (names, notes, reasons) is not in the hashed
row itself: there stands a salted digest of it. Words and salt can therefore be forgotten, and the chain stays whole;
words that are still there are checked against their digest.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import NamedTuple

SALT_BYTES = 16


class SaltedText(NamedTuple):
    """A text in a person's own words, and the salt that its digest was made with."""

    salt: bytes
    text: str

    @property
    def digest(self) -> str:
        """The salted digest, in hex, that stands for the text in a hashed row."""
        return hmac.digest(self.salt, self.text.encode("utf-8", "surrogatepass"), "sha256").hex()


def salted(text: str) -> SaltedText:
    return SaltedText(secrets.token_bytes(SALT_BYTES), text)


def row_hash(before: bytes, *fields: str | int) -> bytes:
    """Give the SHA-256 of a row: of the hash before it and of its fields in order, each with its length before it."""
    digest = hashlib.sha256(before)
    for field in fields:
        stored = str(field).encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(stored) + stored)
    return digest.digest()
