"""The database as a whole: copied, put back, looked at."""

from __future__ import annotations

import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from sqlite_utils import Database

from ledger import __version__
from ledger.cli.sessions import checked
from ledger.cli.terminal import as_json, give, open_store, settings
from ledger.config import Config
from ledger.store.sqlite.migrations import MIGRATIONS

SOUND_SQLITE = (3, 51, 3)
"""From here on SQLite has no WAL-reset race any more."""

LEAST_FREE_BYTES = 200 * 2**20


@click.command()
@click.argument("to", type=click.Path(dir_okay=False, path_type=Path))
def backup(to: Path) -> None:
    """Copy the database to the file TO while the service runs, and check the copy.

    Example: fuda-ledger backup /backups/ledger-2026-11-21.db
    """
    if to.exists():
        raise click.ClickException(f"{to} is there already")
    store = open_store()
    with click.progressbar(length=1, label="Copying", file=sys.stderr) as bar:

        def show(left: int, total: int) -> None:
            bar.length = total
            bar.update(total - left - bar.pos)

        store.copy_to(to, show)
    make_sure(to)


def make_sure(path: Path) -> None:
    """Check a database file and every session in it. Ends the command if anything is wrong."""
    store = open_store(path)
    wrong = list(store.damage())
    results = checked(store, quiet=False)
    wrong += [f"session {one}: {f.table} {f.row}: {f.what}" for one, found in results.items() for f in found.findings]
    if wrong:
        raise click.ClickException(f"{path} is not whole: " + "; ".join(wrong))
    click.echo(f"{path} is whole: {len(results)} sessions")


@click.command()
@click.argument("backup_file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Even over a database that is there; it is kept beside it.")
def restore(backup_file: Path, *, force: bool) -> None:
    """Put BACKUP_FILE in the database's place, once it is checked. Stop the service first.

    Example: fuda-ledger restore /backups/ledger-2026-11-21.db --force
    """
    target = settings().database
    if target.exists() and not force:
        raise click.ClickException(f"there is a database at {target}; --force puts it aside")
    make_sure(backup_file)
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_name(target.name + ".restoring")
    open_store(backup_file).copy_to(fresh)
    if target.exists():
        aside = target.with_name(f"{target.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%SZ}")
        open_store(target).copy_to(aside)
        click.echo(f"what was there is kept as {aside}")
    for leftover in ("", "-wal", "-shm"):
        target.with_name(target.name + leftover).unlink(missing_ok=True)
    fresh.rename(target)
    click.echo(f"restored to {target}")


@click.command()
@as_json
def doctor(*, as_json: bool) -> None:
    """Say what this installation is and what may be wrong with it: versions, SQLite, settings, disk, database."""
    config = settings()
    versions = {
        "fuda-ledger": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    variables = {f"LEDGER_{name.upper()}": str(getattr(config, name)) for name in Config.__dataclass_fields__}
    if config.opening_key:
        variables["LEDGER_OPENING_KEY"] = "(set)"
    state, found = database_state(config.database), list(warnings(config))
    lines = [f"{name:<24} {value}" for group in (versions, variables, state) for name, value in group.items()]
    lines += [f"warning: {warning}" for warning in found] or ["nothing seems wrong"]
    give({**versions, "settings": variables, "database": state, "warnings": found}, lines, json=as_json)
    if found:
        sys.exit(1)


def database_state(path: Path) -> dict[str, Any]:
    """Say how large the database is, how much room is left, and whether its schema is the newest."""
    home = next(folder for folder in (path, *path.resolve().parents) if folder.exists())
    free = shutil.disk_usage(home).free
    if not path.exists():
        return {"path": str(path), "exists": False, "free_bytes": free}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        pending = [migration.name for migration in MIGRATIONS.pending(Database(connection))]
    return {
        "path": str(path),
        "exists": True,
        "bytes": path.stat().st_size,
        "free_bytes": free,
        "pending_migrations": pending,
    }


def warnings(config: Config) -> Iterator[str]:
    """Name what may go wrong."""
    if sqlite3.sqlite_version_info < SOUND_SQLITE:
        yield f"SQLite {sqlite3.sqlite_version} has a rare WAL-reset race, gone from 3.51.3 on: keep checked backups"
    state = database_state(config.database)
    if state["free_bytes"] < LEAST_FREE_BYTES:
        yield f"only {state['free_bytes'] // 2**20} MiB are free on the database's disk"
    if state.get("pending_migrations"):
        yield "the database has an older schema; the next start of the service brings it up to date"
    if not config.opening_key:
        yield "anyone who reaches the service can open sessions, as LEDGER_OPENING_KEY is not set"
