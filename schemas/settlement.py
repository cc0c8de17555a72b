"""How debts are to be settled."""

from __future__ import annotations

from schemas.base import TEXT, Strict, Value


class SettlementQuery(Strict):
    """How debts are to be settled."""

    via = Value(TEXT, load_default=None, description="The id of a player through whom everything is paid.")
