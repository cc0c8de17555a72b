"""What a session is said to take of memory is about what it takes."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import islice

import pytest

from ledger.codec import event_from, read_event, write_event
from ledger.games import GAMES, newest
from ledger.history import SessionState
from ledger.play import Event
from ledger.records import replace
from schemas.sessions import OpeningSchema
from tests.bench.evening import events
from tests.bench.folded import KINDS
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
        assert taken / 2 < on.held < 2 * taken, f"{taken:,}, said to be {on.held:,}"
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", KINDS)
def test_fifty_thousand_events_from_the_log_fit_into_forty_megabytes(name: str) -> None:
    """By Python's own count of the objects; a tenth of them, as all are alike."""
    kind, count = KINDS[name], 5_000
    opening = OpeningSchema().load(kind.opening)
    book = newest(opening.game)
    rows = [write_event(event_from(report, book)) for report in islice(kind.reports(), count)]
    begun = SessionState.opened(GAMES[opening.game], opening)
    begun.after((read_event(row.type, row.body, row.texts, book), book.version) for row in rows[:500])
    gc.collect()
    tracemalloc.start()
    try:
        on = begun.after((read_event(row.type, row.body, row.texts, book), book.version) for row in rows)
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert on.seq == count
    assert taken * (50_000 // count) <= 40 * 2**20, f"{taken // count} bytes an event"
    assert taken / 2 < on.held < 2 * taken, f"{taken:,}, said to be {on.held:,}"


def test_corrections_of_one_event_take_no_more_the_more_there_are() -> None:
    """Each plays a hundred slots again, and what it does not change stays as it is."""
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
    assert taken < 500_000, f"{taken:,}"
