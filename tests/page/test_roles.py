"""What a link may do decides which buttons there are; a stronger key is not replaced by a weaker one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import the_page_agrees
from tests.page.table import Table
from tests.scorekeeper import event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def test_a_viewer_looks_and_records_nothing(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    phone.sits_down(table, token=table.link("viewer")["token"])
    phone.stands_at(2)
    phone.sees("balance-p1", "pot", "log")
    phone.misses("undo", "card-plain", "open-round", "problem")
    table.reports(event("card_dealt", player="p1", card="cups-12"))
    phone.stands_at(3)
    the_page_agrees(phone, table)


def test_a_viewers_link_on_the_owners_phone_does_not_replace_the_stronger_one(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table)
    phone.sees("open-round")
    phone.sits_down(table, token=table.link("viewer")["token"])
    phone.tap("open-round")
    phone.stands_at(1)


def test_a_revoked_link_opens_nothing_more(phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12)
    viewer = table.link("viewer")
    phone = phones()
    phone.sits_down(table, token=viewer["token"])
    phone.sees("balance-p1")
    assert table.asks("DELETE", f"/links/{viewer['id']}").status == 204
    phone.page.reload()
    phone.sees("problem")


def test_who_is_looking_when_a_link_is_revoked_is_told(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    viewer = table.link("viewer")
    phone.sits_down(table, view="board", token=viewer["token"])
    phone.sees("board")
    assert table.asks("DELETE", f"/links/{viewer['id']}").status == 204
    phone.sees("problem")
    phone.misses("board")


def test_a_link_takes_the_place_of_a_stronger_one_that_is_dead(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    scorer, viewer = table.link("scorer"), table.link("viewer")
    phone.sits_down(table, token=scorer["token"])
    phone.sees("open-round")
    assert table.asks("DELETE", f"/links/{scorer['id']}").status == 204
    phone.sits_down(table, token=viewer["token"])
    phone.sees("balance-p1")
    phone.misses("open-round", "problem")
