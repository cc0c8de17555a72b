"""One shard: a store that may be out of reach while the others are not.

What cannot be reached is left alone for a moment, so that whoever asks for its sessions is told so at once, and whoever
asks all shards does not wait for it each time. Who looks where a session lives, and who sees to the service, does not
wait longer than a moment for any of them. Going away and coming back are a line of the log each
(psycopg's pool says why in one of its own, once a minute). A shard that
could not be prepared at the start is prepared when it is there.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress

from ledger.store import (
    DatabaseUnusable,
    NoneFree,
    Store,
    StoreBusy,
    StoreFull,
    StoreIsNewer,
    StoreTrouble,
    impatient,
    open_store,
    patience,
)
from ledger.store.patience import a_moment_of_its_own
from ledger.store.sharded.listing import Listed

LOG = logging.getLogger(__name__)

LEFT_ALONE_SECONDS = 1.0
"""How long a shard that could not be reached is not asked again."""

OUT_OF_REACH = (DatabaseUnusable,)
"""What a store raises that is not there, or cannot be opened."""


class Unreachable(StoreTrouble):
    """A shard is out of reach. It never leaves this room: others are told StoreBusy."""


class Moment:
    """The moment at which this thread reads, if it reads at one: who has been asked since, stands still.

    What threads have of their own is asked for when a store is opened: gevent, whose greenlets then are such threads,
    comes after this room was imported.
    """

    def __init__(self) -> None:
        self._of_this_thread = threading.local()

    @property
    def until(self) -> ExitStack | None:
        """With what the moment ends; None if there is none."""
        found: ExitStack | None = getattr(self._of_this_thread, "until", None)
        return found

    def hold(self, name: str, store: Store) -> None:
        """Have a shard stand still until the moment ends, if there is one, from when it is asked first."""
        if self.until is not None and name not in self._of_this_thread.seen:
            self.until.enter_context(store.at_one_moment())
            self._of_this_thread.seen.add(name)

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Read at one moment until the block ends."""
        with ExitStack() as until:
            self._of_this_thread.until, self._of_this_thread.seen = until, set()
            try:
                yield
            finally:
                self._of_this_thread.until = None


class Shard:
    """A listed store, and whether it can be reached. A session is read at one moment of the shard that it lives in."""

    def __init__(self, listed: Listed, moment: Moment, busy_seconds: float) -> None:
        self.name, self.address, self.weight = listed
        self.store: Store = open_store(listed.address, busy_seconds=busy_seconds)
        self._moment = moment
        self._busy_seconds = busy_seconds
        self._left_alone_until = 0.0
        self._has_to_be_prepared = False
        self.why_not: str | None = None

    def __repr__(self) -> str:
        return f"Shard({self.name!r}, {str(self.address)!r}, {self.weight})"

    @property
    def is_missing(self) -> bool:
        """Whether it could not be reached when it was last asked."""
        return self.why_not is not None

    @property
    def is_read_at_one_moment(self) -> bool:
        """Whether this thread reads at one moment, in which nothing may be written."""
        return self._moment.until is not None

    def prepare(self, *, for_children: bool = False, even_if_newer: bool = False) -> bool:
        """Bring its schema up to date; False if it is out of reach, and is prepared once it is there.

        Raises StoreIsNewer, which no waiting helps against; or takes it for out of reach `even_if_newer`.
        """
        try:
            self.store.prepare(for_children=for_children)
        except StoreIsNewer as error:
            if not even_if_newer:
                raise
            self._has_to_be_prepared = True
            self._is_gone(DatabaseUnusable(f"a newer release has changed it: {error}"))
            return False
        except (StoreBusy, StoreFull, *OUT_OF_REACH) as error:
            self._has_to_be_prepared = True
            self._is_gone(error)
            return False
        self._has_to_be_prepared = False
        self._is_back()
        return True

    @contextmanager
    def lent(self, *, reads: bool = False) -> Iterator[Store]:
        """Lend the store. Raises Unreachable: at once, if it was so a moment ago, or if somebody else is trying.

        Who only reads waits for nobody else: so a store that is busy even then is out of reach, unless all connections
        to it are in use here. Nobody waits long for one that was so before, and who is impatient and has waited for
        another does not wait for it at all.
        """
        if self.is_missing:
            if time.monotonic() < self._left_alone_until or patience.left() == 0:
                raise Unreachable(self.why_not)
            self._left_alone_until = time.monotonic() + self._busy_seconds
        try:
            if self.is_missing:
                self._look_whether_it_is_back()
            self._moment.hold(self.name, self.store)
            with a_moment_of_its_own():
                yield self.store
        except (StoreBusy, *OUT_OF_REACH) as error:
            if isinstance(error, StoreBusy) and not self.is_missing and (isinstance(error, NoneFree) or not reads):
                raise
            self._is_gone(error)
            raise Unreachable(self.why_not) from error

    def _look_whether_it_is_back(self) -> None:
        """Look within a moment whether anybody answers, before it is prepared, which may take its time.

        Raises StoreTrouble, and Unreachable if it cannot be prepared.
        """
        try:
            with impatient(), a_moment_of_its_own():
                self.try_to_read()
        except StoreBusy:
            raise
        except Exception:  # each engine has its own way to say that it has not all the tables yet
            if not self._has_to_be_prepared:
                raise
        if self._has_to_be_prepared and not self.prepare(even_if_newer=True):
            raise Unreachable(self.why_not)
        self._is_back()

    def try_to_read(self) -> None:
        """Read something, whatever it is: some of what a store is asked, it answers somehow when it is out of reach."""
        self.store.head("")

    def may_have_to_forget(self) -> bool:
        """Say whether something is still to be cleared away in it; so it may be, if nobody can look."""
        with suppress(StoreTrouble), self.lent(reads=True) as store:
            if not store.forgetting_is_pending():
                return False
            self.try_to_read()
        return True

    def _is_gone(self, error: StoreTrouble) -> None:
        why_not = str(error) or type(error).__name__
        if not self.is_missing:
            LOG.warning("The shard %s cannot be reached, and its sessions are answered 503: %s", self.name, why_not)
        self.why_not = why_not
        self._left_alone_until = time.monotonic() + LEFT_ALONE_SECONDS

    def _is_back(self) -> None:
        if self.is_missing:
            LOG.warning("The shard %s can be reached again", self.name)
            self.why_not = None


def missing_last(shards: Sequence[Shard]) -> Sequence[Shard]:
    """Put those last that could not be reached when they were last asked, so that nobody waits for them in vain."""
    return sorted(shards, key=lambda shard: shard.is_missing)
