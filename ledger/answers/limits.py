"""What has a limit, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from ledger.answers.encoding import ABSENT, Absent


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit: how much of what there may be, of or in what; and what is answered beyond it, if that is refused."""

    name: str = field(metadata={"description": "what the limit is called: stable", "example": "events_per_request"})
    at_most: int = field(metadata={"description": "how much there may be"})
    unit: str = field(metadata={"description": "of what", "example": "events"})
    per: str = field(metadata={"description": "in or of what", "example": "request"})
    seconds: int | Absent = field(default=ABSENT, metadata={"description": "in how many seconds, if it is a rate"})
    status: int | Absent = field(default=ABSENT, metadata={"description": "the HTTP status of what is beyond it"})
    code: str | Absent = field(default=ABSENT, metadata={"description": "the `code` of that problem"})
    setting: str | Absent = field(
        default=ABSENT, metadata={"description": "the operator's setting that says so", "example": "LEDGER_BODY_BYTES"}
    )


@dataclass(frozen=True, slots=True)
class LimitList:
    """All that has a limit here."""

    limits: tuple[Limit, ...] = field(metadata={"description": "everything that has a limit"})
