"""Shirinma (しりんま, 尻馬): a showdown for 12 to 23 players, with an auction on every good card.

Everyone antes, everyone is dealt a card a turn. Whoever gets a showdown card pays for it, and the others may bid to
ride on its back: half the rights to that card. The bottom card of the deck shows trump; the strongest showdown card
of that suit takes the pot, its back-rider (尻馬) half of it. A forfeited round leaves the pot for the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Annotated, Literal

from ledger.i18n.sentences import Sentence, say, template
from ledger.records import Record, convert, doc, replace
from ledger.rulebook.cards import Card, CardOrPlain, Courts, DeckName, Face, Pack, Suit, pack_of_48
from ledger.rulebook.chips import Transfers, nobody_was_paid, pay, payouts, pot_change, pot_held
from ledger.rulebook.event import Event, Form, refuse
from ledger.rulebook.exposing import CardSetAside
from ledger.rulebook.phase import CardsToCome, Expected, Ground, Outcome, Over, Payouts, Phase, Seats, Step, last_of
from ledger.rulebook.refusal import CardAlreadySeen, OutOfPlace, OutOfTurn, Refused, written_in
from ledger.rulebook.rule_book import RuleBook, switch, switch_of_western_courts
from ledger.rulebook.tallies import Tally, chips_paid, times_paid
from ledger.rulebook.values import POT, Amount, Chips, PlayerId, Reason, Stake

# --- ground rules ---------------------------------------------------------------------------------------------------

DRAGON, MAID, HORSE, KING = 1, 10, 11, 12
SHOWDOWN_RANKS = (DRAGON, MAID, HORSE, KING)
"""SH-6. In ascending order of strength, as SH-13 has it."""

LOW_BOTTOM_RANKS = (2, 3)
PLAIN_CARDS = 32
"""Cards in the pack that are not showdown cards."""

MAX_PLAYERS_FOR_A_THIRD_DEAL = 15
LAST_DEAL = 3
CARDS_TO_DEAL = 46
"""All 48 but the field card and the bottom card."""
NOBODY = Seats()


class Payments(Record):
    """SH-2. What each rank of showdown card costs, in chips."""

    dragon: Annotated[Stake, switch("SH-2", say("For a 1"), say("What a 1 costs whoever is dealt it, in chips."))] = 0
    maid: Annotated[Stake, switch("SH-2", say("For a 10"), say("What a 10 costs whoever is dealt it, in chips."))] = 10
    horse: Annotated[
        Stake, switch("SH-2", say("For an 11"), say("What an 11 costs whoever is dealt it, in chips."))
    ] = 20
    king: Annotated[Stake, switch("SH-2", say("For a 12"), say("What a 12 costs whoever is dealt it, in chips."))] = 30


class Rules(Record):
    """The house rules a table agrees on. Chips are whole."""

    ante: Annotated[
        Stake, switch("SH-2", say("Ante"), say("What everyone puts into the pot when a round opens, in chips."))
    ] = 20
    payments: Annotated[
        Payments,
        switch(
            "SH-2", say("Card payments"), say("What a showdown card costs whoever is dealt it, in chips, into the pot.")
        ),
    ] = Payments()
    min_bid: Annotated[
        Amount, switch("SH-7", say("Lowest bid"), say("The least that a first bid for a card may be, in chips."))
    ] = 1
    min_increment: Annotated[
        Amount,
        switch("SH-7", say("Lowest raise"), say("By how many chips at least a bid has to beat the standing one.")),
    ] = 1
    third_deal: Annotated[
        Literal["none_received", "none_held"],
        switch(
            "SH-9",
            say("Third deal"),
            say("When 12 to 15 players are dealt a third card each."),
            none_received=say("When nobody received a showdown card in the second deal"),
            none_held=say("When nobody holds a showdown card after two deals"),
        ),
    ] = "none_received"
    odd_chip: Annotated[
        Literal["winner", "back_rider", "carry"],
        switch(
            "SH-14",
            say("Odd chip"),
            say("Where the odd chip goes when a pot is halved."),
            winner=say("To the winner"),
            back_rider=say("To the back-rider"),
            carry=say("It stays in the pot"),
        ),
    ] = "winner"
    dealer_on_forfeit: Annotated[
        Literal["rotate", "stay"],
        switch(
            "SH-16",
            say("Dealer after a forfeit"),
            say("Who deals after a round that nobody won."),
            rotate=say("The player to the right"),
            stay=say("The same dealer again"),
        ),
    ] = "rotate"
    western_courts: Annotated[Courts, switch_of_western_courts("SH-17")] = "JQK"


ShirinmaGround = Ground[Rules]


@cache
def showdown_ranks(deck: DeckName, courts: Courts) -> Mapping[CardOrPlain, int]:
    """SH-6. Dragons, Maids, Horses and Kings: the showdown cards of a pack, each with its rank."""
    faces = pack_of_48(deck, courts).faces
    return {card: stands_for.rank for card, stands_for in faces.items() if stands_for.rank in SHOWDOWN_RANKS}


# --- what lies on the table -----------------------------------------------------------------------------------------


class Bid(Record):
    """A bid in chips for half the rights to the card dealt last."""

    player: Annotated[PlayerId, doc("The id of the player who bids.")]
    amount: Annotated[Amount, doc("The bid in chips.")]


class Holding(Record):
    """A card before its owner: in which deal it came, what was paid for it, and who rides on its back for how much."""

    player: Annotated[PlayerId, doc("The id of the card's owner.")]
    card: Annotated[CardOrPlain, doc("The card; `plain` if it is no showdown card and was not noted.")]
    deal: Annotated[int, doc("The deal in which the card came, 1 to 3.")]
    paid: Annotated[Chips, doc("The chips that were paid into the pot for the card.")] = 0
    bids: Annotated[tuple[Bid, ...], doc("The bids for half the rights to the card, in order.")] = ()
    back_rider: Annotated[
        PlayerId | None, doc("The id of the player who bought half the rights to the card; null if nobody did.")
    ] = None

    @property
    def winning_bid(self) -> Chips:
        """What the back-rider paid, in chips."""
        return max(bid.amount for bid in self.bids) if self.back_rider else 0


class Board(Record):
    """What lies on the table, for all to see. SH-17: `trump` is called as the deck calls it."""

    field_card: Annotated[Card | None, doc("The card that was laid face up; null until then.")] = None
    dealt: Annotated[tuple[Holding, ...], doc("The cards that were dealt, each with its owner.")] = ()
    bottom_card: Annotated[Card | None, doc("The card that shows the trump; null until then.")] = None
    trump: Annotated[str | None, doc("The suit that is trump, as the deck calls it; null until it is shown.")] = None


# --- what can be reported -------------------------------------------------------------------------------------------


class FieldCardRevealed(Event):
    """The dealer laid the field card face up."""

    label = say("Lay the field card")
    told = (template("The field card: {card}"),)

    card: Annotated[Card, doc("The field card.")]


class CardDealt(Event):
    """A player was dealt a card. Which it was need not be noted of one that is not a showdown card."""

    label = say("Deal a card")
    told = (template("Dealt to {player}: {card}"),)

    player: Annotated[PlayerId, doc("The id of the player who was dealt the card.")]
    card: Annotated[
        CardOrPlain,
        doc(
            "The card; `plain` if it is no showdown card and was not noted.",
            extra={"values": {"plain": say("Plain card")}, "matters": partial(showdown_ranks, courts="JQK")},
        ),
    ]


class BidPlaced(Event):
    """A player bid for half the rights to the card dealt last."""

    label = say("Bid")
    told = (template("{player} bids {amount}"),)

    player: Annotated[PlayerId, doc("The id of the player who bids.")]
    amount: Annotated[Amount, doc("The bid in chips.")]


class AuctionClosed(Event):
    """Nobody bids any more. Optional: the next card or the trump closes the auction too."""

    label = say("Close the auction")
    told = (template("The auction was closed"),)


class TrumpRevealed(Event):
    """The deck was turned over; its bottom card shows trump."""

    label = say("Show the trump")
    told = (template("The bottom card: {card}"),)

    card: Annotated[Card, doc("The bottom card, whose suit is trump.")]


# --- where the round can stand --------------------------------------------------------------------------------------


class ShirinmaPhase(Phase, kw_only=True):
    """What is common to a running round: who is still to be dealt to in this deal, and what lies on the table."""

    ground: ShirinmaGround
    deal: int = 1
    waiting: Seats = NOBODY
    board: Board = Board()


class FieldDue(ShirinmaPhase, kw_only=True):
    """SH-4. The field card is to be laid."""

    label = say("The field card is due")


class Dealing(ShirinmaPhase, kw_only=True):
    """SH-5. The first player waiting is dealt the next card."""

    label = say("Dealing")


class Auction(ShirinmaPhase, kw_only=True):
    """SH-7. Half the rights to the card dealt last are for sale."""

    label = say("Auction")

    bids: tuple[Bid, ...] = ()

    @property
    def standing(self) -> Bid | None:
        """SH-8. The highest bid, and of equal ones the first: what the table let pass below it never takes the card."""
        return max(self.bids, key=lambda each: each.amount, default=None)

    @property
    def owner(self) -> PlayerId:
        return self.board.dealt[-1].player

    @property
    def least_bid(self) -> Chips:
        """The least that can be bid now, in chips; a standing bid that was overruled may be lower than the lowest."""
        rules, highest = self.ground.rules, self.standing
        return max(rules.min_bid, highest.amount + rules.min_increment) if highest else rules.min_bid


class Showdown(ShirinmaPhase, kw_only=True):
    """SH-11. Every deal is done; the bottom card is to be shown."""

    label = say("The trump is due")


# --- how it can end -------------------------------------------------------------------------------------------------

ForfeitReason = Literal["no_showdown_card", "low_bottom_card", "field_card_is_trump", "no_trump_held"]

FORFEITS: Mapping[str, Sentence] = {
    "no_showdown_card": say("nobody held a showdown card after the last deal"),
    "low_bottom_card": say("the bottom card was a 2 or a 3"),
    "field_card_is_trump": say("the card on the field was of the trump suit"),
    "no_trump_held": say("nobody held a showdown card of the trump suit"),
}
"""SH-10, SH-12. Why nobody wins, in the order in which the reasons are listed."""


class ShirinmaWon(Outcome, kw_only=True):
    """The strongest showdown card of the trump suit won, for its owner and whoever rode on its back."""

    result: Literal["won"] = "won"
    winner: Annotated[PlayerId, doc("The id of the winner.")]
    card: Annotated[Card, doc("The card that won.")]
    back_rider: Annotated[
        PlayerId | None, doc("The id of the player who bought half the rights to that card; null if nobody did.")
    ]

    @property
    def won_by(self) -> PlayerId:
        return self.winner


class ShirinmaForfeited(Outcome, kw_only=True):
    """Nobody won, for every reason that applies, and the pot stays."""

    result: Literal["forfeited"] = "forfeited"
    payouts: Payouts = ()
    reasons: Annotated[tuple[ForfeitReason, ...], doc("Every reason for which nobody won.")]

    @property
    def forfeited_for(self) -> tuple[ForfeitReason, ...]:
        return self.reasons

    @property
    def ended_by(self) -> str | None:
        """SH-10. A round in which nobody holds a showdown card is over without a trump."""
        return "SH-10" if "no_showdown_card" in self.reasons else None


def brought_by_riding(over: Over, _moved: object) -> Mapping[PlayerId, Chips]:
    """SH-14. What half the rights to another player's card brought, the odd chip included."""
    outcome = over.outcome
    if not isinstance(outcome, ShirinmaWon) or outcome.back_rider is None:
        return {}
    rider = outcome.back_rider
    return {rider: sum(payout.amount for payout in outcome.payouts if payout.player == rider)}


