"""The page on a phone that keeps it: what it is called there, what is kept, and that it opens where nobody answers."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from ledger.app import create_app
from ledger.guards import NOTHING, POLICY
from ledger.pages.assets import Assets, read
from tests.databases import kept_at
from tests.service import Service


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Flask:
    return create_app({"LEDGER_DATABASE": kept_at(tmp_path_factory.mktemp("pages") / "ledger.db")})


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def kept_by(worker: str) -> list[str]:
    (files,) = re.findall(r'const FILES = "([^"]*)"', worker)
    return str(files).split()


def test_it_can_be_installed(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("application/manifest+json", "no-cache")
    told = answer.get_json(force=True)
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    purposes = set()
    for icon in told["icons"]:
        picture = client.get(icon["src"])
        assert (picture.status_code, picture.mimetype) == (200, icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", picture.data[16:24])
            assert icon["sizes"] == f"{width}x{height}"
            purposes.add((icon["sizes"], icon.get("purpose", "any")))
    assert purposes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


def test_the_worker_may_ask_here_and_is_asked_for_anew(client: FlaskClient) -> None:
    answer = client.get("/sw.js")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert answer.headers[POLICY].startswith(NOTHING)
    assert "connect-src 'self'" in answer.headers[POLICY]


def test_the_worker_keeps_what_the_page_is_made_of(client: FlaskClient) -> None:
    held = Assets(read())
    files = kept_by(client.get("/sw.js").text)
    assert {f"{held.base}{path}" for path in ("first.js", "rest.js", "css/all.css", "words/ja.json")} < set(files)
    assert not [path for path in files if "/v1" in path or path.endswith((".png", "LICENSE", "css/paper.css"))]
    page = client.get("/", headers={"Accept": "text/html"}).text
    named = re.findall(r'(?:src|rel="stylesheet" href|rel="modulepreload" href)="([^"]*)"', page)
    assert set(named) <= set(files)
    for path in files:
        assert client.get(path).status_code == 200


def test_the_worker_is_another_with_each_release(client: FlaskClient) -> None:
    changed = Assets({**read(), "css/paper.css": b""})
    assert changed.at_the_root("sw.js").body != client.get("/sw.js").data


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with Service(tmp_path / "ledger.db", workers=1) as service:
        yield service


@pytest.mark.integration
def test_it_opens_where_nobody_answers(service: Service, browser: Browser) -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{service.port}/")
        page.wait_for_selector("[data-test=new-game-shippin]")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        context.set_offline(True)
        page.reload()
        page.wait_for_selector("[data-test=new-game-shippin]")
        kept = page.evaluate(
            "caches.keys().then(([name]) => caches.open(name)).then((c) => c.keys())"
            ".then((found) => found.map((each) => new URL(each.url).pathname))"
        )
        assert "/" in kept
        assert not [path for path in kept if path.startswith("/v1")]
