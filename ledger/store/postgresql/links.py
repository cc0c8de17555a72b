"""The links of sessions, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.store import LinksCheck, Made, StoredLink
from ledger.store.postgresql.appending import make_sure_it_is_here
from ledger.store.postgresql.connections import DB
from ledger.store.postgresql.log import LINK_COLUMNS, add_link, change_link, is_alive, keep_once, links_of
from ledger.store.postgresql.whole import Whole
from ledger.store.postgresql.writer import Block, row_of

AT_ONCE = 20
"""How many links that have expired are made dead at a time."""


class Links(Whole):
    """The part of a `Store` that is of links."""

    def links(self, session_id: str) -> Sequence[StoredLink]:
        """List a session's links, oldest first, dead ones included."""
        return self._here.tried(lambda db: links_of(db, session_id))

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Find a session's link by its token's hash."""
        statement = f"SELECT {LINK_COLUMNS} FROM links WHERE session = %s AND token_hash = %s"
        row = self._here.tried(lambda db: db.execute(statement, [session_id, token_hash], prepare=True).fetchone())
        link = StoredLink._make(row) if row else None
        self._writer_here.beliefs.found(session_id, token_hash, link)
        return link

    def known_link(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Give a link as it was when it was last found."""
        return self._writer_here.beliefs.link(session_id, token_hash)

    def add_link(self, session_id: str, link: StoredLink, once: Made | None = None) -> None:
        """Keep a new link. Raises KeyError, MadeBefore, StoreBusy, StoreFull."""

        def keep(block: Block) -> None:
            keep_once(block.db, once)
            if block.head is None:
                raise KeyError(session_id)
            add_link(block.db, session_id, link)

        def is_kept(db: DB) -> bool:
            make_sure_it_is_here(db, session_id)
            return is_alive(db, session_id, link.id)

        self._writer_here.done(row_of(session_id), keep, is_kept)

    def revoke_link(
        self, session_id: str, link_id: str, revoked_at: str, check: LinksCheck | None = None, *, patient: bool = True
    ) -> bool:
        """Make a link dead; False if there is no such live link. Raises what `check` raises of the links."""

        def revoke(block: Block) -> bool:
            if block.head is None:
                return False
            if check:
                check(links_of(block.db, session_id))
            if found := is_alive(block.db, session_id, link_id):
                change_link(block.db, session_id, link_id, revoked_at=revoked_at)
            return found

        def is_kept(db: DB) -> bool:
            make_sure_it_is_here(db, session_id)
            return not is_alive(db, session_id, link_id)

        return self._writer_here.done(row_of(session_id, patient=patient), revoke, is_kept)

    def revoke_expired_links(self, now: str) -> int:
        """Make links dead whose end is past, some at a time; say how many."""
        statement = (
            "SELECT session, id FROM links WHERE revoked_at IS NULL AND expires_at <= %s"
            " AND session NOT IN (SELECT id FROM sessions WHERE moving IS NOT NULL) LIMIT %s"
        )
        found = self._here.tried(lambda db: db.execute(statement, [now, AT_ONCE]).fetchall())
        for session_id, link_id in found:
            self.revoke_link(session_id, link_id, now, patient=False)
        return len(found)
