"""Rounds without end beside the second reckoning: python -m tests.properties.many ROUNDS [SEED].

Evenings of all games, switches and decks, from one seed on; every tenth with mistakes that are taken back. What the
rules make of each is held against the reckoning; the first that differs is printed as JSON, and ends it.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from random import Random

from tests.properties.folding import agrees, lived
from tests.reckoning import reckon
from tests.reckoning.evenings import an_evening

SHARES = {"shippin": 6, "kakkuri": 3, "shirinma": 3}
"""How many evenings of each game by turns; a round of Shirinma has ten times the events of one of Shippin."""

EACH = 2000
"""Every so many evenings it says how far it is."""


def main(rounds: int, seed: int = 0) -> None:
    """Compare until so many rounds have been played. Raises AssertionError where the two differ."""
    turns = [game for game, share in SHARES.items() for _ in range(share)]
    seen, begin, number = Counter[str](), time.monotonic(), 0
    while seen["rounds"] < rounds:
        shape, game = Random(f"{seed} {number}"), turns[number % len(turns)]
        evening = an_evening(shape, game, corrections=number % 10 == 0, max_rounds=4)
        try:
            reckoned = reckon(evening.opening, evening.events)
            agrees(lived(evening.opening, evening.events), reckoned)
        except Exception:
            print(json.dumps({"seed": seed, "number": number, "opening": evening.opening, "events": evening.events}))
            raise
        seen.update({game: len(reckoned.rounds), "rounds": len(reckoned.rounds), "events": len(evening.events)})
        seen[f"{game}, {evening.opening.get('deck', 'usual deck')}"] += len(reckoned.rounds)
        number += 1
        if number % EACH == 0 or seen["rounds"] >= rounds:
            print(f"{time.monotonic() - begin:6.0f} s, {number} evenings, {dict(seen)}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
