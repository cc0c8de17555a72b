"""A COMMIT that wrote all its pages, and of which only the disk's sync fails."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ledger.store.sqlite import SQLiteStore
from tests.service import ROOT
from tests.store.contract import FIRST, A, link, opening

pytestmark = pytest.mark.sqlite("its log is synced")

PROGRAM = """
import os, signal, sys
from pathlib import Path
from ledger.store import StoreTrouble
from ledger.store.sqlite import SQLiteStore
from tests.store.contract import A, append_next

store, obstacle, goes_on = SQLiteStore(sys.argv[1]), Path(os.environ["FAILING_SYNC"]), sys.argv[2] == "goes on"
append_next(store, A)
obstacle.touch()
for _ in range(2):
    try:
        append_next(store, A)
    except StoreTrouble as error:
        print(type(error).__name__, flush=True)
    else:
        print("kept", flush=True)
if goes_on:
    obstacle.unlink()
    append_next(store, A)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize(("then", "kept"), [("is killed", 1), ("goes on", 2)])
def test_what_a_failed_sync_kept_from_being_acknowledged_is_not_there_after_a_kill(
    tmp_path: Path, then: str, kept: int
) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    library, path = tmp_path / "failing_sync.so", tmp_path / "ledger.db"
    source = Path(__file__).with_name("failing_sync.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    store = SQLiteStore(path)
    store.prepare()
    store.open_session(opening(A), FIRST, link())
    store.close()
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), then],
        cwd=ROOT,
        env={**os.environ, "LD_PRELOAD": str(library), "FAILING_SYNC": str(tmp_path / "obstacle")},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stdout.split()) == (-signal.SIGKILL, ["DatabaseUnusable"] * 2), done.stderr
    store = SQLiteStore(path)
    assert len(list(store.events(A))) == kept
    assert store.damage() == []
    assert not store.forgetting_is_pending()
    store.close()
