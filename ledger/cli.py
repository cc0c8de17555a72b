"""The command line: `fuda-ledger`, for whoever runs the service or works with files that it wrote.

Commands work on the database that `LEDGER_DATABASE` names, the same the service uses, and may run beside it. What a
program might read comes as JSON with `--json`. Exit codes: 0 all is well, 1 something was found or refused, 2 the call
was wrong.
"""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import click
import orjson
from marshmallow import ValidationError
from sqlite_utils import Database

from ledger import __version__
from ledger.config import BadSetting, Config
from ledger.desk import ROLES, Desk, NotThere, Role, recorded_all
from ledger.exports import FORMATS, file_of
from ledger.games import GAMES
from ledger.history import SessionState
from ledger.importing import folded, read_file, read_score
from ledger.language import LANGUAGES, Language, render
from ledger.notation import Misread, parse
from ledger.play import Refused
from ledger.sentences import say
from ledger.store.sqlite import SQLiteStore
from ledger.store.sqlite.migrations import MIGRATIONS
from ledger.verification import Verified, verify
from schemas.faults import pointers
from schemas.sessions import dump_link, dump_round, dump_session, dump_step, dump_verified

SOUND_SQLITE = (3, 51, 3)
"""From here on SQLite has no WAL-reset race any more."""

LEAST_FREE_BYTES = 200 * 2**20

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for a program to read.")
file_to_read = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


def settings() -> Config:
    """Read the settings. A wrong one ends the command."""
    try:
        return Config.read()
    except BadSetting as error:
        raise click.UsageError(str(error)) from None


def open_store(path: Path | None = None) -> SQLiteStore:
    """Open the database, which has to be there."""
    config = settings()
    path = path or config.database
    if not path.exists():
        raise click.ClickException(f"there is no database at {path}; LEDGER_DATABASE names it, `serve` makes it")
    store = SQLiteStore(path, busy_seconds=config.busy_seconds)
    click.get_current_context().call_on_close(store.close)
    store.prepare()
    return store


def give(told: Any, lines: Iterable[str], *, json: bool) -> None:
    """Print an answer, as JSON or for people."""
    if json:
        click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2))
    else:
        for line in lines:
            click.echo(line)


def fail(error: Exception) -> NoReturn:
    """End the command with what was wrong, in one sentence."""
    if isinstance(error, Refused):
        index = error.facts.get("index")
        where = f"event {index + 1}: " if isinstance(index, int) else ""
        rule = f" ({error.rule})" if error.rule else ""
        raise click.ClickException(f"{where}{render(error.sentence, 'en', {})}{rule}")
    if isinstance(error, ValidationError):
        wrong = (f"{place or 'the file'}: {why}" for place, why in pointers(error.messages))
        raise click.ClickException("; ".join(wrong))
    if isinstance(error, NotThere):
        raise click.ClickException("there is no such session; `fuda-ledger sessions` lists them")
    raise click.ClickException(str(error))


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """Keep the books for Shirinma, Shippin and Kakkuri.

    Shell completion: `eval "$(_FUDA_LEDGER_COMPLETE=bash_source fuda-ledger)"` (likewise zsh_source, fish_source).
    """


@main.command()
@click.option("--bind", help="Where to listen, as in 0.0.0.0:8000; otherwise LEDGER_BIND.")
def serve(bind: str | None) -> None:
    """Run the service.

    Example: fuda-ledger serve --bind 127.0.0.1:9000
    """
    if bind:
        os.environ["LEDGER_BIND"] = bind
    settings()
    gunicorn = [sys.executable, "-m", "gunicorn", "-c", "python:ledger.server", "ledger.app:create_app()"]
    os.execv(sys.executable, gunicorn)


# --- files ----------------------------------------------------------------------------------------------------------


def evening_in(file: Path) -> SessionState:
    """Live through the evening that a file tells: round notation, or an export.json. Ends the command if it cannot."""
    try:
        if file.suffix == ".json":
            return folded(read_file(orjson.loads(file.read_bytes()), session_id=""))
        opening, events = read_score(parse(file.read_text("utf-8")))
        state = SessionState.opened(GAMES[opening.game], opening)
        for recorded in recorded_all(state, events, opening.game):
            state = recorded.state
    except (Misread, ValidationError, ValueError, Refused) as error:
        fail(error)
    return state


@main.command()
@file_to_read
@as_json
def replay(file: Path, *, as_json: bool) -> None:
    """Go through FILE (round notation, or export.json) step by step.

    Example: fuda-ledger replay evening.txt
    """
    state = evening_in(file)
    points = list(reversed(list(state.points())))
    steps = [dump_step(point) for point in points]
    lines = (
        f"{step['seq']:>5}  {said(step['event']):<60} pot {step['pot']:>6}  {step['phase'] or ''}" for step in steps
    )
    give({"steps": steps}, lines, json=as_json)


