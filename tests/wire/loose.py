"""The service, but for an address at which things fail where nobody catches them; started by `test_log.py`."""

from __future__ import annotations

import threading
import warnings
from typing import NoReturn

import gevent

from ledger.app import create_app

SECRET = "Aki-and-the-token\nforged"

app = create_app()


def fails() -> NoReturn:
    raise ValueError(SECRET)


class FailsAtItsEnd:
    """Python tells of what fails in here, since nobody can catch it."""

    def __del__(self) -> None:
        fails()


@app.get("/loose")
def loose() -> str:
    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    gevent.joinall([gevent.spawn(fails)])  # type: ignore[no-untyped-call]
    FailsAtItsEnd()
    warnings.warn(SECRET, stacklevel=1)
    return "all of it was survived"
