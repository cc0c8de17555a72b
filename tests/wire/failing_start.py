"""The service, but that no worker can start while a certain file lies there."""

from __future__ import annotations

import os
from pathlib import Path

from ledger.app import create_app
from ledger.store import StoreBusy

OBSTACLE = "TEST_OBSTACLE"
"""The variable that names the file."""

if Path(os.environ.get(OBSTACLE, os.devnull)).is_file():
    kind = Path(os.environ[OBSTACLE]).read_text("ascii")
    raise StoreBusy if kind == "busy" else OSError(24, "Too many open files")

app = create_app()
