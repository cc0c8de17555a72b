"""Shirinma's chances at a table: what is counted by suits and strengths, told of cards and of those who hold them.

`odds` and `weigh` are the rule book's own; the shelf puts them into it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple, get_args

from ledger.cards import Card, Suit
from ledger.games.odds import shirinma as counting
from ledger.games.odds.shirinma_places import worth_of_places
from ledger.games.shirinma import (
    CARDS_TO_DEAL,
    LOW_BOTTOM_RANKS,
    NOBODY,
    SHOWDOWN_RANKS,
    SUIT_NUMBERS,
    Auction,
    Bid,
    BidPlaced,
    CardDealt,
    Dealing,
    FieldCardRevealed,
    ForfeitReason,
    Holding,
    Plain,
    ShirinmaForfeited,
    ShirinmaGround,
    ShirinmaPhase,
    ShirinmaWon,
    Showdown,
    TrumpRevealed,
    close_auction,
    expected,
    face,
    next_deal,
    noted,
    pack,
    play,
    prices,
    showdown_cards,
    showdown_rank,
    still_waiting,
    third_deal_is_due,
    written,
)
from ledger.play import (
    Chips,
    Event,
    Expected,
    Fortune,
    Over,
    Phase,
    PlayerId,
    Ride,
    Seats,
    Steps,
    become,
    last_of,
    out_of_place,
    replace,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardOdds:
    """A showdown card before its owner: its chance to win, and what half the rights to it are worth in chips.

    `half_now` is that in the pot as it stands, `half_is_worth` with what is still to be expected for cards that may be
    dealt. No bid is expected, and a standing bid is not in the pot. An odd chip of a pot is halved here, too.
    """

    player: PlayerId
    card: Card
    back_rider: PlayerId | None
    wins: Fraction = field(metadata={"description": "the chance that the card wins"})
    half_now: Fraction = field(
        metadata={"in_chips": True, "description": "what half the rights to it are worth in the pot as it stands"}
    )
    half_is_worth: Fraction = field(
        metadata={"in_chips": True, "description": "the same with the payments for cards that are still to be expected"}
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShirinmaOdds:
    """Every chance in a round, exactly. All of `wins` and of `to_come` and `nobody_wins` come to one.

    `cards` are those that are held, in the order in which they were dealt; `to_come` has the chance of each showdown
    card that nobody has seen to be dealt and win. `forfeited` has the chance of each reason, and several may apply
    together; `nobody_wins` is that of any. `unseen` cards lie in the deck, the bottom card among them.
    """

    cards: tuple[CardOdds, ...] = field(metadata={"description": "the showdown cards held, as they were dealt"})
    to_come: Mapping[Card, Fraction] = field(
        metadata={"description": "of every showdown card that nobody has seen, the chance to be dealt and win"}
    )
    forfeited: Mapping[ForfeitReason, Fraction] = field(
        metadata={"description": "the chance of each reason for which nobody wins"}
    )
    nobody_wins: Fraction = field(metadata={"description": "the chance that nobody wins, for any reason"})
    third_deal: Fraction = field(metadata={"description": "the chance of a third deal"})
    unseen: int = field(metadata={"description": "how many cards lie in the deck, the bottom card among them"})


def odds(phase: Phase, what_if: Card | Plain | None = None) -> ShirinmaOdds | None:
    """Give the chances in a phase, or those that there would be if the next card was this one.

    Raises what playing that card raises.
    """
    if what_if is not None:
        return odds(with_next_card(phase, what_if))
    match phase:
        case Over(last=ShirinmaPhase() as last, outcome=ShirinmaWon() | ShirinmaForfeited() as outcome):
            return odds_at_the_end(last, outcome)
        case ShirinmaPhase():
            return odds_in_play(phase)
    return None


def with_next_card(phase: Phase, card: Card | Plain) -> Phase:
    """Give the phase that the next card leads to: the field card, one dealt as the rules have it, or the trump."""
    for each in expected(phase):
        if event := next_card(each, card):
            return play(phase, written(event, phase.ground.deck, phase.ground.rules)).phase
    raise out_of_place(expected(phase))


def next_card(due: Expected, card: Any) -> Event | None:
    """Make the event that is due with this card; None if it shows none, or has to name it and this one is not noted."""
    match due:
        case Expected(type="card_dealt", player=str(player)):
            return CardDealt(player, card)
        case Expected(type="field_card_revealed") if card != "plain":
            return FieldCardRevealed(card)
        case Expected(type="trump_revealed") if card != "plain":
            return TrumpRevealed(card)
    return None


def odds_at_the_end(last: ShirinmaPhase, outcome: ShirinmaWon | ShirinmaForfeited) -> ShirinmaOdds:
    """SH-12, SH-13. What has happened is certain."""
    won = outcome.card if isinstance(outcome, ShirinmaWon) else None
    shown = last.board.bottom_card
    return ShirinmaOdds(
        cards=tuple(card_odds(last, held, Fraction(held.card is won), Fraction()) for held in showdown_cards(last)),
        to_come={card: Fraction() for card in unseen_cards(last) if showdown_rank(last.ground, card)},
        forfeited={reason: Fraction(reason in outcome.forfeited_for) for reason in get_args(ForfeitReason)},
        nobody_wins=Fraction(won is None),
        third_deal=Fraction(any(holding.deal > 2 for holding in last.board.dealt)),
        unseen=cards_in_deck(last) - (shown is not None),
    )


def odds_in_play(phase: ShirinmaPhase) -> ShirinmaOdds:
    """SH-9 to SH-13. Everything that nobody has seen lies in the deck in any order alike."""
    position = position_of(phase)
    chances = counting.chances(position)
    may_have_third = position.to_deal.further > 0
    return ShirinmaOdds(
        cards=tuple(
            card_odds(phase, held, chances.wins[at], chances.paid[at])
            for held in showdown_cards(phase)
            for at in [place_of(phase.ground, held.card)]
        ),
        to_come={
            card: chances.wins[place_of(phase.ground, card)]
            for card in unseen_cards(phase)
            if showdown_rank(phase.ground, card)
        },
        forfeited={reason: chances.reasons[reason] for reason in get_args(ForfeitReason)},
        nobody_wins=chances.forfeited,
        third_deal=chances.third_deal if may_have_third else Fraction(phase.deal > 2),
        unseen=cards_in_deck(phase),
    )


def card_odds(phase: ShirinmaPhase, held: Holding, wins: Fraction, paid: Fraction) -> CardOdds:
    """SH-14. Half of what lies in the pot where the card wins; `paid` is what is still expected there, for cards."""
    now = wins * phase.pot
    return CardOdds(
        player=held.player,
        card=noted(held.card),
        back_rider=held.back_rider,
        wins=wins,
        half_now=now / 2,
        half_is_worth=(now + paid) / 2,
    )


def weigh(steps: Steps) -> Fortune:
    """SH-8, SH-14. By how much more the cards brought everybody than was to be expected, and what rides were worth.

    From the first step to the last, that is what people have then, less what they had, and what they paid for cards;
    and less what others than the cards have changed: who bought a ride, or overruled what would have come.
    """
    luck, rides, bid_at = gained(steps[0][1], steps[-1][1]), list[Ride](), 0
    if not luck:
        return Fortune(luck)
    for at, ((_, before), (event, after)) in enumerate(pairwise(steps), 1):
        if isinstance(event, BidPlaced):
            is_standing = isinstance(before, Auction) and standing_in(after) != before.standing
            bid_at = at if is_standing else bid_at  # a lower one may have been overruled
            continue
        if isinstance(before, Auction) and before.standing:
            sold = auctioned(before, before.standing)
            rides.append(Ride(*sold.ride, bid_at))
            take(luck, sold.gains)
        if event.overrule:
            settled = close_auction(before).phase if isinstance(before, Auction) else before
            take(luck, gained(settled, as_decided(settled, event)))
    return Fortune(luck, tuple(rides))


def standing_in(phase: Phase) -> Bid | None:
    """SH-8. The bid that is to be beaten, where an auction is open."""
    return phase.standing if isinstance(phase, Auction) else None


def take(luck: dict[PlayerId, Fraction], gains: Mapping[PlayerId, Fraction]) -> None:
    """Take away what came of what people decided."""
    for player, chips in gains.items():
        luck[player] -= chips


class Sold(NamedTuple):
    """What an auction sold, but for the bid's place, and by how much everybody has more of it."""

    ride: tuple[PlayerId, PlayerId, Card, Chips, Fraction]
    gains: Mapping[PlayerId, Fraction]


