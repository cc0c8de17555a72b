"""A store in memory, for a desk whose sessions nobody else sees: it is neither copied nor moved."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from msgspec import structs

from ledger.books import Balances, Entry
from ledger.hash_chain import SaltedText
from ledger.store import (
    NOTHING,
    Check,
    Condition,
    Contents,
    Damage,
    Figures,
    Head,
    LinkChanged,
    LinksCheck,
    Made,
    MadeBefore,
    Packed,
    Progress,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    unchecked,
    unseen,
)
from ledger.store.address import Address


class Contradiction(Exception):
    """There is something else in that place."""


@dataclass
class _Kept:
    """All that is kept of one session. Once it is among the others it is never changed, only replaced."""

    session: StoredSession
    head: Head
    events: dict[int, StoredEvent] = field(default_factory=dict)
    entries: dict[int, Entry] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    replies: dict[bytes, StoredReply] = field(default_factory=dict)
    links: dict[str, StoredLink] = field(default_factory=dict)

    @property
    def last_used(self) -> str:
        """When something was recorded last, or when it was opened, if that was later."""
        first = next(iter(self.links.values()))
        last = [row.recorded_at for row in self.events.values() if row.seq == self.head.seq]
        return max([first.created_at, *last])

    def copy(self) -> _Kept:
        apart: dict[str, Any] = {name: dict(value) for name, value in vars(self).items() if isinstance(value, dict)}
        return replace(self, **apart)


@dataclass
class _Place:
    """What is kept at one address."""

    sessions: Mapping[str, _Kept] = field(default_factory=dict)
    made: Mapping[bytes, Made] = field(default_factory=dict)
    days: list[str] = field(default_factory=list)
    turn: threading.Lock = field(default_factory=threading.Lock)
    news: threading.Condition = field(default_factory=threading.Condition)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Let one at a time write, all or nothing."""
        with self.turn:
            before = self.sessions, self.made
            try:
                yield
            except BaseException:
                self.sessions, self.made = before
                raise

    def becomes(self, sessions: Mapping[str, _Kept]) -> None:
        with self.news:
            self.sessions = sessions
            self.news.notify_all()