@main.command()
@file_to_read
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="In which language it is explained.")
@as_json
def calculate(file: Path, language: str, *, as_json: bool) -> None:
    """Work out what FILE (round notation, or export.json) comes to.

    Example: fuda-ledger calculate tests/rounds/shirinma-seed-example.txt
    """
    state = evening_in(file)
    names = {player.id: player.name for player in state.table.players}
    rounds = [dump_round(done, names) for done in state.rounds()]
    balances = {player: state.balances.get(player, 0) for player in names}
    lines = [
        line
        for done in rounds
        if done["outcome"]
        for line in (render(say("Round {number}", number=done["number"]), language, {}), *told(done, language), "")
    ]
    lines += [f"{balance:>+8}  {names[player]}" for player, balance in balances.items()]
    give({"rounds": rounds, "balances": balances, "pot": state.table.pot}, lines, json=as_json)


def told(done: Mapping[str, Any], language: str) -> list[str]:
    """Give the explanation of a round, each sentence on a line."""
    return ["  " + sentence for sentence in done["outcome"]["explanation"][language]]


def said(event: Mapping[str, Any]) -> str:
    """Give an event on one line."""
    fields = " ".join(f"{name}={value}" for name, value in event.items() if name != "type")
    return f"{event['type']} {fields}"


# --- sessions -------------------------------------------------------------------------------------------------------


@main.command()
@as_json
def sessions(*, as_json: bool) -> None:
    """List the sessions in the database."""
    desk = Desk(open_store())
    found = [dump_session(desk.session(session)) for session in desk.store.session_ids()]
    lines = (
        f"{one['id']}  {one['game']:<9} {one['status']:<7} {one['rounds']:>4} rounds  {one['seq']:>6} events  "
        f"{one['created_at']}  {one['name'] or ''}"
        for one in found
    )
    give({"sessions": found}, lines, json=as_json)


@main.command()
@click.argument("session")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="json", help="Which format.")
@click.option("--what", help="csv only: rounds or events instead of entries.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="For the formats that people read.")
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), help="A file; otherwise printed.")
def export(session: str, form: str, what: str | None, language: Language, output: Path | None) -> None:
    """Write SESSION out in a format to take home.

    Example: fuda-ledger export 1f0c… --format xlsx -o evening.xlsx
    """
    try:
        file = file_of(Desk(open_store()).archive(session), form, language, what)
    except (NotThere, ValidationError) as error:
        fail(error)
    with click.open_file(str(output or "-"), "wb") as stream:
        stream.writelines(file.pieces)


@main.command("import")
@file_to_read
@as_json
def import_(file: Path, *, as_json: bool) -> None:
    """Bring the session in FILE, an export.json or export.txt, in as a new one, and print its owner's token.

    Example: fuda-ledger import evening.json
    """
    try:
        desk = Desk(open_store())
        if file.suffix == ".json":
            session, link, token = desk.bring_in(orjson.loads(file.read_bytes()))
        else:
            session, link, token = desk.open(*read_score(parse(file.read_text("utf-8"))))
    except (ValueError, Refused) as error:
        fail(error)
    answer = {"session": dump_session(session), "link": dump_link(link, token)}
    give(answer, [f"session {session.id}", f"token   {token}"], json=as_json)


@main.command()
@click.argument("session")
@click.option("--role", type=click.Choice(ROLES), default="viewer", help="What its holder may do.")
@click.option("--label", help="What it is for.")
@click.option("--expires", type=click.DateTime(), help="Until when, in UTC; otherwise until it is revoked.")
@as_json
def token(session: str, role: Role, label: str | None, expires: datetime | None, *, as_json: bool) -> None:
    """Make a link to SESSION and print its token, which is not kept.

    Example: fuda-ledger token 1f0c… --role scorer --label "Aki's phone"
    """
    desk = Desk(open_store())
    try:
        desk.head(session)
    except NotThere as error:
        fail(error)
    link, secret = desk.add_link(session, role, label, expires.replace(tzinfo=UTC) if expires else None)
    give(dump_link(link, secret), [secret], json=as_json)


@main.command("verify")
@click.argument("session", nargs=-1)
@as_json
def verify_(session: tuple[str, ...], *, as_json: bool) -> None:
    """Check the whole record of each SESSION, or of all: hashes, words, and the books worked out again.

    Example: fuda-ledger verify
    """
    results = checked(open_store(), session, quiet=as_json)
    lines = (
        f"{one}  {found.events:>6} events  {found.entries:>6} entries  "
        + ("; ".join(f"{f.table} {f.row}: {f.what}" for f in found.findings) or f"whole, ends with {found.head[:16]}…")
        for one, found in results.items()
    )
    give({one: dump_verified(found) for one, found in results.items()}, lines, json=as_json)
    if any(found.findings for found in results.values()):
        sys.exit(1)


def checked(store: SQLiteStore, wanted: Sequence[str] = (), *, quiet: bool) -> dict[str, Verified]:
    """Check sessions one after the other, with a progress bar for people."""
    results: dict[str, Verified] = {}
    every = wanted or store.session_ids()
    with click.progressbar(every, label="Checking", hidden=quiet, file=sys.stderr) as bar:
        for one in bar:
            try:
                results[one] = verify(store, one)
            except KeyError:
                fail(NotThere())
    return results


# --- the database ---------------------------------------------------------------------------------------------------


@main.command()
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


@main.command()
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


@main.command()
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
