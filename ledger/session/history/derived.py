"""The closing, the settlement and the next opening of a session, read off its state."""

from __future__ import annotations

from typing import Annotated

from ledger.accounting.books import bank_chips
from ledger.accounting.settlement import Payment, Settlement, settle_after, settle_through
from ledger.games import newest
from ledger.i18n.sentences import Sentence, say
from ledger.records import Record, doc
from ledger.rulebook.values import BANK, POT, Chips, PlayerId
from ledger.session.events import SettlementPaid
from ledger.session.history.state import Session, SessionState
from ledger.session.refusals import RoundIsOpen
from ledger.session.rounds import rules_under
from ledger.session.table import Opening


class Closing(Record):
    """The difference between the chips that the bank gave out and those that came back."""

    buy_ins: Annotated[Chips, doc("The chips that the bank gave out, a brought pot that is gone included.")]
    cash_outs: Annotated[Chips, doc("The chips that came back to the bank, pots but the `pot` included.")]
    pot: Annotated[Chips, doc("The pot kept for a next evening, in a session without buy-ins; else 0.")] = 0

    @property
    def difference(self) -> Chips:
        """How many chips are missing; below zero, how many too many came back. A `pot` in the bank is neither."""
        return self.buy_ins - self.cash_outs

    @property
    def as_sentence(self) -> Sentence:
        pot = say("The pot went into the bank: {pot:chips} that a next evening can play for.", pot=self.pot)
        off = say(
            "The bank gave out {buy_ins:chips} and got back {cash_outs:chips}: {off:chips} too few."
            if self.difference > 0
            else "The bank gave out {buy_ins:chips} and got back {cash_outs:chips}: {off:chips} too many.",
            buy_ins=self.buy_ins,
            cash_outs=self.cash_outs,
            off=abs(self.difference),
        )
        if self.pot and self.difference:
            return say("{pot:sentence} {off:sentence}", pot=pot, off=off)
        return pot if self.pot else off


def closing(state: SessionState) -> Closing | None:
    """Compare the chips that came back to the bank with those it gave out; None if they match, or before closing.

    Where people pay in chips, a pot is some of those. Where they only keep accounts, the bank gives and takes a pot and
    nothing else, and nothing is missing. Debts that are settled and balances brought along are no chips.
    """
    if state.table.status == "open":
        return None
    given, returned, pots = bank_chips(entry for slot in state.slots for entry in slot.entries)
    if given - returned == pots:
        return None
    if pots > 0 and given in {0, returned}:
        return Closing(given, returned, left_in_the_bank(state))
    if given == returned == 0:
        return None
    return Closing(given - min(pots, 0), returned + max(pots, 0))


def settlement_of(state: SessionState, via: PlayerId | None) -> Settlement:
    """Give the payments that clear all balances, after those already made since chips last moved otherwise."""
    accounts = [*(player.id for player in state.table.players), BANK, POT]
    balances = {account: state.balances.get(account, 0) for account in accounts}
    if via is not None:
        return settle_through(via, balances)
    paid: list[Payment] = []
    for slot in reversed(state.slots):
        if isinstance(slot.event, SettlementPaid) and slot.counts:
            paid.append(Payment(slot.event.payer, slot.event.payee, slot.event.amount))
            balances[slot.event.payer] -= slot.event.amount
            balances[slot.event.payee] += slot.event.amount
        elif slot.entries:
            break
    return settle_after(balances, paid[::-1])


def continue_session(session: Session) -> tuple[Opening, Chips]:
    """Give the opening of another session with the players at the table, and the pot that they bring along.

    That is the pot on the table and what the bank was given of it; what was split or refunded is no pot any more.
    An erased player, whose name is the id, is named by the new id. Raises RoundIsOpen.
    """
    table, names = session.state.table, session.names
    if now := table.open_round:
        raise RoundIsOpen(round=now.number)
    seats, dealer = table.seating.seats, table.seating.dealer
    opening = Opening(
        game=session.opening.game,
        deck=table.deck,
        players=tuple(f"p{seat}" if names[one] == one else names[one] for seat, one in enumerate(seats, 1)),
        rules=rules_under(newest(session.opening.game), table.rules),
        dealer=seats.index(dealer) + 1 if dealer in seats else 1,
        name=table.name,
        chip_value=table.chip_value,
        odds=table.odds,
    )
    return opening, table.pot + left_in_the_bank(session.state)


def left_in_the_bank(state: SessionState) -> Chips:
    """Give the chips of pots that went into the bank and did not come back to a pot since.

    A pot from the bank is first of these chips, the rest from an earlier evening.
    """
    left = 0
    for slot in state.slots:
        for entry in slot.entries:
            if {entry.payer, entry.payee} == {POT, BANK}:
                left = max(0, left + (entry.amount if entry.payee == BANK else -entry.amount))
    return left
