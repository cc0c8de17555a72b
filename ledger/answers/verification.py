"""What checking a session gave."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ledger.language import Language, render
from ledger.sentences import Sentence


@dataclass(frozen=True, slots=True)
class Finding:
    """A row that is not as it should be; a warning is of a record that is whole all the same."""

    table: str
    row: int | str
    what: str
    severity: Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What checking a session gave. `head` is the hash that the chain ends with, in hex."""

    ok: bool
    events: int
    entries: int
    forgotten: int = field(metadata={"description": "words of people who were forgotten"})
    head: str
    findings: tuple[Finding, ...]


Found = tuple[int, int, int, str, Iterable[tuple[str, int | str, Sentence, Literal["error", "warning"]]]]
"""What `verification.verify` gives."""


def verified_answer(found: Found, language: Language) -> Verified:
    """Give what checking a session gave, in the reader's language, and whether the record is whole."""
    events, entries, forgotten, head, findings = found
    rendered = tuple(
        Finding(table, row, render(what, language, {}), severity) for table, row, what, severity in findings
    )
    ok = all(finding.severity == "warning" for finding in rendered)
    return Verified(ok=ok, events=events, entries=entries, forgotten=forgotten, head=head, findings=rendered)