# --- refusals -------------------------------------------------------------------------------------------------------


class NoAuctionOpen(Refused, rule="SH-8"):
    """No auction is open: bids are for the showdown card dealt last, until the next card or the trump."""


class BidOnOwnCard(Refused, rule="SH-7"):
    """Half the rights to {card:card} are for the others to buy: {player:player} owns it."""


class BidTooLow(Refused, rule="SH-7", overrulable=True):
    """A bid for this card has to be at least {at_least:chips}."""


class RaisedOwnBid(Refused, rule="SH-7", overrulable=True):
    """{player:player} holds the standing bid of {standing:chips} already; somebody else has to bid first."""


class DealsNotDone(Refused, rule="SH-11", overrulable=True):
    """The trump is shown when everyone has their cards: {expected:player} is still to be dealt one."""


class ThirdDealIsRunning(Refused, rule="SH-9", overrulable=True):
    """A third deal is running ({why:sentence}): {expected:player} is dealt to next, and the trump comes after it."""


class NoThirdDeal(Refused, rule="SH-9", overrulable=True):
    """There is no third deal ({why:sentence}): the bottom card is shown next."""


class NotEnoughCards(Refused, rule="SH-9"):
    """The deck has not enough cards to deal {count} players {deal} each: the bottom card is shown next."""


