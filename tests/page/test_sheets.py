"""Sheets: they close by × and by the way back, leave nothing behind, and give the focus back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def moved(to: str, amount: int) -> Json:
    return event("chips_moved", **{"from": "p1", "to": to, "amount": amount})


def sat_down(phone: Phone, opens: Opens, *events: Json) -> Table:
    """A table that was come to from the start."""
    table = opens("shippin", 3)
    if events:
        table.reports(*events)
    phone.goes()
    phone.sees("new-game-shippin")
    phone.sits_down(table)
    phone.sees("menu")
    phone.stands_at(table.seq)
    return table


def is_at(phone: Phone, below: str) -> None:
    expect(phone.page).to_have_url(re.compile(f"{below}$"))


# --- the way back ---------------------------------------------------------------------------------------------------


def test_the_way_back_closes_the_sheet_and_only_then_leaves(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens)
    phone.tap("menu", "chips")
    phone.sees("chips-amount")
    phone.page.go_back()
    phone.misses("chips-amount")
    is_at(phone, table.id)
    phone.tap("menu")
    phone.page.go_back()
    phone.misses("menu-sheet")
    is_at(phone, table.id)
    phone.page.go_back()
    phone.sees("new-game-shippin")


def test_sheets_on_top_of_one_another_take_one_back_each(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens, moved("p2", 5))
    phone.tap("seat-p2")
    phone.sees("why")
    phone.page.get_by_test_id("menu").dispatch_event("click")
    phone.sees("menu-sheet", "why")
    phone.page.go_back()
    phone.misses("menu-sheet")
    phone.sees("why")
    phone.page.go_back()
    phone.misses("why")
    is_at(phone, table.id)
    phone.page.go_back()
    phone.sees("new-game-shippin")


@pytest.mark.parametrize("many", [1, 2])
def test_a_sheet_that_was_closed_by_hand_takes_no_way_back(many: int, phone: Phone, opens: Opens) -> None:
    sat_down(phone, opens)
    phone.tap("seat-p2")
    if many == 2:
        phone.page.get_by_test_id("menu").dispatch_event("click")
        phone.sees("menu-sheet")
        phone.page.keyboard.press("Escape")
        phone.misses("menu-sheet")
    phone.tap("close-sheet")
    phone.misses("why")
    phone.page.go_back()
    phone.sees("new-game-shippin")


@pytest.mark.parametrize("many", [1, 2])
def test_a_view_that_a_sheet_led_to_comes_back_to_where_that_was_opened(many: int, phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens)
    if many == 2:
        phone.tap("seat-p2")
        phone.sees("why")
        phone.page.get_by_test_id("menu").dispatch_event("click")
    else:
        phone.tap("menu")
    phone.tap("statistics")
    is_at(phone, "statistics")
    phone.misses("menu-sheet")
    phone.page.go_back()
    is_at(phone, table.id)
    phone.sees("open-round")
    phone.misses("menu-sheet", "why")
    phone.page.go_back()
    phone.sees("new-game-shippin")


def test_a_link_to_the_view_that_is_shown_closes_the_menu(phone: Phone, opens: Opens) -> None:
    sat_down(phone, opens)
    phone.tap("menu", "statistics", "menu", "statistics")
    phone.misses("menu-sheet")
    phone.page.go_back()
    phone.sees("open-round")
    phone.page.go_back()
    phone.sees("new-game-shippin")


def test_a_sheet_that_was_open_before_a_reload_takes_no_way_back(phone: Phone, opens: Opens) -> None:
    sat_down(phone, opens)
    phone.tap("menu")
    phone.sees("menu-sheet")
    phone.page.reload()
    phone.sees("open-round")
    phone.misses("menu-sheet")
    phone.eventually(lambda: phone.page.evaluate("!history.state?.sheets"))
    phone.page.go_back()
    phone.sees("new-game-shippin")


# --- the focus ------------------------------------------------------------------------------------------------------


def has_focus(phone: Phone, what: str) -> None:
    phone.eventually(lambda: phone.page.evaluate("what => document.activeElement.matches(what)", what))


def test_what_opened_a_sheet_has_the_focus_after_it(phone: Phone, opens: Opens) -> None:
    sat_down(phone, opens, moved("p2", 5))
    phone.tap("seat-p2")
    has_focus(phone, "[data-test=close-sheet]")
    expect(phone.at("close-sheet")).to_have_accessible_name("Close")
    phone.tap("close-sheet")
    has_focus(phone, "[data-test=seat-p2]")
    phone.tap("menu", "chips")
    phone.page.keyboard.press("Escape")
    has_focus(phone, "[data-test=menu]")


def test_what_opened_a_sheet_is_found_again_where_it_was_drawn_anew(phone: Phone, opens: Opens) -> None:
    sat_down(phone, opens, moved("p2", 5))
    phone.tap("seat-p2")
    phone.at("seat-p2").evaluate("seat => seat.replaceWith(seat.cloneNode(true))")
    phone.tap("close-sheet")
    has_focus(phone, "[data-test=seat-p2]")


def test_where_what_opened_a_sheet_is_gone_the_heading_has_the_focus(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens, moved("p2", 5), moved("p3", 6))
    phone.tap("log", "take-back-2", "confirm")
    phone.stands_at(3)
    phone.misses("take-back-2")
    has_focus(phone, "main h1")
    assert table.log[-1]["target"] == 2


# --- a tap that comes too soon --------------------------------------------------------------------------------------

AT_ONCE = """
async (hook) => {
    const drawn = async () => { for (let turn = 0; turn < 50; turn += 1) await undefined; };
    const { x, y, width, height } = document.querySelector(`[data-test="${hook}"]`).getBoundingClientRect();
    const tap = () => document.elementFromPoint(x + width / 2, y + height / 2).click();
    const met = [];
    addEventListener("click", (tapped) => met.push(tapped.target.closest("button")?.dataset.test ?? null));
    tap();
    await drawn();
    tap();
    await drawn();
    return [met, document.querySelectorAll("dialog[open]").length];
}
"""
"""Tap twice where something is, before any time has passed."""


def test_the_second_half_of_a_double_tap_meets_nothing(phone: Phone, opens: Opens) -> None:
    """Neither in the sheet that the first one opened, nor beside it, nor below the one that it closed."""
    table = sat_down(phone, opens, moved("p2", 5), moved("p3", 6), event("event_taken_back", seq=2))
    phone.sees("undo")
    assert phone.page.evaluate(AT_ONCE, "undo") == [["undo", None], 1]
    phone.sees("undone")
    phone.is_free("confirm")
    assert phone.page.evaluate(AT_ONCE, "confirm") == [["confirm", None], 0]
    phone.stands_at(4)
    assert (table.log[-1]["target"], table.seq) == (1, 4)


def test_a_key_that_is_held_opens_a_sheet_and_does_nothing_in_it(phone: Phone, opens: Opens) -> None:
    sat_down(phone, opens)
    phone.at("menu").focus()
    for _ in range(2):
        phone.page.keyboard.down("Enter")
    phone.sees("menu-sheet")
    phone.page.keyboard.up("Enter")
    phone.page.keyboard.press("Enter")
    phone.misses("menu-sheet")
