"""A real browser before a real service. Without Chromium all of it is skipped.

Each worker has one browser and one service; each test its own phones, and sessions that nobody else knows.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Browser, Error

from tests.browser import PATIENCE
from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import event
from tests.service import ROOT, Service

SCREEN: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2,
    "has_touch": True,
    "is_mobile": True,
}
"""The phone to design for."""


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service, as an operator runs it."""
    with Service(tmp_path_factory.mktemp("page") / "ledger.db", workers=2) as running:
        yield running


@pytest.fixture(scope="session")
def japanese_font() -> None:
    """How wide Japanese words are, shows only where there are letters for them."""
    lists = shutil.which("fc-list")
    if lists is None or not subprocess.run([lists, ":lang=ja"], check=True, capture_output=True).stdout:
        pytest.skip("there is no Japanese font; Debian's package is called fonts-ipafont-gothic")


Phones = Callable[..., Phone]


FAILED = pytest.StashKey[bool]()
SHOTS = ROOT / "build" / "shots"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture
def phones(browser: Browser, service: Service, request: pytest.FixtureRequest) -> Iterator[Phones]:
    """Take another phone: `phones(locale="ja", color_scheme="dark")`, what a browser may be asked for.

    `address` is another than the usual service's; `blamed` False where faults are wanted. There is no service worker
    unless a test is about it: what passes one cannot be held back (`page.route`).
    """
    taken: list[tuple[Phone, bool]] = []

    def take(*, address: str = "", blamed: bool = True, **wanted: Any) -> Phone:
        asked = {**SCREEN, "locale": "en", "service_workers": "block", **wanted}
        context = browser.new_context(**asked)
        context.set_default_timeout(PATIENCE * 1000)
        phone = Phone(context, address or f"http://127.0.0.1:{service.port}", touch=asked["has_touch"])
        taken.append((phone, blamed))
        return phone

    yield take
    if request.node.stash.get(FAILED, False):
        test = re.sub(r"\W+", "-", request.node.name)
        for number, (phone, _) in enumerate(taken, 1):
            with suppress(Error):
                phone.page.screenshot(path=SHOTS / "failed" / f"{test}-{number}.png")
    try:
        for phone, blamed in taken:
            if blamed:
                phone.is_blameless()
    finally:
        for phone, _ in taken:
            phone.context.close()


@pytest.fixture
def phone(phones: Phones) -> Phone:
    """A phone of 360 × 740 points, in English."""
    return phones()


@pytest.fixture
def opens(service: Service) -> Callable[..., Table]:
    """Open a session over HTTP: `opens("shirinma", 15)`."""
    return lambda game, players, **opening: Table.opened(service, game, players, **opening)


BEGUN = (event("round_opened"), event("field_card_revealed", card="swords-1"))


def begun(phone: Phone, opens: Callable[..., Table]) -> Table:
    """A round of which the cards are dealt next."""
    table = opens("shirinma", 12)
    table.reports(*BEGUN)
    phone.sits_down(table)
    phone.stands_at(2)
    phone.sees("card-plain")
    return table
