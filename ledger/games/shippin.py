"""Shippin (シッピン, 四一, "four-one"): a banking game for 2 to 5 players and four hands on the table.

Four cards are laid face down in a row, and one for the dealer; any player may bet on one of the four columns. A
second card on each, face up, makes four hands and the dealer's. The last digit of the sum counts, nine is best;
a 4 or a 1 in the hand (karami, からみ) beats any hand that has neither, and a dealer's 4 followed by a 1
(shippin, 四一) beats everything. Bets are won from the dealer or lost to the dealer, never to another player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Annotated, Literal, NamedTuple

from ledger.i18n.sentences import Sentence, say, template
from ledger.records import Meta, Record, doc, replace
from ledger.rulebook.cards import HANAFUDA_CLASSES, Card, WesternSuit, pack_of_values
from ledger.rulebook.chips import Transfers, pay, payouts, pot_change
from ledger.rulebook.event import Event, Form, refuse
from ledger.rulebook.phase import CardsToCome, Expected, Ground, Outcome, Over, Phase, Seats, Step, last_of
from ledger.rulebook.refusal import CardAlreadySeen, OutOfPlace, OutOfTurn, Refused, written_in
from ledger.rulebook.rule_book import Drawing, RuleBook, Seating, switch
from ledger.rulebook.tallies import Tally
from ledger.rulebook.values import POT, Amount, Chips, PlayerId

# --- ground rules ---------------------------------------------------------------------------------------------------

COLUMNS = (1, 2, 3, 4)
CARDS_OF_A_VALUE = 4
"""SP-1. How many cards of each value the pack holds."""

CARDS_IN_THE_PACK, CARDS_OF_A_ROUND = 40, 10
"""SP-1, SP-4, SP-6. A round shows two fields of four cards, and two of the dealer's."""

SHIPPIN = (4, 1)
"""SP-8. The values of the dealer's first and second card, in this order."""

KARAMI = frozenset(SHIPPIN)
"""SP-9. The values of which one is enough."""

SUITS_BY_RANK = (WesternSuit.SPADES, WesternSuit.HEARTS, WesternSuit.DIAMONDS, WesternSuit.CLUBS)
"""SP-3. The western suits, highest first, where a table lets them break a tie."""


class Rules(Record):
    """The house rules a table agrees on. Chips are whole."""

    bet: Annotated[Amount, switch("SP-2", say("Bet"), say("What everybody bets, no more and no less, in chips."))] = 1
    suit_breaks_tie: Annotated[
        Literal["no", "yes"],
        switch(
            "SP-3",
            say("Suits in the draw for seats"),
            say(
                "What becomes of a tie between Western cards in the draw for seats. With other decks this makes no "
                "difference."
            ),
            no=say("Those who tie draw again"),
            yes=say("The higher suit goes first: Spade, Heart, Diamond, Club"),
            only_with="western",
        ),
    ] = "no"
    draw_ties: Annotated[
        Literal["class", "redraw"],
        switch(
            "SP-3",
            say("Classes in the draw for seats"),
            say(
                "What becomes of a tie between hanafuda in the draw for seats. "
                "With other decks this makes no difference."
            ),
            **{"class": say("The higher class goes first: Bright, Animal, Ribbon, Chaff")},
            redraw=say("Those who tie draw again"),
            only_with="hanafuda",
        ),
    ] = "class"
    must_bet: Annotated[
        Literal["no", "yes"],
        switch(
            "SP-5",
            say("Everyone bets"),
            say("Whether everyone has to bet in every round."),
            no=say("A round may be sat out"),
            yes=say("Everyone has to bet"),
        ),
    ] = "no"
    karami_vs_karami: Annotated[
        Literal["compare_totals", "tie", "dealer_wins"],
        switch(
            "SP-10",
            say("Karami against karami"),
            say("Who wins when the dealer's hand and the other one are both karami."),
            compare_totals=say("The higher total wins"),
            tie=say("It is a tie"),
            dealer_wins=say("The dealer wins"),
        ),
    ] = "compare_totals"
    tie: Annotated[
        Literal["push", "dealer_wins"],
        switch(
            "SP-12",
            say("Tie"),
            say("What becomes of a bet when neither hand is better."),
            push=say("The bet goes back"),
            dealer_wins=say("The dealer wins"),
        ),
    ] = "push"
    dealer_role: Annotated[
        Literal["on_total_loss", "fixed", "house"],
        switch(
            "SP-14",
            say("Who deals"),
            say("Whether the deal ever passes on to another player."),
            on_total_loss=say("It passes to the right when the dealer loses to all four hands"),
            fixed=say("The same dealer every round"),
            house=say("The house deals, and draws no seat"),
        ),
    ] = "on_total_loss"


