"""Every evening of `tests/rounds` again, recorded on the page: each game, each deck, auctions, forfeits, corrections.

What a page has buttons for in the middle of a round is tapped. The rest is recorded by another phone, and the page has
to follow. Wherever the text expects something, it is so in the books, and on the page.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.expectations import read_score
from tests.page.hand import Hand
from tests.page.phone import Phone
from tests.page.seen import the_page_agrees
from tests.page.table import Table
from tests.service import Service
from tests.test_rounds import SESSIONS, Seen, compare

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("path", SESSIONS.values(), ids=SESSIONS)
def test_an_evening_worked_out_by_hand_is_recorded_by_taps(path: Path, phone: Phone, service: Service) -> None:
    score = read_score(path.read_text("utf-8"))
    opening = dict(score.opening)
    table = Table.opened(service, opening.pop("game"), opening.pop("players"), **opening)
    phone.sits_down(table)
    phone.stands_at(0)
    hand = Hand(phone, table, score.opening)
    done = 0
    for check in score.checks:
        if check.after > done:
            hand.records(*score.events[done : check.after])
            hand.is_heard()
            the_page_agrees(phone, table)
            done = check.after
        compare(Seen(table.looks(), table.newest_round()), check)
