"""Shippin as it is tried out.

An evening begins with the draw for seats: everyone draws from a shuffled pack, and those who tie from what is left of
it. Cards lie in any order alike. Whoever may bet does so four times in five (`often`) or always (`always`),
on any column that is free; nothing can be known of one that does not hold of all.
"""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

from ledger.cards import Card, DeckName, pack_of_values
from ledger.games.shippin import (
    BOOK,
    COLUMNS,
    BetPlaced,
    Betting,
    CardsDrawnForSeats,
    Draw,
    FirstCardsRevealed,
    SecondCardsDealt,
    ShippinSettled,
    drawers,
)
from ledger.play import Ground, Seating
from ledger.sentences import say
from ledger.simulation.notes import Figure, Most, Notes
from ledger.simulation.tables import Game, Round, Setting

WAYS = {
    "often": say("Whoever may sit a round out does so one time in five."),
    "always": say("Everyone bets in every round."),
}
IN_FIVE = {"often": 4, "always": 5}

FIGURES: tuple[Figure | Most, ...] = (
    Figure("bets_won", "bets", say("Bets won"), "share"),
    Figure("bets_lost", "bets", say("Bets lost"), "share"),
    Figure("bets_tied", "bets", say("Bets tied"), "share"),
    Figure("bet_brings", "bets", say("What a bet brings"), "chips"),
    Figure("bets", "rounds", say("Bets in a round"), "number"),
    Figure("dealer_gains", "rounds", say("What dealing brings in a round"), "chips"),
    Figure("shippin", "rounds", say("Rounds in which the dealer holds shippin"), "share", alone=True),
    Figure("total_loss", "rounds", say("Rounds in which the dealer loses to all four hands"), "share", alone=True),
    Figure("deal_passes", "rounds", say("Rounds after which the deal passes on"), "share", alone=True),
    Figure("drew_again", "evenings", say("Evenings on which a draw for seats ties"), "share", alone=True),
    Figure("draws", "evenings", say("Draws until everyone has a seat"), "number"),
)


def sit_down(setting: Setting, seating: Seating, chance: Random, notes: Notes) -> Seating:
    """SP-3. Draw for seats until everyone has one."""
    draws, deck = 0, iter(chance.sample(pack_of_40(setting.deck), 40))
    while not draws or seating.drawing:
        draws += 1
        due = seating.drawing.draw_again if seating.drawing else drawers(seating, setting.rules)
        cards = tuple(Draw(player, next(deck)) for player in due)
        seating = arranged(seating, CardsDrawnForSeats(cards), setting.rules)
    notes.add("draws", draws)
    notes.add("drew_again", draws > 1)
    return seating


def play_round(setting: Setting, ground: Ground[Any], chance: Random) -> Round:
    """Let everyone bet who will, and turn ten cards."""
    deck = chance.sample(pack_of_40(ground.deck), 2 * (len(COLUMNS) + 1))
    on = Round(BOOK, ground)
    bet(on, setting, chance)
    first, second = deck[:5], deck[5:]
    on.goes_on(SecondCardsDealt((second[0], second[1], second[2], second[3]), second[4]))
    on.goes_on(FirstCardsRevealed((first[0], first[1], first[2], first[3]), first[4]))
    return on


def bet(on: Round, setting: Setting, chance: Random) -> None:
    """SP-5. Everyone in turn bets on any free column, or sits the round out where that is allowed."""
    has_to = setting.rules.must_bet == "yes"
    columns = chance.sample(COLUMNS, len(COLUMNS))
    for player in on.ground.seats.starting_with(on.ground.dealer)[1:]:
        may = chance.randrange(5) < IN_FIVE[setting.playing]
        if (has_to or may) and isinstance(on.phase, Betting):
            on.goes_on(BetPlaced(player, columns.pop()))


@cache
def pack_of_40(deck: DeckName) -> tuple[Card, ...]:
    """SP-1. Give all 40 cards, by what they count: so the same shuffle deals the same values with every deck."""
    pack = pack_of_values(deck)
    cards = [card for card in pack.in_deck_order if card.deck == deck for _ in range(card.copies)]
    return tuple(sorted(cards, key=lambda card: card.kabu or 0))


def arranged(seating: Seating, drawn: CardsDrawnForSeats, rules: Any) -> Seating:
    """SP-3. Let the rule book seat people."""
    if BOOK.arrange is None:
        raise TypeError(BOOK)
    return BOOK.arrange(seating, drawn, rules)


def note(notes: Notes, on: Round) -> None:
    """Note what became of the bets, and what that was to the dealer."""
    outcome, dealer = on.over.outcome, on.ground.dealer
    if not isinstance(outcome, ShippinSettled):
        raise TypeError(outcome)
    for hand in outcome.hands:
        if hand.player:
            notes.add("bets")
            notes.add({"player": "bets_won", "dealer": "bets_lost", "tie": "bets_tied"}[hand.verdict])
    gain = on.gain(dealer)
    notes.add("bet_brings", -gain)
    notes.add("dealer_gains", gain)
    notes.add("shippin", outcome.dealer_hand.shippin)
    notes.add("total_loss", all(hand.verdict == "player" for hand in outcome.hands))
    notes.add("deal_passes", outcome.next_dealer != dealer)


GAME = Game(book=BOOK, ways=WAYS, figures=FIGURES, play_round=play_round, note=note, sit_down=sit_down)
