"""The session's own rules: who sits at the table, who deals, what becomes of the pot, and what corrections mean.

A `Table` is where a session stands, a frozen record; `take(table, event)` is what an event does to it, as `play` is for
a round: the next table and the chips that moved, or a refusal. What belongs to the game is handed on to its rule book,
which is given, not known. Corrections change nothing by themselves: `timeline` reads off a log which events stand, and
in what order they count.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Annotated, Any, Literal, NamedTuple

from ledger.play import (
    BANK,
    MOST_CHIPS,
    POT,
    Account,
    Amount,
    Between,
    Chips,
    Event,
    Form,
    Ground,
    Kind,
    Over,
    Phase,
    PlayerId,
    Reason,
    Refused,
    RuleBook,
    Seating,
    Seats,
    Stake,
    Step,
    Transfer,
    Transfers,
    Words,
    event_type,
    pay,
    payouts,
    pot_change,
)
from ledger.sentences import Sentence, say

Seq = Annotated[int, Between(1, 2**53 - 1)]
"""An event's number in its session: 1, 2, 3 …"""
PersonName = Annotated[str, Kind("words", most=100)]

# --- what lies on the table -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who sits, or sat, at this table. `active` is false for one who has left."""

    id: PlayerId
    name: PersonName
    active: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered(Phase):
    """Where a round stood that is known only by its totals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round: the rule book and the ground it is played on, where it stands, and who paid what into its pot."""

    number: int
    book: RuleBook[Any]
    ground: Ground[Any]
    phase: Any
    paid_in: Mapping[PlayerId, Chips] = field(default_factory=dict)
    void_reason: Words | None = None
    overruled: tuple[tuple[str, Words], ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether the round still goes on."""
        return not isinstance(self.phase, Over)

    @property
    def is_entered(self) -> bool:
        """Whether the round is known only by its totals."""
        return isinstance(self.phase, Over) and isinstance(self.phase.last, Entered)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Where a session stands.

    `rule_books` are the game's rule books by version, `players` everyone who ever sat down, in the order of their ids.
    `round` is the newest round, open or over. `pot` is in chips; `stakes` says who put into it what has not been won.
    """

    rule_books: Mapping[int, RuleBook[Any]]
    deck: Any
    rules: Any
    players: tuple[Player, ...]
    seating: Seating
    pot: Chips = 0
    stakes: Mapping[PlayerId, Chips] = field(default_factory=dict)
    round: Round | None = None
    status: Literal["open", "closed"] = "open"

    @property
    def open_round(self) -> Round | None:
        """The round that is being recorded, if one is."""
        return self.round if self.round and self.round.is_open else None

    @property
    def rounds(self) -> int:
        """How many rounds there have been, the open one included."""
        return self.round.number if self.round else 0

    @property
    def next_id(self) -> PlayerId:
        """The id that somebody new would get."""
        return f"p{max(map(number_of, self.players), default=0) + 1}"

    def player(self, player: PlayerId) -> Player | None:
        """Find a player by id, also one who has left."""
        return next((p for p in self.players if p.id == player), None)


@dataclass(frozen=True, slots=True)
class ChipValue:
    """What a chip is worth: an ISO 4217 currency and a decimal amount of it, as text."""

    currency: str
    per_chip: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a session is opened with: the game, who sits where (in seat order), who deals (a seat, from 1).

    `rules` are all the house rules; `carried` is in chips, what lies in the pot already.
    """

    game: str
    deck: Any
    players: tuple[PersonName, ...]
    rules: Any
    dealer: int = 1
    name: PersonName | None = None
    chip_value: ChipValue | None = None
    carried: Chips = 0

    @property
    def names(self) -> Mapping[PlayerId, PersonName]:
        """What everyone is called who sits there from the beginning."""
        return {f"p{number}": name for number, name in enumerate(self.players, 1)}


class Applied(NamedTuple):
    """What an event did to a table: the next table, the event as it is written down, and the chips that moved."""

    table: Table
    event: Event
    transfers: Transfers = ()


# --- what can be reported -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RoundOpened(Event):
    """A round begins; the antes are taken, if the game has them."""


@dataclass(frozen=True, slots=True)
class RoundVoided(Event):
    """The open round does not count: its chips go back, a carried pot stays, the same dealer deals again."""

    reason: Words


@dataclass(frozen=True, slots=True)
class PlayerJoined(Event):
    """Somebody sits down, between rounds: at `seat` (those from there on move up by one), or last.

    `player` instead of `name` brings somebody back who had left, with id and balance.
    """

    name: PersonName | None = None
    seat: Annotated[int, Between(1, 100)] | None = None
    player: PlayerId | None = None

    def __post_init__(self) -> None:
        if (self.name is None) == (self.player is None):
            raise ValueError("give the name of somebody new, or the id of a player who comes back")


@dataclass(frozen=True, slots=True)
class PlayerLeft(Event):
    """A player leaves, between rounds, and keeps the balance. A leaving dealer's right deals."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class PlayerRenamed(Event):
    """A player is called something else from now on."""

    player: PlayerId
    name: PersonName


@dataclass(frozen=True, slots=True)
class PlayerErased(Event):
    """A person is forgotten: the name goes everywhere, chips and outcomes stay. For the owner only, and for good."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class Share:
    """Chips that a player put into the pot, or got out of it."""

    player: PlayerId
    amount: Amount


@dataclass(frozen=True, slots=True)
class RoundEntered(Event):
    """A round that nobody wrote down, by its totals: what each put into the pot and what each got out of it.

    `pot` is what stayed in it. By default the deal passes on as the game has it; `next_dealer` says otherwise.
    """

    payments: tuple[Share, ...] = ()
    payouts: tuple[Share, ...] = ()
    pot: Stake = 0
    next_dealer: PlayerId | None = None


@dataclass(frozen=True, slots=True)
class DealerNamed(Event):
    """A player is made dealer, between rounds."""

    player: PlayerId


@dataclass(frozen=True, slots=True)
class RulesChanged(Event):
    """House rules change, between rounds. Switches that are not named stay as they are."""

    rules: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChipsMoved(Event):
    """Chips change hands outside the game: a buy-in (from the bank), a cash-out (to the bank) or a gift."""

    payer: Account = field(metadata={"wire": "from"})
    payee: Account = field(metadata={"wire": "to"})
    amount: Amount


@dataclass(frozen=True, slots=True)
class Brought:
    """What a player brings along from earlier evenings, in chips."""

    player: PlayerId
    balance: Annotated[int, Between(-MOST_CHIPS, MOST_CHIPS)]


@dataclass(frozen=True, slots=True)
class BalancesBrought(Event):
    """Balances are brought along from earlier evenings. Together they come to nothing."""

    balances: tuple[Brought, ...]


@dataclass(frozen=True, slots=True)
class SettlementPaid(Event):
    """Somebody who owed has paid somebody who was owed, in money or in kind, for so many chips; also after closing.

    The chips go the other way in the books, so that both balances come nearer to nothing.
    """

    payer: Account = field(metadata={"wire": "from"})
    payee: Account = field(metadata={"wire": "to"})
    amount: Amount


@dataclass(frozen=True, slots=True)
class EventTakenBack(Event):
    """An earlier event is undone, by default the last that stands; what follows it is worked out again."""

    seq: Seq | None = None


@dataclass(frozen=True, slots=True)
class EventAmended(Event):
    """What an earlier event should have been; what follows it is worked out again."""

    seq: Seq
    event: Event


@dataclass(frozen=True, slots=True)
class EventInserted(Event):
    """An event that was forgotten, to stand after event `after` (0: before the first)."""

    after: Annotated[int, Between(0, 2**53 - 1)]
    event: Event


@dataclass(frozen=True, slots=True)
class SessionClosed(Event):
    """The evening ends. `pot` says what becomes of a carried pot; with no pot, no field."""

    pot: Literal["split", "refund", "bank"] | None = None


@dataclass(frozen=True, slots=True)
class SessionReopened(Event):
    """The evening goes on after all."""


Correction = EventTakenBack | EventAmended | EventInserted
EVENTS: tuple[type[Event], ...] = (
    RoundOpened,
    RoundVoided,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayerErased,
    RoundEntered,
    DealerNamed,
    RulesChanged,
    ChipsMoved,
    BalancesBrought,
    SettlementPaid,
    EventTakenBack,
    EventAmended,
    EventInserted,
    SessionClosed,
    SessionReopened,
)

FORMS = (
    Form(RoundOpened, "round"),
    Form(RoundVoided, "void <reason:text>"),
    Form(RoundEntered, "totals <payments:shares> / <payouts:shares> [pot=<pot:number>] [next=<next_dealer:player>]"),
    Form(PlayerJoined, "join <name:text> [seat=<seat:number>]"),
    Form(PlayerJoined, "back <player> [seat=<seat:number>]"),
    Form(PlayerLeft, "leave <player>"),
    Form(PlayerRenamed, "rename <player> <name:text>"),
    Form(PlayerErased, "forget <player>"),
    Form(DealerNamed, "new-dealer <player>"),
    Form(RulesChanged, "new-rules <rules:switches>"),
    Form(ChipsMoved, "buy-in <to:player>=<amount> …", {"from": BANK}),
    Form(ChipsMoved, "cash-out <from:player>=<amount> …", {"to": BANK}),
    Form(ChipsMoved, "gift <from:player> <to:player>=<amount>"),
    Form(BalancesBrought, "brought <balances>"),
    Form(SettlementPaid, "paid <from:player> <to:player>=<amount>"),
    Form(EventTakenBack, "undo [<seq:number>]"),
    Form(EventAmended, "amend <seq:number> <event>"),
    Form(EventInserted, "insert <after:number> <event>"),
    Form(SessionClosed, "close [<pot>]"),
    Form(SessionReopened, "reopen"),
)

# --- refusals -------------------------------------------------------------------------------------------------------


class SessionIsClosed(Refused):
    """This session is closed; reopen it first."""


class SessionIsOpen(Refused):
    """This session is open already."""


class RoundIsOpen(Refused):
    """Round {round} is still open; this is for between rounds."""


class NoRoundOpen(Refused):
    """No round is open; open one first."""


class NotThisGame(Refused):
    """{type} is not an event of {game}; its events are {expected:names}."""


class TooFewPlayers(Refused):
    """{game} needs at least {at_least} players; {count} sit here."""


class TooManyPlayers(Refused):
    """{game} takes at most {at_most} players; with this there would be {count}."""


class NotAtTheTable(Refused):
    """Nobody called {player} sits at this table; those who do: {players:players}."""


class TotalsDoNotMatch(Refused):
    """{put_in:chips} went into the pot, carried ones too; {taken_out:chips} came out or stayed: {difference} off."""


class AlreadyAtTheTable(Refused):
    """{player:player} sits at this table already."""


class IdIsTaken(Refused):
    """Whoever joined there was {id}, and by now somebody else is."""


class NeverAtTheTable(Refused):
    """No player of this session is called {player}; they are {players:players}."""


class NoSuchSeat(Refused):
    """A new player may sit at seat 1 to {at_most}."""


class DrawNotFinished(Refused):
    """The draw for seats is not finished: {players:players} draw again first."""

    rule = "SP-3"


class SameAccount(Refused):
    """Chips move from one account to another one."""


class BalancesDoNotSum(Refused):
    """Balances that are brought along come to nothing together; these come to {total}."""


class PotIsWaiting(Refused):
    """{pot:chips} lie in the pot: say what becomes of them, `pot` being one of {choices:names}."""


class PotIsEmpty(Refused):
    """There is nothing in the pot, so there is nothing to say about it: leave `pot` out."""


class NoSuchEvent(Refused):
    """There is no event {seq} in this session; the last is {last}."""


class AlreadyTakenBack(Refused):
    """Event {seq} has been taken back already."""


class IsACorrection(Refused):
    """Event {seq} is a correction itself: take it back, or correct the event that it is about."""


class NotAnEventOfTheTable(Refused):
    """What is put in another event's place is something seen at the table, not a correction ({type})."""


class ErasedForGood(Refused):
    """Event {seq} made a person forgotten, and that cannot be undone; the player can be given a name again."""


class NothingToTakeBack(Refused):
    """Nothing stands that could be taken back."""


class PotTooLarge(Refused):
    """There would be {amount} chips in the pot; at most {at_most} can be recorded."""


# --- opening --------------------------------------------------------------------------------------------------------


def open_table(rule_books: Mapping[int, RuleBook[Any]], opening: Opening) -> Table:
    """Seat people in order, counter-clockwise, as p1, p2 and so on."""
    players = tuple(Player(number, name) for number, name in opening.names.items())
    seats = Seats(player.id for player in players)
    return Table(
        rule_books=rule_books,
        deck=opening.deck,
        rules=opening.rules,
        players=players,
        seating=Seating(seats, dealer=seats[opening.dealer - 1]),
        pot=opening.carried,
    )


# --- take -----------------------------------------------------------------------------------------------------------


def apply(table: Table, event: Event, version: int, newcomer: PlayerId | None = None) -> Applied:
    """Say what an event does to a table; `version` is that of the rule book in use when it was recorded.

    `newcomer` is the id that somebody new was given then, by default the next one. Raises Refused, and has then
    changed nothing.
    """
    if table.status == "closed" and not isinstance(event, SessionReopened | SettlementPaid | PlayerErased):
        raise SessionIsClosed
    match event:
        case RoundOpened():
            return open_round(table, event, table.rule_books[version])
        case RoundVoided():
            return void_round(table, event)
        case PlayerJoined():
            return join(table, event, table.rule_books[version], newcomer)
        case PlayerLeft():
            return leave(table, event)
        case PlayerRenamed():
            return rename(table, event, event.name)
        case PlayerErased():
            return rename(table, event, event.player)
        case RoundEntered():
            return enter_round(table, event, table.rule_books[version])
        case DealerNamed():
            return name_dealer(table, event)
        case RulesChanged():
            return change_rules(table, event, table.rule_books[version])
        case ChipsMoved():
            return move_chips(table, event)
        case BalancesBrought():
            return bring(table, event)
        case SettlementPaid():
            return move_chips(table, event)
        case SessionClosed():
            return close(table, event)
        case SessionReopened():
            return reopen(table, event)
    if isinstance(event, table.rule_books[version].between):
        return arrange(table, event, table.rule_books[version])
    return play_on(table, event, table.rule_books[version])


# --- rounds ---------------------------------------------------------------------------------------------------------


def open_round(table: Table, event: RoundOpened, book: RuleBook[Any]) -> Applied:
    """Begin a round under today's rule book and house rules, if as many players sit here as the game takes."""
    need_no_round(table)
    need_seats_drawn(table)
    count = len(table.seating.seats)
    if count < book.seats.start:
        raise TooFewPlayers(rule=f"{book.row_prefix}-1", game=book.title[0], at_least=book.seats.start, count=count)
    need_room(book, count)
    ground = ground_of(table, book)
    opening = book.open_round(ground)
    begun = Round(number=table.rounds + 1, book=book, ground=ground, phase=opening.phase)
    return after_step(replace(table, round=begun), event, opening)


def play_on(table: Table, event: Event, book: RuleBook[Any]) -> Applied:
    """Hand an event of the game to the rule book that the open round was opened under."""
    if not isinstance(event, book.events):
        known = (*EVENTS, *book.between, *book.events)
        raise NotThisGame(type=event.type, game=book.title[0], expected=tuple(map(event_type, known)))
    now = table.open_round
    if now is None:
        raise NoRoundOpen
    event = now.book.written(event, now.ground.deck, now.ground.rules)
    if event.overrule is not None:
        table = replace(table, round=replace(now, overruled=(*now.overruled, (event.type, event.overrule))))
    return after_step(table, event, now.book.play(now.phase, event))


def after_step(table: Table, event: Event, step: Step) -> Applied:
    """Put a step of the open round on the table: its phase, its pot, who paid in, and who deals next if it is over."""
    now = table.round
    if now is None:
        raise NoRoundOpen
    if step.phase.pot > MOST_CHIPS:
        raise PotTooLarge(amount=step.phase.pot, at_most=MOST_CHIPS)
    paid_in = dict(now.paid_in)
    for t in step.transfers:
        if t.payee == POT:
            paid_in[t.payer] = paid_in.get(t.payer, 0) + t.amount
    table = replace(table, round=replace(now, phase=step.phase, paid_in=paid_in), pot=step.phase.pot)
    if isinstance(step.phase, Over):
        seating = replace(table.seating, dealer=step.phase.outcome.next_dealer)
        table = replace(table, seating=seating, stakes=stakes_after(table.stakes, paid_in, step.transfers))
    return Applied(table, event, step.transfers)


def stakes_after(
    before: Mapping[PlayerId, Chips], paid_in: Mapping[PlayerId, Chips], transfers: Transfers
) -> Mapping[PlayerId, Chips]:
    """Say who has what at stake in a carried pot, in chips. Once the pot has been won, what is left is nobody's."""
    if any(t.payer == POT for t in transfers):
        return {}
    return {player: before.get(player, 0) + paid_in.get(player, 0) for player in {**before, **paid_in}}


def void_round(table: Table, event: RoundVoided) -> Applied:
    """Give everyone back what they put into this round; a carried pot stays, and the same dealer deals again."""
    now = table.open_round
    if now is None:
        raise NoRoundOpen
    refunds = tuple(t for player, chips in now.paid_in.items() for t in pay(POT, player, chips, "round_voided"))
    outcome = now.book.outcome(result="void", payouts=payouts(refunds), next_dealer=now.ground.dealer)
    pot = table.pot + pot_change(refunds)
    over = Over(ground=now.ground, pot=pot, last=now.phase, outcome=outcome)
    return Applied(replace(table, round=replace(now, phase=over, void_reason=event.reason), pot=pot), event, refunds)


def enter_round(table: Table, event: RoundEntered, book: RuleBook[Any]) -> Applied:
    """Write a round down by its totals, between rounds; they have to come out even with the pot."""
    need_no_round(table)
    need_seats_drawn(table)
    for player in (*(share.player for share in (*event.payments, *event.payouts)), event.next_dealer):
        if player is not None:
            need_seat(table, player)
    before = table.pot + sum(share.amount for share in event.payments)
    after = event.pot + sum(share.amount for share in event.payouts)
    if before != after:
        raise TotalsDoNotMatch(put_in=before, taken_out=after, difference=before - after)
    transfers = tuple(Transfer(share.player, POT, share.amount, "entered_payment") for share in event.payments)
    transfers += tuple(Transfer(POT, share.player, share.amount, "entered_payout") for share in event.payouts)
    ground = ground_of(table, book)
    next_dealer = event.next_dealer or dealer_after_totals(ground, event.payouts, book)
    outcome = book.outcome(result="settled", payouts=payouts(transfers), next_dealer=next_dealer)
    over = Over(ground=ground, pot=event.pot, last=Entered(ground=ground, pot=before), outcome=outcome)
    entered = Round(number=table.rounds + 1, book=book, ground=ground, phase=over)
    return after_step(replace(table, round=entered), event, Step(over, transfers))


def dealer_after_totals(ground: Ground[Any], paid: Iterable[Share], book: RuleBook[Any]) -> PlayerId:
    """Say who deals after a round that is known only by its totals: the right, the same, or who was paid most."""
    if book.deal_passes == "right":
        return ground.seats.right_of(ground.dealer)
    by_amount = sorted(paid, key=lambda share: share.amount, reverse=True)
    one_got_most = by_amount and (len(by_amount) == 1 or by_amount[0].amount > by_amount[1].amount)
    return by_amount[0].player if book.deal_passes == "winner" and one_got_most else ground.dealer


def explain(done: Round) -> tuple[Sentence, ...]:
    """Say in plain sentences how a round that is over ended; nothing while it is open."""
    over = done.phase
    if not isinstance(over, Over):
        return ()
    overruled = tuple(
        say("The table overruled ({type}): {reason}.", type=type_, reason=reason.rstrip(".。"))
        for type_, reason in done.overruled
    )
    if done.is_entered:
        return (*explain_totals(over), *overruled)
    if done.void_reason is not None:
        return (*explain_void(over, done.void_reason), *overruled)
    return (*done.book.explain(over), *overruled)


def explain_totals(over: Over) -> tuple[Sentence, ...]:
    """Say what a round came to that nobody wrote down."""
    paid = tuple(
        say("{amount:chips} to {player:player}", amount=payout.amount, player=payout.player)
        for payout in over.outcome.payouts
    )
    return (
        say("Nobody wrote this round down; its totals were entered."),
        *((say("Out of the pot went {payouts:list}.", payouts=paid),) if paid else ()),
        *((say("{pot:chips} stayed in the pot for the next round.", pot=over.pot),) if over.pot else ()),
        say("{dealer:player} deals the next round.", dealer=over.outcome.next_dealer),
    )


def explain_void(over: Over, reason: Words) -> tuple[Sentence, ...]:
    """Say why a round does not count, and what came back to whom."""
    refunds = tuple(
        say("{amount:chips} to {player:player}", amount=payout.amount, player=payout.player)
        for payout in over.outcome.payouts
    )
    return (
        say("The round was voided: {reason}.", reason=reason.rstrip(".。")),
        say("What was put in came back: {refunds:list}.", refunds=refunds)
        if refunds
        else say("Nothing had been put in, so nothing came back."),
        *((say("{pot:chips} carried over stayed in the pot.", pot=over.pot),) if over.pot else ()),
        say("{dealer:player} deals again.", dealer=over.outcome.next_dealer),
    )


# --- people ---------------------------------------------------------------------------------------------------------


def join(table: Table, event: PlayerJoined, book: RuleBook[Any], newcomer: PlayerId | None = None) -> Applied:
    """Seat somebody new, or somebody who comes back, between rounds."""
    need_no_round(table)
    seats = table.seating.seats
    need_room(book, len(seats) + 1)
    if event.seat is not None and event.seat > len(seats) + 1:
        raise NoSuchSeat(at_most=len(seats) + 1)
    player, players = seated(table, event, newcomer)
    place = len(seats) if event.seat is None else event.seat - 1
    seating = replace(table.seating, seats=Seats((*seats[:place], player, *seats[place:])), drawing=None)
    if not seats:
        seating = replace(seating, dealer=player)
    return Applied(replace(table, players=players, seating=seating), event)


def seated(table: Table, event: PlayerJoined, newcomer: PlayerId | None) -> tuple[PlayerId, tuple[Player, ...]]:
    """Say who joins, and everyone who ever sat here with them.

    Somebody new gets the next id and keeps it, also if it turns out later that others joined before, or did not join.
    """
    if event.player is None:
        player = Player(newcomer or table.next_id, event.name or "")
        if table.player(player.id):
            raise IdIsTaken(id=player.id)
        return player.id, tuple(sorted((*table.players, player), key=number_of))
    back = table.player(event.player)
    if back is None:
        raise NeverAtTheTable(player=event.player, players=tuple(p.id for p in table.players))
    if back.active:
        raise AlreadyAtTheTable(player=back.id)
    return back.id, with_player(table, replace(back, active=True))


def leave(table: Table, event: PlayerLeft) -> Applied:
    """Let a player go between rounds. If it was the dealer, the player to the right deals."""
    need_no_round(table)
    seating = table.seating
    leaver = need_seat(table, event.player)
    dealer = seating.seats.right_of(leaver.id) if leaver.id == seating.dealer else seating.dealer
    seating = Seating(seating.seats.without((leaver.id,)), dealer)
    players = with_player(table, replace(leaver, active=False))
    return Applied(replace(table, players=players, seating=seating), event)


def rename(table: Table, event: PlayerRenamed | PlayerErased, name: PersonName) -> Applied:
    """Call a player something else; somebody who is forgotten is called by the id."""
    player = table.player(event.player)
    if player is None:
        raise NeverAtTheTable(player=event.player, players=tuple(p.id for p in table.players))
    return Applied(replace(table, players=with_player(table, replace(player, name=name))), event)


def name_dealer(table: Table, event: DealerNamed) -> Applied:
    """Make a player dealer between rounds."""
    need_no_round(table)
    dealer = need_seat(table, event.player).id
    return Applied(replace(table, seating=replace(table.seating, dealer=dealer, drawing=None)), event)


def change_rules(table: Table, event: RulesChanged, book: RuleBook[Any]) -> Applied:
    """Change house rules between rounds. Like all that changes the table, it ends a draw for seats under way."""
    need_no_round(table)
    seating = replace(table.seating, drawing=None)
    return Applied(replace(table, rules=changed(rules_under(book, table.rules), event.rules), seating=seating), event)


def arrange(table: Table, event: Event, book: RuleBook[Any]) -> Applied:
    """Let the game seat people anew between rounds (SP-3)."""
    need_no_round(table)
    if book.arrange is None:
        raise TypeError(f"{book.name} has events between rounds and does not say what they do")
    rules = rules_under(book, table.rules)
    event = book.written(event, table.deck, rules)
    return Applied(replace(table, seating=book.arrange(table.seating, event, rules)), event)


# --- chips outside the game -----------------------------------------------------------------------------------------


def move_chips(table: Table, event: ChipsMoved | SettlementPaid) -> Applied:
    """Move chips between players and the bank, also while a round is open, also for players who have left."""
    if event.payer == event.payee:
        raise SameAccount
    for account in (event.payer, event.payee):
        if account != BANK and table.player(account) is None:
            raise NeverAtTheTable(player=account, players=tuple(p.id for p in table.players))
    if isinstance(event, SettlementPaid):
        return Applied(table, event, pay(event.payee, event.payer, event.amount, "settlement_paid"))
    reason: Reason = "buy_in" if event.payer == BANK else "cash_out" if event.payee == BANK else "gift"
    return Applied(table, event, pay(event.payer, event.payee, event.amount, reason))


def bring(table: Table, event: BalancesBrought) -> Applied:
    """Write down what players bring along from earlier evenings; the bank stands between them."""
    for brought in event.balances:
        need_seat(table, brought.player)
    if total := sum(brought.balance for brought in event.balances):
        raise BalancesDoNotSum(total=total)
    owed = (pay(BANK, b.player, b.balance, "brought_forward") for b in event.balances if b.balance > 0)
    owing = (pay(b.player, BANK, -b.balance, "brought_forward") for b in event.balances if b.balance < 0)
    return Applied(table, event, tuple(t for transfers in (*owed, *owing) for t in transfers))


# --- closing --------------------------------------------------------------------------------------------------------


def close(table: Table, event: SessionClosed) -> Applied:
    """End the evening, between rounds; a carried pot is split, refunded or goes to the bank."""
    need_no_round(table)
    if table.pot and event.pot is None:
        raise PotIsWaiting(pot=table.pot, choices=("split", "refund", "bank"))
    if event.pot and not table.pot:
        raise PotIsEmpty
    transfers = share_out(table, event.pot) if event.pot else ()
    pot = table.pot + pot_change(transfers)
    return Applied(replace(table, status="closed", pot=pot, stakes={}), event, transfers)


def share_out(table: Table, how: Literal["split", "refund", "bank"]) -> Transfers:
    """Empty a carried pot. With nobody left at the table to share with, it goes to the bank."""
    if how == "bank" or not table.seating.seats:
        return pay(POT, BANK, table.pot, "pot_to_bank")
    seats = table.seating.seats.starting_with(table.seating.dealer)
    if how == "split":
        return split(table.pot, seats, "pot_split")
    nobodys = table.pot - sum(table.stakes.values())
    refunds = tuple(t for player, chips in table.stakes.items() for t in pay(POT, player, chips, "pot_refund"))
    return refunds + split(nobodys, seats, "pot_refund")


def split(chips: Chips, seats: Seats, reason: Reason) -> Transfers:
    """Pay chips out of the pot equally; what cannot be divided goes one each to the first of the seats."""
    each, odd = divmod(chips, len(seats))
    return tuple(t for place, player in enumerate(seats) for t in pay(POT, player, each + (place < odd), reason))


def reopen(table: Table, event: SessionReopened) -> Applied:
    """Go on after closing. What was paid out at closing stays paid."""
    if table.status == "open":
        raise SessionIsOpen
    return Applied(replace(table, status="open"), event)


# --- corrections ----------------------------------------------------------------------------------------------------


class Logged(NamedTuple):
    """An event as it stands in the log: its number, and the version of the rule book in use when it was recorded.

    `newcomer` is the id that it gave to somebody new.
    """

    seq: int
    event: Event
    version: int
    newcomer: PlayerId | None = None


def undone(newest_first: Iterable[Logged]) -> dict[int, int]:
    """Say which rows of a log have been taken back, and by which row.

    A taken-back row has no effect, so taking back a take-back restores what it had undone. A row only ever refers to
    earlier ones, therefore one pass from the newest to the oldest settles it.
    """
    gone: dict[int, int] = {}
    for row in newest_first:
        if row.seq not in gone and isinstance(row.event, EventTakenBack) and row.event.seq is not None:
            gone.setdefault(row.event.seq, row.seq)
    return gone


def amended(newest_first: Iterable[Logged], gone: Container[int]) -> dict[int, Logged]:
    """Say which rows of a log have been amended, and by which row: the newest amendment that stands."""
    latest: dict[int, Logged] = {}
    for row in newest_first:
        if row.seq not in gone and isinstance(row.event, EventAmended):
            latest.setdefault(row.event.seq, row)
    return latest


def timeline(newest_first: Sequence[Logged]) -> tuple[Logged, ...]:
    """Read off a log which events count, in the order in which they count.

    Events count in the order they were reported; an inserted one stands right after the event it names. An amended
    event keeps its number, its place and the version it was recorded under, and somebody new the id.
    """
    gone = undone(newest_first)
    amendments = amended(newest_first, gone)
    inserted: dict[int, list[Logged]] = {}
    reported = [row for row in newest_first if not isinstance(row.event, Correction)]
    for row in newest_first:
        if isinstance(row.event, EventInserted):
            inserted.setdefault(row.event.after, []).append(row)
    counting: list[Logged] = []
    coming = [*reported, *reversed(inserted.get(0, []))]
    while coming:
        row = coming.pop()
        coming += reversed(inserted.get(row.seq, []))
        if row.seq not in gone:
            latest = amendments.get(row.seq, row)
            counting.append(Logged(row.seq, in_effect(latest.event), row.version, latest.newcomer))
    return tuple(counting)


def in_effect(event: Event) -> Event:
    """Give the event of the table that an event of the log puts in place: its own, or the one within a correction."""
    return event.event if isinstance(event, EventAmended | EventInserted) else event


# --- small helpers --------------------------------------------------------------------------------------------------


def need_no_round(table: Table) -> None:
    """Refuse what is for between rounds while one is open."""
    if now := table.open_round:
        raise RoundIsOpen(round=now.number)


def need_seats_drawn(table: Table) -> None:
    """Refuse a round while a draw for seats is not finished."""
    if table.seating.drawing:
        raise DrawNotFinished(players=table.seating.drawing.draw_again)


def need_room(book: RuleBook[Any], count: int) -> None:
    """Refuse more players than the game takes."""
    most = book.seats.stop - 1
    if count > most:
        raise TooManyPlayers(rule=f"{book.row_prefix}-1", game=book.title[0], at_most=most, count=count)


def need_seat(table: Table, player: PlayerId) -> Player:
    """Find somebody who sits at the table now, or refuse."""
    found = table.player(player)
    if found is None or not found.active:
        raise NotAtTheTable(player=player, players=table.seating.seats)
    return found


def with_player(table: Table, changed_player: Player) -> tuple[Player, ...]:
    """Give everyone, with one of them changed."""
    return tuple(changed_player if p.id == changed_player.id else p for p in table.players)


def number_of(player: Player) -> int:
    """Read the number off a player's id."""
    return int(player.id[1:])


def ground_of(table: Table, book: RuleBook[Any]) -> Ground[Any]:
    """Give what a round under this rule book would be played on."""
    rules = rules_under(book, table.rules)
    return Ground(table.seating.seats, table.seating.dealer, table.deck, rules, carried=table.pot)


def rules_under(book: RuleBook[Any], rules: Any) -> Any:
    """Give house rules as this version of the rule book has them; switches that are new to them take their defaults."""
    if type(rules) is book.rules:
        return rules
    known = {switch.name for switch in fields(book.rules)} & {switch.name for switch in fields(rules)}
    return book.rules(**{name: getattr(rules, name) for name in known})


def changed(rules: Any, changes: Mapping[str, Any]) -> Any:
    """Give house rules with some switches set; a group of switches (payments) is changed switch by switch."""
    settled = {
        name: changed(getattr(rules, name), value) if is_dataclass(getattr(rules, name)) else value
        for name, value in changes.items()
    }
    return replace(rules, **settled)
