"""Links: who may do what in a session."""

from __future__ import annotations

from typing import Annotated

from ledger.play.values import LinkId, Timestamp, Token
from ledger.records import UNSET, Meta, Record, UnsetType, convert
from ledger.storage.records import Role, StoredLink


class Link(Record, kw_only=True):
    """A key to a session. The token is shown once, when the link is made."""

    id: Annotated[LinkId, Meta(description="The link's id, as in its address.")]
    role: Annotated[Role, Meta(description="What the link lets its bearer do.")]
    label: Annotated[str | None, Meta(description="The link's label; null if it has none.")]
    created_at: Annotated[Timestamp, Meta(description="When the link was made, in UTC.")]
    expires_at: Annotated[Timestamp | None, Meta(description="When the link expires, in UTC; null if it does not.")]
    revoked_at: Annotated[
        Timestamp | UnsetType | None,
        Meta(description="When the link was revoked, in UTC; null if it was not. Only in the list of links."),
    ] = UNSET
    token: Annotated[Token | UnsetType, Meta(description="The token, only in the answer that makes the link.")] = UNSET


def link_answer(link: StoredLink, token: str | None = None, *, listed: bool = False) -> Link:
    """Give a link; the token only to whom it was just made for, and in a list when it was revoked."""
    return convert(Link, link, revoked_at=link.revoked_at if listed else UNSET, token=token or UNSET)