class NoFourthDeal(Refused, rule="SH-9"):
    """Nobody is dealt a fourth card: the bottom card is shown next."""


class OnlyTheBottomCardLeft(Refused, rule="SH-18"):
    """The one card left in the deck is the bottom card, which shows the trump and is not dealt."""


class NoPlainCardLeft(Refused, rule="SH-18"):
    """All {count} cards that are not showdown cards have been seen: this is a showdown card, or one before it was."""


# --- open_round -----------------------------------------------------------------------------------------------------


def open_round(ground: ShirinmaGround) -> Step:
    """SH-3. Every player antes, also on a carried pot."""
    antes = tuple(t for player in ground.seats for t in pay(player, POT, ground.rules.ante, "ante"))
    waiting = ground.seats.starting_with(ground.dealer)
    return Step(FieldDue(ground=ground, pot=ground.carried + pot_change(antes), waiting=waiting), antes)


# --- play -----------------------------------------------------------------------------------------------------------


def play(phase: Phase, event: Event) -> Step:
    """Say what an event does to a round: the table of contents of the rules below."""
    match phase, event:
        case FieldDue(), FieldCardRevealed():
            return reveal_field(phase, event)
        case Dealing(), CardDealt():
            return deal(phase, event)
        case Auction(), BidPlaced():
            return bid(phase, event)
        case Auction(), AuctionClosed():
            return close_auction(phase)
        case Auction(), CardDealt() | TrumpRevealed():
            closed = close_auction(phase)
            step = play(closed.phase, event)
            return Step(step.phase, closed.transfers + step.transfers)
        case Showdown(), TrumpRevealed():
            return show_down(phase, event)
        case ShirinmaPhase(), BidPlaced() | AuctionClosed():
            raise NoAuctionOpen
        case Dealing(), TrumpRevealed():
            return cut_short(phase, event)
        case Showdown(), CardDealt():
            return deal_once_more(phase, event)
    raise OutOfPlace(expected(phase))


