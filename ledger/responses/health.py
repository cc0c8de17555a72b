"""Whether the service lives and can work."""

from __future__ import annotations

from typing import Annotated

from ledger.records import Meta, Record


class Health(Record):
    """The state of the service."""

    status: Annotated[str, Meta(description="`ok`: the service works.")] = "ok"
