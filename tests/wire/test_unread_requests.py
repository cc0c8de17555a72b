"""What is sent to a running service and cannot be read: told as a problem, and nobody is named in the log.

Also what is larger than is taken: whoever sends it hears so, however they send it.
"""

from __future__ import annotations

import http.client
import json
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.scorekeeper import Json, event
from tests.service import Service

LARGE = 5 * 1024 * 1024
MIBI = 1024 * 1024
SECRET = "Aki-and-the-token"
PAGE = "https://cards.example"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("service") / "ledger.db", workers=1, origins=PAGE) as running:
        yield running


class Heard(NamedTuple):
    """What came back on a connection until it was closed."""

    status: int
    kind: str | None
    problem: Json


def says(service: Service, *pieces: bytes, pause: float = 0.0) -> Heard:
    """Send bytes as they are, all of them, and only then listen, until the service hangs up."""
    with socket.create_connection(("127.0.0.1", service.port), 30) as connection:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        body = answer.read()
    return Heard(answer.status, answer.headers["Content-Type"], json.loads(body))


def request(line: str = f"GET /v1/games/{SECRET} HTTP/1.1", *headers: str) -> bytes:
    return "\r\n".join([line, "Host: localhost", *headers, "", ""]).encode("latin-1")


# --- bodies that are too large ----------------------------------------------------------------------------------------


BODY = b'{"players": ["' + b"x" * LARGE + b'"]}'
POST = ("POST /v1/calculate/shippin HTTP/1.1", "Content-Type: application/json")
LENGTH = f"Content-Length: {len(BODY)}"
IN_CHUNKS = b"".join(
    b"%x\r\n%b\r\n" % (len(part), part) for part in (BODY[n : n + 9999] for n in range(0, LARGE, 9999))
)


@pytest.mark.parametrize("closes", [(), ("Connection: close",)], ids=["keeps", "closes"])
@pytest.mark.parametrize("pause", [0.0, 0.02], ids=["fast", "slow"])
@pytest.mark.parametrize(
    ("framing", "body"), [(LENGTH, BODY), ("Transfer-Encoding: chunked", IN_CHUNKS)], ids=["length", "chunks"]
)
def test_who_sends_too_much_hears_so(
    service: Service, framing: str, body: bytes, pause: float, closes: tuple[str, ...]
) -> None:
    pieces = [body[at : at + 100_000] for at in range(0, len(body), 100_000)]
    heard = says(service, request(*POST, framing, *closes), *pieces, pause=pause)
    assert (heard.status, heard.kind) == (413, "application/problem+json")
    assert heard.problem["at_most"] == MIBI


def test_the_connection_goes_on_after_a_body_that_was_too_large(service: Service) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    for _ in range(3):
        connection.request("POST", "/v1/calculate/shippin", BODY, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert (answer.status, json.loads(answer.read())["code"]) == (413, "request_entity_too_large")
    connection.request("GET", "/livez")
    assert connection.getresponse().status == 200
    connection.close()


@pytest.mark.parametrize(
    ("method", "address", "status"), [("POST", "/v1/games", 405), ("POST", "/nowhere", 404), ("GET", "/livez", 200)]
)
def test_a_body_that_nobody_reads_takes_no_answer_away(
    service: Service, method: str, address: str, status: int
) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    connection.request(method, address, BODY, {"Connection": "close"})
    assert connection.getresponse().status == status
    connection.close()


def test_whoever_posts_too_much_to_any_call_hears_so(service: Service) -> None:
    with service.client() as client:
        client.opens("shippin")
        client.tries(event("round_opened"))
    own = f"/v1/sessions/{client.session_id}"
    for address in (
        *("/v1/sessions", "/v1/statistics", "/v1/calculate/kakkuri"),
        *(f"{own}/{call}" for call in ("events", "events?dry_run=true", "links", "rounds/1/recalculate")),
    ):
        asked = urllib.request.Request(f"http://127.0.0.1:{service.port}{address}", BODY)
        asked.add_header("Authorization", f"Bearer {client.token}")
        asked.add_header("Content-Type", "application/json")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked, timeout=30)  # noqa: S310 - (likewise)
        with refused.value as answer:
            assert (answer.code, json.load(answer)["code"]) == (413, "request_entity_too_large"), address


@pytest.mark.parametrize("header", ["SCRIPT_NAME", "PATH_INFO", "Script-Name", "REMOTE_ADDR", "wsgi.url_scheme"])
def test_no_header_says_where_our_addresses_begin(service: Service, header: str) -> None:
    with service.client() as client:
        opening = {"game": "shippin", "players": ["Aki", "Ben"]}
        opened = client._connection
        opened.request(
            "POST", "/v1/sessions", json.dumps(opening), {"Content-Type": "application/json", header: "//evil"}
        )
        answer = opened.getresponse()
        assert (answer.status, answer.headers["Location"]) == (
            201,
            f"/v1/sessions/{json.load(answer)['session']['id']}",
        )
