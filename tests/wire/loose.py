"""The service with addresses that raise uncaught exceptions; started by `test_requests.py`."""

import threading
import warnings
from collections.abc import Iterator

import gevent

from ledger.app import create_app

SECRET = "Aki-and-the-token\nforged"

app = create_app()


def fails(*_: object) -> Iterator[bytes]:
    raise ValueError(SECRET)


@app.get("/loose")
def loose() -> str:
    thread = threading.Thread(target=fails)
    thread.start()
    thread.join()
    gevent.joinall([gevent.spawn(fails)])  # type: ignore[no-untyped-call]
    type("Fails at its end", (), {"__del__": fails})()
    warnings.warn(SECRET, stacklevel=1)
    return "all of it was survived"


@app.get("/broken/<name>")
def broken(name: str) -> Iterator[bytes]:
    yield from fails(name)
