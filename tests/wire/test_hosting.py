"""The ways to host it that the documents show, each tried as it is written, as far as its program is here."""

from __future__ import annotations

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from http import HTTPStatus
from pathlib import Path

import pytest

from tests.scorekeeper import event
from tests.service import ROOT, Client, Service
from tests.waiting import eventually
from tests.wire.test_behind_nginx import PORTS_TRIED, SECONDS, free_port

pytestmark = pytest.mark.integration

HOSTING = ROOT / "docs" / "hosting.md"
HOME = "/opt/fuda-ledger"


def example(kind: str) -> str:
    """The one example of a kind that the document shows."""
    (shown,) = re.findall(rf"^```{kind}\n(.*?)^```$", HOSTING.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return str(shown)


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not here")


def status(port: int, path: str) -> int | None:
    """What an address answers with, or nothing if nobody listens."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)) as connection:
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except OSError:
            return None


@contextmanager
def running(command: list[str], **given: object) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in the foreground; it is stopped at the end, and killed if it does not."""
    with subprocess.Popen(command, start_new_session=True, **given) as process:  # type: ignore[call-overload]
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)


def comes_up(process: subprocess.Popen[bytes], port: int, path: str) -> bool:
    """Wait until an address is answered with 200; False if the program ends before."""
    eventually(lambda: process.poll() is not None or status(port, path) == HTTPStatus.OK, SECONDS)
    return process.poll() is None


def port_told(process: subprocess.Popen[bytes], said: Path) -> int:
    """The port that a service was given by the system, as its log tells, whatever form that has."""
    place = re.compile(r"Listening at: http://127\.0\.0\.1:(\d+) ")
    told = eventually(lambda: place.search(said.read_text("utf-8")) or process.poll() is not None, SECONDS)
    assert isinstance(told, re.Match), said.read_text("utf-8")
    return int(told[1])


# --- systemd ----------------------------------------------------------------------------------------------------------


def unit(folder: Path) -> Path:
    """Write the unit as the document shows it, with the service in another folder."""
    program = folder / ".venv" / "bin" / "gunicorn"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    file = folder / "fuda-ledger.service"
    file.write_text(example("ini").replace(HOME, str(folder)))
    return file


def settings(name: str) -> list[str]:
    """What the unit sets under a name."""
    return re.findall(rf"^{name}=(.*)$", example("ini"), re.MULTILINE)


@needs("systemd-analyze")
def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    command = ["systemd-analyze", "verify", str(unit(tmp_path))]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@needs("systemd-analyze")
def test_systemd_finds_the_unit_well_closed(tmp_path: Path) -> None:
    """Its own scale goes from 0 to 100; what is left is that it answers to the network."""
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit(tmp_path))]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-500:]


def test_systemd_starts_the_service_again_however_often_it_ended() -> None:
    """By its own defaults systemd gives up after five starts in ten seconds."""
    (pause,) = settings("RestartSec")
    assert int(pause) * 5 > 10


def test_the_service_tells_systemd_when_it_is_ready_and_is_reloaded_and_stopped_as_the_unit_says(
    tmp_path: Path,
) -> None:
    (start,), said = settings("ExecStart"), tmp_path / "said"
    assert start.startswith(f"{HOME}/.venv/bin/gunicorn ")
    command = [sys.executable, "-m", "gunicorn", *shlex.split(start)[1:]]
    told = dict(line.split("=", 1) for line in settings("Environment"))
    told |= {"LEDGER_BIND": "127.0.0.1:0", "LEDGER_DATABASE": str(tmp_path / "ledger.db")}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(SECONDS)
        environment = {**os.environ, **told, "NOTIFY_SOCKET": str(tmp_path / "notify")}
        with said.open("w") as log, running(command, cwd=ROOT, env=environment, stderr=log) as service:
            assert settings("Type") == ["notify"]
            assert b"READY=1" in systemd.recv(4096)
            port = port_told(service, said)
            assert comes_up(service, port, "/readyz")
            reload_it = settings("ExecReload")[0].replace("$MAINPID", str(service.pid))
            subprocess.run(shlex.split(reload_it), check=True)
            assert comes_up(service, port, "/readyz")
            service.terminate()
            assert service.wait(int(settings("TimeoutStopSec")[0])) == 0


