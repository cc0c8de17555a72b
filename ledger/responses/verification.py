"""What checking a session gave."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from ledger.language import Language, render
from ledger.play.values import Hash
from ledger.records import Meta, Record
from ledger.sentences import Sentence


class Finding(Record):
    """A row that is not as it should be, or a warning about a record that is whole."""

    table: Annotated[str, Meta(description="The table of the row.")]
    row: Annotated[int | str, Meta(description="The key of the row.")]
    what: Annotated[str, Meta(description="What is not as it should be, in the reader's language.")]
    severity: Annotated[
        Literal["error", "warning"],
        Meta(description="`error` if the record is damaged, `warning` if it is whole all the same."),
    ]


class Verified(Record, kw_only=True):
    """The result of checking a session."""

    ok: Annotated[bool, Meta(description="Whether the record is as it was recorded.")]
    events: Annotated[int, Meta(description="How many events were checked.")]
    entries: Annotated[int, Meta(description="How many entries were checked.")]
    forgotten: Annotated[int, Meta(description="How many texts of erased players are gone.")]
    head: Annotated[Hash, Meta(description="The last hash of the chain.")]
    findings: Annotated[
        tuple[Finding, ...], Meta(description="Every row that is not as it was recorded, and warnings.")
    ]


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
