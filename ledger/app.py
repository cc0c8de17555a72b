"""The application: what it has, in a list."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import TYPE_CHECKING

from flask import Flask, Response
from werkzeug.middleware.proxy_fix import ProxyFix

from ledger.api.cors import open_to
from ledger.api.errors import register_problems
from ledger.api.garbled import register_unread
from ledger.api.openapi import describe
from ledger.api.rates import Rates
from ledger.api.watching import watched
from ledger.config import Config, Switch
from ledger.desk import Desk
from ledger.live import Live
from ledger.pages import pages
from ledger.storage.address import open_store

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment


class Service(Flask):
    """Flask, but that it tells the truth of what may be asked of an address, and notes what is asked and answered."""

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request; a slash behind an address or behind another slash means nothing.

        Werkzeug would find such an address, too, but not know which other methods it has, or send on to an address at
        whatever `Host` was said.
        """
        path = environ["PATH_INFO"]
        if "//" in path:
            environ["PATH_INFO"] = path = re.sub("/+", "/", path)
        if path.endswith("/") and path != "/":
            environ["PATH_INFO"] = path[:-1]
        told = self.extensions["config"].log_requests is Switch.ON
        return super().wsgi_app(environ, watched(environ, start_response, told=told))

    def log_exception(self, exc_info: object) -> None:
        """Leave it to `errors.unforeseen`, which is asked next: Flask would note what the client chose as address."""

    def make_default_options_response(self) -> Response:
        """Say which methods an address has; an answer without a body is of no kind."""
        response: Response = super().make_default_options_response()
        del response.headers["Content-Type"]
        return response


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make the service. `config` takes the same names as the environment: `LEDGER_DATABASE` and so on."""
    settings = Config.read(config)
    store = open_store(settings.database, busy_seconds=settings.busy_seconds)
    store.engine.prepare()
    app = Service("ledger", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes
    app.extensions["config"] = settings
    app.extensions["desk"] = desk = Desk(store, memory_bytes=settings.memory_bytes)
    app.extensions["live"] = Live(desk, settings.streams, settings.stream_seconds)
    app.extensions["rates"] = Rates(settings)
    app.extensions["turns"] = defaultdict(Lock)
    if settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxies, x_proto=0)  # type: ignore[method-assign]
    register_problems(app)
    register_unread(app)
    open_to(app, settings.origins)
    describe(app)
    app.register_blueprint(pages)
    return app
