"""What cards make of people's rights is nothing in the mean, exactly; rides are told at what they were worth."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from ledger.cards import Card
from ledger.games.shirinma import (
    BOOK,
    Auction,
    AuctionClosed,
    BidPlaced,
    CardDealt,
    FieldCardRevealed,
    ShirinmaPhase,
    TrumpRevealed,
    close_auction,
    odds,
    unseen_cards,
    weigh,
    with_next_card,
)
from ledger.play import Event, Over, Phase, Steps, last_of
from tests.games.shirinma_tables import a_round, opening

SEEDS = range(6)


def left(at: Phase) -> list[Card]:
    """The cards that nobody has seen."""
    return list(unseen_cards(last_of(ShirinmaPhase, at)))


def seen(at: Phase) -> Event:
    """Some event by which a card is seen; which one it was makes no difference."""
    card = left(at)[0]
    for event in (FieldCardRevealed(card), CardDealt("p1", card), TrumpRevealed(card)):
        if any(each.type == event.type for each in BOOK.expected(at)):
            return event
    raise AssertionError(at)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_luck_that_the_next_card_brings_is_nothing_in_the_mean(seed: int) -> None:
    """Each card that nobody has seen comes alike: the field card, one that is dealt, the trump; exactly."""
    chance = Random(seed)
    phases = [at for at in a_round(chance, noted=1) if isinstance(at, ShirinmaPhase)]
    for at in chance.sample(phases, 4):
        cards = left(at)
        sums: dict[str, Fraction] = {}
        for card in cards:
            after = with_next_card(at, card)
            for player, chips in weigh([(seen(at), at), (seen(at), after)]).luck.items():
                sums[player] = sums.get(player, Fraction()) + chips
        assert set(sums.values()) <= {Fraction()}, at


def test_luck_adds_up_to_what_was_won_beyond_what_rights_were_worth_when_they_were_had() -> None:
    """No auction moves it: what is bid is no luck, and what it leaves in the pot is nobody's merit."""
    rounds = [list(a_round(Random(seed), 12, noted=1)) for seed in range(20)]
    for phases in rounds:
        steps = [(seen(before), after) for before, after in pairwise(phases)]
        told = weigh([(seen(phases[0]), phases[0]), *steps])
        assert isinstance(phases[-1], Over)
        expected = sum((luck_between(before, after) for before, after in pairwise(phases)), Fraction())
        assert sum(told.luck.values()) == expected


def luck_between(before: Phase, after: Phase) -> Fraction:
    """What a card made of all rights together, an auction being over before it is seen."""
    settled = close_auction(before).phase if isinstance(before, Auction) else before
    was, now = odds(settled), odds(after)
    assert was
    assert now
    worth = {card.card: card.half_is_worth for card in now.cards}
    return sum((2 * (worth[card.card] - card.half_is_worth) for card in was.cards), Fraction())


def a_king_for_sale() -> tuple[Steps, Auction]:
    """A round in which the King of Cups was dealt after the 3 of Coins was laid, up to there."""
    at = with_next_card(opening(12), next(card for card in left(opening(12)) if card.code == "coins-3"))
    king = next(card for card in left(at) if card.code == "cups-12")
    auction = with_next_card(at, king)
    assert isinstance(auction, Auction)
    return [(seen(opening(12)), at), (CardDealt("p2", king), auction)], auction


def test_a_ride_is_told_with_its_bid_and_what_it_was_worth() -> None:
    steps, auction = a_king_for_sale()
    low = BOOK.play(auction, BidPlaced("p5", 3)).phase
    high = BOOK.play(low, BidPlaced("p6", 300)).phase
    dealt = with_next_card(high, left(high)[0])
    steps = [*steps, (BidPlaced("p5", 3), low), (BidPlaced("p6", 300), high)]
    assert weigh(steps).rides == ()
    (ride,) = weigh([*steps, (seen(high), dealt)]).rides
    told = odds(close_auction(high).phase if isinstance(high, Auction) else high)
    assert told
    assert (ride.player, ride.card.code, ride.price, ride.bid) == ("p6", "cups-12", 300, 3)
    assert ride.worth == told.cards[0].half_is_worth < ride.price
    unsold = with_next_card(auction, left(auction)[0])
    assert weigh([*steps[:2], (seen(auction), unsold)]).rides == ()


def test_a_lower_bid_that_was_overruled_is_not_the_one_that_bought_the_ride() -> None:
    steps, auction = a_king_for_sale()
    bids = (BidPlaced("p5", 300), BidPlaced("p6", 9, overrule="They let it pass."), AuctionClosed())
    at: Phase = auction
    for event in bids:
        at = BOOK.play(at, event).phase
        steps = [*steps, (event, at)]
    (ride,) = weigh(steps).rides
    assert (ride.player, ride.price, ride.bid) == ("p5", 300, 2)
