"""Corrections over HTTP: what changes, what is told of it before and afterwards, and what the record keeps."""

from __future__ import annotations

import csv
import io
from itertools import count
from typing import Any

import pytest

from tests.api.rounds import first_cards, recorded, second_cards, shirinma_round, turn
from tests.scorekeeper import Json, Scorekeeper, deals, event

PLAYERS = ["Aki", "Ben", "Chie", "Dai", "Emi"]
TRUMP = len(shirinma_round())
"""The seq of the trump in a session's first round."""


@pytest.fixture
def shippin(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Five people at Shippin, who bet one chip."""
    scorekeeper.opens("shippin", players=PLAYERS)
    return scorekeeper


@pytest.fixture
def shirinma(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Twelve people at Shirinma: p1 has won round 1 (270 chips), and round 2 has just been opened."""
    scorekeeper.opens()
    assert scorekeeper.tries(*shirinma_round(), event("round_opened")).status_code == 201
    return scorekeeper


def bet(player: str, column: int, **more: Any) -> Json:
    return event("bet_placed", player=player, column=column, **more)


def buy_in(player: str, amount: int, **more: Any) -> Json:
    return event("chips_moved", from_="bank", to=player, amount=amount, **more)


def amend(seq: int, should_be: Json, **more: Any) -> Json:
    return event("event_amended", seq=seq, event=should_be, **more)


def insert(after: int, forgotten: Json, **more: Any) -> Json:
    return event("event_inserted", after=after, event=forgotten, **more)


def take_back(seq: int, **more: Any) -> Json:
    return event("event_taken_back", seq=seq, **more)


def shippin_round(*bets: Json) -> list[Json]:
    """The dealer counts 7: column 1 wins, 2 loses, 3 ties, 4 loses."""
    cards = [second_cards("7", "3", "5", "10", dealer="9"), first_cards("2", "2", "2", "10", dealer="8")]
    return [event("round_opened"), *bets, *cards]


def log(at: Scorekeeper) -> list[Json]:
    """The log as it can be read now, oldest first."""
    events: list[Json] = at.looks("/events?limit=500")["events"]
    return events


def statuses(at: Scorekeeper) -> list[str]:
    return [told["status"] for told in log(at)]


def dry_run(at: Scorekeeper, *events: Json) -> Json:
    """What recording would answer; nothing is stored of it."""
    before = (at.looks(""), log(at))
    answer = at.tries(*events, query="?dry_run=true")
    assert answer.status_code == 200, answer.text
    assert (at.looks(""), log(at)) == before
    body: Json = answer.get_json()
    return body


# --- amending -------------------------------------------------------------------------------------------------------


def test_an_event_of_the_open_round_is_amended(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1))[:-1])
    shippin.reports(amend(2, bet("p3", 2)))
    assert shippin.balances() == {"p1": 0, "p2": 0, "p3": -1, "p4": 0, "p5": 0}
    assert shippin.looks("")["round"]["table"]["bets"] == [{"player": "p3", "column": 2}]


def test_an_event_of_a_finished_round_is_amended_and_all_that_follows_is_worked_out_again(
    shirinma: Scorekeeper,
) -> None:
    """The trump was really a coin, which forfeits: round 2 finds 270 chips in the pot, and p1 has not won them."""
    assert shirinma.looks("")["pot"] == 240
    body = shirinma.reports(amend(TRUMP, event("trump_revealed", card="coins-5")))
    assert (body["session"]["pot"], body["session"]["round"]["carried"]) == (510, 270)
    assert shirinma.looks("/rounds/1")["status"] == "forfeited"
    assert shirinma.balances()["p1"] == -70


def test_amending_moves_the_deal_on_in_later_rounds(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), event("three_ones_shown", player="p3"), event("round_opened"))
    assert scorekeeper.looks("")["round"]["dealer"] == "p3"
    scorekeeper.reports(amend(2, event("three_ones_shown", player="p5")))
    assert scorekeeper.looks("")["round"]["dealer"] == "p5"


def test_what_would_not_fit_any_more_is_named_with_why_and_nothing_changes(shirinma: Scorekeeper) -> None:
    problem = shirinma.is_refused(amend(1, buy_in("p1", 5)), code="later_events_do_not_fit")
    assert [conflict["seq"] for conflict in problem["conflicts"]] == list(range(2, TRUMP + 1))
    assert {conflict["code"] for conflict in problem["conflicts"]} == {"no_round_open"}
    assert all(conflict["detail"] in problem["detail"] for conflict in problem["conflicts"])
    assert log(shirinma)[-1]["type"] == "round_opened"


def test_a_corrected_card_can_make_a_third_deal_due(shirinma: Scorekeeper) -> None:
    plain = amend(TRUMP - 1, event("card_dealt", player="p12", card="plain"))
    problem = shirinma.is_refused(plain, code="later_events_do_not_fit")
    first = problem["conflicts"][0]
    assert (first["seq"], first["code"], first["rule"]) == (TRUMP, "third_deal_is_running", "SH-9")
    left_out = amend(TRUMP, event("trump_revealed", card="cups-5", overrule="Nobody thought of it."))
    shirinma.reports(event("corrections_made", corrections=[plain, left_out]))
    assert shirinma.looks("/rounds/1")["outcome"]["winner"] == "p1"


