"""Kakkuri (カックリ): a shedding game for 7 players, or 8 of whom one drops out; the last of the Yomi games.

Six cards each, six in the box. The pile is built upwards, number on number; who cannot go on pays a share into the
pot. The first empty hand takes a share from everyone and the pot; six cards in one turn are guri (グリ), two shares.
Hands are hidden: what cannot be seen at the table is not checked, and a turn may be reported by its number of cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from itertools import product
from typing import Annotated, Literal

from ledger.i18n.sentences import Fault, Malformed, Sentence, say, template
from ledger.records import Meta, Record, convert, doc, replace
from ledger.rulebook.cards import Card, Courts, DeckName, Face, Pack, Suit, pack_of_48
from ledger.rulebook.chips import Transfers, nobody_was_paid, pay, payouts, pot_change, pot_held
from ledger.rulebook.event import Event, Form, refuse
from ledger.rulebook.exposing import CardSetAside
from ledger.rulebook.phase import CardsToCome, Expected, Ground, Outcome, Over, Phase, Seats, Step, Void, last_of
from ledger.rulebook.refusal import CardAlreadySeen, OutOfPlace, OutOfTurn, Refused, written_in
from ledger.rulebook.rule_book import RuleBook, switch, switch_of_western_courts
from ledger.rulebook.tallies import Tally
from ledger.rulebook.values import POT, Amount, Chips, PlayerId, Reason

# --- ground rules ---------------------------------------------------------------------------------------------------

CARDS, HAND = 48, 6
"""KA-1, KA-3. Cards in the pack, and in a hand; with seven hands the box holds as many as one of them."""

LOW_NUMBERS = (1, 2)
KING = 12
WILDS = (Face(Suit.CLUBS, 1), Face(Suit.COINS, 2))
"""KA-11. With hanafuda the Crane and the Lightning."""

EIGHTH_HAND = Face(Suit.CLUBS, 3)
"""KA-3. Whoever of eight is dealt this card drops out; with hanafuda the Curtain."""

THREE_ONES = (Face(Suit.SWORDS, 1), Face(Suit.CUPS, 1), Face(Suit.COINS, 1))
"""KA-5. With hanafuda the Pine Poetry Ribbon and the two Pine Chaff."""

SHARES: Mapping[Reason, int] = {"share": 1, "guri_share": 2, "three_ones_share": 3}
"""KA-5, KA-15, KA-16. How many shares each of the others pays the winner."""


class Rules(Record):
    """The house rules a table agrees on. A share is counted in whole chips."""

    western_courts: Annotated[Courts, switch_of_western_courts("KA-1")] = "JQK"
    chips_per_share: Annotated[Amount, switch("KA-2", say("Chips in a share"), say("How many chips a share is."))] = 1
    sequence: Annotated[
        Literal["full", "plain", "off"],
        switch(
            "KA-7",
            say("Sequence"),
            say("Which cards go on which, and whether that is checked."),
            full=say("With repeats, threes, pairs and wilds"),
            plain=say("Only the next number, or a wild"),
            off=say("Not checked"),
        ),
    ] = "full"
    after_king: Annotated[
        Literal["any", "wrap"],
        switch(
            "KA-8",
            say("After a 12"),
            say("Which cards go on a 12 in the full sequence. In the plain one any card does."),
            any=say("Any card"),
            wrap=say("Only a 1"),
        ),
    ] = "any"
    empty_turn_shares: Annotated[
        Annotated[int, Meta(ge=0, le=10)],
        switch("KA-12", say("Shares for a pass"), say("How many shares a turn without a discard costs, into the pot.")),
    ] = 1
    box_empty: Annotated[
        Literal["reshuffle", "lead_any", "void"],
        switch(
            "KA-14",
            say("Empty box"),
            say("What happens when a card is due from the box and there is none."),
            reshuffle=say("The pile is shuffled and becomes the box"),
            lead_any=say("The last discarder plays any card"),
            void=say("The round is void"),
        ),
    ] = "reshuffle"
    dropping_out: Annotated[
        Literal["one_share", "off"],
        switch(
            "KA-19",
            say("Dropping out"),
            say("Whether a player may leave the round on their turn, before their first discard."),
            one_share=say("For one share into the pot"),
            off=say("Nobody drops out during a round"),
        ),
    ] = "one_share"


KakkuriGround = Ground[Rules]


# --- what lies on the table -----------------------------------------------------------------------------------------

Cards = tuple[Card, ...]


class Hand(Record):
    """How many cards a player still holds; which ones, nobody sees."""

    player: Annotated[PlayerId, doc("The player's id.")]
    left: Annotated[int, doc("How many cards the player still holds.")]


class Top(Record):
    """The card on top of the pile. From the box it is an ordinary card; from a hand it may be a wild."""

    card: Annotated[Card, doc("The card.")]
    from_box: Annotated[bool, doc("Whether the card came from the box, and not from a hand.")] = False


class TurnTaken(Record):
    """A turn: how many cards went down, which ones if they were named, and what was turned from the box before it.

    `top` is the last of cards of which only that one was named.
    """

    player: Annotated[PlayerId, doc("The player's id.")]
    count: Annotated[int, doc("How many cards went down.")]
    cards: Annotated[Cards | None, doc("The cards that went down; null if only their number is known.")] = None
    box_card: Annotated[
        Card | None, doc("The card that was turned from the box before the turn; null if none was.")
    ] = None
    top: Annotated[Card | None, doc("The last of the cards that went down, if only that one was named.")] = None

    @property
    def named(self) -> Cards:
        return self.cards or ((self.top,) if self.top else ())


class Board(Record):
    """What lies on the table, for all to see. `box` and `pile` are numbers of cards.

    `dealer` is who acts as dealer in this round. `pile_top` is None while it is unknown. `box_card` was turned for
    the turn that is now due.
    """

    dealer: Annotated[PlayerId, doc("The id of the player who acts as dealer in this round.")]
    hands: Annotated[tuple[Hand, ...], doc("How many cards each player still holds.")]
    box: Annotated[int, doc("How many cards are left in the box.")] = 0
    pile: Annotated[int, doc("How many cards lie on the pile.")] = 0
    dropped_out: Annotated[
        PlayerId | None,
        doc("The id of the player, one of eight, who dropped out before anything else; null if nobody did."),
    ] = None
    exchanged: Annotated[tuple[PlayerId, ...], doc("The ids of the players who traded hands with the dealer.")] = ()
    three_pairs: Annotated[tuple[PlayerId, ...], doc("The ids of the players who declared three pairs.")] = ()
    starter: Annotated[Card | None, doc("The card that opened the pile; null until then.")] = None
    pile_top: Annotated[Top | None, doc("The card on top of the pile; null while nobody knows it.")] = None
    box_card: Annotated[
        Card | None, doc("The card that was turned from the box for the turn that is now due; null if none was.")
    ] = None
    turns: Annotated[tuple[TurnTaken, ...], doc("The turns so far.")] = ()


# --- what can be reported -------------------------------------------------------------------------------------------


class PlayerDroppedOut(Event):
    """A player left this round: of eight the one who was dealt a certain card, or anyone before discarding."""

    label = say("Drop out")
    told = (template("{player} dropped out"),)

    player: Annotated[PlayerId, doc("The id of the player who drops out.")]


class HandExchanged(Event):
    """A player traded the whole hand for the dealer's."""

    label = say("Trade hands")
    told = (template("{player} traded hands with the dealer"),)

    player: Annotated[PlayerId, doc("The id of the player who trades hands with the dealer.")]


