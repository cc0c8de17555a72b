"""How the log is written: each event one line, whatever is in it, for people or for programs."""

from __future__ import annotations

import io
import json
import logging
import os
import sys
import threading
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from ledger.logs import REQUEST_ID, Level, Style, request_id, write_lines

FORGED = "Aki\ntime=2026-11-22T00:00:00Z level=critical event=forged \x1b[31m \u2028 \x85 \r \udc80"
LOG = logging.getLogger("anything")


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """What is set for a whole process is set back."""
    root = logging.getLogger()
    before = root.handlers[:], root.level, sys.excepthook, sys.unraisablehook, threading.excepthook
    of_a_test_before = REQUEST_ID.set("")
    yield
    REQUEST_ID.reset(of_a_test_before)
    logging.captureWarnings(capture=False)
    root.handlers[:], root.level, sys.excepthook, sys.unraisablehook, threading.excepthook = before


def told(style: Style, level: Level = Level.INFO) -> io.StringIO:
    stream = io.StringIO()
    write_lines(style, level, stream)
    return stream


def fails() -> None:
    raise ValueError(FORGED)


def says_everything() -> None:
    """Say things in every way in which a process has something to say."""
    LOG.info("said %s", FORGED)
    try:
        fails()
    except ValueError:
        LOG.exception("failed for %s", FORGED)
    LOG.warning(FORGED, stack_info=True)
    LOG.info("%d", FORGED)
    warnings.warn(FORGED, stacklevel=1)
    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    sys.excepthook(ValueError, ValueError(FORGED), None)


EVENTS_SAID = 7


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.filterwarnings("default")
def test_every_event_is_one_line_however_it_is_said(style: Style) -> None:
    stream = told(style)
    says_everything()
    lines = stream.getvalue().splitlines()
    assert len(lines) == EVENTS_SAID
    assert stream.getvalue().count("\n") == EVENTS_SAID
    stream.getvalue().encode()
    for line in lines:
        if style is Style.PLAIN:
            assert line.startswith("time=")
        else:
            told_of = json.loads(line)
            assert list(told_of)[:4] == ["time", "level", "pid", "event"]
            assert all(text.isprintable() for text in told_of.values() if isinstance(text, str))


@pytest.mark.parametrize("style", list(Style))
def test_a_failure_is_told_by_where_it_happened(style: Style) -> None:
    stream = told(style)
    try:
        fails()
    except ValueError:
        LOG.exception("It failed")
    assert "ValueError" in stream.getvalue()
    assert " in fails" in stream.getvalue()
    assert "Aki" not in stream.getvalue()


def test_a_line_that_cannot_be_written_is_told_by_its_place() -> None:
    stream = told(Style.PLAIN)
    LOG.info("%d chips", FORGED)
    assert "could not be written" in stream.getvalue()
    assert f"{__file__}:" in stream.getvalue()
    assert "Aki" not in stream.getvalue()


def test_a_line_has_its_time_in_utc_its_level_and_its_request() -> None:
    stream = told(Style.JSON)
    LOG.info("before")
    reset = REQUEST_ID.set("a-1")
    LOG.warning("during")
    REQUEST_ID.reset(reset)
    before, during = map(json.loads, stream.getvalue().splitlines())
    assert abs(datetime.fromisoformat(during["time"]) - datetime.now(UTC)) < timedelta(hours=1)
    assert during["time"].endswith("Z")
    assert (before["level"], during["level"]) == ("info", "warning")
    assert ("request_id" in before, during["request_id"]) == (False, "a-1")


def test_what_a_library_adds_to_a_line_is_left_out() -> None:
    stream = told(Style.JSON)
    LOG.info("asked", extra={"route": "/v1/games", "client": "192.0.2.1"})
    line = json.loads(stream.getvalue())
    assert line["route"] == "/v1/games"
    assert "192.0.2.1" not in stream.getvalue()


def test_what_is_less_important_than_the_level_is_not_written() -> None:
    stream = told(Style.PLAIN, Level.WARNING)
    LOG.info("quiet")
    LOG.warning("loud")
    assert [line.partition("event=")[2] for line in stream.getvalue().splitlines()] == ["loud"]


@pytest.mark.parametrize("said", ["a", "0123456789.abc_DEF-", "x" * 64])
def test_a_harmless_id_of_a_request_is_taken_over(said: str) -> None:
    assert request_id(said) == said


@pytest.mark.parametrize("said", [None, "", "x" * 65, "a\n", "a b", "é", "a,b", "<b>", "a\x00"])
def test_any_other_id_is_one_of_ours(said: str | None) -> None:
    made = {request_id(said) for _ in range(100)}
    assert len(made) == 100
    assert all(request_id(one) == one and one != said for one in made)


def test_two_processes_give_no_id_in_common() -> None:
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.write(writes, request_id(None).encode())
        os._exit(0)
    os.waitpid(child, 0)
    theirs = os.read(reads, 100).decode()
    os.close(reads)
    os.close(writes)
    assert theirs
    assert theirs.partition(".")[0] != request_id(None).partition(".")[0]
