"""Importing a session that was exported as `export.json`, and opening balances from a list.

A file is untrusted: its form is checked first, then its chain, its texts, and its books, which are worked out again
from the log and have to be the ones in the file. Only then is it stored, as a whole.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import islice, repeat
from typing import Any, get_args

from ledger.codec.export_file import MAX_EVENTS_IN_A_FILE, File, words_of
from ledger.codec.hash_chain import row_hash
from ledger.cooperation import yielding
from ledger.i18n.sentences import Fault, Malformed, Sentence, say, template
from ledger.notation.typed import whole_number
from ledger.records import convert, replace
from ledger.rulebook.refusal import Refused
from ledger.services.recording import MAX_PEOPLE
from ledger.services.sessions import new_session_id
from ledger.services.verification import Finding, check
from ledger.session.corrections import Correction
from ledger.storage.stored import Head, SessionCopy, StoredEvent, StoredSession

MAX_LINES = 2 * MAX_EVENTS_IN_A_FILE
"""How many lines a session in the round notation may have: room for comments between its events."""

MAX_WORK = 10_000_000
"""How many events, over all its corrections, an import may cause to be computed again: a dozen seconds."""

CORRECTIONS = tuple(kind.type for kind in get_args(Correction))


class FileIsBroken(Refused):
    """The file is not what was exported; the first thing that differs is {where:sentence}: {what:sentence}."""


PLACES = {
    "events": template("event {row}"),
    "entries": template("entry {row}"),
    "balances": template("the balance of {row}"),
    "words": template("the text {row}"),
}
"""What findings are about, by their tables."""


def read_file(file: File) -> SessionCopy:
    """Check what was read of an `export.json`, to be stored under a new id. Raises Malformed and FileIsBroken."""
    opening = file.log.opening
    words = words_of(opening.words)
    session = StoredSession(new_session_id(), opening.body, opening.version, opening.created_at, words)
    rows = [
        convert(StoredEvent, row, hash=bytes.fromhex(row.hash), words=words_of(row.words))
        for row in yielding(file.log.rows)
    ]
    last = rows[-1].hash if rows else row_hash(b"", *session.hashed)
    copy = SessionCopy(session, Head(len(rows), last), rows, file.entries)
    why = too_much_work([row.type for row in rows])
    finding = Finding("log", len(rows), why) if why else next(check(copy, file.balances), None)
    if finding:
        place = replace(PLACES.get(finding.table, template("the session itself")), facts={"row": finding.row})
        raise FileIsBroken(**finding._asdict(), where=place)
    return copy


def too_much_work(types: Sequence[str]) -> Sentence | None:
    """Give the reason why events of these types are too much to work out, if they are."""
    corrections = sum(each in CORRECTIONS for each in types)
    if corrections * len(types) <= MAX_WORK:
        return None
    return say("it has {count} corrections, more than this service works out again", count=corrections)


HEADS = (
    frozenset({"name", "names", "player", "名前", "氏名", "なまえ", "プレイヤー", "プレーヤー", "参加者"}),
    frozenset({"balance", "balances", "chips", "収支", "残高", "チップ", "枚数", "持ち点", "点数"}),
)
"""What the columns of names and of balances may be called."""


def read_balances(text: str) -> list[tuple[str, int]]:
    """Read a list of names and balances in seat order, with or without heads, as spreadsheets write it.

    Of a list that is too long only as much is read as it takes to see that. Raises Malformed naming the cells.
    """
    rows = list(islice(filled(text), MAX_PEOPLE + 2))
    heads = [cell.casefold() for cell in rows[0][1]] if rows else []
    names, balances = ([at for at, head in enumerate(heads) if head in known] for known in HEADS)
    name_at, balance_at, width = 0, 1, 2
    if names and balances:
        name_at, balance_at, width, rows = names[0], balances[0], len(heads), rows[1:]
    people, faults = list[tuple[str, int]](), list[Fault]()
    for place, (row, cells) in enumerate(rows):
        padded = [*cells, *repeat("", width)]
        name, balance = padded[name_at], padded[balance_at]
        chips = whole_number(balance)
        column = balance_at
        if not name:
            column, why = name_at, say("a name is needed")
        elif not balance:
            why = say("a whole number of chips is needed, and nothing stands there")
        elif chips is None:
            why = say("“{cell}” is no whole number of chips, such as 25, -30 or 1,000", cell=balance[:40])
        elif len(cells) > width:
            column, cell = width, cells[width][:40]
            why = say("“{cell}” is too much: a row is a name and a balance, as in Aki,-30", cell=cell)
        else:
            people.append((name, chips))
            continue
        at = say("row {row}, column {column}: {why:sentence}", row=row, column=column + 1, why=why)
        faults.append(Fault(f"/balances/{place}", at))
    if faults:
        raise Malformed(*faults)
    return people


def filled(text: str) -> Iterator[tuple[int, list[str]]]:
    """Give the rows in which something stands, each with its number, without empty cells at its end."""
    declared = re.match(r"sep=([,;\t])\r?\n", text)
    text = text[declared.end() :] if declared else text
    rows = csv_rows(text, declared[1] if declared else delimiter_of(text))
    try:
        for number, row in enumerate(rows, 2 if declared else 1):
            cells = [cell.strip() for cell in row]
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield number, cells
    except csv.Error:
        why = say("this is no CSV that can be read, at line {line}", line=rows.line_num)
        raise Malformed(Fault("/balances", why)) from None


def delimiter_of(text: str) -> str:
    """Find the delimiter of the first row: a tab, a semicolon or else a comma."""
    for delimiter in "\t;":
        with suppress(csv.Error):
            if len(next((row for row in csv_rows(text, delimiter) if any(map(str.strip, row))), [])) > 1:
                return delimiter
    return ","


def csv_rows(text: str, delimiter: str) -> Any:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
