"""Whether the service lives and can work, for those who run it."""

from __future__ import annotations

from flask import Response

from ledger.answers.health import Health
from ledger.api.here import desk
from ledger.api.metrics import metrics_answer
from ledger.api.room import Files, Room
from ledger.store import StoreBusy, impatient

health = Room("health", __name__, description="For those who run it.")


@health.get("/livez")
@health.answers(Health)
def livez() -> Health:
    """Say that the process answers."""
    return Health()


@health.get("/readyz")
@health.answers(Health)
def readyz() -> Health:
    """Say whether the database answers and has the newest schema; if there are several, one that does is enough."""
    store = desk().store
    with impatient():
        if not store.is_ready():
            raise StoreBusy
        missing = tuple(store.figures().missing)
    return Health(missing=missing) if missing else Health()


@health.get("/metrics")
@health.answers(Files(["text/plain"]))
def metrics() -> Response:
    """Tell Prometheus what all processes have counted, and how the database stands; nothing of any one session."""
    return metrics_answer()
