"""A short evening of each game, by taps alone: opened on the start, two rounds, and the books agree with the page."""

from __future__ import annotations

import pytest

from tests.expectations import read_score
from tests.page.hand import Hand
from tests.page.phone import Phone
from tests.page.seen import table_on, the_page_agrees
from tests.page.table import NAMES, Table
from tests.service import Service

pytestmark = pytest.mark.integration

SHIRINMA = """
game shirinma
players Aki Ben Chie Daisuke Emi Fumio Goro Haruka Ichiro Junko Kenji Masako
round
field swords-1
deal plain plain plain plain plain cups-10 (p2=1 p3=2) plain cups-11 (p2=1 p4=2 p2=4) plain coins-10 plain plain
deal plain coins-1 plain plain plain plain coins-12 (p1=10) plain plain swords-12 (p4=10) coins-11 plain
trump cups-12
= outcome
round
field coins-5
deal plain plain swords-11
undo
deal plain
"""

SHIPPIN = """
game shippin
players Aki Ben Chie Daisuke Emi
round
bet p2=1 p3=2 p4=3 p5=4
second 7 3 5 10 / 9
first 2 2 2 10 / 8
= outcome
round
bet p2=2
undo
bet p2=3
"""

KAKKURI = """
game kakkuri
players Aki Ben Chie Daisuke Emi Fumio Goro
round
starter cups-5
p1 -
p2 cups-6 cups-7 coins-8 clubs-9 swords-10 cups-11
= outcome
round
swap p4
starter clubs-4
p2 -
undo
p2 x2
"""


def test_a_short_evening_of_shirinma(phone: Phone, service: Service) -> None:
    a_short_evening(phone, service, SHIRINMA)


@pytest.mark.integration
def test_a_short_evening_of_shippin(phone: Phone, service: Service) -> None:
    a_short_evening(phone, service, SHIPPIN)


@pytest.mark.integration
def test_a_short_evening_of_kakkuri(phone: Phone, service: Service) -> None:
    a_short_evening(phone, service, KAKKURI)


def a_short_evening(phone: Phone, service: Service, text: str) -> None:
    score = read_score(text)
    table = opened_by_taps(phone, service, score.opening["game"], len(score.opening["players"]))
    hand = Hand(phone, table, score.opening)
    (shown,) = score.checks
    hand.records(*score.events[: shown.after])
    hand.is_heard()
    phone.sees("outcome", "next-round")
    the_page_agrees(phone, table)
    hand.records(*score.events[shown.after :])
    hand.is_heard()
    the_page_agrees(phone, table)


def opened_by_taps(phone: Phone, service: Service, game: str, players: int) -> Table:
    """Choose the game, write the names, open."""
    phone.goes()
    phone.tap(f"new-game-{game}")
    phone.types("names", "\n".join(NAMES[:players]))
    phone.tap("open")
    phone.sees("open-round")
    return table_on(phone, service)
