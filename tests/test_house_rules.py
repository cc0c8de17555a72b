"""The page on house rules: made of the figures that are kept, exact where the service counts, and played at will."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from ledger.games import shippin, shirinma
from ledger.games.odds import shippin_table, shirinma_table
from ledger.play import Ground
from ledger.records import fields_of, is_record
from ledger.simulation import GAMES, Figure, Told, report
from ledger.simulation.intervals import student
from tests.house_rules.__main__ import main
from tests.house_rules.exact import LOSES_TO_ALL, exact, loses_to_all
from tests.house_rules.kept import (
    CHECKED,
    KEPT,
    Asked,
    Kept,
    Played,
    as_text,
    check_of,
    missing,
    play_missing,
    played,
    read,
    summed,
)
from tests.house_rules.page import PAGE, compared, page
from tests.house_rules.trials import EVENING, SIZES, Trial, trials, usual
from tests.simulation.switches import ALL

FOUR = 4
every_game = pytest.mark.parametrize("game", GAMES)


# --- the page -------------------------------------------------------------------------------------------------------


def test_the_page_is_what_the_kept_figures_make() -> None:
    assert PAGE.read_text("utf-8") == page(read()), "run `.venv/bin/python -m tests.house_rules`"


def test_the_page_would_not_be_the_same_with_another_figure() -> None:
    kept = read()
    kept["kakkuri"]["7 players"].sums.moments["guri"].totals[0] += 100
    assert page(kept) != PAGE.read_text("utf-8")


def test_figures_are_kept_a_trial_a_line() -> None:
    assert KEPT.read_text("utf-8") == as_text(read())


def chapter_of(game: str) -> str:
    text = PAGE.read_text("utf-8")
    return text.partition(f"\n## {GAMES[game].book.title.text}\n")[2].partition("\n## ")[0]


@every_game
def test_all_switches_with_all_their_values_are_on_the_page(game: str) -> None:
    chapter = chapter_of(game)
    for name in switches_of(GAMES[game].book.rules()):
        assert chapter.count(f": `{name}`\n") == 1
    values = [each.said for each in ALL if each.game == game]
    assert [said for said in values if chapter.count(f"**`{said}`**") != 1] == []
    assert chapter.count("\n**`") == len(values)


def switches_of(rules: Any, group: str = "") -> list[str]:
    """Every switch, as the rule book declares it."""
    names = []
    for switch in fields_of(type(rules)):
        value = getattr(rules, switch.name)
        names += switches_of(value, f"{switch.name}.") if is_record(type(value)) else [group + switch.name]
    return names


@every_game
def test_the_page_says_how_people_play_and_how_many_rounds(game: str) -> None:
    chapter, kept = chapter_of(game), read()[game]
    for way in GAMES[game].ways:
        assert f"`--playing {way}`" in chapter
    rounds = [f"{kept[f'{players} players'].sums.rounds:,}" for players in SIZES[game]]
    assert f"| Rounds played | {' | '.join(rounds)} |" in chapter
    for trial in trials(game):
        if trial.beside and any(each.verdict in {"unseen", "few"} for each in compared(trial, kept[trial.key])):
            assert f"Played: {kept[trial.key].sums.rounds:,} rounds at each table." in chapter


# --- what is exact --------------------------------------------------------------------------------------------------


def cells(game: str, label: str) -> list[str]:
    """A row of the first table: a cell for each number of players."""
    (row,) = re.findall(
        rf"^\| {label} \| (.*) \|$", chapter_of(game).partition("\n### Played otherwise")[0], re.MULTILINE
    )
    return [cell.strip() for cell in row.split("|")]


def is_told(cell: str, chance: Fraction) -> bool:
    """Whether a cell tells a chance exactly, but for rounding."""
    told = re.fullmatch(r"([0-9.]+)% \*exact\*", cell)
    return told is not None and abs(Fraction(told[1]) - 100 * chance) <= Fraction(1, 2000)


def test_the_page_tells_the_service_s_own_chances_of_shirinma() -> None:
    rows = {"Rounds won": "won", "Rounds forfeited": "forfeited", "Rounds with a third deal": "third_deal"}
    for place, players in enumerate(SIZES["shirinma"]):
        setting = usual("shirinma", players=players)
        opened = shirinma.open_round(Ground(setting.seats, "p1", setting.deck, setting.rules)).phase
        chances = shirinma_table.odds(opened)
        assert chances
        told = {"won": 1 - chances.nobody_wins, "forfeited": chances.nobody_wins, "third_deal": chances.third_deal}
        for label, name in rows.items():
            assert is_told(cells("shirinma", label)[place], told[name]), (players, label)
        for reason, chance in chances.forfeited.items():
            label = next(figure.label.text for figure in GAMES["shirinma"].figures if figure.name == reason)
            assert is_told(cells("shirinma", label)[place], chance), (players, label)


def test_the_page_tells_the_service_s_own_chances_of_shippin() -> None:
    setting = usual("shippin")
    opened = shippin.open_round(Ground(setting.seats, "p1", setting.deck, setting.rules)).phase
    chances = shippin_table.odds(opened)
    assert chances
    bet = chances.columns[0]
    for label, chance in {"Bets won": bet.wins, "Bets lost": bet.loses, "Bets tied": bet.ties}.items():
        assert all(is_told(cell, chance) for cell in cells("shippin", label)), label
    assert all(is_told(cell, chances.shippin) for cell in cells("shippin", "Rounds in which the dealer holds shippin"))
    assert {*cells("shippin", "What a bet brings")} == {f"−{-float(bet.worth):.5f} *exact*"}


@pytest.mark.parametrize("players", [12, 13])
def test_every_reading_of_a_third_deal_is_told_exactly(players: int) -> None:
    told = []
    for reading in ("none_received", "none_held"):
        setting = usual("shirinma", players=players, rules=shirinma.Rules(third_deal=reading))
        opened = shirinma.open_round(Ground(setting.seats, "p1", setting.deck, setting.rules)).phase
        chances = shirinma_table.odds(opened)
        assert chances
        found = exact(setting, EVENING)
        assert (found["third_deal"], found["forfeited"]) == (chances.third_deal, chances.nobody_wins)
        told.append(found["third_deal"])
    assert told[0] > told[1]


ANYTHING_EXACT = [
    pytest.param(trial, id=f"{game} {trial.key}")
    for game in GAMES
    for trial in trials(game)
    if exact(trial.setting, EVENING)
]


@pytest.mark.parametrize("trial", ANYTHING_EXACT)
def test_what_was_played_comes_to_what_is_exact(trial: Trial) -> None:
    """Within four standard errors. So no table can contradict the chances that the service tells."""
    sums = read()[trial.setting.game][trial.key].sums
    assert sums.rounds >= CHECKED
    for setting, table in zip(trial.tables, report(sums).tables, strict=True):
        told = {each.name: each for each in table}
        for name, value in exact(setting, EVENING).items():
            assert is_near(told[name], value, sums.evenings), (name, float(value), told[name])


def is_near(told: Told, value: Fraction, evenings: int) -> bool:
    if told.value is None or told.interval is None or value in {0, 1}:
        return told.value in {value, None}
    error = (told.interval.high - told.interval.low) / 2 / student(evenings - 1)
    if told.name in ALONE:
        error = sqrt(value * (1 - value) / told.of)
    return abs(told.value - value) <= FOUR * error


ALONE = {each.name for game in GAMES.values() for each in game.figures if isinstance(each, Figure) and each.alone}


def test_what_was_played_could_contradict_what_is_exact() -> None:
    """A tenth of a point would be seen, and so would the usual table's figure under another agreement."""
    setting = usual("shippin", rules=shippin.Rules(karami_vs_karami="tie"))
    sums = read()["shippin"]["karami_vs_karami=tie"].sums
    told = {each.name: each for each in report(sums).tables[0]}
    for name in ("bets_won", "bets_lost", "bets_tied"):
        assert is_near(told[name], exact(setting, EVENING)[name], sums.evenings)
        assert not is_near(told[name], exact(usual("shippin"), EVENING)[name], sums.evenings)


