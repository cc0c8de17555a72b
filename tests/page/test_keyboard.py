"""A keyboard alone suffices: an evening from the start to its second round, and a sheet that is opened and closed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import table_on, the_page_agrees
from tests.service import Service

pytestmark = pytest.mark.integration

MOST = 200
"""No view has so many places to stop at."""

FOCUSED = "document.activeElement?.closest('[data-test]')?.dataset.test ?? ''"


@pytest.fixture
def keyboard(phones: Phones) -> Phone:
    """A computer without a screen to touch; nobody has a mouse."""
    return phones(has_touch=False, is_mobile=False)


def reaches(keyboard: Phone, hook: str) -> None:
    """Go on with the tabulator until something has the focus, as soon as it is there."""
    keyboard.sees(hook)
    for _ in range(MOST):
        if keyboard.page.evaluate(FOCUSED) == hook:
            return
        keyboard.page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator does not lead to {hook}")


def presses(keyboard: Phone, *hooks: str) -> None:
    for hook in hooks:
        expect(keyboard.at(hook)).to_be_enabled()
        reaches(keyboard, hook)
        keyboard.page.keyboard.press("Enter")


def test_an_evening_is_recorded_without_a_pointer(keyboard: Phone, service: Service) -> None:
    keyboard.goes()
    presses(keyboard, "new-game-shippin")
    reaches(keyboard, "names")
    keyboard.page.keyboard.type("Aki\nBen\nChie")
    presses(keyboard, "open")
    presses(keyboard, "open-round", "bet-p2", "column-1", "bet-p3", "column-2", "second-cards")
    for card in ("card-7", "card-3", "card-5", "card-10", "card-9"):
        presses(keyboard, card)
    keyboard.stands_at(4)
    for card in ("card-2", "card-4", "card-6", "card-10", "card-8"):
        presses(keyboard, card)
    keyboard.sees("outcome")
    the_page_agrees(keyboard, table_on(keyboard, service))
    presses(keyboard, "next-round")
    keyboard.stands_at(6)
    presses(keyboard, "undo")
    keyboard.stands_at(7)
    keyboard.sees("next-round")


def test_a_sheet_is_opened_and_closed_and_leads_back(keyboard: Phone, service: Service) -> None:
    keyboard.goes()
    presses(keyboard, "new-game-shippin")
    reaches(keyboard, "names")
    keyboard.page.keyboard.type("Aki\nBen\nChie")
    presses(keyboard, "open", "menu")
    keyboard.sees("close-sheet")
    keyboard.page.keyboard.press("Escape")
    keyboard.misses("close-sheet")
    expect(keyboard.at("menu")).to_be_focused()
    assert table_on(keyboard, service).seq == 0
