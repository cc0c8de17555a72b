"""An older backup is restored: the page shows what the books have now, and says that they went back."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import the_page_agrees
from tests.page.table import Table
from tests.scorekeeper import event
from tests.service import ROOT, Service

pytestmark = [pytest.mark.integration, pytest.mark.sqlite("`backup` and `restore` are for files")]

Opens = Callable[..., Table]
BEGUN = (event("round_opened"), event("field_card_revealed", card="swords-1"))
LATER = (
    event("card_dealt", player="p1", card="plain"),
    event("card_dealt", player="p2", card="cups-11"),
    event("bid_placed", player="p3", amount=5),
)
DRAFTS = "Object.keys(localStorage).filter((each) => each.startsWith('fuda.draft.')).length"


class Backed:
    """A service, a table at it, and a backup of when the table had been dealt nothing.

    Its port is held by a socket that does not listen: whatever is started meanwhile, nobody else gets it.
    """

    def __init__(self, folder: Path) -> None:
        self._database, self._backup = folder / "ledger.db", folder / "backup.db"
        self._held = socket.socket()
        self._held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._held.bind(("127.0.0.1", 0))
        self._port: int = self._held.getsockname()[1]
        self.service = self._started()
        self.table = Table.opened(self.service, "shirinma", 12)
        self.table.reports(*BEGUN)
        self._does("backup", str(self._backup))
        self.table.reports(*LATER)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def _started(self) -> Service:
        bound = ["-b", f"127.0.0.1:{self._port}", "-c", "python:ledger.serving.gunicorn_config", "wsgi:app"]
        service = Service(self._database, workers=1, command=[sys.executable, "-m", "gunicorn", *bound])
        service.start()
        return service

    def _does(self, *words: str) -> None:
        environment = {**os.environ, "LEDGER_DATABASE": str(self._database)}
        command = [sys.executable, "-m", "ledger", *words]
        subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)

    def ends(self) -> None:
        self.service.stop()
        self._held.close()

    def is_restored(self) -> None:
        """Put the backup in the place of the database and start the service again, at the same address."""
        self.service.stop()
        self._does("restore", str(self._backup), "--force")
        self.service = self._started()
        self.table = Table(self.service, self.table.id, self.table.token)
        assert self.table.seq == len(BEGUN)


@pytest.fixture
def backed(tmp_path: Path) -> Iterator[Backed]:
    made = Backed(tmp_path)
    yield made
    made.ends()


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
    phone.tap("bid-plus-5")  # an amount waits for somebody to bid it; a bid would record itself before long
    phone.eventually(lambda: phone.page.evaluate(DRAFTS))
    backed.is_restored()
    has_gone_back(phone, backed)
    phone.eventually(lambda: not phone.page.evaluate(DRAFTS))
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
    phone.page.route(f"**/v1/sessions/{table.id}", lambda route: route.fulfill(status=200, json=old.body))
    with phone.page.expect_response(lambda answer: answer.url.endswith("/events?after=4&limit=1")):
        phone.page.evaluate("dispatchEvent(new Event('online'))")  # it asks whether what it has seen is gone
    phone.misses("went-back")
    phone.reads("standing", "Chie bids 5")
    phone.page.unroute(f"**/v1/sessions/{table.id}")
    table.reports(event("bid_placed", player="p4", amount=6))
    phone.stands_at(6)  # what it made of the old answer would be there by now, and stay
    phone.misses("went-back")
    phone.page.reload()
    phone.reads("standing", "Daisuke bids 6")
    phone.misses("went-back")
