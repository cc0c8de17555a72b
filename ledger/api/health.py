"""Whether the service lives and can work, for those who run it."""

from __future__ import annotations

from flask import Response

from ledger.answers.health import Health
from ledger.api.blueprint import ApiBlueprint, Files
from ledger.api.here import desk
from ledger.api.metrics import metrics_answer
from ledger.storage.errors import StoreBusy

health = ApiBlueprint("health", __name__, description="For those who run it.")


@health.get("/livez")
@health.answers(Health)
def livez() -> Health:
    """Say that the process answers.

    For a supervisor that restarts what hangs: neither the database nor anything else is asked.
    """
    return Health()


@health.get("/readyz")
@health.answers(Health, failures=(503,))
def readyz() -> Health:
    """Say whether the database answers and has the newest schema.

    For a load balancer: 503 until it does.
    """
    if not desk().store.engine.is_ready():
        raise StoreBusy
    return Health()


@health.get("/metrics")
@health.answers(Files(["text/plain"]))
def metrics() -> Response:
    """Show the metrics of all processes and of the database, for Prometheus.

    In the text format 0.0.4. Labels are games, types of events, routes and codes: nothing of any one session.
    """
    return metrics_answer()
