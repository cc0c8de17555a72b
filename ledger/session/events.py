"""What can be reported in any game, and the records within it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from ledger.i18n.sentences import Fault, Malformed, Sentence, say, template
from ledger.records import Meta, Record, doc, field
from ledger.rulebook.event import FIELDS as COMMON_FIELDS
from ledger.rulebook.event import Event, Form
from ledger.rulebook.exposing import CardExposed
from ledger.rulebook.values import (
    BANK,
    MAX_CHIPS,
    POT,
    Account,
    Amount,
    Day,
    PlayerId,
    Reason,
    Stake,
    Words,
    matching,
    text,
)
from ledger.session.corrections import CorrectionsMade, EventAmended, EventInserted, EventTakenBack

PersonName = Annotated[str, text("name")]
AnyAccount = Annotated[Account, Meta(extra={"instead": (BANK, POT)})]


class ChipValue(Record):
    """What a chip is worth: an ISO 4217 currency and a decimal amount of it, as text."""

    currency: Annotated[
        str, matching(r"[A-Z]{3}", say("three capital letters, as in JPY")), doc("An ISO 4217 code.", "JPY")
    ]
    per_chip: Annotated[
        str,
        matching(
            r"(?=.*[1-9])[0-9]{1,12}(\.[0-9]{1,12})?", say('a positive decimal number as text is needed, as in "0.50"')
        ),
        doc("The value of one chip: a decimal number as text.", "10"),
    ]


class RoundOpened(Event):
    """A round begins; the antes are taken, if the game has them."""

    label = say("Open a round")
    told = (template("The round was opened"),)


class RoundVoided(Event):
    """The open round does not count: its chips go back, a carried pot stays, the same dealer deals again."""

    label = say("Void the round")
    told = (template("The round was voided: {reason}"),)

    reason: Annotated[Words, doc("Why the round does not count.")]


class PlayerJoined(Event):
    """Somebody sits down, between rounds: at the seat named (those from there on move up by one), or last.

    `player` instead of `name` brings somebody back who had left, with id and balance.
    """

    label = say("Somebody joins")
    told = (template("{name} sat down"), template("{player} came back"), template("Somebody sat down"))

    name: Annotated[PersonName | None, doc("The name of a new player.")] = None
    seat: Annotated[
        Annotated[int, Meta(ge=1, le=100)] | None, doc("The seat, counted from 1; by default the last.")
    ] = None
    player: Annotated[PlayerId | None, doc("The id of a player who comes back.")] = None

    def __post_init__(self) -> None:
        if (self.name is None) == (self.player is None):
            raise Malformed(Fault("", say("give the name of somebody new, or the id of a player who comes back")))


class PlayerLeft(Event):
    """A player leaves, between rounds, and keeps the balance. A leaving dealer's right deals."""

    label = say("Somebody leaves")
    told = (template("{player} left"),)

    player: Annotated[PlayerId, doc("The id of the player who leaves.")]


class SeatsChanged(Event):
    """Everyone who sits at the table changes seats, between rounds: all of them in the new order, counter-clockwise.

    Seats go round, so the first sits to the right of the last. The dealer stays the dealer.
    """

    label = say("Change seats")
    told = (template("New seats: {seats}"),)

    seats: Annotated[tuple[PlayerId, ...], doc("The ids of everyone at the table in the new order, counter-clockwise.")]

    def __post_init__(self) -> None:
        twice = [f"/seats/{at}" for at, player in enumerate(self.seats) if player in self.seats[:at]]
        if twice:
            raise Malformed(*(Fault(at, say("everyone has one seat, and this player has two")) for at in twice))


class PlayerRenamed(Event):
    """A player is called something else from now on."""

    label = say("Rename a player")
    told = (template("A player was renamed {name}"), template("A player was renamed"))

    player: Annotated[PlayerId, doc("The id of the player who is renamed.")]
    name: Annotated[PersonName, doc("The player's new name.")]


