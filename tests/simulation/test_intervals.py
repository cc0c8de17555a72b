"""How far figures may be off: against the books, against evenings counted by hand, and by trying it out."""

from __future__ import annotations

from math import sqrt
from random import Random
from statistics import stdev

import pytest

from ledger.simulation.intervals import Interval, difference, quotient, student, wilson
from ledger.simulation.sums import Moments


def moments(*evenings: tuple[int, ...]) -> Moments:
    made = Moments.of(len(evenings[0]))
    for evening in evenings:
        made.add(evening)
    return made


@pytest.mark.parametrize(
    ("times", "of", "low", "high"),
    [  # Newcombe (1998), table I, method 3; and Wilson's own of nothing and of all
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_wilsons_interval_is_that_of_the_books(times: int, of: int, low: float, high: float) -> None:
    assert wilson(times, of) == pytest.approx(Interval(low, high), abs=5e-5)


@pytest.mark.parametrize(("freedom", "quantile"), [(9, 2.262), (14, 2.145), (29, 2.045), (99, 1.984), (10**9, 1.960)])
def test_students_quantile_is_that_of_the_books(freedom: int, quantile: float) -> None:
    assert student(freedom) == pytest.approx(quantile, abs=1e-3)


def test_of_evenings_that_are_alike_in_length_it_is_the_interval_of_their_mean() -> None:
    sums = [3, 5, 8, 2, 9, 4, 4, 7, 1, 6, 5, 3]
    interval = quotient(moments(*((each, 10) for each in sums)), len(sums))
    mean, error = sum(sums) / 120, stdev(each / 10 for each in sums) / sqrt(len(sums))
    assert interval == pytest.approx(Interval(mean - student(11) * error, mean + student(11) * error))


def test_differences_are_told_evening_by_evening() -> None:
    """One table has two more of it each evening: that is certain, however the evenings differ."""
    first = [(each + 2, 10, each, 10) for each in (3, 5, 8, 2, 9, 4, 4, 7, 1, 6)]
    assert difference(moments(*first), 10) == pytest.approx(Interval(0.2, 0.2))
    pairs = [(3, 10, 4, 10), (5, 10, 5, 10), (8, 10, 2, 10), (2, 10, 9, 10), (6, 10, 1, 10)] * 2
    each = [(one - other) / 10 for one, _, other, _ in pairs]
    half = student(9) * stdev(each) / sqrt(10)
    mean = sum(each) / 10
    assert difference(moments(*pairs), 10) == pytest.approx(Interval(mean - half, mean + half))


def test_what_is_the_same_every_evening_differs_by_nothing_at_all() -> None:
    assert difference(moments(*((each, 7, each, 7) for each in range(12))), 12) == Interval(0.0, 0.0)


def test_from_a_few_evenings_nothing_is_told() -> None:
    assert quotient(moments(*[(1, 2)] * 9), 9) is None
    assert quotient(moments(*[(1, 2)] * 10), 10) is not None


def test_moments_are_added_up_in_any_order() -> None:
    evenings = [(each, 3 * each + 1, each * each, 7) for each in range(20)]
    one, other = moments(*evenings[::2]), moments(*evenings[1::2])
    other.merge(one)
    assert other == moments(*evenings)
    assert other.totals[0] == sum(range(20))
    assert other.products[1] == sum(each * (3 * each + 1) for each in range(20))


def test_an_interval_has_the_truth_in_95_of_100_though_what_happens_in_an_evening_hangs_together() -> None:
    """Evenings of a lucky or unlucky table, 3 to 20 rounds each: counted round by round, far too few would have it."""
    chance, found, by_rounds = Random(3), 0, 0
    for _ in range(600):
        made = Moments.of(2)
        for _ in range(40):
            rounds, luck = chance.randint(3, 20), chance.choice((0.2, 0.8))
            made.add((sum(chance.random() < luck for _ in range(rounds)), rounds))
        interval = quotient(made, 40)
        assert interval
        found += interval.low <= 0.5 <= interval.high
        alone = wilson(*made.totals)
        by_rounds += alone.low <= 0.5 <= alone.high
    error = sqrt(0.95 * 0.05 / 600)
    assert abs(found / 600 - 0.95) < 4 * error
    assert by_rounds / 600 < 0.8


def test_wilsons_interval_has_the_truth_in_95_of_100() -> None:
    for chance in (0.03, 0.4):
        random, found = Random(5), 0
        for _ in range(1000):
            interval = wilson(sum(random.random() < chance for _ in range(200)), 200)
            found += interval.low <= chance <= interval.high
        assert abs(found / 1000 - 0.95) < 0.03
