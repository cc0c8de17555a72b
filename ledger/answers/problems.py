"""What went wrong, as RFC 9457 has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ledger.answers.encoding import ABSENT, Absent


@dataclass(frozen=True, slots=True)
class WrongField:
    """What is wrong in a request, by its `pointer` into the body or as a `parameter`, and what would be right."""

    pointer: str | Absent = field(
        default=ABSENT,
        metadata={"description": "where in the body it stands (RFC 6901)", "example": "/events/0/amount"},
    )
    parameter: str | Absent = field(
        default=ABSENT, metadata={"description": "which parameter of the query it is", "example": "limit"}
    )
    detail: str = field(kw_only=True, metadata={"description": "what would be right, in the reader's language"})


FACTS: Mapping[str, str] = {
    "seq": "the last event of the session (412), or the one that the refusal is about",
    "last": "the last event of the session",
    "first_seen_seq": "the event in which the card was seen first",
    "at_least": "the least that would do",
    "at_most": "the most that would do",
    "more_errors": "how many fields are wrong besides those that `errors` names; at a thousand in all looking ends",
    "line": "the line of the text that was sent",
    "column": "the column of that line, or of the table",
}
"""Whole numbers that some refusals tell, to mend what was sent. What else a refusal knows stands beside them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What went wrong (RFC 9457), with a stable `code` and whatever number helps to mend it."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: str | Absent = field(default=ABSENT, metadata={"description": "the row of the rule book", "example": "SH-7"})
    index: int | Absent = field(default=ABSENT, metadata={"description": "which event of the request"})
    errors: tuple[WrongField, ...] | Absent = ABSENT
    request_id: str | Absent = field(
        default=ABSENT,
        metadata={"description": "of a fault of ours: what to name to whoever runs the service", "example": "6f1a…"},
    )
    facts: Mapping[str, Any] = field(default_factory=dict, metadata={"spread": True})
