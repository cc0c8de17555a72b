"""Chips that move: transfers between accounts, payouts, and sentences about the pot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from ledger.i18n.sentences import Sentence, say
from ledger.records import Record, doc
from ledger.rulebook.refusal import TooManyChips
from ledger.rulebook.values import BANK, MAX_CHIPS, POT, Account, Amount, Chips, PlayerId, Reason


class Transfer(Record):
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
        if self.amount > MAX_CHIPS:
            raise TooManyChips(amount=self.amount, at_most=MAX_CHIPS)


Transfers = tuple[Transfer, ...]


def pay(payer: Account, payee: Account, amount: Chips, reason: Reason) -> Transfers:
    """Move chips: one transfer, or none where there is nothing to pay."""
    return (Transfer(payer, payee, amount, reason),) if amount else ()


def pot_change(transfers: Iterable[Transfer]) -> Chips:
    """Give the chips by which transfers make the pot larger."""
    return sum(t.amount if t.payee == POT else -t.amount for t in transfers if POT in (t.payer, t.payee))


class Payout(Record):
    """What a player is paid when a round ends, in chips, and why."""

    player: Annotated[PlayerId, doc("The id of the player who is paid.")]
    amount: Annotated[Amount, doc("How many chips the player is paid.")]
    reason: Annotated[Reason, doc("Why the player is paid: one of the words in the game's `reasons`.")]


def payouts(transfers: Iterable[Transfer]) -> tuple[Payout, ...]:
    """Add up the payouts of each player by reason, in the order paid."""
    sums: dict[tuple[str, Reason], Chips] = {}
    for t in transfers:
        if t.payee not in (POT, BANK):
            sums[t.payee, t.reason] = sums.get((t.payee, t.reason), 0) + t.amount
    return tuple(Payout(player, amount, reason) for (player, reason), amount in sums.items())


def pot_held(pot: Chips, made_of: Iterable[Sentence]) -> Sentence:
    if not (parts := tuple(made_of)):
        return say("The pot was empty.")
    return say("The pot held {pot:chips}: {parts:list}.", pot=pot, parts=parts)


def nobody_was_paid(pot: Chips) -> Sentence:
    if not pot:
        return say("Nobody was paid.")
    return say("Nobody was paid; {pot:chips} stayed in the pot for the next round.", pot=pot)
