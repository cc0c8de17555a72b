"""The chances in a round over HTTP: `GET …/odds`, `POST /v1/calculate/{game}?odds=true`, and where nothing is told."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.codec.encoding import decimal
from ledger.games.odds.shirinma_table import ShirinmaOdds, odds
from tests.api.rounds import case, first_cards, recorded, second_cards, shirinma_round
from tests.scorekeeper import Json, Scorekeeper, deals, event

DEALT = ("cups-12", "plain", "coins-1", "clubs-11")
AUCTION = [*shirinma_round(deal=DEALT)[:6], event("bid_placed", player="p2", amount=7)]
SHIPPIN = [
    event("round_opened"),
    event("bet_placed", player="p2", column=1),
    second_cards("7", "3", "5", "10", dealer="9"),
    first_cards("2", "2", "2", "10", dealer="8"),
]


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Twelve people at Shirinma who want to know, in an auction for the Horse of Clubs."""
    scorekeeper.opens("shirinma", odds=True)
    recorded(scorekeeper, *AUCTION)
    return scorekeeper


def asks(at: Scorekeeper, query: str = "", **headers: str) -> Any:
    return at.client.get(f"{at.address}/odds{query}", headers=at.headers(**headers))


def exactly(chance: Json) -> Fraction:
    """A chance as it was told, if its percents are right."""
    exact = Fraction(chance["exact"])
    assert chance == {"exact": f"{exact.numerator}/{exact.denominator}", "percent": decimal(exact * 100)}
    return exact


def counted(at: Scorekeeper) -> ShirinmaOdds:
    """What the rule book counts at the table."""
    service: Any = at.client.application.extensions["session_service"]
    told = odds(service.session(at.session_id).state.table.round.phase)
    assert told
    return told


def test_the_chances_of_every_card_are_told_as_the_rule_book_counts_them(table: Scorekeeper) -> None:
    told, counts = table.looks("/odds"), counted(table)
    assert told.keys() == {"round", "odds"}
    assert told["round"] == 1
    odds = told["odds"]
    assert odds.keys() == {"cards", "to_come", "forfeited", "nobody_wins", "third_deal", "unseen"}
    assert odds["unseen"] == counts.unseen == 43
    assert [card["card"] for card in odds["cards"]] == ["cups-12", "coins-1", "clubs-11"]
    for card, count in zip(odds["cards"], counts.cards, strict=True):
        assert card.keys() == {"player", "card", "back_rider", "wins", "half_now", "half_is_worth"}
        assert (card["player"], card["back_rider"], exactly(card["wins"])) == (count.player, None, count.wins)
        assert (card["half_now"], card["half_is_worth"]) == (decimal(count.half_now), decimal(count.half_is_worth))
    assert {reason: exactly(chance) for reason, chance in odds["forfeited"].items()} == counts.forfeited
    assert exactly(odds["third_deal"]) == counts.third_deal


def test_what_is_told_comes_to_one_whatever_was_reported_last(table: Scorekeeper) -> None:
    for said in (event("auction_closed"), *deals(["plain"] * 23, seats=12)[4:]):
        table.reports(said)
        odds = table.looks("/odds")["odds"]
        wins = [*(card["wins"] for card in odds["cards"]), *odds["to_come"].values(), odds["nobody_wins"]]
        assert sum(map(exactly, wins)) == 1


def test_a_ride_that_was_bought_is_told_with_its_card(table: Scorekeeper) -> None:
    table.reports(event("auction_closed"))
    assert [card["back_rider"] for card in table.looks("/odds")["odds"]["cards"]] == [None, None, "p2"]


