"""The store itself: what is asked of one session is asked at its home, and what is asked of all, of all shards.

A session may be moved at any moment. What is read at a home counts only if the session is still there afterwards, and
who finds it gone asks where it is now. So every long log is read some rows at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import TypeVar

from ledger.books import Balances, Entry
from ledger.store import (
    NOTHING,
    Contents,
    Head,
    LinksCheck,
    Log,
    Made,
    MadeBefore,
    Packed,
    Store,
    StoreBusy,
    StoredEvent,
    StoredLink,
    StoredReply,
    StoredSession,
    StoreTrouble,
    UnknownPart,
    impatient,
)
from ledger.store.passages import Passage, Step
from ledger.store.sharded.homes import unreachable_is_busy
from ledger.store.sharded.moving import always, is_overdue
from ledger.store.sharded.shard import Shard
from ledger.store.sharded.spreading import by_key, by_opening, by_weight
from ledger.store.sharded.whole import Whole

T = TypeVar("T")

PAGE = 500
"""How many rows are read at a time, before it is made sure that their session is still there."""


class ShardedStore(Whole):
    """A `Store` made of shards."""

    # --- sessions that come and go ------------------------------------------------------------------------------------

    def open_session(
        self,
        session: StoredSession,
        first_hash: bytes,
        link: StoredLink,
        contents: Contents = NOTHING,
        once: Made | None = None,
    ) -> None:
        """Keep a new session where the key's hash says, or else in a shard that can be reached, by weight.

        It is tried in one shard only: what is not known to have failed there must not be elsewhere, too. And what was
        opened with a key may be in any shard, if the list was another one then.
        """
        shard, trouble = self._homes.directory.seen(session.id)
        if shard is None and once:
            self._make_sure_it_is_new(once.key)
        shard = shard or (by_key(self.shards, once.key) if once else by_weight(self.shards))
        if shard is None:
            raise StoreBusy from trouble
        with unreachable_is_busy(), shard.lent() as store:
            store.open_session(session, first_hash, link, contents, once)
        self._homes.directory.remember(session.id, shard)

    def _make_sure_it_is_new(self, key: bytes) -> None:
        """Ask all shards whether something was made with a key. Raises MadeBefore, StoreBusy if one cannot be asked."""
        answers = self._homes.each(lambda store: store.made(key), reads=True)
        if earlier := next((made for _, made in answers if made), None):
            raise MadeBefore(earlier)
        if len(answers) < len(self.shards):
            raise StoreBusy

    @contextmanager
    def pack(self, session_id: str, *, move: str | None = None) -> Iterator[Packed]:
        """Give all that is kept of a session, as it stands at one moment, to be read in the block. Raises KeyError."""
        with unreachable_is_busy(), ExitStack() as stack:
            if move is not None:
                store = stack.enter_context(self._where_it_comes_to(session_id, move).lent())
                yield stack.enter_context(store.pack(session_id, move=move))
                return
            yield self._homes.write(stack, session_id, lambda store, begun: begun.enter_context(store.pack(session_id)))

    def _where_it_comes_to(self, session_id: str, move: str) -> Shard:
        """Give the shard in which a session has not arrived yet. Raises KeyError."""
        for shard, passages in self._homes.each(lambda store: store.passages(session_id)):
            if any(one.move == move and not one.is_found for one in passages):
                return shard
        raise KeyError(session_id)

    def step(self, session_id: str, move: str, step: Step) -> bool:
        """Take a step in moving a session elsewhere, in whatever shard it stands as it has to before that."""
        return any(is_done for _, is_done in self._homes.each(lambda store: store.step(session_id, move, step)))

    def passages(self, session_id: str | None = None) -> Sequence[Passage]:
        """List what is marked with a move: of one session, or of all."""
        return sorted(one for _, some in self._homes.each(lambda store: store.passages(session_id)) for one in some)

    def unpack(self, packed: Packed, *, over: Head | None = None, move: str | None = None) -> None:
        """Keep a session as it was packed: in the shard of what it takes the place of, or where a new one would be."""
        session_id = packed.session.id
        kept = {each.key for each in packed.made if (found := self.made(each.key)) and found.session != session_id}
        packed = packed._replace(made=[each for each in packed.made if each.key not in kept])
        shard, trouble = self._homes.directory.seen(session_id)
        marked = [one for one, some in self._homes.each(lambda store: store.passages(session_id)) if some]
        shard = shard or next(iter(marked), None) or by_opening(self.shards, packed)
        if shard is None:
            raise StoreBusy from trouble
        with unreachable_is_busy(), shard.lent() as store:
            store.unpack(packed, over=over, move=move)

    def made(self, key: bytes) -> Made | None:
        """Find what a request with this key made, in any shard that can be reached."""
        return next((made for _, made in self._homes.each(lambda store: store.made(key), reads=True) if made), None)

    def forget_made(self, before: str) -> None:
        """Keep no longer with which keys something was made before a moment."""
        self._homes.each(lambda store: store.forget_made(before))

    def note_day(self, day: str) -> bool:
        """Note that the service ran on a day, in all shards that can be reached; False if the first of them had it."""
        return next((is_new for _, is_new in self._homes.each(lambda store: store.note_day(day))), False)

    def days(self) -> Sequence[str]:
        """List the days that were noted, by the shard with the most of them: one that was added later has fewer."""
        noted: list[Sequence[str]] = [days for _, days in self._homes.each(lambda store: store.days(), reads=True)]
        return max(noted, key=len, default=())

    def delete_session(self, session_id: str, *, idle_since: str | None = None) -> bool:
        """Delete a session, or what is left of one that nobody finds any more."""

        def delete(store: Store) -> bool:
            return store.delete_session(session_id, idle_since=idle_since)

        if self._homes.read(session_id, delete, otherwise=False, reads=False):
            self._homes.directory.forget(session_id)
            return True
        if self._homes.directory.remembered(session_id):
            return False
        return any(is_deleted for _, is_deleted in self._homes.each(delete))

    def sessions_to_delete(self, idle_since: str | None = None) -> Iterator[str]:
        """List what is left of sessions that live nowhere, and idle ones. Of one that was moved nothing is listed."""
        for shard in self.shards:
            with suppress(StoreTrouble), shard.lent() as store:
                for session_id in store.sessions_to_delete(idle_since):
                    if store.head(session_id) is not None or self._lives_nowhere(session_id):
                        yield session_id

    def _lives_nowhere(self, session_id: str) -> bool:
        """Say whether it is known that a session is in no shard."""
        with suppress(StoreTrouble):
            return self._homes.directory.find(session_id) is None
        return False

    def move_session(self, session_id: str, part: str) -> bool:
        """Move a session to the shard of a name; False if it lives there. Raises KeyError, UnknownPart, StoreBusy."""
        target = next((shard for shard in self.shards if shard.name == part), None)
        if target is None:
            raise UnknownPart(part)
        with unreachable_is_busy():
            self._homes.mover.settle(session_id, always)
            source = self._homes.directory.find(session_id)
            if source is None:
                raise KeyError(session_id)
            if source is not target:
                self._homes.mover.move(session_id, source, target)
        self._homes.directory.remember(session_id, target)
        return source is not target

    def part_of(self, session_id: str) -> str | None:
        """Say the name of the shard that a session lives in; None if there is no such session. Raises StoreBusy."""
        shard = self._homes.directory.find(session_id)
        return None if shard is None else shard.name

    @property
    def parts(self) -> Sequence[str]:
        """The names of the shards, as they are listed."""
        return [shard.name for shard in self.shards]

    def forgetting_is_pending(self) -> bool:
        """Say whether something is still to be cleared away in a shard, of those that are not known to be missing.

        Answers wait for this, so nobody waits long for any of them.
        """
        with impatient():
            found = (shard.may_have_to_forget() for shard in self.shards if not shard.is_missing)
            return any(found) or self._homes.mover.are_any()

    def finish_forgetting(self) -> bool:
        """Try to have what is forgotten or deleted cleared away in all shards; False if that is pending in any.

        What somebody has left who moved a session is brought to its end first.
        """
        self._homes.mover.settle(give_up=is_overdue)
        return all(is_finished for _, is_finished in self._homes.each(lambda store: store.finish_forgetting()))

    def session_ids(self) -> Sequence[str]:
        """List all sessions in the shards that can be reached, oldest first, those of one second by id."""
        self._homes.mover.settle()

        def opened(store: Store) -> list[tuple[str, str]]:
            found = map(store.session, store.session_ids())
            return [(session.created_at, session.id) for session in found if session is not None]

        every = {one for _, found in self._homes.each(opened) for one in found}
        return [session_id for _, session_id in sorted(every)]

    # --- a session ----------------------------------------------------------------------------------------------------

    def session(self, session_id: str) -> StoredSession | None:
        """Find a session as it was opened."""
        return self._homes.read(session_id, lambda store: store.session(session_id), None)

    def head(self, session_id: str) -> Head | None:
        """Say where a session's log ends."""
        return self._homes.read(session_id, lambda store: store.head(session_id), None)

    def wait_for_news(self, session_id: str, after: int, seconds: float) -> bool:
        """Wait until a session's log goes beyond a seq, or the session is gone, be it to another shard."""
        shard = self._homes.directory.home(session_id)
        if shard is None:
            return True
        with unreachable_is_busy(), shard.lent() as store:
            return store.wait_for_news(session_id, after, seconds)

    @contextmanager
    def writing(
        self, session_id: str, *, alone: bool = False, expected: Head | None = None, by: StoredLink | None = None
    ) -> Iterator[Log]:
        """Open a session's log for writing, perhaps in a commit of its own.

        Raises KeyError, LinkChanged, StoreBusy, StoreFull.
        """

        def begin(store: Store, begun: ExitStack) -> Log:
            return begun.enter_context(store.writing(session_id, alone=alone, expected=expected, by=by))

        with unreachable_is_busy(), ExitStack() as stack:
            yield self._homes.write(stack, session_id, begin)

    def events(self, session_id: str, *, after: int = 0, limit: int | None = None) -> Iterator[StoredEvent]:
        """Read rows of the log after a seq, oldest first, a page at a time."""

        def page(store: Store, after: int, most: int) -> list[StoredEvent]:
            return list(store.events(session_id, after=after, limit=most))

        return self._pages(session_id, page, lambda row: row.seq, after, limit)

    def entries(
        self, session_id: str, *, after: int = 0, limit: int | None = None, account: str | None = None
    ) -> Iterator[Entry]:
        """Read entries after an id, oldest first, a page at a time; of all accounts, or of one."""

        def page(store: Store, after: int, most: int) -> list[Entry]:
            return list(store.entries(session_id, after=after, limit=most, account=account))

        return self._pages(session_id, page, lambda entry: entry.id, after, limit)

    def _pages(
        self, session_id: str, page: Callable[..., list[T]], number: Callable[[T], int], after: int, limit: int | None
    ) -> Iterator[T]:
        """Read on from page to page, wherever the session is by then."""
        while limit is None or limit > 0:
            most, none = PAGE if limit is None else min(limit, PAGE), list[T]()
            found = self._homes.read(session_id, partial(page, after=after, most=most), none, is_torn=True)
            yield from found
            if len(found) < PAGE:
                return
            after = number(found[-1])
            limit = None if limit is None else limit - len(found)

    def balances(self, session_id: str) -> Balances:
        """Read what every account holds, in chips."""
        return self._homes.read(session_id, lambda store: store.balances(session_id), {}, is_torn=True)

    def reply(self, session_id: str, key: bytes) -> StoredReply | None:
        """Find what a request with this key did before."""
        return self._homes.read(session_id, lambda store: store.reply(session_id, key), None)

    # --- links --------------------------------------------------------------------------------------------------------

    def links(self, session_id: str) -> Sequence[StoredLink]:
        """List a session's links, oldest first, dead ones included."""
        return self._homes.read(session_id, lambda store: store.links(session_id), [], is_torn=True)

    def link_with(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Find a session's link by its token's hash."""
        return self._homes.read(session_id, lambda store: store.link_with(session_id, token_hash), None, is_torn=True)

    def known_link(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Give a link as it was when it was last found, if the shard that the session lives in knows it."""
        shard = self._homes.directory.remembered(session_id)
        return shard.store.known_link(session_id, token_hash) if shard else None

    def add_link(self, session_id: str, link: StoredLink, once: Made | None = None) -> None:
        """Keep a new link. Raises KeyError, MadeBefore, StoreBusy, StoreFull."""
        with unreachable_is_busy(), ExitStack() as stack:
            self._homes.write(stack, session_id, lambda store, _begun: store.add_link(session_id, link, once))

    def revoke_link(
        self, session_id: str, link_id: str, revoked_at: str, check: LinksCheck | None = None, *, patient: bool = True
    ) -> bool:
        """Make a link dead; False if there is no such live link. Raises what `check` raises of the links."""

        def revoke(store: Store) -> bool:
            return store.revoke_link(session_id, link_id, revoked_at, check, patient=patient)

        return self._homes.read(session_id, revoke, otherwise=False, reads=False)

    def revoke_expired_links(self, now: str) -> int:
        """Make links dead whose end is past, some at a time in each shard; say how many."""
        return sum(count for _, count in self._homes.each(lambda store: store.revoke_expired_links(now)))
