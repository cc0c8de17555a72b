"""Prometheus metrics, of all workers together.

prometheus_client keeps the numbers of each process in a file below PROMETHEUS_MULTIPROC_DIR, which `gunicorn_config`
sets, and `/metrics` adds them up. Without that variable, as in tests, a process counts for itself. Label values are
routes, statuses and codes, nothing that a client chooses.
"""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

SECONDS = (0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0)

REQUEST_SECONDS = Histogram(
    "fuda_ledger_request_seconds",
    "Requests, and the seconds until their answer began; the status is 2xx, 3xx, 4xx or 5xx.",
    ("method", "route", "status"),
    buckets=SECONDS,
)
REFUSALS = Counter("fuda_ledger_refusals", "Problems answered, by code.", ("code",))
COMMIT_SECONDS = Histogram(
    "fuda_ledger_commit_seconds", "Commits, and the seconds until they were on the disk.", buckets=SECONDS
)
COMMIT_WRITES = Histogram("fuda_ledger_commit_writes", "Writes that shared a commit.", buckets=(1, 2, 4, 8, 16, 32))
CACHE_LOOKS = Counter(
    "fuda_ledger_cache_looks",
    "Sessions looked up in memory: up to date (hit), behind, or not there (miss).",
    ("result",),
)
STREAMS = Gauge("fuda_ledger_streams", "Open streams.", multiprocess_mode="livesum")
STREAMED_SESSIONS = Gauge(
    "fuda_ledger_streamed_sessions", "Sessions that are followed, counted once a worker.", multiprocess_mode="livesum"
)


def exposition() -> bytes:
    """Write all metrics in Prometheus' text format."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest()
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
