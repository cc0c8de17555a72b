"""The page at the table, as it is served: to whom, as what, for how long, and what it may do."""

from __future__ import annotations

import gzip
import re
import struct
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from ledger.api.http.middleware import NOTHING, POLICY
from ledger.app import create_app
from ledger.web.build import HASHED, hash_of_sources
from tests.databases import kept_at

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
FILES = sorted(path.name for path in HASHED.iterdir())
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".png": "image/png"}
TYPES |= {".json": "application/json", ".txt": "text/plain"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app({"LEDGER_DATABASE": kept_at(tmp_path_factory.mktemp("pages") / "ledger.db")}).test_client()


def page_of(client: FlaskClient) -> str:
    return client.get("/", headers={"Accept": BROWSER}).text


def test_what_is_served_was_built_of_the_sources_as_they_are(client: FlaskClient) -> None:
    assert f'data-build="{hash_of_sources()}"' in page_of(client), "python -m ledger.web.build makes the page anew"
    assert f'const BUILD = "{hash_of_sources()}"' in client.get("/sw.js").text


# --- to whom --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accepts", [BROWSER, "text/html", "text/*", "application/json;q=0.5, text/html"])
def test_a_browser_gets_the_page(client: FlaskClient, accepts: str) -> None:
    answer = client.get("/", headers={"Accept": accepts})
    assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8")
    assert "<title>Fuda Ledger</title>" in answer.text


@pytest.mark.parametrize("accepts", ["", "*/*", "image/png", "text/html;q=0, */*", "text/html;q=0.5, application/json"])
def test_anything_else_is_told_where_to_go_on(client: FlaskClient, accepts: str) -> None:
    answer = client.get("/", headers={"Accept": accepts} if accepts else {})
    assert (answer.status_code, answer.content_type) == (200, "application/json")
    assert answer.get_json() == {"docs": "/docs", "openapi": "/openapi.json", "games": "/v1/games"}
    for address in answer.get_json().values():
        assert client.get(address).status_code == 200


# --- for how long ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["/", "/sw.js", "/manifest.webmanifest"])
def test_what_changes_with_each_build_is_asked_for_anew(client: FlaskClient, address: str) -> None:
    answer = client.get(address, headers={"Accept": BROWSER})
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Last-Modified" not in answer.headers  # packaging gives the files of every build one date
    held = client.get(address, headers={"Accept": BROWSER, "If-None-Match": answer.headers["ETag"]})
    assert (held.status_code, held.data) == (304, b"")
    head = client.head(address, headers={"Accept": BROWSER})
    assert (head.status_code, head.data, head.headers["ETag"]) == (200, b"", answer.headers["ETag"])


def test_the_page_and_the_addresses_are_told_apart(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept": BROWSER})
    assert "Accept" in page.headers["Vary"].split(", ")
    assert client.get("/", headers={"If-None-Match": page.headers["ETag"]}).status_code == 200


@pytest.mark.parametrize("file", FILES)
def test_every_file_is_served_as_what_it_is_and_for_ever(client: FlaskClient, file: str) -> None:
    assert re.fullmatch(r"[\w.-]+-[0-9A-Z]{8}\.\w+", file)
    answer = client.get(f"/page/{file}", buffered=True)
    assert (answer.status_code, answer.mimetype) == (200, TYPES[Path(file).suffix])
    assert answer.data == (HASHED / file).read_bytes()
    kept = answer.cache_control
    assert (kept.public, kept.immutable, kept.max_age) == (True, True, 31_536_000)
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize(
    "path",
    [
        *("main-AAAAAAAA.js", "page.html", "../page.html", "..%2fpage.html", "..%2f..%2f__init__.py", "..%5cpage.html"),
        *("/etc/passwd", "%2fetc%2fpasswd", f"{FILES[0]}%00", ".", "..", "%2e%2e", "C:/x", "%c0%ae%c0%ae/page.html"),
        *("package.json", FILES[0].lower(), f"{FILES[0]}/x"),
    ],
)
def test_there_is_nothing_else_below_the_pages_address(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/page/{path}")
    assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")
    assert answer.headers["Cache-Control"] == "no-store"


# --- what it may do -------------------------------------------------------------------------------------------------


def test_the_page_may_load_from_here_and_from_nowhere_else(client: FlaskClient) -> None:
    policy = client.get("/", headers={"Accept": BROWSER}).headers[POLICY]
    assert policy.startswith(NOTHING)
    assert not re.search(r"unsafe|\*|https?:", policy)
    page = page_of(client)
    assert not re.search(r"<script[^>]*>[^<]|<style|\sstyle=|\son\w+=|javascript:", page)
    addresses = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert len(addresses) > 5
    for address in addresses:
        assert re.match(r"/(?!/)", address), address
        assert client.get(address, buffered=True).status_code == 200, address


def test_the_worker_may_ask_here(client: FlaskClient) -> None:
    policy = client.get("/sw.js").headers[POLICY]
    assert policy.startswith(NOTHING)
    assert "connect-src 'self'" in policy


# --- what it is made of ---------------------------------------------------------------------------------------------


IMPORTED = re.compile(r"""(?:from|import)\s*"\./([\w.-]+\.js)\"""")


def with_imports(file: str) -> set[str]:
    """Name a script and all that it imports before it runs."""
    names, found = [file], set[str]()
    while names:
        if (name := names.pop()) not in found:
            found.add(name)
            names += IMPORTED.findall((HASHED / name).read_text("utf-8"))
    return found


@pytest.mark.parametrize("shown", ["start", "session"])
def test_a_first_load_is_small(client: FlaskClient, shown: str) -> None:
    page = page_of(client)
    first = re.findall(r'(?:src|rel="stylesheet" href|rel="modulepreload" href)="/page/([^"]*)"', page)
    assert len(first) == len(set(first)) <= 8
    (script,) = HASHED.glob(f"{shown}-*.js")
    scripts = set.union(*(with_imports(name) for name in [*first, script.name] if name.endswith(".js")))
    styles = [name for name in first if name.endswith(".css")]
    sizes = [len(gzip.compress((HASHED / name).read_bytes(), 6)) for name in [*scripts, *styles]]
    assert sum(sizes) + len(gzip.compress(page.encode(), 6)) <= 70_000


def test_a_phone_keeps_all_that_the_page_may_show(client: FlaskClient) -> None:
    (kept,) = re.findall(r'const FILES = "([^"]*)"', client.get("/sw.js").text)
    assert set(kept.split()) == {f"/page/{file}" for file in FILES if not file.endswith((".png", ".txt"))}


def test_licences_of_others_work_come_with_it(client: FlaskClient) -> None:
    (address,) = re.findall(r'rel="license" href="([^"]*)"', page_of(client))
    told = client.get(address, buffered=True).text
    for package in ("preact", "@preact/signals", "@preact/signals-core", "htm", "uplot", "qrcode-generator"):
        assert re.search(rf"^{package}\n\n.*(?:MIT|Apache) License", told, re.MULTILINE | re.DOTALL)


def test_it_can_be_installed(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    told = answer.get_json(force=True)
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    purposes = set()
    for icon in told["icons"]:
        picture = client.get(icon["src"], buffered=True)
        assert (picture.status_code, picture.mimetype) == (200, icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", picture.data[16:24])
            assert icon["sizes"] == f"{width}x{height}"
            purposes.add((icon["sizes"], icon.get("purpose", "any")))
    assert purposes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
