"""A network that comes and goes: what is tapped stands at once, is kept by the phone, and is recorded once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.page.conftest import Phones, begun
from tests.page.phone import Phone
from tests.page.seen import the_page_agrees
from tests.page.table import Table
from tests.scorekeeper import event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def types(table: Table) -> list[str]:
    return [event["type"] for event in table.log]


def test_without_a_network_reports_wait_and_are_sent_in_order_afterwards(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.context.set_offline(True)
    phone.tap("card-plain", "card-cups-11", "card-plain")
    phone.sees("pending", "offline")
    phone.reads("pending", "3")
    assert table.seq == 2
    phone.context.set_offline(False)
    phone.stands_at(5)
    assert [(event["player"], event["card"]) for event in table.log[2:]] == [
        ("p1", "plain"),
        ("p2", "cups-11"),
        ("p3", "plain"),
    ]
    the_page_agrees(phone, table)
    phone.misses("offline")


def test_a_reload_in_the_middle_loses_nothing(phone: Phone, opens: Opens) -> None:
    """Not even where no service worker opens the page: it comes back with the network, and so do the reports."""
    table = begun(phone, opens)
    phone.context.set_offline(True)
    phone.tap("card-plain", "card-cups-11")
    phone.reads("pending", "2")
    address = phone.page.url
    phone.page.goto("about:blank")
    phone.context.set_offline(False)
    phone.page.goto(address)
    phone.stands_at(4)
    assert types(table)[2:] == ["card_dealt", "card_dealt"]


def test_the_page_opens_offline_where_the_browser_allows_it(phones: Phones, opens: Opens) -> None:
    """127.0.0.1 is a secure context, as HTTPS is."""
    phone = phones(blamed=False, service_workers="allow")  # a browser that is offline says so, and that is no fault
    table = begun(phone, opens)
    phone.page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    phone.context.set_offline(True)
    phone.tap("card-plain")
    phone.reads("pending", "1")
    phone.page.reload()
    phone.reads("pending", "1")
    phone.tap("card-plain")
    phone.reads("pending", "2")
    phone.context.set_offline(False)
    phone.stands_at(4)
    assert types(table)[2:] == ["card_dealt", "card_dealt"]


def test_an_answer_that_is_lost_doubles_nothing(phones: Phones, opens: Opens) -> None:
    phone = phones(blamed=False)
    table = begun(phone, opens)
    lost: list[str] = []

    def answer_is_lost(route: Route) -> None:
        if route.request.method != "POST" or len(lost) == 2:
            route.continue_()
            return
        lost.append(route.request.headers["idempotency-key"])
        route.fetch()
        route.abort("connectionreset")

    phone.page.route("**/events", answer_is_lost)
    phone.tap("card-plain", "card-cups-11")
    phone.stands_at(4)
    assert len(lost) == 2
    assert types(table)[2:] == ["card_dealt", "card_dealt"]
    phone.misses("conflict")


@pytest.mark.parametrize("choice", ["conflict-drop", "conflict-send"])
def test_a_table_that_moved_on_meanwhile_is_shown_beside_what_waits(phone: Phone, opens: Opens, choice: str) -> None:
    table = begun(phone, opens)
    phone.context.set_offline(True)
    phone.tap("card-plain", "card-cups-11")
    phone.reads("pending", "2")
    table.reports(event("card_dealt", player="p1", card="cups-10"))
    phone.context.set_offline(False)
    phone.sees("conflict")
    phone.reads("conflict-theirs", "Cups")
    phone.page.keyboard.press("Escape")
    phone.page.keyboard.press("Escape")
    phone.sees("conflict")  # a browser closes any dialog at the second; this one needs an answer
    assert table.seq == 3
    phone.tap(choice)
    phone.misses("conflict")
    if choice == "conflict-send":
        phone.sees("problem")  # p1 has a card by now: draining stops there, and the rest is kept
        assert table.seq == 3
        phone.tap("drop")
        phone.stands_at(4)
        assert table.log[-1]["card"] == "cups-11"
    else:
        phone.stands_at(3)
        assert table.seq == 3
    the_page_agrees(phone, table)


def test_draining_stops_at_the_first_refusal_and_keeps_the_rest(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.context.set_offline(True)
    phone.tap("card-cups-11")
    phone.tap("for-p5")
    phone.tap("card-plain")  # not their turn
    phone.tap("card-plain")
    phone.reads("pending", "3")
    phone.context.set_offline(False)
    phone.sees("problem")
    phone.eventually(lambda: table.seq == 3)
    phone.page.reload()
    phone.sees("problem")
    assert table.seq == 3
    phone.tap("overrule")
    phone.types("reason", "dealt out of turn")
    phone.tap("confirm")
    phone.stands_at(4)
    assert (table.log[3]["player"], table.log[3]["overrule"]) == ("p5", "dealt out of turn")


def test_undo_takes_out_of_what_waits_what_nobody_heard(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.context.set_offline(True)
    phone.tap("card-plain", "card-plain")
    phone.sees("offline")
    phone.tap("undo")
    phone.reads("pending", "1")
    phone.context.set_offline(False)
    phone.stands_at(3)
    assert types(table)[2:] == ["card_dealt"]
