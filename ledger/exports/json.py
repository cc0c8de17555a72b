"""Everything of a session as one JSON object: where it stands, the whole log, every round, the whole ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from ledger.answers.encoding import encoded
from ledger.answers.entries import entry_answer
from ledger.answers.rounds import round_answer
from ledger.answers.sessions import session_answer
from ledger.codec.files import FORMAT, VERSION, opening_row_to, row_to
from ledger.desk import SessionArchive
from ledger.exports.pieces import in_pieces


def write_json(archive: SessionArchive) -> Iterator[bytes]:
    """Write the session, its events, rounds and entries; each list is made an element at a time.

    `log` has the rows with their hashes, salts and words, from which `imports` brings the session back.
    """
    return in_pieces(_json(archive))


def _json(archive: SessionArchive) -> Iterator[bytes]:
    session = archive.session
    yield b'{"format":' + orjson.dumps(FORMAT) + b',"version":' + orjson.dumps(VERSION)
    yield b',"session":' + encoded(session_answer(session))
    yield from listed(b"events", archive.events())
    yield from listed(b"rounds", (round_answer(done, session.names) for done in session.state.rounds()))
    yield b',"balances":' + orjson.dumps(dict(session.state.balances))
    yield from listed(b"entries", map(entry_answer, archive.entries()))
    yield b',"log":{"opening":' + orjson.dumps(opening_row_to(archive.opening()))
    yield from listed(b"rows", (row_to(row) for row in archive.rows()))
    yield b"}}\n"


def listed(name: bytes, elements: Iterable[Any]) -> Iterator[bytes]:
    """Write a member that is a list."""
    yield b',"' + name + b'":['
    for place, element in enumerate(elements):
        yield (b",\n" if place else b"\n") + encoded(element)
    yield b"]"
