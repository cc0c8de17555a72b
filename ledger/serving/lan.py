"""The address at which a phone in the local network finds the page, shown at the start with a QR code."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Iterator
from contextlib import suppress
from io import StringIO
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, TextIO

import segno

LOG = logging.getLogger(__name__)

DESTINATIONS = ("192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1")
"""Addresses in other networks, and in private ones: the system chooses the own address to send from."""

BLACK_ON_WHITE = "\x1b[38;5;231;48;5;16m{line}\x1b[0m"
"""A line of a QR code in colours of its own: its blocks are white."""


def show(listening: Iterable[Any], out: TextIO) -> None:
    """Show the URLs of listening sockets, if there are any: on a terminal with a QR code, else as a line of the log."""
    urls = list(dict.fromkeys(page_urls(listening)))
    if urls and out.isatty():
        out.write(notice(urls, has_blocks=(out.encoding or "").lower().startswith("utf")))
    elif urls:
        LOG.info("A phone in the same network finds the page at %s", " or ".join(urls))


def page_urls(listening: Iterable[Any]) -> Iterator[str]:
    """Give the URLs at which other machines reach the sockets of these names (`getsockname`); a path is for a proxy."""
    for name in listening:
        if isinstance(name, tuple):
            host, port = ip_address(name[0].partition("%")[0]), name[1]
            for each in own_addresses() if host.is_unspecified else [host]:
                if not (each.is_loopback or each.is_unspecified):
                    shown = f"[{each}]" if each.version == 6 else str(each)
                    yield f"http://{shown}/" if port == 80 else f"http://{shown}:{port}/"


def own_addresses() -> Iterator[IPv4Address | IPv6Address]:
    """Give this machine's addresses in networks. Connecting a UDP socket sends nothing."""
    for destination in DESTINATIONS:
        with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((destination, 9))
            yield ip_address(probe.getsockname()[0])


def notice(urls: list[str], *, has_blocks: bool) -> str:
    """Give the text for a terminal."""
    lines = ["", "On a phone in the same Wi-Fi, open", "", *(f"    {url}" for url in urls), ""]
    if has_blocks:
        segno.make(urls[0], micro=False).terminal(code := StringIO(), border=2, compact=True)
        blocks = [BLACK_ON_WHITE.format(line=line) for line in code.getvalue().splitlines()]
        lines += ["or point its camera here:", "", *blocks, ""]
    return "\n".join([*lines, ""])
