"""The start: an evening is opened, found again, and goes on as the next one."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import table_on
from tests.page.table import NAMES, Table
from tests.scorekeeper import event
from tests.service import Service

pytestmark = pytest.mark.integration


PASTED = """(text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  const into = document.querySelector('[data-test="names"]');
  into.focus();
  into.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
}"""


def seats(table: Table) -> list[str]:
    players = [each for each in table.looks()["players"] if each["active"]]
    return [each["name"] for each in sorted(players, key=lambda each: each["seat"])]


def opens_on(phone: Phone, game: str, *names: str) -> None:
    phone.goes()
    phone.tap(f"new-game-{game}")
    phone.types("names", "\n".join(names))
    phone.tap("open")
    phone.sees("open-round")


def test_an_evening_is_opened_with_deck_rules_and_a_value(phone: Phone, service: Service) -> None:
    phone.goes()
    phone.tap("new-game-shirinma")
    phone.reads("count", "12 to 23")
    phone.types("names", "\n".join(NAMES[:11]))
    phone.reads("count", "1 more is needed")
    phone.types("names", "\n".join(NAMES[:12]))
    phone.at("deck").select_option("western")
    expect(phone.page.locator("details[open]")).to_have_count(0)
    phone.tap("more", "house-rules")
    phone.at("first-dealer").select_option("3")
    phone.types("evening", "New year")
    phone.types("per-chip", "10")
    phone.types("currency", "jpy")
    phone.types("rule-ante", 30)
    phone.types("rule-payments.king", 40)
    phone.at("rule-western_courts").select_option("QJK")
    phone.tap("open")
    phone.sees("open-round")
    session = table_on(phone, service).looks()
    assert (session["name"], session["deck"], session["dealer"]) == ("New year", "western", "p3")
    assert session["chip_value"] == {"currency": "JPY", "per_chip": "10"}
    rules = session["rules"]
    assert (rules["ante"], rules["western_courts"]) == (30, "QJK")
    assert rules["payments"] == {"dragon": 0, "maid": 10, "horse": 20, "king": 40}


def test_a_rule_that_another_deck_asks_for_is_not_there(phone: Phone) -> None:
    phone.goes()
    phone.tap("new-game-shirinma")
    phone.tap("house-rules")
    phone.sees("rule-min_bid")
    phone.misses("rule-western_courts")
    phone.at("deck").select_option("western")
    phone.sees("rule-western_courts")


def test_a_fold_opens_for_what_is_reached_in_it(phone: Phone) -> None:
    phone.goes()
    phone.tap("new-game-shirinma")
    phone.types("rule-payments.king", 40)
    expect(phone.at("rule-payments.king")).to_be_in_viewport()
    phone.tap("odds")
    expect(phone.at("odds")).to_be_checked()


def test_what_is_wrong_is_said_at_the_field(phone: Phone) -> None:
    phone.goes()
    phone.tap("new-game-shippin")
    phone.types("names", "Aki")
    phone.tap("open")
    phone.reads("count", "2 to 5")
    phone.reads("problem", "marked")
    expect(phone.at("names")).to_be_focused()
    phone.types("names", "Aki\nBen")
    phone.misses("problem")
    phone.types("rule-bet", "much")
    phone.reads("unread", "whole number")
    phone.types("rule-bet", -3)
    phone.tap("open")
    phone.sees("fault-bet")
    phone.types("rule-bet", 5)
    phone.misses("problem")
    phone.tap("open")
    phone.sees("open-round")


def test_names_are_pasted_and_take_other_seats(phones: Phones, service: Service) -> None:
    phone = phones(has_touch=False, is_mobile=False)
    phone.goes()
    phone.tap("new-game-shippin")
    phone.page.evaluate(PASTED, "Aki, Ben、Chie;Dai,  ")
    expect(phone.at("names")).to_have_value("Aki\nBen\nChie\nDai")
    phone.tap("place-4", "earlier", "earlier")
    expect(phone.at("names")).to_have_value("Aki\nDai\nBen\nChie")
    phone.tap("remove")
    expect(phone.at("names")).to_have_value("Aki\nBen\nChie")
    phone.at("place-1").drag_to(phone.at("place-3"))
    expect(phone.at("names")).to_have_value("Ben\nChie\nAki")
    phone.at("place-3").press("Alt+ArrowLeft")
    phone.tap("open")
    phone.sees("open-round")
    assert seats(table_on(phone, service)) == ["Ben", "Aki", "Chie"]


def test_a_phone_finds_its_evenings_and_forgets_one(phone: Phone, service: Service) -> None:
    opens_on(phone, "shippin", "Aki", "Ben")
    table = table_on(phone, service)
    phone.goes()
    phone.reads(f"recent-{table.id}", "2 people")
    phone.tap(f"recent-{table.id}")
    phone.sees("open-round")
    phone.goes()
    phone.tap(f"forget-{table.id}")
    phone.reads("forget", "owner's key")
    phone.tap("confirm")
    phone.misses(f"recent-{table.id}")
    phone.eventually(lambda: table.token not in phone.page.evaluate("JSON.stringify({...localStorage})"))


def test_the_next_evening_is_a_tap_away(phone: Phone, service: Service) -> None:
    opens_on(phone, "shippin", "Aki", "Ben", "Chie")
    first = table_on(phone, service)
    first.reports(event("player_left", player="p2"), event("session_closed"))
    phone.stands_at(first.seq)
    phone.goes()
    phone.reads("go-on", "Next evening")
    phone.tap("go-on")
    phone.sees("open-round")
    second = table_on(phone, service)
    assert seats(second) == ["Aki", "Chie"]
    phone.tap("menu", "next-evening")
    expect(phone.page).not_to_have_url(re.compile(second.id))
    phone.sees("open-round")


def test_an_evening_of_another_day_is_opened_with_its_day(phone: Phone, service: Service) -> None:
    phone.goes()
    phone.tap("new-game-shippin")
    phone.types("names", "Aki\nBen")
    phone.tap("more")
    phone.types("played-on", "2026-11-20")
    phone.tap("open")
    phone.sees("open-round")
    table = table_on(phone, service)
    assert table.looks()["played_on"] == "2026-11-20"
    phone.goes()
    phone.reads(f"recent-{table.id}", "Nov 20")


def test_those_who_are_left_go_on_with_fewer_if_the_table_says_why(phone: Phone, opens: Callable[..., Table]) -> None:
    table = opens("kakkuri", 7)
    table.reports(event("player_left", player="p7"))
    phone.sits_down(table)
    phone.tap("menu", "next-evening")
    phone.types("reason", "one has gone home")
    phone.tap("overrule")
    expect(phone.page).not_to_have_url(re.compile(table.id))
    phone.sees("open-round")


def test_a_service_with_an_opening_key_is_given_it_once(phones: Phones, tmp_path: Path) -> None:
    key = secrets.token_urlsafe()
    with Service(tmp_path / "ledger.db", workers=1, opening_key=key) as service:
        phone = phones(address=f"http://127.0.0.1:{service.port}")
        phone.goes()
        phone.tap("new-game-shippin")
        phone.types("names", "Aki\nBen")
        phone.tap("open")
        phone.types("opening-key", "a guess")
        phone.tap("open-with-key")
        phone.reads("problem", "not the key")
        phone.types("opening-key", key)
        phone.tap("open-with-key")
        phone.sees("open-round")
        phone.goes()
        phone.tap("next-evening")
        phone.sees("open-round")


def test_a_sample_is_worked_out_and_not_kept(phone: Phone) -> None:
    phone.goes()
    for game in ("shirinma", "shippin", "kakkuri"):
        phone.tap(f"sample-{game}")
        phone.reads("sample", "Nothing of it is kept")
        phone.reads("sample", re.compile(r"\+\d"))
        phone.tap("close-sheet")
    assert "fuda.sessions" not in phone.page.evaluate("({...localStorage})")


def test_the_other_language_is_a_tap_away_and_stays(phone: Phone) -> None:
    phone.goes()
    phone.tap("language")
    expect(phone.page.locator("html")).to_have_attribute("lang", "ja")
    phone.reads("new-game-shirinma", "しりんま")
    phone.page.reload()
    phone.reads("new-game-shirinma", "しりんま")
    phone.reads("language", "English")


def test_names_of_any_kind_fit(phone: Phone, service: Service) -> None:
    names = ["<img src=x onerror=alert(1)>", "\N{GRINNING FACE}" * 100, "اسم طويل جدا من اليمين", "A" * 100]
    phone.goes()
    phone.tap("new-game-shippin")
    phone.types("names", "\n".join(names))
    phone.tap("more")
    phone.types("evening", "W" * 100)
    phone.fits()
    phone.tap("open")
    phone.sees("open-round")
    table = table_on(phone, service)
    assert seats(table) == names
    phone.tap("menu")
    phone.fits()
    for where in ("share", "key"):
        phone.goes(f"/#/s/{table.id}/{where}")
        phone.sees("to-table")
        phone.fits()
    phone.goes()
    phone.sees(f"recent-{table.id}")
    phone.fits()


# --- the last evening -----------------------------------------------------------------------------------------------


def test_the_last_evening_says_who_leads_and_what_is_next(phone: Phone, opens: Callable[..., Table]) -> None:
    table = opens("shippin", 3, name="At Kitamura's")
    table.reports(*SETTLED)
    phone.sits_down(table)
    phone.tap("next-round", "menu", "to-start")
    phone.reads(f"recent-{table.id}", "3 people · 1 round · Ben leads with +1")
    phone.reads("go-on", "Go on with round 2")
    phone.tap("go-on")
    phone.sees("column-1")
    table.reports(event("round_voided", reason="late"), event("session_closed"))
    phone.stands_at(table.seq)
    phone.goes()
    phone.reads("go-on", "Who pays whom")
    phone.tap("go-on")
    phone.sees("pay-p1-p2")
    looking = opens("shippin", 2)
    phone.sits_down(looking, token=looking.link("viewer")["token"])
    phone.goes()
    phone.reads("go-on", "Look on")
    phone.misses("next-evening")


SETTLED = (
    *(event("round_opened"), event("bet_placed", player="p2", column=1)),
    event("second_cards_dealt", columns=["7", "3", "5", "10"], dealer="9"),
    event("first_cards_revealed", columns=["2", "2", "2", "10"], dealer="8"),
)


# --- samples and rules ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "taps"),
    [
        ("shirinma", ["card-plain"]),
        ("shippin", ["card-7", "card-3", "card-5", "card-10", "card-9"]),
        ("kakkuri", ["card-coins-8", "turn-done"]),
    ],
)
def test_a_sample_is_played_on_and_thrown_away(game: str, taps: list[str], phone: Phone, service: Service) -> None:
    phone.goes()
    phone.tap(f"sample-{game}", "sample-play")
    phone.sees("sample-note")
    table = table_on(phone, service)
    assert table.looks()["name"].startswith("Sample")
    seq = table.seq
    phone.tap(*taps)
    phone.stands_at(seq + 1)
    phone.tap("sample-away")
    phone.sees("new-game-shippin")
    phone.misses(f"recent-{table.id}")
    assert table.asks("GET", "").status in {401, 404}


def test_a_sample_is_opened_with_the_key_to_the_service(phones: Phones, tmp_path: Path) -> None:
    key = secrets.token_urlsafe()
    with Service(tmp_path / "ledger.db", workers=1, opening_key=key) as service:
        phone = phones(address=f"http://127.0.0.1:{service.port}")
        phone.goes()
        phone.tap("sample-shippin", "sample-play")
        phone.types("opening-key", key)
        phone.tap("open-with-key")
        phone.sees("sample-note")


def test_how_it_is_played_is_told_of_each_game(phone: Phone) -> None:
    phone.goes()
    phone.tap("how-shippin")
    phone.reads("how-sheet", "Karami")
    phone.tap("how-it-is-kakkuri")
    phone.reads("how-sheet", "The 1 of Clubs and the 2 of Coins are wild")
    phone.tap("close-sheet", "how")
    phone.reads("how-sheet", "field card")


def test_rules_at_hand_are_those_of_the_moment_and_of_the_table(phones: Phones, opens: Callable[..., Table]) -> None:
    table = opens("shirinma", 12, rules={"min_bid": 7})
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    phone = phones()
    phone.sits_down(table)
    phone.tap("menu", "how")
    phone.reads("may-come", "Deal a card")
    phone.reads("rules-in-force", "Card payments")
    table.reports(event("card_dealt", player="p1", card="cups-11"))
    phone.reads("may-come", "Close the auction")
    phone.reads("rules-in-force", "Lowest bid 7")
    phone.reads("ranks", "Horse")
    tablet = phones(viewport={"width": 1180, "height": 820})
    tablet.sits_down(table)
    tablet.tap("how")
    tablet.reads("rules-at-hand", "Auction")


def test_ranks_are_told_by_name_once(phone: Phone, opens: Callable[..., Table]) -> None:
    phone.sits_down(opens("shirinma", 12))
    phone.reads("ranks-note", "Dragon")
    phone.tap("ranks-known")
    phone.misses("ranks-note")
    for game, players in (("shirinma", 13), ("kakkuri", 7)):
        phone.sits_down(opens(game, players))
        phone.sees("open-round")
        phone.misses("ranks-note")


# --- the page as an app ---------------------------------------------------------------------------------------------

OFFERED = """() => {
  const offer = new Event("beforeinstallprompt", {cancelable: true});
  offer.prompt = () => { globalThis.prompted = true; };
  dispatchEvent(offer);
}"""


def test_installing_is_offered_once_after_the_first_round(phone: Phone, opens: Callable[..., Table]) -> None:
    table = opens("shippin", 3)
    phone.sits_down(table)
    phone.sees("open-round")
    phone.page.evaluate(OFFERED)
    phone.misses("install-note")
    table.reports(*SETTLED)
    phone.tap("install")
    assert phone.page.evaluate("prompted")
    phone.misses("install-note")
    phone.goes()
    phone.sees("go-on")
    phone.page.evaluate(OFFERED)
    phone.misses("install-note")


def test_where_a_browser_offers_nothing_it_is_said_once_how(phones: Phones, opens: Callable[..., Table]) -> None:
    phone = phones(user_agent="Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Safari/604")
    table = opens("shippin", 3)
    table.reports(*SETTLED)
    phone.sits_down(table)
    phone.sees("next-round")
    phone.goes()
    phone.reads("install-note", "Add to Home Screen")
    phone.tap("install-not-now")
    phone.misses("install-note")
    phone.page.reload()
    phone.sees("go-on")
    phone.misses("install-note")
