"""Running the service."""

from __future__ import annotations

import os
import sys

import click

from ledger.config import Config


@click.command()
@click.option("--bind", help="Where to listen, as in 0.0.0.0:8000; otherwise LEDGER_BIND.")
def serve(bind: str | None) -> None:
    """Run the service.

    Example: fuda-ledger serve --bind 127.0.0.1:9000
    """
    if bind:
        os.environ["LEDGER_BIND"] = bind
    Config.read()  # what it cannot have is said before it starts
    gunicorn = [sys.executable, "-m", "gunicorn", "-c", "python:ledger.server", "ledger.app:create_app()"]
    os.execv(sys.executable, gunicorn)
