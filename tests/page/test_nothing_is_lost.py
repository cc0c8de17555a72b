"""Nothing is lost and nothing doubled by fingers: a double tap, an undo too many, a page that is killed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from tests.page.conftest import BEGUN, Phones, begun
from tests.page.phone import Phone
from tests.page.seen import the_page_agrees
from tests.page.table import Table
from tests.scorekeeper import event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def standing(table: Table) -> list[str]:
    """The cards that were dealt and not taken back."""
    return [each["card"] for each in table.log if each["type"] == "card_dealt" and each["status"] == "standing"]


# --- a double tap ---------------------------------------------------------------------------------------------------


def test_a_double_tap_records_once_and_two_taps_twice(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.taps_at_once("card-plain", "card-plain")
    phone.stands_at(3)
    phone.tap("card-plain", "card-plain")
    phone.stands_at(5)
    phone.taps_at_once("undo", "undo")
    phone.stands_at(6)
    phone.misses("undo-sheet", "problem")
    assert [each["type"] for each in table.log[2:]] == [*["card_dealt"] * 3, "event_taken_back"]


def test_a_key_that_is_held_records_once(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.at("card-plain").focus()
    for _ in range(3):
        phone.page.keyboard.down("Enter")
        phone.is_free("card-plain")
    phone.page.keyboard.up("Enter")
    phone.stands_at(3)
    assert table.seq == 3
    phone.page.keyboard.press("Enter")
    phone.stands_at(4)


def test_two_cards_in_a_moment_are_two_taps(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.taps_at_once("card-cups-11", "card-cups-10")
    phone.stands_at(4)
    assert standing(table) == ["cups-11", "cups-10"]


# --- put back -------------------------------------------------------------------------------------------------------


def test_what_was_taken_back_is_put_back_by_a_tap(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.misses("put-back")
    phone.tap("card-cups-11")
    phone.stands_at(3)
    phone.misses("put-back")
    phone.tap("undo")
    phone.reads("log", "Horse of Cups")
    phone.stands_at(4)
    phone.tap("put-back")
    phone.stands_at(5)
    phone.misses("put-back", "undo-sheet", "conflict")
    assert (table.log[-1]["type"], table.log[-1]["target"]) == ("event_taken_back", 4)
    assert standing(table) == ["cups-11"]
    the_page_agrees(phone, table)


def test_an_undo_of_an_earlier_event_is_put_back_also_after_a_reload(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.tap("card-plain", "card-plain")
    phone.stands_at(4)
    phone.tap("log", "plain-3", "take-back-4", "confirm")
    phone.stands_at(5)
    phone.page.reload()
    phone.tap("back")
    phone.reads("log", "Ben")
    phone.tap("put-back")
    phone.stands_at(6)
    assert standing(table) == ["plain", "plain"]


def test_only_what_this_phone_took_back_last_is_put_back(phones: Phones, opens: Opens) -> None:
    mine, theirs = phones(), phones()
    table = begun(mine, opens)
    theirs.sits_down(table, token=table.link("scorer")["token"])
    mine.tap("card-plain")
    mine.stands_at(3)
    mine.tap("undo")
    mine.sees("put-back")
    theirs.stands_at(4)
    theirs.reads("log", "Aki")
    theirs.misses("put-back")
    theirs.tap("card-cups-11")
    mine.stands_at(5)
    mine.misses("put-back")


def test_without_a_network_what_was_taken_back_is_put_back(phone: Phone, opens: Opens) -> None:
    """An undo that is on its way is taken back itself."""
    table = begun(phone, opens)
    phone.tap("card-cups-11")
    phone.stands_at(3)
    phone.context.set_offline(True)
    phone.tap("undo")
    phone.sees("offline")
    phone.reads("log", "Horse of Cups")
    phone.tap("put-back")
    phone.misses("put-back")
    phone.context.set_offline(False)
    phone.stands_at(5)
    phone.misses("conflict", "problem")
    assert standing(table) == ["cups-11"]
    the_page_agrees(phone, table)


def test_an_undo_that_nobody_can_have_heard_is_as_if_it_had_not_been(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.context.set_offline(True)
    phone.tap("card-plain")
    phone.sees("offline")
    phone.tap("card-cups-11")
    phone.reads("pending", "2")
    phone.tap("undo")
    phone.reads("pending", "1")
    phone.reads("log", "Horse of Cups")
    phone.tap("put-back")
    phone.reads("pending", "2")
    phone.misses("put-back")
    phone.tap("undo")
    phone.sees("put-back")
    phone.tap("card-cups-10")
    phone.misses("put-back")  # something else was recorded
    phone.context.set_offline(False)
    phone.stands_at(4)
    assert standing(table) == ["plain", "cups-10"]


def is_killed(phone: Phone) -> None:
    """The page ends and does not hear of it, as when a phone is short of memory; another one is opened."""
    with phone.page.expect_event("crash"), suppress(Error):
        phone.page.goto("chrome://crash")
    phone.page.close()
    phone.page = phone.context.new_page()


# --- drafts ---------------------------------------------------------------------------------------------------------


def bids(phone: Phone, opens: Opens) -> tuple[Table, Callable[[], None]]:
    """An amount is chosen to bid; who bids it, is not."""
    table = opens("shirinma", 12)
    table.reports(*BEGUN, event("card_dealt", player="p1", card="cups-11"))
    phone.goes()
    phone.sees("new-game-shirinma")
    phone.sits_down(table)
    phone.tap("bid-plus-5")
    return table, lambda: expect(phone.at("bid-amount")).to_have_value("6")


def turns(phone: Phone, opens: Opens) -> tuple[Table, Callable[[], None]]:
    """A turn of Kakkuri is tapped and not recorded."""
    table = opens("kakkuri", 7)
    table.reports(event("round_opened"), event("starter_revealed", card="cups-4"))
    phone.goes()
    phone.sees("new-game-kakkuri")
    phone.sits_down(table)
    phone.tap("card-swords-5", "card-swords-6")
    return table, lambda: phone.reads("turn-done", "2 cards")


DRAFTS = pytest.mark.parametrize("drafted", [bids, turns])
Drafted = Callable[[Phone, Opens], tuple[Table, Callable[[], None]]]


@DRAFTS
def test_what_is_not_recorded_yet_outlives_the_way_back_and_forward(
    drafted: Drafted, phone: Phone, opens: Opens
) -> None:
    table, is_there = drafted(phone, opens)
    is_there()
    phone.page.go_back()
    phone.sees("new-game-shirinma")
    phone.page.go_forward()
    is_there()
    phone.page.goto("about:blank")
    phone.page.go_back()
    is_there()
    assert table.seq == len(table.log)


@DRAFTS
def test_what_is_not_recorded_yet_outlives_a_page_that_is_killed(drafted: Drafted, phone: Phone, opens: Opens) -> None:
    table, is_there = drafted(phone, opens)
    is_there()
    is_killed(phone)
    phone.goes(f"/#/s/{table.id}")
    is_there()


def test_reports_that_wait_outlive_a_page_that_is_killed(phone: Phone, opens: Opens) -> None:
    table = begun(phone, opens)
    phone.context.set_offline(True)
    phone.tap("card-plain", "card-cups-11")
    phone.reads("pending", "2")
    is_killed(phone)
    phone.context.set_offline(False)
    phone.goes(f"/#/s/{table.id}")
    phone.stands_at(4)
    assert standing(table) == ["plain", "cups-11"]
