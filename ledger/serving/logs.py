"""The log: one line an event, on standard error, as `key=value` or as JSON, by structlog.

Clients choose addresses, names and notes, and exceptions carry them: a line has the kind and the places of an
exception, not its text, and characters that would begin another line are escaped. Tokens, bearer credentials and
passwords in addresses are redacted everywhere.
"""

from __future__ import annotations

import logging
import re
import sys
import threading
from traceback import extract_tb
from typing import Any

from structlog.contextvars import merge_contextvars
from structlog.processors import JSONRenderer, LogfmtRenderer, TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level
from structlog.typing import EventDict

LOG = logging.getLogger(__name__)

EXTRA = ("method", "route", "status", "ms", "bytes")
"""What a line may have besides its event, by `extra`."""

FIELDS = ("time", "level", "pid", "event", "request_id", *EXTRA, "exception")
"""All fields of a line, in order."""

MAX_FRAMES, MAX_CAUSES = 40, 20

SECRETS = (
    (re.compile(r"(?i)(\bbearer\s+)\S+"), r"\1***"),
    (re.compile(r"(://[^\s:/@]*:)\S*@"), r"\1***@"),
    (re.compile(r"\b([0-9a-f]{16}\.)[\w-]{8,}"), r"\1***"),
)
"""Bearer credentials, passwords in addresses, tokens; and what is left of each."""


def logging_config(style: str, level: str) -> dict[str, Any]:
    """Give the configuration of `logging.config.dictConfig` for a style, `plain` or `json`, and the lowest level."""
    renderer = JSONRenderer() if style == "json" else LogfmtRenderer()
    added = [merge_contextvars, TimeStamper("iso", utc=True, key="time"), add_log_level, ExtraAdder(EXTRA)]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": ProcessorFormatter, "processors": [*added, completed, renderer]}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        "loggers": {"gunicorn.error": {"level": "NOTSET", "handlers": [], "propagate": True}},
    }


def log_unhandled() -> None:
    """Log warnings and uncaught exceptions; ignore lines that cannot be written."""
    logging.raiseExceptions = False  # Python would print its arguments
    logging.captureWarnings(capture=True)
    sys.excepthook = lambda _kind, error, _trace: unhandled(error)
    sys.unraisablehook = lambda found: None if sys.is_finalizing() else unhandled(found.exc_value)
    threading.excepthook = lambda found: unhandled(found.exc_value)


def unhandled(error: BaseException | None) -> None:
    LOG.error("Unhandled exception", exc_info=error)


def completed(_logger: object, _method: str, line: EventDict) -> EventDict:
    """Add process and exception to a line; redact and escape its texts, and leave other fields out."""
    line["pid"] = line["_record"].process
    if error := (line.get("exc_info") or (None, None))[1]:
        line["exception"] = trace(error)
    known = {name: line[name] for name in FIELDS if name in line}
    return {name: safe(value) if isinstance(value, str) else value for name, value in known.items()}


def safe(text: str) -> str:
    r"""Redact secrets in a text, and escape what cannot be seen or would begin another line (`\n`, `\u2028`)."""
    for secret, left in SECRETS:
        text = secret.sub(left, text)
    return "".join(
        letter if letter.isprintable() and letter != "\\" else letter.encode("unicode_escape").decode()
        for letter in text
    )


def trace(error: BaseException | None) -> str:
    """Give kinds and places of an exception and its causes, the first cause first.

    As in `KeyError (a.py:1 in f > b.py:2 in g); then ValueError (a.py:3 in f)`; a group also has those of its parts.
    """
    causes = list[str]()
    while error is not None and len(causes) < MAX_CAUSES:
        frames = [f"{at.filename}:{at.lineno} in {at.name}" for at in extract_tb(error.__traceback__)]
        parts = [f" of [{trace(part)}]" for part in getattr(error, "exceptions", ())[:MAX_CAUSES]]
        kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
        causes.append(f"{kind} ({' > '.join(frames[-MAX_FRAMES:])}){''.join(parts)}")
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "; then ".join(reversed(causes))
