"""Chips that move: transfers between accounts, what players are paid, and what is said of the pot they come from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from ledger.play.refusals import TooManyChips
from ledger.play.values import BANK, MAX_CHIPS, POT, Account, Amount, Chips, PlayerId, Reason
from ledger.records import Meta, Record
from ledger.sentences import Sentence, say


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
    """Say by how many chips these transfers make the pot larger."""
    change = 0
    for t in transfers:
        if t.payee == POT:
            change += t.amount
        elif t.payer == POT:
            change -= t.amount
    return change


class Payout(Record):
    """What a player is paid when a round ends, in chips, and why."""

    player: Annotated[PlayerId, Meta(description="The id of the player who is paid.")]
    amount: Annotated[Amount, Meta(description="How many chips the player is paid.")]
    reason: Annotated[Reason, Meta(description="Why the player is paid: one of the words in the game's `reasons`.")]


def payouts(transfers: Iterable[Transfer]) -> tuple[Payout, ...]:
    """Add up what each player is paid for each reason, in the order paid."""
    sums: dict[tuple[str, Reason], Chips] = {}
    for t in transfers:
        if t.payee not in (POT, BANK):
            sums[t.payee, t.reason] = sums.get((t.payee, t.reason), 0) + t.amount
    return tuple(Payout(player, amount, reason) for (player, reason), amount in sums.items())


def pot_held(pot: Chips, made_of: Iterable[Sentence]) -> Sentence:
    """Say what a pot was made of when the round ended."""
    if not (parts := tuple(made_of)):
        return say("The pot was empty.")
    return say("The pot held {pot:chips}: {parts:list}.", pot=pot, parts=parts)


def nobody_was_paid(pot: Chips) -> Sentence:
    """Say what becomes of the pot of a round that nobody won."""
    if not pot:
        return say("Nobody was paid.")
    return say("Nobody was paid; {pot:chips} stayed in the pot for the next round.", pot=pot)
