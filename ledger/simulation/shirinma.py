"""Shirinma as it is tried out.

The deck lies in any order alike. Half the rights to each showdown card are bid for in one of three ways: `least`, one
of the others takes them for the lowest bid; `none`, nobody wants them; `worth`, two of the others want them and bid
against one another for as long as the half is worth the bid, exactly and with the bid in the pot, of which half comes
back if the card wins. For that they remember the field card and the showdown cards, as everyone does, and none of the
others.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

from ledger.cards import Face, Suit
from ledger.games.odds import shirinma as counting
from ledger.games.odds.shirinma_positions import to_deal
from ledger.games.shirinma import (
    BOOK,
    LOW_BOTTOM_RANKS,
    PLAIN_CARDS,
    SHOWDOWN_RANKS,
    Auction,
    AuctionClosed,
    BidPlaced,
    CardDealt,
    Dealing,
    FieldCardRevealed,
    ShirinmaPhase,
    ShirinmaWon,
    Showdown,
    TrumpRevealed,
    face,
    prices,
    showdown_cards,
    showdown_ranks,
)
from ledger.play import Chips, Ground, last_of
from ledger.sentences import say
from ledger.simulation.notes import POT_FIGURES, Figure, Most, Notes
from ledger.simulation.tables import Game, Round, Setting, cards_of_48

WAYS = {
    "least": say("One of the others buys half of every showdown card, for the lowest bid."),
    "none": say("Nobody bids for a showdown card."),
    "worth": say("Two of the others bid for every showdown card, up to what half of it is worth."),
}

FIGURES: tuple[Figure | Most, ...] = (
    Figure("won", "rounds", say("Rounds won"), "share", alone=True),
    Figure("forfeited", "rounds", say("Rounds forfeited"), "share", alone=True),
    Figure("no_showdown_card", "rounds", say("Forfeited: nobody held a showdown card"), "share", alone=True),
    Figure("low_bottom_card", "rounds", say("Forfeited: the bottom card was a 2 or a 3"), "share", alone=True),
    Figure(
        "field_card_is_trump", "rounds", say("Forfeited: the field card was of the trump suit"), "share", alone=True
    ),
    Figure("no_trump_held", "rounds", say("Forfeited: no showdown card of the trump suit"), "share", alone=True),
    Figure("third_deal", "rounds", say("Rounds with a third deal"), "share", alone=True),
    Figure("showdown_cards", "rounds", say("Showdown cards dealt in a round"), "number"),
    *POT_FIGURES,
    Figure("paid_in", "rounds", say("Chips put into the pot in a round"), "chips"),
    Figure("ridden", "won", say("Won rounds with a back-rider"), "share"),
    Figure("ride_cost", "rides", say("Paid for a back-ride"), "chips"),
    Figure("ride_brought", "rides", say("Brought by a back-ride"), "chips"),
    Figure("odd_to_winner", "won", say("Won rounds whose odd chip goes to the winner"), "share"),
    Figure("odd_to_rider", "won", say("Won rounds whose odd chip goes to the back-rider"), "share"),
    Figure("odd_stays", "won", say("Won rounds whose odd chip stays in the pot"), "share"),
    Figure("deals_again", "rounds", say("Rounds after which the same dealer deals again"), "share", alone=True),
)


# --- a round --------------------------------------------------------------------------------------------------------


def play_round(setting: Setting, ground: Ground[Any], chance: Random) -> Round:
    """Deal a shuffled deck to the end."""
    deck = [*cards_of_48(ground.deck, ground.rules.western_courts)]
    chance.shuffle(deck)
    good = showdown_ranks(ground.deck, ground.rules.western_courts)
    on = Round(BOOK, ground)
    on.goes_on(FieldCardRevealed(deck.pop()))
    while True:
        match on.phase:
            case Dealing(waiting=waiting):
                card = deck.pop()
                on.goes_on(CardDealt(waiting[0], card if card in good else "plain"))
            case Auction() as auction:
                bid(on, auction, setting.playing, chance)
                on.goes_on(AuctionClosed())
            case Showdown():
                on.goes_on(TrumpRevealed(deck[0]))
            case _:
                return on


def bid(on: Round, auction: Auction, playing: str, chance: Random) -> None:
    """Bid for half of the card that was dealt last."""
    if playing == "none":
        return
    others, least = auction.ground.seats.without((auction.owner,)), auction.least_bid
    if playing == "least":
        on.goes_on(BidPlaced(chance.choice(others), least))
        return
    one, other = chance.sample(others, 2)
    step = auction.ground.rules.min_increment
    raises = (highest_price(auction) - least) // step
    if raises >= 0:
        on.goes_on(BidPlaced(one, least))
    if raises > 0:
        on.goes_on(BidPlaced(other, least + raises * step))


# --- what half is worth ---------------------------------------------------------------------------------------------

ALL_SHOWDOWN = tuple(Face(suit, rank) for suit in Suit for rank in SHOWDOWN_RANKS)
LOW_IN_A_SUIT = len(LOW_BOTTOM_RANKS)
PLAIN_IN_A_SUIT = PLAIN_CARDS // len(Suit)


class Seen(NamedTuple):
    """What decides on the worth of a card: its own suit, the other suits taken together, and what is still dealt."""

    strength: int
    held: tuple[int, ...]
    to_come: tuple[int, ...]
    others_to_come: tuple[int, ...]
    plain: int
    not_noted: int
    to_deal: counting.ToDeal
    prices: tuple[Chips, ...]


class Worth(NamedTuple):
    """In how many ways of all a card wins, and how many chips are still paid in those ways together."""

    wins: int
    paid: int
    ways: int


def highest_price(auction: Auction) -> Chips:
    """SH-14. The most that half the rights to the card under auction may cost and be worth it, in whole chips.

    The price goes into the pot that half is a half of: (wins × (pot + price) + paid) / (2 × ways) is still the price.
    Whoever reckons does not ask where an odd chip goes.
    """
    seen = what_is_seen(auction)
    if seen is None:
        return 0
    wins, paid, ways = worth(seen)
    return (wins * auction.pot + paid) // (2 * ways - wins)


def what_is_seen(auction: Auction) -> Seen | None:
    """SH-12. Look at the table from the card under auction; None where its suit lies on the field and cannot win."""
    ground, board = auction.ground, auction.board
    if board.field_card is None:
        raise ValueError("no card is dealt before the field card")
    own, on_field = face(ground, board.dealt[-1].card), face(ground, board.field_card)
    if own.suit is on_field.suit:
        return None
    held = [face(ground, holding.card) for holding in showdown_cards(auction)]
    to_come = [each for each in ALL_SHOWDOWN if each not in held and each != on_field]
    price = prices(ground.rules.payments)
    return Seen(
        strength=strength(own),
        held=tuple(sorted(strength(each) for each in held if each.suit is own.suit)),
        to_come=tuple(strength(each) for each in to_come if each.suit is own.suit),
        others_to_come=tuple(sorted(strength(each) for each in to_come if each.suit is not own.suit)),
        plain=PLAIN_CARDS - (on_field.rank not in SHOWDOWN_RANKS),
        not_noted=len(board.dealt) - len(held),
        to_deal=to_deal(auction),
        prices=tuple(price[rank][0] for rank in SHOWDOWN_RANKS),
    )


@lru_cache(maxsize=2**16)
def worth(seen: Seen) -> Worth:
    """Count for the one suit. To its cards all others are alike, whoever holds them, so they are one other suit."""
    own = counting.Suited(seen.held, seen.to_come, LOW_IN_A_SUIT, PLAIN_IN_A_SUIT - LOW_IN_A_SUIT)
    others = counting.Suited(to_come=seen.others_to_come, fair=seen.plain - PLAIN_IN_A_SUIT)
    position = counting.Position(
        suits=(own, others),
        field_suit=1,
        not_noted=seen.not_noted,
        to_deal=seen.to_deal,
        prices=seen.prices,
    )
    counted = counting.count_trump(position, counting.Kinds.of(position), own, on_field=False)
    card = (0, seen.strength)
    return Worth(counted.wins[card], counted.paid[card], counted.total)


def strength(card: Face) -> int:
    """SH-13. Where a showdown card stands among those of its suit, the weakest 0."""
    return SHOWDOWN_RANKS.index(card.rank)


# --- what is noted --------------------------------------------------------------------------------------------------


def note(notes: Notes, on: Round) -> None:
    """Note how a round ended, and what was paid in it."""
    over, last = on.over, last_of(ShirinmaPhase, on.over)
    outcome, dealt = over.outcome, last.board.dealt
    notes.add(outcome.result)
    for reason in outcome.forfeited_for:
        notes.add(reason)
    if dealt[-1].deal > 2:
        notes.add("third_deal")
    notes.add("showdown_cards", sum(holding.card != "plain" for holding in dealt))
    notes.add("deals_again", outcome.next_dealer == over.ground.dealer)
    notes.add("paid_in", on.paid_in)
    rides = [holding.winning_bid for holding in dealt if holding.back_rider]
    notes.add("rides", len(rides))
    notes.add("ride_cost", sum(rides))
    if isinstance(outcome, ShirinmaWon) and outcome.back_rider:
        note_ride(notes, outcome)
    if isinstance(outcome, ShirinmaWon) and over.pot:
        notes.add("odd_stays")


def note_ride(notes: Notes, outcome: ShirinmaWon) -> None:
    """Note what riding on the winning card brought, and where the odd chip went."""
    notes.add("ridden")
    brought = {payout.reason: payout for payout in outcome.payouts}
    if half := brought.get("half_rights"):
        notes.add("ride_brought", half.amount)
    odd = brought.get("odd_chip")
    if odd and odd.player == outcome.back_rider:
        notes.add("ride_brought", odd.amount)
        notes.add("odd_to_rider")
    elif odd:
        notes.add("odd_to_winner")


GAME = Game(book=BOOK, ways=WAYS, figures=FIGURES, play_round=play_round, note=note)