@pytest.mark.slow
@pytest.mark.parametrize("karami", LOSES_TO_ALL)
def test_how_often_the_dealer_loses_to_all_is_counted(karami: Any) -> None:
    assert loses_to_all(shippin.Rules(karami_vs_karami=karami)) == LOSES_TO_ALL[karami]


# --- what is played -------------------------------------------------------------------------------------------------


@every_game
def test_what_is_kept_is_what_would_be_played(game: str) -> None:
    """Another switch, value, figure or way of playing wants `.venv/bin/python -m tests.house_rules --missing`."""
    kept = read()[game]
    assert list(kept) == [trial.key for trial in trials(game)]
    assert [trial.key for trial in trials(game) if kept[trial.key].check != check_of(trial)] == []


def test_tables_of_different_sizes_have_cards_of_their_own() -> None:
    """With the same cards, the trump would be as often that of the field, whatever the number of players."""
    seeds = [trial.seed for game in GAMES for trial in trials(game) if trial.beside is None]
    assert len({*seeds}) == len(seeds)
    kept = read()["shirinma"]
    first = [summed(trial_of(f"{players} players"), range(2)).moments for players in SIZES["shirinma"]]
    assert len({tuple(each["field_card_is_trump"].products) for each in first}) > 1
    assert len({kept[f"{players} players"].check for players in SIZES["shirinma"]}) == len(SIZES["shirinma"])