def test_a_corrected_card_can_leave_a_third_deal_undue_and_the_reason_is_said_once(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, event("round_opened"), event("field_card_revealed", card="coins-3"), *deals(["plain"] * 27))
    dragon = event("card_dealt", player="p12", card="clubs-1")
    problem = scorekeeper.is_refused(amend(TRUMP - 1, dragon), code="later_events_do_not_fit")
    assert [(conflict["seq"], conflict["code"]) for conflict in problem["conflicts"]] == [
        (TRUMP + place, "no_third_deal") for place in range(3)
    ]
    why = "There is no third deal (Player 12 received the Dragon of Clubs in the second deal)"
    assert problem["detail"].count(why) == 1
    assert f"events {TRUMP}, {TRUMP + 1}, and {TRUMP + 2} ({why}" in problem["detail"]
    begun = event("card_dealt", player="p1", card="plain", overrule="The dealer had not looked.")
    scorekeeper.reports(event("corrections_made", corrections=[amend(TRUMP - 1, dragon), amend(TRUMP, begun)]))
    assert scorekeeper.looks("")["round"]["next"] == [{"type": "card_dealt", "player": "p4"}]


def test_a_conflict_has_the_rule_and_the_numbers_that_help(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1), bet("p3", 2)))
    problem = shippin.is_refused(insert(1, bet("p5", 3)), code="later_events_do_not_fit")
    (first, second) = problem["conflicts"]
    assert (first["code"], first["rule"], first["player"]) == ("nobody_left_to_bet", "SP-5", "p2")
    assert second["seq"] == 3


def test_what_an_amendment_says_itself_is_refused_as_if_reported_there(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1), bet("p3", 2)))
    problem = shippin.is_refused(amend(3, bet("p3", 1)), code="column_taken")
    assert (problem["rule"], problem["free"], problem["index"]) == ("SP-5", [2, 3, 4], 0)
    assert shippin.is_refused(amend(3, bet("p1", 2)))["code"] == "dealer_cannot_bet"


@pytest.mark.parametrize(
    ("should_be", "pointer"),
    [
        (bet("p2", 5), "/events/0/event/column"),
        ({"type": "bet_placed", "player": "p2"}, "/events/0/event/column"),
        ({"type": "bet"}, "/events/0/event/type"),
        (event("rules_changed", rules={"bet": 0}), "/events/0/event/rules/bet"),
        (event("rules_changed", rules={"bets": 1}), "/events/0/event/rules/bets"),
        ("bet", "/events/0/event"),
    ],
    ids=str,
)
def test_a_wrong_field_within_a_correction_is_named(shippin: Scorekeeper, should_be: Any, pointer: str) -> None:
    shippin.reports(buy_in("p1", 1))
    for correction in (amend(1, should_be), insert(1, should_be)):
        problem = shippin.is_refused(correction, status=422)
        assert problem["errors"][0]["pointer"] == pointer


@pytest.mark.parametrize("depth", [3, 10, 60, 120])
def test_corrections_of_corrections_are_refused_however_deep(shippin: Scorekeeper, depth: int) -> None:
    said = buy_in("p1", 1)
    for _ in range(depth):
        said = insert(0, said)
    assert shippin.is_refused(said, status=422)["errors"][0]["pointer"] == "/events/0"
    assert shippin.is_refused(insert(0, insert(0, buy_in("p1", 1))), code="not_an_event_of_the_table")


def test_an_amendment_may_change_the_rules_of_a_round_before_it_was_opened(shippin: Scorekeeper) -> None:
    shippin.reports(event("rules_changed", rules={"bet": 5}), *shippin_round(bet("p2", 1)))
    shippin.reports(amend(1, event("rules_changed", rules={"bet": 50})))
    assert shippin.balances()["p2"] == 50
    assert shippin.looks("/rounds/1")["rules"]["bet"] == 50


# --- inserting ------------------------------------------------------------------------------------------------------


def test_a_forgotten_event_is_inserted(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1), bet("p4", 4)))
    body = shippin.reports(insert(2, bet("p3", 2)))
    assert shippin.balances() == {"p1": 1, "p2": 1, "p3": -1, "p4": -1, "p5": 0}
    (stored,) = body["events"]
    assert (stored["seq"], stored["after"], stored["round"]) == (6, 2, 1)


def test_a_forgotten_round_is_inserted_and_later_events_tell_the_number_their_round_has_now(
    shippin: Scorekeeper,
) -> None:
    shippin.reports(buy_in("p1", 5), *shippin_round(bet("p2", 1)))
    shippin.reports(insert(1, event("round_entered", payments={"p3": 7}, payouts={"p4": 7}, note="Nobody wrote.")))
    assert [(told["seq"], told["round"]) for told in log(shippin)] == [
        (1, None),
        (2, 2),
        (3, 2),
        (4, 2),
        (5, 2),
        (6, 1),
    ]
    assert [done["number"] for done in shippin.looks("/rounds")["rounds"]] == [1, 2]
    assert shippin.looks("/verify")["ok"]


def test_after_nothing_comes_what_was_first(shippin: Scorekeeper) -> None:
    shippin.reports(event("round_opened"))
    shippin.reports(insert(0, event("dealer_named", player="p4")))
    assert shippin.looks("")["round"]["dealer"] == "p4"


def test_what_cannot_be_inserted_there_is_refused_for_what_it_says(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1)))
    assert shippin.is_refused(insert(2, event("player_left", player="p5")), code="round_is_open")["round"] == 1
    assert shippin.is_refused(insert(9, bet("p3", 2)), code="no_such_event")["last"] == 4
    assert shippin.is_refused(insert(-1, bet("p3", 2)), status=422)


def test_a_forgotten_bet_on_a_column_that_was_left_out_needs_its_cards(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=PLAYERS, rules={"dealer_role": "house"})
    scorekeeper.reports(event("round_opened"), bet("p2", 1), second_cards("7", "3", "5", None, dealer="9"))
    scorekeeper.reports(first_cards("2", "2", None, None, dealer="8"))
    problem = scorekeeper.is_refused(insert(2, bet("p3", 3)), code="later_events_do_not_fit")
    (conflict,) = problem["conflicts"]
    assert (conflict["seq"], conflict["code"], conflict["column"]) == (4, "column_was_bet_on", 3)
    assert conflict["detail"].startswith("Chie bet on column 3, so its card is needed")
    problem = scorekeeper.is_refused(
        insert(0, event("rules_changed", rules={"dealer_role": "on_total_loss"})), code="later_events_do_not_fit"
    )
    assert problem["conflicts"][0]["code"] == "every_hand_counts"
    cards = amend(4, first_cards("2", "2", "2", None, dealer="8"))
    scorekeeper.reports(event("corrections_made", corrections=[insert(2, bet("p3", 3)), cards]))
    hands = scorekeeper.looks("/rounds/1")["outcome"]["hands"]
    assert [(hand["column"], hand["verdict"]) for hand in hands] == [(1, "player"), (2, "dealer"), (3, "tie")]


