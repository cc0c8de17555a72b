"""The connections of one process, lent from psycopg's pool, and what is tried again when one of them is lost.

Who gives a connection back leaves it at hand for the next to come, unless somebody waits at the pool. So the one that
was used last is used first, in which the server remembers what it was asked, and the pool, which takes as much of the
processor as a short question does, is asked once a minute.

A lost connection says nothing of the database: another server of a replicated one may have taken over by then. So what
has changed nothing is tried again on another connection, for as long as a writer waits for a turn.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from itertools import chain
from typing import TypeVar

import psycopg
from psycopg import Connection
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import LockNotAvailable
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from ledger.store import CannotBeOpened, DatabaseExchanged, NoneFree, StoreBusy, patience
from ledger.store.address import Address
from ledger.store.postgresql.news import Calls, News
from ledger.store.postgresql.troubles import POOL_TROUBLE, is_lost, is_undone, raise_named, trouble_named
from ledger.store.postgresql.turns import Places
from ledger.store.postgresql.waiting import Bounded, connection_class

T = TypeVar("T")
DB = Connection[TupleRow]

MOST_CONNECTIONS = 16
"""How many connections a process has at most, but for the one by which it hears of news."""

AT_HAND_SECONDS = 60.0
"""How long connections are lent again without asking the pool, before that may renew them."""

A_TRY_SECONDS = 1.0
"""How long one try to get a connection lasts, after which the pool looks for the database anew."""

LOCK_SECONDS = 0.5
"""How long a connection of the pool waits for what somebody else has, until another may be lent it meanwhile."""

TO_SAY_SO_SECONDS = 1.0
"""How much longer than for what it asks somebody waits for the server's answer that it is not to be had."""

AT_ONCE = nullcontext()
"""For those who do not know yet whether they have to wait."""

SETTING_UP_SECONDS = 5.0
"""How long a new connection may take to be told how it is to be."""

