"""How gunicorn serves: `gunicorn -c python:ledger.server wsgi:app`.

Every name here is one of gunicorn's settings; what an operator may change comes from `LEDGER_…` variables.
"""

from __future__ import annotations

from ledger.config import Config as _Config

_settings = _Config.read()

bind = _settings.bind
workers = _settings.workers
threads = _settings.threads
worker_class = "gthread"
control_socket_disable = True
timeout = 60
graceful_timeout = 10
keepalive = 5
accesslog = None
max_requests = 0
