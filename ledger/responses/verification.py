"""What checking a session gave."""

from __future__ import annotations

from typing import Annotated

from ledger import verification
from ledger.language import Language, render
from ledger.play.values import Hash
from ledger.records import Meta, Record, convert
from ledger.verification import Severity


class Finding(Record):
    """A row that is not as it should be, or a warning about a record that is whole."""

    table: Annotated[str, Meta(description="The table of the row.")]
    row: Annotated[int | str, Meta(description="The key of the row.")]
    what: Annotated[str, Meta(description="What is not as it should be, in the reader's language.")]
    severity: Annotated[Severity, Meta(description="`error` if the record is damaged, `warning` if it is whole.")]


class Verified(Record, kw_only=True):
    """The result of checking a session."""

    ok: Annotated[bool, Meta(description="Whether the record is as it was recorded.")]
    events: Annotated[int, Meta(description="How many events were checked.")]
    entries: Annotated[int, Meta(description="How many entries were checked.")]
    forgotten: Annotated[int, Meta(description="How many texts of erased players are gone.")]
    head: Annotated[Hash, Meta(description="The last hash of the chain.")]
    findings: Annotated[tuple[Finding, ...], Meta(description="Rows that are not as they were recorded, and warnings.")]


def verified_answer(found: verification.Verified, language: Language) -> Verified:
    """Give what checking a session gave, in the reader's language, and whether the record is whole."""
    findings = tuple(convert(Finding, each, what=render(each.what, language, {})) for each in found.findings)
    return convert(Verified, found, findings=findings)
