"""How gunicorn serves: `gunicorn -c python:ledger.server wsgi:app`.

Every name here is one of gunicorn's settings or hooks; what an operator may change comes from `LEDGER_…` variables.
"""

from __future__ import annotations

from gunicorn.arbiter import Arbiter as _Arbiter

from ledger.config import Config as _Config
from ledger.worker import Worker as _Worker

_settings = _Config.read()

bind = _settings.bind
workers = _settings.workers
worker_class = _Worker
worker_connections = _settings.connections
control_socket_disable = True
timeout = 60
graceful_timeout = 10
keepalive = 5
accesslog = None
max_requests = 0


def pre_fork(_arbiter: _Arbiter, worker: _Worker) -> None:
    """Give a worker that is about to start a place beside the others."""
    worker.takes_a_place()


def child_exit(_arbiter: _Arbiter, worker: _Worker) -> None:
    """Clear the place of a worker that is gone."""
    worker.leaves_its_place()
