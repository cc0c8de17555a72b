"""What the service says of itself: that it works, what has a limit, and what went wrong, as RFC 9457 has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from ledger.records import Record, doc
from ledger.rulebook.values import WORD


class Limit(Record, kw_only=True, omit_defaults=True):
    """A limit on what a client may send or store, and the problem beyond it."""

    name: Annotated[str, doc("The limit's name, which is stable.", "events_per_request")]
    at_most: Annotated[int, doc("The largest number that is allowed.")]
    unit: Annotated[str, doc("The unit of that number.", "events")]
    per: Annotated[str, doc("What the limit applies to.", "request")]
    seconds: Annotated[int | None, doc("The period of a rate limit, in seconds.")] = None
    status: Annotated[int | None, doc("The HTTP status of a request beyond the limit.")] = None
    code: Annotated[str | None, doc("The `code` of that problem.")] = None
    setting: Annotated[str | None, doc("The operator's setting that changes the limit.")] = None


class LimitList(Record):
    """All limits of the service."""

    limits: Annotated[tuple[Limit, ...], doc("Everything that has a limit.")]


class Health(Record):
    """The state of the service."""

    status: Annotated[str, doc("`ok`: the service works.")] = "ok"


class WrongField(Record, kw_only=True, omit_defaults=True):
    """A wrong field or parameter of a request."""

    pointer: Annotated[str | None, doc("The place in the body (RFC 6901).", "/events/0/amount")] = None
    parameter: Annotated[str | None, doc("The name of the query parameter.", "limit")] = None
    detail: Annotated[str, doc("What would be right, in the reader's language.")]


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
"""Whole numbers in some problems, with which a client can correct its request; other facts stand beside them."""


class Problem(Record, kw_only=True, omit_defaults=True):
    """What went wrong (RFC 9457), with a stable `code`; what helps to mend it are further members."""

    type: Annotated[str, doc("The kind of problem, as a URI.", extra_json_schema={"format": "uri"})]
    title: Annotated[str, doc("The kind of problem in words, in the reader's language.")]
    status: Annotated[int, doc("The HTTP status.")]
    detail: Annotated[str, doc("What went wrong in this request, in the reader's language.")]
    code: Annotated[str, doc("The kind of problem as a word for programs, which is stable.", pattern=WORD)]
    rule: Annotated[str | None, doc("The row of the rule book.", "SH-7")] = None
    index: Annotated[int | None, doc("The index of the refused event, from 0.")] = None
    errors: Annotated[tuple[WrongField, ...] | None, doc("Every field that is wrong.")] = None
    request_id: Annotated[str | None, doc("Its id in the log, where the fault is the service's.")] = None
