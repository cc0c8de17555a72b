"""Numbers as people type them: read, or marked with why; never another number, and never nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import table_on
from tests.page.table import NAMES, Table
from tests.pages.texts import SCRIPTS
from tests.scorekeeper import event
from tests.service import Service

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]

READS = "([typed, wanted]) => import('/typed.js').then(({ numberIn }) => numberIn(typed, wanted))"
SAYS = "export const t = (text, facts) => text.replace(/{(\\w+)}/g, (_, name) => facts[name]);"
"""What the source that reads numbers needs of the page's words."""

WHOLE = {
    "25": 25,
    " 25 ": 25,
    "２５": 25,
    "１，０００": 1000,
    "1,000": 1000,
    "1 000": 1000,
    "1\u00a0000": 1000,
    "1\u2009000": 1000,
    "1\u202f000": 1000,
    "1'000'000": 1_000_000,
    "1’000": 1000,
    "12,345,678": 12_345_678,
    "\u22121,030": -1030,
    "－３": -3,
    "-3": -3,
    "0": 0,
    "007": 7,
}
"""What is read as a whole number."""
NOT_WHOLE = (
    *(
        "1.5",
        "1,5",
        "1,00",
        "10,00",
        "1,0000",
        "1000,000",
        "1,000 000",
        "1,000，000",
        "1,,000",
        ",000",
        "1,000,",
        "0,500",
    ),
    *("5²", "½", "①", "十", "1e3", "0x10", "--3", "3-", "- 3", "–3", "+5", "ten", "-", "￥10", "9" * 16),
)
AMOUNTS = [
    ("10", "JPY", "10"),
    ("1,000", "JPY", "1000"),
    ("１，０００", "JPY", "1000"),
    ("0.5", "JPY", "0.5"),
    ("1,5", "JPY", None),
    ("0,50", "EUR", "0.50"),
    ("０，５", "EUR", "0.5"),
    ("0．5", "EUR", "0.5"),
    ("1,000", "EUR", None),
    ("1，000", "EUR", None),
    ("1,000", "", None),
    ("1.000", "EUR", "1.000"),
    ("1000", "EUR", "1000"),
    ("1 000", "EUR", "1000"),
    ("1,000,000", "EUR", "1000000"),
    ("1,000.50", "USD", "1000.50"),
    ("1.000,50", "EUR", None),
    ("1,000,50", "EUR", None),
    ("-5", "EUR", None),
    ("0", "EUR", None),
    ("ten", "JPY", None),
    ("5.", "EUR", None),
    (".5", "EUR", None),
]


def reads(phone: Phone, typed: str, **wanted: object) -> Any:
    return phone.page.evaluate(READS, [typed, wanted])


def test_a_number_is_read_or_said_to_be_none(phone: Phone) -> None:
    for file, source in (("typed", (SCRIPTS / "core/typed.js").read_text("utf-8")), ("words", SAYS)):
        phone.page.route(f"**/{file}.js", partial(Route.fulfill, content_type="text/javascript", body=source))
    phone.goes()
    assert {typed: reads(phone, typed).get("value") for typed in WHOLE} == WHOLE
    for typed in NOT_WHOLE:
        read = reads(phone, typed)
        assert "value" not in read, typed
        assert typed in read["wrong"]
    assert reads(phone, "  ") == {}
    assert reads(phone, "-3", least=0) == {"wrong": "“-3” is too little: it has to be at least 0."}
    found = [(typed, currency, reads(phone, typed, currency=currency).get("value")) for typed, currency, _ in AMOUNTS]
    assert found == AMOUNTS
    assert reads(phone, "1,000", currency="EUR")["wrong"].startswith("1000 or 1.000?")


WORDS_OF = "ids => ids.split(' ').map((id) => document.getElementById(id).innerText).join()"


def is_marked(phone: Phone, hook: str, why: str) -> None:
    """A field is marked, and told by what describes it why."""
    field = phone.at(hook)
    expect(field).to_have_attribute("aria-invalid", "true")
    told = phone.page.evaluate(WORDS_OF, field.get_attribute("aria-describedby"))
    assert why in told


