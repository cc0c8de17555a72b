"""The books on the page: the log and its corrections, the scoreboard, who pays whom, what is taken home."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.page.conftest import Phones
from tests.page.phone import Phone
from tests.page.seen import reads
from tests.page.table import Table
from tests.scorekeeper import Json, event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]

BETS = [event("round_opened"), event("bet_placed", player="p2", column=2), event("bet_placed", player="p3", column=1)]
DEALT = [
    event("round_opened"),
    event("field_card_revealed", card="swords-1"),
    event("card_dealt", player="p1", card="coins-10"),
    event("card_dealt", player="p2", card="cups-11"),
]
PLAYED = [
    event("round_opened"),
    *(event("bet_placed", player=f"p{seat}", column=seat - 1) for seat in (2, 3, 4, 5)),
    event("second_cards_dealt", columns=["7", "3", "5", "10"], dealer="9"),
    event("first_cards_revealed", columns=["2", "2", "2", "10"], dealer="8"),
]


# --- the log --------------------------------------------------------------------------------------------------------


def test_the_log_has_the_newest_first_and_who_recorded_it(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*BETS)
    phone.sits_down(table, token=table.link("scorer", label="Ben's phone")["token"])
    phone.tap("bet-p4", "column-3")
    phone.stands_at(4)
    phone.tap("log")
    phone.reads("event-4", "Ben's phone")
    seen = phone.page.locator("[data-status]").evaluate_all("rows => rows.map(row => row.dataset.test)")
    assert seen == ["event-4", "event-3", "event-2", "event-1"]


def test_a_long_log_begins_at_its_end_and_goes_back_when_it_is_scrolled(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    gifts = [event("chips_moved", from_="p1", to="p2", amount=1)] * 300
    table.reports(*gifts)
    phone.sits_down(table, "log")
    phone.sees("event-300")
    phone.misses("event-1")
    phone.eventually(lambda: is_scrolled_to(phone, "event-1"))


def is_scrolled_to(phone: Phone, hook: str) -> bool:
    """Scroll a little further, and say whether that is there by now."""
    phone.page.mouse.wheel(0, 40_000)
    return phone.can_see(hook)


def test_a_correction_counts_once_it_was_seen_what_it_changes(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*PLAYED)
    before = table.balances()
    phone.sits_down(table, "log")
    phone.tap("correct-2")
    phone.tap("for-p3")
    phone.reads("problem", re.compile("."))  # p3 has bet later on: both cannot be
    phone.tap("for-p2")
    phone.types("field-column", 1)
    phone.tap("close-sheet")
    assert table.seq == len(PLAYED)
    phone.tap("take-back-7")
    phone.reads("preview", "Round 1")
    assert table.balances() == before
    phone.tap("confirm")
    phone.stands_at(8)
    assert table.looks()["round"] is not None
    expect(phone.at("event-7")).to_have_attribute("data-status", "taken_back")


def test_what_was_taken_back_is_put_back(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*PLAYED)
    before = table.balances()
    table.reports(event("event_taken_back", seq=7))
    phone.sits_down(table, "log")
    phone.tap("take-back-8")
    phone.reads("preview", "Round 1")
    phone.tap("confirm")
    phone.stands_at(9)
    assert table.balances() == before


def test_what_was_taken_back_is_put_back_in_its_row(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*DEALT, event("event_taken_back", seq=4))
    phone.sits_down(table, "log")
    phone.tap("put-back-4")
    phone.stands_at(6)
    assert [each["card"] for each in table.looks()["round"]["table"]["dealt"]] == ["coins-10", "cups-11"]
    expect(phone.at("event-4")).to_have_attribute("data-status", "standing")


def test_rounds_fold_and_one_person_is_looked_up(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*PLAYED, event("round_opened"), event("bet_placed", player="p2", column=4))
    phone.sits_down(table, "log")
    phone.sees("event-9")
    phone.misses("event-4")
    phone.tap("fold-1")
    phone.sees("event-4")
    phone.tap("only-p4")
    phone.sees("event-4")
    phone.misses("event-3", "event-9")
    phone.tap("only-p4", "fold-2")
    phone.misses("event-9")


def test_a_line_says_by_whom_when_and_what_it_cost(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*DEALT, event("event_amended", seq=4, event=event("card_dealt", player="p2", card="cups-12")))
    phone.sits_down(table, "log", token=table.link("viewer")["token"])
    phone.reads("event-1", "12 antes of 20")
    phone.reads("event-1", "240")
    phone.reads("event-4", "Horse of Cups")
    phone.reads("event-4", re.compile(r"King of Cups.*corrected: \d+:\d\d", re.DOTALL))


def test_a_card_that_was_seen_leads_to_its_event(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*DEALT)
    phone.sits_down(table)
    phone.tap("seen-swords-1", "in-log")
    phone.sees("changes-2")
    phone.tap("back", "held-cups-11", "wrong-all")
    phone.reads("change-pot", re.compile(r"270\D+250"))
    phone.tap("in-log")
    phone.sees("changes-4")


def test_a_card_that_went_to_another_takes_its_bids_along(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    bids = [event("bid_placed", player="p5", amount=3), event("bid_placed", player="p6", amount=4)]
    table.reports(*DEALT, *bids, event("card_dealt", player="p3", card="plain"))
    phone.sits_down(table)
    phone.tap("held-cups-11")
    phone.at("correction").get_by_test_id("for-p3").tap()
    phone.reads("change-p6", "−20")
    phone.tap("confirm")
    phone.stands_at(8)
    held = {each["player"]: (each["card"], each["back_rider"]) for each in table.looks()["round"]["table"]["dealt"]}
    assert held == {"p1": ("coins-10", None), "p2": ("plain", None), "p3": ("cups-11", None)}
    phone.tap("auction-closed")
    phone.stands_at(9)
    assert table.looks()["round"]["table"]["dealt"][2]["back_rider"] == "p6"


def test_two_cards_that_were_swapped_are_corrected_together(phone: Phone, opens: Opens) -> None:
    table = opens("shirinma", 12)
    table.reports(*DEALT)
    phone.sits_down(table, "log")
    phone.tap("correct-3", "wrong-card", "card-cups-11")
    phone.reads("problem", "Horse of Cups")
    phone.tap("swap-4")
    phone.sees("preview")
    phone.misses("problem")
    phone.tap("confirm")
    phone.stands_at(5)
    made = table.log[-1]
    assert made["type"] == "corrections_made"
    held = {each["player"]: each["card"] for each in table.looks()["round"]["table"]["dealt"]}
    assert held == {"p1": "cups-11", "p2": "coins-10"}


def test_what_was_forgotten_is_put_where_it_belongs(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*BETS)
    phone.sits_down(table, "log")
    phone.tap("correct-1", "act-insert")
    phone.at("kind").select_option("chips_moved")
    phone.at("field-from").select_option("bank")
    phone.at("field-to").select_option("p1")
    phone.types("field-amount", 30)
    phone.reads("change-p1", "30")
    phone.tap("confirm")
    phone.stands_at(4)
    assert table.balances()["p1"] == 30


def test_a_mistake_seen_after_closing_is_corrected_in_one_step(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(event("round_entered", payments={"p1": 8}, payouts={"p2": 8}), event("session_closed"))
    phone.sits_down(table, "log")
    phone.tap("correct-1")
    phone.types("field-payouts-p2", 3)
    phone.types("field-pot", 5)
    phone.sees("reopens")
    expect(phone.at("confirm")).to_be_disabled()
    phone.tap("pot-bank")
    phone.reads("change-p2", "3")
    phone.tap("confirm")
    phone.stands_at(5)
    assert [each["type"] for each in table.log[2:]] == ["session_reopened", "event_amended", "session_closed"]
    assert (table.looks()["status"], table.looks()["bank"], table.balances()["p2"]) == ("closed", 5, 3)
    phone.goes(f"/#/s/{table.id}/settlement")
    phone.reads("difference", "The pot went into the bank: 5 chips")


def test_a_viewer_reads_the_log_and_corrects_nothing(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*BETS)
    phone.sits_down(table, "log", token=table.link("viewer")["token"])
    phone.sees("event-3")
    phone.misses("correct-3", "take-back-3")


# --- the scoreboard -------------------------------------------------------------------------------------------------


def test_the_scoreboard_follows_and_shows_how_a_round_ended(phones: Phones, opens: Opens) -> None:
    table = opens("shippin", 5)
    board = phones(viewport={"width": 1280, "height": 720}, has_touch=False, is_mobile=False, device_scale_factor=1)
    board.sits_down(table, "board", token=table.link("viewer")["token"])
    for each in PLAYED[:-1]:
        table.reports(each)
    expect(board.at("pot")).to_have_text("4")
    table.reports(PLAYED[-1])
    board.sees("outcome")
    for player, balance in table.balances().items():
        board.reads(f"balance-{player}", str(abs(balance)))
    board.sees("chart")
    board.fits()


# --- who pays whom, and the books ----------------------------------------------------------------------------------


def test_a_payment_is_struck_out_by_a_tap_and_comes_back_by_another(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5, chip_value={"currency": "EUR", "per_chip": "0.05"})
    table.reports(event("chips_moved", from_="p1", to="p2", amount=30))
    phone.sits_down(table, "settlement")
    phone.reads("pay-p1-p2", "1.50")
    phone.tap("pay-p1-p2")
    phone.stands_at(2)
    phone.misses("pay-p1-p2")
    assert set(table.balances().values()) == {0}
    phone.tap("unpay-2")
    phone.stands_at(3)
    phone.sees("pay-p1-p2")
    assert table.balances()["p2"] == 30


def test_a_payment_never_changes_what_was_won(phone: Phone, phones: Phones, opens: Opens) -> None:
    """Not at the table, on the scoreboard, in the statistics or in the result; the balance alone comes nearer to 0."""
    table = opens("shippin", 5)
    table.reports(*PLAYED)
    board = phones(viewport={"width": 1280, "height": 720}, has_touch=False, is_mobile=False, device_scale_factor=1)
    board.sits_down(table, "board", token=table.link("viewer")["token"])
    phone.sits_down(table, "settlement")
    phone.misses("two-figures")
    payment = next(one for one in table.looks("/settlement")["payments"] if "p1" in (one["from"], one["to"]))
    phone.tap(f"pay-{payment['from']}-{payment['to']}")
    phone.stands_at(len(PLAYED) + 1)
    players = table.looks()["players"]
    assert [player["id"] for player in players if player["won"] != player["balance"]] == sorted(
        [payment["from"], payment["to"]]
    )
    for view in ("settlement", "statistics", ""):
        phone.sits_down(table, view)
        reads_both(phone, players)
    reads_both(board, players)
    board.sees("two-figures")
    board.fits()
    phone.fits()
    owner = payment["from"]
    phone.tap(f"seat-{owner}")
    won = {player["id"]: player["won"] for player in players}[owner]
    phone.reads("why-won", str(abs(won)))


def reads_both(phone: Phone, players: list[Json]) -> None:
    for player in players:
        for figure in ("won", "balance"):
            phone.eventually(partial(reads, phone, f"{figure}-{player['id']}", player[figure]))


def test_an_evening_is_closed_with_what_becomes_of_its_pot(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(event("pot_brought", amount=50))
    phone.sits_down(table, "settlement")
    phone.tap("close-session", "pot-split")
    phone.reads("preview", "10")
    phone.tap("confirm")
    phone.stands_at(2)
    phone.sees("reopen")
    assert table.looks()["status"] == "closed"
    phone.tap("reopen")
    phone.stands_at(3)
    assert table.looks()["status"] == "open"


@pytest.mark.parametrize("form", ["html", "xlsx", "csv", "csv-rounds", "csv-events", "txt", "journal", "beancount"])
def test_every_file_is_saved_under_its_name(phone: Phone, opens: Opens, form: str) -> None:
    table = opens("shippin", 5, name="Fukui")
    table.reports(*PLAYED)
    phone.sits_down(table, "exports")
    with phone.page.expect_download() as waited:
        phone.tap(f"export-{form}")
    assert waited.value.suggested_filename.startswith("Fukui")
    assert waited.value.path().stat().st_size > 0


def test_the_whole_record_is_saved_as_it_was_written(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*PLAYED)
    phone.sits_down(table, "exports")
    with phone.page.expect_download() as waited:
        phone.tap("export-json")
    saved = json.loads(waited.value.path().read_text("utf-8"))
    assert len(saved["log"]["rows"]) == len(PLAYED)


def test_the_score_sheet_is_shown_to_be_printed(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*PLAYED)
    phone.sits_down(table, "exports")
    phone.tap("print")
    expect(phone.at("print-now")).to_be_enabled()
    phone.reads("sheet-view", "Chie")
    phone.tap("back")
    phone.sees("export-html")


def test_an_evening_is_deleted_only_by_who_writes_so(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    phone.sits_down(table, "exports")
    phone.tap("delete-session")
    expect(phone.at("delete-now")).to_be_disabled()
    phone.types("delete-word", "delete")
    phone.tap("delete-now")
    phone.sees("new-game-shippin")
    phone.eventually(lambda: table.asks("GET", "").status in {401, 404})


def test_a_number_tells_what_it_came_from(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*PLAYED)
    phone.sits_down(table, "statistics")
    phone.tap("balance-p2")
    phone.sees("why")
    phone.reads("why", "Ben")
    expect(phone.at("why").locator("tbody tr")).to_have_count(len(table.looks("/ledger?account=p2")["entries"]))


def test_a_past_round_is_gone_through_step_by_step(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5)
    table.reports(*PLAYED)
    phone.sits_down(table, "round/1")
    phone.sees("outcome", "replay")
    for _ in PLAYED[1:]:
        phone.tap("replay-on")
    expect(phone.at("replay-on")).to_be_disabled()
