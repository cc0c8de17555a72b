"""Writing: a transaction in which a session's row is ours, and what to believe when the database is lost in it.

Before the COMMIT is sent nothing can have been kept. Once it was sent and no answer came, only a look can tell: on
another connection, which first takes the session's row, and so waits until the lost transaction is over, one way or the
other. If nobody can be reached to look, or the row is not to be had in time, the answer is that the database is busy;
who repeats the request with its idempotency key then learns what became of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from functools import partial
from typing import NamedTuple, TypeVar

import psycopg
from psycopg.pq import TransactionStatus

from ledger.meters import COMMIT_SECONDS, COMMIT_WRITES
from ledger.store import Head, NothingKept, StoreBusy, StoredLink
from ledger.store.postgresql.appending import Appended
from ledger.store.postgresql.connections import A_TRY_SECONDS, AT_ONCE, DB, Connections
from ledger.store.postgresql.log import locked_head
from ledger.store.postgresql.troubles import is_lost, is_undone, raise_named
from ledger.store.postgresql.turns import Turns
from ledger.store.postgresql.waiting import Bounded, NoAnswer

T = TypeVar("T")

MOST_SHARED = 10_000
"""Of how many sessions it is kept that others write them, before that is forgotten of all."""

MOST_LINKS = 10_000
"""How many links are known, before all of them are forgotten."""


class Sent(Enum):
    """What became of what was sent in one go."""

    IS_KEPT = auto()
    NOT_THERE = auto()  # the log ends elsewhere
    NOT_YET = auto()  # others were in the way
    IN_DOUBT = auto()  # the answer was lost


AGAIN = {Sent.NOT_YET, Sent.IN_DOUBT}
"""After what it is sent once more."""


class Take(NamedTuple):
    """Begins a transaction and takes what whoever writes has to have for themselves; says where the log ends.

    `session` is which session that is of, if it is of one: who takes something of it here waits for their turn first.
    """

    takes: Callable[[DB], Head | None]
    session: str | None = None
    is_patient: bool = True

    def __call__(self, db: DB) -> Head | None:
        return self.takes(db)


IsKept = Callable[[DB], bool]
"""Says whether what a block wrote lies in the database; not so, if it wrote nothing."""


def _begin(db: DB) -> None:
    db.execute("BEGIN")


nothing = Take(_begin)
"""Begins, and takes nothing: nobody is in the way of what is written."""


def leaves_no_trace(_db: DB) -> bool:
    """Be taken for lost if that is in doubt, as what may as well be written once more."""
    return False


def row_of(session_id: str, *, patient: bool = True) -> Take:
    """Take a session's row. Who is not patient waits for nobody who has it."""
    return Take(partial(locked_head, session_id=session_id, patient=patient), session_id, patient)


def having_begun(take: Callable[[DB], Head | None], session_id: str) -> Take:
    """Begin, and then take something of a session."""

    def both(db: DB) -> Head | None:
        db.execute("BEGIN")
        return take(db)

    return Take(both, session_id)


def place_of(session_id: str) -> Take:
    """Take the place of a session that has no row yet."""

    def take(db: DB) -> None:
        db.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [session_id])

    return having_begun(take, session_id)


class Block:
    """A transaction that is going on. `head` is where the log ends of the session whose row it has, if there is one.

    `send` is what is sent last, before the COMMIT.
    """

    def __init__(self, db: Bounded, head: Head | None) -> None:
        self.db = db
        self.head = head
        self.send: Callable[[], None] | None = None


class Beliefs:
    """What is believed until the statement that rests on it is sent, which makes sure of it.

    That is of which sessions it may be believed where their logs end, as nobody else is known to write them now; and
    links as they were when they were last found.
    """

    def __init__(self) -> None:
        self._links: dict[tuple[str, bytes], StoredLink] = {}
        self._written: set[str] = set()
        self._shared: set[str] = set()

    def found(self, session_id: str, token_hash: bytes, link: StoredLink | None) -> None:
        """Be told what was found with a token's hash."""
        if link is None or link.revoked_at is not None:
            self._links.pop((session_id, token_hash), None)
            return
        if len(self._links) >= MOST_LINKS:
            self._links.clear()
        self._links[session_id, token_hash] = link

    def link(self, session_id: str, token_hash: bytes) -> StoredLink | None:
        """Give a link as it was when it was last found."""
        return self._links.get((session_id, token_hash))

    def held(self, session_id: str) -> bool:
        """Say whether it may be believed of a session, and let nobody else believe it until that is `over`."""
        if session_id in self._shared or session_id in self._written:
            return False
        self._written.add(session_id)
        return True

    def over(self, session_id: str) -> None:
        """Let others believe it again."""
        self._written.discard(session_id)

    def was(self, session_id: str, *, right: bool) -> None:
        """Be told whether a log ended where it was expected to."""
        if right:
            self._shared.discard(session_id)
            return
        if len(self._shared) >= MOST_SHARED:
            self._shared.clear()
        self._shared.add(session_id)