def expected(phase: Phase) -> tuple[Expected, ...]:
    match phase:
        case FieldDue():
            return (Expected(type="field_card_revealed"),)
        case Dealing() if cards_left(phase):
            return (Expected(type="card_dealt", player=phase.waiting[0]),)
        case Dealing() | Showdown():
            return (Expected(type="trump_revealed"),)
        case Auction():
            silent = (phase.owner, highest.player) if (highest := phase.standing) else (phase.owner,)
            bids = Expected(type="bid_placed", amount_at_least=phase.least_bid, not_players=silent)
            return (bids, *expected(close_auction(phase).phase), Expected(type="auction_closed"))
    return ()


# --- the rules, in playing order ------------------------------------------------------------------------------------


def reveal_field(phase: FieldDue, event: FieldCardRevealed) -> Step:
    """SH-4. One field card, face up: nobody holds it, nobody pays for it."""
    need_unseen(phase, event.card)
    return Step(convert(Dealing, phase, board=replace(phase.board, field_card=event.card)))


def deal(phase: Dealing, event: CardDealt) -> Step:
    """SH-5. One card a turn from the dealer, counter-clockwise. SH-6: a showdown card is paid for and put up.

    SH-18: the last card of the deck is the bottom card, whatever the table overruled.
    """
    phase.ground.need(event.player, rule="SH-5")
    if event.player != phase.waiting[0]:
        refuse(event, OutOfTurn(rule="SH-5", expected=phase.waiting[0], player=event.player))
        phase = as_overruled(phase, event.player)
    if not cards_left(phase):
        raise OnlyTheBottomCardLeft
    need_unseen(phase, event.card)
    rank = showdown_rank(phase.ground, event.card)
    payment = pay(event.player, POT, *prices(phase.ground.rules.payments)[rank]) if rank else ()
    paid = pot_change(payment)
    holding = Holding(event.player, event.card, phase.deal, paid)
    board = replace(phase.board, dealt=(*phase.board.dealt, holding))
    waiting = still_waiting(phase.waiting, event.player)
    if rank:
        return Step(convert(Auction, phase, board=board, waiting=waiting, pot=phase.pot + paid), payment)
    return go_on(replace(phase, board=board, waiting=waiting))


def as_overruled(phase: Dealing, player: PlayerId) -> Dealing:
    """SH-5. A card to the dealer, who has one of this deal, begins the next: the deal went short, and is over."""
    went_short = player == phase.ground.dealer and player not in phase.waiting
    is_followed = phase.deal < LAST_DEAL and is_enough_for(phase, phase.deal + 1)
    return next_deal(phase) if went_short and is_followed else phase


def prices(payments: Payments) -> Mapping[int, tuple[Chips, Reason]]:
    """SH-2. What a showdown card of each rank costs, in chips, and what for."""
    return {
        DRAGON: (payments.dragon, "dragon_payment"),
        MAID: (payments.maid, "maid_payment"),
        HORSE: (payments.horse, "horse_payment"),
        KING: (payments.king, "king_payment"),
    }


def bid(phase: Auction, event: BidPlaced) -> Step:
    """SH-7. Anyone but the owner may bid, enough, and not over a standing bid of their own."""
    phase.ground.need(event.player, rule="SH-7")
    if event.player == phase.owner:
        raise BidOnOwnCard(player=event.player, card=phase.board.dealt[-1].card)
    if (highest := phase.standing) and highest.player == event.player:
        refuse(event, RaisedOwnBid(player=event.player, standing=highest.amount))
    if event.amount < (at_least := phase.least_bid):
        refuse(event, BidTooLow(at_least=at_least))
    return Step(replace(phase, bids=(*phase.bids, Bid(event.player, event.amount))))


