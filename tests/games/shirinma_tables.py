"""Rounds of Shirinma at any table, with the deck in any order, for whoever holds chances against what happens."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from ledger.games.odds.shirinma_table import ShirinmaOdds, odds, unseen_cards, with_next_card
from ledger.games.shirinma import BOOK, Auction, BidPlaced, Payments, Rules, ShirinmaPhase, showdown_rank
from ledger.rulebook.phase import Ground, Over, Phase, Seats, last_of


def opening(players: int, **rules: Any) -> Phase:
    """A round that was just opened."""
    seats = Seats(f"p{place}" for place in range(1, players + 1))
    deck = rules.pop("deck", "mekurifuda")
    return BOOK.open_round(Ground(seats, "p2", deck, Rules(**rules))).phase


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


def may_be_plain(at: Phase) -> bool:
    """Whether the next card is dealt, and need not be named."""
    return any(each.type == "card_dealt" for each in BOOK.expected(at))


def a_round(
    chance: Random, players: int | None = None, *, noted: float | None = None, bids: bool = True
) -> Iterator[Phase]:
    """Every phase of a round at any table, the opening first, with a bid now and then.

    In half of the rounds few showdown cards come early, so that a third deal is dealt and rounds are forfeited.
    """
    at, is_poor = any_table(chance, players), chance.random() < 0.5
    deck, ground = list(unseen_cards(last_of(ShirinmaPhase, at))), at.ground
    deck.sort(key=lambda card: chance.random() - (is_poor and showdown_rank(ground, card) is not None))
    noted = chance.choice((0, 0.5, 1)) if noted is None else noted
    yield at
    while not isinstance(at, Over):
        card: Any = deck.pop()
        is_plain = may_be_plain(at) and not showdown_rank(ground, card)
        at = with_next_card(at, "plain" if is_plain and chance.random() >= noted else card)
        if isinstance(at, Auction) and bids and chance.random() < 0.5:
            riders = [player for player in ground.seats if player != at.owner]
            at = BOOK.play(at, BidPlaced(chance.choice(riders), chance.randint(1, 50))).phase
        yield at
