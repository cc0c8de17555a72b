"""What is known of a round of Shirinma, by suits and strengths: all that its chances are counted from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ledger.cards import Card, Courts, DeckName, Suit, pack_of_48
from ledger.games.odds import shirinma as counting
from ledger.games.shirinma import (
    LOW_BOTTOM_RANKS,
    SHOWDOWN_RANKS,
    SUIT_NUMBERS,
    Plain,
    ShirinmaGround,
    ShirinmaPhase,
    cards_left,
    noted,
    pack,
    prices,
    showdown_cards,
    third_deal_is_due,
)


def position_of(phase: ShirinmaPhase) -> counting.Position:
    """Say what is known of a round by suits and strengths."""
    ground, field_card, prices_of = phase.ground, phase.board.field_card, prices(phase.ground.rules.payments)
    held = [place_of(ground, holding.card) for holding in showdown_cards(phase)]
    to_come, plain, unseen = tuple[list[int], ...]([] for _ in Suit), Counter[tuple[int, bool]](), unseen_cards(phase)
    known = places_in_pack(ground.deck, ground.rules.western_courts)
    for card in unseen:
        number, strength, is_low = known[card]
        if strength is None:
            plain[number, is_low] += 1
        else:
            to_come[number].append(strength)
    return counting.Position(
        suits=tuple(
            counting.Suited(
                held=tuple(strength for own, strength in held if own == number),
                to_come=tuple(to_come[number]),
                low=plain[number, True],
                fair=plain[number, False],
            )
            for number in SUIT_NUMBERS.values()
        ),
        field_suit=None if field_card is None else known[field_card].suit,
        not_noted=len(unseen) - cards_in_deck(phase),
        to_deal=to_deal(phase),
        prices=tuple(prices_of[rank][0] for rank in SHOWDOWN_RANKS),
    )


def to_deal(phase: ShirinmaPhase) -> counting.ToDeal:
    """SH-5, SH-9. How many cards are still dealt for certain, which of them decide on a third deal, and how many then.

    SH-18: where the table dealt more than its turn, there may not be enough; the bottom card is never dealt.
    """
    count, waiting, left = len(phase.ground.seats), len(phase.waiting), cards_left(phase)
    certain = waiting + (count if phase.deal == 1 else 0)
    if certain > left or phase.deal > 2 or not third_deal_is_due(phase):
        return counting.ToDeal(min(certain, left))
    second = count if phase.deal == 1 else waiting
    deciding = {"none_received": second, "none_held": certain}[phase.ground.rules.third_deal]
    return counting.ToDeal(certain, deciding, min(count, left - certain))


class InPack(NamedTuple):
    """A card by numbers: its suit, its strength if it is a showdown card, and whether it forfeits at the bottom."""

    suit: int
    strength: int | None
    is_low: bool


@cache
def places_in_pack(deck: DeckName, courts: Courts) -> Mapping[Card, InPack]:
    """SH-1, SH-6, SH-17. Every card of a pack by numbers."""
    strengths = {rank: strength for strength, rank in enumerate(SHOWDOWN_RANKS)}
    return {
        card: InPack(SUIT_NUMBERS[suit], strengths.get(rank), rank in LOW_BOTTOM_RANKS)
        for card, (suit, rank) in pack_of_48(deck, courts).faces.items()
    }


def place_of(ground: ShirinmaGround, card: Card | Plain) -> counting.Place:
    """Give a showdown card's place: its suit and its strength, by number. Raises ValueError for any other."""
    found = places_in_pack(ground.deck, ground.rules.western_courts)[noted(card)]
    if found.strength is None:
        raise ValueError(f"{card} is no showdown card")
    return found.suit, found.strength


def unseen_cards(phase: ShirinmaPhase) -> tuple[Card, ...]:
    """SH-18. The cards that nobody has named, in the order of the deck; those dealt and not noted are among them."""
    board = phase.board
    seen = {board.field_card, board.bottom_card, *phase.ground.set_aside, *(holding.card for holding in board.dealt)}
    return tuple(card for card in pack(phase.ground.deck, phase.ground.rules).in_deck_order if card not in seen)


def cards_in_deck(phase: ShirinmaPhase) -> int:
    """SH-4, SH-5, SH-18. All but the field card, those that were dealt and those that were set aside."""
    return cards_left(phase) + 2 - (phase.board.field_card is not None)
