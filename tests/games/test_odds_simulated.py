"""The chances that were counted, against what happens when cards are shuffled and dealt, again and again.

What is dealt is played here by itself, as the seeds tell it. Every shuffle comes from a number that stands here, so a
test that passes always will. A share may be four standard errors from its chance; one in some 15,000 is further off by
chance alone. That they are not all much nearer than they ought to be, is looked at as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any, NamedTuple

import pytest

from ledger.cards import read
from ledger.games.odds.shippin_table import odds as shippin_odds
from ledger.games.odds.shirinma_positions import unseen_cards
from ledger.games.shippin import BOOK as SHIPPIN
from ledger.games.shippin import Rules, SecondCardsDealt
from ledger.games.shirinma import ShirinmaPhase, prices
from ledger.games.shirinma import face as face_of
from ledger.play import Ground, Phase, Seats
from tests.games.shirinma_tables import a_round, known
from tests.reckoning.shippin import SWITCHES, verdict

FOUR = 4


class Told(NamedTuple):
    """What was counted: a chance of each thing that may happen, and what it brings on the average, chips at a time."""

    chances: Mapping[Any, Fraction]
    means: Mapping[Any, Fraction]


class Happened:
    """What happened in so many rounds."""

    def __init__(self) -> None:
        self.times, self.sums, self.squares = Counter[Any](), Counter[Any](), Counter[Any]()

    def brought(self, what: Any, chips: int) -> None:
        self.sums[what] += chips
        self.squares[what] += chips * chips


def standard_errors(told: Told, happened: Happened, rounds: int) -> list[float]:
    """By how many standard errors each share differs from its chance. What cannot be never is, what must be always."""
    errors = []
    assert set(happened.times) <= set(told.chances)
    for what, chance in told.chances.items():
        error = sqrt(rounds * chance * (1 - chance))
        off = happened.times[what] - rounds * chance
        assert error or not off, what
        errors += [float(off) / error] if error else []
    for what, mean in told.means.items():
        spread = happened.squares[what] / rounds - (happened.sums[what] / rounds) ** 2
        off = happened.sums[what] - rounds * mean
        assert spread or abs(off) < rounds * mean / 2 + 1, what
        errors += [float(off) / sqrt(rounds * spread)] if spread else []
    return errors


def are_as_far_off_as_chance_has_it(errors: list[float]) -> None:
    assert max(map(abs, errors)) < FOUR
    assert 0.5 < sum(error * error for error in errors) / len(errors) < 1.5


# --- Shirinma -------------------------------------------------------------------------------------------------------

SHOWDOWN = {1: 0, 10: 1, 11: 2, 12: 3}


class Lies(NamedTuple):
    """A table of Shirinma as the simulation has it: cards are suit and rank."""

    on_field: tuple[str, int] | None
    held: list[tuple[str, int]]
    received: list[int]
    showdown: list[tuple[str, int]]
    plain: list[tuple[str, int]]
    plain_gone: int
    deal: int
    waiting: int
    players: int
    third_deal: str
    prices: dict[int, int]
    pot: int


def named(at: ShirinmaPhase, card: Any) -> tuple[str, int]:
    """A card by its suit and its rank."""
    suit, rank = face_of(at.ground, card)
    return str(suit), rank


def lies(at: ShirinmaPhase) -> Lies:
    showdown = [held for held in at.board.dealt if held.card != "plain" and named(at, held.card)[1] in SHOWDOWN]
    unseen = [named(at, card) for card in unseen_cards(at)]
    on_field = at.board.field_card
    return Lies(
        None if on_field is None else named(at, on_field),
        [named(at, held.card) for held in showdown],
        [held.deal for held in showdown],
        [card for card in unseen if card[1] in SHOWDOWN],
        [card for card in unseen if card[1] not in SHOWDOWN],
        sum(held.card == "plain" for held in at.board.dealt),
        at.deal,
        len(at.waiting),
        len(at.ground.seats),
        at.ground.rules.third_deal,
        {rank: price for rank, (price, _) in prices(at.ground.rules.payments).items()},
        at.pot,
    )


def deal_on(table: Lies, chance: Random, happened: Happened) -> None:
    """Shuffle what has not been seen, and deal it to the end."""
    deck = table.showdown + chance.sample(table.plain, len(table.plain) - table.plain_gone)
    chance.shuffle(deck)
    on_field = table.on_field or deck.pop()
    second_comes = table.players if table.deal == 1 else 0
    now = [deck.pop() for _ in range(table.waiting)]
    later = [deck.pop() for _ in range(second_comes)]
    came = [card for card in now + later if card[1] in SHOWDOWN]
    if table.deal < 3:
        in_second = [card for card in (later if table.deal == 1 else now) if card[1] in SHOWDOWN]
        against = bool(in_second) or 2 in table.received
        if table.third_deal == "none_held":
            against = bool(came or table.held)
        if table.players < 16 and not against:
            happened.times["third deal"] += 1
            came += [card for card in [deck.pop() for _ in range(table.players)] if card[1] in SHOWDOWN]
    else:
        happened.times["third deal"] += 1
    show_down(table, on_field, came, deck[0], happened)


def show_down(
    table: Lies, on_field: tuple[str, int], came: list[tuple[str, int]], bottom: tuple[str, int], happened: Happened
) -> None:
    held = table.held + came
    trumps = [card for card in held if card[0] == bottom[0]]
    reasons = {
        "no_showdown_card": not held,
        "low_bottom_card": bool(held) and bottom[1] in {2, 3},
        "field_card_is_trump": bool(held) and on_field[0] == bottom[0],
        "no_trump_held": bool(held) and not trumps,
    }
    happened.times.update(reason for reason, applies in reasons.items() if applies)
    if any(reasons.values()):
        happened.times["nobody"] += 1
        return
    best = max(trumps, key=lambda card: SHOWDOWN[card[1]])
    happened.times[best] += 1
    happened.brought(best, table.pot + sum(table.prices[rank] for _, rank in came))


def counted(at: ShirinmaPhase) -> Told:
    found = known(at)
    chances: dict[Any, Fraction] = {"third deal": found.third_deal, "nobody": found.nobody_wins, **found.forfeited}
    chances |= {named(at, card): chance for card, chance in found.to_come.items()}
    chances |= {named(at, card.card): card.wins for card in found.cards}
    return Told(chances, {named(at, card.card): 2 * card.half_is_worth for card in found.cards})


def any_position(seed: str) -> ShirinmaPhase:
    """A place in a round at any table, the opening and long auctions no likelier than others."""
    chance = Random(seed)
    running = [at for at in a_round(chance) if isinstance(at, ShirinmaPhase)]
    return chance.choice(running)


def errors_in_rounds(at: ShirinmaPhase, rounds: int, seed: str) -> list[float]:
    chance, happened, table = Random(seed), Happened(), lies(at)
    for _ in range(rounds):
        deal_on(table, chance, happened)
    return standard_errors(counted(at), happened, rounds)


def test_rounds_that_are_dealt_come_to_what_was_counted() -> None:
    errors = []
    for number in range(12):
        errors += errors_in_rounds(any_position(f"position {number}"), 400, f"deal {number}")
    are_as_far_off_as_chance_has_it(errors)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_million_rounds_that_are_dealt_come_to_what_was_counted(part: int) -> None:
    """Ten times five positions, and 20,000 rounds from each."""
    errors = []
    for number in range(5):
        seed = f"of a million {part} {number}"
        errors += errors_in_rounds(any_position(seed), 20_000, seed)
    are_as_far_off_as_chance_has_it(errors)


# --- Shippin --------------------------------------------------------------------------------------------------------


def any_second_cards(chance: Random) -> tuple[list[int], Rules]:
    """Four columns' and the dealer's second cards by value, on a table with any agreement on ties."""
    values = chance.sample([value for value in range(1, 11) for _ in range(4)], 5)
    karami, tie = chance.choice(SWITCHES["karami_vs_karami"]), chance.choice(SWITCHES["tie"])
    return values, Rules(karami_vs_karami=karami, tie=tie)


def errors_at_shippin(rounds: int, seed: str) -> list[float]:
    chance, happened = Random(seed), Happened()
    values, rules = any_second_cards(chance)
    agreed: dict[str, str] = {"karami_vs_karami": rules.karami_vs_karami, "tie": rules.tie}
    left = [value for value in range(1, 11) for _ in range(4 - values.count(value))]
    for _ in range(rounds):
        *firsts, dealers = chance.sample(left, 5)
        ends = [verdict((own, values[at]), (dealers, values[4]), agreed) for at, own in enumerate(firsts)]
        happened.times.update(enumerate(ends))
        happened.times["total loss"] += set(ends) == {"player"}
        happened.times["shippin"] += (dealers, values[4]) == (4, 1)
    return standard_errors(counted_at_shippin(values, rules), happened, rounds)


def counted_at_shippin(values: list[int], rules: Rules) -> Told:
    one, two, three, four, dealer = (read(str(value)) for value in values)
    opened: Phase = SHIPPIN.open_round(Ground(Seats(("p1", "p2")), "p1", "kabufuda", rules)).phase
    found = shippin_odds(SHIPPIN.play(opened, SecondCardsDealt((one, two, three, four), dealer)).phase)
    assert found
    assert found.total_loss is not None
    chances: dict[Any, Fraction] = {"total loss": found.total_loss, "shippin": found.shippin}
    for at, column in enumerate(found.columns):
        chances |= {(at, "player"): column.wins, (at, "dealer"): column.loses, (at, "tie"): column.ties}
    return Told(chances, {})


def test_first_cards_that_are_turned_come_to_what_was_counted() -> None:
    errors = [error for number in range(10) for error in errors_at_shippin(500, f"shippin {number}")]
    are_as_far_off_as_chance_has_it(errors)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_million_first_cards_that_are_turned_come_to_what_was_counted(part: int) -> None:
    """Ten times ten rounds, and 10,000 ways to go on from each."""
    errors = [error for number in range(10) for error in errors_at_shippin(10_000, f"shippin {part} {number}")]
    are_as_far_off_as_chance_has_it(errors)
