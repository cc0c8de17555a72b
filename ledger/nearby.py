"""Where a phone in the same network finds the page, said when the service starts: an address, and a code for a camera.

An address that only this machine reaches is not worth saying. Which addresses the machine has, it is asked itself: a
socket that is to send there says from where it would, and nothing is sent.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from io import StringIO
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TextIO

import segno

LOG = logging.getLogger(__name__)

SOMEWHERE = ("192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1")
"""Addresses on the way to which a machine uses its own: first any that is far away, then those of private networks."""

BLACK_ON_WHITE = "\x1b[38;5;231;48;5;16m{line}\x1b[0m"
"""A line of a code in these colours, however the terminal is coloured: its blocks are what is white."""

Listening = tuple[str, int] | tuple[str, int, int, int] | str | bytes
"""Where a socket listens, as it says itself; a path is for a proxy."""


def tell(listening: Iterable[Listening], out: TextIO | None) -> None:
    """Say where phones find the page, if any can: with a code to whoever watches, else as a line of the log."""
    found = list(dict.fromkeys(addresses(listening)))
    if not found:
        return
    if out is not None and not out.closed and out.isatty():
        with suppress(OSError):  # a terminal that is gone keeps nobody from serving
            out.write(notice(found, has_blocks=takes_blocks(out)))
            out.flush()
    else:
        LOG.info("A phone in the same network finds the page at %s", " or ".join(found))


def addresses(listening: Iterable[Listening]) -> Iterator[str]:
    """List the addresses at which others than this machine reach the service."""
    for where in listening:
        if isinstance(where, tuple):
            host, port = where[:2]
            for each in reached(ip_address(host.partition("%")[0])):
                name = f"[{each}]" if each.version == 6 else str(each)
                yield f"http://{name}/" if port == 80 else f"http://{name}:{port}/"


def reached(host: IPv4Address | IPv6Address) -> Iterable[IPv4Address | IPv6Address]:
    """Give the addresses at which others reach who listens at one."""
    if host.is_unspecified:
        return own()
    return [] if host.is_loopback else [host]


def own() -> list[IPv4Address | IPv6Address]:
    """Give the addresses that this machine has in networks, first that by which it goes furthest."""
    found: dict[IPv4Address | IPv6Address, None] = {}
    for other in SOMEWHERE:
        with suppress(OSError), closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asked:
            asked.connect((other, 9))
            found[ip_address(asked.getsockname()[0])] = None
    return [each for each in found if not each.is_loopback and not each.is_unspecified]


def takes_blocks(out: TextIO) -> bool:
    """Say whether what is written there may have blocks in it."""
    try:
        "▀▄█".encode(out.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def notice(found: list[str], *, has_blocks: bool) -> str:
    """Write what is shown to whoever started the service."""
    first, *others = found
    lines = ["", "On a phone in the same Wi-Fi, open", "", f"    {first}", *(f"    {other}" for other in others), ""]
    if has_blocks:
        drawn = StringIO()
        segno.make(first, micro=False).terminal(drawn, border=2, compact=True)
        lines += [
            "or point its camera here:",
            "",
            *(BLACK_ON_WHITE.format(line=line) for line in drawn.getvalue().splitlines()),
            "",
        ]
    return "\n".join([*lines, ""])
