"""How gunicorn serves: `gunicorn -c python:ledger.serving.gunicorn_config wsgi:app`.

gunicorn reads the names that are settings or hooks of its own. Its gevent worker has a greenlet for each connection.
Operators change `LEDGER_…` variables. An invalid setting ends the process with a sentence and exit code 2, an unusable
database with 1.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from contextlib import suppress
from typing import Any, NoReturn

from ledger.serving import metrics_files  # which says where, before prometheus_client is imported

# isort: split
import gevent
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.http.errors import ParseException
from prometheus_client.multiprocess import mark_process_dead
from structlog.contextvars import clear_contextvars

from ledger.config import MAX_HEADER, MAX_HEADERS, MAX_REQUEST_LINE, BadSetting, Config, unknown_settings
from ledger.i18n.sentences import docline
from ledger.serving import lan
from ledger.serving.logs import log_unhandled, logging_config, unhandled
from ledger.storage.address import prepare_for_fork
from ledger.storage.errors import StoreError

SOCKET_SECONDS = 60.0
"""How long receiving a piece of a body, or sending a piece of an answer, may take: 2 MB at 270 kbit/s."""

MAX_DISCARDED, DISCARD_SECONDS = 64 * 1024 * 1024, 300.0
"""How many bytes of an unread body are read and discarded, and for how long."""

RETRY_SECONDS = 5.0
"""How long a worker that cannot use the database waits before it exits and gunicorn starts another."""

TIDY_SECONDS, TIDY_PAUSE = 3600.0, 0.5
"""How often unused sessions are deleted; how long other requests have the database after each of them."""


def fail(code: int, sentence: object) -> NoReturn:
    print(f"Error: {sentence}", file=sys.stderr)  # noqa: T201 - gunicorn may have no log yet
    sys.exit(code)


try:
    settings = Config.read()
except BadSetting as error:
    fail(2, error)


class Log(Logger):
    """gunicorn's lines, without an access log and without text from clients."""

    def access(self, *_args: object) -> None:
        """Write nothing; with a logging configuration gunicorn would format each line first."""

    def warning(self, msg: str, *args: object, **kwargs: Any) -> None:
        """Leave out the address and the bytes of an invalid request."""
        super().warning(msg.partition(" from ip=")[0], *args, **kwargs)

    def exception(self, msg: object, *_args: object, **kwargs: Any) -> None:
        """Leave out the address that was asked for."""
        super().exception(str(msg).partition(" %s")[0], **kwargs)


logger_class = Log
logconfig_dict = logging_config(settings.log, settings.log_level)
bind = [address.strip() for address in settings.bind.split(",")]
workers = settings.workers
worker_class = "gevent"
worker_connections = 1000
limit_request_line = MAX_REQUEST_LINE
limit_request_fields = MAX_HEADERS
limit_request_field_size = MAX_HEADER
forwarder_headers = ""  # by default local clients may set SCRIPT_NAME by a header
control_socket_disable = True
timeout = 60
graceful_timeout = 4
keepalive = 5


def on_starting(arbiter: Any) -> None:
    """Migrate the database before there are workers."""
    for sentence in unknown_settings(os.environ):
        arbiter.log.warning(sentence)
    try:
        prepare_for_fork(settings.database, settings.busy_seconds)
    except StoreError as error:
        fail(1, str(error) or docline(type(error)))


def when_ready(arbiter: Arbiter) -> None:
    """Show where phones find the page, unless this is an upgrade (USR2), or a proxy is in between."""
    if arbiter.master_pid == 0 and not settings.proxies:
        lan.show([listener.getsockname() for listener in arbiter.LISTENERS], sys.stdout)


def post_fork(_arbiter: Arbiter, worker: Any) -> None:
    """Prepare metrics and database of a worker. One that cannot exits with 1: at a 3 gunicorn itself would stop."""
    try:
        metrics_files.allocate(os.getpid())
        if worker.age > settings.workers:  # else the database has just been migrated
            prepare_for_fork(settings.database, settings.busy_seconds)
    except (OSError, StoreError) as error:
        why = str(error) or docline(type(error))
        worker.log.error("This worker cannot start; another one will in %d seconds: %s", RETRY_SECONDS, why)  # noqa: TRY400
        time.sleep(RETRY_SECONDS)
        sys.exit(1)


def post_worker_init(worker: Any) -> None:
    """Start background greenlets; collect cyclic garbage less often, and never the application's own objects.

    Records are in no cycles, and a full collection stops a worker with long sessions for a tenth of a second: with
    Python's thresholds the p99 beside a long request is five times as long.
    """
    log_unhandled()
    gevent.get_hub().print_exception = lambda _where, _kind, error, _trace: unhandled(error)
    extensions = getattr(worker.wsgi, "extensions", {})
    if service := extensions.get("session_service"):
        service.store.engine.is_ready()  # opens the database: from now on no backup is restored over it
        gevent.spawn(tidy, worker, service)
        gevent.spawn(end_streams, worker, extensions["live"])
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 100)


def tidy(worker: Any, service: Any) -> None:
    gevent.sleep(random.uniform(60, 120))  # noqa: S311 - workers take turns
    while True:
        deleted = 0
        try:
            for _session in service.tidy(settings.keep_days):
                deleted += 1
                gevent.sleep(TIDY_PAUSE)
        except Exception:
            worker.log.exception("Tidying failed; it is tried again in an hour")
        if deleted:
            worker.log.info("Unused sessions deleted: %d", deleted)
        gevent.sleep(TIDY_SECONDS)


def end_streams(worker: Any, live: Any) -> None:
    """End all streams when the worker stops: it waits until all requests are answered."""
    while worker.alive:
        gevent.sleep(0.2)
    live.end()


def pre_request(_worker: Any, req: Any) -> None:
    """Bound how long a request waits for its client."""
    req.unreader.sock.settimeout(SOCKET_SECONDS)


def post_request(_worker: Any, req: Any, _environ: object, _resp: object) -> None:
    """Discard the rest of a body, so that its client reads the answer; then let other connections run.

    Closing a connection with unread bytes resets it, and the answer is lost; `gevent.sleep(0)` would not poll others.
    """
    left, until = MAX_DISCARDED, time.monotonic() + DISCARD_SECONDS
    with suppress(OSError, ParseException):
        while left > 0 and not req.body.failed and time.monotonic() < until and (piece := req.body.read(256 * 1024)):
            left -= len(piece)
            gevent.sleep(1e-6)
    clear_contextvars()
    gevent.sleep(1e-6)


def child_exit(_arbiter: Arbiter, worker: Any) -> None:
    """Remove the streams of a dead worker from the metrics."""
    mark_process_dead(worker.pid)