ShippinGround = Ground[Rules]


# --- what lies on the table -----------------------------------------------------------------------------------------

Column = Annotated[int, Meta(ge=1, le=4)]
"""A place in the row, counted from 1."""

Field = tuple[Card | None, Card | None, Card | None, Card | None]
"""A row of four cards, one a column; None for one that nobody noted, because no bet and no role hung on it."""

Pair = tuple[Card, Card]
"""A hand: its first card, which lay face down, and its second."""


class Bet(Record):
    """A player's chips on a column; how many is agreed for the table."""

    player: Annotated[PlayerId, doc("The id of the player who bet.")]
    column: Annotated[Column, doc("The column, counted from 1.")]


class Board(Record):
    """What lies on the table for all to see: the bets, and every card that is face up."""

    bets: Annotated[tuple[Bet, ...], doc("The bets, each on a column.")] = ()
    second_field: Annotated[Field | None, doc("The four cards that were dealt face up; null until then.")] = None
    dealer_second: Annotated[Card | None, doc("The dealer's second card; null until it is dealt.")] = None
    first_field: Annotated[Field | None, doc("The four cards that lay face down; null until they are turned over.")] = (
        None
    )
    dealer_first: Annotated[Card | None, doc("The dealer's first card; null until it is turned over.")] = None


# --- what can be reported -------------------------------------------------------------------------------------------


class Draw(Record):
    """A card that was drawn for a seat."""

    player: Annotated[PlayerId, doc("The id of the player who drew the card.")]
    card: Annotated[Card, doc("The card that was drawn.")]


class CardsDrawnForSeats(Event):
    """Between rounds, everyone drew a card for dealer and seats, or those who had tied drew again."""

    label = say("Draw for seats")
    told = (template("Cards were drawn for seats"),)

    draws: Annotated[tuple[Draw, ...], doc("The cards that were drawn, each with its player.")]


class BetPlaced(Event):
    """A player bet on a column of the first field."""

    label = say("Place a bet")
    told = (template("{player} bets on column {column}"),)

    player: Annotated[PlayerId, doc("The id of the player who bets.")]
    column: Annotated[Column, doc("The column, counted from 1.")]


class FiveCards(Event):
    """A card for each column and one for the dealer: what is common to both fields.

    A column may be null where nobody bet on it and the dealer stays whatever happens.
    """

    columns: Annotated[Field, doc("The cards of the four columns; null for one that nobody noted.")]
    dealer: Annotated[Card, doc("The dealer's card.")]


class SecondCardsDealt(FiveCards):
    """The second field and the dealer's second card were dealt, face up. No more bets."""

    label = say("Deal the second field")
    told = (template("The second field: {columns}; the dealer: {dealer}"),)


class FirstCardsRevealed(FiveCards):
    """The first field and the dealer's first card were turned over, which settles the round."""

    label = say("Turn the first field")
    told = (template("The first field: {columns}; the dealer: {dealer}"),)


# --- where the round can stand --------------------------------------------------------------------------------------


class ShippinPhase(Phase, kw_only=True):
    """What is common to a running round: the bets."""

    ground: ShippinGround
    bets: tuple[Bet, ...] = ()


class Betting(ShippinPhase, kw_only=True):
    """SP-5. The first field lies face down. `waiting` are those who have not had their turn to bet."""

    label = say("Betting")

    waiting: Seats

    @property
    def due(self) -> PlayerId | None:
        """Who has to bet next, where every player has to; None where a bet may be left out, or all have bet."""
        return self.waiting[0] if self.waiting and self.ground.rules.must_bet == "yes" else None

    @property
    def free_columns(self) -> tuple[int, ...]:
        return tuple(column for column in COLUMNS if column not in {bet.column for bet in self.bets})


