"""Moving sessions between the databases of one service, while it runs."""

from __future__ import annotations

import sys

import click

from ledger.cli.terminal import as_json, database, give
from ledger.store import DatabaseDamaged, DividedStore, NotThere, StoreBusy


@click.command()
@click.argument("sessions", nargs=-1, metavar="[SESSION]...")
@click.option("--from-shard", "source", metavar="NAME", help="All sessions that live there, instead of some by name.")
@click.option("--to-shard", "target", metavar="NAME", required=True, help="Where they are to live.")
@as_json
def rehome(sessions: tuple[str, ...], source: str | None, target: str, *, as_json: bool) -> None:
    """Move sessions to another of the shards that LEDGER_DATABASE lists, while the service runs.

    Each is copied, compared, and only then gone from where it was; who records in it meanwhile is told to come back in
    a second. It may be stopped at any moment and run again.

    Example: fuda-ledger rehome --from-shard east --to-shard west
    """
    if bool(sessions) == (source is not None):
        raise click.UsageError("either sessions, or --from-shard, whose sessions all are moved")
    store = database()
    if not isinstance(store, DividedStore):
        raise click.UsageError(f"{store.address} is one database, and not a list of shards; `move` moves between two")
    for name in {target, source} - {None}:
        if name not in store.parts:
            raise click.UsageError(f"{store.address} has no shard {name!r}; it has {', '.join(store.parts)}")
    wanted = sessions or [one for one in store.session_ids() if store.part_of(one) == source]
    outcomes = {session_id: rehomed(store, session_id, target) for session_id in wanted}
    moved = [one for one, what in outcomes.items() if what == "moved"]
    lines = [f"{session_id} {said(what, target)}" for session_id, what in outcomes.items()]
    give({"sessions": outcomes}, [*lines, f"moved: {len(moved)}"], json=as_json)
    if not {*outcomes.values()} <= {"moved", "there already"}:
        sys.exit(1)


def rehomed(store: DividedStore, session_id: str, target: str) -> str:
    """Move one session, and say what became of it. Raises NotThere."""
    try:
        return "moved" if store.move_session(session_id, target) else "there already"
    except KeyError:
        raise NotThere from None
    except StoreBusy:
        return "busy"
    except DatabaseDamaged as error:
        return f"refused: {error}"


def said(what: str, target: str) -> str:
    """Say it to people."""
    match what:
        case "moved":
            return f"is moved to {target}"
        case "busy":
            return "is busy, or one of its shards cannot be reached: run it again"
        case "there already":
            return f"lives in {target} already"
        case _:
            return what
