"""House rules tried out: many rounds played at a table, by the rule books, with nobody there and nothing kept.

The machine, from below: `notes` is what is noted of an evening, and the figures made of it; `tables` a setting to try,
and a round as it goes on; `shirinma`, `shippin` and `kakkuri` the simple ways in which each game is played here;
`evenings` plays one evening; `sums` adds evenings up; `crew` has them played by all processors; `intervals` and
`report` say what they came to, and how far that may be off; `telling` and `chart` put it into words and draw it.

Rounds go straight through `open_round` and `play` of a rule book, as a recorded round does: what these refuse here is a
fault of the one or of the other.
"""

from ledger.simulation.crew import CannotBePlayed, Plan, simulate
from ledger.simulation.evenings import GAMES
from ledger.simulation.notes import Figure, Most, Unit
from ledger.simulation.report import Report, Told, report
from ledger.simulation.tables import Setting

__all__ = [
    "GAMES",
    "CannotBePlayed",
    "Figure",
    "Most",
    "Plan",
    "Report",
    "Setting",
    "Told",
    "Unit",
    "report",
    "simulate",
]