class Showdown(ShippinPhase, kw_only=True):
    """SP-6. The second field lies face up; the first, and the dealer's first card, are to be turned."""

    label = say("The first field is due")

    second: SecondCardsDealt
    first: FirstCardsRevealed | None = None


# --- how it can end -------------------------------------------------------------------------------------------------

Verdict = Literal["player", "dealer", "tie"]
"""Who won a column. A tie that the dealer wins by agreement is the dealer's."""

Why = Literal["shippin", "one_karami", "two_karami", "two_karami_tie", "total", "tie"]


class Ruling(NamedTuple):
    """Who won a column, and which rung of the ladder said so."""

    verdict: Verdict
    why: Why


class Hand(Record):
    """A column's hand and how it did."""

    column: Annotated[Column, doc("The column, counted from 1.")]
    cards: Annotated[Pair, doc("The hand's first card and its second.")]
    total: Annotated[int, doc("The hand's total, 0 to 9.")]
    karami: Annotated[bool, doc("Whether the hand has a 4 or a 1.")]
    player: Annotated[PlayerId | None, doc("The id of the player who bet on the column; null if nobody did.")]
    verdict: Annotated[Verdict, doc("How the hand did against the dealer's.")]


class DealerHand(Record):
    """The dealer's hand."""

    cards: Annotated[Pair, doc("The hand's first card and its second.")]
    total: Annotated[int, doc("The hand's total, 0 to 9.")]
    karami: Annotated[bool, doc("Whether the hand has a 4 or a 1.")]
    shippin: Annotated[bool, doc("Whether the hand is a 4 followed by a 1.")]


class ShippinSettled(Outcome, kw_only=True):
    """Every bet was settled: the dealer's hand, and those on the table of which both cards are known, in order."""

    result: Literal["settled"] = "settled"
    hands: Annotated[tuple[Hand, ...], doc("The hands of the columns of which both cards are known, in order.")]
    dealer_hand: Annotated[DealerHand, doc("The dealer's hand.")]


def columns_won(over: Over, _moved: object) -> Mapping[PlayerId, int]:
    """SP-13. How many columns each player bet on and won."""
    hands = over.outcome.hands if isinstance(over.outcome, ShippinSettled) else ()
    return Counter(hand.player for hand in hands if hand.player and hand.verdict == "player")


# --- refusals -------------------------------------------------------------------------------------------------------


class WrongDrawers(Refused, rule="SP-3"):
    """One card each is to be drawn now by {expected:players}, and by nobody else."""


class DealerCannotBet(Refused, rule="SP-5"):
    """{player:player} deals and holds the bank; only the others bet."""


class AlreadyBet(Refused, rule="SP-5"):
    """{player:player} has bet on {column:column} already, and one column a round is all."""


class ColumnTaken(Refused, rule="SP-5"):
    """{player:player} has bet on {column:column} already; still free: {free:numbers}."""


class PassedOver(Refused, rule="SP-5", overrulable=True):
    """{player:player} was passed over and sits this round out; the next who may bet is {expected:player}."""


class NobodyLeftToBet(Refused, rule="SP-5", overrulable=True):
    """{player:player} was passed over and sits this round out; everyone has had their turn to bet."""


class BetsMissing(Refused, rule="SP-5"):
    """The second field is dealt when everyone has bet: {expected:player} is still to bet."""


class ColumnWasBetOn(Refused, rule="SP-13"):
    """{player:player} bet on {column:column}, so its card is needed; only where nobody bet may it be left out."""


class EveryHandCounts(Refused, rule="SP-13"):
    """The cards of all four columns are needed: a dealer who loses to all four hands loses the role here."""


class NoCardOfValueLeft(Refused, rule="SP-15"):
    """There are only {count} cards of the value {value}, and all of them have been seen."""


class TooFewCardsLeft(Refused, rule="SP-15"):
    """A round needs {count} cards, and with this one set aside too few are left."""


# --- open_round -----------------------------------------------------------------------------------------------------


