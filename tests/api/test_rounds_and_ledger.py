"""How rounds went and why, every chip that moved, and paging through it all."""

from __future__ import annotations

import pytest

from tests.api.rounds import case, recorded, shirinma_round
from tests.scorekeeper import Json, Scorekeeper, event


def the_outcome(scorekeeper: Scorekeeper, number: int = 1) -> Json:
    outcome: Json = scorekeeper.looks(f"/rounds/{number}")["outcome"]
    return outcome


# --- rounds ---------------------------------------------------------------------------------------------------------


def test_an_open_round_says_which_cards_may_come_and_one_that_is_over_says_none(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    opened = recorded(scorekeeper, *shirinma_round()[:3])["session"]["round"]
    assert opened["cards"]["next"].keys() == {"card_dealt"}
    assert [code for code, left in opened["cards"]["left"].items() if not left] == ["cups-12", "coins-3"]
    assert opened["cards"]["next"]["card_dealt"] == [
        *(code for code, left in opened["cards"]["left"].items() if left),
        "plain",
    ]
    (over,) = recorded(scorekeeper, *shirinma_round()[3:])["ended"]
    assert over["cards"] is None
    recorded(scorekeeper, event("round_opened"), event("round_voided", reason="Tea was spilt."))
    recorded(scorekeeper, event("round_entered", payments={"p1": 5}, payouts={"p2": 5}))
    assert [done["cards"] for done in scorekeeper.looks("/rounds")["rounds"]] == [None, None, None]


def test_a_won_round_says_who_won_with_what_and_why(scorekeeper: Scorekeeper) -> None:
    players = ["Aki", "千恵", *["x"] * 10]
    scorekeeper.opens(players=players)
    opening, rest = shirinma_round()[:3], shirinma_round()[3:]
    recorded(scorekeeper, *opening, event("bid_placed", player="p2", amount=6), *rest)
    done = scorekeeper.looks("/rounds/1")
    outcome = done["outcome"]
    assert (done["status"], done["pot"], done["next"]) == ("won", 0, [])
    wanted = {"result": "won", "winner": "p1", "card": "cups-12", "back_rider": "p2", "next_dealer": "p2"}
    assert outcome | wanted == outcome
    assert outcome["payouts"] == [
        {"player": "p1", "amount": 138, "reason": "pot_won"},
        {"player": "p2", "amount": 138, "reason": "half_rights"},
    ]
    english, japanese = outcome["explanation"]["en"], outcome["explanation"]["ja"]
    parts = "240 chips in 12 antes of 20, 30 chips in card payments, and 6 chips in winning bids"
    assert f"The pot held 276 chips: {parts}." in english
    assert "千恵 had bought half the rights to that card for 6 chips, so Aki and 千恵 took 138 chips each." in english
    assert len(japanese) == len(english)
    assert all(any(letter > "\u3000" for letter in sentence) for sentence in japanese)
    assert "千恵" in "".join(japanese)


@pytest.mark.parametrize(
    ("trump", "deal", "field", "reasons"),
    [
        ("coins-5", ["cups-12"], "coins-3", ["field_card_is_trump", "no_trump_held"]),
        ("coins-2", ["cups-12"], "coins-3", ["low_bottom_card", "field_card_is_trump", "no_trump_held"]),
        ("cups-3", ["cups-12"], "coins-3", ["low_bottom_card"]),
        ("swords-5", ["cups-12"], "coins-3", ["no_trump_held"]),
    ],
)
def test_a_forfeited_round_says_every_reason(
    scorekeeper: Scorekeeper, trump: str, deal: list[str], field: str, reasons: list[str]
) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round(trump, deal=deal, field=field))
    done = scorekeeper.looks("/rounds/1")
    assert (done["status"], done["pot"], done["outcome"]["reasons"]) == ("forfeited", 270, reasons)
    assert done["outcome"]["payouts"] == []
    assert not done["outcome"].keys() & {"winner", "card", "back_rider"}
    for sentences in done["outcome"]["explanation"].values():
        assert any("270" in sentence for sentence in sentences)


def test_a_round_with_no_showdown_card_is_forfeited_after_the_last_deal(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(players=["x"] * 16)
    deal = [event("card_dealt", player=f"p{place % 16 + 1}", card="plain") for place in range(31)]
    recorded(scorekeeper, event("round_opened"), event("field_card_revealed", card="coins-1"), *deal)
    scorekeeper.reports(event("card_dealt", player="p16", card="clubs-4"))
    assert the_outcome(scorekeeper)["reasons"] == ["no_showdown_card"]


def test_a_voided_round_says_why_and_what_came_back(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "千恵"])
    bet = event("bet_placed", player="p2", column=1)
    recorded(scorekeeper, event("round_opened"), bet, event("round_voided", reason="雨 {0} <b>"))
    outcome = the_outcome(scorekeeper)
    assert (outcome["result"], outcome["next_dealer"]) == ("void", "p1")
    assert outcome["payouts"] == [{"player": "p2", "amount": 1, "reason": "round_voided"}]
    english, japanese = outcome["explanation"]["en"], outcome["explanation"]["ja"]
    assert "The round was voided: 雨 {0} <b>." in english
    assert "What was put in came back: 1 chip to 千恵." in english
    assert len(japanese) == len(english)
    assert english != japanese


