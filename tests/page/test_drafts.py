"""Drafts: what was typed or tapped stays on the phone until it is recorded, discarded, or makes no sense any more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import table_on
from tests.page.table import NAMES, Table
from tests.scorekeeper import Json, event
from tests.service import Service

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]
OPEN = event("round_opened")
NOTHING_IS_STORED = """
Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
"""
NO_STORAGE = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("denied", "SecurityError"); } });
Object.defineProperty(window, "indexedDB", { get() { throw new DOMException("denied", "SecurityError"); } });
"""


def sat_down(phone: Phone, table: Table, *events: Json) -> Table:
    if events:
        table.reports(*events)
    phone.sits_down(table)
    phone.stands_at(table.seq)
    return table


DRAFTS = "Object.keys(localStorage).filter((each) => each.startsWith('fuda.draft.'))"
"""The drafts in the phone's storage."""


def are_gone(phone: Phone) -> None:
    phone.eventually(lambda: phone.page.evaluate(DRAFTS) == [])


# --- the start ------------------------------------------------------------------------------------------------------


def test_names_stay_when_another_game_is_tapped_and_the_page_reloads(phone: Phone, service: Service) -> None:
    names = "\n".join(NAMES[:5])
    phone.goes()
    phone.tap("new-game-shirinma")
    phone.misses("draft")
    phone.types("names", names)
    phone.tap("more")
    phone.types("evening", "New year")
    phone.types("rule-ante", 30)
    phone.tap("new-game-shippin")
    expect(phone.at("names")).to_have_value(names)
    phone.reads("draft", "Not opened yet")
    phone.types("rule-bet", 5)
    phone.page.reload()
    expect(phone.at("names")).to_have_value(names)
    expect(phone.at("evening")).to_have_value("New year")
    expect(phone.at("rule-bet")).to_have_value("5")
    phone.tap("new-game-shirinma")
    expect(phone.at("rule-ante")).to_have_value("30")
    phone.tap("new-game-shippin", "open")
    phone.sees("open-round")
    assert [each["name"] for each in table_on(phone, service).looks()["players"]] == list(NAMES[:5])
    are_gone(phone)
    phone.goes()
    phone.tap("new-game-shirinma")
    expect(phone.at("names")).to_have_value("")
    phone.misses("draft")


def test_a_draft_of_an_evening_is_discarded_by_a_tap(phone: Phone) -> None:
    phone.goes()
    phone.tap("new-game-kakkuri")
    phone.types("names", "Aki")
    phone.tap("discard")
    expect(phone.at("names")).to_have_value("")
    phone.misses("draft")
    phone.page.reload()
    phone.tap("new-game-kakkuri")
    expect(phone.at("names")).to_have_value("")


# --- Shirinma: a bid ------------------------------------------------------------------------------------------------


def auction(phone: Phone, opens: Opens) -> Table:
    cards = (event("card_dealt", player="p1", card="plain"), event("card_dealt", player="p2", card="cups-11"))
    return sat_down(phone, opens("shirinma", 12), OPEN, event("field_card_revealed", card="swords-1"), *cards)


def test_a_chosen_bid_stays_until_it_is_recorded(phone: Phone, opens: Opens) -> None:
    table = auction(phone, opens)
    phone.tap("bidder-p3", "bid-plus-5")
    phone.reads("draft", "Not recorded yet")
    phone.page.reload()
    phone.reads("standing", "Chie bids 6")
    phone.sees("draft")
    phone.tap("log")
    phone.goes(f"/#/s/{table.id}")
    phone.reads("standing", "Chie bids 6")
    expect(phone.at("bid-amount")).to_have_value("6")
    phone.tap("bid")
    phone.stands_at(5)
    phone.misses("draft")
    assert (table.log[-1]["player"], table.log[-1]["amount"]) == ("p3", 6)
    are_gone(phone)