def open_round(ground: ShippinGround) -> Step:
    """SP-4. The first field and the dealer's first card lie face down. Nobody antes."""
    waiting = ground.seats.starting_with(ground.dealer).without((ground.dealer,))
    return Step(Betting(ground=ground, pot=ground.carried, waiting=waiting))


# --- play -----------------------------------------------------------------------------------------------------------


def play(phase: Phase, event: Event) -> Step:
    """Say what an event does to a round: the table of contents of the rules below."""
    match phase, event:
        case Betting(), BetPlaced():
            return bet(phase, event)
        case Betting(), SecondCardsDealt():
            return deal_second_field(phase, event)
        case Showdown(), FirstCardsRevealed():
            return show_down(phase, event)
    raise OutOfPlace(expected(phase))


def expected(phase: Phase) -> tuple[Expected, ...]:
    match phase:
        case Betting(due=str(player)):
            return (Expected(type="bet_placed", player=player, columns=phase.free_columns),)
        case Betting(waiting=(_, *_) as players):
            bets = Expected(type="bet_placed", players=players, columns=phase.free_columns)
            return (bets, Expected(type="second_cards_dealt"))
        case Betting():
            return (Expected(type="second_cards_dealt"),)
        case Showdown():
            return (Expected(type="first_cards_revealed"),)
    return ()


# --- the rules, in playing order ------------------------------------------------------------------------------------


def arrange(seating: Seating, event: Event, rules: Rules) -> Seating:
    """SP-3. The lowest card deals, the others sit to the right in ascending order; what ties still is drawn again.

    Raises WrongDrawers unless exactly those who have to draw did, once each, and the refusals of cards that are not in
    the pack any more: whatever this draw has shown stays out of it.
    """
    if not isinstance(event, CardsDrawnForSeats):
        raise TypeError(event)
    everyone = drawers(seating, rules)
    drawing = standing(seating.drawing, everyone)
    due = drawing.draw_again or everyone
    if sorted(draw.player for draw in event.draws) != sorted(due):
        raise WrongDrawers(expected=due)
    drawn = {draw.player: draw.card for draw in event.draws}
    cards = (*drawing.cards, *drawn.items())
    seen = ((card, say("{player:player} drew it", player=player)) for player, card in cards)
    need_in_one_pack(seen, rule="SP-3")
    ranks = tuple(finer for rank in drawing.ranks for finer in told_apart(rank, drawn, rules))
    drawing = replace(drawing, ranks=ranks, cards=cards)
    if drawing.draw_again:
        return replace(seating, drawing=drawing)
    order = tuple(player for rank in drawing.ranks for player in rank)
    seats = Seats(seating.seats.without(order) + order)
    return Seating(seats, dealer=seats[0] if seats else seating.dealer)


def drawers(seating: Seating, rules: Rules) -> Seats:
    """SP-3. Who draws for seats: everyone, but for a dealer of the house, who sits first and keeps the role."""
    return seating.seats.without((seating.dealer,)) if rules.dealer_role == "house" else seating.seats


def standing(drawing: Drawing | None, everyone: Seats) -> Drawing:
    """SP-3. Where the draw stands: everyone in one rank if it is new, or if a player came or left during it."""
    if drawing and {player for rank in drawing.ranks for player in rank} == set(everyone):
        return drawing
    return Drawing(rule="SP-3", ranks=(everyone,))


def told_apart(
    rank: tuple[PlayerId, ...], drawn: Mapping[PlayerId, Card], rules: Rules
) -> Iterator[tuple[PlayerId, ...]]:
    """SP-3. Tell those of one rank apart: low numbers first, of one number the higher class or suit first.

    Class or suit decides if everyone with that number named the card in full. One alone need not have drawn.
    """
    if len(rank) == 1:
        yield rank
        return

    def place(player: PlayerId) -> tuple[int, int]:
        number, own = value(drawn[player]), precedence(drawn[player], rules)
        those_alike = [precedence(drawn[other], rules) for other in rank if value(drawn[other]) == number]
        return number, 0 if own is None or None in those_alike else own

    for _, alike in groupby(sorted(rank, key=place), key=place):
        yield tuple(alike)


