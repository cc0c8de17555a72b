"""The package that is handed on: all that is in it, what its page says, and that it runs where the source is not."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from zipfile import ZipFile

import pytest

from ledger import __version__
from tests.service import ROOT

PYTHON = Path(sys.executable)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of what is handed on, so that nothing is left in the source."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for each in ("pyproject.toml", "README.md", "LICENSE", "wsgi.py"):
        shutil.copy(ROOT / each, source)
    for each in ("ledger", "schemas"):
        shutil.copytree(ROOT / each, source / each, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    hatchling: list[str | Path] = [PYTHON, "-m", "hatchling", "build", "-t", "wheel", "-d", built]
    subprocess.run(hatchling, cwd=source, check=True, capture_output=True)
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def told(wheel: Path) -> Message:
    """What the package says of itself."""
    with ZipFile(wheel) as archive:
        return message_from_bytes(archive.read(f"fuda_ledger-{__version__}.dist-info/METADATA"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the package was installed to; what it needs is found where these tests find it."""
    target = tmp_path_factory.mktemp("installed")
    pip: list[str | Path] = [
        PYTHON,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--target",
        target,
        wheel,
    ]
    subprocess.run(pip, check=True, env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    return target


def test_the_wheel_has_every_file_of_the_house_but_what_the_page_is_built_of(wheel: Path) -> None:
    packed = {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name}
    house = (file for room in ("ledger", "schemas") for file in (ROOT / room).rglob("*") if file.is_file())
    files = {file.relative_to(ROOT).as_posix() for file in house if file.suffix != ".pyc"} | {"wsgi.py"}
    assert packed == {file for file in files if not file.startswith(("ledger/web/build.py", "ledger/web/source/"))}


def test_the_package_says_what_it_is(told: Message) -> None:
    urls = dict(url.split(", ") for url in told.get_all("Project-URL", []))
    assert set(urls) == {"Homepage", "Documentation", "Changelog", "Source"}
    assert told["License-Expression"] == "MIT"
    assert "Framework :: Flask" in told.get_all("Classifier", [])
    assert "mekurifuda" in told["Keywords"]


SHOWS_THE_PAGE = """
import re
from ledger.app import create_app
client = create_app().test_client()
page = client.get("/", headers={"Accept": "text/html"}).text
for address in re.findall(r'(?:href|src)="([^"]*)"', page):
    print(client.get(address).status_code)
for address in re.search('const FILES = "([^"]*)"', client.get("/sw.js").text)[1].split():
    print(client.get(address).status_code)
"""


@pytest.mark.integration
def test_it_runs_where_the_source_is_not(installed: Path, tmp_path: Path) -> None:
    """The decks, the template and the sentences are data of the package: a round needs the first, a sheet all three."""
    elsewhere = {**os.environ, "PYTHONPATH": str(installed), "LEDGER_DATABASE": str(tmp_path / "ledger.db")}

    def says(*command: str | Path) -> str:
        return subprocess.run(command, cwd=tmp_path, env=elsewhere, check=True, capture_output=True, text=True).stdout

    program = installed / "bin" / "fuda-ledger"
    assert json.loads(says(program, "doctor", "--json"))["warnings"] == []
    assert says(PYTHON, "-m", "ledger", "--version").endswith(f"version {__version__}\n")
    assert str(installed) in says(PYTHON, "-c", "import ledger; print(ledger.__file__)")
    assert set(says(PYTHON, "-c", SHOWS_THE_PAGE).split()) == {"200"}
    shutil.copy(ROOT / "tests" / "rounds" / "shirinma-seed-example.txt", tmp_path / "round.txt")
    assert "386" in says(program, "calculate", "round.txt")
    says(PYTHON, "-c", "from ledger.app import create_app; create_app()")  # makes the database, as a first start does
    session = json.loads(says(program, "import", "round.txt", "--json"))["session"]["id"]
    assert 'lang="ja"' in says(program, "export", session, "--format", "html", "--language", "ja")
    assert json.loads(says(PYTHON, "-m", "ledger", "doctor", "--json"))["warnings"] == []
