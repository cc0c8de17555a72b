"""Shirinma's chances at a table, by example."""

from __future__ import annotations

from fractions import Fraction
from math import perm
from typing import Any

import pytest

from ledger.cards import read
from ledger.games import newest
from ledger.games.odds.shirinma_table import cards_in_deck, odds, unseen_cards, with_next_card
from ledger.games.shirinma import (
    BOOK,
    Auction,
    AuctionClosed,
    BidPlaced,
    CardDealt,
    Dealing,
    FieldCardRevealed,
    ShirinmaPhase,
    Showdown,
    TrumpRevealed,
    showdown_rank,
)
from ledger.play import CardAlreadySeen, ForeignCard, OutOfPlace, Over, Phase
from tests.games.shirinma_tables import known, opening, sums_to_one
from tests.session.tables import VOID, after, entered, shirinma_round, table

CLOSED = AuctionClosed()


def at_table(*events: Any, **said: Any) -> Phase:
    done = after(table("shirinma", **said), *events).round
    assert done
    phase: Phase = done.phase
    return phase


DUE = shirinma_round()[:-1]
"""All is dealt: `p1` holds the King of cups, `p12` the Dragon of clubs, a coin is on the field. No more is noted."""


def wins(at: Phase) -> dict[str, Fraction]:
    return {card.card.code: card.wins for card in known(at).cards}


def test_when_all_is_dealt_the_bottom_card_decides() -> None:
    """Of 23 cards left 14 are showdown cards, and 9 any of the 31 plain ones that nobody named."""
    at, plain = at_table(*DUE), Fraction(9, 31 * 23)
    assert known(at).unseen == 23
    assert wins(at) == {"cups-12": Fraction(3, 23) + 6 * plain, "clubs-1": Fraction(3, 23) + 6 * plain}
    assert known(at).forfeited == {
        "no_showdown_card": 0,
        "low_bottom_card": 8 * plain,
        "field_card_is_trump": Fraction(4, 23) + 7 * plain,
        "no_trump_held": Fraction(8, 23) + 15 * plain,
    }
    assert known(at).third_deal == 0
    assert set(known(at).to_come.values()) == {0}


def test_half_the_rights_are_worth_half_the_pot_as_often_as_the_card_wins() -> None:
    told = known(at_table(*DUE))
    assert [card.half_now for card in told.cards] == [card.wins * 270 / 2 for card in told.cards]
    assert [card.half_is_worth for card in told.cards] == [card.half_now for card in told.cards]


def test_what_is_still_to_be_paid_for_cards_is_worth_something_too_and_bids_are_not() -> None:
    at = at_table(*DUE[:3])
    (king,) = known(at).cards
    assert king.half_now == king.wins * (12 * 20 + 30) / 2
    assert king.half_is_worth > king.half_now
    bid = BOOK.play(at, BidPlaced("p7", 1000)).phase
    assert known(bid) == known(at)
    (sold,) = known(BOOK.play(bid, CLOSED).phase).cards
    assert (king.back_rider, sold.back_rider) == (None, "p7")
    assert sold.half_is_worth == king.half_is_worth + 500 * king.wins


@pytest.mark.parametrize(("odd_chip", "ridden"), [("winner", 138), ("back_rider", 139), ("carry", 138)])
def test_half_of_a_pot_into_which_nothing_comes_any_more_is_told_to_the_chip(odd_chip: str, ridden: int) -> None:
    """As the rule book pays it to a rider; of a card that nobody rides half is half, and so it is before that."""
    bid = shirinma_round(bid=("p5", 7))
    last = at_table(*bid[:-1], CLOSED, rules={"odd_chip": odd_chip})
    king, dragon = known(last).cards
    assert isinstance(last, Showdown)
    assert (king.back_rider, dragon.back_rider) == ("p5", None)
    assert king.half_is_worth == king.half_now == king.wins * ridden
    assert dragon.half_is_worth == dragon.half_now == dragon.wins * Fraction(277, 2)
    end = at_table(*bid, rules={"odd_chip": odd_chip})
    assert isinstance(end, Over)
    assert known(end).cards[0].half_is_worth == ridden
    assert sum(payout.amount for payout in end.outcome.payouts if payout.player == "p5") == ridden
    dealing = at_table(*bid[:5], rules={"odd_chip": odd_chip})
    assert isinstance(dealing, Dealing)
    (ridden_king,) = known(dealing).cards
    assert ridden_king.half_now == ridden_king.wins * dealing.pot / 2


