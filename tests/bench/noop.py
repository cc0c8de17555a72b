"""The no-op, yardstick of what a server can carry: views that parse the JSON they are sent, and give an answer that the
service gave before. An application of its own, with nothing of ours but gunicorn's settings.

`NOOP_ANSWERS` is the folder of the answers: `event` and `calculated`.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
from flask import Flask, Response, request

ANSWERS = {path.name: path.read_bytes() for path in Path(os.environ["NOOP_ANSWERS"]).iterdir()}

app = Flask(__name__)


@app.post("/v1/sessions/<session_id>/events")
def record_nothing(session_id: str) -> Response:  # noqa: ARG001 - the address is the service's own
    return nothing("event", 201)


@app.post("/v1/calculate/<game>")
def calculate_nothing(game: str) -> Response:  # noqa: ARG001 - (likewise)
    return nothing("calculated", 200)


@app.get("/readyz")
def ready() -> Response:
    return Response(b"{}", content_type="application/json")


def nothing(kind: str, status: int) -> Response:
    msgspec.json.decode(request.get_data())
    return Response(ANSWERS[kind], status, content_type="application/json")
