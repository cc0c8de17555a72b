"""The service as an operator runs it: gunicorn with its workers, on a port and a database of its own; and its clients.

with Service(tmp_path / "ledger.db", workers=2) as service, service.client() as client:
    client.opens()
    client.reports(event("chips_moved", **{"from": "bank", "to": "p1", "amount": 5}))
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, NamedTuple, Self

from tests.databases import kept_at
from tests.scorekeeper import SEATS, Json

ROOT = Path(__file__).parent.parent
SECONDS_KEPT_OPEN = 3_600
"""How long the service leaves an idle connection open: no client is ever hung up on while it thinks."""


class Service:
    """A running service. `settings` are its `LEDGER_…` variables, without the prefix and in small letters.

    `command` starts it in another way than usual. `address` is where its database is, if that is not what the path
    stands for; what the service says is then still in a file beside the path.
    """

    def __init__(
        self,
        database: Path,
        *,
        workers: int = 2,
        app: str = "wsgi:app",
        environment: Mapping[str, str] = MappingProxyType({}),
        command: Sequence[str] = (),
        address: str = "",
        **settings: object,
    ) -> None:
        self.database = address or kept_at(database)
        keep_alive = ["--keep-alive", str(SECONDS_KEPT_OPEN)]
        usual = [sys.executable, "-m", "gunicorn", "-c", "python:ledger.serving.gunicorn_config", *keep_alive, app]
        self._command = command or usual
        self._environment = environment
        self._settings = {"database": self.database, "workers": workers, "rate_limit": "off", **settings}
        self._said = database.with_suffix(".stderr")
        self._said_before = 0
        self._process: subprocess.Popen[bytes] | None = None

    def launch(self) -> subprocess.Popen[bytes]:
        """Start the service on a port that is free, and do not wait for it."""
        variables = {f"LEDGER_{name.upper()}": str(value) for name, value in self._settings.items()}
        with self._said.open("ab") as said:
            self._said_before = said.tell()
            self._process = subprocess.Popen(
                self._command,
                cwd=ROOT,
                env={**os.environ, **self._environment, **variables, "LEDGER_BIND": "127.0.0.1:0"},
                stderr=said,
                start_new_session=True,
            )
        return self._process

    def start(self) -> None:
        """Start the service and wait until it is ready."""
        process = self.launch()
        try:
            while not self.is_ready():
                assert process.poll() is None, f"the service did not start:\n{self.said}"
                time.sleep(0.02)
        except BaseException:
            self.kill()
            raise

    def is_ready(self) -> bool:
        """Say whether it answers, and finds all that it needs."""
        try:
            with self.client() as client:
                return client.asks("GET", "/readyz").status == 200
        except (NotListening, OSError):
            return False

    @property
    def port(self) -> int:
        """The port that the service was given by the system when it started. Raises NotListening."""
        said = self._said.read_bytes()[self._said_before :]
        if (told := re.search(rb"Listening at: http://127\.0\.0\.1:(\d+) ", said)) is None:
            raise NotListening
        return int(told[1])

    @property
    def said(self) -> str:
        """What the service wrote to its standard error."""
        return self._said.read_text("utf-8", "replace")

    @property
    def workers(self) -> list[int]:
        """The process ids of the workers that are alive."""
        return [pid for pid in map(int, re.findall(r"Booting worker with pid: (\d+)", self.said)) if is_alive(pid)]

    @property
    def processes(self) -> list[int]:
        """The process ids of the workers, and of who started them."""
        return [*self.workers, *([self._process.pid] if self._process else [])]

    def stop(self, within: float | None = None) -> None:
        """Ask the service to stop, and wait until it has, for so many seconds. Raises TimeoutExpired."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(within)
            self._process = None

    def kill(self) -> None:
        """Kill the service and all its workers at once, as a power cut would."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    @contextmanager
    def client(self) -> Iterator[Client]:
        """Connect to the service."""
        client = Client(self.port)
        try:
            yield client
        finally:
            client.hangs_up()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.stop()
        finally:
            self.kill()


class NotListening(Exception):
    """The service has not said yet where it listens."""


class Answered(NamedTuple):
    """What a client was answered."""

    status: int
    headers: Mapping[str, str]
    body: Any


class Client:
    """A scorekeeper on a connection of their own; `session_id` and `token` say whom they speak for."""

    def __init__(self, port: int, timeout: float | None = None) -> None:
        self.session_id = ""
        self.token = ""
        self.port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def asks(self, method: str, address: str, body: object = None, **headers: str) -> Answered:
        """Send one request. Header names are given with underscores. Raises OSError."""
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            sent["Content-Type"] = "application/json"
        try:
            self._connection.request(method, address, None if body is None else json.dumps(body), sent)
            answer = self._connection.getresponse()
            text = answer.read()
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error
        return Answered(answer.status, dict(answer.headers), json.loads(text) if text else None)

    @property
    def address(self) -> str:
        return f"/v1/sessions/{self.session_id}"

    def opens(self, game: str = "shirinma") -> None:
        """Open a session, and speak for its owner from now on."""
        players = [f"Player {number}" for number in range(1, SEATS[game] + 1)]
        opened = self.asks("POST", "/v1/sessions", {"game": game, "players": players})
        assert opened.status == 201, opened
        self.session_id, self.token = opened.body["session"]["id"], opened.body["link"]["token"]

    def speaks_for(self, other: Client) -> None:
        """Speak for another client's session, with their token."""
        self.session_id, self.token = other.session_id, other.token

    def tries(self, *events: Json, query: str = "", **headers: str) -> Answered:
        """Report events in one request, whatever becomes of it."""
        return self.asks("POST", f"{self.address}/events{query}", {"events": events}, **headers)

    def looks(self, where: str = "") -> Any:
        """Read something of the session."""
        answer = self.asks("GET", self.address + where)
        assert answer.status == 200, answer
        return answer.body

    def hangs_up(self) -> None:
        """Close the connection."""
        self._connection.close()


def is_alive(pid: int) -> bool:
    """Say whether there is such a process, and it has not ended; one that nobody has asked about yet has."""
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False
    except FileNotFoundError:
        return not Path("/proc/self").exists()  # only Linux tells more
