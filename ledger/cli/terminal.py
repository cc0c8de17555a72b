"""What every command needs: the settings, the database, how answers are printed and errors said."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from ledger.codec.encoding import encoded
from ledger.codec.json_text import NotJSON
from ledger.config import BadSetting, Config
from ledger.language import render
from ledger.notation import Misread
from ledger.play.refusals import Refused
from ledger.sentences import MAX_TOLD, Malformed, docline
from ledger.session_cache import LogIsDamaged
from ledger.storage.address import Address, BadAddress, open_store
from ledger.storage.errors import NotFound, StoreError
from ledger.storage.store import Store

FAULTS_OF_OURS = (StoreError, LogIsDamaged)
FAULTS_OF_A_FILE = (Refused, Malformed, Misread, UnicodeDecodeError, NotJSON)

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for a program to read.")
file_to_read = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


class Commands(click.Group):
    """The commands; what one of them runs into is said in a sentence."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except (BadSetting, BadAddress) as error:
            raise click.UsageError(str(error)) from None
        except (NotFound, *FAULTS_OF_A_FILE, *FAULTS_OF_OURS) as error:
            raise click.ClickException(sentence_of(error)) from error
        except OSError as error:
            if error.filename is None:
                raise
            raise click.FileError(str(error.filename), error.strerror) from error


def sentence_of(error: Exception) -> str:
    """Say what was wrong, in one sentence."""
    match error:
        case Refused():
            index = error.facts.get("index")
            where = f"event {index + 1}: " if isinstance(index, int) else ""
            return f"{where}{render(error.sentence, 'en', {})}" + (f" ({error.rule})" if error.rule else "")
        case Misread() | NotJSON():
            return render(error.sentence, "en", {})
        case Malformed():
            told = [f"{at or 'the file'}: {render(needed, 'en', {})}" for at, needed in error.faults[:MAX_TOLD]]
            more = len(error.faults) - len(told)
            return "; ".join([*told, f"and {more} more"] if more else told)
        case NotFound():
            return "there is no such session; `fuda-ledger sessions` lists them"
        case LogIsDamaged():
            return "the database is damaged: `fuda-ledger verify` says where, and `restore` puts a backup in its place"
        case StoreError():
            return str(error) or docline(type(error))
        case _:
            return str(error)


def database(address: Address | None = None) -> Store:
    """Open the database, or another one; it has to be there."""
    settings = Config.read()
    where = address or settings.database
    store = open_store(where, busy_seconds=settings.busy_seconds)
    click.get_current_context().call_on_close(store.engine.close)
    if not store.engine.exists():
        hint = "" if address else "; LEDGER_DATABASE names it, `serve` makes it"
        raise click.ClickException(f"there is no database at {where}{hint}")
    store.engine.prepare()
    return store


def give(told: object, lines: Iterable[str], *, json: bool) -> None:
    """Print an answer, as JSON or for people."""
    if json:
        click.echo(encoded(told, indented=True))
    else:
        for line in lines:
            click.echo(line)