def auctioned(auction: Auction, highest: Bid) -> Sold:
    """SH-8. The price lies in the pot now, for whoever wins; half the rights have gone from owner to rider."""
    sold, price = close_auction(auction).phase, highest.amount
    told = odds(sold)
    if told is None or not isinstance(sold, ShirinmaPhase):
        raise ValueError("a round in which a showdown card is held goes on after the auction")
    card, gains = told.cards[-1], places_are_worth(sold, of_chips=price)
    for each in told.cards:
        for player in (each.player, each.back_rider or each.player):
            gains[player] += each.wins * price / 2
    without_price = card.half_is_worth - card.wins * price / 2
    gains[highest.player] += without_price
    gains[auction.owner] -= without_price
    return Sold((highest.player, auction.owner, card.card, price, card.half_is_worth), gains)


def gained(before: Phase, after: Phase) -> dict[PlayerId, Fraction]:
    """Give by how much more everybody has, less what was paid for cards; nothing of a round the game did not end."""
    was, now = rights(before), rights(after)
    if was is None or now is None:
        return {}
    seen, dealt = (last_of(ShirinmaPhase, at).board.dealt for at in (before, after))
    gains = {player: now[player] - was[player] for player in now}
    for holding in dealt[len(seen) :]:
        gains[holding.player] -= holding.paid
    return gains


