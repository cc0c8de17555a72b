"""The folder of prometheus_client's files, one for each process and kind of metric. Import it before that library.

The files are mapped, and a write to a page without room kills the process (SIGBUS). So they are in memory if there is
such a file system, and their room is allocated before a process begins to count. The folder is removed at the exit, and
that of a killed service at the next start.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

PREFIX = "fuda-ledger-metrics"
KIBIBYTES = {"counter": 16, "gauge_livesum": 16, "histogram": 128}
"""Room for each kind: for the codes, the gauges, and the durations by method, route and status."""


def allocate(pid: int) -> None:
    """Make the files of a process. Raises OSError."""
    for kind, size in KIBIBYTES.items():
        Path(os.environ["PROMETHEUS_MULTIPROC_DIR"], f"{kind}_{pid}.db").write_bytes(bytes(size * 1024))


def make_folder(parent: str) -> None:
    """Make a folder for this process and its workers; remove those of processes that are gone. Raises OSError."""
    for old in Path(parent).glob(f"{PREFIX}-*-*"):
        try:
            os.kill(int(old.name.removeprefix(f"{PREFIX}-").partition("-")[0]), 0)
        except ProcessLookupError:
            shutil.rmtree(old, ignore_errors=True)
        except (PermissionError, ValueError):
            continue
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = tempfile.mkdtemp(prefix=f"{PREFIX}-{owner}-", dir=parent)
    allocate(owner)


owner = os.getpid()
for place in ("/dev/shm", tempfile.gettempdir()):  # noqa: S108 - mkdtemp makes a folder that no other user can read
    with suppress(OSError):
        make_folder(place)
        break
else:
    sys.exit(f"Error: no room for the files of the metrics in /dev/shm or {tempfile.gettempdir()}")


@atexit.register
def remove_folder() -> None:
    if os.getpid() == owner:
        shutil.rmtree(os.environ["PROMETHEUS_MULTIPROC_DIR"], ignore_errors=True)
