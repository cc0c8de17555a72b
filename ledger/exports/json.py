"""Everything of a session as one JSON object: where it stands, the whole log, every round, the whole ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import orjson

from ledger.desk import Books
from schemas.events import dump_told
from schemas.sessions import dump_entry, dump_round, dump_session

FORMAT = "fuda-ledger"
VERSION = 1


def write_json(books: Books) -> Iterator[bytes]:
    """Write the session, its events, rounds and entries, each list an element at a time."""
    sitting = books.sitting
    yield b'{"format":' + orjson.dumps(FORMAT) + b',"version":' + orjson.dumps(VERSION)
    yield b',"session":' + orjson.dumps(dump_session(sitting))
    yield from listed(b"events", (dump_told(told) for told in books.events()))
    yield from listed(b"rounds", (dump_round(done, sitting.names) for done in sitting.evening.rounds()))
    yield from listed(b"entries", (dump_entry(entry) for entry in books.entries()))
    yield b"}\n"


def listed(name: bytes, elements: Iterable[Any]) -> Iterator[bytes]:
    """Write a member that is a list."""
    yield b',"' + name + b'":['
    for place, element in enumerate(elements):
        yield (b",\n" if place else b"\n") + orjson.dumps(element)
    yield b"]"