def test_columns_are_told_with_their_chances_and_what_a_bet_is_worth(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", odds=True, rules={"bet": 10})
    recorded(scorekeeper, *SHIPPIN[:2])
    before = scorekeeper.looks("/odds")["odds"]
    assert [column["player"] for column in before["columns"]] == ["p2", None, None, None]
    assert before["total_loss"] is None
    scorekeeper.reports(SHIPPIN[2])
    odds = scorekeeper.looks("/odds")["odds"]
    assert odds.keys() == {"columns", "shippin", "total_loss", "unseen"}
    for number, column in enumerate(odds["columns"], 1):
        assert column.keys() == {"column", "player", "wins", "loses", "ties", "worth"}
        wins, loses, ties = (exactly(column[end]) for end in ("wins", "loses", "ties"))
        assert column["column"] == number
        assert wins + loses + ties == 1
        assert Fraction(column["worth"]["exact"]) == 10 * (wins - loses)
        assert column["worth"]["chips"] == decimal(10 * (wins - loses))
    assert 0 < exactly(odds["total_loss"]) < 1


# --- who is told, and when ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["shirinma", "shippin", "kakkuri"])
def test_a_table_that_has_not_asked_is_told_nothing(scorekeeper: Scorekeeper, game: str) -> None:
    scorekeeper.opens(game)
    for query in ("", "?round=1", "?what_if=cups-1"):
        answer = asks(scorekeeper, query)
        assert (answer.status_code, answer.get_json()["code"]) == (404, "odds_not_wanted")
    scorekeeper.reports(event("odds_switched", on=True))
    assert asks(scorekeeper).status_code == 200
    scorekeeper.reports(event("odds_switched", on=False))
    seen = asks(scorekeeper, If_None_Match='"2"', Accept_Language="ja")
    assert (seen.status_code, "会の持ち主" in seen.get_json()["detail"]) == (404, True)


def test_who_looks_on_is_told_too(table: Scorekeeper) -> None:
    link = table.client.post(f"{table.address}/links", json={"role": "viewer"}, headers=table.headers()).get_json()
    told = table.looks("/odds")
    table.token = link["token"]
    assert table.looks("/odds") == told


def test_the_tag_is_that_of_the_session(table: Scorekeeper) -> None:
    for query in ("", "?round=1", "?what_if=coins-12"):
        answer = asks(table, query)
        assert answer.headers["ETag"] == table.client.get(table.address, headers=table.headers()).headers["ETag"]
        still = asks(table, query, If_None_Match=answer.headers["ETag"])
        assert (still.status_code, still.data, still.headers["ETag"]) == (304, b"", answer.headers["ETag"])
        table.reports(event("chips_moved", from_="bank", to="p1", amount=1))
        assert asks(table, query, If_None_Match=answer.headers["ETag"]).status_code == 200


@pytest.mark.parametrize(("query", "status"), [("?round=99", 404), ("?what_if=cups-12", 409)])
def test_what_would_be_refused_is_refused_to_who_has_the_session_already(
    table: Scorekeeper, query: str, status: int
) -> None:
    seen = table.client.get(table.address, headers=table.headers()).headers["ETag"]
    assert asks(table, query, If_None_Match=seen).status_code == asks(table, query).status_code == status


def test_neither_reports_nor_the_stream_nor_rounds_carry_any(table: Scorekeeper) -> None:
    told = json.dumps([table.reports(event("auction_closed")), table.looks("/events"), table.looks("/rounds/1")])
    stream = table.client.get(f"{table.address}/stream?after=7", headers=table.headers())
    told += b"".join(islice(stream.iter_encoded(), 2)).decode()
    stream.close()
    assert "auction_closed" in told
    assert '"wins"' not in told
    assert "percent" not in told


# --- if the next card was this one ----------------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["coins-12", "cups-11", "plain"])
def test_a_card_may_be_supposed(table: Scorekeeper, card: str) -> None:
    supposed = table.looks(f"/odds?what_if={card}")
    seq = table.looks("")["seq"]
    table.reports(event("card_dealt", player="p5", card=card))
    assert supposed == table.looks("/odds")
    assert table.looks("")["seq"] == seq + 1


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("?what_if=cups-12", 409, "card_already_seen"),
        ("?what_if=pine-crane", 409, "foreign_card"),
        ("?what_if=cups-13", 422, "malformed_fields"),
        ("?what_if=", 422, "malformed_fields"),
        ("?round=1&what_if=cups-11", 422, "malformed_fields"),
        ("?round=0", 422, "malformed_fields"),
        ("?round=x", 422, "malformed_fields"),
        ("?round=2", 404, "not_there"),
        ("?card=cups-11", 422, "malformed_fields"),
    ],
)
def test_what_cannot_be_asked_is_refused(table: Scorekeeper, query: str, status: int, code: str) -> None:
    answer = asks(table, query)
    assert (answer.status_code, answer.get_json()["code"]) == (status, code)


def test_a_card_that_has_to_be_named_cannot_be_supposed_without_a_face(scorekeeper: Scorekeeper) -> None:
    """Which one the field card and the trump are has to be said; of one that is dealt it need not be."""
    scorekeeper.opens("shirinma", odds=True)
    *dealt, trump = shirinma_round()
    answers = []
    for said in (*dealt, event("auction_closed"), trump):
        scorekeeper.reports(said)
        answer = asks(scorekeeper, "?what_if=plain")
        answers.append((answer.status_code, answer.get_json().get("code")))
    refused, told = (409, "out_of_place"), (200, None)
    assert answers == [refused, *[told] * (len(dealt) - 2), refused, refused, (200, None)]


