"""Shippin's chances, counted by the values of the unseen cards, of which every order is equally likely.

A card stands for all of its value, so what has not been seen is so many of ten cards. For one column two of them
decide, the dealer's first and its own. That all four win is counted column by column: first cards that win in the same
columns are alike, and so many of them as lie there are laid into some of these columns.

`odds` and `weigh` are the rule book's own; the shelf puts them into it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import perm
from typing import Annotated, get_args

from ledger.games import shippin
from ledger.games.shippin import COLUMNS, Rules, ShippinPhase, ShippinSettled, Showdown
from ledger.records import Record, doc
from ledger.rulebook.cards import DECKS, Card
from ledger.rulebook.exposing import CardExposed
from ledger.rulebook.phase import Over, Phase
from ledger.rulebook.refusal import OutOfPlace
from ledger.rulebook.tallies import Fortune, Steps
from ledger.rulebook.values import ExactlyInChips, PlayerId


class ColumnOdds(Record, kw_only=True):
    """A column's chances against the dealer, which come to one; `player` is who has bet on it, if anybody.

    `worth` is what a bet on it is expected to gain, in chips; below zero, to lose.
    """

    column: Annotated[shippin.Column, doc("The column, counted from 1.")]
    player: Annotated[PlayerId | None, doc("The id of the player who bet on the column; null if nobody did.")]
    wins: Annotated[Fraction, doc("The chance that the column wins.")]
    loses: Annotated[Fraction, doc("The chance that the column loses.")]
    ties: Annotated[Fraction, doc("The chance that the column ties.")]
    worth: Annotated[ExactlyInChips, doc("The expected gain of a bet on the column, in chips; below zero, the loss.")]


class ShippinOdds(Record, kw_only=True):
    """The chances in a round, exactly, with the cards seen.

    `columns` are those of which the second card is known, and before that all four. `shippin` is the dealer's chance
    of it, `total_loss` that the dealer loses to all four hands; None where they are not all known.
    """

    columns: Annotated[tuple[ColumnOdds, ...], doc("The columns with their chances.")]
    shippin: Annotated[Fraction, doc("The chance that the dealer has shippin.")]
    total_loss: Annotated[
        Fraction | None, doc("The chance that the dealer loses to all four columns; null if these are not all known.")
    ]
    unseen: Annotated[int, doc("How many cards nobody has seen.")]


def odds(phase: Phase, what_if: Card | None = None) -> ShippinOdds | None:
    """Give the chances in a phase. Cards come five at a time here, so nothing can be said of a single one.

    Raises OutOfPlace if that is asked.
    """
    if what_if is not None:
        raise OutOfPlace(shippin.expected(phase))
    match phase:
        case shippin.Betting():
            return odds_before_cards(phase)
        case Showdown():
            return odds_with_second_cards(phase)
        case Over(last=Showdown() as last, outcome=ShippinSettled() as outcome):
            return odds_at_the_end(last, outcome)
    return None


def odds_before_cards(phase: shippin.Betting) -> ShippinOdds:
    """SP-5. No card is seen but those that were set aside; every column is alike."""
    unseen = unseen_cards(phase)
    chances = before_second_cards(frozenset(unseen.items()), phase.ground.rules)
    four, one = (unseen[A_CARD_OF[each]] for each in shippin.SHIPPIN)
    chance = Fraction(four * one, perm(unseen.total(), 2))
    return odds_of(phase, dict.fromkeys(COLUMNS, chances), chance, None)


def odds_with_second_cards(phase: Showdown) -> ShippinOdds:
    """SP-6. The second cards lie face up; the first are any of the others."""
    unseen, dealer, rules = unseen_cards(phase), phase.second.dealer, phase.ground.rules
    seconds = {column: card for column, card in zip(COLUMNS, phase.second.columns, strict=True) if card}
    chances = {column: with_second_cards(unseen, card, dealer, rules) for column, card in seconds.items()}
    four, one = shippin.SHIPPIN
    chance = Fraction(unseen[A_CARD_OF[four]] * (shippin.value(dealer) == one), unseen.total())
    return odds_of(phase, chances, chance, total_loss(unseen, tuple(seconds.values()), dealer, rules))


def odds_at_the_end(last: Showdown, outcome: ShippinSettled) -> ShippinOdds:
    """SP-11. What has happened is certain."""
    chances = {hand.column: shares(Counter([hand.verdict])) for hand in outcome.hands}
    lost_to_all = all(hand.verdict == "player" for hand in outcome.hands)
    return odds_of(last, chances, Fraction(outcome.dealer_hand.shippin), Fraction(lost_to_all))


def odds_of(
    phase: ShippinPhase, chances: Mapping[int, Chances], dealers: Fraction, loss: Fraction | None
) -> ShippinOdds:
    """SP-13. A bet that wins brings as much again, one that loses is gone.

    `dealers` is the dealer's chance of shippin, `loss` that of losing to every hand with known cards.
    """
    players, bet = {bet.column: bet.player for bet in phase.bets}, phase.ground.rules.bet
    return ShippinOdds(
        columns=tuple(
            ColumnOdds(
                column=column,
                player=players.get(column),
                wins=each["player"],
                loses=each["dealer"],
                ties=each["tie"],
                worth=ExactlyInChips(bet * (each["player"] - each["dealer"])),
            )
            for column, each in chances.items()
        ),
        shippin=dealers,
        total_loss=loss if len(chances) == len(COLUMNS) else None,
        unseen=unseen_cards(phase).total(),
    )


def weigh(steps: Steps) -> Fortune:
    """SP-13. How the cards seen changed the worth of each bet; the dealer gains what the bets lose."""
    luck = dict[PlayerId, Fraction]()
    for (_, before), (event, after) in pairwise(steps):
        if not isinstance(event, shippin.SecondCardsDealt | shippin.FirstCardsRevealed | CardExposed):
            continue
        was, now = odds(before), odds(after)
        worth = {column.column: column.worth for column in was.columns} if was else {}
        for column in now.columns if now else ():
            if column.player is not None and column.column in worth:
                gained = column.worth - worth[column.column]
                luck[column.player] = luck.get(column.player, Fraction()) + gained
                luck[after.ground.dealer] = luck.get(after.ground.dealer, Fraction()) - gained
    return Fortune(luck)


# --- what is counted ------------------------------------------------------------------------------------------------

A_CARD_OF: Mapping[int, Card] = {shippin.value(card): card for card in DECKS["kabufuda"]}
"""SP-7. The card that stands for all of a value; nothing else of a card counts."""

Chances = Mapping[shippin.Verdict, Fraction]
"""The chances of a hand against the dealer's. They come to one."""


