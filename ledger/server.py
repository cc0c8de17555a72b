"""How gunicorn serves: `gunicorn -c python:ledger.server wsgi:app`.

Every name here is one of gunicorn's settings or hooks; what an operator may change comes from `LEDGER_…` variables.

What would keep the service from working is found before there are workers, which would fail one after the other: it is
said in one sentence, and the process ends with 2 if a setting is wrong, and with 1 if the database or the address is.
"""

from __future__ import annotations

import os as _os
import sys as _sys
from pathlib import Path as _Path

from gunicorn.arbiter import Arbiter as _Arbiter
from gunicorn.config import Config as _Gunicorn
from gunicorn.glogging import Logger as _Logger

from ledger import nearby as _nearby
from ledger import starting as _starting
from ledger.config import LONGEST_HEADER as _LONGEST_HEADER
from ledger.config import LONGEST_REQUEST_LINE as _LONGEST_REQUEST_LINE
from ledger.config import MOST_HEADERS as _MOST_HEADERS
from ledger.config import BadSetting as _BadSetting
from ledger.config import Config as _Config
from ledger.logs import write_lines as _write_lines
from ledger.worker import Worker as _Worker

try:
    _settings = _Config.read()
except _BadSetting as _error:
    print(f"Error: {_error}", file=_sys.stderr)  # noqa: T201 - gunicorn has no log yet
    _sys.exit(_starting.WRONG_SETTING)


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
limit_request_line = _LONGEST_REQUEST_LINE
limit_request_fields = _MOST_HEADERS
limit_request_field_size = _LONGEST_HEADER
forwarder_headers = ""  # by default a client nearby may say in a header where our addresses begin
control_socket_disable = True
timeout = 60
graceful_timeout = 10
keepalive = 5
accesslog = None
max_requests = 0


def on_starting(arbiter: _Arbiter) -> None:
    """Make sure that there will be something to serve, and somewhere to listen. Ends the process if there is not."""
    inherited = arbiter.master_pid != 0 or "LISTEN_FDS" in _os.environ
    if trouble := _starting.trouble(_settings, binds=[] if inherited else arbiter.cfg.address):
        _sys.exit(f"Error: {trouble}")


def when_ready(arbiter: _Arbiter) -> None:
    """Say where phones find the page, unless they have been told by the last release, or a proxy is in between."""
    if arbiter.master_pid == 0 and not _settings.proxies:
        _nearby.tell([listener.getsockname() for listener in arbiter.LISTENERS], _sys.stdout)


def pre_fork(_arbiter: _Arbiter, worker: _Worker) -> None:
    """Give a worker that is about to start a place beside the others."""
    worker.takes_a_place()


def post_worker_init(worker: _Worker) -> None:
    """Have the database open from now on, so that nobody can restore another over it, not even before a request."""
    desk = getattr(worker.wsgi, "extensions", {}).get("desk")
    if desk is not None:
        desk.store.engine.is_ready()


def child_exit(_arbiter: _Arbiter, worker: _Worker) -> None:
    """Clear the place of a worker that is gone."""
    worker.leaves_its_place()


def pre_exec(arbiter: _Arbiter) -> None:
    """Let the next release be started (USR2) as this one was: `python -m gunicorn` is not the same as its file.

    Run as a file, gunicorn would find modules of its own where it looks for those of Python. And sockets that systemd
    has opened are handed on like our own: they have other numbers by now than systemd's, which say where to look.
    """
    arbiter.systemd = False
    program, *arguments = arbiter.START_CTX["args"][1:]
    if _Path(program).name == "__main__.py":
        arbiter.START_CTX["args"] = [_sys.executable, "-m", "gunicorn", *arguments]