def auction(phone: Phone, opens: Opens) -> Table:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    table.reports(event("card_dealt", player="p1", card="cups-11"))
    phone.sits_down(table)
    phone.tap("bidder-p3")
    return table


@pytest.mark.parametrize(("typed", "amount"), [("２５", 25), ("1,000", 1000), ("12", 12)])
def test_a_bid_is_what_was_typed(typed: str, amount: int, phone: Phone, opens: Opens) -> None:
    table = auction(phone, opens)
    phone.types("bid-amount", typed)
    expect(phone.at("bid-amount")).to_have_value(typed)
    phone.tap("bid")
    phone.stands_at(4)
    assert (table.log[-1]["player"], table.log[-1]["amount"]) == ("p3", amount)


@pytest.mark.parametrize("typed", ["1.5", "-3", "", "二十"])
def test_a_bid_that_cannot_be_read_stops_whatever_would_record_it(typed: str, phone: Phone, opens: Opens) -> None:
    table = auction(phone, opens)
    phone.types("bid-amount", typed)
    is_marked(phone, "bid-amount", typed or "How many")
    for hook in ("bid", "bidder-p3", "card-plain", "auction-closed"):
        phone.tap(hook)
        expect(phone.at("bid-amount")).to_be_focused()
    phone.page.reload()
    expect(phone.at("bid-amount")).to_have_value(typed)
    is_marked(phone, "bid-amount", typed or "How many")
    phone.misses("pending")
    assert table.seq == 3
    phone.types("bid-amount", "2")
    phone.tap("card-plain")
    phone.stands_at(5)
    assert [each.get("amount") for each in table.log[3:]] == [2, None]


