"""The round notation: rounds and whole sessions as a scorekeeper writes them, one line a deal or a turn.

`parse` reads a text into a `Score`: the opening and the events as the JSON that a client would send. `write` is the way
back, `written` the same as a stream. The `forms` are the notation: each is one way to begin a line. What has no form,
in this release or a later one, is a line `event {…}`. The writer asks the reader: an event is written short only if
that reads as the very same event. So nothing recorded is beyond the notation, and nothing but comments is lost in it.

`tokens` are what a line is made of, `kinds` what may stand where in it, `turns` whose turn it is, so that a card need
not say whom it is for. The grammar and examples are in docs/notation.md.
"""

from ledger.notation.forms import OPENING, Forms, forms_for
from ledger.notation.reader import Check, Score, parse
from ledger.notation.tokens import LONGEST_LINE, Misread
from ledger.notation.writer import write, written