class SessionDescribed(Event):
    """The session's name, chip value or day was mistyped; also after closing. What is not said stays."""

    label = say("Mend name, chip value or day")
    told = (
        template("The session is called {name}"),
        template("The session was played on {played_on}"),
        template("What a chip is worth was mended"),
    )

    name: Annotated[PersonName | None, doc("The session's new name.", extra={"label": say("Name of the session")})] = (
        None
    )
    chip_value: Annotated[ChipValue | None, doc("The new value of a chip in money.")] = None
    played_on: Annotated[Day | None, doc("The day on which the session was played.")] = None

    def __post_init__(self) -> None:
        if self.name is None and self.chip_value is None and self.played_on is None:
            raise Malformed(Fault("", say("give a name, a chip value, or a day")))


class OddsSwitched(Event):
    """Whether the table wants to be told the chances, at any time. For the owner only; no house rule."""

    label = say("Switch the chances on or off")
    told = (template("Chances: {on}"),)

    on: Annotated[
        bool,
        doc("Whether the chances are shown from now on.", extra={"values": {"true": say("On"), "false": say("Off")}}),
    ]


class PlayerErased(Event):
    """A person is forgotten: the name goes everywhere, chips and outcomes stay. For the owner only, and for good."""

    label = say("Forget a person")
    told = (template("{player} was forgotten"),)

    player: Annotated[PlayerId, doc("The id of the player who is forgotten.")]


class Share(Record):
    """Chips that a player put into the pot, or got out of it; with 0 nothing moved."""

    player: Annotated[PlayerId, doc("The player's id.")]
    amount: Annotated[Stake, doc("How many chips; 0 is the same as leaving the player out.")]


class RoundEntered(Event):
    """A round that nobody wrote down, by its totals: what each put into the pot and what each got out of it.

    `pot` is what stayed in it. By default the deal passes on as the game has it; `next_dealer` says otherwise.
    """

    label = say("Enter a round by its totals")
    told = (template("A round of {played_on} was entered by its totals"), template("A round was entered by its totals"))

    payments: Annotated[tuple[Share, ...], doc("The chips that each player put into the pot.")] = field(
        default_factory=lambda: ()
    )
    payouts: Annotated[tuple[Share, ...], doc("The chips that each player got out of the pot.")] = field(
        default_factory=lambda: ()
    )
    pot: Annotated[Stake, doc("The chips that stayed in the pot.")] = field(default_factory=lambda: 0)
    next_dealer: Annotated[
        PlayerId | None, doc("The id of the next round's dealer; by default as the game has it.")
    ] = None
    played_on: Annotated[Day | None, doc("The day on which it was played; by default that of the session.")] = None


class DealerNamed(Event):
    """A player is made dealer, between rounds."""

    label = say("Name the dealer")
    told = (template("{player} is the dealer"),)

    player: Annotated[PlayerId, doc("The id of the new dealer.")]


class RulesChanged(Event):
    """House rules change, between rounds. Switches that are not named stay as they are."""

    label = say("Change house rules")
    told = (template("House rules were changed"),)

    rules: Annotated[Mapping[str, Any], doc("The switches that change, each with its new value.")]


class ChipsMoved(Event):
    """Chips change hands outside play: a buy-in (from the bank), a cash-out (to it), a gift, or a fine (to the pot)."""

    label = say("Move chips")
    told = (template("{from} gave {to} {amount}"),)

    payer: Annotated[AnyAccount, doc("The account that gives: a player's id, `bank` or, with `overrule`, `pot`.")] = (
        field(name="from")
    )
    payee: Annotated[AnyAccount, doc("The account that gets: a player's id, `bank` or `pot`.")] = field(name="to")
    amount: Annotated[Amount, doc("How many chips move.")]


