"""The path of a report: how many of our files it passes, and how many calls of ours it makes.

    python -m tests.bench.path

prints the files in the order in which they are reached, and the calls as a tree. The report is of one event that needs
no round, with nothing unusual in its headers, to a session that is in memory, of a service as it is installed. It goes
through the application in this process as a WSGI server would call it, and into SQLite. Others came before it, so what
is made once is there.

What counts are the entries into Python functions whose file lies in `ledger` or `schemas`, as `sys.setprofile` sees
them, in all threads; each time that a generator goes on is an entry, too. List, dict and set comprehensions are not
counted: they are calls in Python 3.11 alone.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from flask import Flask
from werkzeug.test import EnvironBuilder, run_wsgi_app

from ledger.app import create_app
from tests.bench.evening import MOVED, OPENING
from tests.bench.report import Effort, Figure, at_most
from tests.scorekeeper import Json
from tests.service import ROOT

OURS = tuple(f"{ROOT / package}/" for package in ("ledger", "schemas"))
COMPREHENSIONS = ("<listcomp>", "<dictcomp>", "<setcomp>")
MAX_FILES, MAX_CALLS = 32, 165
REPORTS_BEFORE = 5


class Call(NamedTuple):
    """An entry into a function of ours: its file, its name, and how many other functions of ours called it."""

    file: str
    function: str
    depth: int


def measure(effort: Effort) -> Iterator[Figure]:
    """Measure every row. What is done only now and then may be on the path of one of several reports."""
    with tempfile.TemporaryDirectory() as folder:
        paths = list(paths_of_reports(Path(folder, "ledger.db"), effort.repeats))
    files = [len(files_of(path)) for path in paths]
    yield Figure("a report passes", "files", files, at_most(MAX_FILES), "python -m tests.bench.path names them")
    yield Figure("a report makes", "calls", [len(path) for path in paths], at_most(MAX_CALLS))


def paths_of_reports(database: Path, count: int) -> Iterator[Sequence[Call]]:
    """Open a session in a database, and give the calls that each of some reports makes in it, in order."""
    app = create_app({"LEDGER_DATABASE": str(database)})
    opened = asked(app, "/v1/sessions", OPENING)
    address, token = f"/v1/sessions/{opened['session']['id']}/events", opened["link"]["token"]
    for number in range(REPORTS_BEFORE + count):
        calls = list[Call]()
        asked(app, address, {"events": [MOVED]}, token, calls if number >= REPORTS_BEFORE else None)
        if number >= REPORTS_BEFORE:
            yield calls


def asked(app: Flask, path: str, body: Json, token: str = "", calls: list[Call] | None = None) -> Any:
    """Send a request to the application, note the calls that it makes, and give its answer."""
    headers = [("Authorization", f"Bearer {token}")] if token else []
    environ = EnvironBuilder(path, method="POST", json=body, headers=headers).get_environ()

    def note(frame: FrameType, happens: str, _argument: object) -> None:
        if calls is not None and happens == "call" and is_ours(frame):
            calls.append(Call(file_of(frame), frame.f_code.co_qualname, sum(map(is_ours, frames_below(frame)))))

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        answer, status, _headers = run_wsgi_app(app, environ, buffered=True)
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    assert status == "201 CREATED", status
    return json.loads(b"".join(answer))


def is_ours(frame: FrameType) -> bool:
    """Say whether a frame is one of a function of ours that counts."""
    code = frame.f_code
    return code.co_filename.startswith(OURS) and code.co_name not in COMPREHENSIONS


def file_of(frame: FrameType) -> str:
    """Name the file of a function."""
    return str(Path(frame.f_code.co_filename).relative_to(ROOT))


def frames_below(frame: FrameType) -> Iterator[FrameType]:
    """Give the frames that called one."""
    while frame.f_back is not None:
        frame = frame.f_back
        yield frame


def files_of(path: Sequence[Call]) -> list[str]:
    """Name the files that a report passes, in the order in which it reaches them."""
    return list(dict.fromkeys(call.file for call in path))


def main() -> None:
    """Print the way of a report: its files, then its calls."""
    with tempfile.TemporaryDirectory() as folder:
        path = min(paths_of_reports(Path(folder, "ledger.db"), 3), key=len)
    for file in (files := files_of(path)):
        print(f"{sum(call.file == file for call in path):4} {file}")
    for call in path:
        print(f"{'  ' * call.depth}{call.function}  {call.file}")
    print(f"{len(files)} files, {len(path)} calls")


if __name__ == "__main__":
    main()
