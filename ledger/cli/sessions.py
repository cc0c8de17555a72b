"""The sessions in the database: listed, taken home, brought in, shared, checked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from ledger.cli.terminal import as_json, database, file_to_read, give, sentence_of
from ledger.codec.files import File
from ledger.codec.json_text import read_json
from ledger.codec.words import shows_nothing, unfit
from ledger.config import MAX_DAYS, Config
from ledger.desk import Desk
from ledger.exports import FORMATS, file_of
from ledger.exports.archive import SessionArchive
from ledger.exports.wanted import Wanted
from ledger.importing import bring_in
from ledger.language import LANGUAGES, SOURCE, render
from ledger.notation import parse
from ledger.responses.links import link_answer
from ledger.responses.sessions import Opened, session_answer
from ledger.responses.verification import Finding, Verified, verified_answer
from ledger.sentences import say
from ledger.storage.errors import NotFound, StoreBusy, StoreError
from ledger.storage.records import ROLES, Role
from ledger.storage.store import Store
from ledger.verification import verify
from schemas.imports import load_score
from schemas.records import loaded


@click.command()
@as_json
def sessions(*, as_json: bool) -> None:
    """List the sessions in the database."""
    desk = Desk(database())
    found = [session_answer(desk.session(session)) for session in desk.store.session_ids()]
    lines = (
        f"{one.id}  {one.game:<9} {one.status:<7} {one.rounds:>4} rounds  {one.seq:>6} events  "
        f"{one.created_at}  {one.name or ''}"
        for one in found
    )
    give({"sessions": found}, lines, json=as_json)


@click.command()
@click.argument("session")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="json", help="Which format.")
@click.option("--what", "part", help="csv only: rounds or events instead of entries.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="For the formats that people read.")
@click.option("--bom", is_flag=True, help="csv only: mark it as UTF-8, for Excel.")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="A file; otherwise printed.")
def export(session: str, form: str, output: Path | None, **asked: Any) -> None:
    """Write SESSION out in a format to take home.

    Example: fuda-ledger export 1f0c… --format xlsx -o evening.xlsx
    """
    desk = Desk(database())
    archive = SessionArchive(desk.session(session), desk.store)
    file = file_of(archive, form, Wanted(zone=Config.read().timezone, **asked))
    with click.open_file(str(output or "-"), "wb") as stream:
        stream.writelines(file.pieces)


@click.command("import")
@file_to_read
@as_json
def import_(file: Path, *, as_json: bool) -> None:
    """Bring the session in FILE, an export.json or export.txt, in as a new one, and print its owner's token.

    Example: fuda-ledger import evening.json
    """
    desk = Desk(database())
    if file.suffix == ".json":
        session, link, token = bring_in(desk, loaded(File, read_json(file.read_bytes())))
    else:
        score = parse(file.read_text("utf-8"))
        session, link, token = desk.open(*load_score(score.opening, score.events))
    answer = Opened(session_answer(session), link_answer(link, token))
    give(answer, [f"session {session.id}", f"token   {token}"], json=as_json)


@click.command()
@click.argument("session")
@click.option("--role", type=click.Choice(ROLES), default="viewer", help="What its holder may do.")
@click.option("--label", help="What it is for.")
@click.option("--expires", type=click.DateTime(), help="Until when, in UTC; otherwise until it is revoked.")
@as_json
def token(session: str, role: Role, label: str | None, expires: datetime | None, *, as_json: bool) -> None:
    """Make a link to SESSION and print its token, which is not kept.

    Example: fuda-ledger token 1f0c… --role scorer --label "Aki's phone"
    """
    if label is not None and (shows_nothing(label) or unfit(label, one_line=True)):
        raise click.BadParameter("it has to be one line that can be seen", param_hint="--label")
    desk = Desk(database())
    desk.head(session)
    link, secret = desk.access.add_link(session, role, label, expires.replace(tzinfo=UTC) if expires else None)
    give(link_answer(link, secret), [secret], json=as_json)


@click.command()
@click.argument("session")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(session: str, *, yes: bool) -> None:
    """Delete SESSION and all that is in it, for good. Backups and exports still have it.

    Example: fuda-ledger delete 1f0c…
    """
    desk = Desk(database())
    events = desk.head(session).seq
    if not yes:
        click.confirm(f"Delete session {session} with {events} events for good?", abort=True)
    desk.delete(session)
    click.echo(f"session {session} is gone")


@click.command()
@click.option(
    "--keep-days", type=click.IntRange(1, MAX_DAYS), help="How long sessions are kept; otherwise LEDGER_KEEP_DAYS."
)
@click.option("--dry-run", is_flag=True, help="Only say which.")
@as_json
def tidy(keep_days: int | None, *, dry_run: bool, as_json: bool) -> None:
    """Delete for good the sessions in which nothing was recorded for so many days, as the service does once an hour.

    Example: fuda-ledger tidy --keep-days 400 --dry-run
    """
    desk, days = Desk(database()), keep_days or Config.read().keep_days
    since = desk.idle_since(days)
    if days and since is None:
        click.echo("The clock is behind the newest row in the database, so no session is deleted", err=True)
    found = desk.store.idle_sessions(since or "") if dry_run else list(desk.tidy(days))
    told = "would be deleted" if dry_run else "deleted"
    give({"sessions": found}, [*(f"session {one}" for one in found), f"{told}: {len(found)}"], json=as_json)


@click.command("verify")
@click.argument("session", nargs=-1)
@as_json
def verify_(session: tuple[str, ...], *, as_json: bool) -> None:
    """Check the database's file, and the record of each SESSION, or of all: hashes, words, the books worked out again.

    Example: fuda-ledger verify
    """
    store = database()
    damage = store.engine.damage()
    try:
        results = checked(store, session, quiet=as_json)
    except StoreError as error:
        if not damage:
            raise
        results = {}
        click.echo(f"sessions cannot be read ({sentence_of(error)})", err=True)
    lines = (
        f"{one}  {found.events:>6} events  {found.entries:>6} entries  "
        + "; ".join(
            [
                *([f"whole, ends with {found.head[:16]}…"] if found.ok else []),
                *(f"{f.table} {f.row}: {f.what}" for f in found.findings),
            ]
        )
        for one, found in results.items()
    )
    file = {"ok": not damage, "findings": [one._asdict() for one in damage]}
    told = [f"database          {one}" for one in damage] or ["database          the file is whole"]
    give({**results, "database": file}, [*lines, *told], json=as_json)
    if damage or not all(found.ok for found in results.values()):
        sys.exit(1)


UNREADABLE = say("it cannot be read")


def checked(store: Store, wanted: Sequence[str] = (), *, quiet: bool) -> dict[str, Verified]:
    """Check sessions one after the other, with a progress bar for people."""
    results: dict[str, Verified] = {}
    every = wanted or store.session_ids()
    with click.progressbar(every, label="Checking", hidden=quiet, file=sys.stderr) as bar:
        for one in bar:
            try:
                results[one] = verified_answer(verify(store, one), SOURCE)
            except (NotFound, StoreBusy):
                raise
            except Exception:  # noqa: BLE001 - what damage makes of a row, nobody can foresee
                unread = Finding("sessions", one, render(UNREADABLE, SOURCE, {}), "error")
                results[one] = Verified(ok=False, events=0, entries=0, forgotten=0, head="", findings=(unread,))
    return results
