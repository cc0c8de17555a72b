"""The ledger as a journal for hledger: an entry a transaction, each with both balances after it asserted.

    2026-11-21 * (13) Payment for a 10 | round 1  ; entry:13, seq:8, reason:maid_payment, …
        assets:9c41d7f0:seat:06 Fumi  -10 CHIP = -30 CHIP
        assets:9c41d7f0:pot  10 CHIP = 250 CHIP

Accounts are a session's own, by the beginning of its id, so journals of several evenings can be included in one. A
player's account has the player's number and, as far as an account can be called so, the name; the tag `name` of the
account has the name itself, with a wide comma (，) for a comma, which would end a tag. All accounts and commodities are
declared, so `hledger check --strict` has nothing to add. Another program, Debian's `ledger`, reads the same file: for
it a commodity is declared by its name first, and what is said of an account has a line of its own.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator

from babel.numbers import get_currency_precision

from ledger.books import Entry
from ledger.exports.archive import SessionArchive
from ledger.exports.double_entry import Words, by_day, first_day, heading, on_one_line, seats, short_id
from ledger.exports.pieces import in_pieces
from ledger.exports.wanted import Wanted
from ledger.play.values import BANK, POT, Account
from ledger.session.table import Player


def write_journal(archive: SessionArchive, wanted: Wanted) -> Iterator[bytes]:
    """Write every entry, after the declarations."""
    return in_pieces(line.encode() for line in _journal(archive, wanted))


def _journal(archive: SessionArchive, wanted: Wanted) -> Iterator[str]:
    session = short_id(archive)
    accounts: dict[Account, str] = {POT: f"assets:{session}:pot", BANK: f"equity:{session}:bank"}
    accounts |= {player.id: _account(session, number, player.name) for number, player in seats(archive)}
    words = Words(archive, wanted.language)
    yield from _declarations(archive, wanted, accounts)
    held: dict[Account, int] = defaultdict(int)
    for day, recorded_at, entry, note in by_day(archive, wanted):
        paid = held[entry.payer] = held[entry.payer] - entry.amount
        got = held[entry.payee] = held[entry.payee] + entry.amount
        why, where = words.of(entry)
        yield (
            f"\n{day} * ({entry.id}) {why} | {where}"
            f"  ; entry:{entry.id}, seq:{entry.seq}, reason:{entry.reason}, {_tags(entry)}"
            f"recorded_at:{recorded_at}{_noted(note)}\n"
            f"    {accounts[entry.payer]}  -{entry.amount} CHIP = {paid} CHIP\n"
            f"    {accounts[entry.payee]}  {entry.amount} CHIP = {got} CHIP\n"
        )


def _declarations(archive: SessionArchive, wanted: Wanted, accounts: dict[Account, str]) -> Iterator[str]:
    session = archive.session
    yield f"; Fuda Ledger: {on_one_line(session.name or session.opening.game)}\n"
    yield heading(archive, wanted)
    yield "commodity CHIP\ncommodity 1000. CHIP\n"
    if value := session.chip_value:
        digits = "0" * get_currency_precision(value.currency)
        yield f"commodity {value.currency}\ncommodity 1000.{digits} {value.currency}\n"
        yield f"P {first_day(archive, wanted)} CHIP {value.per_chip} {value.currency}\n"
    yield "\n"
    people = {player.id: player for player in session.state.table.players}
    for account, called in accounts.items():
        yield f"account {called}{_about(people[account]) if account in people else ''}\n"


def _about(player: Player) -> str:
    return f"\n    ; player:{player.id}, name:{on_one_line(player.name).replace(',', '，')}"


def _noted(note: str) -> str:
    note = on_one_line(note).translate(_IN_NOTES)
    return f", note:{note}" if note else ""


_IN_NOTES = str.maketrans(",[", "，［")
"""A comma would end a tag; a date in brackets would be one to Ledger."""


def _account(session: str, number: str, name: str) -> str:
    """Call a player's account: the number, and of the name what an account can hold."""
    letters = (letter if letter in "-_.'" or unicodedata.category(letter)[0] in "LNM" else " " for letter in name)
    return " ".join([f"assets:{session}:seat:{number}", *"".join(letters).split()])


def _tags(entry: Entry) -> str:
    number = "" if entry.round is None else f"round:{entry.round}, "
    number += "" if entry.part is None else f"part:{entry.part}, "
    return number if entry.reverses is None else f"{number}reverses:{entry.reverses}, "