def test_changed_seats_are_taken_back_amended_and_inserted(shippin: Scorekeeper) -> None:
    def order() -> list[str]:
        people = [player for player in shippin.looks("")["players"] if player["seat"]]
        return [player["id"] for player in sorted(people, key=lambda player: player["seat"])]

    shippin.reports(event("seats_changed", seats=["p5", "p4", "p3", "p2", "p1"]), *shippin_round(bet("p5", 4)))
    assert order() == ["p5", "p4", "p3", "p2", "p1"]
    shippin.reports(amend(1, event("seats_changed", seats=["p5", "p3", "p4", "p2", "p1"])))
    assert shippin.looks("/rounds/1")["players"] == ["p5", "p3", "p4", "p2", "p1"]
    problem = shippin.is_refused(insert(0, event("player_left", player="p2")), code="later_events_do_not_fit")
    assert problem["conflicts"][0]["unknown"] == ["p2"]
    both = [
        insert(0, event("player_left", player="p2")),
        amend(1, event("seats_changed", seats=["p5", "p3", "p4", "p1"])),
    ]
    shippin.reports(event("corrections_made", corrections=both))
    assert order() == ["p5", "p3", "p4", "p1"]
    shippin.reports(take_back(shippin.looks("")["seq"]), take_back(1))
    assert order() == ["p1", "p2", "p3", "p4", "p5"]
    assert shippin.looks("/verify")["ok"]


# --- seeing it before -----------------------------------------------------------------------------------------------


def test_a_dry_run_says_what_a_correction_would_change(shirinma: Scorekeeper) -> None:
    changes = dry_run(shirinma, amend(TRUMP, event("trump_revealed", card="coins-5")))["changes"]
    first, second = changes["rounds"]
    assert (first["round"], first["before"]["status"], first["after"]["status"]) == (1, "won", "forfeited")
    assert (first["before"]["outcome"]["winner"], first["after"]["outcome"]["reasons"]) == (
        "p1",
        ["field_card_is_trump", "no_trump_held"],
    )
    assert (first["before"]["pot"], first["after"]["pot"]) == (0, 270)
    assert (second["round"], second["before"]["pot"], second["after"]["pot"]) == (2, 240, 510)
    assert second["before"]["outcome"] is second["after"]["outcome"] is None
    assert changes["players"][0] == {"player": "p1", "before": 200, "after": -70}
    assert [player["player"] for player in changes["players"]] == [f"p{n}" for n in range(1, 13)]


def test_a_dry_run_names_the_entries_to_be_reversed_and_added(shirinma: Scorekeeper) -> None:
    won = next(entry for entry in shirinma.looks("/ledger?limit=500")["entries"] if entry["reason"] == "pot_won")
    changes = dry_run(shirinma, amend(TRUMP, event("trump_revealed", card="coins-5")))["changes"]
    assert changes["entries"] == {"reversed": [won["id"]], "added": []}
    changes = dry_run(shirinma, amend(3, event("card_dealt", player="p1", card="cups-11")))["changes"]
    assert [(added["reason"], added["amount"]) for added in changes["entries"]["added"]] == [
        ("horse_payment", 20),
        ("pot_won", 260),
    ]


def test_a_dry_run_tells_the_dealers_before_and_after(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), event("three_ones_shown", player="p3"), event("round_opened"))
    changes = dry_run(scorekeeper, amend(2, event("three_ones_shown", player="p5")))["changes"]
    first, second = changes["rounds"]
    assert (first["before"]["outcome"]["next_dealer"], first["after"]["outcome"]["next_dealer"]) == ("p3", "p5")
    assert (second["before"]["dealer"], second["after"]["dealer"]) == ("p3", "p5")


def test_an_event_that_no_longer_stands_has_the_round_it_was_in_when_it_last_stood(shippin: Scorekeeper) -> None:
    """Its round was the first when it was reported, the second when it was taken back, and is the first again."""
    shippin.reports(event("chips_moved", from_="bank", to="p1", amount=9), *shippin_round(bet("p2", 1), bet("p3", 2)))
    shippin.reports(insert(1, event("round_entered", payments={"p1": 5}, payouts={"p2": 5})))
    assert [told["round"] for told in log(shippin)] == [None, 2, 2, 2, 2, 2, 1]
    shippin.reports(take_back(4), take_back(7))
    rounds = [None, 1, 1, 2, 1, 1, 1, None, None]
    assert [told["round"] for told in log(shippin)] == rounds
    assert told_in_csv(shippin) == rounds
    shippin.reports(take_back(8))
    assert [told["round"] for told in log(shippin)] == [None, 1, 1, 1, 1, 1, 1, None, None, None]


def told_in_csv(at: Scorekeeper) -> list[int | None]:
    """The round of each event, as it is taken home."""
    text = at.client.get(f"{at.address}/export.csv?what=events", headers=at.headers()).text
    return [int(row["round"]) if row["round"] else None for row in csv.DictReader(io.StringIO(text, newline=""))]


