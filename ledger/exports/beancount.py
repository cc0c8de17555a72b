"""The ledger for beancount: an entry a transaction, and what every account holds at the end of each day.

    2026-11-21 * "maid_payment" "round 1" ^9c41d7f0a2b3e586-13
      entry: 13
      seq: 8
      round: 1
      recorded_at: "2026-11-21T09:00:00Z"
      Assets:Seat:S06-Fumi  -10 CHIP
      Assets:Pot  10 CHIP

An account is called by the player's number and what of the name is in English letters; the name itself is the metadata
`name` of the account. A correction's reversal has the tag `#reversal` and the link of the entry that it takes back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from ledger.books import Entry
from ledger.desk import SessionArchive
from ledger.exports.double_entry import dated, day_of, heading, on_one_line, seats, where
from ledger.exports.naming import ascii_part
from ledger.exports.pieces import in_pieces
from ledger.play import BANK, POT, Account

FIXED_ACCOUNTS = {POT: "Assets:Pot", BANK: "Equity:Bank"}


def write_beancount(archive: SessionArchive) -> Iterator[bytes]:
    """Write every entry, after the declarations."""
    return in_pieces(line.encode() for line in _beancount(archive))


def _beancount(archive: SessionArchive) -> Iterator[str]:
    accounts = FIXED_ACCOUNTS | {player.id: _account(number, player.name) for number, player in seats(archive)}
    yield from _declarations(archive, accounts)
    held: dict[Account, int] = defaultdict(int)
    today = day_of(archive)
    for day, recorded_at, entry in dated(archive):
        if day != today:
            yield from _balances(day, accounts, held)
            today = day
        held[entry.payer] -= entry.amount
        held[entry.payee] += entry.amount
        yield (
            f'\n{day} * "{entry.reason}" "{where(entry)}"{_links(archive.session.id, entry)}\n'
            f'  entry: {entry.id}\n  seq: {entry.seq}\n{_metadata(entry)}  recorded_at: "{recorded_at}"\n'
            f"  {accounts[entry.payer]}  -{entry.amount} CHIP\n"
            f"  {accounts[entry.payee]}  {entry.amount} CHIP\n"
        )
    yield from _balances(str(date.fromisoformat(today) + timedelta(days=1)), accounts, held)


def _declarations(archive: SessionArchive, accounts: Mapping[Account, str]) -> Iterator[str]:
    session, day = archive.session, day_of(archive)
    yield f'option "title" {_text(session.name or session.opening.game)}\n'
    yield heading(archive)
    yield f"{day} commodity CHIP\n"
    if value := session.chip_value:
        yield f"{day} commodity {value.currency}\n"
        yield f"{day} price CHIP {value.per_chip} {value.currency}\n"
    yield "\n"
    people = {player.id: player.name for player in session.state.table.players}
    for account, called in accounts.items():
        yield f"{day} open {called} CHIP\n"
        if account in people:
            yield f'  player: "{account}"\n  name: {_text(people[account])}\n'


def _balances(day: str, accounts: Mapping[Account, str], held: Mapping[Account, int]) -> Iterable[str]:
    """Say what every account holds when a day begins."""
    return ("\n", *(f"{day} balance {called}  {held.get(account, 0)} CHIP\n" for account, called in accounts.items()))


def _account(number: str, name: str) -> str:
    return "-".join(["Assets:Seat:S" + number, *filter(None, [ascii_part(name)])])


def _text(words: str) -> str:
    quoted = on_one_line(words).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{quoted}"'


def _links(session: str, entry: Entry) -> str:
    own = f" ^{session}-{entry.id}"
    return own if entry.reverses is None else f" #reversal{own} ^{session}-{entry.reverses}"


def _metadata(entry: Entry) -> str:
    number = "" if entry.round is None else f"  round: {entry.round}\n"
    number += "" if entry.part is None else f"  part: {entry.part}\n"
    return number if entry.reverses is None else f"{number}  reverses: {entry.reverses}\n"
