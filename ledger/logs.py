"""What may stand in the log: a line is begun by us alone, and of a failure it says where it happened, not what it held.

A client chooses addresses, names and notes, and exceptions carry them in their texts. So text from elsewhere is written
as `escaped` writes it, and an exception as `trace` tells it: its kind and the way through the code.

`write_lines` makes that of everything a process has to say: whatever comes through Python's `logging`, warnings, and
exceptions that nobody caught become one line each, as structlog writes them, for people (`plain`) or for programs
(`json`). A line that is about a request has that request's id, by which its client knows it, too.
"""

from __future__ import annotations

import logging
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from enum import StrEnum
from itertools import count, islice
from traceback import walk_tb
from typing import TextIO

from structlog.processors import JSONRenderer, LogfmtRenderer, TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level
from structlog.typing import EventDict, Processor

MOST_FRAMES = 40
"""How much of the way to where an exception was raised is told, from its end: enough for all but circles."""

MOST_CAUSES = 20

LOG = logging.getLogger(__name__)

REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""What the request is called that is being answered here, in this greenlet or thread; empty if none is."""

HARMLESS = re.compile(r"[A-Za-z0-9._-]{1,64}")
"""Ids of requests that are taken over from others: they can be neither markup nor the beginning of a line."""

SAID_BESIDES = ("method", "route", "status", "ms", "bytes")
"""What may stand in a line besides its event: only what we put there (`extra`), nothing that a library adds."""

ORDER = ("time", "level", "pid", "event", "request_id", *SAID_BESIDES, "exception")


class Style(StrEnum):
    """How a line is written: `key=value` for people, or JSON for programs."""

    PLAIN = "plain"
    JSON = "json"


class Level(StrEnum):
    """The least important kind of line that is written."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class _Ids:
    """New ids: chance of this process' own, and a number. Chance for each of them would take eight times as long."""

    def __init__(self) -> None:
        self.begin_anew()
        os.register_at_fork(after_in_child=self.begin_anew)

    def begin_anew(self) -> None:
        """Take chance that no other process has, and count from 1."""
        self.begin, self.numbers = f"{os.urandom(6).hex()}.", count(1)


_ids = _Ids()


def request_id(said: str | None) -> str:
    """Give a request the id that somebody before us gave it, if that is harmless, or else a new one."""
    return said if said is not None and HARMLESS.fullmatch(said) else f"{_ids.begin}{next(_ids.numbers)}"


def write_lines(style: Style, level: Level, stream: TextIO | None = None) -> None:
    """Write everything that this process has to say as lines to a stream, by default standard error."""
    handler = _Lines(stream or sys.stderr)
    handler.setFormatter(ProcessorFormatter(processors=_processors(style)))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.captureWarnings(capture=True)
    sys.excepthook = lambda _kind, error, _trace: unhandled(error)
    sys.unraisablehook = lambda found: unhandled(found.exc_value)
    threading.excepthook = lambda found: unhandled(found.exc_value)


def unhandled(error: BaseException | None) -> None:
    """Tell of an exception that nobody caught."""
    LOG.error("An exception that nobody caught", exc_info=error)


class _Lines(logging.StreamHandler[TextIO]):
    """Writes lines; what cannot be written as it was meant is told by the place that it comes from."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - as logging has it
        """Python would print the arguments, whatever they are, over many lines."""
        place = f"A line of the log could not be written: {record.pathname}:{record.lineno}"
        if record.msg != place:
            self.emit(logging.LogRecord(__name__, logging.ERROR, record.pathname, record.lineno, place, (), None))


def _processors(style: Style) -> list[Processor]:
    """Make a line of a record, one thing after the other."""
    return [
        TimeStamper("iso", utc=True, key="time"),
        add_log_level,
        ExtraAdder(SAID_BESIDES),
        _with_place,
        _in_order_and_escaped,
        LogfmtRenderer() if style is Style.PLAIN else JSONRenderer(),
    ]


def _with_place(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Add which process it was, about which request, and of an exception its kind and its way."""
    line["pid"] = line["_record"].process
    if current := REQUEST_ID.get():
        line["request_id"] = current
    if error := (line.get("exc_info") or (None, None))[1]:
        line["exception"] = trace(error)
    return line


def _in_order_and_escaped(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Leave of a line what may stand in it, the same things always in the same order."""
    known = {key: line[key] for key in ORDER if key in line}
    return {key: escaped(value) if isinstance(value, str) else value for key, value in known.items()}


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
