"""Shippin's chances at a table: what is counted by values, told of columns and of those who bet on them.

`odds` and `weigh` are the rule book's own; the shelf puts them into it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise, product
from typing import Annotated

from ledger.cards import DECKS, Card
from ledger.games.odds import shippin as counting
from ledger.games.shippin import (
    CARDS_OF_A_VALUE,
    COLUMNS,
    SHIPPIN,
    Betting,
    Column,
    FirstCardsRevealed,
    Rules,
    SecondCardsDealt,
    ShippinPhase,
    ShippinSettled,
    Showdown,
    Verdict,
    decide,
    expected,
    face_up,
    value,
)
from ledger.play import CardExposed, Fortune, Over, Phase, PlayerId, Steps, out_of_place
from ledger.records import Meta, Record


class ColumnOdds(Record, kw_only=True):
    """A column's chances against the dealer, which come to one; `player` is who has bet on it, if anybody.

    `worth` is what a bet on it is expected to gain, in chips; below zero, to lose.
    """

    column: Annotated[Column, Meta(description="The column, counted from 1.")]
    player: Annotated[
        PlayerId | None, Meta(description="The id of the player who bet on the column; null if nobody did.")
    ]
    wins: Annotated[Fraction, Meta(description="The chance that the column wins.")]
    loses: Annotated[Fraction, Meta(description="The chance that the column loses.")]
    ties: Annotated[Fraction, Meta(description="The chance that the column ties.")]
    worth: Annotated[
        Fraction,
        Meta(
            description="The expected gain of a bet on the column, in chips; below zero, the loss.",
            extra={"in_chips": "exactly"},
        ),
    ]


class ShippinOdds(Record, kw_only=True):
    """The chances in a round, exactly, with the cards seen.

    `columns` are those of which the second card is known, and before that all four. `shippin` is the dealer's chance
    of it, `total_loss` that the dealer loses to all four hands; None where they are not all known.
    """

    columns: Annotated[tuple[ColumnOdds, ...], Meta(description="The columns with their chances.")]
    shippin: Annotated[Fraction, Meta(description="The chance that the dealer has shippin.")]
    total_loss: Annotated[
        Fraction | None,
        Meta(description="The chance that the dealer loses to all four columns; null if these are not all known."),
    ]
    unseen: Annotated[int, Meta(description="How many cards nobody has seen.")]


def odds(phase: Phase, what_if: Card | None = None) -> ShippinOdds | None:
    """Give the chances in a phase. Cards come five at a time here, so nothing can be said of a single one.

    Raises OutOfPlace if that is asked.
    """
    if what_if is not None:
        raise out_of_place(expected(phase))
    match phase:
        case Betting():
            return odds_before_cards(phase)
        case Showdown():
            return odds_with_second_cards(phase)
        case Over(last=Showdown(first=FirstCardsRevealed()) as last, outcome=ShippinSettled() as outcome):
            return odds_at_the_end(last, outcome)
    return None


def odds_before_cards(phase: Betting) -> ShippinOdds:
    """SP-5. No card is seen but those that were set aside; every column is alike."""
    unseen = unseen_values(phase)
    chances = chances_of_a_bet(phase.ground.rules, tuple(unseen.items()))
    four, one = (unseen[each] for each in SHIPPIN)
    return ShippinOdds(
        columns=tuple(column_odds(phase, column, chances) for column in COLUMNS),
        shippin=Fraction(four * one, math.perm(unseen.total(), 2)),
        total_loss=None,
        unseen=unseen.total(),
    )


def odds_with_second_cards(phase: Showdown) -> ShippinOdds:
    """SP-6. The second cards lie face up; the first are any of the others."""
    unseen, verdict = unseen_values(phase), verdict_of_values(phase.ground.rules)
    dealer = value(phase.second.dealer)
    seconds = {column: value(card) for column, card in zip(COLUMNS, phase.second.columns, strict=True) if card}
    fates = {second: counting.with_second_cards(unseen, second, dealer, verdict) for second in set(seconds.values())}
    first, after_it = SHIPPIN
    return ShippinOdds(
        columns=tuple(column_odds(phase, column, fates[second]) for column, second in seconds.items()),
        shippin=Fraction(unseen[first] * (dealer == after_it), unseen.total()),
        total_loss=(
            counting.total_loss(unseen, tuple(seconds.values()), dealer, verdict)
            if len(seconds) == len(COLUMNS)
            else None
        ),
        unseen=unseen.total(),
    )


def odds_at_the_end(last: Showdown, outcome: ShippinSettled) -> ShippinOdds:
    """SP-11. What has happened is certain."""
    ends: tuple[Verdict, ...] = ("player", "dealer", "tie")
    lost = [hand.verdict == "player" for hand in outcome.hands]
    return ShippinOdds(
        columns=tuple(
            column_odds(last, hand.column, counting.Chances(*(Fraction(hand.verdict == end) for end in ends)))
            for hand in outcome.hands
        ),
        shippin=Fraction(outcome.dealer_hand.shippin),
        total_loss=Fraction(all(lost)) if len(lost) == len(COLUMNS) else None,
        unseen=unseen_values(last).total(),
    )


def column_odds(phase: ShippinPhase, column: int, chances: counting.Chances) -> ColumnOdds:
    """SP-13. A bet that wins brings as much again, one that loses is gone."""
    players = {bet.column: bet.player for bet in phase.bets}
    return ColumnOdds(
        column=column,
        player=players.get(column),
        wins=chances.wins,
        loses=chances.loses,
        ties=chances.ties,
        worth=phase.ground.rules.bet * (chances.wins - chances.loses),
    )


def weigh(steps: Steps) -> Fortune:
    """SP-13. What cards that were seen made of everybody's bets; the dealer has what they have not."""
    luck = dict[PlayerId, Fraction]()
    for (_, before), (event, after) in pairwise(steps):
        if not isinstance(event, SecondCardsDealt | FirstCardsRevealed | CardExposed):
            continue
        was, now = odds(before), odds(after)
        worth = {column.column: column.worth for column in was.columns} if was else {}
        for column in now.columns if now else ():
            if column.player is not None and column.column in worth:
                gained = column.worth - worth[column.column]
                luck[column.player] = luck.get(column.player, Fraction()) + gained
                luck[after.ground.dealer] = luck.get(after.ground.dealer, Fraction()) - gained
    return Fortune(luck)


@lru_cache(64)
def chances_of_a_bet(rules: Rules, unseen: tuple[tuple[int, int], ...]) -> counting.Chances:
    """SP-8 to SP-12. What a bet comes to before a card lies on the table, of so many cards of each value."""
    return counting.before_second_cards(dict(unseen), verdict_of_values(rules))


def verdict_of_values(rules: Rules) -> counting.Verdict:
    """SP-8 to SP-12. Who wins, with the values of a hand and of the dealer's."""
    hands = {hand: (card_of_value()[hand[0]], card_of_value()[hand[1]]) for hand in product(card_of_value(), repeat=2)}
    return lambda hand, dealer: decide(hands[hand], hands[dealer], rules).verdict


@cache
def card_of_value() -> Mapping[int, Card]:
    """SP-7. A card of each value; nothing else of it counts."""
    return {value(card): card for card in DECKS["kabufuda"]}


def unseen_values(phase: ShippinPhase) -> Counter[int]:
    """SP-15. How many cards of each value nobody has seen."""
    seen = Counter(value(card) for card, _ in face_up(phase))
    return Counter({each: CARDS_OF_A_VALUE - seen[each] for each in card_of_value()})
