"""What may be kept of an answer, by whom, and how it is asked whether it still holds.

What is read of a session may be kept by who asked for it, who then asks each time whether it still holds: `by_seq` and
its like say in a few characters what the answer depends on, without making it. The ETag is what they say. It is looked
at before the answer is made, so what comes in between can only make an answer newer than its tag.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from flask import Response, request

from ledger.api.here import desk

IF_NONE_MATCH = {
    "If-None-Match": {"description": "The ETag of an earlier answer: if nothing has changed since, the answer is 304."}
}
NOT_MODIFIED = {304: "Nothing has changed since"}


def expected() -> Callable[[int], bool]:
    """Give what tells of a seq whether `If-Match` names it, compared weakly."""
    asked = request.if_match
    return lambda seq: asked.contains_weak(str(seq))


Stamp = Callable[[str], str]
"""Says what an answer about a session depends on."""


class CachePolicy(NamedTuple):
    """The `Cache-Control` of an answer, and what it depends on, if that is known before it is made."""

    control: str
    stamp: Stamp | None = None
    by_body: bool = False

    @property
    def has_tag(self) -> bool:
        """Whether an answer has an ETag."""
        return self.by_body or self.stamp is not None


def by_seq(session_id: str) -> str:
    """Say where the log ends: whatever is told of a session follows from that."""
    return str(desk().head(session_id).seq)


def by_links(session_id: str) -> str:
    """Say which links there are, and which of them have been revoked."""
    return digest(repr(desk().store.links(session_id)).encode())


def digest(told: bytes) -> str:
    """Give a few characters that other bytes will not have."""
    return hashlib.blake2b(told, digest_size=8).hexdigest()


def is_not_modified(tag: str) -> bool:
    """Whether `If-None-Match` names this tag, compared weakly."""
    return request.if_none_match.contains_weak(tag)


NO_STORE = CachePolicy("no-store")
"""A token is in it, or it is nobody else's business and old in a moment."""

PRIVATE = CachePolicy("private, no-cache")
"""By who asked, and not without asking again."""

PRIVATE_BY_SEQ = CachePolicy("private, no-cache", by_seq)
PRIVATE_BY_LINKS = CachePolicy("private, no-cache", by_links)

PUBLIC = CachePolicy("public, max-age=300", by_body=True)
"""By anyone: it is the same for all, and changes only with the release."""


def tagged(response: Response, tag: str | None = None) -> Response:
    """Tag an answer; one without a tag by its body, which is then left out for who has it already."""
    by_body = tag is None
    tag = tag or digest(response.get_data())
    response.headers["ETag"] = f'"{tag}"'
    if by_body and is_not_modified(tag):
        response.status_code = 304
        response.set_data(b"")
        del response.headers["Content-Length"], response.headers["Content-Type"]
    return response