def test_a_round_that_comes_or_goes_is_told_beside_nothing(shippin: Scorekeeper) -> None:
    changes = dry_run(shippin, event("round_opened"))["changes"]
    assert [(told["round"], told["before"], told["after"]["status"]) for told in changes["rounds"]] == [
        (1, None, "recording")
    ]
    shippin.reports(event("round_opened"))
    changes = dry_run(shippin, take_back(1))["changes"]
    assert [(told["before"]["status"], told["after"]) for told in changes["rounds"]] == [("recording", None)]


def test_people_who_come_or_go_by_a_correction_are_told_too(shippin: Scorekeeper) -> None:
    shippin.reports(event("player_left", player="p5"), event("player_joined", name="Fumi"))
    for correction, before, after in ((take_back(2), 0, 0), (insert(1, buy_in("p5", 3)), 0, 3)):
        players = {told["player"]: told for told in dry_run(shippin, correction)["changes"]["players"]}
        assert players.keys() == {"p1", "p2", "p3", "p4", "p5", "p6"}
        assert (players["p5"]["before"], players["p5"]["after"]) == (before, after)


def test_a_dry_run_of_what_is_not_possible_is_refused_as_recording_it_would_be(shirinma: Scorekeeper) -> None:
    for correction in (amend(1, buy_in("p1", 5)), take_back(TRUMP + 2), take_back(2)):
        tried, done = shirinma.tries(correction, query="?dry_run=true"), shirinma.tries(correction)
        assert (tried.status_code, tried.get_json()) == (done.status_code, done.get_json())
        assert done.status_code == 409


@pytest.mark.parametrize(
    "correction",
    [
        amend(TRUMP, event("trump_revealed", card="coins-5")),
        insert(4, event("bid_placed", player="p4", amount=9)),
        take_back(TRUMP + 1),
    ],
    ids=lambda correction: correction["type"],
)
def test_the_stored_correction_carries_what_the_dry_run_said(shirinma: Scorekeeper, correction: Json) -> None:
    if correction["type"] == "event_inserted":
        correction = insert(3, correction["event"])
    said = dry_run(shirinma, correction)["changes"]
    body = shirinma.reports(correction)
    assert body["changes"] == changes_of(shirinma, log(shirinma)[-1]["seq"]) == said
    assert not any("changes" in told for told in (*body["events"], *log(shirinma)))
    assert [entry["reverses"] for entry in body["entries"] if entry["reverses"]] == said["entries"]["reversed"]
    balances = shirinma.balances()
    assert {told["player"]: told["after"] for told in said["players"]} == balances


def test_each_correction_of_a_request_tells_what_it_changed_itself(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5))
    body = shippin.tries(amend(1, buy_in("p1", 6)), amend(1, buy_in("p1", 8))).get_json()
    told = [changes_of(shippin, stored["seq"])["players"][0] for stored in body["events"]]
    assert [(player["before"], player["after"]) for player in told] == [(5, 6), (6, 8)]
    assert (body["changes"]["players"][0]["before"], body["changes"]["players"][0]["after"]) == (5, 8)


def changes_of(at: Scorekeeper, seq: int) -> Json:
    """What an event changed, worked out again."""
    changes: Json = at.looks(f"/events/{seq}/changes")
    return changes


def test_what_a_correction_changed_stays_the_same_whatever_is_corrected_later(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1), bet("p3", 2)))
    said = shippin.reports(amend(3, bet("p3", 4)))["changes"]
    shippin.reports(take_back(6), buy_in("p1", 5))
    assert changes_of(shippin, 6) == said


def test_what_any_event_did_can_be_asked(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5), event("round_opened"))
    bought, opened = changes_of(shippin, 1), changes_of(shippin, 2)
    assert bought["players"][0] == {"player": "p1", "before": 0, "after": 5}
    assert (bought["rounds"], [added["amount"] for added in bought["entries"]["added"]]) == ([], [5])
    assert [(told["before"], told["after"]["status"]) for told in opened["rounds"]] == [(None, "recording")]
    assert opened["entries"] == {"reversed": [], "added": []}


@pytest.mark.parametrize("seq", ["0", "2", "-1", "x", "99999999999999999999"])
def test_what_an_event_changed_that_is_not_there_is_not_there_either(shippin: Scorekeeper, seq: str) -> None:
    shippin.reports(buy_in("p1", 5))
    answer = shippin.client.get(f"{shippin.address}/events/{seq}/changes", headers=shippin.headers())
    assert answer.status_code == 404


# --- the record keeps everything ------------------------------------------------------------------------------------


def test_the_log_shows_what_became_of_every_event_by_whom_when_and_with_which_note(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5, note="by card"), buy_in("p2", 6), buy_in("p3", 7))
    shippin.reports(take_back(1, note="He did not."), amend(2, buy_in("p2", 60), note="It was sixty."))
    one, two, three, four, five = log(shippin)
    assert [told["status"] for told in (one, two, three, four, five)] == [
        "taken_back",
        "amended",
        "standing",
        "standing",
        "standing",
    ]
    for original, correction, note in ((one, four, "He did not."), (two, five, "It was sixty.")):
        assert original["correction"] == {
            "seq": correction["seq"],
            "recorded_at": correction["recorded_at"],
            "recorded_by": correction["recorded_by"],
            "recorded_by_label": None,
            "note": note,
        }
    assert (one["amount"], one["note"], two["amount"], five["event"]["amount"]) == (5, "by card", 6, 60)
    assert "correction" not in three


def test_who_corrected_is_told_by_their_link(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5))
    link = shippin.client.post(
        f"{shippin.address}/links", json={"role": "scorer"}, headers=shippin.headers()
    ).get_json()
    owner, shippin.token = shippin.token, link["token"]
    shippin.reports(take_back(1))
    first, second = log(shippin)
    assert first["correction"]["recorded_by"] == second["recorded_by"] == link["id"]
    assert first["recorded_by"] != link["id"]
    shippin.token = owner
    assert first["correction"]["note"] is None


