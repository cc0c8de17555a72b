"""The books: accounts, entries and balances.

Every entry moves chips from one account to another, so it balances by itself, and the accounts of a session always sum
to zero. Entries are never changed: a correction adds entries that reverse, with payer and payee exchanged, and new
ones. Accounts are the players by id, the `pot` and the `bank`; amounts and balances are whole chips.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated

from ledger.i18n.sentences import Sentence, say
from ledger.records import Record, doc, field, replace
from ledger.rulebook.chips import Transfer
from ledger.rulebook.values import BANK, MAX_CHIPS, POT, Account, Amount, Chips, Reason, Seq

Balances = Mapping[Account, Chips]

OUTSIDE_PLAY: frozenset[Reason] = frozenset(
    {"buy_in", "cash_out", "gift", "fine", "pot_given", "brought_forward", "settlement_paid"}
)
"""Reasons of entries that are not part of play. A pot that is brought forward is an exception: it is played for."""

NOT_IN_CHIPS: frozenset[Reason] = frozenset({"settlement_paid", "brought_forward"})
"""Reasons of entries for which no chips cross the table."""


class Entry(Record, omit_defaults=True):
    """Chips moved from one account (a player, `pot`, `bank`) to another."""

    id: Annotated[Seq, doc("The entry's number in its session, counted from 1.")]
    seq: Annotated[Seq, doc("The number of the event that caused the entry.")]
    round: Annotated[Seq | None, doc("The number of the entry's round; null between rounds.")]
    payer: Annotated[Account, doc("The account that pays: a player's id, `pot` or `bank`.")] = field(name="from")
    payee: Annotated[Account, doc("The account that is paid: a player's id, `pot` or `bank`.")] = field(name="to")
    amount: Annotated[Amount, doc("How many chips moved.")]
    reason: Annotated[Reason, doc("Why the chips moved: one of the words in the game's `reasons`.")]
    reverses: Annotated[Seq | None, doc("The id of the entry that this one reverses; null for others.")]
    part: Annotated[
        Seq | None, doc("The part of the event that caused the entry, where corrections were made together.")
    ] = None

    @property
    def moves(self) -> tuple[int | None, Transfer]:
        """The round and the transfer, by which entries are compared."""
        return self.round, Transfer(self.payer, self.payee, self.amount, self.reason)


class BooksDoNotBalance(Exception):
    """The books do not add up: a fault of the program or of a hand in the database, never of a user."""

    def __init__(self, *findings: Sentence) -> None:
        super().__init__("; ".join(map(str, findings)))
        self.findings = findings


def posted(balances: Balances, moves: Iterable[Transfer | Entry]) -> Balances:
    after = dict(balances)
    for move in moves:
        after[move.payer] = after.get(move.payer, 0) - move.amount
        after[move.payee] = after.get(move.payee, 0) + move.amount
    return after


def is_play(entry: Entry) -> bool:
    """Whether an entry counts as won or lost; a reversal does as its entry does."""
    if entry.reason == "brought_forward":
        return POT in (entry.payer, entry.payee)
    return entry.reason not in OUTSIDE_PLAY


def entries_for(
    transfers: Iterable[Transfer], first_id: int, seq: int, round_number: int | None, part: int | None = None
) -> tuple[Entry, ...]:
    """Make entries of transfers, numbered from `first_id` on."""
    numbered = enumerate(transfers, first_id)
    return tuple([Entry(n, seq, round_number, t.payer, t.payee, t.amount, t.reason, None, part) for n, t in numbered])


def reversal(entry: Entry, *, number: int, seq: int) -> Entry:
    """Make the entry that moves the same chips back."""
    return replace(entry, id=number, seq=seq, payer=entry.payee, payee=entry.payer, reverses=entry.id, part=None)


def bank_chips(standing: Iterable[Entry]) -> tuple[Chips, Chips, Chips]:
    """Add up the chips that the bank gave out, those that came back, and those of pots, by entries that stand.

    Those of pots are below zero if the bank has laid one on the table.
    """
    given = returned = pots = 0
    for entry in standing:
        if {entry.payer, entry.payee} == {BANK, POT}:
            pots += entry.amount if entry.payee == BANK else -entry.amount
        elif entry.reason not in NOT_IN_CHIPS:
            given += entry.amount * (entry.payer == BANK)
            returned += entry.amount * (entry.payee == BANK)
    return given, returned, pots


class Books(Record, eq=False):
    """The balances in chips, those from `outside` play, and the id of the last entry."""

    balances: Balances
    outside: Balances = field(default_factory=dict)
    last_entry: int = 0

    @property
    def won(self) -> Balances:
        """The chips that play brought every account: its balance without payments, purchases, cash-outs and gifts."""
        if not self.outside:
            return self.balances
        return {account: chips - self.outside.get(account, 0) for account, chips in self.balances.items()}

    def after(self, entries: Sequence[Entry]) -> Books:
        if not entries:
            return self
        outside = [entry for entry in entries if not is_play(entry)]
        return Books(
            posted(self.balances, entries),
            posted(self.outside, outside) if outside else self.outside,
            self.last_entry + len(entries),
        )


# --- audits: small checks, each with its law ------------------------------------------------------------------------


def amounts_are_whole_and_positive(entries: Sequence[Entry], _balances: Balances) -> Iterator[Sentence]:
    """Every entry moves at least one whole chip, and not more than 10^9."""
    for entry in entries:
        if type(entry.amount) is not int or not 1 <= entry.amount <= MAX_CHIPS:
            yield say("entry {entry} moves {amount}", entry=entry.id, amount=repr(entry.amount))


def entries_move_chips_elsewhere(entries: Sequence[Entry], _balances: Balances) -> Iterator[Sentence]:
    """No entry goes from an account to itself."""
    for entry in entries:
        if entry.payer == entry.payee:
            yield say("entry {entry} goes from {account} to itself", entry=entry.id, account=entry.payer)


def ids_count_from_one(entries: Sequence[Entry], _balances: Balances) -> Iterator[Sentence]:
    """Entries are numbered 1, 2, 3 … without a gap."""
    for expected, entry in enumerate(entries, 1):
        if entry.id != expected:
            yield say("entry {entry} stands where {expected} should", entry=entry.id, expected=expected)
            return


def reversals_mirror(entries: Sequence[Entry], _balances: Balances) -> Iterator[Sentence]:
    """A reversal moves exactly the chips of an earlier entry back, and no entry is reversed twice."""
    standing = dict[int, Entry]()
    for entry in entries:
        if entry.reverses is not None:
            old = standing.pop(entry.reverses, None)
            if old is None or reversal(old, number=entry.id, seq=entry.seq) != replace(entry, part=None):
                yield say("entry {entry} does not reverse entry {other}", entry=entry.id, other=entry.reverses)
        standing[entry.id] = entry


def balances_are_the_sums_of_entries(entries: Sequence[Entry], balances: Balances) -> Iterator[Sentence]:
    """Every balance is what came in less what went out."""
    sums = posted({}, entries)
    for account in sorted({*sums, *balances}):
        should, has = sums.get(account, 0), balances.get(account, 0)
        if should != has:
            yield say("{account} should have {should} and has {has}", account=account, should=should, has=has)


def accounts_sum_to_zero(_entries: Sequence[Entry], balances: Balances) -> Iterator[Sentence]:
    """All accounts together hold nothing: chips only move."""
    if total := sum(balances.values()):
        yield say("all accounts together hold {total}", total=total)


def pot_is_never_in_debt(_entries: Sequence[Entry], balances: Balances) -> Iterator[Sentence]:
    """The pot pays out only what was put in."""
    if (pot := balances.get(POT, 0)) < 0:
        yield say("the pot holds {pot}", pot=pot)


Audit = Callable[[Sequence[Entry], Balances], Iterator[Sentence]]

STANDING_AUDITS: tuple[Audit, ...] = (accounts_sum_to_zero, pot_is_never_in_debt)
"""Checks on balances alone: made after every event."""

AUDITS: tuple[Audit, ...] = (
    amounts_are_whole_and_positive,
    entries_move_chips_elsewhere,
    ids_count_from_one,
    reversals_mirror,
    balances_are_the_sums_of_entries,
    *STANDING_AUDITS,
)
"""Checks on the whole books of a session."""


def audit(entries: Sequence[Entry], balances: Balances, checks: Iterable[Audit] = AUDITS) -> tuple[Sentence, ...]:
    return tuple(finding for check in checks for finding in check(entries, balances))


def prove(balances: Balances, pot: Chips) -> None:
    """Raise BooksDoNotBalance unless the books add up, with the pot of the table."""
    in_books = balances.get(POT, 0)
    if in_books == pot >= 0 == sum(balances.values()):
        return
    findings = audit((), balances, STANDING_AUDITS)
    if in_books != pot:
        findings += (say("the pot on the table holds {pot}, in the books {in_books}", pot=pot, in_books=in_books),)
    raise BooksDoNotBalance(*findings)