def test_one_card_says_nothing_where_five_come_at_once(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", odds=True)
    recorded(scorekeeper, *SHIPPIN[:2])
    answer = asks(scorekeeper, "?what_if=4")
    assert (answer.status_code, answer.get_json()["code"]) == (409, "out_of_place")


# --- a round that is over -------------------------------------------------------------------------------------------


def test_a_past_round_is_told_event_by_event(table: Scorekeeper) -> None:
    now = table.looks("/odds")["odds"]
    rest = [*deals(["plain"] * 23)[4:], *deals(["clubs-1"] * 24)[23:], event("trump_revealed", card="cups-5")]
    recorded(table, event("chips_moved", from_="bank", to="p1", amount=3), *rest)
    assert table.looks("/odds")["odds"] is None
    told = table.looks("/odds?round=1")
    assert told["round"] == 1
    assert [step["event"]["type"] for step in told["steps"]] == [
        said["type"] for said in table.looks("/events")["events"] if said["round"] == 1
    ]
    seqs = [step["seq"] for step in told["steps"]]
    assert (seqs[:7], seqs[7]) == ([1, 2, 3, 4, 5, 6, 7], 9)
    assert told["steps"][6]["odds"] == now
    assert told["steps"][0]["odds"]["unseen"] == 48
    certain = [(card["card"], card["wins"]["exact"]) for card in told["odds"]["cards"]]
    assert certain == [("cups-12", "1/1"), ("coins-1", "0/1"), ("clubs-11", "0/1"), ("clubs-1", "0/1")]
    assert told["steps"][-1]["odds"] == told["odds"]


def test_a_past_round_is_told_as_it_was_corrected(table: Scorekeeper) -> None:
    inserted = event("event_inserted", after=2, event=event("card_dealt", player="p1", card="plain"), note="so it was")
    table.is_refused(inserted)
    amended = event("event_amended", seq=3, event=event("card_dealt", player="p1", card="coins-12"))
    forgotten = event("event_inserted", after=7, event=event("bid_placed", player="p3", amount=9))
    table.reports(event("corrections_made", corrections=[amended, forgotten]))
    steps = table.looks("/odds?round=1")["steps"]
    assert (steps[2]["event"]["card"], steps[2]["odds"]["cards"][0]["card"]) == ("coins-12", "coins-12")
    assert (steps[-1]["seq"], steps[-1]["part"], steps[-1]["event"]["amount"]) == (8, 2, 9)


def ride(first: int, price: int) -> list[Json]:
    """A round whose first card, the King of Cups before this player, wins; the next player rides on it."""
    opening, field, *dealt, trump = shirinma_round()
    cards = [
        event("card_dealt", player=f"p{(first - 1 + at) % 12 + 1}", card=each["card"]) for at, each in enumerate(dealt)
    ]
    bid = event("bid_placed", player=f"p{first % 12 + 1}", amount=price)
    return [opening, field, cards[0], bid, *cards[1:], trump]


def test_a_past_round_tells_who_paid_more_than_a_ride_was_worth(scorekeeper: Scorekeeper) -> None:
    example = case("shirinma-seed-example")
    scorekeeper.opens(**example["session"], odds=True)
    recorded(scorekeeper, *example["events"])
    told = scorekeeper.looks("/odds?round=1")
    (dear,) = told["dear_rides"]
    assert [dear[name] for name in ("round", "player", "owner", "card", "price", "worth")] == [
        1, "p4", "p10", "swords-12", 10, "0.00",
    ]  # fmt: skip
    (bid,) = (step["event"] for step in told["steps"] if step["seq"] == dear["seq"])
    assert (bid["type"], bid["player"], bid["amount"]) == ("bid_placed", "p4", 10)


def test_each_round_tells_its_own_dear_rides_as_statistics_have_them(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shirinma", odds=True)
    recorded(scorekeeper, *ride(1, 400))
    recorded(scorekeeper, *ride(2, 1))
    recorded(scorekeeper, event("chips_moved", from_="bank", to="p1", amount=3), *ride(3, 500))
    recorded(scorekeeper, *ride(4, 600)[:5], event("round_voided", reason="tea"))
    rides = scorekeeper.looks("/statistics")["dear_rides"]
    assert [(each["round"], each["player"], each["price"]) for each in rides] == [(1, "p2", 400), (3, "p4", 500)]
    for number in range(1, 5):
        told = scorekeeper.looks(f"/odds?round={number}")
        assert told["dear_rides"] == [each for each in rides if each["round"] == number]


def test_dear_rides_follow_a_correction(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shirinma", odds=True)
    recorded(scorekeeper, *ride(1, 400))
    assert scorekeeper.looks("/odds?round=1")["dear_rides"]
    scorekeeper.reports(event("event_amended", seq=4, event=event("bid_placed", player="p2", amount=1)))
    assert scorekeeper.looks("/odds?round=1")["dear_rides"] == []


def test_what_a_ride_was_worth_is_told_when_a_round_is_over(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shirinma", odds=True)
    recorded(scorekeeper, *ride(1, 400)[:-1])
    for query in ("", "?round=1", "?what_if=cups-5"):
        assert "dear_rides" not in scorekeeper.looks(f"/odds{query}")
    scorekeeper.reports(ride(1, 400)[-1])
    assert len(scorekeeper.looks("/odds?round=1")["dear_rides"]) == 1
    assert "dear_rides" not in scorekeeper.looks("/odds")


# --- where there are none -------------------------------------------------------------------------------------------


def why(at: Scorekeeper, query: str = "") -> str:
    """Why there are none."""
    told = at.looks(f"/odds{query}")
    assert told["odds"] is None
    assert told["why_no_odds"].keys() == {"en", "ja"}
    sentence: str = told["why_no_odds"]["en"]
    return sentence


def test_a_game_of_hidden_cards_has_none_and_says_so(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri", odds=True)
    hidden = "At Kakkuri nobody can know the chances: the cards that decide lie hidden."
    assert why(scorekeeper) == hidden
    scorekeeper.reports(event("round_opened"), event("starter_revealed", card="cups-5"))
    assert why(scorekeeper) == why(scorekeeper, "?what_if=cups-6") == why(scorekeeper, "?round=1") == hidden
    assert [step["odds"] for step in scorekeeper.looks("/odds?round=1")["steps"]] == [None, None]


def test_between_rounds_and_in_those_that_were_not_played_there_are_none(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", odds=True)
    assert (why(scorekeeper), scorekeeper.looks("/odds")["round"]) == (
        "No round is open, so there are no chances to tell.",
        None,
    )
    recorded(scorekeeper, *SHIPPIN[:2], event("round_voided", reason="tea"))
    recorded(scorekeeper, event("round_entered", payments={"p1": 5}, payouts={"p2": 5}))
    for number in (1, 2):
        assert why(scorekeeper, f"?round={number}").startswith("This round did not end as the game has it")
        assert scorekeeper.looks(f"/odds?round={number}")["dear_rides"] == []
    assert [bool(step["odds"]) for step in scorekeeper.looks("/odds?round=1")["steps"]] == [True, True, False]


# --- without a session ----------------------------------------------------------------------------------------------


def test_a_round_that_is_worked_out_tells_them_if_asked(client: FlaskClient, table: Scorekeeper) -> None:
    body = {"players": [f"Player {n}" for n in range(1, 13)], "events": AUCTION}
    plain = client.post("/v1/calculate/shirinma", json=body).get_json()
    told = client.post("/v1/calculate/shirinma?odds=true", json=body).get_json()
    assert told.pop("odds") == table.looks("/odds")["odds"]
    assert told == plain
    assert client.post("/v1/calculate/shirinma?odds=false", json=body).get_json() == plain
    answer = client.post("/v1/calculate/shirinma?odds=perhaps", json=body)
    assert (answer.status_code, answer.get_json()["errors"][0]["parameter"]) == (422, "odds")


def test_a_round_in_the_notation_tells_them_too(client: FlaskClient) -> None:
    text = "players Aki Ben\nround\nbet p2=1\nsecond 7 3 5 10 / 9\n"
    told = client.post("/v1/calculate/shippin?odds=true", data=text, content_type="text/plain").get_json()
    assert [column["column"] for column in told["odds"]["columns"]] == [1, 2, 3, 4]


def test_a_round_of_hidden_cards_that_is_worked_out_says_why_there_are_none(client: FlaskClient) -> None:
    body = {"players": [f"Player {n}" for n in range(1, 8)], "events": [event("starter_revealed", card="cups-5")]}
    told = client.post("/v1/calculate/kakkuri?odds=true", json=body).get_json()
    assert (told["odds"], "hidden" in told["why_no_odds"]["en"]) == (None, True)
