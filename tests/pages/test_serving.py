"""The page at the table, as it is served: to whom, as what, for how long, and what it may do."""

from __future__ import annotations

import gzip
import json
import re
from hashlib import sha256
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.app import create_app
from ledger.guards import NOTHING, POLICY
from ledger.pages.assets import AT_THE_ROOT, FOLDER, MODULES, Assets, read
from tests.databases import kept_at

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
TYPES |= {".png": "image/png", ".json": "application/json", "": "text/plain"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app({"LEDGER_DATABASE": kept_at(tmp_path_factory.mktemp("pages") / "ledger.db")})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture(scope="module")
def assets() -> Assets:
    return Assets(read())


def page_of(client: FlaskClient) -> str:
    return client.get("/", headers={"Accept": BROWSER}).text


# --- to whom --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "accepts", [BROWSER, "text/html", "text/html, */*;q=0.1", "text/*", "application/json;q=0.5, text/html"]
)
def test_a_browser_gets_the_page(client: FlaskClient, accepts: str) -> None:
    answer = client.get("/", headers={"Accept": accepts})
    assert (answer.status_code, answer.content_type) == (200, "text/html; charset=utf-8")
    assert "<title>Fuda Ledger</title>" in answer.text


@pytest.mark.parametrize(
    "accepts", ["", "*/*", "application/json", "image/png", "text/html;q=0, */*", "text/html;q=0.5, application/json"]
)
def test_anything_else_is_told_where_to_go_on(client: FlaskClient, accepts: str) -> None:
    answer = client.get("/", headers={"Accept": accepts} if accepts else {})
    assert (answer.status_code, answer.content_type) == (200, "application/json")
    assert answer.get_json() == {"docs": "/docs", "openapi": "/openapi.json", "games": "/v1/games"}
    for address in answer.get_json().values():
        assert client.get(address).status_code == 200


@pytest.mark.parametrize("accepts", [BROWSER, "*/*"])
def test_what_is_at_the_root_is_asked_for_anew_each_time(client: FlaskClient, accepts: str) -> None:
    answer = client.get("/", headers={"Accept": accepts})
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["Vary"].split(", ")[0] == "Accept"
    held = client.get("/", headers={"Accept": accepts, "If-None-Match": answer.headers["ETag"]})
    assert (held.status_code, held.data) == (304, b"")
    assert held.headers["Vary"] == answer.headers["Vary"]


def test_the_page_and_the_addresses_have_tags_of_their_own(client: FlaskClient) -> None:
    page = client.get("/", headers={"Accept": BROWSER})
    assert client.get("/", headers={"If-None-Match": page.headers["ETag"]}).status_code == 200


@pytest.mark.parametrize("address", ["/", "/page/x/js/main.js"])
def test_other_methods_are_refused(client: FlaskClient, address: str) -> None:
    answer = client.post(address)
    assert (answer.status_code, answer.get_json()["code"]) == (405, "method_not_allowed")
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}
    assert client.options(address).status_code == 200


@pytest.mark.parametrize("address", ["/", "/sw.js", "/manifest.webmanifest", "file"])
def test_who_asks_for_the_head_gets_the_head(client: FlaskClient, assets: Assets, address: str) -> None:
    address = f"{assets.base}first.js" if address == "file" else address
    headers = {"Accept": BROWSER, "Accept-Encoding": "gzip"}
    got, head = client.get(address, headers=headers), client.head(address, headers=headers)
    assert (head.status_code, head.data) == (200, b"")
    told, said = ({**answer.headers, "X-Request-ID": ""} for answer in (head, got))
    assert told == said


# --- what it may do -------------------------------------------------------------------------------------------------


def test_the_page_may_load_from_here_and_from_nowhere_else(client: FlaskClient) -> None:
    answer = client.get("/", headers={"Accept": BROWSER})
    policy = dict(part.split(" ", 1) for part in answer.headers[POLICY].split("; "))
    assert answer.headers[POLICY].startswith(NOTHING)
    assert {
        name: policy[f"{name}-src"] for name in ("script", "style", "connect", "manifest", "worker")
    } == dict.fromkeys(("script", "style", "connect", "manifest", "worker"), "'self'")
    assert policy["img-src"] == "'self' data:"
    assert "unsafe" not in answer.headers[POLICY]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "no-referrer"


def test_the_page_has_no_scripts_and_styles_in_it(client: FlaskClient) -> None:
    page = page_of(client)
    assert [script for script in re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL) if script] == []
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)


def test_the_page_asks_only_here(client: FlaskClient) -> None:
    addresses = re.findall(r'(?:href|src)="([^"]*)"', page_of(client))
    assert len(addresses) > 5
    for address in addresses:
        assert re.match(r"/(?!/)", address), address
        assert client.get(address).status_code == 200, address


HOST = re.compile(r"""(?:https?:|["'`(])//([\w-]+(?:\.[\w-]+)+)""")
NOBODY = re.compile(r"""www\.w3\.org|(?:[\w-]+\.)*example(?:\.(?:org|com|net))?""")
"""Names of namespaces, and of hosts that there are not."""


def test_no_file_of_ours_names_another_host() -> None:
    ours = {path: body for path, body in read().items() if not path.startswith("vendor/") and not path.endswith(".png")}
    named = {path: set(HOST.findall(body.decode())) for path, body in ours.items()}
    assert {host for hosts in named.values() for host in hosts if not NOBODY.fullmatch(host)} == set()


# --- its files ------------------------------------------------------------------------------------------------------