class ThreeOnesShown(Event):
    """A player showed the three 1s, those that are not wild, before play."""

    label = say("Show the three 1s")
    told = (template("{player} showed the three 1s"),)

    player: Annotated[PlayerId, doc("The id of the player who shows the three 1s.")]


class StarterRevealed(Event):
    """The dealer turned a box card to open the pile."""

    label = say("Open the pile")
    told = (template("The pile was opened: {card}"),)

    card: Annotated[Card, doc("The card that opens the pile.")]


class ThreePairsDeclared(Event):
    """A player declared a hand of three pairs, and plays pairs from now on."""

    label = say("Declare three pairs")
    told = (template("{player} declared three pairs"),)

    player: Annotated[PlayerId, doc("The id of the player who declares three pairs.")]


class TurnPlayed(Event):
    """A player's whole turn: the cards in their order, or how many, and perhaps the top one; with neither, a pass.

    `top` may stand beside `count`: the card that lies on the pile after the turn. Raises Malformed for `cards` and
    `count` at once, and for `top` without a `count` of cards that went down.
    """

    label = say("Play a turn")
    told = (
        template("{player} played {cards}"),
        template("{player} put down {count}, {top} on top"),
        template("{player} put down {count}"),
        template("{player} passed"),
    )

    player: Annotated[PlayerId, doc("The id of the player whose turn it is.")]
    cards: Annotated[Cards | None, doc("The cards that went down, in order; none for a pass.")] = None
    count: Annotated[
        Annotated[int, Meta(ge=0, le=HAND)] | None, doc("How many cards went down, where they are not named.")
    ] = None
    top: Annotated[Card | None, doc("The card on top of the pile after the turn.")] = None

    def __post_init__(self) -> None:
        if self.cards is not None and self.count is not None:
            raise Malformed(Fault("", say("give cards or count, not both")))
        if self.top is not None and not self.count:
            raise Malformed(Fault("/top", say("give the top card only beside a count of 1 or more")))

    @property
    def discards(self) -> int:
        return len(self.cards) if self.cards is not None else self.count or 0

    def taken(self, box_card: Card | None) -> TurnTaken:
        """Give the turn as it was taken. Where one card went down, it is the one that lies on the pile now."""
        cards = self.cards or ()
        if self.discards == 1 and self.top:
            cards = (self.top,)
        known = cards or not self.discards
        return TurnTaken(self.player, self.discards, cards if known else None, box_card, None if known else self.top)


class BoxCardRevealed(Event):
    """The last discarder turned a box card onto the pile."""

    label = say("Turn a box card")
    told = (template("Turned from the box: {card}"),)

    card: Annotated[Card, doc("The card that was turned from the box.")]


# --- where the round can stand --------------------------------------------------------------------------------------


class KakkuriPhase(Phase, kw_only=True):
    """What is common to a running round: who is still in, and what lies on the table.

    `known_in_box` are cards that are in the box for certain: the eighth hand's, those seen before the pile became it.
    """

    ground: KakkuriGround
    still_in: Seats
    board: Board
    known_in_box: frozenset[Card] = frozenset()


class DropOutDue(KakkuriPhase, kw_only=True):
    """KA-3. One of eight players is to drop out."""

    label = say("One of eight drops out")


class Swapping(KakkuriPhase, kw_only=True):
    """KA-4, KA-5, KA-6. Hands may be traded with the dealer; then the pile is opened."""

    label = say("Before the pile is opened")


class InPlay(KakkuriPhase, kw_only=True):
    """What is common once the pile is open: whose turn it is, who discarded last, and who has passed since then."""

    player: PlayerId
    last_discarder: PlayerId
    passed: frozenset[PlayerId] = frozenset()


class Turn(InPlay, kw_only=True):
    """KA-7. The player discards or passes."""

    label = say("Turn")


class LeadAny(Turn, kw_only=True):
    """KA-14. A box card was due and there was none: the player may play any card."""

    label = say("Turn: any card goes")


class BoxDue(InPlay, kw_only=True):
    """KA-13. The player first turns a box card."""

    label = say("A box card is due")


# --- how it can end -------------------------------------------------------------------------------------------------


class KakkuriWon(Outcome, kw_only=True):
    """Won by the first empty hand, by guri or by the three 1s."""

    result: Literal["won"] = "won"
    winner: Annotated[PlayerId, doc("The id of the winner.")]
    guri: Annotated[bool, doc("Whether the round was won by guri, with six cards in one turn.")] = False
    three_ones: Annotated[bool, doc("Whether the winner had shown the three 1s.")] = False

    @property
    def won_by(self) -> PlayerId:
        return self.winner


def guri(over: Over, _moved: object) -> Mapping[PlayerId, int]:
    """KA-16. Who won by guri."""
    outcome = over.outcome
    return {outcome.winner: 1} if isinstance(outcome, KakkuriWon) and outcome.guri else {}


def empty_turns(over: Over, _moved: object) -> Mapping[PlayerId, int]:
    """KA-12. How often each player passed, also at a table where that costs nothing."""
    turns = over.last.board.turns if isinstance(over.last, KakkuriPhase) else ()
    return Counter(turn.player for turn in turns if not turn.count)


# --- refusals -------------------------------------------------------------------------------------------------------