def test_a_page_of_the_log_tells_corrections_that_stand_on_other_pages(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5), buy_in("p2", 6), take_back(2, note="no"), amend(1, buy_in("p1", 4)))
    page = shippin.looks("/events?limit=1")["events"]
    assert (page[0]["status"], page[0]["correction"]["seq"]) == ("amended", 4)
    page = shippin.looks("/events?after=1&limit=1")["events"]
    assert (page[0]["status"], page[0]["correction"]["note"]) == ("taken_back", "no")


def test_taking_back_a_take_back_restores_exactly_what_was(shirinma: Scorekeeper) -> None:
    def stand() -> tuple[Json, list[Json]]:
        return {**shirinma.looks(""), "seq": None}, shirinma.looks("/rounds")["rounds"]

    before = stand()
    shirinma.reports(take_back(TRUMP + 1), take_back(TRUMP))
    assert stand() != before
    shirinma.reports(take_back(TRUMP + 3), take_back(TRUMP + 2))
    assert stand() == before
    assert statuses(shirinma)[-6:] == ["standing", "standing", "taken_back", "taken_back", "standing", "standing"]


def test_a_correction_can_be_taken_back_and_so_can_that(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5), amend(1, buy_in("p1", 9)), take_back(2))
    assert (shippin.balances()["p1"], statuses(shippin)) == (5, ["standing", "taken_back", "standing"])
    shippin.reports(take_back(3))
    assert (shippin.balances()["p1"], statuses(shippin)) == (9, ["amended", "standing", "taken_back", "standing"])
    assert log(shippin)[2]["correction"]["seq"] == 4


def test_a_correction_is_refused_to_who_has_seen_too_little(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5), buy_in("p1", 6))
    answer = shippin.tries(take_back(1), If_Match='"1"')
    assert (answer.status_code, answer.get_json()["seq"]) == (412, 2)
    assert shippin.tries(take_back(1), If_Match='"2"').status_code == 201


def test_somebody_who_only_looks_corrects_nothing(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5))
    viewer = shippin.client.post(f"{shippin.address}/links", json={"role": "viewer"}, headers=shippin.headers())
    shippin.token = viewer.get_json()["token"]
    shippin.is_refused(take_back(1), status=403)


# --- overruling -----------------------------------------------------------------------------------------------------


def test_what_the_table_overruled_is_shown_in_the_log_the_round_and_the_explanation(shippin: Scorekeeper) -> None:
    shippin.reports(event("round_opened"), bet("p3", 2))
    shippin.is_refused(bet("p2", 1), code="passed_over")
    shippin.reports(bet("p2", 1, overrule="He had called it."), *shippin_round()[1:])
    assert log(shippin)[2]["overrule"] == "He had called it."
    done = shippin.looks("/rounds/1")
    assert done["overruled"] == [{"type": "bet_placed", "reason": "He had called it."}]
    last = done["outcome"]["explanation"]["en"][-1]
    assert last == "The table overruled the rules for “Place a bet”: He had called it."
    assert "He had called it" in done["outcome"]["explanation"]["ja"][-1]
    assert shippin.balances()["p2"] == 1


def test_turn_order_bid_order_and_sequence_give_way_when_the_table_says_so(scorekeeper: Scorekeeper) -> None:
    said = {"overrule": "It was played so."}
    scorekeeper.opens()
    scorekeeper.reports(*shirinma_round()[:3], event("bid_placed", player="p2", amount=5))
    for report, code in (
        (event("bid_placed", player="p3", amount=5), "bid_too_low"),
        (event("bid_placed", player="p2", amount=9), "raised_own_bid"),
        (event("card_dealt", player="p3", card="plain"), "out_of_turn"),
        (event("trump_revealed", card="cups-5"), "deals_not_done"),
    ):
        scorekeeper.is_refused(report, code=code)
        assert dry_run(scorekeeper, {**report, **said})
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), event("starter_revealed", card="cups-9"))
    for report, code in ((turn(2), "out_of_turn"), (turn(1, "cups-4"), "card_does_not_follow")):
        scorekeeper.is_refused(report, code=code)
        assert dry_run(scorekeeper, {**report, **said})


def test_overruling_never_waives_the_deck_or_the_sums(scorekeeper: Scorekeeper) -> None:
    said = {"overrule": "It was played so."}
    scorekeeper.opens()
    scorekeeper.reports(*shirinma_round()[:3])
    for report, code in (
        (event("card_dealt", player="p2", card="cups-12"), "card_already_seen"),
        (event("bid_placed", player="p1", amount=5), "bid_on_own_card"),
        (event("bid_placed", player="p13", amount=5), "unknown_player"),
        (event("bet_placed", player="p2", column=1), "not_this_game"),
        (event("round_entered", payments={"p1": 5}), "round_is_open"),
    ):
        scorekeeper.is_refused({**report, **said}, code=code)
    scorekeeper.reports(event("round_voided", reason="Tea was spilt."))
    scorekeeper.is_refused({**event("round_entered", payments={"p1": 5}), **said}, code="totals_do_not_match")
    scorekeeper.opens("kakkuri")
    scorekeeper.reports(event("round_opened"), event("starter_revealed", card="cups-9"))
    scorekeeper.reports(event("turn_played", player="p1", count=5))
    scorekeeper.is_refused({**turn(2, "cups-9"), **said}, code="card_already_seen")
    scorekeeper.is_refused(event("turn_played", player="p1", count=2, **said), code="more_than_the_hand")
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"), bet("p2", 1))
    for report, code in (
        (bet("p3", 1), "column_taken"),
        (bet("p2", 2), "already_bet"),
        (bet("p1", 2), "dealer_cannot_bet"),
        (second_cards("9", "9", "9", "9", dealer="9"), "no_card_of_value_left"),
    ):
        scorekeeper.is_refused({**report, **said}, code=code)


# --- looking back ---------------------------------------------------------------------------------------------------


