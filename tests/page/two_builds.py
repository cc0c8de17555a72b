"""The service with the page as it stands at `PAGE_BUILD`, for gunicorn: `tests.page.two_builds:app`.

What is asked for is written down beside it.
"""

from __future__ import annotations

import os
from pathlib import Path

from flask import request

from ledger import web as pages
from ledger.app import create_app

pages.FOLDER = Path(os.environ["PAGE_BUILD"])
app = create_app()


@app.before_request
def note() -> None:
    with pages.FOLDER.with_suffix(".asked").open("a", encoding="utf-8") as asked:
        asked.write(f"{request.path}\n")
