"""What is read off a session's history: its rounds, whether the chips came back, who pays whom."""

from __future__ import annotations

from typing import NamedTuple

from ledger.books import Balances
from ledger.history.points import Point
from ledger.history.state import SessionState
from ledger.play import BANK, POT, Account, Chips, PlayerId, Reason
from ledger.sentences import Sentence, say
from ledger.session import SettlementPaid, Table
from ledger.settlement import Payment, Settlement, settle_after, settle_through

NOT_IN_CHIPS: tuple[Reason, ...] = ("settlement_paid", "brought_forward")
"""Reasons of entries for which no chips cross the table."""


class Closing(NamedTuple):
    """What the bank gave out when people bought in, and what came back to it, in chips, where these do not match."""

    buy_ins: Chips
    cash_outs: Chips

    @property
    def difference(self) -> Chips:
        """How many chips are missing; below zero, how many too many came back."""
        return self.buy_ins - self.cash_outs

    @property
    def sentence(self) -> Sentence:
        """The same for people to read."""
        return say(
            "The bank gave out {buy_ins:chips} and got back {cash_outs:chips}: {off:chips} too few."
            if self.difference > 0
            else "The bank gave out {buy_ins:chips} and got back {cash_outs:chips}: {off:chips} too many.",
            buy_ins=self.buy_ins,
            cash_outs=self.cash_outs,
            off=abs(self.difference),
        )


def closing(state: SessionState) -> Closing | None:
    """Hold what came back to the bank against what it gave out; None if they match, or the session is open.

    A pot that went to the bank came back. Debts that are settled and balances brought along are no chips.
    """
    if state.table.status != "closed":
        return None
    entries = [e for point in state.points() for e in point.entries if e.reason not in NOT_IN_CHIPS]
    buy_ins = sum(entry.amount for entry in entries if entry.payer == BANK)
    cash_outs = sum(entry.amount for entry in entries if entry.payee == BANK)
    return Closing(buy_ins, cash_outs) if buy_ins != cash_outs else None


def points_of(number: int, state: SessionState) -> list[Point]:
    """Give the points of a round on the timeline, oldest first."""
    points = [point for point in state.points() if point.round == number]
    points.reverse()
    return points


def settlement_of(state: SessionState, via: PlayerId | None) -> Settlement:
    """Work out who pays whom, given what has been paid since chips last moved otherwise."""
    now = accounts_of(state.table, state.balances)
    if via is not None:
        return settle_through(via, now)
    paid: list[Payment] = []
    for point in state.points():
        if isinstance(point.event, SettlementPaid):
            paid.append(Payment(point.event.payer, point.event.payee, point.event.amount))
        elif point.entries:
            break
    before = dict(now)
    for payment in paid:
        before[payment.payer] = before.get(payment.payer, 0) - payment.amount
        before[payment.payee] = before.get(payment.payee, 0) + payment.amount
    return settle_after(before, paid[::-1])


def accounts_of(table: Table, balances: Balances) -> dict[Account, Chips]:
    """Give what everyone has to settle, in the order of their ids; the bank and the pot too, if they hold chips."""
    players = {player.id: balances.get(player.id, 0) for player in table.players}
    return players | {account: balances.get(account, 0) for account in (BANK, POT)}
