"""The command line: `fuda-ledger`, for operators and for files that the service wrote.

Commands work on the database that `LEDGER_DATABASE` names, the same the service uses, and may run beside it. With
`--json` they print JSON. Exit codes: 0 for success, 1 for findings and errors, 2 for a wrong call.
"""

from ledger.cli import database, serve, sessions, simulate  # each adds its commands
from ledger.cli.terminal import main