class Brought(Record, kw_only=True):
    """What somebody has from earlier evenings, in chips; `name` instead of `player` for one who never sat here."""

    player: Annotated[PlayerId | None, doc("The id of somebody who sits here, or ever did.")] = None
    balance: Annotated[int, doc("The balance that is brought along, in chips.", ge=-MAX_CHIPS, le=MAX_CHIPS)]
    name: Annotated[PersonName | None, doc("The name of somebody who is not here; an id comes with it.")] = None

    def __post_init__(self) -> None:
        if (self.name is None) == (self.player is None):
            raise Malformed(Fault("", say("give the id of a player, or the name of somebody who is not here")))


class BalancesBrought(Event):
    """Balances are brought along from earlier evenings, also of people who are not here. They come to nothing."""

    label = say("Bring balances along")
    told = (template("Balances were brought along"),)

    balances: Annotated[tuple[Brought, ...], doc("The balance of each from earlier evenings.")]


class PotBrought(Event):
    """A pot that nobody had won is brought along from an earlier evening, before the first round."""

    label = say("Bring a pot along")
    told = (template("A pot of {amount} was brought along"),)

    amount: Annotated[Amount, doc("The chips in the pot that is brought along.")]


class SettlementPaid(Event):
    """Somebody who owed has paid somebody who was owed, in money or in kind, for so many chips; also after closing.

    The chips go the other way in the books, so that both balances come nearer to nothing.
    """

    label = say("Settle up")
    told = (template("{from} paid {to} {amount}"),)

    payer: Annotated[Account, doc("The account that paid: a player's id or `bank`.")] = field(name="from")
    payee: Annotated[Account, doc("The account that was paid: a player's id or `bank`.")] = field(name="to")
    amount: Annotated[Amount, doc("How many chips the payment stands for.")]


POT_CHOICES: Mapping[str, Sentence] = {
    "split": say("Split it among everyone"),
    "refund": say("Give everyone back what they put in"),
    "bank": say("Put it into the bank"),
}
"""What can become of a carried pot at the end."""


class SessionClosed(Event):
    """The evening ends. Only where a pot is carried, it is said what becomes of it."""

    label = say("Close the session")
    told = (template("The session was closed"),)

    pot: Annotated[
        Literal["split", "refund", "bank"] | None,
        doc("What becomes of a carried pot; absent if there is none.", extra={"values": POT_CHOICES}),
    ] = None


class SessionReopened(Event):
    """The evening goes on after all."""

    label = say("Reopen the session")
    told = (template("The session was reopened"),)


FIELDS: Mapping[str, Sentence] = {
    **COMMON_FIELDS,
    "returns": say("What became of the card"),
    "reason": say("Reason"),
    "name": say("Name"),
    "chip_value": say("Value of a chip"),
    "currency": say("Currency"),
    "per_chip": say("What one chip is worth"),
    "on": say("Chances are told"),
    "seat": say("Seat"),
    "seats": say("Everyone, counter-clockwise"),
    "payments": say("Put into the pot"),
    "payouts": say("Got out of the pot"),
    "pot": say("Pot"),
    "next_dealer": say("Next dealer"),
    "played_on": say("Played on"),
    "rules": say("House rules"),
    "from": say("From"),
    "to": say("To"),
    "balances": say("Balances"),
    "balance": say("Balance"),
    "seq": say("Number of the event"),
    "event": say("What it should have been"),
    "after": say("After event number"),
    "part": say("Part of that event"),
    "corrections": say("Corrections"),
}
"""How the fields of these events are called, and those that events of several games have."""

REASONS: Mapping[Reason, Sentence] = {
    "round_voided": say("Round voided"),
    "entered_payment": say("Put into the pot"),
    "entered_payout": say("Got out of the pot"),
    "buy_in": say("Buy-in"),
    "cash_out": say("Cash-out"),
    "gift": say("Gift"),
    "fine": say("Fine"),
    "pot_given": say("Given of the pot"),
    "brought_forward": say("Brought along"),
    "settlement_paid": say("Settled up"),
    "pot_split": say("Pot split"),
    "pot_refund": say("Pot given back"),
    "pot_to_bank": say("Pot to the bank"),
}
"""Why chips move outside the game, and in rounds that were voided or entered by their totals."""

