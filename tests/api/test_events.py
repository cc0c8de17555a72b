"""Recording what was seen: what each event does, what is refused and with which help, and that nothing stays of it."""

from __future__ import annotations

from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.api.rounds import case, first_cards, recorded, second_cards, shirinma_round, turn
from tests.scorekeeper import Json, Scorekeeper, deals, event


def first_problem(problem: Json) -> Json:
    """The members of a problem that are this refusal's own."""
    return {
        name: fact
        for name, fact in problem.items()
        if name not in {"type", "title", "status", "detail", "code", "rule", "index"}
    }


# --- what recording answers -----------------------------------------------------------------------------------------


def test_recording_answers_events_entries_and_session(scorekeeper: Scorekeeper) -> None:
    link = scorekeeper.opens()["link"]["id"]
    answer = scorekeeper.tries(*shirinma_round()[:3])
    body = answer.get_json()
    assert (answer.status_code, answer.headers["ETag"]) == (201, '"3"')
    assert [told["seq"] for told in body["events"]] == [1, 2, 3]
    assert {told["recorded_by"] for told in body["events"]} == {link}
    assert {told["round"] for told in body["events"]} == {1}
    assert body["events"][2] | {"type": "card_dealt", "player": "p1", "card": "cups-12"} == body["events"][2]
    assert [entry["id"] for entry in body["entries"]] == list(range(1, 14))
    assert body["entries"][12] == {
        "id": 13,
        "seq": 3,
        "round": 1,
        "from": "p1",
        "to": "pot",
        "amount": 30,
        "reason": "king_payment",
        "reverses": None,
    }
    assert body["session"] == scorekeeper.looks("")


