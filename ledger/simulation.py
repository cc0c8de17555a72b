"""House rules tried out: rounds played by the rule books on shuffled cards, and what they come to.

Each game is played in one simple way. A round follows on the other, with the dealer and the pot that the last one left.
Chance comes from the seed and the number of the round alone, so the same cards are dealt whatever the house rules are.
Rounds go through `open_round` and `play`, as recorded ones do: what these refuse here is a fault of one or the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, islice
from math import sqrt
from random import Random
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

from ledger.games import kakkuri, shippin, shirinma
from ledger.i18n.sentences import Sentence, say
from ledger.records import replace
from ledger.rulebook.cards import Card, pack_of_48, pack_of_values
from ledger.rulebook.chips import Transfer
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Ground, Over, Seats
from ledger.rulebook.rule_book import RuleBook
from ledger.rulebook.values import POT, Account, PlayerId

Unit = Literal["share", "chips", "number"]
Value = int | Fraction | None


class BooksDoNotAddUp(Exception):
    """What a rule book says lies in the pot is not what was paid into it, or chips came from nowhere."""


class Round:
    """A round as it goes on: the phase it stands in, and all chips that have moved."""

    def __init__(self, book: RuleBook[Any], ground: Ground[Any], waited: int) -> None:
        self.book, self.ground, self.waited = book, ground, waited
        opened = book.open_round(ground)
        self.phase: Any = opened.phase
        self.moved: list[Transfer] = [*opened.transfers]

    def report(self, event: Event) -> None:
        """Play an event. Raises what the rule book refuses it with."""
        step = self.book.play(self.phase, event)
        self.phase = step.phase
        self.moved += step.transfers

    @property
    def outcome(self) -> Any:
        return self.phase.outcome

    @property
    def board(self) -> Any:
        """What lay on the table at its end."""
        return self.phase.last.board

    def paid(self, payer: Account | None = None, payee: Account | None = None) -> int:
        """Chips that moved from one account, or to one."""
        return sum(move.amount for move in self.moved if payer in {None, move.payer} and payee in {None, move.payee})


class Figure(NamedTuple):
    """A statistic of rounds: the mean of `of` over those for which it is not None."""

    name: str
    label: Sentence
    unit: Unit
    of: Callable[[Round], Value]


class Game(NamedTuple):
    """A game as it is played here, round by round."""

    book: RuleBook[Any]
    play: Callable[[Round, Random], None]
    figures: Sequence[Figure]


# --- rounds, and what they come to ----------------------------------------------------------------------------------

BATCH, MIN_BATCHES = 20, 10
"""Rounds that are taken together, as pots are carried from one to the next; fewer batches give no interval."""

Batches = list[tuple[Fraction, int]]
"""Of each batch the sum of a figure, and how many rounds had it."""


class Estimate(NamedTuple):
    """The mean of a figure, None where no round had it, and how far 95 % of such means are off at most."""

    value: Fraction | None
    margin: float | None


def simulate(game: Game, players: int, rules: Any, rounds: int, seed: int) -> dict[str, Batches]:
    """Play rounds, and add each figure up by batches. Raises Refused and BooksDoNotAddUp."""
    sums: dict[str, Batches] = {figure.name: [] for figure in game.figures}
    going = played(game, players, rules, rounds, seed)
    while batch := list(islice(going, BATCH)):
        for figure in game.figures:
            values = [Fraction(value) for on in batch if (value := figure.of(on)) is not None]
            sums[figure.name].append((sum(values, Fraction()), len(values)))
    return sums


def played(game: Game, players: int, rules: Any, rounds: int, seed: int) -> Iterator[Round]:
    """Play round after round, and hold the books against the rule book's pot."""
    held, pot, waited = Counter[Account](), 0, 0
    seats = Seats(f"p{place}" for place in range(1, players + 1))
    dealer = seats[0]
    for number in range(rounds):
        on = Round(game.book, Ground(seats, dealer, game.book.decks[0], rules, carried=pot), waited)
        game.play(on, Random(f"{seed} {number}"))
        for move in on.moved:
            held[move.payer] -= move.amount
            held[move.payee] += move.amount
        pot, dealer = on.phase.pot, on.outcome.next_dealer
        if sum(held.values()) or held[POT] != pot or not held.keys() <= {POT, *seats}:
            raise BooksDoNotAddUp(dict(held), pot)
        waited = waited + 1 if pot and not on.paid(payer=POT) else 0
        yield on


