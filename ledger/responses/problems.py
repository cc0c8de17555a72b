"""What went wrong, as RFC 9457 has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from ledger.play.values import WORD
from ledger.records import Meta, Record


class WrongField(Record, kw_only=True, omit_defaults=True):
    """A wrong field or parameter of a request."""

    pointer: Annotated[
        str | None, Meta(description="The place in the body (RFC 6901).", examples=["/events/0/amount"])
    ] = None
    parameter: Annotated[str | None, Meta(description="The name of the query parameter.", examples=["limit"])] = None
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


class Problem(Record, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457), with a stable `code`; what helps to mend it are further members."""

    type: Annotated[str, Meta(description="The kind of problem, as a URI.", extra_json_schema={"format": "uri"})]
    title: Annotated[str, Meta(description="The kind of problem in words, in the reader's language.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, Meta(description="What went wrong in this request, in the reader's language.")]
    code: Annotated[str, Meta(description="The kind of problem as a word for programs, which is stable.", pattern=WORD)]
    rule: Annotated[str | None, Meta(description="The row of the rule book.", examples=["SH-7"])] = None
    index: Annotated[int | None, Meta(description="The index of the refused event, from 0.")] = None
    errors: Annotated[tuple[WrongField, ...] | None, Meta(description="Every field that is wrong.")] = None
    request_id: Annotated[str | None, Meta(description="Its id in the log, where the fault is the service's.")] = None
