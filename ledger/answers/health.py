"""Whether the service lives and can work."""

from __future__ import annotations

from dataclasses import dataclass

from ledger.answers.encoding import ABSENT, Absent


@dataclass(frozen=True, slots=True)
class Health:
    """All is well, but for what is missing: databases that cannot be reached, of several that the service has."""

    status: str = "ok"
    missing: tuple[str, ...] | Absent = ABSENT
