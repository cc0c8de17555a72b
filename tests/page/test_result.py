"""How a round ended: what it brought stands in the seats, three reasons say why, the next one is a tap away at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.page.phone import Phone
from tests.page.seen import reads, the_page_agrees
from tests.page.table import Table
from tests.page.views import FIFTEEN, FORFEITED, MANY, WON, View, later
from tests.scorekeeper import Json, event
from tests.service import Service

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]

GOOD = "cups-11 cups-1 coins-12 coins-11 coins-1 clubs-12 clubs-11 clubs-10 clubs-1 swords-12 swords-11 swords-10"
OF_23 = f"{MANY}{' plain' * 5}\ndeal plain cups-12 (p7=20) {GOOD}{' plain' * 9}\ntrump cups-9\n"


def played(service: Service, phone: Phone, evening: str, players: int = 15) -> Table:
    """Play so far, and look at how it ended."""
    view = View("result", "outcome", "shirinma", players, evening)
    table = view.table(service)
    assert table
    view.shows(phone, table)
    return table


def net_of(table: Table, number: int) -> dict[str, int]:
    """What everybody gained in a round, by its entries."""
    entries = [each for each in table.looks("/ledger?limit=500")["entries"] if each["round"] == number]
    players = {each["id"]: 0 for each in table.looks()["players"]}
    for each in entries:
        players |= {who: players[who] + each["amount"] * sign for who, sign in ends(each) if who in players}
    return players


def ends(entry: Json) -> list[tuple[str, int]]:
    return [(entry["from"], -1), (entry["to"], 1)]


def test_the_seats_show_the_round_or_the_evening(phone: Phone, service: Service) -> None:
    table = played(service, phone, f"{WON}{later(FORFEITED, 1)}")
    for player, chips in net_of(table, 2).items():
        phone.eventually(partial(reads, phone, f"net-{player}", chips))
    the_page_agrees(phone, table)
    phone.tap("seat-p8")
    phone.reads("why", "in round 2")
    phone.tap("close-sheet", "the-evening")
    phone.misses("net-p8")
    the_page_agrees(phone, table)
    phone.tap("seat-p8")
    phone.reads("why-won", str(abs(table.looks()["players"][7]["won"])))
    phone.tap("close-sheet")
    table.reports(event("chips_moved", from_="p1", to="p2", amount=30))
    phone.stands_at(table.seq)
    phone.reads("log", "30")
    phone.tap("this-round")
    phone.sees("net-p8")


def test_three_reasons_say_why_and_more_is_a_tap_away(phone: Phone, service: Service) -> None:
    played(service, phone, f"{FORFEITED}{later(WON, 1)}")
    expect(phone.at("reasons").locator("dd")).to_have_text(
        [
            "carried over 423, antes 300, cards 100, bids 23",
            "bottom card King of Cups",
            "Ichiro's Horse (11), over Daisuke's Maid (10)",
        ]
    )
    phone.reads("payout-p9", "423")
    phone.tap("payout-p8")
    phone.reads("why", "in round 2")
    phone.tap("close-sheet", "more")
    expect(phone.page.get_by_text("Haruka had bought half the rights", exact=False)).to_be_in_viewport()
    expect(phone.at("next-round")).to_be_in_viewport()


@pytest.mark.parametrize(("players", "evening"), [(15, WON), (15, FORFEITED), (23, OF_23)])
@pytest.mark.parametrize("size", [(360, 740), (740, 360), (1180, 820)])
def test_a_result_fits_the_screen(
    players: int, evening: str, size: tuple[int, int], phone: Phone, service: Service
) -> None:
    played(service, phone, evening, players)
    phone.page.set_viewport_size({"width": size[0], "height": size[1]})
    phone.fits(whole=True)
    expect(phone.at("next-round")).to_be_in_viewport(ratio=1)


def test_the_next_round_waits_for_nothing_that_moves(phone: Phone, service: Service) -> None:
    """A round that ends before our eyes is acted out once; a look elsewhere and back moves nothing."""
    view = View("trump", "card-cups-12", "shirinma", 15, f"{FIFTEEN} plain plain\n")
    table = view.table(service)
    assert table
    view.shows(phone, table)
    phone.tap("card-cups-12")
    expect(phone.page.locator(".result.fresh")).to_be_visible()
    phone.tap("next-round")
    phone.stands_at(table.seq)
    phone.sees("card-cups-11")
    phone.tap("undo", "log", "back")
    phone.sees("outcome")
    expect(phone.page.locator(".result.fresh")).to_have_count(0)


def test_a_round_that_is_void_or_entered_has_a_result_too(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("round_voided", reason="misdeal"))
    phone.sits_down(table)
    phone.reads("reasons", "misdeal")
    phone.reads("net-p1", "0")
    table.reports(event("round_entered", payments={"p1": 24}, payouts={"p2": 24}, next_dealer="p3"))
    phone.reads("net-p2", "+24")
    phone.reads("payout-p2", "24")