FORMS = (
    Form(RoundOpened, "round"),
    Form(RoundVoided, "void <reason:text>"),
    Form(CardExposed, "aside <card>", {"returns": False}),
    Form(CardExposed, "put-back <card>", {"returns": True}),
    Form(PlayerJoined, "join <name:text> [seat=<seat:number>]"),
    Form(PlayerJoined, "back <player> [seat=<seat:number>]"),
    Form(PlayerLeft, "leave <player>"),
    Form(SeatsChanged, "seats <seats:players>"),
    Form(PlayerRenamed, "rename <player> <name:text>"),
    Form(SessionDescribed, "describe [name=<name:text>] [chip-value=<chip_value>] [played_on=<played_on:day>]"),
    Form(OddsSwitched, "odds-on", {"on": True}),
    Form(OddsSwitched, "odds-off", {"on": False}),
    Form(PlayerErased, "forget <player>"),
    Form(RoundEntered, "totals <payments:shares> / <payouts:shares> [pot=<pot:number>] [next=<next_dealer:player>]"),
    Form(
        RoundEntered,
        "totals <payments:shares> / <payouts:shares> [pot=<pot:number>] [next=<next_dealer:player>]"
        " played_on <played_on:day>",
    ),
    Form(DealerNamed, "new-dealer <player>"),
    Form(RulesChanged, "new-rules <rules:switches>"),
    Form(ChipsMoved, "buy-in <to:player>=<amount> …", {"from": BANK}),
    Form(ChipsMoved, "cash-out <from:player>=<amount> …", {"to": BANK}),
    Form(ChipsMoved, "gift <from:player> <to:player>=<amount>"),
    Form(ChipsMoved, "fine <from:player>=<amount> …", {"to": POT}),
    Form(ChipsMoved, "give <to:player>=<amount>", {"from": POT}),
    Form(BalancesBrought, "brought <balances>"),
    Form(PotBrought, "brought-pot <amount>"),
    Form(SettlementPaid, "paid <from:player> <to:player>=<amount>"),
    Form(EventTakenBack, "undo [<seq:number>] [part=<part:number>]"),
    Form(EventAmended, "amend <seq:number> [part=<part:number>] <event>"),
    Form(EventInserted, "insert <after:number> [part=<part:number>] <event>"),
    Form(CorrectionsMade, "together <corrections>"),
    Form(SessionClosed, "close [<pot>]"),
    Form(SessionReopened, "reopen"),
)
"""How each of these events is written in the notation, in the order in which they are listed."""

EVENTS: tuple[type[Event], ...] = tuple(dict.fromkeys(form.event for form in FORMS))

# --- days -----------------------------------------------------------------------------------------------------------


SAYS_A_DAY = (RoundEntered, SessionDescribed, EventAmended, EventInserted, CorrectionsMade)
"""Events that may hold a day."""


def days_in(event: Event, place: str) -> Iterator[tuple[str, str]]:
    """Find the days in an event, each with its JSON pointer below `place`."""
    match event:
        case RoundEntered(played_on=str(day)) | SessionDescribed(played_on=str(day)):
            yield f"{place}/played_on", day
        case EventAmended() | EventInserted():
            yield from days_in(event.event, f"{place}/event")
        case CorrectionsMade():
            for number, part in enumerate(event.corrections):
                yield from days_in(part, f"{place}/corrections/{number}")


def need_no_future(days: Iterable[tuple[str, str]], now: datetime) -> None:
    """Raise Malformed for days that have not begun in any time zone."""
    last = f"{now.astimezone(UTC) + timedelta(days=1):%Y-%m-%d}"
    needed = say("a day is needed that has begun somewhere: {last} or before", last=last)
    if ahead := [place for place, day in days if day > last]:
        raise Malformed(*(Fault(place, needed) for place in ahead))
