"""The page at the table: a client of the API like any other, which is served from here and knows no rules.

    /                      the page for a browser; for anything else, where to go on
    /page/<file>           its scripts, styles, pictures and words
    /sw.js                 what keeps all these on a phone, where a browser allows that
    /manifest.webmanifest  what the page is called and looks like once it is installed

All are built beforehand (`ledger.pages.build`). What has a hash in its name never changes. A page that is still open
when another build is served finds what it has not loaded yet gone (404), loads itself anew, and has lost nothing.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from flask import Blueprint, Response, request, send_from_directory

from ledger import guards

pages = Blueprint("pages", __name__)

FOLDER = Path(__file__).parent / "static"
ADDRESSES = {"docs": "/docs", "openapi": "/openapi.json", "games": "/v1/games"}


@pages.get("/")
def show_page() -> Response:
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html":
        response = asked_anew((FOLDER / "page.html").read_bytes(), "text/html; charset=utf-8")
        response.headers[guards.POLICY] = guards.page(more="; manifest-src 'self'; worker-src 'self'")
    else:
        response = asked_anew(msgspec.json.encode(ADDRESSES), "application/json")
    response.vary.add("Accept")
    return response


@pages.get("/page/<file>")
def show_file(file: str) -> Response:
    response = send_from_directory(FOLDER / "page", file, max_age=31_536_000, conditional=False)
    response.cache_control.immutable = True
    response.direct_passthrough = False
    response.make_sequence()  # a whole can be compressed for every browser, a stream only for some
    return response


@pages.get("/sw.js")
def show_worker() -> Response:
    response = asked_anew((FOLDER / "sw.js").read_bytes(), "text/javascript; charset=utf-8")
    response.headers[guards.POLICY] = guards.page()  # what runs apart from the page asks by its own policy
    return response


@pages.get("/manifest.webmanifest")
def show_manifest() -> Response:
    return asked_anew((FOLDER / "manifest.webmanifest").read_bytes(), "application/manifest+json")


def asked_anew(body: bytes, kind: str) -> Response:
    """Send what changes with each build. Its ETag is made of the body: files of two builds may have the same date."""
    response = Response(body, content_type=kind, headers={"Cache-Control": "no-cache"})
    response.add_etag()
    response.make_conditional(request)
    return response
