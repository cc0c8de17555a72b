"""Kakkuri as it is tried out.

Nobody trades hands, which is done before looking. Whoever holds the three 1s shows them, whoever holds three pairs
declares them. In a turn a player puts down as many cards as go, of the ways to do that the first that keeps most wilds;
whoever can put down a card does. Where the table's sequence is not checked, people keep to the full one.

Nobody drops out of a round (KA-19), unless the way of playing is `cautious`: then a player with nothing to put down,
who has put down nothing yet, drops out as soon as another hand is down to two cards. A round in which nobody can go on
any more is called off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from ledger.cards import Card
from ledger.games.kakkuri import (
    BOOK,
    EIGHTH_HAND,
    HAND,
    BoxCardRevealed,
    BoxDue,
    KakkuriPhase,
    KakkuriWon,
    PlayerDroppedOut,
    StarterRevealed,
    ThreeOnesShown,
    ThreePairsDeclared,
    Top,
    Turn,
    TurnPlayed,
    all_that_go_on,
    call_off,
    card_of,
    face,
    may_drop_out,
    out_for_a_share,
    the_three_ones,
)
from ledger.play import Ground, PlayerId, last_of
from ledger.sentences import say
from ledger.simulation.kakkuri_turns import longest
from ledger.simulation.notes import POT_FIGURES, Figure, Most, Notes
from ledger.simulation.tables import Game, Round, Setting, cards_of_48

WAYS = {
    "longest": say("Everyone puts down as many cards as go, and keeps the wilds for last; low suits go first."),
    "varied": say("The same, but of equally good plays any one is taken, and not that of the low suits."),
    "cautious": say("The same, but a player with nothing to put down yet drops out once a hand is down to two cards."),
}

FEW_CARDS = 2
"""A hand that makes cautious players drop out."""

FIGURES: tuple[Figure | Most, ...] = (
    Figure("won", "rounds", say("Rounds won"), "share", alone=True),
    Figure("guri", "rounds", say("Rounds won by guri"), "share", alone=True),
    Figure("three_ones", "rounds", say("Rounds won by the three 1s"), "share", alone=True),
    Figure("void", "rounds", say("Void rounds"), "share", alone=True),
    Figure("winner_gets", "won", say("What the winner of a round gets"), "chips"),
    Figure("of_others", "won", say("Of that in shares of the others"), "chips"),
    Figure("dealer_gains", "rounds", say("What dealing brings in a round"), "chips"),
    *POT_FIGURES,
    Figure("turns", "rounds", say("Turns in a round"), "number"),
    Figure("passes", "rounds", say("Passes in a round"), "number"),
    Figure("drop_outs", "rounds", say("Players who drop out in a round"), "number"),
    Figure("box_cards", "rounds", say("Cards turned from the box in a round"), "number"),
    Figure("box_emptied", "rounds", say("Rounds in which the box is used up"), "share", alone=True),
    Figure("three_pairs", "rounds", say("Rounds in which three pairs are declared"), "share", alone=True),
    Figure("won_in_pairs", "declared", say("Declared three pairs that win"), "share"),
)


# --- a round --------------------------------------------------------------------------------------------------------


class Cards:
    """Who holds what, what is in the box, and the pile."""

    def __init__(self, on: Round, chance: Random) -> None:
        deck = [*cards_of_48(on.ground.deck, on.ground.rules.western_courts)]
        chance.shuffle(deck)
        self.hands = {player: deck[HAND * at : HAND * (at + 1)] for at, player in enumerate(on.ground.seats)}
        self.box, self.pile, self.chance = deck[HAND * len(on.ground.seats) :], list[Card](), chance

    def holder(self, cards: Sequence[Card]) -> PlayerId | None:
        """Say who holds all of these."""
        return next((player for player, hand in self.hands.items() if set(cards) <= set(hand)), None)

    def drop_out(self, player: PlayerId) -> None:
        """KA-3. A hand becomes the box."""
        self.box = self.hands.pop(player)

    def from_box(self) -> Card:
        """KA-14. Turn a card from the box; an empty one is the pile, shuffled, but for its top card."""
        if not self.box:
            *self.box, top = self.pile
            self.chance.shuffle(self.box)
            self.pile = [top]
        self.pile.append(self.box.pop())
        return self.pile[-1]

    def put_down(self, player: PlayerId, cards: tuple[Card, ...]) -> None:
        """KA-7. Cards leave a hand for the pile."""
        self.hands[player] = [card for card in self.hands[player] if card not in cards]
        self.pile += cards


def play_round(setting: Setting, ground: Ground[Any], chance: Random) -> Round:
    """Deal, and play turn after turn until somebody has won or the round is void."""
    on = Round(BOOK, ground)
    cards = Cards(on, chance)
    choice = Random(chance.getrandbits(64)) if setting.playing == "varied" else None
    if out := cards.holder([card_of(ground, EIGHTH_HAND)]) if len(ground.seats) == 8 else None:
        on.goes_on(PlayerDroppedOut(out))
        cards.drop_out(out)
    if shows := cards.holder(the_three_ones(ground)):
        on.goes_on(ThreeOnesShown(shows))
        return on
    declare_pairs(on, cards)
    on.goes_on(StarterRevealed(cards.from_box()))
    while True:
        match on.phase:
            case BoxDue() as due if not cards.box and is_stuck(due, cards):
                on.phase = call_off(due)
            case BoxDue():
                on.goes_on(BoxCardRevealed(cards.from_box()))
            case Turn(player=player) as turn:
                down = longest(turn, cards.hands[player], choice)
                if not down and setting.playing == "cautious" and should_drop_out(turn):
                    on.goes_on(PlayerDroppedOut(player))
                    continue
                on.goes_on(TurnPlayed(player, cards=down))
                cards.put_down(player, down)
            case _:
                return on


def declare_pairs(on: Round, cards: Cards) -> None:
    """KA-10. Whoever holds three pairs declares them, where they are played."""
    rules = on.ground.rules
    if rules.sequence == "plain":
        return
    for player, hand in cards.hands.items():
        if sorted(Counter(face(rules, card).rank for card in hand).values()) == [2, 2, 2]:
            on.goes_on(ThreePairsDeclared(player))


def is_stuck(due: BoxDue, cards: Cards) -> bool:
    """KA-14, KA-19. Whether no card in a hand goes on any card of the pile, however often that is shuffled.

    The cards of those who dropped out may be what everyone waits for. Then the table calls the round off.
    """
    rules, deck = due.ground.rules, due.ground.deck
    going_on = frozenset().union(*(all_that_go_on(deck, rules, Top(card, from_box=True)) for card in cards.pile))
    return all(going_on.isdisjoint(cards.hands[player]) for player in due.still_in)


def should_drop_out(turn: Turn) -> bool:
    """KA-19. Whether the player on turn may drop out, and another is about to win."""
    return bool(may_drop_out(turn)) and any(hand.left <= FEW_CARDS for hand in turn.board.hands)


# --- what is noted --------------------------------------------------------------------------------------------------


def note(notes: Notes, on: Round) -> None:
    """Note how a round ended, and how it went."""
    over, last = on.over, last_of(KakkuriPhase, on.over)
    outcome, board = over.outcome, last.board
    notes.add(outcome.result)
    notes.add("dealer_gains", on.gain(board.dealer))
    notes.add("turns", len(board.turns))
    notes.add("passes", sum(not turn.count for turn in board.turns))
    notes.add("drop_outs", len(out_for_a_share(last)))
    turned = sum(turn.box_card is not None for turn in board.turns)
    notes.add("box_cards", turned)
    notes.add("box_emptied", turned >= HAND - 1)
    notes.add("three_pairs", bool(board.three_pairs))
    notes.add("declared", len(board.three_pairs))
    if isinstance(outcome, KakkuriWon):
        notes.add("guri", outcome.guri)
        notes.add("three_ones", outcome.three_ones)
        notes.add("won_in_pairs", outcome.winner in board.three_pairs)
        notes.add("winner_gets", sum(payout.amount for payout in outcome.payouts))
        notes.add("of_others", sum(payout.amount for payout in outcome.payouts if payout.reason != "pot_won"))


GAME = Game(book=BOOK, ways=WAYS, figures=FIGURES, play_round=play_round, note=note)