def estimate(batches: Batches, unit: Unit) -> Estimate:
    """Estimate a figure; a share of 0 or 1 has a margin of three rounds (the rule of three)."""
    value, off = mean(batches)
    count = sum(number for _, number in batches)
    if value is None or len(batches) < MIN_BATCHES:
        return Estimate(value, None)
    return Estimate(value, 3 / count if unit == "share" and value in {0, 1} else margin(off))


def difference(batches: Batches, others: Batches) -> Estimate:
    """Estimate `batches` minus `others`, which had the same cards."""
    (value, off), (other, other_off) = mean(batches), mean(others)
    if value is None or other is None:
        return Estimate(None, None)
    both = [one - two for one, two in zip(off, other_off, strict=True)]
    return Estimate(value - other, margin(both) if len(both) >= MIN_BATCHES else None)


def mean(batches: Batches) -> tuple[Fraction | None, list[float]]:
    """Give the mean, and what each batch puts it off by."""
    total, count = sum((part for part, _ in batches), Fraction()), sum(number for _, number in batches)
    if not count:
        return None, []
    value = total / count
    return value, [float((part - value * number) / count) for part, number in batches]


def margin(off: Sequence[float]) -> float:
    """Give half of a 95 % interval around the sum of what batches, each by itself, are off by."""
    return NormalDist().inv_cdf(0.975) * sqrt(sum(each * each for each in off) * len(off) / (len(off) - 1))


# --- what every game with a pot has ---------------------------------------------------------------------------------


def if_won(of: Callable[[Round], Value]) -> Callable[[Round], Value]:
    """Apply a figure to won rounds only."""
    return lambda on: of(on) if on.outcome.result == "won" else None


def paid_out(on: Round, which: Callable[[Any], object]) -> int:
    """Add up the payouts that are so."""
    return sum(each.amount for each in on.outcome.payouts if which(each))


def dealer_gains(on: Round) -> int:
    """Say what the round brought its dealer."""
    return on.paid(payee=on.ground.dealer) - on.paid(payer=on.ground.dealer)


WON = Figure("won", say("Rounds won"), "share", lambda on: on.outcome.result == "won")
POT_FIGURES = (
    Figure("pot", say("Chips in a pot that is won"), "chips", if_won(lambda on: on.paid(payer=POT))),
    Figure("waited", say("Times a pot is carried over until it is won"), "number", if_won(lambda on: on.waited)),
)


# --- Shirinma -------------------------------------------------------------------------------------------------------


def play_shirinma(on: Round, chance: Random) -> None:
    """Deal a shuffled deck to the end; one of the others buys half of every showdown card for the lowest bid."""
    deck = [*pack_of_48(on.ground.deck, on.ground.rules.western_courts).faces]
    chance.shuffle(deck)
    good = shirinma.showdown_ranks(on.ground.deck, on.ground.rules.western_courts)
    on.report(shirinma.FieldCardRevealed(deck.pop()))
    while not isinstance(on.phase, Over):
        match on.phase:
            case shirinma.Dealing(waiting=waiting):
                card = deck.pop()
                on.report(shirinma.CardDealt(waiting[0], card if card in good else "plain"))
            case shirinma.Auction(owner=owner, least_bid=least):
                on.report(shirinma.BidPlaced(chance.choice(on.ground.seats.without((owner,))), least))
                on.report(shirinma.AuctionClosed())
            case _:
                on.report(shirinma.TrumpRevealed(deck[0]))


def forfeited_for(reason: str) -> Callable[[Round], Value]:
    """Ask whether a round was forfeited for a reason."""
    return lambda on: reason in on.outcome.forfeited_for


