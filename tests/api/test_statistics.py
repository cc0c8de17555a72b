"""Statistics over HTTP: of one session, and of several together by a token of each."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from flask.testing import FlaskClient

from ledger.codec.encoding import decimal
from ledger.services.session_cache import SessionCache
from tests.api.rounds import case, first_cards, recorded, second_cards, shirinma_round
from tests.scorekeeper import Scorekeeper, event


def together(client: FlaskClient, *tokens: object, status: int = 200, **more: Any) -> dict[str, Any]:
    answer = client.post("/v1/statistics", json={"tokens": list(tokens), **more})
    assert answer.status_code == status, answer.text
    told: dict[str, Any] = answer.get_json()
    return told


def test_a_session_is_counted(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    told = scorekeeper.looks("/statistics")
    assert (told["rounds"], told["results"], told["forfeits"]) == (1, {"won": 1}, {})
    assert (told["pots"], told["carried"]) == ([270], [0])
    assert list(told["players"]) == [f"p{seat}" for seat in range(1, 13)]
    assert told["players"]["p1"] == {
        "name": "Player 1",
        "rounds": 1,
        "wins": 1,
        "forfeits": 0,
        "received": {"pot_won": 270},
        "paid": {"ante": 20, "king_payment": 30},
        "best": {"round": 1, "net": 220},
        "worst": {"round": 1, "net": 220},
        "back_rides": 0,
        "back_rides_cost": 0,
        "back_rides_brought": 0,
        "columns_won": 0,
        "guri": 0,
        "empty_turns": 0,
        "won": 220,
        "balance": 220,
        "after_rounds": [220],
        "luck": None,
    }


def test_an_evening_without_rounds_is_counted_too(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    told = scorekeeper.looks("/statistics")
    assert (told["rounds"], told["players"]["p1"]["best"], told["players"]["p1"]["after_rounds"]) == (0, None, [])


def evening(scorekeeper: Scorekeeper, *players: str) -> tuple[str, str]:
    """Play a round that the first of them wins; give the session and its token."""
    scorekeeper.opens(players=[*players, *(f"Player {number}" for number in range(len(players) + 1, 13))])
    recorded(scorekeeper, *shirinma_round())
    return scorekeeper.session_id, scorekeeper.token


def seat(session: str, player: str) -> dict[str, str]:
    return {"session": session, "player": player}


def test_people_are_joined_as_the_caller_says(scorekeeper: Scorekeeper) -> None:
    (one, first), (two, second) = evening(scorekeeper, "Aki", "Ben"), evening(scorekeeper, "Ben", "aki")
    people = {"Aki": [seat(one, "p1"), seat(two, "p2")]}
    told = together(scorekeeper.client, first, second, people=people)
    assert (told["sessions"], len(told["players"])) == (2, 23)
    aki = told["players"]["Aki"]
    assert (aki["name"], aki["wins"], aki["balance"]) == ("Aki", 1, 200)
    assert aki["players"] == people["Aki"]
    assert aki["best"] == {"session": one, "round": 1, "net": 220}
    assert aki["worst"] == {"session": two, "round": 1, "net": -20}


def test_nobody_is_joined_by_spelling(scorekeeper: Scorekeeper) -> None:
    """Two Akis of one session are two, and so are an Aki of one and an Aki of another."""
    (one, first), (two, second) = evening(scorekeeper, "Aki", "Aki"), evening(scorekeeper, "Ben", "Aki")
    players = together(scorekeeper.client, first, second)["players"]
    assert len(players) == 24
    akis = {key: each["balance"] for key, each in players.items() if each["name"] == "Aki"}
    assert akis == {f"{one}/p1": 220, f"{one}/p2": -20, f"{two}/p2": -20}
    assert players[f"{one}/p1"]["players"] == [seat(one, "p1")]


@pytest.mark.parametrize(
    ("people", "pointers"),
    [
        ({"Aki": [{"session": "here", "player": "p99"}]}, ["/people/Aki/0/player"]),
        ({"Aki": [{"session": "elsewhere", "player": "p1"}]}, ["/people/Aki/0/session"]),
        ({"Aki": [{"session": "here", "player": "p1"}, {"session": "here", "player": "p1"}]}, ["/people/Aki/1"]),
        (
            {"Aki": [{"session": "here", "player": "p1"}], "B/n": [{"session": "here", "player": "p1"}]},
            ["/people/B~1n/0"],
        ),
        ({"here/p2": [{"session": "here", "player": "p1"}]}, ["/people/here~1p2"]),
        ({"Aki": []}, ["/people/Aki"]),
        ({"Aki": [{"session": "here"}]}, ["/people/Aki/0/player"]),
        ({"Aki": [{"session": "here", "player": 1}]}, ["/people/Aki/0/player"]),
        ({"Aki": {"session": "here", "player": "p1"}}, ["/people/Aki"]),
        ({" ": [{"session": "here", "player": "p1"}]}, ["/people/ "]),
        ({"x" * 101: [{"session": "here", "player": "p1"}]}, ["/people/" + "x" * 100 + "…"]),
        ({f"Aki {number}": [] for number in range(1001)}, ["/people"]),
        ([], ["/people"]),
        (None, ["/people"]),
    ],
)
def test_people_who_cannot_be_joined_are_named(scorekeeper: Scorekeeper, people: Any, pointers: list[str]) -> None:
    session, token = evening(scorekeeper, "Aki")
    body = json.loads(json.dumps({"people": people}).replace("here", session))
    problem = together(scorekeeper.client, token, status=422, **body)
    assert [error["pointer"].replace(session, "here") for error in problem["errors"]] == pointers


def test_a_dead_token_is_named(scorekeeper: Scorekeeper) -> None:
    dead = scorekeeper.opens()["link"]["id"]
    revoked = scorekeeper.token
    address = f"{scorekeeper.address}/links/{dead}?even_if_last=true"
    assert scorekeeper.client.delete(address, headers=scorekeeper.headers()).status_code == 204
    scorekeeper.opens()
    problem = together(scorekeeper.client, scorekeeper.token, revoked, scorekeeper.token, "nobody", status=422)
    assert problem["code"] == "malformed_fields"
    assert [error["pointer"] for error in problem["errors"]] == ["/tokens/1", "/tokens/3"]


def test_a_session_counts_once_however_many_tokens_are_given(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    viewer = scorekeeper.client.post(
        f"{scorekeeper.address}/links", json={"role": "viewer"}, headers=scorekeeper.headers()
    ).get_json()["token"]
    assert together(scorekeeper.client, scorekeeper.token, viewer)["sessions"] == 1
    assert together(scorekeeper.client, viewer)["sessions"] == 1


@pytest.mark.parametrize("token", ["", "nobody", "0123456789abcdef.nothing", "a.\0", "a\0.b", "x" * 10_000])
def test_a_token_that_opens_nothing_lets_nobody_in(scorekeeper: Scorekeeper, token: str) -> None:
    scorekeeper.opens()
    problem = together(scorekeeper.client, scorekeeper.token, token, status=422)
    assert [error["pointer"] for error in problem["errors"]] == ["/tokens/1"]


@pytest.mark.parametrize("tokens", [[], ["x"] * 51, [1], [None], [["x"]]])
def test_one_to_fifty_tokens_are_needed(client: FlaskClient, tokens: list[object]) -> None:
    assert together(client, *tokens, status=422)["code"] == "malformed_fields"


# --- held against the chances ---------------------------------------------------------------------------------------


def seed_example(scorekeeper: Scorekeeper, *, odds: bool) -> dict[str, Any]:
    """The worked example of the game's description, at a table that wants to be told the chances, or not."""
    example = case("shirinma-seed-example")
    scorekeeper.opens(**example["session"], odds=odds)
    recorded(scorekeeper, *example["events"])
    told: dict[str, Any] = scorekeeper.looks("/statistics")
    return told


