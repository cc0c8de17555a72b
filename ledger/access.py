"""Who may do what: links, their tokens, and the roles they give.

A link is a key to one session. Its token begins with the session's id, so that it is known where to look; the rest is
chance, and only its hash is kept. A request brings a token along, and is let in if the link is alive and its role will
do.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Container
from datetime import datetime

from ledger.store import Role, Store, StoredLink, timestamp


class NotThere(Exception):
    """There is nothing at this address, or it is not yours."""


class NotAdmitted(Exception):
    """A token is needed: `Authorization: Bearer <token>`, of a link that is alive."""


class RoleTooSmall(Exception):
    """This link may not do that."""


def new_link(
    session_id: str, role: Role, now: datetime, label: str | None = None, expires_at: datetime | None = None
) -> tuple[StoredLink, str]:
    """Make a link to a session; give it with its token, which is not kept."""
    token = f"{session_id}.{secrets.token_urlsafe(32)}"
    expires = None if expires_at is None else timestamp(expires_at)
    return StoredLink(secrets.token_hex(4), role, label, token_digest(token), timestamp(now), expires), token


def admitted(store: Store, session_id: str, token: str | None, roles: Container[str], now: datetime) -> StoredLink:
    """Find the link of somebody who may do this.

    Raises NotAdmitted for no or a dead token, NotThere for one of another session, RoleTooSmall.
    """
    home = home_of(token or "")
    link = store.link_with(home, token_digest(token)) if token else None
    if link is None or not is_alive(link, now):
        raise NotAdmitted
    if home != session_id:
        raise NotThere
    if link.role not in roles:
        raise RoleTooSmall
    return link


def is_alive(link: StoredLink, now: datetime) -> bool:
    """Say whether a link may still be used."""
    expired = link.expires_at is not None and datetime.fromisoformat(link.expires_at) <= now
    return link.revoked_at is None and not expired


def home_of(token: str) -> str:
    """Read off a token which session it opens."""
    return token.partition(".")[0]


def token_digest(token: str) -> bytes:
    """Give what is kept of a token. A token is random, so a plain hash does."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
