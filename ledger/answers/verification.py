"""What checking a session gave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Finding:
    """A row that is not as it should be."""

    table: str
    row: int | str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What checking a session gave. `head` is the hash that the chain ends with, in hex."""

    ok: bool
    events: int
    entries: int
    forgotten: int = field(metadata={"description": "words of people who were forgotten"})
    head: str
    findings: tuple[Finding, ...]


def verified_answer(
    events: int, entries: int, forgotten: int, head: str, findings: Iterable[tuple[str, int | str, str]]
) -> Verified:
    """Give what checking a session gave, and whether all is well."""
    told = tuple(Finding(*finding) for finding in findings)
    return Verified(ok=not told, events=events, entries=entries, forgotten=forgotten, head=head, findings=told)
