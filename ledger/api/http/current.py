"""The current application's session service, settings and locks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from flask import current_app

from ledger.config import Config
from ledger.services.sessions import SessionService
from ledger.storage.errors import StoreBusy


def session_service() -> SessionService:
    return cast("SessionService", current_app.extensions["session_service"])


def config() -> Config:
    return cast("Config", current_app.extensions["config"])


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