def precedence(card: Card, rules: Rules) -> int | None:
    """SP-3. Where a card goes among those of its number, first 0: by hanafuda class or by suit, as the table has it.

    None where nothing but the number counts.
    """
    if card.month_class and rules.draw_ties == "class":
        return HANAFUDA_CLASSES.index(card.month_class)
    if isinstance(card.suit, WesternSuit) and rules.suit_breaks_tie == "yes":
        return SUITS_BY_RANK.index(card.suit)
    return None


def bet(phase: Betting, event: BetPlaced) -> Step:
    """SP-2. The agreed number of chips, no more and no less, goes into the pot."""
    need_may_bet(phase, event)
    stake = pay(event.player, POT, phase.ground.rules.bet, "bet")
    bets = (*phase.bets, Bet(event.player, event.column))
    waiting = still_waiting(phase, event.player)
    return Step(replace(phase, bets=bets, waiting=waiting, pot=phase.pot + pot_change(stake)), stake)


def need_may_bet(phase: Betting, event: BetPlaced) -> None:
    """SP-5. From the dealer's right, one column a player, one player a column; the dealer holds the bank.

    Raises the refusals above; only the order can be overruled.
    """
    phase.ground.need(event.player, rule="SP-5")
    if event.player == phase.ground.dealer:
        raise DealerCannotBet(player=event.player)
    for other in phase.bets:
        if other.player == event.player:
            raise AlreadyBet(player=other.player, column=other.column)
    if not phase.waiting:
        refuse(event, NobodyLeftToBet(player=event.player))
    elif event.player not in phase.waiting:
        refuse(event, PassedOver(expected=phase.waiting[0], player=event.player))
    elif phase.due not in {None, event.player}:
        refuse(event, OutOfTurn(rule="SP-5", expected=phase.due, player=event.player))
    for other in phase.bets:
        if other.column == event.column:
            raise ColumnTaken(player=other.player, column=other.column, free=phase.free_columns)


def still_waiting(phase: Betting, player: PlayerId) -> Seats:
    """SP-5. Who may still bet after this player: those further right, or everyone where all have to bet."""
    if phase.ground.rules.must_bet == "yes" or player not in phase.waiting:
        return phase.waiting.without((player,))
    return Seats(phase.waiting[phase.waiting.index(player) + 1 :])


def deal_second_field(phase: Betting, event: SecondCardsDealt) -> Step:
    """SP-6. The second field and the dealer's second card, face up, close the betting.

    Raises BetsMissing where a player still has to bet.
    """
    if phase.due:
        raise BetsMissing(expected=phase.due)
    need_cards_that_decide(phase, event)
    dealt = Showdown(ground=phase.ground, pot=phase.pot, bets=phase.bets, second=event)
    need_in_one_pack(face_up(dealt))
    return Step(dealt)


def show_down(phase: Showdown, event: FirstCardsRevealed) -> Step:
    """SP-6. The first field and the dealer's first card are turned, and every bet is settled."""
    need_cards_that_decide(phase, event)
    turned = replace(phase, first=event)
    need_in_one_pack(face_up(turned))
    ground, dealer = phase.ground, (event.dealer, phase.second.dealer)
    hands = tuple(compared(phase, event.columns, dealer))
    transfers = tuple(t for hand in hands for t in settle(hand, ground.dealer, ground.rules.bet))
    outcome = ShippinSettled(
        hands=hands,
        dealer_hand=DealerHand(dealer, total(dealer), is_karami(dealer), is_shippin(dealer)),
        payouts=payouts(transfers),
        next_dealer=next_dealer(ground, hands),
    )
    pot = phase.pot + pot_change(transfers)
    return Step(Over(ground=ground, pot=pot, last=turned, outcome=outcome), transfers)


def need_cards_that_decide(phase: ShippinPhase, event: FiveCards) -> None:
    """SP-13. A card may be left out where neither a bet nor the dealer's role hangs on it.

    Raises EveryHandCounts and ColumnWasBetOn.
    """
    left_out = [column for column, card in zip(COLUMNS, event.columns, strict=True) if card is None]
    if left_out and phase.ground.rules.dealer_role == "on_total_loss":
        raise EveryHandCounts(columns=tuple(left_out))
    for bet in phase.bets:
        if bet.column in left_out:
            raise ColumnWasBetOn(player=bet.player, column=bet.column)


