"""The objects of the current application: its desk, its streams, its settings, its locks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import current_app

from ledger.config import Config
from ledger.desk import Desk
from ledger.live import Live
from ledger.storage.errors import StoreBusy


def desk() -> Desk:
    """Give this application's desk."""
    found: Desk = current_app.extensions["desk"]
    return found


def config() -> Config:
    """Give this application's settings."""
    found: Config = current_app.extensions["config"]
    return found


def live() -> Live:
    """Give what this application streams."""
    found: Live = current_app.extensions["live"]
    return found


@contextmanager
def one_at_a_time(kind: str) -> Iterator[None]:
    """Wait for other requests of this kind in this process, `busy_seconds` at most. Raises StoreBusy."""
    lock = current_app.extensions["turns"][kind]
    if not lock.acquire(timeout=config().busy_seconds):
        raise StoreBusy
    try:
        yield
    finally:
        lock.release()
