"""Which browser tests of the page drive, and how it is started."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",  # a container's root has none
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

PATIENCE = float(os.environ.get("PAGE_PATIENCE", "30"))
"""How long anything may take on a machine that has other work, in seconds: only what never comes is a fault. Who writes
tests may have less."""


def launch(chromium: BrowserType) -> Browser:
    return chromium.launch(executable_path=CHROMIUM, args=FLAGS, timeout=PATIENCE * 1000)
