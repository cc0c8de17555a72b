"""Letting in who may come: by a link that is looked for, or, where something is recorded, by one that is known.

Where the database is a server, looking for a link is a way there and back, as much as all that is recorded. So a report
is begun by the link as it was when it was last found, and the store makes sure of it in the very step that keeps the
report. Whatever else comes of it, a refusal, a dry run, an answer that was given before, is not told until the link was
looked for after all. So a link that was revoked is dead at once, whichever process it was revoked in.
"""

from __future__ import annotations

from collections.abc import Callable, Container

from flask import Response, g

from ledger.api.here import desk
from ledger.api.roles import bearer
from ledger.store import LinkChanged, StoredLink, StoreTrouble


def let_in(
    answer: Callable[[], Response], session_id: str, roles: Container[str], *, records: bool = False
) -> Response:
    """Answer who has a live link to a session that may do this, which `g.link` is then; `records` says what for.

    Raises NotAdmitted, NotThere, RoleTooSmall.
    """
    if records and (link := desk().believe(session_id, bearer(), roles)):
        g.link = g.unsure = link
        try:
            response = answer()
        except LinkChanged:
            pass  # nothing was kept: it is done by the link as it is, if there still is one
        except StoreTrouble:
            raise  # which says nothing of the session, and who cannot be asked now cannot be asked again
        except Exception:
            if unsure_link() is not None:
                looked_for(session_id, roles)
            raise
        else:
            if unsure_link() is None or looked_for(session_id, roles) == link:
                return response
    g.unsure, g.link = None, looked_for(session_id, roles)
    return answer()


def looked_for(session_id: str, roles: Container[str]) -> StoredLink:
    """Look for the link that a request brings along."""
    return desk().admit(session_id, bearer(), roles)


def unsure_link() -> StoredLink | None:
    """Give the link of this request, if nobody has made sure of it yet."""
    found: StoredLink | None = g.get("unsure")
    return found


def link_is_sure() -> None:
    """Be told that something was recorded by the link of this request, and it was as it was known."""
    g.unsure = None
