"""What commands share: their group, the database, how answers are printed, and errors as sentences."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from ledger import __version__
from ledger.codec.encoding import encoded
from ledger.codec.json_text import NotJSON
from ledger.config import BadSetting, Config
from ledger.i18n.language import render
from ledger.i18n.sentences import MAX_NAMED, Malformed, docline
from ledger.notation import NotationSyntaxError
from ledger.rulebook.refusal import Refused
from ledger.services.session_cache import LogIsDamaged
from ledger.storage.address import Address, BadAddress, open_store
from ledger.storage.errors import NotFound, StoreError
from ledger.storage.store import Store

ERRORS = (Refused, Malformed, NotationSyntaxError, UnicodeDecodeError, NotJSON, NotFound, StoreError, LogIsDamaged)

as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for a program to read.")
file_to_read = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


class Commands(click.Group):
    """A group whose commands end with a sentence when they raise a known error."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (BadSetting, BadAddress) as error:
            raise click.UsageError(str(error)) from None
        except ERRORS as error:
            raise click.ClickException(sentence_of(error)) from error
        except OSError as error:
            if error.filename is None:
                raise
            raise click.FileError(str(error.filename), error.strerror) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """Keep the books for Shirinma, Shippin and Kakkuri.

    Shell completion: `eval "$(_FUDA_LEDGER_COMPLETE=bash_source fuda-ledger)"` (likewise zsh_source, fish_source).
    """


def sentence_of(error: Exception) -> str:
    match error:
        case Refused():
            index = error.facts.get("index")
            where = f"event {index + 1}: " if isinstance(index, int) else ""
            return f"{where}{render(error.sentence, 'en', {})}" + (f" ({error.rule})" if error.rule else "")
        case NotationSyntaxError() | NotJSON():
            return render(error.sentence, "en", {})
        case Malformed():
            shown = [f"{at or 'the file'}: {render(needed, 'en', {})}" for at, needed in error.faults[:MAX_NAMED]]
            more = len(error.faults) - len(shown)
            return "; ".join([*shown, f"and {more} more"] if more else shown)
        case NotFound():
            return "there is no such session; `fuda-ledger sessions` lists them"
        case LogIsDamaged():
            return "the database is damaged: `fuda-ledger verify` says where, and `restore` puts a backup in its place"
    return str(error) or docline(type(error))


def open_database(address: Address | None = None) -> Store:
    """Open the database of the settings, or another one. It has to exist."""
    settings = Config.read()
    where = address or settings.database
    store = open_store(where, busy_seconds=settings.busy_seconds)
    click.get_current_context().call_on_close(store.engine.close)
    if not store.engine.exists():
        hint = "" if address else "; LEDGER_DATABASE names it, `serve` makes it"
        raise click.ClickException(f"there is no database at {where}{hint}")
    store.engine.prepare()
    return store


def give(answer: object, lines: Iterable[str], *, json: bool, ok: bool = True) -> None:
    """Print an answer, as JSON or line by line for people; end with exit code 1 if something is wrong."""
    for line in [encoded(answer, indented=True)] if json else lines:
        click.echo(line)
    if not ok:
        click.get_current_context().exit(1)