# --- a container ------------------------------------------------------------------------------------------------------


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile, line by line: what is to be done, and with what."""
    lines = example("dockerfile").replace("\\\n", " ").splitlines()
    return [(line.partition(" ")[0], line.partition(" ")[2]) for line in lines]


def the_one(wanted: str) -> str:
    (found,) = (given for instruction, given in instructions() if instruction == wanted)
    return found


def words_of(command: str) -> list[str]:
    """A command in the form that is run without a shell, by this Python."""
    words: list[str] = json.loads(command)
    programs = {"python": [sys.executable], "gunicorn": [sys.executable, "-m", "gunicorn"]}
    return [*programs[words[0]], *words[1:]]


def test_what_the_image_is_made_of_is_all_that_the_service_needs(tmp_path: Path) -> None:
    """No container engine is needed for this: what is copied is copied, and what is run is run, somewhere else."""
    for instruction, given in instructions():
        if instruction == "COPY":
            *sources, to = given.split()
            for source in sources:
                if (ROOT / source).is_dir():
                    shutil.copytree(ROOT / source, tmp_path / to, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(ROOT / source, tmp_path / to)
    said = tmp_path / "said"
    told: Mapping[str, str] = dict(word.split("=", 1) for word in the_one("ENV").split())
    assert told["LEDGER_DATABASE"].startswith(f"{the_one('VOLUME')}/")
    assert told["LEDGER_BIND"] == f"0.0.0.0:{the_one('EXPOSE')}"
    here = {"LEDGER_BIND": "127.0.0.1:0", "LEDGER_DATABASE": str(tmp_path / "data" / "ledger.db")}
    environment = {**os.environ, **told, **here, "PYTHONPATH": str(tmp_path), "PYTHONSAFEPATH": "1"}
    command = words_of(the_one("CMD"))
    with said.open("w") as log, running(command, cwd=tmp_path, env=environment, stderr=log) as service:
        port = port_told(service, said)
        assert comes_up(service, port, "/readyz")
        look = the_one("HEALTHCHECK").partition("CMD ")[2]
        health = words_of(look.replace("127.0.0.1:8000", f"127.0.0.1:{port}"))
        assert subprocess.run(health, check=False).returncode == 0
        doctor = subprocess.run(
            [sys.executable, "-m", "ledger", "doctor"], cwd=tmp_path, env=environment, check=False, capture_output=True
        )
        assert doctor.returncode == 0, doctor.stdout
    assert subprocess.run(health, check=False, capture_output=True).returncode == 1


def test_the_image_runs_without_rights_and_takes_only_what_it_knows() -> None:
    order = [instruction for instruction, _ in instructions()]
    assert the_one("USER") == "ledger"
    assert order.index("USER") < order.index("CMD")
    assert "--require-hashes -r requirements.lock" in dict(instructions())["RUN"]


# --- Caddy ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def behind_caddy(tmp_path: Path) -> Iterator[Client]:
    """A client of the service behind Caddy, as the document has it, without a certificate."""
    file, is_up = tmp_path / "Caddyfile", False
    environment = {**os.environ, **dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(tmp_path))}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(file)]
    with Service(tmp_path / "ledger.db", workers=1) as service:
        for _ in range(PORTS_TRIED):
            port = free_port()
            shown = example("caddyfile").replace("cards.example {", f"http://127.0.0.1:{port} {{")
            file.write_text("{\n\tadmin off\n}\n" + shown.replace("127.0.0.1:8000", f"127.0.0.1:{service.port}"))
            with running(command, env=environment, stderr=subprocess.DEVNULL) as caddy:
                if comes_up(caddy, port, "/readyz"):
                    is_up = True
                    client = Client(port)
                    client.opens("shippin")
                    yield client
                    client.hangs_up()
                    break
    assert is_up


@needs("caddy")
def test_behind_caddy_everything_comes_through_but_what_is_for_operators(behind_caddy: Client) -> None:
    client, port = behind_caddy, behind_caddy._connection.port
    for inside in ("/metrics", "/metrics/", "//metrics", "/%6detrics", "/x/../metrics"):
        assert status(port, inside) == 404, inside
    listener = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    with closing(listener):
        listener.request("GET", f"{client.address}/stream", headers={"Authorization": f"Bearer {client.token}"})
        stream = listener.getresponse()
        for seq in (1, 2):
            moved = event("chips_moved", **{"from": "bank", "to": "p1", "amount": 1})
            taken = client.tries(moved, If_Match=f'"{seq - 1}"')
            assert taken.status == 201
            assert re.fullmatch(r"[0-9a-f-]{36}", taken.headers["X-Request-Id"])
            while not (line := stream.readline()).startswith(b"id:"):
                assert line
            assert line == f"id: {seq}\n".encode()
        stream.close()
    refused = client.asks("POST", f"{client.address}/events", "x" * 5_000_000)
    assert (refused.status, refused.body["code"]) == (413, "request_entity_too_large")


@needs("caddy")
def test_caddy_finds_nothing_wrong_with_its_settings(tmp_path: Path) -> None:
    (tmp_path / "Caddyfile").write_text(example("caddyfile"))
    places = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    command = ["caddy", "validate", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    done = subprocess.run(command, env={**os.environ, **places}, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
