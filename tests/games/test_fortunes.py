"""What cards bring people beyond what was expected is nothing in the mean, exactly; rides at what they were worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from ledger.games.odds.shirinma_table import odds, rights, unseen_cards, weigh, with_next_card
from ledger.games.shirinma import (
    BOOK,
    Auction,
    AuctionClosed,
    BidPlaced,
    CardDealt,
    ShirinmaPhase,
    TrumpRevealed,
    close_auction,
    showdown_rank,
)
from ledger.rulebook.cards import Card, read
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Over, Phase, last_of
from ledger.rulebook.tallies import Steps
from tests.games.shirinma_tables import a_round, opening

SEEN = CardDealt("p1", "plain")
"""Some event by which a card is seen; which one it was makes no difference."""

OVERRULED = "They had begun."


def left(at: Phase) -> Sequence[Card]:
    """The cards that nobody has seen."""
    return unseen_cards(last_of(ShirinmaPhase, at))


def played(at: Phase, *events: Event) -> Steps:
    """Play events on a phase: the steps, with that phase as the first."""
    steps: Steps = [(SEEN, at)]
    for event in events:
        steps = [*steps, (event, BOOK.play(steps[-1][1], event).phase)]
    return steps


def brings_nothing_in_the_mean(at: Phase, after: Callable[[Card], tuple[Event, Phase]]) -> None:
    """Each card that nobody has seen comes alike: the field card, one that is dealt, the trump; exactly."""
    lucks = [weigh([(SEEN, at), after(card)]).luck for card in left(at)]
    sums = Counter[Any]()
    for luck in lucks:
        sums.update(luck)
    assert set(sums) == set(at.ground.seats)
    assert set(sums.values()) == {0}
    assert any(any(luck.values()) for luck in lucks)


@pytest.mark.parametrize("seed", range(6))
def test_the_luck_that_the_next_card_brings_is_nothing_in_the_mean(seed: int) -> None:
    chance = Random(seed)
    phases = [at for at in a_round(chance, noted=1) if isinstance(at, ShirinmaPhase)]
    for at in chance.sample(phases, 4):
        brings_nothing_in_the_mean(at, lambda card, at=at: (SEEN, with_next_card(at, card)))  # type: ignore[misc]


@pytest.mark.parametrize("third_deal", ["none_received", "none_held"])
@pytest.mark.parametrize("plain", [0, 3, 15, 23])
def test_so_it_is_where_a_third_deal_may_come(third_deal: str, plain: int) -> None:
    """Before the field card, in the first deal, in the second and at its end, with either reading of SH-9."""
    at = opening(12, third_deal=third_deal)
    for _ in range(plain and plain + 1):
        at = with_next_card(at, next(card for card in left(at) if not showdown_rank(at.ground, card)))
    brings_nothing_in_the_mean(at, lambda card: (SEEN, with_next_card(at, card)))


@pytest.mark.parametrize("deals", [8, 24])
def test_what_a_table_overrules_is_no_luck_either(deals: int) -> None:
    """A third deal that is not due, a card that somebody else gets, a trump before its time: each card comes alike."""
    at, rest = opening(12), list(left(opening(12)))
    Random(deals).shuffle(rest)
    for _ in range(deals + 1):
        at = with_next_card(at, rest.pop())
    at = close_auction(at).phase if isinstance(at, Auction) else at
    brings_nothing_in_the_mean(at, lambda card: played(at, CardDealt("p7", card, overrule=OVERRULED))[1])
    brings_nothing_in_the_mean(at, lambda card: played(at, TrumpRevealed(card, overrule=OVERRULED))[1])


def test_without_bids_luck_is_what_a_round_brought_beyond_what_was_expected_when_it_was_opened() -> None:
    ends = set()
    for seed in range(12):
        phases = list(a_round(Random(f"plain {seed}"), bids=False))
        start, end = phases[0], phases[-1]
        assert isinstance(end, Over)
        expected = rights(start)
        net = {player: -value for player, value in expected.items()}
        for payout in end.outcome.payouts:
            net[payout.player] += payout.amount
        for holding in last_of(ShirinmaPhase, end).board.dealt:
            net[holding.player] -= holding.paid
        assert weigh([(SEEN, at) for at in phases]).luck == net
        assert len(set(expected.values())) == 1
        ends.add(end.outcome.result)
    assert ends == {"won", "forfeited"}


def a_king_for_sale(*events: Event) -> Steps:
    """The King of Cups was dealt to `p2` after the 3 of Coins was laid, and then came these."""
    auction = with_next_card(with_next_card(opening(12), read("coins-3")), read("cups-12"))
    return played(auction, *events)


def test_a_ride_is_told_with_its_bid_and_what_it_was_worth_and_no_auction_is_luck() -> None:
    bids = BidPlaced("p5", 3), BidPlaced("p6", 300)
    assert weigh(a_king_for_sale(*bids)).rides == weigh(a_king_for_sale(CardDealt("p3", "plain"))).rides == ()
    steps = a_king_for_sale(*bids, AuctionClosed())
    told = odds(steps[-1][1])
    assert told
    ((ride,), luck) = weigh(steps).rides, weigh(steps).luck
    assert (ride.player, ride.owner, ride.card.code, ride.price, ride.bid) == ("p6", "p2", "cups-12", 300, 2)
    assert ride.worth == told.cards[0].half_is_worth < ride.price
    assert set(luck.values()) == {Fraction()}
    by_the_next_card = weigh(a_king_for_sale(*bids, CardDealt("p3", "plain")))
    assert by_the_next_card.rides == (ride,)


def test_a_lower_bid_that_was_overruled_is_not_the_one_that_bought_the_ride() -> None:
    low = BidPlaced("p6", 9, overrule="They let it pass.")
    (ride,) = weigh(a_king_for_sale(BidPlaced("p5", 300), low, AuctionClosed())).rides
    assert (ride.player, ride.price, ride.bid) == ("p5", 300, 1)
