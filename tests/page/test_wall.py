"""The wall, the room's second screen: ranked, the table shown, leavers kept, and a way in for phones."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]

TELEVISION = {"viewport": {"width": 1280, "height": 720}, "has_touch": False, "is_mobile": False}
SIZES = {"television": (1280, 720), "full": (1920, 1080), "tablet": (1180, 820), "phone": (360, 740)}
REACHABLE = "localStorage.setItem('fuda.origin', 'http://192.168.1.20:8000')"
"""Phones find the service there."""

CUT = """() => [...document.querySelectorAll(".wall-row")].filter((row) => {
  const [own, { bottom }] = [row.getBoundingClientRect(), document.querySelector(".wall").getBoundingClientRect()];
  const amount = row.querySelector(".wall-amount");
  const isLow = own.height < parseFloat(getComputedStyle(row).fontSize);
  return own.bottom > bottom || isLow || amount.scrollWidth > amount.clientWidth;
}).map((row) => row.textContent)"""
"""Rows that are cut at the lower edge, or whose letters or amounts are."""


def entered(**won: int) -> Json:
    """A round in which these people won, or lost, so many chips."""
    payouts = {player: chips for player, chips in won.items() if chips > 0}
    payments = {player: -chips for player, chips in won.items() if chips < 0}
    return event("round_entered", payments=payments, payouts=payouts, next_dealer="p1")


def order(phone: Phone) -> list[str]:
    rows = phone.page.locator("[data-test^=rank-]").evaluate_all("all => all.map((row) => row.dataset.test)")
    return [hook.removeprefix("rank-") for hook in rows]


def test_everybody_is_ranked_and_who_left_is_kept(phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(entered(p1=30, p2=20, p3=-50), entered(p1=-40, p2=10, p3=30), event("player_left", player="p3"))
    wall = phones(**TELEVISION)
    wall.sits_down(table, "board", table.link("viewer")["token"])
    wall.reads("rank-p3", "left")
    wall.reads("balance-p3", "−20")
    assert order(wall) == ["p2", *(f"p{seat}" for seat in range(4, 13)), "p1", "p3"]
    wall.reads("change-p2", "▲1")
    wall.reads("change-p1", "▼10")
    wall.misses("change-p3")
    table.reports(entered(p1=100, p2=-60, p4=-40))
    wall.stands_at(table.seq)
    wall.eventually(lambda: order(wall)[0] == "p1")
    wall.reads("change-p1", "▲10")


def test_the_bidder_and_whose_card_is_sold_stand_out_and_the_table_is_shown(phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    wall = phones(**TELEVISION)
    wall.sits_down(table, "board", table.link("viewer")["token"])
    wall.is_turned_to("rank-p1")
    table.reports(event("card_dealt", player="p1", card="cups-11"), event("bid_placed", player="p4", amount=16))
    wall.reads("auctioned", "Who rides on Aki's Horse of Cups?")
    wall.reads("auctioned", "Daisuke bids 16")
    wall.reads("held-cups-11", "for sale")
    wall.is_turned_to("rank-p1")
    expect(wall.at("dealer")).to_have_attribute("data-player", "p1")
    wall.fits(whole=True)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", [15, 23])
def test_all_are_in_sight(players: int, size: str, phones: Phones, opens: Opens) -> None:
    """Also with large amounts; on a phone it is one column."""
    width, height = SIZES[size]
    table = opens("shirinma", players, odds=True)
    table.reports(event("chips_moved", from_="p1", to="p2", amount=123456), event("round_opened"))
    table.reports(event("field_card_revealed", card="swords-1"), event("card_dealt", player="p1", card="cups-11"))
    wall = phones(viewport={"width": width, "height": height})
    wall.sits_down(table, "board", table.link("viewer")["token"])
    wall.sees("auctioned", "held-cups-11", "ride-worth")
    wall.fits(whole=size != "phone")
    assert wall.page.evaluate(CUT) == []


def test_its_code_is_of_one_link_that_only_looks_on(phones: Phones, opens: Opens) -> None:
    table = opens("shippin", 3)
    owner = phones(**TELEVISION)
    owner.context.add_init_script(REACHABLE)
    owner.sits_down(table, "board")
    owner.sees("qr")
    (_, made) = table.looks("/links")["links"]
    assert made["role"] == "viewer"
    drawn = owner.at("qr").inner_html()
    owner.page.reload()
    owner.sees("qr")
    assert owner.at("qr").inner_html() == drawn
    assert len(table.looks("/links")["links"]) == 2
    kept = json.loads(owner.page.evaluate(f"localStorage['fuda.wall.{table.id}']"))["token"]
    guest = phones(**TELEVISION)
    guest.context.add_init_script(REACHABLE)
    guest.sits_down(table, "board", kept)
    guest.sees("qr")
    assert guest.at("qr").inner_html() == drawn, "a viewer's own link is shown as it is"
    table.asks("DELETE", f"/links/{made['id']}")
    owner.page.reload()
    owner.eventually(lambda: len(table.looks("/links")["links"]) == 3)
    owner.eventually(lambda: owner.at("qr").inner_html() != drawn)
    scorer = phones(**TELEVISION)
    scorer.sits_down(table, "board", table.link("scorer")["token"])
    scorer.sees("pot")
    scorer.misses("qr")
