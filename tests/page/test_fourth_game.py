"""A game that the page has never heard of is recorded by forms, made of what the API tells of its events."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import table_on, the_page_agrees
from tests.page.table import Table
from tests.scorekeeper import event
from tests.service import Service

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def with_a_fourth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("fourth")
    with Service(folder / "ledger.db", workers=1, app="tests.page.fourth_game:app") as running:
        yield running


def test_a_made_up_game_is_recorded_by_forms(phones: Phones, with_a_fourth: Service) -> None:
    phone = phones(address=f"http://127.0.0.1:{with_a_fourth.port}")
    phone.goes()
    phone.tap("new-game-takafuda")
    phone.types("names", "Aki\nBen")
    phone.types("rule-stake", 3)
    phone.tap("open")
    phone.sees("open-round")
    table = table_on(phone, with_a_fourth)
    phone.tap("open-round")
    phone.stands_at(1)
    turns(phone, "p1", "cups-11")
    phone.stands_at(2)
    expect(phone.at("table")).to_contain_text("Aki")
    phone.tap("report-pot_raised", "record")
    phone.sees("fault-player", "fault-surplus")
    phone.tap("for-p1")
    phone.types("field-surplus", "many")
    phone.tap("record")
    phone.reads("unread", "whole number")
    phone.reads("field-surplus-at-most", "At most 6")
    phone.types("field-surplus", 6)
    expect(phone.page.get_by_label("One more")).to_be_disabled()
    phone.types("field-surplus", 4)
    phone.tap("record")
    phone.stands_at(3)
    turns(phone, "p2", "swords-5")
    phone.stands_at(4)
    phone.tap("report-cards_compared", "record")
    phone.stands_at(5)
    phone.sees("outcome")
    phone.reads("outcome", "Aki")
    assert table.balances() == {"p1": 3, "p2": -3}
    the_page_agrees(phone, table)


def test_its_buttons_are_never_cut_off(phones: Phones, with_a_fourth: Service) -> None:
    table = Table.opened(with_a_fourth, "takafuda", 4)
    table.reports(event("round_opened"), event("card_turned", player="p1", card="cups-11"))
    phone = phones(address=f"http://127.0.0.1:{with_a_fourth.port}")
    phone.page.set_viewport_size({"width": 360, "height": 740})
    phone.sits_down(table)
    phone.sees("record")
    for size in ("100%", "130%", "200%"):
        phone.page.evaluate("(size) => (document.documentElement.style.fontSize = size)", size)
        assert phone.page.evaluate(CUT_OFF) == []
        phone.fits()


CUT_OFF = """() => [...document.querySelectorAll(".kinds button")].filter((each) => {
    const { left, right } = each.getBoundingClientRect();
    return left < 0 || right > innerWidth || each.scrollWidth > each.clientWidth;
}).map((each) => each.textContent)"""


def turns(phone: Phone, player: str, card: str) -> None:
    """Say who turned which card."""
    phone.tap("report-card_turned", f"for-{player}", f"card-{card}", "record")
