"""Lines of the log have no secrets, no texts of exceptions, and nothing that would begin another line."""

from __future__ import annotations

import json
import logging

import pytest
from structlog.stdlib import ProcessorFormatter

from ledger.serving.logs import logging_config, safe

SECRET = "Aki\nledger: the books do not add up"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Aki 亜紀", "Aki 亜紀"),
        ("a\nb\\n", r"a\nb\\n"),
        ("\x1b[31m\x85\u2028\u202e\ufeff\udc80", r"\x1b[31m\x85\u2028\u202e\ufeff\udc80"),
        ("Authorization: BEARER 0123.abc x", "Authorization: BEARER *** x"),
        ("/v1/sessions/x?token=0123456789abcdef.Ab-c_d123", "/v1/sessions/x?token=0123456789abcdef.***"),
        ("postgresql://me:se@:/same@db/ledger redis://:sesame@x", "postgresql://me:***@db/ledger redis://:***@x"),
    ],
)
def test_a_text_is_redacted_and_escaped(text: str, told: str) -> None:
    assert safe(text) == told


@pytest.mark.parametrize("style", ["plain", "json"])
def test_a_line_has_fields_of_ours_alone_and_of_exceptions_kinds_and_places(style: str) -> None:
    try:
        try:
            _ = dict[str, str]()[SECRET]
        except KeyError as first:
            raise ExceptionGroup(SECRET, [OSError(5, SECRET)]) from first
    except ExceptionGroup as error:
        error.add_note(SECRET)
        failed = type(error), error, error.__traceback__
    formatter = ProcessorFormatter(processors=logging_config(style, "info")["formatters"]["line"]["processors"])
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "Bearer %s", (SECRET,), failed)
    record.__dict__ |= {"status": 500, "player": "Aki"}
    line = formatter.format(record)
    assert "Aki" not in line
    assert "books" not in line.partition("exception")[2]
    assert line.index("KeyError (") < line.index("; then ExceptionGroup (") < line.index("OSError (")
    assert f"{__file__}:" in line
    assert len(line.splitlines()) == 1
    if style == "json":
        fields = {"time", "level", "pid", "event", "status", "exception"}
        assert json.loads(line).keys() - {"request_id"} == fields
