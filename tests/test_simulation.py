"""House rules tried out: rounds are whole, come to what rule books count exactly, and are told by the command.

Seeds stand here, so a test that passes always will.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from random import Random
from statistics import NormalDist
from typing import Any, get_args, get_type_hints

import pytest
from click.testing import CliRunner, Result
from msgspec import Struct, inspect

from ledger import simulation
from ledger.cli import main
from ledger.games import kakkuri, shippin, shirinma
from ledger.games.odds import shippin_table, shirinma_table
from ledger.records import Member, members_of, replace
from ledger.rulebook.cards import Card, words_of
from ledger.rulebook.phase import Ground, Over, Seats
from ledger.simulation import GAMES, Estimate, Round, estimate, played, simulate

SHIPPIN = list(product(*(get_args(get_type_hints(shippin.Rules)[name]) for name in ("karami_vs_karami", "tie"))))


def settings_of(usual: Any) -> Iterator[tuple[str, Any]]:
    """Every switch, one at a time, set to each word it knows, or to some numbers, with the rules that makes."""
    for switch in members_of(type(usual)):
        default = getattr(usual, switch.name)
        if isinstance(default, Struct):
            inner = settings_of(default)
            yield from ((f"{switch.name}.{said}", replace(usual, **{switch.name: rules})) for said, rules in inner)
        else:
            values = [value for value in values_of(switch, default) if value != default]
            yield from ((f"{switch.name}={value}", replace(usual, **{switch.name: value})) for value in values)


def values_of(switch: Member, usual: Any) -> list[Any]:
    if not isinstance(switch.type, inspect.IntType):
        return list(words_of(switch))
    least, most = switch.type.ge or 0, switch.type.le or 0
    return [number for number in (0, 2 * usual, 10) if least <= number <= most]


ALL = [(game, said, rules) for game, each in GAMES.items() for said, rules in settings_of(each.book.rules())]


def told(game: str, players: int, rounds: int, seed: int, **rules: Any) -> dict[str, Estimate]:
    figures = {figure.name: figure for figure in GAMES[game].figures}
    sums = simulate(GAMES[game], players, GAMES[game].book.rules(**rules), rounds, seed)
    return {name: estimate(batches, figures[name].unit) for name, batches in sums.items()}


def need_near(found: Estimate, exact: Fraction) -> None:
    """Within four standard errors; a margin is as many as leave out 5 %."""
    assert found.value is not None
    assert found.margin is not None
    assert abs(float(found.value - exact)) <= 4 * found.margin / NormalDist().inv_cdf(0.975)


def ground(game: str, players: int, **rules: Any) -> Ground[Any]:
    book = GAMES[game].book
    return Ground(Seats(f"p{seat}" for seat in range(1, players + 1)), "p1", book.decks[0], book.rules(**rules))


# --- rounds ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "said", "rules"), ALL, ids=[f"{game} {said}" for game, said, _ in ALL])
def test_every_switch_can_be_set_to_everything_and_the_books_add_up(game: str, said: str, rules: Any) -> None:
    seats = GAMES[game].book.seats
    for players in (seats.start, seats.stop - 1):
        assert len([*played(GAMES[game], players, rules, 5, 1)]) == 5, said


@pytest.mark.parametrize(
    ("game", "players"), [(name, count) for name, game in GAMES.items() for count in game.book.seats]
)
def test_every_number_of_players_can_play(game: str, players: int) -> None:
    assert all(isinstance(on.phase, Over) for on in played(GAMES[game], players, GAMES[game].book.rules(), 3, 1))


def test_books_that_do_not_add_up_are_found() -> None:
    def loses_a_transfer(on: Round, chance: Random) -> None:
        simulation.play_shippin(on, chance)
        on.moved.pop()

    wrong = GAMES["shippin"]._replace(play=loses_a_transfer)
    with pytest.raises(simulation.BooksDoNotAddUp):
        [*played(wrong, 5, wrong.book.rules(), 20, 1)]


def test_the_same_cards_come_whatever_the_rules_are() -> None:
    usual, dearer = (told("shirinma", 13, 400, 1, ante=ante) for ante in (20, 40))
    assert usual["low_bottom_card"] == dearer["low_bottom_card"]
    assert usual["paid_in"].value != dearer["paid_in"].value


# --- exact chances --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [12, 16, *(pytest.param(many, marks=pytest.mark.endurance) for many in (13, 23))])
@pytest.mark.parametrize("third_deal", ["none_received", "none_held"])
def test_shirinma_comes_to_its_exact_chances(players: int, third_deal: Any) -> None:
    chances = shirinma_table.odds(shirinma.open_round(ground("shirinma", players, third_deal=third_deal)).phase)
    found = told("shirinma", players, 1_000, players, third_deal=third_deal)
    assert chances
    for reason, chance in chances.forfeited.items():
        need_near(found[reason], chance)
    need_near(found["won"], 1 - chances.nobody_wins)
    need_near(found["third_deal"], chances.third_deal)
    need_near(found["waited"], chances.nobody_wins / (1 - chances.nobody_wins))


@pytest.mark.parametrize(("karami", "tie"), SHIPPIN)
def test_shippin_comes_to_its_exact_chances(karami: Any, tie: Any) -> None:
    rules = {"karami_vs_karami": karami, "tie": tie, "bet": 3}
    chances = shippin_table.odds(shippin.open_round(ground("shippin", 5, **rules)).phase)
    found = told("shippin", 5, 2_000, 7, **rules)
    assert chances
    column = chances.columns[0]
    for name, exact in (("bets_won", column.wins), ("bets_lost", column.loses), ("bets_tied", column.ties)):
        need_near(found[name], exact)
    need_near(found["bet_brings"], column.worth)
    need_near(found["dealer_gains"], -4 * column.worth)
    need_near(found["shippin"], chances.shippin)


def test_what_is_held_against_the_exact_chances_can_fail() -> None:
    with pytest.raises(AssertionError):
        need_near(told("shippin", 5, 400, 1)["shippin"], Fraction(1, 10))


# --- Kakkuri --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [{}, {"sequence": "plain"}, {"after_king": "wrap"}, {"box_empty": "lead_any"}])
def test_no_order_of_a_hand_puts_down_more_or_fewer_wilds(
    rules: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[tuple[kakkuri.Turn, tuple[Card, ...], tuple[Card, ...]]] = []
    longest = simulation.longest

    def listened(turn: kakkuri.Turn, hand: set[Card]) -> tuple[Card, ...]:
        taken.append((turn, tuple(hand), longest(turn, hand)))
        return taken[-1][2]

    monkeypatch.setattr(simulation, "longest", listened)
    assert [*played(GAMES["kakkuri"], 8, kakkuri.Rules(**rules), 5, 1)]
    assert {bool(down) for _, _, down in taken} == {True, False}
    for turn, hand, down in taken[::5]:
        assert worth(turn, down) == max(worth(turn, way) for way in ways_to_play(turn, hand))


def worth(turn: kakkuri.Turn, cards: tuple[Card, ...]) -> tuple[int, int]:
    return len(cards), -sum(kakkuri.is_wild(turn.ground.rules, card) for card in cards)


def ways_to_play(turn: kakkuri.Turn, hand: tuple[Card, ...]) -> Iterator[tuple[Card, ...]]:
    """Every order of every choice of cards that goes down whole, by the rule book."""
    sizes = kakkuri.play_sizes(turn.ground.rules, pairs=turn.player in turn.board.three_pairs)
    top = None if isinstance(turn, kakkuri.LeadAny) else turn.board.pile_top
    for count in range(len(hand) + 1):
        for way in permutations(hand, count):
            if kakkuri.how_many_go_down(turn.ground.rules, top, sizes, way) == count:
                yield way


def test_an_empty_box_is_the_pile_shuffled_or_lets_anything_be_led_or_ends_the_round() -> None:
    void = {box: told("kakkuri", 7, 400, 1, box_empty=box)["void"].value for box in ("reshuffle", "lead_any", "void")}
    assert void["reshuffle"] == void["lead_any"] == 0
    assert void["void"]


# --- the command ----------------------------------------------------------------------------------------------------


def runs(*words: str, exit_code: int = 0) -> Result:
    done = CliRunner().invoke(main, ["simulate", *words])
    assert done.exit_code == exit_code, done.output
    return done


def test_a_rule_stands_beside_the_usual_ones() -> None:
    lines = runs("shippin", "--players", "5", "--rounds", "400", "--rule", "tie=dealer_wins").stdout.splitlines()
    assert lines[0] == "shippin, 5 players, 400 rounds"
    assert lines[1].split() == ["as", "usual", "tie=dealer_wins", "difference"]
    same = next(line for line in lines if line.startswith("Bets won"))
    assert same.split()[-3:] == ["0.00%", "±", "0.00%"]


def test_json_has_every_figure() -> None:
    words = ("shirinma", "--players", "13", "--rounds", "400", "--seed", "3", "--rule", "payments.king=40", "--json")
    found = json.loads(runs(*words).stdout)
    assert {name: found[name] for name in ("game", "players", "rounds", "seed")} == {
        "game": "shirinma", "players": 13, "rounds": 400, "seed": 3,
    }  # fmt: skip
    assert found["rules"]["payments"]["king"] == 40
    figures = {each["name"]: each for each in found["figures"]}
    assert list(figures) == [figure.name for figure in GAMES["shirinma"].figures]
    assert figures["won"]["label"] == {"en": "Rounds won", "ja": "勝った人がいる局"}
    assert figures["won"]["difference"] == {"value": "0.000000", "margin": "0.000000"}
    pot = {name: float(figures["paid_in"][name]["value"]) for name in ("usual", "by_rule", "difference")}
    assert pot["difference"] == pytest.approx(pot["by_rule"] - pot["usual"], abs=1e-5)
    assert pot["difference"] > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["shirinma", "--players", "1"], "shirinma is played by 2 to 23"),
        (["shippin", "--rule", "tie=draw"], "/tie: one of these is needed: push, dealer_wins"),
        (["shippin", "--rule", "bet=1.5"], "/bet: a whole number from 1 to 1000000000"),
        (["shirinma", "--rule", "payments.king=-1"], "/payments/king: a whole number from 0 to 1000000000"),
        (["shippin", "--rule", "suits=yes"], "/suits: there is no such field here"),
        (["shippin", "--rule", "tie"], "'tie' is not NAME=VALUE"),
        (["shirinma", "--rule", "payments=3", "--rule", "payments.king=4"], "'payments' has a value already"),
        (["mahjong"], "'mahjong' is not one of 'shirinma', 'shippin', 'kakkuri'"),
    ],
)
def test_what_cannot_be_is_said_with_what_can(words: list[str], said: str) -> None:
    done = CliRunner().invoke(main, ["simulate", *words])
    assert done.exit_code in {1, 2}
    assert said in " ".join(done.output.split())
