"""Who looks on has a view of their own: a name pinned, what is asked, what lies there, the round in words."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def dealt(player: int, card: str = "plain") -> Json:
    return event("card_dealt", player=f"p{player}", card=card)


OPENED = (event("round_opened"), event("field_card_revealed", card="swords-1"))
AUCTION = (*OPENED, dealt(1, "cups-10"), event("bid_placed", player="p2", amount=4), dealt(2), dealt(3))


def test_a_name_is_pinned_once_and_its_cards_follow(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*AUCTION)
    viewer = table.link("viewer")["token"]
    phone.sits_down(table, token=viewer)
    phone.tap("pin", "pin-p2")
    own = {player["id"]: player["won"] for player in table.looks()["players"]}["p2"]
    phone.reads("my-balance", str(abs(own)))
    phone.reads("my-ride-cups-10", "Maid of Cups, for 4")
    phone.misses("my-card-cups-11")
    table.reports(event("event_taken_back", seq=6), event("event_taken_back", seq=5), dealt(2, "cups-11"))
    table.reports(event("bid_placed", player="p7", amount=9))
    phone.reads("standing", "Goro bids 9")
    phone.reads("my-card-cups-11", "for sale")
    table.reports(dealt(3))
    phone.reads("my-card-cups-11", "Goro, for 9")
    phone.page.reload()
    phone.sees("my-card-cups-11", "my-ride-cups-10")
    phone.tap("pin", "pin-p3")
    phone.misses("my-ride-cups-10")
    phone.tap("pin", "unpin")
    phone.misses("my-balance")


def test_the_round_is_told_in_words_as_it_stands(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*AUCTION)
    phone.sits_down(table, token=table.link("viewer")["token"])
    lines = phone.at("in-words").locator("li")
    expect(lines).to_have_text(
        [
            "2 plain cards",
            "Ben bids 4",
            "Dealt to Aki: Maid of Cups",
            re.compile("Dragon of Swords"),
            "The round was opened",
        ]
    )
    table.reports(event("event_taken_back", seq=6), dealt(3, "clubs-12"))
    expect(lines.first).to_have_text("Dealt to Chie: King of Clubs")
    expect(lines.nth(1)).to_have_text("1 plain card")
    phone.tap("log")
    phone.sees("event-8")


@pytest.mark.parametrize(("width", "height"), [(360, 740), (740, 360), (1180, 820)])
def test_the_right_dealer_stands_there_and_the_result(width: int, height: int, phones: Phones, opens: Opens) -> None:
    table = opens("shippin", 5)
    phone = phones(viewport={"width": width, "height": height})
    phone.sits_down(table, token=table.link("viewer")["token"])
    deals(phone, "p1")
    table.reports(
        event("round_opened"), *(event("bet_placed", player=f"p{seat}", column=seat - 1) for seat in (2, 3, 4, 5))
    )
    deals(phone, "p1")
    table.reports(
        event("second_cards_dealt", columns=["7", "3", "5", "10"], dealer="9"),
        event("first_cards_revealed", columns=["2", "6", "4", "9"], dealer="1"),
    )
    phone.sees("outcome", "menu", "share", "pot")
    deals(phone, table.looks()["dealer"])
    phone.misses("next-round", "undo")
    phone.fits()
    table.reports(event("session_closed"))
    phone.sees("ending")
    phone.misses("next-evening", "undo")


def deals(phone: Phone, player: str) -> None:
    expect(phone.at("dealer")).to_have_attribute("data-player", player)


def test_a_link_that_may_record_opens_the_table(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table, token=table.link("viewer")["token"])
    phone.sees("looking-on")
    phone.sits_down(table, token=table.link("scorer")["token"])
    phone.sees("open-round")
    phone.misses("looking-on")
