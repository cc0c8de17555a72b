"""The application factory: a list of the parts of the service."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Any

from flask import Flask, Response
from werkzeug.middleware.proxy_fix import ProxyFix

from ledger.api import BLUEPRINTS
from ledger.api.documents import serve_documents
from ledger.api.http.middleware import add_security_headers, allow_origins, compress_answers, watch_requests
from ledger.api.http.problems import problem_response
from ledger.api.http.rate_limits import Rates
from ledger.config import Config
from ledger.services.sessions import SessionService
from ledger.services.streams import Live
from ledger.storage.address import open_store
from ledger.web import pages


class Service(Flask):
    """Flask with exact answers about the methods of an address, and without requested addresses in its log."""

    def wsgi_app(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer a request; ignore a slash at the end of an address or after another slash.

        Werkzeug would match such an address, too, but not list its other methods, or redirect to the host in `Host`.
        """
        environ["PATH_INFO"] = re.sub("/+", "/", environ["PATH_INFO"]).rstrip("/") or "/"
        return super().wsgi_app(environ, start_response)

    def log_exception(self, exc_info: object) -> None:
        """Do nothing: `problem_response` logs it, and Flask would log the address that the client chose."""

    def make_default_options_response(self) -> Response:
        """List the methods of an address; an answer without a body has no `Content-Type`."""
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
    app.extensions["session_service"] = service = SessionService(store)
    app.extensions["live"] = Live(service, settings.streams)
    app.extensions["rates"] = Rates(settings)
    app.extensions["turns"] = defaultdict(Lock)
    if settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxies, x_proto=0)  # type: ignore[method-assign]
    watch_requests(app, is_logged=settings.log_requests == "on")
    compress_answers(app)
    app.after_request(add_security_headers)
    allow_origins(app, settings.origins.replace(",", " ").split())
    app.register_error_handler(Exception, problem_response)
    for blueprint in (*BLUEPRINTS, pages):
        app.register_blueprint(blueprint)
    serve_documents(app)
    return app