class Writer:
    """A process's way to write."""

    def __init__(self, connections: Connections) -> None:
        self._here = connections
        self._turns = Turns()
        self.beliefs = Beliefs()

    def done(self, take: Take, work: Callable[[Block], T], is_kept: IsKept = leaves_no_trace) -> T:
        """Write what may be written once more if the database is lost before. Raises StoreBusy, StoreFull."""
        until = self._here.until()
        while True:
            try:
                with self.block(take, is_kept, until) as block:
                    found = work(block)
            except NothingKept:
                if time.monotonic() >= until:
                    raise StoreBusy from None
            else:
                return found

    @contextmanager
    def block(self, take: Take, is_kept: IsKept, until: float | None = None) -> Iterator[Block]:
        """Write: kept when the block ends, or not at all if it raises.

        Raises StoreBusy, StoreFull, and NothingKept if the database was lost before anything could be kept, or has
        undone it.
        """
        until = self._here.until() if until is None else until
        with self._turns.turn(take.session, until, patient=take.is_patient), self._block(take, is_kept, until) as block:
            yield block

    @contextmanager
    def _block(self, take: Take, is_kept: IsKept, until: float) -> Iterator[Block]:
        """Write when it is our turn."""
        block = self._here.tried(partial(begun, take), until, keep=True)
        block.db.waits(seconds=self._here.busy_seconds)
        try:
            try:
                yield block
                if block.send is not None:
                    block.send()
            except psycopg.Error as error:
                if not isinstance(error, NoAnswer) and (is_lost(error, block.db) or is_undone(error)):
                    raise NothingKept from error  # nobody else says so: once a COMMIT was sent, nobody could know
                raise_named(error, self._here.shown)
            self._commit(block.db, take, is_kept, until)
        finally:
            self._here.given_back(block.db)

    def _commit(self, db: DB, take: Take, is_kept: IsKept, until: float) -> None:
        """Put all of it on the disk. Raises StoreBusy if that cannot be known."""
        began = time.perf_counter()
        try:
            db.execute("COMMIT")
        except psycopg.Error as error:
            if is_undone(error):
                raise NothingKept from error
            if not is_lost(error, db):
                raise_named(error, self._here.shown)
            db.close()
            until = max(until, time.monotonic() + A_TRY_SECONDS)  # who has waited for the answer looks all the same
            if not self._here.tried(partial(was_kept, take, is_kept), until):
                raise NothingKept from error
        COMMIT_SECONDS.saw(time.perf_counter() - began)
        COMMIT_WRITES.saw(1)

    def send(self, session_id: str, appended: Appended) -> None:
        """Add to a log in one go, and put it on the disk. Raises NothingKept if the log ends elsewhere.

        If the answer is lost, it is sent again: once at most it finds the log as it has to be. Only where that was not
        the last time, it is looked for.
        """
        until = self._here.until()
        with self._turns.turn(session_id, until):
            self._send(session_id, appended, until)

    def _send(self, session_id: str, appended: Appended, until: float) -> None:
        """Send it when it is our turn."""
        is_in_doubt = False
        began = time.perf_counter()
        sent = self._sent(appended, until)
        while sent in AGAIN:
            is_in_doubt |= sent is Sent.IN_DOUBT
            if time.monotonic() >= until:
                raise StoreBusy
            with self._here.in_line.place(until) if sent is Sent.NOT_YET else AT_ONCE:
                sent = self._sent(appended, until)
        if sent is Sent.NOT_THERE and not (
            is_in_doubt and self._here.tried(partial(was_kept, row_of(session_id), appended.is_kept), until)
        ):
            raise NothingKept
        COMMIT_SECONDS.saw(time.perf_counter() - began)
        COMMIT_WRITES.saw(1)

    def _sent(self, appended: Appended, until: float) -> Sent:
        """Send it once."""
        db = self._here.taken(until)
        try:
            return Sent.IS_KEPT if appended.sent(db) else Sent.NOT_THERE
        except psycopg.Error as error:
            if is_undone(error):  # what was sent before may have been kept all the same
                return Sent.NOT_YET
            if not is_lost(error, db):
                raise_named(error, self._here.shown)
            db.close()
            return Sent.IN_DOUBT
        finally:
            self._here.given_back(db)


def begun(take: Take, db: Bounded) -> Block:
    """Begin a transaction, and take what is to be had for oneself."""
    block = Block(db, take(db))
    if db.pgconn.transaction_status != TransactionStatus.INTRANS:
        raise RuntimeError("what is taken is let go again: no transaction was begun")
    return block


def was_kept(take: Take, is_kept: IsKept, db: DB) -> bool:
    """Look whether what a lost connection was to commit is there, once nobody else can be about to commit it.

    The look writes something itself, so that its own COMMIT waits until a synchronous replica, if there is one, has all
    that was found: a leader that was started anew shows also what no other has yet, and what would be lost with it.
    """
    take(db)
    is_there = is_kept(db)
    db.execute("SELECT pg_logical_emit_message(true, 'fuda-ledger', '')")
    db.execute("COMMIT")
    return is_there
