"""The application: what it has, in a list."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Flask

from ledger.api.bodies import read_json_by_orjson
from ledger.api.cors import open_to
from ledger.api.errors import register_problems
from ledger.api.garbled import register_unread
from ledger.api.openapi import describe
from ledger.config import Config
from ledger.desk import Desk
from ledger.live import Live
from ledger.store import open_store


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make the service. `config` takes the same names as the environment: `LEDGER_DATABASE` and so on."""
    settings = Config.read(config)
    store = open_store(settings.database, busy_seconds=settings.busy_seconds)
    store.prepare()
    app = Flask("ledger", static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = settings.body_bytes
    app.url_map.strict_slashes = False
    app.extensions["config"] = settings
    app.extensions["desk"] = desk = Desk(store, events_in_memory=settings.events_in_memory)
    app.extensions["live"] = Live(desk, settings.streams, settings.stream_seconds)
    read_json_by_orjson(app)
    register_problems(app)
    register_unread(app)
    open_to(app, settings.origins)
    describe(app)
    return app
