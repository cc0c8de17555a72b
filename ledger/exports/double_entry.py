"""What programs for bookkeeping all want of a session: days, accounts, words, and text on one line.

They sort what they read by day and check balances in that order, so entries come by day here, those of one day in the
order of the books. A round with a `played_on` is booked on that day. Any other day is the
reader's (`LEDGER_TIMEZONE`), so that an evening that ends before midnight there is one day, whatever the day is in UTC.
The clock of a service can be set back, and then a day would come after the next; so the day of recording never goes
back here, and `recorded_at` beside it says exactly when.

What a person reads in such a file (why chips moved, in which round, the house rules) is in the reader's language; what
a program may go by, the reason as it is on the wire too, is in the metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ledger.books import Entry
from ledger.exports.archive import SessionArchive
from ledger.exports.days import Days, played_on
from ledger.exports.telling import deck_name, game_title, house_rules, note_of, reasons, with_rows
from ledger.exports.wanted import Wanted
from ledger.language import Language, inert, render, translate
from ledger.play.values import BANK, POT
from ledger.sentences import say
from ledger.session.table import Player


class Dated(NamedTuple):
    """An entry, the reader's day that it is booked on (`2026-11-21`), when its event was recorded (UTC), its note."""

    day: str
    recorded_at: str
    entry: Entry
    note: str


def dated(archive: SessionArchive, wanted: Wanted) -> Iterator[Dated]:
    """Give every entry with its day, in the order of the books."""
    days, day_of = Days.of(archive, wanted), wanted.day
    seq, day = 0, days.opened
    for entry, row in with_rows(archive):
        if row.seq != seq:
            seq, day = row.seq, max(day, day_of(row.recorded_at))
        yield Dated(days.day(entry.round, day), row.recorded_at, entry, note_of(entry, row))


def by_day(archive: SessionArchive, wanted: Wanted) -> Iterable[Dated]:
    """Give every entry with its day, by day: balances are checked in that order."""
    found = dated(archive, wanted)
    return sorted(found, key=lambda each: each.day) if Days.of(archive, wanted).rounds else found


PLACE, ENTRY = "\ue000", "\ue001"
"""What stands for facts in a sentence that is said of very many entries: nobody's language has these characters."""


class Words:
    """What is said of an entry in the reader's language; within a round much of it is the same."""

    def __init__(self, archive: SessionArchive, language: Language) -> None:
        self._language = language
        self._reasons = {reason: _SIGNS.sub(" ", said) for reason, said in reasons(archive, language).items()}
        self._back = render(say("{place}, takes back entry {entry}", place=PLACE, entry=ENTRY), language, {})
        self._round: int | None = 0
        self._place = ""

    def of(self, entry: Entry) -> tuple[str, str]:
        """Say why chips moved, and where. A reason that no rule book here has any more stays as it is."""
        if entry.round != self._round:
            self._round, self._place = entry.round, self._where(entry.round)
        place = self._place
        if entry.reverses is not None:
            place = self._back.replace(PLACE, place).replace(ENTRY, str(entry.reverses))
        return self._reasons.get(entry.reason, entry.reason), place

    def _where(self, number: int | None) -> str:
        if number is None:
            return translate("between rounds", self._language)
        return render(say("round {round}", round=number), self._language, {})


_SIGNS = re.compile(r'[;|"\\\n]')
"""What would end the description of a transaction."""


def heading(archive: SessionArchive, wanted: Wanted) -> str:
    """Say in comments what a file was made from, what its days are, and by which house rules was played."""
    session, language = archive.session, wanted.language
    made_from = say(
        "Session {id}, opened {moment}, as it stood after event {seq}",
        id=session.id,
        moment=session.created_at,
        seq=session.state.seq,
    )
    days = say("Days are by the clock of {clock} and never go back.", clock=wanted.clock)
    told = played_on(archive, wanted)
    lines = [
        f"{game_title(archive, language)}, {deck_name(archive, language)}",
        *([render(say("Played on {day}", day=told), language, {})] if told else []),
        render(made_from, language, {}),
        render(days, language, {}),
        "",
        translate("House rules", language),
        *(f"  {rule.in_words(language)}" for rule in house_rules(archive, language)),
    ]
    return "".join(f"; {line}".rstrip() + "\n" for line in lines) + "\n"


def first_day(archive: SessionArchive, wanted: Wanted) -> str:
    """Give the day before which nothing is booked."""
    return Days.of(archive, wanted).first


def short_id(archive: SessionArchive) -> str:
    """Give what a session's accounts are called by, so that books of several evenings can be read together."""
    return archive.session.id[:8]


def seats(archive: SessionArchive) -> list[tuple[str, Player]]:
    """Give everyone who ever had chips here with their number, written so that the numbers sort as text.

    Somebody whose coming was taken back is in the books all the same, and called by the id.
    """
    players, balances = archive.session.state.table.players, archive.session.state.balances
    gone = sorted(balances.keys() - {BANK, POT, *(player.id for player in players)})
    players += tuple(Player(account, account) for account in gone)
    width = max(2, len(str(len(players))))
    return [(player.id.removeprefix("p").zfill(width), player) for player in players]


def on_one_line(words: str) -> str:
    """Give somebody's words without what would break a line or turn it around, and without spaces at the ends."""
    return inert(words).strip()
