"""Kakkuri's rule book, called bare. Rounds are written as they are played, one report a line or between semicolons:

`starter cups-5` and `box cups-5` are cards from the box; `p3 out`, `p3 swaps`, `p3 ones`, `p3 pairs` are said by
a player; `p1 cups-6 cups-7` is a turn by its cards, `p1 x2` by their number, `p1 x2 cups-7` by their number and the
card that is on top then, `p1 -` an empty one; `!` overrules.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.games import kakkuri as ka
from ledger.games.kakkuri import BOOK, Hand, KakkuriWon, Rules, Top, TurnPlayed, TurnTaken
from ledger.i18n.language import LANGUAGES, Language, render
from ledger.i18n.sentences import Malformed, Sentence, say
from ledger.records import replace
from ledger.rulebook.cards import DECKS, Card, Courts, DeckName, Face, Suit, pack_of_48, read
from ledger.rulebook.chips import Payout, Transfer
from ledger.rulebook.event import Event
from ledger.rulebook.exposing import CardExposed, CardSetAside, cards_to_come, expose
from ledger.rulebook.phase import Expected, Ground, Over, Phase, Seats, Step, Void
from ledger.rulebook.refusal import CardAlreadySeen, OutOfPlace, OutOfTurn, Refused, UnknownPlayer
from ledger.rulebook.values import MAX_CHIPS, POT
from tests.reckoning.cards import names
from tests.reckoning.kakkuri import follows
from tests.session.tables import fold

SAID = {
    "out": ka.PlayerDroppedOut,
    "swaps": ka.HandExchanged,
    "ones": ka.ThreeOnesShown,
    "pairs": ka.ThreePairsDeclared,
}

LAP = "; ".join(f"p{n} -" for n in range(1, 8))
"""Seven players pass, from p1 on."""

BOX_OF_FIVE = ("cups-5", "cups-8", "clubs-9", "coins-10", "swords-11")
EMPTIED_BOX = "starter cups-3; " + LAP + "".join(f"; box {card}; {LAP}" for card in BOX_OF_FIVE)
"""Everyone passes until the box is empty and a card is due from it: 42 empty turns."""

SIX_IN_ORDER = "cups-6 cups-7 coins-8 clubs-9 swords-10 cups-11"


def reports(text: str) -> Iterator[Event]:
    for line in re.split(r"[;\n]", text):
        if line.strip():
            yield report(*line.split())


def report(who: str, *words: str) -> Event:
    overrule = "so it was played" if words[-1:] == ("!",) else None
    said = words[:-1] if overrule else words
    event: Event
    if who in {"starter", "box"}:
        card = read(said[0])
        event = ka.StarterRevealed(card) if who == "starter" else ka.BoxCardRevealed(card)
    elif said[0] in SAID:
        event = SAID[said[0]](who)
    elif said[0] == "-":
        event = TurnPlayed(who)
    elif count := re.fullmatch(r"x(\d)", said[0]):
        event = TurnPlayed(who, count=int(count[1]), top=read(said[1]) if said[1:] else None)
    else:
        event = TurnPlayed(who, cards=tuple(map(read, said)))
    return replace(event, overrule=overrule)


def ground(
    *, players: int = 7, dealer: str = "p1", deck: DeckName = "mekurifuda", carried: int = 0, **rules: Any
) -> Ground[Rules]:
    seats = Seats(f"p{number}" for number in range(1, players + 1))
    return Ground(seats, dealer, deck, Rules(**rules), carried)


def after(text: str, **table: Any) -> Step:
    """Play a round as far as it is written."""
    laid = ground(**table)
    events = [BOOK.written(event, laid.deck, laid.rules) for event in reports(text)]
    return fold(BOOK.play, BOOK.open_round(laid), events)


def refusal(text: str, **table: Any) -> Refused:
    """Play a round whose last report, and only the last, is refused."""
    laid = ground(**table)
    *good, bad = (BOOK.written(event, laid.deck, laid.rules) for event in reports(text))
    stand = fold(BOOK.play, BOOK.open_round(laid), good)
    with pytest.raises(Refused) as refused:
        BOOK.play(stand.phase, bad)
    return refused.value


def facts(refused: Refused) -> tuple[str, str | None, dict[str, Any]]:
    return refused.code, refused.rule, dict(refused.facts)


def spoken(sentence: Sentence, **rules: Any) -> Sentence:
    """A sentence as the session says it: with cards called as the game calls them."""
    return replace(sentence, courts=BOOK.courts(Rules(**rules)))


def where(refused: Refused) -> tuple[str, object]:
    sentence = refused.facts["where"]
    assert isinstance(sentence, Sentence)
    return sentence.text, sentence.facts.get("player")


def board(step: Step) -> ka.Board:
    on_table = BOOK.board(step.phase)
    assert isinstance(on_table, ka.Board)
    return on_table


def in_play(step: Step) -> ka.InPlay:
    assert isinstance(step.phase, ka.InPlay)
    return step.phase


def over(step: Step) -> Over:
    assert isinstance(step.phase, Over)
    return step.phase


def outcome(step: Step) -> KakkuriWon:
    ended = over(step).outcome
    assert isinstance(ended, KakkuriWon)
    return ended


def balances(step: Step) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for t in step.transfers:
        sums[t.payer] -= t.amount
        sums[t.payee] += t.amount
    return {player: sums[player] for player in step.phase.ground.seats}


def cards(text: str) -> tuple[Card, ...]:
    return tuple(map(read, text.split()))


def told(step: Step) -> list[str]:
    """Give the explanation with its facts put in, lists and all."""
    return [plain(sentence) for sentence in BOOK.explain(over(step))]


def plain(fact: object) -> str:
    if isinstance(fact, Sentence):
        return re.sub(r"{(\w+)(:\w+)?}", lambda place: plain(fact.facts[place[1]]), fact.text)
    if isinstance(fact, tuple):
        return ", ".join(map(plain, fact))
    return str(fact)


# --- rounds played by hand ------------------------------------------------------------------------------------------


def test_an_empty_turn_costs_a_share_and_guri_pays_two() -> None:
    step = after(f"starter cups-5; p1 -; p2 {SIX_IN_ORDER}", chips_per_share=5)
    assert balances(step) == {"p1": -15, "p2": 65, "p3": -10, "p4": -10, "p5": -10, "p6": -10, "p7": -10}
    assert (outcome(step).winner, outcome(step).guri, outcome(step).next_dealer) == ("p2", True, "p2")


def test_the_three_1s_end_the_round_before_play_for_three_shares_each() -> None:
    step = after("p4 swaps; p4 ones", dealer="p2", chips_per_share=5)
    assert balances(step) == {"p1": -15, "p2": -15, "p3": -15, "p4": 90, "p5": -15, "p6": -15, "p7": -15}
    assert outcome(step) == KakkuriWon(
        winner="p4", three_ones=True, payouts=(Payout("p4", 90, "three_ones_share"),), next_dealer="p4"
    )


def test_both_rounds_of_that_evening_together() -> None:
    state = Counter(balances(after(f"starter cups-5; p1 -; p2 {SIX_IN_ORDER}", chips_per_share=5)))
    state.update(balances(after("p4 swaps; p4 ones", dealer="p2", chips_per_share=5)))
    assert state == {"p1": -30, "p2": 50, "p3": -25, "p4": 80, "p5": -25, "p6": -25, "p7": -25}


# --- the table: KA-1 to KA-3 ----------------------------------------------------------------------------------------


def test_seven_or_eight_play_with_any_of_three_decks() -> None:
    assert list(BOOK.seats) == [7, 8]
    assert BOOK.decks == ("mekurifuda", "western", "hanafuda")


@pytest.mark.parametrize("deck", BOOK.decks)
def test_each_pack_has_48_cards_and_understands_mekurifuda_codes(deck: DeckName) -> None:
    step = after("starter cups-5", deck=deck)
    assert step.phase.ground.deck == deck
    top = board(step).pile_top
    assert top is not None
    assert top.card in DECKS[deck]
    assert ka.face(Rules(), top.card) == Face(Suit.CUPS, 5)
    assert len(pack_of_48(deck).cards) == 48


@pytest.mark.parametrize(("deck", "card"), [("western", "10S"), ("mekurifuda", "QH"), ("hanafuda", "7")])
def test_a_card_that_is_not_in_the_pack_is_refused(deck: DeckName, card: str) -> None:
    with pytest.raises(Refused) as refused:
        BOOK.written(TurnPlayed("p1", cards(f"cups-5 {card}")), deck, Rules())
    assert (refused.value.code, refused.value.rule) == ("foreign_card", "KA-1")
    assert (refused.value.facts["card"], refused.value.facts["deck"]) == (read(card), deck)
    why = "the tens are taken out" if card.startswith("10") else "the table plays with {deck:deck}"
    assert refused.value.facts["why"] == say(why, **({} if card.startswith("10") else {"deck": deck}))


def test_a_card_of_no_such_pack_has_no_face() -> None:
    with pytest.raises(ValueError, match="10S"):
        ka.face(Rules(), read("10S"))


@pytest.mark.parametrize(
    ("month", "number"), [("willow-ribbon", 2), ("paulownia-phoenix", 6), ("peony-ribbon", 11), ("plum-ribbon", 12)]
)
def test_hanafuda_months_go_by_the_nagoya_order(month: str, number: int) -> None:
    assert ka.face(Rules(), read(month)).rank == number


def test_a_share_is_as_many_chips_as_agreed() -> None:
    assert [t.amount for t in after("p4 ones", chips_per_share=7).transfers] == [21] * 6


def test_more_chips_than_can_be_recorded_are_refused() -> None:
    refused = refusal("p4 ones", chips_per_share=MAX_CHIPS)
    assert facts(refused) == ("too_many_chips", None, {"amount": 3 * MAX_CHIPS, "at_most": MAX_CHIPS})


def test_seven_players_hold_six_cards_each_and_six_are_the_box() -> None:
    step = BOOK.open_round(ground(carried=9))
    assert isinstance(step.phase, ka.Swapping)
    assert board(step).hands == tuple(Hand(f"p{n}", 6) for n in range(1, 8))
    assert (board(step).box, board(step).pile, step.phase.pot, step.transfers) == (6, 0, 9, ())


def test_with_eight_there_is_no_box_until_one_drops_out() -> None:
    opening = BOOK.open_round(ground(players=8))
    assert isinstance(opening.phase, ka.DropOutDue)
    assert (board(opening).box, len(board(opening).hands)) == (0, 8)
    step = after("p3 out", players=8)
    assert (board(step).box, board(step).dropped_out, board(step).dealer) == (6, "p3", "p1")
    assert [hand.player for hand in board(step).hands] == ["p1", "p2", "p4", "p5", "p6", "p7", "p8"]


@pytest.mark.parametrize("first", ["starter cups-5", "p2 swaps", "p2 ones", "p2 pairs", "p1 -", "box cups-5"])
@pytest.mark.parametrize(
    ("deck", "third"), [("mekurifuda", "clubs-3"), ("western", "3C"), ("hanafuda", "cherry-curtain")]
)
def test_one_of_eight_drops_out_before_anything_else(first: str, deck: DeckName, third: str) -> None:
    refused = refusal(first, players=8, deck=deck)
    assert facts(refused) == ("eighth_player_must_drop_out", "KA-3", {"card": read(third)})


@pytest.mark.parametrize("text", ["p3 out", "starter cups-5; p1 out", EMPTIED_BOX + "; p1 out"])
def test_nobody_drops_out_during_a_round_where_the_table_does_not_play_it(text: str) -> None:
    assert facts(refusal(text, dropping_out="off")) == ("nobody_drops_out", "KA-19", {})


def test_of_eight_only_one_drops_out_before_anything_else() -> None:
    assert facts(refusal("p3 out; p4 out", players=8)) == ("drop_out_too_early", "KA-19", {})
    assert facts(refusal("p3 out; p4 out", players=8, dropping_out="off")) == ("nobody_drops_out", "KA-19", {})


def test_who_does_not_sit_here_cannot_drop_out() -> None:
    players = Seats(f"p{n}" for n in range(1, 9))
    assert facts(refusal("p9 out", players=8)) == ("unknown_player", "KA-3", {"player": "p9", "players": players})


@pytest.mark.parametrize(("dealer", "acting"), [("p3", "p4"), ("p8", "p1")])
def test_if_the_dealer_drops_out_the_next_to_the_right_acts_as_dealer(dealer: str, acting: str) -> None:
    step = after(f"{dealer} out; starter cups-5", players=8, dealer=dealer)
    assert (board(step).dealer, in_play(step).player, in_play(step).last_discarder) == (acting, acting, acting)


@pytest.mark.parametrize(
    "report", ["p3 swaps", "p3 ones", "p3 pairs", "starter cups-5; p3 pairs", "starter cups-5; p3 -"]
)
def test_who_dropped_out_does_nothing_in_this_round(report: str) -> None:
    refused = refusal("p3 out; " + report, players=8)
    assert facts(refused) == ("out_of_this_round", "KA-3", {"player": "p3"})


def test_who_dropped_out_is_not_given_a_turn_even_if_overruled() -> None:
    assert refusal("p3 out; starter cups-5; p3 - !", players=8).code == "out_of_this_round"


def test_the_turn_passes_over_who_dropped_out() -> None:
    assert in_play(after("p2 out; starter cups-5; p1 -", players=8)).player == "p3"


def test_who_dropped_out_pays_nothing_and_wins_nothing() -> None:
    won = after(f"p3 out; starter cups-5; p1 -; p2 {SIX_IN_ORDER}", players=8)
    assert balances(won) == {"p1": -3, "p2": 13, "p3": 0, "p4": -2, "p5": -2, "p6": -2, "p7": -2, "p8": -2}
    assert balances(after("p3 out; p8 ones", players=8))["p3"] == 0


THIRD_OF_CLUBS = {"mekurifuda": "clubs-3", "western": "3C", "hanafuda": "cherry-curtain"}
EIGHT_PASS = "p1 -; p2 -; p4 -; p5 -; p6 -; p7 -; p8 -"
FIVE_OF_EIGHT = "p3 out; starter cups-3; " + "; ".join(
    f"{EIGHT_PASS}; box {card}" for card in ("cups-5", "cups-8", "clubs-9", "coins-10")
)
"""Of eight p3 is out; five of the six box cards have been turned, and none was the 3 of Clubs. p1 is to play."""


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize("turn", ["clubs-3", "cups-2 clubs-3 cups-4"])
@pytest.mark.parametrize("deck", BOOK.decks)
def test_of_eight_nobody_who_plays_can_show_the_card_that_dropped_out(
    deck: DeckName, turn: str, overruled: str
) -> None:
    refused = refusal(f"p3 out; starter coins-1; p1 {turn}{overruled}", players=8, deck=deck)
    assert facts(refused) == ("not_in_any_hand", "KA-3", {"card": read(THIRD_OF_CLUBS[deck]), "player": "p3"})


def test_of_seven_anybody_may_hold_that_card() -> None:
    assert board(after("starter cups-2; p1 clubs-3")).pile_top == Top(read("clubs-3"))


@pytest.mark.parametrize("opened", ["starter clubs-3", f"starter cups-5; {EIGHT_PASS}; box clubs-3"])
def test_the_card_that_dropped_out_may_come_from_the_box_once(opened: str) -> None:
    text = f"p3 out; {opened}; "
    assert board(after(text + "p1 cups-4", players=8)).pile == board(after(text, players=8)).pile + 1
    assert refusal(text + "p1 clubs-3", players=8).code == "card_already_seen"
    assert refusal(text + EIGHT_PASS + "; box clubs-3", players=8).code == "card_already_seen"


def test_of_eight_the_last_box_card_is_the_one_that_dropped_out_if_it_has_not_come() -> None:
    due = f"{FIVE_OF_EIGHT}; {EIGHT_PASS}; box "
    refused = refusal(due + "swords-11", players=8)
    assert facts(refused) == ("not_in_the_box", "KA-3", {"card": read("swords-11"), "left": cards("clubs-3")})
    assert board(after(due + "clubs-3", players=8)).box == 0


def test_after_a_reshuffle_the_card_that_dropped_out_is_in_the_box_again_and_in_nobodys_hand() -> None:
    text = f"{FIVE_OF_EIGHT}; {EIGHT_PASS}; box clubs-3; p1 cups-4; p2 -; p4 -; p5 -; p6 -; p7 -; p8 -; box "
    assert board(after(text + "clubs-3", players=8)).box == 5
    assert refusal(text + "cups-5; p1 clubs-3 !", players=8).code == "card_already_seen"


# --- before play: KA-4 to KA-6 --------------------------------------------------------------------------------------


def test_the_others_may_each_trade_hands_with_the_dealer_and_no_chips_move() -> None:
    step = after("p4 swaps; p2 swaps; p7 swaps")
    assert board(step).exchanged == ("p4", "p2", "p7")
    assert step.transfers == ()


def test_hands_are_traded_once() -> None:
    assert facts(refusal("p4 swaps; p2 swaps; p4 swaps")) == ("exchanged_already", "KA-4", {"player": "p4"})


def test_the_dealer_does_not_trade_with_the_dealer() -> None:
    assert facts(refusal("p1 swaps")) == ("dealer_cannot_exchange", "KA-4", {"player": "p1"})
    assert facts(refusal("p1 out; p2 swaps", players=8, dealer="p1"))[0] == "dealer_cannot_exchange"


@pytest.mark.parametrize("said", ["swaps", "ones"])
def test_nobody_else_trades_or_shows(said: str) -> None:
    refused = refusal(f"p8 {said}")
    assert (refused.code, refused.rule) == ("unknown_player", {"swaps": "KA-4", "ones": "KA-5"}[said])


@pytest.mark.parametrize("opened", ["starter cups-5", "starter cups-5; " + LAP])
def test_hands_are_traded_and_the_three_1s_shown_before_the_pile_is_open(opened: str) -> None:
    assert facts(refusal(f"{opened}; p3 swaps")) == ("pile_is_open", "KA-4", {})
    ones = cards("swords-1 cups-1 coins-1")
    assert facts(refusal(f"{opened}; p3 ones")) == ("three_ones_too_late", "KA-5", {"ones": ones})


def test_the_dealer_may_show_the_three_1s() -> None:
    assert balances(after("p1 ones"))["p1"] == 18


def test_the_three_1s_leave_a_carried_pot_for_the_next_round() -> None:
    step = after("p4 ones", carried=12)
    assert step.phase.pot == 12
    assert {t.reason for t in step.transfers} == {"three_ones_share"}
    assert all(t.payee == "p4" for t in step.transfers)


def test_the_starter_comes_from_the_box_and_counts_as_the_dealers_play() -> None:
    step = after("starter cups-5", dealer="p3")
    assert (board(step).starter, board(step).pile_top) == (read("cups-5"), Top(read("cups-5"), from_box=True))
    assert (board(step).box, board(step).pile) == (5, 1)
    assert (in_play(step).player, in_play(step).last_discarder) == ("p3", "p3")


def test_the_pile_is_opened_once() -> None:
    refused = refusal("starter cups-5; starter cups-6")
    assert facts(refused) == (
        "out_of_place",
        None,
        {"expected": ("turn_played", "three_pairs_declared", "player_dropped_out")},
    )


@pytest.mark.parametrize("early", ["p1 -", "p1 cups-6", "box cups-6"])
def test_play_begins_when_the_pile_is_open(early: str) -> None:
    refused = refusal(early)
    assert isinstance(refused, OutOfPlace)
    assert refused.facts["expected"] == (
        "starter_revealed",
        "hand_exchanged",
        "three_ones_shown",
        "three_pairs_declared",
    )


# --- turns: KA-6, KA-7, KA-12 ---------------------------------------------------------------------------------------


def test_turns_go_counter_clockwise_from_the_dealer() -> None:
    assert in_play(after("starter cups-5; p6 -; p7 -; p1 -", dealer="p6")).player == "p2"


def test_a_turn_out_of_turn_is_refused_unless_the_table_overrules() -> None:
    refused = refusal("starter cups-5; p3 cups-6")
    assert isinstance(refused, OutOfTurn)
    assert facts(refused) == ("out_of_turn", "KA-6", {"expected": "p1", "player": "p3"})
    assert in_play(after("starter cups-5; p3 cups-6 !")).player == "p4"


def test_who_does_not_sit_here_has_no_turn() -> None:
    assert isinstance(refusal("starter cups-5; p8 - !"), UnknownPlayer)
    assert refusal("starter cups-5; p8 -").rule == "KA-6"


@pytest.mark.parametrize("empty", [TurnPlayed("p1"), TurnPlayed("p1", cards=()), TurnPlayed("p1", count=0)])
def test_a_turn_without_a_discard_costs_a_share_however_it_is_reported(empty: TurnPlayed) -> None:
    opened = after("starter cups-5", chips_per_share=4, carried=10)
    step = BOOK.play(opened.phase, empty)
    assert step.transfers == (Transfer("p1", POT, 4, "empty_turn"),)
    assert step.phase.pot == 14
    assert board(step).turns == (TurnTaken("p1", 0, ()),)


@pytest.mark.parametrize("shares", range(11))
def test_a_table_may_agree_on_another_price_for_it(shares: int) -> None:
    step = after("starter cups-5; p1 -; p2 x1", chips_per_share=3, empty_turn_shares=shares)
    assert [t.amount for t in step.transfers] == [3 * shares][: bool(shares)]
    assert (step.phase.pot, in_play(step).player, in_play(step).last_discarder) == (3 * shares, "p3", "p2")


def test_turns_without_a_discard_are_counted_where_they_cost_nothing() -> None:
    counts = {tally.name: tally.count for tally in BOOK.tallies}
    for text in (f"starter cups-5; p1 -; p2 -; p3 {SIX_IN_ORDER}", EMPTIED_BOX):
        ended = over(after(text, empty_turn_shares=0, box_empty="void"))
        passes = text.count("p1 -")
        assert counts["empty_turns"](ended, ()) == dict.fromkeys(
            {"p1", "p2"} if passes == 1 else ended.ground.seats, passes
        )


def test_a_turn_with_a_discard_costs_nothing() -> None:
    assert after("starter cups-5; p1 cups-6; p2 x2").transfers == ()


def test_cards_leave_the_hand_for_the_pile_named_or_not() -> None:
    step = after("starter cups-5; p1 cups-6 coins-7; p2 x3; p3 -")
    assert board(step).turns == (
        TurnTaken("p1", 2, cards("cups-6 coins-7")),
        TurnTaken("p2", 3),
        TurnTaken("p3", 0, ()),
    )
    assert [hand.left for hand in board(step).hands] == [4, 3, 6, 6, 6, 6, 6]
    assert (board(step).pile, board(step).pile_top) == (6, None)


def test_a_turn_is_told_by_its_cards_or_by_their_number() -> None:
    with pytest.raises(Malformed, match="give cards or count, not both"):
        TurnPlayed("p1", cards("cups-6"), 1)


@pytest.mark.parametrize("told", [{}, {"count": 0}, {"cards": cards("cups-6")}, {"cards": ()}])
def test_the_top_card_is_told_only_beside_a_number_of_cards(told: dict[str, Any]) -> None:
    with pytest.raises(Malformed) as malformed:
        TurnPlayed("p1", top=read("cups-6"), **told)
    (fault,) = malformed.value.faults
    assert (fault.pointer, fault.sentence) == ("/top", say("give the top card only beside a count of 1 or more"))


def test_from_a_top_card_that_is_told_the_sequence_is_checked_again() -> None:
    step = after("starter cups-5; p1 x3 cups-9")
    assert board(step).turns == (TurnTaken("p1", 3, top=read("cups-9")),)
    assert board(step).pile_top == Top(read("cups-9"))
    assert in_play(after("starter cups-5; p1 x3 cups-9; p2 coins-10")).player == "p3"
    assert refusal("starter cups-5; p1 x3 cups-9; p2 cups-8").facts["on"] == read("cups-9")


def test_anything_may_follow_a_wild_told_as_the_top_card() -> None:
    assert in_play(after("starter cups-5; p1 x3 coins-2; p2 cups-9")).player == "p3"


def test_how_the_top_card_came_to_lie_there_is_not_checked() -> None:
    assert board(after("starter cups-5; p1 x2 cups-3")).pile_top == Top(read("cups-3"))


def test_one_card_that_is_told_as_the_top_is_the_turn() -> None:
    assert board(after("starter cups-5; p1 x1 cups-6")).turns == (TurnTaken("p1", 1, cards("cups-6")),)
    refused = refusal("starter cups-5; p1 x1 cups-8")
    assert (refused.code, refused.facts["card"]) == ("card_does_not_follow", read("cups-8"))
    assert in_play(after("starter cups-5; p1 x1 cups-8 !")).player == "p2"


@pytest.mark.parametrize(
    "text",
    [
        "starter cups-5; p1 x2 cups-5",
        "starter cups-5; p1 x2 cups-9; p2 cups-10; p3 x3 cups-9",
        "starter cups-5; p1 x2 cups-9; p2 cups-9",
        f"starter cups-5; p1 x2 cups-9; {LAP.removeprefix('p1 -; ')}; box cups-9",
    ],
)
def test_a_top_card_has_been_seen(text: str) -> None:
    assert refusal(text).code == "card_already_seen"


def test_a_top_card_too_cannot_be_the_one_that_dropped_out() -> None:
    assert refusal("p3 out; starter cups-5; p1 x2 clubs-3", players=8).code == "not_in_any_hand"


def test_a_foreign_top_card_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        BOOK.written(TurnPlayed("p1", count=2, top=read("10S")), "western", Rules())
    assert refused.value.code == "foreign_card"


def test_after_a_reshuffle_the_cards_under_a_told_top_are_unknown() -> None:
    """p1 put down two, of which one was seen and stays on the table; the other may come from the box."""
    text = EMPTIED_BOX.removesuffix(LAP) + "p1 x2 cups-12; " + LAP.replace("p1 -; ", "") + "; box "
    assert board(after(text + "coins-4")).box == 6
    assert refusal(text + "cups-12").code == "card_already_seen"


# --- what may go on what: KA-7 to KA-11 -----------------------------------------------------------------------------

FULL, WRAP, PLAIN = {"sequence": "full"}, {"after_king": "wrap"}, {"sequence": "plain"}


@pytest.mark.parametrize(
    ("rules", "on", "turn"),
    [
        pytest.param(FULL, "cups-5", "coins-6", id="KA-7 the next number"),
        pytest.param(FULL, "cups-5", "coins-6 cups-7 clubs-8", id="KA-7 and on"),
        pytest.param(FULL, "cups-1", "swords-1", id="KA-8 a 1 on a 1"),
        pytest.param(FULL, "cups-2", "swords-2", id="KA-8 a 2 on a 2"),
        pytest.param(FULL, "cups-1", "swords-1 coins-1 cups-2 swords-2 cups-3", id="KA-8 1s and 2s, then on"),
        pytest.param(FULL, "cups-12", "swords-7", id="KA-8 any on a 12"),
        pytest.param(FULL, "cups-12", "swords-12", id="KA-8 a 12 on a 12"),
        pytest.param(FULL, "cups-11", "swords-12 cups-4 cups-5", id="KA-8 any on a 12 in the turn"),
        pytest.param(WRAP, "cups-12", "swords-1", id="KA-8 wrap: a 1 on a 12"),
        pytest.param(FULL, "cups-5", "cups-6 coins-6 clubs-6", id="KA-9 three of the next number"),
        pytest.param(FULL, "cups-5", "cups-6 coins-6 clubs-6 cups-7", id="KA-9 and on"),
        pytest.param(FULL, "cups-5", "cups-6 cups-7 coins-7 clubs-7 clubs-8", id="KA-9 in the middle"),
        pytest.param(FULL, "cups-5", "cups-6 coins-6 clubs-6 cups-7 coins-7 clubs-7", id="KA-9 twice"),
        pytest.param(FULL, "cups-12", "cups-6 coins-6 clubs-6", id="KA-9 three of any on a 12"),
        pytest.param(FULL, "cups-1", "swords-1 coins-1 clubs-1 cups-9", id="KA-9 cut as singles, a wild last"),
        pytest.param(FULL, "cups-7", "swords-1 coins-1 clubs-1", id="KA-9 where one of the three could"),
        pytest.param(FULL, "cups-7", "clubs-1", id="KA-11 the 1 of clubs on anything"),
        pytest.param(FULL, "cups-7", "coins-2", id="KA-11 the 2 of coins on anything"),
        pytest.param(FULL, "cups-7", "coins-2 swords-9", id="KA-11 anything after a wild"),
        pytest.param(FULL, "cups-7", "coins-2 clubs-1 swords-7 swords-8", id="KA-11 a wild on a wild"),
        pytest.param(WRAP, "cups-12", "coins-2 swords-9", id="KA-11 a wild on a 12"),
        pytest.param(PLAIN, "cups-5", "coins-6 cups-7", id="plain: the next number"),
        pytest.param(PLAIN, "cups-12", "coins-6 cups-7", id="plain: any on a 12"),
        pytest.param(PLAIN | WRAP, "cups-12", "coins-6 cups-7", id="plain: any on a 12, wrap or not"),
        pytest.param(PLAIN, "cups-7", "coins-2 cups-3", id="plain: a wild on anything, then the next number"),
        pytest.param({"sequence": "off"}, "cups-5", "cups-9 coins-9 cups-3", id="off: anything"),
    ],
)
def test_these_cards_follow(rules: dict[str, Any], on: str, turn: str) -> None:
    step = after(f"starter {on}; p1 {turn}", **rules)
    assert board(step).turns == (TurnTaken("p1", len(turn.split()), cards(turn)),)


@pytest.mark.parametrize(
    ("rules", "on", "turn", "stuck", "could"),
    [
        pytest.param(FULL, "cups-5", "cups-7", "cups-7 on cups-5", [6], id="KA-7 not the next number"),
        pytest.param(FULL, "cups-5", "cups-4", "cups-4 on cups-5", [6], id="KA-7 downwards"),
        pytest.param(FULL, "cups-5", "cups-6 cups-8", "cups-8 on cups-6", [7], id="KA-7 later in the turn"),
        pytest.param(FULL, "cups-5", "cups-7 cups-8", "cups-7 on cups-5", [6], id="KA-7 the first of two"),
        pytest.param(FULL, "cups-5", "coins-5", "coins-5 on cups-5", [6], id="KA-8 no 5 on a 5"),
        pytest.param(FULL, "cups-3", "coins-3", "coins-3 on cups-3", [4], id="KA-8 no 3 on a 3"),
        pytest.param(FULL, "cups-1", "coins-3", "coins-3 on cups-1", [1, 2], id="KA-8 no 3 on a 1"),
        pytest.param(FULL, "cups-2", "coins-1", "coins-1 on cups-2", [2, 3], id="KA-8 no 1 on a 2"),
        pytest.param(WRAP, "cups-12", "coins-7", "coins-7 on cups-12", [1], id="KA-8 wrap: no 7 on a 12"),
        pytest.param(WRAP, "cups-12", "coins-12", "coins-12 on cups-12", [1], id="KA-8 wrap: no 12 on a 12"),
        pytest.param(FULL, "cups-5", "cups-6 coins-6 cups-7", "coins-6 on cups-6", [7], id="KA-9 not after two"),
        pytest.param(FULL, "cups-5", "cups-6 cups-9 cups-3", "cups-9 on cups-6", [7], id="KA-9 not three of any"),
        pytest.param(
            FULL,
            "cups-5",
            "cups-6 coins-6 clubs-6 swords-6",
            "swords-6 on clubs-6",
            [7],
            id="KA-9 not four of a number",
        ),
        pytest.param(FULL, "cups-5", "cups-7 coins-7 clubs-7", "cups-7 on cups-5", [6], id="KA-9 not where none could"),
        pytest.param(FULL, "cups-5", "cups-6 coins-6 clubs-6 cups-8", "cups-8 on clubs-6", [7], id="KA-9 after three"),
        pytest.param(FULL, "clubs-1", "cups-9", "cups-9 on clubs-1", [1, 2], id="KA-11 ordinary from the box"),
        pytest.param(FULL, "coins-2", "cups-9", "cups-9 on coins-2", [2, 3], id="KA-11 ordinary from the box too"),
        pytest.param(PLAIN, "cups-1", "swords-1", "swords-1 on cups-1", [2], id="plain: no 1 on a 1"),
        pytest.param(PLAIN, "cups-5", "cups-6 coins-6 clubs-6", "coins-6 on cups-6", [7], id="plain: not three"),
        pytest.param(PLAIN, "cups-7", "coins-2 swords-9", "swords-9 on coins-2", [3], id="plain: not any after a wild"),
        pytest.param(PLAIN, "coins-2", "swords-9", "swords-9 on coins-2", [3], id="plain: ordinary from the box"),
    ],
)
def test_these_cards_do_not_follow_unless_the_table_overrules(
    rules: dict[str, Any], on: str, turn: str, stuck: str, could: list[int]
) -> None:
    refused = refusal(f"starter {on}; p1 {turn}", **rules)
    assert facts(refused)[:2] == ("card_does_not_follow", "KA-7")
    assert f"{refused.facts['card']} on {refused.facts['on']}" == stuck
    down = cards(turn)[: cards(turn).index(read(stuck.split(maxsplit=1)[0]))]
    following = {c for c in DECKS["mekurifuda"] if ka.face(Rules(), c).rank in could} | set(cards("clubs-1 coins-2"))
    wanted = following - {read(on), *down}
    numbers = [ka.face(Rules(), c).rank for c in refused.facts["could_follow"]]  # type: ignore[attr-defined]
    assert numbers == sorted(numbers)
    assert set(refused.facts["could_follow"]) == wanted  # type: ignore[call-overload]
    assert board(after(f"starter {on}; p1 {turn} !", **rules)).turns[-1].cards == cards(turn)


def test_anything_may_follow_a_wild_also_in_the_next_players_turn() -> None:
    assert in_play(after("starter cups-5; p1 coins-2; p2 cups-9")).player == "p3"
    assert refusal("starter cups-5; p1 coins-2; p2 cups-9", sequence="plain").code == "card_does_not_follow"


def test_a_wild_turned_from_the_box_is_an_ordinary_card() -> None:
    text = "starter cups-5; " + LAP + "; box coins-2"
    assert board(after(text)).pile_top == Top(read("coins-2"), from_box=True)
    assert refusal(text + "; p1 cups-9").code == "card_does_not_follow"
    assert in_play(after(text + "; p1 swords-2 cups-3")).player == "p2"


@pytest.mark.parametrize("wild", ["pine-crane", "willow-lightning"])
def test_with_hanafuda_the_crane_and_the_lightning_are_wild(wild: str) -> None:
    step = after(f"starter cherry-ribbon; p1 {wild} maple-deer", deck="hanafuda")
    assert board(step).pile_top == Top(read("maple-deer"))


def test_with_western_cards_the_jack_follows_the_9() -> None:
    step = after("starter 9H; p1 JC QH KS 3D", deck="western")
    assert board(step).pile_top == Top(read("3D"))
    assert refusal("starter 9H; p1 QC", deck="western").facts["could_follow"] == cards("AC 2D JC JS JH JD")


def test_with_queens_before_jacks_the_queen_follows_the_9() -> None:
    table: dict[str, Any] = {"deck": "western", "western_courts": "QJK"}
    assert board(after("starter 9H; p1 QH JC KS 3D", **table)).pile_top == Top(read("3D"))
    assert refusal("starter 9H; p1 JC", **table).facts["could_follow"] == cards("AC 2D QC QS QH QD")
    assert board(after("starter cups-9; p1 cups-10 cups-11", **table)).turns[-1].cards == cards("QH JH")


def test_after_a_turn_told_by_number_the_first_card_is_not_checked_but_the_next_is() -> None:
    assert in_play(after("starter cups-5; p1 x2; p2 cups-11 cups-12")).player == "p3"
    refused = refusal("starter cups-5; p1 x2; p2 cups-11 cups-8")
    assert (refused.facts["card"], refused.facts["on"]) == (read("cups-8"), read("cups-11"))


def test_an_empty_turn_leaves_the_top_of_the_pile_as_it_was() -> None:
    assert refusal("starter cups-5; p1 cups-6; p2 -; p3 cups-8").facts["on"] == read("cups-6")


# --- any two cards, held against the second reckoning ---------------------------------------------------------------

SEQUENCES = [(sequence, after) for sequence in ("full", "plain", "off") for after in ("any", "wrap")]
PACKS: list[tuple[DeckName, Courts]] = [
    ("mekurifuda", "JQK"),
    ("western", "JQK"),
    ("western", "QJK"),
    ("hanafuda", "JQK"),
]


@pytest.mark.parametrize(("sequence", "after_king"), SEQUENCES[:4])
@pytest.mark.parametrize(("deck", "courts"), PACKS)
def test_any_card_goes_on_any_other_as_the_second_reckoning_has_it(
    deck: DeckName, courts: Courts, sequence: Any, after_king: Any
) -> None:
    rules = Rules(western_courts=courts, sequence=sequence, after_king=after_king)
    meant = {read(name): card for card, name in names(deck, courts).items()}
    wrong = [
        (on, card, from_box)
        for (on, it), (card, that) in permutations(meant.items(), 2)
        for from_box in (True, False)
        if ka.may_go_on(rules, Top(on, from_box=from_box), card)
        != follows({"sequence": sequence, "after_king": after_king}, it, that, from_box=from_box)
    ]
    assert (len(meant), wrong) == (48, [])


@pytest.mark.parametrize(("sequence", "after_king"), SEQUENCES)
def test_any_two_cards_are_played_as_the_second_reckoning_has_it(sequence: Any, after_king: Any) -> None:
    """On a card from the box, and one after the other in a turn on a card that nobody knows."""
    opened = in_play(after("starter cups-5", sequence=sequence, after_king=after_king))
    rules, wrong = {"sequence": sequence, "after_king": after_king}, []
    for (name, on), (other, card) in permutations([(name, card) for card, name in names("mekurifuda").items()], 2):
        for from_box in (True, False):
            top = Top(read(name), from_box=True) if from_box else None
            turn = TurnPlayed("p1", cards=(read(other),) if from_box else (read(name), read(other)))
            laid = replace(opened, board=replace(opened.board, starter=None, pile_top=top))
            if is_played(laid, turn) != follows(rules, on, card, from_box=from_box):
                wrong.append((name, other, from_box))
    assert wrong == []


def is_played(phase: Phase, turn: TurnPlayed) -> bool:
    try:
        BOOK.play(phase, turn)
    except (ka.CardDoesNotFollow, ka.TwoOfANumber):
        return False
    return True


# --- three pairs: KA-10 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "p2 pairs; starter cups-5; p1 -",
        "starter cups-5; p2 pairs; p1 -",
        "starter cups-5; p1 -; p2 pairs",
        "starter cups-5; " + LAP + "; p2 pairs; box cups-5; p1 -",
    ],
)
def test_three_pairs_are_declared_before_their_owners_first_discard(text: str) -> None:
    step = after(text.replace("box cups-5", "box coins-5"))
    assert board(step).three_pairs == ("p2",)
    assert not [t for t in step.transfers if t.reason != "empty_turn"]
    assert board(BOOK.play(step.phase, TurnPlayed("p2", cards("cups-6 coins-6")))).pile_top == Top(read("coins-6"))


def test_three_pairs_are_declared_once() -> None:
    refused = refusal("p2 pairs; starter cups-5; p2 pairs")
    assert facts(refused) == ("three_pairs_already", "KA-10", {"player": "p2"})


def test_three_pairs_are_not_declared_after_a_discard() -> None:
    refused = refusal("starter cups-5; p1 cups-6; p1 pairs")
    assert facts(refused) == ("three_pairs_too_late", "KA-10", {"player": "p1", "left": 5, "hand": 6})


def test_who_does_not_sit_here_declares_nothing() -> None:
    assert refusal("p8 pairs").rule == "KA-10"


def test_the_plain_sequence_has_no_three_pairs() -> None:
    assert facts(refusal("p2 pairs", sequence="plain")) == ("no_three_pairs", "KA-10", {})


def test_three_pairs_mean_nothing_where_the_sequence_is_not_checked() -> None:
    step = after("p1 pairs; starter cups-5; p1 cups-9", sequence="off")
    assert board(step).three_pairs == ("p1",)


@pytest.mark.parametrize(
    "turn",
    [
        "cups-6 coins-6",
        "cups-6 coins-6 cups-7 coins-7",
        "swords-1 clubs-1",
        "clubs-2 coins-2 cups-9 swords-9",
        "cups-6 coins-6 cups-7 coins-7 cups-8 coins-8",
    ],
)
def test_their_owner_plays_pairs(turn: str) -> None:
    step = after(f"p1 pairs; starter cups-5; p1 {turn}")
    assert board(step).turns[-1].cards == cards(turn)


@pytest.mark.parametrize(
    ("turn", "alone"),
    [
        ("cups-6", "cups-6"),
        ("cups-6 cups-7", "cups-6"),
        ("cups-6 coins-6 clubs-6", "clubs-6"),
        ("cups-6 coins-6 cups-7", "cups-7"),
        ("coins-2", "coins-2"),
    ],
)
def test_their_owner_plays_nothing_but_pairs_unless_the_table_overrules(turn: str, alone: str) -> None:
    refused = refusal(f"p1 pairs; starter cups-5; p1 {turn}")
    assert facts(refused) == ("pairs_only", "KA-10", {"player": "p1", "card": read(alone)})
    assert in_play(after(f"p1 pairs; starter cups-5; p1 {turn} !")).player == "p2"


def test_pairs_too_have_to_follow() -> None:
    refused = refusal("p1 pairs; starter cups-5; p1 cups-6 coins-6 cups-8 coins-8")
    assert refused.code == "card_does_not_follow"
    assert (refused.facts["card"], refused.facts["on"]) == (read("cups-8"), read("coins-6"))


def test_pairs_are_played_on_an_unknown_card_too() -> None:
    text = "p2 pairs; starter cups-5; p1 x1; p2 "
    assert in_play(after(text + "cups-9 coins-9")).player == "p3"
    assert refusal(text + "cups-9").code == "pairs_only"
    assert in_play(after(text + "cups-9 !")).player == "p3"


def test_the_others_play_no_pairs() -> None:
    assert refusal("p2 pairs; starter cups-5; p1 cups-6 coins-6").code == "two_of_a_number"


def test_a_turn_of_pairs_may_be_told_by_number() -> None:
    assert in_play(after("p1 pairs; starter cups-5; p1 x2")).player == "p2"
    won = after("p1 pairs; starter cups-5; p1 x4; p2 -; p3 -; p4 -; p5 -; p6 -; p7 -; box cups-9; p1 x2")
    assert (outcome(won).winner, outcome(won).guri) == ("p1", False)


@pytest.mark.parametrize("count", [1, 3, 5])
def test_a_turn_of_pairs_has_no_odd_number_unless_the_table_overrules(count: int) -> None:
    refused = refusal(f"p1 pairs; starter cups-5; p1 x{count}")
    assert facts(refused) == ("odd_number_of_cards", "KA-10", {"player": "p1", "count": count})
    assert in_play(after(f"p1 pairs; starter cups-5; p1 x{count} !")).player == "p2"
    assert in_play(after(f"p1 pairs; starter cups-5; p1 x{count}", sequence="off")).player == "p2"
    assert in_play(after(f"p2 pairs; starter cups-5; p1 x{count}")).player == "p2"


def test_one_card_told_as_the_top_is_no_pair() -> None:
    assert refusal("p1 pairs; starter cups-5; p1 x1 cups-6").code == "pairs_only"


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize(
    ("text", "declared"),
    [("p4 pairs; p4 swaps", "p4"), ("p1 pairs; p4 swaps", "p1"), ("p4 swaps; p1 pairs; p2 swaps", "p1")],
)
def test_a_hand_declared_as_three_pairs_is_not_traded_by_its_owner_nor_by_the_dealer(
    text: str, declared: str, overruled: str
) -> None:
    assert facts(refusal(text + overruled)) == ("declared_hand_stays", "KA-10", {"player": declared})


def test_the_others_go_on_trading_beside_a_declared_hand() -> None:
    assert board(after("p4 pairs; p2 swaps; p1 pairs")).exchanged == ("p2",)


PAIRS_ON_A_6 = "p4 pairs; starter cups-6; p1 {}; p2 -; p3 x2 swords-6; p4 cups-3 coins-3"


@pytest.mark.parametrize(("sevens", "could"), [("cups-7", "clubs-1 coins-2 clubs-7 swords-7 coins-7")])
def test_what_could_follow_a_pair_is_told(sevens: str, could: str) -> None:
    assert refusal(PAIRS_ON_A_6.format(sevens)).facts["could_follow"] == cards(could)


# --- what could follow: KA-3, KA-9, KA-18 ---------------------------------------------------------------------------

SEVENS = " clubs-7 swords-7 cups-7 coins-7"


@pytest.mark.parametrize(
    ("text", "could"),
    [
        pytest.param("starter cups-5; p1 cups-6 clubs-9", "clubs-1 coins-2" + SEVENS, id="after one"),
        pytest.param("starter clubs-1; p1 x2 swords-6; p2 cups-9", "coins-2" + SEVENS, id="a wild has been seen"),
        pytest.param(
            "starter coins-7; p1 cups-7 !; p2 x2 swords-6; p3 cups-9",
            "clubs-1 coins-2 clubs-7 swords-7",
            id="some have been seen",
        ),
    ],
)
def test_what_could_follow_is_what_can_still_come(text: str, could: str) -> None:
    assert refusal(text).facts["could_follow"] == cards(could)


def test_of_eight_the_card_that_dropped_out_does_not_follow() -> None:
    could = refusal("p3 out; starter cups-2; p1 cups-7", players=8).facts["could_follow"]
    assert could == cards("clubs-1 clubs-2 swords-2 coins-2 swords-3 cups-3 coins-3")


def test_two_of_a_number_lack_a_third_unless_the_table_overrules() -> None:
    refused = refusal("starter cups-5; p1 cups-6 coins-6")
    assert facts(refused) == ("two_of_a_number", "KA-9", {"cards": cards("cups-6 coins-6")})
    assert in_play(after("starter cups-5; p1 cups-6 coins-6 !")).player == "p2"


# --- the box: KA-13, KA-14 ------------------------------------------------------------------------------------------


def test_when_everyone_has_passed_the_last_discarder_first_turns_a_box_card_for_nothing() -> None:
    due = after("starter cups-5; " + LAP)
    assert isinstance(due.phase, ka.BoxDue)
    assert due.phase.player == "p1"
    turned = BOOK.play(due.phase, report("box", "coins-9"))
    assert isinstance(turned.phase, ka.Turn)
    assert (turned.phase.player, turned.transfers) == ("p1", ())
    assert (board(turned).box, board(turned).pile, board(turned).box_card) == (4, 2, read("coins-9"))
    played = BOOK.play(turned.phase, report("p1", "cups-10"))
    assert board(played).turns[-1] == TurnTaken("p1", 1, cards("cups-10"), read("coins-9"))
    assert board(played).box_card is None


def test_the_last_discarder_is_whoever_discarded_last() -> None:
    step = after("starter cups-5; p1 -; p2 -; p3 cups-6; p4 -; p5 -; p6 -; p7 -; p1 -")
    assert isinstance(step.phase, ka.Turn)
    due = BOOK.play(step.phase, report("p2", "-"))
    assert isinstance(due.phase, ka.BoxDue)
    assert due.phase.player == "p3"


def test_a_box_card_does_not_undo_the_passes() -> None:
    step = after("starter cups-5; " + LAP + "; box coins-9; " + LAP)
    assert isinstance(step.phase, ka.BoxDue)
    assert board(step).box == 4


def test_a_discard_after_a_box_card_starts_the_passes_anew() -> None:
    text = "starter cups-5; " + LAP + "; box coins-9; p1 -; p2 x1; p3 -; p4 -; p5 -; p6 -; p7 -"
    assert isinstance(after(text).phase, ka.Turn)
    due = after(text + "; p1 -").phase
    assert isinstance(due, ka.BoxDue)
    assert due.player == "p2"


def test_no_box_card_is_due_if_somebody_was_passed_over() -> None:
    step = after("starter cups-5; p1 -; p2 -; p4 - !; p5 -; p6 -; p7 -")
    assert type(step.phase) is ka.Turn
    assert step.phase.player == "p1"


def test_a_pass_before_the_last_discard_does_not_count() -> None:
    step = after("starter cups-5; p1 -; p2 -; p3 -; p4 x1; p5 -; p6 -; p7 -; p1 -; p3 - !")
    assert type(step.phase) is ka.Turn
    assert step.phase.player == "p4"


def test_a_turn_has_to_wait_for_the_box_card() -> None:
    assert facts(refusal("starter cups-5; " + LAP + "; p1 cups-6")) == ("box_card_is_due", "KA-13", {"player": "p1"})


def test_no_box_card_is_turned_unless_it_is_due() -> None:
    opened = say("since the pile was opened")
    for text in ("starter cups-5; box cups-9", "starter cups-5; p1 -; p2 -; box cups-9"):
        assert facts(refusal(text)) == ("no_box_card_is_due", "KA-13", {"player": "p1", "since": opened})
    discarded = say("since {player:player} discarded", player="p2")
    refused = refusal("starter cups-5; p1 -; p2 x1; p3 -; box cups-9")
    assert facts(refused) == ("no_box_card_is_due", "KA-13", {"player": "p2", "since": discarded})


def test_one_box_card_is_turned_for_a_turn() -> None:
    refused = refusal("starter cups-5; " + LAP + "; box cups-9; box cups-10")
    assert facts(refused) == ("box_card_turned_already", "KA-13", {"card": read("cups-9"), "player": "p1"})
    assert refusal("starter cups-5; " + LAP + "; box cups-9; p1 -; box cups-10").code == "no_box_card_is_due"


def test_from_an_empty_box_comes_the_pile_without_its_top() -> None:
    step = after(EMPTIED_BOX)
    assert isinstance(step.phase, ka.BoxDue)
    assert (board(step).box, board(step).pile) == (5, 1)
    again = after(EMPTIED_BOX + "; box cups-3; p1 cups-4")
    assert (board(again).box, board(again).pile) == (4, 3)


def test_what_was_told_by_number_is_in_the_reshuffled_box_too() -> None:
    counted = EMPTIED_BOX.replace("p1 -", "p1 x2", 1)
    step = after(counted)
    assert (board(step).box, board(step).pile) == (7, 1)


def test_after_a_reshuffle_its_cards_may_be_seen_again_once() -> None:
    text = EMPTIED_BOX + "; box cups-3; " + LAP
    assert where(refusal(text + "; box cups-3")) == ("it was turned from the box", None)
    assert board(after(text + "; box cups-5")).box == 3


def test_after_a_reshuffle_the_top_of_the_pile_is_not_in_the_box() -> None:
    assert refusal(EMPTIED_BOX + "; box swords-11").code == "card_already_seen"


def test_after_a_reshuffle_only_what_was_on_the_pile_can_be_in_the_box() -> None:
    refused = refusal(EMPTIED_BOX + "; box coins-4")
    left = cards("cups-3 cups-5 cups-8 clubs-9 coins-10")
    assert facts(refused) == ("not_in_the_box", "KA-14", {"card": read("coins-4"), "left": left})


def test_after_a_reshuffle_as_many_unknown_cards_can_be_in_the_box_as_went_down_by_number() -> None:
    """p1 put down two that nobody named. One of them, then the other, may come; not a third."""
    text = EMPTIED_BOX.replace("p1 -", "p1 x2", 1)
    for card in ("coins-4", "coins-5"):
        text += f"; box {card}; {LAP}"
        assert in_play(after(text)).player == "p1"
    refused = refusal(text + "; box coins-6")
    assert facts(refused) == ("not_in_the_box", "KA-14", {"card": read("coins-6"), "left": FIVE_LEFT})
    assert board(after(text + "; box cups-3")).box == 4


FIVE_LEFT = cards("cups-3 cups-5 cups-8 clubs-9 coins-10")


def test_a_card_that_lies_unknown_on_top_is_not_in_the_reshuffled_box() -> None:
    """p1 put down one that nobody named, and it stays on the table: all that the box holds is known."""
    lap = LAP.replace("p1 -; ", "") + "; "
    text = EMPTIED_BOX.removesuffix(LAP) + f"p1 x1; {lap}"
    assert board(after(text)).pile_top is None
    assert refusal(text + "box coins-4").facts["left"] == cards("cups-3 cups-5 cups-8 clubs-9 coins-10 swords-11")


def test_a_second_reshuffle_is_as_good_as_the_first() -> None:
    text = EMPTIED_BOX + "".join(f"; box {card}; {LAP}" for card in ("cups-3", *BOX_OF_FIVE[:4]))
    step = after(text)
    assert (board(step).box, board(step).pile) == (5, 1)
    assert board(after(text + "; box cups-3")).box_card == read("cups-3")
    assert board(after(text + "; box swords-11")).box_card == read("swords-11")


def test_a_reshuffled_card_is_in_nobodys_hand() -> None:
    refused = refusal(EMPTIED_BOX + "; box coins-10; p1 cups-3 !")
    assert where(refused) == ("it opened the pile", None)


def test_with_lead_any_the_last_discarder_may_play_anything_on_the_pile() -> None:
    step = after(EMPTIED_BOX, box_empty="lead_any")
    assert isinstance(step.phase, ka.LeadAny)
    assert (step.phase.player, step.phase.name) == ("p1", "lead_any")
    assert type(after(EMPTIED_BOX + "; p1 coins-4 cups-4 !", box_empty="lead_any").phase) is ka.Turn
    refused = refusal(EMPTIED_BOX + "; p1 coins-4 cups-2", box_empty="lead_any")
    assert (refused.facts["card"], refused.facts["on"]) == (read("cups-2"), read("coins-4"))


def test_with_lead_any_the_next_player_follows_the_pile_again() -> None:
    passed = EMPTIED_BOX + "; p1 -; p2 "
    assert refusal(passed + "coins-4", box_empty="lead_any").facts["on"] == read("swords-11")
    assert type(after(passed + "cups-12", box_empty="lead_any").phase) is ka.Turn


def test_with_lead_any_nothing_comes_from_the_box() -> None:
    refused = refusal(EMPTIED_BOX + "; box coins-4", box_empty="lead_any")
    assert facts(refused) == ("box_is_empty", "KA-14", {"player": "p1"})
    assert isinstance(after(EMPTIED_BOX + "; " + LAP, box_empty="lead_any").phase, ka.LeadAny)


def test_with_void_the_turn_that_makes_the_card_due_ends_the_round_and_the_pot_stays() -> None:
    step = after(EMPTIED_BOX, box_empty="void", chips_per_share=2, carried=5, dealer="p1")
    assert over(step).outcome == Void(next_dealer="p1")
    assert step.phase.pot == 5 + 42 * 2
    assert balances(step) == {f"p{n}": -12 for n in range(1, 8)}


def test_after_a_void_round_the_dealer_deals_again_even_one_who_had_dropped_out() -> None:
    eight = "p8 out; " + EMPTIED_BOX.replace("swords-11", "clubs-3")
    assert over(after(eight, players=8, dealer="p8", box_empty="void")).outcome.next_dealer == "p8"


def test_the_box_may_be_emptied_and_play_go_on() -> None:
    last_card = EMPTIED_BOX.removesuffix("; " + LAP)
    assert board(after(last_card, box_empty="void")).box == 0
    assert type(after(last_card + "; p1 cups-12", box_empty="void").phase) is ka.Turn


# --- winning: KA-15 to KA-17 ----------------------------------------------------------------------------------------


def test_the_first_hand_emptied_wins_a_share_from_each_of_the_others_and_the_pot() -> None:
    won = after(
        "starter cups-5; p1 -; p2 x5; p3 -; p4 -; p5 -; p6 -; p7 -; p1 -; box clubs-9; p2 x1", chips_per_share=3
    )
    assert [t for t in won.transfers if t.payee == "p2"] == [
        *(Transfer(player, "p2", 3, "share") for player in ("p3", "p4", "p5", "p6", "p7", "p1")),
        Transfer(POT, "p2", 21, "pot_won"),
    ]
    assert outcome(won) == KakkuriWon(
        winner="p2", payouts=(Payout("p2", 18, "share"), Payout("p2", 21, "pot_won")), next_dealer="p2"
    )
    assert won.phase.pot == 0


def test_the_winner_takes_a_carried_pot_too() -> None:
    won = after("starter cups-5; p1 x6", carried=100)
    assert balances(won)["p1"] == 112
    assert won.phase.pot == 0


def test_an_empty_pot_is_not_paid_out() -> None:
    assert {t.reason for t in after("starter cups-5; p1 x6").transfers} == {"guri_share"}


@pytest.mark.parametrize("turn", ["x6", SIX_IN_ORDER])
def test_guri_is_six_cards_in_one_turn_even_after_earlier_empty_turns(turn: str) -> None:
    won = after("starter cups-3; " + LAP + f"; box cups-5; p1 -; p2 {turn}")
    assert outcome(won).guri
    assert [t.amount for t in won.transfers if t.reason == "guri_share"] == [2] * 6
    assert balances(won)["p2"] == 12 - 1 + 8


def test_six_cards_in_two_turns_are_no_guri() -> None:
    won = after("starter cups-5; p1 x1; p2 -; p3 -; p4 -; p5 -; p6 -; p7 -; box cups-9; p1 x5")
    assert (outcome(won).guri, outcome(won).three_ones) == (False, False)
    assert [t.amount for t in won.transfers if t.reason == "share"] == [1] * 6


@pytest.mark.parametrize("text", ["starter cups-5; p1 x6", "p1 ones", EMPTIED_BOX])
def test_nothing_can_be_reported_when_the_round_is_over(text: str) -> None:
    end = after(text, box_empty="void").phase
    assert BOOK.expected(end) == ()
    for late in reports("p1 -; starter cups-6; box cups-6; p2 pairs; p2 swaps; p2 ones; p2 out"):
        with pytest.raises(OutOfPlace) as refused:
            BOOK.play(end, late)
        assert refused.value.facts["expected"] == ()


# --- the deck holds: KA-18 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("turn", ["x2", "x2 !", "cups-7 cups-8", "cups-7 cups-8 !"])
def test_nobody_discards_a_seventh_card_even_if_overruled(turn: str) -> None:
    refused = refusal("starter clubs-5; p1 x5; p2 -; p3 -; p4 -; p5 -; p6 -; p7 -; box cups-6; p1 " + turn)
    assert facts(refused) == ("more_than_the_hand", "KA-18", {"player": "p1", "count": 2, "at_most": 1})


def test_nobody_discards_seven_cards_at_once() -> None:
    seven = SIX_IN_ORDER + " cups-12"
    assert facts(refusal("starter cups-5; p1 " + seven))[2] == {"player": "p1", "count": 7, "at_most": 6}


SEEN = "starter cups-5; p1 coins-6; p2 -; p3 -; p4 -; p5 -; p6 -; p7 -; box cups-9"


@pytest.mark.parametrize("overruled", ["", " !"])
@pytest.mark.parametrize(
    ("text", "found"),
    [
        (SEEN + "; p1 cups-5", ("it opened the pile", None)),
        (SEEN + "; p1 coins-6", ("{player:player} discarded it", "p1")),
        (SEEN + "; p1 -; p2 cups-10; p3 cups-10", ("{player:player} discarded it", "p2")),
        (SEEN + "; p1 cups-9", ("it was turned from the box", None)),
        (SEEN + "; p1 -; p2 cups-9", ("it was turned from the box", None)),
        (SEEN + "; p1 cups-10 swords-11 cups-10", ("it is named twice in this turn", None)),
        (SEEN.replace("box cups-9", "box coins-6"), ("{player:player} discarded it", "p1")),
        (SEEN.replace("box cups-9", "box cups-5"), ("it opened the pile", None)),
    ],
)
def test_no_card_is_seen_twice_even_if_overruled(text: str, found: tuple[str, str | None], overruled: str) -> None:
    refused = refusal(text + overruled)
    assert isinstance(refused, CardAlreadySeen)
    assert (refused.rule, where(refused)) == ("KA-18", found)
    assert refused.facts["card"] == read(text.rsplit(maxsplit=1)[-1])


def test_the_same_card_of_another_deck_is_the_same_card() -> None:
    assert refusal("starter 5H; p1 cups-5", deck="western").facts["card"] == read("5H")


# --- what may be reported next --------------------------------------------------------------------------------------


def everyone_but(*players: str, seated: int = 7) -> tuple[str, ...]:
    return tuple(p for p in (f"p{n}" for n in range(1, seated + 1)) if p not in players)


@pytest.mark.parametrize(
    ("text", "table", "wanted"),
    [
        ("", {"players": 8}, [Expected(type="player_dropped_out", players=everyone_but(seated=8))]),
        (
            "p3 swaps; p4 pairs",
            {},
            [
                Expected(type="starter_revealed"),
                Expected(type="hand_exchanged", players=everyone_but("p1", "p3", "p4")),
                Expected(type="three_ones_shown", players=everyone_but()),
                Expected(type="three_pairs_declared", players=everyone_but("p4")),
            ],
        ),
        (
            "p3 swaps; p1 pairs",
            {},
            [
                Expected(type="starter_revealed"),
                Expected(type="three_ones_shown", players=everyone_but()),
                Expected(type="three_pairs_declared", players=everyone_but("p1")),
            ],
        ),
        (
            "p1 out" + "".join(f"; p{n} swaps" for n in range(3, 9)),
            {"players": 8, "sequence": "plain"},
            [
                Expected(type="starter_revealed"),
                Expected(type="three_ones_shown", players=everyone_but("p1", seated=8)),
            ],
        ),
        (
            "starter cups-5; p1 x2; p2 pairs; p2 -; p3 -; p4 -; p5 -; p6 -; p7 -; box cups-9",
            {},
            [
                Expected(type="turn_played", player="p1", at_most=4),
                Expected(type="three_pairs_declared", players=everyone_but("p1", "p2")),
            ],
        ),
        (
            "starter cups-5; " + LAP,
            {"sequence": "plain"},
            [Expected(type="box_card_revealed"), Expected(type="player_dropped_out", players=("p1",))],
        ),
        (
            "starter cups-5; " + LAP,
            {"sequence": "off", "dropping_out": "off"},
            [Expected(type="box_card_revealed"), Expected(type="three_pairs_declared", players=everyone_but())],
        ),
        (
            "starter cups-5; p1 x2; p2 out",
            {},
            [
                Expected(type="turn_played", player="p3", at_most=6),
                Expected(type="three_pairs_declared", players=everyone_but("p1", "p2")),
                Expected(type="player_dropped_out", players=("p3",)),
            ],
        ),
    ],
)
def test_what_is_expected_next(text: str, table: dict[str, Any], wanted: list[Expected]) -> None:
    assert list(BOOK.expected(after(text, **table).phase)) == wanted


# --- dropping out for a share ---------------------------------------------------------------------------------------


def test_a_player_drops_out_on_their_turn_for_a_share_into_the_pot() -> None:
    step = after("starter cups-5; p1 -; p2 out", chips_per_share=3, carried=4)
    assert step.transfers == (Transfer("p1", POT, 3, "empty_turn"), Transfer("p2", POT, 3, "dropped_out"))
    assert (step.phase.pot, in_play(step).player, in_play(step).last_discarder) == (10, "p3", "p1")
    assert in_play(step).still_in == everyone_but("p2")
    assert [hand.player for hand in board(step).hands] == list(everyone_but("p2"))
    assert (board(step).dropped_out, board(step).dealer, board(step).box) == (None, "p1", 5)


def test_dropping_out_costs_a_share_whatever_a_pass_costs() -> None:
    assert after("starter cups-5; p1 out", chips_per_share=3, empty_turn_shares=0).phase.pot == 3


@pytest.mark.parametrize("before", ["", "p2 -; p3 -; p4 -; p5 -; p6 -; p7 -; box cups-7; p1 -; "])
def test_a_pass_does_not_bar_from_dropping_out_but_a_discard_does(before: str) -> None:
    passed = f"starter cups-5; p1 -; {before}"
    who = "p2"
    assert who not in in_play(after(f"{passed}{who} out")).still_in
    assert who not in in_play(after(f"{passed}{who} pairs; {who} out")).still_in
    discarded = passed + "p2 x1; p3 -; p4 -; p5 -; p6 -; p7 -; p1 -; "
    told_of = {"player": "p2", "left": 5, "hand": 6}
    assert facts(refusal(discarded + "p2 out")) == ("drop_out_too_late", "KA-19", told_of)
    assert refusal(discarded + "p2 out !").code == "drop_out_too_late"
    assert refusal(discarded + "box cups-9; p2 out").code == "drop_out_too_late"


def test_a_player_drops_out_on_their_own_turn_or_the_table_overrules() -> None:
    refused = refusal("starter cups-5; p1 x1; p3 out")
    assert facts(refused) == ("out_of_turn", "KA-19", {"expected": "p2", "player": "p3"})
    step = after("starter cups-5; p1 x1; p3 out !")
    assert (in_play(step).player, in_play(step).last_discarder) == ("p2", "p1")
    assert in_play(after("starter cups-5; p1 x1; p3 out !; p2 -")).player == "p4"
    assert facts(refusal("starter cups-5; p9 out !"))[:2] == ("unknown_player", "KA-19")


def test_nobody_is_on_turn_before_the_pile_is_open() -> None:
    assert facts(refusal("p1 out")) == ("drop_out_too_early", "KA-19", {})
    assert refusal("p1 out !").code == "drop_out_too_early"


@pytest.mark.parametrize("report", ["p2 -", "p2 - !", "p2 x1 !", "p2 pairs", "p2 out", "p2 out !"])
def test_who_dropped_out_for_a_share_does_nothing_more_in_this_round(report: str) -> None:
    refused = refusal("starter cups-5; p1 -; p2 out; " + report)
    assert facts(refused) == ("out_of_this_round", "KA-19", {"player": "p2"})


def test_who_dropped_out_is_passed_over_and_does_not_count_when_a_box_card_is_due() -> None:
    discarded = "starter cups-5; p1 x1; p2 -; p3 out; p4 -; p5 -; p6 -; "
    assert isinstance(after(discarded + "p7 -").phase, ka.BoxDue)
    last_out = after(discarded + "p7 out")
    assert isinstance(last_out.phase, ka.BoxDue)
    assert in_play(last_out).player == "p1"
    again = "box cups-8; p1 -; p2 -; p4 -; p5 -; p6 -"
    assert isinstance(after(f"{discarded}p7 out; {again}").phase, ka.BoxDue)


def test_if_the_dealer_drops_out_before_any_discard_the_next_takes_the_place_there() -> None:
    step = after("starter cups-5; p3 out; p4 out", dealer="p3")
    assert (board(step).dealer, in_play(step).player, in_play(step).last_discarder) == ("p5", "p5", "p5")
    due = after("starter cups-5; p3 out; p4 -; p5 -; p6 -; p7 -; p1 -; p2 -", dealer="p3")
    assert isinstance(due.phase, ka.BoxDue)
    assert in_play(due).player == "p4"
    assert in_play(after("p8 out; starter cups-5; p1 out", players=8, dealer="p8")).player == "p2"


def test_a_dealer_who_drops_out_when_a_box_card_is_due_leaves_it_to_the_next() -> None:
    due = f"starter cups-5; {LAP}; "
    step = after(due + "p1 out")
    assert isinstance(step.phase, ka.BoxDue)
    assert in_play(step).player == "p2"
    turned = after(due + "box cups-7; p1 out")
    assert not isinstance(turned.phase, ka.BoxDue)
    assert (in_play(turned).player, board(turned).box_card) == ("p2", read("cups-7"))
    lap = "p2 -; p3 -; p4 -; p5 -; p6 -; p7 -"
    assert isinstance(after(f"{due}box cups-7; p1 out; {lap}").phase, ka.BoxDue)
    overruled = after(due + "p4 out !")
    assert isinstance(overruled.phase, ka.BoxDue)
    assert in_play(overruled).player == "p1"


@pytest.mark.parametrize(("box_empty", "phase"), [("reshuffle", "box_due"), ("lead_any", "lead_any"), ("void", "over")])
def test_dropping_out_can_make_a_card_due_from_an_empty_box(box_empty: str, phase: str) -> None:
    """The last one drops out who had not passed since the discard."""
    *_, last = EMPTIED_BOX.rpartition("; p7 -")
    assert last == ""
    step = after(EMPTIED_BOX.removesuffix("; p7 -") + "; p7 out", box_empty=box_empty)
    assert (step.phase.name, step.phase.pot) == (phase, 42)
    if box_empty == "lead_any":
        led = after(EMPTIED_BOX + "; p1 out; p2 cups-12", box_empty="lead_any")
        assert in_play(led).player == "p3"


def test_who_dropped_out_for_a_share_pays_and_wins_nothing_at_the_end() -> None:
    guri = after(f"starter cups-5; p1 out; p2 out; p3 {SIX_IN_ORDER}", chips_per_share=5)
    assert outcome(guri).payouts == (Payout("p3", 40, "guri_share"), Payout("p3", 10, "pot_won"))
    assert balances(guri) == {"p1": -5, "p2": -5, "p3": 50, "p4": -10, "p5": -10, "p6": -10, "p7": -10}


def test_the_last_player_left_in_takes_the_pot_and_shares_from_nobody() -> None:
    everyone_goes = "starter cups-5; p1 -; p2 out; p3 out; p4 out; p5 out; p6 out; p7 out"
    won = after(everyone_goes, chips_per_share=2, carried=3)
    assert outcome(won) == KakkuriWon(winner="p1", payouts=(Payout("p1", 17, "pot_won"),), next_dealer="p1")
    assert over(won).pot == 0
    assert balances(won) == {"p1": 15, **dict.fromkeys(("p2", "p3", "p4", "p5", "p6", "p7"), -2)}
    assert told(won) == [
        "The pot held 17: 3 carried over, 2 for turns without a discard, 12 for dropping out.",
        "All others had dropped out, so p1 won; nobody paid a share.",
        "p1 took the whole pot: 17.",
        "p2, p3, p4, p5, p6, p7 had dropped out for a share of 2, and neither paid nor won at the end.",
        "p1 deals the next round.",
    ]


def test_the_last_player_left_in_may_have_discarded_already() -> None:
    won = after("starter cups-5; p1 x2; p2 out; p3 out; p4 out; p5 out; p6 out; p7 out")
    assert (outcome(won).winner, outcome(won).next_dealer, outcome(won).guri) == ("p1", "p1", False)


def test_the_eighth_player_and_one_who_dropped_out_for_a_share_are_told_apart() -> None:
    assert told(after("p4 out; starter cups-5; p1 out; p2 x6", players=8, chips_per_share=3)) == [
        "The pot held 3: 3 for dropping out.",
        "p2 put down all six cards in one turn: guri.",
        "p3, p5, p6, p7, p8 paid p2 two shares, 6 each.",
        "p2 took the whole pot: 3.",
        "p4 had dropped out, and neither paid nor won anything.",
        "p1 had dropped out for a share of 3, and neither paid nor won at the end.",
        "p2 deals the next round.",
    ]


# --- explanations ---------------------------------------------------------------------------------------------------


def test_a_win_is_explained() -> None:
    text = "starter cups-5; p1 -; p2 x5; p3 -; p4 -; p5 -; p6 -; p7 -; p1 -; box clubs-9; p2 x1"
    assert told(after(text, chips_per_share=3, carried=4)) == [
        "The pot held 25: 4 carried over, 21 for turns without a discard.",
        "p2 was the first to put down all six cards.",
        "p3, p4, p5, p6, p7, p1 paid p2 one share, 3 each.",
        "p2 took the whole pot: 25.",
        "p2 deals the next round.",
    ]


def test_guri_with_an_empty_pot_and_eight_seated_is_explained() -> None:
    assert told(after("p4 out; starter cups-5; p1 x6", players=8, chips_per_share=3)) == [
        "The pot was empty.",
        "p1 put down all six cards in one turn: guri.",
        "p2, p3, p5, p6, p7, p8 paid p1 two shares, 6 each.",
        "p4 had dropped out, and neither paid nor won anything.",
        "p1 deals the next round.",
    ]


@pytest.mark.parametrize(
    ("deck", "ones"),
    [
        ("mekurifuda", "swords-1, cups-1, coins-1"),
        ("western", "AS, AH, AD"),
        ("hanafuda", "pine-ribbon, pine-chaff-1, pine-chaff-2"),
    ],
)
def test_the_three_1s_are_explained(deck: DeckName, ones: str) -> None:
    assert told(after("p4 ones", deck=deck, carried=4)) == [
        "The pot held 4: 4 carried over.",
        f"p4 showed the three 1s before play: {ones}.",
        "p5, p6, p7, p1, p2, p3 paid p4 three shares, 3 each.",
        "4 stayed in the pot for the next round.",
        "p4 deals the next round.",
    ]
    assert len(told(after("p4 ones", deck=deck))) == 4


def test_a_void_round_is_explained() -> None:
    assert told(after(EMPTIED_BOX, box_empty="void")) == [
        "The pot held 42: 42 for turns without a discard.",
        "The round was void: a card was due from the box, and the box was empty.",
        "Nobody was paid; 42 stayed in the pot for the next round.",
        "p1 deals the next round.",
    ]


@pytest.mark.parametrize(
    ("deck", "english", "japanese"),
    [
        (
            "hanafuda",
            "The Maple Blue Ribbon (10) cannot go on the Bush Warbler (12). What can: the Crane (1), ",
            "「紅葉に青短（10）」は「梅に鶯（12）」の上に出せません。出せる札：松に鶴（1）、",
        ),
        (
            "western",
            "The 10 of Spades cannot go on the 12 of Clubs. What can: the 1 of Clubs, ",
            "「♠10」は「♣12」の上",
        ),
    ],
)
def test_a_card_that_does_not_follow_is_told_as_it_lies_on_the_table(
    deck: DeckName, english: str, japanese: str
) -> None:
    sentence = spoken(refusal("starter clubs-12; p1 swords-10", deck=deck, after_king="wrap").sentence)
    assert render(sentence, "en", {}).startswith(english)
    assert render(sentence, "ja", {}).startswith(japanese)


def test_a_card_on_which_nothing_can_go_any_more_is_told() -> None:
    refused = refusal("starter swords-1; p1 cups-1 coins-1 clubs-1 coins-2 cups-12; p2 cups-5", after_king="wrap")
    assert refused.facts["could_follow"] == ()
    said = spoken(refused.sentence)
    assert render(said, "en", {}) == "The 5 of Cups cannot go on the 12 of Cups. What can: none."
    assert render(said, "ja", {}) == "「コップの五」は「コップの十二」の上に出せません。出せる札：なし。"


def test_nothing_is_said_of_a_pot_that_is_empty() -> None:
    ended = after(EMPTIED_BOX, box_empty="void", empty_turn_shares=0)
    assert told(ended) == [
        "The pot was empty.",
        "The round was void: a card was due from the box, and the box was empty.",
        "Nobody was paid.",
        "p1 deals the next round.",
    ]


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("p1 -", {"players": 8}),
    ("p1 out", {}),
    ("p1 out", {"dropping_out": "off"}),
    ("starter cups-5; p1 x1" + "; p2 -; p3 -; p4 -; p5 -; p6 -; p7 -; p1 out", {}),
    ("p1 out; p1 ones", {"players": 8}),
    ("p1 out; starter cups-5; p2 clubs-3", {"players": 8}),
    ("p1 swaps", {}),
    ("p2 swaps; p2 swaps", {}),
    ("starter cups-5; p2 swaps", {}),
    ("starter cups-5; p2 ones", {}),
    ("p1 pairs", {"sequence": "plain"}),
    ("p1 pairs; p1 pairs", {}),
    ("starter cups-5; p1 x1; p1 pairs", {}),
    ("starter cups-5; p1 cups-8", {}),
    ("starter cups-5; p1 cups-6 coins-6", {}),
    ("p1 pairs; starter cups-5; p1 cups-6", {}),
    ("p1 pairs; starter cups-5; p1 x1", {}),
    ("p1 pairs; p2 swaps", {}),
    ("starter cups-5; " + LAP + "; p1 -", {}),
    ("starter cups-5; box cups-6", {}),
    ("starter cups-5; " + LAP + "; box cups-6; box cups-7", {}),
    (EMPTIED_BOX + "; box coins-4", {"box_empty": "lead_any"}),
    (EMPTIED_BOX + "; box coins-4", {}),
    ("starter cups-5; p1 " + SIX_IN_ORDER + " cups-12", {}),
]
"""Each refusal once, with the table at which it comes."""

TOLD: list[tuple[str, dict[str, Any]]] = [
    ("p4 ones", {"carried": 4}),
    (EMPTIED_BOX, {"box_empty": "void"}),
    ("p4 out; starter cups-5; p1 -; p2 x6", {"players": 8}),
    ("p4 out; starter cups-5; p1 out; p2 x6", {"players": 8}),
    ("starter cups-5; p1 -; p2 out; p3 out; p4 out; p5 out; p6 out; p7 out", {}),
]


def words_of(deck: DeckName, language: str) -> set[str]:
    """What the cards are called in a deck: in English word by word, in Japanese as a whole."""
    if language == "ja":
        return {card.japanese for card in pack_of_48(deck).cards}
    return {word for card in pack_of_48(deck).cards for word in re.findall("[A-Z][a-z]+", card.english)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("deck", BOOK.decks)
def test_whatever_a_player_reads_is_in_the_deck_on_the_table(deck: DeckName, language: Language) -> None:
    sentences = [refusal(text, deck=deck, **table).sentence for text, table in REFUSED]
    sentences += [said for text, table in TOLD for said in BOOK.explain(over(after(text, deck=deck, **table)))]
    said = " ".join(render(sentence, language, {}) for sentence in sentences)
    others = set().union(*(words_of(other, language) for other in BOOK.decks if other != deck))
    read_in_it = set(re.findall("[A-Z][a-z]+", said)) if language == "en" else {word for word in others if word in said}
    assert read_in_it & (others - words_of(deck, language)) == set()


def test_a_card_set_aside_is_one_of_the_box_and_cannot_be_its_last() -> None:
    phase = BOOK.open_round(ground(players=7)).phase
    for left, card in enumerate(("cups-2", "cups-3", "cups-4", "cups-5", "cups-6")):
        stood = expose(BOOK, phase, CardExposed(read(card)))
        phase = stood.phase
        assert board(stood).box == 5 - left
    with pytest.raises(ka.NotSetAside) as refused:
        expose(BOOK, phase, CardExposed(read("cups-7")))
    assert (refused.value.rule, dict(refused.value.facts)) == ("KA-18", {"card": read("cups-7"), "box": 1})
    assert set(re.findall(r"{(\w+)", refused.value.sentence.text)) <= set(refused.value.facts)
    assert expose(BOOK, phase, CardExposed(read("cups-7"), returns=True)).phase == phase


def test_before_one_of_eight_drops_out_there_is_no_box_to_set_a_card_aside_from() -> None:
    phase = BOOK.open_round(ground(players=8)).phase
    with pytest.raises(ka.NotSetAside):
        expose(BOOK, phase, CardExposed(read("cups-7")))


def test_a_card_set_aside_is_not_among_those_that_may_come() -> None:
    phase = expose(BOOK, BOOK.open_round(ground(players=7)).phase, CardExposed(read("cups-6"))).phase
    opened = BOOK.play(phase, ka.StarterRevealed(read("cups-5")))
    may_come = cards_to_come(BOOK, opened.phase, BOOK.expected(opened.phase))
    assert may_come
    assert (may_come.left["cups-6"], may_come.left["swords-6"]) == (0, 1)
    assert "cups-6" not in may_come.next["turn_played"]


def test_three_of_which_one_is_set_aside_do_not_go_down() -> None:
    """KA-9. Of the 1s besides the wild only two are left: each of them goes with the wild and the other."""
    phase = expose(BOOK, BOOK.open_round(ground(players=7)).phase, CardExposed(read("cups-1"))).phase
    opened = BOOK.play(phase, ka.StarterRevealed(read("cups-5")))
    may_come = cards_to_come(BOOK, opened.phase, BOOK.expected(opened.phase))
    assert may_come
    assert {code: count for code, count in may_come.together.items() if code.endswith("-1")} == {
        "swords-1": 3,
        "coins-1": 3,
    }


def test_three_1s_of_which_one_is_set_aside_are_not_shown() -> None:
    phase = expose(BOOK, BOOK.open_round(ground(players=7)).phase, CardExposed(read("cups-1"))).phase
    with pytest.raises(CardSetAside):
        BOOK.play(phase, ka.ThreeOnesShown("p1"))


@pytest.mark.parametrize("players", [2, 3, 6])
def test_few_get_six_cards_each_and_the_rest_is_the_box(players: int) -> None:
    step = BOOK.open_round(ground(players=players))
    assert board(step).box == 48 - 6 * players
    assert {hand.left for hand in board(step).hands} == {6}


# --- any round at all -----------------------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 2**32),
    players=st.sampled_from([2, 5, 7, 8]),
    chips=st.integers(1, 50),
    carried=st.integers(0, 99),
    box_empty=st.sampled_from(["reshuffle", "lead_any", "void"]),
)
def test_whatever_is_played_the_chips_and_the_cards_add_up(
    seed: int, players: int, chips: int, carried: int, box_empty: str
) -> None:
    chance = random.Random(seed)
    laid = ground(players=players, carried=carried, chips_per_share=chips, box_empty=box_empty)
    stands, moved = BOOK.open_round(laid), ()
    for _ in range(300):
        if isinstance(stands.phase, Over):
            break
        event = somehow(chance, chance.choice(BOOK.expected(stands.phase)), stands)
        stands = BOOK.play(stands.phase, event)
        moved += stands.transfers  # type: ignore[assignment]
        sums = balances(Step(stands.phase, moved))
        assert sum(sums.values()) + stands.phase.pot == carried
        on_table = board(stands)
        set_aside = 6 * (min(players, 7) - len(on_table.hands)) if on_table.box + on_table.pile else 0
        assert on_table.box + on_table.pile + sum(hand.left for hand in on_table.hands) + set_aside == 48
    if isinstance(stands.phase, Over) and stands.phase.outcome.result == "won":
        assert sums[stands.phase.outcome.next_dealer] > 0


def somehow(chance: random.Random, may: Expected, stands: Step) -> Event:
    """Make up an event of which only what is expected is known, and where the cards are."""
    in_box: frozenset[Card] = getattr(stands.phase, "known_in_box", frozenset())
    seen = set(ka.seen(board(stands))) | in_box
    unseen = [card for card in DECKS["mekurifuda"] if card not in seen]
    box = [*in_box, *(unseen if board(stands).box > len(in_box) else ())]
    card = chance.choice(box if may.type == "box_card_revealed" else unseen)
    if may.type == "turn_played":
        assert may.player is not None
        assert may.at_most is not None
        if chance.random() < 0.1:
            return TurnPlayed(may.player, cards=(card,), overrule="so it was played")
        count = chance.choice([0] * 5 + list(range(may.at_most + 1)))
        by_ones = may.player in board(stands).three_pairs and count % 2 == 1
        return TurnPlayed(may.player, count=count, overrule="so it was played" if by_ones else None)
    kind = next(kind for kind in BOOK.events if kind.type == may.type)
    return kind(card=card) if may.players is None else kind(player=chance.choice(may.players))  # type: ignore[call-arg]
