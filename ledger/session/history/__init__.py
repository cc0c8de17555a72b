"""One session folded from its log: what was recorded, what counts of it, and the books.

`rows` are what a history is made of: every row of the log as it was recorded, and slots of what counts, each with the
table after it. `effective` says which events of a log count, and in which order: a pure function. `folding` folds an
event, or all that a correction may change, and `correcting` says what may be corrected. `state` is what all of it comes
to at one event of the log, and `queries` what is read off it.
"""

from __future__ import annotations

from ledger.history.correcting import LaterEventsDoNotFit
from ledger.history.effective import concerned
from ledger.history.folding import Conflict, only_the_pot, step
from ledger.history.queries import Closing, closing, next_evening, settlement_of
from ledger.history.rows import Address, Row, Slot, Step
from ledger.history.state import CorrectionStatus, Recorded, Session, SessionState
