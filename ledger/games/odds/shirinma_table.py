"""Shirinma's chances at a table: what is counted by suits and strengths, told of cards and of those who hold them.

`odds` and `weigh` are the rule book's own; the shelf puts them into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Annotated, Any, NamedTuple, get_args

from ledger.cards import Card
from ledger.games.odds import shirinma as counting
from ledger.games.odds.shirinma_places import wins_of_places, worth_of_places
from ledger.games.odds.shirinma_positions import cards_in_deck, place_of, position_of, unseen_cards
from ledger.games.shirinma import (
    NOBODY,
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
    ShirinmaPhase,
    ShirinmaWon,
    Showdown,
    TrumpRevealed,
    as_overruled,
    close_auction,
    expected,
    next_deal,
    noted,
    play,
    showdown_cards,
    showdown_rank,
    still_waiting,
    written,
)
from ledger.play import (
    CardExposed,
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
    last_of,
    out_of_place,
)
from ledger.records import Meta, Record, convert, replace


class CardOdds(Record, kw_only=True):
    """A showdown card before its owner: its chance to win, and what half the rights to it are worth in chips.

    `half_now` is that in the pot as it stands, `half_is_worth` with what is still to be expected for cards that may be
    dealt. No bid is expected, and a standing bid is not in the pot. Once nothing comes into the pot any more, it is
    what a back-rider of the card gets to the chip; before that, half of an odd pot is told with half a chip.
    """

    player: Annotated[PlayerId, Meta(description="The id of the card's owner.")]
    card: Annotated[Card, Meta(description="The card.")]
    back_rider: Annotated[
        PlayerId | None,
        Meta(description="The id of the player who bought half the rights to the card; null if nobody did."),
    ]
    wins: Annotated[Fraction, Meta(description="The chance that the card wins.")]
    half_now: Annotated[
        Fraction,
        Meta(
            description="The worth of half the rights to the card in the pot as it stands, in chips.",
            extra={"in_chips": True},
        ),
    ]
    half_is_worth: Annotated[
        Fraction,
        Meta(
            description="The same with the payments that are still to be expected for cards, in chips.",
            extra={"in_chips": True},
        ),
    ]


class ShirinmaOdds(Record, kw_only=True):
    """Every chance in a round, exactly. All of `wins` and of `to_come` and `nobody_wins` come to one.

    `cards` are those that are held, in the order in which they were dealt; `to_come` has the chance of each showdown
    card that nobody has seen to be dealt and win. `forfeited` has the chance of each reason, and several may apply
    together; `nobody_wins` is that of any. `unseen` cards lie in the deck, the bottom card among them.
    """

    cards: Annotated[
        tuple[CardOdds, ...], Meta(description="The showdown cards held, in the order in which they were dealt.")
    ]
    to_come: Annotated[
        Mapping[Card, Fraction],
        Meta(description="The chance of each showdown card that nobody has seen to be dealt and win, by its code."),
    ]
    forfeited: Annotated[
        Mapping[ForfeitReason, Fraction], Meta(description="The chance of each reason for which nobody wins.")
    ]
    nobody_wins: Annotated[Fraction, Meta(description="The chance that nobody wins, for any reason.")]
    third_deal: Annotated[Fraction, Meta(description="The chance of a third deal.")]
    unseen: Annotated[int, Meta(description="How many cards lie in the deck, the bottom card among them.")]


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
    now, odd = wins * phase.pot, wins * odd_chip(phase, held)
    return CardOdds(
        player=held.player,
        card=noted(held.card),
        back_rider=held.back_rider,
        wins=wins,
        half_now=now / 2 + odd,
        half_is_worth=(now + paid) / 2 + odd,
    )


def odd_chip(phase: ShirinmaPhase, held: Holding) -> Fraction:
    """SH-14. What a back-rider gets beyond half of a pot into which nothing comes any more; below zero, less.

    Before that nobody knows whether the pot will be odd, nor of a card that nobody rides how it would be shared.
    """
    if phase.pot % 2 == 0 or held.back_rider is None or not isinstance(phase, Showdown):
        return Fraction()
    return Fraction(1 if phase.ground.rules.odd_chip == "back_rider" else -1, 2)


def weigh(steps: Steps) -> Fortune:
    """SH-8, SH-14. By how much more the cards brought everybody than was to be expected, and what rides were worth.

    From the first step to the last, that is what people have then, less what they had, and what they paid for cards;
    and less what others than the cards have changed: who bought a ride, or overruled what would have come.
    """
    luck, rides, sales, bid_at = gained(steps[0][1], steps[-1][1]), list[Ride](), list[Sold](), 0
    if not luck:
        return Fortune(luck)
    for at, ((_, before), (event, after)) in enumerate(pairwise(steps), 1):
        if isinstance(event, BidPlaced | CardExposed):
            is_standing = isinstance(before, Auction) and standing_in(after) != before.standing
            bid_at = at if is_standing else bid_at  # a lower one may have been overruled
            continue
        if isinstance(before, Auction) and before.standing:
            sold = auctioned(before, before.standing)
            rides.append(Ride(*sold.ride, bid_at))
            sales.append(sold)
        if event.overrule:
            settled = close_auction(before).phase if isinstance(before, Auction) else before
            take(luck, gained(settled, as_decided(settled, event)))
    take_sales(luck, sales)
    return Fortune(luck, tuple(rides))


def standing_in(phase: Phase) -> Bid | None:
    """SH-8. The bid that is to be beaten, where an auction is open."""
    return phase.standing if isinstance(phase, Auction) else None


def take(luck: dict[PlayerId, Fraction], gains: Mapping[PlayerId, Fraction]) -> None:
    """Take away what came of what people decided."""
    for player, chips in gains.items():
        luck[player] -= chips


class Sold(NamedTuple):
    """What an auction sold, but for the bid's place, and by how much everybody has more of it: `gains` over `total`."""

    ride: tuple[PlayerId, PlayerId, Card, Chips, Fraction]
    gains: Mapping[PlayerId, int]
    total: int


