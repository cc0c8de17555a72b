"""Who may do what: links, their tokens, and the roles they give.

A link is a key to one session. Its token begins with the session's id, so that it is known where to look; the rest is
chance, and only its hash is kept. A request brings a token along, and is let in if the link is alive and its role will
do.

A request that makes a link may bring chance of its own along, its idempotency key, so that it can be repeated: then the
token follows from that key and from the link's salt. Whoever has only the database has neither.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from ledger.sentences import Fault, Malformed, say
from ledger.store import LinksCheck, NotThere, Role, Store, StoredLink, timestamp

MOST_LINKS, MOST_LINKS_EVER = 100, 1_000
"""How many links to a session may be alive at a time, and how many may be made in all; dead ones are kept, too."""


class OddsNotWanted(Exception):
    """This table has not asked to be told the chances; its owner can switch them on."""


class NotAdmitted(Exception):
    """A token is needed: `Authorization: Bearer <token>`, of a link that is alive."""


class DeadTokens(Malformed):
    """Tokens in a body that open no session, each by its place."""

    def __init__(self, places: Iterable[int]) -> None:
        needed = say("a token of a session is needed, of a link that is alive")
        super().__init__(*(Fault(f"/tokens/{place}", needed) for place in places))


class RoleTooSmall(Exception):
    """This link may not do that."""


class LinkIsDead(Exception):
    """The link that this request made is dead by now: revoked, expired, or gone with its session. Use another key."""


class LastOwnerLink(Exception):
    """No other link owns this session: without it nobody could let others in or delete it. Say that this is meant."""


@dataclass(frozen=True, slots=True)
class Once:
    """A request that is to be done once, however often it comes.

    `key` has to be too long to guess: it opens what the request makes. `scope` is where no other request has it, and
    `fingerprint` tells the request from others.
    """

    key: str = field(repr=False)
    scope: str
    fingerprint: bytes

    @property
    def digest(self) -> bytes:
        """What is kept of the key."""
        return hashlib.sha256(f"{self.scope}\n{self.key}".encode()).digest()

    def token(self, session_id: str, salt: bytes) -> str:
        """Give the token of the link that was made with a salt: the same whenever it is asked for."""
        secret = hmac.digest(self.key.encode(), b"token of a link" + salt, "sha256")
        return f"{session_id}.{base64.urlsafe_b64encode(secret).rstrip(b'=').decode()}"


def new_link(  # noqa: PLR0913 - all of it makes the link
    session_id: str,
    role: Role,
    now: datetime,
    label: str | None = None,
    expires_at: datetime | None = None,
    *,
    once: Once | None = None,
) -> tuple[StoredLink, str]:
    """Make a link to a session; give it with its token, which is not kept."""
    salt = secrets.token_bytes(16) if once else None
    token = once.token(session_id, salt) if once and salt else f"{session_id}.{secrets.token_urlsafe(32)}"
    expires = None if expires_at is None else timestamp(expires_at)
    link = StoredLink(
        secrets.token_hex(4), role, label, Token.read(token).digest, timestamp(now), expires_at=expires, salt=salt
    )
    return link, token


class Token(NamedTuple):
    """What a token says: which session it opens, and the digest that is kept of it."""

    home: str
    digest: bytes

    @classmethod
    def read(cls, text: str) -> Token:
        """Read a token. It is random, so a plain hash does."""
        return cls(text.partition(".")[0], hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest())


class Access:
    """Who has a live link to a session of a store. A clock that is set back makes no expired link alive again."""

    def __init__(self, store: Store, clock: Callable[[], datetime]) -> None:
        self._store = store
        self.clock = clock
        self._latest = datetime.min.replace(tzinfo=UTC)

    def latest_moment(self) -> datetime:
        """Give the latest moment that the clock has shown."""
        self._latest = max(self._latest, self.clock())
        return self._latest

    def cached_link(self, session_id: str, token: Token, roles: Container[str]) -> StoredLink | None:
        """Give the link of a token that may do this, if the store has it in memory; only writing by it verifies it."""
        link = self._store.known_link(session_id, token.digest)
        return link if link is not None and link.role in roles and is_alive(link, self.latest_moment()) else None

    def link(self, session_id: str, token: Token, roles: Container[str]) -> StoredLink:
        """Find the link of a token that may do this.

        A link that is found expired is revoked, so that it stays dead whatever the clock says after another start.
        Raises NotAdmitted for no or a dead token, NotThere for one of another session, RoleTooSmall.
        """
        home = token.home
        if not home or "\0" in home:  # no text is kept with it
            raise NotAdmitted
        link = self._store.link_with(home, token.digest)
        if link is None or link.revoked_at is not None:
            raise NotAdmitted
        now = self.latest_moment()
        if not is_alive(link, now):
            with suppress(Exception):  # it is dead all the same, and whoever tries it next may find the store less busy
                self._store.revoke_link(home, link.id, timestamp(now), patient=False)
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


def not_the_last_owner(link_id: str, now: datetime) -> LinksCheck:
    """Give what refuses to part with the last link of an owner that lives. Raises LastOwnerLink.

    Another that lives now is enough, also one that will expire: whoever has it can make another meanwhile.
    """

    def check(links: Sequence[StoredLink]) -> None:
        if [link.id for link in links if link.role == "owner" and is_alive(link, now)] == [link_id]:
            raise LastOwnerLink

    return check
