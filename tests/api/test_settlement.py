"""Settling up over HTTP: who pays whom, payments that were made, money, and chips that are missing at closing."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Json, Scorekeeper, event


def moved(payer: str, payee: str, amount: int) -> Json:
    return event("chips_moved", from_=payer, to=payee, amount=amount)


def paid(payer: str, payee: str, amount: int) -> Json:
    return event("settlement_paid", from_=payer, to=payee, amount=amount)


def payments(scorekeeper: Scorekeeper, query: str = "") -> list[tuple[str, str, int]]:
    told = scorekeeper.looks(f"/settlement{query}")["payments"]
    return [(payment["from"], payment["to"], payment["amount"]) for payment in told]


@pytest.fixture
def state(scorekeeper: Scorekeeper) -> Scorekeeper:
    """Five at Shippin, whose balances are -30, -20, +45, +5 and 0."""
    scorekeeper.opens("shippin")
    recorded(scorekeeper, moved("p1", "p3", 30), moved("p2", "p3", 15), moved("p2", "p4", 5))
    assert list(scorekeeper.balances().values()) == [-30, -20, 45, 5, 0]
    return scorekeeper


def opens_with(scorekeeper: Scorekeeper, *balances: int) -> None:
    """Open a session of Shippin for people who bring balances along."""
    scorekeeper.opens("shippin")
    brought = [{"player": f"p{seat}", "balance": balance} for seat, balance in enumerate(balances, 1)]
    recorded(scorekeeper, event("balances_brought", balances=brought))


# --- who pays whom --------------------------------------------------------------------------------------------------


def test_who_owes_pays_who_is_owed(state: Scorekeeper) -> None:
    assert state.looks("/settlement") == {
        "payments": [
            {"from": "p1", "to": "p3", "amount": 30},
            {"from": "p2", "to": "p3", "amount": 15},
            {"from": "p2", "to": "p4", "amount": 5},
        ],
        "exact": True,
        "via": None,
        "currency": None,
        "remainder": None,
    }


def test_before_anything_has_moved_nobody_pays(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    assert payments(scorekeeper) == []


def test_the_bank_pays_for_chips_that_were_bought_and_not_handed_back(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, moved("bank", "p1", 100), moved("bank", "p2", 100), moved("p2", "p1", 40))
    assert payments(scorekeeper) == [("bank", "p1", 140), ("bank", "p2", 60)]


def test_a_pot_in_play_is_settled_with_the_rest(scorekeeper: Scorekeeper) -> None:
    """The King of Cups is the only showdown card, and the field card is of the trump suit: the pot is carried."""
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round("coins-5"))
    assert scorekeeper.looks("")["pot"] == 270
    assert payments(scorekeeper) == [("p1", "pot", 50), *((f"p{seat}", "pot", 20) for seat in range(2, 13))]
    recorded(scorekeeper, event("session_closed", pot="bank"))
    assert payments(scorekeeper)[0] == ("p1", "bank", 50)


def test_who_has_left_still_settles(state: Scorekeeper) -> None:
    recorded(state, event("player_left", player="p3"))
    assert payments(state)[0] == ("p1", "p3", 30)


def test_everything_can_be_paid_through_one_player(state: Scorekeeper) -> None:
    through_three = [("p1", "p3", 30), ("p2", "p3", 20), ("p3", "p4", 5)]
    assert payments(state, "?via=p3") == through_three
    through_five = [("p1", "p5", 30), ("p2", "p5", 20), ("p5", "p3", 45), ("p5", "p4", 5)]
    assert payments(state, "?via=p5") == through_five
    told = [state.looks(f"/settlement?via={via}") for via in ("p3", "p5")]
    assert [(settlement["via"], settlement["exact"]) for settlement in told] == [("p3", True), ("p5", False)]


@pytest.mark.parametrize("via", ["p6", "bank", "pot", "", "p1' --"])
def test_nobody_unknown_can_be_paid_through(state: Scorekeeper, via: str) -> None:
    answer = state.client.get(f"{state.address}/settlement", query_string={"via": via}, headers=state.headers())
    assert answer.status_code == 404


# --- payments that were made ----------------------------------------------------------------------------------------


def test_a_payment_moves_the_chips_the_other_way_in_the_books(state: Scorekeeper) -> None:
    (entry,) = state.reports(paid("p1", "p3", 30))["entries"]
    assert (entry["from"], entry["to"], entry["amount"]) == ("p3", "p1", 30)
    assert (entry["reason"], entry["round"]) == ("settlement_paid", None)
    assert list(state.balances().values()) == [0, -20, 15, 5, 0]


@pytest.mark.parametrize("made", range(3))
def test_a_payment_that_was_made_leaves_exactly_the_others(state: Scorekeeper, made: int) -> None:
    others = payments(state)
    state.reports(paid(*others.pop(made)))
    assert payments(state) == others


def test_once_all_is_paid_nobody_owes_anything(state: Scorekeeper) -> None:
    for payment in reversed(payments(state)):
        state.reports(paid(*payment))
    assert payments(state) == []
    assert set(state.balances().values()) == {0}


def test_paying_more_than_was_due_is_settled_the_other_way(state: Scorekeeper) -> None:
    state.reports(paid("p1", "p3", 40))
    assert payments(state) == [("p2", "p1", 10), ("p2", "p3", 5), ("p2", "p4", 5)]


def test_whoever_pays_somebody_else_settles_anew_and_what_is_said_then_stays(scorekeeper: Scorekeeper) -> None:
    opens_with(scorekeeper, -3, -7, 4, -7, 13)
    scorekeeper.reports(paid("p4", "p2", 4))
    assert payments(scorekeeper) == [("p1", "p3", 3), ("p2", "p3", 1), ("p2", "p5", 10), ("p4", "p5", 3)]
    scorekeeper.reports(paid("p2", "p5", 10))
    assert payments(scorekeeper) == [("p1", "p3", 3), ("p2", "p3", 1), ("p4", "p5", 3)]


def test_a_payment_that_was_taken_back_was_not_made(scorekeeper: Scorekeeper) -> None:
    opens_with(scorekeeper, -6, -6, 4, 4, 4)
    before = payments(scorekeeper)
    scorekeeper.reports(paid("p2", "p4", 2), event("event_taken_back"))
    assert payments(scorekeeper) == before


def test_what_moves_no_chips_does_not_disturb_what_was_said(scorekeeper: Scorekeeper) -> None:
    """Settled anew it would be otherwise: p1 would pay p5."""
    opens_with(scorekeeper, -6, -6, 4, 4, 4)
    scorekeeper.reports(paid("p2", "p4", 2), event("player_renamed", player="p2", name="Ben"), event("session_closed"))
    assert payments(scorekeeper) == [("p1", "p3", 4), ("p1", "p4", 2), ("p2", "p5", 4)]


def test_once_other_chips_move_everything_is_settled_anew(scorekeeper: Scorekeeper) -> None:
    opens_with(scorekeeper, -6, -6, 4, 4, 4)
    scorekeeper.reports(paid("p2", "p4", 2), moved("p3", "p5", 4))
    assert payments(scorekeeper) == [("p1", "p4", 2), ("p1", "p5", 4), ("p2", "p5", 4)]


def test_debts_are_paid_after_closing_and_a_payment_can_be_taken_back(state: Scorekeeper) -> None:
    recorded(state, event("session_closed"))
    seq = state.reports(paid("p1", "p3", 30))["events"][0]["seq"]
    assert payments(state) == [("p2", "p3", 15), ("p2", "p4", 5)]
    state.is_refused(moved("p1", "p3", 1), code="session_is_closed")
    state.is_refused(event("event_taken_back", seq=1), code="session_is_closed")
    state.reports(event("event_taken_back", seq=seq))
    assert payments(state) == [("p1", "p3", 30), ("p2", "p3", 15), ("p2", "p4", 5)]
    assert state.looks("")["status"] == "closed"
    assert state.looks("/verify")["ok"]


def test_a_payment_can_be_amended_after_closing(state: Scorekeeper) -> None:
    recorded(state, event("session_closed"), paid("p1", "p3", 30))
    state.reports(event("event_amended", seq=5, event=paid("p1", "p3", 10)))
    assert payments(state) == [("p1", "p3", 20), ("p2", "p3", 15), ("p2", "p4", 5)]


@pytest.mark.parametrize(
    ("payment", "status", "code"),
    [
        (paid("p1", "p1", 5), 409, "same_account"),
        (paid("p1", "p9", 5), 409, "never_at_the_table"),
        (paid("pot", "p1", 5), 409, "never_at_the_table"),
        (paid("p1", "p2", 0), 422, "malformed_fields"),
        (paid("p1", "p2", -5), 422, "malformed_fields"),
    ],
)
def test_a_payment_that_there_cannot_be_is_refused(state: Scorekeeper, payment: Json, status: int, code: str) -> None:
    state.is_refused(payment, status=status, code=code)


# --- money ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("currency", "per_chip", "money", "in_all"),
    [
        ("JPY", "10", [("300", None), ("150", None), ("50", None)], "0"),
        ("JPY", "0.5", [("15", None), ("7", "0.5"), ("2", "0.5")], "1"),
        ("USD", "0.25", [("7.50", None), ("3.75", None), ("1.25", None)], "0"),
        ("USD", "0.333", [("9.99", None), ("4.99", "0.005"), ("1.66", "0.005")], "0.01"),
        ("KWD", "0.0001", [("0.003", None), ("0.001", "0.0005"), ("0.000", "0.0005")], "0.001"),
        ("KWD", "0.0625", [("1.875", None), ("0.937", "0.0005"), ("0.312", "0.0005")], "0.001"),
    ],
)
def test_payments_come_in_money_to_the_minor_unit_and_the_rest_is_named(
    scorekeeper: Scorekeeper, currency: str, per_chip: str, money: list[tuple[str, str | None]], in_all: str
) -> None:
    scorekeeper.opens("shippin", chip_value={"currency": currency, "per_chip": per_chip})
    recorded(scorekeeper, moved("p1", "p3", 30), moved("p2", "p3", 15), moved("p2", "p4", 5))
    told = scorekeeper.looks("/settlement")
    assert [(payment["money"], payment.get("remainder")) for payment in told["payments"]] == money
    assert (told["currency"], told["remainder"]) == (currency, in_all)
    in_money = sum(Decimal(payment["money"]) for payment in told["payments"])
    assert in_money + Decimal(told["remainder"]) == 50 * Decimal(per_chip)


def test_the_largest_payments_keep_every_digit(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", chip_value={"currency": "JPY", "per_chip": "999999999999.999999999999"})
    recorded(scorekeeper, *[moved("p1", "p2", 10**9)] * 20)
    (payment,) = scorekeeper.looks("/settlement")["payments"]
    assert (payment["money"], payment["remainder"]) == ("19999999999999999999999", "0.98")


@pytest.mark.parametrize("per_chip", ["1e500", "1_0", " 1", "1\n", "１０", "-1", "0.0", "1" * 13, ".5", "1.", "inf"])
def test_what_a_chip_is_worth_is_a_decimal_number_that_one_can_reckon_with(
    scorekeeper: Scorekeeper, per_chip: str
) -> None:
    players = [f"Player {number}" for number in range(1, 6)]
    opening = {"game": "shippin", "players": players, "chip_value": {"currency": "JPY", "per_chip": per_chip}}
    answer = scorekeeper.client.post("/v1/sessions", json=opening)
    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.get_json()["errors"]] == ["/chip_value/per_chip"]


# --- what is missing at closing -------------------------------------------------------------------------------------


def closing(scorekeeper: Scorekeeper) -> Json | None:
    told: Json | None = scorekeeper.looks("")["closing"]
    return told


def test_closing_says_how_many_chips_are_missing(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, moved("bank", "p1", 100), moved("bank", "p2", 50), moved("p1", "bank", 149))
    assert closing(scorekeeper) is None
    body = recorded(scorekeeper, event("session_closed"))
    assert body["session"]["closing"] == {
        "buy_ins": 150,
        "cash_outs": 149,
        "pot": 0,
        "difference": 1,
        "sentence": {
            "en": "The bank gave out 150 chips and got back 149 chips: 1 chip too few.",
            "ja": "渡したチップは150枚、戻ったチップは149枚で、1枚足りません。",
        },
    }


def test_closing_says_how_many_chips_too_many_came_back(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, moved("bank", "p1", 100), moved("p1", "bank", 100), moved("p2", "bank", 5))
    recorded(scorekeeper, event("session_closed"))
    told = closing(scorekeeper)
    assert told is not None
    assert (told["buy_ins"], told["cash_outs"], told["difference"]) == (100, 105, -5)
    assert told["sentence"]["en"] == "The bank gave out 100 chips and got back 105 chips: 5 chips too many."
    assert told["sentence"]["ja"] == "渡したチップは100枚、戻ったチップは105枚で、5枚多すぎます。"


def test_closing_says_nothing_if_chips_and_buy_ins_match(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, moved("bank", "p1", 100), moved("p1", "p2", 30))
    recorded(scorekeeper, moved("p1", "bank", 70), moved("p2", "bank", 30), event("session_closed"))
    assert closing(scorekeeper) is None


def test_a_pot_that_goes_to_the_bank_comes_back_to_it(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, moved("bank", "p1", 270), *shirinma_round("coins-5"), event("session_closed", pot="bank"))
    assert closing(scorekeeper) is None


@pytest.mark.parametrize("bought", [(), (moved("bank", "p1", 9), moved("p1", "bank", 9))])
def test_a_pot_put_into_the_bank_on_purpose_is_no_alarm(scorekeeper: Scorekeeper, bought: tuple[Json, ...]) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *bought, *shirinma_round("coins-5"), event("session_closed", pot="bank"))
    told = closing(scorekeeper)
    assert told is not None
    assert (told["difference"], told["pot"]) == (0, 270)
    assert told["sentence"] == {
        "en": "The pot went into the bank: 270 chips that a next evening can play for.",
        "ja": "ポットの270枚はバンクに入りました。次の会で争うことができます。",
    }


def test_a_pot_in_the_bank_is_told_beside_chips_that_are_too_many(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, event("round_entered", payments={"p1": 280}, pot=280), moved("p2", "bank", 5))
    recorded(scorekeeper, event("session_closed", pot="bank"))
    told = closing(scorekeeper)
    assert told is not None
    assert (told["pot"], told["difference"]) == (280, -5)
    assert told["sentence"]["en"] == (
        "The pot went into the bank: 280 chips that a next evening can play for. "
        "The bank gave out 0 chips and got back 5 chips: 5 chips too many."
    )


def test_a_pot_that_was_brought_was_given_out_by_the_bank(scorekeeper: Scorekeeper) -> None:
    """Who wins it cashes more in than was bought, and all the same nothing is missing, nor left over."""
    scorekeeper.opens("shippin")
    recorded(scorekeeper, event("pot_brought", amount=30), moved("bank", "p1", 100))
    recorded(scorekeeper, event("round_entered", payouts={"p2": 30}))
    recorded(scorekeeper, moved("p1", "bank", 100), event("session_closed"))
    told = closing(scorekeeper)
    assert told is not None
    assert (told["buy_ins"], told["cash_outs"]) == (130, 100)
    recorded(scorekeeper, event("session_reopened"), moved("p2", "bank", 30), event("session_closed"))
    assert closing(scorekeeper) is None
    assert scorekeeper.looks("/settlement")["payments"] == []


def test_a_pot_that_was_brought_and_not_won_goes_back_to_the_bank(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, event("pot_brought", amount=30), event("session_closed", pot="bank"))
    assert closing(scorekeeper) is None
    assert scorekeeper.looks("")["bank"] == 0


def test_whoever_won_a_pot_that_was_brought_is_paid_by_the_bank(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, event("pot_brought", amount=30), event("round_entered", payouts={"p2": 30}))
    (payment,) = scorekeeper.looks("/settlement")["payments"]
    assert (payment["from"], payment["to"], payment["amount"]) == ("bank", "p2", 30)


def test_a_pot_that_should_have_been_another_is_corrected(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, moved("bank", "p1", 5), event("pot_brought", amount=30), event("round_opened"))
    recorded(scorekeeper, event("round_voided", reason="tea"))
    scorekeeper.is_refused(event("pot_brought", amount=30), code="rounds_were_played")
    recorded(scorekeeper, event("event_amended", seq=2, event=event("pot_brought", amount=40)))
    recorded(scorekeeper, event("event_inserted", after=0, event=event("pot_brought", amount=2)))
    assert (scorekeeper.looks("")["pot"], scorekeeper.looks("")["bank"]) == (42, -47)
    recorded(scorekeeper, event("event_taken_back", seq=2), event("session_closed", pot="bank"))
    assert closing(scorekeeper)["buy_ins"] == 5  # type: ignore[index]
    assert scorekeeper.looks("/verify")["findings"] == []


def test_debts_and_balances_brought_along_are_no_chips(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    brought = event("balances_brought", balances=[{"player": "p1", "balance": 30}, {"player": "p2", "balance": -30}])
    recorded(scorekeeper, brought, moved("bank", "p3", 10), event("session_closed"))
    recorded(scorekeeper, paid("p2", "bank", 25), paid("bank", "p1", 20))
    told = closing(scorekeeper)
    assert told is not None
    assert (told["buy_ins"], told["cash_outs"]) == (10, 0)


def test_a_correction_before_closing_puts_it_right(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    recorded(scorekeeper, moved("bank", "p1", 100), moved("p1", "bank", 90), event("session_closed"))
    for returned in (95, 100):
        recorded(scorekeeper, event("session_reopened"))
        assert closing(scorekeeper) is None
        corrected = event("event_amended", seq=2, event=moved("p1", "bank", returned))
        recorded(scorekeeper, corrected, event("session_closed"))
        told = closing(scorekeeper)
        assert (told and (told["buy_ins"], told["cash_outs"])) == ((100, 95) if returned == 95 else None)
