"""The form of `export.json`: what a session has to have to be brought back whole, and how much is read at most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Annotated, Any

from ledger.codec.json_text import GivenTwice, NotJSON, read_json
from ledger.codec.log import Row
from ledger.codec.records import record_plan
from ledger.codec.values import MOMENT, At, AtMost, Plan, as_whole, hexadecimal, matching, wrong
from ledger.hash_chain import SaltedText
from ledger.play import MOST_CHIPS, Between
from ledger.sentences import say
from ledger.session.corrections import Seq

FORMAT = "fuda-ledger"
VERSION = 1
MOST_EVENTS_IN_A_FILE = 100_100
MOST_ENTRIES_IN_A_FILE = 500_000
MOST_CHARACTERS = 500


def read_version(value: Any, _at: At) -> int:
    """Read which form a file has: one that this release knows."""
    version = as_whole(value)
    if type(version) is not int or version < 1:
        raise wrong(say("a whole number is needed"))
    if version > VERSION:
        raise wrong(say("this release reads files up to version {version}; a newer one wrote this", version=VERSION))
    return version


def read_text(value: Any, _at: At) -> str:
    """Read what somebody wrote, as long as any of it may be; what it is for, its row will say."""
    if type(value) is str and len(value) <= MOST_CHARACTERS:
        return value
    raise wrong(say("a text of at most {most} characters is needed", most=MOST_CHARACTERS))


def read_body(value: Any, _at: At) -> str:
    """Read the JSON text of a row, which is looked at later, but for names that stand twice in it."""
    if type(value) is not str:
        raise wrong(say("a text is needed"))
    try:
        read_json(value.encode("utf-8", "surrogatepass"))
    except GivenTwice as error:
        raise wrong(error.sentence) from None
    except NotJSON:
        pass
    return value


BODY = Plan(read_body)


@dataclass(frozen=True, slots=True)
class TextInFile:
    """What somebody wrote, and the salt of its digest, in hex; no salt once it was forgotten."""

    salt: Annotated[bytes, hexadecimal(r"(?:[0-9a-f]{32})?", say("32 hexadecimal digits or none"))]
    text: Annotated[str, Plan(read_text)]


@dataclass(frozen=True, slots=True)
class OpeningInFile:
    """A session's opening as it stands in the log."""

    body: Annotated[str, BODY]
    version: Annotated[int, Between(1, 1_000)]
    created_at: Annotated[str, MOMENT]
    words: Mapping[str, TextInFile]


@dataclass(frozen=True, slots=True)
class RowInFile:
    """A row of the log, with the hash over it and the row before."""

    seq: Seq
    type: str
    version: Annotated[int, Between(1, 1_000)]
    body: Annotated[str, BODY]
    recorded_at: Annotated[str, MOMENT]
    recorded_by: Annotated[str, matching(r"[0-9A-Za-z_.-]{1,40}", say("the id of a link is needed"))]
    hash: Annotated[bytes, hexadecimal(r"[0-9a-f]{64}", say("64 hexadecimal digits are needed"))]
    words: Mapping[str, TextInFile]


@dataclass(frozen=True, slots=True)
class EntryInFile:
    """An entry of the books."""

    id: Seq
    seq: Seq
    round: Seq | None
    payer: str = field(metadata={"wire": "from"})
    payee: str = field(metadata={"wire": "to"})
    amount: Annotated[int, Between(1, MOST_CHIPS)]
    reason: str
    reverses: Seq | None
    part: Seq | None = field(default=None, metadata={"optional": True})


@dataclass(frozen=True, slots=True)
class LogInFile:
    """The whole log, as it was recorded."""

    opening: OpeningInFile
    rows: Annotated[tuple[RowInFile, ...], AtMost(MOST_EVENTS_IN_A_FILE)]


@dataclass(frozen=True, slots=True)
class File:
    """An `export.json`. What it tells besides, for people to read, is worked out again and not needed."""

    format: Annotated[str, matching(FORMAT, say("this has to be an export.json of this service"))]
    version: Annotated[int, Plan(read_version)]
    balances: Mapping[str, int]
    entries: Annotated[tuple[EntryInFile, ...], AtMost(MOST_ENTRIES_IN_A_FILE)]
    log: LogInFile


NEEDED = {needed.name for needed in fields(File)}


def read_export(told: object) -> File:
    """Read an `export.json`. Raises Malformed."""
    if not isinstance(told, dict):
        raise wrong(say("an object is needed"))
    file: File = record_plan(File).read({name: value for name, value in told.items() if name in NEEDED}, At())
    return file


def row_to(row: Row) -> dict[str, Any]:
    """Give a row of the log as it stands in a file."""
    told: dict[str, Any] = record_plan(RowInFile).write(row, "", None)
    return told


def opening_row_to(stored: object) -> dict[str, Any]:
    """Give a session's opening as it stands in a file."""
    told: dict[str, Any] = record_plan(OpeningInFile).write(stored, "", None)
    return told


def words_of(texts: Mapping[str, TextInFile]) -> Mapping[str, SaltedText]:
    """Give the texts of a row in a file as they lie beside a row of the log."""
    return {place: SaltedText(said.salt, said.text) for place, said in texts.items()}
