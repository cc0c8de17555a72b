"""All shards together, as an operator sees them: those that are missing are named, and take no others along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from ledger.store import (
    Check,
    Condition,
    Damage,
    DatabaseExchanged,
    DatabaseUnusable,
    Figures,
    NoneFree,
    Progress,
    StoreTrouble,
    unchecked,
    unseen,
)
from ledger.store.address import Address, BadAddress
from ledger.store.sharded.homes import Homes
from ledger.store.sharded.shard import Moment, Shard, Unreachable, missing_last


class Whole:
    """The part of a `Store` that is of all shards together."""

    def __init__(self, address: str, shards: Sequence[Shard], moment: Moment, *, was_prepared: bool = False) -> None:
        self.address = address
        self._was_prepared = was_prepared
        self.shards = shards
        self._moment = moment
        self._homes = Homes(shards)

    def exists(self) -> bool:
        """Say whether there is a database in any of the places. Raises DatabaseUnusable if that is not known."""
        found, troubles = [], []
        for shard in self.shards:
            try:
                found.append(shard.store.exists())
            except DatabaseUnusable as error:
                troubles.append(error)
        if troubles and not any(found):
            raise troubles[0]
        return any(found)

    def prepare(self, *, for_children: bool = False) -> None:
        """Bring the schemas up to date. A shard that is out of reach is prepared once it is there.

        So is one of a newer release, if the list was prepared for this process before it began: whatever became of a
        shard since, the others are served. Raises StoreIsNewer else, and DatabaseUnusable if none can be reached.
        """
        even_if_newer = self._was_prepared
        prepared = [shard.prepare(for_children=for_children, even_if_newer=even_if_newer) for shard in self.shards]
        if not any(prepared):
            reasons = "; ".join(f"{shard.name}: {shard.why_not}" for shard in self.shards)
            raise DatabaseUnusable(f"none of the shards that {self.address} lists can be reached: {reasons}")

    def is_ready(self) -> bool:
        """Say whether any of the shards is. Raises DatabaseExchanged if all are that can be asked."""
        troubles: list[DatabaseExchanged] = []
        is_any = False
        for shard in missing_last(self.shards):
            try:
                with suppress(Unreachable, NoneFree), shard.lent(reads=True) as store:
                    if store.is_ready():
                        is_any = True
                    else:
                        shard.try_to_read()
            except DatabaseExchanged as error:
                troubles.append(error)
        if troubles and not is_any:
            raise troubles[0]
        return is_any

    def condition(self) -> Condition:
        """Look at all shards as an operator does, and change nothing."""
        return condition_of(self.shards)

    def figures(self) -> Figures:
        """Say how large all of them are now, which are missing, and when the last was backed up that has to be."""
        return figures_of(self.shards)

    def free_bytes(self) -> int | None:
        """Give how many bytes are free on the fullest disk of those that can be seen."""
        found = list[int | None]()
        for shard in self.shards:
            with suppress(StoreTrouble), shard.lent(reads=True) as store:
                found.append(store.free_bytes())
        return least_of(found)

    def note_backup(self, at: str) -> None:  # noqa: ARG002 - there is none
        """Refuse: each shard is backed up by itself, and the note is its own."""
        raise self._by_themselves("backed up")

    def damage(self) -> Sequence[Damage]:
        """Say what is wrong in any of the shards, and which could not be looked at."""
        return list(damage_of(self.shards))

    def copy(self, to: Address, progress: Progress = unseen) -> None:  # noqa: ARG002 - there is none
        """Refuse: each shard is backed up by itself."""
        if not any(shard.address.scheme == to.scheme for shard in self.shards):
            raise BadAddress(f"{to.shown!r} is of no engine that a shard has")
        raise self._by_themselves("backed up")

    def restore(self, backup: Address, check: Check = unchecked) -> Address | None:  # noqa: ARG002 - there is none
        """Refuse: each shard is restored by itself."""
        if not any(shard.address.scheme == backup.scheme for shard in self.shards):
            raise BadAddress(f"{backup.shown!r} is of no engine that a shard has")
        raise self._by_themselves("restored")

    def _by_themselves(self, done: str) -> DatabaseUnusable:
        return DatabaseUnusable(
            f"{self.address} lists shards, each of which is {done} by itself: set LEDGER_DATABASE to the address of one"
        )

    def lose(self, session_id: str | None = None) -> None:
        """Be told that a shard was exchanged: the one in which a session was found, or all if none is named."""
        found = self._homes.directory.remembered(session_id) if session_id else None
        for shard in [found] if found else self.shards:
            shard.store.lose()

    def close(self) -> None:
        """Let go of all that this process holds."""
        for shard in self.shards:
            shard.store.close()

    @contextmanager
    def at_one_moment(self) -> Iterator[None]:
        """Let this thread read each shard as it stands when it is first asked, until the block ends."""
        with self._moment.begun():
            yield


def condition_of(shards: Sequence[Shard]) -> Condition:
    """Look at all shards, of which none has to be there; what is told of one begins with its name."""
    conditions: dict[str, Condition] = {}
    warnings: list[str] = []
    for shard in shards:
        try:
            found = conditions[shard.name] = shard.store.condition()
        except StoreTrouble as error:
            warnings.append(f"{shard.name} ({shard.address}): it cannot be reached: {error}")
        else:
            warnings += named(shard, found.warnings)
    every = conditions.values()
    is_there = exists_in([conditions[shard.name].exists if shard.name in conditions else None for shard in shards])
    if is_there:
        missing = [shard for shard in shards if shard.name in conditions and conditions[shard.name].exists is False]
        warnings += [f"{shard.name}: there is no database at {shard.address}" for shard in missing if shard.is_missing]
    seen = [one for one in every if one.exists is not None]
    return Condition(
        f"{len(shards)} shards",
        ", ".join(sorted({f"{one.engine} {one.release}" for one in seen})) or "none can be reached",
        exists=is_there,
        bytes=sum_of([one.bytes for one in every]),
        free_bytes=least_of([one.free_bytes for one in every]),
        pending_migrations=of_each(shards, conditions, lambda one: one.pending_migrations),
        warnings=warnings,
        notes=of_each(shards, conditions, lambda one: one.notes),
    )


def exists_in(found: Sequence[bool | None]) -> bool | None:
    """Say whether there is a database in any of the places; None if nobody knows."""
    return True if any(found) else None if None in found else False


def of_each(
    shards: Sequence[Shard], conditions: dict[str, Condition], part: Callable[[Condition], Sequence[str]]
) -> list[str]:
    """Give a part of what is told of each shard, with its name before it."""
    return [told for shard in shards if shard.name in conditions for told in named(shard, part(conditions[shard.name]))]


def named(shard: Shard, told: Sequence[str]) -> list[str]:
    """Put a shard's name before what is told of it."""
    return [f"{shard.name}: {one}" for one in told]


