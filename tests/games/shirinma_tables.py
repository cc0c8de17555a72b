"""Rounds of Shirinma at any table, with the deck in any order, for whoever holds chances against what happens."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from ledger.cards import Card
from ledger.games.odds.shirinma_table import ShirinmaOdds, odds, unseen_cards, with_next_card
from ledger.games.shirinma import BOOK, Auction, BidPlaced, Payments, Rules, ShirinmaPhase, showdown_rank
from ledger.play import Ground, Over, Phase, Seats, last_of


def opening(players: int, **rules: Any) -> Phase:
    """A round that was just opened."""
    seats = Seats(f"p{place}" for place in range(1, players + 1))
    deck = rules.pop("deck", "mekurifuda")
    return BOOK.open_round(Ground(seats, "p2", deck, Rules(**rules), rules.pop("carried", 0))).phase


def any_table(chance: Random, players: int | None = None) -> Phase:
    """A table of any size, deck and reading of SH-9."""
    return opening(
        players or chance.choice((12, 12, 13, 14, 15, 16, 17, 23, chance.randint(12, 23))),
        deck=chance.choice(("mekurifuda", "western")),
        third_deal=chance.choice(("none_received", "none_held")),
        western_courts=chance.choice(("JQK", "QJK")),
        payments=Payments(*chance.sample(range(40), 4)),
    )


def known(at: Phase) -> ShirinmaOdds:
    found = odds(at)
    assert found
    return found


def sums_to_one(at: Phase) -> None:
    told = known(at)
    every = [card.wins for card in told.cards] + list(told.to_come.values())
    assert sum(every) + told.nobody_wins == 1
    chances = [*every, told.nobody_wins, told.third_deal, *told.forfeited.values()]
    assert all(isinstance(chance, Fraction) and 0 <= chance <= 1 for chance in chances)
    assert max(told.forfeited.values()) <= told.nobody_wins <= sum(told.forfeited.values())


def shuffled(at: Phase, chance: Random) -> list[Card]:
    """An order in which the deck of a round that was just opened may lie, top card last."""
    deck = list(unseen_cards(last_of(ShirinmaPhase, at)))
    chance.shuffle(deck)
    return deck


def poor(at: Phase, chance: Random) -> list[Card]:
    """An order in which few showdown cards come early, so that a third deal is dealt and rounds are forfeited."""
    last = last_of(ShirinmaPhase, at)
    return sorted(
        shuffled(at, chance), key=lambda card: chance.random() - (showdown_rank(last.ground, card) is not None)
    )


def dealt_on(at: Phase, deck: list[Card], chance: Random, noted: float, *, bids: bool = True) -> Iterator[Phase]:
    """Play a round on with the deck in this order, and a bid now and then: every phase that comes."""
    while not isinstance(at, Over):
        card: Any = deck.pop()
        if may_be_plain(at) and not showdown_rank(at.ground, card) and chance.random() >= noted:
            card = "plain"
        at = with_next_card(at, card)
        if isinstance(at, Auction) and bids and chance.random() < 0.5:
            riders = [player for player in at.ground.seats if player != at.owner]
            at = BOOK.play(at, BidPlaced(chance.choice(riders), chance.randint(1, 50))).phase
        yield at


def may_be_plain(at: Phase) -> bool:
    """Whether the next card is dealt, and need not be named."""
    return any(each.type == "card_dealt" for each in BOOK.expected(at))


def a_round(
    chance: Random, players: int | None = None, *, noted: float | None = None, bids: bool = True
) -> Iterator[Phase]:
    """Every phase of a round at any table, the opening first."""
    at = any_table(chance, players)
    yield at
    deck = poor(at, chance) if chance.random() < 0.5 else shuffled(at, chance)
    yield from dealt_on(at, deck, chance, chance.choice((0, 0.5, 1)) if noted is None else noted, bids=bids)
