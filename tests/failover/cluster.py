"""Three PostgreSQL nodes under Patroni, with etcd beside them, on this machine's loopback; and faults for them.

Each node's Patroni reaches etcd through a proxy of its own, which can stop passing anything on: then the node is cut
off from the others' agreement, with its clients still there. All of it lives in one temporary folder and runs as a user
who is not root; when the block ends, every process is killed and the folder removed. What they said is then in
`build/failover`.

    with Cluster() as cluster:
        cluster.comes_to_rest()
        leader = cluster.leader()
        leader.is_killed()
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.request import Request, urlopen

import psycopg

from tests.failover.loopback import Proxy, free_ports, is_taken
from tests.postgres import somebody
from tests.service import ROOT

NAMES = ("node1", "node2", "node3")
DATABASE = "ledger"

TTL, LOOP_WAIT, RETRY_TIMEOUT = 8, 1, 3
"""In seconds: how long a leader's lease lasts, how often Patroni looks, how long it tries. Patroni wants
`LOOP_WAIT + 2 * RETRY_TIMEOUT <= TTL`."""

PATIENCE = 90.0
"""How long a step may take on a busy machine before the drill gives up."""

BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), reverse=True)
PATH = os.pathsep.join([*map(str, BINARIES[:1]), "/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"])


def missing() -> str | None:
    """Say what is not installed of all that a cluster needs; None if it can be had."""
    if not BINARIES:
        return "there is no PostgreSQL of Debian's package postgresql"
    for program, package in (("patroni", "patroni"), ("etcd", "etcd-server")):
        if shutil.which(program, path=PATH) is None:
            return f"there is no {program}; Debian's package is called {package}"
    return None


class Process:
    """A program that runs as somebody who is not root, and writes what it has to say into a file."""

    def __init__(self, command: Sequence[str], folder: Path, name: str, **environment: str) -> None:
        self._environment = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": str(folder), **environment}
        self._command = [str(shutil.which(command[0], path=PATH)), *command[1:]]
        self._folder, self._said = folder, folder / f"{name}.log"
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        return self._running is not None

    def start(self) -> None:
        with self._said.open("ab") as said:
            self._running = subprocess.Popen(
                self._command,
                cwd=self._folder,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
                **somebody(),
            )

    def is_killed(self) -> None:
        if self._running is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._running.pid, signal.SIGKILL)
            self._running.wait()
            self._running = None


class Node:
    """One PostgreSQL and the Patroni that looks after it."""

    def __init__(self, name: str, folder: Path, ports: tuple[int, int], etcd: int) -> None:
        self.name = name
        self.port, self.watched = ports
        self.to_etcd = Proxy(etcd)
        self._data = folder / name
        described = folder / f"{name}.json"
        described.write_text(json.dumps(self._description()), "utf-8")
        self._patroni = Process(["patroni", str(described)], folder, name)

    def _description(self) -> Mapping[str, Any]:
        """Say what Patroni is to do: JSON is YAML."""
        replication = {"username": "replicator", "password": "replicator"}
        superuser = {"username": "postgres", "password": "postgres"}
        return {
            "scope": "drill",
            "name": self.name,
            "restapi": {"listen": f"127.0.0.1:{self.watched}", "connect_address": f"127.0.0.1:{self.watched}"},
            "etcd3": {"hosts": [f"127.0.0.1:{self.to_etcd.port}"], "use_proxies": True},
            "bootstrap": {"dcs": AGREED, "initdb": [{"encoding": "UTF8"}, {"locale": "C.UTF-8"}, "data-checksums"]},
            "postgresql": {
                "listen": f"127.0.0.1:{self.port}",
                "connect_address": f"127.0.0.1:{self.port}",
                "data_dir": str(self._data),
                "bin_dir": str(BINARIES[0]),
                "pgpass": f"{self._data}.pgpass",
                "authentication": {"replication": replication, "superuser": superuser, "rewind": superuser},
                "pg_hba": [f"host {who} all 127.0.0.1/32 trust" for who in ("all", "replication")],
                "basebackup": [{"checkpoint": "fast"}],
                "parameters": {"unix_socket_directories": "", "shared_buffers": "64MB"},
            },
            "watchdog": {"mode": "off"},
        }

    def starts(self) -> None:
        """Start Patroni, which starts PostgreSQL, if it does not run."""
        if not self._patroni.is_running:
            self._patroni.start()

    def is_killed(self) -> None:
        """Kill Patroni, PostgreSQL and all of its processes at once, as a power cut would."""
        self._patroni.is_killed()
        with suppress(FileNotFoundError, ProcessLookupError):
            postmaster = self._postmaster
            if f"-D {self._data}" not in command_of(postmaster):
                return  # it was killed before, and another has its number now
            os.kill(postmaster, signal.SIGSTOP)  # so that it makes no more children
            for pid in [*children_of(postmaster), postmaster]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            until(lambda: not is_taken(self.port), f"{self.name} lets go of its port")

    @property
    def _postmaster(self) -> int:
        return int(self._data.joinpath("postmaster.pid").read_text("ascii").split("\n", 1)[0])

    def url(self, database: str = DATABASE) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}?connect_timeout=3"

    def asked(self, question: str) -> Any:
        """Ask the node for one value; None if it does not answer."""
        with suppress(psycopg.OperationalError), psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            row = connection.execute(question.encode()).fetchone()
            return row[0] if row else None
        return None

    def tells_nobody(self) -> None:
        """Stop what brings its commits to the others: it is behind a line that has got stuck."""
        self._signals_senders(signal.SIGSTOP)

    def tells_all(self) -> None:
        """Have the others hear again of its commits."""
        self._signals_senders(signal.SIGCONT)

    def _signals_senders(self, number: signal.Signals) -> None:
        for pid in children_of(self._postmaster):
            if "walsender" in command_of(pid):
                os.kill(pid, number)


AGREED: Mapping[str, Any] = {
    "ttl": TTL,
    "loop_wait": LOOP_WAIT,
    "retry_timeout": RETRY_TIMEOUT,
    "synchronous_mode": True,
    "postgresql": {
        "use_pg_rewind": True,
        "parameters": {"max_connections": 100, "wal_log_hints": "on", "wal_keep_size": "256MB"},
    },
}
"""What holds for all nodes. With `synchronous_mode` a commit is answered once another node has it as well."""


class Cluster:
    """The nodes, and the etcd over which they agree who leads."""

    def __init__(self) -> None:
        self._running = ExitStack()
        self.nodes: list[Node] = []

    def __enter__(self) -> Self:
        with ExitStack() as undone:
            folder = Path(tempfile.mkdtemp(prefix="failover-"))
            undone.callback(shutil.rmtree, folder, ignore_errors=True)
            undone.callback(keep_what_was_said, folder)
            if as_whom := somebody():
                shutil.chown(folder, as_whom["user"], as_whom["group"])
            etcd_port, peers, *ports = free_ports(2 + 2 * len(NAMES))
            etcd = etcd_on(etcd_port, peers, folder)
            undone.callback(etcd.is_killed)
            etcd.start()
            until(lambda: is_decided(etcd_port), "etcd knows what it is")
            for name, postgres, watched in zip(NAMES, ports[::2], ports[1::2], strict=True):
                node = Node(name, folder, (postgres, watched), etcd_port)
                self.nodes.append(node)
                undone.callback(node.to_etcd.close)
                undone.callback(node.is_killed)
                node.starts()
            self.comes_to_rest()
            with psycopg.connect(self.leader().url("postgres"), autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {DATABASE}")
            self._running = undone.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()

    @property
    def url(self) -> str:
        """Where clients find whoever leads."""
        hosts = ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)
        return f"postgresql://postgres@{hosts}/{DATABASE}?target_session_attrs=read-write&connect_timeout=3"

    def leader(self, other_than: Node | None = None) -> Node:
        """Wait until one node takes writes, and give it."""
        found: list[Node] = []

        def is_there() -> bool:
            found[:] = [node for node in self.nodes if node is not other_than and node.asked(TAKES_WRITES)]
            return len(found) == 1

        until(is_there, "somebody leads")
        return found[0]

    def comes_to_rest(self, roles: Sequence[str] = ("leader", "replica", "sync_standby")) -> None:
        """Wait until one node leads, all others follow it, and all agree on the one that has every commit as well.

        A leader that is lost before they agree has no successor: nobody could be sure to have all that it acknowledged.
        """
        until(lambda: self.leader().asked(FOLLOWERS) == len(NAMES) - 1, "all nodes are there")
        until(lambda: self.roles() == list(roles), f"the nodes are {', '.join(roles)}")

    def agrees_on(self, **changes: object) -> None:
        """Change what holds for all nodes, while they run."""
        where = f"http://127.0.0.1:{self.leader().watched}/config"
        urlopen(Request(where, json.dumps(changes).encode(), method="PATCH")).close()

    def roles(self) -> list[str]:
        """Say what each node is, as they have agreed."""
        told = json.loads(urlopen(f"http://127.0.0.1:{self.leader().watched}/cluster").read())
        return sorted(member["role"] for member in told["members"])


TAKES_WRITES = "SELECT NOT pg_is_in_recovery()"
FOLLOWERS = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"


def etcd_on(port: int, peers: int, folder: Path) -> Process:
    """Give an etcd of one node."""
    client, peer = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peers}"
    listening = ["--listen-client-urls", client, "--advertise-client-urls", client]
    alone = ["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", f"etcd={peer}"]
    where = ["--name", "etcd", "--data-dir", str(folder / "etcd")]
    return Process(["etcd", *where, *listening, *alone], folder, "etcd.said", ETCD_LOG_LEVEL="warn")


def is_decided(etcd: int) -> bool:
    """Say whether an etcd has found out the version of its cluster: until then Patroni cannot read it, and ends."""
    with suppress(OSError), urlopen(f"http://127.0.0.1:{etcd}/version") as answer:
        return bool(json.load(answer)["etcdcluster"] != "not_decided")
    return False


def keep_what_was_said(folder: Path) -> None:
    """Put what the programs said where whoever looks for a fault finds it."""
    kept = ROOT / "build" / "failover" / os.environ.get("PYTEST_XDIST_WORKER", "alone")
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    for said in folder.glob("*.log"):
        shutil.copy(said, kept)


def until(holds: Callable[[], bool], what: str) -> None:
    """Wait for something to come about. Raises TimeoutError."""
    begun = time.monotonic()
    while not holds():
        if time.monotonic() - begun > PATIENCE:
            raise TimeoutError(f"it never came about that {what}")
        time.sleep(0.05)


def command_of(pid: int) -> str:
    """Give the command of a process; nothing if it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    return ""


def children_of(pid: int) -> list[int]:
    found = []
    for told in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(told.read_text("ascii", "replace").rpartition(")")[2].split()[1]) == pid:
                found.append(int(told.parent.name))
    return found
