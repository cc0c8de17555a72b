"""Conditional requests and cache policy: ETag with If-None-Match, If-Match, Cache-Control.

The ETag of what is read of a session says what the answer depends on: by it, the answer need not be made to find out
that the client has it. It is read before the answer is made, so an answer can only be newer than its tag.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

from flask import Response, request

from ledger.api.http.current import session_service


def if_match() -> Callable[[int], bool] | None:
    """Give the test of a seq by `If-Match`, compared weakly; None without that header."""
    tags = request.if_match
    return (lambda seq: tags.contains_weak(str(seq))) if "If-Match" in request.headers else None


def is_not_modified(tag: str) -> bool:
    """Whether `If-None-Match` names this tag, compared weakly."""
    return request.if_none_match.contains_weak(tag)


def digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=8).hexdigest()


class CachePolicy(NamedTuple):
    """The `Cache-Control` of an answer, and its ETag: `tag_of` a session, a digest of the body, or the view's own."""

    control: str
    tag_of: Callable[[str], str] | None = None
    by_body: bool = False
    by_view: bool = False


NO_STORE = CachePolicy("no-store")
"""For answers with a token, and for what is outdated in a moment."""
PRIVATE = CachePolicy("private, no-cache")
PRIVATE_BY_SEQ = PRIVATE._replace(tag_of=lambda id_: str(session_service().store.head(id_).seq))
PRIVATE_BY_LINKS = PRIVATE._replace(tag_of=lambda id_: digest(repr(session_service().store.links(id_)).encode()))
PRIVATE_BY_VIEW = PRIVATE._replace(by_view=True)
PUBLIC = CachePolicy("public, max-age=300", by_body=True)
"""For what is the same for all and changes only with the release."""


def tagged_by_body(response: Response) -> Response:
    """Tag a response by a digest of its body, which is left out if the client has it."""
    tag = digest(response.get_data())
    response.headers["ETag"] = f'"{tag}"'
    if is_not_modified(tag):
        response.status_code = 304
        response.set_data(b"")
        del response.headers["Content-Length"], response.headers["Content-Type"]
    return response
