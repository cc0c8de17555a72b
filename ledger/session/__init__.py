"""The session's own rules: who sits at the table, who deals, and what becomes of the pot.

A `Table` is where a session stands, a frozen record; `apply(table, event)` is what an event does to it, as `play` is
for a round: the next table and the chips that moved, or a refusal. What belongs to the game is handed on to its rule
book, which is given, not known. Corrections change nothing by themselves: `history` reads off a log what they mean.

`events`, `corrections` and `refusals` say what can be reported and what is refused, `table` where a session stands;
`rounds`, `people`, `chips` and `closing` are the rules. This file is their table of contents.
"""

from __future__ import annotations

from ledger.play import CardExposed, Event, PlayerId
from ledger.session.chips import bring, bring_pot, move_chips
from ledger.session.closing import close, need_choice, reopen
from ledger.session.corrections import Correction, CorrectionsMade, EventAmended, EventInserted, EventTakenBack
from ledger.session.events import (
    EVENTS,
    FIELDS,
    FORMS,
    REASONS,
    BalancesBrought,
    Brought,
    ChipsMoved,
    ChipValue,
    DealerNamed,
    OddsSwitched,
    PlayerErased,
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PotBrought,
    RoundEntered,
    RoundOpened,
    RoundVoided,
    RulesChanged,
    SeatsChanged,
    SessionClosed,
    SessionDescribed,
    SessionReopened,
    SettlementPaid,
    Share,
    brings_in,
)
from ledger.session.needs import changed, rules_under
from ledger.session.people import (
    arrange,
    change_rules,
    change_seats,
    describe,
    join,
    leave,
    name_dealer,
    rename,
    switch_odds,
)
from ledger.session.refusals import (
    AlreadyAtTheTable,
    AlreadyTakenBack,
    CorrectedTwice,
    DrawNotFinished,
    ErasedForGood,
    IdIsTaken,
    IsACorrection,
    NeverAtTheTable,
    NoRoundOpen,
    NoSuchEvent,
    NoSuchPart,
    NoSuchSeat,
    NotAnEventOfTheTable,
    NotAtTheTable,
    NothingToTakeBack,
    NotThisGame,
    PotIsWaiting,
    PotTooLarge,
    RoundIsFull,
    RoundIsOpen,
    RoundIsOver,
    RoundsWerePlayed,
    SameAccount,
    SeatsDoNotMatch,
    SessionIsClosed,
    SessionIsOpen,
    TooFewPlayers,
    TooManyPlayers,
    TotalsDoNotMatch,
)
from ledger.session.rounds import enter_round, explain, not_this_game, open_round, play_on, void_round
from ledger.session.table import OUTCOMES, Applied, Entered, Opening, Player, Round, Table, Totals, ids_from, open_table

AFTER_CLOSING = (SessionReopened, SettlementPaid, SessionDescribed, OddsSwitched, PlayerErased)
"""What can be reported once a session is closed."""


def apply(table: Table, event: Event, version: int, newcomers: tuple[PlayerId, ...] = ()) -> Applied:
    """Say what an event does to a table; `version` is that of the rule book in use when it was recorded.

    `newcomers` are the ids that people who were new were given then, by default the next ones. Raises Refused, and has
    then changed nothing.
    """
    if table.status == "closed" and not isinstance(event, AFTER_CLOSING):
        raise SessionIsClosed(event.type)
    book = table.rule_books[version]
    if isinstance(event, (*book.events, CardExposed)):
        return play_on(table, event)
    if isinstance(event, book.between):
        return arrange(table, event, book)
    match event:
        case RoundOpened():
            return open_round(table, event, book)
        case RoundVoided():
            return void_round(table, event)
        case PlayerJoined():
            return join(table, event, book, newcomers)
        case PlayerLeft():
            return leave(table, event)
        case SeatsChanged():
            return change_seats(table, event)
        case PlayerRenamed():
            return rename(table, event, event.name)
        case SessionDescribed():
            return describe(table, event)
        case OddsSwitched():
            return switch_odds(table, event)
        case PlayerErased():
            return rename(table, event, event.player)
        case RoundEntered():
            return enter_round(table, event, book)
        case DealerNamed():
            return name_dealer(table, event)
        case RulesChanged():
            return change_rules(table, event, book)
        case ChipsMoved() | SettlementPaid():
            return move_chips(table, event)
        case BalancesBrought():
            return bring(table, event, newcomers)
        case PotBrought():
            return bring_pot(table, event)
        case SessionClosed():
            return close(table, event)
        case SessionReopened():
            return reopen(table, event)
    raise not_this_game(event, book)
