"""What every command needs: the settings, the database, how answers are printed and errors said."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import click
import orjson
from marshmallow import ValidationError

from ledger.access import NotThere
from ledger.config import BadSetting, Config
from ledger.language import render
from ledger.play import Refused
from ledger.store.sqlite import SQLiteStore
from schemas.faults import pointers

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