class EighthPlayerMustDropOut(Refused, rule="KA-3", overrulable=True):
    """With eight players, whoever was dealt {card:card} drops out before anything else."""


class OutOfThisRound(Refused, rule="KA-3"):
    """{player:player} dropped out of this round."""


class NotInAnyHand(Refused, rule="KA-3"):
    """Nobody holds {card:card}: it went into the box with the six cards of {player:player}, who dropped out."""


class DealerCannotExchange(Refused, rule="KA-4"):
    """Hands are traded with the dealer, and {player:player} is the dealer."""


class ExchangedAlready(Refused, rule="KA-4"):
    """{player:player} has traded hands already; that can be done once."""


class DeclaredHandStays(Refused, rule="KA-10"):
    """{player:player} has declared three pairs and keeps that hand; it is not traded any more."""


class PileIsOpen(Refused, rule="KA-4"):
    """Hands are traded right after the deal, and not later."""


class ThreeOnesTooLate(Refused, rule="KA-5", overrulable=True):
    """The three 1s ({ones:cards}) are shown right after the deal, and not later."""


class NoThreePairs(Refused, rule="KA-10"):
    """This table plays no three pairs."""


class ThreePairsAlready(Refused, rule="KA-10"):
    """{player:player} has declared three pairs already."""


class ThreePairsTooLate(Refused, rule="KA-10"):
    """Three pairs are declared before the first discard: {player:player} holds {left} of {hand} cards."""


class CardDoesNotFollow(Refused, rule="KA-7", overrulable=True):
    """{card:card} cannot go on {on:card}. What can: {could_follow:cards}."""


class TwoOfANumber(Refused, rule="KA-9", overrulable=True):
    """One card of a number goes down, or three together, but not two: {cards:cards}."""


class PairsOnly(Refused, rule="KA-10", overrulable=True):
    """{player:player} declared three pairs and plays two of one number together, but {card:card} is alone."""


class OddNumberOfCards(Refused, rule="KA-10", overrulable=True):
    """{player:player} declared three pairs and puts down two cards at a time, so it cannot be {count}."""


class BoxCardIsDue(Refused, rule="KA-13"):
    """Everyone else has passed: {player:player} turns a box card before playing the turn."""


class NoBoxCardIsDue(Refused, rule="KA-13"):
    """A box card is turned once everyone else has passed {since:sentence} and it is {player:player}'s turn again."""


class BoxCardTurnedAlready(Refused, rule="KA-13"):
    """{card:card} has just been turned from the box; now {player:player} plays a turn."""


class BoxIsEmpty(Refused, rule="KA-14"):
    """The box is empty, and this table plays on without it: {player:player} may play any card, or pass."""


class NotInTheBox(Refused):
    """{card:card} cannot be in the box. What is left in it: {left:cards}."""


class NotSetAside(Refused, rule="KA-18"):
    """{card:card} cannot be set aside: it goes back to a hand, or is the last of the box (left in it: {box})."""


class MoreThanTheHand(Refused, rule="KA-18"):
    """{player:player} cannot put down {count} cards; what is left of the hand: {at_most}."""


class NobodyDropsOut(Refused, rule="KA-19"):
    """At this table nobody drops out during a round: only one of eight players does, before anything else."""


class DropOutTooEarly(Refused, rule="KA-19"):
    """Players drop out on their own turn, and the first turn comes when the pile is open."""


class DropOutTooLate(Refused, rule="KA-19"):
    """Players drop out before their first discard: {player:player} holds {left} of {hand} cards."""


# --- open_round -----------------------------------------------------------------------------------------------------


def open_round(ground: KakkuriGround) -> Step:
    """KA-3. Six cards each and six in the box; with eight players there is no box until one drops out."""
    hands = tuple(Hand(player, HAND) for player in ground.seats)
    board = Board(dealer=ground.dealer, hands=hands, box=CARDS - HAND * len(hands))
    begin = DropOutDue if len(hands) == 8 else Swapping
    return Step(begin(ground=ground, pot=ground.carried, still_in=ground.seats, board=board))


# --- play -----------------------------------------------------------------------------------------------------------


def play(phase: Phase, event: Event) -> Step:
    """Say what an event does to a round: the table of contents of the rules below."""
    match phase, event:
        case DropOutDue(), PlayerDroppedOut():
            return drop_out(phase, event)
        case DropOutDue() | Swapping(), HandExchanged():
            return exchange_hands(phase, event)
        case DropOutDue(), _:
            raise EighthPlayerMustDropOut(card=card_of(phase.ground, EIGHTH_HAND))
        case Swapping(), ThreeOnesShown():
            return show_three_ones(phase, event)
        case Swapping(), StarterRevealed():
            return open_pile(phase, event)
        case Swapping() | InPlay(), ThreePairsDeclared():
            return declare_three_pairs(phase, event)
        case Turn(), TurnPlayed():
            return play_turn(phase, event)
        case BoxDue(), BoxCardRevealed():
            return turn_box_card(phase, event)
        case InPlay(), PlayerDroppedOut():
            return drop_out_for_a_share(phase, event)
        case Swapping(), PlayerDroppedOut():
            raise NobodyDropsOut if phase.ground.rules.dropping_out == "off" else DropOutTooEarly
        case InPlay(), HandExchanged():
            raise PileIsOpen
        case InPlay(), ThreeOnesShown():
            return show_three_ones_late(phase, event)
        case BoxDue(), TurnPlayed():
            raise BoxCardIsDue(player=phase.player)
        case Turn(), BoxCardRevealed():
            raise no_box_card(phase)
    raise OutOfPlace(expected(phase))


def expected(phase: Phase) -> tuple[Expected, ...]:
    match phase:
        case DropOutDue():
            return (Expected(type="player_dropped_out", players=phase.still_in),)
        case Swapping():
            before = any_of(
                hand_exchanged=may_exchange(phase),
                three_ones_shown=phase.still_in,
                three_pairs_declared=may_declare(phase),
            )
            return (Expected(type="starter_revealed"), *before)
        case InPlay():
            besides = any_of(three_pairs_declared=may_declare(phase), player_dropped_out=may_drop_out(phase))
            if isinstance(phase, BoxDue):
                return (Expected(type="box_card_revealed"), *besides)
            at_most = cards_left(phase.board, phase.player)
            return (Expected(type="turn_played", player=phase.player, at_most=at_most), *besides)
    return ()


# --- the rules, in playing order ------------------------------------------------------------------------------------


