"""Shirinma's chances at a table, against every order that is left, and against their own mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.cards import Card
from ledger.games.odds.shirinma_table import cards_in_deck, odd_chip, odds, unseen_cards, with_next_card
from ledger.games.shirinma import (
    BOOK,
    Auction,
    AuctionClosed,
    ShirinmaPhase,
    ShirinmaWon,
    Showdown,
    showdown_cards,
    showdown_rank,
)
from ledger.notation import parse
from ledger.play import Over, Phase, last_of
from ledger.records import replace
from tests.games.shirinma_tables import a_round, known, may_be_plain, sums_to_one
from tests.properties.folding import opened
from tests.properties.folding import read as report

ROUNDS = sorted((Path(__file__).parent.parent / "rounds").glob("shirinma-*.txt"))
CLOSED = AuctionClosed()


# --- laws -----------------------------------------------------------------------------------------------------------


def next_cards(at: ShirinmaPhase, *, noted: bool = True) -> dict[Any, Fraction]:
    """Every card that may come next, with its chance; or all plain ones together, not noted."""
    unseen, left = unseen_cards(at), cards_in_deck(at)
    showdown = [card for card in unseen if showdown_rank(at.ground, card)]
    plain = [card for card in unseen if card not in showdown]
    in_deck = left - len(showdown)
    chances: dict[Any, Fraction] = {card: Fraction(1, left) for card in showdown}
    if in_deck and noted:
        chances |= {card: Fraction(in_deck, len(plain) * left) for card in plain}
    elif in_deck:
        chances["plain"] = Fraction(in_deck, left)
    assert sum(chances.values()) == 1
    return chances


def facts(at: Phase) -> dict[Any, Fraction]:
    """Every chance of a position by what it is of, and half of what each card that is held is expected to win."""
    told, last = known(at), last_of(ShirinmaPhase, at)
    return {
        "third deal": told.third_deal,
        "nobody wins": told.nobody_wins,
        **told.forfeited,
        **{("wins", card): chance for card, chance in told.to_come.items()},
        **{("wins", card.card): card.wins for card in told.cards},
        **{
            ("half", card.card): card.half_is_worth - card.wins * odd_chip(last, held)
            for card, held in zip(told.cards, showdown_cards(last), strict=True)
        },
    }


def mean_of(after_each: list[tuple[Fraction, Phase]]) -> dict[Any, Fraction]:
    mean: dict[Any, Fraction] = {}
    for chance, after in after_each:
        for fact, value in facts(after).items():
            mean[fact] = mean.get(fact, Fraction()) + chance * value
    return mean


def is_the_mean_of_what_follows(at: Phase) -> None:
    """The law of total probability: what is to be expected after the next card is what is to be expected now."""
    if isinstance(at, Auction):
        at = BOOK.play(at, CLOSED).phase
    assert isinstance(at, ShirinmaPhase)
    told = facts(at)
    for noted in (True, False) if may_be_plain(at) else (True,):
        cards = next_cards(at, noted=noted)
        mean = mean_of([(chance, with_next_card(at, card)) for card, chance in cards.items()])
        assert {fact: mean.get(fact, 0) for fact in told} == told
        assert {fact[0] for fact in mean if fact not in told} <= {"half"}  # that of a card which was not held yet


@pytest.mark.parametrize("players", [12, 15, 16, 23])
def test_all_chances_of_a_win_and_of_none_come_to_one(players: int) -> None:
    for seed in range(3):
        for at in a_round(Random(f"sums {players} {seed}"), players):
            sums_to_one(at)


@pytest.mark.parametrize("players", [12, 15, 16, 23])
def test_what_is_to_be_expected_after_the_next_card_is_what_is_to_be_expected_now(players: int) -> None:
    chance = Random(100 + players)
    running = [at for at in a_round(chance, players) if not isinstance(at, Over)]
    for at in (running[0], *chance.sample(running, 6), running[-1]):
        is_the_mean_of_what_follows(at)


@pytest.mark.endurance
@pytest.mark.parametrize("seed", range(24))
def test_so_it_is_all_through_many_rounds(seed: int) -> None:
    for at in a_round(Random(f"laws {seed}"), 12 + seed % 12):
        sums_to_one(at)
        if not isinstance(at, Over):
            is_the_mean_of_what_follows(at)


# --- every order that is left ---------------------------------------------------------------------------------------


def orders_left(at: ShirinmaPhase) -> Iterator[tuple[Card, ...]]:
    """Every order of the deck, each as likely as any other; what was not noted is any of the plain cards in turn."""
    unseen, left = unseen_cards(at), cards_in_deck(at)
    for order in permutations(unseen):
        if not any(showdown_rank(at.ground, card) for card in order[left:]):
            yield order[:left]


def agrees_with_every_order(at: ShirinmaPhase) -> None:
    """Play all of them out by the rule book, without a further bid."""
    orders, facts, halves = 0, Counter[Any](), Counter[Any]()
    for order in orders_left(at):
        orders, end = orders + 1, played_out(at, order)
        outcome = end.outcome
        facts.update(outcome.forfeited_for)
        facts["nobody wins"] += outcome.result == "forfeited"
        if isinstance(outcome, ShirinmaWon):
            facts["wins", outcome.card] += 1
            halves[outcome.card] += halves_paid(at, end)
    told = known(at)
    assert told.nobody_wins == Fraction(facts["nobody wins"], orders)
    assert told.forfeited == {reason: Fraction(facts[reason], orders) for reason in told.forfeited}
    assert told.to_come == {card: Fraction(facts["wins", card], orders) for card in told.to_come}
    for held in told.cards:
        assert held.wins == Fraction(facts["wins", held.card], orders)
        assert held.half_is_worth == Fraction(halves[held.card], 2 * orders)
        assert held.half_now == (held.half_is_worth if isinstance(at, Showdown) else held.wins * at.pot / 2)


def halves_paid(at: ShirinmaPhase, end: Over) -> int:
    """Twice what half the rights to the winning card brought; to the chip, if no card came into the pot after this."""
    assert isinstance(end.outcome, ShirinmaWon)
    rider = next((held.back_rider for held in showdown_cards(at) if held.card is end.outcome.card), None)
    if rider is None or not isinstance(at, Showdown):
        return last_of(ShirinmaPhase, end).pot
    return 2 * sum(payout.amount for payout in end.outcome.payouts if payout.player == rider)


def played_out(at: Phase, order: tuple[Card, ...]) -> Over:
    """Play a round to its end; the bottom card is the last of the order, and shown when it is due."""
    dealt = iter(order)
    while not isinstance(at, Over):
        is_trump = any(each.type == "trump_revealed" for each in BOOK.expected(at))
        at = with_next_card(at, order[-1] if is_trump else next(dealt))
    return at


def near_its_end(players: int, left: int, seed: str) -> ShirinmaPhase:
    """A round with so many cards left in the deck, and all of them noted."""
    for at in a_round(Random(seed), players, noted=1):
        if isinstance(at, ShirinmaPhase) and cards_in_deck(at) == left:
            return BOOK.play(at, CLOSED).phase if isinstance(at, Auction) else at  # type: ignore[return-value]
    raise ValueError(players, left)


def with_two_not_noted(at: ShirinmaPhase) -> ShirinmaPhase:
    """The same table, if two of its plain cards had not been noted."""
    plain = [held for held in at.board.dealt if not showdown_rank(at.ground, held.card)][:2]
    dealt = tuple(replace(held, card="plain") if held in plain else held for held in at.board.dealt)
    return replace(at, board=replace(at.board, dealt=dealt))


@pytest.mark.parametrize("players", [21, 22, 23])
def test_every_order_of_the_last_five_cards_comes_to_what_was_counted(players: int) -> None:
    for seed in range(8):
        agrees_with_every_order(near_its_end(players, 5, f"{players} {seed}"))


@pytest.mark.parametrize("players", [22, 23])
def test_so_does_every_order_of_four_and_of_what_was_not_noted(players: int) -> None:
    for seed in range(4):
        agrees_with_every_order(with_two_not_noted(near_its_end(players, 4, f"not noted {players} {seed}")))


@pytest.mark.endurance
@pytest.mark.parametrize("players", [14, 15, 21, 22, 23])
def test_every_order_of_the_last_cards_comes_to_what_was_counted_in_many_rounds(players: int) -> None:
    """With 14 and 15 players in a third deal, if there is one."""
    for seed in range(60):
        with suppress(ValueError):
            at = near_its_end(players, 6, f"many {players} {seed}")
            agrees_with_every_order(at)
            agrees_with_every_order(with_two_not_noted(near_its_end(players, 5, f"many {players} {seed}")))


# --- rounds worked out by hand ----------------------------------------------------------------------------------------


def phases_of(path: Path) -> Iterator[Phase]:
    """Every phase that a round stood in on a recorded evening."""
    score = parse(path.read_text("utf-8"))
    opening_said = {name: value for name, value in score.opening.items() if name != "carried"}
    on = opened(opening_said)
    for event in score.events:
        on = on.record(report(dict(event), "shirinma"), 1).state
        if on.table.round and odds(on.table.round.phase):
            yield on.table.round.phase


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_the_laws_hold_in_rounds_worked_out_by_hand(path: Path) -> None:
    """Also where the table overruled a third deal: dealt one, left it out, or broke it off."""
    chance, phases = Random(path.stem), list(phases_of(path))
    for at in phases:
        sums_to_one(at)
    running = [at for at in phases if not isinstance(at, Over)]
    for at in chance.sample(running, min(5, len(running))):
        is_the_mean_of_what_follows(at)


@pytest.mark.endurance
@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_the_laws_hold_everywhere_in_rounds_worked_out_by_hand(path: Path) -> None:
    for at in phases_of(path):
        if not isinstance(at, Over):
            is_the_mean_of_what_follows(at)
