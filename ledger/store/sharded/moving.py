"""A session moved from one shard to another while the service runs, and what is done if whoever moves it is killed.

The steps, and why exactly one shard has the session at every moment, are told in `ledger.store.passages`. A move names
both shards, so whoever finds its mark in one of them knows where to look for the other. The copy is compared with the
session, row by row, before the session goes.

Who asks for a session and finds it nowhere looks for such marks, and lets arrive what has gone. A move that has not
come to its end in some minutes is taken back by whoever serves: nobody writes in the session until then.

What is let go is swept away by `finish_forgetting`, which looks at how a session stands in each of its commits. To
delete it by its id could hit a session that was moved back meanwhile.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from typing import NamedTuple

from ledger.store import DatabaseDamaged, Packed, Store, StoreBusy, StoreTrouble, timestamp
from ledger.store.sharded.shard import Shard

PATIENCE = timedelta(minutes=5)
"""How long a move may take before it is taken back: a session of 100,000 events takes seconds."""


class Move(NamedTuple):
    """A move: when it began, chance that no other move has, and the names of the shards."""

    began: str
    chance: str
    source: str
    target: str

    def __str__(self) -> str:
        return " ".join(self)

    @classmethod
    def read(cls, text: str) -> Move | None:
        """Read a mark; None if it is not of a move between shards."""
        parts = text.split(" ")
        return cls._make(parts) if len(parts) == len(cls._fields) else None


GiveUp = Callable[[Move], bool]
"""Says whether a move is to be taken back for which nobody has gone yet."""


def never(_move: Move) -> bool:
    """Leave it to whoever moves."""
    return False


def always(_move: Move) -> bool:
    """Take it back at once."""
    return True


def is_overdue(move: Move) -> bool:
    """Say whether a move has taken so long that whoever moved is gone."""
    return move.began < timestamp(datetime.now(UTC) - PATIENCE)


class Mover:
    """Moves sessions between shards."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._shards = {shard.name: shard for shard in shards}

    def move(self, session_id: str, source: Shard, target: Shard) -> None:
        """Move a session that lives in one shard to another.

        Raises StoreBusy if somebody else moves it or took this back, KeyError if it is not there, and DatabaseDamaged
        if the copy is not the same, or the session is in both.
        """
        move = Move(timestamp(datetime.now(UTC)), secrets.token_hex(8), source.name, target.name)
        with source.lent() as here, target.lent() as there:
            try:
                if not here.step(session_id, str(move), "leave"):
                    raise StoreBusy if here.passages(session_id) else KeyError(session_id)
                try:
                    carry(session_id, str(move), here, there)
                except Exception as error:
                    if marked_in(here, session_id, str(move)):
                        raise
                    raise StoreBusy from error  # somebody took the move back, and the session has gone on since
                if not here.step(session_id, str(move), "go"):
                    raise StoreBusy
            finally:
                with suppress(StoreTrouble):
                    self._settle(session_id, move, always)

    def settle(self, session_id: str | None = None, give_up: GiveUp = never) -> bool:
        """Bring to their end the moves that nobody is at work at, of one session or of all, as far as that can be.

        Says whether there are any, or were a moment ago.
        What a shard that is out of reach has to do with, waits; and so does who reads at one moment.
        """
        if any(shard.is_read_at_one_moment for shard in self._shards.values()):
            return False
        marked = set[tuple[str, Move]]()
        for shard in self._shards.values():
            with suppress(StoreTrouble), shard.lent(reads=True) as store:
                found = [(one.session, Move.read(one.move)) for one in store.passages(session_id)]
                marked |= {(session, move) for session, move in found if move}
        for session, move in sorted(marked):
            with suppress(StoreTrouble):
                self._settle(session, move, give_up)
        return bool(marked)

    def _settle(self, session_id: str, move: Move, give_up: GiveUp) -> None:
        """Bring a move to its end, or take it back."""
        source, target, mark = self._shards.get(move.source), self._shards.get(move.target), str(move)
        if source is None or target is None:
            return
        with source.lent() as here, target.lent() as there:
            is_copied = marked_in(there, session_id, mark) is not None  # before: a copy is made after the session left
            is_found = marked_in(here, session_id, mark)
            if is_found:
                if give_up(move) and here.step(session_id, mark, "stay"):
                    let_go(there, session_id, mark)
            elif is_found is not None:
                there.step(session_id, mark, "arrive")
                let_go(here, session_id, mark)
            elif is_copied:
                let_go(there, session_id, mark)

    def are_any(self) -> bool:
        """Say whether any session is marked in a shard that can be reached."""
        for shard in self._shards.values():
            with suppress(StoreTrouble), shard.lent(reads=True) as store:
                if store.passages():
                    return True
        return False


def carry(session_id: str, move: str, here: Store, there: Store) -> None:
    """Keep a copy over there that nobody finds, and make sure that it is the same."""
    if there.head(session_id) is not None:
        raise DatabaseDamaged(f"session {session_id} is in both shards: delete the one that is wrong, there alone")
    if there.passages(session_id):
        raise StoreBusy
    there.finish_forgetting()  # perhaps there is something left of it, if it was moved away from there before
    with here.pack(session_id) as packed:
        try:
            there.unpack(packed, move=move)
        except StoreTrouble:
            raise
        except Exception as error:  # each engine has its own way to say that something of it is there already
            raise StoreBusy from error
    with here.pack(session_id) as ours, there.pack(session_id, move=move) as copy:
        where = next(differences(ours, copy), None)
    if where is not None:
        raise DatabaseDamaged(f"the copy of session {session_id} is not the same: {where}")


def let_go(store: Store, session_id: str, move: str) -> None:
    """Delete what nobody finds any more, or never did."""
    if store.step(session_id, move, "let go"):
        store.finish_forgetting()


def marked_in(store: Store, session_id: str, move: str) -> bool | None:
    """Say whether a session is found that is marked with a move; None if it is not marked so."""
    return next((one.is_found for one in store.passages(session_id) if one.move == move), None)


def differences(ours: Packed, copy: Packed) -> Iterator[str]:
    """Name what differs."""
    if ours.session != copy.session:
        yield "its opening"
    if ours.head != copy.head:
        yield "its head"
    tables: Sequence[tuple[str, Iterable[object], Iterable[object]]] = (
        ("link", ours.links, copy.links),
        ("balance", sorted(ours.balances.items()), sorted(copy.balances.items())),
        ("event", ours.events, copy.events),
        ("entry", ours.entries, copy.entries),
        ("reply", ours.replies, copy.replies),
    )
    for name, some, others in tables:
        for number, (one, other) in enumerate(zip_longest(some, others), 1):
            if one != other:
                yield f"{name} {number}"