def test_whoever_prefers_little_is_answered_without_session_and_rounds(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    minimal = {"Prefer": 'respond-async, Return = "minimal"; foo=1, return=representation'}
    answer = scorekeeper.tries(*shirinma_round(), **minimal)
    body = answer.get_json()
    assert (answer.status_code, answer.headers["Preference-Applied"]) == (201, "return=minimal")
    last = len(shirinma_round())
    assert answer.headers["ETag"] == f'"{last}"'
    assert body == {
        "events": scorekeeper.looks("/events")["events"],
        "entries": scorekeeper.looks("/ledger")["entries"],
        "seq": last,
        "rounds_ended": [1],
    }
    undo = scorekeeper.tries(event("event_taken_back"), query="?dry_run=true", **minimal).get_json()
    assert undo.keys() == {"events", "entries", "seq", "rounds_ended", "changes"}


@pytest.mark.parametrize(
    "prefer", ["return=representation, return=minimal", "handling=lenient", "return", "x; return=minimal", ""]
)
def test_whoever_prefers_something_else_is_answered_in_full(scorekeeper: Scorekeeper, prefer: str) -> None:
    scorekeeper.opens()
    answer = scorekeeper.tries(event("round_opened"), Prefer=prefer)
    assert "Preference-Applied" not in answer.headers
    assert answer.get_json()["session"] == scorekeeper.looks("")


def test_a_repeat_is_shaped_by_what_it_prefers_itself(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    key = {"Idempotency-Key": "4f1c-0001"}
    full = scorekeeper.tries(event("round_opened"), **key).get_json()
    again = scorekeeper.tries(event("round_opened"), **key, Prefer="return=minimal")
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json() == {
        "events": full["events"],
        "entries": full["entries"],
        "seq": full["session"]["seq"],
        "rounds_ended": [],
    }


def test_the_log_gives_the_events_as_they_were_answered(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    body = scorekeeper.tries(*shirinma_round()[:6]).get_json()
    assert scorekeeper.looks("/events") == {"events": body["events"], "next": None}
    assert scorekeeper.looks("/events?after=4")["events"] == body["events"][4:]
    assert scorekeeper.looks("/events?after=6") == {"events": [], "next": None}


def test_cards_are_answered_as_the_sessions_deck_writes_them(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(deck="western")
    scorekeeper.reports(
        event("round_opened"),
        event("field_card_revealed", card="Q♥"),
        event("card_dealt", player="p1", card="cups-12"),
        event("card_dealt", player="p2", card="a♤"),
    )
    cards = [told.get("card") for told in scorekeeper.looks("/events")["events"]]
    assert cards == [None, "QH", "KH", "AS"]


def test_500_events_are_recorded_at_once_and_501_are_not(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    gift = event("chips_moved", from_="p1", to="p2", amount=1)
    problem = scorekeeper.is_refused(*[gift] * 501, status=422)
    assert problem["errors"][0]["pointer"] == "/events"
    assert "500" in problem["errors"][0]["detail"]
    assert scorekeeper.tries(*[gift] * 500).get_json()["session"]["seq"] == 500
    assert scorekeeper.balances()["p2"] == 500


def test_no_events_are_nothing_to_record(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    assert scorekeeper.is_refused(status=422)["errors"][0]["pointer"] == "/events"


def test_of_a_batch_with_a_refused_event_nothing_stays(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    report = [*shirinma_round()[:4], event("bid_placed", player="p3", amount=9), event("round_opened")]
    problem = scorekeeper.is_refused(*report, code="no_auction_open")
    assert (problem["index"], problem["rule"]) == (4, "SH-8")
    assert scorekeeper.looks("/events")["events"] == []
    assert scorekeeper.looks("/ledger")["entries"] == []
    assert scorekeeper.looks("/rounds")["rounds"] == []
    scorekeeper.reports(*report[:4])


def test_notes_and_overrules_are_kept_with_the_event(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:2])
    told = scorekeeper.reports(event("card_dealt", player="p7", card="plain", note="雨", overrule="dealt so"))["events"]
    assert (told[0]["note"], told[0]["overrule"]) == ("雨", "dealt so")
    assert "note" not in scorekeeper.looks("/events")["events"][0]


# --- dry runs, stale tags, repeated requests ------------------------------------------------------------------------


def test_a_dry_run_answers_what_recording_would_and_stores_nothing(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    before = scorekeeper.looks("")
    tried = scorekeeper.tries(*shirinma_round(), query="?dry_run=true")
    assert tried.status_code == 200
    assert "ETag" not in tried.headers
    assert scorekeeper.looks("") == before
    assert scorekeeper.looks("/events")["events"] == []
    done = scorekeeper.tries(*shirinma_round(), query="?dry_run=false")
    assert done.status_code == 201
    assert unstamped(tried) == unstamped(done)


def unstamped(answer: TestResponse) -> Json:
    """An answer without the time, and without what only dry runs and corrections say."""
    body: Json = answer.get_json()
    events = [{name: fact for name, fact in told.items() if name != "recorded_at"} for told in body["events"]]
    return {"events": events, "entries": body["entries"], "session": body["session"]}


def test_a_dry_run_is_refused_as_recording_would_be(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    tried = scorekeeper.tries(*shirinma_round()[1:], query="?dry_run=true")
    assert (tried.status_code, tried.get_json()["code"]) == (409, "no_round_open")
    answer = scorekeeper.tries(event("round_opened"), query="?dry_run=perhaps")
    assert (answer.status_code, answer.get_json()["errors"][0]["parameter"]) == (422, "dry_run")


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
@pytest.mark.parametrize("tag", ['"1"', '"12"', 'W/"1"', '"0", "1"', '""', ""])
def test_a_stale_tag_is_refused_with_the_seq(scorekeeper: Scorekeeper, tag: str, query: str) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:2])
    answer = scorekeeper.tries(*shirinma_round()[2:3], query=query, If_Match=tag)
    assert (answer.status_code, answer.get_json()["code"], answer.get_json()["seq"]) == (412, "stale", 2)
    assert scorekeeper.looks("")["seq"] == 2


@pytest.mark.parametrize("tag", ['"2"', "*", '"1", "2"', '"2","3"', "2", 'W/"2"', '"1", W/"2"'])
def test_a_tag_that_holds_lets_events_in(scorekeeper: Scorekeeper, tag: str) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:2])
    assert scorekeeper.tries(*shirinma_round()[2:3], If_Match=tag).status_code == 201


def test_the_tag_of_an_answer_is_the_tag_of_the_session(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    tag = scorekeeper.tries(*shirinma_round()[:2]).headers["ETag"]
    assert scorekeeper.client.get(scorekeeper.address, headers=scorekeeper.headers()).headers["ETag"] == tag


def test_a_repeated_key_is_answered_the_same_and_recorded_once(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    first = scorekeeper.tries(*shirinma_round()[:3], Idempotency_Key="a", If_Match='"0"')
    assert "Idempotency-Replayed" not in first.headers
    recorded(scorekeeper, *shirinma_round()[3:])
    scorekeeper.reports(event("player_left", player="p12"), event("event_taken_back", seq=2 + 24 + 2))
    before = scorekeeper.looks("")
    for tag in ('"0"', '"77"', "*"):
        again = scorekeeper.tries(*shirinma_round()[:3], Idempotency_Key="a", If_Match=tag)
        assert (again.status_code, again.data, again.headers["ETag"]) == (201, first.data, first.headers["ETag"])
        assert again.headers["Idempotency-Replayed"] == "true"
    assert scorekeeper.looks("") == before


def test_a_repeated_correction_is_answered_the_same(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    undo = event("event_taken_back")
    first = scorekeeper.tries(undo, Idempotency_Key="oops")
    scorekeeper.reports(shirinma_round()[-1], event("chips_moved", from_="bank", to="p1", amount=5))
    assert scorekeeper.tries(undo, Idempotency_Key="oops").data == first.data


def test_a_key_is_remembered_over_a_restart(scorekeeper: Scorekeeper, make_app: Any) -> None:
    scorekeeper.opens()
    first = scorekeeper.tries(*shirinma_round()[:5], Idempotency_Key="a")
    scorekeeper.client = make_app().test_client()
    assert scorekeeper.tries(*shirinma_round()[:5], Idempotency_Key="a").data == first.data


def test_a_key_used_with_another_request_is_refused(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.tries(event("round_opened"), Idempotency_Key="a")
    answer = scorekeeper.tries(event("field_card_revealed", card="cups-5"), Idempotency_Key="a")
    assert (answer.status_code, answer.get_json()["code"]) == (422, "key_reused")
    assert scorekeeper.looks("")["seq"] == 1
    assert scorekeeper.tries(event("field_card_revealed", card="cups-5"), Idempotency_Key="b").status_code == 201


def test_a_key_belongs_to_its_session(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.tries(event("round_opened"), Idempotency_Key="a")
    scorekeeper.opens("shippin")
    answer = scorekeeper.tries(event("dealer_named", player="p2"), Idempotency_Key="a")
    assert (answer.status_code, answer.headers.get("Idempotency-Replayed")) == (201, None)


@pytest.mark.parametrize("report", [event("round_voided", reason="?"), event("round_opened", x=1)])
def test_a_key_of_a_refused_request_may_be_used_again(scorekeeper: Scorekeeper, report: Json) -> None:
    scorekeeper.opens()
    assert scorekeeper.tries(report, Idempotency_Key="a").status_code in {409, 422}
    assert scorekeeper.tries(event("round_opened"), Idempotency_Key="a").status_code == 201


def test_a_dry_run_uses_no_key_up(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    for _ in range(2):
        answer = scorekeeper.tries(event("round_opened"), query="?dry_run=true", Idempotency_Key="a")
        assert (answer.status_code, answer.headers.get("Idempotency-Replayed")) == (200, None)
    done = scorekeeper.tries(event("round_opened"), Idempotency_Key="a")
    assert (done.status_code, done.headers.get("Idempotency-Replayed")) == (201, None)
    tried = scorekeeper.tries(event("round_opened"), query="?dry_run=true", Idempotency_Key="a")
    assert (tried.status_code, tried.get_json()["code"]) == (409, "round_is_open")


@pytest.mark.parametrize("key", ["", "x" * 256])
def test_a_key_has_1_to_255_characters(scorekeeper: Scorekeeper, key: str) -> None:
    scorekeeper.opens()
    assert scorekeeper.tries(event("round_opened"), Idempotency_Key=key).status_code == 400
    assert scorekeeper.looks("")["seq"] == 0
    assert scorekeeper.tries(event("round_opened"), Idempotency_Key="é" * 127).status_code == 201


# --- Shirinma -------------------------------------------------------------------------------------------------------


def at_an_auction(scorekeeper: Scorekeeper, *bids: tuple[str, int], **opening: Any) -> None:
    """The King of Cups lies before p1, and some have bid."""
    scorekeeper.opens(**opening)
    recorded(scorekeeper, *shirinma_round()[:3])
    scorekeeper.reports(*(event("bid_placed", player=player, amount=amount) for player, amount in bids))


def test_a_card_seen_before_is_refused_with_the_event_that_showed_it(scorekeeper: Scorekeeper) -> None:
    at_an_auction(scorekeeper, ("p2", 3), players=["Aki", *["x"] * 11])
    problem = scorekeeper.is_refused(event("card_dealt", player="p2", card="cups-12"), code="card_already_seen")
    assert problem["rule"] == "SH-18"
    assert problem["detail"] == "The King of Cups was already seen: it was dealt to Aki."
    where = {"card": "cups-12", "where": "it was dealt to Aki", "first_seen_seq": 3}
    assert first_problem(problem) == where
    batch = [event("card_dealt", player="p2", card="cups-7"), event("card_dealt", player="p3", card="cups-7")]
    assert scorekeeper.is_refused(*batch, code="card_already_seen")["first_seen_seq"] == 5
    field = scorekeeper.is_refused(event("card_dealt", player="p2", card="coins-3"), code="card_already_seen")
    assert field["first_seen_seq"] == 2


def test_the_trump_is_a_card_not_seen_before(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:-1])
    problem = scorekeeper.is_refused(event("trump_revealed", card="cups-12"), code="card_already_seen")
    assert problem["first_seen_seq"] == 3


def test_a_33rd_plain_card_is_refused(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.tries(event("round_opened"), event("field_card_revealed", card="coins-3"), *deals(["plain"] * 31))
    problem = scorekeeper.is_refused(event("card_dealt", player="p8", card="plain"), code="no_plain_card_left")
    assert (problem["count"], problem["rule"]) == (32, "SH-18")


def test_a_card_of_another_deck_is_refused(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    problem = scorekeeper.is_refused(event("field_card_revealed", card="QH"), code="foreign_card")
    assert problem["rule"] == "SH-1"
    assert first_problem(problem) == {"card": "QH", "deck": "mekurifuda", "why": "the table plays with mekurifuda"}
    scorekeeper.opens(deck="western")
    scorekeeper.reports(event("round_opened"))
    ten = scorekeeper.is_refused(event("field_card_revealed", card="10C"), code="foreign_card")
    assert (ten["card"], ten["why"]) == ("10C", "the tens are taken out")


@pytest.mark.parametrize("card", ["joker", "", "cups-13", "CUPS-1", " cups-1", "plain", "11", "１", "A♥♥", "cups-1\0"])
def test_what_is_no_card_of_any_deck_is_a_wrong_field(scorekeeper: Scorekeeper, card: str) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    (error,) = scorekeeper.is_refused(event("field_card_revealed", card=card), status=422)["errors"]
    assert error["pointer"] == "/events/0/card"
    assert "cups-11, QH" in error["detail"]


def test_a_deal_out_of_turn_names_who_is_next(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(players=["Aki", "Ben", *["x"] * 9, "千恵"])
    recorded(scorekeeper, *shirinma_round()[:2])
    problem = scorekeeper.is_refused(event("card_dealt", player="p12", card="plain"), code="out_of_turn")
    assert problem["rule"] == "SH-5"
    assert first_problem(problem) == {"expected": "p1", "player": "p12"}
    assert problem["detail"] == "It's Aki's turn, not 千恵's."


def test_a_bid_on_ones_own_card_is_refused(scorekeeper: Scorekeeper) -> None:
    at_an_auction(scorekeeper)
    problem = scorekeeper.is_refused(event("bid_placed", player="p1", amount=5), code="bid_on_own_card")
    assert first_problem(problem) | {"rule": problem["rule"]} == {"player": "p1", "card": "cups-12", "rule": "SH-7"}
    overruled = event("bid_placed", player="p1", amount=5, overrule="we allow it")
    scorekeeper.is_refused(overruled, code="bid_on_own_card")


@pytest.mark.parametrize(("rules", "bid", "at_least"), [({}, 3, 4), ({"min_increment": 10}, 12, 13)])
def test_a_bid_too_low_names_the_least_there_may_be(
    scorekeeper: Scorekeeper, rules: Json, bid: int, at_least: int
) -> None:
    at_an_auction(scorekeeper, ("p2", 3), rules=rules)
    problem = scorekeeper.is_refused(event("bid_placed", player="p3", amount=bid), code="bid_too_low")
    assert first_problem(problem) | {"rule": problem["rule"]} == {"at_least": at_least, "rule": "SH-7"}
    assert str(at_least) in problem["detail"]
    scorekeeper.reports(event("bid_placed", player="p3", amount=at_least))


def test_the_first_bid_has_its_least_too(scorekeeper: Scorekeeper) -> None:
    at_an_auction(scorekeeper, rules={"min_bid": 5})
    assert scorekeeper.is_refused(event("bid_placed", player="p3", amount=4), code="bid_too_low")["at_least"] == 5


def test_nobody_raises_their_own_bid(scorekeeper: Scorekeeper) -> None:
    at_an_auction(scorekeeper, ("p2", 3))
    problem = scorekeeper.is_refused(event("bid_placed", player="p2", amount=4), code="raised_own_bid")
    assert first_problem(problem) == {"player": "p2", "standing": 3}


@pytest.mark.parametrize("stranger", ["p13", "p0", "Aki", "bank", "pot", "p1 ", "\0"])
def test_a_stranger_neither_bids_nor_is_dealt_to(scorekeeper: Scorekeeper, stranger: str) -> None:
    at_an_auction(scorekeeper)
    for report in (event("bid_placed", player=stranger, amount=5), event("card_dealt", player=stranger, card="plain")):
        problem = scorekeeper.is_refused(report, code="unknown_player")
        assert problem["players"] == [f"p{number}" for number in range(1, 13)]
        assert problem["player"] == stranger


def test_without_an_auction_nobody_bids(scorekeeper: Scorekeeper) -> None:
    at_an_auction(scorekeeper, ("p2", 3))
    scorekeeper.reports(event("auction_closed"))
    for report in (event("bid_placed", player="p3", amount=5), event("auction_closed")):
        assert scorekeeper.is_refused(report, code="no_auction_open")["rule"] == "SH-8"


def test_the_trump_waits_for_the_deals(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:8])
    problem = scorekeeper.is_refused(event("trump_revealed", card="cups-5"), code="deals_not_done")
    assert first_problem(problem) | {"rule": problem["rule"]} == {"expected": "p7", "rule": "SH-11"}


def test_what_is_out_of_place_names_what_may_be_reported(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    problem = scorekeeper.is_refused(event("card_dealt", player="p1", card="plain"), code="out_of_place")
    assert problem["expected"] == ["field_card_revealed"]


def test_a_pot_beyond_what_can_be_recorded_is_refused(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(rules={"ante": 10**8})
    problem = scorekeeper.is_refused(event("round_opened"), code="pot_too_large")
    assert first_problem(problem) == {"amount": 12 * 10**8, "at_most": 10**9}


# --- Shippin --------------------------------------------------------------------------------------------------------


def bet(player: str, column: int) -> Json:
    return event("bet_placed", player=player, column=column)


def test_a_fifth_4_is_refused(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"), second_cards("4", "4", "4", "9", dealer="4"))
    problem = scorekeeper.is_refused(first_cards("1", "2", "4", "3", dealer="5"), code="no_card_of_value_left")
    assert first_problem(problem) | {"rule": problem["rule"]} == {"value": 4, "count": 4, "rule": "SP-15"}
    scorekeeper.is_refused(first_cards("1", "2", "A♠", "3", dealer="5"), code="foreign_card")


def test_a_hanafuda_card_named_in_full_is_seen_once(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", deck="hanafuda")
    second = second_cards("pine-crane", "plum-ribbon", "3", "4", dealer="5")
    scorekeeper.reports(event("round_opened"), second)
    again = first_cards("6", "7", "8", "9", dealer="pine-crane")
    problem = scorekeeper.is_refused(again, code="card_already_seen")
    assert (problem["rule"], problem["first_seen_seq"]) == ("SP-15", 2)
    twice = first_cards("6", "plum-chaff-1", "plum-chaff-1", "9", dealer="10")
    assert "first_seen_seq" not in scorekeeper.is_refused(twice, code="card_already_seen")


def test_a_card_drawn_twice_for_seats_was_not_seen_in_the_last_round(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", deck="hanafuda", players=["Aki", "Ben"])
    scorekeeper.reports(
        event("round_opened"),
        second_cards("pine-crane", "2", "3", "4", dealer="5"),
        first_cards("6", "7", "8", "9", dealer="10"),
    )
    draws = [{"player": player, "card": "pine-crane"} for player in ("p1", "p2")]
    problem = scorekeeper.is_refused(event("cards_drawn_for_seats", draws=draws), code="card_already_seen")
    assert problem["where"] == "Aki drew it"
    assert "first_seen_seq" not in problem


def test_a_card_drawn_again_names_the_draw_that_showed_it(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", deck="hanafuda", players=["Aki", "Ben"])
    draws = [{"player": "p1", "card": "pine-chaff-1"}, {"player": "p2", "card": "pine-chaff-2"}]
    scorekeeper.reports(event("cards_drawn_for_seats", draws=draws))
    again = [{"player": "p1", "card": "pine-crane"}, {"player": "p2", "card": "pine-chaff-1"}]
    problem = scorekeeper.is_refused(event("cards_drawn_for_seats", draws=again), code="card_already_seen")
    assert (problem["rule"], problem["where"], problem["first_seen_seq"]) == ("SP-3", "Aki drew it", 1)


def test_a_taken_column_names_the_free_ones(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"), bet("p2", 3))
    problem = scorekeeper.is_refused(bet("p3", 3), code="column_taken")
    assert first_problem(problem) == {"player": "p2", "column": 3, "free": [1, 2, 4]}


def test_one_bet_a_round_is_all(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"), bet("p2", 3))
    problem = scorekeeper.is_refused(bet("p2", 4), code="already_bet")
    assert first_problem(problem) == {"player": "p2", "column": 3}


def test_bets_go_round_once(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"), bet("p3", 1))
    problem = scorekeeper.is_refused(bet("p2", 2), code="passed_over")
    assert first_problem(problem) == {"player": "p2", "expected": "p4"}
    scorekeeper.reports(bet("p2", 2) | {"overrule": "he was asleep"})


def test_where_all_must_bet_they_bet_in_order_and_before_the_cards(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", rules={"must_bet": True})
    scorekeeper.reports(event("round_opened"), bet("p2", 1))
    assert scorekeeper.is_refused(bet("p4", 2), code="out_of_turn")["expected"] == "p3"
    problem = scorekeeper.is_refused(second_cards("1", "2", "3", "4", dealer="5"), code="bets_missing")
    assert (problem["expected"], problem["rule"]) == ("p3", "SP-5")


def test_the_dealer_holds_the_bank(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    assert scorekeeper.is_refused(bet("p1", 1), code="dealer_cannot_bet")["rule"] == "SP-5"


@pytest.mark.parametrize("column", [0, 5, 1.5, "1", True, None])
def test_there_are_four_columns(scorekeeper: Scorekeeper, column: object) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    problem = scorekeeper.is_refused(event("bet_placed", player="p2", column=column), status=422)
    assert problem["errors"][0]["pointer"] == "/events/0/column"


def test_a_field_has_four_cards(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"))
    for columns in (["1", "2", "3"], ["1", "2", "3", "4", "5"]):
        problem = scorekeeper.is_refused(second_cards(*columns, dealer="6"), status=422)
        assert problem["errors"][0]["pointer"] == "/events/0/columns"


def test_what_nobody_bet_on_may_be_left_out_and_is_told_as_null(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben"], rules={"dealer_role": "fixed"})
    scorekeeper.reports(event("round_opened"), bet("p2", 1))
    problem = scorekeeper.is_refused(second_cards(None, "3", "5", "6", dealer="9"), code="column_was_bet_on")
    assert (problem["rule"], problem["player"], problem["column"]) == ("SP-13", "p2", 1)
    no_card = event("second_cards_dealt", columns=["7", None, None, None], dealer=None)
    assert scorekeeper.is_refused(no_card, status=422)["errors"][0]["pointer"] == "/events/0/dealer"
    stored = scorekeeper.reports(second_cards("7", None, None, "4", dealer="9"))["events"][0]
    assert stored["columns"] == ["7", None, None, "4"]
    (ended,) = scorekeeper.reports(first_cards("2", None, "5", None, dealer="8"))["ended"]
    assert ended["table"]["second_field"] == ["7", None, None, "4"]
    assert ended["table"]["first_field"] == ["2", None, "5", None]
    assert [hand["column"] for hand in ended["outcome"]["hands"]] == [1]
    assert ended["outcome"]["explanation"]["en"] == [
        "Aki dealt and held 8 and 9, which counts 7 (shichiken).",
        "Ben won 1 chip with 2 and 7 on column 1: 9 (kabu) is more than the dealer's 7 (shichiken).",
        "Aki deals again, as always at this table.",
    ]
    assert scorekeeper.looks("/verify")["ok"]


def test_a_draw_for_seats_seats_everyone_and_ties_draw_again(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben", "Chie"])
    drawn = {"p1": "7", "p2": "3", "p3": "3"}
    draws = [{"player": player, "card": card} for player, card in drawn.items()]
    session = scorekeeper.reports(event("cards_drawn_for_seats", draws=draws))["session"]
    assert session["draw_again"] == ["p2", "p3"]
    problem = scorekeeper.is_refused(event("round_opened"), code="draw_not_finished")
    assert (problem["players"], problem["rule"]) == (["p2", "p3"], "SP-3")
    assert scorekeeper.is_refused(event("cards_drawn_for_seats", draws=draws))["expected"] == ["p2", "p3"]
    again = [{"player": "p2", "card": "9"}, {"player": "p3", "card": "2"}]
    session = scorekeeper.reports(event("cards_drawn_for_seats", draws=again))["session"]
    assert session["dealer"] == "p3"
    assert {player["id"]: player["seat"] for player in session["players"]} == {"p3": 1, "p2": 2, "p1": 3}
    assert "draw_again" not in session


# --- Kakkuri --------------------------------------------------------------------------------------------------------


def starter(card: str) -> Json:
    return event("starter_revealed", card=card)


def test_one_of_eight_drops_out_before_anything_else(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri", players=["x"] * 8)
    scorekeeper.reports(event("round_opened"))
    problem = scorekeeper.is_refused(starter("cups-5"), code="eighth_player_must_drop_out")
    assert (problem["card"], problem["rule"]) == ("clubs-3", "KA-3")
    scorekeeper.reports(event("player_dropped_out", player="p2"), starter("cups-5"), turn(1, "cups-6"))
    assert scorekeeper.is_refused(turn(2, "cups-7"), code="out_of_this_round")["player"] == "p2"
    assert scorekeeper.is_refused(turn(4, "cups-7"), code="out_of_turn")["expected"] == "p3"


def test_of_seven_nobody_drops_out_before_the_pile_is_open(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"))
    scorekeeper.is_refused(event("player_dropped_out", player="p2"), code="drop_out_too_early")


@pytest.mark.parametrize("seventh", [{"cards": ["clubs-1", "coins-12"]}, {"count": 2}])
def test_a_seventh_discard_names_what_is_left(scorekeeper: Scorekeeper, seventh: Json) -> None:
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), starter("cups-5"))
    scorekeeper.reports(turn(1, "cups-6", "cups-7", "cups-8", "cups-9", "cups-10"), *map(turn, range(2, 8)))
    scorekeeper.reports(event("box_card_revealed", card="coins-5"))
    problem = scorekeeper.is_refused(event("turn_played", player="p1", **seventh), code="more_than_the_hand")
    assert first_problem(problem) | {"rule": problem["rule"]} == {
        "player": "p1",
        "count": 2,
        "at_most": 1,
        "rule": "KA-18",
    }


@pytest.mark.parametrize("count", [7, -1, 1.5, "2", True])
def test_a_hand_has_six_cards(scorekeeper: Scorekeeper, count: object) -> None:
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), starter("cups-5"))
    problem = scorekeeper.is_refused(event("turn_played", player="p1", count=count), status=422)
    assert problem["errors"][0]["pointer"] == "/events/0/count"


def test_a_turn_is_told_by_number_with_the_card_that_lies_on_top(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri", deck="western")
    scorekeeper.reports(event("round_opened"), starter("5H"))
    told = scorekeeper.reports(event("turn_played", player="p1", count=3, top="cups-9"))
    assert told["events"][0]["top"] == "9H"
    assert told["session"]["round"]["table"]["pile_top"] == {"card": "9H", "from_box": False}
    assert told["session"]["round"]["table"]["turns"][0] == {
        "player": "p1",
        "count": 3,
        "cards": None,
        "box_card": None,
        "top": "9H",
    }
    assert scorekeeper.is_refused(turn(2, "8C"), code="card_does_not_follow")["on"] == "9H"
    seen = scorekeeper.is_refused(turn(2, "JC", "9H"), code="card_already_seen")
    assert (seen["rule"], seen["first_seen_seq"]) == ("KA-18", 3)
    for wrong in ({}, {"count": 0}, {"cards": ["JC"]}):
        problem = scorekeeper.is_refused(event("turn_played", player="p2", top="JC", **wrong), status=422)
        assert problem["errors"][0]["pointer"] == "/events/0/top"


def test_a_card_that_does_not_follow_names_those_that_do(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), starter("cups-5"))
    problem = scorekeeper.is_refused(turn(1, "cups-6", "coins-9"), code="card_does_not_follow")
    assert (problem["card"], problem["on"], problem["rule"]) == ("coins-9", "cups-6", "KA-7")
    sevens = {f"{suit}-7" for suit in ("clubs", "swords", "cups", "coins")}
    assert set(problem["could_follow"]) == {*sevens, "clubs-1", "coins-2"}
    scorekeeper.reports(turn(1, "cups-6", "coins-9") | {"overrule": "so it was played"})


def test_a_turn_has_cards_or_a_count(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), starter("cups-5"))
    both = event("turn_played", player="p1", cards=["cups-6"], count=1)
    assert scorekeeper.is_refused(both, status=422)["errors"][0]["pointer"] == "/events/0"


def test_a_box_card_comes_when_it_is_due(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), starter("cups-5"))
    box = event("box_card_revealed", card="coins-5")
    assert scorekeeper.is_refused(box, code="no_box_card_is_due")["rule"] == "KA-13"
    scorekeeper.reports(turn(1, "cups-6"), *map(turn, range(2, 8)))
    assert scorekeeper.is_refused(turn(1), code="box_card_is_due")["player"] == "p1"
    seen = event("box_card_revealed", card="cups-5")
    assert scorekeeper.is_refused(seen, code="card_already_seen")["first_seen_seq"] == 2


# --- any game: rounds -----------------------------------------------------------------------------------------------


def test_an_event_of_another_game_names_those_of_this_one(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    problem = scorekeeper.is_refused(bet("p1", 1), code="not_this_game")
    assert "card_dealt" in problem["expected"]
    assert "bet_placed" not in problem["expected"]
    assert problem["game"] == "Shirinma"


def test_play_needs_an_open_round(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    for report in (event("card_dealt", player="p1", card="plain"), event("round_voided", reason="?")):
        scorekeeper.is_refused(report, code="no_round_open")


@pytest.mark.parametrize(
    "report",
    [
        event("round_opened"),
        event("player_joined", name="Late"),
        event("player_left", player="p4"),
        event("dealer_named", player="p4"),
        event("rules_changed", rules={"ante": 5}),
        event("session_closed", pot="split"),
    ],
    ids=lambda report: report["type"],
)
def test_what_is_for_between_rounds_waits(scorekeeper: Scorekeeper, report: Json) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    scorekeeper.reports(event("round_opened"))
    problem = scorekeeper.is_refused(report, code="round_is_open")
    assert problem["round"] == 2
    assert "2" in problem["detail"]


def test_a_voided_round_gives_back_what_was_put_into_it(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(dealer=2)
    recorded(scorekeeper, *shirinma_round("coins-5", deal=[])[:2], *deals(["plain"] * 12)[1:], deals(["plain"])[0])
    before = scorekeeper.balances()
    body = scorekeeper.reports(event("round_voided", reason="the deck was short"))
    assert body["session"]["pot"] == 0
    assert {entry["reason"] for entry in body["entries"]} == {"round_voided"}
    assert set(before.values()) == {-20}
    assert set(scorekeeper.balances().values()) == {0}
    assert body["session"]["dealer"] == "p2"
    done = scorekeeper.looks("/rounds/1")
    assert (done["status"], done["outcome"]["result"]) == ("void", "void")


def test_a_voided_round_leaves_a_carried_pot(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round("coins-5"))
    carried = scorekeeper.looks("")["pot"]
    assert carried == 12 * 20 + 30
    scorekeeper.reports(event("round_opened"), event("round_voided", reason="misdeal"))
    assert scorekeeper.looks("")["pot"] == carried


@pytest.mark.parametrize("reason", [None, "", " ", 5, "x" * 501, "\0"])
def test_a_voided_round_has_a_reason(scorekeeper: Scorekeeper, reason: object) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    problem = scorekeeper.is_refused(event("round_voided", reason=reason), status=422)
    assert problem["errors"][0]["pointer"] == "/events/0/reason"


def test_a_round_keeps_the_rules_it_was_opened_with(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round(), event("rules_changed", rules={"ante": 5, "payments": {"king": 50}}))
    rules = scorekeeper.looks("")["rules"]
    assert (rules["ante"], rules["payments"]) == (5, {"dragon": 0, "maid": 10, "horse": 20, "king": 50})
    assert rules["min_bid"] == 1
    scorekeeper.reports(event("round_opened"))
    first, second = scorekeeper.looks("/rounds")["rounds"]
    assert (first["rules"]["ante"], second["rules"]["ante"], second["pot"]) == (20, 5, 60)


@pytest.mark.parametrize(
    ("rules", "pointer"),
    [
        ({"jokers": 1}, "/events/0/rules/jokers"),
        ({"payments": {"maid": -1}}, "/events/0/rules/payments/maid"),
        ({"payments": {"jack": 1}}, "/events/0/rules/payments/jack"),
        ({"ante": 1.5}, "/events/0/rules/ante"),
        ({"third_deal": True}, "/events/0/rules/third_deal"),
        ("ante", "/events/0/rules"),
        (None, "/events/0/rules"),
    ],
)
def test_rules_that_there_are_not_are_named(scorekeeper: Scorekeeper, rules: object, pointer: str) -> None:
    scorekeeper.opens()
    problem = scorekeeper.is_refused(event("rules_changed", rules=rules), status=422)
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


# --- any game: people -----------------------------------------------------------------------------------------------


def seats(session: Json) -> dict[str, int | None]:
    return {player["id"]: player["seat"] for player in session["players"]}


def test_somebody_new_sits_where_they_are_told(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben"])
    session = scorekeeper.reports(event("player_joined", name="千恵", seat=2))["session"]
    assert seats(session) == {"p1": 1, "p3": 2, "p2": 3}
    assert session["players"][2] == {"id": "p3", "name": "千恵", "seat": 2, "balance": 0, "won": 0, "active": True}
    assert seats(scorekeeper.reports(event("player_joined", name="Dai"))["session"])["p4"] == 4
    assert scorekeeper.is_refused(event("player_joined", name="E", seat=6), code="no_such_seat")["at_most"] == 5


def test_who_leaves_keeps_the_balance_and_may_come_back(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben", "Chie"])
    scorekeeper.reports(event("chips_moved", from_="p1", to="p2", amount=7), event("player_left", player="p2"))
    session = scorekeeper.looks("")
    assert session["players"][1] == {"id": "p2", "name": "Ben", "seat": None, "balance": 7, "won": 0, "active": False}
    assert scorekeeper.is_refused(event("player_left", player="p2"), code="not_at_the_table")["players"] == ["p1", "p3"]
    assert seats(scorekeeper.reports(event("player_joined", player="p2", seat=1))["session"]) == {
        "p2": 1,
        "p1": 2,
        "p3": 3,
    }
    assert scorekeeper.balances()["p2"] == 7
    scorekeeper.is_refused(event("player_joined", player="p2"), code="already_at_the_table")
    problem = scorekeeper.is_refused(event("player_joined", player="p9"), code="never_at_the_table")
    assert problem["players"] == ["p1", "p2", "p3"]


def test_people_change_seats_between_rounds(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben", "Chie"], dealer=2)
    session = scorekeeper.reports(event("seats_changed", seats=["p3", "p1", "p2"]))["session"]
    assert (seats(session), session["dealer"]) == ({"p3": 1, "p1": 2, "p2": 3}, "p2")
    problem = scorekeeper.is_refused(event("seats_changed", seats=["p3", "p1", "p4"]), code="seats_do_not_match")
    assert (problem["missing"], problem["unknown"]) == (["p2"], ["p4"])
    assert problem["detail"].endswith(": Ben would have none, and nobody called p4 sits here.")
    problem = scorekeeper.is_refused(event("seats_changed", seats=["p3", "p1", "p1", "p2"]), status=422)
    assert [error["pointer"] for error in problem["errors"]] == ["/events/0/seats/2"]
    opened = scorekeeper.reports(event("round_opened"))["session"]["round"]
    assert opened["next"][0]["players"] == ["p3", "p1"]
    assert scorekeeper.is_refused(event("seats_changed", seats=["p1", "p2", "p3"]), code="round_is_open")["round"] == 1


def test_when_the_dealer_leaves_the_right_deals(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben", "Chie"], dealer=3)
    assert scorekeeper.reports(event("player_left", player="p3"))["session"]["dealer"] == "p1"


def test_a_24th_player_finds_no_seat_at_shirinma(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(players=["x"] * 23)
    problem = scorekeeper.is_refused(event("player_joined", name="y"), code="too_many_players")
    assert first_problem(problem) | {"rule": problem["rule"]} == {
        "game": "Shirinma",
        "at_most": 23,
        "count": 24,
        "rule": "SH-1",
    }


def test_with_11_players_no_round_of_shirinma_opens(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("player_left", player="p5"))
    problem = scorekeeper.is_refused(event("round_opened"), code="too_few_players")
    assert first_problem(problem) | {"rule": problem["rule"]} == {
        "game": "Shirinma",
        "at_least": 12,
        "count": 11,
        "rule": "SH-1",
    }


@pytest.mark.parametrize(
    ("joining", "pointer"),
    [
        ({}, ""),
        ({"name": "Aki", "player": "p1"}, ""),
        ({"name": ""}, "/name"),
        ({"name": "a\0"}, "/name"),
        ({"name": "x" * 101}, "/name"),
        ({"name": "Aki", "seat": 0}, "/seat"),
        ({"name": "Aki", "seat": "1"}, "/seat"),
        ({"name": {"name": "Aki"}}, "/name"),
        ({"name": "Aki", "balance": 5}, "/balance"),
    ],
)
def test_a_newcomer_has_a_name(scorekeeper: Scorekeeper, joining: Json, pointer: str) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben"])
    problem = scorekeeper.is_refused(event("player_joined", **joining), status=422)
    assert [error["pointer"] for error in problem["errors"]] == ["/events/0" + pointer]


def test_a_dealer_is_named_from_those_who_sit_here(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    assert scorekeeper.reports(event("dealer_named", player="p9"))["session"]["dealer"] == "p9"
    problem = scorekeeper.is_refused(event("dealer_named", player="p13"), code="not_at_the_table")
    assert problem["players"][-1] == "p12"


# --- any game: chips and the end ------------------------------------------------------------------------------------


def test_chips_move_in_out_and_between_players_also_during_a_round(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    moves = [("bank", "p1", 100, "buy_in"), ("p1", "p2", 30, "gift"), ("p2", "bank", 10, "cash_out")]
    for payer, payee, amount, reason in moves:
        (entry,) = scorekeeper.reports(event("chips_moved", from_=payer, to=payee, amount=amount))["entries"]
        moved = {"from": payer, "to": payee, "amount": amount, "reason": reason, "round": None}
        assert entry | moved == entry
    session = scorekeeper.looks("")
    assert (session["bank"], session["pot"]) == (-90, 240)
    assert (scorekeeper.balances()["p1"], scorekeeper.balances()["p2"]) == (70 - 20, 20 - 20)


@pytest.mark.parametrize(
    ("payer", "payee", "code"),
    [("p1", "p1", "same_account"), ("bank", "bank", "same_account"), ("p13", "p1", "never_at_the_table")],
)
def test_chips_move_between_two_accounts_that_there_are(
    scorekeeper: Scorekeeper, payer: str, payee: str, code: str
) -> None:
    scorekeeper.opens()
    scorekeeper.is_refused(event("chips_moved", from_=payer, to=payee, amount=1), code=code)


def with_a_carried_pot(scorekeeper: Scorekeeper) -> int:
    """A forfeited round of Shirinma, and how many chips it left in the pot."""
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round("coins-5"))
    pot: int = scorekeeper.looks("")["pot"]
    return pot


def test_a_carried_pot_is_split(scorekeeper: Scorekeeper) -> None:
    pot = with_a_carried_pot(scorekeeper)
    body = scorekeeper.reports(event("session_closed", pot="split"))
    assert (body["session"]["status"], body["session"]["pot"]) == ("closed", 0)
    assert {entry["reason"] for entry in body["entries"]} == {"pot_split"}
    paid = {entry["to"]: entry["amount"] for entry in body["entries"]}
    assert paid == {f"p{n}": pot // 12 + (n in {2, 3, 4, 5, 6, 7}) for n in range(1, 13)}


def test_a_carried_pot_is_refunded(scorekeeper: Scorekeeper) -> None:
    with_a_carried_pot(scorekeeper)
    body = scorekeeper.reports(event("session_closed", pot="refund"))
    assert {entry["reason"] for entry in body["entries"]} == {"pot_refund"}
    assert set(scorekeeper.balances().values()) == {0}


def test_a_carried_pot_goes_to_the_bank(scorekeeper: Scorekeeper) -> None:
    pot = with_a_carried_pot(scorekeeper)
    (entry,) = scorekeeper.reports(event("session_closed", pot="bank"))["entries"]
    assert (entry["to"], entry["amount"], entry["reason"]) == ("bank", pot, "pot_to_bank")


def test_closing_says_what_becomes_of_the_pot_if_there_is_one(scorekeeper: Scorekeeper) -> None:
    pot = with_a_carried_pot(scorekeeper)
    problem = scorekeeper.is_refused(event("session_closed"), code="pot_is_waiting")
    assert first_problem(problem) == {"pot": pot, "choices": ["split", "refund", "bank"]}
    wrong = scorekeeper.is_refused(event("session_closed", pot="keep"), status=422)
    assert wrong["errors"][0]["pointer"] == "/events/0/pot"
    scorekeeper.opens()
    assert scorekeeper.reports(event("session_closed", pot="split"))["entries"] == []


def test_a_closed_session_takes_nothing_but_reopening(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.is_refused(event("session_reopened"), code="session_is_open")
    scorekeeper.reports(event("session_closed"))
    for report in (event("round_opened"), event("chips_moved", from_="bank", to="p1", amount=1)):
        scorekeeper.is_refused(report, code="session_is_closed")
    assert scorekeeper.reports(event("session_reopened"), event("round_opened"))["session"]["status"] == "open"


def test_a_mistake_seen_after_closing_is_mended_by_the_steps_that_the_refusal_names(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_entered", payments={"p1": 8}, pot=8), event("session_closed", pot="split"))
    mended = event("event_amended", seq=1, event=event("round_entered", payments={"p1": 8}, payouts={"p2": 8}))
    problem = scorekeeper.is_refused(mended, code="session_is_closed")
    assert problem["steps"] == ["session_reopened", "event_amended", "session_closed"]
    answer = scorekeeper.tries(event("session_reopened"), mended, event("session_closed"))
    assert answer.status_code == 201, answer.text
    assert (scorekeeper.looks("")["status"], scorekeeper.looks("")["pot"]) == ("closed", 0)
    assert scorekeeper.balances() == {"p1": -8, "p2": 8, "p3": 0, "p4": 0, "p5": 0}


# --- corrections ----------------------------------------------------------------------------------------------------


def test_taking_back_undoes_the_last_event_that_stands(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    before = scorekeeper.balances()
    recorded(scorekeeper, *shirinma_round()[1:3])
    body = scorekeeper.reports(event("event_taken_back"))
    assert body["events"][0]["seq"] == 4
    assert scorekeeper.looks("/events?after=3")["events"][0]["type"] == "event_taken_back"
    (reversal,) = body["entries"]
    assert reversal | {"from": "pot", "to": "p1", "amount": 30, "reason": "king_payment", "reverses": 13} == reversal
    assert scorekeeper.balances() == before
    scorekeeper.reports(event("event_taken_back"), event("event_taken_back"))
    assert set(scorekeeper.balances().values()) == {0}
    assert scorekeeper.looks("")["round"] is None
    scorekeeper.is_refused(event("event_taken_back"), code="nothing_to_take_back")


def test_taking_back_an_earlier_event_works_out_anew_what_follows(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, event("rules_changed", rules={"ante": 5}), *shirinma_round())
    assert scorekeeper.balances()["p2"] == -5
    scorekeeper.reports(event("event_taken_back", seq=1))
    assert scorekeeper.balances()["p2"] == -20
    assert scorekeeper.balances()["p1"] == 11 * 20
    entries = scorekeeper.looks("/ledger?limit=500")["entries"]
    reversed_ids = [entry["reverses"] for entry in entries if entry["reverses"]]
    assert len(reversed_ids) == len(set(reversed_ids)) > 0


def test_taking_back_what_later_events_rest_on_names_them(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(players=["Aki", *["x"] * 11])
    recorded(scorekeeper, *shirinma_round()[:3], event("bid_placed", player="p2", amount=3))
    problem = scorekeeper.is_refused(event("event_taken_back", seq=3), code="later_events_do_not_fit")
    (conflict,) = problem["conflicts"]
    assert conflict | {"seq": 4, "code": "no_auction_open", "rule": "SH-8"} == conflict
    assert "event 4" in problem["detail"]


def test_only_what_was_recorded_can_be_taken_back_and_only_once(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    problem = scorekeeper.is_refused(event("event_taken_back", seq=2), code="no_such_event")
    assert first_problem(problem) == {"seq": 2, "last": 1}
    scorekeeper.reports(event("event_taken_back", seq=1))
    assert scorekeeper.is_refused(event("event_taken_back", seq=1), code="already_taken_back")["seq"] == 1


@pytest.mark.parametrize("seq", [0, -1, "1", 1.5, True, 2**53])
def test_a_seq_counts_from_one(scorekeeper: Scorekeeper, seq: object) -> None:
    scorekeeper.opens()
    problem = scorekeeper.is_refused(event("event_taken_back", seq=seq), status=422)
    assert problem["errors"][0]["pointer"] == "/events/0/seq"


# --- the cases worked out by hand -----------------------------------------------------------------------------------


def test_the_seeds_example_comes_out_as_in_the_seed(scorekeeper: Scorekeeper) -> None:
    told = case("shirinma-seed-example")
    scorekeeper.opens(**told["session"])
    recorded(scorekeeper, *told["events"][:-1])
    assert scorekeeper.looks("")["pot"] == told["expected"]["pot_before_showdown"]
    recorded(scorekeeper, *told["events"][-1:])
    expected = told["expected"]
    assert scorekeeper.balances() == expected["balances"]
    assert scorekeeper.looks("")["dealer"] == expected["next_dealer"]
    outcome = scorekeeper.looks("/rounds/1")["outcome"]
    assert {payout["player"]: payout["amount"] for payout in outcome["payouts"]} == expected["payouts"]


@pytest.mark.parametrize("name", ["shippin-by-hand", "kakkuri-by-hand"])
def test_rounds_come_out_as_worked_out_by_hand(scorekeeper: Scorekeeper, name: str) -> None:
    told = case(name)
    scorekeeper.opens(**told["session"])
    for number, done in enumerate(told["rounds"], 1):
        recorded(scorekeeper, *done["events"])
        assert scorekeeper.balances() == done["expected"]["balances"], done["why"]
        assert scorekeeper.looks("")["dealer"] == done["expected"]["dealer"], done["why"]
        outcome = scorekeeper.looks(f"/rounds/{number}")["outcome"]
        for fact in outcome.keys() & done["expected"].keys():
            assert outcome[fact] == done["expected"][fact], done["why"]
        if verdicts := done["expected"].get("verdicts"):
            assert [hand["verdict"] for hand in outcome["hands"]] == verdicts, done["why"]
