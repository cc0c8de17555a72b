"""Bringing a session in that was taken home as `export.json`, and opening balances from a list.

A file comes from anywhere, so nothing in it is believed: its form is checked first, then its chain, its words, and its
books, which are worked out again from the log and have to be the ones in the file. Only then is it stored, as a whole.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import get_args

from ledger.books import Balances
from ledger.codec import read_event, read_opening, rule_book
from ledger.codec.files import MAX_EVENTS_IN_A_FILE, File, RowInFile, words_of
from ledger.cooperation import yielding
from ledger.desk import Desk, new_session_id
from ledger.games import GAMES
from ledger.history import Session, SessionState
from ledger.idempotency import IdempotencyKey
from ledger.notation.typed import whole_number
from ledger.play.refusals import Refused
from ledger.sentences import Fault, Malformed, Sentence, say
from ledger.session.corrections import Correction
from ledger.session_cache import first_hash
from ledger.storage.records import Head, SessionCopy, StoredEvent, StoredLink, StoredSession
from ledger.verification import Finding, check

MAX_PEOPLE = 100
"""How many people a list of balances may have, which is more than any game seats."""

MAX_LINES = 2 * MAX_EVENTS_IN_A_FILE
"""How many lines a session in the round notation may have: room for comments between its events."""

MAX_WORK = 10_000_000
"""How many events, over all its corrections, an import may cause to be computed again: a dozen seconds."""

CORRECTIONS = tuple(kind.type for kind in get_args(Correction))


class FileIsBroken(Refused):
    """The file is not what was exported; the first thing that differs is {where:sentence}: {what:sentence}."""


def place_of(finding: Finding) -> Sentence:
    """Name what a finding is about."""
    match finding.table:
        case "events":
            return say("event {row}", row=finding.row)
        case "entries":
            return say("entry {row}", row=finding.row)
        case "balances":
            return say("the balance of {row}", row=finding.row)
        case "words":
            return say("the text {row}", row=finding.row)
    return say("the session itself")


def bring_in(desk: Desk, file: File, key: IdempotencyKey | None = None) -> tuple[Session, StoredLink, str]:
    """Open a session out of an `export.json`, with the same history, hashes and books.

    Gives it with its owner's link and that link's token. Raises Malformed, FileIsBroken and AlreadyProcessed.
    """
    return desk.take_in(read_file(file), key)


def read_file(file: File) -> SessionCopy:
    """Check what was read of an `export.json`, to be stored under a new id. Raises Malformed and FileIsBroken."""
    opening = file.log.opening
    words = words_of(opening.words)
    session = StoredSession(new_session_id(), opening.body, opening.version, opening.created_at, words)
    rows = list(map(stored_row, yielding(file.log.rows)))
    entries = file.entries
    last = rows[-1].hash if rows else first_hash(session)
    read = SessionCopy(session, Head(len(rows), last), rows, entries)
    if finding := next(iter(findings(read, file.balances)), None):
        raise FileIsBroken(**finding._asdict(), where=place_of(finding))
    return read


def stored_row(row: RowInFile) -> StoredEvent:
    """Give a row of a file as it lies in the database."""
    words = words_of(row.words)
    return StoredEvent(
        row.seq, row.type, row.version, row.body, row.recorded_at, row.recorded_by, bytes.fromhex(row.hash), words
    )


def findings(read: SessionCopy, balances: Balances) -> Iterable[Finding]:
    """Check a session out of a file as if it lay in the database, and give what is wrong with it."""
    if why := too_much_work([row.type for row in read.events]):
        yield Finding("log", len(read.events), why)
        return
    yield from check(read, balances)


def too_much_work(types: Sequence[str]) -> Sentence | None:
    """Say why events of these types are too much to work out; None if they are not."""
    corrections = sum(each in CORRECTIONS for each in types)
    if corrections * len(types) <= MAX_WORK:
        return None
    return say("it has {count} corrections, more than this service works out again", count=corrections)


def folded(read: SessionCopy) -> SessionState:
    """Live through the evening of a session out of a file."""
    opening = read_opening(read.session.body, read.session.words, read.session.version)
    state = SessionState.opened(GAMES[opening.game], opening)
    return state.after(
        (read_event(row.type, row.body, row.words, rule_book(opening.game, row.version)), row.version)
        for row in read.events
    )


def read_balances(text: str) -> list[tuple[str, int]]:
    """Read a list of names and balances, with or without heads, in seat order: whatever a spreadsheet makes of it.

    Of a list that is too long only as much is read as it takes to see that. Raises Malformed naming the cells.
    """
    rows = list(islice(filled(text), MAX_PEOPLE + 2))
    heads = [cell.casefold() for cell in rows[0][1]] if rows else []
    columns = [next((at for at, head in enumerate(heads) if head in known), None) for known in HEADS]
    width = 2
    if None in columns:
        columns = [0, 1]
    else:
        rows, width = rows[1:], len(heads)
    people, faults = list[tuple[str, int]](), list[Fault]()
    for place, (row, cells) in enumerate(rows):
        name, balance = (cells[at] if at is not None and at < len(cells) else "" for at in columns)
        chips = whole_number(balance)
        if not name:
            column, why = columns[0], say("a name is needed")
        elif not balance:
            column, why = columns[1], say("a whole number of chips is needed, and nothing stands there")
        elif chips is None:
            why = say("“{cell}” is no whole number of chips, such as 25, -30 or 1,000", cell=balance[:40])
            column = columns[1]
        elif len(cells) > width:
            why = say("“{cell}” is too much: a row is a name and a balance, as in Aki,-30", cell=cells[width][:40])
            column = width
        else:
            people.append((name, chips))
            continue
        at = say("row {row}, column {column}: {why:sentence}", row=row, column=(column or 0) + 1, why=why)
        faults.append(Fault(f"/balances/{place}", at))
    if faults:
        raise Malformed(*faults)
    return people


HEADS = (
    frozenset({"name", "names", "player", "名前", "氏名", "なまえ", "プレイヤー", "プレーヤー", "参加者"}),
    frozenset({"balance", "balances", "chips", "収支", "残高", "チップ", "枚数", "持ち点", "点数"}),
)
"""What the columns of names and of balances may be called."""


def filled(text: str) -> Iterator[tuple[int, list[str]]]:
    """Give the rows in which something stands, each with its number, without what is empty at its end."""
    if declared := re.match(r"sep=([,;\t])\r?\n", text):
        text = text[declared.end() :]
    lines = csv.reader(
        io.StringIO(text, newline=""), delimiter=declared[1] if declared else delimiter_of(text), strict=True
    )
    try:
        for number, row in enumerate(lines, 2 if declared else 1):
            cells = [cell.strip() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield number, cells
    except csv.Error:
        why = say("this is no CSV that can be read, at line {line}", line=lines.line_num)
        raise Malformed(Fault("/balances", why)) from None


def delimiter_of(text: str) -> str:
    """Find what parts the cells of the first row: a tab, a semicolon or else a comma."""
    for delimiter in "\t;":
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        with suppress(csv.Error):
            if len(next((row for row in rows if any(map(str.strip, row))), [])) > 1:
                return delimiter
    return ","