def close_auction(phase: Auction) -> Step:
    """SH-8. Only the highest bidder pays, into the pot, and rides on that card's back. No bid, no rider."""
    highest = phase.standing
    if highest is None:
        return go_on(convert(Dealing, phase))
    winning = pay(highest.player, POT, highest.amount, "winning_bid")
    *others, card = phase.board.dealt
    ridden = replace(card, bids=phase.bids, back_rider=highest.player)
    board = replace(phase.board, dealt=(*others, ridden))
    further = go_on(convert(Dealing, phase, board=board, pot=phase.pot + highest.amount))
    return Step(further.phase, winning + further.transfers)


def go_on(phase: Dealing) -> Step:
    """SH-5, SH-9, SH-10, SH-11. The next card, the next deal, the showdown, or the end if nobody can win."""
    if phase.waiting:
        return Step(phase)
    if phase.deal == 1 or (phase.deal == 2 and third_deal_is_due(phase)):
        return Step(next_deal(phase))
    if not showdown_cards(phase):  # SH-10
        return forfeit(phase, ("no_showdown_card",))
    return Step(convert(Showdown, phase))


def next_deal(phase: ShirinmaPhase) -> Dealing:
    """SH-5. Every deal goes round from the dealer."""
    waiting = phase.ground.seats.starting_with(phase.ground.dealer)
    return convert(Dealing, phase, deal=phase.deal + 1, waiting=waiting)


def third_deal_is_due(phase: ShirinmaPhase) -> bool:
    """SH-9. Only with 12 to 15 players, and only if nothing speaks against it."""
    return len(phase.ground.seats) <= MAX_PLAYERS_FOR_A_THIRD_DEAL and not against_a_third_deal(phase)


def against_a_third_deal(phase: ShirinmaPhase) -> tuple[Holding, ...]:
    """SH-9. The showdown cards received in the second deal (or: held after it)."""
    deals = {"none_received": (2,), "none_held": (1, 2)}[phase.ground.rules.third_deal]
    return tuple(holding for holding in showdown_cards(phase) if holding.deal in deals)


def cut_short(phase: Dealing, event: TrumpRevealed) -> Step:
    """SH-9, SH-11. The trump waits for all cards, but a deal may have gone short, or a third one been left out."""
    if phase.deal <= 2 and cards_left(phase):
        refuse(event, DealsNotDone(expected=phase.waiting[0]))
    elif cards_left(phase):
        refuse(event, ThirdDealIsRunning(expected=phase.waiting[0], why=why_a_third_deal(phase)))
    return show_down(convert(Showdown, phase), event)


def deal_once_more(phase: Showdown, event: CardDealt) -> Step:
    """SH-9. A third deal that is not due is refused; where it was dealt all the same, it goes as the table dealt it."""
    phase.ground.need(event.player, rule="SH-5")
    if not is_enough_for(phase, phase.deal + 1):
        raise NotEnoughCards(count=len(phase.ground.seats), deal=phase.deal + 1)
    if phase.deal == LAST_DEAL:
        raise NoFourthDeal
    refuse(event, NoThirdDeal(why=why_no_third_deal(phase)))
    return deal(next_deal(phase), event)


def why_a_third_deal(phase: Dealing) -> Sentence:
    """SH-9. Why it is running."""
    if against_a_third_deal(phase):
        return say("the table began it all the same")
    if phase.ground.rules.third_deal == "none_received":
        return say("nobody received a showdown card in the second deal")
    return say("nobody held a showdown card after two deals")


def why_no_third_deal(phase: Showdown) -> Sentence:
    """SH-9. Which card speaks against it; the first will do."""
    holding = against_a_third_deal(phase)[0]
    if phase.ground.rules.third_deal == "none_received":
        return say("{player:player} received {card:card} in the second deal", player=holding.player, card=holding.card)
    return say("{player:player} holds {card:card}", player=holding.player, card=holding.card)


def show_down(phase: Showdown, event: TrumpRevealed) -> Step:
    """SH-11, SH-12, SH-13, SH-14, SH-15. The bottom card's suit is trump; the round is won or forfeited."""
    need_unseen(phase, event.card)
    bottom = face(phase.ground, event.card)
    shown = replace(phase, board=replace(phase.board, bottom_card=event.card, trump=event.card.suit))
    reasons = tuple(forfeit_reasons(shown, bottom))
    return forfeit(shown, reasons) if reasons else win(shown, strongest(shown, bottom.suit))


