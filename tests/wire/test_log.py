"""The log of a running service, whatever is sent to it: lines of ours alone, each with the id of its request."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.scorekeeper import event
from tests.service import Service

SECRET = "Aki-and-the-token"
FORGED = f"{SECRET}\n{{}}\r\ntime=2026-11-22T00:00:00Z level=critical event=forged\u2028\x1b[31m"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("service") / "ledger.db", workers=1, log="json", log_requests="on") as running:
        yield running


def lines(service: Service) -> list[dict[str, Any]]:
    """What the service wrote so far. Each line is JSON, or this fails."""
    return [json.loads(line) for line in service.said.split("\n")[:-1]]


def heard(service: Service, sent: bytes) -> http.client.HTTPResponse:
    """Send bytes as they are, and give what comes back."""
    with socket.create_connection(("127.0.0.1", service.port), 30) as connection:
        connection.sendall(sent)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        answer.read()
        return answer


HOSTILE = [
    f"GET /{quote(FORGED)} HTTP/1.1\r\nHost: x\r\n\r\n",
    (
        f"GET /v1/sessions/{quote(FORGED)}/events?token={SECRET} HTTP/1.1\r\nHost: x\r\n"
        f"Authorization: Bearer {SECRET}\r\n\r\n"
    ),
    f"GET /{SECRET}\nx HTTP/1.1\r\nHost: x\r\n\r\n",
    f"GET /livez HTTP/1.1\r\nHost: x\r\nX-Request-ID: {SECRET}\tlevel=critical\r\n\r\n",
    f"{SECRET} /livez HTTP/1.1\r\nHost: x\r\n\r\n",
    f"POST /v1/sessions HTTP/1.1\r\nHost: x\r\n{SECRET}\r\n\r\n",
    f"POST /v1/sessions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {SECRET}\r\n\r\n",
]


def test_the_log_has_lines_of_ours_alone(service: Service) -> None:
    for sent in HOSTILE:
        heard(service, sent.encode())
    with service.client() as client:
        client.opens("shippin")
        client.tries(event("round_opened", note=FORGED))
        client.tries(event("player_joined", name=FORGED))
        secrets = [SECRET, "forged", "127.0.0.1 ", client.token, client.session_id]
    assert len(lines(service)) > len(HOSTILE)
    for secret in secrets:
        assert secret not in service.said
    for line in lines(service):
        assert line.keys() >= {"time", "level", "pid", "event"}
        assert (line["event"] == "request") == ("route" in line)


@pytest.mark.integration
def test_what_fails_where_nobody_catches_it_is_a_line_too(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=1, log="json", app="tests.wire.loose:app") as service:
        assert heard(service, b"GET /loose HTTP/1.1\r\nHost: x\r\n\r\n").status == 200
        told = lines(service)
    assert len([line for line in told if "nobody caught" in line["event"] and "in fails" in line["exception"]]) == 3
    assert [line["level"] for line in told if "UserWarning" in line["event"]] == ["warning"]
    assert "Aki" not in "".join(line["event"] for line in told if "UserWarning" not in line["event"])


@pytest.mark.integration
def test_starting_and_stopping_are_lines_too(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=1, log="json") as service:
        pass
    said = [line["event"] for line in lines(service)]
    assert any(event.startswith("Listening at: ") for event in said)
    assert said[-1].startswith("Shutting down")