SHIRINMA = (
    WON,
    *(Figure(reason, label, "share", forfeited_for(reason))
      for reason, label in {
          "no_showdown_card": say("Forfeited: nobody held a showdown card"),
          "low_bottom_card": say("Forfeited: the bottom card was a 2 or a 3"),
          "field_card_is_trump": say("Forfeited: the field card was of the trump suit"),
          "no_trump_held": say("Forfeited: no showdown card of the trump suit"),
      }.items()),
    Figure("third_deal", say("Rounds with a third deal"), "share", lambda on: on.board.dealt[-1].deal > 2),
    *POT_FIGURES,
    Figure("paid_in", say("Chips put into the pot in a round"), "chips", lambda on: on.paid(payee=POT)),
    Figure("winner_gets", say("What the winner of a round gets"), "chips",
           if_won(lambda on: paid_out(on, lambda each: each.player == on.outcome.winner))),
    Figure("ride_brings", say("What riding on the winning card brings"), "chips",
           if_won(lambda on: paid_out(on, lambda each: each.player == on.outcome.back_rider))),
    Figure("dealer_gains", say("What dealing brings in a round"), "chips", dealer_gains),
    Figure("deals_again", say("Rounds after which the same dealer deals again"), "share",
           lambda on: on.outcome.next_dealer == on.ground.dealer),
)  # fmt: skip


# --- Shippin --------------------------------------------------------------------------------------------------------


def play_shippin(on: Round, chance: Random) -> None:
    """Let everyone bet on any free column, before a card is seen, and turn ten cards."""
    pack = pack_of_values(on.ground.deck).in_deck_order
    deck = [card for card in pack if card.deck == on.ground.deck for _ in range(card.copies)]
    chance.shuffle(deck)
    columns = chance.sample(shippin.COLUMNS, len(shippin.COLUMNS))
    for player, column in zip(on.ground.seats.starting_with(on.ground.dealer)[1:], columns, strict=False):
        on.report(shippin.BetPlaced(player, column))
    for reveal, cards in ((shippin.SecondCardsDealt, deck[:5]), (shippin.FirstCardsRevealed, deck[5:])):
        on.report(reveal((cards[0], cards[1], cards[2], cards[3]), cards[4]))


def bets(verdict: str) -> Callable[[Round], Value]:
    """Say what share of a round's bets came to a verdict."""

    def share(on: Round) -> Value:
        verdicts = [hand.verdict for hand in on.outcome.hands if hand.player]
        return Fraction(verdicts.count(verdict), len(verdicts))

    return share


SHIPPIN = (
    Figure("bets_won", say("Bets won"), "share", bets("player")),
    Figure("bets_lost", say("Bets lost"), "share", bets("dealer")),
    Figure("bets_tied", say("Bets tied"), "share", bets("tie")),
    Figure("bet_brings", say("What a bet brings"), "chips",
           lambda on: Fraction(-dealer_gains(on), len(on.ground.seats) - 1)),
    Figure("dealer_gains", say("What dealing brings in a round"), "chips", dealer_gains),
    Figure("shippin", say("Rounds in which the dealer holds shippin"), "share",
           lambda on: on.outcome.dealer_hand.shippin),
    Figure("total_loss", say("Rounds in which the dealer loses to all four hands"), "share",
           lambda on: all(hand.verdict == "player" for hand in on.outcome.hands)),
    Figure("deal_passes", say("Rounds after which the deal passes on"), "share",
           lambda on: on.outcome.next_dealer != on.ground.dealer),
)  # fmt: skip


# --- Kakkuri --------------------------------------------------------------------------------------------------------


def play_kakkuri(on: Round, chance: Random) -> None:
    """Deal, and play turn after turn: everyone puts down as many cards as go, and keeps the wilds for last.

    No hands are traded, and no player drops out for a share; three 1s are shown and three pairs declared. A round in
    which no card in a hand goes on any card of the pile, however often that is shuffled, is called off.
    """
    ground, book = on.ground, kakkuri
    box, pile = [*pack_of_48(ground.deck, ground.rules.western_courts).faces], list[Card]()
    chance.shuffle(box)
    hands = {player: {box.pop() for _ in range(book.HAND)} for player in ground.seats}

    def holder(cards: Sequence[Card]) -> PlayerId | None:
        return next((player for player, hand in hands.items() if hand.issuperset(cards)), None)

    def turned() -> Card:
        if not box:
            box.extend(pile[:-1])
            chance.shuffle(box)
            del pile[:-1]
        pile.append(box.pop())
        return pile[-1]

    if len(ground.seats) == 8 and (out := holder([book.card_of(ground, book.EIGHTH_HAND)])):
        on.report(book.PlayerDroppedOut(out))
        box += sorted(hands.pop(out), key=str)
    if shows := holder(book.the_three_ones(ground)):
        on.report(book.ThreeOnesShown(shows))
        return
    for player, hand in hands.items():
        ranks = Counter(book.face(ground.rules, card).rank for card in hand)
        if ground.rules.sequence != "plain" and [*ranks.values()] == [2, 2, 2]:
            on.report(book.ThreePairsDeclared(player))
    on.report(book.StarterRevealed(turned()))
    while not isinstance(on.phase, Over):
        match on.phase:
            case book.BoxDue() as due if not box and is_stuck(due, pile, hands):
                on.phase = book.call_off(due)
            case book.BoxDue():
                on.report(book.BoxCardRevealed(turned()))
            case book.Turn(player=player) as turn:
                down = longest(turn, hands[player])
                on.report(book.TurnPlayed(player, cards=down))
                hands[player] -= set(down)
                pile += down


