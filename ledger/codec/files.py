"""The form of `export.json`: what a session has to have to be brought back whole, and how much is read at most."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from ledger.codec.description import AtMost, Checked
from ledger.codec.json_text import GivenTwice, NotJSON, read_json
from ledger.codec.values import as_whole, read_moment, wrong
from ledger.hash_chain import SaltedText
from ledger.play.values import MAX_CHIPS, Between, EventType, LinkId, Matching, Timestamp
from ledger.records import Meta, Record, field
from ledger.sentences import Sentence, say
from ledger.session.corrections import Seq

FORMAT = "fuda-ledger"
VERSION = 1
MAX_EVENTS_IN_A_FILE = 20_100
MAX_ENTRIES_IN_A_FILE = 500_000
MAX_CHARACTERS = 500


def read_version(value: Any) -> int:
    """Read which form a file has: one that this release knows."""
    version = as_whole(value)
    if type(version) is not int or version < 1:
        raise wrong(say("the version of a file is a whole number; this release reads {version}", version=VERSION))
    if version > VERSION:
        raise wrong(say("this release reads files up to version {version}; a newer one wrote this", version=VERSION))
    return version


def read_text(value: Any) -> str:
    """Read what somebody wrote, as long as any of it may be; what it is for, its row will say."""
    if type(value) is str and len(value) <= MAX_CHARACTERS:
        return value
    raise wrong(say("a text of at most {most} characters is needed", most=MAX_CHARACTERS))


def read_body(value: Any) -> str:
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


BODY = Checked(read_body)
MOMENT = Checked(read_moment)


def hexadecimal(digits: str, needed: Sentence) -> Checked:
    """Accept bytes as lower-case hexadecimal digits."""
    form = re.compile(digits)

    def read_hexadecimal(value: Any) -> bytes:
        if type(value) is str and form.fullmatch(value):
            return bytes.fromhex(value)
        raise wrong(needed)

    return Checked(read_hexadecimal, {"pattern": f"^{digits}$"})


class TextInFile(Record):
    """A text and the salt of its digest."""

    salt: Annotated[
        bytes,
        hexadecimal(r"(?:[0-9a-f]{32})?", say("32 hexadecimal digits or none")),
        Meta(description="The salt of the text's digest, in hex; empty once the text was forgotten."),
    ]
    text: Annotated[str, Checked(read_text), Meta(description="The text.")]


class OpeningInFile(Record):
    """A session's opening as it stands in the log."""

    body: Annotated[str, BODY, Meta(description="The opening's JSON, as it is hashed.")]
    version: Annotated[
        int, Between(1, 1_000), Meta(description="The version of the rule book that the session was opened with.")
    ]
    created_at: Annotated[Timestamp, MOMENT, Meta(description="When the session was opened, in UTC.")]
    words: Annotated[
        Mapping[str, TextInFile], Meta(description="The texts of the opening, by their place in the body.")
    ]


class RowInFile(Record):
    """A row of the log, with the hash over it and the row before."""

    seq: Annotated[Seq, Meta(description="The number of the row: 1 for the first.")]
    type: Annotated[EventType, Meta(description="The type of the event.")]
    version: Annotated[
        int, Between(1, 1_000), Meta(description="The version of the rule book that the event was recorded under.")
    ]
    body: Annotated[str, BODY, Meta(description="The event's JSON, as it is hashed.")]
    recorded_at: Annotated[Timestamp, MOMENT, Meta(description="When the event was recorded, in UTC.")]
    recorded_by: Annotated[LinkId, Meta(description="The id of the link that recorded the event.")]
    hash: Annotated[
        bytes,
        hexadecimal(r"[0-9a-f]{64}", say("64 hexadecimal digits are needed")),
        Meta(description="The hash over this row and the hash of the row before."),
    ]
    words: Annotated[Mapping[str, TextInFile], Meta(description="The texts of the event, by their place in the body.")]


class EntryInFile(Record):
    """An entry of the books."""

    id: Annotated[Seq, Meta(description="The entry's number in its session, counted from 1.")]
    seq: Annotated[Seq, Meta(description="The number of the event that caused the entry.")]
    round: Annotated[Seq | None, Meta(description="The number of the entry's round; null between rounds.")]
    payer: Annotated[
        str, Meta(description="The account that pays: a player's id, `pot` or `bank`.", examples=["p1"])
    ] = field(name="from")
    payee: Annotated[
        str, Meta(description="The account that is paid: a player's id, `pot` or `bank`.", examples=["p1"])
    ] = field(name="to")
    amount: Annotated[int, Between(1, MAX_CHIPS), Meta(description="How many chips moved.")]
    reason: Annotated[str, Meta(description="Why the chips moved: one of the words in the game's `reasons`.")]
    reverses: Annotated[Seq | None, Meta(description="The id of the entry that this one reverses; null for others.")]
    part: Annotated[
        Seq | None,
        Meta(
            description="The part of the event that caused the entry, where corrections were made together.",
            extra={"optional": True},
        ),
    ] = None


class LogInFile(Record):
    """The whole log, as it was recorded."""

    opening: Annotated[OpeningInFile, Meta(description="The session's opening.")]
    rows: Annotated[
        tuple[RowInFile, ...], AtMost(MAX_EVENTS_IN_A_FILE), Meta(description="The rows of the log, in order.")
    ]


class File(Record):
    """An `export.json`. Its other members are worked out again and may be left out."""

    format: Annotated[
        str,
        Matching(FORMAT, say("this has to be an export.json of this service")),
        Meta(description="The kind of file.", extra={"const": FORMAT}),
    ]
    version: Annotated[
        int,
        Checked(read_version, {"type": "integer", "format": "int64", "minimum": 1}),
        Meta(description="The version of the file's form."),
    ]
    balances: Annotated[Mapping[str, int], Meta(description="The balance of each account, in chips.")]
    entries: Annotated[
        tuple[EntryInFile, ...], AtMost(MAX_ENTRIES_IN_A_FILE), Meta(description="The entries of the ledger.")
    ]
    log: Annotated[LogInFile, Meta(description="The whole log, as it was recorded.")]


def words_of(texts: Mapping[str, TextInFile]) -> Mapping[str, SaltedText]:
    """Give the texts of a row in a file as they lie beside a row of the log."""
    return {place: SaltedText(said.salt, said.text) for place, said in texts.items()}
