"""What is counted: by several processes, each in its own row, which outlives it."""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Callable, Iterator

import pytest

from ledger import meters
from ledger.meters import METERS, Counter, Gauge, Histogram, Meter, count_in_row, counted, counting, leave_row


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows in which nobody has counted yet."""

    fresh = memoryview(mmap.mmap(-1, 4 * meters.BYTES_A_ROW))
    monkeypatch.setattr(meters, "_shared", fresh)
    monkeypatch.setattr(meters, "MOST_ROWS", 4)
    monkeypatch.setattr(meters, "_here", meters._here)
    count_in_row(0)


@pytest.fixture
def made(rows: None) -> Iterator[list[Meter]]:
    """Meters of the test's own."""
    assert rows is None
    own: list[Meter] = [
        Counter("own_counter", "", ("kind",)),
        Gauge("own_gauge", ""),
        Histogram("own_histogram", "", ("kind",), (1, 10)),
    ]
    yield own
    for meter in own:
        del METERS[meter.name]


def numbers(name: str) -> dict[tuple[str, ...], list[float]]:
    return {labels: list(found) for labels, found in counted()[name]}


def elsewhere(place: int, does: Callable[[], None]) -> None:
    """Do something in a process of its own, that counts in another row."""
    child = os.fork()
    if not child:
        try:
            count_in_row(place)
            does()
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.waitpid(child, 0)


def test_the_sum_is_that_of_all_processes(made: list[Meter]) -> None:
    counter, gauge, histogram = made

    def counts() -> None:
        counter.add("a")  # type: ignore[attr-defined]
        counter.add("b", amount=2)  # type: ignore[attr-defined]
        gauge.put(5)  # type: ignore[attr-defined]
        for amount in (1, 2, 11):
            histogram.saw(amount, "a")  # type: ignore[attr-defined]

    counts()
    elsewhere(1, counts)
    elsewhere(2, counts)
    assert numbers("own_counter") == {("a",): [3], ("b",): [6]}
    assert numbers("own_gauge") == {(): [15]}
    assert numbers("own_histogram") == {("a",): [3, 3, 3, 42]}
    assert counting().keys() == {0, 1, 2}


def test_what_a_process_counted_outlives_it_and_is_counted_on_by_the_next(made: list[Meter]) -> None:
    counter, gauge, _ = made

    def counts() -> None:
        gauge.put(5)  # type: ignore[attr-defined]
        counter.add("a")  # type: ignore[attr-defined]

    def counts_in_another_order() -> None:
        counter.add("b")  # type: ignore[attr-defined]
        counts()

    elsewhere(1, counts)
    leave_row(1)
    assert (numbers("own_counter"), numbers("own_gauge")) == ({("a",): [1]}, {(): [0]})
    assert counting().keys() == {0}
    elsewhere(1, counts_in_another_order)
    assert (numbers("own_counter"), numbers("own_gauge")) == ({("a",): [2], ("b",): [1]}, {(): [5]})


def test_what_finds_no_room_harms_nothing(made: list[Meter], monkeypatch: pytest.MonkeyPatch) -> None:
    counter, _, histogram = made
    monkeypatch.setattr(meters, "NUMBERS", 80)
    count_in_row(1)
    for n in range(200):
        counter.add(str(n))  # type: ignore[attr-defined]
        histogram.saw(n, str(n))  # type: ignore[attr-defined]
    kept = numbers("own_counter")
    assert 0 < len(kept) < 200
    assert all(found == [1] for found in kept.values())
    assert all(sum(found[:-1]) == 1 for found in numbers("own_histogram").values())


def test_a_row_has_room_for_the_widest_meter_beyond_its_end() -> None:
    assert all(meter.size <= meters.MOST_SIDE_BY_SIDE for meter in METERS.values())


def test_what_another_release_counted_in_a_row_is_left_out(made: list[Meter]) -> None:
    counter = made[0]
    counter.add("a")  # type: ignore[attr-defined]
    meters._here.new_place("own_gone", ("x",), 3)
    meters._here.new_place("own_counter", ("of another size",), 3)
    counter.add("b")  # type: ignore[attr-defined]
    assert numbers("own_counter") == {("a",): [1], ("b",): [1]}
    assert "own_gone" not in counted()


def test_no_two_meters_have_one_name() -> None:
    every = [one for one in vars(meters).values() if isinstance(one, Meter)]
    assert len({one.name for one in every}) == len(every) == len(METERS)
