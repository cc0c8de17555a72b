"""A service that stops closes no connection without having said so: who was being answered may ask once more."""

from __future__ import annotations

import http.client
import os
import signal
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask

from ledger import worker
from ledger.app import create_app
from tests.service import Service


def patient() -> Flask:
    """Make the service, and have its worker linger longer than a busy machine needs to send a request."""
    worker.LINGER_SECONDS = 9.0
    return create_app()


@pytest.mark.slow
def test_who_was_being_answered_may_ask_once_more_to_be_told_that_the_connection_closes(tmp_path: Path) -> None:
    app = "tests.wire.test_stopping:patient()"
    with Service(tmp_path / "ledger.db", workers=1, app=app) as service, service.client() as client:
        client.opens("shippin")
        client.hangs_up()
        with closing(http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)) as listener:
            listener.connect()
            connection = listener.sock
            listener.request("GET", f"{client.address}/stream", headers={"Authorization": f"Bearer {client.token}"})
            stream = listener.getresponse()
            assert stream.readline()
            os.kill(service.workers[0], signal.SIGTERM)
            stream.read()  # it ends, as the worker stops
            listener.request("GET", "/livez")
            assert listener.sock is connection
            answer = listener.getresponse()
            assert (answer.status, answer.headers["Connection"]) == (200, "close")
