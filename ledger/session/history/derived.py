"""What is read off a session's history: its rounds, whether the chips came back, who pays whom, how the next begins."""

from __future__ import annotations

from typing import Annotated

from ledger.books import Balances, bank_chips
from ledger.games import newest
from ledger.history.state import Session, SessionState
from ledger.play.values import BANK, POT, Account, Chips, PlayerId
from ledger.records import Meta, Record
from ledger.sentences import Sentence, say
from ledger.session.events import SettlementPaid
from ledger.session.refusals import RoundIsOpen
from ledger.session.rounds import rules_under
from ledger.session.table import Opening, Table
from ledger.settlement import Payment, Settlement, settle_after, settle_through


class Closing(Record):
    """The difference between the chips that the bank gave out and those that came back."""

    buy_ins: Annotated[
        Chips, Meta(description="The chips that the bank gave out, a brought pot that is gone included.")
    ]
    cash_outs: Annotated[Chips, Meta(description="The chips that came back to the bank, pots but the `pot` included.")]
    pot: Annotated[
        Chips, Meta(description="The pot kept for a next evening, in a session without buy-ins; else 0.")
    ] = 0

    @property
    def difference(self) -> Chips:
        """How many chips are missing; below zero, how many too many came back. A `pot` in the bank is neither."""
        return self.buy_ins - self.cash_outs

    @property
    def as_sentence(self) -> Sentence:
        """The same for people to read."""
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
    """Hold what came back to the bank against what it gave out; None if they match, or the session is open.

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
    """Work out who pays whom, given what has been paid since chips last moved otherwise."""
    now = accounts_of(state.table, state.balances)
    if via is not None:
        return settle_through(via, now)
    paid: list[Payment] = []
    for slot in reversed(state.slots):
        if isinstance(slot.event, SettlementPaid) and slot.counts:
            paid.append(Payment(slot.event.payer, slot.event.payee, slot.event.amount))
        elif slot.entries:
            break
    before = dict(now)
    for payment in paid:
        before[payment.payer] -= payment.amount
        before[payment.payee] += payment.amount
    return settle_after(before, paid[::-1])


def next_evening(session: Session) -> tuple[Opening, Chips]:
    """Say how those who sit at a table now would open another session, and what of its pot they would bring along.

    That is what lies in it, and what the bank was given of it; what was split or given back is nobody's pot any more.
    Who was forgotten, and so is called by the id, is called by the one they get. Raises RoundIsOpen.
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
    """Say how much the bank was given of pots, and has not given back to one since.

    A pot that comes from the bank is what was put into it, if that will do, and else from an earlier evening.
    """
    left = 0
    for slot in state.slots:
        for entry in slot.entries:
            if {entry.payer, entry.payee} == {POT, BANK}:
                left = max(0, left + (entry.amount if entry.payee == BANK else -entry.amount))
    return left


def accounts_of(table: Table, balances: Balances) -> dict[Account, Chips]:
    """Give what everyone has to settle, in the order of their ids; the bank and the pot too, if they hold chips."""
    players = {player.id: balances.get(player.id, 0) for player in table.players}
    return players | {account: balances.get(account, 0) for account in (BANK, POT)}