def test_a_cell_of_totals_counts_as_it_was_typed_or_stops_the_round(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    phone.sits_down(table)
    phone.tap("menu", "enter-round")
    for hook, typed in {"put-in-p1": "10", "got-out-p2": "10", "put-in-p3": "１０"}.items():
        phone.types(hook, typed)
    phone.reads("sum", "20 in, 10 out")
    phone.types("got-out-p3", "1o")
    is_marked(phone, "got-out-p3", "1o")
    phone.reads("sum", "cannot be read")
    phone.tap("confirm")
    expect(phone.at("got-out-p3")).to_be_focused()
    phone.types("got-out-p3", "1 0")
    is_marked(phone, "got-out-p3", "1 0")
    phone.types("got-out-p3", "10")
    phone.reads("sum", "20 in, 20 out: it matches")
    phone.fits()
    phone.tap("confirm")
    phone.stands_at(1)
    moved = {name: {each["player"]: each["amount"] for each in table.log[0][name]} for name in ("payments", "payouts")}
    assert moved == {"payments": {"p1": 10, "p3": 10}, "payouts": {"p2": 10, "p3": 10}}


@pytest.mark.parametrize(("typed", "currency", "value"), [("1,000", "jpy", "1000"), ("0,05", "EUR", "0.05")])
def test_a_chip_is_worth_what_was_typed(typed: str, currency: str, value: str, phone: Phone, service: Service) -> None:
    phone.goes()
    phone.tap("new-game-shippin")
    phone.types("names", "\n".join(NAMES[:3]))
    phone.tap("more")
    phone.types("per-chip", typed)
    phone.types("currency", currency)
    phone.tap("open")
    phone.sees("open-round")
    assert table_on(phone, service).looks()["chip_value"] == {"currency": currency.upper(), "per_chip": value}


def test_nothing_is_opened_or_mended_while_a_field_is_marked(phone: Phone, service: Service) -> None:
    phone.goes()
    phone.tap("new-game-shippin")
    phone.types("names", "\n".join(NAMES[:3]))
    phone.tap("more")
    phone.types("per-chip", "1,000")
    phone.types("currency", "EUR")
    is_marked(phone, "per-chip", "1000 or 1.000?")
    phone.types("rule-bet", "1.5")
    is_marked(phone, "rule-bet", "1.5")
    phone.tap("open")
    expect(phone.at("rule-bet")).to_be_focused()
    phone.types("rule-bet", "１５")
    phone.tap("more")
    expect(phone.page.locator("details[open]")).to_have_count(0)
    phone.tap("open")
    expect(phone.at("per-chip")).to_be_focused()
    phone.types("per-chip", "1000")
    phone.tap("open")
    phone.sees("open-round")
    table = table_on(phone, service)
    assert table.looks()["rules"]["bet"] == 15
    phone.tap("menu", "rules")
    phone.types("rule-bet", "")
    expect(phone.at("rule-bet")).to_have_value("")  # not filled in again while somebody writes
    phone.page.keyboard.type("2,0")
    is_marked(phone, "rule-bet", "2,0")
    phone.tap("confirm")
    expect(phone.at("rule-bet")).to_be_focused()
    phone.types("rule-bet", "20")
    phone.tap("confirm")
    phone.stands_at(1)
    assert table.looks()["rules"]["bet"] == 20


@pytest.mark.parametrize(("typed", "amount"), [("1,000", 1000), ("１０", 10)])
def test_chips_are_as_many_as_were_typed(typed: str, amount: int, phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 3)
    phone.sits_down(table)
    phone.tap("menu", "chips")
    phone.types("chips-amount", "-3")
    is_marked(phone, "chips-amount", "at least 1")
    phone.tap("confirm")
    expect(phone.at("chips-amount")).to_be_focused()
    phone.types("chips-amount", typed)
    phone.tap("confirm")
    phone.stands_at(1)
    assert table.balances()["p1"] == amount


def test_a_correction_takes_a_number_as_it_was_typed(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 3)
    table.reports(event("chips_moved", **{"from": "bank", "to": "p2", "amount": 5}))
    phone.sits_down(table, "log")
    phone.tap("correct-1")
    phone.types("field-amount", "1.5")
    is_marked(phone, "field-amount", "1.5")
    expect(phone.at("confirm")).to_be_disabled()
    phone.types("field-amount", "１，０００")
    phone.tap("confirm")
    phone.stands_at(2)
    assert table.balances()["p2"] == 1000


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_what_is_composed_is_left_alone_until_it_ends(locale: str, phones: Phones, opens: Opens) -> None:
    """Whatever others record meanwhile."""
    phone = phones(locale=locale)
    table = auction(phone, opens)
    ime = phone.context.new_cdp_session(phone.page)
    phone.types("bid-amount", "")
    phone.at("bid-amount").focus()
    ime.send("Input.imeSetComposition", {"text": "に", "selectionStart": 1, "selectionEnd": 1})
    table.reports(event("bid_placed", player="p4", amount=1))
    phone.stands_at(4)
    expect(phone.at("bid-amount")).to_have_value("に")
    ime.send("Input.imeSetComposition", {"text": "２５", "selectionStart": 2, "selectionEnd": 2})
    expect(phone.at("bid-amount")).to_have_value("２５")
    ime.send("Input.insertText", {"text": "２５"})
    expect(phone.at("bid-amount")).to_have_value("２５")
    expect(phone.at("bid-amount")).to_have_attribute("aria-invalid", "false")
    phone.tap("bid")
    phone.stands_at(5)
    assert table.log[-1]["amount"] == 25


def test_a_composition_that_a_tap_ends_is_taken(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 3)
    phone.sits_down(table)
    phone.tap("menu", "chips")
    phone.at("chips-amount").focus()
    ime = phone.context.new_cdp_session(phone.page)
    ime.send("Input.imeSetComposition", {"text": "３０", "selectionStart": 2, "selectionEnd": 2})
    phone.at("note").focus()
    phone.tap("confirm")
    phone.stands_at(1)
    assert table.balances()["p1"] == 30