def drop_out(phase: DropOutDue, event: PlayerDroppedOut) -> Step:
    """KA-3. The six cards become the box. If that was the dealer, the next to the right acts as dealer."""
    phase.ground.need(event.player, rule="KA-3")
    out, dealer = event.player, phase.ground.dealer
    acting = phase.still_in.right_of(dealer) if out == dealer else dealer
    hands = tuple(hand for hand in phase.board.hands if hand.player != out)
    board = replace(phase.board, dealer=acting, dropped_out=out, hands=hands, box=HAND)
    known = frozenset((card_of(phase.ground, EIGHTH_HAND),))
    return Step(convert(Swapping, phase, still_in=phase.still_in.without((out,)), board=board, known_in_box=known))


def exchange_hands(phase: DropOutDue | Swapping, event: HandExchanged) -> Step:
    """KA-4, KA-10. Each of the others may trade hands with the dealer, once. A declared hand stays. No chips move.

    KA-3: who of eight drops out is found before that, but a table may have done it otherwise.
    """
    if isinstance(phase, DropOutDue):
        refuse(event, EighthPlayerMustDropOut(card=card_of(phase.ground, EIGHTH_HAND)))
    need_in(phase, event.player, rule="KA-4")
    if event.player == phase.board.dealer:
        raise DealerCannotExchange(player=event.player)
    if event.player in phase.board.exchanged:
        raise ExchangedAlready(player=event.player)
    for player in (event.player, phase.board.dealer):
        if player in phase.board.three_pairs:
            raise DeclaredHandStays(player=player)
    board = replace(phase.board, exchanged=(*phase.board.exchanged, event.player))
    return Step(replace(phase, board=board))


def show_three_ones_late(phase: InPlay, event: ThreeOnesShown) -> Step:
    """KA-5. Noticed after the pile was opened, they end the round where the table says so; the pot stays as ever.

    KA-18: none of them may have been seen, but for those that their holder has discarded since.
    """
    refuse(event, ThreeOnesTooLate(ones=the_three_ones(phase.ground)))
    own = {card for turn in phase.board.turns if turn.player == event.player for card in turn.named}
    need_unseen(phase.board, tuple(one for one in the_three_ones(phase.ground) if one not in own))
    return show_three_ones(phase, event)


def show_three_ones(phase: Swapping | InPlay, event: ThreeOnesShown) -> Step:
    """KA-5. The 1s of swords, cups and coins end the round before play: three shares each. The pot stays."""
    need_in(phase, event.player, rule="KA-5")
    for one in the_three_ones(phase.ground):
        if one in phase.ground.set_aside:
            raise CardSetAside(rule="KA-18", card=one)
    return end(phase, event.player, pay_shares(phase, event.player, "three_ones_share"), three_ones=True)


def open_pile(phase: Swapping, event: StarterRevealed) -> Step:
    """KA-6. A box card opens the pile and counts as the dealer's play; the first turn is the dealer's."""
    dealer, top = phase.board.dealer, Top(event.card, from_box=True)
    board = replace(phase.board, starter=event.card, pile_top=top, box=phase.board.box - 1, pile=1)
    known = phase.known_in_box - {event.card}
    return Step(convert(Turn, phase, player=dealer, last_discarder=dealer, board=board, known_in_box=known))


def declare_three_pairs(phase: Swapping | InPlay, event: ThreePairsDeclared) -> Step:
    """KA-10. A hand of three pairs may be declared once, before its owner's first discard."""
    need_in(phase, event.player, rule="KA-10")
    if phase.ground.rules.sequence == "plain":
        raise NoThreePairs
    if event.player in phase.board.three_pairs:
        raise ThreePairsAlready(player=event.player)
    left = cards_left(phase.board, event.player)
    if left < HAND:
        raise ThreePairsTooLate(player=event.player, left=left, hand=HAND)
    board = replace(phase.board, three_pairs=(*phase.board.three_pairs, event.player))
    return Step(replace(phase, board=board))


def play_turn(phase: Turn, event: TurnPlayed) -> Step:
    """KA-6, KA-7. Turns go counter-clockwise; in a turn any number of cards go down, one after the other.

    KA-18: a hand has no seventh card.
    """
    need_in(phase, event.player, rule="KA-6")
    if event.player != phase.player:
        refuse(event, OutOfTurn(rule="KA-6", expected=phase.player, player=event.player))
    turn = event.taken(phase.board.box_card)
    if event.discards > (left := cards_left(phase.board, event.player)):
        raise MoreThanTheHand(player=event.player, count=event.discards, at_most=left)
    need_unseen(phase.board, turn.named)
    need_in_some_hand(phase, turn.named)
    need_sequence(phase, event, turn.cards or ())
    board = replace(phase.board, turns=(*phase.board.turns, turn), box_card=None)
    return discard(phase, board, turn) if turn.count else pass_turn(phase, board, turn)


def pass_turn(phase: Turn, board: Board, turn: TurnTaken) -> Step:
    """KA-12. A turn without a discard costs its shares, into the pot. Whether the player could have is not checked."""
    rules = phase.ground.rules
    cost = pay(turn.player, POT, in_chips(rules, rules.empty_turn_shares), "empty_turn")
    passed = replace(phase, board=board, passed=phase.passed | {turn.player}, pot=phase.pot + pot_change(cost))
    return Step(next_turn(passed, turn.player), cost)


def discard(phase: Turn, board: Board, turn: TurnTaken) -> Step:
    """KA-7, KA-15. The cards leave the hand for the pile; the first hand emptied wins."""
    hands = tuple(replace(h, left=h.left - turn.count) if h.player == turn.player else h for h in board.hands)
    top = Top(turn.named[-1]) if turn.named else None
    board = replace(board, hands=hands, pile=board.pile + turn.count, pile_top=top)
    laid = replace(phase, board=board, last_discarder=turn.player, passed=frozenset())
    return Step(next_turn(laid, turn.player)) if cards_left(board, turn.player) else win(laid, turn)


def next_turn(phase: InPlay, just_played: PlayerId) -> Phase:
    """KA-6. The turn goes to the right."""
    return begin_turn(convert(Turn, phase, player=phase.still_in.right_of(just_played)))


def begin_turn(turn: Turn) -> Phase:
    """KA-13. If a box card is due, it comes before the turn."""
    if not box_card_is_due(turn):
        return turn
    return convert(BoxDue, turn) if turn.board.box else after_empty_box(turn)