def rights(phase: Phase) -> Mapping[PlayerId, Fraction] | None:
    """SH-14. What everybody has, in chips: rights to cards, and what is expected of those still dealt to them."""
    told = odds(phase)
    if told is None:
        return None
    have = dict.fromkeys(phase.ground.seats, Fraction())
    if isinstance(phase, ShirinmaPhase):
        have = places_are_worth(phase)
    for card in told.cards:
        for player in (card.player, card.back_rider or card.player):
            have[player] += card.half_is_worth
    return have


def places_are_worth(phase: ShirinmaPhase, of_chips: Chips | None = None) -> dict[PlayerId, Fraction]:
    """SH-5, SH-9. What everybody may expect of the cards that they are still dealt, or of some of the pot's."""
    position, everyone = position_of(phase), phase.ground.seats.starting_with(phase.ground.dealer)
    certain, deciding, further = position.to_deal.certain, position.to_deal.deciding, position.to_deal.further
    order = [*phase.waiting, *(everyone if phase.deal == 1 else ()), *everyone][: certain + further]
    worth = worth_of_places(position, counting.chances(position), phase.pot, of_chips)
    kinds = [worth.certain] * (certain - deciding) + [worth.deciding] * deciding + [worth.further] * further
    have = dict.fromkeys(phase.ground.seats, Fraction())
    for player, chips in zip(order, kinds, strict=True):
        have[player] = have[player] + chips if have[player] else chips
    return have


def as_decided(phase: Phase, event: Event) -> Phase:
    """SH-5, SH-9. Where a round stood when people had overruled what comes next, and its card was not yet seen."""
    match phase, event:
        case Dealing(), TrumpRevealed():
            return become(Showdown, phase, waiting=NOBODY)
        case Showdown(), CardDealt():
            phase = next_deal(phase)
    if isinstance(phase, Dealing) and isinstance(event, CardDealt):
        return replace(phase, waiting=Seats((event.player, *still_waiting(phase.waiting, event.player))))
    return phase


def position_of(phase: ShirinmaPhase) -> counting.Position:
    """Say what is known of a round by suits and strengths."""
    held = [place_of(phase.ground, holding.card) for holding in showdown_cards(phase)]
    unseen = [face(phase.ground, card) for card in unseen_cards(phase)]
    field_card, price = phase.board.field_card, prices(phase.ground.rules.payments)
    return counting.Position(
        suits=tuple(
            counting.Suited(
                held=tuple(strength for own, strength in held if own == number),
                to_come=tuple(SHOWDOWN_RANKS.index(rank) for rank in ranks if rank in SHOWDOWN_RANKS),
                low=sum(rank in LOW_BOTTOM_RANKS for rank in ranks),
                fair=sum(rank not in (*LOW_BOTTOM_RANKS, *SHOWDOWN_RANKS) for rank in ranks),
            )
            for number, suit in enumerate(Suit)
            for ranks in [[each.rank for each in unseen if each.suit is suit]]
        ),
        field_suit=None if field_card is None else SUIT_NUMBERS[face(phase.ground, field_card).suit],
        not_noted=len(unseen) - cards_in_deck(phase),
        to_deal=to_deal(phase),
        prices=tuple(price[rank][0] for rank in SHOWDOWN_RANKS),
    )


def to_deal(phase: ShirinmaPhase) -> counting.ToDeal:
    """SH-5, SH-9. How many cards are still dealt for certain, which of them decide on a third deal, and how many then.

    SH-18: where the table dealt more than its turn, there may not be enough; the bottom card is never dealt.
    """
    count, waiting, left = len(phase.ground.seats), len(phase.waiting), CARDS_TO_DEAL - len(phase.board.dealt)
    certain = waiting + (count if phase.deal == 1 else 0)
    if certain > left or phase.deal > 2 or not third_deal_is_due(phase):
        return counting.ToDeal(min(certain, left))
    second = count if phase.deal == 1 else waiting
    deciding = {"none_received": second, "none_held": certain}[phase.ground.rules.third_deal]
    return counting.ToDeal(certain, deciding, min(count, left - certain))


def place_of(ground: ShirinmaGround, card: Card | Plain) -> counting.Place:
    """Give a showdown card's place: its suit and its strength, by number."""
    suit, rank = face(ground, card)
    return SUIT_NUMBERS[suit], SHOWDOWN_RANKS.index(rank)


def unseen_cards(phase: ShirinmaPhase) -> tuple[Card, ...]:
    """SH-18. The cards that nobody has named, in the order of the deck; those dealt and not noted are among them."""
    board = phase.board
    seen = {board.field_card, board.bottom_card, *(holding.card for holding in board.dealt)}
    return tuple(card for card in pack(phase.ground.deck, phase.ground.rules).in_deck_order if card not in seen)


def cards_in_deck(phase: ShirinmaPhase) -> int:
    """SH-4, SH-5. All but the field card and those that were dealt."""
    return CARDS_TO_DEAL + 2 - (phase.board.field_card is not None) - len(phase.board.dealt)
