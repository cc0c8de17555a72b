"""The database as a whole: copied, put back, looked at."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import click

from ledger import __version__
from ledger.cli.sessions import checked
from ledger.cli.terminal import as_json, database, give
from ledger.config import Config, shown_settings, unknown_settings
from ledger.language import SOURCE, render
from ledger.storage.address import Address, open_store
from ledger.storage.errors import StoreError
from ledger.storage.records import Condition, timestamp
from ledger.storage.store import Store
from ledger.verification import check

LEAST_FREE_BYTES = 200 * 2**20

UNSET: tuple[object, ...] = (None, "", (), [])
"""What settings and figures are that nobody set or that there are none of."""


@click.command()
@click.argument("to")
def backup(to: str) -> None:
    """Copy the database to the file TO while the service runs, and check the copy.

    Example: fuda-ledger backup /backups/ledger-2026-11-21.db
    """
    database().engine.backup(to)
    need_whole(database(Address.read(to)), to)


def need_whole(store: Store, name: str) -> None:
    """Check a database, called by a name, and every session in it. Ends the command if anything is wrong."""
    wrong = [str(damage) for damage in store.engine.damage()]
    results = checked(store, quiet=False)
    wrong += [
        f"session {one}: {f.table} {f.row}: {f.what}"
        for one, found in results.items()
        for f in found.findings
        if f.severity == "error"
    ]
    if wrong:
        raise click.ClickException(f"{name} is not whole: " + "; ".join(wrong))
    click.echo(f"{name} is whole: {len(results)} sessions")


@click.command()
@click.argument("backup_file")
@click.option("--force", is_flag=True, help="Even over a database that is there; it is kept beside it.")
def restore(backup_file: str, *, force: bool) -> None:
    """Put BACKUP_FILE in the database's place, once that is checked. Stop the service first.

    BACKUP_FILE is only read: a copy of it is brought up to date, checked, and put in the place.

    Example: fuda-ledger restore /backups/ledger-2026-11-21.db --force
    """
    place = Config.read().database
    target = open_store(place)
    if target.engine.exists() and not force:
        raise click.ClickException(f"there is a database at {place}; --force puts it aside")
    if aside := target.engine.restore(backup_file, lambda copy: need_whole(copy, backup_file)):
        click.echo(f"what was there is kept as {aside}")
    click.echo(f"restored to {place}")


@click.command()
@click.argument("to")
@as_json
def move(to: str, *, as_json: bool) -> None:
    """Copy all sessions to the database at the address TO, of whatever engine, and check each on both sides.

    It may be stopped and run again: what is there already is only compared. Stop the service first, so that nothing is
    recorded here meanwhile.

    Example: fuda-ledger move postgresql://ledger@db.example/ledger
    """
    address = Address.read(to)
    if address == Config.read().database:
        raise click.UsageError(f"{address} is this very database")
    source, target = database(), open_store(address, busy_seconds=Config.read().busy_seconds)
    click.get_current_context().call_on_close(target.engine.close)
    target.engine.prepare()
    moved: dict[str, str] = {}
    with click.progressbar(source.session_ids(), label="Moving", hidden=as_json, file=sys.stderr) as bar:
        for session_id in bar:
            moved[session_id] = outcome_of_move(source, target, session_id)
    wrong = {one: what for one, what in moved.items() if what not in {MOVED, THERE}}
    lines = [*(f"{one}  {what}" for one, what in moved.items()), f"{len(moved) - len(wrong)} of {len(moved)} are there"]
    give({"ok": not wrong, "sessions": moved}, lines, json=as_json)
    if wrong:
        sys.exit(1)


MOVED, THERE = "moved", "there already"


def outcome_of_move(source: Store, target: Store, session_id: str) -> str:
    """Copy one session, unless it is there already; say what became of it."""
    with source.snapshot() as reader:
        copy, balances = reader.copy(session_id), reader.balances(session_id)
    if errors := [finding for finding in check(copy, balances) if finding.severity == "error"]:
        table, row, what, _ = errors[0]
        return f"refused: it is damaged ({table} {row}: {render(what, SOURCE, {})})"
    is_new = target.head(session_id) is None
    if is_new:
        target.create_session(copy, timestamp(datetime.now(UTC)))
    with target.snapshot() as reader:
        if reader.copy(session_id) != copy:
            return "refused: the one over there is another: delete the one that is wrong"
    return MOVED if is_new else THERE


@click.command()
@as_json
def doctor(*, as_json: bool) -> None:
    """Say what this installation is and whether all is well with it: versions, settings, disk, database.

    What is wrong is a warning, and the exit code is then 1. What is only good to know is a note.
    """
    config = Config.read()
    try:
        condition = open_store(config.database).engine.condition()
    except StoreError as error:
        condition = Condition(config.database.scheme, "", exists=None, warnings=[str(error)])
    versions = {"fuda-ledger": __version__, "python": platform.python_version(), condition.engine: condition.release}
    variables = shown_settings(os.environ)
    state = {
        "address": str(config.database),
        "exists": condition.exists,
        "bytes": condition.bytes,
        "free_bytes": condition.free_bytes,
        "pending_migrations": condition.pending_migrations,
    }
    wrong, known = [*unknown_settings(os.environ), *warnings(condition)], list(notes(config, condition))
    shown = {**versions, **variables, **state}
    lines = [f"{name:<24} {'(none)' if value in UNSET else value}" for name, value in shown.items()]
    lines += [f"note: {note}" for note in known]
    lines += [f"warning: {warning}" for warning in wrong] or ["nothing seems wrong"]
    told = {**versions, "settings": variables, "database": state, "warnings": wrong, "notes": known}
    give(told, lines, json=as_json)
    if wrong:
        sys.exit(1)


def warnings(condition: Condition) -> Iterator[str]:
    """Name what is wrong."""
    yield from condition.warnings
    if condition.free_bytes is not None and condition.free_bytes < LEAST_FREE_BYTES:
        yield f"only {condition.free_bytes // 2**20} MiB are free on the database's disk"


def notes(config: Config, condition: Condition) -> Iterator[str]:
    """Name what an operator may want to know of an installation that is well."""
    yield from condition.notes
    if condition.exists is False:
        yield "there is no database yet; the first start of the service makes it"
    if condition.pending_migrations:
        yield "the database has an older schema; the next start of the service brings it up to date"
    if not config.opening_key:
        yield "anyone who reaches the service can open sessions, as LEDGER_OPENING_KEY is not set"
