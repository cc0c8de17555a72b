"""The database as a whole: verified, backed up, restored, moved, examined."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import click

from ledger import __version__
from ledger.cli.terminal import as_json, give, main, open_database, sentence_of
from ledger.config import Config, shown_settings, unknown_settings
from ledger.i18n.language import SOURCE, render
from ledger.responses.reports import Finding, Verified
from ledger.services.verification import check, verify
from ledger.storage.address import Address, open_store
from ledger.storage.errors import NotFound, StoreBusy, StoreError
from ledger.storage.store import Store, timestamp
from ledger.storage.stored import Condition

MIN_FREE_BYTES = 200 * 2**20


@main.command("verify")
@click.argument("session", nargs=-1)
@as_json
def verify_(session: tuple[str, ...], *, as_json: bool) -> None:
    """Check the database's file, and the record of each SESSION, or of all: hashes, words, the books worked out again.

    Example: fuda-ledger verify
    """
    store, results = open_database(), dict[str, Verified]()
    damage = store.engine.damage()
    try:
        results = verify_sessions(store, session, quiet=as_json)
    except StoreError as error:
        if not damage:
            raise
        click.echo(f"sessions cannot be read ({sentence_of(error)})", err=True)
    lines = [
        f"{one}  {found.events:>6} events  {found.entries:>6} entries  "
        + "; ".join([f"whole, ends with {found.head[:16]}…"] * found.ok + [*map(on_a_line, found.findings)])
        for one, found in results.items()
    ]
    lines += [f"database          {one}" for one in damage] or ["database          the file is whole"]
    file = {"ok": not damage, "findings": [one._asdict() for one in damage]}
    ok = not damage and all(found.ok for found in results.values())
    give({**results, "database": file}, lines, json=as_json, ok=ok)


def verify_sessions(store: Store, wanted: Sequence[str] = (), *, quiet: bool = False) -> dict[str, Verified]:
    """Verify sessions, by default all, with a progress bar."""
    results = dict[str, Verified]()
    with click.progressbar(wanted or store.session_ids(), label="Checking", hidden=quiet, file=sys.stderr) as bar:
        for one in bar:
            try:
                results[one] = verify(store, one)
            except (NotFound, StoreBusy):
                raise
            except Exception:  # noqa: BLE001 - damage can make anything of a row
                unread = Finding("sessions", one, "it cannot be read", "error")
                results[one] = Verified(ok=False, events=0, entries=0, forgotten=0, head="", findings=(unread,))
    return results


def on_a_line(finding: Finding) -> str:
    return f"{finding.table} {finding.row}: {finding.what}"


def need_whole(store: Store, name: str) -> None:
    """End the command if anything is wrong with a database or a session in it."""
    wrong, results = [str(damage) for damage in store.engine.damage()], verify_sessions(store)
    for one, found in results.items():
        wrong += [f"session {one}: {on_a_line(each)}" for each in found.findings if each.severity == "error"]
    if wrong:
        raise click.ClickException(f"{name} is not whole: " + "; ".join(wrong))
    click.echo(f"{name} is whole: {len(results)} sessions")


@main.command()
@click.argument("to")
def backup(to: str) -> None:
    """Copy the database to the file TO while the service runs, and check the copy.

    Example: fuda-ledger backup /backups/ledger-2026-11-21.db
    """
    open_database().engine.backup(to)
    need_whole(open_database(Address(to)), to)


@main.command()
@click.argument("backup_file")
@click.option("--force", is_flag=True, help="Replace an existing database, which is renamed.")
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


@main.command()
@click.argument("to")
@as_json
def move(to: str, *, as_json: bool) -> None:
    """Copy all sessions to the database at the address TO, of whatever engine, and check each on both sides.

    It may be stopped and run again: sessions that are there already are only compared. Stop the service first.

    Example: fuda-ledger move postgresql://ledger@db.example/ledger
    """
    address, settings = Address(to), Config.read()
    if address == settings.database:
        raise click.UsageError(f"{address} is this very database")
    source, target = open_database(), open_store(address, busy_seconds=settings.busy_seconds)
    click.get_current_context().call_on_close(target.engine.close)
    target.engine.prepare()
    with click.progressbar(source.session_ids(), label="Moving", hidden=as_json, file=sys.stderr) as bar:
        moved = {session: move_session(source, target, session) for session in bar}
    there = sum(not outcome.startswith("refused") for outcome in moved.values())
    lines = [*(f"{one}  {outcome}" for one, outcome in moved.items()), f"{there} of {len(moved)} are there"]
    give({"ok": there == len(moved), "sessions": moved}, lines, json=as_json, ok=there == len(moved))


def move_session(source: Store, target: Store, session: str) -> str:
    """Copy one session, unless it is there already; give the outcome."""
    with source.snapshot() as reader:
        copy, balances = reader.copy(session), reader.balances(session)
    for table, row, what, severity in check(copy, balances):
        if severity == "error":
            return f"refused: it is damaged ({table} {row}: {render(what, SOURCE, {})})"
    is_new = not target.last_seqs([session])
    if is_new:
        target.create_session(copy, timestamp(datetime.now(UTC)))
    with target.snapshot() as reader:
        if reader.copy(session) != copy:
            return "refused: the one over there is another: delete the one that is wrong"
    return "moved" if is_new else "there already"


@main.command()
@as_json
def doctor(*, as_json: bool) -> None:
    """Show versions, settings, disk and database, with warnings (exit code 1) and notes."""
    config = Config.read()
    try:
        condition = open_store(config.database).engine.condition()
    except StoreError as error:
        condition = Condition(config.database.scheme, "", exists=None, warnings=[str(error)])
    versions = {"fuda-ledger": __version__, "python": platform.python_version(), condition.engine: condition.release}
    settings = shown_settings(os.environ)
    state = {"address": str(config.database), **condition._asdict()}
    for name in ("engine", "release", "warnings", "notes"):
        del state[name]
    warnings, notes = [*unknown_settings(os.environ), *condition.warnings], [*condition.notes]
    if condition.free_bytes is not None and condition.free_bytes < MIN_FREE_BYTES:
        warnings.append(f"only {condition.free_bytes // 2**20} MiB are free on the database's disk")
    if condition.exists is False:
        notes.append("there is no database yet; the first start of the service makes it")
    if condition.pending_migrations:
        notes.append("the database has an older schema; the next start of the service brings it up to date")
    if not config.opening_key:
        notes.append("anyone who reaches the service can open sessions, as LEDGER_OPENING_KEY is not set")
    shown = {**versions, **settings, **state}
    lines = [f"{name:<24} {'(none)' if value in (None, '', (), []) else value}" for name, value in shown.items()]
    lines += [f"note: {note}" for note in notes]
    lines += [f"warning: {warning}" for warning in warnings] or ["nothing seems wrong"]
    answer = {**versions, "settings": settings, "database": state, "warnings": warnings, "notes": notes}
    give(answer, lines, json=as_json, ok=not warnings)
