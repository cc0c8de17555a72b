"""The worker that gunicorn runs: one process, in which each connection is a greenlet.

Who sends or reads slowly, or says nothing at all, holds a greenlet and nothing else: whoever waits for the network, for
a turn to write or for somebody else's commit lets the others go on. Computing does not wait; so a request makes room
for others when it is answered, and one that takes long does so in between (`ledger.cooperation`).

From time to time Python looks through all that a process holds for cycles of objects, and lets everyone wait: a tenth
of a second with a few long sessions in memory, in which there are none. So a worker does it when nobody asks for
anything.

Who sends more than is taken is heard out, up to a bound: a connection that is closed while the other side still speaks
takes the answer away from it.

Workers listen at the same door, and whoever is quickest would take most connections. So one that has more of them than
another lets a moment pass before it takes the next.
"""

from __future__ import annotations

import ctypes
import gc
import mmap
import os
import socket
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from math import inf
from typing import Any, NoReturn

import gevent
from gevent.event import Event
from gevent.pool import Pool
from gevent.socket import wait_read  # type: ignore[attr-defined]  # it is put there when it runs
from gunicorn.arbiter import Arbiter
from gunicorn.http.errors import InvalidHeader, ParseException
from gunicorn.util import http_date
from gunicorn.workers.ggevent import GeventWorker

from ledger.connections import Connections
from ledger.garbage import gc_is_paused
from ledger.logs import REQUEST_ID, request_id, unhandled
from ledger.meters import CONNECTIONS, count_in_row, leave_row
from ledger.rates import Counters
from ledger.starting import sentence_of
from ledger.storage.errors import StoreError

MOMENT = 0.002
"""How long a worker that has more connections than another waits before it takes the next, in seconds."""

LOOK_FOR_PLACES = 0.5
"""How often a worker whose places are all taken looks which connections are silent or slow, in seconds."""

LINGER_SECONDS = 1.0
"""How long a worker that stops waits for a request that may be under way on an idle connection."""

FIRST_TIDYING, TIDYING = 60.0, 3600.0
"""How long after its start a worker tidies the database, a minute behind the one before it; then once an hour."""

TIDYING_PAUSE = 0.5
"""How long a worker lets requests alone between two sessions that it deletes."""

STALLED_SECONDS = 300.0
"""How long a request that is being sent may stand still, and how long sending a piece of an answer may take."""

MOST_DISCARDED = 64 * 1024 * 1024
"""How many bytes of a body that nobody reads are heard out, so that who sends them gets the answer."""

PIECE = 256 * 1024
"""How many of them at a time."""

LEAVE_SECONDS = 2.0
"""How long a connection that is closed by us is listened to, for the other side to take the answer and close it."""

RESET = struct.pack("ii", 1, 0)
"""What closes a connection so that the other side is told it was broken off, whatever has been sent."""

GIVEN_ONCE = ("AUTHORIZATION", "IDEMPOTENCY-KEY", "LAST-EVENT-ID", "ORIGIN")
"""Headers that are no lists, besides those that gunicorn looks after; the application would see two of them as one."""

YOUNG, MIDDLE, RARELY = 5_000, 10, 1_000
"""After how many new objects those are looked through; after how many such looks those that were there before, too; and
after how many of these everything, even if there is no time for it."""

MUCH = 250_000
"""How many blocks of memory more than when it last looked through everything, some 20 MB, have a worker do so again,
even if there is no time for it: what `gc_paused` has frozen along, the looks above do not find."""

MOST_WORKERS = 256

NOBODY, STARTING = -1, -2

RETRY_SECONDS = 5.0
"""How long a worker that cannot start waits before it ends, and gunicorn starts another in its place."""

connections = memoryview(mmap.mmap(-1, MOST_WORKERS * 4)).cast("i")
"""How many connections each worker has, by its place, or that nobody is there, or one that does not serve yet; all
processes see the same."""
for _place in range(MOST_WORKERS):
    connections[_place] = NOBODY


counters = Counters()
"""How often addresses have asked; all workers count together."""


