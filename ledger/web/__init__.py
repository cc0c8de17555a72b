"""The page at the table: a client of the API like any other, without rules of its own.

    /                      the page for browsers; for other clients, the addresses of the API
    /page/<file>           its scripts, styles, pictures and words
    /sw.js                 its service worker, which caches all these on a phone
    /manifest.webmanifest  its name and looks once it is installed

All are built beforehand (`ledger.web.build`). Files with a hash in their names never change. A page of an old build
gets a 404 for a file that it has not loaded yet, reloads itself, and loses nothing.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from flask import Blueprint, Response, request, send_from_directory

from ledger.api.http.middleware import POLICY, page_policy

pages = Blueprint("pages", __name__)

FOLDER = Path(__file__).parent / "static"
ADDRESSES = {"docs": "/docs", "openapi": "/openapi.json", "games": "/v1/games"}


@pages.get("/")
def show_page() -> Response:
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
        response = revalidated((FOLDER / "page.html").read_bytes(), "text/html; charset=utf-8")
        response.headers[POLICY] = page_policy(more="; manifest-src 'self'; worker-src 'self'")
    else:
        response = revalidated(msgspec.json.encode(ADDRESSES), "application/json")
    response.vary.add("Accept")
    return response


@pages.get("/page/<file>")
def show_file(file: str) -> Response:
    response = send_from_directory(FOLDER / "page", file, max_age=31_536_000, conditional=False)
    response.cache_control.immutable = True
    response.direct_passthrough = False
    response.make_sequence()  # a stream would not be compressed for every browser
    return response


@pages.get("/sw.js")
def show_worker() -> Response:
    response = revalidated((FOLDER / "sw.js").read_bytes(), "text/javascript; charset=utf-8")
    response.headers[POLICY] = page_policy()  # a worker has a policy of its own
    return response


@pages.get("/manifest.webmanifest")
def show_manifest() -> Response:
    return revalidated((FOLDER / "manifest.webmanifest").read_bytes(), "application/manifest+json")


def revalidated(body: bytes, kind: str) -> Response:
    """Send a file that changes with each build. Its ETag is a hash: files of two builds may have the same date."""
    response = Response(body, content_type=kind, headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response
