"""Who may do what: the token of a request, the link that it is of, roles, and the operator's key.

A store may have links in memory: where the database is a server, finding one takes a way there and back, as much as all
that is recorded. Then a report is recorded by the link as it was when it was last found, and the store verifies it in
the very step that keeps the report. Whatever else comes of a request, a refusal, a dry run, an answer that was given
before, is not sent until the link was looked for after all. So a link that was revoked is dead at once, whichever
process it was revoked in.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Container

from flask import Response, g, request

from ledger.access import NotAdmitted, Token
from ledger.api.here import config, desk
from ledger.api.rates import WRONG_TOKENS, not_too_often
from ledger.store import ROLES, LinkChanged, Role, StoreTrouble

ALL = ROLES
SCORERS: tuple[Role, ...] = ("owner", "scorer")
OWNER: tuple[Role, ...] = ("owner",)


def authenticate(session_id: str, roles: Container[str], answer: Callable[[], Response], *, records: bool) -> Response:
    """Answer a request whose link to a session may do this; it is `g.link` then. `records` says what for.

    Raises NotAdmitted, NotThere, RoleTooSmall.
    """
    access, token = desk().access, Token.read(bearer() or "")
    if records and (link := access.cached_link(session_id, token, roles)):
        g.link = g.unverified_link = link
        try:
            response = answer()
        except LinkChanged:
            pass  # nothing was kept: it is done by the link as it is, if there still is one
        except StoreTrouble:
            raise  # which says nothing of the session, and who cannot be asked now cannot be asked again
        except Exception:
            if g.unverified_link is not None:
                access.link(session_id, token, roles)
            raise
        else:
            if g.unverified_link is None or access.link(session_id, token, roles) == link:
                return response
    g.unverified_link, g.link = None, access.link(session_id, token, roles)
    return answer()


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
