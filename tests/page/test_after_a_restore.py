"""An older backup is restored: the page shows what the books have now, and says that they went back."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.page.conftest import Phones
from tests.page.phone import Phone, eventually
from tests.page.seen import the_page_agrees
from tests.page.table import Table
from tests.scorekeeper import event
from tests.service import ROOT, Service

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.sqlite("`backup` and `restore` are for files"),
]

Opens = Callable[..., Table]
BEGUN = (event("round_opened"), event("field_card_revealed", card="swords-1"))
LATER = (
    event("card_dealt", player="p1", card="plain"),
    event("card_dealt", player="p2", card="cups-11"),
    event("bid_placed", player="p3", amount=5),
)


class Backed:
    """A service, a table at it, and a backup of when the table had been dealt nothing."""

    def __init__(self, folder: Path) -> None:
        self._database, self._backup = folder / "ledger.db", folder / "backup.db"
        self.service = Service(self._database, workers=1)
        self.service.start()
        self._port = self.service.port
        self.table = Table.opened(self.service, "shirinma", 12)
        self.table.reports(*BEGUN)
        self._does("backup", str(self._backup))
        self.table.reports(*LATER)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def _does(self, *words: str) -> None:
        environment = {**os.environ, "LEDGER_DATABASE": str(self._database)}
        command = [sys.executable, "-m", "ledger", *words]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=60)

    def stops(self) -> None:
        self.service.stop(30)

    def is_restored(self) -> None:
        """Put the backup in the place of the database and start the service again, at the same address."""
        self.stops()
        self._does("restore", str(self._backup), "--force")
        bound = ["-b", f"127.0.0.1:{self._port}", "-c", "python:ledger.server", "wsgi:app"]
        self.service = Service(self._database, workers=1, command=[sys.executable, "-m", "gunicorn", *bound])
        self.service.start()
        self.table = Table(self.service, self.table.id, self.table.token)
        assert self.table.seq == len(BEGUN)


@pytest.fixture
def backed(tmp_path: Path) -> Iterator[Backed]:
    made = Backed(tmp_path)
    yield made
    made.stops()


def has_gone_back(phone: Phone, backed: Backed) -> None:
    phone.reads("went-back", "had seen event 5; the books end with event 2 now")
    the_page_agrees(phone, backed.table)
    phone.sees("card-cups-11")
    phone.misses("standing", "bid-amount")
    expect(phone.at("log")).to_contain_text("swords", ignore_case=True)


def test_a_page_that_is_open_shows_the_books_that_are_there_now(phones: Phones, backed: Backed) -> None:
    phone = phones(address=backed.address, blamed=False)
    phone.sits_down(backed.table)
    phone.stands_at(5)
    phone.tap("bidder-p4")
    backed.is_restored()
    has_gone_back(phone, backed)
    phone.misses("draft")
    phone.tap("went-back-read")
    phone.misses("went-back")
    phone.tap("card-cups-10")
    phone.stands_at(3)
    assert backed.table.log[-1]["card"] == "cups-10"
    backed.table.reports(event("bid_placed", player="p2", amount=3))
    phone.stands_at(4)
    the_page_agrees(phone, backed.table)


def test_a_page_that_is_opened_again_shows_the_books_that_are_there_now(phones: Phones, backed: Backed) -> None:
    phone = phones(address=backed.address, blamed=False)
    phone.sits_down(backed.table)
    phone.stands_at(5)
    phone.page.goto("about:blank")
    backed.is_restored()
    phone.goes(f"/#/s/{backed.table.id}")
    has_gone_back(phone, backed)
    phone.page.reload()
    the_page_agrees(phone, backed.table)
    phone.misses("went-back")


@pytest.mark.parametrize("choice", ["conflict-send", "conflict-drop"])
def test_what_waits_is_shown_before_it_is_sent(choice: str, phones: Phones, backed: Backed) -> None:
    phone = phones(address=backed.address, blamed=False)
    phone.sits_down(backed.table)
    phone.stands_at(5)
    phone.context.set_offline(True)
    phone.tap("bidder-p4", "bid")
    phone.reads("pending", "1")
    backed.is_restored()
    phone.context.set_offline(False)
    phone.reads("conflict", "The books went back")
    phone.reads("conflict-mine", "Daisuke")
    phone.reads("pending", "1")
    assert backed.table.seq == 2
    phone.tap(choice)
    phone.misses("conflict")
    if choice == "conflict-send":
        phone.sees("problem")  # there is no auction any more
        phone.tap("drop")
    phone.misses("pending", "went-back")
    assert backed.table.seq == 2
    the_page_agrees(phone, backed.table)


def test_an_older_answer_from_a_cache_does_not_look_like_a_restore(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*BEGUN)
    old = table.asks("GET", "")
    table.reports(*LATER)
    phone.sits_down(table)
    phone.stands_at(5)
    answered: list[str] = []

    def is_old(route: Route) -> None:
        answered.append(route.request.url)
        route.fulfill(status=200, json=old.body)

    phone.page.route(f"**/v1/sessions/{table.id}", is_old)
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    eventually(lambda: was(answered), phone.page)
    phone.page.wait_for_timeout(300)
    phone.misses("went-back")
    phone.reads("standing", "Chie bids 5")
    expect(phone.page.locator("html")).to_have_attribute("data-seq", "5")
    phone.page.reload()
    phone.reads("standing", "Chie bids 5")
    phone.misses("went-back")


def was(answered: list[str]) -> None:
    assert answered
