"""The menu: what an evening needs now and then, and who may do what."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def does(phone: Phone, *hooks: str) -> None:
    """Open something of the menu, and what lies in it."""
    phone.tap("menu", *hooks)


def is_done(phone: Phone, table: Table, seq: int) -> None:
    """It was recorded, and the sheet is gone."""
    phone.eventually(lambda: table.seq == seq)
    phone.misses("confirm")
    phone.stands_at(seq)


def test_people_come_go_and_change(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 13)
    phone.sits_down(table)
    does(phone, "dealer-p3")
    is_done(phone, table, 1)
    does(phone, "join")
    phone.types("name", "Naoki II")
    phone.at("seat").select_option("2")
    phone.tap("confirm")
    is_done(phone, table, 2)
    does(phone, "leave", "for-p5", "confirm")
    is_done(phone, table, 3)
    does(phone, "join", "for-p5", "confirm")
    is_done(phone, table, 4)
    does(phone, "seats", "place-1", "later", "confirm")
    is_done(phone, table, 5)
    does(phone, "rename-p1")
    phone.types("name", "Akira")
    phone.tap("confirm")
    is_done(phone, table, 6)
    does(phone, "erase-p2")
    phone.reads("task-player_erased", "Ben")
    phone.tap("confirm")
    is_done(phone, table, 7)
    players = {each["id"]: each for each in table.looks()["players"]}
    assert table.looks()["dealer"] == "p3"
    assert [players[each]["seat"] for each in ("p14", "p1", "p5")] == [1, 2, 14]
    assert (players["p1"]["name"], players["p14"]["name"]) == ("Akira", "Naoki II")
    assert players["p2"]["name"] != "Ben"


def test_balances_are_brought_also_of_people_who_are_not_here(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 3)
    phone.sits_down(table)
    does(phone, "balances")
    phone.types("brought-p1", -30)
    phone.types("absent-0", "Zenji")
    phone.types("absent-brought-0", 20)
    phone.reads("sum", "10")
    expect(phone.at("confirm")).to_be_disabled()
    phone.types("brought-p3", 10)
    phone.tap("confirm")
    is_done(phone, table, 1)
    assert table.balances() == {"p1": -30, "p2": 0, "p3": 10, "p4": 20}
    phone.tap("menu")
    phone.reads("menu-sheet", "not here")


def test_a_round_of_another_day_is_entered_with_its_day(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 3)
    phone.sits_down(table)
    does(phone, "enter-round")
    phone.types("put-in-p1", 30)
    phone.types("got-out-p2", 30)
    phone.types("played-on", "2026-11-20")
    phone.tap("confirm")
    is_done(phone, table, 1)
    assert table.newest_round()["played_on"] == "2026-11-20"
    phone.reads("played-on", "Nov 20, 2026")
    phone.tap("log", "correct-1")
    phone.types("field-played_on", "2026-11-19")
    phone.reads("change-round-1", "Nov 19, 2026")
    phone.tap("confirm")
    phone.stands_at(2)
    assert table.newest_round()["played_on"] == "2026-11-19"


def test_between_rounds_the_pot_takes_a_fine_and_gives_with_a_reason(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table)
    does(phone, "chips")
    phone.at("chips-from").select_option("p4")
    phone.at("chips-to").select_option("pot")
    phone.types("chips-amount", 50)
    phone.tap("confirm")
    is_done(phone, table, 1)
    does(phone, "chips")
    phone.at("chips-from").select_option("pot")
    phone.types("chips-amount", 20)
    expect(phone.at("confirm")).to_be_disabled()
    phone.types("reason", "misdealt")
    phone.tap("confirm")
    is_done(phone, table, 2)
    assert (table.looks()["pot"], table.looks()["players"][3]["balance"]) == (30, -50)
    table.reports(event("round_opened"))
    phone.stands_at(3)
    does(phone, "chips")
    expect(phone.at("chips-to").locator("option[value=pot]")).to_have_count(0)


def test_chips_rules_totals_and_a_round_that_does_not_count(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table)
    does(phone, "chips")
    phone.at("chips-to").select_option("p4")
    phone.types("chips-amount", 50)
    phone.tap("confirm")
    is_done(phone, table, 1)
    phone.reads("balance-p4", "+50")
    does(phone, "rules")
    expect(phone.at("confirm")).to_be_disabled()
    phone.types("rule-payments.maid", 15)
    phone.tap("confirm")
    is_done(phone, table, 2)
    does(phone, "enter-round")
    phone.types("put-in-p1", 30)
    phone.types("got-out-p2", 20)
    phone.reads("sum", "10")
    expect(phone.at("confirm")).to_be_disabled()
    phone.types("stays", 10)
    phone.at("next-dealer").select_option("p7")
    phone.tap("confirm")
    is_done(phone, table, 3)
    session = table.looks()
    assert session["rules"]["payments"] == {"dragon": 0, "maid": 15, "horse": 20, "king": 30}
    assert (session["pot"], session["dealer"]) == (10, "p7")
    table.reports(event("round_opened"))
    phone.stands_at(4)
    phone.tap("menu")
    for hook in ("join", "leave", "seats", "rules", "enter-round", "close-session", "dealer-p1", "next-evening"):
        expect(phone.at(hook)).to_be_disabled()
    phone.tap("void")
    phone.types("reason", "A card was face up.")
    phone.tap("confirm")
    is_done(phone, table, 5)


def test_a_refusal_stands_where_it_was_asked(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table)
    does(phone, "leave", "for-p1", "confirm")
    is_done(phone, table, 1)
    phone.tap("open-round")
    phone.reads("problem", "12")
    phone.tap("drop")
    does(phone, "describe")
    phone.types("per-chip", "10")
    phone.types("currency", "J")
    phone.tap("confirm")
    phone.reads("problem", "JPY")
    phone.types("currency", "JPY")
    phone.tap("confirm")
    is_done(phone, table, 2)


def test_an_evening_is_closed_with_its_pot_and_opened_again(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(event("round_entered", payments={"p1": 24}, payouts={}, pot=24))
    phone.sits_down(table)
    does(phone, "close-session")
    expect(phone.at("confirm")).to_be_disabled()
    phone.tap("pot-split", "confirm")
    is_done(phone, table, 2)
    phone.sees("ending")
    does(phone, "reopen")
    is_done(phone, table, 3)
    assert table.looks()["status"] == "open"


def test_who_looks_on_arranges_nothing_and_who_records_shares_nothing(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table, token=table.link("viewer")["token"])
    phone.tap("menu")
    phone.sees("scoreboard", "settlement", "exports", "language")
    phone.misses("join", "chips", "close-session", "next-evening", "rename-p1", "erase-p1")
    phone.sits_down(table, token=table.link("scorer")["token"])
    phone.tap("menu")
    phone.sees("join", "chips", "rename-p1", "next-evening")
    phone.misses("erase-p1", "delete-session")
    phone.goes(f"/#/s/{table.id}/share")
    phone.sees("keep-key")
    phone.misses("share-viewer", "share-scorer")


def test_an_evening_is_deleted_by_its_owner(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 3)
    phone.sits_down(table)
    does(phone, "delete-session")
    expect(phone.at("confirm")).to_be_disabled()
    phone.tap("sure", "confirm")
    phone.sees("new-game-shippin")
    phone.misses(f"recent-{table.id}")
    phone.eventually(lambda: table.asks("GET", "").status in {401, 404})
    kept = "JSON.stringify({...localStorage, ['fuda.unkept']: null})"
    phone.eventually(lambda: table.id not in phone.page.evaluate(kept))


def reaches(phone: Phone, hook: str) -> None:
    """Go by the keyboard alone to what has a name."""
    for _ in range(80):
        if phone.page.evaluate("document.activeElement.dataset.test") == hook:
            return
        phone.page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {hook}")


def test_the_keyboard_suffices(phone: Phone) -> None:
    keys = phone.page.keyboard
    phone.goes()
    phone.sees("new-game-shippin")
    reaches(phone, "new-game-shippin")
    keys.press("Enter")
    phone.sees("names")
    reaches(phone, "names")
    keys.type("Aki\nBen\nChie")
    reaches(phone, "place-3")
    keys.press("Alt+ArrowLeft")
    reaches(phone, "open")
    keys.press("Enter")
    phone.sees("open-round")
    expect(phone.page).to_have_title("Shippin · Fuda Ledger")
    reaches(phone, "menu")
    keys.press("Enter")
    phone.sees("chips")
    reaches(phone, "chips")
    keys.press("Enter")
    phone.sees("chips-amount")
    reaches(phone, "chips-amount")
    keys.type("5")
    keys.press("Enter")
    phone.misses("confirm")
    phone.reads("balance-p1", "5")
    expect(phone.at("menu")).to_be_focused()
    keys.press("Enter")
    phone.sees("menu-sheet")
    keys.press("Escape")
    phone.misses("menu-sheet")
    reaches(phone, "share")
    keys.press("Enter")
    phone.sees("share-viewer")
    expect(phone.page).to_have_title("Share · Shippin · Fuda Ledger")
    phone.eventually(lambda: phone.page.evaluate("document.activeElement.tagName") == "H1")


def test_a_card_that_fell_open_is_set_aside_from_the_menu(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-5"))
    phone.sits_down(table)
    for seq, card, put_back in ((3, "cups-12", False), (4, "coins-4", True)):
        does(phone, "exposed")
        sheet = phone.page.get_by_test_id("task-card_exposed")
        sheet.get_by_test_id(f"card-{card}").tap()
        if put_back:
            sheet.get_by_test_id("field-returns").select_option("true")
        phone.tap("confirm")
        is_done(phone, table, seq)
        assert table.looks()["round"]["cards"]["left"][card] == int(put_back)
