"""What corrections mean: which events of a log count, and in what order.

Bare lists of rows, which the plain history reads; what can be recorded, the real one is asked for too.
"""

from __future__ import annotations

from ledger.history import Address, Logged
from ledger.history.corrections import undone
from ledger.play import Event
from ledger.session import ChipsMoved, EventAmended, EventInserted, EventTakenBack, PlayerJoined
from tests.properties.plainly import amended, timeline
from tests.session.tables import later, state


def chips(amount: int) -> ChipsMoved:
    """An event that can be told apart by a number."""
    return ChipsMoved("bank", "p1", amount)


def take_back(seq: int) -> EventTakenBack:
    return EventTakenBack(seq=seq)


def amend(seq: int, amount: int) -> EventAmended:
    return EventAmended(seq, chips(amount))


def insert(after: int, amount: int) -> EventInserted:
    return EventInserted(after, chips(amount))


def log(*events: Event | int) -> list[Logged]:
    """A log, newest first; a number stands for an event that moves as many chips."""
    rows = [Logged(seq, chips(e) if isinstance(e, int) else e, 1) for seq, e in enumerate(events, 1)]
    rows.reverse()
    return rows


def gone(*events: Event | int) -> dict[int, int]:
    """Which rows were taken back, by which."""
    return {at.seq: by for at, by in undone(log(*events)).items()}


def described(logged: Logged) -> object:
    return logged.at, logged.event, logged.version, logged.newcomers


def counting(*events: Event | int) -> list[tuple[int, int]]:
    """The seq and the amount of every event that counts, in order."""
    plain = timeline(log(*events))
    recorded = later(state(), *(row.event for row in reversed(log(*events))))
    assert [described(slot) for slot in recorded.timeline.slots()] == [described(row) for row in plain]
    return [(row.at.seq, row.event.amount) for row in plain if isinstance(row.event, ChipsMoved)]


def test_events_count_in_the_order_they_were_reported() -> None:
    assert counting(10, 20, 30) == [(1, 10), (2, 20), (3, 30)]


def test_what_was_taken_back_does_not_count() -> None:
    assert counting(10, 20, 30, take_back(2)) == [(1, 10), (3, 30)]


def test_taking_back_a_take_back_restores_the_event() -> None:
    assert counting(10, 20, take_back(1), take_back(3)) == [(1, 10), (2, 20)]


def test_and_taking_that_back_undoes_it_again() -> None:
    assert counting(10, 20, take_back(1), take_back(3), take_back(4)) == [(2, 20)]


def test_who_took_an_event_back_is_known() -> None:
    assert gone(10, 20, take_back(1), take_back(2), take_back(4)) == {1: 3, 4: 5}


def test_of_several_take_backs_the_newest_that_stands_counts() -> None:
    assert gone(10, take_back(1), take_back(2), take_back(1)) == {1: 4, 2: 3}
    assert gone(10, take_back(1), take_back(1)) == {1: 3}


def test_a_take_back_that_names_nothing_takes_nothing_back() -> None:
    assert gone(10, EventTakenBack()) == {}


def test_an_amended_event_keeps_its_number_and_its_place() -> None:
    assert counting(10, 20, amend(1, 15)) == [(1, 15), (2, 20)]


def test_the_newest_amendment_counts() -> None:
    rows = log(10, amend(1, 15), amend(1, 17))
    assert amended(rows, undone(rows)) == {Address(1): rows[0]}
    assert later(state(), *(row.event for row in reversed(rows))).statuses(1) == {Address(1): ("amended", 3)}
    assert counting(10, amend(1, 15), amend(1, 17)) == [(1, 17)]


def test_without_the_newest_amendment_the_one_before_counts_again() -> None:
    assert counting(10, amend(1, 15), amend(1, 17), take_back(3)) == [(1, 15)]
    assert counting(10, amend(1, 15), amend(1, 17), take_back(2)) == [(1, 17)]
    assert counting(10, amend(1, 15), amend(1, 17), take_back(3), take_back(2)) == [(1, 10)]


def test_a_restored_amendment_counts_again() -> None:
    assert counting(10, amend(1, 15), take_back(2), take_back(3)) == [(1, 15)]


def test_an_amended_event_can_be_taken_back() -> None:
    assert counting(10, 20, amend(1, 15), take_back(1)) == [(2, 20)]
    assert counting(10, 20, amend(1, 15), take_back(1), take_back(4)) == [(1, 15), (2, 20)]


def test_an_inserted_event_stands_right_after_the_one_it_names() -> None:
    assert counting(10, 20, insert(1, 15)) == [(1, 10), (3, 15), (2, 20)]
    assert counting(10, 20, insert(2, 15)) == [(1, 10), (2, 20), (3, 15)]


def test_after_nothing_it_stands_first() -> None:
    assert counting(10, 20, insert(0, 5)) == [(3, 5), (1, 10), (2, 20)]


def test_of_two_inserted_in_one_place_the_later_stands_first() -> None:
    assert counting(10, 20, insert(1, 15), insert(1, 16)) == [(1, 10), (4, 16), (3, 15), (2, 20)]
    assert counting(10, insert(0, 5), insert(0, 6)) == [(3, 6), (2, 5), (1, 10)]


def test_an_event_can_be_inserted_after_an_inserted_one() -> None:
    assert counting(10, 20, insert(1, 15), insert(3, 16)) == [(1, 10), (3, 15), (4, 16), (2, 20)]


def test_an_inserted_event_can_be_amended_and_taken_back() -> None:
    assert counting(10, 20, insert(1, 15), amend(3, 16)) == [(1, 10), (3, 16), (2, 20)]
    assert counting(10, 20, insert(1, 15), take_back(3)) == [(1, 10), (2, 20)]


def test_what_stands_after_an_event_stays_there_when_the_event_goes() -> None:
    assert counting(10, 20, 30, insert(2, 25), take_back(2)) == [(1, 10), (4, 25), (3, 30)]
    assert counting(10, 20, insert(1, 15), insert(3, 16), take_back(3)) == [(1, 10), (4, 16), (2, 20)]


def test_events_reported_after_an_insertion_stand_after_all_before() -> None:
    assert counting(10, 20, insert(2, 25), 30) == [(1, 10), (2, 20), (3, 25), (4, 30)]


def test_an_amended_event_keeps_the_version_it_was_recorded_under() -> None:
    rows = [Logged(2, amend(1, 15), version=2), Logged(1, chips(10), version=1)]
    assert [(row.at.seq, row.version) for row in timeline(rows)] == [(1, 1)]


def test_an_inserted_event_has_the_version_of_its_own_day() -> None:
    rows = [Logged(2, insert(0, 15), version=2), Logged(1, chips(10), version=1)]
    assert [(row.at.seq, row.version) for row in timeline(rows)] == [(2, 2), (1, 1)]


def test_somebody_new_keeps_the_id_that_the_row_gave() -> None:
    joined = Logged(1, PlayerJoined(name="Zoe"), 1, ("p6",))
    inserted = Logged(2, EventInserted(0, PlayerJoined(name="Yui")), 1, ("p7",))
    assert [row.newcomers for row in timeline([inserted, joined])] == [("p7",), ("p6",)]
    corrected = Logged(3, EventAmended(1, PlayerJoined(name="Zoé")), 1, ("p6",))
    assert [row.newcomers for row in timeline([corrected, inserted, joined])] == [("p7",), ("p6",)]


def test_a_log_with_nothing_in_it_has_nothing_that_counts() -> None:
    assert timeline([]) == ()
