"""The page at the table: a client of the API like any other, which is served from here and knows no rules.

    /                      the page for a browser; for anything else, where to go on
    /page/<release>/...    its modules, styles and pictures (`assets`)
    /sw.js                 what keeps all these on a phone, where a browser allows that
    /manifest.webmanifest  what the page is called and looks like once it is installed

Nobody has to ask again for what has the hash of a release in its address. A page that is still open when another
release is started finds what it has not loaded yet gone (404), loads itself anew, and has lost nothing.
"""

from __future__ import annotations

from functools import cache
from math import inf

import msgspec
from flask import Blueprint, Response, abort, current_app, request

from ledger.budget import limited
from ledger.guards import POLICY
from ledger.guards import page as guard
from ledger.pages.assets import Asset, Assets, read, served

pages = Blueprint("pages", __name__)

ADDRESSES = {"docs": "/docs", "openapi": "/openapi.json", "games": "/v1/games"}
"""Where programs go on."""

FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
PAGE_POLICY = guard(more="; manifest-src 'self'; worker-src 'self'")
WORKER_POLICY = guard()
"""What runs apart from the page asks by its own policy."""


@pages.get("/")
def show_page() -> Response:
    """Give the page to a browser, and addresses to anything else."""
    if request.accept_mimetypes.best_match(["application/json", "text/html"]) != "text/html":
        told = Asset(msgspec.json.encode(ADDRESSES), "application/json")
        return sent(told, ASK_AGAIN, varies="Accept")
    response = sent(assets().at_the_root("page.html"), ASK_AGAIN, varies="Accept")
    response.headers[POLICY] = PAGE_POLICY
    return response


@pages.get("/page/<release>/<path:path>")
def show_file(release: str, path: str) -> Response:
    held = assets()
    found = held.find(path) if release == held.release or current_app.debug else None
    if found is None:
        abort(404)
    return sent(found, ASK_AGAIN if current_app.debug else FOR_EVER)


@pages.get("/sw.js")
def show_worker() -> Response:
    """Give the script that keeps the page on a phone."""
    response = sent(assets().at_the_root("sw.js"), ASK_AGAIN)
    response.headers[POLICY] = WORKER_POLICY
    return response


@pages.get("/manifest.webmanifest")
def show_manifest() -> Response:
    """Give what a phone needs to know to install the page."""
    return sent(assets().at_the_root("manifest.webmanifest"), ASK_AGAIN)


def sent(asset: Asset, control: str, varies: str = "") -> Response:
    """Send a file, by gzip to who takes that, or say that it is what the client has already."""
    packed = asset.packed if request.accept_encodings.quality("gzip") else None
    by = ", ".join(name for name in (varies, "Accept-Encoding" if asset.packed else "") if name)
    headers = {
        "Cache-Control": control,
        "ETag": f'{"W/" if packed else ""}"{asset.tag}"',
        **({"Vary": by} if by else {}),
    }
    if request.if_none_match.contains_weak(asset.tag):
        response = Response(status=304, headers=headers)
        del response.headers["Content-Type"]
        return response
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(packed or asset.body, headers=headers, content_type=asset.kind)


def assets() -> Assets:
    """Give the files; while the page is being written (`FLASK_DEBUG=1`), as they are now."""
    with limited(inf):
        return _read(max(path.stat().st_mtime_ns for path in served()) if current_app.debug else 0)


@cache
def _read(changed_at: int) -> Assets:
    return Assets(read(), joined=changed_at == 0)
