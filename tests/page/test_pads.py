"""What the pads of Shippin and Kakkuri do besides recording: take back, draw again, offer what fits, mend a refusal."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.page.phone import Phone
from tests.page.table import Table
from tests.scorekeeper import event

pytestmark = pytest.mark.integration

Opens = Callable[..., Table]
OPEN = event("round_opened")


def sat_down(phone: Phone, table: Table) -> Table:
    phone.sits_down(table)
    phone.stands_at(table.seq)
    return table


def taps_cards(phone: Phone, *codes: object) -> None:
    phone.tap(*(f"card-{code}" for code in codes))


def stands(phone: Phone, table: Table, seq: int) -> None:
    """Both the books and the page are there."""
    phone.eventually(lambda: table.seq == seq)
    phone.stands_at(seq)


def in_seats(table: Table) -> list[str]:
    people = table.looks()["players"]
    return [player["id"] for player in sorted(people, key=lambda each: each["seat"])]


# --- Shippin --------------------------------------------------------------------------------------------------------


def test_those_who_tie_draw_again_and_the_seats_follow(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens("shippin", 3))
    phone.tap("draw-p1")
    taps_cards(phone, 7, 2, 7)
    stands(phone, table, 1)
    phone.reads("draw-again", "Aki and Chie")
    phone.misses("draw-p2")
    taps_cards(phone, 5, 3)
    stands(phone, table, 2)
    phone.misses("draw-again")
    assert in_seats(table) == ["p2", "p3", "p1"]
    assert table.looks()["dealer"] == "p2"


def test_a_draw_can_be_given_up(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens("shippin", 2))
    phone.tap("draw-p1", "card-7", "draw-cancel", "open-round")
    stands(phone, table, 1)
    assert table.log[0]["type"] == "round_opened"


def test_a_dealer_of_the_house_draws_no_seat(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens("shippin", 3, rules={"dealer_role": "house"}))
    phone.sees("draw-p2", "draw-p3")
    phone.misses("draw-p1")
    phone.tap("draw-p2")
    taps_cards(phone, 9, 4)
    stands(phone, table, 1)
    assert in_seats(table) == ["p1", "p3", "p2"]


def test_who_bets_next_comes_by_itself(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 4, rules={"must_bet": "yes"})
    table.reports(OPEN)
    sat_down(phone, table)
    phone.misses("second-cards")
    phone.tap("column-2", "column-4", "column-1")
    stands(phone, table, 4)
    assert [(each["player"], each["column"]) for each in table.log[1:]] == [("p2", 2), ("p3", 4), ("p4", 1)]
    phone.sees("second-cards")


def test_who_bets_is_tapped_on_the_seats_and_stands_above_the_column(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 4)
    table.reports(OPEN)
    sat_down(phone, table)
    phone.is_turned_to("bet-p2")
    phone.tap("bet-p3", "column-2")
    stands(phone, table, 2)
    phone.reads("column-2", "Chie")
    phone.is_turned_to("bet-p4")
    phone.misses("bet-p1", "bet-p2", "bet-p3")
    phone.tap("second-cards", "back-to-bets", "column-4")
    stands(phone, table, 3)
    assert [(each["player"], each["column"]) for each in table.log[1:]] == [("p3", 2), ("p4", 4)]


def test_a_hand_is_told_by_its_total_and_karami(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 2)
    table.reports(OPEN, event("bet_placed", player="p2", column=3))
    table.reports(event("second_cards_dealt", columns=["7", "3", "4", "10"], dealer="1"))
    sat_down(phone, table)
    phone.reads("first-cards", "First card of column 1, on the 7")
    taps_cards(phone, 3, 5)
    columns = phone.page.locator(".column")
    expect(columns.nth(0)).to_contain_text("0buta")
    expect(columns.nth(1)).to_contain_text("8oicho")
    expect(columns.nth(2)).to_contain_text("karami")
    expect(columns.nth(3)).not_to_contain_text("karami")
    phone.reads("first-cards", "Ben")
    taps_cards(phone, 2, 2, 4)
    phone.sees("outcome")
    expect(columns.nth(2)).to_contain_text("Ben")
    expect(columns.nth(4)).to_contain_text("shippin!")


def test_a_card_is_taken_back_before_the_five_are_sent(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 2)
    table.reports(OPEN, event("bet_placed", player="p2", column=3))
    sat_down(phone, table)
    taps_cards(phone, 1, 2, 3)
    phone.tap("slot-2")
    taps_cards(phone, 8, 4, 5)
    stands(phone, table, 3)
    assert (table.log[-1]["columns"], table.log[-1]["dealer"]) == (["1", "8", "3", "4"], "5")
    taps_cards(phone, 10, 10, 10, 10, 4)
    phone.sees("outcome")
    stands(phone, table, 4)


def test_only_a_column_that_may_be_left_out_has_a_tap_for_it(phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 2, rules={"dealer_role": "fixed"})
    table.reports(OPEN, event("bet_placed", player="p2", column=2))
    sat_down(phone, table)
    phone.tap("no-card")
    phone.misses("no-card")
    taps_cards(phone, 4)
    phone.tap("no-card", "no-card")
    taps_cards(phone, 9)
    stands(phone, table, 3)
    assert table.log[-1]["columns"] == [None, "4", None, None]


# --- Kakkuri --------------------------------------------------------------------------------------------------------


def at_turn(opens: Opens, *events: dict[str, object], **opening: object) -> Table:
    table = opens("kakkuri", 7, **opening)
    table.reports(OPEN, event("starter_revealed", card="cups-4"), *events)
    return table


def test_a_turn_by_cards_dims_what_does_not_fit(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, at_turn(opens))
    unlikely = re.compile("unlikely")
    expect(phone.at("card-swords-5")).not_to_have_class(unlikely)
    expect(phone.at("card-swords-6")).to_have_class(unlikely)
    phone.tap("card-swords-5")
    expect(phone.at("card-swords-6")).not_to_have_class(unlikely)
    expect(phone.at("card-coins-9")).to_have_class(unlikely)
    taps_cards(phone, "swords-6", "cups-7")
    phone.tap("take-card-back", "turn-done")
    stands(phone, table, 3)
    assert table.log[-1]["cards"] == ["swords-5", "swords-6"]


def test_the_next_number_is_under_the_thumb_and_all_others_behind_a_button(phone: Phone, opens: Opens) -> None:
    sat_down(phone, at_turn(opens))
    for next_ in ("card-swords-5", "card-cups-5", "card-coins-5", "card-clubs-5", "card-clubs-1", "card-coins-2"):
        expect(phone.at(next_)).to_be_in_viewport()
    expect(phone.at("card-swords-9")).not_to_be_in_viewport()
    phone.tap("other-cards")
    expect(phone.at("card-swords-9")).to_be_in_viewport()
    phone.tap("card-cups-5")
    expect(phone.at("card-swords-6")).to_be_in_viewport()
    expect(phone.at("card-swords-9")).not_to_be_in_viewport()
    phone.tap("card-coins-2")
    expect(phone.at("card-swords-9")).to_be_in_viewport()  # anything goes on a wild


def test_three_of_a_number_are_tapped_one_after_the_other(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, at_turn(opens))
    phone.tap("three-alike", "card-swords-5", "card-coins-5")
    expect(phone.at("card-cups-5")).to_be_in_viewport()
    phone.tap("card-cups-5")
    expect(phone.at("card-swords-6")).to_be_in_viewport()
    phone.reads("turn-done", "Aki laid 3 cards")
    phone.tap("turn-done")
    stands(phone, table, 3)
    assert table.log[-1]["cards"] == ["swords-5", "coins-5", "cups-5"]


def test_after_three_pairs_two_of_a_number_go_down(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, at_turn(opens))
    phone.tap("three-pairs", "for-p1", "card-swords-5")
    expect(phone.at("card-cups-5")).to_be_in_viewport()
    phone.tap("card-cups-5")
    expect(phone.at("card-cups-6")).to_be_in_viewport()
    phone.tap("turn-done")
    stands(phone, table, 4)
    assert table.log[-1]["cards"] == ["swords-5", "cups-5"]


def test_a_card_that_goes_down_only_in_threes_says_so(phone: Phone, opens: Opens) -> None:
    """On a 4, a 1 goes with another and the wild one, which goes alone as a 5 does. A second card is not marked."""
    sat_down(phone, at_turn(opens))
    expect(phone.at("card-swords-1")).to_contain_text("×3")
    expect(phone.at("card-swords-1")).to_contain_text("only 3 together")
    for alone in ("card-clubs-1", "card-swords-5", "card-swords-6"):
        expect(phone.at(alone)).not_to_contain_text("×")
    phone.tap("card-swords-1")
    expect(phone.at("card-cups-1")).not_to_contain_text("×")


def test_a_turn_by_its_count_and_the_top_card_and_a_pass(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, at_turn(opens))
    phone.tap("count-3", "card-coins-9", "turn-done", "turn-done")
    stands(phone, table, 4)
    first, second = table.log[-2:]
    assert (first["player"], first["count"], first["top"]) == ("p1", 3, "coins-9")
    assert second["player"] == "p2"
    assert not second.get("cards")
    assert table.balances()["p2"] == -1


def test_a_refused_turn_is_mended_or_played_so_all_the_same(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, at_turn(opens))
    phone.tap("card-coins-9", "turn-done")
    phone.reads("problem", "cannot go on")
    phone.tap("take-card-back", "card-coins-5", "turn-done")
    phone.misses("problem")
    stands(phone, table, 3)
    phone.tap("card-cups-9", "turn-done", "overrule")
    phone.types("reason", "nobody minded")
    phone.tap("confirm")
    stands(phone, table, 4)
    assert [each.get("overrule") for each in table.log[-2:]] == [None, "nobody minded"]


def test_another_than_whose_turn_it_is_can_be_chosen(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, at_turn(opens))
    table.reports(event("turn_played", player="p1", cards=["coins-5"]))
    stands(phone, table, 3)
    phone.tap("for-p4", "turn-done")
    phone.reads("problem", "turn, not")
    phone.tap("overrule")
    phone.sees("reason")


def test_of_eight_one_drops_out_and_is_dimmed(phone: Phone, opens: Opens) -> None:
    table = sat_down(phone, opens("kakkuri", 8))
    phone.tap("open-round", "dropped-out", "for-p3")
    stands(phone, table, 2)
    phone.tap("exchanged")
    phone.misses("for-p3", "for-p1")
    phone.tap("for-p5", "starter", "card-swords-1")
    stands(phone, table, 4)
    expect(phone.page.locator(".seat.out")).to_contain_text("Chie")


def test_a_player_drops_out_on_their_turn_and_is_told_what_it_costs(phone: Phone, opens: Opens) -> None:
    table = opens("kakkuri", 7, rules={"chips_per_share": 30})
    table.reports(OPEN, event("starter_revealed", card="cups-4"))
    sat_down(phone, table)
    phone.tap("dropped-out")
    expect(phone.page.locator(".question")).to_contain_text("Pays a share into the pot (30)")
    phone.misses("for-p2")
    phone.tap("for-p1")
    stands(phone, table, 3)
    expect(phone.page.locator(".seat.out")).to_contain_text("Aki")
    phone.tap("card-cups-5", "turn-done")
    stands(phone, table, 4)
    assert table.looks()["round"]["table"]["turns"][0]["player"] == "p2"


@pytest.mark.parametrize(
    ("deck", "code", "said"), [("mekurifuda", "cups-12", "12 of Cups"), ("western", "KH", "12 of Hearts")]
)
def test_kakkuris_log_speaks_of_numbers(deck: str, code: str, said: str, phone: Phone, opens: Opens) -> None:
    table = opens("kakkuri", 7, deck=deck)
    table.reports(OPEN, event("starter_revealed", card=code))
    sat_down(phone, table)
    phone.tap("log")
    expect(phone.page.locator("main")).to_contain_text(said)


def test_eight_people_and_a_whole_deck_need_no_scrolling(phone: Phone, opens: Opens) -> None:
    table = opens("kakkuri", 8, deck="hanafuda")
    table.reports(OPEN, event("player_dropped_out", player="p2"), event("starter_revealed", card="cups-4"))
    sat_down(phone, table)
    phone.tap("card-iris-chaff-1")
    phone.fits(whole=True)


@pytest.mark.parametrize("deck", ["kabufuda", "hanafuda", "western"])
def test_five_people_and_their_columns_need_no_scrolling(deck: str, phone: Phone, opens: Opens) -> None:
    table = opens("shippin", 5, deck=deck)
    table.reports(OPEN, *(event("bet_placed", player=f"p{seat}", column=seat - 1) for seat in (2, 3, 4)))
    sat_down(phone, table)
    phone.fits(whole=True)
    phone.tap("second-cards")
    phone.fits(whole=True)
