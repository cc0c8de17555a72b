"""Behind nginx, set up as the documents say: reports, large bodies and the stream go through as they are."""

from __future__ import annotations

import getpass
import gzip
import http.client
import json
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.scorekeeper import event
from tests.service import ROOT, Client, Service
from tests.waiting import eventually

pytestmark = [pytest.mark.integration, pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not here")]

COMPRESSES = """
    gzip on;
    gzip_proxied any;
    gzip_min_length 1;
    gzip_types application/json application/problem+json;
    proxy_set_header Accept-Encoding "";
    location / {"""
"""What makes nginx compress by itself, and so make weak ETags of strong ones."""


def documented(service_port: int, port: int) -> str:
    """The `server` that the documents show, on ports of our own and without a certificate."""
    shown = re.search(r"```nginx\n(.*?)```", (ROOT / "docs" / "hosting.md").read_text("utf-8"), re.DOTALL)
    assert shown
    without = "".join(line for line in shown[1].splitlines(keepends=True) if "ssl_certificate" not in line)
    assert without.count("http://127.0.0.1:8000") == 2
    assert "listen 443 ssl;" in without
    without = without.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{service_port}")
    return without.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")


PORTS_TRIED = 3
SECONDS = 60


@contextmanager
def nginx(folder: Path, servers: Callable[[int], str]) -> Iterator[int]:
    """Run nginx in the foreground, with all that it writes in a folder, and give its port: the first that it gets.

    `servers` are its settings for a port.
    """
    places = "".join(f"{name}_temp_path {folder}/{name};\n" for name in ("proxy", "fastcgi", "uwsgi", "scgi"))
    places += f"client_body_temp_path {folder}/body;\n"
    settings, errors = folder / "nginx.conf", folder / "errors"
    command = ["nginx", "-p", str(folder), "-e", str(errors), "-c", str(settings)]
    for _ in range(PORTS_TRIED):
        port = free_port()
        settings.write_text(
            f"user {getpass.getuser()}; daemon off; pid {folder}/pid; error_log {errors};\n"
            f"events {{}}\nhttp {{\naccess_log off;\n{places}{servers(port)}\n}}\n"
        )
        with subprocess.Popen(command) as running:
            try:
                if listens(running, folder / "pid"):
                    yield port
                    return
            finally:
                running.terminate()
        said = errors.read_text("utf-8", "replace") if errors.exists() else "nothing"
        if "Address already in use" not in said:
            break
    pytest.fail(f"nginx did not start; it said:\n{said}")


def listens(running: subprocess.Popen[bytes], pid: Path) -> bool:
    """Wait until nginx listens, which is when it has written its id down; say whether it came to that."""
    eventually(lambda: pid.exists() or running.poll() is not None, SECONDS)
    return running.poll() is None


def free_port() -> int:
    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with Service(tmp_path_factory.mktemp("service") / "ledger.db", workers=1) as running:
        yield running


@pytest.fixture(params=["as documented", "compressing"])
def behind(request: pytest.FixtureRequest, service: Service, tmp_path: Path) -> Iterator[Client]:
    """A scorekeeper in front of nginx, with a session of their own."""

    def servers(port: int) -> str:
        shown = documented(service.port, port)
        compressing = request.param == "compressing"
        return shown.replace("\n    location / {", COMPRESSES) if compressing else shown

    with nginx(tmp_path, servers) as port:
        client = Client(port)
        client.opens("shippin")
        yield client
        client.hangs_up()


def test_if_its_port_is_taken_nginx_gets_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ports = iter([taken.getsockname()[1], free_port()])
        monkeypatch.setattr(f"{__name__}.free_port", lambda: next(ports))
        with nginx(tmp_path, "server {{ listen 127.0.0.1:{}; }}".format) as port:
            assert port != taken.getsockname()[1]
            socket.create_connection(("127.0.0.1", port)).close()


def test_if_nginx_does_not_start_it_is_said_why(tmp_path: Path) -> None:
    with pytest.raises(pytest.fail.Exception, match="unknown directive"), nginx(tmp_path, "nonsense {};".format):
        pass


def asks_compressed(client: Client, where: str) -> tuple[http.client.HTTPResponse, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", client._connection.port)
    with closing(connection):
        headers = {"Authorization": f"Bearer {client.token}", "Accept-Encoding": "gzip"}
        connection.request("GET", client.address + where, headers=headers)
        answer = connection.getresponse()
        return answer, json.loads(gzip.decompress(answer.read()))


def test_a_report_with_the_tag_that_nginx_made_weak_is_taken(behind: Client) -> None:
    behind.tries(event("round_opened"))
    answer, session = asks_compressed(behind, "")
    assert (answer.headers["ETag"], answer.headers["Content-Encoding"], session["seq"]) == ('W/"1"', "gzip", 1)
    taken = behind.tries(event("bet_placed", player="p2", column=1), If_Match=answer.headers["ETag"])
    assert taken.status == 201
    stale = behind.tries(event("bet_placed", player="p3", column=2), If_Match=answer.headers["ETag"])
    assert (stale.status, stale.body["seq"]) == (412, 2)
    assert behind.asks("GET", behind.address, If_None_Match='W/"2"').status == 304


def test_who_sends_too_much_hears_it_from_the_service(behind: Client) -> None:
    for _ in range(2):
        refused = behind.asks("POST", f"{behind.address}/events", "x" * 5_000_000)
        assert (refused.status, refused.body["code"]) == (413, "request_entity_too_large")


def test_the_stream_comes_through_as_it_is_recorded(behind: Client) -> None:
    listener = http.client.HTTPConnection("127.0.0.1", behind._connection.port, timeout=SECONDS)
    with closing(listener):
        headers = {"Authorization": f"Bearer {behind.token}", "Accept-Encoding": "gzip"}
        listener.request("GET", f"{behind.address}/stream", headers=headers)
        stream = listener.getresponse()
        assert (stream.status, stream.headers["Content-Encoding"]) == (200, None)
        for seq in (1, 2, 3):
            behind.tries(event("chips_moved", **{"from": "bank", "to": "p1", "amount": seq}))
            while not (line := stream.readline()).startswith(b"id:"):
                assert line
            assert line == f"id: {seq}\n".encode()
        stream.close()


def test_what_is_for_operators_stays_inside(behind: Client) -> None:
    for inside in ("/metrics", "/metrics/", "//metrics", "/metrics//", "/%6detrics", "/x/../metrics", "/./metrics"):
        connection = http.client.HTTPConnection("127.0.0.1", behind._connection.port)
        with closing(connection):
            connection.request("GET", inside)
            answer = connection.getresponse()
            assert (answer.status, b"fuda_ledger" in answer.read()) == (404, False), inside


def test_a_request_has_the_id_that_nginx_gave_it(behind: Client) -> None:
    answer = behind.asks("GET", behind.address, X_Request_ID="from-outside")
    assert re.fullmatch("[0-9a-f]{32}", answer.headers["X-Request-ID"])