def auctioned(auction: Auction, highest: Bid) -> Sold:
    """SH-8. The price lies in the pot now, for whoever wins; half the rights have gone from owner to rider.

    A round has many auctions, and an evening many rounds, so this is reckoned in whole numbers.
    """
    sold, price, card = close_auction(auction).phase, highest.amount, noted(auction.board.dealt[-1].card)
    if not isinstance(sold, ShirinmaPhase):
        raise TypeError("a round in which a showdown card is held goes on after the auction")
    position, place = position_of(sold), place_of(sold.ground, card)
    ways = counting.ways(position)
    halves, total = halves_won(sold, position, ways)
    gains = {player: price * won for player, won in halves.items()}
    rest = ways.wins[place] * (sold.pot - price) + ways.paid[place]
    gains[highest.player] += rest * (total // (2 * ways.total))
    gains[auction.owner] -= rest * (total // (2 * ways.total))
    worth = Fraction(rest + price * ways.wins[place], 2 * ways.total)
    worth += Fraction(ways.wins[place], ways.total) * odd_chip(sold, sold.board.dealt[-1])
    return Sold((highest.player, auction.owner, card, price, worth), gains, total)


def halves_won(
    phase: ShirinmaPhase, position: counting.Position, ways: counting.Counted
) -> tuple[dict[PlayerId, int], int]:
    """SH-14. Count how many halves of the pot everybody wins, in all ways together, and say over which total."""
    of_places, halves = wins_of_places(position, ways), dict.fromkeys(phase.ground.seats, 0)
    times = of_places.total // ways.total
    for player, kind in places_left(phase, position.to_deal):
        halves[player] += 2 * of_places[kind]
    for each in showdown_cards(phase):
        for player in (each.player, each.back_rider or each.player):
            halves[player] += times * ways.wins[place_of(phase.ground, each.card)]
    return halves, 2 * of_places.total


def take_sales(luck: dict[PlayerId, Fraction], sales: Sequence[Sold]) -> None:
    """Take away what auctions moved, over one total for all."""
    total = lcm(*(sold.total for sold in sales))
    for player in luck:
        luck[player] -= Fraction(sum(sold.gains[player] * (total // sold.total) for sold in sales), total)


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
    """SH-14. What everybody has, in chips: rights to cards, and what is expected of those still dealt to them.

    An odd chip is halved, whoever gets it: of that no card decides.
    """
    told = odds(phase)
    if told is None:
        return None
    have = dict.fromkeys(phase.ground.seats, Fraction())
    if isinstance(phase, ShirinmaPhase):
        have = places_are_worth(phase)
    last = last_of(ShirinmaPhase, phase)
    for card, held in zip(told.cards, showdown_cards(last), strict=True):
        for player in (card.player, card.back_rider or card.player):
            have[player] += card.half_is_worth - card.wins * odd_chip(last, held)
    return have


def places_are_worth(phase: ShirinmaPhase) -> dict[PlayerId, Fraction]:
    """SH-5, SH-9. What everybody may expect of the cards that they are still dealt."""
    position = position_of(phase)
    worth, have = worth_of_places(position, counting.chances(position), phase.pot), dict[PlayerId, Fraction]()
    for player, kind in places_left(phase, position.to_deal):
        have[player] = have[player] + worth[kind] if player in have else worth[kind]
    return dict.fromkeys(phase.ground.seats, Fraction()) | have


def places_left(phase: ShirinmaPhase, to_deal: counting.ToDeal) -> Iterator[tuple[PlayerId, int]]:
    """SH-5, SH-9. Whose the cards are that are still dealt, in order, and of which kind each place is, by number."""
    certain, deciding, further = to_deal.certain, to_deal.deciding, to_deal.further
    everyone = phase.ground.seats.starting_with(phase.ground.dealer)
    order = [*phase.waiting, *(everyone if phase.deal == 1 else ()), *everyone][: certain + further]
    return zip(order, [0] * (certain - deciding) + [1] * deciding + [2] * further, strict=True)


def as_decided(phase: Phase, event: Event) -> Phase:
    """SH-5, SH-9. Where a round stood when people had overruled what comes next, and its card was not yet seen."""
    match phase, event:
        case Dealing(), TrumpRevealed():
            return convert(Showdown, phase, waiting=NOBODY)
        case Showdown(), CardDealt():
            phase = next_deal(phase)
    if isinstance(phase, Dealing) and isinstance(event, CardDealt):
        phase = as_overruled(phase, event.player)
        return replace(phase, waiting=Seats((event.player, *still_waiting(phase.waiting, event.player))))
    return phase