def test_a_chosen_bid_is_discarded_by_hand_or_as_the_round_moves_on(phone: Phone, opens: Opens) -> None:
    table = auction(phone, opens)
    phone.tap("bidder-p3", "bid-plus-5")
    phone.reads("undo", "Discard")
    phone.tap("undo")
    phone.misses("draft")
    phone.sees("bid-amount")
    phone.misses("standing")
    are_gone(phone)
    phone.tap("bidder-p3", "bid-plus-5")
    table.reports(event("bid_placed", player="p4", amount=2))
    phone.stands_at(5)
    phone.reads("standing", "Chie bids 6")  # it still beats the standing bid
    table.reports(event("bid_placed", player="p5", amount=8))
    phone.stands_at(6)
    phone.reads("standing", "Emi bids 8")
    phone.tap("bidder-p3")
    table.reports(event("card_dealt", player="p3", card="plain"))
    phone.stands_at(7)
    phone.misses("draft")
    are_gone(phone)


# --- Kakkuri and Shippin --------------------------------------------------------------------------------------------


def test_picked_cards_of_a_turn_stay_until_they_are_recorded(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens("kakkuri", 7), OPEN, event("starter_revealed", card="cups-4"))
    phone.tap("card-swords-5", "card-swords-6")
    phone.reads("draft", "Not recorded yet")
    phone.page.reload()
    phone.sees("draft")
    phone.reads("turn-done", "Aki laid 2 cards")
    phone.tap("turn-done")
    phone.stands_at(3)
    phone.misses("draft")
    assert table.log[-1]["cards"] == ["swords-5", "swords-6"]
    phone.tap("count-2", "card-coins-9")
    phone.page.reload()
    phone.reads("turn-done", "Ben laid 2 cards")
    phone.tap("undo")
    phone.reads("turn-done", "passes")
    are_gone(phone)
    phone.tap("card-cups-7")
    table.reports(event("turn_played", player="p2"))
    phone.stands_at(4)
    phone.misses("draft")
    are_gone(phone)


def started(phone: Phone, opens: Opens) -> Table:
    return sat_down(phone, opens("kakkuri", 7), OPEN, event("starter_revealed", card="cups-5"))


@pytest.mark.parametrize("by", ["this phone", "another"])
def test_picked_cards_are_dropped_with_the_player_who_drops_out(by: str, phone: Phone, opens: Opens) -> None:
    table = started(phone, opens)
    phone.tap("card-cups-6", "card-cups-7")
    phone.reads("log", "Aki played 6 of Cups, 7 of Cups")
    if by == "another":
        table.reports(event("player_dropped_out", player="p1"))
    else:
        phone.tap("dropped-out", "for-p1")
    phone.stands_at(3)
    phone.is_turned_to("for-p2")
    phone.misses("draft")
    are_gone(phone)
    phone.reads("turn-done", "passes")
    phone.tap("turn-done")
    phone.stands_at(4)
    assert (table.log[-1]["player"], table.log[-1].get("cards")) == ("p2", None)


def test_picked_cards_stay_when_another_player_drops_out(phone: Phone, opens: Opens) -> None:
    table = started(phone, opens)
    phone.tap("for-p2", "card-cups-6", "card-cups-7")
    table.reports(event("player_dropped_out", player="p1"))
    phone.stands_at(3)
    phone.reads("log", "Ben played 6 of Cups, 7 of Cups")
    phone.tap("turn-done")
    phone.stands_at(4)
    assert (table.log[-1]["player"], table.log[-1]["cards"]) == ("p2", ["cups-6", "cups-7"])


def test_a_chosen_player_is_part_of_the_draft(phone: Phone, opens: Opens) -> None:
    table = started(phone, opens)
    phone.tap("for-p3", "card-cups-6")
    phone.reads("log", "Chie played 6 of Cups")
    phone.page.reload()
    phone.is_turned_to("for-p3")
    expect(phone.page.locator(".question")).to_contain_text("Chie's turn")
    phone.reads("log", "Chie played 6 of Cups")
    phone.tap("for-p4")
    phone.reads("log", "Daisuke played 6 of Cups")
    phone.tap("for-p3", "turn-done")
    phone.sees("problem")
    assert len(table.log) == 2
    phone.reads("log", "Chie played 6 of Cups")


def test_a_refused_turn_stays_when_the_page_reloads(phone: Phone, opens: Opens) -> None:
    sat_down(phone, opens("kakkuri", 7), OPEN, event("starter_revealed", card="cups-4"))
    phone.tap("card-coins-9", "turn-done")
    phone.sees("problem")
    phone.reads("turn-done", "laid 1 card")
    phone.page.reload()
    phone.reads("turn-done", "laid 1 card")
    phone.sees("draft")


