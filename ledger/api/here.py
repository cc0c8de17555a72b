"""What this application has: its desk and its settings."""

from __future__ import annotations

from flask import current_app

from ledger.config import Config
from ledger.desk import Desk


def desk() -> Desk:
    """Give this application's front desk."""
    found: Desk = current_app.extensions["desk"]
    return found


def config() -> Config:
    """Give this application's settings."""
    found: Config = current_app.extensions["config"]
    return found
