"""Shippin, rule by rule, in the order of the rule book. Cards are written in rows: four columns, then the dealer."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.games import shippin
from ledger.games.shippin import (
    AlreadyBet,
    Bet,
    BetPlaced,
    BetsMissing,
    Betting,
    Board,
    CardsDrawnForSeats,
    ColumnTaken,
    ColumnWasBetOn,
    DealerCannotBet,
    DealerHand,
    Draw,
    EveryHandCounts,
    FirstCardsRevealed,
    FiveCards,
    Hand,
    NobodyLeftToBet,
    NoCardOfValueLeft,
    Pair,
    PassedOver,
    Rules,
    Ruling,
    SecondCardsDealt,
    ShippinSettled,
    Showdown,
    WrongDrawers,
    arrange,
    board,
    decide,
    expected,
    explain,
    is_karami,
    is_shippin,
    open_round,
    play,
    total,
)
from ledger.i18n.language import render
from ledger.i18n.sentences import Sentence
from ledger.rulebook.cards import UnknownCard, pack_of_values, read
from ledger.rulebook.chips import Payout, Transfer
from ledger.rulebook.event import Event
from ledger.rulebook.phase import Expected, Ground, Over, Phase, Seats, Step
from ledger.rulebook.refusal import CardAlreadySeen, ForeignCard, OutOfPlace, OutOfTurn, Refused, UnknownPlayer
from ledger.rulebook.rule_book import Seating
from ledger.rulebook.values import BANK, POT
from tests.session.tables import fold

FIVE = Seats(("p1", "p2", "p3", "p4", "p5"))
_F = TypeVar("_F", bound=FiveCards)


def pair(text: str) -> Pair:
    first, second = map(read, text.split())
    return first, second


def row(kind: type[_F], text: str) -> _F:
    one, two, three, four, dealer = (None if card == "-" else read(card) for card in text.split())
    assert dealer
    return kind((one, two, three, four), dealer)


def bets(text: str) -> list[Event]:
    return [BetPlaced(player, int(column)) for player, column in (bet.split(":") for bet in text.split())]


def opened(dealer: str = "p1", carried: int = 0, **rules: Any) -> Step:
    return open_round(Ground(FIVE, dealer, "kabufuda", Rules(**rules), carried))


def betting(placed: str, **setup: Any) -> Betting:
    phase = fold(play, opened(**setup), bets(placed)).phase
    assert isinstance(phase, Betting)
    return phase


def second_field(text: str, placed: str = "", **setup: Any) -> Showdown:
    phase = play(betting(placed, **setup), row(SecondCardsDealt, text)).phase
    assert isinstance(phase, Showdown)
    return phase


def played(placed: str, second: str, first: str, **setup: Any) -> Step:
    events = (*bets(placed), row(SecondCardsDealt, second), row(FirstCardsRevealed, first))
    return fold(play, opened(**setup), events)


def over(step: Step) -> Over:
    assert isinstance(step.phase, Over)
    return step.phase


def outcome(step: Step) -> ShippinSettled:
    ended = over(step).outcome
    assert isinstance(ended, ShippinSettled)
    return ended


def verdicts(step: Step) -> list[str]:
    return [hand.verdict for hand in outcome(step).hands]


def balances(step: Step) -> dict[str, int]:
    sums = Counter(dict.fromkeys((*FIVE, POT), 0))
    for t in step.transfers:
        sums[t.payee] += t.amount
        sums[t.payer] -= t.amount
    return dict(sums)


def ruling(hand: str, dealer: str, **rules: Any) -> Ruling:
    return decide(pair(hand), pair(dealer), Rules(**rules))


def refused(kind: type[Refused], phase: Phase, event: Event) -> tuple[str | None, dict[str, Any]]:
    with pytest.raises(kind) as info:
        play(phase, event)
    assert type(info.value) is kind
    return info.value.rule, dict(info.value.facts)


def drawn(text: str, seating: Seating | None = None, **rules: Any) -> Seating:
    draws = tuple(Draw(player, read(card)) for player, card in (draw.split(":") for draw in text.split()))
    return arrange(seating or Seating(FIVE, "p1"), CardsDrawnForSeats(draws), Rules(**rules))


def ranks_of(seating: Seating) -> tuple[tuple[str, ...], ...]:
    """Everyone in a draw that is not finished, those who tie together."""
    assert seating.drawing
    assert seating.drawing.rule == "SP-3"
    return seating.drawing.ranks


def spoken(sentence: object) -> str:
    assert isinstance(sentence, Sentence)

    def fact(place: re.Match[str]) -> str:
        value = sentence.facts[place[1]]
        if place[2] == "column":
            return f"column {value}"
        return spoken(value) if isinstance(value, Sentence) else str(value)

    return re.sub(r"\{(\w+)(?::(\w+))?\}", fact, sentence.text)


def told(step: Step) -> list[str]:
    return [spoken(sentence) for sentence in explain(over(step))]


# --- SP-1, SP-2: players, cards, the bet ----------------------------------------------------------------------------


def test_two_to_five_play() -> None:
    assert [*shippin.BOOK.seats] == [2, 3, 4, 5]


@pytest.mark.parametrize("deck", shippin.BOOK.decks)
def test_the_pack_is_one_to_ten_four_times(deck: Any) -> None:
    own = [card for card in pack_of_values(deck).cards if card.deck == deck]
    counted = Counter(dict.fromkeys(range(1, 11), 0))
    for card in own:
        counted[shippin.value(card)] += card.copies
    assert counted == dict.fromkeys(range(1, 11), 4)


def test_a_bare_value_is_understood_with_every_deck() -> None:
    event = row(SecondCardsDealt, "1 4 10 9 5")
    assert all(shippin.BOOK.written(event, deck, Rules()) == event for deck in shippin.BOOK.decks)


@pytest.mark.parametrize(
    ("deck", "card", "why"),
    [
        ("kabufuda", "AS", "the table plays with kabufuda"),
        ("western", "QH", "Jacks, Queens and Kings are taken out"),
        ("hanafuda", "willow-rain-man", "the cards of November and December are taken out"),
        ("hanafuda", "4C", "the table plays with hanafuda"),
        ("western", "cups-4", "the table plays with Western cards"),
    ],
)
def test_a_card_outside_the_pack_is_refused(deck: Any, card: str, why: str) -> None:
    with pytest.raises(ForeignCard) as info:
        shippin.BOOK.written(CardsDrawnForSeats((Draw("p1", read(card)),)), deck, Rules())
    assert info.value.rule == "SP-1"
    assert (info.value.facts["card"], info.value.facts["deck"]) == (read(card), deck)
    assert render(info.value.sentence, "en", {}).endswith(f"this game is played with here: {why}.")


def test_a_court_counts_nothing() -> None:
    with pytest.raises(ValueError, match="QH counts nothing"):
        shippin.value(read("QH"))


def test_there_is_no_eleven() -> None:
    with pytest.raises(UnknownCard):
        read("11")


def test_the_agreed_bet_goes_into_the_pot() -> None:
    step = play(opened(bet=10).phase, BetPlaced("p3", 2))
    assert step.transfers == (Transfer("p3", POT, 10, "bet"),)
    assert step.phase.pot == 10


# --- SP-3: the draw for seats ---------------------------------------------------------------------------------------


def test_the_lowest_card_deals_and_the_others_sit_in_ascending_order() -> None:
    assert drawn("p1:9 p2:3 p3:10 p4:1 p5:2") == Seating(Seats(("p4", "p5", "p2", "p1", "p3")), "p4")


def test_those_who_tie_draw_again_among_themselves() -> None:
    tied = drawn("p1:9 p2:3 p3:3 p4:1 p5:9")
    assert (tied.seats, tied.dealer) == (FIVE, "p1")
    assert ranks_of(tied) == (("p4",), ("p2", "p3"), ("p1", "p5"))
    assert tied.drawing
    assert tied.drawing.draw_again == ("p2", "p3", "p1", "p5")
    still = drawn("p2:10 p3:2 p1:7 p5:7", tied)
    assert still.drawing
    assert still.drawing.draw_again == ("p1", "p5")
    assert drawn("p1:2 p5:1", still) == Seating(Seats(("p4", "p3", "p2", "p5", "p1")), "p4")


def test_a_tie_for_the_lowest_card_leaves_the_dealer_open() -> None:
    tied = drawn("p1:9 p2:1 p3:3 p4:4 p5:1")
    assert tied.dealer == "p1"
    assert drawn("p2:8 p5:3", tied).dealer == "p5"


def test_with_hanafuda_the_higher_class_goes_first() -> None:
    seating = drawn("p1:susuki-chaff-1 p2:susuki-geese p3:susuki-moon p4:iris-ribbon p5:iris-bridge")
    assert seating == Seating(Seats(("p5", "p4", "p3", "p2", "p1")), "p5")


def test_a_class_breaks_no_tie_where_the_table_has_it_so() -> None:
    text = "p1:susuki-chaff-1 p2:susuki-geese p3:susuki-moon p4:iris-ribbon p5:iris-bridge"
    seating = drawn(text, draw_ties="redraw")
    assert ranks_of(seating) == (("p4", "p5"), ("p1", "p2", "p3"))


@pytest.mark.parametrize("draw_ties", ["class", "redraw"])
def test_classes_are_of_hanafuda_alone(draw_ties: str) -> None:
    seating = drawn("p1:2C p2:2D p3:2H p4:2S p5:AC", suit_breaks_tie="yes", draw_ties=draw_ties)
    assert seating == Seating(Seats(("p5", "p4", "p3", "p2", "p1")), "p5")


def test_two_of_one_class_draw_again() -> None:
    seating = drawn("p1:pine-chaff-1 p2:pine-ribbon p3:pine-chaff-2 p4:iris-ribbon p5:iris-chaff-1")
    assert ranks_of(seating) == (("p2",), ("p1", "p3"), ("p4",), ("p5",))


def test_a_class_decides_nothing_against_a_card_not_named_in_full() -> None:
    seating = drawn("p1:pine-crane p2:1 p3:pine-ribbon p4:iris-ribbon p5:iris-bridge")
    assert ranks_of(seating) == (("p1", "p2", "p3"), ("p5",), ("p4",))


def test_western_suits_do_not_break_a_tie() -> None:
    drawing = drawn("p1:AS p2:AC p3:2S p4:3S p5:4S").drawing
    assert drawing
    assert drawing.draw_again == ("p1", "p2")


def test_western_suits_break_a_tie_where_the_table_has_it_so() -> None:
    seating = drawn("p1:2C p2:2D p3:2H p4:2S p5:AC", suit_breaks_tie="yes")
    assert seating == Seating(Seats(("p5", "p4", "p3", "p2", "p1")), "p5")


def test_a_suit_decides_nothing_against_a_card_not_named_in_full() -> None:
    seating = drawn("p1:AS p2:1 p3:AH p4:5D p5:5S", suit_breaks_tie="yes")
    assert ranks_of(seating) == (("p1", "p2", "p3"), ("p5",), ("p4",))


@pytest.mark.parametrize("suit_breaks_tie", ["no", "yes"])
def test_suits_are_of_western_cards_alone(suit_breaks_tie: str) -> None:
    flowers = drawn("p1:pine-chaff-1 p2:pine-ribbon p3:pine-chaff-2 p4:2 p5:3", suit_breaks_tie=suit_breaks_tie)
    assert ranks_of(flowers) == (("p2",), ("p1", "p3"), ("p4",), ("p5",))


def test_a_house_dealer_keeps_the_role_and_the_draw_seats_the_others() -> None:
    house = Seating(FIVE, "p3")
    seating = drawn("p1:9 p2:3 p4:1 p5:2", house, dealer_role="house")
    assert seating == Seating(Seats(("p3", "p4", "p5", "p2", "p1")), "p3")


def test_the_only_guest_of_a_house_draws_too() -> None:
    two = Seating(Seats(("p1", "p2")), "p2")
    assert drawn("p1:9", two, dealer_role="house") == Seating(Seats(("p2", "p1")), "p2")


@pytest.mark.parametrize(
    "text",
    [
        "p1:1 p2:2 p3:3 p4:4",
        "p1:1 p2:2 p3:3 p4:4 p5:5 p6:6",
        "p1:1 p2:2 p3:3 p4:4 p5:5 p5:6",
        "p1:1 p2:2 p3:3 p4:4 p4:5",
        "",
    ],
)
def test_everyone_draws_once_and_nobody_else(text: str) -> None:
    with pytest.raises(WrongDrawers) as info:
        drawn(text)
    assert (info.value.rule, info.value.facts) == ("SP-3", {"expected": FIVE})


def test_a_house_dealer_does_not_draw() -> None:
    with pytest.raises(WrongDrawers) as info:
        drawn("p1:1 p2:2 p3:3 p4:4 p5:5", dealer_role="house")
    assert info.value.facts == {"expected": ("p2", "p3", "p4", "p5")}


def test_only_those_who_tie_draw_again() -> None:
    tied = drawn("p1:9 p2:3 p3:3 p4:1 p5:2")
    for text in ("p1:9 p2:3 p3:4 p4:1 p5:2", "p2:3"):
        with pytest.raises(WrongDrawers) as info:
            drawn(text, tied)
        assert info.value.facts == {"expected": ("p2", "p3")}


def test_a_draw_starts_anew_when_somebody_joins_or_leaves() -> None:
    tied = drawn("p1:9 p2:3 p3:3 p4:1 p5:2").drawing
    four = Seating(FIVE.without(("p3",)), "p1", tied)
    assert drawn("p1:9 p2:3 p4:1 p5:2", four) == Seating(Seats(("p4", "p5", "p2", "p1")), "p4")


def test_one_draw_is_from_one_pack() -> None:
    with pytest.raises(CardAlreadySeen) as twice:
        drawn("p1:pine-crane p2:3 p3:pine-crane p4:1 p5:2")
    assert twice.value.rule == "SP-3"
    assert twice.value.facts["card"] is read("pine-crane")
    assert spoken(twice.value.facts["where"]) == "p1 drew it"
    with pytest.raises(NoCardOfValueLeft) as fifth:
        drawn("p1:3 p2:3 p3:3 p4:3 p5:3")
    assert (fifth.value.rule, fifth.value.facts) == ("SP-3", {"value": 3, "count": 4})


def test_a_card_that_was_drawn_already_cannot_be_drawn_again() -> None:
    tied = drawn("p1:pine-chaff-1 p2:pine-chaff-2 p3:iris-bridge p4:iris-chaff-1 p5:susuki-moon")
    for again in ("pine-chaff-1", "pine-chaff-2", "iris-bridge", "susuki-moon"):
        with pytest.raises(CardAlreadySeen) as refused:
            drawn(f"p1:{again} p2:cherry-curtain", tied)
        assert refused.value.rule == "SP-3"
        assert refused.value.facts["card"] is read(again)
    still = drawn("p1:cherry-chaff-1 p2:cherry-chaff-2", tied)
    with pytest.raises(CardAlreadySeen) as earlier:
        drawn("p1:pine-crane p2:pine-chaff-2", still)
    assert spoken(earlier.value.facts["where"]) == "p2 drew it"
    assert drawn("p1:pine-crane p2:cherry-curtain", still).drawing is None


def test_a_value_is_drawn_four_times_and_not_a_fifth() -> None:
    tied = drawn("p1:3 p2:3 p3:3 p4:1 p5:2")
    with pytest.raises(NoCardOfValueLeft) as fifth:
        drawn("p1:3 p2:3 p3:5", tied)
    assert (fifth.value.rule, fifth.value.facts) == ("SP-3", {"value": 3, "count": 4})
    assert drawn("p1:3 p2:4 p3:5", tied).drawing is None


def test_a_new_draw_is_from_a_whole_pack() -> None:
    done = drawn("p1:3 p2:4 p3:5 p4:1 p5:2")
    assert drawn("p1:3 p2:4 p3:5 p4:1 p5:2", done) == done


def test_a_table_without_people_is_arranged_into_itself() -> None:
    assert drawn("", Seating(Seats(), "p1")) == Seating(Seats(), "p1")


def test_only_a_draw_arranges_seats() -> None:
    with pytest.raises(TypeError):
        arrange(Seating(FIVE, "p1"), BetPlaced("p1", 1), Rules())


# --- SP-4, SP-5: betting --------------------------------------------------------------------------------------------


def test_nobody_antes() -> None:
    step = opened(carried=7)
    assert step.transfers == ()
    assert step.phase.pot == 7


def test_bets_go_from_the_dealers_right() -> None:
    phase = betting("", dealer="p3")
    assert phase.waiting == ("p4", "p5", "p1", "p2")
    assert expected(phase) == (
        Expected(type="bet_placed", players=("p4", "p5", "p1", "p2"), columns=(1, 2, 3, 4)),
        Expected(type="second_cards_dealt"),
    )


def test_who_bets_passes_over_those_before() -> None:
    phase = betting("p3:4")
    assert phase.waiting == ("p4", "p5")
    assert expected(phase)[0] == Expected(type="bet_placed", players=("p4", "p5"), columns=(1, 2, 3))


def test_who_was_passed_over_sits_the_round_out() -> None:
    phase, late = betting("p3:4"), BetPlaced("p2", 1)
    assert refused(PassedOver, phase, late) == ("SP-5", {"expected": "p4", "player": "p2"})


def test_after_the_last_bet_nobody_is_left_to_bet() -> None:
    phase = betting("p5:4")
    assert refused(NobodyLeftToBet, phase, BetPlaced("p2", 1)) == ("SP-5", {"player": "p2"})
    assert expected(phase) == (Expected(type="second_cards_dealt"),)


@pytest.mark.parametrize(("placed", "waiting"), [("p3:4", ("p4", "p5")), ("p5:4", ())])
def test_a_late_bet_can_be_overruled(placed: str, waiting: tuple[str, ...]) -> None:
    phase = play(betting(placed), BetPlaced("p2", 1, overrule="we let him")).phase
    assert isinstance(phase, Betting)
    assert phase.bets[-1] == Bet("p2", 1)
    assert phase.waiting == waiting


def test_nobody_has_to_bet() -> None:
    phase = play(betting(""), row(SecondCardsDealt, "1 2 3 4 5")).phase
    assert isinstance(phase, Showdown)
    assert phase.bets == ()


def test_the_dealer_cannot_bet() -> None:
    for must_bet in ("no", "yes"):
        phase = betting("", dealer="p2", must_bet=must_bet)
        event = BetPlaced("p2", 1, overrule="he wants to")
        assert refused(DealerCannotBet, phase, event) == ("SP-5", {"player": "p2"})


def test_only_those_in_the_round_bet() -> None:
    facts = {"player": "p6", "players": FIVE}
    assert refused(UnknownPlayer, betting(""), BetPlaced("p6", 1, overrule="a guest")) == ("SP-5", facts)


def test_one_column_a_player() -> None:
    event = BetPlaced("p2", 3, overrule="again")
    assert refused(AlreadyBet, betting("p2:1"), event) == ("SP-5", {"player": "p2", "column": 1})


@pytest.mark.parametrize(("column", "holder"), [(3, "p2"), (4, "p3")])
def test_one_player_a_column(column: int, holder: str) -> None:
    event = BetPlaced("p4", column, overrule="both")
    facts = {"player": holder, "column": column, "free": (1, 2)}
    assert refused(ColumnTaken, betting("p2:3 p3:4"), event) == ("SP-5", facts)


def test_where_everyone_must_bet_the_next_one_must() -> None:
    phase = betting("p2:3", must_bet="yes")
    assert expected(phase) == (Expected(type="bet_placed", player="p3", columns=(1, 2, 4)),)
    assert refused(OutOfTurn, phase, BetPlaced("p4", 1)) == ("SP-5", {"expected": "p3", "player": "p4"})


def test_where_everyone_must_bet_the_second_field_waits() -> None:
    event = row(SecondCardsDealt, "1 2 3 4 5")
    waiting = betting("p2:3 p3:1", must_bet="yes")
    assert refused(BetsMissing, waiting, event) == ("SP-5", {"expected": "p4"})
    done = betting("p2:3 p3:1 p4:4 p5:2", must_bet="yes")
    assert expected(done) == (Expected(type="second_cards_dealt"),)
    assert isinstance(play(done, event).phase, Showdown)


def test_where_everyone_must_bet_an_overruled_turn_passes_nobody_over() -> None:
    phase = play(betting("", must_bet="yes"), BetPlaced("p4", 1, overrule="p2 was out")).phase
    assert isinstance(phase, Betting)
    assert phase.waiting == ("p2", "p3", "p5")


# --- SP-6: the fields -----------------------------------------------------------------------------------------------


def test_the_second_field_closes_the_betting() -> None:
    phase = second_field("7 3 5 10 9")
    assert expected(phase) == (Expected(type="first_cards_revealed"),)
    facts = {"expected": ("first_cards_revealed",)}
    assert refused(OutOfPlace, phase, BetPlaced("p2", 1, overrule="late")) == (None, facts)


def test_the_first_field_is_turned_last() -> None:
    facts = {"expected": ("bet_placed", "second_cards_dealt")}
    assert refused(OutOfPlace, betting(""), row(FirstCardsRevealed, "1 2 3 4 5")) == (None, facts)


def test_a_round_that_is_over_takes_nothing() -> None:
    phase = over(played("", "7 3 5 10 9", "2 2 2 10 8"))
    assert expected(phase) == ()
    assert refused(OutOfPlace, phase, BetPlaced("p2", 1)) == (None, {"expected": ()})


def test_the_board_shows_what_is_face_up() -> None:
    second, first = row(SecondCardsDealt, "7 3 5 10 9"), row(FirstCardsRevealed, "2 2 2 10 8")
    laid = betting("p2:1")
    assert board(laid) == Board(bets=(Bet("p2", 1),))
    dealt = fold(play, Step(laid), [second])
    seen = Board(bets=(Bet("p2", 1),), second_field=second.columns, dealer_second=second.dealer)
    assert board(dealt.phase) == seen
    everything = Board(seen.bets, second.columns, second.dealer, first.columns, first.dealer)
    assert board(fold(play, dealt, [first]).phase) == everything


# --- SP-7 to SP-12: the ladder --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "points"), [("10 10", 0), ("4 6", 0), ("9 10", 9), ("8 9", 7), ("2 3", 5), ("10 1", 1)]
)
def test_the_last_digit_of_the_sum_counts(hand: str, points: int) -> None:
    assert total(pair(hand)) == points


@pytest.mark.parametrize("hand", ["9 10", "10 9", "4 5", "4 1", "1 4", "2 2"])
@pytest.mark.parametrize("tie", ["push", "dealer_wins"])
@pytest.mark.parametrize("both", ["compare_totals", "tie", "dealer_wins"])
def test_shippin_beats_everything(hand: str, tie: str, both: str) -> None:
    assert ruling(hand, "4 1", tie=tie, karami_vs_karami=both) == ("dealer", "shippin")


def test_shippin_is_a_four_and_then_a_one() -> None:
    assert is_shippin(pair("4 1"))
    assert not any(map(is_shippin, map(pair, ("1 4", "4 4", "1 1", "4 2", "5 1"))))


def test_a_one_and_then_a_four_is_only_karami() -> None:
    assert ruling("4 5", "1 4") == ("player", "total")
    assert ruling("9 10", "1 4") == ("dealer", "one_karami")


@pytest.mark.parametrize("hand", ["4 1", "1 4"])
def test_four_and_one_on_the_table_is_only_karami(hand: str) -> None:
    assert ruling(hand, "10 9") == ("player", "one_karami")
    assert ruling(hand, "4 3") == ("dealer", "total")
    assert ruling(hand, "4 1") == ("dealer", "shippin")


@pytest.mark.parametrize("hand", ["4 10", "10 4", "1 10", "10 1", "4 4", "1 1"])
def test_a_four_or_a_one_in_any_place_is_karami(hand: str) -> None:
    assert is_karami(pair(hand))


def test_any_other_hand_is_not_karami() -> None:
    assert not any(is_karami(pair(f"{a} {b}")) for a in (2, 3, 5, 6, 7, 8, 9, 10) for b in (2, 3, 5, 6, 7, 8, 9, 10))


def test_a_karami_beats_a_nine_on_either_side() -> None:
    assert ruling("4 6", "9 10") == ("player", "one_karami")
    assert ruling("9 10", "4 6") == ("dealer", "one_karami")


def test_a_karami_beats_a_hand_of_the_same_total() -> None:
    assert ruling("4 3", "2 5") == ("player", "one_karami")
    assert ruling("2 5", "4 3") == ("dealer", "one_karami")


@pytest.mark.parametrize("both", ["tie", "dealer_wins"])
def test_one_karami_is_not_a_case_of_two(both: str) -> None:
    assert ruling("4 6", "9 10", karami_vs_karami=both) == ("player", "one_karami")
    assert ruling("2 3", "9 10", karami_vs_karami=both) == ("dealer", "total")


def test_two_karami_compare_totals() -> None:
    assert ruling("4 5", "1 2") == ("player", "total")
    assert ruling("1 2", "4 5") == ("dealer", "total")
    assert ruling("1 2", "4 9") == ("tie", "tie")


@pytest.mark.parametrize("hand", ["4 5", "1 2", "1 1"])
def test_two_karami_may_be_a_tie(hand: str) -> None:
    assert ruling(hand, "1 2", karami_vs_karami="tie") == ("tie", "two_karami_tie")
    assert ruling(hand, "1 2", karami_vs_karami="tie", tie="dealer_wins") == ("dealer", "two_karami_tie")


@pytest.mark.parametrize("hand", ["4 5", "1 2", "1 1"])
def test_two_karami_may_be_the_dealers(hand: str) -> None:
    assert ruling(hand, "1 2", karami_vs_karami="dealer_wins") == ("dealer", "two_karami")


def test_otherwise_the_higher_total_wins() -> None:
    assert ruling("2 7", "2 6") == ("player", "total")
    assert ruling("10 10", "9 2") == ("dealer", "total")


def test_a_tie_is_a_push() -> None:
    assert ruling("2 5", "9 8") == ("tie", "tie")


def test_a_tie_may_be_the_dealers() -> None:
    assert ruling("2 5", "9 8", tie="dealer_wins") == ("dealer", "tie")
    assert ruling("2 7", "9 8", tie="dealer_wins") == ("player", "total")


# --- SP-11, SP-13: settling -----------------------------------------------------------------------------------------

PLAIN = ("p2:1 p3:2 p4:3", "7 3 5 10 9", "2 2 2 10 8")
"""The dealer holds a 7; the columns a 9, a 5, a 7 and a 0."""


def test_each_of_the_four_hands_is_compared_by_itself() -> None:
    ended = outcome(played(*PLAIN))
    assert ended.result == "settled"
    assert ended.hands == (
        Hand(1, pair("2 7"), 9, karami=False, player="p2", verdict="player"),
        Hand(2, pair("2 3"), 5, karami=False, player="p3", verdict="dealer"),
        Hand(3, pair("2 5"), 7, karami=False, player="p4", verdict="tie"),
        Hand(4, pair("10 10"), 0, karami=False, player=None, verdict="dealer"),
    )
    assert ended.dealer_hand == DealerHand(pair("8 9"), 7, karami=False, shippin=False)


def test_the_outcome_knows_karami_and_shippin() -> None:
    ended = outcome(played("", "7 1 5 10 1", "2 2 4 10 4"))
    assert [hand.karami for hand in ended.hands] == [False, True, True, False]
    assert ended.dealer_hand == DealerHand(pair("4 1"), 5, karami=True, shippin=True)


def test_a_winning_bet_comes_back_with_as_much_again_and_a_losing_one_goes_to_the_dealer() -> None:
    step = played(*PLAIN, bet=10)
    assert step.transfers[3:] == (
        Transfer(POT, "p2", 10, "bet_returned"),
        Transfer("p1", "p2", 10, "bet_won"),
        Transfer(POT, "p1", 10, "bet_lost"),
        Transfer(POT, "p4", 10, "bet_returned"),
    )
    assert outcome(step).payouts == (
        Payout("p2", 10, "bet_returned"),
        Payout("p2", 10, "bet_won"),
        Payout("p1", 10, "bet_lost"),
        Payout("p4", 10, "bet_returned"),
    )


def test_a_tie_that_the_dealer_wins_costs_the_bet() -> None:
    step = played(*PLAIN, tie="dealer_wins")
    assert verdicts(step) == ["player", "dealer", "dealer", "dealer"]
    assert step.transfers[-1] == Transfer(POT, "p1", 1, "bet_lost")


def test_columns_without_a_bet_move_nothing() -> None:
    assert played("", *PLAIN[1:]).transfers == ()


def test_a_carried_pot_is_not_touched() -> None:
    assert over(played(*PLAIN, carried=7)).pot == 7


PACK = [str(value) for value in range(1, 11)] * 4


@given(
    st.permutations(PACK),
    st.permutations([1, 2, 3, 4]),
    st.sets(st.sampled_from(FIVE[1:])),
    st.builds(
        Rules,
        bet=st.integers(1, 1000),
        karami_vs_karami=st.sampled_from(["compare_totals", "tie", "dealer_wins"]),
        tie=st.sampled_from(["push", "dealer_wins"]),
        dealer_role=st.sampled_from(["on_total_loss", "fixed", "house"]),
    ),
)
def test_every_round_sums_to_zero(pack: list[str], columns: list[int], bettors: set[str], rules: Rules) -> None:
    placed = " ".join(f"{player}:{column}" for player, column in zip(sorted(bettors), columns, strict=False))
    switches = {name: getattr(rules, name) for name in Rules.__struct_fields__}
    step = played(placed, " ".join(pack[:5]), " ".join(pack[5:10]), **switches)
    nets = balances(step)
    assert sum(nets.values()) == 0
    assert nets[POT] == 0
    assert BANK not in nets
    assert all(nets[player] in {-rules.bet, 0, rules.bet} for player in bettors)
    assert all(nets[player] == 0 for player in FIVE[1:] if player not in bettors)
    assert all(told(step))


LEFT_OUT = ("p2:1 p3:2", "7 3 - - 9", "2 2 5 - 8")
"""Nobody bet on columns 3 and 4, and nobody looked what lay there, but for the first card of column 3."""


@pytest.mark.parametrize("role", ["fixed", "house"])
def test_columns_that_decide_nothing_may_be_left_out(role: str) -> None:
    step = played(*LEFT_OUT, dealer_role=role)
    assert balances(step) == balances(played("p2:1 p3:2", "7 3 9 9 9", "2 2 5 6 8", dealer_role=role))
    ended = outcome(step)
    assert [(hand.column, hand.verdict) for hand in ended.hands] == [(1, "player"), (2, "dealer")]
    assert ended.next_dealer == "p1"
    assert board(step.phase).second_field == (read("7"), read("3"), None, None)
    assert len(told(step)) == 4


def test_a_hand_is_known_by_two_cards() -> None:
    for second, first in (("7 3 - 4 9", "2 2 5 - 8"), ("7 3 - - 9", "2 2 5 4 8")):
        assert [hand.column for hand in outcome(played("", second, first, dealer_role="fixed")).hands] == [1, 2]


def test_the_cards_of_a_column_that_was_bet_on_are_needed() -> None:
    phase = betting("p2:1 p3:4", dealer_role="fixed")
    facts = ("SP-13", {"player": "p3", "column": 4})
    assert refused(ColumnWasBetOn, phase, row(SecondCardsDealt, "7 - - - 9")) == facts
    dealt = second_field("7 - 3 2 9", "p2:1 p3:4", dealer_role="house")
    assert refused(ColumnWasBetOn, dealt, row(FirstCardsRevealed, "2 - 3 - 9")) == facts


def test_all_cards_are_needed_where_the_dealer_can_lose_the_role() -> None:
    assert refused(EveryHandCounts, betting("p2:1"), row(SecondCardsDealt, "7 - 3 - 9")) == (
        "SP-13",
        {"columns": (2, 4)},
    )
    dealt = second_field("7 2 3 2 9", "p2:1")
    event = FirstCardsRevealed((read("2"), read("2"), None, read("3")), read("9"), overrule="nobody looked")
    assert refused(EveryHandCounts, dealt, event) == ("SP-13", {"columns": (3,)})


def test_what_was_left_out_is_not_counted_among_the_cards() -> None:
    step = played("p2:1", "4 - - - 4", "4 - - - 10", dealer_role="fixed")
    assert [hand.total for hand in outcome(step).hands] == [8]
    dealt = second_field("4 4 - - 4", "p2:1", dealer_role="fixed")
    event = row(FirstCardsRevealed, "4 - - 4 9")
    assert refused(NoCardOfValueLeft, dealt, event) == ("SP-15", {"value": 4, "count": 4})


# --- SP-14: who deals next ------------------------------------------------------------------------------------------

TOTAL_LOSS = ("6 1 4 3 7", "4 10 4 1 2")
"""A karami in every column, and none with the dealer."""


def test_a_dealer_who_loses_to_every_hand_loses_the_role_to_the_right() -> None:
    for placed in ("", "p3:1", "p2:4 p3:1"):
        step = played(placed, *TOTAL_LOSS)
        assert verdicts(step) == ["player"] * 4
        assert outcome(step).next_dealer == "p2"
    assert outcome(played("", *TOTAL_LOSS, dealer="p5")).next_dealer == "p1"


@pytest.mark.parametrize("role", ["fixed", "house"])
def test_a_fixed_or_house_dealer_keeps_the_role(role: str) -> None:
    assert outcome(played("", *TOTAL_LOSS, dealer_role=role)).next_dealer == "p1"


def test_one_hand_that_the_dealer_beats_keeps_the_role() -> None:
    step = played("p2:1", "7 9 9 10 8", "2 10 10 9 10", dealer="p4")
    assert verdicts(step) == ["player"] * 4
    step = played("p2:1", "7 9 9 5 8", "2 10 10 2 10", dealer="p4")
    assert verdicts(step) == ["player", "player", "player", "dealer"]
    assert outcome(step).next_dealer == "p4"


def test_a_tie_is_not_a_loss() -> None:
    step = played("p2:1", "7 9 9 6 8", "2 10 10 2 10", dealer="p4")
    assert verdicts(step) == ["player", "player", "player", "tie"]
    assert outcome(step).next_dealer == "p4"


# --- SP-15: one pack ------------------------------------------------------------------------------------------------


def test_no_value_is_seen_a_fifth_time_in_a_field() -> None:
    facts = ("SP-15", {"value": 4, "count": 4})
    event = row(SecondCardsDealt, "4 4 4 4 4")
    assert refused(NoCardOfValueLeft, betting(""), event) == facts


def test_no_value_is_seen_a_fifth_time_in_a_round() -> None:
    phase = second_field("4 4 5 6 4")
    event = row(FirstCardsRevealed, "7 4 8 9 4")
    assert refused(NoCardOfValueLeft, phase, event) == ("SP-15", {"value": 4, "count": 4})
    assert isinstance(play(phase, row(FirstCardsRevealed, "7 4 8 9 10")).phase, Over)


def test_bare_and_full_names_count_together() -> None:
    phase = second_field("iris-bridge iris-ribbon 5 6 5")
    event = row(FirstCardsRevealed, "7 iris-chaff-1 8 9 10")
    assert refused(NoCardOfValueLeft, phase, event) == ("SP-15", {"value": 5, "count": 4})


@pytest.mark.parametrize(
    ("second", "first", "card", "where"),
    [
        ("4C 4C 5C 6C 7C", None, "4C", "it lies in column 1 of the second field"),
        ("2C 3C 4C 5C 6C", "2S 3S 4C 5S 6S", "4C", "it lies in column 3 of the second field"),
        ("2C 3C 4C 5C 6C", "6C 3S 4S 5S 6S", "6C", "it is the dealer's second card"),
        ("2C 3C 4C 5C 6C", "2S 3S 4S 5S 3S", "3S", "it lies in column 2 of the first field"),
    ],
)
def test_no_card_named_in_full_is_seen_twice(second: str, first: str | None, card: str, where: str) -> None:
    event: Event = row(FirstCardsRevealed, first) if first else row(SecondCardsDealt, second)
    phase: Phase = second_field(second) if first else betting("")
    rule, facts = refused(CardAlreadySeen, phase, event)
    assert rule == "SP-15"
    assert facts["card"] is read(card)
    assert spoken(facts["where"]) == where


def test_an_overrule_does_not_make_a_second_card_or_a_missing_bet() -> None:
    four, dealer = row(SecondCardsDealt, "4 4 4 4 4").columns, read("4")
    refused(NoCardOfValueLeft, betting(""), SecondCardsDealt(four, dealer, overrule="saw it"))
    plain = row(SecondCardsDealt, "1 2 3 4 5")
    event = SecondCardsDealt(plain.columns, plain.dealer, overrule="we do not wait")
    refused(BetsMissing, betting("", must_bet="yes"), event)


# --- three rounds by hand -------------------------------------------------------------------------------------------

PLAIN_ROUND = ("p2:1 p3:2 p4:3 p5:4", *PLAIN[1:])
SHIPPIN_ROUND = ("p2:1 p3:2", "9 4 5 10 1", "10 5 4 9 4")
KARAMI_ROUND = ("p2:1 p5:4", *TOTAL_LOSS)


@pytest.mark.parametrize(
    ("told_in", "fates", "moved", "dealer"),
    [
        (PLAIN_ROUND, ["player", "dealer", "tie", "dealer"], (10, 10, -10, 0, -10), "p1"),
        (SHIPPIN_ROUND, ["dealer"] * 4, (20, -10, -10, 0, 0), "p1"),
        (KARAMI_ROUND, ["player"] * 4, (-20, 10, 0, 0, 10), "p2"),
    ],
)
def test_three_rounds_by_hand(
    told_in: tuple[str, str, str], fates: list[str], moved: tuple[int, ...], dealer: str
) -> None:
    step = played(*told_in, bet=10)
    assert verdicts(step) == fates
    assert balances(step) == {**dict(zip(FIVE, moved, strict=True)), POT: 0}
    assert outcome(step).next_dealer == dealer


def test_three_rounds_by_hand_add_up() -> None:
    evening = Counter(dict.fromkeys(FIVE, 0))
    standing = []
    for told_in in (PLAIN_ROUND, SHIPPIN_ROUND, KARAMI_ROUND):
        moved = balances(played(*told_in, bet=10))
        evening.update({player: moved[player] for player in FIVE})
        standing.append(tuple(evening.values()))
    assert standing == [(10, 10, -10, 0, -10), (30, 0, -20, 0, -10), (10, 10, -20, 0, 0)]


# --- explaining -----------------------------------------------------------------------------------------------------


def test_a_round_is_told_with_who_won_what_and_why() -> None:
    assert told(played(*PLAIN, bet=10)) == [
        "p1 dealt and held (8, 9), which counts 7.",
        "p2 won 10 with (2, 7) on column 1: 9 is more than the dealer's 7.",
        "p3 lost 10 with (2, 3) on column 2: 5 is less than the dealer's 7.",
        "p4 got 10 back with (2, 5) on column 3: both hands count 7.",
        "The dealer did not lose to every hand, so p1 deals again.",
    ]


def test_a_shippin_is_told() -> None:
    assert told(played(*SHIPPIN_ROUND))[:2] == [
        "p1 dealt and held (4, 1): shippin, which beats all four hands.",
        "p2 lost 1 with (10, 9) on column 1: shippin beats every hand.",
    ]


@pytest.mark.parametrize(
    ("second", "first", "english", "japanese"),
    [
        (
            "susuki-moon cherry-ribbon iris-bridge maple-deer iris-ribbon",
            "plum-warbler wisteria-cuckoo susuki-chaff-1 maple-ribbon susuki-geese",
            [
                "Aki dealt and held the Geese (8) and the Iris Ribbon (5), which counts 3 (santa).",
                (
                    "Ben lost 10 chips with the Bush Warbler (2) and the Full Moon (8) on column 1: 0 (buta) is less "
                    "than the dealer's 3 (santa)."
                ),
                (
                    "Chie won 10 chips with the Cuckoo (4) and the Cherry Poetry Ribbon (3) on column 2: this hand is "
                    "karami, and the dealer's is not."
                ),
            ],
            [
                "親のAkiの手は芒に雁（8）、菖蒲に短冊（5）で、3（サンタ）でした。",
                "Benは一列目の梅に鶯（2）、芒に月（8）で10枚負けました：0（ブタ）は親の3（サンタ）より下。",
                "Chieは二列目の藤に不如帰（4）、桜に赤短（3）で10枚勝ちました：からみはこの手だけ。",
            ],
        ),
        (
            "8S 3H 5D 10C 5♠",
            "2S 4H 8D 10D 8♥",
            [
                "Aki dealt and held the 8 of Hearts and the 5 of Spades, which counts 3 (santa).",
                (
                    "Ben lost 10 chips with the 2 of Spades and the 8 of Spades on column 1: 0 (buta) is less than the "
                    "dealer's 3 (santa)."
                ),
                (
                    "Chie won 10 chips with the 4 of Hearts and the 3 of Hearts on column 2: this hand is karami, and "
                    "the dealer's is not."
                ),
            ],
            [
                "親のAkiの手は♥8、♠5で、3（サンタ）でした。",
                "Benは一列目の♠2、♠8で10枚負けました：0（ブタ）は親の3（サンタ）より下。",
                "Chieは二列目の♥4、♥3で10枚勝ちました：からみはこの手だけ。",
            ],
        ),
    ],
    ids=["hanafuda", "western"],
)
def test_a_hand_is_told_in_the_cards_on_the_table_with_what_they_count(
    second: str, first: str, english: list[str], japanese: list[str]
) -> None:
    names = {"p1": "Aki", "p2": "Ben", "p3": "Chie"}
    sentences = explain(over(played("p2:1 p3:2", second, first, bet=10)))[:3]
    assert [render(sentence, "en", names) for sentence in sentences] == english
    assert [render(sentence, "ja", names) for sentence in sentences] == japanese


def test_a_lost_role_is_told() -> None:
    assert told(played("p2:1", *TOTAL_LOSS)) == [
        "p1 dealt and held (2, 7), which counts 9.",
        "p2 won 1 with (4, 6) on column 1: this hand is karami, and the dealer's is not.",
        "The dealer lost to every hand, so p2 deals the next round.",
    ]


def test_a_round_without_bets_is_told() -> None:
    assert told(played("", *TOTAL_LOSS, dealer_role="fixed")) == [
        "p1 dealt and held (2, 7), which counts 9.",
        "Nobody had bet, so no chips moved.",
        "p1 deals again, as always at this table.",
    ]
    assert told(played("", *TOTAL_LOSS, dealer_role="house"))[-1] == "p1 deals again, for the house."


@pytest.mark.parametrize(
    ("column", "rules", "why"),
    [
        ("9 10", {}, "the dealer's hand is karami, and this one is not"),
        ("4 5", {}, "between two karami, 9 is more than the dealer's 3"),
        ("1 10", {}, "between two karami, 1 is less than the dealer's 3"),
        ("4 9", {}, "between two karami, both hands count 3"),
        ("4 9", {"tie": "dealer_wins"}, "between two karami, both hands count 3, and the dealer wins a tie"),
        ("4 5", {"karami_vs_karami": "dealer_wins"}, "both hands are karami, and then the dealer wins"),
        ("4 5", {"karami_vs_karami": "tie"}, "both hands are karami, which is a tie"),
        (
            "4 5",
            {"karami_vs_karami": "tie", "tie": "dealer_wins"},
            "both hands are karami, which is a tie, and the dealer wins a tie",
        ),
    ],
)
def test_every_end_of_the_ladder_against_a_karami_is_told(column: str, rules: dict[str, str], why: str) -> None:
    first, second = column.split()
    step = played("p2:1", f"{second} 6 6 6 2", f"{first} 7 7 7 1", **rules)
    assert told(step)[1].endswith(f" on column 1: {why}.")


def test_a_tie_that_the_dealer_wins_is_told() -> None:
    step = played(*PLAIN, tie="dealer_wins")
    assert told(step)[3] == "p4 lost 1 with (2, 5) on column 3: both hands count 7, and the dealer wins a tie."
