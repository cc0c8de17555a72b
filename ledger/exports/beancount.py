"""The ledger for beancount: an entry a transaction, and what every account holds at the end of each day.

    2026-11-21 * "Payment for a 10" "round 1" ^9c41d7f0a2b3e586-13
      entry: 13
      seq: 8
      reason: "maid_payment"
      round: 1
      recorded_at: "2026-11-21T09:00:00Z"
      Assets:S-9c41d7f0:Seat:S06-青木  -10 CHIP
      Assets:S-9c41d7f0:Pot  10 CHIP

Accounts are a session's own, by the beginning of its id, and commodities are not declared, which could be done only
once: so books of several evenings can be included in one. A player is called by a number, which keeps people of one
name apart and stands in front because no part of an account begins with a Japanese letter, and by the letters and
digits of the name; the name itself is the metadata `name`.
A correction's reversal has the tag `#reversal` and the link of the entry that it takes back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta

from ledger.books import Entry
from ledger.exports.archive import SessionArchive
from ledger.exports.double_entry import Words, by_day, first_day, heading, on_one_line, seats, short_id
from ledger.exports.naming import letters_of
from ledger.exports.pieces import in_pieces
from ledger.exports.wanted import Wanted
from ledger.play.values import BANK, POT, Account


def write_beancount(archive: SessionArchive, wanted: Wanted) -> Iterator[bytes]:
    """Write every entry, after the declarations."""
    return in_pieces(line.encode() for line in _beancount(archive, wanted))


def _beancount(archive: SessionArchive, wanted: Wanted) -> Iterator[str]:
    session = f"S-{short_id(archive)}"
    accounts: dict[Account, str] = {POT: f"Assets:{session}:Pot", BANK: f"Equity:{session}:Bank"}
    accounts |= {player.id: _account(session, number, player.name) for number, player in seats(archive)}
    today, words = first_day(archive, wanted), Words(archive, wanted.language)
    yield from _declarations(archive, wanted, accounts)
    held: dict[Account, int] = defaultdict(int)
    for day, recorded_at, entry, note in by_day(archive, wanted):
        if day != today:
            yield from _balances(day, accounts, held)
            today = day
        held[entry.payer] -= entry.amount
        held[entry.payee] += entry.amount
        why, where = words.of(entry)
        yield (
            f'\n{day} * "{why}" "{where}"{_links(archive.session.id, entry)}\n'
            f'  entry: {entry.id}\n  seq: {entry.seq}\n  reason: "{entry.reason}"\n{_metadata(entry)}'
            f'  recorded_at: "{recorded_at}"\n{_noted(note)}'
            f"  {accounts[entry.payer]}  -{entry.amount} CHIP\n"
            f"  {accounts[entry.payee]}  {entry.amount} CHIP\n"
        )
    if (last := date.fromisoformat(today)) < date.max:  # earlier releases brought in any date
        yield from _balances(str(last + timedelta(days=1)), accounts, held)


def _declarations(archive: SessionArchive, wanted: Wanted, accounts: Mapping[Account, str]) -> Iterator[str]:
    session, day = archive.session, first_day(archive, wanted)
    yield f'option "title" {_text(session.name or session.opening.game)}\n'
    yield heading(archive, wanted)
    if value := session.chip_value:
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


def _noted(note: str) -> str:
    return f"  note: {_text(note)}\n" if on_one_line(note) else ""


def _account(session: str, number: str, name: str) -> str:
    return "-".join([f"Assets:{session}:Seat:S{number}", *filter(None, [letters_of(name)])])


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
