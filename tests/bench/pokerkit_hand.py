"""How many hands PokerKit plays a second of the processor; run by the Python that has it (`peers.py`).

Six people sit at no-limit hold'em: one raises, four fold, one goes all in and is called, and two show their cards. The
goals were set beside a hand that takes as long.
"""

import sys
import time

from pokerkit import Automation, NoLimitTexasHoldem  # type: ignore[import-not-found]  # it has a home of its own

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
HOLES = ("AcAd", "KhKd", "7s2d", "QsJs", "9c9h", "5d4d")


def play() -> None:
    state = NoLimitTexasHoldem.create_state(AUTOMATIONS, True, 0, (50, 100), 100, 10_000, 6)  # noqa: FBT003
    for hole in HOLES:
        state.deal_hole(hole)
    state.complete_bet_or_raise_to(300)
    for _ in range(4):
        state.fold()
    state.complete_bet_or_raise_to(10_000)
    state.check_or_call()
    for board in ("Qh8c3s", "2c", "6h"):
        state.burn_card("??")
        state.deal_board(board)
    assert not state.status


if __name__ == "__main__":
    hands, began, seconds = 0, time.process_time(), float(sys.argv[1])
    while time.process_time() - began < seconds:
        play()
        hands += 1
    print(hands / (time.process_time() - began))
