"""Whether the service lives and can work."""

from __future__ import annotations

from typing import Annotated

from ledger.records import UNSET, Meta, Record, UnsetType


class Health(Record):
    """The state of the service."""

    status: Annotated[str, Meta(description="`ok`: the service works.")] = "ok"
    missing: Annotated[
        tuple[str, ...] | UnsetType, Meta(description="The databases that cannot be reached, if there are any.")
    ] = UNSET
