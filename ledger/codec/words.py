"""Free text: it can be seen, stands where it is put, and does not turn what is around it.

Names stand in lists, files and messages, one a line, so they are one line: no line breaks, no other control
characters, no marks that turn the direction of what follows. A note may have line breaks and tabs. Both have to show
something.
"""

from __future__ import annotations

import re
from unicodedata import category

from ledger.i18n.sentences import Sentence, say

UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me"})
"""Kinds of characters that show nothing by themselves. What this Python does not know yet (Cn) may be a new emoji."""

BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that are drawn as nothing."""

UNFIT = re.compile(r"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, separators of lines, marks that turn the direction, halves of characters."""

BREAKS = re.compile(r"[\t\n\r]")


def is_seen(letter: str) -> bool:
    """Say whether a character shows something by itself."""
    return letter not in BLANK and category(letter) not in UNSEEN


def shows_nothing(text: str) -> bool:
    return not any(map(is_seen, text))


def unfit(text: str, *, one_line: bool) -> Sentence | None:
    """Say what is wrong with a text, of whatever length; None if nothing is."""
    if text.isprintable():
        return None
    if "\0" in text:
        return say("a text cannot hold the character NUL")
    if UNFIT.search(text):
        return say("a text cannot hold control characters, or marks that turn its direction")
    if one_line and BREAKS.search(text):
        return say("a name is one line: it cannot hold line breaks or tabs")
    return None
