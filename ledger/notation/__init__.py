"""The round notation: rounds and whole sessions as a scorekeeper writes them, one line a deal or a turn.

`parse` reads a text: the opening and the events as the JSON that a client would send; `format_lines` is the way back.
Each of the `forms` is one way to begin a line. An event that has no form is a line `event {…}`. The writer asks the
reader: an event is written in a form only if that reads as the same event. So every session can be written, and only
comments are lost.

`tokens` are what a line is made of, `kinds` what may stand where in it. The grammar and examples: docs/notation.md.
"""

from ledger.notation.forms import OPENING, Forms, forms_for
from ledger.notation.texts import ParsedNotation, format_lines, parse
from ledger.notation.tokens import MAX_LINE_LENGTH, NotationSyntaxError
