"""What is sent to a running service and cannot be read: told as a problem, and nobody is named in the log.

Also what is larger than is taken: whoever sends it hears so, however they send it.
"""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
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


POSTED = ("POST /v1/calculate/shippin HTTP/1.1", "Content-Type: application/json")
CHUNKED = (*POSTED, "Transfer-Encoding: chunked")

UNREAD = {
    "a long address": (request(f"GET /{SECRET}{'x' * 9000} HTTP/1.1"), 414, "request_uri_too_large"),
    "no request line": (f"{SECRET}\r\n\r\n".encode(), 400, "bad_request"),
    "a method in small letters": (request(f"get /{SECRET} HTTP/1.1"), 400, "bad_request"),
    "another version": (request(f"GET /{SECRET} HTTP/3.0"), 505, "http_version_not_supported"),
    "no version": (request(f"GET /{SECRET} {SECRET}"), 505, "http_version_not_supported"),
    "a header without a colon": (request(headers := "GET / HTTP/1.1", SECRET), 400, "bad_request"),
    "a header with a space": (request(headers, f"{SECRET} x: 1"), 400, "bad_request"),
    "a header that is folded": (request(headers, "X: a", f" {SECRET}"), 400, "bad_request"),
    "a header with a NUL": (request(headers, f"X: {SECRET}\0"), 400, "bad_request"),
    "many headers": (
        request(headers, *[f"X: {SECRET}"] * 200),
        431,
        "request_header_fields_too_large",
    ),
    "a long header": (request(headers, f"X: {SECRET * 1000}"), 431, "request_header_fields_too_large"),
    "a length in words": (request(headers, f"Content-Length: {SECRET}"), 400, "bad_request"),
    "two lengths": (request(headers, "Content-Length: 1", "Content-Length: 2"), 400, "bad_request"),
    "a length and chunks": (request(*CHUNKED, "Content-Length: 2"), 400, "bad_request"),
    "a coding without chunks": (request(headers, "Transfer-Encoding: gzip"), 400, "bad_request"),
    "another coding": (request(headers, f"Transfer-Encoding: {SECRET}"), 501, "not_implemented"),
    "expecting something else": (request(headers, f"Expect: {SECRET}"), 417, "expectation_failed"),
    "a broken chunk": (request(*CHUNKED) + f"{SECRET}\r\n".encode(), 400, "bad_request"),
    **{
        f"a chunk of the size {size!r}": (request(*CHUNKED) + size + b"\r\n{}\r\n0\r\n\r\n", 400, "bad_request")
        for size in (b"ZZ", b"-5", b"0x2", b"+2", b"2_0", b"", b" 2", b"2 ", b"2;a=\x01", b"2;a=\rb", b"\xb2", b"2,2")
    },
    **{
        f"the trailer {trailer!r}": (
            request(*CHUNKED) + b"2\r\n{}\r\n0\r\n" + trailer + b"\r\n\r\n",
            400,
            "bad_request",
        )
        for trailer in (b"Host: b", b"Content-Length: 2", b"nonsense", b"X: b\n", b"A : b")
    },
    **{
        f"the length {length!r}": (request(*POSTED, f"Content-Length: {length}") + b"{}", 400, "bad_request")
        for length in ("+2", "-1", "2, 2", "2 2", "2_0", "0x2", "2.0", "\xb2", "9" * 5000, "", "2;")
    },
    "the same length twice": (request(*POSTED, "Content-Length: 2", "Content-Length: 2") + b"{}", 400, "bad_request"),
    "chunks twice": (request(*CHUNKED, "Transfer-Encoding: chunked") + b"2\r\n{}\r\n0\r\n\r\n", 400, "bad_request"),
    "chunks behind a control character": (request(*POSTED, "Transfer-Encoding: \x0bchunked"), 400, "bad_request"),
    "chunks with a space before the colon": (request(*POSTED, "Transfer-Encoding : chunked"), 400, "bad_request"),
    "a chunk without an end": (request(*CHUNKED) + b"2\r\n{}xx0\r\n\r\n", 400, "bad_request"),
}


