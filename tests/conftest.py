"""What tests share: a service on a fresh database, and a scorekeeper who talks to it.

Also how long the long suites go on: CI runs them bounded, `--kills=200` and `--minutes=60` as long as wanted. What they
count stands in the summary and in `build/figures.json`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, settings

from ledger.app import create_app
from tests.browser import CHROMIUM, PATIENCE, launch
from tests.databases import ENGINES, is_sqlite, kept_at, let_go, tried
from tests.postgres import NoPostgreSQL, Server, chosen, shared
from tests.scorekeeper import Scorekeeper
from tests.service import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""pytest-timeout watches the time; a busy machine is no fault."""

os.environ.setdefault("LEDGER_RATE_LIMIT", "off")  # all that tests do comes from one address

settings.register_profile("few", UNHURRIED, max_examples=10, derandomize=True)
settings.register_profile("many", UNHURRIED, max_examples=100, print_blob=True)  # `--hypothesis-profile=many`
settings.load_profile("few")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"LEDGER_DATABASE": kept_at(tmp_path / "ledger.db")})
    yield made
    made.extensions["session_service"].store.engine.close()


@pytest.fixture
def scorekeeper(app: Flask) -> Scorekeeper:
    return Scorekeeper(app.test_client())


@pytest.fixture(scope="session")
def postgres() -> Server:
    """The PostgreSQL of this run, if there is one on this machine."""
    pytest.importorskip("psycopg")
    try:
        return shared()
    except NoPostgreSQL as missing:
        pytest.skip(str(missing))


# --- which engine is tried ------------------------------------------------------------------------------------------


def pytest_configure(config: pytest.Config) -> None:
    tried["engine"] = config.getoption("--engine")
    if not is_sqlite():
        try:
            chosen()
        except NoPostgreSQL as missing:
            raise pytest.UsageError(str(missing)) from missing


INTEGRATION = {"browser", "hledger", "ledger", "playwright", "postgres", "service"}
"""The fixtures that make a test one of integration."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their fixtures, and skip those of what only SQLite has if another engine is tried."""
    for item in items:
        if not INTEGRATION.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.integration)
        if not is_sqlite() and (marker := item.get_closest_marker("sqlite")):
            item.add_marker(pytest.mark.skip(reason=f"of SQLite alone: {marker.args[0]}"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Function) -> Iterator[None]:
    """Drop the databases of a test once it has let go of them."""
    yield
    if not is_sqlite() and (folder := item.funcargs.get("tmp_path")):
        let_go(Path(str(folder)))


# --- a browser ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives browsers. There is one of it in a process: Playwright takes no second beside it."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium; Debian's package is called chromium")
    driver = pytest.importorskip("playwright.sync_api")
    with driver.sync_playwright() as running:
        driver.expect.set_options(timeout=PATIENCE * 1000)
        running.selectors.set_test_id_attribute("data-test")
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    started = launch(playwright.chromium)
    yield started
    started.close()


# --- how long, and what came of it ----------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--engine", choices=ENGINES, default=tried["engine"], help="what keeps the databases")
    group = parser.getgroup("long suites")
    group.addoption("--kills", type=int, default=5, help="how often the whole service is killed under load")
    group.addoption("--fuzz-seconds", type=float, help="how long each search goes on; else so many examples are tried")
    group.addoption("--minutes", type=float, default=8.0, help="how long the mixed traffic goes on once it is warm")


FIGURES = "figure: "


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Callable[..., None]:
    """Keep figures for the summary: `figures(kills=200, lost=0)`."""

    def keep(**told: object) -> None:
        for name, figure in told.items():
            record_property(FIGURES + name.replace("_", " "), figure)

    return keep


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Show the figures of all tests that have some, and write them down."""
    told: dict[str, dict[str, object]] = {}
    for report in [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]:
        properties = dict(report.user_properties).items()
        if found := {name.removeprefix(FIGURES): value for name, value in properties if name.startswith(FIGURES)}:
            told[report.nodeid] = found
    if not told:
        return
    terminalreporter.section("figures")
    for test, found in told.items():
        terminalreporter.line(f"{test}: " + ", ".join(f"{name} {value}" for name, value in found.items()))
    (ROOT / "build").mkdir(exist_ok=True)
    (ROOT / "build" / "figures.json").write_text(json.dumps(told, indent=2, default=str), "utf-8")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the default selection with how to run the rest."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter and config.option.markexpr == config.getini("addopts")[-1] and not hasattr(config, "workerinput"):
        reporter.write_line("\nNot run: integration and endurance. `tests/long/run` runs them, suite by suite.")
