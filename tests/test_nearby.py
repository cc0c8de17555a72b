"""Where a phone finds the page: said at the start, once, and only if there is such a place."""

from __future__ import annotations

import io
import logging
import re
import socket
from ipaddress import ip_address

import pytest
import segno

from ledger import nearby


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