def box_card_is_due(phase: InPlay) -> bool:
    """KA-13. It is the last discarder's turn again, and everyone else has passed since; box cards change nothing."""
    back = phase.player == phase.last_discarder
    return back and phase.passed.issuperset(others(phase, phase.last_discarder))


def no_box_card(phase: Turn) -> Refused:
    """KA-13, KA-14. Say why no box card is turned in this turn, and what is to be done instead."""
    if phase.board.box_card:
        return BoxCardTurnedAlready(card=phase.board.box_card, player=phase.player)
    if isinstance(phase, LeadAny):
        return BoxIsEmpty(player=phase.player)
    player = phase.last_discarder
    discarded = any(turn.count for turn in phase.board.turns)
    since = say("since {player:player} discarded", player=player) if discarded else say("since the pile was opened")
    return NoBoxCardIsDue(player=player, since=since)


def turn_box_card(phase: BoxDue, event: BoxCardRevealed) -> Step:
    """KA-13. The last discarder turns a box card onto the pile, for nothing, and then plays the turn."""
    need_in_box(phase, event.card)
    top = Top(event.card, from_box=True)
    box, pile = phase.board.box - 1, phase.board.pile + 1
    board = replace(phase.board, box_card=event.card, pile_top=top, box=box, pile=pile)
    return Step(convert(Turn, phase, board=board, known_in_box=phase.known_in_box - {event.card}))


def after_empty_box(phase: InPlay) -> Phase:
    """KA-14. A card is due from an empty box: the pile is shuffled, or anything may be played, or the round is void."""
    match phase.ground.rules.box_empty:
        case "reshuffle":
            return convert(BoxDue, reshuffled(phase))
        case "lead_any":
            return convert(LeadAny, phase)
        case "void":
            return call_off(phase)


def reshuffled(phase: InPlay) -> InPlay:
    """KA-14. All of the pile but its top card becomes the box; those cards may be seen again."""
    under = frozenset(seen(phase.board)).difference(phase.ground.set_aside)
    if phase.board.pile_top:
        under -= {phase.board.pile_top.card}
    board = replace(phase.board, box=phase.board.pile - 1, pile=1)
    return replace(phase, board=board, known_in_box=under)


def call_off(phase: InPlay) -> Over:
    """KA-14. Nobody wins a void round: the pot stays, and the same dealer deals again."""
    return Over(ground=phase.ground, pot=phase.pot, last=phase, outcome=Void(next_dealer=phase.ground.dealer))


def drop_out_for_a_share(phase: InPlay, event: PlayerDroppedOut) -> Step:
    """KA-19. On their turn, before their first discard, players may leave the round for a share into the pot.

    The last player left in takes the pot, and no shares.
    """
    need_in(phase, event.player, rule="KA-19")
    if phase.ground.rules.dropping_out == "off":
        raise NobodyDropsOut
    if (left := cards_left(phase.board, event.player)) < HAND:
        raise DropOutTooLate(player=event.player, left=left, hand=HAND)
    if event.player != phase.player:
        refuse(event, OutOfTurn(rule="KA-19", expected=phase.player, player=event.player))
    cost = pay(event.player, POT, in_chips(phase.ground.rules, 1), "dropped_out")
    fewer = replace(without(phase, event.player), pot=phase.pot + pot_change(cost))
    if len(fewer.still_in) == 1:
        (winner,) = fewer.still_in
        won = end(fewer, winner, pay(POT, winner, fewer.pot, "pot_won"))
        return Step(won.phase, cost + won.transfers)
    goes_on = isinstance(fewer, BoxDue | LeadAny) or fewer.board.box_card is not None
    return Step(fewer if goes_on else begin_turn(convert(Turn, fewer)), cost)


def without(phase: InPlay, out: PlayerId) -> InPlay:
    """KA-19. The players still in; a dealer hands the opened pile on to the next of them, and with it the turn.

    The dealer's place is the last discarder's until someone discards. It is taken over as it stands: with a box card
    that is due, or was turned for this turn.
    """
    right = phase.still_in.right_of(out)
    dealer, last_discarder = phase.board.dealer, phase.last_discarder
    if out == last_discarder:
        dealer = last_discarder = right
    hands = tuple(hand for hand in phase.board.hands if hand.player != out)
    return replace(
        phase,
        still_in=phase.still_in.without((out,)),
        board=replace(phase.board, dealer=dealer, hands=hands),
        player=right if out == phase.player else phase.player,
        last_discarder=last_discarder,
    )


def win(phase: Turn, turn: TurnTaken) -> Step:
    """KA-15, KA-16. A share from each of the others, and the pot.

    Two shares for guri (グリ): all six cards in one turn, also after earlier turns without a discard.
    """
    guri = turn.count == HAND
    shares = pay_shares(phase, turn.player, "guri_share" if guri else "share")
    return end(phase, turn.player, shares + pay(POT, turn.player, phase.pot, "pot_won"), guri=guri)


def pay_shares(phase: KakkuriPhase, winner: PlayerId, reason: Reason) -> Transfers:
    """KA-5, KA-15, KA-16. Everyone else who is still in pays the winner."""
    amount = in_chips(phase.ground.rules, SHARES[reason])
    return tuple(t for player in others(phase, winner) for t in pay(player, winner, amount, reason))


def in_chips(rules: Rules, shares: int) -> Chips:
    """KA-2. So many shares, in the chips agreed for one."""
    return shares * rules.chips_per_share


def end(
    phase: KakkuriPhase, winner: PlayerId, paid: Transfers, *, guri: bool = False, three_ones: bool = False
) -> Step:
    """KA-17. The round is won, and the winner deals next."""
    outcome = KakkuriWon(winner=winner, guri=guri, three_ones=three_ones, payouts=payouts(paid), next_dealer=winner)
    return Step(Over(ground=phase.ground, pot=phase.pot + pot_change(paid), last=phase, outcome=outcome), paid)


# --- what may go on what --------------------------------------------------------------------------------------------


