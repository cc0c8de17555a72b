"""A closed evening: who won, who pays whom, a picture to send, the next evening, and the way back."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import reads, the_page_agrees
from tests.page.table import NAMES, Table
from tests.page.views import ENDED, FORFEITED, WON, View, later
from tests.scorekeeper import event
from tests.service import Service

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]
PLAYED = f"{WON}{later(FORFEITED, 1)}{later(WON, 2)}describe chip-value=10 JPY\n"


def evening(service: Service, text: str = ENDED) -> Table:
    """Three rounds of fifteen people: the best ride was Ichiro's on Junko's card."""
    table = View("", "", "shirinma", 15, text).table(service)
    assert table is not None
    return table


def receives(phone: Phone, text: str) -> Locator:
    """The payments to one person, by what is said above them."""
    return phone.at("ending").locator("section section").filter(has_text=text)


def test_closing_leads_to_who_won_and_who_pays_whom(phone: Phone, service: Service) -> None:
    table = evening(service, PLAYED)
    phone.sits_down(table)
    phone.tap("menu", "close-session", "confirm")
    phone.sees("podium")
    expect(phone.page).to_have_url(re.compile(rf"#/s/{table.id}$"))
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Junko's evening")
    expect(phone.at("podium").get_by_role("listitem")).to_have_text(
        [re.compile(text) for text in ("Junko.*342.*1", "Ichiro.*337.*2", "Goro.*134.*3")]
    )
    phone.reads("best", "Ichiro on Junko, 5 paid, 423 won")
    group = receives(phone, "Junko gets 342 from 4")
    expect(group.get_by_role("checkbox")).to_have_text([re.compile(each) for each in ("102.*¥1,020", "90", "90", "60")])
    phone.misses("open-round", "next-round")
    phone.tap("all")
    the_page_agrees(phone, table)
    won = {player["id"]: player["won"] for player in table.looks()["players"]}
    phone.tap("pay-p6-p10")
    phone.stands_at(table.seq)
    assert table.looks()["players"][5]["balance"] == 0
    the_page_agrees(phone, table)
    for player, chips in won.items():
        phone.eventually(partial(reads, phone, f"won-{player}", chips))
    expect(group.get_by_role("checkbox", checked=True)).to_have_text(re.compile("Fumio.*102.*¥1,020"))
    expect(group).to_contain_text("Junko gets 342 from 4")


def test_who_looks_on_sees_it_and_changes_nothing(phone: Phone, service: Service) -> None:
    table = evening(service)
    phone.sits_down(table, token=table.link("viewer")["token"])
    phone.sees("podium", "best", "picture", "payment-p6-p10", "paid-p1-p9")
    phone.misses("next-evening", "reopen", "undo", "pay-p6-p10")


def test_the_closing_is_undone_and_the_evening_goes_on(phone: Phone, service: Service) -> None:
    table = evening(service, f"{PLAYED}close\n")
    phone.sits_down(table)
    phone.tap("undo", "confirm")
    phone.sees("next-round")
    table.reports(event("session_closed"))
    phone.tap("reopen")
    phone.sees("next-round")
    assert table.looks()["status"] == "open"


def test_the_next_evening_has_the_same_people(phone: Phone, service: Service) -> None:
    table = evening(service)
    phone.sits_down(table)
    phone.tap("next-evening")
    phone.sees("open-round", *(f"seat-p{seat}" for seat in range(1, 16)))
    expect(phone.page).not_to_have_url(re.compile(table.id))
    phone.reads("seat-p15", NAMES[14])


def test_where_nobody_is_ahead_there_is_no_podium_and_ties_share_a_step(phones: Phones, opens: Opens) -> None:
    phone = phones()
    even = opens("shippin", 3, name="Fukui")
    even.reports(event("session_closed"))
    phone.sits_down(even)
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Fukui")
    phone.misses("podium")
    tied = opens("shippin", 3)
    tied.reports(event("round_entered", payments={"p3": 8}, payouts={"p1": 4, "p2": 4}), event("session_closed"))
    phone.sits_down(tied)
    steps = phone.at("podium").get_by_role("listitem")
    expect(steps).to_have_text([re.compile("Aki.*Ben.*4.*1"), re.compile("Chie.*8.*3")])


WRITTEN = """() => {
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...where) {
    (window.written ??= []).push(text);
    fillText.call(this, text, ...where);
  };
}"""


def saved(phone: Phone) -> bytes:
    """The picture as it is saved."""
    expect(phone.at("picture-save")).to_be_enabled()
    with phone.page.expect_download() as waited:
        phone.tap("picture-save")
    return Path(waited.value.path()).read_bytes()


def test_the_picture_is_made_on_the_phone_with_names_or_without(phone: Phone, service: Service) -> None:
    table = evening(service)
    phone.sits_down(table)
    phone.page.evaluate(WRITTEN)
    phone.sees("best")
    phone.tap("picture")
    named = saved(phone)
    assert (named[:8], struct.unpack(">II", named[16:24])) == (b"\x89PNG\r\n\x1a\n", (1080, 1350))
    written = phone.page.evaluate("window.written.splice(0)")
    assert {*NAMES[:15], "Junko's evening", "+342"} <= set(written)
    phone.tap("picture-names")
    phone.eventually(lambda: "J." in phone.page.evaluate("window.written ?? []"))
    bare = saved(phone)
    assert struct.unpack(">II", bare[16:24]) == (1080, 1350)
    written = phone.page.evaluate("window.written")
    assert "+342" in written
    assert not [text for text in written if any(name in text for name in NAMES[:15])]
    assert bare != named


SHARES = """() => Object.assign(navigator, {
  canShare: ({ files }) => files.length === 1,
  share: async ({ files }) => { window.shared = [files[0].name, files[0].type]; },
})"""


def test_where_the_phone_can_share_files_the_picture_is_sent(phone: Phone, service: Service) -> None:
    phone.sits_down(evening(service))
    phone.page.evaluate(SHARES)
    phone.tap("picture", "picture-send")
    phone.page.wait_for_function("window.shared")
    assert phone.page.evaluate("window.shared") == ["Fukui, New Year.png", "image/png"]
