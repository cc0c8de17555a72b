"""Moving a whole database: its sessions, one after the other, into another, of whatever engine."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import click

from ledger.cli.terminal import as_json, give
from ledger.config import Config
from ledger.moving import Later, Outcome, What, move, what_is_later
from ledger.store import Store, open_store
from ledger.store.address import Address

LISTED = 20
"""As many sessions are named in a sentence; a program gets all."""


@click.command("move")
@click.option("--from", "source_address", required=True, metavar="ADDRESS", help="Where the sessions are: only read.")
@click.option("--to", "target_address", required=True, metavar="ADDRESS", help="Where they go; made if need be.")
@as_json
def move_(source_address: str, target_address: str, *, as_json: bool) -> None:
    """Move all sessions from one database to another, of whatever engine, and check each on both sides.

    It may be stopped at any moment and run again: what is there already is only compared, what was recorded meanwhile
    is moved again.

    Example: fuda-ledger move --from sqlite:///instance/ledger.db --to postgresql://ledger@db.example/ledger
    """
    if Address.read(source_address) == Address.read(target_address):
        raise click.UsageError("--from and --to are the same database")
    source, target = opened(source_address), opened(target_address)
    make_sure_it_can_be_read(source)
    target.prepare()
    outcomes = moved(source, target, quiet=as_json)
    target.finish_forgetting()
    later, wrong = what_is_later(source, target, outcomes), [str(damage) for damage in target.damage()]
    is_left = wrong or later.moved_on
    is_done = not is_left and all(one.what != "refused" for one in outcomes.values())
    sessions = {session_id: one._asdict() for session_id, one in outcomes.items()}
    told = {"ok": is_done, "sessions": sessions, "damage": wrong, **later._asdict()}
    give(told, [*lines_of(outcomes), *closing_lines(outcomes, later), *wrong], json=as_json)
    if not is_done:
        sys.exit(1)


def opened(address: str) -> Store:
    """Open a store at an address; nothing is made there."""
    store = open_store(address, busy_seconds=Config.read().busy_seconds)
    click.get_current_context().call_on_close(store.close)
    return store


def make_sure_it_can_be_read(source: Store) -> None:
    """Make sure that there is a whole database that this release knows, and leave it as it is. Else end the command."""
    condition = source.condition()
    if not condition.exists:
        raise click.ClickException("; ".join(condition.warnings) or f"there is no database at {source.address}")
    if condition.pending_migrations:
        how = "start this release on it once, or ask it for its sessions (`fuda-ledger sessions`)"
        raise click.ClickException(f"{source.address} has an older schema: {how}, and move it then")
    source.prepare()  # which changes nothing where nothing is pending, and says what else is in the way
    if damage := source.damage():
        what = "; ".join(map(str, damage[:LISTED]))
        raise click.ClickException(
            f"{source.address} is damaged, and nothing was moved ({what}): `fuda-ledger verify` says all of it;"
            " put a backup in its place with `fuda-ledger restore`, and move that"
        )


def moved(source: Store, target: Store, *, quiet: bool) -> Mapping[str, Outcome]:
    """Move all sessions, with a progress bar for people that counts events."""
    sizes = {session_id: head.seq + 1 for session_id in source.session_ids() if (head := source.head(session_id))}
    outcomes: dict[str, Outcome] = {}
    with click.progressbar(length=sum(sizes.values()), label="Moving", hidden=quiet, file=sys.stderr) as bar:
        for session_id, size in sizes.items():
            outcomes[session_id] = move(source, target, session_id)
            bar.update(size)
    return outcomes


def lines_of(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    """Say what became of each session."""
    for session_id, one in outcomes.items():
        why = f": {one.why}" if one.why else f", ends with {one.head[:16]}…" if one.head else ""
        yield f"{session_id}  {one.events:>6} events  {one.what}{why}"


def closing_lines(outcomes: Mapping[str, Outcome], later: Later) -> Iterator[str]:
    """Say what came of it all, and what is left to do."""
    counts = Counter(one.what for one in outcomes.values())
    yield "; ".join(f"{what}: {counts[what]}" for what in get_args(What) if counts[what]) or "there are no sessions"
    if later.moved_on:
        yield f"not over there as they are here by now, so run it again: {listed(later.moved_on)}"
    if later.only_there:
        yield f"only over there, as they were recorded there, or deleted here since: {listed(later.only_there)}"


def listed(sessions: Sequence[str]) -> str:
    more = len(sessions) - LISTED
    return ", ".join(sessions[:LISTED]) + (f" and {more} more" if more > 0 else "")
