"""Pages of lists: some of the elements, oldest first, and where the next ones are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ledger.records import Record


class Listing(NamedTuple):
    """What a list has: how a page of it is called, the member that its elements are in, what an element is."""

    name: str
    member: str
    of: type


class Page(Record):
    """Some of a list, and the address where it goes on: None at its end."""

    listing: Listing
    elements: Sequence[object]
    next: str | None

    def members(self) -> dict[str, Any]:
        """Give the elements under the name that the list has."""
        return {self.listing.member: self.elements, "next": self.next}
