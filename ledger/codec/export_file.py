"""The form of `export.json`: what a session has to have to be brought back whole, and how much is read at most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar

from ledger.accounting.books import Entry
from ledger.codec.hash_chain import SaltedText
from ledger.i18n.sentences import say
from ledger.records import Meta, Record, doc
from ledger.rulebook.values import Account, Chips, EventType, LinkId, Seq, Timestamp, matching

FORMAT = "fuda-ledger"
VERSION = 1
MAX_EVENTS_IN_A_FILE = 20_100
MAX_ENTRIES_IN_A_FILE = 500_000
MAX_CHARACTERS = 500

Body = Annotated[str, Meta(extra={"kind": "body"})]
RuleBookVersion = Annotated[int, Meta(ge=1, le=1_000)]


class TextInFile(Record):
    """A text and the salt of its digest."""

    salt: Annotated[
        str,
        matching("(?:[0-9a-f]{32})?", say("32 hexadecimal digits or none")),
        doc("The salt of the text's digest, in hex; empty once the text was forgotten."),
    ]
    text: Annotated[str, doc("The text.", max_length=MAX_CHARACTERS)]


class OpeningInFile(Record):
    """A session's opening as it stands in the log."""

    body: Annotated[Body, doc("The opening's JSON, as it is hashed.")]
    version: Annotated[RuleBookVersion, doc("The version of the rule book that the session was opened with.")]
    created_at: Annotated[Timestamp, doc("When the session was opened, in UTC.")]
    words: Annotated[Mapping[str, TextInFile], doc("The texts of the opening, by their place in the body.")]


class RowInFile(Record):
    """A row of the log, with the hash over it and the row before."""

    seq: Annotated[Seq, doc("The number of the row: 1 for the first.")]
    type: Annotated[EventType, doc("The type of the event.")]
    version: Annotated[RuleBookVersion, doc("The version of the rule book that the event was recorded under.")]
    body: Annotated[Body, doc("The event's JSON, as it is hashed.")]
    recorded_at: Annotated[Timestamp, doc("When the event was recorded, in UTC.")]
    recorded_by: Annotated[LinkId, doc("The id of the link that recorded the event.")]
    hash: Annotated[
        str,
        matching("[0-9a-f]{64}", say("64 hexadecimal digits are needed")),
        doc("The hash over this row and the hash of the row before."),
    ]
    words: Annotated[Mapping[str, TextInFile], doc("The texts of the event, by their place in the body.")]


class LogInFile(Record):
    """The whole log, as it was recorded."""

    opening: Annotated[OpeningInFile, doc("The session's opening.")]
    rows: Annotated[tuple[RowInFile, ...], doc("The rows of the log, in order.", max_length=MAX_EVENTS_IN_A_FILE)]


class File(Record):
    """An `export.json`. Its other members are worked out again and may be left out."""

    is_open: ClassVar[bool] = True

    format: Annotated[
        str, matching(FORMAT, say("this has to be an export.json of this service")), doc("The kind of file.")
    ]
    version: Annotated[int, doc("The version of the file's form.", ge=1, extra={"kind": "version"})]
    balances: Annotated[Mapping[Account, Chips], doc("The balance of each account, in chips.")]
    entries: Annotated[tuple[Entry, ...], doc("The entries of the ledger.", max_length=MAX_ENTRIES_IN_A_FILE)]
    log: Annotated[LogInFile, doc("The whole log, as it was recorded.")]


def words_of(texts: Mapping[str, TextInFile]) -> Mapping[str, SaltedText]:
    """Give the texts of a row in a file as they lie beside a row of the log."""
    return {place: SaltedText(bytes.fromhex(one.salt), one.text) for place, one in texts.items()}
