"""How a session is asked for at its home, wherever that is by then, and how all shards are asked at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from typing import TypeVar

from ledger.store import Store, StoreBusy, StoreTrouble, impatient
from ledger.store.sharded.directory import Directory
from ledger.store.sharded.moving import Mover
from ledger.store.sharded.shard import Shard, Unreachable, missing_last

T = TypeVar("T")

MOST_LOOKS = 4
"""How often one asks for a session that is gone whenever it is found, before one is told to come back."""


class Homes:
    """The shards of one process, and the directory of what lives in them."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self.mover = Mover(shards)
        self.directory = Directory(shards, self.mover)
        self._shards = shards

    def read(
        self, session_id: str, look: Callable[[Store], T], otherwise: T, *, is_torn: bool = False, reads: bool = True
    ) -> T:
        """Ask for something at a session's home; `otherwise`, if it has none. Raises StoreBusy.

        What is found is believed if it is anything, or else if the session is still there afterwards; if it `is_torn`,
        that is always made sure of, for some of it may be deleted by then. `reads` says that it changes nothing.
        """
        for _ in range(MOST_LOOKS):
            shard = self.directory.home(session_id)
            if shard is None:
                return otherwise
            try:
                with shard.lent(reads=reads) as store:
                    found = look(store)
                    if (found and not is_torn) or store.head(session_id) is not None:
                        return found
            except Unreachable as error:
                self._make_sure_it_is_elsewhere(session_id, shard, error)
            else:
                self.directory.forget(session_id)
        raise StoreBusy

    def write(self, stack: ExitStack, session_id: str, begin: Callable[[Store, ExitStack], T]) -> T:
        """Begin to write at a session's home, which is lent until the stack ends. Raises KeyError, StoreBusy."""
        for _ in range(MOST_LOOKS):
            shard = self.directory.home(session_id)
            if shard is None:
                raise KeyError(session_id)
            try:
                with ExitStack() as attempt:
                    begun = begin(attempt.enter_context(shard.lent()), attempt)
                    stack.enter_context(attempt.pop_all())
                    return begun
            except KeyError:
                self.directory.forget(session_id)
            except Unreachable as error:
                self._make_sure_it_is_elsewhere(session_id, shard, error)
        raise StoreBusy

    def _make_sure_it_is_elsewhere(self, session_id: str, shard: Shard, why: Unreachable) -> None:
        """Look for a session whose shard is out of reach: it may have been moved. Raises StoreBusy if it was not."""
        self.directory.forget(session_id)
        if self.directory.find(session_id) is shard:
            raise StoreBusy from why

    def each(self, ask: Callable[[Store], T], *, reads: bool = False) -> list[tuple[Shard, T]]:
        """Ask all shards, and leave out those that have trouble. Raises what the first has, if all have.

        `reads` says that it changes nothing and is soon answered, so that nobody waits long for it.
        """
        with impatient() if reads else nullcontext():
            return self._each(ask, reads=reads)

    def _each(self, ask: Callable[[Store], T], *, reads: bool) -> list[tuple[Shard, T]]:
        found, troubles = [], []
        for shard in missing_last(self._shards):
            try:
                with shard.lent(reads=reads) as store:
                    found.append((shard, ask(store)))
            except StoreTrouble as error:
                troubles.append(error)
        if not found:
            raise next((one for one in troubles if not isinstance(one, Unreachable)), StoreBusy()) from troubles[0]
        return found


@contextmanager
def unreachable_is_busy() -> Iterator[None]:
    """Tell others what they know."""
    try:
        yield
    except Unreachable as error:
        raise StoreBusy from error
