"""How long it takes to find who pays whom among 23 players and the bank.

    .venv/bin/python -m tests.benchmarks.settlement

What decides is how many people are left once those who cancel out in pairs are put together: among up to 16 the fewest
payments are looked for exactly, and with 16 that takes longest. Of every kind of evening several are settled. Time is
the processor's, so that a busy machine does not blur it. All of them should take less than 3 ms.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from random import Random
from statistics import median

from ledger.settlement import MOST_EXACT, settle

PEOPLE = 24
TIMES = 25


def balances(rng: Random, left: int) -> Mapping[str, int]:
    """Make the balances of an evening on which so many people do not cancel out in pairs, and all others do."""
    single = [rng.choice((-1, 1)) * rng.randint(1, 5_000) * 2 for _ in range(left - 1)]
    debts = [2 * rng.randint(1, 5_000) + 1 for _ in range((PEOPLE - left) // 2)]
    chips = [*single, -sum(single), *debts, *(-debt for debt in debts)]
    rng.shuffle(chips)
    return {f"p{number}": had for number, had in enumerate(chips, 1)}


def milliseconds(people: Mapping[str, int]) -> float:
    """Time one settlement."""
    start = time.process_time()
    settle(people)
    return (time.process_time() - start) * 1000


def main() -> None:
    """Print the median and the longest of each kind of evening."""
    rng = Random(1)
    print(f"{'left after pairs':>16} {'exact':>6} {'median ms':>10} {'longest ms':>10}")
    for left in (8, 12, MOST_EXACT, MOST_EXACT + 2, PEOPLE):
        evenings = [balances(rng, left) for _ in range(TIMES)]
        took = [milliseconds(people) for people in evenings]
        exact = "yes" if all(settle(people).exact for people in evenings) else "no"
        print(f"{left:>16} {exact:>6} {median(took):>10.2f} {max(took):>10.2f}")


if __name__ == "__main__":
    main()