def test_a_stronger_card_of_its_suit_leaves_a_card_no_chance() -> None:
    dealt = [CardDealt("p1", read("cups-11")), CardDealt("p2", read("cups-10"))]
    at = at_table(*DUE[:2], *dealt)
    assert known(at).to_come[read("cups-1")] == 0
    assert wins(at)["cups-10"] == 0 < wins(at)["cups-11"]
    assert wins(with_next_card(at, read("cups-12"))) == {
        "cups-11": 0,
        "cups-10": 0,
        "cups-12": wins(with_next_card(at, read("cups-12")))["cups-12"],
    }


def test_a_suit_that_lies_on_the_field_never_wins() -> None:
    assert wins(at_table(*DUE[:2], CardDealt("p1", read("coins-12")))) == {"coins-12": 0}


@pytest.mark.parametrize(("third_deal", "deals"), [("none_received", 1), ("none_held", 2)])
def test_how_often_there_is_a_third_deal_with_twelve_players(third_deal: str, deals: int) -> None:
    """As SH-9 says: about one round in 309, or one in three million."""
    told = known(opening(12, third_deal=third_deal)).third_deal
    assert told == Fraction(perm(32, 12 * deals), perm(48, 12 * deals))
    assert round(1 / told, -6 if deals == 2 else 0) == (3_000_000 if deals == 2 else 309)


def test_with_sixteen_players_there_is_no_third_deal_and_almost_always_somebody_holds_a_showdown_card() -> None:
    told = known(opening(16))
    assert told.third_deal == 0
    assert told.forfeited["no_showdown_card"] == Fraction(perm(32, 32), perm(48, 32))
    assert known(opening(17)).forfeited["no_showdown_card"] == 0


def test_the_chances_of_a_third_deal_follow_the_table() -> None:
    """Due, begun, and begun though it was not due."""
    plain = [CardDealt(f"p{1 + place % 12}", "plain") for place in range(24)]
    due = at_table(*DUE[:2], *plain)
    assert isinstance(due, Dealing)
    assert known(due).third_deal == 1
    assert 0 < known(at_table(*DUE[:2], *plain[:20])).third_deal < 1
    assert known(at_table(*DUE[:2], *plain[:20], CardDealt("p9", read("cups-1")))).third_deal == 0
    not_due = at_table(*DUE, CLOSED)
    assert isinstance(not_due, Showdown)
    begun = at_table(*DUE, CardDealt("p1", "plain", overrule="They had begun."))
    assert known(begun).third_deal == 1
    assert known(begun).to_come[read("clubs-12")] > known(not_due).to_come[read("clubs-12")] == 0


@pytest.mark.parametrize(("dealt", "third"), [(0, 0), (1, 1)])
def test_a_third_deal_that_was_left_out_was_none_and_one_that_was_broken_off_was_one(dealt: int, third: int) -> None:
    deals = [CardDealt(f"p{1 + place % 12}", "plain") for place in range(1, 24 + dealt)]
    king = CardDealt("p1", read("cups-12"))
    trump = TrumpRevealed(read("cups-5"), overrule="It was late.")
    told = known(at_table(*DUE[:2], king, *deals, trump))
    assert told.third_deal == third
    assert [card.wins for card in told.cards] == [1]
    assert told.unseen == 22 - dealt


