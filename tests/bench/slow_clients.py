"""Slow clients: how long everybody else waits while strangers' connections stay idle, or read and write slowly.

The service has its two workers. While the strangers are there, people come one after the other on connections of their
own; each asks `/livez` and reports an event. What counts is the longest wait of all, as it is a whole table's. The goal
is an answer that feels immediate; nobody waits longer than it takes to see that there is none.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.bench.evening import MOVED, VOIDED, Evening
from tests.bench.report import Effort, Figure, at_most, milliseconds
from tests.bench.wire import Caller, get
from tests.service import Service
from tests.slow_clients.crowd import HALF_A_BODY, HALF_A_HEADER, phones

PEOPLE = 16
LIVEZ = get("/livez")
LONGEST = 10.0
"""After so many seconds without an answer, nobody waits any longer."""


class Strangers(NamedTuple):
    """So many connections that have said this, and nothing more."""

    phones: int
    said: bytes = b""


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure everybody's wait with each kind of stranger, and between them without any."""
    with tempfile.TemporaryDirectory() as folder, Service(Path(folder, "ledger.db")) as service:
        evening, long = Evening.opened(service.port), Evening.opened(service.port)
        with Caller(service.port) as caller:
            for _ in range(effort.of(8, 1)):
                assert caller.call(long.reports(*VOIDED)).status == 201
        crowds: Mapping[str, Strangers] = {
            "200 idle connections": Strangers(200),
            "200 half-sent headers": Strangers(200, HALF_A_HEADER),
            "16 half-sent bodies": Strangers(16, HALF_A_BODY),
            "200 half-sent bodies": Strangers(200, HALF_A_BODY),
            "20 readers of an export who do not read": Strangers(20, long.looks("/export.json")),
        }
        for name, strangers in crowds.items():
            waits, alone = list[float](), list[float]()
            for _ in range(effort.of(3, 1)):
                alone.append(longest_wait(service.port, evening))
                with phones(service.port, strangers.phones, strangers.said):
                    waits.append(longest_wait(service.port, evening))
            beside = f"alone {milliseconds(median(alone))}"
            yield Figure(name, "ms, the longest", [wait * 1000 for wait in waits], at_most(100), beside)


def longest_wait(port: int, evening: Evening) -> float:
    """Say how long who waits longest waits, in seconds."""
    longest = 0.0
    for _ in range(PEOPLE):
        try:
            with Caller(port, timeout=LONGEST) as caller:
                longest = max(longest, *(caller.call(request).took for request in (LIVEZ, evening.reports(MOVED))))
        except TimeoutError:
            return LONGEST
    return longest
