"""What checking a session gave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ledger.language import Language, render
from ledger.sentences import Sentence


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


Found = tuple[int, int, int, str, Iterable[tuple[str, int | str, Sentence]]]
"""What `verification.verify` gives."""


def verified_answer(found: Found, language: Language) -> Verified:
    """Give what checking a session gave, in the reader's language, and whether all is well."""
    events, entries, forgotten, head, findings = found
    told = tuple(Finding(table, row, render(what, language, {})) for table, row, what in findings)
    return Verified(ok=not told, events=events, entries=entries, forgotten=forgotten, head=head, findings=told)