def test_a_table_that_dealt_too_many_cards_still_shows_its_last_one_as_trump() -> None:
    """With 23 players every card but the last is dealt; here one was dealt out of turn to somebody who had one."""
    again = CardDealt("p2", read("cups-12"), overrule="They had begun."), CardDealt("p3", "plain")
    at = at_table(*DUE[:2], CardDealt("p1", "plain"), CardDealt("p2", "plain"), *again, seats=23)
    sums_to_one(at)
    while isinstance(at, ShirinmaPhase) and cards_in_deck(at) > 1:
        showdown = [card for card in unseen_cards(at) if showdown_rank(at.ground, card)]
        at = with_next_card(at, showdown[0] if cards_in_deck(at) == len(showdown) else "plain")
        sums_to_one(at)
    assert isinstance(at, Auction)
    assert at.waiting
    assert set(known(at).to_come.values()) <= {0}


def test_a_table_of_twelve_that_dealt_half_the_pack_to_one_player_has_chances_too() -> None:
    """There are not enough cards left for two deals, and so none for a third."""
    again = [CardDealt("p2", "plain", overrule="They had begun.")] * 29
    at = at_table(*DUE[:2], CardDealt("p1", "plain"), CardDealt("p2", "plain"), *again)
    sums_to_one(at)
    assert known(at).third_deal == 0


def test_what_has_happened_is_certain() -> None:
    won = known(at_table(*shirinma_round(bid=("p5", 7))))
    assert [(card.card.code, int(card.wins), card.back_rider) for card in won.cards] == [
        ("cups-12", 1, "p5"),
        ("clubs-1", 0, None),
    ]
    assert won.cards[0].half_is_worth == won.cards[0].half_now == 138
    assert (int(won.nobody_wins), won.unseen) == (0, 22)
    lost = known(at_table(*shirinma_round("coins-2")))
    assert [card.wins for card in lost.cards] == [0, 0]
    assert [reason for reason, chance in lost.forfeited.items() if chance] == [
        "low_bottom_card",
        "field_card_is_trump",
        "no_trump_held",
    ]


def test_what_if_the_next_card_was_this_one() -> None:
    """It is played, whoever is due and whatever an auction stands at, and nothing is kept of it."""
    at = at_table(*DUE[:3], BidPlaced("p2", 5))
    asked = odds(at, read("cups-11"))
    assert asked == odds(BOOK.play(at, CardDealt("p2", read("cups-11"))).phase)
    assert odds(opening(12), read("coins-1")) == odds(BOOK.play(opening(12), FieldCardRevealed(read("coins-1"))).phase)
    assert odds(at_table(*DUE), read("cups-7")) == odds(at_table(*DUE, TrumpRevealed(read("cups-7"))))


def test_a_card_that_cannot_come_next_is_refused() -> None:
    at = at_table(*DUE)
    with pytest.raises(CardAlreadySeen):
        odds(at, read("cups-12"))
    with pytest.raises(ForeignCard):
        odds(at, read("QH"))
    with pytest.raises(OutOfPlace):
        odds(at_table(*shirinma_round()), read("cups-6"))


def test_a_western_pack_has_the_chances_of_the_cards_it_stands_for() -> None:
    western = opening(12, deck="western", western_courts="QJK")
    at = with_next_card(with_next_card(western, read("coins-4")), read("cups-11"))
    same = with_next_card(with_next_card(opening(12), read("coins-4")), read("cups-11"))
    assert [card.code for card in known(at).to_come][:4] == ["AC", "JC", "QC", "KC"]
    assert wins(at) == {"JH": wins(same)["cups-11"]}


def test_a_round_that_does_not_count_or_was_entered_by_its_totals_has_no_chances() -> None:
    totals = entered("p2:5", "p1:5")
    assert odds(at_table(*DUE, VOID)) is odds(at_table(totals)) is None


def test_a_game_whose_hands_are_hidden_has_no_chances() -> None:
    assert newest("kakkuri").odds is None
