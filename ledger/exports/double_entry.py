"""The ledger for programs of double-entry bookkeeping: a transaction an entry. hledger and Ledger read the same file.

    2026-11-21 * (13) Payment for a 10 | round 1  ; entry:13, seq:8, reason:maid_payment, …
        assets:9c41d7f0:seat:06 Fumi  -10 CHIP = -30 CHIP
        assets:9c41d7f0:pot  10 CHIP = 250 CHIP

The programs check balances by day, so entries come by day here, those of one day in the order of the books. Accounts
are a session's own, by the beginning of its id, so books of several evenings can be included in one. A player's account
has the player's number, which keeps namesakes apart, and of the name what an account can hold.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import lru_cache, partial
from operator import itemgetter

from babel.numbers import get_currency_precision

from ledger.accounting.books import Entry
from ledger.cooperation import yielding
from ledger.exports.archive import SessionArchive
from ledger.exports.tables import dated_entries
from ledger.i18n.language import Language, inert, render
from ledger.i18n.sentences import say
from ledger.rulebook.values import BANK, POT, Account
from ledger.session.events import ChipValue

Facts = Mapping[str, int | str]
Posting = tuple[str, int, int]

WIDE = {"name": str.maketrans(",", "，"), "note": str.maketrans(",[", "，［")}
"""Signs that tags of hledger cannot have, by the tag, with the wide ones in their place."""


class Hledger:
    """The journal of hledger and Ledger; the balances of both accounts are asserted in every transaction.

    Ledger needs a commodity's name declared first, and facts of an account on a line of their own.
    """

    def __init__(self, session_id: str) -> None:
        self.pot, self.bank = f"assets:{session_id[:8]}:pot", f"equity:{session_id[:8]}:bank"
        self.seat = f"assets:{session_id[:8]}:seat:"

    def player(self, number: str, name: str) -> str:
        letters = (letter if letter in "-_.'" or unicodedata.category(letter)[0] in "LNM" else " " for letter in name)
        return " ".join([self.seat + number, *"".join(letters).split()])

    def opening(self, title: str, comments: str, day: str, value: ChipValue | None) -> str:
        prices = "commodity CHIP\ncommodity 1000. CHIP\n"
        if value:
            currency, digits = value.currency, "0" * get_currency_precision(value.currency)
            prices += f"commodity {currency}\ncommodity 1000.{digits} {currency}\n"
            prices += f"P {day} CHIP {value.per_chip} {currency}\n"
        return f"; Fuda Ledger: {title}\n{comments}{prices}\n"

    def account(self, _day: str, called: str, facts: Facts) -> str:
        return f"account {called}\n" + (f"    ; {self._tags(facts)}\n" if facts else "")

    def entry(self, entry: Entry, head: Sequence[str], facts: Facts, postings: Sequence[Posting]) -> str:
        day, why, where = head
        lines = "".join(f"    {called}  {chips} CHIP = {held} CHIP\n" for called, chips, held in postings)
        return f"\n{day} * ({entry.id}) {why} | {where}  ; {self._tags(facts)}\n{lines}"

    def balances(self, _day: str, _held: Mapping[str, int]) -> str:
        return ""

    def _tags(self, facts: Facts) -> str:
        """Write tags. A comma would end one, and Ledger reads a date in the brackets of a note."""
        wide = {name: str(facts[name]).translate(signs) for name, signs in WIDE.items() if name in facts}
        return ", ".join([f"{name}:{fact}" for name, fact in {**facts, **wide}.items()])


class Beancount:
    """beancount's ledger; the balances of all accounts are asserted at the end of each day.

    Commodities are not declared, which could be done only once in books of several evenings. No part of an account
    begins with a Japanese letter. A reversal has the tag `#reversal` and the link of the entry that it takes back.
    """

    def __init__(self, session_id: str) -> None:
        self.id, key = session_id, f"S-{session_id[:8]}"
        self.pot, self.bank, self.seat = f"Assets:{key}:Pot", f"Equity:{key}:Bank", f"Assets:{key}:Seat:S"

    def player(self, number: str, name: str) -> str:
        """Name an account after the number and up to thirty letters and digits: `Zoë O'Neil` is `Zoë-O-Neil`."""
        words = {"Lu", "Ll", "Lt", "Lm", "Lo", "Nd"}
        composed = unicodedata.normalize("NFKC", name)
        letters = "".join(letter if unicodedata.category(letter) in words else " " for letter in composed)
        return f"{self.seat}{number}-{'-'.join(letters.split())[:30]}".rstrip("-")

    def opening(self, title: str, comments: str, day: str, value: ChipValue | None) -> str:
        price = f"{day} price CHIP {value.per_chip} {value.currency}\n" if value else ""
        return f'option "title" {self._value(title)}\n{comments}{price}\n'

    def account(self, day: str, called: str, facts: Facts) -> str:
        return f"{day} open {called} CHIP\n{self._metadata(facts)}"

    def entry(self, entry: Entry, head: Sequence[str], facts: Facts, postings: Sequence[Posting]) -> str:
        day, why, where = head
        links = f" ^{self.id}-{entry.id}"
        if entry.reverses is not None:
            links = f" #reversal{links} ^{self.id}-{entry.reverses}"
        lines = "".join(f"  {called}  {chips} CHIP\n" for called, chips, _ in postings)
        return f'\n{day} * "{why}" "{where}"{links}\n{self._metadata(facts)}{lines}'

    def balances(self, day: str, held: Mapping[str, int]) -> str:
        return "\n" + "".join(f"{day} balance {called}  {chips} CHIP\n" for called, chips in held.items())

    def _metadata(self, facts: Facts) -> str:
        return "".join(f"  {name}: {self._value(fact)}\n" for name, fact in facts.items())

    def _value(self, fact: int | str) -> str:
        if isinstance(fact, int):
            return str(fact)
        return '"' + fact.replace("\\", "\\\\").replace('"', '\\"') + '"'


def lines(dialect: Hledger | Beancount, archive: SessionArchive) -> Iterator[str]:
    """Write the declarations, and then every entry."""
    session, first, language = archive.session, archive.first_day, archive.options.language
    title = on_one_line(session.name or session.opening.game)
    yield dialect.opening(title, heading(archive), first, session.chip_value)

    # A player whose joining was taken back is still in the books, and called by the id. The numbers sort as text.
    gone = sorted(archive.state.balances.keys() - {BANK, POT, *session.names})
    names = {**session.names, **dict(zip(gone, gone, strict=True))}
    width = max(2, len(str(len(names))))
    accounts: dict[Account, str] = {POT: dialect.pot, BANK: dialect.bank}
    for account, name in names.items():
        accounts[account] = dialect.player(account.removeprefix("p").zfill(width), name)
    for account, called in accounts.items():
        facts = {"player": account, "name": on_one_line(names.get(account, ""))}
        yield dialect.account(first, called, facts if account in session.names else {})

    held, today = dict.fromkeys(accounts.values(), 0), first
    reasons = {key: re.sub(r'[;|"\\\n]', " ", name) for key, name in archive.reasons.items()}
    entries = yielding(dated_entries(archive))
    for day, recorded_at, entry, note in sorted(entries, key=itemgetter(0)) if archive.days_of_rounds else entries:
        if day != today:
            yield dialect.balances(day, held)
            today = day
        head = day, reasons.get(entry.reason, entry.reason), place_of(entry.round, entry.reverses, language)
        payer, payee, amount = accounts[entry.payer], accounts[entry.payee], entry.amount
        held[payer] -= amount
        held[payee] += amount
        postings = (payer, -amount, held[payer]), (payee, amount, held[payee])
        yield dialect.entry(entry, head, facts_of(entry, recorded_at, note), postings)
    if (last := date.fromisoformat(today)) < date.max:  # an imported session may have any date
        yield dialect.balances(str(last + timedelta(days=1)), held)


def write(dialect: type[Hledger | Beancount], archive: SessionArchive) -> bytes:
    return "".join(lines(dialect(archive.session.id), archive)).encode()


write_journal, write_beancount = partial(write, Hledger), partial(write, Beancount)


def facts_of(entry: Entry, recorded_at: str, note: str) -> Facts:
    facts: dict[str, int | str] = {"entry": entry.id, "seq": entry.seq, "reason": entry.reason}
    numbers = (("round", entry.round), ("part", entry.part), ("reverses", entry.reverses))
    facts |= {name: number for name, number in numbers if number is not None}
    facts["recorded_at"] = recorded_at
    return {**facts, "note": shown} if note and (shown := on_one_line(note)) else facts


@lru_cache(32)
def place_of(number: int | None, reverses: int | None, language: Language) -> str:
    """Name the round of an entry, and the entry that it takes back."""
    place = render(say("between rounds") if number is None else say("round {round}", round=number), language, {})
    if reverses is None:
        return place
    return render(say("{place}, takes back entry {entry}", place=place, entry=reverses), language, {})


def heading(archive: SessionArchive) -> str:
    """Write in comments what the file was made from, what its days are, and the house rules."""
    session, words, day, zone = archive.session, archive.words, archive.played_on, archive.options.zone_name
    facts = {"id": session.id, "moment": session.created_at, "seq": archive.state.seq}
    comments = [
        f"{archive.game}, {archive.deck}",
        *([words(say("Played on {day}", day=day))] if day else []),
        words(say("Session {id}, opened {moment}, as it stood after event {seq}", **facts)),
        words(say("Days are by the clock of {clock} and never go back.", clock=zone)),
        "",
        words(say("House rules")),
    ]
    for rule in archive.house_rules:
        line = say("* {switch}: {setting} ({usually})" if rule.usually else "{switch}: {setting}", **rule._asdict())
        comments.append(f"  {words(line)}")
    return "".join(f"; {comment}".rstrip() + "\n" for comment in comments) + "\n"


def on_one_line(words: str) -> str:
    """Return words without what would break a line or turn it around, and without spaces at the ends."""
    return inert(words).strip()