class MemoryStore:
    """A `Store` whose sessions are values: a block works on a copy, and its end puts the copy in their place."""

    address = "memory"

    def __init__(self) -> None:
        self._place = _Place()
        self._moment = threading.local()

    def exists(self) -> bool:
        return True

    def prepare(self, *, for_children: bool = False) -> None:
        pass

    def is_ready(self) -> bool:
        return True

    def condition(self) -> Condition:
        return Condition("memory", "1", exists=True)

    def figures(self) -> Figures:
        return Figures(None, None, None, None)

    def free_bytes(self) -> int | None:
        return None

    def note_backup(self, at: str) -> None:
        raise NotImplementedError

    def damage(self) -> Sequence[Damage]:
        return []

    def copy(self, to: Address, progress: Progress = unseen) -> None:
        raise NotImplementedError

    def restore(self, backup: Address, check: Check = unchecked) -> Address | None:
        raise NotImplementedError

    def lose(self, session_id: str | None = None) -> None:
        raise NotImplementedError

    def close(self) -> None:
        pass

    @property
    def _seen(self) -> Mapping[str, _Kept]:
        """What this thread sees: the sessions as they are, or as they were at its moment."""
        seen: Mapping[str, _Kept] = getattr(self._moment, "sessions", self._place.sessions)
        return seen

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        self._moment.sessions = self._place.sessions
        try:
            yield
        finally:
            del self._moment.sessions

    @contextmanager
    def _changing(self, session_id: str) -> Iterator[_Kept]:
        with self._place.writing():
            changed = self._place.sessions[session_id].copy()
            yield changed
            self._place.becomes({**self._place.sessions, session_id: changed})

    def open_session(
        self,
        session: StoredSession,
        first_hash: bytes,
        link: StoredLink,
        contents: Contents = NOTHING,
        once: Made | None = None,
    ) -> None:
        with self._place.writing(), self._once(once):
            opened = _Kept(session, Head(0, first_hash), links={link.id: link})
            MemoryLog(opened).append(*contents)
            if session.id in self._place.sessions:
                raise Contradiction
            self._place.becomes({**self._place.sessions, session.id: opened})

    @contextmanager
    def _once(self, made: Made | None) -> Iterator[None]:
        if made and made.key in self._place.made:
            raise MadeBefore(self._place.made[made.key])
        yield
        self._place.made = {**self._place.made, **({made.key: made} if made else {})}

    def pack(self, session_id: str) -> AbstractContextManager[Packed]:
        raise NotImplementedError

    def unpack(self, packed: Packed, *, over: Head | None = None) -> None:
        raise NotImplementedError

    def made(self, key: bytes) -> Made | None:
        return self._place.made.get(key)

    def forget_made(self, before: str) -> None:
        with self._place.writing():
            self._place.made = {key: made for key, made in self._place.made.items() if made.made_at >= before}

    def note_day(self, day: str) -> bool:
        with self._place.writing():
            if day in self._place.days:
                return False
            self._place.days = [*self._place.days, day]
            return True

    def days(self) -> Sequence[str]:
        return self._place.days

    def delete_session(self, session_id: str, *, idle_since: str | None = None) -> bool:
        with self._place.writing():
            kept = self._place.sessions.get(session_id)
            if kept is None or (idle_since and kept.last_used >= idle_since):
                return False
            self._place.sessions = {one: kept for one, kept in self._place.sessions.items() if one != session_id}
            return True

    def sessions_to_delete(self, idle_since: str | None = None) -> Iterator[str]:
        return iter([one for one, kept in self._seen.items() if idle_since and kept.last_used < idle_since])

    def forgetting_is_pending(self) -> bool:
        return False

    def finish_forgetting(self) -> bool:
        return True

    def session_ids(self) -> Sequence[str]:
        return sorted(self._seen, key=lambda session_id: (self._seen[session_id].session.created_at, session_id))

    def session(self, session_id: str) -> StoredSession | None:
        return self._seen[session_id].session if session_id in self._seen else None

    def head(self, session_id: str) -> Head | None:
        return self._seen[session_id].head if session_id in self._seen else None

    def wait_for_news(self, session_id: str, after: int, seconds: float) -> bool:
        def is_news() -> bool:
            kept = self._place.sessions.get(session_id)
            return kept is None or kept.head.seq > after

        with self._place.news:
            return self._place.news.wait_for(is_news, seconds)

    @contextmanager
    def writing(
        self,
        session_id: str,
        *,
        alone: bool = False,  # noqa: ARG002 - all are
        expected: Head | None = None,  # noqa: ARG002 - it is looked
        by: StoredLink | None = None,
    ) -> Iterator[MemoryLog]:
        with self._changing(session_id) as kept:
            if by is not None and by not in kept.links.values():
                raise LinkChanged
            yield MemoryLog(kept)

    def events(self, session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
        rows = self._seen[session_id].events if session_id in self._seen else {}
        return islice((rows[seq] for seq in sorted(rows) if seq > after), limit)

    def entries(
        self, session_id: str, *, after: int = 0, limit: int | None = None, account: str | None = None
    ) -> Iterator[Entry]:
        entries = self._seen[session_id].entries if session_id in self._seen else {}
        found = (entries[number] for number in sorted(entries) if number > after)
        return islice((one for one in found if account in {None, one.payer, one.payee}), limit)

    def balances(self, session_id: str) -> Balances:
        return self._seen[session_id].balances if session_id in self._seen else {}

    def reply(self, session_id: str, key: bytes) -> StoredReply | None:
        return self._seen[session_id].replies.get(key) if session_id in self._seen else None

    def links(self, session_id: str) -> Sequence[StoredLink]:
        return list(self._seen[session_id].links.values()) if session_id in self._seen else []

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        return next((link for link in self.links(session_id) if link.token_hash == token_hash), None)

    def known_link(self, session_id: str, token_hash: bytes) -> StoredLink | None:  # noqa: ARG002 - nobody's
        return None

    def add_link(self, session_id: str, link: StoredLink, once: Made | None = None) -> None:
        with self._changing(session_id) as kept, self._once(once):
            if any(other.id == link.id or other.token_hash == link.token_hash for other in kept.links.values()):
                raise Contradiction
            kept.links[link.id] = link

    def revoke_link(
        self,
        session_id: str,
        link_id: str,
        revoked_at: str,
        check: LinksCheck | None = None,
        *,
        patient: bool = True,  # noqa: ARG002 - nobody waits here
    ) -> bool:
        if session_id not in self._place.sessions:
            return False
        with self._changing(session_id) as kept:
            if check:
                check(list(kept.links.values()))
            link = kept.links.get(link_id)
            if link is None or link.revoked_at is not None:
                return False
            kept.links[link_id] = link._replace(revoked_at=revoked_at)
            return True

    def revoke_expired_links(self, now: str) -> int:
        sessions = list(self._place.sessions.items())
        ended = [
            (session_id, link.id)
            for session_id, kept in sessions
            for link in kept.links.values()
            if link.revoked_at is None and link.expires_at is not None and link.expires_at <= now
        ]
        return sum(self.revoke_link(session_id, link_id, now) for session_id, link_id in ended)


class MemoryLog:
    """A `Log` on the copy that a block works on."""

    def __init__(self, kept: _Kept) -> None:
        self._kept = kept

    @property
    def head(self) -> Head:
        return self._kept.head

    def events(self, after: int) -> Sequence[StoredEvent]:
        return [self._kept.events[seq] for seq in sorted(self._kept.events) if seq > after]

    def reply(self, key: bytes) -> StoredReply | None:
        return self._kept.replies.get(key)

    def append(
        self,
        events: Sequence[StoredEvent],
        entries: Sequence[Entry],
        balances: Balances,
        reply: StoredReply | None = None,
    ) -> None:
        kept = self._kept
        for row in events:
            if kept.events.setdefault(row.seq, row) is not row:
                raise Contradiction
            kept.head = Head(row.seq, row.hash)
        for entry in entries:
            if kept.entries.setdefault(entry.id, entry) is not entry:
                raise Contradiction
        if reply and kept.replies.setdefault(reply.key, reply) is not reply:
            raise Contradiction
        kept.balances |= balances

    def session(self) -> StoredSession | None:
        return self._kept.session

    def links(self) -> Sequence[StoredLink]:
        return list(self._kept.links.values())

    def forget(self, words: Mapping[tuple[int, str], str], labels: Mapping[str, str]) -> None:
        kept = self._kept
        for (seq, place), text in words.items():
            row = kept.events[seq] if seq else kept.session
            left = structs.replace(row, words={**row.words, place: SaltedText(b"", text)})
            if isinstance(left, StoredEvent):
                kept.events[seq] = left
            else:
                kept.session = left
        for link_id, label in labels.items():
            kept.links[link_id] = kept.links[link_id]._replace(label=label)
