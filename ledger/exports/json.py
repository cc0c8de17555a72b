"""Everything of a session as one JSON object: where it stands, the whole log, every round, the whole ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec

from ledger.books import Entry
from ledger.codec.encoding import encoded
from ledger.codec.files import FORMAT, VERSION, OpeningInFile, RowInFile, TextInFile
from ledger.exports.archive import SessionArchive
from ledger.exports.pieces import in_pieces
from ledger.hash_chain import SaltedText
from ledger.records import convert
from ledger.responses.rounds import round_answer
from ledger.responses.sessions import session_answer
from ledger.storage.records import StoredEvent, StoredSession

ENTRIES_A_PAGE = 500
ENCODER = msgspec.json.Encoder()


def write_json(archive: SessionArchive) -> Iterator[bytes]:
    """Write the session, its events, rounds and entries; each list is made an element at a time.

    `log` has the rows with their hashes, salts and words, from which `imports` brings the session back.
    """
    return in_pieces(_json(archive))


def _json(archive: SessionArchive) -> Iterator[bytes]:
    session, names = archive.session, archive.session.names
    yield b'{"format":' + msgspec.json.encode(FORMAT) + b',"version":' + msgspec.json.encode(VERSION)
    yield b',"session":' + encoded(session_answer(session))
    yield from listed(b"events", archive.events())
    yield from listed(b"rounds", (round_answer(done, names) for done in session.state.rounds()))
    yield b',"balances":' + msgspec.json.encode(dict(session.state.balances))
    yield from entries_listed(archive.entries())
    yield b',"log":{"opening":' + msgspec.json.encode(opening_row_to(archive.opening()))
    yield from listed(b"rows", (row_to(row) for row in archive.rows()))
    yield b"}}\n"


def listed(name: bytes, elements: Iterable[Any]) -> Iterator[bytes]:
    """Write a member that is a list."""
    yield b',"' + name + b'":['
    between = b"\n"
    for element in elements:
        yield between + encoded(element)
        between = b",\n"
    yield b"]"


def entries_listed(entries: Iterator[Entry]) -> Iterator[bytes]:
    """Write the ledger, a page at a time and an entry a line: within an entry JSON has no line break."""
    yield b',"entries":['
    between = b"\n"
    while page := list(islice(entries, ENTRIES_A_PAGE)):
        yield between + ENCODER.encode_lines(page)[:-1].replace(b"\n", b",\n")
        between = b",\n"
    yield b"]"


def row_to(row: StoredEvent) -> RowInFile:
    """Give a row of the log as it stands in a file."""
    return convert(RowInFile, row, hash=row.hash.hex(), words=texts_to(row.words))


def opening_row_to(stored: StoredSession) -> OpeningInFile:
    """Give a session's opening as it stands in a file."""
    return convert(OpeningInFile, stored, words=texts_to(stored.words))


def texts_to(words: Mapping[str, SaltedText]) -> dict[str, TextInFile]:
    """Give the texts of a row as they stand in a file."""
    return {place: TextInFile(text.salt.hex(), text.text) for place, text in words.items()}
