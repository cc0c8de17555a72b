"""The links of sessions, in SQLite."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.store import LinksCheck, Made, StoredLink
from ledger.store.sqlite.log import LINK_COLUMNS, add_link, is_alive, keep_once, links_of
from ledger.store.sqlite.passages import head_to_write
from ledger.store.sqlite.sums import change_link
from ledger.store.sqlite.whole import Whole

AT_ONCE = 20
"""How many links that have expired are made dead at a time."""


class Links(Whole):
    """The part of a `Store` that is of links."""

    def links(self, session_id: str) -> Sequence[StoredLink]:
        """List a session's links, oldest first, dead ones included."""
        with self._here.reading() as db:
            return links_of(db, session_id)

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Find a session's link by its token's hash."""
        with self._here.reading() as db:
            row = db.execute(
                f"SELECT {LINK_COLUMNS} FROM links WHERE session = ? AND token_hash = ?",
                [session_id, token_hash],
            ).fetchone()
        return StoredLink._make(row) if row else None

    def known_link(self, session_id: str, token_hash: bytes) -> StoredLink | None:  # noqa: ARG002 - nobody's
        """None of them: looking costs nothing here."""
        return None

    def add_link(self, session_id: str, link: StoredLink, once: Made | None = None) -> None:
        """Keep a new link. Raises KeyError, MadeBefore, StoreBusy, StoreFull."""
        with self._here.writer.block(lambda db: is_alive(db, session_id, link.id)) as db:
            keep_once(db, once)
            if head_to_write(db, session_id) is None:
                raise KeyError(session_id)
            add_link(db, session_id, link)

    def revoke_link(
        self,
        session_id: str,
        link_id: str,
        revoked_at: str,
        check: LinksCheck | None = None,
        *,
        patient: bool = True,
    ) -> bool:
        """Make a link dead; False if there is no such live link. Raises what `check` raises of the links."""
        # alone: a link that was dead before says nothing of what others wrote in the same transaction
        how = {"alone": True, "patient": patient}
        with self._here.writer.block(lambda db: not is_alive(db, session_id, link_id), **how) as db:
            if head_to_write(db, session_id) is None:
                return False
            if check:
                check(links_of(db, session_id))
            if found := is_alive(db, session_id, link_id):
                change_link(db, session_id, link_id, "revoked_at", revoked_at)
            return found

    def revoke_expired_links(self, now: str) -> int:
        """Make links dead whose end is past, some at a time; say how many."""
        with self._here.reading() as db:
            found = db.execute(
                "SELECT session, id FROM links WHERE revoked_at IS NULL AND expires_at <= ?"
                " AND session NOT IN (SELECT id FROM sessions WHERE moving IS NOT NULL) LIMIT ?",
                [now, AT_ONCE],
            ).fetchall()
        for session_id, link_id in found:
            self.revoke_link(session_id, link_id, now, patient=False)
        return len(found)
