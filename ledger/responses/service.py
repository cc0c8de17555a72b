"""What the service says of itself: that it works, and what has a limit."""

from __future__ import annotations

from typing import Annotated

from ledger.records import Meta, Record


class Limit(Record, kw_only=True, omit_defaults=True):
    """A limit on what a client may send or store, and the problem beyond it."""

    name: Annotated[str, Meta(description="The limit's name, which is stable.", examples=["events_per_request"])]
    at_most: Annotated[int, Meta(description="The largest number that is allowed.")]
    unit: Annotated[str, Meta(description="The unit of that number.", examples=["events"])]
    per: Annotated[str, Meta(description="What the limit applies to.", examples=["request"])]
    seconds: Annotated[int | None, Meta(description="The period of a rate limit, in seconds.")] = None
    status: Annotated[int | None, Meta(description="The HTTP status of a request beyond the limit.")] = None
    code: Annotated[str | None, Meta(description="The `code` of that problem.")] = None
    setting: Annotated[str | None, Meta(description="The operator's setting that changes the limit.")] = None


class LimitList(Record):
    """All limits of the service."""

    limits: Annotated[tuple[Limit, ...], Meta(description="Everything that has a limit.")]


class Health(Record):
    """The state of the service."""

    status: Annotated[str, Meta(description="`ok`: the service works.")] = "ok"
