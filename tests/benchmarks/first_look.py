"""The first look at a session of 10,000 events: python -m tests.benchmarks.first_look.

The session is Shirinma's worked example again and again, as `amending` has it. What a worker does that has never seen
it is timed part by part: the rows out of SQLite, every row read by the codec, every event folded. Beside it, in turns,
marshmallow's schema for HTTP reads the same rows.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ledger.codec import read_row, reported
from ledger.desk import Desk
from ledger.history import SessionState
from ledger.store import open_store
from schemas.events import load_event
from tests.benchmarks.amending import played

ROUNDS = 295
TIMES = 7


def in_turns(**parts: Callable[[], object]) -> Mapping[str, float]:
    """Give the median time of each part, in seconds; they take turns, so that what else the machine does hits all."""
    times: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(TIMES):
        for name, part in parts.items():
            begin = time.process_time()
            part()
            times[name].append(time.process_time() - begin)
    return {name: statistics.median(took) for name, took in times.items()}


def main(rounds: int = ROUNDS) -> None:
    """Print what an event takes in each part, and what the codec takes beside marshmallow."""
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(Path(folder) / "ledger.db")
        store.prepare()
        session_id, _ = played(Desk(store), rounds)
        session = Desk(store).session(session_id)
        rows, game = list(store.events(session_id)), session.opening.game
        read = [(read_row(row, game), row.version) for row in rows]
        opened = session.state.at(0)

        def fold() -> SessionState:
            state = opened
            for recorded in opened.record_all(read):
                state = recorded.state
            return state

        took = in_turns(
            rows=lambda: list(store.events(session_id)),
            codec=lambda: [read_row(row, game) for row in rows],
            fold=fold,
            look=lambda: Desk(store).session(session_id),
            marshmallow=lambda: [load_event(reported(row.type, row.body, row.words)) for row in rows],
        )
        store.close()
    said = {
        "rows": "the rows out of SQLite",
        "codec": "read by the codec",
        "fold": "folded",
        "look": "the first look, all of it",
        "marshmallow": "read by marshmallow instead",
    }
    for name, text in said.items():
        print(f"{text:<30}{took[name] * 1e6 / len(rows):>8.1f} µs an event{took[name] * 1000:>10.0f} ms")
    print(f"marshmallow : codec           {took['marshmallow'] / took['codec']:>8.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
