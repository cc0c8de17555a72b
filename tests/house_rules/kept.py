"""Figures that were played: a line a trial in `house_rules.json`, as sums to which more evenings can be added."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from itertools import groupby
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Any, NamedTuple

from ledger.simulation import GAMES, Figure, Setting
from ledger.simulation.evenings import play_evening
from ledger.simulation.notes import Notes
from ledger.simulation.sums import Moments, Sums
from tests.house_rules.exact import exact
from tests.house_rules.trials import EVENING, Trial, trials
from tests.service import ROOT

KEPT = ROOT / "tests" / "house_rules.json"
ROUNDS = 1_000_000
"""How many rounds a table plays of which anything is told that is not counted exactly."""
CHECKED = 10_000
"""How many it plays else, and where nothing but what is counted exactly differs from the usual table."""
AT_ONCE = 250
"""How many evenings are played before they are added to what is kept."""
FIRST = 3
"""How many evenings say whether what is kept would still be played so."""

Kept = dict[str, dict[str, "Played"]]
"""What was played, by game and by the key of the trial."""


@dataclass
class Played:
    """What the evenings of a trial came to; `check` says how the first of them went."""

    check: str
    sums: Sums

    @classmethod
    def nothing(cls, trial: Trial) -> Played:
        return cls(check_of(trial), empty(trial))

    def is_enough(self, trial: Trial, rounds: int = ROUNDS) -> bool:
        """Whether so many rounds were played, or fewer in which nothing differs that is not counted exactly."""
        return self.sums.rounds >= rounds or (self.sums.rounds >= CHECKED and not any(self.told(trial)))

    def told(self, trial: Trial) -> Iterator[str]:
        """Name the figures that are told as they were played: those that differ, if two tables are compared."""
        counted = set.intersection(*({*exact(table, EVENING)} for table in trial.tables))
        for figure in self.sums.figures:
            if trial.beside is None:
                yield from () if isinstance(figure, Figure) and figure.name in counted else (figure.name,)
            elif isinstance(figure, Figure) and self.sums.differ[figure.name] and figure.name not in counted:
                yield figure.name


def empty(trial: Trial) -> Sums:
    return Sums(GAMES[trial.setting.game].figures, len(trial.tables))


# --- playing --------------------------------------------------------------------------------------------------------


def played(setting: Setting, seed: int, evenings: range) -> list[Notes]:
    """Some evenings at a table."""
    return [play_evening(setting, seed, number, EVENING) for number in evenings]


def summed(trial: Trial, evenings: range) -> Sums:
    """Some evenings of a trial."""
    return added_up((trial,), evenings)[0]


def added_up(some: Sequence[Trial], evenings: range) -> list[Sums]:
    """Some evenings of trials that have their cards in common, every table played once."""
    sums = [empty(trial) for trial in some]
    tables = dict.fromkeys(table for trial in some for table in trial.tables)
    gc.disable()  # nothing of a round goes round in circles
    for number in evenings:
        notes = {table: play_evening(table, some[0].seed, number, EVENING) for table in tables}
        for trial, total in zip(some, sums, strict=True):
            total.add([notes[table] for table in trial.tables])
    gc.enable()
    return sums


@cache
def check_of(trial: Trial) -> str:
    """How the first evenings go, in a few letters."""
    notes = [
        [sorted(evening.sums.items()), sorted(evening.most.items())]
        for table in trial.tables
        for evening in played(table, trial.seed, range(FIRST))
    ]
    return sha256(json.dumps(notes).encode()).hexdigest()[:16]


def missing(kept: Kept, game: str, rounds: int, only: str = "") -> list[Trial]:
    """Trials that were not played as they would be now, or not often enough. What is kept of the former is dropped."""
    found = []
    for trial in trials(game):
        if only not in f"{game} {trial.key}":
            continue
        if trial.key not in kept[game] or kept[game][trial.key].check != check_of(trial):
            kept[game][trial.key] = Played.nothing(trial)
        if not kept[game][trial.key].is_enough(trial, rounds):
            found.append(trial)
    return found


class Asked(NamedTuple):
    """What is to be played: up to so many rounds, by so many processes; of trials with some words, if any."""

    rounds: int = ROUNDS
    jobs: int = cpu_count() or 1
    only: str = ""


def play_missing(kept: Kept, asked: Asked, save: Callable[[Kept], object]) -> None:
    """Play what is missing, some evenings at a time; each time it is saved."""
    with ProcessPoolExecutor(asked.jobs, get_context("spawn")) as crew:
        for game in GAMES:
            while some := next_of(kept, game, asked):
                first = kept[game][some[0].key].sums.evenings
                ranges = [range(first + AT_ONCE * job, first + AT_ONCE * (job + 1)) for job in range(asked.jobs)]
                for found in crew.map(partial(added_up, some), ranges):
                    for trial, sums in zip(some, found, strict=True):
                        kept[game][trial.key].sums.merge(sums)
                save(kept)


def next_of(kept: Kept, game: str, asked: Asked) -> list[Trial]:
    """The trials that are played next: those with the same cards that are equally far."""

    def together(trial: Trial) -> tuple[int, int]:
        return trial.seed, kept[game][trial.key].sums.evenings

    left = sorted(missing(kept, game, asked.rounds, asked.only), key=together)
    return next((list(some) for _, some in groupby(left, together)), [])


# --- keeping --------------------------------------------------------------------------------------------------------


def read(path: Path = KEPT) -> Kept:
    """What was kept before; of a trial that is not there any more, nothing."""
    lines: Mapping[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return {
        game: {
            trial.key: from_line(trial, lines[game][trial.key])
            for trial in trials(game)
            if trial.key in lines.get(game, {})
        }
        for game in GAMES
    }


def write(kept: Kept, path: Path = KEPT) -> None:
    """Keep it in one step, so that whoever breaks off leaves it whole."""
    fresh = path.with_suffix(".new")
    fresh.write_text(as_text(kept), "utf-8")
    fresh.replace(path)


def from_line(trial: Trial, line: Mapping[str, Any]) -> Played:
    """Read a trial. Figures that are not there any more, or were not then, make it one that was not played."""
    sums = empty(trial)
    names = [figure.name for figure in sums.figures if isinstance(figure, Figure)]
    if list(line["moments"]) != names or list(line["most"]) != list(sums.most):
        return Played("", sums)
    sums.evenings, sums.rounds = line["evenings"], line["rounds"]
    sums.moments = {name: Moments(*both) for name, both in line["moments"].items()}
    sums.differ.update(line["differ"])
    sums.most = dict(line["most"])
    return Played(line["check"], sums)


def as_line(played: Played) -> Mapping[str, Any]:
    sums = played.sums
    return {
        "rounds": sums.rounds,
        "evenings": sums.evenings,
        "check": played.check,
        "moments": {name: [moments.totals, moments.products] for name, moments in sums.moments.items()},
        "differ": {name: many for name, many in sums.differ.items() if many},
        "most": sums.most,
    }


def as_text(kept: Kept) -> str:
    """One line a trial, so that a change is seen."""
    line = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    games = (f"{line(game)}: {{\n" + ",\n".join(lines(game, kept[game], line)) + "\n}" for game in GAMES)
    return "{\n" + ",\n".join(games) + "\n}\n"


def lines(game: str, kept: Mapping[str, Played], line: Callable[[Any], str]) -> Iterable[str]:
    """The trials in their order, whenever they were played."""
    return (f"{line(trial.key)}: {line(as_line(kept[trial.key]))}" for trial in trials(game) if trial.key in kept)