def need_sequence(phase: Turn, event: TurnPlayed, cards: Cards) -> None:
    """KA-7, KA-9, KA-10. Refuse cards that do not follow, as far as they are named and the table wants it checked."""
    rules = phase.ground.rules
    if rules.sequence == "off":
        return
    pairs = event.player in phase.board.three_pairs
    if pairs:
        need_pairs(rules, event, cards)
    top = None if isinstance(phase, LeadAny) else phase.board.pile_top
    sizes = play_sizes(rules, pairs=pairs)
    down = how_many_go_down(rules, top, sizes, cards)
    if down == len(cards):
        return
    alike = tuple(card for card in cards if face(rules, card).rank == face(rules, cards[down]).rank)
    if len(alike) == 2 and 3 in sizes and cards[down - 1 :] == alike:
        refuse(event, TwoOfANumber(cards=alike))
    elif on := Top(cards[down - 1]) if down else top:
        could = in_hands(phase) & all_that_go_on(phase.ground.deck, rules, on)
        could_follow = in_order(phase.ground, could.difference(cards[:down]))
        refuse(event, CardDoesNotFollow(card=cards[down], on=on.card, could_follow=could_follow))


def need_pairs(rules: Rules, event: TurnPlayed, cards: Cards) -> None:
    """KA-10. After three pairs two cards of one number go down at a time, also where only their number is known."""
    for first, *second in (cards[place : place + 2] for place in range(0, len(cards), 2)):
        if {face(rules, card).rank for card in second} != {face(rules, first).rank}:
            refuse(event, PairsOnly(player=event.player, card=first))
    if event.discards % 2:
        refuse(event, OddNumberOfCards(player=event.player, count=event.discards))


def how_many_go_down(rules: Rules, top: Top | None, sizes: tuple[int, ...], cards: Cards) -> int:
    """KA-7, KA-9, KA-10. Cut the cards into plays in every way that goes; say after how many a play can end at most.

    Three 6s on a 5 are one play of three; three 1s on a 1 may be one play or three. `top` is None where anything goes
    or it is unknown.
    """
    ends, lies_under = {0}, (top, *map(Top, cards))
    for start, size in product(range(len(cards)), sizes):
        together = cards[start : start + size]
        if start in ends and len(together) == size and goes_down(rules, lies_under[start], together):
            ends.add(start + size)
    return max(ends)


def play_sizes(rules: Rules, *, pairs: bool) -> tuple[int, ...]:
    """KA-9, KA-10. How many cards may go down together: one, or three of a number; two after declaring three pairs."""
    if pairs:
        return (2,)
    return (1, 3) if rules.sequence == "full" else (1,)


def goes_down(rules: Rules, under: Top | None, together: Cards) -> bool:
    """KA-9, KA-10. Cards of one number go down together where one of them could. On an unknown card anything goes."""
    one_number = len({face(rules, card).rank for card in together}) == 1
    return one_number and (under is None or any(may_go_on(rules, under, card) for card in together))


def may_go_on(rules: Rules, under: Top, card: Card) -> bool:
    """KA-7, KA-8, KA-9, KA-10, KA-11. Whether one card from the hand may go on another: every rule that lets it."""
    plain = is_next_number(rules, under, card) or is_wild(rules, card) or goes_on_a_king(rules, under, card)
    if rules.sequence == "plain":
        return plain
    return plain or repeats_a_low_number(rules, under, card) or lies_on_a_wild(rules, under)


def is_next_number(rules: Rules, under: Top, card: Card) -> bool:
    """KA-7. The next number on the pile."""
    return face(rules, card).rank == face(rules, under.card).rank + 1


def repeats_a_low_number(rules: Rules, under: Top, card: Card) -> bool:
    """KA-8. On a 1 or a 2 the same number may be played too."""
    return face(rules, card).rank == face(rules, under.card).rank in LOW_NUMBERS


def goes_on_a_king(rules: Rules, under: Top, card: Card) -> bool:
    """KA-7, KA-8. On a 12 any card, or only a 1; always any in the plain sequence."""
    wraps = rules.sequence == "full" and rules.after_king == "wrap"
    return face(rules, under.card).rank == KING and (not wraps or face(rules, card).rank == 1)


def is_wild(rules: Rules, card: Card) -> bool:
    """KA-11. The 1 of clubs and the 2 of coins go from the hand on anything."""
    return face(rules, card) in WILDS


def lies_on_a_wild(rules: Rules, under: Top) -> bool:
    """KA-11. Anything may follow a wild from the hand; turned from the box it is an ordinary 1 or 2."""
    return is_wild(rules, under.card) and not under.from_box


def in_hands(phase: KakkuriPhase) -> frozenset[Card]:
    """KA-3, KA-18. Every card that may still be in a hand: it is unseen, and not known to be in the box."""
    cards = frozenset(pack(phase.ground.deck, phase.ground.rules).in_deck_order)
    return cards.difference(seen(phase.board), phase.known_in_box, phase.ground.set_aside)


def cards_to_come(phase: Phase, _may_come: tuple[Expected, ...]) -> CardsToCome:
    """KA-3, KA-7, KA-14, KA-18. The cards that may still be seen, and those that could be the next one."""
    last = last_of(KakkuriPhase, phase)
    whole, in_box, hidden = pack(last.ground.deck, last.ground.rules), last.known_in_box, in_hands(last)
    left = hidden | in_box
    shown: dict[str, Collection[Card]] = {}
    turns: Mapping[Card, int] = {}
    match last:
        case Swapping():
            shown = {"starter_revealed": left}
        case Turn():
            turns = could_begin(last, hidden)
            shown = {"turn_played": turns}
        case BoxDue():
            shown = {"box_card_revealed": left if last.board.box > len(in_box) else in_box}
    return CardsToCome(
        left={**whole.copies, **{card.code: 0 for card in whole.in_deck_order if card not in left}},
        next={type_: tuple(card.code for card in whole.in_deck_order if card in some) for type_, some in shown.items()},
        together={card.code: turns[card] for card in whole.in_deck_order if turns.get(card, 1) > 1},
    )


def could_begin(phase: Turn, unseen: frozenset[Card]) -> Mapping[Card, int]:
    """KA-7, KA-8, KA-9, KA-10, KA-11. The cards that may begin a turn, and how many of its number go down with each."""
    rules, left = phase.ground.rules, cards_left(phase.board, phase.player)
    if rules.sequence == "off":
        return dict.fromkeys(unseen, 1)
    follow = all_that_go_on(phase.ground.deck, rules, None if isinstance(phase, LeadAny) else phase.board.pile_top)
    found = dict[Card, int]()
    for size in reversed(play_sizes(rules, pairs=phase.player in phase.board.three_pairs)):
        if size == 1:
            found |= dict.fromkeys(follow & unseen, 1)
        elif size <= left:
            for cards in by_number(phase.ground.deck, rules.western_courts):
                if len(alike := cards & unseen) >= size and alike & follow:
                    found |= dict.fromkeys(alike, size)
    return found


