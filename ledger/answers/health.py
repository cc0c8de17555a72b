"""Whether the service lives and can work."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Health:
    """All is well."""

    status: str = "ok"