class Worker(GeventWorker):
    """One process of the service."""

    place = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.idle: dict[gevent.Greenlet, gevent.Timeout] = {}
        self.clients = Connections()
        self.is_to_stop = Event()
        self.has_lingered = False
        self.tidied = 0
        self.blocks = sys.getallocatedblocks()

    def takes_a_place(self) -> None:
        """Find a place where nobody is."""
        self.place = connections.tolist().index(NOBODY)
        connections[self.place] = STARTING

    def leaves_its_place(self) -> None:
        """Make room for the next worker."""
        connections[self.place] = NOBODY
        leave_row(self.place)

    @property
    def has_most(self) -> bool:
        """Whether another worker has fewer connections."""
        return any(NOBODY < count < connections[self.place] for count in connections.tolist())

    def init_process(self) -> None:
        """Begin in a process of its own."""
        count_in_row(self.place)
        super().init_process()

    def load_wsgi(self) -> None:
        """Make the application. What it is made of is looked through for cycles only when there is time for it."""
        try:
            super().load_wsgi()
        except StoreError as error:
            self.log.critical("%s", sentence_of(error))
            self.fail_to_start()
        except Exception as error:
            if not self.others_serve:
                raise
            unhandled(error)
            self.fail_to_start()
        if rates := getattr(self.wsgi, "extensions", {}).get("rates"):
            rates.counters = counters
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG, MIDDLE, RARELY)
        self.blocks = sys.getallocatedblocks()
        connections[self.place] = 0

    @property
    def others_serve(self) -> bool:
        """Whether any worker takes connections."""
        return any(count > NOBODY for count in connections.tolist())

    def fail_to_start(self) -> NoReturn:
        """End without having served: the service goes on while other workers serve, and ends at once if none does.

        gunicorn ends with a worker that exits with WORKER_BOOT_ERROR, and replaces any other at once: so this one first
        waits a while.
        """
        if not self.others_serve:
            sys.exit(Arbiter.WORKER_BOOT_ERROR)
        self.log.error("This worker could not start; another is started in its place in %d seconds", RETRY_SECONDS)
        until = time.monotonic() + RETRY_SECONDS
        while self.alive and self.ppid == os.getppid() and time.monotonic() < until:
            self.notify()
            time.sleep(0.1)
        sys.exit(1)

    def tidy_up(self, answered: int) -> int:
        """Look for cycles of objects, if something was answered since that was last done, but nothing just now.

        Where something always is, that is done once there is much more than there was. While a long session is being
        folded, it is not done.
        """
        if gc_is_paused():
            return self.nr
        if self.nr == answered != self.tidied or sys.getallocatedblocks() > self.blocks + MUCH:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            give_back()
            self.tidied, self.blocks = self.nr, sys.getallocatedblocks()
        return self.nr

    def run(self) -> None:
        """Serve until it is time to stop; then answer what has been asked."""
        gevent.get_hub().print_exception = lambda _where, _kind, error, _trace: unhandled(error)
        greenlets = Pool(self.worker_connections)
        if config := getattr(self.wsgi, "extensions", {}).get("config"):
            self.clients = Connections(config.connections_per_address or inf)
        doors = [gevent.spawn(self.let_in, listener, greenlets) for listener in self.sockets]
        doors.append(gevent.spawn(self.keep_tidy))
        answered = 0
        while self.alive:
            self.notify()
            self.is_to_stop.wait(1.0)
            answered = self.tidy_up(answered)
        if live := getattr(self.wsgi, "extensions", {}).get("live"):
            live.end()
        gevent.killall(doors)
        for listener in self.sockets:
            listener.close()
        if not greenlets.join(LINGER_SECONDS):
            self.has_lingered = True
            for greenlet, patience in list(self.idle.items()):
                greenlet.kill(patience, block=False)
            greenlets.join(self.cfg.graceful_timeout - LINGER_SECONDS)
        greenlets.kill(timeout=1)

    def keep_tidy(self) -> None:
        """From time to time delete sessions that nobody needs any more; another application has no desk for that."""
        extensions = getattr(self.wsgi, "extensions", {})
        if "desk" not in extensions:
            return
        desk, keep_days = extensions["desk"], extensions["config"].keep_days
        gevent.sleep(FIRST_TIDYING * (self.place + 1))
        while True:
            deleted = 0
            try:
                for _session in desk.tidy(keep_days):
                    deleted += 1
                    gevent.sleep(TIDYING_PAUSE)
            except Exception:
                self.log.exception("Tidying the database was broken off; it is tried again in an hour")
            if deleted:
                self.log.info("Sessions deleted for good, unused for long: %s", deleted)
            gevent.sleep(TIDYING)

    def let_in(self, listener: socket.socket, greenlets: Pool) -> None:
        """Take connections, one at a time."""
        listener.settimeout(0)
        while True:
            while greenlets.full():
                self.clients.shut_slow()
                greenlets.wait_available(LOOK_FOR_PLACES)
            wait_read(listener.fileno())
            if self.has_most:
                gevent.sleep(MOMENT)
            try:
                client, address = listener.accept()
            except BlockingIOError:
                continue
            except OSError as error:  # no more files can be open, or whoever called has hung up
                self.log.warning("A connection could not be taken: %s", error)
                gevent.sleep(50 * MOMENT)
                continue
            greenlets.spawn(self.handle, listener, self.clients.add(client), address)

    def handle(self, listener: socket.socket, client: socket.socket, addr: Any) -> None:
        """Serve a connection as long as it is kept."""
        connections[self.place] += 1
        CONNECTIONS.put(connections[self.place])
        try:
            with self.clients.place_of(addr) as is_free:
                if is_free:
                    super().handle(listener, client, addr)
                else:
                    self.refuse(client)
        finally:
            connections[self.place] -= 1
            CONNECTIONS.put(connections[self.place])

    @contextmanager
    def timeout_ctx(self) -> Iterator[None]:
        """Wait for a request on an idle connection as long as a worker does."""
        me = gevent.getcurrent()
        with gevent.Timeout(self.cfg.keepalive, exception=False) as self.idle[me]:
            try:
                yield
            finally:
                del self.idle[me]

    def handle_request(self, listener_name: Any, req: Any, sock: socket.socket, addr: Any) -> None:
        """Answer a request, hear it out, and let others go first before the next.

        Who is answered while the worker stops is told that the connection closes; who was answered just before may ask
        once more, to be told so. Else their next request would meet a closed door.
        """
        sock.settimeout(STALLED_SECONDS)
        only_once(req)
        is_last = False
        try:
            super().handle_request(listener_name, req, sock, addr)
        except StopIteration:
            is_last = True
        except ConnectionResetError:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            raise
        if not is_heard_out(req):
            take_leave(sock)
            is_last = True
        REQUEST_ID.set("")
        gevent.sleep(1e-6)
        if is_last or self.has_lingered:
            raise StopIteration

    def handle_error(self, req: Any, client: socket.socket, _addr: Any, exc: BaseException) -> None:
        """Say that a request cannot be read, or that this failed. Who sent what is nobody's business but theirs."""
        if not isinstance(exc, Exception):
            return  # it is time to stop
        # Flask and all that it needs is there by now; gevent has to change some of it before it is imported.
        from ledger.api.garbled import unread_problem  # noqa: PLC0415

        said = ",".join(value for name, value in getattr(req, "headers", ()) if name == "X-REQUEST-ID")
        REQUEST_ID.set(REQUEST_ID.get() or request_id(said))
        config = getattr(self.wsgi, "extensions", {}).get("config")
        problem = unread_problem(exc, req, config.origins if config else ())
        if problem.status_code == HTTPStatus.INTERNAL_SERVER_ERROR:
            self.log.error("A request could not be answered", exc_info=exc)
        else:
            self.log.warning("A request could not be read: %s", HTTPStatus(problem.status_code).phrase)
        with suppress(OSError):
            self.tell(client, problem)
            take_leave(client)

    def refuse(self, client: socket.socket) -> None:
        """Say to a client with too many connections that it has them, and close this one."""
        from ledger.api.garbled import TooManyConnections, unread_problem  # noqa: PLC0415 - as above

        REQUEST_ID.set(request_id(""))
        with client, suppress(OSError):
            self.tell(client, unread_problem(TooManyConnections()))

    def tell(self, client: socket.socket, problem: Any) -> None:
        """Send a problem as the last answer on a connection. Raises OSError."""
        lines = [f"HTTP/1.1 {problem.status}", f"Date: {http_date()}", "Connection: close"]
        lines.append(f"X-Request-ID: {REQUEST_ID.get()}")
        lines += [f"{name}: {value}" for name, value in problem.headers.items()]
        client.settimeout(LEAVE_SECONDS)
        client.sendall("\r\n".join([*lines, "", ""]).encode("latin-1") + problem.get_data())

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begin to stop."""
        super().handle_exit(sig, frame)
        self.is_to_stop.set()


def give_back() -> None:
    """Give memory back to the system that the C library keeps for later: else a few large requests make a worker large
    for good. Only GNU's library can be asked to.
    """
    if trim := getattr(ctypes.CDLL(None), "malloc_trim", None):
        trim(0)


def only_once(req: Any) -> None:
    """Refuse a request in which a header is given twice that cannot be. Raises InvalidHeader."""
    names = [name for name, _ in req.headers]
    if len(set(names)) < len(names):
        for name in GIVEN_ONCE:
            if names.count(name) > 1:
                raise InvalidHeader(name, req=req)


def is_heard_out(req: Any) -> bool:
    """Read what is left of a request's body, and keep nothing of it; False if there is too much, or if it is broken.

    Nearly always there is nothing left, which gunicorn's readers know; a time limit for that would take ten times as
    long as looking.
    """
    reader = req.body.reader
    if not req.body.buf.tell() and (getattr(reader, "length", None) == 0 or getattr(reader, "parser", reader) is None):
        return True
    left = MOST_DISCARDED
    with suppress(OSError, ParseException), gevent.Timeout(STALLED_SECONDS, exception=False):
        while not req.body.failed and left > 0:
            piece = req.body.read(PIECE)
            if not piece:
                return True
            left -= len(piece)
            gevent.sleep(1e-6)
    return False


def take_leave(client: socket.socket) -> None:
    """Say no more on a connection, and listen until the other side has closed it, too, for a moment at most."""
    with suppress(OSError), gevent.Timeout(LEAVE_SECONDS, exception=False):
        client.shutdown(socket.SHUT_WR)
        while client.recv(PIECE):
            gevent.sleep(1e-6)