def forfeit_reasons(phase: ShirinmaPhase, bottom: Face) -> Iterator[ForfeitReason]:
    """SH-12. The ladder: no showdown card, a low bottom card, the field card of the trump suit, no trump held."""
    if not showdown_cards(phase):
        yield "no_showdown_card"
    if bottom.rank in LOW_BOTTOM_RANKS:
        yield "low_bottom_card"
    if phase.board.field_card and face(phase.ground, phase.board.field_card).suit == bottom.suit:
        yield "field_card_is_trump"
    if not trumps_held(phase, bottom.suit):
        yield "no_trump_held"


def strongest(phase: ShirinmaPhase, trump: Suit) -> Holding:
    """SH-13. King beats Horse beats Maid beats Dragon."""
    return max(trumps_held(phase, trump), key=lambda h: SHOWDOWN_RANKS.index(face(phase.ground, h.card).rank))


def win(phase: ShirinmaPhase, winner: Holding) -> Step:
    """SH-14, SH-16. The pot is paid out and the dealer's right deals next."""
    transfers = payout(phase.pot, winner, phase.ground.rules.odd_chip)
    outcome = ShirinmaWon(
        winner=winner.player,
        card=noted(winner.card),
        back_rider=winner.back_rider,
        payouts=payouts(transfers),
        next_dealer=phase.ground.seats.right_of(phase.ground.dealer),
    )
    pot = phase.pot + pot_change(transfers)
    return Step(Over(ground=phase.ground, pot=pot, last=phase, outcome=outcome), transfers)


def payout(pot: Chips, winner: Holding, odd_chip: Literal["winner", "back_rider", "carry"]) -> Transfers:
    """SH-14. All of the pot to the winner, or half each; the odd chip goes where the table agreed, or stays."""
    if winner.back_rider is None:
        return pay(POT, winner.player, pot, "pot_won")
    half, odd = divmod(pot, 2)
    halves = pay(POT, winner.player, half, "pot_won") + pay(POT, winner.back_rider, half, "half_rights")
    keeper = {"winner": winner.player, "back_rider": winner.back_rider}.get(odd_chip)
    return halves + (pay(POT, keeper, odd, "odd_chip") if keeper else ())


def forfeit(phase: ShirinmaPhase, reasons: tuple[ForfeitReason, ...]) -> Step:
    """SH-10, SH-15, SH-16. Nobody is paid, the pot stays, and the deal goes on unless the table lets it stay."""
    dealer, stays = phase.ground.dealer, phase.ground.rules.dealer_on_forfeit == "stay"
    next_dealer = dealer if stays else phase.ground.seats.right_of(dealer)
    outcome = ShirinmaForfeited(reasons=reasons, next_dealer=next_dealer)
    return Step(Over(ground=phase.ground, pot=phase.pot, last=phase, outcome=outcome))


# --- what happened, in plain sentences ------------------------------------------------------------------------------


def explain(over: Over) -> tuple[Sentence, ...]:
    """Say what the pot was made of, who won and why, who was paid what, and who deals next."""
    last, outcome = last_of(ShirinmaPhase, over), over.outcome
    return (
        pot_held(last.pot, made_of(last)),
        *explain_trump(last),
        *(explain_win(last, outcome) if isinstance(outcome, ShirinmaWon) else explain_forfeit(last, outcome)),
        say("{dealer:player} deals the next round.", dealer=outcome.next_dealer),
    )


def made_of(last: ShirinmaPhase) -> Iterator[Sentence]:
    """SH-2, SH-3, SH-8. What was carried over, what everyone put in, and what some did."""
    carried, each, count = last.ground.carried, last.ground.rules.ante, len(last.ground.seats)
    if carried:
        yield say("{amount:chips} carried over", amount=carried)
    if each:
        yield say("{amount:chips} in {count} antes of {each}", amount=each * count, count=count, each=each)
    if paid := sum(holding.paid for holding in last.board.dealt):
        yield say("{amount:chips} in card payments", amount=paid)
    if bids := sum(holding.winning_bid for holding in last.board.dealt):
        yield say("{amount:chips} in winning bids", amount=bids)


def explain_trump(last: ShirinmaPhase) -> Iterator[Sentence]:
    """SH-11. What the bottom card showed, if it was shown."""
    if card := last.board.bottom_card:
        yield say("The bottom card was {card:card}, so trump was {suit:suit}.", card=card, suit=last.board.trump)


