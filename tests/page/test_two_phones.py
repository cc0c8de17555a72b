"""Several phones at one table, and a scoreboard: what one records, all have; nothing doubles, nothing is lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import reads, the_page_agrees
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]


def test_what_one_phone_records_the_other_and_the_scoreboard_have(phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12)
    viewer, scorer = table.link("viewer")["token"], table.link("scorer", label="Ben's phone")["token"]
    mine, theirs = phones(), phones()
    board = phones(viewport={"width": 1280, "height": 720}, has_touch=False, is_mobile=False, device_scale_factor=1)
    mine.sits_down(table)
    theirs.sits_down(table, token=scorer)
    board.sits_down(table, "board", token=viewer)
    mine.tap("open-round", "card-swords-1", "card-plain")
    for each in (mine, theirs, board):
        each.stands_at(3)
    theirs.tap("card-cups-11")
    for each in (mine, theirs, board):
        each.stands_at(4)
        the_page_agrees(each, table)
    assert [event["type"] for event in table.log] == ["round_opened", "field_card_revealed", "card_dealt", "card_dealt"]
    assert table.log[-1]["recorded_by"] != table.log[0]["recorded_by"]


def test_two_phones_that_record_at_once_are_no_conflict(phones: Phones, opens: Opens) -> None:
    table = opens("kakkuri", 7)
    table.reports(event("round_opened"))
    one, other = phones(), phones()
    one.sits_down(table)
    other.sits_down(table, token=table.link("scorer")["token"])
    for each in (one, other):
        each.stands_at(1)
        each.tap("exchanged")  # any order will do
    one.tap("for-p2")
    other.tap("for-p3")
    for each in (one, other):
        each.stands_at(3)
        each.misses("conflict", "problem")
    assert {event["player"] for event in table.log[1:]} == {"p2", "p3"}


def test_a_phone_that_slept_goes_on_without_missing_or_doubling_anything(phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12)
    sleeper = phones()
    sleeper.sits_down(table, "log")
    sleeper.stands_at(0)
    sleeper.context.set_offline(True)
    table.reports(event("round_opened"), event("field_card_revealed", card="cups-1"), *deals(5))
    sleeper.context.set_offline(False)
    sleeper.stands_at(7)
    sleeper.tap("plain-3")
    sleeper.eventually(lambda: has_each_once(sleeper, 7))


def test_an_undo_is_about_what_the_page_shows_the_outcome_of(phone: Phone, opens: Opens) -> None:
    """However late it hears which event was the last: that comes into sight with where the table stands by it."""
    table = opens("shippin", 3)
    table.reports(moved("p2", 5))
    phone.sits_down(table)
    phone.reads("log", "5")
    held: list[Route] = []

    def holds_back(route: Route) -> None:
        held.append(route)

    phone.page.route("**/events?after=*", holds_back)
    table.reports(moved("p3", 7), moved("p3", 11))
    phone.eventually(lambda: held)
    reads(phone, "balance-p3", 0)
    phone.page.route("**/events?after=*", lambda route: route.continue_())
    for route in held:
        route.continue_()
    phone.reads("balance-p3", "18")
    phone.tap("undo")
    phone.stands_at(4)
    assert table.balances() == {"p1": -12, "p2": 5, "p3": 7}


# --- an undo --------------------------------------------------------------------------------------------------------


def never_answered(phone: Phone) -> list[Route]:
    """What is reported from now on is heard, but the answers do not come."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)
        route.fetch()

    phone.page.route("**/events", hold)
    return held


def test_an_undo_of_a_report_on_its_way_takes_back_that_one(phones: Phones, opens: Opens) -> None:
    """Whatever another phone records meanwhile: it is shown first what would go, and then both are."""
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    mine, theirs = phones(blamed=False), phones()
    for each in (mine, theirs):
        each.sits_down(table)
        each.stands_at(2)
    held = never_answered(mine)
    mine.tap("card-cups-11")
    mine.eventually(lambda: table.seq == 3)
    mine.tap("undo")
    mine.reads("undone", "Horse of Cups")
    theirs.stands_at(3)
    theirs.tap("bidder-p4", "bid")
    theirs.stands_at(4)
    mine.tap("confirm")
    mine.reads("pending", "2")
    mine.page.unroute("**/events")
    mine.page.reload()
    assert len(held) == 1
    mine.reads("conflict-theirs", "Daisuke")
    mine.reads("conflict-mine", "3")
    assert table.seq == 4
    mine.tap("conflict-send")
    mine.sees("problem")  # the bid is about the card: only both can go
    assert [each["type"] for each in table.log][2:] == ["card_dealt", "bid_placed"]