def trial_of(key: str, game: str = "shirinma") -> Trial:
    return next(trial for trial in trials(game) if trial.key == key)


def test_a_table_and_the_usual_one_have_the_same_cards() -> None:
    trial = trial_of("bet=10", "shippin")
    assert trial.beside
    assert trial_of("5 players", "shippin").seed == trial.seed
    ours, usual_ones = (played(table, trial.seed, range(3)) for table in trial.tables)
    assert [each.sums["dealer_gains"] for each in ours] == [10 * each.sums["dealer_gains"] for each in usual_ones]


def some_kept(rounds: int, key: str, kept: Kept | None = None) -> Kept:
    """Play so many rounds of one trial, a little at a time."""
    kept = kept or {game: {} for game in GAMES}
    play_missing(kept, Asked(rounds, 1, f"shippin {key}"), lambda _: None)
    return kept


def test_playing_goes_on_where_it_was_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.house_rules.kept.AT_ONCE", 2)
    part = some_kept(40, "bet=10")
    assert part["shippin"]["bet=10"].sums.rounds == 40
    whole = some_kept(80, "bet=10", part)
    assert whole["shippin"]["bet=10"].sums == summed(trial_of("bet=10", "shippin"), range(4))


def test_only_what_is_missing_or_stale_is_played() -> None:
    kept = read()
    assert missing(kept, "shippin", CHECKED) == []
    del kept["shippin"]["bet=10"]
    stale = kept["shippin"]["tie=dealer_wins"]
    kept["shippin"]["tie=dealer_wins"] = replace(stale, check="0123456789abcdef")
    assert [trial.key for trial in missing(kept, "shippin", CHECKED)] == ["bet=10", "tie=dealer_wins"]
    assert kept["shippin"]["tie=dealer_wins"].sums.rounds == 0


def test_the_page_is_not_written_while_a_trial_is_lacking(tmp_path: Path) -> None:
    before = PAGE.read_text("utf-8")
    with pytest.raises(
        SystemExit, match="not played yet, so the page is as it was; --missing plays it: shirinma 12 pl"
    ):
        main(
            "--missing", "--only", "shippin bet=10", "--rounds", "20", "--jobs", "1", "--figures", f"{tmp_path}/x.json"
        )
    assert PAGE.read_text("utf-8") == before
    assert list(read(tmp_path / "x.json")["shippin"]) == ["bet=10"]


def test_a_trial_is_played_until_a_million_rounds_if_anything_is_told_as_it_was_played() -> None:
    counted, seen = trial_of("ante=40"), trial_of("playing worth")
    assert Played("", summed(counted, range(1))).is_enough(counted) is False
    for trial, is_enough in ((counted, True), (seen, False)):
        sums = summed(trial, range(2))
        sums.rounds = CHECKED
        assert Played("", sums).is_enough(trial) is is_enough


@pytest.mark.parametrize("key", ["playing worth", "ante=40"])
def test_a_difference_is_that_of_the_figures(key: str) -> None:
    """Also where one of them is exact, and the other one was played."""
    trial = trial_of(key)
    found = list(compared(trial, Played("", summed(trial, range(12)))))
    for each in found:
        values = each.off.value, each.so.value, each.usual.value
        if None not in values:
            assert each.off.value == (each.so.value or 0) - (each.usual.value or 0)
    assert {each.off.is_exact for each in found} == ({True, False} if key == "playing worth" else {True})
