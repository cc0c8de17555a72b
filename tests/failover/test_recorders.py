"""The model that the drill holds the log against finds what it is for."""

from __future__ import annotations

import random
from itertools import count

import pytest

from tests.crash.witnesses import Number
from tests.failover.recorders import Acknowledged, Recorder, longest_gap, wrong_in_log
from tests.service import Client


@pytest.fixture
def clients() -> list[Recorder]:
    """Two who recorded to one session in turn: one has been told of the first and the last, the other of the second."""
    told = [[Acknowledged(1.0, 0.1, {Number("n1"): 1}), Acknowledged(7.5, 4.0, {Number("n3"): 3})]]
    told.append([Acknowledged(2.0, 0.1, {Number("n2"): 2})])
    found = []
    for each in told:
        found.append(Recorder(Client(0), [], count(), random.Random(0)))
        found[-1].acknowledged = each
    return found


def test_a_log_as_it_was_told_is_right(clients: list[Recorder]) -> None:
    assert wrong_in_log([Number("n1"), Number("n2"), Number("n3")], clients) == []


@pytest.mark.parametrize(
    ("log", "what"),
    [
        (["n1", "n3"], "lost: n2"),
        (["n1", "n2", "n3", "n2"], "doubled: n2"),
        (["n1", "n2", "n3", "n4"], "strange: n4"),
        (["n2", "n1", "n3"], "moved: n1"),
        (["n3", "n2", "n1"], "out of order"),
    ],
)
def test_what_is_lost_doubled_strange_moved_or_out_of_order_is_found(
    clients: list[Recorder], log: list[str], what: str
) -> None:
    assert any(found.startswith(what) for found in wrong_in_log([Number(each) for each in log], clients))


def test_the_longest_gap_is_counted_over_all_and_up_to_both_ends(clients: list[Recorder]) -> None:
    assert longest_gap(clients, 0.5, 8.0) == 5.5
    assert longest_gap(clients, 2.5, 7.0) == 4.5
    assert longest_gap(clients, 0.5, 20.0) == 12.5