def unseen_cards(phase: ShippinPhase) -> Counter[Card]:
    """SP-15. How many cards of each value are unseen."""
    seen = Counter(shippin.value(card) for card, _ in shippin.face_up(phase))
    return Counter({card: shippin.CARDS_OF_A_VALUE - seen[each] for each, card in A_CARD_OF.items()})


def with_second_cards(unseen: Mapping[Card, int], second: Card, dealer: Card, rules: Rules) -> Chances:
    """Give the chances of a column with this second card, against the dealer's: any two others are their first."""
    ways = Counter[shippin.Verdict]()
    for (own, dealers), both in twos(unseen):
        ways[shippin.decide((own, second), (dealers, dealer), rules).verdict] += both
    return shares(ways)


@lru_cache(64)
def before_second_cards(unseen: frozenset[tuple[Card, int]], rules: Rules) -> Chances:
    """Give the chances of any column before a card lies there: two cards are its own, and two are the dealer's."""
    ways = Counter[shippin.Verdict]()
    for dealer, dealers in twos(dict(unseen)):
        for own, both in twos(Counter(dict(unseen)) - Counter(dealer)):
            ways[shippin.decide(own, dealer, rules).verdict] += dealers * both
    return shares(ways)


def twos(unseen: Mapping[Card, int]) -> Iterator[tuple[shippin.Pair, int]]:
    """Give every two cards, one and another, and in how many ways they may come."""
    for one, other in product(unseen, unseen):
        if ways := unseen[one] * (unseen[other] - (one == other)):
            yield (one, other), ways


def shares(ways: Counter[shippin.Verdict]) -> Chances:
    return {end: Fraction(ways[end], ways.total()) for end in get_args(shippin.Verdict)}


def total_loss(unseen: Counter[Card], seconds: Sequence[Card], dealer: Card, rules: Rules) -> Fraction:
    """Give the chance that the dealer loses to every hand, with these second cards."""
    ways = sum(
        count * ways_to_win_all(unseen - Counter([dealers]), seconds, (dealers, dealer), rules)
        for dealers, count in unseen.items()
    )
    return Fraction(ways, perm(unseen.total(), len(seconds) + 1))


def ways_to_win_all(left: Mapping[Card, int], seconds: Sequence[Card], dealer: shippin.Pair, rules: Rules) -> int:
    """Count the ways to lay a first card over every second one so that each wins. A set of columns is one number."""
    alike = Counter[int]()
    for own, count in left.items():
        won = (shippin.decide((own, second), dealer, rules).verdict == "player" for second in seconds)
        alike[sum(wins << place for place, wins in enumerate(won))] += count
    filled = Counter({0: 1})
    for wins_in, count in alike.items():
        further = Counter[int]()
        for so_far, ways in filled.items():
            for more in parts_of(wins_in & ~so_far):
                further[so_far | more] += ways * perm(count, more.bit_count())
        filled = further
    return filled[(1 << len(seconds)) - 1]


def parts_of(columns: int) -> Iterator[int]:
    """Give every choice among some columns, all and none of them too."""
    part = columns
    while part:
        yield part
        part = (part - 1) & columns
    yield 0
