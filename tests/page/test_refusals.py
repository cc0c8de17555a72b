"""A refusal says what was reported and why not, and has up to three ways on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def dealt_out_of_turn(phone: Phone, opens: Opens) -> Table:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    phone.sits_down(table)
    phone.stands_at(2)
    phone.tap("for-p5", "card-cups-11")
    return table


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_a_card_out_of_turn_is_recorded_for_the_one_whose_turn_it_is(locale: str, phones: Phones, opens: Opens) -> None:
    phone = phones(locale=locale)
    table = dealt_out_of_turn(phone, opens)
    phone.reads("refused", "Emi")
    phone.reads("problem", "Aki")
    expect(phone.at("problem")).to_have_attribute("role", "alert")
    phone.sees("drop", "overrule")
    phone.reads("record-for", "Aki")
    phone.fits()
    phone.tap("record-for")
    phone.stands_at(3)
    phone.misses("problem", "record-for")
    assert (table.log[2]["player"], table.log[2]["card"], table.log[2].get("overrule")) == ("p1", "cups-11", None)


def test_a_card_out_of_turn_is_not_recorded(phone: Phone, opens: Opens) -> None:
    table = dealt_out_of_turn(phone, opens)
    phone.tap("drop")
    phone.misses("problem", "pending")
    phone.is_turned_to("for-p1")
    assert table.seq == 2


def test_a_card_out_of_turn_was_played_so(phone: Phone, opens: Opens) -> None:
    table = dealt_out_of_turn(phone, opens)
    phone.tap("overrule")
    expect(phone.at("reason")).to_be_focused()
    phone.tap("confirm")
    assert table.seq == 2  # nothing without a reason
    phone.types("reason", "Emi sat too near")
    phone.tap("confirm")
    phone.stands_at(3)
    assert (table.log[2]["player"], table.log[2]["overrule"]) == ("p5", "Emi sat too near")


def test_nobody_else_is_offered_where_it_is_no_question_of_turns(phone: Phone, opens: Opens) -> None:
    table = opens("kakkuri", 7)
    table.reports(event("round_opened"), event("starter_revealed", card="cups-4"))
    phone.sits_down(table)
    phone.tap("card-coins-9", "turn-done")
    phone.reads("refused", "9")
    phone.sees("drop")
    phone.misses("record-for")
    assert table.seq == 2


def test_what_waits_behind_a_refusal_is_tried_after_it(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    phone.sits_down(table)
    phone.stands_at(2)
    phone.context.set_offline(True)
    for player in ("p5", "p8"):
        phone.tap(f"for-{player}", "card-plain")
    phone.reads("pending", "2")
    phone.context.set_offline(False)
    phone.reads("refused", "Emi")
    phone.tap("drop")
    phone.reads("refused", "Haruka")
    phone.sees("record-for", "overrule")  # both ways are there, and nothing moves any more
    phone.tap("record-for")
    phone.stands_at(3)
    assert table.log[2]["player"] == "p1"
