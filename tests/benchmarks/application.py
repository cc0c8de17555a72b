"""The service for benchmarks: the application with a view that does nothing, and answers that name their worker."""

from __future__ import annotations

import os

from flask import Response

from ledger.app import create_app

app = create_app()


@app.post("/nothing")
def nothing() -> Response:
    return Response(b"{}", content_type="application/json")


@app.after_request
def sign(response: Response) -> Response:
    response.headers["X-Worker"] = str(os.getpid())
    return response