def test_every_file_is_served_as_what_it_is_and_for_ever(client: FlaskClient, assets: Assets) -> None:
    for path in (*(path for path in read() if path not in AT_THE_ROOT), "css/all.css", "first.js", "rest.js"):
        answer = client.get(assets.base + path)
        assert (answer.status_code, answer.mimetype) == (200, TYPES[Path(path).suffix]), path
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        packed = client.get(assets.base + path, headers={"Accept-Encoding": "gzip, br"})
        if "Content-Encoding" in packed.headers:
            assert packed.headers["Vary"] == answer.headers["Vary"] == "Accept-Encoding"
            assert gzip.decompress(packed.data) == answer.data
            assert len(packed.data) < len(answer.data)
        assert client.get(assets.base + path, headers={"If-None-Match": packed.headers["ETag"]}).status_code == 304


def test_what_is_for_those_who_write_the_page_is_not_served(client: FlaskClient, assets: Assets) -> None:
    for path in ("js/api.d.ts", "vendor/sources.json", *AT_THE_ROOT):
        assert client.get(assets.base + path).status_code == 404


def test_a_file_of_another_release_is_gone(client: FlaskClient, assets: Assets) -> None:
    answer = client.get("/page/0123456789abcdef/js/main.js")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (404, "no-store")
    changed = Assets({**read(), "css/paper.css": b""})
    assert changed.release != assets.release


TRICKS = (
    *(
        "../page.html",
        "../assets.py",
        "..%2fassets.py",
        "%2e%2e/assets.py",
        "js/../../assets.py",
        "js/..%5c..%5cassets.py",
    ),
    *(
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "js//main.js%00.css",
        "js/main.js%00",
        "js",
        "js/",
        ".",
        "..",
        "%2e",
        "JS/MAIN.JS",
    ),
    *(
        "js/main.js/",
        "js/main.js/x",
        "js\\main.js",
        "file:///etc/passwd",
        "C:/x",
        "\u2025/assets.py",
        "%c0%ae%c0%ae/assets.py",
    ),
)


@pytest.mark.parametrize("path", TRICKS)
def test_there_is_no_way_out_of_the_folder(client: FlaskClient, assets: Assets, path: str) -> None:
    answer = client.get(assets.base + path)
    if path == "js/main.js/":  # a slash behind an address means nothing
        assert answer.data == client.get(f"{assets.base}js/main.js").data
    else:
        assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")


def test_the_page_begins_with_few_files(client: FlaskClient, assets: Assets) -> None:
    page = page_of(client)
    assert re.findall(r'<script type="module" src="([^"]*)"></script>', page) == [f"{assets.base}first.js"]
    assert re.findall(r'<link rel="modulepreload" href="([^"]*)">', page) == [f"{assets.base}first.js"]
    asked = [assets.find(path) for path in ("first.js", "css/all.css")]
    assert sum(len(asset.packed or b"") for asset in asked if asset) < 80_000


def test_while_it_is_written_the_page_names_what_its_first_view_needs() -> None:
    loose = Assets(read(), joined=False)
    told = re.findall(r'<link rel="modulepreload" href="([^"]*)">', loose.at_the_root("page.html").body.decode())
    assert told[0] == f"{loose.base}js/main.js"
    assert f"{loose.base}{MODULES['preact']}" in told
    assert f"{loose.base}{MODULES['uplot']}" not in told
    assert len(told) == len(set(told))


def test_named_modules_get_their_addresses() -> None:
    files = {
        "page.html": b"{modules}",
        "js/main.js": b'import { render } from "preact";\nimport "./core/b.js";\nconst c = () => import("uplot");',
        "js/core/b.js": b'export { h } from\'preact\';import x from "htm"; // say where it is from "preactly"',
        **dict.fromkeys(MODULES.values(), b""),
    }
    made = Assets(files, joined=False)
    main, core = made.find("js/main.js"), made.find("js/core/b.js")
    assert main
    assert core
    assert main.body.decode().splitlines() == [
        'import { render } from "../vendor/preact/preact.mjs";',
        'import "./core/b.js";',
        'const c = () => import("../vendor/uplot/uPlot.iife.min.js");',
    ]
    assert core.body.decode().startswith(
        "export { h } from'../../vendor/preact/preact.mjs';import x from \"../../vendor/htm/htm.mjs\";"
    )
    assert made.needed("js/main.js") == ["js/main.js", "vendor/preact/preact.mjs", "js/core/b.js", "vendor/htm/htm.mjs"]


def test_every_import_leads_to_a_file(assets: Assets) -> None:
    for path in read():
        found = assets.find(path)
        if found and found.kind.startswith("text/javascript"):
            for specifier in re.findall(
                r"""(?<![\w.$])(?:from|import)\s*\(?\s*["']([^"'\n]+)["']""", found.body.decode()
            ):
                if specifier.startswith("."):
                    target = (FOLDER / path).parent.joinpath(specifier).resolve()
                    assert target.is_file(), (path, specifier)


# --- others' work ---------------------------------------------------------------------------------------------------


def test_what_others_made_is_as_they_made_it() -> None:
    sources = json.loads((FOLDER / "vendor" / "sources.json").read_text("utf-8"))
    held = {
        path.relative_to(FOLDER / "vendor").as_posix(): path
        for path in (FOLDER / "vendor").rglob("*")
        if path.is_file()
    }
    assert {each["file"] for each in sources} == held.keys() - {"sources.json"}
    for each in sources:
        assert sha256(held[each["file"]].read_bytes()).hexdigest() == each["sha256"], each["file"]
        assert each["licence"] in {"MIT", "Apache-2.0"}
        assert f"{each['file'].split('/')[0]}/LICENSE" in held


# --- while it is written --------------------------------------------------------------------------------------------


def test_while_it_is_written_files_are_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLASK_DEBUG", "1")
    app = create_app({"LEDGER_DATABASE": kept_at(tmp_path / "ledger.db")})
    assert app.debug
    answer = app.test_client().get("/page/an-older-one/js/main.js")
    assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-cache")