@cache
def by_number(deck: DeckName, courts: Courts) -> tuple[frozenset[Card], ...]:
    """KA-1. The cards of a pack, those of one number together."""
    faces = pack_of_48(deck, courts).faces
    return tuple(frozenset(card for card in faces if faces[card].rank == rank) for rank in range(1, KING + 1))


@lru_cache(maxsize=1024)
def all_that_go_on(deck: DeckName, rules: Rules, under: Top | None) -> frozenset[Card]:
    """KA-7, KA-8, KA-9, KA-10, KA-11. The cards of the pack that may go on one; or all of them."""
    return frozenset(card for card in pack(deck, rules).cards if under is None or may_go_on(rules, under, card))


# --- what happened, in plain sentences ------------------------------------------------------------------------------


def explain(over: Over) -> tuple[Sentence, ...]:
    """Say what the pot was made of, who won and how, who paid what, who dropped out, and who deals next."""
    last, outcome = last_of(KakkuriPhase, over), over.outcome
    return (
        pot_held(last.pot, made_of(last)),
        *(explain_win(last, outcome) if isinstance(outcome, KakkuriWon) else explain_void(last)),
        *explain_drop_outs(last),
        say("{dealer:player} deals the next round.", dealer=outcome.next_dealer),
    )


def made_of(last: KakkuriPhase) -> Iterator[Sentence]:
    """KA-12, KA-19. What was carried over, and what turns without a discard and dropping out put in."""
    if carried := last.ground.carried:
        yield say("{amount:chips} carried over", amount=carried)
    for_leaving = in_chips(last.ground.rules, len(out_for_a_share(last)))
    if empty_turns := last.pot - carried - for_leaving:
        yield say("{amount:chips} for turns without a discard", amount=empty_turns)
    if for_leaving:
        yield say("{amount:chips} for dropping out", amount=for_leaving)


def explain_win(last: KakkuriPhase, outcome: KakkuriWon) -> Iterator[Sentence]:
    """KA-5, KA-15, KA-16. Who won and how, what each of the others paid, and what becomes of the pot."""
    winner, rules = outcome.winner, last.ground.rules
    shares = SHARES["three_ones_share" if outcome.three_ones else "guri_share" if outcome.guri else "share"]
    paid = {"winner": winner, "payers": others(last, winner), "each": in_chips(rules, shares)}
    if outcome.three_ones:
        ones = {"winner": winner, "ones": the_three_ones(last.ground)}
        yield (
            say("{winner:player} showed the three 1s after the pile was opened: {ones:cards}.", **ones)
            if isinstance(last, InPlay)
            else say("{winner:player} showed the three 1s before play: {ones:cards}.", **ones)
        )
        yield say("{payers:players} paid {winner:player} three shares, {each:chips} each.", **paid)
    elif outcome.guri:
        yield say("{winner:player} put down all six cards in one turn: guri.", winner=winner)
        yield say("{payers:players} paid {winner:player} two shares, {each:chips} each.", **paid)
    elif last.still_in == (winner,):
        yield say("All others had dropped out, so {winner:player} won; nobody paid a share.", winner=winner)
    else:
        yield say("{winner:player} was the first to put down all six cards.", winner=winner)
        yield say("{payers:players} paid {winner:player} one share, {each:chips} each.", **paid)
    if last.pot and outcome.three_ones:
        yield say("{pot:chips} stayed in the pot for the next round.", pot=last.pot)
    elif last.pot:
        yield say("{winner:player} took the whole pot: {pot:chips}.", winner=winner, pot=last.pot)


def explain_void(last: KakkuriPhase) -> Iterator[Sentence]:
    """KA-14. Why nobody won, and what becomes of the pot."""
    yield say("The round was void: a card was due from the box, and the box was empty.")
    yield nobody_was_paid(last.pot)


def explain_drop_outs(last: KakkuriPhase) -> Iterator[Sentence]:
    """KA-3, KA-19. Who of eight was out of this round, and who left it for a share."""
    if last.board.dropped_out is not None:
        yield say("{player:player} had dropped out, and neither paid nor won anything.", player=last.board.dropped_out)
    if out := out_for_a_share(last):
        yield say(
            "{players:players} had dropped out for a share of {share:chips}, and neither paid nor won at the end.",
            players=out,
            share=in_chips(last.ground.rules, 1),
        )


# --- small helpers --------------------------------------------------------------------------------------------------


def pack(deck: DeckName, rules: Rules) -> Pack:
    """KA-1. The 48 cards; a western pack has no tens, and its courts stand in as the table agreed."""
    return pack_of_48(deck, rules.western_courts)


def face(rules: Rules, card: Card) -> Face:
    """KA-1. What a card stands for at this table. Raises ValueError for a card that no pack of 48 has."""
    if (stands_for := card.face(rules.western_courts)) is None:
        raise ValueError(f"{card} stands for no card of this game")
    return stands_for


def in_order(ground: KakkuriGround, cards: Collection[Card]) -> Cards:
    """KA-1. Cards as they stand in the pack, lowest number first."""
    in_pack = (card for card in pack(ground.deck, ground.rules).cards if card in cards)
    return tuple(sorted(in_pack, key=lambda card: face(ground.rules, card).rank))


def the_three_ones(ground: KakkuriGround) -> Cards:
    """KA-5. The three 1s as this deck has them."""
    return tuple(card_of(ground, one) for one in THREE_ONES)


def card_of(ground: KakkuriGround, wanted: Face) -> Card:
    """KA-1. The card of this deck that stands for a suit and a number."""
    return next(card for card, stands_for in pack(ground.deck, ground.rules).faces.items() if stands_for == wanted)


def need_in(phase: KakkuriPhase, player: PlayerId, rule: str) -> None:
    """KA-3. Refuse who does not sit in this round, or has dropped out of it."""
    phase.ground.need(player, rule)
    if player not in phase.still_in:
        raise OutOfThisRound(rule="KA-3" if player == phase.board.dropped_out else "KA-19", player=player)


