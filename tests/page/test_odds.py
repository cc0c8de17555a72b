"""Chances on the page: a bar a card, what half is worth in an auction, the switch; nothing where nobody wants them."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import floor

import pytest
from playwright.sync_api import Request, Route, expect

from ledger.codec.encoding import decimal
from tests.api.rounds import shirinma_round
from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]
Phones = Callable[..., Phone]
AUCTION = (
    event("round_opened"),
    event("field_card_revealed", card="swords-1"),
    event("card_dealt", player="p1", card="plain"),
    event("card_dealt", player="p2", card="cups-11"),
)


def shows(phone: Phone, hook: str, exact: str) -> None:
    """A bar shows this chance."""
    expect(phone.at(hook)).to_have_attribute("data-exact", exact)


def chances(table: Table) -> dict[str, str]:
    return {card["card"]: card["wins"]["exact"] for card in table.looks("/odds")["odds"]["cards"]}


def test_each_card_has_its_chance_and_an_auction_what_half_is_worth(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12, odds=True)
    table.reports(*AUCTION)
    phone.sits_down(table)
    before = chances(table)["cups-11"]
    shows(phone, "chance-cups-11", before)
    phone.reads("ride-worth", table.looks("/odds")["odds"]["cards"][0]["half_is_worth"])
    phone.tap("bidder-p5", "bid", "card-cups-12")
    phone.stands_at(6)
    after = chances(table)
    shows(phone, "chance-cups-11", after["cups-11"])
    shows(phone, "chance-cups-12", after["cups-12"])
    assert after["cups-11"] != before
    expect(phone.at("chance-cups-11").locator(".odds-was")).to_have_count(1)
    expect(phone.at("chance-cups-12").locator(".odds-was")).to_have_count(0)


def test_columns_have_theirs(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 3, odds=True)
    table.reports(event("round_opened"), event("bet_placed", player="p2", column=2))
    table.reports(event("second_cards_dealt", columns=["7", "3", "5", "10"], dealer="9"))
    phone.sits_down(table)
    columns = table.looks("/odds")["odds"]["columns"]
    for column in columns:
        shows(phone, f"chance-{column['column']}", column["wins"]["exact"])
        phone.reads(f"chance-{column['column']}", whole(column["wins"]))
    assert any(Fraction(column["wins"]["exact"]) * 100 % 1 > Fraction(1, 2) for column in columns), "rounded, not cut"


def whole(chance: dict[str, str]) -> str:
    """A chance in whole percents, to the nearest."""
    return f"{floor(Fraction(chance['exact']) * 100 + Fraction(1, 2))} %"


ROUNDED_ONCE = {"31/6250": "<1 %", "113/1190": "9 %", "29/200": "15 %", "12437/12500": "99 %"}
"""Chances, and what is shown of them: all but 29/200 are below a half percent, and at it with two decimals."""


def test_whole_percents_are_rounded_from_the_chance_itself(phone: Phone, opens: Opens) -> None:
    """What was rounded to two decimals is not rounded once more, by which 0.496 % would be 1 %."""
    table = opens("shippin", 3, odds=True)
    table.reports(event("round_opened"), event("bet_placed", player="p2", column=2))

    def tells_these(route: Route) -> None:
        told = route.fetch().json()
        for column, exact in zip(told["odds"]["columns"], ROUNDED_ONCE, strict=True):
            column["wins"] = {"exact": exact, "percent": decimal(Fraction(exact) * 100)}
        route.fulfill(json=told)

    phone.page.route("**/odds", tells_these)
    phone.sits_down(table)
    for number, (exact, said) in enumerate(ROUNDED_ONCE.items(), 1):
        shows(phone, f"chance-{number}", exact)
        phone.reads(f"chance-{number}", re.compile(f"^{said}$"))


def test_only_what_is_certain_is_shown_as_certain(phone: Phone, opens: Opens) -> None:
    """A 1 wins among twenty if no better card of its suit is dealt: hardly ever, but it may be."""
    table = opens("shirinma", 20, odds=True)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    table.reports(event("card_dealt", player="p1", card="cups-1"), event("card_dealt", player="p2", card="swords-10"))
    table.reports(event("auction_closed"))
    never, hardly = chances(table)["swords-10"], chances(table)["cups-1"]
    assert never == "0/1"
    assert 0 < Fraction(hardly) < Fraction(1, 200)
    phone.sits_down(table)
    phone.reads("chance-cups-1", "<1 %")
    phone.reads("chance-swords-10", re.compile("^0 %$"))


def test_the_owner_switches_it_and_everybody_sees(phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*AUCTION)
    owner, viewer, scorer = phones(), phones(), phones()
    owner.sits_down(table)
    viewer.sits_down(table, token=table.link("viewer")["token"])
    scorer.sits_down(table, token=table.link("scorer")["token"])
    owner.misses("chance-cups-11")
    owner.tap("menu", "odds")
    for phone in (owner, viewer, scorer):
        phone.sees("chance-cups-11")
    scorer.tap("menu")
    scorer.sees("close-sheet")
    scorer.misses("odds")
    owner.tap("menu", "odds")
    for phone in (owner, viewer):
        phone.misses("chance-cups-11", "ride-worth")


def test_an_undo_is_about_what_happened_at_the_table(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*AUCTION)
    table.reports(event("odds_switched", on=True))
    phone.sits_down(table)
    phone.sees("chance-cups-11")
    phone.tap("undo")
    phone.eventually(lambda: _undone(table, 4))
    assert table.looks()["odds"] is True


def _undone(table: Table, seq: int) -> bool:
    last = table.log[-1]
    return (last["type"], last.get("target")) == ("event_taken_back", seq)


def test_an_undo_is_found_behind_any_number_of_switches(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*AUCTION)
    for number in range(31):
        table.reports(event("odds_switched", on=number % 2 == 0))
    phone.sits_down(table)
    phone.reads("log", "Ben")
    phone.tap("undo")
    phone.eventually(lambda: _undone(table, 4))


def test_nothing_is_asked_where_nobody_wants_to_know(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*AUCTION)
    asked: list[str] = []

    def note(request: Request) -> None:
        asked.append(request.url)

    phone.page.on("request", note)
    phone.sits_down(table)
    phone.stands_at(4)
    phone.tap("card-cups-12")
    phone.stands_at(5)
    phone.sits_down(table, "round/1")
    phone.sees("replay")
    phone.eventually(lambda: any("/replay" in url for url in asked))
    assert [url for url in asked if url.split("?")[0].endswith("/odds")] == []


def test_it_is_chosen_at_the_start(phone: Phone) -> None:
    phone.goes("/#/")
    phone.tap("new-game-shippin")
    phone.types("names", "Aki\nBen")
    phone.tap("more", "odds", "open", "open-round")
    phone.sees("chance-1")


def test_a_past_round_shows_them_step_by_step(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12, odds=True)
    table.reports(*AUCTION, event("bid_placed", player="p5", amount=3), event("round_voided", reason="tea"))
    phone.sits_down(table, "round/1")
    phone.sees("replay")
    phone.misses("all-odds")
    phone.tap(*["replay-on"] * 3)
    steps = table.looks("/odds?round=1")["steps"]
    shows(phone, "chance-cups-11", steps[3]["odds"]["cards"][0]["wins"]["exact"])


def dear(amount: int) -> tuple[Json, ...]:
    """A round in which Ben bids this much for half of Aki's card, which wins with few of the cards that are to come."""
    opening, field, card, *rest = shirinma_round()
    return (opening, field, card, event("bid_placed", player="p2", amount=amount), *rest)