def explain_win(last: ShirinmaPhase, outcome: ShirinmaWon) -> Iterator[Sentence]:
    """SH-13, SH-14. Who won with what, and how much."""
    yield say(
        "{winner:player} won with {card:card}, the strongest showdown card of the trump suit.",
        winner=outcome.winner,
        card=outcome.card,
    )
    if outcome.back_rider is None and last.pot:
        yield say(
            "Nobody had bought half the rights to that card, so {winner:player} took the whole pot: {pot:chips}.",
            winner=outcome.winner,
            pot=last.pot,
        )
    elif outcome.back_rider is None:
        yield say("There was nothing in the pot to be won.")
    else:
        yield from explain_ride(last, outcome)


def explain_ride(last: ShirinmaPhase, outcome: ShirinmaWon) -> Iterator[Sentence]:
    """SH-14. Who rode on the card that won, and for how much; who got how much, and where the odd chip went."""
    paid = {payout.reason: payout for payout in outcome.payouts}
    (price,) = (holding.winning_bid for holding in last.board.dealt if holding.card is outcome.card)
    half, ride = last.pot // 2, {"rider": outcome.back_rider, "price": price}
    if half:
        yield say(
            "{rider:player} had bought half the rights to that card for {price:chips}, so {winner:player} and "
            "{rider:player} took {half:chips} each.",
            winner=outcome.winner,
            half=half,
            **ride,
        )
    else:
        yield say("{rider:player} had bought half the rights to that card for {price:chips}.", **ride)
    if "odd_chip" in paid:
        yield say("The odd chip went to {player:player}.", player=paid["odd_chip"].player)
    elif last.pot % 2:
        yield say("The odd chip stayed in the pot for the next round.")


def explain_forfeit(last: ShirinmaPhase, outcome: Outcome) -> Iterator[Sentence]:
    """SH-10, SH-12, SH-15. Why nobody won, and what becomes of the pot."""
    reasons = tuple(FORFEITS[each] for each in outcome.forfeited_for)
    yield say("The round was forfeited: {reasons:list}.", reasons=reasons)
    yield nobody_was_paid(last.pot)


# --- small helpers --------------------------------------------------------------------------------------------------


def pack(deck: DeckName, rules: Rules) -> Pack:
    """SH-1, SH-17. The 48 cards; a western pack has no tens, and its courts stand in as the table agreed."""
    return pack_of_48(deck, rules.western_courts)


def noted(card: CardOrPlain) -> Card:
    """Give a card that was noted. Raises ValueError for one that was not."""
    if card == "plain":
        raise ValueError("a card that was not noted has no face")
    return card


def face(ground: ShirinmaGround, card: CardOrPlain) -> Face:
    """SH-17. What a card stands for. Only noted cards have a face."""
    return pack(ground.deck, ground.rules).faces[noted(card)]


def showdown_rank(ground: ShirinmaGround, card: CardOrPlain) -> int | None:
    """SH-6. The rank of a showdown card; None for any other."""
    return showdown_ranks(ground.deck, ground.rules.western_courts).get(card)


def showdown_cards(phase: ShirinmaPhase) -> tuple[Holding, ...]:
    """SH-6. The showdown cards that lie before players."""
    ranks = showdown_ranks(phase.ground.deck, phase.ground.rules.western_courts)
    return tuple(h for h in phase.board.dealt if h.card in ranks)


def trumps_held(phase: ShirinmaPhase, trump: Suit) -> tuple[Holding, ...]:
    """SH-12. The showdown cards of the trump suit."""
    return tuple(h for h in showdown_cards(phase) if face(phase.ground, h.card).suit == trump)


def is_enough_for(phase: ShirinmaPhase, deals: int) -> bool:
    """SH-18. Whether the deck has enough cards to deal everyone so many."""
    return deals * len(phase.ground.seats) <= CARDS_TO_DEAL - len(phase.ground.set_aside)


def cards_left(phase: ShirinmaPhase) -> int:
    """SH-18. How many cards can still be dealt: not the bottom card, nor those that fell open and were set aside."""
    return CARDS_TO_DEAL - len(phase.board.dealt) - len(phase.ground.set_aside)


def need_bottom_card(phase: Phase, _card: Card) -> Phase:
    """SH-18. One card at least is left to show the trump, whatever is set aside."""
    if isinstance(phase, ShirinmaPhase) and cards_left(phase) < 0:
        raise OnlyTheBottomCardLeft
    return phase


def still_waiting(waiting: Seats, dealt_to: PlayerId) -> Seats:
    """SH-5. Who is still to be dealt to in this deal, from the right of the one who just was."""
    if dealt_to not in waiting:
        return waiting
    place = waiting.index(dealt_to)
    return Seats(waiting[place + 1 :] + waiting[:place])


