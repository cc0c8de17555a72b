"""Links: who may do what in a session."""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.answers.encoding import ABSENT, Absent
from ledger.store import Role, StoredLink


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A key to a session. The token is shown once, when the link is made."""

    id: str
    role: Role
    label: str | None
    created_at: str
    expires_at: str | None
    revoked_at: str | Absent | None = field(default=ABSENT, metadata={"description": "in the list of all links"})
    token: str | Absent = field(default=ABSENT, metadata={"description": "only in the answer that makes the link"})


def link_answer(link: StoredLink, token: str | None = None, *, listed: bool = False) -> Link:
    """Give a link; the token only to whom it was just made for, and in a list when it was revoked."""
    return Link(
        id=link.id,
        role=link.role,
        label=link.label,
        created_at=link.created_at,
        expires_at=link.expires_at,
        revoked_at=link.revoked_at if listed else ABSENT,
        token=ABSENT if token is None else token,
    )
