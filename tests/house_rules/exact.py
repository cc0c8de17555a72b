"""What need not be tried out: figures of an evening that follow from the chances that the service counts.

Of Shirinma with bids that hang on no card (`least`, `none`), and of every bet at Shippin. What is left out is played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import NamedTuple

from ledger.games import shippin, shirinma
from ledger.games.odds import shippin as shippin_counting
from ledger.games.odds import shippin_table, shirinma_table
from ledger.games.odds import shirinma as counting
from ledger.games.odds.shirinma_places import in_the_third_deal
from ledger.games.odds.shirinma_positions import position_of
from ledger.play import Ground, last_of
from ledger.records import replace
from ledger.simulation import Setting

Exact = Mapping[str, Fraction]


@cache
def exact(setting: Setting, evening: int) -> Exact:
    """Give the figures that are known exactly, by their names, of evenings of so many rounds."""
    match setting.game:
        case "shirinma":
            return of_shirinma(setting, evening)
        case "shippin":
            return of_shippin(setting)
    return {}


# --- Shirinma -------------------------------------------------------------------------------------------------------


def of_shirinma(setting: Setting, evening: int) -> Exact:
    """What cards decide, whatever is bid; and chips, where bids do not hang on the cards."""
    phase = shirinma.open_round(Ground(setting.seats, setting.seats[0], setting.deck, setting.rules)).phase
    chances = shirinma_table.odds(phase)
    if chances is None:
        raise TypeError(phase)
    position, lost = position_of(last_of(shirinma.ShirinmaPhase, phase)), chances.nobody_wins
    found: dict[str, Fraction] = {
        "won": 1 - lost,
        "forfeited": lost,
        **{str(reason): chance for reason, chance in chances.forfeited.items()},
        "third_deal": chances.third_deal,
        "showdown_cards": cards_dealt(position, setting.players),
        "deals_again": lost if setting.rules.dealer_on_forfeit == "stay" else Fraction(),
    }
    if setting.rules.ante:
        found |= carried_over(lost)
        if setting.rules.odd_chip != "carry" or setting.playing == "none":
            found["left_over"] = lost
    if setting.playing in {"least", "none"}:
        found |= chips(setting, position, evening)
    return found


def carried_over(lost: Fraction) -> Exact:
    """How often a pot waits: each round is forfeited by itself, and what an evening leaves is played out."""
    times = {f"waited_{times}": (1 - lost) * lost**times for times in range(3)}
    return {"waited": lost / (1 - lost), **times, "waited_3": lost**3}


def cards_dealt(position: counting.Position, players: int) -> Fraction:
    """How many showdown cards are dealt in a round."""
    certain = Fraction(position.to_deal.certain, position.deck)
    return position.showdown * (certain + players * in_the_third_deal(position))


class Round(NamedTuple):
    """What a round puts into the pot: in all, and where it is won; and, signed by whether that is odd, won and lost."""

    won: Fraction
    paid: Fraction
    paid_where_won: Fraction
    sign_won: Fraction
    sign_lost: Fraction


def chips(setting: Setting, position: counting.Position, evening: int) -> Exact:
    """Follow the pot through an evening, round after round, by its mean and by the chance that it is odd."""
    rules, ridden = setting.rules, setting.playing == "least"
    once, cards = a_round(setting, position), cards_dealt(position, setting.players)
    found = {"paid_in": once.paid, "ridden": Fraction(ridden)}
    stays = ridden and rules.odd_chip == "carry"
    pots = once.won * evening + 1 - once.won  # the last one is played out
    if not stays:
        found["pot"] = once.paid / once.won
    none_odd = {name: Fraction() for name in ("odd_to_winner", "odd_to_rider", "odd_stays")}
    if not ridden:
        return {**found, **none_odd}
    found["ride_cost"] = Fraction(rules.min_bid)
    pot, odds, halves, odd = Fraction(), Fraction(), Fraction(), Fraction()
    sign = last = Fraction(1)
    for _ in range(evening):
        odd = (once.won - once.sign_won * sign) / 2
        out = once.paid_where_won + once.won * pot
        odds, halves = odds + odd, halves + (out + (odd if rules.odd_chip == "back_rider" else -odd)) / 2
        pot = once.paid + pot - out + (odd if stays else 0)
        last, sign = sign, once.sign_lost * sign + (once.sign_won * sign if stays else once.won)
    if stays and rules.ante:
        lost = 1 - once.won
        left = (lost - once.sign_lost * last * once.sign_won / (1 - once.sign_lost)) / 2
        found["pot"] = (once.paid * (evening + lost / once.won) - odd - left) / pots
        found["left_over"] = lost + odd
    keeper = {"winner": "odd_to_winner", "back_rider": "odd_to_rider", "carry": "odd_stays"}[rules.odd_chip]
    share = odds / (once.won * evening)
    return {**found, **none_odd, keeper: share, "ride_brought": halves / (cards * evening)}


def a_round(setting: Setting, position: counting.Position) -> Round:
    """Count with what each card costs, the bid for half of it included. That has to be as odd for every card."""
    rules = setting.rules
    bid = rules.min_bid if setting.playing == "least" else 0
    costs = tuple(price + bid for price in position.prices)
    if len({cost % 2 for cost in costs}) > 1:
        raise ValueError("what one card costs is even, and what another one costs is odd")
    antes, is_odd = setting.players * rules.ante, costs[0] % 2
    dealt = cards_dealt(position, setting.players)
    chances = counting.chances(replace(position, prices=costs))
    won = 1 - chances.forfeited
    paid = antes + dealt / len(costs) * sum(costs)
    signs = signed(position) if is_odd else Signs(Fraction(1), won)
    sign = -1 if antes % 2 else 1
    return Round(won, paid, antes * won + sum(chances.paid.values()), sign * signs.won, sign * (signs.all - signs.won))


class Signs(NamedTuple):
    """The mean of 1 for an even and of -1 for an odd number of showdown cards dealt: in all, and where one wins."""

    all: Fraction
    won: Fraction


def signed(position: counting.Position) -> Signs:
    """Count as the chances are counted, with a sign: that is the product over all cards of 2 x (is not dealt) - 1."""
    of_all, of_won = Fraction(), Fraction()
    for number in range(len(position.suits)):
        for times, laid in counting.fields(position, number):
            kinds = counting.Kinds.of(laid)
            share = Fraction(times, position.deck * kinds.total)
            for place, suit in enumerate(laid.suits):
                for bottom in kinds.of_suit(suit):
                    of_all += share * bottom.times * signed_ways(bottom, bottom.showdown, 0)
                    if place != number and not bottom.is_low:
                        of_won += share * bottom.times * signed_wins(suit, bottom)
    return Signs(of_all, of_won)


def signed_wins(suit: counting.Suited, bottom: counting.Bottom) -> int:
    """One card is dealt and none above it in its suit."""
    count = len(counting.without(suit.to_come, bottom.gone))
    return sum(
        signed_ways(bottom, bottom.showdown - above - 1, above + 1)
        - signed_ways(bottom, bottom.showdown - above - 1, above)
        for above in range(count)
    )


def signed_ways(bottom: counting.Bottom, others: int, spared: int) -> int:
    """In how many ways so many cards are not dealt, with the sign of the others."""
    return sum(
        comb(others, more) * 2**more * (-1) ** (others - more) * bottom.spared[spared + more]
        for more in range(others + 1)
    )


# --- Shippin --------------------------------------------------------------------------------------------------------


def of_shippin(setting: Setting) -> Exact:
    """What becomes of a bet, and of the dealer. Nothing is known before cards are seen, so every column is alike."""
    rules = setting.rules
    phase = shippin.open_round(Ground(setting.seats, setting.seats[0], setting.deck, rules)).phase
    chances = shippin_table.odds(phase)
    if chances is None:
        raise TypeError(phase)
    column, lost = chances.columns[0], LOSES_TO_ALL[rules.karami_vs_karami]
    has_to = rules.must_bet == "yes" or setting.playing == "always"
    bets = Fraction(1 if has_to else Fraction(4, 5)) * (setting.players - 1)
    found: dict[str, Fraction] = {
        "bets_won": column.wins,
        "bets_lost": column.loses,
        "bets_tied": column.ties,
        "bet_brings": column.worth,
        "bets": bets,
        "dealer_gains": -column.worth * bets,
        "shippin": chances.shippin,
        "total_loss": lost,
        "deal_passes": lost if rules.dealer_role == "on_total_loss" else Fraction(),
    }
    return found | draws_for_seats(setting.players - (rules.dealer_role == "house"), setting)


def draws_for_seats(drawers: int, setting: Setting) -> dict[str, Fraction]:
    """SP-3. How often the first draw ties, where of each value there are four cards that count alike."""
    if setting.deck == "western" and setting.rules.suit_breaks_tie == "yes":
        return {"drew_again": Fraction(), "draws": Fraction(1)}
    if setting.deck == "hanafuda" and setting.rules.draw_ties == "class":
        return {}
    alike = shippin.CARDS_OF_A_VALUE
    cards, differ = alike * len(shippin_table.card_of_value()), Fraction(1)
    for drawn in range(drawers):
        differ *= Fraction(cards - alike * drawn, cards - drawn)
    return {"drew_again": 1 - differ}


LOSES_TO_ALL = {
    "compare_totals": Fraction(468552143, 2750821425),
    "tie": Fraction(42556214438, 250324749675),
    "dealer_wins": Fraction(42556214438, 250324749675),
}
"""By how two karami are settled: the chance, before any card, that the dealer loses to all four hands.

Counting it (`loses_to_all`) takes too long for every look at it.
"""


def loses_to_all(rules: shippin.Rules) -> Fraction:
    """Count with every five second cards."""
    verdict, ways, columns = shippin_table.verdict_of_values(rules), Fraction(), len(shippin.COLUMNS)
    pack = Counter(dict.fromkeys(shippin_table.card_of_value(), shippin.CARDS_OF_A_VALUE))
    for dealer in pack:
        left = pack - Counter([dealer])
        for seconds in combinations_with_replacement(pack, columns):
            laid = Counter(seconds)
            if alike := prod(comb(left[value], count) for value, count in laid.items()):
                ways += pack[dealer] * alike * shippin_counting.total_loss(left - laid, seconds, dealer, verdict)
    return ways / (pack.total() * comb(pack.total() - 1, columns))