USUAL = {
    "application_name": "fuda-ledger",
    "connect_timeout": 5,
    "target_session_attrs": "read-write",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""What libpq is told, if the address does not say otherwise: to take the server of several that can be written, and to
notice within seconds that one has gone without a word."""


STILL_SECONDS = 10
"""How long whoever writes may say nothing in the middle, before what they have taken is free for others."""

OURS = {
    "default_transaction_isolation": "read committed",
    "statement_timeout": "0",
    "idle_in_transaction_session_timeout": f"{STILL_SECONDS}s",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
    "tcp_user_timeout": "15000",
    "plan_cache_mode": "force_generic_plan",
}
"""What a connection is told, whatever is usual for the server, the database or the user.

A COMMIT that a timeout ends while it waits for a synchronous replica is answered as if the replica had it. A machine
that stands still or is cut off in the middle of its writing must not keep a session from all others, so the server ends
its transaction then; who only reads is in nobody's way, and may stand still (`begin_to_read`). Whoever waits for a row
wants it as it is then, and not to be told that it has changed. All that is asked finds its rows by a key, so there is
nothing to plan anew for other values, which the server would do five times for each statement on each connection.
"""

SINCE = {"idle_session_timeout": (14_00_00, "0"), "transaction_timeout": (17_00_00, "0")}
"""What a server is told as well that knows it, by the first release that does, as the server numbers them."""


def ours_at(release: int) -> dict[str, str]:
    """Say what a connection is told by us at a server of a release."""
    return OURS | {name: value for name, (first, value) in SINCE.items() if release >= first}


def settings_of(address: Address) -> dict[str, object]:
    """Read an address as libpq does. Raises CannotBeOpened, without a password in it."""
    try:
        return {**USUAL, **conninfo_to_dict(address.whole), "client_encoding": "UTF8"}  # as names are in any language
    except psycopg.ProgrammingError:
        raise CannotBeOpened(f"{address.shown} is no address that PostgreSQL's library can read") from None


class Connections:
    """What one process has: a pool of connections, those lent for a moment, and the news."""

    def __init__(self, address: Address, busy_seconds: float) -> None:
        self.pid = os.getpid()
        self.shown = address.shown
        self.busy_seconds = busy_seconds
        self.settings = settings_of(address)
        self.news = News(self)
        self.calls = Calls(self)
        self.is_lost = False
        self._pool: ConnectionPool[Bounded] | None = None
        self._at_hand: list[Bounded] = []
        self._waiting = 0
        self._lent = 0
        self._ever_lent = 0
        self.in_line = Places(max(1, MOST_CONNECTIONS // 2))
        self.clearing = Places(1)
        self._tidy_at = 0.0
        self._mutex = threading.Lock()
        self._of_this_thread = threading.local()

    def connected(self) -> Bounded:
        """Open a connection outside the pool, which waits for each answer as long as it takes. Raises psycopg.Error."""
        db = connection_class().connect("", autocommit=True, **self.settings)  # type: ignore[arg-type]
        try:
            self._set_up(db, self.busy_seconds)
        except BaseException:
            db.close()
            raise
        db.waits()
        return db

    def _set_up(self, db: Bounded, lock_seconds: float = LOCK_SECONDS) -> None:
        """Let a connection wait so long for locks, and have it as `OURS` says, whatever is usual there."""
        db.waits(seconds=SETTING_UP_SECONDS)
        milliseconds = max(1, min(int(min(lock_seconds, self.busy_seconds) * 1000), 2**31 - 1))
        settings = {**ours_at(db.info.server_version), "lock_timeout": str(milliseconds)}
        db.execute(
            f"SELECT {'set_config(%s, %s, false), ' * len(settings)} set_config('synchronous_commit',"
            " CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'"
            " ELSE current_setting('synchronous_commit') END, false)",
            list(chain.from_iterable(settings.items())),
        )

    @property
    def pool(self) -> ConnectionPool[Bounded]:
        """The pool, opened when it is first needed."""
        with self._mutex:
            if self._pool is None:
                self._pool = ConnectionPool(
                    "",
                    connection_class=connection_class(),
                    kwargs={"autocommit": True, **self.settings},
                    configure=self._set_up,
                    min_size=1,
                    max_size=MOST_CONNECTIONS,
                    open=True,
                    reconnect_timeout=A_TRY_SECONDS,
                )
            return self._pool

    def taken(self, until: float) -> Bounded:
        """Take a connection on which answers are waited for until then; it is to be given back.

        Raises StoreBusy, DatabaseExchanged.
        """
        if self.is_lost:
            raise DatabaseExchanged
        db = self._at_hand_or_from_the_pool(until)
        with self._mutex:
            self._lent += 1
            self._ever_lent += 1
        db.waits(until=until if patience.left() is not None else until + TO_SAY_SO_SECONDS)
        return db

    def _at_hand_or_from_the_pool(self, until: float) -> Bounded:
        """Take the connection that was used last, or another one. Raises StoreBusy."""
        with self._mutex:
            if self._at_hand:
                return self._at_hand.pop()
            self._waiting += 1
        try:
            return self._from_the_pool(until)
        finally:
            with self._mutex:
                self._waiting -= 1

    def _from_the_pool(self, until: float) -> Bounded:
        """Take a connection from the pool. Raises NoneFree if others have them all, StoreBusy if none can be made."""
        before, were_all_lent = self._ever_lent, self._lent >= MOST_CONNECTIONS
        while True:
            try:
                return self.pool.getconn(timeout=min(A_TRY_SECONDS, max(0.001, until - time.monotonic())))
            except PoolClosed:
                raise StoreBusy from None
            except PoolTimeout:
                if time.monotonic() < until:
                    continue
                if were_all_lent or self._lent >= MOST_CONNECTIONS or self._ever_lent != before:
                    raise NoneFree from None
                raise StoreBusy(f"{self.shown} takes no connection") from None

    def given_back(self, db: Bounded) -> None:
        """Give a connection back, in no transaction; one that cannot be freed is closed, which ends that, too."""
        if not db.closed and db.pgconn.transaction_status != TransactionStatus.IDLE:
            db.waits(seconds=TO_SAY_SO_SECONDS)
            with suppress(psycopg.Error):
                db.execute("ROLLBACK")
            if db.pgconn.transaction_status != TransactionStatus.IDLE:
                db.close()
        now = time.monotonic()
        with self._mutex:
            self._lent -= 1
            if self._pool and not self._waiting and not db.closed and now < self._tidy_at:
                self._at_hand.append(db)
                return
            pool, given, self._at_hand = self._pool, [db, *self._at_hand], []
            self._tidy_at = now + AT_HAND_SECONDS
        for each in given:
            put_back(pool, each)

    def until(self) -> float:
        """Say until when something may be tried that begins now, on the monotonic clock."""
        return patience.until(self.busy_seconds)

    def tried(self, work: Callable[[Bounded], T], until: float | None = None, *, keep: bool = False) -> T:
        """Do what changes nothing, once more if the connection is lost or the server undoes it. Raises StoreTrouble.

        What is to be kept is not given back afterwards, unless it raises.
        """
        if not keep and (moment := self.moment) is not None:
            with trouble_named(self.shown):
                return work(moment)
        until = self.until() if until is None else until
        is_held = False
        while True:
            with self.in_line.place(until) if is_held else AT_ONCE:
                db = self.taken(until)
                try:
                    found = work(db)
                except BaseException as error:  # noqa: BLE001 - whatever it is, the connection is given back
                    is_to_be_tried_again = (is_lost(error, db) or is_undone(error)) and time.monotonic() < until
                    is_held = isinstance(error, LockNotAvailable)
                    if is_lost(error, db):
                        db.close()
                    self.given_back(db)
                    if not is_to_be_tried_again:
                        raise_named(error, self.shown)
                    continue
                if not keep:
                    self.given_back(db)
                return found

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Let this thread read in one transaction, which sees what stood when it began."""
        if self.moment is not None:
            yield
            return
        with trouble_named(self.shown):
            db = self._begun()
        self._of_this_thread.moment, self._of_this_thread.cursors = db, []
        try:
            yield
        finally:
            self._of_this_thread.moment = None
            with suppress(psycopg.Error):
                db.execute("ROLLBACK")
            db.close()

    @contextmanager
    def at_a_short_moment(self) -> Iterator[None]:
        """Let this thread read in one transaction that is soon over, on a connection of the pool."""
        if self.moment is not None:
            yield
            return
        db = self._of_this_thread.moment = self.tried(begin_to_read, keep=True)
        db.waits(seconds=self.busy_seconds)
        cursors = self._of_this_thread.cursors = list[psycopg.ServerCursor[TupleRow]]()
        try:
            with trouble_named(self.shown):
                yield
        finally:
            self._of_this_thread.moment = None
            for cursor in cursors:  # whoever left them in the middle would close them when somebody else has this
                with suppress(psycopg.Error):
                    cursor.close()
            self.given_back(db)

    def _begun(self) -> Bounded:
        """Begin a transaction that only reads, on a connection of its own: it may last, and is in nobody's way."""
        db = self.connected()
        db.waits(seconds=self.busy_seconds)
        return begin_to_read(db)

    @property
    def moment(self) -> Bounded | None:
        """The connection of the moment at which this thread reads, if it does."""
        found: Bounded | None = getattr(self._of_this_thread, "moment", None)
        return found

    def cursor(self, moment: DB, name: str) -> psycopg.ServerCursor[TupleRow]:
        """Give a cursor of the server's for the moment at which this thread reads, with whose end it is closed, too."""
        cursor = moment.cursor(name=name)
        self._of_this_thread.cursors.append(cursor)
        return cursor

    def close(self) -> None:
        """Close them, unless they are another process's."""
        if self.pid != os.getpid():
            return
        self.calls.end()
        with self._mutex:
            pool, self._pool = self._pool, None
            at_hand, self._at_hand = self._at_hand, []
        self.is_lost = False
        for each in at_hand:
            put_back(pool, each)
        if pool is not None:
            pool.close()


def put_back(pool: ConnectionPool[Bounded] | None, db: Bounded) -> None:
    """Give a connection back to its pool, which closes or replaces it if need be."""
    if pool is None:  # all was closed meanwhile
        db.close()
        return
    with suppress(*POOL_TROUBLE, ValueError):
        pool.putconn(db)


READ = (
    "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0;"
    " SELECT 1"  # a moment begins with the first look
)


def begin_to_read(db: Bounded) -> Bounded:
    """Begin a transaction that sees what stands now, and only that; an export stands still while its reader does."""
    db.execute(READ)
    return db
