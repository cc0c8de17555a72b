"""Write the page on house rules, and play what it tells of.

`.venv/bin/python -m tests.house_rules` writes the page from the figures in `tests/house_rules.json`. `--missing` plays
first what is not there yet, or would be played otherwise by now; `--anew` plays everything. Whoever breaks off loses a
few evenings at most, and `--missing` goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ledger.simulation import GAMES
from tests.house_rules.kept import KEPT, Asked, Kept, play_missing, read, write
from tests.house_rules.page import PAGE, page
from tests.house_rules.trials import trials


def main(*told: str) -> None:
    words = argparse.ArgumentParser(prog="python -m tests.house_rules", description=__doc__)
    words.add_argument("--missing", action="store_true", help="play what is missing or would be played otherwise now")
    words.add_argument("--anew", action="store_true", help="play everything")
    words.add_argument("--rounds", type=int, default=Asked().rounds, help="how many rounds each table plays")
    words.add_argument("--jobs", type=int, default=Asked().jobs, help="how many processes play")
    words.add_argument("--only", default="", help="play only trials whose game and name have these words in them")
    words.add_argument("--figures", type=Path, default=KEPT, help="where figures are kept")
    said = words.parse_args(told)
    kept: Kept = {game: {} for game in GAMES} if said.anew else read(said.figures)
    if said.anew or said.missing:
        play_missing(kept, Asked(said.rounds, said.jobs, said.only), lambda so_far: write(so_far, said.figures))
    if lacking := [f"{game} {trial.key}" for game in GAMES for trial in trials(game) if trial.key not in kept[game]]:
        raise SystemExit(f"not played yet, so the page is as it was; --missing plays it: {', '.join(lacking)}")
    PAGE.write_text(page(kept), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
