"""Shirinma's chances at a table: what is counted by suits and strengths, as chances of cards.

`odds` and `weigh` are the rule book's own; the shelf puts them into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, get_args

from ledger.games import shirinma
from ledger.games.odds import shirinma as counting
from ledger.games.shirinma import ForfeitReason, ShirinmaForfeited, ShirinmaPhase, ShirinmaWon
from ledger.records import Record, convert, doc, replace
from ledger.rulebook.cards import Card, CardOrPlain, Courts, DeckName, Suit, pack_of_48
from ledger.rulebook.event import Event
from ledger.rulebook.exposing import CardExposed
from ledger.rulebook.phase import Expected, Over, Phase, Seats, last_of
from ledger.rulebook.refusal import OutOfPlace
from ledger.rulebook.tallies import Fortune, Ride, Steps
from ledger.rulebook.values import InChips, PlayerId


class CardOdds(Record, kw_only=True):
    """A showdown card before its owner: its chance to win, and what half the rights to it are worth in chips.

    `half_now` is that in the pot as it stands, `half_is_worth` with what is still to be expected for cards that may be
    dealt. No bid is expected, and a standing bid is not in the pot. Once nothing comes into the pot any more, it is
    what a back-rider of the card gets to the chip; before that, half of an odd pot has half a chip.
    """

    player: Annotated[PlayerId, doc("The id of the card's owner.")]
    card: Annotated[Card, doc("The card.")]
    back_rider: Annotated[
        PlayerId | None, doc("The id of the player who bought half the rights to the card; null if nobody did.")
    ]
    wins: Annotated[Fraction, doc("The chance that the card wins.")]
    half_now: Annotated[InChips, doc("The worth of half the rights to the card in the pot as it stands, in chips.")]
    half_is_worth: Annotated[
        InChips, doc("The same with the payments that are still to be expected for cards, in chips.")
    ]


class ShirinmaOdds(Record, kw_only=True):
    """Every chance in a round, exactly. All of `wins` and of `to_come` and `nobody_wins` come to one.

    `cards` are those that are held, in the order in which they were dealt; `to_come` has the chance of each showdown
    card that nobody has seen to be dealt and win. `forfeited` has the chance of each reason, and several may apply
    together; `nobody_wins` is that of any. `unseen` cards lie in the deck, the bottom card among them.
    """

    cards: Annotated[tuple[CardOdds, ...], doc("The showdown cards held, in the order in which they were dealt.")]
    to_come: Annotated[
        Mapping[Card, Fraction],
        doc("The chance of each showdown card that nobody has seen to be dealt and win, by its code."),
    ]
    forfeited: Annotated[Mapping[ForfeitReason, Fraction], doc("The chance of each reason for which nobody wins.")]
    nobody_wins: Annotated[Fraction, doc("The chance that nobody wins, for any reason.")]
    third_deal: Annotated[Fraction, doc("The chance of a third deal.")]
    unseen: Annotated[int, doc("How many cards lie in the deck, the bottom card among them.")]


def odds(phase: Phase, what_if: CardOrPlain | None = None) -> ShirinmaOdds | None:
    """Give the chances in a phase, or those that there would be if the next card was this one.

    Raises what playing that card raises.
    """
    if what_if is not None:
        return odds(with_next_card(phase, what_if))
    match phase:
        case ShirinmaPhase():
            return odds_in(phase, counting.counted(position_of(phase)))
        case Over(last=ShirinmaPhase() as last, outcome=ShirinmaWon() | ShirinmaForfeited()):
            return odds_in(last, certain(phase))
    return None


def with_next_card(phase: Phase, card: Any) -> Phase:
    """Give the phase that the next card leads to: the field card, one dealt as the rules have it, or the trump."""
    for due in shirinma.expected(phase):
        event: Event
        match due:
            case Expected(type="card_dealt", player=str(player)):
                event = shirinma.CardDealt(player, card)
            case Expected(type="field_card_revealed") if card != "plain":
                event = shirinma.FieldCardRevealed(card)
            case Expected(type="trump_revealed") if card != "plain":
                event = shirinma.TrumpRevealed(card)
            case _:  # shows no card, or has to name it
                continue
        return shirinma.BOOK.play(phase, shirinma.BOOK.written(event, phase.ground.deck, phase.ground.rules)).phase
    raise OutOfPlace(shirinma.expected(phase))


def odds_in(last: ShirinmaPhase, counted: counting.Counted) -> ShirinmaOdds:
    """SH-9, SH-10, SH-11, SH-12, SH-13. Every order of the unseen cards in the deck is equally likely."""
    in_third_deal = isinstance(last, shirinma.Dealing) and last.deal > 2
    had_third_deal = in_third_deal or any(holding.deal > 2 for holding in last.board.dealt)
    return ShirinmaOdds(
        cards=tuple(card_odds(last, held, counted) for held in shirinma.showdown_cards(last)),
        to_come={
            card: counted.chance("wins", *place_of(last.ground, card))
            for card in unseen_cards(last)
            if shirinma.showdown_rank(last.ground, card)
        },
        forfeited={reason: counted.chance("nobody", reason) for reason in get_args(ForfeitReason)},
        nobody_wins=counted.chance("nobody"),
        third_deal=Fraction(1) if had_third_deal else counted.chance(*counting.THIRD_DEAL),
        unseen=cards_in_deck(last),
    )


def certain(over: Over) -> counting.Counted:
    """SH-10, SH-12, SH-13. Count a finished round as one way, in which its outcome, and nothing else, came."""
    match over.outcome:
        case ShirinmaWon(card=card):
            return counting.Counted(1, Counter([("wins", *place_of(over.ground, card))]))
        case ShirinmaForfeited(reasons=reasons):
            return counting.Counted(1, Counter([("nobody",), *(("nobody", reason) for reason in reasons)]))
    raise TypeError(over)


def card_odds(phase: ShirinmaPhase, held: shirinma.Holding, counted: counting.Counted) -> CardOdds:
    """SH-14. Half of what lies in the pot where the card wins."""
    wins = counted.chance("wins", *place_of(phase.ground, held.card))
    odd = wins * odd_chip(phase, held)
    return CardOdds(
        player=held.player,
        card=shirinma.noted(held.card),
        back_rider=held.back_rider,
        wins=wins,
        half_now=InChips(wins * phase.pot / 2 + odd),
        half_is_worth=InChips(half_is_worth(phase, held, counted) + odd),
    )


def half_is_worth(phase: ShirinmaPhase, held: shirinma.Holding, counted: counting.Counted) -> Fraction:
    """SH-14. Half of the pot where the card wins, and of what is still expected there, for cards."""
    at = place_of(phase.ground, held.card)
    return (counted.chance("wins", *at) * phase.pot + counted.chance("paid", *at)) / 2


def odd_chip(phase: ShirinmaPhase, held: shirinma.Holding) -> Fraction:
    """SH-14. What a back-rider gets beyond half of a pot into which nothing comes any more; below zero, less.

    Before that it is not known whether the pot will be odd; without a back-rider it is not shared.
    """
    if phase.pot % 2 == 0 or held.back_rider is None or not isinstance(phase, shirinma.Showdown):
        return Fraction()
    return Fraction(1 if phase.ground.rules.odd_chip == "back_rider" else -1, 2)


def weigh(steps: Steps) -> Fortune:
    """SH-8, SH-14. How each card seen changed what each player had or could expect, and what rides were worth.

    A card is held against the table that it came to: with its auction closed, and with what people overruled done.
    """
    rides, bid_at = list[Ride](), 0
    if odds(steps[-1][1]) is None:
        return Fortune({})
    luck = dict.fromkeys(steps[0][1].ground.seats, Fraction())
    for at, ((_, before), (event, after)) in enumerate(pairwise(steps), 1):
        if isinstance(event, shirinma.BidPlaced):
            match before, after:
                case shirinma.Auction(standing=was), shirinma.Auction(standing=now) if was != now:
                    bid_at = at  # a lower one may have been overruled
            continue
        settled = before
        if isinstance(before, shirinma.Auction) and not isinstance(event, CardExposed):
            settled = shirinma.close_auction(before).phase
            if highest := before.standing:
                table = last_of(ShirinmaPhase, settled)
                half = card_odds(table, table.board.dealt[-1], counting.counted(position_of(table)))
                rides.append(Ride(highest.player, half.player, half.card, highest.amount, half.half_is_worth, bid_at))
        if not isinstance(event, shirinma.AuctionClosed):
            for player, chips in gained(as_decided(settled, event) if event.overrule else settled, after).items():
                luck[player] += chips
    return Fortune(luck, tuple(rides))


def gained(before: Phase, after: Phase) -> dict[PlayerId, Fraction]:
    """Give what each player gained, less what was paid for cards."""
    was, gains = rights(before), rights(after)
    seen, dealt = (last_of(ShirinmaPhase, at).board.dealt for at in (before, after))
    for holding in dealt[len(seen) :]:
        gains[holding.player] -= holding.paid
    return {player: chips - was[player] for player, chips in gains.items()}


def rights(phase: Phase) -> dict[PlayerId, Fraction]:
    """SH-14. What each player has, in chips: rights to cards, and what is expected of those still dealt to them.

    An odd chip is halved: no card decides who gets it.
    """
    have, last = dict.fromkeys(phase.ground.seats, Fraction()), last_of(ShirinmaPhase, phase)
    if isinstance(phase, Over):
        counted = certain(phase)
    else:
        position = position_of(last)
        counted, worth = counting.counted(position), counting.worth_of_places(position, last.pot)
        for player, kind in places_left(last, position.to_deal):
            have[player] += worth[kind]
    for held in shirinma.showdown_cards(last):
        half = half_is_worth(last, held, counted)
        for player in (held.player, held.back_rider or held.player):
            have[player] += half
    return have


def places_left(phase: ShirinmaPhase, to_deal: counting.ToDeal) -> Iterator[tuple[PlayerId, str]]:
    """SH-5, SH-9. Whose the cards are that are still dealt, in order, and of which kind each place is."""
    certain, deciding, further = to_deal.certain, to_deal.deciding, to_deal.further
    everyone = phase.ground.seats.starting_with(phase.ground.dealer)
    order = [*phase.waiting, *(everyone if phase.deal == 1 else ()), *everyone][: certain + further]
    kinds = ["certain"] * (certain - deciding) + ["deciding"] * deciding + ["further"] * further
    return zip(order, kinds, strict=True)


def as_decided(phase: Phase, event: Event) -> Phase:
    """SH-5, SH-9. Where a round stood when people had overruled what comes next, and its card was not yet seen."""
    match phase, event:
        case shirinma.Dealing(), shirinma.TrumpRevealed():
            return convert(shirinma.Showdown, phase, deal=shirinma.LAST_DEAL, waiting=shirinma.NOBODY)
        case shirinma.Showdown(), shirinma.CardDealt():
            phase = shirinma.next_deal(phase)
    if isinstance(phase, shirinma.Dealing) and isinstance(event, shirinma.CardDealt):
        phase = shirinma.as_overruled(phase, event.player)
        return replace(phase, waiting=Seats((event.player, *shirinma.still_waiting(phase.waiting, event.player))))
    return phase


# --- what is known of a round, by suits and strengths ----------------------------------------------------------------


def position_of(phase: ShirinmaPhase) -> counting.Position:
    """Say what is known of a round by suits and strengths: all that its chances are counted from."""
    ground, field_card = phase.ground, phase.board.field_card
    known = places_in_pack(ground.deck, ground.rules.western_courts)
    held = [place_of(ground, holding.card) for holding in shirinma.showdown_cards(phase)]
    unseen = Counter(known[card] for card in unseen_cards(phase))
    to_come = [(each.suit, each.strength) for each in unseen if each.strength is not None]
    return counting.Position(
        suits=tuple(
            counting.Suited(
                held=tuple(strength for own, strength in held if own == suit),
                to_come=tuple(strength for own, strength in to_come if own == suit),
                low=unseen[InPack(suit, None, is_low=True)],
                fair=unseen[InPack(suit, None, is_low=False)],
            )
            for suit in range(len(Suit))
        ),
        field_suit=None if field_card is None else known[field_card].suit,
        not_noted=unseen.total() - cards_in_deck(phase),
        to_deal=to_deal(phase),
        prices=tuple(shirinma.prices(ground.rules.payments)[rank][0] for rank in shirinma.SHOWDOWN_RANKS),
    )


def to_deal(phase: ShirinmaPhase) -> counting.ToDeal:
    """SH-5, SH-9. How many cards are still dealt for certain, which of them decide on a third deal, and how many then.

    SH-18: where the table dealt more than its turn, there may not be enough; the bottom card is never dealt.
    """
    count, waiting, left = len(phase.ground.seats), len(phase.waiting), shirinma.cards_left(phase)
    certain = waiting + (count if phase.deal == 1 else 0)
    if certain > left or phase.deal > 2 or not shirinma.third_deal_is_due(phase):
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
    suits, strengths = list(Suit), {rank: strength for strength, rank in enumerate(shirinma.SHOWDOWN_RANKS)}
    return {
        card: InPack(suits.index(suit), strengths.get(rank), rank in shirinma.LOW_BOTTOM_RANKS)
        for card, (suit, rank) in pack_of_48(deck, courts).faces.items()
    }


def place_of(ground: shirinma.ShirinmaGround, card: CardOrPlain) -> counting.Place:
    """Give a showdown card's place: its suit and its strength, by number. Raises ValueError for any other."""
    found = places_in_pack(ground.deck, ground.rules.western_courts)[shirinma.noted(card)]
    if found.strength is None:
        raise ValueError(f"{card} is no showdown card")
    return found.suit, found.strength


def unseen_cards(phase: ShirinmaPhase) -> tuple[Card, ...]:
    """SH-18. The cards that were not named, in the order of the deck; those dealt and not noted are among them."""
    board = phase.board
    seen = {board.field_card, board.bottom_card, *phase.ground.set_aside, *(holding.card for holding in board.dealt)}
    pack = shirinma.pack(phase.ground.deck, phase.ground.rules)
    return tuple(card for card in pack.in_deck_order if card not in seen)


def cards_in_deck(phase: ShirinmaPhase) -> int:
    """SH-4, SH-5, SH-11, SH-18. All but field and bottom card once they are shown, those dealt and those set aside."""
    shown = sum(card is not None for card in (phase.board.field_card, phase.board.bottom_card))
    return shirinma.cards_left(phase) + 2 - shown
