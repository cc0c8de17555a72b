"""Hostile requests to a running service: too large bodies get a 413, and clients write no lines of the log."""

from __future__ import annotations

import http.client
import json
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.scorekeeper import event
from tests.service import Service

SECRET = "Aki-and-the-token"
FORGED = f"{SECRET}\n{{}}\r\ntime=2026-11-22T00:00:00Z level=critical event=forged\u2028\x1b[31m"

POST = "POST /v1/calculate/shippin HTTP/1.1\r\nHost: x\r\nContent-Type: application/json"
BODY = b'{"players": ["' + b"x" * 5 * 1024 * 1024 + b'"]}'
LENGTH = f"Content-Length: {len(BODY)}"
PIECES = [BODY[at : at + 800_000] for at in range(0, len(BODY), 800_000)]
CHUNKS = [b"%x\r\n%b\r\n" % (len(piece), piece) for piece in PIECES]
JSON = {"Content-Type": "application/json"}
AS_DOCUMENTED = [sys.executable, "-m", "gunicorn", "-c", "python:ledger.serving.gunicorn_config", "wsgi:app"]
PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    database = tmp_path_factory.mktemp("service") / "ledger.db"
    with Service(database, command=AS_DOCUMENTED, workers=1, log="json", log_requests="on") as running:
        yield running


def heard(service: Service, *pieces: bytes, pause: float = 0.0) -> tuple[http.client.HTTPResponse, bytes]:
    """Send bytes as they are, all of them, and only then listen."""
    with socket.create_connection(("127.0.0.1", service.port), 60) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        return answer, answer.read()


def lines(service: Service) -> list[dict[str, Any]]:
    """What the service wrote so far. Each line is JSON, or this fails."""
    return [json.loads(line) for line in service.said.split("\n")[:-1]]


@pytest.mark.parametrize(
    ("headers", "pieces", "pause"),
    [
        (LENGTH, PIECES, 0.0),
        (f"{LENGTH}\r\nConnection: close", PIECES, 0.0),
        ("Transfer-Encoding: chunked", CHUNKS, 0.0),
        pytest.param(LENGTH, PIECES, 0.9, marks=pytest.mark.integration),  # longer than an idle connection is kept
    ],
    ids=["length", "closes", "chunks", "slow"],
)
def test_a_client_that_sends_too_much_hears_so(
    service: Service, headers: str, pieces: list[bytes], pause: float
) -> None:
    answer, body = heard(service, f"{POST}\r\n{headers}\r\n\r\n".encode(), *pieces, pause=pause)
    assert (answer.status, answer.headers["Content-Type"]) == (413, PROBLEM)
    assert json.loads(body)["at_most"] == 1024 * 1024


def test_the_connection_goes_on_after_bodies_that_were_too_large_or_unread(service: Service) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=60)
    calls = [("POST", "/v1/calculate/shippin", 413), ("POST", "/nowhere", 404), ("GET", "/livez", 200)]
    for method, address, status in calls:
        connection.request(method, address, BODY, JSON)
        (answer := connection.getresponse()).read()
        assert answer.status == status
    connection.close()


def test_a_body_in_broken_chunks_is_a_problem(service: Service) -> None:
    answer, _ = heard(service, f"{POST}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{SECRET}\r\n0\r\n\r\n".encode())
    assert (answer.status, answer.headers["Content-Type"]) == (400, PROBLEM)


@pytest.mark.parametrize("header", ["SCRIPT_NAME", "PATH_INFO", "Script-Name", "REMOTE_ADDR"])
def test_no_header_says_where_our_addresses_begin(service: Service, header: str) -> None:
    with service.client() as client:
        opening = b'{"game": "shippin", "players": ["Aki", "Ben"]}'
        client._connection.request("POST", "/v1/sessions", opening, JSON | {header: "//evil"})
        answer = client._connection.getresponse()
        opened = json.load(answer)["session"]["id"]
    assert (answer.status, answer.headers["Location"]) == (201, f"/v1/sessions/{opened}")


HOSTILE = [
    (f"GET /{quote(FORGED)} HTTP/1.1\r\nHost: x", 404),
    (f"GET /v1/sessions/{quote(FORGED)}/events?token={SECRET} HTTP/1.1\r\nAuthorization: Bearer {SECRET}", 401),
    (f"GET /livez HTTP/1.1\r\nX-Request-ID: {SECRET}\tlevel=critical", 200),
    (f"GET /{SECRET}\nx HTTP/1.1\r\nHost: x", 400),
    (f"{SECRET} /livez HTTP/1.1\r\nHost: x", 400),
    (f"GET /livez HTTP/{SECRET}\r\nHost: x", 400),
    (f"POST /v1/sessions HTTP/1.1\r\n{SECRET}", 400),
    (f"POST /v1/sessions HTTP/1.1\r\nTransfer-Encoding: {SECRET}", 501),
    (f"GET /{SECRET * 500} HTTP/1.1\r\nHost: x", 414),
    (f"GET /livez HTTP/1.1\r\nX-Long: {SECRET * 1000}", 431),
]


def test_the_log_has_lines_of_ours_alone(service: Service) -> None:
    for sent, status in HOSTILE:
        assert heard(service, f"{sent}\r\n\r\n".encode())[0].status == status, sent[:99]
    with service.client() as client:
        client.opens("shippin")
        client.tries(event("round_opened", note=FORGED))
        client.tries(event("player_joined", name=FORGED), Idempotency_Key=SECRET)
        secrets = [SECRET, "forged", "127.0.0.1 ", client.token, client.session_id]
    assert len(lines(service)) > len(HOSTILE)
    for secret in secrets:
        assert secret not in service.said
    for line in lines(service):
        assert line.keys() >= {"time", "level", "pid", "event"}
        assert (line["event"] == "request") == ("route" in line)


@pytest.mark.integration
def test_what_fails_where_nobody_catches_it_is_a_line_without_its_text(tmp_path: Path) -> None:
    with Service(tmp_path / "ledger.db", workers=1, log="json", app="tests.wire.loose:app") as service:
        assert heard(service, b"GET /loose HTTP/1.1\r\nHost: x\r\n\r\n")[0].status == 200
        assert heard(service, f"GET /broken/{SECRET} HTTP/1.1\r\nHost: x\r\n\r\n".encode())[0].status == 500
    told = lines(service)
    assert (
        len([line for line in told if line["event"] == "Unhandled exception" and "in fails" in line["exception"]]) == 3
    )
    assert [line["level"] for line in told if "UserWarning" in line["event"]] == ["warning"]
    assert "Aki" not in "".join(map(str, [line for line in told if "UserWarning" not in line["event"]]))
    assert told[-1]["event"].startswith("Shutting down")
