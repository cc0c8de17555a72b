"""The page on house rules is what its figures make, has every switch of every game, and can be played again."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from ledger.simulation import GAMES
from tests.house_rules import KEPT, PAGE, as_text, cells, kept_of, key_of, page, played, read_kept, told, trials
from tests.simulation.switches import ALL

every_game = pytest.mark.parametrize("game", GAMES)


def test_the_page_is_what_the_kept_figures_make() -> None:
    assert PAGE.read_text("utf-8") == page(read_kept()), "run `.venv/bin/python -m tests.house_rules`"


def test_the_page_would_not_be_the_same_with_another_figure() -> None:
    kept = read_kept()
    kept["shippin"]["tie=dealer_wins"]["off"]["dealer_gains"][0] = "0.7700"
    assert page(kept) != PAGE.read_text("utf-8")


def test_figures_are_kept_a_trial_a_line() -> None:
    assert KEPT.read_text("utf-8") == as_text(read_kept())


@every_game
def test_all_switches_with_all_their_values_are_on_the_page(game: str) -> None:
    text = PAGE.read_text("utf-8")
    chapter = text.partition(f"\n## {GAMES[game].book.title.text}\n")[2].partition("\n## ")[0]
    for name in switches_of(GAMES[game].book.rules()):
        assert chapter.count(f": `{name}`\n") == 1
    values = [each.said for each in ALL if each.game == game]
    assert [said for said in values if chapter.count(f"**`{said}`**") != 1] == []
    assert chapter.count("\n**`") == len(values)


def switches_of(rules: Any, group: str = "") -> list[str]:
    """Every switch, as the rule book declares it."""
    names = []
    for switch in fields(rules):
        value = getattr(rules, switch.name)
        names += switches_of(value, f"{switch.name}.") if is_dataclass(value) else [group + switch.name]
    return names


@every_game
def test_what_is_kept_is_what_would_be_played(game: str) -> None:
    """Another switch, value or figure wants `.venv/bin/python -m tests.house_rules --anew`."""
    kept, figures = read_kept()[game], [key_of(figure) for figure in GAMES[game].figures]
    assert list(kept) == [trial.key for trial in trials(game)]
    assert all(list(of) == figures for trial in kept.values() for of in trial.values())


def test_a_trial_is_kept_as_it_was_played() -> None:
    """Of two evenings each: what stands beside is the usual table, and a difference is the first less the second."""
    found = kept_of("shippin", lambda setting: played(setting, 2))
    trial = next(trial for trial in trials("shippin") if trial.key == "bet=10")
    assert trial.beside
    assert found["bet=10"]["beside"] == cells(told("shippin", played(trial.beside, 2)).tables[0])
    assert found["bet=10"]["figures"] == cells(told("shippin", played(trial.setting, 2)).tables[0])
    one, other, off = (float(found["bet=10"][of]["dealer_gains"][0]) for of in ("figures", "beside", "off"))
    assert one == pytest.approx(10 * other)
    assert off == pytest.approx(one - other)


@pytest.mark.slow
@every_game
def test_the_usual_table_still_comes_to_what_is_kept(game: str) -> None:
    trial = next(trial for trial in trials(game) if trial.beside)
    assert trial.beside
    assert read_kept()[game][trial.key]["beside"] == cells(told(game, played(trial.beside)).tables[0])
