"""All shards together, as an operator sees them: those that are missing are named, and take no others along."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from ledger.store import Condition, Damage, Figures, StoreTrouble
from ledger.store.sharded.shard import Shard


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
    if any(one.exists for one in every):
        missing = [shard for shard in shards if shard.name in conditions and not conditions[shard.name].exists]
        warnings += [f"{shard.name}: there is no database at {shard.address}" for shard in missing if shard.is_missing]
    return Condition(
        f"{len(shards)} shards",
        ", ".join(sorted({f"{one.engine} {one.release}" for one in every})) or "none can be reached",
        exists=any(one.exists for one in every),
        bytes=sum_of([one.bytes for one in every]),
        free_bytes=least_of([one.free_bytes for one in every]),
        pending_migrations=of_each(shards, conditions, lambda one: one.pending_migrations),
        warnings=warnings,
        notes=of_each(shards, conditions, lambda one: one.notes),
    )


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
    for shard in shards:
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
