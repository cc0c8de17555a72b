"""Shippin where it can be tried out whole: every hand against every dealer's, and every draw of two and three people.

What has to come out is the second reckoning's, which knows nothing of the rule book.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from ledger.games.shippin import (
    CardsDrawnForSeats,
    DealerHand,
    Draw,
    Hand,
    Rules,
    arrange,
    decide,
    explain_ruling,
    is_karami,
    is_shippin,
    total,
)
from ledger.i18n.language import LANGUAGES, render
from ledger.rulebook.cards import read
from ledger.rulebook.phase import Seats
from ledger.rulebook.rule_book import Seating
from tests.reckoning import open_book
from tests.reckoning.cards import kabu_pack
from tests.reckoning.shippin import SWITCHES, seat_by_draw, still_tied, verdict

VALUES = range(1, 11)
HANDS = [((first, second), (read(str(first)), read(str(second)))) for first, second in product(VALUES, repeat=2)]


@pytest.mark.parametrize("karami_vs_karami", SWITCHES["karami_vs_karami"])
@pytest.mark.parametrize("tie", SWITCHES["tie"])
def test_every_hand_against_every_dealers_hand(karami_vs_karami: Any, tie: Any) -> None:
    """10,000 pairs of hands, first and second card told apart, under each agreement on ties."""
    rules = Rules(karami_vs_karami=karami_vs_karami, tie=tie)
    agreed = {"karami_vs_karami": karami_vs_karami, "tie": tie}
    for (dealers, dealer), (hands, hand) in product(HANDS, repeat=2):
        assert decide(hand, dealer, rules).verdict == verdict(hands, dealers, agreed), (hands, dealers)


def test_how_often_each_rung_of_the_ladder_decides() -> None:
    """Of 100 hands 36 have a 4 or a 1; a dealer's 4 and 1 beats all 100, and leaves 35 karami to the dealer."""
    rungs = Counter(
        decide(hand, dealer, Rules(karami_vs_karami="tie")).why for (_, dealer), (_, hand) in product(HANDS, repeat=2)
    )
    assert sum(is_karami(hand) for _, hand in HANDS) == 36
    assert rungs["shippin"] == 100
    assert rungs["one_karami"] == 35 * 64 + 64 * 36
    assert rungs["two_karami_tie"] == 35 * 36
    assert rungs["total"] + rungs["tie"] == 64 * 64


@pytest.mark.parametrize("karami_vs_karami", SWITCHES["karami_vs_karami"])
@pytest.mark.parametrize("tie", SWITCHES["tie"])
def test_every_end_of_a_comparison_has_a_sentence(karami_vs_karami: Any, tie: Any) -> None:
    """In both languages; and two ends of different ruling are never said alike."""
    rules, said = Rules(karami_vs_karami=karami_vs_karami, tie=tie), dict[str, Any]()
    tried = set[Any]()
    for (_, dealer), (_, cards) in product(HANDS, repeat=2):
        end = decide(cards, dealer, rules), is_karami(cards) and is_karami(dealer)
        if end not in tried:
            hand = Hand(1, cards, total(cards), is_karami(cards), "p2", end[0].verdict)
            held = DealerHand(dealer, total(dealer), is_karami(dealer), is_shippin(dealer))
            for language in LANGUAGES:
                said[render(explain_ruling(hand, held, rules), language, {})] = end
            tried.add(end)
    assert len(said) == len(LANGUAGES) * len(
        {ruling if ruling.why == "shippin" else (ruling, both) for ruling, both in tried}
    )


AGAIN = [
    ("hanafuda", {}, 2, 10),  # the two chaff cards of ten months
    ("hanafuda", {"suit_breaks_tie": "yes"}, 2, 10),
    ("hanafuda", {"draw_ties": "redraw"}, 2, 10 * 6),
    ("western", {}, 2, 10 * 6),
    ("western", {"suit_breaks_tie": "yes"}, 2, 0),
    ("western", {"suit_breaks_tie": "yes", "draw_ties": "redraw"}, 2, 0),
    ("hanafuda", {}, 3, 10 * 38),
    ("hanafuda", {"draw_ties": "redraw"}, 3, 9880 - 120 * 4**3),  # all but three different months
    ("western", {}, 3, 9880 - 120 * 4**3),
    ("western", {"suit_breaks_tie": "yes"}, 3, 0),
]
"""Deck, what is agreed on ties, how many people, and how many draws leave a tie."""


@pytest.mark.parametrize(("deck", "agreed", "people", "ties"), AGAIN)
def test_every_draw_for_seats(deck: Any, agreed: dict[str, Any], people: int, ties: int) -> None:
    """Any two or three cards of a pack: who sits where, or who draws again."""
    rules = Rules(**agreed)
    opening = {"game": "shippin", "deck": deck, "players": ["Aki", "Ben", "Chie"][:people], "rules": agreed}
    sitting = Seating(Seats(f"p{place}" for place in range(1, people + 1)), "p1")
    again = 0
    for cards in combinations([(code, read(code)) for code in Random(4_1).sample(kabu_pack(deck), 40)], people):
        book = open_book(opening)
        drawn = [{"player": player, "card": code} for player, (code, _) in zip(book.seats, cards, strict=True)]
        seat_by_draw(book, {"draws": drawn})
        draws = tuple(Draw(player, card) for player, (_, card) in zip(sitting.seats, cards, strict=True))
        seating = arrange(sitting, CardsDrawnForSeats(draws), rules)
        assert set(seating.drawing.draw_again if seating.drawing else ()) == set(still_tied(book.drawn)), cards
        assert (list(seating.seats), seating.dealer) == (book.seats, book.dealer), cards
        again += seating.drawing is not None
    assert again == ties
