"""What all games share: seats, chips that move, events, phases, refusals, and what a rule book is.

The machine: a round is a `Phase`. `RuleBook.play(phase, event)` answers with a `Step`, the next phase and the chips
that moved because of the event, or raises a `Refused` that names its rule. A round that has ended stands in the phase
`Over`, which cannot lack an outcome. Everything here is a frozen record; nothing knows of people, time or storage.

Chips are `int`; a share of anything is worked out where the docstring says who keeps the odd chip.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

POT = "pot"
BANK = "bank"
MOST_CHIPS = 10**9
"""The most chips that one entry moves, or that may lie in the pot."""


@dataclass(frozen=True, slots=True)
class Between:
    """Bounds of a whole number, both included."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Kind:
    """What a text stands for: a player's id, an account, or somebody's words of at most `most` characters."""

    name: Literal["player", "account", "words"]
    most: int = 100


Chips = int
Amount = Annotated[int, Between(1, MOST_CHIPS)]
Stake = Annotated[int, Between(0, MOST_CHIPS)]
PlayerId = Annotated[str, Kind("player")]
Account = Annotated[str, Kind("account")]
Words = Annotated[str, Kind("words", most=500)]
"""Free text somebody wrote. It is kept and shown; no rule reads it."""

Reason = Literal[
    "ante",
    "dragon_payment",
    "maid_payment",
    "horse_payment",
    "king_payment",
    "winning_bid",
    "pot_won",
    "half_rights",
    "odd_chip",
    "bet",
    "bet_returned",
    "bet_won",
    "bet_lost",
    "empty_turn",
    "share",
    "guri_share",
    "three_ones_share",
    "round_voided",
    "buy_in",
    "cash_out",
    "gift",
    "pot_split",
    "pot_refund",
    "pot_to_bank",
    "settlement_paid",
    "brought_forward",
    "entered_payment",
    "entered_payout",
]


def snake_case(name: str) -> str:
    """Turn `CardDealt` into `card_dealt`: how a class is called on the wire."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# --- sentences ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English sentence with `{fact:kind}` places, and the facts: `language` says it in the reader's words.

    Kinds: `chips`, `player`, `players`, `card`, `cards`, `suit`, `kabu`, `numbers`, `names` (of events), `sentence`,
    `list` (of sentences); none for a number or a word that is the same in every language.
    """

    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


def say(text: str, /, **facts: object) -> Sentence:
    """Make a sentence; the catalogues are checked for every text that is said."""
    return Sentence(text, facts)


# --- refusals -------------------------------------------------------------------------------------------------------


class Refused(Exception):
    """What was reported is not possible at this table now.

    A kind of refusal is a subclass: its name is the stable code, its docstring the sentence, `rule` the row of the
    rule book. Facts are the numbers the user needs to mend it. `overrulable` ones give way when the table says that it
    was played so all the same.
    """

    rule: str | None = None
    overrulable: ClassVar[bool] = False

    def __init__(self, *, rule: str | None = None, **facts: object) -> None:
        super().__init__(self.code)
        self.rule = rule or self.rule
        self.facts = facts

    @property
    def code(self) -> str:
        """The stable name of this refusal on the wire."""
        return snake_case(type(self).__name__)

    @property
    def sentence(self) -> Sentence:
        """The refusal as a sentence."""
        return Sentence(docline(type(self)), self.facts)


def docline(thing: object) -> str:
    """Give the first paragraph of a docstring, on one line."""
    return " ".join((thing.__doc__ or "").split("\n\n", maxsplit=1)[0].split())


class OutOfPlace(Refused):
    """That cannot be reported now; what can be: {expected:names}."""


class OutOfTurn(Refused):
    """It is the turn of {expected:player}, not of {player:player}."""

    overrulable = True


class UnknownPlayer(Refused):
    """Nobody called {player} sits in this round; those who do: {players:players}."""


class ForeignCard(Refused):
    """{card:card} is not one of the cards this game is played with ({deck} deck)."""


class CardAlreadySeen(Refused):
    """{card:card} was already seen in this round: {where:sentence}."""


class TooManyChips(Refused):
    """That would move or leave in the pot {amount} chips; at most {at_most} can be recorded."""


# --- seats and chips ------------------------------------------------------------------------------------------------


class Seats(tuple[str, ...]):
    """Players in seat order, counter-clockwise: each sits to the right of the one before, the first of the last."""

    __slots__ = ()

    def right_of(self, player: PlayerId) -> PlayerId:
        """Give the player to the right, who is the next in turn."""
        return self[(self.index(player) + 1) % len(self)]

    def starting_with(self, player: PlayerId) -> Seats:
        """Give the same round of seats, told from this player on."""
        first = self.index(player)
        return Seats(self[first:] + self[:first])

    def without(self, players: Iterable[PlayerId]) -> Seats:
        """Give the seats with some players gone and the rest closed up."""
        gone = set(players)
        return Seats(player for player in self if player not in gone)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Chips that move from one account to another, with the reason. Balanced by construction.

    `amount` is in whole chips, 1 to 10^9. Raises TooManyChips above, ValueError for what a rule book must not say.
    """

    payer: Account
    payee: Account
    amount: Amount
    reason: Reason

    def __post_init__(self) -> None:
        if type(self.amount) is not int or self.amount < 1 or self.payer == self.payee:
            raise ValueError(f"not a transfer: {self}")
        if self.amount > MOST_CHIPS:
            raise TooManyChips(amount=self.amount, at_most=MOST_CHIPS)


Transfers = tuple[Transfer, ...]


def pay(payer: Account, payee: Account, amount: Chips, reason: Reason) -> Transfers:
    """Move chips: one transfer, or none where there is nothing to pay."""
    return (Transfer(payer, payee, amount, reason),) if amount else ()


def pot_change(transfers: Iterable[Transfer]) -> Chips:
    """Say by how many chips these transfers make the pot larger."""
    return sum((t.payee == POT) * t.amount - (t.payer == POT) * t.amount for t in transfers)


@dataclass(frozen=True, slots=True)
class Payout:
    """What a player is paid when a round ends, in chips, and why."""

    player: PlayerId
    amount: Amount
    reason: Reason


def payouts(transfers: Iterable[Transfer]) -> tuple[Payout, ...]:
    """Add up what each player is paid for each reason, in the order paid."""
    sums: dict[tuple[str, Reason], Chips] = {}
    for t in transfers:
        if t.payee not in (POT, BANK):
            sums[t.payee, t.reason] = sums.get((t.payee, t.reason), 0) + t.amount
    return tuple(Payout(player, amount, reason) for (player, reason), amount in sums.items())


# --- events ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something seen at the table, a fact in the log. The class name is its `type` on the wire."""

    note: Words | None = None
    overrule: Words | None = None

    @property
    def type(self) -> str:
        """The event's name on the wire."""
        return event_type(type(self))


