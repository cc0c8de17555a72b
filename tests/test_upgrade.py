"""A new release takes over from the one that runs (USR2), however that was started."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.service import ROOT

SECONDS = 60
STARTS = {
    "serve": ["-m", "ledger", "serve"],
    "module": ["-m", "gunicorn", "-c", "python:ledger.server", "wsgi:app"],
    "program": [str(Path(sys.executable).with_name("gunicorn")), "-c", "python:ledger.server", "wsgi:app"],
}


def wait_for(pattern: str, said: Path, running: subprocess.Popen[bytes], times: int = 1) -> list[str]:
    """Wait until the service has said something so many times."""
    end = time.monotonic() + SECONDS
    while len(found := re.findall(pattern, said.read_text())) < times:
        assert running.poll() is None, said.read_text()
        assert time.monotonic() < end, said.read_text()
        time.sleep(0.02)
    return found


def is_ready(port: int) -> bool:
    with closing(HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200


@pytest.mark.parametrize(
    "start", ["serve", *(pytest.param(name, marks=pytest.mark.slow) for name in ("module", "program"))]
)
def test_a_new_release_takes_over(tmp_path: Path, start: str) -> None:
    said = tmp_path / "stderr"
    settings = {"LEDGER_DATABASE": str(tmp_path / "ledger.db"), "LEDGER_BIND": "127.0.0.1:0", "LEDGER_WORKERS": "1"}
    with (
        said.open("wb") as stderr,
        subprocess.Popen(
            [sys.executable, *STARTS[start]], cwd=ROOT, env=os.environ | settings, stderr=stderr, start_new_session=True
        ) as old,
    ):
        try:
            [port] = map(int, wait_for(r"Listening at: http://127\.0\.0\.1:(\d+)", said, old))
            wait_for("Booting worker", said, old)
            old.send_signal(signal.SIGUSR2)
            wait_for(rf"Listening at: http://127\.0\.0\.1:{port}", said, old, times=2)
            wait_for("Booting worker", said, old, times=2)
            old.terminate()
            assert old.wait(SECONDS) == 0
            assert is_ready(port)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(old.pid, signal.SIGKILL)
