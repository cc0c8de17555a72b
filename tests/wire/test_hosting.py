"""The ways to host it that the documents show, each tried as it is written, as far as its program is here."""

from __future__ import annotations

import getpass
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.scorekeeper import event
from tests.service import ROOT, Client, Service
from tests.waiting import eventually

pytestmark = pytest.mark.integration

HOME = "/opt/fuda-ledger"
MOVED = event("chips_moved", **{"from": "bank", "to": "p1", "amount": 1})


def example(kind: str) -> str:
    """The one example of a kind that the document shows."""
    text = (ROOT / "docs" / "hosting.md").read_text("utf-8")
    (shown,) = re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return str(shown)


def status(port: int, path: str) -> int:
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


@contextmanager
def running(command: list[str], said: Path, env: dict[str, str], cwd: Path = ROOT) -> Iterator[subprocess.Popen[bytes]]:
    with said.open("w") as log, subprocess.Popen(command, cwd=cwd, env=os.environ | env, stderr=log) as process:
        try:
            yield process
        finally:
            process.terminate()


def port_of(said: Path) -> int:
    """Wait until a service is ready, and give the port that the system gave it."""

    def port() -> int:
        (told,) = re.findall(r"Listening at: http://127\.0\.0\.1:(\d+) ", said.read_text("utf-8"))
        return int(told) if status(int(told), "/readyz") == 200 else 0

    return eventually(port)


def nginx(folder: Path, port: int, more: str = "") -> tuple[str, list[str]]:
    """Give the documented settings, without a certificate, and how nginx is started with them."""
    shown = re.sub("ssl_certificate.*", "", example("nginx")).replace("listen 443 ssl", f"listen 127.0.0.1:{port}")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    main = f"user {getpass.getuser()}; daemon off; pid {folder}/pid;\nevents {{}}\nhttp {{\n{places}{more}{shown}}}\n"
    return main, ["nginx", "-p", str(folder), "-e", "stderr", "-c", str(folder / "settings")]


def compressing(folder: Path, port: int) -> tuple[str, list[str]]:
    """Let nginx compress by itself, which makes weak ETags of strong ones."""
    return nginx(folder, port, "gzip on; gzip_proxied any; gzip_min_length 1; gzip_types application/json;\n")


def caddy(folder: Path, port: int) -> tuple[str, list[str]]:
    shown = example("caddyfile").replace("cards.example {", f"http://127.0.0.1:{port} {{")
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "settings")]
    return "{\n\tadmin off\n}\n" + shown, command


@pytest.mark.parametrize("proxy", [nginx, compressing, caddy])
def test_behind_a_proxy_everything_comes_through_but_what_is_for_operators(
    tmp_path: Path, proxy: Callable[[Path, int], tuple[str, list[str]]]
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as found:
        port = found.getsockname()[1]
    settings, command = proxy(tmp_path, port)
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not here")
    home = {name: str(tmp_path) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
    with Service(tmp_path / "ledger.db", workers=1, proxies=1) as service:
        (tmp_path / "settings").write_text(settings.replace("127.0.0.1:8000", f"127.0.0.1:{service.port}"))
        with running(command, tmp_path / "said", home) as started:
            eventually(lambda: started.poll() is not None or status(port, "/readyz") == 200)
            everything_comes_through(Client(port, 60))


def everything_comes_through(client: Client) -> None:
    client.opens("shippin")
    headers = {"Authorization": f"Bearer {client.token}", "Accept-Encoding": "gzip"}
    listener = HTTPConnection("127.0.0.1", client.port, timeout=60)
    listener.request("GET", f"{client.address}/stream", headers=headers)
    with closing(listener), listener.getresponse() as stream:
        for seq in (1, 2):
            client._connection.request("GET", client.address, headers=headers)
            (looked := client._connection.getresponse()).read()
            taken = client.tries(MOVED, If_Match=looked.headers["ETag"], X_Request_ID="from-outside")
            assert taken.status == 201
            given = {name.lower(): value for name, value in taken.headers.items()}["x-request-id"]
            assert re.fullmatch("[0-9a-f-]{32,36}", given)
            assert next(line for line in stream if line.startswith(b"id:")) == b"id: %d\n" % seq
    refused = client.asks("POST", f"{client.address}/events", "x" * 5_000_000)
    assert (refused.status, refused.body["code"]) == (413, "request_entity_too_large")
    client.hangs_up()
    for inside in ("/metrics", "/metrics/", "//metrics", "/%6detrics", "/x/../metrics"):
        assert status(client.port, inside) == 404, inside


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here")
@pytest.mark.parametrize("check", ["verify", "security --offline=true --threshold=20"])  # of 100
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path, check: str) -> None:
    (program := tmp_path / ".venv" / "bin" / "gunicorn").parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    (unit := tmp_path / "fuda-ledger.service").write_text(example("ini").replace(HOME, str(tmp_path)))
    done = subprocess.run(["systemd-analyze", *check.split(), unit], check=False, capture_output=True, text=True)  # noqa: S607
    assert (done.returncode, done.stderr) == (0, "")


def test_the_service_is_started_reloaded_and_stopped_as_the_unit_says(tmp_path: Path) -> None:
    unit = re.findall(r"^(\w+)=(.*)$", example("ini"), re.MULTILINE)
    once = dict(unit)
    told = dict(value.split("=", 1) for name, value in unit if name == "Environment")
    told |= {"LEDGER_BIND": "127.0.0.1:0", "LEDGER_DATABASE": str(tmp_path / "ledger.db")}
    told["NOTIFY_SOCKET"] = place = str(tmp_path / "notify")
    command = [sys.executable, "-m", *shlex.split(once["ExecStart"].removeprefix(f"{HOME}/.venv/bin/"))]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(place)
        systemd.settimeout(60)
        with running(command, tmp_path / "said", told) as service:
            assert b"READY=1" in systemd.recv(4096)
            port_of(tmp_path / "said")
            subprocess.run(shlex.split(once["ExecReload"].replace("$MAINPID", str(service.pid))), check=True)
            port_of(tmp_path / "said")
            service.terminate()
            assert service.wait(int(once["TimeoutStopSec"])) == 0


def test_what_the_image_is_made_of_is_all_that_the_service_needs(tmp_path: Path) -> None:
    """No container engine is needed: what is copied is copied, and what is run is run, somewhere else."""
    lines = [line.partition(" ") for line in example("dockerfile").replace("\\\n", " ").splitlines()]
    made = {instruction: given for instruction, _, given in lines}
    for sources, _, to in (given.rpartition(" ") for instruction, _, given in lines if instruction == "COPY"):
        for source in sources.split():
            (shutil.copytree if (ROOT / source).is_dir() else shutil.copy)(ROOT / source, tmp_path / to)
    told = dict(word.split("=", 1) for word in made["ENV"].split())
    assert told["LEDGER_DATABASE"].startswith(f"{made['VOLUME']}/")
    assert made["USER"] == "ledger"
    told |= {"LEDGER_BIND": "127.0.0.1:0", "LEDGER_DATABASE": str(tmp_path / "ledger.db")}
    told |= {"PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1"}
    with running([sys.executable, "-m", *json.loads(made["CMD"])], tmp_path / "said", told, tmp_path):
        port = port_of(tmp_path / "said")
        _, *health = json.loads(made["HEALTHCHECK"].partition("CMD ")[2].replace(":8000", f":{port}"))
        assert subprocess.run([sys.executable, *health], check=False).returncode == 0
