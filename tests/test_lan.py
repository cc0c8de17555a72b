"""Where a phone finds the page: shown at the start, and only if there is such a place."""

from __future__ import annotations

import io
import logging
import re
from ipaddress import ip_address

import pytest
import segno

from ledger.serving import lan


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("listening", "found"),
    [
        (("127.0.0.1", 8000), []),
        (("::1", 8000, 0, 0), []),
        ("/run/ledger.sock", []),
        (("0.0.0.0", 8000), ["http://192.168.1.20:8000/", "http://10.8.0.2:8000/"]),  # noqa: S104
        (("::", 80, 0, 0), ["http://192.168.1.20/", "http://10.8.0.2/"]),
        (("192.168.1.20", 80), ["http://192.168.1.20/"]),
        (("fe80::1%eth0", 8000, 0, 2), ["http://[fe80::1]:8000/"]),
    ],
)
def test_an_address_is_one_that_others_reach(
    listening: object, found: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "own_addresses", lambda: [ip_address("192.168.1.20"), ip_address("10.8.0.2")])
    assert list(lan.page_urls([listening])) == found


def test_a_terminal_shows_a_code_that_leads_to_the_page() -> None:
    lan.show([("192.168.1.20", 8000)], out := Terminal())
    assert "\n    http://192.168.1.20:8000/\n" in out.getvalue()
    segno.make("http://192.168.1.20:8000/", micro=False).terminal(drawn := io.StringIO(), border=2, compact=True)
    assert re.sub("\x1b\\[[0-9;]*m", "", out.getvalue()).endswith(f"{drawn.getvalue().rstrip()}\n\n")


def test_without_a_terminal_it_is_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        lan.show([("192.168.1.20", 8000)], out := io.StringIO())
    assert caplog.messages == ["A phone in the same network finds the page at http://192.168.1.20:8000/"]
    assert not out.getvalue()