def need_unseen(board: Board, cards: Cards) -> None:
    """KA-18. No card is seen twice in a round."""
    before = set(seen(board)) if cards else set()
    for place, card in enumerate(cards):
        if card in before:
            raise CardAlreadySeen(rule="KA-18", card=card, where=where_seen(board, card))
        if card in cards[:place]:
            raise CardAlreadySeen(rule="KA-18", card=card, where=say("it is named twice in this turn"))


def need_in_some_hand(phase: InPlay, cards: Cards) -> None:
    """KA-3. Refuse to discard what is in the box for certain. After a reshuffle all of that has been seen already."""
    for card in cards:
        if card in phase.known_in_box:
            raise NotInAnyHand(card=card, player=phase.board.dropped_out)


def need_in_box(phase: BoxDue, card: Card) -> None:
    """KA-3, KA-14, KA-18. Refuse a box card that cannot be in the box.

    There may be any card that is known to be there. Anything else must never have been seen, and there must be room
    for it: as many cards as the box holds beyond the known ones. In the first box those are the cards that were not
    dealt; after a reshuffle, what went down by number alone.
    """
    known = phase.known_in_box
    if card in known:
        return
    need_unseen(phase.board, (card,))
    if phase.board.box == len(known):
        first_box = known.isdisjoint(seen(phase.board))
        raise NotInTheBox(rule="KA-3" if first_box else "KA-14", card=card, left=in_order(phase.ground, known))


def take_from_box(phase: Phase, card: Card) -> Phase:
    """KA-3, KA-18. A hand has six cards, so one that is set aside is one of the box, of which one is left at least."""
    last = last_of(KakkuriPhase, phase)
    known, box = last.known_in_box, last.board.box
    if box <= 1 or (card not in known and box == len(known)):
        raise NotSetAside(card=card, box=box)
    return replace(last, board=replace(last.board, box=box - 1), known_in_box=known - {card})


def seen(board: Board) -> Iterator[Card]:
    """KA-18. Every card seen in this round so far, in the order it was seen."""
    if board.starter:
        yield board.starter
    for turn in board.turns:
        if turn.box_card:
            yield turn.box_card
        yield from turn.named
    if board.box_card:
        yield board.box_card


def where_seen(board: Board, card: Card) -> Sentence:
    """KA-18. Where a card was seen last; after a reshuffle that may have been before."""
    if card is board.box_card:
        return say("it was turned from the box")
    for turn in reversed(board.turns):
        if card in turn.named:
            return say("{player:player} discarded it", player=turn.player)
        if card is turn.box_card:
            return say("it was turned from the box")
    return say("it opened the pile")


def cards_left(board: Board, player: PlayerId) -> int:
    """KA-18. How many cards a player still holds."""
    return next(hand.left for hand in board.hands if hand.player == player)


def others(phase: KakkuriPhase, player: PlayerId) -> Seats:
    """KA-3, KA-15. Everyone else who is still in, from the player's right."""
    return phase.still_in.starting_with(player).without((player,))


def may_exchange(phase: KakkuriPhase) -> Seats:
    """KA-4, KA-10. Who may still trade hands with the dealer: nobody once the dealer has declared three pairs."""
    if phase.board.dealer in phase.board.three_pairs:
        return Seats()
    return phase.still_in.without((phase.board.dealer, *phase.board.exchanged, *phase.board.three_pairs))


def may_declare(phase: KakkuriPhase) -> Seats:
    """KA-10. Who may still declare three pairs."""
    if phase.ground.rules.sequence == "plain":
        return Seats()
    begun = (hand.player for hand in phase.board.hands if hand.left < HAND)
    return phase.still_in.without((*begun, *phase.board.three_pairs))


def may_drop_out(phase: InPlay) -> Seats:
    """KA-19. The player on turn, before that player's first discard; nobody where the table does not play it."""
    allowed = phase.ground.rules.dropping_out != "off" and cards_left(phase.board, phase.player) == HAND
    return Seats((phase.player,) if allowed else ())


def out_for_a_share(phase: KakkuriPhase) -> Seats:
    """KA-19. Who has left the round for a share; the eighth player left it for nothing."""
    return phase.ground.seats.without((*phase.still_in, *filter(None, (phase.board.dropped_out,))))


def any_of(**may_report: Seats) -> Iterator[Expected]:
    """KA-4, KA-10, KA-19. What may be reported of any of these players; nothing of nobody."""
    return (Expected(type=name, players=players) for name, players in may_report.items() if players)


def board(phase: Phase) -> Board:
    return last_of(KakkuriPhase, phase).board


BOOK = RuleBook(
    name="kakkuri",
    version=1,
    title=say("Kakkuri"),
    seats=range(7, 9),
    seats_row="KA-1",
    seats_overruled=2,
    cards_row="KA-18",
    decks=("mekurifuda", "western", "hanafuda"),
    rules=Rules,
    speaks_of_numbers=True,
    events=(
        PlayerDroppedOut,
        HandExchanged,
        ThreeOnesShown,
        StarterRevealed,
        ThreePairsDeclared,
        TurnPlayed,
        BoxCardRevealed,
    ),
    fields={"count": say("Number of cards"), "top": say("Card now on the pile")},
    forms=(
        Form(PlayerDroppedOut, "out <player>"),
        Form(HandExchanged, "swap <player>"),
        Form(ThreeOnesShown, "three-ones <player>"),
        Form(StarterRevealed, "starter <card>"),
        Form(ThreePairsDeclared, "pairs <player>"),
        Form(BoxCardRevealed, "box <card>"),
        Form(TurnPlayed, "<player> <cards>"),
        Form(TurnPlayed, "<player> <count> [top=<top:card>]"),
        Form(TurnPlayed, "<player>"),
    ),
    written=written_in(pack, "KA-1"),
    phases=(DropOutDue, Swapping, Turn, LeadAny, BoxDue),
    outcomes=(KakkuriWon, Void),
    reasons={
        "empty_turn": say("Turn without a discard"),
        "dropped_out": say("Dropped out"),
        "share": say("Share"),
        "guri_share": say("Shares for guri"),
        "three_ones_share": say("Shares for the three 1s"),
        "pot_won": say("Pot won"),
    },
    tallies=(Tally("guri", say("Guri"), guri), Tally("empty_turns", say("Turns without a discard"), empty_turns)),
    open_round=open_round,
    play=play,
    expected=expected,
    cards=cards_to_come,
    board=board,
    set_aside=take_from_box,
    explain=explain,
    why_no_odds=say("At Kakkuri nobody can know the chances: the cards that decide lie hidden."),
    deal_passes="winner",
)
