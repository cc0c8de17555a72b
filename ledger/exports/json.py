"""Everything of a session as one JSON object: where it stands, the whole log, every round, the whole ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ledger.codec.encoding import encoded
from ledger.codec.export_file import FORMAT, VERSION, OpeningInFile, RowInFile, TextInFile
from ledger.codec.hash_chain import SaltedText
from ledger.cooperation import yielding
from ledger.exports.archive import SessionArchive
from ledger.records import convert
from ledger.responses.rounds import round_answer
from ledger.responses.sessions import session_answer


def write_json(archive: SessionArchive) -> bytes:
    """Write the session, its events, rounds and entries, an element of a list on a line.

    `log` has the rows with their hashes, salts and words, from which `imports` brings the session back.
    """
    session, state = archive.session, archive.state
    opening = convert(OpeningInFile, archive.stored, words=texts_to(archive.stored.words))
    rows = (convert(RowInFile, row, hash=row.hash.hex(), words=texts_to(row.words)) for row in archive.rows())
    return b"".join(
        (
            b'{"format":' + encoded(FORMAT) + b',"version":' + encoded(VERSION),
            b',"session":' + encoded(session_answer(session)),
            b',"events":' + listed(archive.events()),
            b',"rounds":' + listed(round_answer(done, session.names) for done in state.rounds()),
            b',"balances":' + encoded(dict(state.balances)),
            b',"entries":' + listed(archive.entries()),
            b',"log":{"opening":' + encoded(opening) + b',"rows":' + listed(rows) + b"}}\n",
        )
    )


def listed(elements: Iterable[Any]) -> bytes:
    lines = [encoded(element) for element in yielding(elements)]
    return b"[\n" + b",\n".join(lines) + b"]" if lines else b"[]"


def texts_to(words: Mapping[str, SaltedText]) -> dict[str, TextInFile]:
    """Give the texts of a row as they stand in a file."""
    return {place: TextInFile(text.salt.hex(), text.text) for place, text in words.items()}
