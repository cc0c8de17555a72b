"""A round of Shirinma whose last card is a showdown card: its auction is asked for before the trump."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]
MOST = 23
"""Among so many all cards are dealt but one: the 32 plain ones, and these."""
GOOD = [f"{suit}-{rank}" for suit in ("coins", "clubs", "swords") for rank in (12, 11, 10, 1)] + ["cups-10", "cups-1"]
GOOD.remove("swords-1")


def one_card_before_the_last(table: Table, players: int) -> None:
    """Record a round in which only the last player's second card is still to be dealt."""
    seats = [f"p{seat}" for seat in range(1, players + 1)] * 2
    plain = len(seats) - 1 - len(GOOD) if players == MOST else len(seats) - 1
    codes = ["plain"] * plain + [*GOOD][: len(seats) - 1 - plain]
    cards = [event("card_dealt", player=player, card=card) for player, card in zip(seats, codes, strict=False)]
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"), *cards)


def recorded(table: Table) -> list[tuple[str, Json | int | str | None]]:
    """What was recorded after the last card."""
    told = {"bid_placed": "amount", "trump_revealed": "card"}
    last = next(each["seq"] for each in table.log if each.get("card") == "cups-11")
    return [(each["type"], each.get(told.get(each["type"], ""))) for each in table.log[last:]]


@pytest.mark.parametrize("players", [12, 15, 23])
def test_the_last_auction_is_asked_for_before_the_trump(players: int, phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", players)
    one_card_before_the_last(table, players)
    phone.sits_down(table)
    phone.tap("card-cups-11", "bidder-p2")
    phone.types("bid-amount", 5)
    phone.tap("bid")
    phone.misses("pending")
    assert table.looks()["round"]["phase"] == "auction"
    phone.reads("standing", "Ben bids 5")
    table.reports(event("bid_placed", player="p3", amount=9))
    phone.reads("standing", "Chie bids 9")
    phone.page.reload()
    phone.reads("standing", "Chie bids 9")
    phone.misses("card-cups-12")
    phone.eventually(lambda: nothing_is_covered(phone))
    expect(phone.at("bid")).to_be_in_viewport()
    phone.tap("bidder-p4", "auction-closed", "card-cups-12")
    phone.sees("outcome")
    phone.misses("pending")
    assert recorded(table) == [
        ("bid_placed", 5),
        ("bid_placed", 9),
        ("bid_placed", 10),
        ("auction_closed", None),
        ("trump_revealed", "cups-12"),
    ]


def test_the_trump_ends_the_last_auction_and_records_the_bid_that_was_chosen(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    one_card_before_the_last(table, 12)
    table.reports(event("card_dealt", player="p12", card="cups-11"))
    phone.sits_down(table)
    phone.tap("bidder-p4", "trump", "deal-on")
    phone.reads("standing", "Daisuke bids 1")
    phone.tap("trump", "card-cups-12")
    phone.sees("outcome")
    phone.misses("pending")
    assert recorded(table) == [("bid_placed", 1), ("trump_revealed", "cups-12")]


def test_the_last_auction_is_asked_for_without_a_network(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 15)
    one_card_before_the_last(table, 15)
    phone.sits_down(table)
    phone.sees("card-cups-11")
    phone.context.set_offline(True)
    phone.tap("card-cups-11", "bidder-p2", "bid")
    phone.reads("pending", "2")
    phone.reads("standing", "Ben bids 1")
    phone.misses("card-cups-12")
    phone.tap("auction-closed", "trump", "card-cups-12")
    phone.reads("pending", "4")
    phone.context.set_offline(False)
    phone.sees("outcome")
    phone.misses("pending")
    assert [kind for kind, _ in recorded(table)] == ["bid_placed", "auction_closed", "trump_revealed"]


def nothing_is_covered(phone: Phone) -> bool:
    """The seats, the question and the amount lie one below the other, on the screen."""
    parts = [phone.page.locator(part) for part in (".seats", ".asks", ".bid-row", ".grid")]
    boxes = [box for part in parts if (box := part.bounding_box())]
    assert len(boxes) == len(parts)
    assert all(one["y"] + one["height"] <= other["y"] + 1 for one, other in pairwise(boxes)), boxes
    return boxes[-1]["y"] + boxes[-1]["height"] <= 741
