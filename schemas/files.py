"""The form of `export.json`: what a session has to have to be brought back whole."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from marshmallow import EXCLUDE, Schema, ValidationError, fields, validates
from marshmallow.validate import Length, Range, Regexp

from ledger.play import MOST_CHIPS
from schemas.events import EventSchema
from schemas.fields import Whole
from schemas.sessions import Strict

FORMAT = "fuda-ledger"
VERSION = 1
MOST_EVENTS_IN_A_FILE = 100_000
MOST_ENTRIES_IN_A_FILE = 500_000

_HASH = Regexp(r"[0-9a-f]{64}\Z", error="64 hexadecimal digits are needed")
_SALT = Regexp(r"(?:[0-9a-f]{32})?\Z", error="32 hexadecimal digits or none")
_LINK = Regexp(r"[0-9A-Za-z_.-]{1,40}\Z", error="the id of a link is needed")
_MOST_SEQ = 2**53 - 1


def moment(text: str) -> None:
    """Refuse what is no moment, or is not written as this service writes one. Raises marshmallow.ValidationError."""
    try:
        written = datetime.fromisoformat(text).strftime("%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        written = ""
    if written != text:
        raise ValidationError("a moment like 2026-11-21T09:00:00Z is needed")


class Counted(fields.List[Any]):
    """A list of at most so many elements, which are counted before any is looked at."""

    def __init__(self, element: type[Schema], most: int) -> None:
        super().__init__(fields.Nested(element), required=True, metadata={"maxItems": most})
        self.most = most

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> list[Any]:
        if isinstance(value, list) and len(value) > self.most:
            raise ValidationError(f"this service reads at most {self.most} of these")
        return super()._deserialize(value, attr, data, **kwargs)


class WordSchema(Strict):
    """What somebody wrote, and the salt of its digest, in hex; no salt once it was forgotten."""

    salt = fields.String(required=True, validate=_SALT, metadata={"pattern": "^(?:[0-9a-f]{32})?$"})
    text = fields.String(required=True, validate=Length(max=500))


class OpeningRowSchema(Strict):
    """A session's opening as it stands in the log."""

    body = fields.String(required=True)
    version = Whole(1, 1_000, required=True)
    created_at = fields.String(required=True, validate=moment)
    words = fields.Dict(keys=fields.String(), values=fields.Nested(WordSchema), required=True)


class RowSchema(Strict):
    """A row of the log, with the hash over it and the row before."""

    seq = Whole(1, _MOST_SEQ, required=True)
    type = fields.String(required=True)
    round = Whole(1, _MOST_SEQ, required=True, allow_none=True)
    version = Whole(1, 1_000, required=True)
    body = fields.String(required=True)
    recorded_at = fields.String(required=True, validate=moment)
    recorded_by = fields.String(required=True, validate=_LINK, metadata={"pattern": "^[0-9A-Za-z_.-]{1,40}$"})
    changes = fields.String(required=True, allow_none=True)
    hash = fields.String(required=True, validate=_HASH, metadata={"pattern": "^[0-9a-f]{64}$"})
    words = fields.Dict(keys=fields.String(), values=fields.Nested(WordSchema), required=True)


class LogSchema(Strict):
    """The whole log, as it was recorded."""

    opening = fields.Nested(OpeningRowSchema, required=True)
    rows = Counted(RowSchema, MOST_EVENTS_IN_A_FILE)


class EntryRowSchema(Strict):
    """An entry of the books."""

    id = Whole(1, _MOST_SEQ, required=True)
    seq = Whole(1, _MOST_SEQ, required=True)
    round = Whole(1, _MOST_SEQ, required=True, allow_none=True)
    payer = fields.String(required=True, data_key="from")
    payee = fields.String(required=True, data_key="to")
    amount = Whole(1, MOST_CHIPS, required=True)
    reason = fields.String(required=True)
    reverses = Whole(1, _MOST_SEQ, required=True, allow_none=True)
    part = Whole(1, 100)


class ReportsSchema(Strict):
    """The events of a session in the round notation."""

    events = Counted(EventSchema, MOST_EVENTS_IN_A_FILE)


class FileSchema(Schema):
    """An `export.json`. What it tells besides, for people to read, is worked out again and not needed."""

    class Meta:
        unknown = EXCLUDE

    format = fields.String(required=True)
    version = fields.Integer(required=True, strict=True, validate=Range(1))
    balances = fields.Dict(keys=fields.String(), values=fields.Integer(strict=True), required=True)
    entries = Counted(EntryRowSchema, MOST_ENTRIES_IN_A_FILE)
    log = fields.Nested(LogSchema, required=True)

    @validates("format")
    def is_ours(self, value: str, **_kwargs: Any) -> None:
        """A file of another program cannot be brought in."""
        if value != FORMAT:
            raise ValidationError(f"this has to be {FORMAT!r}: an export.json of this service")

    @validates("version")
    def is_known(self, value: int, **_kwargs: Any) -> None:
        """A file of a later release cannot be read by this one."""
        if value > VERSION:
            raise ValidationError(f"this release reads files up to version {VERSION}; a newer one wrote this")
