"""Health checks and metrics."""

from __future__ import annotations

from flask import Response
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from ledger.api.http.blueprint import ApiBlueprint, Files
from ledger.api.http.current import session_service
from ledger.responses.service import Health
from ledger.serving.metrics import exposition
from ledger.storage.errors import StoreBusy, StoreUnavailable

health = ApiBlueprint("health", "For those who run it.")


@health.get("/livez")
def livez() -> Health:
    """Say that the process answers.

    For a supervisor that restarts what hangs: neither the database nor anything else is asked.
    """
    return Health()


@health.get("/readyz", raises=(StoreBusy, StoreUnavailable))
def readyz() -> Health:
    """Say whether the database answers and has the newest schema.

    For a load balancer: 503 until it does.
    """
    if not session_service().store.engine.is_ready():
        raise StoreBusy
    return Health()


@health.get("/metrics", Files(["text/plain"]))
def metrics() -> Response:
    """Show the metrics of all workers, for Prometheus.

    In the text format 0.0.4. Labels are routes, statuses and codes: nothing of any one session.
    """
    return Response(exposition(), content_type=CONTENT_TYPE_PLAIN_0_0_4)