def event_type(event: type[Event]) -> str:
    """Give an event class's name on the wire: `CardDealt` is `card_dealt`."""
    name = _TYPES.get(event)
    if name is None:
        name = _TYPES[event] = snake_case(event.__name__)
    return name


_TYPES: dict[type[Event], str] = {}


def refuse(event: Event, refusal: Refused) -> None:
    """Refuse an event, unless the table overruled and this refusal gives way."""
    if event.overrule is None or not refusal.overrulable:
        raise refusal


# --- phases ---------------------------------------------------------------------------------------------------------


R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Ground(Generic[R]):
    """What a round is played on: who sits where, who deals, with which deck and house rules, for what carried pot."""

    seats: Seats
    dealer: PlayerId
    deck: Any
    rules: R
    carried: Chips = 0

    def need(self, player: PlayerId, rule: str) -> None:
        """Refuse a player who does not sit in this round."""
        if player not in self.seats:
            raise UnknownPlayer(rule=rule, player=player, players=self.seats)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """Where a round stands. `pot` is what lies in it, in chips, carried ones included."""

    ground: Ground[Any]
    pot: Chips

    @property
    def name(self) -> str:
        """The phase's name on the wire."""
        return snake_case(type(self).__name__)


Result = Literal["won", "settled", "forfeited", "void"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How a round ended: who is paid what, and who deals next. Games add what is theirs."""

    result: Result
    payouts: tuple[Payout, ...]
    next_dealer: PlayerId


@dataclass(frozen=True, slots=True, kw_only=True)
class Over(Phase):
    """The round has ended. `last` is the phase it ended in, `pot` what stays for the next round."""

    last: Phase
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Step:
    """What an event does: the phase it leads to and the chips that move."""

    phase: Phase
    transfers: Transfers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """An event that may be reported now, with what is known of its fields. None: nothing is known of it."""

    type: str
    player: PlayerId | None = None
    players: tuple[PlayerId, ...] | None = None
    not_players: tuple[PlayerId, ...] | None = None
    amount_at_least: Chips | None = None
    columns: tuple[int, ...] | None = None
    at_most: int | None = None


def out_of_place(expected: Iterable[Expected]) -> OutOfPlace:
    """Make the refusal for an event whose time it is not, from what may be reported instead."""
    return OutOfPlace(expected=tuple(dict.fromkeys(e.type for e in expected)))


def switch(default: Any, row: str) -> Any:
    """Declare a house-rule switch: its default and the row of the rule book it belongs to."""
    make = {"default_factory": default} if isinstance(default, type) else {"default": default}
    return field(**make, metadata={"row": row})


# --- rule books -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where and who deals, between rounds. `drawing` is a draw for seats that is not finished."""

    seats: Seats
    dealer: PlayerId
    drawing: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBook(Generic[R]):
    """One game's rules, as pure functions over frozen records.

    `rows` is how its rows begin (`SH`), `rules` the record of its house-rule switches, `seats` the possible numbers of
    players. `written` gives an event with its cards as the session's deck writes them, and refuses foreign ones.
    `board` gives what lies on the table, `explain` says what happened in a round that is over. `arrange` is for the
    events in `between`, which are reported between rounds and seat people anew. `deal_passes` says how the deal goes
    on after a round that is known only by its totals.
    """

    name: str
    rows: str
    version: int
    title: tuple[str, str]
    seats: range
    decks: tuple[Any, ...]
    rules: type[R]
    events: tuple[type[Event], ...]
    between: tuple[type[Event], ...] = ()
    open_round: Callable[[Ground[R]], Step]
    play: Callable[[Phase, Event], Step]
    expected: Callable[[Phase], tuple[Expected, ...]]
    written: Callable[[Event, Any, R], Event]
    board: Callable[[Phase], Any]
    boards: type
    outcome: type[Outcome]
    explain: Callable[[Over], tuple[Sentence, ...]]
    arrange: Callable[[Seating, Event, R], Seating] | None = None
    deal_passes: Literal["right", "winner", "stays"] = "stays"


def then(step: Step, event: Event, play: Callable[[Phase, Event], Step]) -> Step:
    """Play an event on what a step led to, and hand on the chips of both."""
    further = play(step.phase, event)
    return Step(further.phase, step.transfers + further.transfers)


def fold(play: Callable[[Phase, Event], Step], opening: Step, events: Iterable[Event]) -> Step:
    """Play a whole round: every event in turn, all chips that moved in one step."""
    return reduce(lambda step, event: then(step, event, play), events, opening)