def test_without_bids_luck_is_what_a_round_brought_beyond_what_everybody_could_expect(scorekeeper: Scorekeeper) -> None:
    """Who pays for a card that loses is as unlucky as whoever gets none, and poorer by its price."""
    scorekeeper.opens(odds=True)
    recorded(scorekeeper, *shirinma_round(deal=("cups-12", "coins-11", "plain")))
    players = scorekeeper.looks("/statistics")["players"]
    luck = {player: Decimal(one["luck"]) for player, one in players.items()}
    beyond = {player: luck[player] - players[player]["balance"] for player in players}
    assert beyond == dict.fromkeys(players, luck["p3"] + 20)  # the ante was paid before
    assert -20 < luck["p3"] < 0
    assert luck["p2"] == luck["p3"] - 20


def test_whoever_was_luckiest_and_what_rides_cost_too_much_is_told(scorekeeper: Scorekeeper) -> None:
    told = seed_example(scorekeeper, odds=True)
    assert told["luckiest"] in {"p2", "p8"}  # half the pot each, for the same card
    (dear,) = told["dear_rides"]
    seq = dear.pop("seq")
    assert dear == {
        "round": 1,
        "player": "p4",
        "owner": "p10",
        "card": "swords-12",
        "price": 10,
        "worth": "0.00",  # a Sword lies on the field
    }
    (bid,) = (event for event in scorekeeper.looks("/events?limit=500")["events"] if event["seq"] == seq)
    assert (bid["type"], bid["player"], bid["amount"]) == ("bid_placed", "p4", 10)


