"""What all games share: seats, chips that move, events, phases, refusals, and what a rule book is.

The machine: a round is a `Phase`. `RuleBook.play(phase, event)` answers with a `Step`, the next phase and the chips
that moved because of the event, or raises a `Refused` that names its rule. A round that has ended stands in the phase
`Over`, which cannot lack an outcome. Everything here is a frozen record; nothing knows of people, time or storage.

Chips are `int`; a share of anything is worked out where the docstring says who keeps the odd chip.
"""

from ledger.play.chips import Payout, Transfer, Transfers, nobody_was_paid, pay, payouts, pot_change, pot_held
from ledger.play.events import LABELS, Event, Form, refuse
from ledger.play.exposing import CardExposed, CardSetAside, cards_to_come, expose
from ledger.play.refusals import (
    CardAlreadySeen,
    ForeignCard,
    OutOfPlace,
    OutOfTurn,
    Refused,
    RefusedAt,
    TooManyChips,
    UnknownPlayer,
    written_in,
)
from ledger.play.rounds import (
    RESULTS,
    CardsToCome,
    Expected,
    Ground,
    Outcome,
    Over,
    Payouts,
    Phase,
    Result,
    Seats,
    Step,
    Void,
    fold,
    last_of,
    out_of_place,
    then,
)
from ledger.play.rule_book import Drawing, RuleBook, Seating, switch, switch_of_western_courts
from ledger.play.tallies import Fortune, Moved, Ride, Steps, Tally, chips_paid, times_paid
from ledger.play.values import (
    BANK,
    MOST_CHIPS,
    POT,
    Account,
    Amount,
    Between,
    CalendarDay,
    Chips,
    Day,
    Kind,
    Matching,
    PlayerId,
    Reason,
    SessionId,
    Stake,
    Words,
)