def need_unseen(phase: ShirinmaPhase, card: CardOrPlain) -> None:
    """SH-18. Field, dealt and bottom cards are all different, and only 32 of the 48 are plain."""
    if card in phase.ground.set_aside:
        raise CardSetAside(rule="SH-18", card=card)
    if card is phase.board.field_card:
        raise CardAlreadySeen(rule="SH-18", card=card, where=say("it is the field card"))
    for holding in phase.board.dealt:
        if holding.card is card and card != "plain":
            where = say("it was dealt to {player:player}", player=holding.player)
            raise CardAlreadySeen(rule="SH-18", card=card, where=where)
    if no_plain_card_is_left(phase) and not showdown_rank(phase.ground, card):
        raise NoPlainCardLeft(count=PLAIN_CARDS)


def no_plain_card_is_left(phase: ShirinmaPhase) -> bool:
    """SH-18. 32 cards are plain; they are only counted once so many lie before players and on the field."""
    if len(phase.board.dealt) + len(phase.ground.set_aside) + 1 < PLAIN_CARDS:
        return False
    showdown = showdown_ranks(phase.ground.deck, phase.ground.rules.western_courts)
    seen = (phase.board.field_card, *phase.ground.set_aside, *(holding.card for holding in phase.board.dealt))
    return sum(card is not None and card not in showdown for card in seen) >= PLAIN_CARDS


def cards_to_come(phase: Phase, may_come: tuple[Expected, ...]) -> CardsToCome:
    """SH-18. The unseen cards; `plain` is accepted as long as one of them is plain."""
    last = last_of(ShirinmaPhase, phase)
    ground, showdown = last.ground, showdown_ranks(last.ground.deck, last.ground.rules.western_courts)
    seen = (last.board.field_card, *(holding.card for holding in last.board.dealt))
    gone = [card for card in seen if card and card != "plain"]
    if no_plain_card := no_plain_card_is_left(last):
        gone += [card for card in pack(ground.deck, ground.rules).in_deck_order if card not in showdown]
    left = {**pack(ground.deck, ground.rules).copies, **{card.code: 0 for card in gone}}
    unseen = tuple(code for code, count in left.items() if count)
    to_deal = unseen if no_plain_card else (*unseen, "plain")
    shown = {"field_card_revealed": unseen, "card_dealt": to_deal if cards_left(last) else (), "trump_revealed": unseen}
    return CardsToCome(left=left, next={each.type: shown[each.type] for each in may_come if each.type in shown})


def board(phase: Phase) -> Board:
    """Give what lies on the table; bids in a running auction are already with their card."""
    last = last_of(ShirinmaPhase, phase)
    if isinstance(last, Auction):
        card = replace(last.board.dealt[-1], bids=last.bids)
        return replace(last.board, dealt=(*last.board.dealt[:-1], card))
    return last.board


BOOK = RuleBook(
    name="shirinma",
    version=1,
    title=say("Shirinma"),
    seats=range(12, 24),
    seats_row="SH-1",
    seats_overruled=2,
    cards_row="SH-18",
    decks=("mekurifuda", "western"),
    rules=Rules,
    events=(FieldCardRevealed, CardDealt, BidPlaced, AuctionClosed, TrumpRevealed),
    forms=(
        Form(FieldCardRevealed, "field <card>"),
        Form(CardDealt, "deal [<player>=]<card> [(bid …)] …"),
        Form(BidPlaced, "bid <player>=<amount> …"),
        Form(AuctionClosed, "bid closed …"),
        Form(TrumpRevealed, "trump <card>"),
    ),
    written=written_in(pack, "SH-1"),
    phases=(FieldDue, Dealing, Auction, Showdown),
    outcomes=(ShirinmaWon, ShirinmaForfeited),
    forfeits=FORFEITS,
    reasons={
        "ante": say("Ante"),
        "dragon_payment": say("Payment for a 1"),
        "maid_payment": say("Payment for a 10"),
        "horse_payment": say("Payment for an 11"),
        "king_payment": say("Payment for a 12"),
        "winning_bid": say("Winning bid"),
        "pot_won": say("Pot won"),
        "half_rights": say("Back-rider's half"),
        "odd_chip": say("Odd chip"),
    },
    tallies=(
        Tally("back_rides", say("Back-rides"), times_paid("winning_bid")),
        Tally("back_rides_cost", say("Paid for back-rides"), chips_paid("winning_bid")),
        Tally("back_rides_brought", say("Won by back-rides"), brought_by_riding),
    ),
    open_round=open_round,
    play=play,
    expected=expected,
    cards=cards_to_come,
    board=board,
    set_aside=need_bottom_card,
    explain=explain,
    deal_passes="right",
)
