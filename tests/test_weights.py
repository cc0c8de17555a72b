"""What a session is said to take of memory is about what it takes."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from ledger.codec import event_from
from ledger.games import newest
from ledger.history import SessionState
from ledger.play import Event
from ledger.records import replace
from tests.bench.evening import events
from tests.session.tables import amend, chips, renamed, state, take_back

COUNT = 600


def rounds() -> Iterator[Event]:
    return (event_from(told, newest("shirinma")) for told in islice(events(), COUNT))


def notes() -> Iterator[Event]:
    return (replace(chips("bank", "p1", 1), note=f"{'😀' * 400}{number:100}") for number in range(COUNT))


def moves() -> Iterator[Event]:
    return (chips("bank", f"p{1 + number % 12}", 1 + number) for number in range(COUNT))


def names() -> Iterator[Event]:
    return (renamed("p1", f"{number:100}") for number in range(COUNT))


def corrections() -> Iterator[Event]:
    yield from islice(moves(), 100)
    yield from (amend(1, chips("bank", "p2", number)) for number in range(1, 200))
    yield from (take_back(100 + number) for number in range(1, 100))


@pytest.mark.parametrize("told", [rounds, notes, moves, names, corrections])
def test_a_session_takes_about_what_is_said(told: Callable[[], Iterator[Event]]) -> None:
    for event in islice(told(), 150):  # what is made once for all sessions
        state("shirinma").record(event, 1) if isinstance(event, type(chips("bank", "p1", 1))) else None
    on = state("shirinma")
    reports = told()
    gc.collect()
    tracemalloc.start()
    try:
        on = on.after((event, 1) for event in reports)
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
        assert taken / 2 < on.held < 3 * taken, f"{taken:,} with its past, said to be {on.held:,}"
        on = on.without_past()
        gc.collect()
        lasting = tracemalloc.get_traced_memory()[0]
        assert lasting / 2 < on.held < 3 * lasting, f"{lasting:,} without its past, said to be {on.held:,}"
    finally:
        tracemalloc.stop()


def test_the_past_is_let_go_while_a_long_session_is_folded(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = state("shirinma").after((event, 1) for event in rounds())
    assert whole.held > whole.lasting
    monkeypatch.setattr(SessionState.without_much_past, "__defaults__", (100_000,))
    lean = state("shirinma").after((event, 1) for event in rounds())
    assert lean.held - lean.lasting < 110_000 < whole.held - whole.lasting
    assert (lean.lasting, lean.table, lean.balances) == (whole.lasting, whole.table, whole.balances)
    assert lean.at(7).table == whole.at(7).table


def test_corrections_of_one_event_take_no_more_the_more_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each plays a hundred places again, which only the past has room for."""
    monkeypatch.setattr(SessionState.without_much_past, "__defaults__", (1_000_000,))
    on = state("shirinma").after((event, 1) for event in islice(moves(), 100))
    gc.collect()
    tracemalloc.start()
    try:
        on = on.after((amend(1, renamed("p1", f"{number}")), 1) for number in range(200))
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert on.seq == 300
    assert taken < 1_300_000, f"{taken:,}"