SAID = {
    "en": "Ben paid 400 chips to ride on Aki with the King of Cups; "
    "with that in the pot, half the rights were worth {worth}.",
    "ja": "BenはAkiのコップの切に乗るのに400枚を払いましたが、それがポットに入っても、半分の値打ちは{worth}枚でした。",
}


@pytest.mark.parametrize("language", SAID)
def test_a_past_round_tells_who_paid_more_than_a_ride_was_worth(language: str, phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12, odds=True)
    table.reports(*dear(400))
    (ride,) = table.looks("/odds?round=1")["dear_rides"]
    phone = phones(locale=language)
    phone.sits_down(table, "round/1")
    phone.reads("dear-rides", SAID[language].format(worth=ride["worth"]))
    phone.tap(f"dear-ride-{ride['seq']}")
    phone.sees(f"event-{ride['seq']}")


def test_a_round_without_dear_rides_says_nothing_of_them(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12, odds=True)
    table.reports(*dear(1))
    phone.sits_down(table, "round/1")
    phone.sees("replay", "outcome")
    phone.misses("dear-rides")


NOT_SEEN = """(cards) => {
  const seen = (bar) => {
    const box = bar.getBoundingClientRect();
    const [across, down] = [box.x + box.width / 2, box.y + box.height / 2];
    const top = document.elementFromPoint(across, down);
    const isWide = box.width >= 8 && box.height >= 2 && box.left >= 0 && box.right <= innerWidth;
    const isWithin = box.top >= 0 && box.bottom <= innerHeight;
    return isWide && isWithin && top !== null && bar.closest("li, .place").contains(top);
  };
  const all = (hook) => [...document.querySelectorAll(`[data-test="${hook}"]`)];
  const bars = (card) => all(`chance-${card}`).flatMap((each) => [each, each.firstElementChild]);
  return cards.filter((card) => !bars(card).some(seen));
}"""
"""The cards whose chance no bar shows: each is beyond the screen, or something lies over it."""
HELD = tuple(f"{suit}-{rank}" for rank in (1, 10, 11, 12) for suit in ("cups", "coins", "clubs", "swords"))[:-1]
"""All showdown cards that can be held beside the last one, which lies on the field."""
SCREENS = {
    "phone": ("", 360, 740),
    "television": ("board", 1280, 720),
    "large television": ("board", 1920, 1080),
    "upright": ("board", 390, 800),
    "tablet upright": ("board", 800, 1280),
}


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("players", [12, 23])
def test_every_chance_is_seen_in_a_deal_and_in_an_auction(
    players: int, screen: str, phones: Phones, opens: Opens
) -> None:
    """All fifteen cards are held, the newest is bid for: each has a bar within the screen, also when it is sold."""
    view, width, height = SCREENS[screen]
    table = opens("shirinma", players, odds=True)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-12"))
    for place, card in enumerate(HELD):
        table.reports(event("card_dealt", player=f"p{place % players + 1}", card=card))
    table.reports(event("bid_placed", player="p11", amount=17))
    phone = phones(viewport={"width": width, "height": height}, is_mobile=width < 400)
    phone.sits_down(table, view)
    worth = next(card for card in table.looks("/odds")["odds"]["cards"] if card["card"] == HELD[-1])["half_is_worth"]
    phone.reads("ride-worth", worth)
    phone.reads("auctioned" if view else "standing", "17")
    phone.eventually(lambda: _sees_all(phone))
    table.reports(event("auction_closed"))
    phone.stands_at(table.seq)
    phone.misses("ride-worth")
    phone.eventually(lambda: _sees_all(phone))


def _sees_all(phone: Phone) -> bool:
    assert phone.page.evaluate(NOT_SEEN, HELD) == []
    wide, down, high = phone.page.evaluate("[innerWidth, document.documentElement.scrollHeight, innerHeight]")
    is_upright = phone.page.locator(".board").count() and wide < high
    assert down <= high or is_upright, "it is scrolled"
    return True