def compared(phase: Showdown, first_field: Field, dealer: Pair) -> Iterator[Hand]:
    """SP-11. Each of the four hands is compared with the dealer's by itself; of one not known in full nothing is."""
    players = {bet.column: bet.player for bet in phase.bets}
    for column, first, second in zip(COLUMNS, first_field, phase.second.columns, strict=True):
        if first is None or second is None:
            continue
        cards = (first, second)
        verdict = decide(cards, dealer, phase.ground.rules).verdict
        yield Hand(column, cards, total(cards), is_karami(cards), players.get(column), verdict)


def total(cards: Pair) -> int:
    """SP-7. The last digit of the sum, 0 to 9; nine is best."""
    return sum(map(value, cards)) % 10


def is_shippin(dealer: Pair) -> bool:
    """SP-8. A 4 first and a 1 second, in this order, and only in the dealer's hand."""
    return tuple(map(value, dealer)) == SHIPPIN


def is_karami(cards: Pair) -> bool:
    """SP-9. A 4 or a 1 in the hand, in any place."""
    return any(value(card) in KARAMI for card in cards)


def decide(cards: Pair, dealer: Pair, rules: Rules) -> Ruling:
    """SP-8, SP-9, SP-10, SP-11, SP-12. The ladder: shippin, one karami, two karami, the total, a tie."""
    karami, dealer_karami = is_karami(cards), is_karami(dealer)
    if is_shippin(dealer):
        return Ruling("dealer", "shippin")
    if karami != dealer_karami:
        return Ruling("player" if karami else "dealer", "one_karami")
    if karami and rules.karami_vs_karami == "dealer_wins":
        return Ruling("dealer", "two_karami")
    if karami and rules.karami_vs_karami == "tie":
        return Ruling(tied(rules), "two_karami_tie")
    if total(cards) != total(dealer):
        return Ruling("player" if total(cards) > total(dealer) else "dealer", "total")
    return Ruling(tied(rules), "tie")


def tied(rules: Rules) -> Verdict:
    """SP-12. A tie gives the bet back, or is the dealer's."""
    return "dealer" if rules.tie == "dealer_wins" else "tie"


def settle(hand: Hand, dealer: PlayerId, amount: Chips) -> Transfers:
    """SP-13. A bet of `amount` chips comes back with as much again, or just comes back, or is the dealer's."""
    if hand.player is None:
        return ()
    if hand.verdict == "dealer":
        return pay(POT, dealer, amount, "bet_lost")
    won = pay(dealer, hand.player, amount, "bet_won") if hand.verdict == "player" else ()
    return pay(POT, hand.player, amount, "bet_returned") + won


def next_dealer(ground: ShippinGround, hands: tuple[Hand, ...]) -> PlayerId:
    """SP-14. A dealer who lost to all four hands, bet on or not, is followed by the right, if the role moves.

    Where it moves, all four are known.
    """
    lost_to_all = all(hand.verdict == "player" for hand in hands)
    passes = lost_to_all and ground.rules.dealer_role == "on_total_loss"
    return ground.seats.right_of(ground.dealer) if passes else ground.dealer


# --- what happened, in plain sentences ------------------------------------------------------------------------------


def explain(over: Over) -> tuple[Sentence, ...]:
    """Say what the dealer held, who won or lost how much with which hand and why, and who deals next and why."""
    outcome, ground = over.outcome, over.ground
    if not isinstance(outcome, ShippinSettled):
        raise TypeError(over)
    dealer = outcome.dealer_hand
    columns = tuple(explain_column(hand, dealer, ground.rules) for hand in outcome.hands if hand.player)
    return (
        explain_dealer(dealer, ground.dealer),
        *(columns or (say("Nobody had bet, so no chips moved."),)),
        explain_next_dealer(ground, outcome.next_dealer),
    )


def explain_dealer(hand: DealerHand, dealer: PlayerId) -> Sentence:
    """SP-7, SP-8. What everyone played against."""
    had = {"dealer": dealer, "cards": hand.cards}
    if hand.shippin:
        return say("{dealer:player} dealt and held {cards:all_valued}: shippin, which beats all four hands.", **had)
    return say("{dealer:player} dealt and held {cards:all_valued}, which counts {total:kabu}.", total=hand.total, **had)


