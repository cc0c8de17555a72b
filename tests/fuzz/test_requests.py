"""Whatever bytes come over a connection, the service answers what is wrong with them or hangs up, and goes on."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest
from hypothesis import strategies as st

from ledger.serving.logs import FIELDS
from tests.fuzz.conftest import Search
from tests.fuzz.hostile import BYTES, SECRET, spoilt
from tests.service import Service

pytestmark = pytest.mark.endurance

BODY = b'{"players": ["Aki", "Ben"], "events": []}'
NAMED = SECRET.encode()
CALCULATES = b"POST /v1/calculate/shippin HTTP/1.1\r\nX-%b: %b\r\nContent-Type: application/json\r\n" % (NAMED, NAMED)
REQUESTS = [
    CALCULATES + b"Content-Length: %d\r\n\r\n%b" % (len(BODY), BODY),
    CALCULATES + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY),
    CALCULATES + b"Transfer-Encoding: chunked\r\n\r\n5;a=b\r\n%b\r\n0\r\nTrailer: x\r\n\r\n" % BODY[:5],
    CALCULATES + b"Content-Length: 3\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nabcde",
    b'GET /v1/games?lang=%b HTTP/1.1\r\nAccept-Language: ja,en;q=0.5\r\nIf-None-Match: W/"0", *\r\n\r\n' % NAMED,
    b"GET /v1/sessions/0123456789abcdef/events?after=0&limit=5 HTTP/1.0\r\nAuthorization: Bearer a.b\r\n\r\n",
    b"OPTIONS /v1/sessions HTTP/1.1\r\nHost: x\r\nOrigin: https://a.b\r\nAccess-Control-Request-Method: POST\r\n\r\n",
    b"HEAD /docs HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip;q=1.0, *;q=0\r\nCookie: a=b\r\nRange: bytes=0-5\r\n\r\n",
]
SIZES = (
    b"ZZ",
    b"-5",
    b"+5",
    b"0x5",
    b"5 ",
    b" 5",
    b"5_0",
    b"",
    b"0" * 500,
    b"f" * 500,
    b"5;" + b"a" * 9000,
    b"\xb2",
    b"5\r",
)
UNKNOWN_HERE = {501, 505}
"""What a request may ask for that nobody here knows: another kind of chunk, another HTTP."""


@st.composite
def of_odd_sizes(draw: st.DrawFn) -> bytes:
    """A request that says wrongly how long it is."""
    size = draw(st.sampled_from(SIZES))
    if draw(st.booleans()):
        return CALCULATES + b"Transfer-Encoding: chunked\r\n\r\n%b\r\n%b\r\n0\r\n\r\n" % (size, BODY)
    return CALCULATES + b"Content-Length: %b\r\n\r\n%b" % (size, BODY)


@pytest.fixture
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with Service(folder / "ledger.db", workers=1, log="json", rate_limit="off") as running:
        yield running


def statuses(port: int, sent: bytes) -> list[int]:
    """Send bytes, and nothing after them; give the statuses of what is answered."""
    with socket.create_connection(("127.0.0.1", port), 30) as connection:
        received = b""
        with suppress(ConnectionError):
            connection.sendall(sent)
            with suppress(OSError):  # it has hung up meanwhile
                connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(1 << 16):
                received += piece
    return [int(line[9:12]) for line in received.split(b"\r\n") if line.startswith(b"HTTP/1.")]


def test_any_bytes_are_answered_or_hung_up_on(search: Search, service: Service) -> None:
    told = 0

    def check(sent: bytes) -> None:
        nonlocal told
        for status in statuses(service.port, sent):
            assert status < 500 or status in UNKNOWN_HERE, (status, service.said[-3000:])
        said = service.said
        for line in said[told:].split("\n")[:-1]:
            assert json.loads(line).keys() <= set(FIELDS)
            assert SECRET not in line
        told = said.rindex("\n") + 1

    several = [request + other for request in REQUESTS[:3] for other in REQUESTS[:2]]
    search(spoilt([*REQUESTS, *several, *BYTES]) | of_odd_sizes(), check)
    assert len(service.workers) == 1
    with service.client() as client:
        assert client.asks("GET", "/readyz").status == 200