def test_rounds_tell_the_cards_as_they_lie(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(deck="western")
    recorded(scorekeeper, *shirinma_round()[:3])
    table = scorekeeper.looks("/rounds/1")["table"]
    assert table["field_card"] == "3D"
    dealt = {"player": "p1", "card": "KH", "deal": 1, "paid": 30, "bids": [], "back_rider": None}
    assert table["dealt"] == [dealt]
    recorded(scorekeeper, *shirinma_round()[3:])
    assert scorekeeper.looks("/rounds/1")["table"]["trump"] == "hearts"
    english, japanese = the_outcome(scorekeeper)["explanation"].values()
    assert "The bottom card was the 5 of Hearts, so trump was Hearts." in english
    assert "底札は♥5で、切り札はハートでした。" in japanese


def test_every_column_has_its_hand(scorekeeper: Scorekeeper) -> None:
    told = case("shippin-by-hand")
    scorekeeper.opens(**told["session"])
    recorded(scorekeeper, *told["rounds"][0]["events"])
    outcome = the_outcome(scorekeeper)
    first = {"column": 1, "cards": ["2", "7"], "total": 9, "karami": False, "player": "p2", "verdict": "player"}
    assert outcome["hands"][0] == first
    assert outcome["dealer_hand"] == {"cards": ["8", "9"], "total": 7, "karami": False, "shippin": False}
    assert [hand["column"] for hand in outcome["hands"]] == [1, 2, 3, 4]


def test_a_round_that_never_was_is_not_there(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    for number in ("0", "2", "-1", "one", "1.0"):
        answer = scorekeeper.client.get(f"{scorekeeper.address}/rounds/{number}", headers=scorekeeper.headers())
        assert answer.status_code == 404


# --- the ledger -----------------------------------------------------------------------------------------------------


def test_balances_are_the_sums_of_the_ledger(scorekeeper: Scorekeeper) -> None:
    told = case("shirinma-seed-example")
    scorekeeper.opens(**told["session"])
    recorded(scorekeeper, *told["events"], event("chips_moved", from_="bank", to="p1", amount=50))
    recorded(scorekeeper, event("event_taken_back", seq=len(told["events"])))
    sums = dict.fromkeys([*scorekeeper.balances(), "pot", "bank"], 0)
    entries = scorekeeper.looks("/ledger?limit=500")["entries"]
    for entry in entries:
        sums[entry["from"]] -= entry["amount"]
        sums[entry["to"]] += entry["amount"]
    session = scorekeeper.looks("")
    assert sums == scorekeeper.balances() | {"pot": session["pot"], "bank": session["bank"]}
    assert session["pot"] == 386


def test_entries_are_never_changed(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    before = scorekeeper.looks("/ledger?limit=500")["entries"]
    scorekeeper.reports(event("event_taken_back"), event("round_voided", reason="misdeal"))
    after = scorekeeper.looks("/ledger?limit=500")["entries"]
    assert after[: len(before)] == before
    assert [entry["id"] for entry in after] == list(range(1, len(after) + 1))
    assert len(after) > len(before)


def test_an_entry_names_the_event_that_caused_it(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    events = {told["seq"]: told for told in scorekeeper.looks("/events")["events"]}
    reasons = {entry["reason"]: events[entry["seq"]]["type"] for entry in scorekeeper.looks("/ledger")["entries"]}
    assert reasons == {"ante": "round_opened", "king_payment": "card_dealt", "pot_won": "trump_revealed"}


# --- paging ---------------------------------------------------------------------------------------------------------

REPLAY = "rounds/1/replay"


def followed(scorekeeper: Scorekeeper, address: str) -> list[list[Json]]:
    """Follow a list from page to page to its end."""
    pages: list[list[Json]] = []
    following: str | None = address
    while following:
        answer = scorekeeper.client.get(following, headers=scorekeeper.headers())
        assert answer.status_code == 200, answer.text
        page = answer.get_json()
        following = page.pop("next")
        (elements,) = (found for found in page.values() if isinstance(found, list))
        assert ("Link" in answer.headers) == (following is not None)
        pages.append(elements)
        assert len(pages) < 100
    return pages


@pytest.fixture
def after_three_rounds(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Three rounds, 28 events and 13 or 14 entries each, and three links beside the owner's."""
    scorekeeper.opens()
    for trump in ("cups-5", "coins-5", "cups-6"):
        recorded(scorekeeper, event("dealer_named", player="p1"), *shirinma_round(trump))
    for _ in range(3):
        scorekeeper.client.post(f"{scorekeeper.address}/links", json={"role": "viewer"}, headers=scorekeeper.headers())
    return scorekeeper


@pytest.mark.parametrize(("name", "count"), [("events", 84), ("ledger", 41), ("rounds", 3), ("links", 4), (REPLAY, 27)])
def test_pages_give_everything_once_in_order(after_three_rounds: Scorekeeper, name: str, count: int) -> None:
    address = f"{after_three_rounds.address}/{name}"
    (everything,) = followed(after_three_rounds, f"{address}?limit=500")
    assert len(everything) == count
    for limit in {1, 2, count - 1, count, count + 1} if count < 50 else {7, count - 1, count}:
        pages = followed(after_three_rounds, f"{address}?limit={limit}")
        assert [element for page in pages for element in page] == everything
        assert {len(page) for page in pages[:-1]} <= {limit}
        assert pages[-1]


def test_a_page_has_100_elements_unless_asked(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *[event("chips_moved", from_="p1", to="p2", amount=1)] * 201)
    for name in ("events", "ledger"):
        assert [len(page) for page in followed(scorekeeper, f"{scorekeeper.address}/{name}")] == [100, 100, 1]


@pytest.mark.parametrize("name", ["events", "ledger", "rounds", "links", REPLAY])
@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        *((f"limit={limit}", "limit") for limit in ("0", "501", "-1", "abc", "", "1.0", "1_0", "%2B1", "%EF%BC%91")),
        *((f"after={after}", "after") for after in ("-1", "x", "9007199254740992", "9" * 5000)),
        ("page=2", "page"),
    ],
    ids=lambda text: str(text)[:20],
)
def test_a_page_that_there_cannot_be_is_refused(scorekeeper: Scorekeeper, name: str, query: str, wrong: str) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    answer = scorekeeper.client.get(f"{scorekeeper.address}/{name}?{query}", headers=scorekeeper.headers())
    assert answer.status_code == 422
    (error,) = answer.get_json()["errors"]
    assert error["parameter"] == wrong
    assert "pointer" not in error
    if wrong == "limit":
        assert "500" in error["detail"]


@pytest.mark.parametrize("name", ["events", "ledger", "rounds", "links", REPLAY])
def test_after_the_end_there_is_nothing_more(scorekeeper: Scorekeeper, name: str) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    assert followed(scorekeeper, f"{scorekeeper.address}/{name}?after=9007199254740991") == [[]]


# --- one account ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("account", ["p1", "p12", "pot", "bank"])
def test_the_ledger_of_one_account_has_what_it_paid_and_was_paid(after_three_rounds: Scorekeeper, account: str) -> None:
    address = f"{after_three_rounds.address}/ledger"
    (everything,) = followed(after_three_rounds, f"{address}?limit=500")
    wanted = [entry for entry in everything if account in {entry["from"], entry["to"]}]
    assert (len(wanted) > 1) == (account != "bank")
    for limit in (1, 2, 500):
        pages = followed(after_three_rounds, f"{address}?account={account}&limit={limit}")
        assert [entry for page in pages for entry in page] == wanted
        assert {len(page) for page in pages[:-1]} <= {limit}
    after = wanted[0]["id"] if wanted else 0
    assert followed(after_three_rounds, f"{address}?after={after}&account={account}") == [wanted[1:]]


@pytest.mark.parametrize("account", ["p6", "p01", "house", "", "P1", "p1%00", "%F0%9F%8E%B4"])
def test_the_ledger_of_an_account_that_there_is_not_names_those_there_are(
    scorekeeper: Scorekeeper, account: str
) -> None:
    scorekeeper.opens("shippin")
    answer = scorekeeper.client.get(f"{scorekeeper.address}/ledger?account={account}", headers=scorekeeper.headers())
    assert answer.status_code == 422
    (error,) = answer.get_json()["errors"]
    assert error == {"parameter": "account", "detail": "one of these is needed: pot, bank, p1, p2, p3, p4, p5"}


def test_who_has_left_still_has_a_ledger(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    moved = event("chips_moved", from_="p5", to="p1", amount=3)
    recorded(scorekeeper, moved, event("player_left", player="p5"))
    assert [entry["amount"] for entry in scorekeeper.looks("/ledger?account=p5")["entries"]] == [3]
