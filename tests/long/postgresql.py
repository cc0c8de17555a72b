"""Say by the exit code whether a PostgreSQL starts here: python -m tests.long.postgresql."""

from __future__ import annotations

import sys

from tests.postgres import NoPostgreSQL, Server

try:
    with Server():
        pass
except (NoPostgreSQL, AssertionError, OSError) as error:
    sys.exit(str(error))
