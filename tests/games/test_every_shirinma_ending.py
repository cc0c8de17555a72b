"""Shirinma where it can be tried out whole: every bottom card on every field card, with few cards held.

What has to come out is the second reckoning's, which knows nothing of the rule book.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations
from typing import Any, NamedTuple

import pytest

from ledger.games.shirinma import BOOK, Bid, Board, Holding, Rules, ShirinmaWon, Showdown, TrumpRevealed
from ledger.rulebook.cards import DeckName, read
from ledger.rulebook.phase import Ground, Over, Seats, Step
from tests.reckoning import open_book
from tests.reckoning.cards import PACK, SUITS, Card, names
from tests.reckoning.shirinma import Lot, show_down

SEATS = Seats(f"p{place}" for place in range(1, 13))
DEALER = "p12"
POT = 255


class Table(NamedTuple):
    """A deck, which western courts are its 10, 11 and 12, and whose the odd chip of a pot is."""

    deck: DeckName
    western_courts: Any
    odd_chip: Any


TABLES = {
    "clubs": Table("mekurifuda", "JQK", "winner"),
    "swords": Table("mekurifuda", "QJK", "back_rider"),
    "cups": Table("western", "JQK", "carry"),
    "coins": Table("western", "QJK", "winner"),
}
"""Each is tried with the cards of one suit, and by the longer tests with all."""

WESTERN = dict(zip(SUITS, ("clubs", "spades", "hearts", "diamonds"), strict=True))

SHOWDOWN = [card for card in PACK if card.rank in {1, 10, 11, 12}]
HELD = [held for count in range(3) for held in combinations(SHOWDOWN, count)]
"""Nobody holds a showdown card, or one is held, or two are."""


class Ending(NamedTuple):
    """What a round comes to, what is trump, and what is left in the pot."""

    result: str
    reasons: tuple[str, ...]
    winner: str | None
    card: str | None
    back_rider: str | None
    payouts: dict[str, int]
    next_dealer: str | None
    trump: str
    pot: int


def told(step: Step) -> Ending:
    """How a round ended by the rule book."""
    assert isinstance(step.phase, Over)
    shown, outcome, paid = BOOK.board(step.phase), step.phase.outcome, Counter[str]()
    assert isinstance(shown, Board)
    for payout in outcome.payouts:
        paid[payout.player] += payout.amount
    won: tuple[str | None, str | None, str | None] = (None, None, None)
    if isinstance(outcome, ShirinmaWon):
        won = (outcome.winner, outcome.card.code, outcome.back_rider)
    return Ending(
        outcome.result, outcome.forfeited_for, *won, dict(paid), outcome.next_dealer, str(shown.trump), step.phase.pot
    )


def try_out(table: Table, held: tuple[Card, ...], ridden: int) -> int:
    """Turn any two cards that can be field and bottom. Each time it ends as reckoned; how often is the round won?"""
    agreed = {"western_courts": table.western_courts, "odd_chip": table.odd_chip}
    book = open_book({"game": "shirinma", "deck": table.deck, "players": SEATS, "rules": agreed})
    ground = Ground(SEATS, DEALER, table.deck, Rules(**agreed), POT)
    called = {card: read(name) for card, name in names(table.deck, table.western_courts).items()}
    lots = [Lot("p1", None), *(lot(place, card, ridden >> place & 1) for place, card in enumerate(held))]
    dealt = tuple(
        Holding(
            lot.owner,
            called[lot.card] if lot.card else "plain",
            deal=2,
            bids=tuple(Bid(*bid) for bid in lot.bids),
            back_rider=lot.back_rider,
        )
        for lot in lots
    )
    for field, bottom in permutations([card for card in PACK if card not in held], 2):
        phase = Showdown(ground=ground, pot=POT, deal=2, board=Board(called[field], dealt))
        book.chips["pot"], book.dealer = POT, DEALER
        sheet = book.open_round()
        show_down(book, sheet, lots, field, bottom)
        assert told(BOOK.play(phase, TrumpRevealed(called[bottom]))) == Ending(
            sheet.status,
            tuple(sheet.reasons),
            sheet.winner,
            sheet.card,
            sheet.back_rider,
            sheet.payouts,
            sheet.next_dealer,
            WESTERN[bottom.suit] if table.deck == "western" else bottom.suit,
            book.chips["pot"],
        ), (field, bottom)
    return sum(sheet.status == "won" for sheet in book.sheets)


def lot(place: int, card: Card, ridden: int) -> Lot:
    """A card before a player of its own, and a back-rider of its own behind it, or none."""
    bids = [(f"p{7 + place}", 5)] * ridden
    return Lot(f"p{2 + place}", card, bids, bids[0][0] if bids else None)


def wins(held: tuple[Card, ...]) -> int:
    """Trump is shown by a card of a suit held, no 2, no 3 and not held itself; the field card is of another suit."""
    if len({card.suit for card in held}) == 2:
        return 2 * 9 * 35
    return (0, 9 * 36, 8 * 36)[len(held)]


def telling(suit: str) -> list[tuple[Card, ...]]:
    """None, one, the neighbours in the order of strength, and a 1 beside the 12 of another suit."""
    dragon, maid, horse, king = (card for card in SHOWDOWN if card.suit == suit)
    elsewhere = Card(SUITS[SUITS.index(suit) - 1], 12)
    return [(), (dragon,), (dragon, maid), (maid, horse), (horse, king), (dragon, elsewhere)]


@pytest.mark.parametrize("suit", TABLES)
def test_every_bottom_card_on_every_field_card(suit: str) -> None:
    """Six holdings at each of four tables, some of them ridden: about 50,000 rounds."""
    for number, held in enumerate(telling(suit)):
        assert try_out(TABLES[suit], held, ridden=number % 4) == wins(held), held


@pytest.mark.endurance
@pytest.mark.parametrize("suit", TABLES)
def test_every_bottom_card_on_every_field_card_and_any_two_cards_held(suit: str) -> None:
    """137 holdings at each of four tables, ridden otherwise at each: about 1,150,000 rounds."""
    for number, held in enumerate(HELD, start=SUITS.index(suit)):
        assert try_out(TABLES[suit], held, ridden=number % 4) == wins(held), held