def test_a_ride_is_dear_only_if_it_cost_more_than_half_of_a_pot_with_its_price_in_it(scorekeeper: Scorekeeper) -> None:
    """Half of the price comes back where the card wins: without it, this one would seem too dear."""
    scorekeeper.opens(odds=True)
    *dealt, last, trump = shirinma_round()
    recorded(scorekeeper, *dealt[:3])
    before = Decimal(scorekeeper.looks("/odds")["odds"]["cards"][0]["half_is_worth"])
    price = int(before) + 1
    recorded(scorekeeper, event("bid_placed", player="p7", amount=price), event("auction_closed"))
    assert before < price < Decimal(scorekeeper.looks("/odds")["odds"]["cards"][0]["half_is_worth"])
    recorded(scorekeeper, *dealt[3:], last, trump)
    assert scorekeeper.looks("/statistics")["dear_rides"] == []


def test_nothing_of_it_is_told_where_nobody_wants_to_know(scorekeeper: Scorekeeper) -> None:
    seed_example(scorekeeper, odds=False)
    recorded(scorekeeper, event("round_opened"), event("round_voided", reason="what is long past is counted once"))
    told = scorekeeper.looks("/statistics")
    assert {one["luck"] for one in told["players"].values()} == {None}
    assert (told["luckiest"], told["dear_rides"]) == (None, [])
    scorekeeper.reports(event("odds_switched", on=True))
    assert scorekeeper.looks("/statistics")["luckiest"] is not None
    scorekeeper.reports(event("odds_switched", on=False))
    assert scorekeeper.looks("/statistics") == told


