"""What this application has: its desk, its streams and its settings."""

from __future__ import annotations

from flask import current_app

from ledger.config import Config
from ledger.desk import Desk
from ledger.live import Live


def desk() -> Desk:
    """Give this application's front desk."""
    found: Desk = current_app.extensions["desk"]
    return found


def config() -> Config:
    """Give this application's settings."""
    found: Config = current_app.extensions["config"]
    return found


def live() -> Live:
    """Give what this application streams."""
    found: Live = current_app.extensions["live"]
    return found
