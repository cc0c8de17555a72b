"""The site of documents builds without a warning, leads to every document, and loads nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ledger.app import create_app
from tests.databases import kept_at
from tests.service import ROOT
from tests.test_docs import DOCS

pytestmark = pytest.mark.slow  # the quick tests do not wait until it is built

LOADED = {"link": "href", **dict.fromkeys(("script", "img", "iframe", "source", "video", "audio"), "src")}
"""What a browser fetches of its own accord, and the attribute that says from where."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as CI does, a warning being an error."""
    built = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(DOCS), str(built)]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return built


class Page(HTMLParser):
    """A page: where its links lead, what it loads, which places it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.links = set[str]()
        self.loads = set[str]()
        self.places = set[str]()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        self.places.add(has.get("id", ""))
        if tag == "a":
            self.links.add(has.get("href", ""))
        if tag in LOADED and has.get("rel") not in ("index", "search", "next", "prev", "canonical"):
            self.loads.add(has.get(LOADED[tag], ""))


def pages(site: Path) -> Iterator[Page]:
    yield from map(Page, sorted(site.rglob("*.html")))


def is_elsewhere(address: str) -> bool:
    return re.match(r"(?:[a-z]+:)?//", address) is not None


def test_every_document_can_be_reached_from_the_index(site: Path) -> None:
    reached, ahead = set[Path](), [site / "index.html"]
    while ahead:
        path = ahead.pop()
        reached.add(path)
        linked = {link.partition("#")[0] for link in Page(path).links if not is_elsewhere(link)}
        there = {(path.parent / link).resolve() for link in linked if link.endswith(".html")}
        ahead += there - reached - set(ahead)
    assert not {site / path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")} - reached


def test_links_within_the_site_lead_somewhere(site: Path) -> None:
    found = {page.path: page for page in pages(site)}
    dead = []
    for page in found.values():
        for link in page.links:
            path, _, place = link.partition("#")
            there = (page.path.parent / path).resolve() if path else page.path
            if is_elsewhere(link) or "mailto:" in link or not there.is_relative_to(site):
                continue
            if not there.exists() or (place and there in found and place not in found[there].places):
                dead.append((page.path.name, link))
    assert not dead


def test_the_pages_load_nothing_from_elsewhere(site: Path) -> None:
    assert not {(page.path.name, load) for page in pages(site) for load in page.loads if is_elsewhere(load)}
    for style in site.rglob("*.css"):
        assert not re.findall(r"""(?:@import|url\()\s*["']?(?:https?:)?//""", style.read_text("utf-8")), style


def test_the_reference_has_every_call_and_every_object(site: Path, tmp_path: Path) -> None:
    app = create_app({"LEDGER_DATABASE": kept_at(tmp_path / "ledger.db")})
    spec = app.test_client().get("/openapi.json").get_json()
    there = Page(site / "reference.html").places
    operations = [each for path in spec["paths"].values() for each in path.values() if "tags" in each]
    calls = {operation["operationId"] for operation in operations}
    assert not {call.replace("_", "-") for call in calls} - there
    objects = {f"object-{name.lower()}" for name in spec["components"]["schemas"]}
    assert objects - there == {
        name for name in objects if re.fullmatch("object-(?:(?:stored|told).+event|toldcorrection)", name)
    }
