"""Access: links to sessions, their tokens, and the roles they give.

A link gives access to one session. Its token begins with the session's id; the rest is random, and only its hash is
stored. The link is read at every request, so a link that is revoked in one process is dead at once in all.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Container
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import NamedTuple

from ledger.i18n.sentences import Fault, Malformed, say
from ledger.records import replace
from ledger.services.idempotency_keys import IdempotencyKey
from ledger.session.refusals import LinksAreUsedUp, TooManyLinks
from ledger.storage.errors import NotFound
from ledger.storage.store import Store, timestamp
from ledger.storage.stored import Role, StoredLink

MAX_LINKS, MAX_LINKS_EVER = 100, 1_000
"""How many links to a session may be alive at a time, and how many may be made in all; dead ones stay stored."""


class NotAdmitted(Exception):
    """A token is needed: `Authorization: Bearer <token>`, of a link that is alive."""


class DeadTokens(Malformed):
    """Tokens in a body that open no session, each by its place."""


class RoleTooSmall(Exception):
    """This link may not do that."""


class LinkIsDead(Exception):
    """The link that this request made is dead by now: revoked, expired, or gone with its session. Use another key."""


class LastOwnerLink(Exception):
    """No other link owns this session: without it nobody could let others in or delete it. Say that this is meant."""


class Token(NamedTuple):
    """A token as it is looked up: by the session that it opens (`home`), and by its digest."""

    home: str
    digest: bytes

    @classmethod
    def read(cls, text: str) -> Token:
        """Read a token. It is random, so a plain hash is enough."""
        return cls(text.partition(".")[0], hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())


def new_link(session_id: str, role: Role, now: str, key: IdempotencyKey | None) -> tuple[StoredLink, str]:
    """Make a link to a session; give it with its token, which is not stored."""
    salt = secrets.token_bytes(16) if key else None
    token = key.token(session_id, salt) if key and salt else f"{session_id}.{secrets.token_urlsafe(32)}"
    return StoredLink(secrets.token_hex(4), role, None, Token.read(token).digest, now, salt=salt), token


class Access:
    """The links to the sessions of a store."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self.clock = clock

    def link(self, session_id: str, token: Token, roles: Container[str]) -> StoredLink:
        """Find the live link of a token that has one of the roles.

        Raises NotAdmitted for no or a dead link, NotFound for one of another session, RoleTooSmall.
        """
        link = self._store.link_with(token.home, token.digest) if token.home else None
        if link is None or not is_alive(link, self.clock()):
            raise NotAdmitted
        if token.home != session_id:
            raise NotFound
        if link.role not in roles:
            raise RoleTooSmall
        return link

    def live_tokens(self, session_id: str) -> AbstractSet[bytes]:
        """Give the digests of the tokens of all live links to a session."""
        now = self.clock()
        return {link.token_hash for link in self._store.links(session_id) if is_alive(link, now)}

    def add_link(
        self,
        session_id: str,
        role: Role,
        label: str | None,
        expires_at: datetime | None,
        key: IdempotencyKey | None = None,
    ) -> tuple[StoredLink, str]:
        """Add a link to a session; give it with its token, which is not stored.

        Raises NotFound, AlreadyProcessed, KeyReused, Malformed for a past expiry, TooManyLinks, LinksAreUsedUp.
        """
        now = self.clock()
        if expires_at and expires_at <= now:
            needed = say("a moment that is still to come is needed; it is {now} here", now=timestamp(now))
            raise Malformed(Fault("/expires_at", needed))
        link, token = new_link(session_id, role, timestamp(now), key)
        link = replace(link, label=label, expires_at=timestamp(expires_at) if expires_at else None)
        with self._store.transaction(session_id) as log:
            if key:
                key.check_not_processed(log)
            links = log.links(session_id)
            if len(links) >= MAX_LINKS_EVER:
                raise LinksAreUsedUp(at_most=MAX_LINKS_EVER)
            if sum(is_alive(each, now) for each in links) >= MAX_LINKS:
                raise TooManyLinks(at_most=MAX_LINKS)
            record = key.record(session_id, log.end.seq, timestamp(now), link_id=link.id) if key else None
            log.add_link(link, record)
        return link, token

    def revoke_link(self, session_id: str, link_id: str, *, even_if_last: bool = False) -> None:
        """Revoke a link. Raises NotFound, and LastOwnerLink if no other owner's link is alive now."""
        now = self.clock()
        with self._store.transaction(session_id) as log:
            links = log.links(session_id)
            if not any(link.id == link_id and link.revoked_at is None for link in links):
                raise NotFound
            owners = [link.id for link in links if link.role == "owner" and is_alive(link, now)]
            if owners == [link_id] and not even_if_last:
                raise LastOwnerLink
            log.revoke_link(link_id, timestamp(now))


def is_alive(link: StoredLink, now: datetime) -> bool:
    return link.revoked_at is None and (link.expires_at is None or datetime.fromisoformat(link.expires_at) > now)
