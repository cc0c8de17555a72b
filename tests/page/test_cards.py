"""Cards on the page: one that was seen is not offered again, and a round of Shirinma takes few taps on one screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]

MAX_TAPS = 60


def dealing(phone: Phone, table: Table, *seen: Json) -> None:
    """Open a round with a field card, as another phone does, and look at it."""
    table.reports(event("round_opened"), *seen)
    phone.sits_down(table)
    phone.stands_at(table.seq)


def kinds(table: Table) -> list[str]:
    return [each["type"] for each in table.log]


@pytest.mark.parametrize(
    ("deck", "cards"), [("mekurifuda", ["swords-1", "cups-12", "clubs-4"]), ("western", ["AS", "KH", "4C"])]
)
def test_a_card_that_was_seen_is_not_offered_again(phone: Phone, opens: Opens, deck: str, cards: list[str]) -> None:
    table = opens("shirinma", 12, deck=deck)
    field, king, low = cards
    dealing(phone, table, event("field_card_revealed", card=field))
    phone.misses(f"card-{field}")
    phone.tap(f"card-{king}")
    phone.misses(f"card-{king}")
    phone.tap(f"card-{low}")
    phone.misses(f"card-{low}")
    phone.stands_at(4)
    phone.misses(f"card-{field}", f"card-{king}", f"card-{low}")
    phone.tap("exact")
    offered = phone.page.locator("[data-test^=card-]:not([data-test=card-plain])")
    expect(offered).to_have_count(48 - len(cards))
    phone.misses(f"card-{field}", f"card-{king}", f"card-{low}")


def test_a_card_that_was_taken_back_is_offered_again(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    dealing(phone, table, event("field_card_revealed", card="swords-1"))
    phone.tap("card-cups-12")
    phone.stands_at(3)
    phone.tap("undo")
    phone.sees("card-cups-12")
    phone.stands_at(4)
    assert kinds(table)[-1] == "event_taken_back"


def test_one_tap_bids_and_the_next_card_settles_it(phone: Phone, opens: Opens) -> None:
    """Whoever was chosen bids when the auction ends, and a choice that was undone is no bid."""
    table = opens("shirinma", 12)
    dealing(phone, table, event("field_card_revealed", card="swords-1"))
    phone.tap("card-cups-12", "bidder-p3", "undo", "bid-plus-5", "bidder-p4", "card-plain")
    phone.stands_at(5)
    assert kinds(table)[2:] == ["card_dealt", "bid_placed", "card_dealt"]
    assert table.log[3]["player"] == "p4"
    assert table.log[3]["amount"] == 6


def test_a_bid_is_placed_once_in_whichever_order_it_is_told(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    dealing(phone, table, event("field_card_revealed", card="swords-1"))
    phone.tap("card-cups-12")
    phone.types("bid-amount", 4)
    phone.tap("bidder-p3", "bid", "bidder-p5")
    phone.types("bid-amount", 9)
    phone.tap("bid", "auction-closed")
    phone.stands_at(6)
    assert [(each["player"], each["amount"]) for each in table.log[3:5]] == [("p3", 4), ("p5", 9)]
    assert kinds(table)[5] == "auction_closed"


def a_round_of_fifteen() -> Iterator[str]:
    """Thirty cards and eight bids."""
    good = {2: "cups-10", 6: "cups-11", 11: "coins-1", 17: "coins-12", 20: "swords-12", 24: "coins-11"}
    bids = {2: ["p1", "p9"], 6: ["p2"], 17: ["p4", "p5"], 20: ["p12"], 24: ["p7", "p8"]}
    yield from ("open-round", "card-swords-1")
    for at in range(30):
        yield f"card-{good.get(at, 'plain')}"
        *raised, last = bids.get(at, [""])
        for bidder in raised:
            yield from ("bid-plus-1", f"bidder-{bidder}", "bid")
        if last:
            yield from ("bid-plus-5", f"bidder-{last}")
    yield "trump"
    yield "card-cups-12"


def test_a_round_of_fifteen_takes_at_most_sixty_taps(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 15)
    phone.sits_down(table)
    phone.tap(*a_round_of_fifteen())
    phone.sees("outcome", "next-round")
    phone.stands_at(1 + 1 + 30 + 8 + 1)
    assert kinds(table).count("card_dealt") == 30
    assert kinds(table).count("bid_placed") == 8
    assert phone.taps <= MAX_TAPS


@pytest.mark.parametrize("players", [12, 15, 23])
def test_recording_fits_a_phone(phone: Phone, opens: Opens, players: int) -> None:
    """Nothing scrolls but what lies within: not the page, neither way."""
    table = opens("shirinma", players)
    dealing(phone, table, event("field_card_revealed", card="swords-1"))
    phone.fits(whole=True)
    phone.tap("card-cups-12")
    phone.sees("bidder-p2")
    phone.fits(whole=True)
    phone.tap("exact")
    phone.sees("card-cups-2")
    phone.fits(whole=True)