def test_the_table_is_seen_as_it_stood_at_any_event(shirinma: Scorekeeper) -> None:
    shirinma.reports(amend(TRUMP, event("trump_revealed", card="coins-5")))
    then = shirinma.looks(f"?at={TRUMP}")
    assert (then["seq"], then["pot"], then["rounds"], then["round"]) == (TRUMP, 0, 1, None)
    assert then["players"][0]["balance"] == 220
    dealt = shirinma.looks("?at=3")
    assert (dealt["pot"], dealt["round"]["phase"]) == (270, "auction")
    opened = shirinma.looks("?at=0")
    assert (opened["seq"], opened["pot"], opened["rounds"]) == (0, 0, 0)
    assert shirinma.looks(f"?at={TRUMP + 2}") == shirinma.looks("")


def test_a_table_seen_at_an_event_is_the_one_that_was_answered_then(shippin: Scorekeeper) -> None:
    reports = [*shippin_round(bet("p2", 1)), buy_in("p1", 5), amend(2, bet("p3", 2)), take_back(5), take_back(6)]
    answers = [shippin.reports(report)["session"] for report in reports]
    for seq, answered in enumerate(answers, 1):
        assert shippin.looks(f"?at={seq}") == answered


def test_a_round_is_seen_as_it_stood_at_any_event(shirinma: Scorekeeper) -> None:
    assert shirinma.looks("/rounds/1?at=3")["status"] == "recording"
    assert shirinma.looks("/rounds/1?at=3")["pot"] == 270
    assert shirinma.looks(f"/rounds/1?at={TRUMP}")["status"] == "won"
    assert shirinma.looks("/rounds/1") == shirinma.looks(f"/rounds/1?at={TRUMP + 1}")


@pytest.mark.parametrize("where", ["?at=99", "/rounds/1?at=99", "/rounds/2?at=3", "/rounds/1?at=0", "/rounds/9"])
def test_what_had_not_happened_yet_is_not_there(shirinma: Scorekeeper, where: str) -> None:
    answer = shirinma.client.get(shirinma.address + where, headers=shirinma.headers())
    assert answer.status_code == 404


@pytest.mark.parametrize("at", ["-1", "x", "1.0", "", str(2**53)])
def test_an_event_is_named_by_its_number(shirinma: Scorekeeper, at: str) -> None:
    for where in (f"?at={at}", f"/rounds/1?at={at}"):
        answer = shirinma.client.get(shirinma.address + where, headers=shirinma.headers())
        assert answer.status_code == 422
        assert answer.get_json()["errors"][0]["parameter"] == "at"


def test_a_session_seen_at_an_event_does_not_pass_for_the_session_now(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 5), buy_in("p1", 6))
    answer = shippin.client.get(f"{shippin.address}?at=1", headers=shippin.headers(If_None_Match='"2"'))
    assert (answer.status_code, answer.headers["ETag"]) == (200, '"1"')


def test_a_round_is_replayed_step_by_step_with_what_moved(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1)))
    replay = shippin.looks("/rounds/1/replay")
    assert replay["round"] == 1
    told = [(step["seq"], step["event"]["type"], step["phase"], step["pot"]) for step in replay["steps"]]
    assert told == [
        (1, "round_opened", "betting", 0),
        (2, "bet_placed", "betting", 1),
        (3, "second_cards_dealt", "showdown", 1),
        (4, "first_cards_revealed", "over", 0),
    ]
    moved = [[(e["from"], e["to"], e["amount"], e["reason"]) for e in step["moved"]] for step in replay["steps"]]
    assert moved == [[], [("p2", "pot", 1, "bet")], [], [("pot", "p2", 1, "bet_returned"), ("p1", "p2", 1, "bet_won")]]
    assert [step["balances"]["p2"] for step in replay["steps"]] == [0, -1, -1, 1]
    assert [option["type"] for option in replay["steps"][1]["next"]] == ["bet_placed", "second_cards_dealt"]
    assert replay["steps"][3]["next"] == []


def test_a_replay_shows_what_was_really_played(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1)), amend(2, bet("p3", 2)), insert(2, bet("p4", 3)))
    steps = shippin.looks("/rounds/1/replay")["steps"]
    assert [step["seq"] for step in steps] == [1, 2, 6, 3, 4]
    assert (steps[1]["event"]["player"], steps[2]["event"]["player"]) == ("p3", "p4")
    assert steps[-1]["balances"] == shippin.balances()
    assert shippin.client.get(f"{shippin.address}/rounds/2/replay", headers=shippin.headers()).status_code == 404


# --- other house rules ----------------------------------------------------------------------------------------------


def recalculated(at: Scorekeeper, number: int, rules: Any, status: int = 200) -> Json:
    """Pay a round under other rules, whatever becomes of it; make sure that nothing is stored."""
    before = (at.looks(""), log(at), at.looks("/ledger?limit=500"))
    answer = at.client.post(f"{at.address}/rounds/{number}/recalculate", json={"rules": rules}, headers=at.headers())
    assert answer.status_code == status, answer.text
    assert (at.looks(""), log(at), at.looks("/ledger?limit=500")) == before
    body: Json = answer.get_json()
    return body


def test_a_recorded_round_is_paid_under_other_rules_and_nothing_is_stored(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1), bet("p3", 2), bet("p4", 3)))
    body = recalculated(shippin, 1, {"bet": 50, "tie": "dealer_wins"})
    assert body["balances"] == {"p1": 50, "p2": 50, "p3": -50, "p4": -50, "p5": 0}
    assert (body["round"]["rules"]["bet"], body["round"]["rules"]["dealer_role"]) == (50, "on_total_loss")
    assert body["round"]["outcome"]["explanation"]["en"]
    assert sum(entry["amount"] for entry in body["entries"] if entry["reason"] == "bet") == 150


