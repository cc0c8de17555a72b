"""Chips that change hands outside the game."""

from __future__ import annotations

from ledger.play import BANK, MOST_CHIPS, POT, Account, PlayerId, Reason, pay, refuse
from ledger.records import replace
from ledger.session.events import BalancesBrought, ChipsMoved, PotBrought, SettlementPaid, brings_in
from ledger.session.needs import need_account, need_no_round
from ledger.session.people import with_newcomers
from ledger.session.refusals import (
    BalancesDoNotSum,
    PotHoldsLess,
    PotIsPlayedFor,
    PotTooLarge,
    RoundsWerePlayed,
    SameAccount,
)
from ledger.session.table import Applied, Player, Table, ids_from


def move_chips(table: Table, event: ChipsMoved | SettlementPaid) -> Applied:
    """Move chips between players and the bank, also while a round is open, also for players who have left."""
    if event.payer == event.payee:
        raise SameAccount
    for account in (event.payer, event.payee):
        is_pot = account == POT and isinstance(event, ChipsMoved)
        if account != BANK and not is_pot:
            need_account(table, account)
    if isinstance(event, SettlementPaid):
        return Applied(table, event, pay(event.payee, event.payer, event.amount, "settlement_paid"))
    if event.payee == POT:
        return fine(table, event)
    if event.payer == POT:
        return give_of_pot(table, event)
    reason: Reason = "buy_in" if event.payer == BANK else "cash_out" if event.payee == BANK else "gift"
    return Applied(table, event, pay(event.payer, event.payee, event.amount, reason))


def fine(table: Table, event: ChipsMoved) -> Applied:
    """Put a fine into the pot, between rounds, to be played for. It is nobody's stake any more."""
    need_no_round(table)
    return put_into_pot(table, event, event.payer, "fine")


def give_of_pot(table: Table, event: ChipsMoved) -> Applied:
    """Give chips of the pot away, between rounds, if the table says so. What is left in it is nobody's stake."""
    need_no_round(table)
    if event.amount > table.pot:
        raise PotHoldsLess(pot=table.pot, amount=event.amount)
    refuse(event, PotIsPlayedFor())
    left = replace(table, pot=table.pot - event.amount, stakes={})
    return Applied(left, event, pay(POT, event.payee, event.amount, "pot_given"))


def bring_pot(table: Table, event: PotBrought) -> Applied:
    """Lay a pot of an earlier evening on the table, from the bank; it is nobody's stake here."""
    if table.rounds:
        raise RoundsWerePlayed(rounds=table.rounds)
    return put_into_pot(table, event, BANK, "brought_forward")


def put_into_pot(table: Table, event: ChipsMoved | PotBrought, payer: Account, reason: Reason) -> Applied:
    """Put chips into the pot that are nobody's stake."""
    pot = table.pot + event.amount
    if pot > MOST_CHIPS:
        raise PotTooLarge(amount=pot, at_most=MOST_CHIPS)
    return Applied(replace(table, pot=pot), event, pay(payer, POT, event.amount, reason))


def bring(table: Table, event: BalancesBrought, newcomers: tuple[PlayerId, ...] = ()) -> Applied:
    """Write down what people have from earlier evenings; the bank stands between them.

    Who is named only does not sit here, and is written down as somebody who has left.
    """
    if total := sum(brought.balance for brought in event.balances):
        raise BalancesDoNotSum(total=total)
    ids = iter(newcomers or ids_from(table.next_number, brings_in(event)))
    absent = [Player(next(ids), each.name, active=False) for each in event.balances if each.name is not None]
    table = replace(table, players=with_newcomers(table, absent))
    ids = (player.id for player in absent)
    brought = [(each.player or next(ids), each.balance) for each in event.balances]
    for player, _ in brought:
        need_account(table, player)
    owed = (pay(BANK, player, chips, "brought_forward") for player, chips in brought if chips > 0)
    owing = (pay(player, BANK, -chips, "brought_forward") for player, chips in brought if chips < 0)
    return Applied(table, event, tuple(t for transfers in (*owed, *owing) for t in transfers))
