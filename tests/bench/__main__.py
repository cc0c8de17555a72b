"""What the service carries, beside yardsticks measured in the same run, and which goals it misses.

    python -m tests.bench [--quick] [SECTION...]

Every figure is the median of repeats that take turns with its yardstick, with the lowest and the highest. `--quick`
measures next to nothing: it shows that the benchmark itself works.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from tests.bench import (
    cold,
    exports,
    footprint,
    growth,
    odds,
    page,
    path,
    peers,
    postgresql,
    streams,
    throughput,
    worst,
)
from tests.bench.machine import NotInstalled
from tests.bench.report import QUICK, Effort, Figure

SECTIONS: Mapping[str, Callable[[Effort], Iterator[Figure]]] = {
    "streams": streams.measure,
    "throughput": throughput.measure,
    "postgresql": postgresql.measure,
    "peers": peers.measure,
    "growth": growth.measure,
    "odds": odds.measure,
    "worst": worst.measure,
    "cold": cold.measure,
    "exports": exports.measure,
    "footprint": footprint.measure,
    "page": page.measure,
    "path": path.measure,
}


def main(arguments: list[str]) -> int:
    """Measure, print, and say which goals are missed; that is no failure of the benchmark."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=f"of {', '.join(SECTIONS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="only see that the benchmark works")
    asked = parser.parse_args(arguments)
    if unknown := set(asked.sections) - set(SECTIONS):
        parser.error(f"there is no section {', '.join(unknown)}")
    missed: list[Figure] = []
    for name in asked.sections or SECTIONS:
        print(f"\n== {name}", flush=True)
        begun = time.monotonic()
        try:
            for figure in SECTIONS[name](QUICK if asked.quick else Effort()):
                print(figure, flush=True)
                if figure.misses:
                    missed.append(figure)
        except NotInstalled as error:
            print(error)
            return 1
        print(f"({time.monotonic() - begun:.0f} s)", flush=True)
    print(f"\n{len(missed)} goals are missed{':' if missed else ''}")
    for figure in missed:
        print(figure)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
