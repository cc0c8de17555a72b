"""Whether the service lives and can work, for those who run it."""

from __future__ import annotations

from flask import Response

from ledger.api.door import Room, answered, desk
from ledger.store import StoreBusy
from schemas.sessions import HealthSchema

health = Room("health", __name__, description="For those who run it.")


@health.get("/livez")
@health.response(200, HealthSchema)
def livez() -> Response:
    """Say that the process answers."""
    return answered({"status": "ok"})


@health.get("/readyz")
@health.response(200, HealthSchema)
def readyz() -> Response:
    """Say whether the database answers and has the newest schema."""
    if not desk().store.is_ready():
        raise StoreBusy
    return answered({"status": "ok"})
