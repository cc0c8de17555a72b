"""The end of an evening, and what becomes of a carried pot."""

from __future__ import annotations

from typing import Literal

from ledger.play import BANK, POT, Chips, Event, Reason, Seats, Transfers, pay, pot_change
from ledger.records import replace
from ledger.session.events import POT_CHOICES, SessionClosed, SessionReopened
from ledger.session.needs import need_no_round
from ledger.session.refusals import PotIsWaiting, SessionIsOpen
from ledger.session.table import Applied, Table


def need_choice(table: Table, event: Event) -> None:
    """Have it said what becomes of the pot, as long as somebody can be asked."""
    if isinstance(event, SessionClosed) and table.open_round is None and table.pot and event.pot is None:
        raise PotIsWaiting(pot=table.pot, choices=tuple(POT_CHOICES))


def close(table: Table, event: SessionClosed) -> Applied:
    """End the evening, between rounds; a carried pot is split, refunded or goes to the bank.

    A correction may have emptied the pot since, and then a choice does nothing; or filled it: what nobody has chosen
    about stays in it.
    """
    need_no_round(table)
    transfers = share_out(table, event.pot) if event.pot and table.pot else ()
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