def explain_column(hand: Hand, dealer: DealerHand, rules: Rules) -> Sentence:
    """SP-13. Who won or lost how many chips with which hand, and why."""
    facts = {
        "player": hand.player,
        "amount": rules.bet,
        "cards": hand.cards,
        "column": hand.column,
        "why": explain_ruling(hand, dealer, rules),
    }
    sentences: dict[Verdict, Sentence] = {
        "player": say(
            "{player:player} won {amount:chips} with {cards:all_valued} on {column:column}: {why:sentence}.", **facts
        ),
        "dealer": say(
            "{player:player} lost {amount:chips} with {cards:all_valued} on {column:column}: {why:sentence}.", **facts
        ),
        "tie": say(
            "{player:player} got {amount:chips} back with {cards:all_valued} on {column:column}: {why:sentence}.",
            **facts,
        ),
    }
    return sentences[hand.verdict]


def explain_ruling(hand: Hand, dealer: DealerHand, rules: Rules) -> Sentence:
    """SP-8, SP-9, SP-10, SP-11, SP-12. Why a hand won, lost or tied: one sentence for each end."""
    facts = {"total": hand.total, "dealer": dealer.total}
    sentences: dict[tuple[Verdict, Why], Sentence] = {
        ("dealer", "shippin"): say("shippin beats every hand"),
        ("player", "one_karami"): say("this hand is karami, and the dealer's is not"),
        ("dealer", "one_karami"): say("the dealer's hand is karami, and this one is not"),
        ("dealer", "two_karami"): say("both hands are karami, and then the dealer wins"),
        ("tie", "two_karami_tie"): say("both hands are karami, which is a tie"),
        ("dealer", "two_karami_tie"): say("both hands are karami, which is a tie, and the dealer wins a tie"),
        ("player", "total"): say("{total:kabu} is more than the dealer's {dealer:kabu}", **facts),
        ("dealer", "total"): say("{total:kabu} is less than the dealer's {dealer:kabu}", **facts),
        ("tie", "tie"): say("both hands count {total:kabu}", **facts),
        ("dealer", "tie"): say("both hands count {total:kabu}, and the dealer wins a tie", **facts),
    }
    ruling = decide(hand.cards, dealer.cards, rules)
    if hand.karami and dealer.karami and ruling.why in ("total", "tie"):
        return say("between two karami, {why:sentence}", why=sentences[ruling])
    return sentences[ruling]


def explain_next_dealer(ground: ShippinGround, dealer: PlayerId) -> Sentence:
    """SP-14. Who deals next, and why."""
    if dealer != ground.dealer:
        return say("The dealer lost to every hand, so {dealer:player} deals the next round.", dealer=dealer)
    if ground.rules.dealer_role == "on_total_loss":
        return say("The dealer did not lose to every hand, so {dealer:player} deals again.", dealer=dealer)
    if ground.rules.dealer_role == "house":
        return say("{dealer:player} deals again, for the house.", dealer=dealer)
    return say("{dealer:player} deals again, as always at this table.", dealer=dealer)


# --- small helpers --------------------------------------------------------------------------------------------------


def value(card: Card) -> int:
    """SP-1. What a card counts, 1 to 10. Raises ValueError for one that is not in the pack."""
    if card.kabu is None:
        raise ValueError(f"{card} counts nothing")
    return card.kabu


def need_in_one_pack(seen: Iterable[tuple[Card, Sentence]], rule: str = "SP-15") -> None:
    """SP-3, SP-15. No value is seen a fifth time, no card named in full twice; each comes with its place."""
    places: dict[Card, Sentence] = {}
    values: Counter[int] = Counter()
    for card, where in seen:
        if card.copies == 1 and card in places:
            raise CardAlreadySeen(rule=rule, card=card, where=places[card])
        if values[value(card)] == CARDS_OF_A_VALUE:
            raise NoCardOfValueLeft(rule=rule, value=value(card), count=CARDS_OF_A_VALUE)
        places[card] = where
        values[value(card)] += 1