def test_five_cards_of_shippin_and_a_draw_for_seats_stay(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens("shippin", 2))
    phone.tap("draw-p1", "card-7")
    phone.sees("draft")
    phone.page.reload()
    phone.tap("card-2")
    phone.stands_at(1)
    assert {each["player"]: each["card"] for each in table.log[0]["draws"]} == {"p1": "7", "p2": "2"}
    dealer = table.looks()["dealer"]
    other = "p1" if dealer == "p2" else "p2"
    table.reports(OPEN, event("bet_placed", player=other, column=3))
    phone.stands_at(3)
    phone.tap("card-1", "card-2", "card-3", "slot-2")
    phone.page.reload()
    phone.sees("draft")
    phone.tap("card-8", "card-4", "card-5")
    phone.stands_at(4)
    assert (table.log[-1]["columns"], table.log[-1]["dealer"]) == (["1", "8", "3", "4"], "5")
    are_gone(phone)


# --- where nothing is stored ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("script", [NOTHING_IS_STORED, NO_STORAGE], ids=["full", "denied"])
def test_where_a_browser_stores_nothing_the_page_works_until_it_is_closed(script: str, phones: Phones) -> None:
    phone = phones()
    phone.page.add_init_script(script)
    phone.goes()
    phone.tap("new-game-shirinma")
    phone.types("names", "\n".join(NAMES[:12]))
    phone.tap("new-game-kakkuri", "new-game-shirinma", "open", "open-round", "card-swords-1", "card-cups-11")
    phone.tap("bidder-p3")
    phone.sees("draft")
    phone.tap("bid")
    phone.stands_at(4)
    phone.reads("standing", "Chie bids 1")


def test_two_sessions_have_a_draft_each(phone: Phone, opens: Opens) -> None:
    first, second = auction(phone, opens), auction(phone, opens)
    phone.tap("bidder-p3")
    phone.goes(f"/#/s/{first.id}")
    phone.sees("bid-amount")
    phone.misses("standing")
    phone.tap("bidder-p4")
    phone.goes(f"/#/s/{second.id}")
    phone.reads("standing", "Chie bids 1")
    phone.goes(f"/#/s/{first.id}")
    phone.reads("standing", "Daisuke bids 1")


# --- forms ----------------------------------------------------------------------------------------------------------


def comes_back(phone: Phone, *hooks: str) -> None:
    """The tab was killed, and opens again."""
    phone.page.reload()
    phone.tap(*hooks)


def test_totals_stay_until_they_are_recorded(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens("shirinma", 13))
    phone.tap("menu", "enter-round")
    phone.misses("draft")
    phone.types("put-in-p1", 30)
    phone.types("got-out-p2", 20)
    phone.types("got-out-p13", 5)
    phone.types("stays", 5)
    phone.at("next-dealer").select_option("p13")
    comes_back(phone, "menu")
    phone.reads("enter-round", "Not recorded yet")
    phone.tap("enter-round")
    phone.sees("draft")
    for hook, typed in {"put-in-p1": "30", "got-out-p2": "20", "got-out-p13": "5", "next-dealer": "p13"}.items():
        expect(phone.at(hook)).to_have_value(typed)
    phone.reads("sum", "it matches")
    table.reports(event("player_left", player="p13"))
    phone.misses("got-out-p13")
    phone.reads("sum", "5 still")  # who has left is not in it, and so it is looked at again
    expect(phone.at("next-dealer")).to_have_value("")
    phone.types("got-out-p3", 5)
    phone.tap("confirm")
    phone.stands_at(2)
    assert {each["player"]: each["amount"] for each in table.log[1]["payouts"]} == {"p2": 20, "p3": 5}
    are_gone(phone)


