"""Who pays whom as JSON, in chips and, where a chip has a value, in money."""

from __future__ import annotations

from marshmallow import fields

from schemas.sessions import Strict


class SettlementQuery(Strict):
    """How debts are to be settled."""

    via = fields.String(load_default=None, metadata={"description": "a player through whom everything is paid"})
