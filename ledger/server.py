"""How gunicorn serves: `gunicorn -c python:ledger.server wsgi:app`.

Every name here is one of gunicorn's settings or hooks; what an operator may change comes from `LEDGER_…` variables.
"""

from __future__ import annotations

import sys as _sys
from pathlib import Path as _Path

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


def pre_exec(arbiter: _Arbiter) -> None:
    """Let the next release be started (USR2) as this one was: `python -m gunicorn` is not the same as its file.

    Run as a file, gunicorn would find modules of its own where it looks for those of Python.
    """
    program, *arguments = arbiter.START_CTX["args"][1:]
    if _Path(program).name == "__main__.py":
        arbiter.START_CTX["args"] = [_sys.executable, "-m", "gunicorn", *arguments]
