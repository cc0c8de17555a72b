"""Pages of lists: some of the elements, oldest first, and where the next ones are."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct, defstruct

from ledger.responses.shared import Next

Page = dict[str, Any]
"""Some of a list, under the name that the list has, and `next`: the address where it goes on, None at its end."""


class Listing(NamedTuple):
    """What a list has: how a page of it is called, the member that its elements are in, what an element is."""

    name: str
    member: str
    of: Any

    def record(self) -> type[Struct]:
        """Give the record of a page, by which it is described."""
        elements = Annotated[tuple[self.of, ...], Meta(description="The elements, oldest first.")]  # type: ignore[name-defined]
        about = {"__doc__": "Some of a list, oldest first."}
        return defstruct(self.name, [(self.member, elements), ("next", Next)], namespace=about)
