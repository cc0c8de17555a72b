"""What may stand in the log: a line is begun by us alone, and of a failure it says where it happened, not what it held.

A client chooses addresses, names and notes, and exceptions carry them in their texts. So text from elsewhere is written
as `escaped` writes it, and an exception as `trace` tells it: its kind and the way through the code. Whoever writes the
log, by whichever library, uses these two.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from traceback import walk_tb

MOST_FRAMES = 40
"""How much of the way to where an exception was raised is told, from its end: enough for all but circles."""

MOST_CAUSES = 20


def escaped(text: str) -> str:
    r"""Write text as a part of one line: what cannot be seen or would begin a line as `\n`, `\u2028`, `\x1b`."""
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(
        letter if letter.isprintable() and letter != "\\" else letter.encode("unicode_escape").decode()
        for letter in text
    )


def trace(error: BaseException) -> str:
    """Tell on one line what kind of exception it is and how it came about, what led to it first.

    `ledger.cards.UnknownCard (ledger/codec/values.py:160 in read_card > ledger/cards.py:90 in read); then …`. Neither
    its text nor its notes are told: there may be names in them.
    """
    causes = list(islice(led_to(error), MOST_CAUSES))
    return escaped("; then ".join(map(way, reversed(causes))))


def led_to(error: BaseException | None) -> Iterator[BaseException]:
    """Give an exception, the one that led to it, and so on."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def way(error: BaseException) -> str:
    """Tell the kind of one exception, and through which functions it came; of a group also that of those in it."""
    frames = list(walk_tb(error.__traceback__))
    through = [f"{frame.f_code.co_filename}:{line} in {frame.f_code.co_name}" for frame, line in frames[-MOST_FRAMES:]]
    within = "".join(f" of [{trace(part)}]" for part in getattr(error, "exceptions", ())[:MOST_CAUSES])
    kind = type(error)
    return f"{kind.__module__}.{kind.__qualname__} ({' > '.join(through) or 'not raised'}){within}".removeprefix(
        "builtins."
    )
