"""Sequences that only grow share what they have in common."""

from __future__ import annotations

import gc
import tracemalloc

import pytest

from ledger.codec import event_from
from ledger.games import newest
from ledger.history import SessionState
from ledger.play import Trail
from tests.scorekeeper import Json
from tests.session.tables import state


def trail(*elements: object) -> Trail[object]:
    made = Trail[object]()
    for element in elements:
        made = made.and_then(element)
    return made


def test_a_trail_is_a_sequence() -> None:
    three = trail(1, 2, 3)
    assert (list(three), list(reversed(three)), len(three), three[0], three[-1], three[1:]) == (
        [1, 2, 3],
        [3, 2, 1],
        3,
        1,
        3,
        (2, 3),
    )
    assert not trail()
    assert list(trail()) == []
    assert repr(three) == "Trail([1, 2, 3])"


def test_one_that_grew_leaves_the_other_as_it_was() -> None:
    one = trail(1)
    assert (list(one.and_then(2)), list(one.and_then(3)), list(one)) == ([1, 2], [1, 3], [1])


def test_two_with_the_same_elements_are_the_same() -> None:
    assert trail(1, 2) == trail(1, 2)
    assert hash(trail(1, 2)) == hash(trail(1, 2))
    assert trail(1, 2) != trail(1, 3)
    assert trail(1, 2) != trail(2, 2)
    assert trail(1) != trail(1, 1)
    assert trail(1, 2) == (1, 2) != trail(1)
    assert trail(1) != [1]
    assert trail() == Trail()


BEFORE_BIDS: list[Json] = [
    {"type": "round_opened"},
    {"type": "field_card_revealed", "card": "swords-4"},
    {"type": "card_dealt", "player": "p1", "card": "cups-12"},
]


@pytest.mark.parametrize("overrule", [{}, {"overrule": "The table said so."}])
def test_a_thousand_bids_of_a_round_take_5_mb(overrule: Json) -> None:
    """They took 13 MB a thousand and four times that for twice as many."""
    bids = [{"type": "bid_placed", "player": f"p{2 + at % 2}", "amount": 1 + at, **overrule} for at in range(990)]
    book, on = newest("shirinma"), state("shirinma")
    told = [*BEFORE_BIDS, *bids]
    gc.collect()
    tracemalloc.start()
    try:
        on = recorded(on, told)
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert on.seq == len(told)
    assert taken < 5_000_000, f"{taken:,} bytes ({book.name})"


def recorded(on: SessionState, told: list[Json]) -> SessionState:
    book = newest("shirinma")
    return on.after((event_from(each, book), book.version) for each in told)
