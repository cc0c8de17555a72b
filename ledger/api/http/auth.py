"""Authentication: the token of a request, its link and role; the operator's key for opening sessions."""

from __future__ import annotations

import hmac
from collections.abc import Container

from flask import g, request

from ledger.api.http.current import config, session_service
from ledger.api.http.rate_limits import WRONG_TOKENS, not_too_often
from ledger.services.access import NotAdmitted, Token
from ledger.storage.stored import ROLES, Role

ALL = ROLES
SCORERS: tuple[Role, ...] = ("owner", "scorer")
OWNER: tuple[Role, ...] = ("owner",)


def authenticate(session_id: str, roles: Container[str]) -> None:
    """Find the link of a request, which has one of the roles in its session: `g.link`.

    Raises NotAdmitted, NotFound, RoleTooSmall.
    """
    g.link = session_service().access.link(session_id, Token.read(bearer()), roles)


def bearer() -> str:
    """Read the token of the `Authorization` header; empty without one.

    Werkzeug's own `authorization` takes an opening key that has a `=` for parameters.
    """
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def may_open() -> None:
    """Require the operator's key, if one is set. Raises NotAdmitted, TooManyRequests.

    After too many wrong ones the key is not compared any more, so that further guesses say nothing.
    """
    key = config().opening_key
    if not key:
        return
    not_too_often(WRONG_TOKENS, only_look=True)
    if not hmac.compare_digest(key.encode(), bearer().encode("utf-8", "surrogatepass")):
        raise NotAdmitted
