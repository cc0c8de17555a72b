"""Sessions: those in the database listed, exported, imported, shared, deleted; those in files worked out."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from ledger.cli.terminal import as_json, file_to_read, give, main, open_database
from ledger.codec.encoding import plain
from ledger.codec.export_file import File
from ledger.codec.json_text import read_json
from ledger.codec.words import shows_nothing, unfit
from ledger.config import MAX_DAYS, Config
from ledger.exports import FORMATS
from ledger.exports import export as make_file
from ledger.exports.options import ExportOptions
from ledger.games import GAMES, newest
from ledger.i18n.language import LANGUAGES, Language, display_names, render
from ledger.i18n.sentences import say
from ledger.notation import parse
from ledger.responses.rounds import round_answer, step_answer
from ledger.responses.sessions import Opened, link_answer, session_answer
from ledger.rulebook.event import Event
from ledger.services.importing import read_file
from ledger.services.session_cache import fold_on, opened
from ledger.services.sessions import SessionService
from ledger.session.history import SessionState
from ledger.session.table import Opening
from ledger.storage.stored import ROLES, Role
from schemas.imports import load_score
from schemas.loading import loaded

# --- in the database ------------------------------------------------------------------------------------------------


@main.command()
@as_json
def sessions(*, as_json: bool) -> None:
    """List the sessions in the database."""
    service = SessionService(open_database())
    found = [session_answer(service.session(session)) for session in service.store.session_ids()]
    form = "{0.id}  {0.game:<9} {0.status:<7} {0.rounds:>4} rounds  {0.seq:>6} events  {0.created_at}  {1}"
    lines = [form.format(one, one.name or "") for one in found]
    give({"sessions": found}, lines, json=as_json)


@main.command()
@click.argument("session")
@click.option("--format", "form", type=click.Choice(list(FORMATS)), default="json", help="Which format.")
@click.option("--what", "part", help="csv only: rounds or events instead of entries.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="For the formats that people read.")
@click.option("--bom", is_flag=True, help="csv only: mark it as UTF-8, for Excel.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), default="-", help="A file; otherwise printed.")
def export(session: str, form: str, output: str, **options: Any) -> None:
    """Export SESSION in one of the formats.

    Example: fuda-ledger export 1f0c… --format xlsx -o evening.xlsx
    """
    service = SessionService(open_database())
    asked = ExportOptions(zone=Config.read().timezone, **options)
    file = make_file(service.session(session), service.store, form, asked)
    with click.open_file(output, "wb") as stream:
        stream.write(file.content)


@main.command("import")
@file_to_read
@as_json
def import_(file: Path, *, as_json: bool) -> None:
    """Import FILE, an export.json or export.txt, as a new session, and print its owner's token.

    Example: fuda-ledger import evening.json
    """
    service, read = SessionService(open_database()), read_export(file)
    session, link, token = service.create_imported(read_file(read)) if isinstance(read, File) else service.open(*read)
    answer = Opened(session_answer(session), link_answer(link, token))
    give(answer, [f"session {session.id}", f"token   {token}"], json=as_json)


@main.command()
@click.argument("session")
@click.option("--role", type=click.Choice(ROLES), default="viewer", help="What its holder may do.")
@click.option("--label", help="What it is for.")
@click.option("--expires", type=click.DateTime(), help="Until when, in UTC; otherwise until it is revoked.")
@as_json
def token(session: str, role: Role, label: str | None, expires: datetime | None, *, as_json: bool) -> None:
    """Make a link to SESSION and print its token, which is not stored.

    Example: fuda-ledger token 1f0c… --role scorer --label "Aki's phone"
    """
    if label is not None and (shows_nothing(label) or unfit(label, one_line=True)):
        raise click.BadParameter("it has to be one line that can be seen", param_hint="--label")
    service = SessionService(open_database())
    service.store.head(session)
    link, secret = service.access.add_link(session, role, label, expires.replace(tzinfo=UTC) if expires else None)
    give(link_answer(link, secret), [secret], json=as_json)


@main.command()
@click.argument("session")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(session: str, *, yes: bool) -> None:
    """Delete SESSION and all that is in it, for good. Backups and exports still have it.

    Example: fuda-ledger delete 1f0c…
    """
    service = SessionService(open_database())
    events = service.store.head(session).seq
    if not yes:
        click.confirm(f"Delete session {session} with {events} events for good?", abort=True)
    service.delete(session)
    click.echo(f"session {session} is gone")


@main.command()
@click.option("--keep-days", type=click.IntRange(1, MAX_DAYS), help="For how many days; otherwise LEDGER_KEEP_DAYS.")
@click.option("--dry-run", is_flag=True, help="Only list them.")
@as_json
def tidy(keep_days: int | None, *, dry_run: bool, as_json: bool) -> None:
    """Delete for good the sessions in which nothing was recorded for so many days, as the service does once an hour.

    Example: fuda-ledger tidy --keep-days 400 --dry-run
    """
    service, days = SessionService(open_database()), keep_days or Config.read().keep_days
    since = service.idle_since(days)
    if days and since is None:
        click.echo("The clock is behind the newest row in the database, so no session is deleted", err=True)
    found = service.store.idle_sessions(since or "") if dry_run else list(service.tidy(days))
    lines = [f"session {one}" for one in found] + [f"{'would be deleted' if dry_run else 'deleted'}: {len(found)}"]
    give({"sessions": found}, lines, json=as_json)


# --- in files, which need no database -------------------------------------------------------------------------------


def read_export(file: Path) -> File | tuple[Opening, tuple[Event, ...]]:
    """Read an export.json, or the round notation of a file by any other name."""
    if file.suffix == ".json":
        return loaded(File, read_json(file.read_bytes()))
    opening, events, _ = parse(file.read_text("utf-8"))
    return load_score(opening, events)


def fold_file(file: Path) -> SessionState:
    match read_export(file):
        case File() as exported:
            copy = read_file(exported)
            return fold_on(opened(copy.session), copy.events).session.state
        case opening, events:
            version = newest(opening.game).version
            return SessionState.opened(GAMES[opening.game], opening).after((event, version) for event in events)


@main.command()
@file_to_read
@as_json
def replay(file: Path, *, as_json: bool) -> None:
    """Go through FILE (round notation, or export.json) step by step.

    Example: fuda-ledger replay evening.txt
    """
    steps = list(map(step_answer, fold_file(file).steps()))
    lines = (f"{step.seq:>5}  {on_a_line(step.event):<60} pot {step.pot:>6}  {step.phase or ''}" for step in steps)
    give({"steps": steps}, lines, json=as_json)


def on_a_line(event: Event) -> str:
    return f"{event.type} " + " ".join(f"{name}={value}" for name, value in plain(event).items() if name != "type")


@main.command()
@file_to_read
@click.option("--language", type=click.Choice(LANGUAGES), default="en", help="In which language it is explained.")
@as_json
def calculate(file: Path, language: Language, *, as_json: bool) -> None:
    """Work out what FILE (round notation, or export.json) comes to.

    Example: fuda-ledger calculate tests/rounds/shirinma-seed-example.txt
    """
    state = fold_file(file)
    names = display_names({player.id: player.name for player in state.table.players})
    rounds = [round_answer(round_, names) for round_ in state.rounds()]
    balances = {player: state.balances.get(player, 0) for player in names}
    lines = []
    for each in rounds:
        if each.outcome:
            heading = render(say("Round {number}", number=each.number), language, {})
            lines += [heading, *(f"  {sentence}" for sentence in each.outcome.explanation[language]), ""]
    lines += [f"{balance:>+8}  {names[player]}" for player, balance in balances.items()]
    give({"rounds": rounds, "balances": balances, "pot": state.table.pot}, lines, json=as_json)