def test_the_dealer_of_shippin_has_the_luck_that_the_others_have_not(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", odds=True, rules={"bet": 10})
    bets = (event("bet_placed", player="p2", column=1), event("bet_placed", player="p3", column=4))
    cards = (second_cards("7", "3", "5", "10", dealer="9"), first_cards("2", "2", "2", "10", dealer="8"))
    recorded(scorekeeper, event("round_opened"), *bets)
    chances = scorekeeper.looks("/odds")["odds"]["columns"][0]
    alone = 10 * (Fraction(chances["wins"]["exact"]) - Fraction(chances["loses"]["exact"]))
    recorded(scorekeeper, *cards)
    players = scorekeeper.looks("/statistics")["players"]
    lucks = [players[f"p{seat}"]["luck"] for seat in range(1, 6)]
    assert lucks == [decimal(luck) for luck in (2 * alone, 10 - alone, -10 - alone, Fraction(), Fraction())]


def test_where_nobody_can_know_a_chance_nobody_has_luck(scorekeeper: Scorekeeper) -> None:
    """Also where the table wants to be told: 0.00 would say that the cards brought what was to be expected."""
    scorekeeper.opens("kakkuri", odds=True)
    scorekeeper.reports(event("round_opened"))
    told = scorekeeper.looks("/statistics")
    assert {one["luck"] for one in told["players"].values()} == {None}
    assert told["luckiest"] is None


def test_a_round_that_does_not_count_brings_no_luck(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", odds=True)
    recorded(scorekeeper, event("round_opened"), event("bet_placed", player="p2", column=1))
    recorded(scorekeeper, second_cards("7", "3", "5", "10", dealer="9"), event("round_voided", reason="tea"))
    recorded(scorekeeper, event("round_entered", payments={"p1": 5}, payouts={"p2": 5}))
    told = scorekeeper.looks("/statistics")
    assert {one["luck"] for one in told["players"].values()} == {"0.00"}
    assert told["luckiest"] is None


def test_the_same_cards_are_more_luck_for_a_larger_pot(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(odds=True)
    recorded(scorekeeper, *shirinma_round("swords-5"))
    once = Decimal(scorekeeper.looks("/statistics")["players"]["p1"]["luck"])
    recorded(scorekeeper, event("dealer_named", player="p1"), *shirinma_round("swords-5"))
    assert Decimal(scorekeeper.looks("/statistics")["players"]["p1"]["luck"]) < 2 * once - 1 < 0


def test_luck_is_counted_again_when_a_card_is_corrected(scorekeeper: Scorekeeper) -> None:
    before = seed_example(scorekeeper, odds=True)
    last = scorekeeper.looks("")["seq"]
    scorekeeper.reports(event("event_amended", seq=last, event=event("trump_revealed", card="coins-9")))
    after = scorekeeper.looks("/statistics")
    assert after["luckiest"] != before["luckiest"]
    assert Decimal(after["players"]["p8"]["luck"]) < 0 < Decimal(before["players"]["p8"]["luck"])


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("What the chances say", "The cards were kindest to", "half the rights were worth 0.00.")),
        ("ja", ("見込みから見ると", "札にいちばん恵まれたのは", "半分の値打ちは0.00枚でした。")),
    ],
)
def test_the_score_sheet_tells_it_where_it_is_wanted(
    scorekeeper: Scorekeeper, language: str, said: tuple[str, ...]
) -> None:
    for odds in (True, False):
        seed_example(scorekeeper, odds=odds)
        sheet = scorekeeper.client.get(
            f"{scorekeeper.address}/export.html", headers=scorekeeper.headers(Accept_Language=language)
        ).text
        assert [each in sheet for each in said] == [odds] * len(said)


# --- what counting several together may take ------------------------------------------------------------------------


@pytest.fixture
def tables(scorekeeper: Scorekeeper) -> list[Scorekeeper]:
    """Three sessions in the database, of a few events each."""
    found = list[Scorekeeper]()
    for _ in range(3):
        table = Scorekeeper(scorekeeper.client)
        table.opens("shippin")
        recorded(table, event("round_opened"), event("round_voided", reason="tea"))
        found.append(table)
    return found


def test_sessions_with_more_events_than_may_be_are_not_even_read(
    client: FlaskClient, tables: list[Scorekeeper], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.services.sessions.MAX_EVENTS_TOGETHER", 5)
    assert together(client, *[table.token for table in tables[:2]])["sessions"] == 2
    monkeypatch.setattr(SessionCache, "get", None)
    (error,) = together(client, *[table.token for table in tables], status=422)["errors"]
    assert error["pointer"] == "/tokens"
    assert "5 events" in error["detail"]
    assert "have 6" in error["detail"]
