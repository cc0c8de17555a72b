"""How much is searched, and what is looked at of every answer and of the log."""

from __future__ import annotations

import io
import json
import logging.config
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from ledger.app import create_app
from ledger.serving.logs import FIELDS, log_unhandled, logging_config
from tests.databases import kept_at
from tests.fuzz.hostile import SECRET

EXAMPLES_A_SEARCH = 200
MAX_ANSWERED = 200_000
"""How many bytes an answer to a refused request may have."""

Search = Callable[[st.SearchStrategy[Any], Callable[[Any], None]], None]


@pytest.fixture
def search(request: pytest.FixtureRequest, figures: Callable[..., None]) -> Search:
    """Try the same examples each time, or, if a time is given, others until it is over; what goes wrong is shrunk."""
    seconds: float = request.config.getoption("--fuzz-seconds") or 0

    def searched(strategy: st.SearchStrategy[Any], check: Callable[[Any], None]) -> None:
        tried, began = 0, monotonic()

        def one(example: Any) -> None:
            nonlocal tried
            tried += 1
            check(example)

        number = 0
        while number == 0 or monotonic() < began + seconds:
            how = settings(
                max_examples=EXAMPLES_A_SEARCH, database=None, deadline=None, suppress_health_check=list(HealthCheck)
            )
            seed(number)(how(given(strategy)(one)))()
            number += 1
        figures(tried=tried)

    return searched


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"LEDGER_DATABASE": kept_at(tmp_path / "ledger.db"), "LEDGER_RATE_LIMIT": "off"})
    yield made
    made.extensions["session_service"].store.engine.close()


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What the service writes, as a program reads it."""
    root, hooks = logging.getLogger(), (sys.excepthook, sys.unraisablehook, threading.excepthook)
    before = root.handlers[:], root.level
    stream = io.StringIO()
    with redirect_stderr(stream):
        logging.config.dictConfig(logging_config("json", "info"))
    log_unhandled()
    yield stream
    sys.excepthook, sys.unraisablehook, threading.excepthook = hooks
    logging.captureWarnings(capture=False)
    root.handlers[:], level = before
    root.setLevel(level)


def check_log(log: io.StringIO) -> None:
    """Every line of the log is one of ours, and names nobody."""
    for line in log.getvalue().split("\n")[:-1]:
        told = json.loads(line)
        assert told.keys() <= set(FIELDS), line
        assert SECRET not in line
        assert "add up" not in line
    log.seek(0)
    log.truncate()


def check_answer(answer: TestResponse) -> None:
    """The service took a request, or said what is wrong with it, in a few words."""
    assert answer.status_code < 500, answer.text[:2000]
    if answer.status_code >= 400:
        assert answer.content_type == "application/problem+json"
        assert len(answer.data) < MAX_ANSWERED
        assert answer.get_json()["code"]
