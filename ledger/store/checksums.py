"""Checksums of the rows that nothing else covers: links, what is kept of idempotency keys, and words.

Events are covered by the chain of hashes, entries and balances by being worked out again, words by the digests in the
chain until they are forgotten. For the rest each row has a checksum of its other columns, in `sum`: it tells a bit
that has tipped over, or a hand that did not know of it, from what was written; somebody who means it can make it anew.
A row of a release that knew no checksums, recorded while the schema was brought up to date, has none.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

COVERED: Mapping[str, tuple[str, ...]] = {
    "sessions": ("id", "deleted_at", "moving"),
    "words": ("session", "seq", "place", "salt", "text"),
    "links": (
        "session",
        "number",
        "id",
        "role",
        "label",
        "token_hash",
        "created_at",
        "expires_at",
        "revoked_at",
        "salt",
    ),
    "replies": ("session", "key", "request", "first_seq", "last_seq", "recorded_at"),
    "made": ("key", "request", "session", "seq", "link", "made_at"),
    "days": ("number", "day"),
}
"""Which columns a row's checksum covers, by table. The rest of a session's row is covered by its chain."""


def row_sum(*values: str | int | bytes | None) -> int:
    """Work out the checksum of a row: a CRC-32 of its values in order, each with its kind and length before it."""
    found = 0
    for value in values:
        match value:
            case None:
                kind, stored = b"-", b""
            case bytes():
                kind, stored = b"b", value
            case int():
                kind, stored = b"i", b"%d" % value
            case _:
                kind, stored = b"t", value.encode("utf-8", "surrogatepass")
        found = zlib.crc32(b"%b%d:%b" % (kind, len(stored), stored), found)
    return found
