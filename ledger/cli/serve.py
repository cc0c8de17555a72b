"""Running the service."""

from __future__ import annotations

import os
import sys

import click
from gunicorn.app import wsgiapp

from ledger.cli.terminal import main
from ledger.config import Config


@main.command()
@click.option("--bind", help="Where to listen, as in 0.0.0.0:8000; otherwise LEDGER_BIND.")
def serve(bind: str | None) -> None:
    """Run the service.

    Example: fuda-ledger serve --bind 127.0.0.1:9000
    """
    if bind:
        os.environ["LEDGER_BIND"] = bind
    Config.read()  # an invalid setting is refused before the start
    # By its file, as gunicorn starts its successor (USR2), and not by its package, whose folder shadows `http`.
    gunicorn = [sys.executable, wsgiapp.__file__, "-c", "python:ledger.serving.gunicorn_config"]
    os.execv(sys.executable, [*gunicorn, "ledger.app:create_app()"])
