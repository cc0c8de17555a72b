"""What has a limit, as data."""

from __future__ import annotations

from typing import Annotated

from ledger.records import UNSET, Meta, Record, UnsetType


class Limit(Record, kw_only=True):
    """A limit on what a client may send or store, and the problem beyond it."""

    name: Annotated[str, Meta(description="The limit's name, which is stable.", examples=["events_per_request"])]
    at_most: Annotated[int, Meta(description="The largest number that is allowed.")]
    unit: Annotated[str, Meta(description="The unit of that number.", examples=["events"])]
    per: Annotated[str, Meta(description="What the limit applies to.", examples=["request"])]
    seconds: Annotated[int | UnsetType, Meta(description="The period of a rate limit, in seconds.")] = UNSET
    status: Annotated[int | UnsetType, Meta(description="The HTTP status of a request beyond the limit.")] = UNSET
    code: Annotated[str | UnsetType, Meta(description="The `code` of that problem.")] = UNSET
    setting: Annotated[
        str | UnsetType,
        Meta(description="The operator's setting that changes the limit.", examples=["LEDGER_BODY_BYTES"]),
    ] = UNSET


class LimitList(Record):
    """All limits of the service."""

    limits: Annotated[tuple[Limit, ...], Meta(description="Everything that has a limit.")]
