"""The command line: `fuda-ledger`, for whoever runs the service or works with files that it wrote.

Commands work on the database that `LEDGER_DATABASE` names, the same the service uses, and may run beside it. What a
program might read comes as JSON with `--json`. Exit codes: 0 all is well, 1 something was found or refused, 2 the call
was wrong.
"""

from __future__ import annotations

import click

from ledger import __version__
from ledger.cli.database import backup, doctor, move, restore
from ledger.cli.files import calculate, replay
from ledger.cli.serve import serve
from ledger.cli.sessions import delete, export, import_, sessions, tidy, token, verify_
from ledger.cli.simulate import simulate_
from ledger.cli.terminal import Commands


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """Keep the books for Shirinma, Shippin and Kakkuri.

    Shell completion: `eval "$(_FUDA_LEDGER_COMPLETE=bash_source fuda-ledger)"` (likewise zsh_source, fish_source).
    """


COMMANDS = (
    serve,
    calculate,
    replay,
    simulate_,
    sessions,
    export,
    import_,
    token,
    delete,
    tidy,
    verify_,
    backup,
    restore,
    move,
    doctor,
)
for command in COMMANDS:
    main.add_command(command)
