"""Shirinma's chances at a table: against their own mean, and by example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import perm
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ledger.games.odds.shirinma_table import cards_in_deck, odd_chip, odds, unseen_cards, with_next_card
from ledger.games.shirinma import (
    BOOK,
    Auction,
    AuctionClosed,
    BidPlaced,
    CardDealt,
    Dealing,
    ShirinmaPhase,
    Showdown,
    TrumpRevealed,
    showdown_cards,
    showdown_rank,
)
from ledger.notation import parse
from ledger.rulebook.cards import read
from ledger.rulebook.phase import Over, Phase, last_of
from tests.games.shirinma_tables import a_round, known, may_be_plain, opening
from tests.properties.folding import opened
from tests.properties.folding import read as report
from tests.session.tables import after, shirinma_round, table

ROUNDS = sorted((Path(__file__).parent.parent / "rounds").glob("shirinma-*.txt"))
CLOSED = AuctionClosed()


# --- laws -----------------------------------------------------------------------------------------------------------


def sums_to_one(at: Phase) -> None:
    told = known(at)
    every = [card.wins for card in told.cards] + list(told.to_come.values())
    assert sum(every) + told.nobody_wins == 1
    chances = [*every, told.nobody_wins, told.third_deal, *told.forfeited.values()]
    assert all(isinstance(chance, Fraction) and 0 <= chance <= 1 for chance in chances)
    assert max(told.forfeited.values()) <= told.nobody_wins <= sum(told.forfeited.values())


def next_cards(at: ShirinmaPhase, *, noted: bool) -> dict[Any, Fraction]:
    """Every card that may come next, with its chance; or all plain ones together, not noted."""
    unseen, left = unseen_cards(at), cards_in_deck(at)
    showdown = [card for card in unseen if showdown_rank(at.ground, card)]
    plain = [card for card in unseen if card not in showdown] if noted else ["plain"]
    in_deck = left - len(showdown)
    each_plain = dict.fromkeys(plain, Fraction(in_deck, len(plain) * left)) if in_deck else {}
    return dict.fromkeys(showdown, Fraction(1, left)) | each_plain


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


def is_the_mean_of_what_follows(at: Phase) -> None:
    """The law of total probability: what is to be expected after the next card is what is to be expected now."""
    if isinstance(at, Auction):
        at = BOOK.play(at, CLOSED).phase
    assert isinstance(at, ShirinmaPhase)
    told = facts(at)
    for noted in (True, False) if may_be_plain(at) else (True,):
        cards, mean = next_cards(at, noted=noted), Counter[Any]()
        assert sum(cards.values()) == 1
        for card, chance in cards.items():
            for fact, value in facts(with_next_card(at, card)).items():
                mean[fact] += chance * value  # type: ignore[assignment]
        assert {fact: mean[fact] for fact in told} == told
        assert {fact[0] for fact in mean if fact not in told} <= {"half"}  # that of a card which was not held yet


@pytest.mark.parametrize("players", [12, 15, 16, 23])
def test_what_is_to_be_expected_after_the_next_card_is_what_is_to_be_expected_now(players: int) -> None:
    """All the way to a round that is over, of which everything is certain."""
    chance = Random(100 + players)
    phases = list(a_round(chance, players))
    for at in phases:
        sums_to_one(at)
    for at in (phases[0], *chance.sample(phases[:-1], 6), phases[-2]):
        is_the_mean_of_what_follows(at)


@pytest.mark.endurance
@pytest.mark.parametrize("seed", range(24))
def test_so_it_is_all_through_many_rounds(seed: int) -> None:
    for at in a_round(Random(f"laws {seed}"), 12 + seed % 12):
        sums_to_one(at)
        if not isinstance(at, Over):
            is_the_mean_of_what_follows(at)


def phases_of(path: Path) -> Iterator[Phase]:
    """Every phase that a round stood in on a recorded evening."""
    score = parse(path.read_text("utf-8"))
    on = opened({name: value for name, value in score.opening.items() if name != "carried"})
    for event in score.events:
        on = on.record(report(dict(event), "shirinma"), 1).state
        if on.table.round and odds(on.table.round.phase):
            yield on.table.round.phase


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_the_laws_hold_in_rounds_worked_out_by_hand(path: Path) -> None:
    """Also where the table overruled a third deal: dealt one, left it out, or broke it off."""
    phases = list(phases_of(path))
    for at in phases:
        sums_to_one(at)
    running = [at for at in phases if not isinstance(at, Over)]
    for at in (*Random(path.stem).sample(running, min(4, len(running))), running[-1]):
        is_the_mean_of_what_follows(at)


# --- by example -----------------------------------------------------------------------------------------------------

DUE = shirinma_round()[:-1]
"""All is dealt: `p1` holds the King of cups, `p12` the Dragon of clubs, a coin is on the field. No more is noted."""


def at_table(*events: Any, **said: Any) -> Phase:
    done = after(table("shirinma", **said), *events).round
    assert done
    phase: Phase = done.phase
    return phase


def test_when_all_is_dealt_the_bottom_card_decides() -> None:
    """Of 23 cards left 14 are showdown cards, and 9 any of the 31 plain ones that nobody named."""
    told, plain = known(at_table(*DUE)), Fraction(9, 31 * 23)
    assert [card.wins for card in told.cards] == [Fraction(3, 23) + 6 * plain] * 2
    assert [card.half_is_worth for card in told.cards] == [card.wins * 270 / 2 for card in told.cards]
    assert told.forfeited == {
        "no_showdown_card": 0,
        "low_bottom_card": 8 * plain,
        "field_card_is_trump": Fraction(4, 23) + 7 * plain,
        "no_trump_held": Fraction(8, 23) + 15 * plain,
    }
    assert [told.unseen, told.third_deal, *told.to_come.values()] == [23, 0, *[0] * 14]


def test_what_is_still_to_be_paid_for_cards_is_worth_something_too_and_bids_are_not() -> None:
    at = at_table(*DUE[:3])
    (king,) = known(at).cards
    assert king.half_now == king.wins * (12 * 20 + 30) / 2 < king.half_is_worth
    bid = BOOK.play(at, BidPlaced("p7", 1000)).phase
    assert known(bid) == known(at)
    (sold,) = known(BOOK.play(bid, CLOSED).phase).cards
    assert (king.back_rider, sold.back_rider) == (None, "p7")
    assert sold.half_is_worth == king.half_is_worth + 500 * king.wins


@pytest.mark.parametrize(
    ("odd_chip", "bid", "ridden"),
    [("winner", 7, 138), ("back_rider", 7, 139), ("carry", 7, 138), ("back_rider", 8, 139)],
)
def test_half_of_a_pot_into_which_nothing_comes_any_more_is_told_to_the_chip(
    odd_chip: str, bid: int, ridden: int
) -> None:
    """As the rule book pays it to a rider; of a card that nobody rides half is half, and so it is before that."""
    said, rules = shirinma_round(bid=("p5", bid)), {"odd_chip": odd_chip}
    last, end, dealing = (at_table(*events, rules=rules) for events in ((*said[:-1], CLOSED), said, said[:5]))
    assert isinstance(last, Showdown)
    assert isinstance(end, Over)
    assert isinstance(dealing, Dealing)
    king, dragon = known(last).cards
    assert (king.back_rider, dragon.back_rider) == ("p5", None)
    assert king.half_is_worth == king.half_now == king.wins * ridden
    assert dragon.half_is_worth == dragon.half_now == dragon.wins * Fraction(270 + bid, 2)
    ended = [chips for card in known(end).cards for chips in (card.wins, card.half_is_worth, card.half_now)]
    assert ended == [1, ridden, ridden, 0, 0, 0]
    assert sum(payout.amount for payout in end.outcome.payouts if payout.player == "p5") == ridden
    assert known(dealing).cards[0].half_now == known(dealing).cards[0].wins * dealing.pot / 2


@pytest.mark.parametrize(("third_deal", "deals"), [("none_received", 1), ("none_held", 2)])
def test_how_often_there_is_a_third_deal_with_twelve_players(third_deal: str, deals: int) -> None:
    """As SH-9 says: about one round in 309, or one in three million."""
    told = known(opening(12, third_deal=third_deal)).third_deal
    assert told == Fraction(perm(32, 12 * deals), perm(48, 12 * deals))
    assert round(1 / told, -6 if deals == 2 else 0) == (3_000_000 if deals == 2 else 309)


@pytest.mark.parametrize(("dealt", "third"), [(0, 0), (1, 1)])
def test_a_third_deal_that_was_left_out_was_none_and_one_that_was_broken_off_was_one(dealt: int, third: int) -> None:
    deals = [CardDealt(f"p{1 + place % 12}", "plain") for place in range(1, 24 + dealt)]
    king = CardDealt("p1", read("cups-12"))
    told = known(at_table(*DUE[:2], king, *deals, TrumpRevealed(read("cups-5"), overrule="It was late.")))
    assert [told.third_deal, told.unseen, *(card.wins for card in told.cards)] == [third, 22 - dealt, 1]


def test_a_table_that_dealt_too_many_cards_still_shows_its_last_one_as_trump() -> None:
    """With 23 players every card but the last is dealt; here one was dealt out of turn to somebody who had one."""
    again = CardDealt("p2", read("cups-12"), overrule="They had begun."), CardDealt("p3", "plain")
    at = at_table(*DUE[:2], CardDealt("p1", "plain"), CardDealt("p2", "plain"), *again, seats=23)
    sums_to_one(at)
    while isinstance(at, ShirinmaPhase) and cards_in_deck(at) > 1:
        showdown = [card for card in unseen_cards(at) if showdown_rank(at.ground, card)]
        at = with_next_card(at, showdown[0] if cards_in_deck(at) == len(showdown) else "plain")
        sums_to_one(at)
    assert isinstance(at, Auction)
    assert at.waiting
    assert set(known(at).to_come.values()) <= {0}


def test_a_table_of_twelve_that_dealt_half_the_pack_to_one_player_has_chances_too() -> None:
    """There are not enough cards left for two deals, and so none for a third."""
    again = [CardDealt("p2", "plain", overrule="They had begun.")] * 29
    at = at_table(*DUE[:2], CardDealt("p1", "plain"), CardDealt("p2", "plain"), *again)
    sums_to_one(at)
    assert known(at).third_deal == 0
