"""Whole rounds to report, and the cases that were worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tests.scorekeeper import Json, Scorekeeper, deals, event

CASES = Path(__file__).parent.parent / "reckoning" / "cases"


def case(name: str) -> Json:
    """Read a case: what a session is opened with, its rounds as requests, and what must come out."""
    told: Json = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return told


def shirinma_round(trump: str = "cups-5", *, field: str = "coins-3", deal: Sequence[str] = ("cups-12",)) -> list[Json]:
    """Twelve players, two deals: the cards of `deal` from p1 on, all others plain. The King of Cups is p1's.

    The very last card is the Dragon of Clubs, which costs nothing and saves a third deal.
    """
    cards = [*deal, *["plain"] * (23 - len(deal)), "clubs-1"]
    opening = [event("round_opened"), event("field_card_revealed", card=field)]
    return [*opening, *deals(cards), event("trump_revealed", card=trump)]


def recorded(scorekeeper: Scorekeeper, *events: Json) -> Json:
    """Report events all in one request, which is quicker, and give the answer."""
    answer = scorekeeper.tries(*events)
    assert answer.status_code == 201, answer.text
    body: Json = answer.get_json()
    return body


def second_cards(*columns: str | None, dealer: str) -> Json:
    return event("second_cards_dealt", columns=list(columns), dealer=dealer)


def first_cards(*columns: str | None, dealer: str) -> Json:
    return event("first_cards_revealed", columns=list(columns), dealer=dealer)


def turn(player: int, *cards: str) -> Json:
    """A turn at Kakkuri; no card is an empty turn."""
    return event("turn_played", player=f"p{player}", cards=list(cards))