def figures_of(shards: Sequence[Shard]) -> Figures:
    """Sum up what is known; the room is that of the fullest disk, the backup that of the shard whose is the oldest."""
    every = []
    for shard in missing_last(shards):
        with suppress(StoreTrouble), shard.lent(reads=True) as store:
            shard.try_to_read()
            every.append(store.figures())
    backups = [one.backed_up_at for one in every]
    return Figures(
        sum_of([one.bytes for one in every]),
        sum_of([one.wal_bytes for one in every]),
        least_of([one.free_bytes for one in every]),
        None if None in backups else min(filter(None, backups), default=None),
        [shard.name for shard in shards if shard.is_missing],
    )


def sum_of(figures: Sequence[int | None]) -> int | None:
    """Add up those that are known; None if none is."""
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known else None


def least_of(figures: Sequence[int | None]) -> int | None:
    """Give the least of those that are known; None if none is."""
    return min((figure for figure in figures if figure is not None), default=None)


def damage_of(shards: Sequence[Shard]) -> Iterator[Damage]:
    """Say what is wrong in each shard; that one cannot be looked at is told as well, and keeps nobody from the rest."""
    for shard in shards:
        try:
            with shard.lent() as store:
                for one in store.damage():
                    yield one._replace(table=f"{shard.name}: {one.table}")
        except StoreTrouble as error:
            yield Damage(f"{shard.name}:", "", f"it cannot be reached ({error})")