goes_on = cache(kakkuri.all_that_go_on)


def is_stuck(due: kakkuri.BoxDue, pile: Sequence[Card], hands: Mapping[PlayerId, set[Card]]) -> bool:
    """KA-14. Whether no card in a hand goes on any card of the pile."""
    ground = due.ground
    going_on = frozenset().union(
        *(goes_on(ground.deck, ground.rules, kakkuri.Top(card, from_box=True)) for card in pile)
    )
    return all(going_on.isdisjoint(hands[player]) for player in due.still_in)


def longest(turn: kakkuri.Turn, hand: set[Card]) -> tuple[Card, ...]:
    """KA-7, KA-8, KA-9, KA-10, KA-11. The most cards that go down in this turn.

    Of equally many those that leave more wilds. Where the sequence is not checked, people keep to the full one.
    """
    rules, deck = turn.ground.rules, turn.ground.deck
    rules = replace(rules, sequence="full") if rules.sequence == "off" else rules
    sizes = kakkuri.play_sizes(rules, pairs=turn.player in turn.board.three_pairs)

    def ways(held: Sequence[Card], top: kakkuri.Top | None) -> Iterator[tuple[Card, ...]]:
        yield ()
        going = goes_on(deck, rules, top)
        for size in sizes:
            for cards in combinations(held, size):
                if is_one_number(cards) and not going.isdisjoint(cards):
                    left = [card for card in held if card not in cards]
                    yield from (cards + way for way in ways(left, kakkuri.Top(cards[-1])))

    def is_one_number(cards: Sequence[Card]) -> bool:
        return len({kakkuri.face(rules, card).rank for card in cards}) == 1

    def wilds(cards: Sequence[Card]) -> int:
        return sum(kakkuri.is_wild(rules, card) for card in cards)

    held = sorted(hand, key=lambda card: (kakkuri.is_wild(rules, card), kakkuri.face(rules, card)))
    top = None if isinstance(turn, kakkuri.LeadAny) else turn.board.pile_top
    return max(ways(held, top), key=lambda way: (len(way), -wilds(way)))


KAKKURI = (
    WON,
    Figure("guri", say("Rounds won by guri"), "share", if_won(lambda on: on.outcome.guri)),
    Figure("three_ones", say("Rounds won by the three 1s"), "share", if_won(lambda on: on.outcome.three_ones)),
    Figure("void", say("Void rounds"), "share", lambda on: on.outcome.result == "void"),
    Figure("winner_gets", say("What the winner of a round gets"), "chips", if_won(lambda on: paid_out(on, bool))),
    Figure("of_others", say("Of that in shares of the others"), "chips",
           if_won(lambda on: paid_out(on, lambda each: each.reason != "pot_won"))),
    Figure("dealer_gains", say("What dealing brings in a round"), "chips", dealer_gains),
    *POT_FIGURES,
    Figure("turns", say("Turns in a round"), "number", lambda on: len(on.board.turns)),
    Figure("passes", say("Passes in a round"), "number", lambda on: sum(not turn.count for turn in on.board.turns)),
)  # fmt: skip


GAMES: Mapping[str, Game] = {
    "shirinma": Game(shirinma.BOOK, play_shirinma, SHIRINMA),
    "shippin": Game(shippin.BOOK, play_shippin, SHIPPIN),
    "kakkuri": Game(kakkuri.BOOK, play_kakkuri, KAKKURI),
}
"""The games that can be tried out."""
