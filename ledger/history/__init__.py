"""One session folded from its log: the table and its books, side by side.

`rows` are what log and timeline are made of. The `log` has every row as it was recorded; the `timeline` has what
counts, in the order in which it counts, and tables from which it is played again (`replay`). `corrections` says what
take-backs and amendments mean, `correcting` works one out. `state` is what all of it comes to at one event of the log,
and `queries` what is read off it.
"""

from __future__ import annotations

from ledger.history.correcting import LaterEventsDoNotFit, concerned
from ledger.history.log import Log
from ledger.history.queries import Closing, Moment, closing, moments, next_evening, rounds_changed, settlement_of
from ledger.history.replay import Conflict, step
from ledger.history.rows import Address, CorrectionRow, Logged
from ledger.history.state import CorrectionStatus, Recorded, Session, SessionState
from ledger.history.timeline import Segment, Step
