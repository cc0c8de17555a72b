"""How gunicorn serves: `gunicorn -c python:ledger.server wsgi:app`.

Every name here is one of gunicorn's settings or hooks; what an operator may change comes from `LEDGER_…` variables.
"""

from __future__ import annotations

from gunicorn.arbiter import Arbiter as _Arbiter
from gunicorn.config import Config as _Gunicorn
from gunicorn.glogging import Logger as _Logger

from ledger.config import Config as _Config
from ledger.logs import write_lines as _write_lines
from ledger.worker import Worker as _Worker

_settings = _Config.read()


class _Log(_Logger):
    """What gunicorn has to say goes the way of everything else."""

    def setup(self, cfg: _Gunicorn) -> None:
        """Begin to write; this is the first thing that gunicorn does."""
        self.cfg = cfg
        self._access_log_enabled = False
        self.error_log.setLevel("NOTSET")
        self.error_log.propagate = True
        _write_lines(_settings.log, _settings.log_level)


logger_class = _Log
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
