"""Who may do what: the token of a request, the link that it is of, roles, and the operator's key."""

from __future__ import annotations

import hmac
from collections.abc import Container

from flask import g, request

from ledger.access import NotAdmitted, Token
from ledger.api.here import config, desk
from ledger.api.rates import WRONG_TOKENS, not_too_often
from ledger.storage.records import ROLES, Role

ALL = ROLES
SCORERS: tuple[Role, ...] = ("owner", "scorer")
OWNER: tuple[Role, ...] = ("owner",)


def authenticate(session_id: str, roles: Container[str]) -> None:
    """Find the link of a request to a session, which may do this: `g.link`.

    Raises NotAdmitted, NotFound, RoleTooSmall.
    """
    g.link = desk().access.link(session_id, Token.read(bearer() or ""), roles)


def bearer() -> str | None:
    """Read the token of the `Authorization` header, if there is one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() or None if scheme.lower() == "bearer" else None


def may_open() -> None:
    """Let in who may open sessions: anyone, until the operator sets a key. Raises NotAdmitted, TooManyRequests.

    Who came with too many wrong ones is refused before theirs is compared, so that guessing on tells them nothing.
    """
    key = config().opening_key
    if not key:
        return
    not_too_often(WRONG_TOKENS, only_look=True)
    if not hmac.compare_digest(key.encode(), (bearer() or "").encode("utf-8", "surrogatepass")):
        raise NotAdmitted
