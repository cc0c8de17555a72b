"""One session folded from its log: the recorded rows, the events that count, and the books.

Undo is replay. `effective` is a pure function from the rows to the events that count, in their order. `folding` folds
an event, or what a correction may change, into slots, each with the table after it. `correcting` checks what may be
corrected. `state` is the session at one event of its log, and `derived` reads the closing, the settlement and the next
opening off it.
"""

from __future__ import annotations

from ledger.session.history.correcting import LaterEventsDoNotFit
from ledger.session.history.derived import Closing, closing, continue_session, settlement_of
from ledger.session.history.effective import Address, Row, concerned
from ledger.session.history.folding import Conflict, Slot, Step, step
from ledger.session.history.state import CorrectionStatus, Recorded, Session, SessionState