def test_chips_that_were_typed_stay_and_belong_to_their_session(phone: Phone, opens: Opens) -> None:
    first, second = opens("shippin", 3), opens("shippin", 3)
    for table in (first, second):
        sat_down(phone, table)
        phone.tap("menu", "chips")
        expect(phone.at("chips-amount")).to_have_value("")
        phone.at("chips-to").select_option("p3")
        phone.types("chips-amount", "1,000" if table is first else "7")
        phone.types("note", "buy-in")
        phone.page.go_back()
    phone.goes(f"/#/s/{first.id}")
    comes_back(phone, "menu", "chips")
    expect(phone.at("chips-to")).to_have_value("p3")
    expect(phone.at("note")).to_have_value("buy-in")
    phone.tap("confirm")
    phone.stands_at(1)
    assert (first.balances()["p3"], first.log[0]["note"]) == (1000, "buy-in")
    phone.goes(f"/#/s/{second.id}")
    phone.tap("menu", "chips")
    expect(phone.at("chips-amount")).to_have_value("7")
    phone.tap("discard")
    expect(phone.at("chips-amount")).to_have_value("")
    expect(phone.at("chips-to")).to_have_value("p1")
    are_gone(phone)


def test_chips_for_somebody_who_was_never_there_are_dropped(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 3)
    table.reports(event("player_joined", name="Dan"))
    sat_down(phone, table)
    phone.tap("menu", "chips")
    phone.at("chips-to").select_option("p4")
    phone.types("chips-amount", 7)
    table.reports(event("event_taken_back", seq=1))
    phone.stands_at(2)
    expect(phone.at("chips-amount")).to_have_value("")
    expect(phone.at("confirm")).to_be_disabled()


def test_a_form_whose_answer_was_lost_with_the_tab_counts_once(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens("shippin", 3))
    phone.tap("menu", "chips")
    phone.types("chips-amount", 7)
    heard: list[Route] = []

    def answers_late(route: Route) -> None:
        heard.append(route)
        if len(heard) == 1:
            route.fetch()
        else:
            route.continue_()

    phone.page.route("**/events", answers_late)
    phone.tap("confirm")
    phone.eventually(lambda: table.seq == 1)
    comes_back(phone, "menu", "chips")
    expect(phone.at("chips-amount")).to_have_value("7")
    phone.tap("confirm")
    phone.misses("confirm")
    assert table.seq == 1
    are_gone(phone)


def test_a_new_table_stays_as_it_was_filled_in(phone: Phone, service: Service) -> None:
    phone.goes()
    phone.tap("new-game-shirinma")
    phone.types("names", "\n".join(NAMES[:12]))
    phone.at("deck").select_option(index=1)
    deck = phone.at("deck").input_value()
    phone.tap("more", "house-rules")
    phone.at("first-dealer").select_option("2")
    phone.types("per-chip", "1,000")
    phone.types("currency", "jpy")
    phone.types("rule-payments.maid", "１５")
    phone.page.reload()
    expect(phone.at("per-chip")).to_have_value("1,000")
    phone.tap("open")
    phone.sees("open-round")
    session = table_on(phone, service).looks()
    assert (session["deck"], session["dealer"], session["rules"]["payments"]["maid"]) == (deck, "p2", 15)
    assert session["chip_value"] == {"currency": "JPY", "per_chip": "1000"}
    are_gone(phone)


def test_a_correction_stays_until_it_is_made_or_its_event_is_another(phone: Phone, opens: Opens) -> None:
    moved = [event("chips_moved", **{"from": "bank", "to": "p2", "amount": amount}) for amount in (5, 6)]
    table = opens("shippin", 3)
    table.reports(*moved)
    phone.sits_down(table, "log")
    for seq, amount in ((1, "50"), (2, "1.5")):
        phone.tap(f"correct-{seq}")
        phone.misses("draft")
        phone.types("field-amount", amount)
        phone.tap("close-sheet")
    comes_back(phone, "correct-2")
    expect(phone.at("field-amount")).to_have_value("1.5")
    phone.tap("discard")
    expect(phone.at("field-amount")).to_have_value("6")
    phone.tap("close-sheet", "correct-1")
    expect(phone.at("field-amount")).to_have_value("50")
    phone.reads("preview", "50")
    phone.tap("confirm")
    phone.stands_at(3)
    are_gone(phone)
    phone.tap("correct-2")
    phone.types("field-amount", "60")
    phone.tap("close-sheet")
    table.reports(
        event("event_amended", seq=2, event=event("chips_moved", **{"from": "bank", "to": "p3", "amount": 8}))
    )
    phone.stands_at(4)
    phone.tap("correct-2")
    expect(phone.at("field-amount")).to_have_value("8")
    phone.misses("draft")
