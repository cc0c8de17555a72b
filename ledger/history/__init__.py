"""One session folded from its log: the table and its books, side by side.

`corrections` reads off a log which events count, in what order; `points` are the two chains, of the log and of what
counts; `correcting` works a correction out; `state` is what all of it comes to, and `queries` what is read off it.
"""

from __future__ import annotations

from ledger.history.correcting import Conflict, LaterEventsDoNotFit
from ledger.history.corrections import Address, in_effect
from ledger.history.points import Point, Row, step
from ledger.history.queries import Closing, closing, points_of, settlement_of
from ledger.history.state import CorrectionStatus, Recorded, Session, SessionState

__all__ = [
    "Address",
    "Closing",
    "Conflict",
    "CorrectionStatus",
    "LaterEventsDoNotFit",
    "Point",
    "Recorded",
    "Row",
    "Session",
    "SessionState",
    "closing",
    "in_effect",
    "points_of",
    "settlement_of",
    "step",
]
