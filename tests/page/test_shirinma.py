"""The table of Shirinma: one pad in one place, seats that bid, tapping ahead, a card that is mended where it lies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from playwright.sync_api import expect

from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]
OPENED = (event("round_opened"), event("field_card_revealed", card="swords-1"))
SIZES = [(360, 740), (390, 844), (740, 360), (820, 1180), (1180, 820), (1440, 900)]
PLACES = """() => [...document.querySelectorAll(".grid > *")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [x, y, width, height].map(Math.round).join();
})"""


def at_table(phone: Phone, table: Table, *events: Json) -> Table:
    if events:
        table.reports(*events)
    phone.sits_down(table)
    phone.stands_at(len(events))
    phone.sees("round")
    return table


def dealt(player: int, card: str = "plain") -> Json:
    return event("card_dealt", player=f"p{player}", card=card)


def cards(table: Table) -> list[tuple[str, str]]:
    return [(each["player"], each["card"]) for each in table.log if each["type"] == "card_dealt"]


def is_tapped_ahead(phone: Phone, *, after: Sequence[str] = ("card-plain",) * 3) -> None:
    """The switch is offered after three plain cards."""
    for hook in after:
        phone.misses("ahead")
        phone.tap(hook)
    phone.tap("ahead")
    expect(phone.at("ahead")).to_have_attribute("aria-checked", "true")


def test_the_pad_keeps_its_place_from_the_first_card_to_the_trump(phone: Phone, opens: Opens) -> None:
    table = at_table(phone, opens("shirinma", 12), event("round_opened"))
    phone.sees("card-swords-1")
    before = phone.page.evaluate(PLACES)
    assert len(before) == 16
    phone.tap("card-swords-1", "card-cups-11")
    phone.sees("bidder-p3")
    phone.eventually(lambda: phone.page.evaluate(PLACES) == before)  # a dealt card turns over first
    phone.tap("auction-closed")
    phone.stands_at(4)
    table.reports(*(dealt(player) for player in range(2, 13)), *(dealt(player) for player in range(1, 13)))
    phone.stands_at(table.seq)
    phone.sees("card-cups-2")
    phone.eventually(lambda: phone.page.evaluate(PLACES) == before)  # a dealt card turns over first


def test_a_tap_on_a_seat_bids_and_the_bid_records_itself(phone: Phone, opens: Opens) -> None:
    table = at_table(phone, opens("shirinma", 12), *OPENED, dealt(1, "cups-12"))
    phone.taps = 0
    phone.types("bid-amount", 22)
    phone.tap("bidder-p3")
    assert phone.taps == 2
    phone.page.locator("h1").first.tap()  # the amount is not being typed any more
    phone.eventually(lambda: table.seq == 4)
    assert (table.log[-1]["player"], table.log[-1]["amount"]) == ("p3", 22)
    phone.tap("bidder-p4", "bidder-p5", "auction-closed")
    phone.stands_at(7)
    assert [(each["player"], each["amount"]) for each in table.log[3:6]] == [("p3", 22), ("p4", 23), ("p5", 24)]


def test_what_is_recorded_gone_over_and_sold_is_felt(phone: Phone, opens: Opens) -> None:
    at_table(phone, opens("shirinma", 12), *OPENED, dealt(1, "cups-12"))
    phone.page.evaluate("window.felt = []; navigator.vibrate = (milliseconds) => felt.push(milliseconds); 0")
    phone.tap("bidder-p4", "bidder-p5", "auction-closed")
    phone.stands_at(6)
    phone.eventually(lambda: phone.page.evaluate("felt") == [10, 10, 30])


def test_a_bid_that_a_reload_brought_back_waits_for_a_tap(phone: Phone, opens: Opens) -> None:
    table = at_table(phone, opens("shirinma", 12), *OPENED, dealt(1, "cups-12"))
    phone.tap("bidder-p3", "bid-plus-5")
    phone.page.reload()
    phone.reads("standing", "Chie bids 6")
    expect(phone.at("bidder-p3")).to_have_attribute("aria-pressed", "true")
    phone.tap("bid")
    phone.stands_at(4)
    assert (table.log[-1]["player"], table.log[-1]["amount"]) == ("p3", 6)


def test_the_cards_between_are_recorded_in_one_report(phone: Phone, opens: Opens) -> None:
    table = at_table(phone, opens("shirinma", 12), *OPENED)
    is_tapped_ahead(phone)
    phone.tap("for-p7")
    phone.reads("card-plain", "4 cards")
    phone.tap("ahead-cancel")
    phone.is_turned_to("for-p4")
    phone.tap("for-p6", "card-cups-11", "auction-closed", "for-p10", "card-plain")
    phone.stands_at(2 + 10 + 1)
    given = [(f"p{player}", "cups-11" if player == 6 else "plain") for player in range(1, 11)]
    assert cards(table) == given
    phone.page.reload()
    expect(phone.at("ahead")).to_have_attribute("aria-checked", "true")


def test_without_the_switch_a_seat_is_chosen_for_one_card(phone: Phone, opens: Opens) -> None:
    table = at_table(phone, opens("shirinma", 12), *OPENED)
    phone.tap("for-p5", "card-plain")
    phone.sees("problem")
    phone.tap("overrule")
    phone.types("reason", "dealt the other way")
    phone.tap("confirm")
    phone.stands_at(3)
    assert cards(table) == [("p5", "plain")]


def round_without_bids() -> Iterator[str]:
    """Thirty cards, six of them good, nobody bids; from the first to the trump."""
    yield from ("open-round", "card-swords-1")
    yield from ("for-p3", "card-cups-10", "card-cups-11", "for-p7", "card-coins-1", "for-p12")
    yield from ("card-coins-12", "for-p3", "card-swords-12", "for-p6", "card-coins-11", "for-p11")
    yield from ("rest-plain", "card-cups-12")


def test_a_round_of_fifteen_without_bids_takes_at_most_sixteen_taps(phone: Phone, opens: Opens) -> None:
    table = at_table(phone, opens("shirinma", 15))
    phone.page.evaluate("localStorage.setItem('fuda.ahead', 'yes')")  # as the phone remembers it from a round before
    phone.page.reload()
    phone.sees("open-round")
    phone.taps = 0
    phone.tap(*round_without_bids())
    phone.sees("outcome")
    assert phone.taps <= 16
    good = {
        (0, 3): "cups-10",
        (0, 7): "cups-11",
        (0, 12): "coins-1",
        (1, 3): "coins-12",
        (1, 6): "swords-12",
        (1, 11): "coins-11",
    }
    assert cards(table) == [
        (f"p{player}", good.get((deal, player), "plain")) for deal in (0, 1) for player in range(1, 16)
    ]


def test_an_old_card_is_mended_where_it_lies(phone: Phone, opens: Opens) -> None:
    table = at_table(phone, opens("shirinma", 12), *OPENED, dealt(1), dealt(2, "cups-12"), dealt(3), dealt(4))
    phone.reads("held-cups-12", "Ben")
    phone.taps = 0
    phone.tap("held-cups-12", "wrong-card")
    phone.page.get_by_test_id("correction").get_by_test_id("card-cups-11").tap()
    phone.reads("preview", "Ben")
    expect(phone.at("confirm")).to_be_enabled()
    expect(phone.at("confirm")).to_be_in_viewport()
    phone.tap("confirm")
    assert phone.taps + 1 <= 4
    phone.stands_at(7)
    phone.reads("held-cups-11", "Ben")
    phone.misses("held-cups-12")
    assert table.log[-1]["type"] == "event_amended"


def test_who_looks_on_sees_the_same_table_and_can_tap_nothing_of_it(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*OPENED, dealt(1, "cups-12"), event("bid_placed", player="p3", amount=7))
    phone.sits_down(table, token=table.link("viewer")["token"])
    phone.reads("held-cups-12", "Aki")
    phone.reads("standing", "Chie bids 7")
    assert len(phone.page.evaluate(PLACES)) == 16
    phone.misses("card-cups-11", "card-plain", "bid-amount", "bidder-p3", "undo")


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("players", [12, 23])
def test_it_fits_every_screen(players: int, width: int, height: int, phone: Phone, opens: Opens) -> None:
    phone.page.set_viewport_size({"width": width, "height": height})
    at_table(phone, opens("shirinma", players), *OPENED, dealt(1))
    phone.fits(whole=True)
    phone.tap("card-cups-12")
    phone.sees("bidder-p3")
    phone.fits(whole=True)
    for hook in ("card-plain", "bid", "undo", f"bidder-p{players}"):
        expect(phone.at(hook)).to_be_in_viewport()


def test_keys_of_a_desk(phone: Phone, opens: Opens) -> None:
    phone.page.set_viewport_size({"width": 1440, "height": 900})
    table = at_table(phone, opens("shirinma", 12), *OPENED)
    phone.sees("card-plain")
    phone.page.keyboard.press("p")
    phone.stands_at(3)
    phone.page.keyboard.press("u")
    phone.stands_at(4)
    phone.at("card-cups-12").focus()
    phone.page.keyboard.press("ArrowRight")
    expect(phone.at("card-cups-11")).to_be_focused()
    phone.page.keyboard.press("ArrowDown")
    expect(phone.at("card-coins-11")).to_be_focused()
    phone.page.keyboard.press("Enter")
    phone.stands_at(5)
    phone.page.keyboard.type("12")
    expect(phone.at("bid-amount")).to_have_value("12")
    assert cards(table) == [("p1", "plain"), ("p1", "coins-11")]
