"""What went wrong, as RFC 9457 has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from ledger.play.values import WORD
from ledger.records import UNSET, Meta, Record, UnsetType, field


class WrongField(Record, kw_only=True):
    """A wrong field or parameter of a request."""

    pointer: Annotated[
        str | UnsetType, Meta(description="The place in the body (RFC 6901).", examples=["/events/0/amount"])
    ] = UNSET
    parameter: Annotated[str | UnsetType, Meta(description="The name of the query parameter.", examples=["limit"])] = (
        UNSET
    )
    detail: Annotated[str, Meta(description="What would be right, in the reader's language.")]


FACTS: Mapping[str, str] = {
    "seq": "The number of the session's last event (412), or of the event that the refusal is about.",
    "last": "The number of the session's last event.",
    "first_seen_seq": "The number of the event in which the card was seen first.",
    "at_least": "The smallest number that is possible.",
    "at_most": "The largest number that is possible.",
    "more_errors": "How many fields are wrong besides those in `errors`; the search ends at a thousand.",
    "line": "The line of the text in the request.",
    "column": "The column of that line, or the column of the table.",
}
"""Whole numbers that some refusals tell, to mend what was sent. What else a refusal knows stands beside them."""


class Problem(Record, kw_only=True):
    """What went wrong (RFC 9457), with a stable `code` and the numbers that help to mend it."""

    type: Annotated[str, Meta(description="The kind of problem, as a URI.", extra={"format": "uri"})]
    title: Annotated[str, Meta(description="The kind of problem in words, in the reader's language.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, Meta(description="What went wrong in this request, in the reader's language.")]
    code: Annotated[
        str, Meta(description="The kind of problem as a word for programs, which is stable.", extra={"pattern": WORD})
    ]
    rule: Annotated[str | UnsetType, Meta(description="The row of the rule book.", examples=["SH-7"])] = UNSET
    index: Annotated[int | UnsetType, Meta(description="The index of the refused event, from 0.")] = UNSET
    errors: Annotated[tuple[WrongField, ...] | UnsetType, Meta(description="Every field that is wrong.")] = UNSET
    request_id: Annotated[
        str | UnsetType,
        Meta(
            description="The request's id in the log of the service, where the fault is the service's own.",
            examples=["6f1a…"],
        ),
    ] = UNSET
    facts: Annotated[Mapping[str, Any], Meta(extra={"spread": True})] = field(default_factory=dict)
