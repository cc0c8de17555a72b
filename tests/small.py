"""The service with a small session cache and streams of `STREAM_SECONDS`; started by `test_live.py` and the soak."""

import os

from ledger.services import session_cache

session_cache.MAX_CACHED_EVENTS = 2_000

from ledger.app import create_app  # noqa: E402
from ledger.services import streams as live  # noqa: E402 - what is imported with it takes that bound

live.STREAM_SECONDS = float(os.environ["STREAM_SECONDS"])
app = create_app()
