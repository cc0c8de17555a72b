"""Everything of a session as one JSON object: where it stands, the whole log, every round, the whole ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from ledger.desk import SessionArchive
from schemas.events import dump_told
from schemas.files import FORMAT, VERSION, dump_opening_row, dump_row
from schemas.sessions import dump_entry, dump_round, dump_session


def write_json(archive: SessionArchive) -> Iterator[bytes]:
    """Write the session, its events, rounds and entries, each list an element at a time.

    `log` has the rows with their hashes, salts and words, from which `imports` brings the session back.
    """
    session = archive.session
    yield b'{"format":' + orjson.dumps(FORMAT) + b',"version":' + orjson.dumps(VERSION)
    yield b',"session":' + orjson.dumps(dump_session(session))
    yield from listed(b"events", (dump_told(told) for told in archive.events()))
    yield from listed(b"rounds", (dump_round(done, session.names) for done in session.state.rounds()))
    yield b',"balances":' + orjson.dumps(dict(session.state.balances))
    yield from listed(b"entries", (dump_entry(entry) for entry in archive.entries()))
    yield b',"log":{"opening":' + orjson.dumps(dump_opening_row(archive.opening()))
    yield from listed(b"rows", (dump_row(row) for row in archive.rows()))
    yield b"}}\n"


def listed(name: bytes, elements: Iterable[Any]) -> Iterator[bytes]:
    """Write a member that is a list."""
    yield b',"' + name + b'":['
    for place, element in enumerate(elements):
        yield (b",\n" if place else b"\n") + orjson.dumps(element)
    yield b"]"
