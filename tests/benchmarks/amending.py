"""Amending an event in the middle of 100 rounds, beside folding that session once: python -m tests.benchmarks.amending.

The session is the game's worked example a hundred times, 3,400 events. What is timed is what a request waits for: the
correction worked out, what it changes, and all of it in the database. Folding once is reading the log from the
database and living the evening through again, which is what a worker does that has never seen the session.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from ledger.desk import Desk, Request
from ledger.store import open_store
from schemas.events import load_event
from schemas.sessions import OpeningSchema

CASE = Path(__file__).parents[1] / "reckoning" / "cases" / "shirinma-seed-example.json"
ROUNDS = 100
TIMES = 7


def middle(measured: Callable[[], object]) -> float:
    """Give the median time of some runs, in seconds."""
    times = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        measured()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def played(desk: Desk, rounds: int) -> tuple[str, str]:
    """Record the worked example again and again; give the session's id and its owner's link."""
    case = json.loads(CASE.read_text("utf-8"))
    session, link, _ = desk.open(OpeningSchema().load(case["session"]))
    seats = [player.id for player in session.state.table.players]
    for number in range(rounds):
        # the deal goes round, so everyone plays the part of whoever sits as far from the dealer
        parts = {f"p{place + 1}": seats[(place + number) % len(seats)] for place in range(len(seats))}
        events = [
            load_event(event | ({"player": parts[event["player"]]} if "player" in event else {}))
            for event in case["events"]
        ]
        desk.record(session.id, events, Request(by=link.id))
    return session.id, link.id


def main() -> None:
    """Print the two times and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "ledger.db")
        store.prepare()
        desk = Desk(store)
        session, link = played(desk, ROUNDS)
        bid = desk.head(session).seq // ROUNDS * (ROUNDS // 2) + 10
        player = desk.events(session, bid - 1, 1)[0].event.player  # type: ignore[attr-defined]
        amounts = iter(range(5, 5 + TIMES))

        def amend() -> None:
            said = {"type": "bid_placed", "player": player, "amount": next(amounts)}
            event = load_event({"type": "event_amended", "seq": bid, "event": said})
            desk.record(session, [event], Request(by=link))

        folding = middle(lambda: Desk(store).session(session))
        amending = middle(amend)
        store.close()
    sys.stdout.write(f"folding {ROUNDS} rounds once  {folding * 1000:8.1f} ms\n")
    sys.stdout.write(f"amending in the middle   {amending * 1000:8.1f} ms  ratio {amending / folding:.2f}\n")


if __name__ == "__main__":
    main()
