"""How much of a session is played again, counted in calls of the rules: a few events, however long it has become."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

import pytest

from ledger.cards import read
from ledger.desk import Desk
from ledger.games.shirinma import BidPlaced, CardDealt
from ledger.history import SessionState, moments, settlement_of
from ledger.play import Event
from ledger.recording import Request
from ledger.session import Applied, CorrectionsMade, apply
from tests.properties.folding import same
from tests.session.tables import (
    amend,
    bets,
    chips,
    insert,
    later,
    newcomer,
    opening,
    renamed,
    shippin_round,
    shirinma_round,
    state,
    take_back,
)
from tests.store.memory import MemoryStore

A_SEGMENT = 64
"""A table is kept at least every so many events that count."""

ROUNDS, A_ROUND = 14, len(shirinma_round(bid=("p3", 10)))
THE_BID = 4
"""The place in a round of a bid that only changes who holds what after it."""


class Long(NamedTuple):
    """A session of several hundred events, of which the row `corrected` changed chips of long before.

    `card` is the row of a card that was dealt near its end.
    """

    state: SessionState
    corrected: int
    card: int


def played(number: int) -> list[Event]:
    """A round of a session, the deal going round the table."""
    first = (number - 1) % 12 + 1
    return shirinma_round(first=first, bid=(f"p{(first + 1) % 12 + 1}", 10))


def a_round_and_chips_beside() -> Long:
    """Whole rounds, then chips that are moved a hundred times."""
    half = ROUNDS // 2
    on = later(state("shirinma"), *(event for number in range(1, half + 1) for event in played(number)))
    on = later(on, amended_bid(half - 1, 11))
    corrected = on.seq
    on = later(on, *(event for number in range(half + 1, ROUNDS + 1) for event in played(number)))
    return Long(later(on, *moves(100)), corrected, on.seq - 1)


def an_open_round() -> Long:
    """A round with chips that are moved after each card, of which some are amended half-way."""
    on = later(state("shirinma"), *played(1), *played(2))
    opened, field, *cards = played(3)[:-1]
    half, begun = len(cards) // 2, on.seq
    on = later(on, opened, field, *(event for card in cards[:half] for event in (card, *moves(8))))
    on = later(on, amend(begun + 4, chips("bank", "p5", 500)))
    corrected = on.seq
    on = later(on, *(event for card in cards[half:] for event in (card, *moves(8))))
    assert on.seq - begun > 200
    return Long(on, corrected, on.seq - 8)


def moves(count: int, seats: int = 12) -> list[Event]:
    return [chips("bank", f"p{1 + number % seats}", 1 + number) for number in range(count)]


def amended_bid(number: int, amount: int) -> Event:
    place = (number - 1) * A_ROUND + THE_BID
    bid = played(number)[THE_BID - 1]
    assert isinstance(bid, BidPlaced)
    return amend(place, BidPlaced(bid.player, amount))


@pytest.fixture(scope="module", params=[a_round_and_chips_beside, an_open_round], ids=["chips beside", "open round"])
def long(request: pytest.FixtureRequest) -> Long:
    session: Long = request.param()
    return session


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[Event]:
    """The events that the history has applied to a table."""
    events: list[Event] = []

    def watched(table: Any, event: Event, *more: Any) -> Applied:
        events.append(event)
        return apply(table, event, *more)

    users = [name for name, module in sys.modules.items() if getattr(module, "apply", None) is apply]
    users = [name for name in users if name.startswith("ledger.history.")]
    assert users
    for name in users:
        monkeypatch.setattr(f"{name}.apply", watched)
    return events


# --- what is near the end -------------------------------------------------------------------------------------------


def test_an_event_is_applied_once(long: Long, applied: list[Event]) -> None:
    later(long.state, *moves(3))
    assert applied == moves(3)


def test_any_state_since_the_last_correction_is_a_segment_away(long: Long, applied: list[Event]) -> None:
    on, corrected, _ = long
    for seq in range(corrected, on.seq + 1):
        applied.clear()
        assert on.at(seq).seq == seq
        assert len(applied) <= A_SEGMENT, seq


def test_undo_plays_a_segment(long: Long, applied: list[Event]) -> None:
    on = long.state
    undone = later(on, take_back())
    assert len(applied) <= A_SEGMENT
    assert undone.balances != on.balances
    applied.clear()
    for _ in range(5):
        undone = later(undone, take_back())
    assert len(applied) <= 5 * A_SEGMENT


def test_amending_one_of_the_last_cards_plays_a_segment_and_what_follows(long: Long, applied: list[Event]) -> None:
    on, _, card = long
    player = next(row.event for row in on.rows() if row.seq == card).player  # type: ignore[attr-defined]
    later(on, amend(card, CardDealt(player, read("clubs-11"))))
    assert len(applied) <= A_SEGMENT + on.seq - card + 1


def test_corrections_made_together_near_the_end_play_a_segment(long: Long, applied: list[Event]) -> None:
    on = long.state
    last = on.seq
    parts = amend(last - 1, chips("bank", "p1", 500)), take_back(last), insert(last - 2, chips("p1", "p2", 3))
    later(on, CorrectionsMade(parts))
    assert len(applied) <= A_SEGMENT + len(parts)


def test_what_is_only_seen_before_is_played_no_more_than_what_is_recorded(long: Long, applied: list[Event]) -> None:
    on = long.state
    once = later(on, *moves(1))
    assert len(applied) == 1
    again = later(on, *moves(1))
    assert len(applied) == 2
    same(once, again)


def test_what_is_read_off_a_session_is_not_played_again(long: Long, applied: list[Event]) -> None:
    on, corrected, card = long
    on.rounds(on.table.rounds - 20)
    settlement_of(on, None)
    for seq in (1, corrected, card, on.seq):
        on.statuses(seq)
        on.round_of(seq)
        on.ended_since(seq)
    assert len(applied) <= A_SEGMENT
    applied.clear()
    of_round = list(moments(on, on.table.rounds - 1))
    assert len(applied) <= len(of_round) + A_SEGMENT


def test_amendments_of_one_event_take_no_more_calls_the_more_there_are() -> None:
    on = later(state("shirinma"), *moves(5))
    calls = list[int]()
    for number in range(200):
        with counted_calls() as counted:
            on = on.record(amend(1, chips("bank", "p1", 1 + number)), 1).state
        calls.append(counted["ledger"])
    assert calls[-1] <= 1.5 * calls[1], (calls[1], calls[-1])


def test_an_earlier_event_is_found_in_calls_that_grow_as_what_was_inserted_later() -> None:
    on, calls = later(state("shirinma"), *moves(5)), list[int]()
    for _ in range(2):
        on = later(on, *(insert(1, chips("bank", "p1", 1)) for _ in range(200)))
        with counted_calls() as counted:
            on.at(3)
        calls.append(counted["ledger"])
    assert calls[1] <= 2.5 * calls[0], calls


def test_undo_after_undo_takes_no_more_calls_the_more_there_are() -> None:
    on = later(state("shirinma"), *moves(600))
    calls = list[int]()
    for _ in range(300):
        with counted_calls() as counted:
            on = on.record(take_back(), 1).state
        calls.append(counted["ledger"])
    assert max(calls[-64:]) <= 2 * max(calls[:64]), (max(calls[:64]), max(calls[-64:]))


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """Count the calls of our functions, by package."""
    calls = Counter[str]()

    def seen(frame: FrameType, what: str, _value: object) -> None:
        if what == "call":
            calls[frame.f_globals.get("__name__", "").partition(".")[0]] += 1

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        yield calls
    finally:
        sys.setprofile(before)


# --- what is far back -----------------------------------------------------------------------------------------------


def test_an_earlier_line_is_played_where_it_differed(long: Long, applied: list[Event]) -> None:
    """What the correction changed is played as it was, and a segment beside it; nothing else."""
    on, corrected, _ = long
    for seq in (corrected - 1, corrected - 2, corrected - A_ROUND, 30, 1):
        applied.clear()
        earlier = on.at(seq)
        assert len(applied) <= A_ROUND + 3 * A_SEGMENT, seq
        assert earlier.seq == seq


def test_a_correction_of_the_first_round_ends_with_that_round(applied: list[Event]) -> None:
    on = a_round_and_chips_beside().state
    applied.clear()
    amended = later(on, amended_bid(1, 12))
    assert len(applied) <= A_ROUND + A_SEGMENT
    assert amended.balances != on.balances


def test_a_correction_that_changes_all_that_follows_applies_each_event_once(applied: list[Event]) -> None:
    on = a_round_and_chips_beside().state
    applied.clear()
    called = renamed("p1", "Zoe")
    amended = later(on, insert(0, called))
    assert amended.table.players[0].name == "Zoe"
    assert applied.count(called) == 1
    assert len(applied) <= on.seq


def test_what_was_worked_out_ahead_is_not_played_again(applied: list[Event]) -> None:
    """Others moved chips meanwhile: that is all that is played, for each of two corrections."""
    on = a_round_and_chips_beside().state
    reports = [(insert(0, renamed("p1", "Zoe")), 1), (amended_bid(2, 12), 1)]
    ahead = list(on.record_all(reports))
    now = later(on, *moves(3))
    applied.clear()
    *_, rebased = now.record_all(reports, ahead=ahead)
    assert len(applied) <= 2 * A_SEGMENT
    same(rebased.state, later(now, *(report for report, _ in reports)))


# --- worked out ahead -----------------------------------------------------------------------------------------------


CORRECTED: dict[str, Sequence[Event]] = {
    "amended": [amend(2, bets("p3:1")[0])],
    "taken back": [take_back(6)],
    "inserted": [insert(0, chips("bank", "p2", 7))],
    "several at once": [
        CorrectionsMade((insert(1, chips("bank", "p1", 5)), amend(2, bets("p3:1")[0]), insert(4, chips("p2", "p1", 9))))
    ],
    "somebody joins": [insert(4, newcomer("Zoe"))],
    "one after the other": [chips("bank", "p1", 3), amend(6, bets("p3:2")[0]), insert(0, renamed("p1", "Zoe"))],
}
MEANWHILE: dict[str, Sequence[Event]] = {
    "nothing": [],
    "chips": moves(3, 3),
    "many": moves(150, 3),
    "a round": shippin_round("p2:1"),
    "somebody joins": [newcomer("Ann")],
    "another correction": [amend(6, bets("p3:3")[0])],
    "an insertion": [insert(0, chips("bank", "p3", 2))],
    "an undo": [take_back()],
}


@pytest.mark.parametrize("said", CORRECTED.values(), ids=CORRECTED)
@pytest.mark.parametrize("meanwhile", MEANWHILE.values(), ids=MEANWHILE)
def test_what_was_worked_out_ahead_comes_to_the_same(said: Sequence[Event], meanwhile: Sequence[Event]) -> None:
    on = later(state(seats=3), *shippin_round("p2:1"), *shippin_round("p3:1"), *moves(80, 3), *shippin_round("p2:1"))
    reports = [(event, 1) for event in said]
    ahead, now = list(on.record_all(reports)), later(on, *meanwhile)
    plainly, again = list(now.record_all(reports)), list(now.record_all(reports, ahead=ahead))
    assert [(one.row.event, one.entries) for one in again] == [(one.row.event, one.entries) for one in plainly]
    same(again[-1].state, plainly[-1].state)
    for seq in range(now.seq + len(said)):
        same(again[-1].state.at(seq), plainly[-1].state.at(seq))


# --- as the service asks --------------------------------------------------------------------------------------------


@pytest.fixture
def desk() -> Desk:
    return Desk(MemoryStore())


@pytest.fixture
def session(desk: Desk) -> str:
    """A session that was recorded at the desk, with a keyed report before the last hundred events."""
    session_id = desk.open(opening("shirinma"))[0].id
    reports = [event for number in range(1, ROUNDS + 1) for event in played(number)]
    desk.recorder.record(session_id, reports, Request(by="test"))
    desk.recorder.record(session_id, moves(3), KEYED)
    desk.recorder.record(session_id, moves(100), Request(by="test"))
    return session_id


KEYED = Request(by="test", key="a key", fingerprint=b"request")


def test_a_repeat_plays_a_segment(desk: Desk, session: str, applied: list[Event]) -> None:
    """What was before it is not played as well, which would be half as much again where it is in mid-segment."""
    applied.clear()
    assert desk.recorder.record(session, moves(3), KEYED).replayed
    once = len(applied)
    assert once <= A_SEGMENT
    applied.clear()
    desk.session(session, at=ROUNDS * A_ROUND + 3)
    assert once == len(applied)


def test_a_repeat_of_the_last_report_plays_nothing(desk: Desk, session: str, applied: list[Event]) -> None:
    keyed = Request(by="test", key="the last", fingerprint=b"request")
    first = desk.recorder.record(session, moves(2), keyed)
    applied.clear()
    again = desk.recorder.record(session, moves(2), keyed)
    assert (again.events, again.entries, again.replayed) == (first.events, first.entries, True)
    assert applied == []


def test_a_repeat_of_an_undo_plays_what_was_before_it(desk: Desk, session: str, applied: list[Event]) -> None:
    keyed = Request(by="test", key="an undo", fingerprint=b"request")
    first = desk.recorder.record(session, [take_back()], keyed)
    applied.clear()
    again = desk.recorder.record(session, [take_back()], keyed)
    assert (again.changes, again.entries, again.replayed) == (first.changes, first.entries, True)
    assert 0 < len(applied) <= A_SEGMENT


def test_a_session_at_an_earlier_event_plays_a_segment(desk: Desk, session: str, applied: list[Event]) -> None:
    applied.clear()
    assert desk.session(session, at=ROUNDS * A_ROUND - 3).state.seq == ROUNDS * A_ROUND - 3
    assert len(applied) <= A_SEGMENT


def test_a_dry_run_plays_what_the_recording_plays(desk: Desk, session: str, applied: list[Event]) -> None:
    """Of the last events; nothing is played once more when it is our turn to write, nor to tell what changed."""
    for report in (*moves(1), take_back(), amended_bid(1, 12)):
        applied.clear()
        desk.recorder.record(session, [report], Request(by="test", dry_run=True))
        before, in_all = len(applied), A_SEGMENT + A_ROUND
        assert before <= in_all
        desk.recorder.record(session, [report], Request(by="test"))
        assert len(applied) - before <= before
