"""`fuda-ledger simulate`: what may be asked, what is said of anything else, and the three formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from ledger.cli import main
from ledger.simulation import GAMES
from tests.simulation.switches import ALL, Set

FEW = ("--rounds", "200", "--jobs", "1")


def runs(*words: str, exit_code: int = 0) -> Result:
    done = CliRunner().invoke(main, ["simulate", *words])
    assert done.exit_code == exit_code, done.output
    return done


def told(*words: str) -> Any:
    return json.loads(runs(*words, *FEW, "--format", "json").stdout)


def test_a_table_is_told_in_lines() -> None:
    done = runs("shirinma", "--players", "13", *FEW)
    first, second, empty, header, won, *_ = done.stdout.splitlines()
    assert first == "Shirinma, 13 players, mekurifuda: 200 rounds in 10 evenings"
    assert second.startswith("House rules as usual. One of the others buys half")
    assert (empty, header.strip()) == ("", "95% interval")
    assert won.startswith("Rounds won")
    assert won.split()[2].endswith("%")
    assert "200 rounds in " in done.stderr
    assert done.stderr.strip().endswith(" a second")


def test_columns_stand_under_one_another_in_both_languages() -> None:
    for language in ("en", "ja"):
        lines = runs("shirinma", *FEW, "--language", language, "--against", "--playing", "none").stdout.splitlines()
        assert lines[1].startswith("A: ")
        assert lines[2].startswith("B: ")
        assert "A − B" in lines[4]
    assert "同じ" in "\n".join(lines)
    assert "役札には誰も入札しません" in lines[2]


def test_a_second_setting_stands_beside_the_first() -> None:
    found = told(
        "shippin", "--rule", "tie=dealer_wins", "--against", "--rule", "karami_vs_karami=tie", "--playing=always"
    )
    first, second = found["settings"]
    assert (first["rules"]["tie"], first["rules"]["karami_vs_karami"]) == ("dealer_wins", "compare_totals")
    assert (second["rules"]["tie"], second["rules"]["karami_vs_karami"]) == ("push", "tie")
    assert (first["playing"], second["playing"]) == ("often", "always")
    off = {each["name"]: each for each in found["differences"]}
    assert off["bets_tied"]["seen"]
    assert float(off["bets_tied"]["high"]) < 0
    assert off["shippin"] | {"name": ""} == {
        "name": "", "exact": "0", "value": "0.0000", "low": "0.0000", "high": "0.0000", "seen": False,
    }  # fmt: skip


def test_against_alone_is_against_the_usual_rules() -> None:
    found = told("shirinma", "--rule", "ante=30", "--rule", "payments.king=40", "--against")
    assert [table["rules"]["ante"] for table in found["settings"]] == [30, 20]
    assert [table["rules"]["payments"]["king"] for table in found["settings"]] == [40, 30]
    lines = runs("shirinma", "--rule", "ante=30", "--against", *FEW).stdout
    assert "A: House rules as usual, but for ante=30." in lines
    assert "B: House rules as usual. " in lines
    assert "the same" in lines


def test_json_has_every_figure_exactly() -> None:
    found = told("shirinma", "--players", "13")
    assert {name: found[name] for name in ("rounds", "evening", "evenings", "seed")} == {
        "rounds": 200, "evening": 20, "evenings": 10, "seed": 1,
    }  # fmt: skip
    assert "differences" not in found
    figures = {each["name"]: each for each in found["settings"][0]["figures"]}
    assert len(figures) == len(GAMES["shirinma"].figures)
    won, forfeited = figures["won"], figures["forfeited"]
    assert (won["unit"], won["of"]) == ("percent", 200)
    assert float(won["value"]) + float(forfeited["value"]) == 100
    assert float(won["low"]) < float(won["value"]) < float(won["high"])
    numerator, denominator = map(int, won["exact"].split("/"))
    assert float(won["value"]) == 100 * numerator / denominator
    assert won["label"] == {"en": "Rounds won", "ja": "勝った人がいる局"}
    most = figures["most_pot"]
    assert (most["of"], most["low"], int(most["exact"])) == (None, None, float(most["value"]))


def test_what_there_was_nothing_of_is_told_as_nothing() -> None:
    figures = {each["name"]: each for each in told("shirinma", "--playing", "none")["settings"][0]["figures"]}
    assert figures["ride_cost"]["value"] is None
    assert figures["ride_cost"]["of"] is None
    assert "–" in runs("shirinma", "--playing", "none", *FEW).stdout


def test_it_is_written_to_a_file(tmp_path: Path) -> None:
    done = runs("shippin", *FEW, "--format", "svg", "-o", str(tmp_path / "shippin.svg"))
    assert done.stdout == ""
    assert ET.parse(tmp_path / "shippin.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314 - our own


@pytest.mark.parametrize("each", ALL, ids=lambda each: f"{each.game} {each.said}")
def test_every_switch_can_be_said(each: Set) -> None:
    done = runs(each.game, "--rounds", "1", "--jobs", "1", "--deck", each.deck, "--rule", each.said, "--format", "json")
    rules = json.loads(done.stdout)["settings"][0]["rules"]
    for name in each.name.split("."):
        rules = rules[name]
    assert rules == each.value


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shirinma", "--players", "1"], "--players: shirinma is played by 2 to 23"),
        (["shippin", "--deck", "mekurifuda"], "--deck: 'mekurifuda' is none of these: kabufuda, hanafuda, western"),
        (["shirinma", "--playing", "bold"], "--playing: 'bold' is none of these: least, none, worth"),
        (["shippin", "--rule", "tie=draw"], "--rule: tie: one of these is needed: push, dealer_wins"),
        (["shippin", "--rule", "bet=0"], "--rule: bet: a whole number from 1 to 1000000000 is needed"),
        (["shippin", "--rule", "bet=1.5"], "--rule: bet: a whole number from 1 to"),
        (["shirinma", "--rule", "payments.king=-1"], "--rule: payments.king: a whole number from 0 to 1000000000"),
        (["shippin", "--rule", "suits=yes"], "'suits=yes' sets no switch of shippin: bet, suit_breaks_tie, draw_ties"),
        (["shirinma", "--rule", "payments=3"], "'payments=3' sets no switch of shirinma: ante, payments.dragon"),
        (["shippin", "--rule", "tie"], "'tie' sets no switch of shippin"),
        (["shippin", "--rule", "bet=1", "--rule", "bet=2"], "bet is said twice"),
        (["shippin", "--against", "--rule", "bet=none"], "--rule: bet: a whole number"),
        (["shippin", "--against-rule", "bet=3"], "stands behind --against: --against --rule NAME=VALUE"),
        (["shippin", "--against-playing", "always"], "second setting stands behind --against"),
        *(
            (["shippin", "--against", *words], f"Error: {words[0].partition('=')[0]} is the same for both tables")
            for words in (["--players", "4"], ["--players=4"], ["--deck", "kabufuda"], ["--deck=kabufuda"])
        ),
        (
            ["shippin", "--against", "--players=4"],
            "stands before --against, behind which --rule and --playing may stand",
        ),
        (["mahjong"], "'mahjong' is not one of 'shirinma', 'shippin', 'kakkuri'"),
        (["shippin", "--rounds", "0"], "--rounds"),
    ],
)
def test_what_cannot_be_is_said_with_what_can(words: list[str], said: str) -> None:
    assert said in " ".join(runs(*words, exit_code=2).output.split())


def test_what_the_rule_book_refuses_ends_it() -> None:
    done = runs("shirinma", "--rule", "ante=1000000000", *FEW, exit_code=1)
    assert "no more than 1,000,000,000 chips can be recorded." in done.output


def test_the_help_names_every_way_of_playing() -> None:
    text = " ".join(runs("--help").output.split())
    for game, known in GAMES.items():
        words = [game, *known.ways]
        assert all(word in text.partition("Ways of playing (WAY):")[2].partition("Example")[0] for word in words)
