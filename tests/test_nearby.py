"""Where a phone finds the page: said at the start, once, and only if there is such a place."""

from __future__ import annotations

import io
import logging
import os
import pty
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import pytest
import segno

from ledger import nearby
from tests.service import ROOT


class Terminal(io.StringIO):
    """What looks like a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two networks."""
    monkeypatch.setattr(nearby, "own", lambda: [ip_address("192.168.1.20"), ip_address("10.8.0.2")])


@pytest.mark.usefixtures("at_home")
@pytest.mark.parametrize(
    ("listening", "found"),
    [
        (("127.0.0.1", 8000), []),
        (("::1", 8000, 0, 0), []),
        ("/run/ledger.sock", []),
        (b"\0abstract", []),
        (("0.0.0.0", 8000), ["http://192.168.1.20:8000/", "http://10.8.0.2:8000/"]),  # noqa: S104
        (("::", 80, 0, 0), ["http://192.168.1.20/", "http://10.8.0.2/"]),
        (("192.168.1.20", 80), ["http://192.168.1.20/"]),
        (("fe80::1%eth0", 8000, 0, 2), ["http://[fe80::1]:8000/"]),
    ],
)
def test_an_address_is_one_that_others_reach(listening: nearby.Listening, found: list[str]) -> None:
    assert list(nearby.addresses([listening])) == found


def test_the_own_addresses_are_those_of_networks() -> None:
    for found in nearby.own():
        assert not found.is_loopback
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
            listener.bind((str(found), 0))


def test_a_machine_without_a_network_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> socket.socket:
        raise OSError

    monkeypatch.setattr(socket, "socket", refuse)
    assert nearby.own() == []
    out = Terminal()
    nearby.tell([("0.0.0.0", 8000)], out)  # noqa: S104
    assert out.getvalue() == ""


def test_who_watches_sees_a_code_that_leads_to_the_page() -> None:
    out = Terminal()
    nearby.tell([("192.168.1.20", 8000)], out)
    shown = out.getvalue()
    assert "\n    http://192.168.1.20:8000/\n" in shown
    drawn = io.StringIO()
    segno.make("http://192.168.1.20:8000/", micro=False).terminal(drawn, border=2, compact=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", shown).endswith(f"{drawn.getvalue().rstrip()}\n\n")
    assert max(map(len, drawn.getvalue().splitlines())) < 40


def test_a_terminal_without_blocks_is_told_the_address_alone() -> None:
    class Plain(Terminal):
        encoding = "ascii"

    out = Plain()
    nearby.tell([("192.168.1.20", 8000)], out)
    assert "http://192.168.1.20:8000/" in out.getvalue()
    assert out.getvalue().isascii()


@pytest.mark.parametrize("out", [None, io.StringIO()])
def test_where_nobody_watches_it_is_a_line_of_the_log(
    out: io.StringIO | None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        nearby.tell([("192.168.1.20", 8000)], out)
    assert [record.getMessage() for record in caplog.records] == [
        "A phone in the same network finds the page at http://192.168.1.20:8000/"
    ]
    assert out is None or out.getvalue() == ""


WAYS = {
    "serve": [sys.executable, "-m", "ledger", "serve", "--bind", "0.0.0.0:0"],
    "gunicorn": [sys.executable, "-m", "gunicorn", "-c", "python:ledger.server", "-b", "0.0.0.0:0", "wsgi:app"],
    "setting": [sys.executable, "-m", "gunicorn", "-c", "python:ledger.server", "wsgi:app"],
}


@pytest.mark.skipif(not nearby.own(), reason="this machine is in no network")
@pytest.mark.parametrize("way", WAYS)
def test_it_is_said_once_however_the_service_is_started(way: str, tmp_path: Path) -> None:
    shown = seen(WAYS[way], tmp_path / "ledger.db", until="On a phone.*?▀+\x1b.*Booting.*Booting")
    assert shown.count("On a phone") == 1
    assert shown.count("█") > 50


def test_nothing_is_said_where_only_this_machine_listens(tmp_path: Path) -> None:
    command = [part.replace("0.0.0.0", "127.0.0.1") for part in WAYS["gunicorn"]]  # noqa: S104
    assert "On a phone" not in seen(command, tmp_path / "ledger.db", until="Booting.*Booting")


def seen(command: Sequence[str], database: Path, until: str) -> str:
    """What somebody sees who starts a service at a terminal, until something stands there."""
    inside, outside = pty.openpty()
    settings = {"LEDGER_DATABASE": str(database), "LEDGER_WORKERS": "2", "LEDGER_BIND": "0.0.0.0:0"}
    environment = {**os.environ, **settings, "PYTHONUTF8": "1"}
    service = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=outside, stderr=outside, stdin=outside, start_new_session=True
    )
    os.close(outside)
    shown, ends = b"", time.monotonic() + 60
    with suppress(OSError):  # a terminal ends so
        while not re.search(until, shown.decode("utf-8", "replace"), re.DOTALL) and time.monotonic() < ends:
            shown += os.read(inside, 4096)
    os.killpg(service.pid, signal.SIGKILL)  # a worker that is only just starting would take ten seconds to be stopped
    service.wait(30)
    os.close(inside)
    return shown.decode("utf-8", "replace")