@pytest.mark.parametrize(("sent", "status", "code"), UNREAD.values(), ids=UNREAD)
def test_what_cannot_be_read_is_told_as_a_problem_and_logged_without_names(
    service: Service, sent: bytes, status: int, code: str
) -> None:
    before = len(service.said)
    heard = says(service, sent)
    assert (heard.status, heard.kind, heard.problem["code"]) == (status, "application/problem+json", code)
    assert heard.problem.keys() == {"type", "title", "status", "detail", "code"}
    assert (heard.problem["status"], heard.problem["type"]) == (status, f"urn:fuda-ledger:problem:{code}")
    assert SECRET not in json.dumps(heard.problem)
    logged = service.said[before:]
    for name in (SECRET, "127.0.0.1", "Traceback", "unforeseen"):
        assert name not in logged


@pytest.mark.parametrize("wrong", [("Authorization: a", "Authorization: b"), ("Transfer-Encoding: gzip",)])
@pytest.mark.parametrize(("origin", "readable"), [(PAGE, PAGE), ("https://evil.example", None)])
def test_a_listed_page_may_read_what_is_wrong(
    service: Service, wrong: tuple[str, ...], origin: str, readable: str | None
) -> None:
    with socket.create_connection(("127.0.0.1", service.port), 30) as connection:
        connection.sendall(request("POST /v1/sessions HTTP/1.1", f"Origin: {origin}", *wrong))
        answer = http.client.HTTPResponse(connection)
        answer.begin()
        answer.read()
    assert (answer.status, answer.headers["Access-Control-Allow-Origin"]) == (400, readable)
    assert answer.headers["Vary"] == "Accept-Language, Origin"


@pytest.mark.parametrize(
    "name", ["Authorization", "Idempotency-Key", "Content-Type", "Content-Length", "Host", "Last-Event-ID"]
)
def test_a_header_that_is_given_twice_is_named(service: Service, name: str) -> None:
    value = "2" if name == "Content-Length" else "a"
    sent = request("POST /v1/sessions HTTP/1.1", f"{name}: {value}", f"{name.lower()}: {value}")
    heard = says(service, sent + b"{}")
    assert (heard.status, heard.problem["code"]) == (400, "bad_request")
    assert name.lower() in heard.problem["detail"].lower()
    assert "127.0.0.1" not in service.said.split("Listening at", 1)[1].split("\n", 1)[1]


def test_a_list_may_come_in_several_headers(service: Service) -> None:
    lists = ('If-None-Match: W/"a"', 'If-None-Match: "b"', "Accept-Language: ja", "Accept-Language: en;q=0.5")
    with socket.create_connection(("127.0.0.1", service.port), 30) as connection:
        connection.sendall(request("GET /livez HTTP/1.1", *lists))
        assert connection.recv(100).startswith(b"HTTP/1.1 200")


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


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not here")
@pytest.mark.parametrize("how", [[], ["-H", "Expect: 100-continue"], ["-H", "Transfer-Encoding: chunked"], ["-0"]])
def test_curl_hears_that_it_sends_too_much(service: Service, tmp_path: Path, how: list[str]) -> None:
    large = tmp_path / "large.json"
    large.write_bytes(BODY)
    address = f"http://127.0.0.1:{service.port}/v1/calculate/shippin"
    sends = ["--data-binary", f"@{large}", "-H", "Content-Type: application/json", *how, address]
    said = subprocess.run(["curl", "-sS", *sends], capture_output=True, check=True)  # noqa: S607 - whichever there is
    assert json.loads(said.stdout)["status"] == 413


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


def test_what_is_larger_than_we_hear_out_is_answered_all_the_same(service: Service) -> None:
    """The client has the answer when it looks, unless it goes on sending without ever looking."""
    with socket.create_connection(("127.0.0.1", service.port), 30) as connection:
        connection.sendall(request(*POST, f"Content-Length: {10**12}"))
        connection.sendall(b"x" * LARGE)
        assert connection.recv(1000).startswith(b"HTTP/1.1 413")


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