def test_under_its_own_rules_a_round_comes_out_as_recorded(shirinma: Scorekeeper) -> None:
    assert recalculated(shirinma, 1, {})["round"] == shirinma.looks("/rounds/1")
    assert recalculated(shirinma, 2, {})["round"] == shirinma.looks("")["round"]


def test_rules_that_there_are_not_are_named(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round())
    for rules, pointer in (({"bet": 0}, "/rules/bet"), ({"ante": 5}, "/rules/ante"), ({"tie": "maybe"}, "/rules/tie")):
        assert recalculated(shippin, 1, rules, 422)["errors"][0]["pointer"] == pointer
    assert recalculated(shippin, 1, ["bet"], 422)["errors"][0]["pointer"] == "/rules"


def test_a_round_that_would_not_have_been_possible_is_refused_with_the_rule(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(*shirinma_round()[:3], event("bid_placed", player="p2", amount=5))
    problem = recalculated(scorekeeper, 1, {"min_bid": 6}, 409)
    assert (problem["code"], problem["rule"], problem["at_least"]) == ("bid_too_low", "SH-7", 6)


def test_a_round_with_columns_left_out_is_not_paid_under_a_rule_that_counts_them(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=PLAYERS, rules={"dealer_role": "fixed"})
    scorekeeper.reports(event("round_opened"), bet("p2", 1), second_cards("7", "3", None, None, dealer="9"))
    scorekeeper.reports(first_cards("2", "2", None, "1", dealer="8"))
    assert recalculated(scorekeeper, 1, {"dealer_role": "house", "bet": 3})["balances"]["p2"] == 3
    problem = recalculated(scorekeeper, 1, {"dealer_role": "on_total_loss"}, 409)
    assert (problem["code"], problem["rule"], problem["columns"]) == ("every_hand_counts", "SP-13", [3, 4])


def test_who_only_looks_may_recalculate(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1)))
    viewer = shippin.client.post(f"{shippin.address}/links", json={"role": "viewer"}, headers=shippin.headers())
    shippin.token = viewer.get_json()["token"]
    assert recalculated(shippin, 1, {"bet": 7})["balances"]["p2"] == 7


def test_only_a_round_that_there_is_can_be_recalculated(shippin: Scorekeeper) -> None:
    assert recalculated(shippin, 1, {}, 404)["code"] == "not_there"


# --- rounds by their totals -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("payments", "payouts"),
    [
        ([{"player": "p1", "amount": 30}, {"player": "p2", "amount": 5}], [{"player": "p3", "amount": 35}]),
        ({"p1": 30, "p2": 5}, {"p3": 35}),
        ({"p1": 30, "p2": 5}, [{"player": "p3", "amount": 30}, {"player": "p3", "amount": 5}]),
    ],
)
def test_a_round_is_entered_by_its_totals(shippin: Scorekeeper, payments: Any, payouts: Any) -> None:
    report = event("round_entered", payments=payments, payouts=payouts, next_dealer="p4", note="It was late.")
    body = shippin.reports(report)
    assert shippin.balances() == {"p1": -30, "p2": -5, "p3": 35, "p4": 0, "p5": 0}
    assert (body["session"]["dealer"], body["session"]["rounds"], body["session"]["round"]) == ("p4", 1, None)
    done = shippin.looks("/rounds/1")
    assert (done["status"], done["table"], done["next"]) == ("settled", {}, [])
    assert done["outcome"]["payouts"] == [{"player": "p3", "amount": 35, "reason": "entered_payout"}]
    assert log(shippin)[0]["payments"][0] == {"player": "p1", "amount": 30}
    assert {entry["reason"] for entry in body["entries"]} == {"entered_payment", "entered_payout"}


@pytest.mark.parametrize("zeros", [{}, {"p1": 0, "p2": 0}])
def test_a_total_of_nothing_is_the_same_as_none(shippin: Scorekeeper, zeros: Json) -> None:
    report = event("round_entered", payments={**zeros, "p4": 5}, payouts={**zeros, "p3": 5})
    entries = shippin.reports(report)["entries"]
    assert [(entry["from"], entry["to"], entry["amount"]) for entry in entries] == [("p4", "pot", 5), ("pot", "p3", 5)]
    assert [each["player"] for each in shippin.looks("/rounds/1")["outcome"]["payouts"]] == ["p3"]


def test_totals_that_do_not_come_out_even_say_by_how_much(shirinma: Scorekeeper) -> None:
    shirinma.reports(event("round_voided", reason="It is late."))
    shirinma.reports(amend(TRUMP, event("trump_revealed", card="coins-5")))
    problem = shirinma.is_refused(event("round_entered", payouts={"p3": 35}), code="totals_do_not_match")
    assert (problem["put_in"], problem["taken_out"], problem["difference"]) == (270, 35, 235)
    assert "270 chips went into the pot, carried ones too; 35 chips came out or stayed: 235 off." in problem["detail"]
    assert shirinma.reports(event("round_entered", payouts={"p3": 35}, pot=235))["session"]["pot"] == 235


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"payments": {"p1": 5, "p2": -5}}, "/payments/p2"),
        ({"payouts": {"p1": 5, "a/b": {}}}, "/payouts/a~1b"),
        ({"payouts": {"": 5}}, "/payouts/"),
        ({"payments": [{"player": "p1"}]}, "/payments/0/amount"),
        ({"payments": {"p1": "5"}}, "/payments/p1"),
        ({"pot": -1}, "/pot"),
        ({"payouts": 5}, "/payouts"),
        ({"notes": "x"}, "/notes"),
    ],
    ids=str,
)
def test_totals_are_whole_chips(shippin: Scorekeeper, fields: Json, pointer: str) -> None:
    problem = shippin.is_refused(event("round_entered", **fields), status=422)
    assert problem["errors"][0]["pointer"] == f"/events/0{pointer}"


