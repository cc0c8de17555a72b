"""The database as a whole: copied, put back, looked at."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import click

from ledger import __version__
from ledger.cli.sessions import checked
from ledger.cli.terminal import as_json, database, give
from ledger.config import Config
from ledger.starting import NO_OPENING, is_short_of_room
from ledger.store import Condition, Store, open_store, timestamp
from ledger.store.address import ENGINES, Address

LEAST_FREE_BYTES = 200 * 2**20

UNSET: tuple[object, ...] = (None, "", (), [])
"""What settings and figures are that nobody set or that there are none of."""


@click.command()
@click.argument("to")
def backup(to: str) -> None:
    """Copy the database to the file TO while the service runs, and check the copy.

    Example: fuda-ledger backup /backups/ledger-2026-11-21.db
    """
    copy = Address.read(to)
    refuse_what_others_copy(copy, Config.read().database)
    if open_store(copy).exists():
        raise click.ClickException(f"{copy} is there already")
    with click.progressbar(length=1, label="Copying", file=sys.stderr) as bar:

        def show(left: int, total: int) -> None:
            bar.length = total
            bar.update(total - left - bar.pos)

        source, began = database(), timestamp(datetime.now(UTC))
        source.copy(copy, show)
    make_sure(database(copy), str(copy))
    try:
        source.note_backup(began)
    except OSError as error:
        click.echo(f"when it was made could not be noted beside the database ({error.strerror})", err=True)


def refuse_what_others_copy(*addresses: Address) -> None:
    """Make sure that all of some databases are copied by us. Ends the command, and says what to use, if one is not."""
    for address in addresses:
        if instead := ENGINES[address.scheme].copied_with:
            raise click.ClickException(f"{address} is copied, and brought back, by programs of its own: use {instead}")


def make_sure(store: Store, name: str) -> None:
    """Check a database, called by a name, and every session in it. Ends the command if anything is wrong."""
    wrong = [str(damage) for damage in store.damage()]
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
    copy, place = Address.read(backup_file), Config.read().database
    refuse_what_others_copy(copy, place)
    target = open_store(place)
    if target.exists() and not force:
        raise click.ClickException(f"there is a database at {target.address}; --force puts it aside")
    if not open_store(copy).exists():
        raise click.ClickException(f"there is no database at {copy}")
    if aside := target.restore(copy, lambda taken: make_sure(taken, str(copy))):
        click.echo(f"what was there is kept as {aside}")
    click.echo(f"restored to {target.address}")


@click.command()
@as_json
def doctor(*, as_json: bool) -> None:
    """Say what this installation is and whether all is well with it: versions, settings, disk, database.

    What is wrong is a warning, and the exit code is then 1. What is only good to know is a note.
    """
    config = Config.read()
    store = open_store(config.database)
    condition = store.condition()
    versions = {"fuda-ledger": __version__, "python": platform.python_version(), condition.engine: condition.release}
    settings = {f"LEDGER_{name.upper()}": getattr(config, name) for name in Config.__dataclass_fields__}
    variables = {name: "" if value is None else str(value) for name, value in settings.items()}
    if config.opening_key:
        variables["LEDGER_OPENING_KEY"] = "(set)"
    state = {
        "address": store.address,
        "exists": condition.exists,
        "bytes": condition.bytes,
        "free_bytes": condition.free_bytes,
        "pending_migrations": condition.pending_migrations,
    }
    wrong, known = list(warnings(config, condition)), list(notes(config, condition))
    shown = {**versions, **variables, **state}
    lines = [f"{name:<24} {'(none)' if value in UNSET else value}" for name, value in shown.items()]
    lines += [f"note: {note}" for note in known]
    lines += [f"warning: {warning}" for warning in wrong] or ["nothing seems wrong"]
    told = {**versions, "settings": variables, "database": state, "warnings": wrong, "notes": known}
    give(told, lines, json=as_json)
    if wrong:
        sys.exit(1)


def warnings(config: Config, condition: Condition) -> Iterator[str]:
    """Name what is wrong."""
    yield from condition.warnings
    if condition.free_bytes is not None and condition.free_bytes < LEAST_FREE_BYTES:
        yield f"only {condition.free_bytes // 2**20} MiB are free on the database's disk"
    if is_short_of_room(config, condition.free_bytes):
        yield NO_OPENING


def notes(config: Config, condition: Condition) -> Iterator[str]:
    """Name what an operator may want to know of an installation that is well."""
    yield from condition.notes
    if condition.exists is False:
        yield "there is no database yet; the first start of the service makes it"
    if condition.pending_migrations:
        yield "the database has an older schema; the next start of the service brings it up to date"
    if not config.opening_key:
        yield "anyone who reaches the service can open sessions, as LEDGER_OPENING_KEY is not set"
