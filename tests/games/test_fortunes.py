"""What cards bring people beyond what was expected is nothing in the mean, exactly; rides at what they were worth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from ledger.cards import Card
from ledger.games.odds.shirinma_table import odds, rights, unseen_cards, weigh, with_next_card
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
    showdown_rank,
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


OVERRULED = "They had begun."


@pytest.mark.parametrize("third_deal", ["none_received", "none_held"])
@pytest.mark.parametrize("plain", [0, 3, 15])
def test_so_it_is_where_a_third_deal_may_come(third_deal: str, plain: int) -> None:
    """Before the field card, in the first deal and in the second, with either reading of SH-9."""
    at = opening(12, third_deal=third_deal)
    at = with_next_card(at, left(at)[1]) if plain else at
    for _ in range(plain):
        at = with_next_card(
            at, next(card for card in left(at) if not showdown_rank(last_of(ShirinmaPhase, at).ground, card))
        )
    told = [weigh([(seen(at), at), (seen(at), with_next_card(at, card))]).luck for card in left(at)]
    assert {sum((luck[player] for luck in told), Fraction()) for player in told[0]} == {Fraction()}
    assert any(luck["p2"] for luck in told)


def test_what_a_table_overrules_is_no_luck_either() -> None:
    """Of a third deal that is not due, and of a card that somebody else gets, each card comes alike too."""
    for deals in (8, 24):
        at = dealt_to(deals)
        everybody = last_of(ShirinmaPhase, at).ground.seats
        sums = dict.fromkeys(everybody, Fraction())
        for card in left(at):
            event = CardDealt("p7", card, overrule=OVERRULED)
            for player, chips in weigh([(seen(at), at), (event, BOOK.play(at, event).phase)]).luck.items():
                sums[player] += chips
        assert set(sums.values()) == {Fraction()}


def dealt_to(deals: int) -> Phase:
    """A round of twelve with a King in the second deal or at hand, all cards named, and no auction open."""
    at, rest = opening(12), left(opening(12))[::-1]
    for _ in range(deals + 1):
        at = with_next_card(at, rest.pop())
    return BOOK.play(at, AuctionClosed()).phase if isinstance(at, Auction) else at


def test_without_bids_luck_is_what_a_round_brought_beyond_what_was_expected_when_it_was_opened() -> None:
    ends = set()
    for seed in range(12):
        phases = list(a_round(Random(f"plain {seed}"), bids=False))
        start, end = phases[0], phases[-1]
        assert isinstance(end, Over)
        expected = rights(start)
        assert expected
        net = {player: -value for player, value in expected.items()}
        for payout in end.outcome.payouts:
            net[payout.player] += payout.amount
        for holding in last_of(ShirinmaPhase, end).board.dealt:
            net[holding.player] -= holding.paid
        assert weigh(steps_of(phases)).luck == net
        assert len(set(expected.values())) == 1
        ends.add(end.outcome.result)
    assert ends == {"won", "forfeited"}


def test_luck_over_a_round_is_that_of_all_its_cards_and_no_auction_moves_it() -> None:
    for seed in range(6):
        steps = steps_of(list(a_round(Random(seed), 12, noted=1)))
        summed: dict[str, Fraction] = {}
        for two in pairwise(steps):
            for player, chips in weigh(two).luck.items():
                summed[player] = summed.get(player, Fraction()) + chips
        assert weigh(steps).luck == summed
    steps, auction = a_king_for_sale()
    sold = BOOK.play(auction, BidPlaced("p6", 300)).phase
    closed = [(BidPlaced("p6", 300), sold), (AuctionClosed(), BOOK.play(sold, AuctionClosed()).phase)]
    assert weigh([steps[-1], *closed]).luck == dict.fromkeys(auction.ground.seats, Fraction())


def test_together_people_have_what_the_pot_is_not_expected_to_keep() -> None:
    for seed in range(6):
        phases = list(a_round(Random(f"together {seed}")))
        end = phases[-1]
        have = rights(end)
        assert isinstance(end, Over)
        assert have
        assert sum(have.values()) == (0 if end.outcome.result == "forfeited" else last_of(ShirinmaPhase, end).pot)


def steps_of(phases: Sequence[Phase]) -> Steps:
    """The steps of a round by its phases: a card is seen in each, whatever else was reported before it."""
    return [(seen(phases[0]), phases[0]), *((seen(before), after) for before, after in pairwise(phases))]


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