# --- names ----------------------------------------------------------------------------------------------------------


def test_a_player_is_renamed_for_all_that_is_told_from_now_on(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1)), event("player_renamed", player="p2", name="Benno"))
    assert shippin.looks("")["players"][1]["name"] == "Benno"
    assert any("Benno" in said for said in shippin.looks("/rounds/1")["outcome"]["explanation"]["en"])
    assert shippin.looks("?at=4")["players"][1]["name"] == "Ben"
    shippin.is_refused(event("player_renamed", player="p9", name="X"), code="never_at_the_table")


def test_an_id_once_given_stays_with_the_person_whatever_is_corrected(shippin: Scorekeeper) -> None:
    shippin.reports(event("player_left", player="p4"), event("player_left", player="p5"))
    shippin.reports(event("player_joined", name="Zoe"), event("player_joined", name="Yui"), buy_in("p7", 5))
    shippin.reports(take_back(3))
    told = {player["id"]: (player["name"], player["balance"]) for player in shippin.looks("")["players"]}
    assert told["p7"] == ("Yui", 5)
    assert "p6" not in told
    shippin.is_refused(buy_in("p6", 1), code="never_at_the_table")


# --- corrections made together --------------------------------------------------------------------------------------


def together(*corrections: Json, **more: Any) -> Json:
    return event("corrections_made", corrections=list(corrections), **more)


SWAPPED = (amend(2, bet("p2", 2)), amend(3, bet("p3", 1)))


def test_two_bets_that_were_swapped_are_put_right_in_one_event(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1), bet("p3", 2)))
    shippin.is_refused(SWAPPED[0], code="later_events_do_not_fit")
    told = dry_run(shippin, together(*SWAPPED))["changes"]
    answer = shippin.reports(together(*SWAPPED, note="we looked again"))
    assert answer["changes"] == told
    assert {change["player"]: change["after"] for change in told["players"]} == shippin.balances()
    assert (shippin.balances()["p2"], shippin.balances()["p3"]) == (-1, 1)
    (logged,) = answer["events"]
    assert (logged["seq"], logged["corrections"]) == (6, list(SWAPPED))
    assert {entry["seq"] for entry in answer["entries"]} == {6}
    assert [event["status"] for event in log(shippin)] == ["standing", "amended", "amended", *["standing"] * 3]
    assert shippin.reports(event("event_taken_back"))["events"][0]["target"] == 6
    assert (shippin.balances()["p2"], shippin.balances()["p3"]) == (1, -1)
    assert shippin.looks("/verify")["ok"]


def test_what_is_wrong_with_one_of_several_corrections_is_named_by_its_part(shippin: Scorekeeper) -> None:
    shippin.reports(*shippin_round(bet("p2", 1), bet("p3", 2)))
    problem = shippin.is_refused(together(SWAPPED[0], amend(3, bet("p3", 2))), code="column_taken")
    assert (problem["index"], problem["part"]) == (0, 2)
    assert shippin.is_refused(together(take_back(6)), code="no_such_event")["part"] == 1
    twice = shippin.is_refused(together(amend(2, bet("p2", 3)), take_back(2)), status=422, code="corrected_twice")
    assert (twice["index"], twice["part"], twice["seq"]) == (0, 2, 2)
    for again in (amend(2, bet("p2", 3)), take_back(2)):
        shippin.is_refused(together(take_back(2), again), status=422, code="corrected_twice")


@pytest.mark.parametrize(
    ("correction", "pointer"),
    [
        (together(), "/corrections"),
        (together(*[take_back(1)] * 101), "/corrections"),
        (together(event("event_taken_back")), "/corrections/0/seq"),
        (together(take_back(1), amend(2, bet("p2", 9))), "/corrections/1/event/column"),
        (together(take_back(1), amend(2, bet("p2", 1), part=0)), "/corrections/1/part"),
        (together(take_back(1), bet("p2", 1)), "/corrections/1/type"),
        (together(together(take_back(1))), "/corrections/0/type"),
        (together(event("player_erased", player="p1")), "/corrections/0/type"),
        (together(amend(1, event("rules_changed", rules={"bet": 0}))), "/corrections/0/event/rules/bet"),
        (event("event_taken_back", part=1), "/seq"),
    ],
    ids=count(),
)
def test_what_corrections_made_together_cannot_say_is_named(
    shippin: Scorekeeper, correction: Json, pointer: str
) -> None:
    shippin.reports(buy_in("p1", 1), buy_in("p2", 1))
    problem = shippin.is_refused(correction, status=422)
    assert [error["pointer"] for error in problem["errors"]] == [f"/events/0{pointer}"]


def test_an_event_inserted_by_a_part_is_addressed_everywhere(shippin: Scorekeeper) -> None:
    shippin.reports(buy_in("p1", 1))
    made = shippin.reports(together(insert(1, buy_in("p2", 2)), insert(1, event("player_left", player="p5"))))
    assert [(entry["seq"], entry.get("part")) for entry in made["entries"]] == [(2, 1)]
    assert "part" not in shippin.looks("/ledger")["entries"][0]
    shippin.reports(event("player_joined", player="p5"))
    conflicts = shippin.is_refused(take_back(2, part=2), code="later_events_do_not_fit")["conflicts"]
    assert [(conflict["seq"], conflict.get("part")) for conflict in conflicts] == [(3, None)]
    shippin.reports(amend(2, buy_in("p2", 20), part=1))
    assert shippin.balances()["p2"] == 20
    assert log(shippin)[1]["parts"] == [{"part": 1, "status": "amended", "correction": 4}]
    assert "part:1, " in shippin.client.get(f"{shippin.address}/export.journal", headers=shippin.headers()).text
    shippin.reports(take_back(2, part=1))
    assert (shippin.balances()["p2"], shippin.balances()["p1"]) == (0, 1)
    assert shippin.looks("/verify")["ok"]
