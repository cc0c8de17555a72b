"""What is reported in benchmarks: Shirinma's worked example round after round, the deal going round the table."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle, islice
from typing import Any, NamedTuple

from tests.bench.wire import Caller, get, post
from tests.scorekeeper import Json
from tests.service import ROOT

CASE: Json = json.loads((ROOT / "tests/reckoning/cases/shirinma-seed-example.json").read_text("utf-8"))
OPENING: Json = CASE["session"]
ROUND: Sequence[Json] = CASE["events"]
SEATS = len(OPENING["players"])
MOVED: Json = {"type": "chips_moved", "from": "bank", "to": "p1", "amount": 1}
"""An event that is always possible, and needs no order."""


def events() -> Iterator[Json]:
    """Report rounds without an end: everyone plays the part of whoever sits as far from the dealer."""
    for number in cycle(range(SEATS)):
        for event in ROUND:
            yield turned(event, number)


def turned(event: Json, places: int) -> Json:
    """Give an event to whoever sits so many places further on."""
    if "player" not in event:
        return event
    return event | {"player": f"p{(int(event['player'][1:]) - 1 + places) % SEATS + 1}"}


TIMES_ROUND = list(islice(events(), len(ROUND) * SEATS))
"""The events after which the deal is where it began, so that they can be reported again."""


class Evening(NamedTuple):
    """A session over HTTP: its address, and its owner's token."""

    address: str
    token: str

    @classmethod
    def opened(cls, port: int, opening: Mapping[str, Any] = OPENING) -> Evening:
        with Caller(port) as caller:
            answer = caller.call(post("/v1/sessions", opening))
        assert answer.status == 201, answer
        told = json.loads(answer.body)
        return cls(f"/v1/sessions/{told['session']['id']}", told["link"]["token"])

    def reports(self, *events: Json, query: str = "", **headers: str) -> bytes:
        """Write a request that reports events."""
        return post(f"{self.address}/events{query}", {"events": events}, self.token, **headers)

    def looks(self, where: str = "", **headers: str) -> bytes:
        """Write a request that looks at something of the session."""
        return get(f"{self.address}{where}", self.token, **headers)

    def played(self, caller: Caller, count: int) -> None:
        """Record as many events, in batches, the deal going round."""
        self.recorded(caller, list(islice(events(), count)))

    def recorded(self, caller: Caller, reports: Sequence[Json]) -> None:
        """Record events, in batches."""
        for first in range(0, len(reports), 500):
            answer = caller.call(self.reports(*reports[first : first + 500]))
            assert answer.status == 201, answer