def test_an_undo_of_a_report_that_nobody_may_have_heard_goes_with_it(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    phone.sits_down(table)
    phone.sees("card-plain")
    phone.context.set_offline(True)
    phone.tap("card-cups-11")
    phone.sees("offline")
    phone.tap("undo")
    phone.reads("undone", "Horse of Cups")
    phone.tap("confirm")
    phone.reads("pending", "2")
    phone.context.set_offline(False)
    phone.stands_at(4)
    assert (table.log[-1]["type"], table.log[-1]["target"]) == ("event_taken_back", 3)


def test_an_undo_names_what_the_page_shows(phones: Phones, opens: Opens) -> None:
    """Another phone recorded one more, and this one has not heard of it: nothing goes before both are shown."""
    table = opens("shippin", 3)
    table.reports(moved("p2", 5))
    phone = phones()
    phone.sits_down(table)
    phone.reads("log", "5")
    held: list[Route] = []

    def holds_back(route: Route) -> None:
        held.append(route)

    phone.page.route(f"**/v1/sessions/{table.id}", holds_back)
    table.reports(moved("p3", 7))
    phone.eventually(lambda: held)
    phone.tap("undo")
    phone.eventually(lambda: len(held) > 1)
    phone.page.route(f"**/v1/sessions/{table.id}", lambda route: route.continue_())
    for route in held:
        route.continue_()
    phone.reads("conflict-theirs", "7")
    phone.tap("conflict-send")
    phone.stands_at(3)
    assert table.balances() == {"p1": -7, "p2": 0, "p3": 7}


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_undo_of_what_another_phone_recorded_asks(language: str, phones: Phones, opens: Opens) -> None:
    """Both have the same right to record; what the other recorded is in sight for long."""
    table = opens("shippin", 3)
    mine = phones(locale=language)
    mine.sits_down(table, token=table.link("scorer")["token"])
    table.reports(moved("p2", 5))
    mine.reads("log", "5")
    mine.tap("undo")
    mine.reads("undone", "5")
    mine.reads("others", {"en": "Another phone", "ja": "別のスマホ"}[language])
    assert table.balances() == {"p1": -5, "p2": 5, "p3": 0}
    mine.tap("confirm")
    mine.stands_at(2)
    assert table.balances() == {"p1": 0, "p2": 0, "p3": 0}


def test_an_undo_after_a_correction_shows_what_would_go(phones: Phones, opens: Opens) -> None:
    table = opens("shippin", 3)
    table.reports(moved("p2", 5), moved("p3", 7), event("event_taken_back", seq=2))
    phone, other = phones(), phones()
    for each in (phone, other):
        each.sits_down(table)
        each.stands_at(3)
        each.tap("undo")
        each.reads("undone", "Ben 5")
    phone.tap("close-sheet")
    phone.misses("undone", "pending")
    assert table.seq == 3
    phone.tap("undo", "confirm")
    phone.stands_at(4)
    assert (table.log[-1]["type"], table.log[-1]["target"]) == ("event_taken_back", 1)
    table.reports(moved("p3", 9))
    other.tap("confirm")  # what it shows was taken back already, and something else was recorded
    other.stands_at(5)
    other.misses("conflict", "problem")
    assert table.balances() == {"p1": -9, "p2": 0, "p3": 9}


# --- both phones record the same ------------------------------------------------------------------------------------


def cut_off(phones: Phones, table: Table) -> tuple[Phone, Phone]:
    """Two phones at a table that both have no network."""
    mine, theirs = phones(), phones()
    mine.sits_down(table)
    theirs.sits_down(table, token=table.link("scorer")["token"])
    for each in (mine, theirs):
        each.stands_at(table.seq)
        each.sees("card-plain")
        each.context.set_offline(True)
    return mine, theirs


def comes_back(phone: Phone, seq: int) -> None:
    phone.context.set_offline(False)
    phone.stands_at(seq)


def dealt(opens: Opens) -> Table:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    return table


def test_the_same_that_two_phones_recorded_without_a_network_counts_once(phones: Phones, opens: Opens) -> None:
    table = dealt(opens)
    mine, theirs = cut_off(phones, table)
    for each in (mine, theirs):
        each.tap("card-plain", "card-cups-11")
        each.reads("pending", "2")
    comes_back(theirs, 4)
    comes_back(mine, 4)
    mine.misses("conflict", "problem")
    assert [each["card"] for each in table.log[2:]] == ["plain", "cups-11"]
    assert len({each["recorded_by"] for each in table.log[2:]}) == 1
    mine.page.reload()
    mine.stands_at(4)
    assert table.seq == 4
    the_page_agrees(mine, table)


def test_what_one_phone_recorded_beyond_the_same_is_recorded(phones: Phones, opens: Opens) -> None:
    table = dealt(opens)
    mine, theirs = cut_off(phones, table)
    theirs.tap("card-plain", "card-cups-11")
    mine.tap("card-plain", "card-cups-11", "bidder-p4", "bid", "card-plain")
    comes_back(theirs, 4)
    comes_back(mine, 6)
    mine.misses("conflict", "problem")
    assert [each["type"] for each in table.log[2:]] == ["card_dealt", "card_dealt", "bid_placed", "card_dealt"]


def test_only_what_two_phones_recorded_differently_is_shown(phones: Phones, opens: Opens) -> None:
    table = dealt(opens)
    mine, theirs = cut_off(phones, table)
    theirs.tap("card-plain", "card-cups-11")
    mine.tap("card-plain", "card-cups-10")
    comes_back(theirs, 4)
    mine.context.set_offline(False)
    for said, card in (("theirs", "Horse of Cups"), ("mine", "Maid of Cups")):
        mine.reads(f"conflict-{said}", card)
        expect(mine.at(f"conflict-{said}").locator("li")).to_have_count(1)
    mine.tap("conflict-drop")
    mine.stands_at(4)
    assert [each["card"] for each in table.log[2:]] == ["plain", "cups-11"]


def test_a_report_of_several_events_is_the_same_only_as_a_whole(phones: Phones, opens: Opens) -> None:
    """A bid that was chosen goes with the next card, in one report."""
    table = dealt(opens)
    table.reports(event("card_dealt", player="p1", card="cups-11"))
    mine, theirs = cut_off(phones, table)
    theirs.tap("bidder-p4", "bid")
    theirs.taps_at_once("bidder-p5", "card-plain")
    mine.taps_at_once("bidder-p4", "card-plain")
    comes_back(theirs, 6)
    mine.context.set_offline(False)
    expect(mine.at("conflict-mine").locator("li")).to_have_count(2)
    expect(mine.at("conflict-theirs").locator("li")).to_have_count(3)
    mine.tap("conflict-drop")
    mine.stands_at(6)
    assert table.seq == 6


def test_what_was_taken_back_meanwhile_is_not_the_same(phones: Phones, opens: Opens) -> None:
    table = dealt(opens)
    mine, _ = cut_off(phones, table)
    mine.tap("card-cups-11")
    table.reports(event("card_dealt", player="p1", card="cups-11"))
    table.reports(event("event_taken_back", seq=3))
    mine.context.set_offline(False)
    mine.reads("conflict-mine", "Horse of Cups")
    mine.tap("conflict-send")
    mine.stands_at(5)
    assert table.log[-1]["card"] == "cups-11"


def test_chips_that_two_phones_moved_may_be_two_gifts(phones: Phones, opens: Opens) -> None:
    table = dealt(opens)
    mine, _ = cut_off(phones, table)
    mine.tap("card-plain")
    mine.sees("offline")
    mine.tap("menu", "chips")
    mine.at("chips-to").select_option("p2")
    mine.types("chips-amount", 5)
    mine.tap("confirm")
    mine.reads("pending", "2")
    chips = event("chips_moved", **{"from": "bank", "to": "p2", "amount": 5})
    table.reports(event("card_dealt", player="p1", card="plain"), chips)
    mine.context.set_offline(False)
    mine.reads("conflict-mine", "5")
    expect(mine.at("conflict-mine").locator("li")).to_have_count(1)
    mine.tap("conflict-send")
    mine.stands_at(5)
    assert table.balances()["p2"] - table.balances()["p3"] == 10


# --- a link that ended ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "words"),
    [("en", ("1 report waits here", "2 reports wait here")), ("ja", ("未送信の記録が1件", "未送信の記録が2件"))],
)
def test_reports_outlive_their_link(locale: str, words: tuple[str, str], phones: Phones, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(event("round_opened"), event("field_card_revealed", card="swords-1"))
    link = table.link("scorer")
    phone = phones(locale=locale)
    for number, said in enumerate(words, 1):
        phone.sits_down(table, token=link["token"])
        phone.sees("card-plain")
        phone.context.set_offline(True)
        phone.tap(*["card-plain"] * number)
        phone.reads("pending", str(number))
        table.asks("DELETE", f"/links/{link['id']}")
        phone.context.set_offline(False)
        phone.reads("problem", said)
        phone.reads("pending", str(number))
        phone.page.reload()
        phone.reads("problem", said)
        before = table.seq
        phone.sits_down(table, token=table.link("viewer")["token"])
        phone.reads("pending", str(number))
        phone.misses("problem", "undo")
        assert table.seq == before
        link = table.link("scorer")
        phone.sits_down(table, token=link["token"])
        phone.stands_at(before + number)
        assert [each["recorded_by"] for each in table.log[before:]] == [link["id"]] * number


def moved(to: str, amount: int) -> Json:
    return event("chips_moved", **{"from": "p1", "to": to, "amount": amount})


def deals(count: int) -> list[dict[str, object]]:
    return [event("card_dealt", player=f"p{number}", card="plain") for number in range(1, count + 1)]


def has_each_once(phone: Phone, last: int) -> bool:
    """The log on a page has every event once."""
    rows = phone.page.locator("[data-test^=event-]")
    seen = [int(hook.removeprefix("event-")) for hook in rows.evaluate_all("all => all.map((row) => row.dataset.test)")]
    return sorted(seen) == list(range(1, last + 1))
