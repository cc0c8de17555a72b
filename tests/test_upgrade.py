"""A new release takes over from the one that runs (USR2), however that was started."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
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


@contextmanager
def started(folder: Path, *command: str, **settings: str) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    """Start a service with one worker; give it, and where it says what it does."""
    said = folder / "stderr"
    settings = {"LEDGER_DATABASE": str(folder / "ledger.db"), "LEDGER_WORKERS": "1", **settings}
    with (
        said.open("wb") as stderr,
        subprocess.Popen(command, cwd=ROOT, env=os.environ | settings, stderr=stderr, start_new_session=True) as old,
    ):
        try:
            yield old, said
        finally:
            with suppress(ProcessLookupError):
                os.killpg(old.pid, signal.SIGKILL)


def hands_over(old: subprocess.Popen[bytes], said: Path) -> None:
    """Have a new release started, and end the old one."""
    wait_for("Booting worker", said, old)
    old.send_signal(signal.SIGUSR2)
    wait_for("Booting worker", said, old, times=2)
    old.terminate()
    assert old.wait(SECONDS) == 0


@pytest.mark.slow
@pytest.mark.parametrize("start", STARTS)
def test_a_new_release_takes_over(tmp_path: Path, start: str) -> None:
    with started(tmp_path, sys.executable, *STARTS[start], LEDGER_BIND="127.0.0.1:0") as (old, said):
        [port] = map(int, wait_for(r"Listening at: http://127\.0\.0\.1:(\d+)", said, old))
        hands_over(old, said)
        assert is_ready(port)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("systemd-socket-activate") is None, reason="systemd is not here")
def test_a_new_release_takes_over_a_socket_that_systemd_has_opened(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port: int = free.getsockname()[1]
    kept = [f"--setenv={name}" for name in ("PATH", "LEDGER_DATABASE", "LEDGER_WORKERS")]
    activated = ["systemd-socket-activate", f"--listen=127.0.0.1:{port}", *kept, sys.executable, *STARTS["module"]]
    with started(tmp_path, *activated) as (old, said):
        wait_for("Listening on", said, old)
        assert is_ready(port)
        hands_over(old, said)
        assert is_ready(port)