def need_left_in_pack(phase: Phase, _card: Card) -> Phase:
    """SP-15. A card that fell open and is set aside is one of its value; enough for both fields are left."""
    if len(last_of(ShippinPhase, phase).ground.set_aside) > CARDS_IN_THE_PACK - CARDS_OF_A_ROUND:
        raise TooFewCardsLeft(count=CARDS_OF_A_ROUND)
    need_in_one_pack(face_up(last_of(ShippinPhase, phase)))
    return phase


def face_up(phase: ShippinPhase) -> Iterator[tuple[Card, Sentence]]:
    """SP-6, SP-15. The cards that were seen, and where each lies: set aside, or face up in their order."""
    yield from ((card, say("it was set aside")) for card in phase.ground.set_aside)
    if isinstance(phase, Showdown):
        for column, card in enumerate(phase.second.columns, 1):
            if card is not None:
                yield card, say("it lies in {column:column} of the second field", column=column)
        yield phase.second.dealer, say("it is the dealer's second card")
    if isinstance(phase, Showdown) and phase.first:
        for column, card in enumerate(phase.first.columns, 1):
            if card is not None:
                yield card, say("it lies in {column:column} of the first field", column=column)
        yield phase.first.dealer, say("it is the dealer's first card")


def cards_to_come(phase: Phase, may_come: tuple[Expected, ...]) -> CardsToCome:
    """SP-15. How many of each card are left; of a value that was seen four times there is none, however it is named."""
    last = last_of(ShippinPhase, phase)
    pack = pack_of_values(last.ground.deck)
    seen = [card for card in (*last.second.columns, last.second.dealer) if card] if isinstance(last, Showdown) else []
    shown, values = Counter(card.code for card in seen), Counter(map(value, (*seen, *last.ground.set_aside)))
    left = {code: count - shown[code] for code, count in pack.copies.items()}
    left |= {card.code: 0 for card in pack.in_deck_order if values[value(card)] == CARDS_OF_A_VALUE}
    unseen = tuple(code for code, count in left.items() if count)
    fields = ("second_cards_dealt", "first_cards_revealed")
    return CardsToCome(left=left, next={each.type: unseen for each in may_come if each.type in fields})


def board(phase: Phase) -> Board:
    """Give what lies on the table, as far as it has been seen."""
    last = last_of(ShippinPhase, phase)
    if not isinstance(last, Showdown):
        return Board(last.bets)
    shown = Board(last.bets, last.second.columns, last.second.dealer)
    return replace(shown, first_field=last.first.columns, dealer_first=last.first.dealer) if last.first else shown


BOOK = RuleBook(
    name="shippin",
    version=1,
    title=say("Shippin"),
    seats=range(2, 6),
    seats_row="SP-1",
    cards_row="SP-15",
    decks=("kabufuda", "hanafuda", "western"),
    rules=Rules,
    events=(BetPlaced, SecondCardsDealt, FirstCardsRevealed),
    between=(CardsDrawnForSeats,),
    fields={
        "draws": say("Cards drawn"),
        "column": say("Column"),
        "columns": say("Cards of columns 1 to 4"),
        "dealer": say("Dealer's card"),
    },
    forms=(
        Form(CardsDrawnForSeats, "draw <draws>"),
        Form(BetPlaced, "bet <player>=<column:number> …"),
        Form(SecondCardsDealt, "second <columns:four> / <dealer:card>"),
        Form(FirstCardsRevealed, "first <columns:four> / <dealer:card>"),
    ),
    written=written_in(lambda deck, _rules: pack_of_values(deck), "SP-1"),
    phases=(Betting, Showdown),
    outcomes=(ShippinSettled,),
    reasons={
        "bet": say("Bet"),
        "bet_returned": say("Bet returned"),
        "bet_won": say("Bet won"),
        "bet_lost": say("Bet lost"),
    },
    tallies=(Tally("columns_won", say("Columns won"), columns_won),),
    open_round=open_round,
    play=play,
    expected=expected,
    cards=cards_to_come,
    arrange=arrange,
    board=board,
    set_aside=need_left_in_pack,
    explain=explain,
)
