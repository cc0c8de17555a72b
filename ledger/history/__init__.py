"""One session folded from its log: the table and its books, side by side.

`corrections` says what take-backs and amendments mean; `points` are what log and timeline are made of, and `timeline`
is what counts, in its order; `correcting` works a correction out, `replaying` plays what it changes again; `state` is
what all of it comes to, and `queries` what is read off it. By `chains` and `by_number` all of it is found however long
it grows.
"""

from __future__ import annotations

from ledger.history.correcting import LaterEventsDoNotFit, concerned
from ledger.history.corrections import Address, Standing
from ledger.history.points import Point, Row, step
from ledger.history.queries import Closing, Moment, closing, moments, next_evening, rounds_changed, settlement_of
from ledger.history.replaying import Conflict
from ledger.history.state import CorrectionStatus, Recorded, Session, SessionState
from ledger.history.weights import MOST_OF_THE_PAST

__all__ = [
    "MOST_OF_THE_PAST",
    "Address",
    "Closing",
    "Conflict",
    "CorrectionStatus",
    "LaterEventsDoNotFit",
    "Moment",
    "Point",
    "Recorded",
    "Row",
    "Session",
    "SessionState",
    "Standing",
    "closing",
    "concerned",
    "moments",
    "next_evening",
    "rounds_changed",
    "settlement_of",
    "step",
]
