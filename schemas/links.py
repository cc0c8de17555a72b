"""Links that are to be made."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ledger.play.values import text
from ledger.records import Meta, Record
from ledger.storage.records import Role


class NewLink(Record):
    """A link to be made."""

    role: Annotated[Role, Meta(description="What the link lets its bearer do.")]
    label: Annotated[
        Annotated[str, text("name")] | None,
        Meta(description="The name of the link in the list of links.", examples=["Chie's phone"]),
    ] = None
    expires_at: Annotated[
        datetime | None,
        Meta(
            description="When the link ends by itself: a moment from 2000 to 9998, with its time zone (RFC 3339).",
            examples=["2099-01-01T00:00:00Z"],
        ),
    ] = None
