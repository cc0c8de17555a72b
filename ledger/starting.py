"""What would keep the service from working, said before it starts: in one sentence, with what to do.

A setting that cannot be is refused when it is read (`config`). Here are the other two: a database that cannot be used,
and an address that nobody can listen at.
"""

from __future__ import annotations

import errno
import socket
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

from ledger.config import Config
from ledger.sentences import docline
from ledger.storage.address import prepare_for_fork
from ledger.storage.errors import StoreError

WRONG_SETTING = 2
"""The exit code for a setting that cannot be; it is 1 for everything else that keeps the service from starting."""

OTHERWISE = "set LEDGER_BIND to an address of this machine that is free"

PATIENCE_SECONDS = 5.0
"""How long an address may still be in use: by a service that is about to end."""


class NowhereToListen(Exception):
    """Nobody can listen at an address."""


def trouble(settings: Config, binds: Iterable[tuple[str, int] | str | int]) -> str | None:
    """Say what keeps the service from starting, if anything does. The database is brought up to date.

    `binds` are the addresses that it will listen at: host and port, or the path of a socket; what the process was
    handed by another is a number, and needs no look.
    """
    try:
        prepare_for_fork(settings.database, settings.busy_seconds)
        for address in binds:
            if not isinstance(address, int):
                make_sure_of(address, PATIENCE_SECONDS)
    except (StoreError, NowhereToListen) as error:
        return sentence_of(error)
    return None


def sentence_of(error: StoreError | NowhereToListen) -> str:
    """Say what is wrong and what to do."""
    return str(error) or docline(type(error))


def make_sure_of(address: tuple[str, int] | str, patience: float = 0) -> None:
    """Try to listen at an address, and let go of it. Raises NowhereToListen."""
    shown = f"unix:{address}" if isinstance(address, str) else ":".join(map(str, address))
    until = time.monotonic() + patience
    while True:
        try:
            try_to_listen(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise NowhereToListen(
                    f"nobody can listen at {shown} ({error.strerror or error}): {OTHERWISE}"
                ) from error
            if time.monotonic() >= until:
                raise NowhereToListen(f"somebody listens at {shown} already: stop them, or {OTHERWISE}") from error
            time.sleep(0.1)
        else:
            return


def try_to_listen(address: tuple[str, int] | str) -> None:
    """Listen for a moment. Raises OSError."""
    if isinstance(address, str):
        try_to_listen_at_a_path(Path(address))
        return
    host, port = address
    with closing(socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()


def try_to_listen_at_a_path(path: Path) -> None:
    """Listen at the path of a socket. What somebody left there may go, but not what somebody listens at.

    Raises OSError.
    """
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        if not path.exists():
            listener.bind(str(path))
            path.unlink()
            return
        if not path.is_socket():
            raise FileExistsError(errno.EEXIST, "there is a file that is no socket")
        with suppress(ConnectionRefusedError):
            listener.connect(str(path))
            raise OSError(errno.EADDRINUSE, "somebody listens there")
