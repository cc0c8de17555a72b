"""Records that are made anew with every event: how one comes of another, and that nobody changes one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.play import Transfer
from ledger.records import Record, convert, replace


class Waiting(Record, kw_only=True):
    pot: int
    players: tuple[str, ...] = ()


class Bidding(Waiting, kw_only=True):
    bids: tuple[int, ...] = (1,)


class Closed(Waiting, kw_only=True):
    winner: str


def test_a_record_becomes_another_that_knows_what_both_know() -> None:
    waiting = Waiting(pot=3, players=("p1", "p2"))
    assert convert(Bidding, waiting, pot=5) == Bidding(pot=5, players=("p1", "p2"), bids=(1,))
    assert convert(Waiting, Bidding(pot=3, bids=(7,))) == Waiting(pot=3)
    assert waiting == Waiting(pot=3, players=("p1", "p2"))


def test_a_record_becomes_another_only_with_all_that_it_needs() -> None:
    assert convert(Closed, Waiting(pot=3), winner="p1") == Closed(pot=3, winner="p1")
    with pytest.raises(TypeError):
        convert(Closed, Waiting(pot=3))
    with pytest.raises(TypeError):
        convert(Waiting, Closed(pot=3, winner="p1"), winner="p2")


def test_a_record_is_made_again_with_changes_and_stays_as_it_was() -> None:
    before = Bidding(pot=3)
    assert replace(before, pot=0, bids=()) == Bidding(pot=0, bids=())
    assert before == Bidding(pot=3)
    with pytest.raises(TypeError):
        replace(before, winner="p1")  # type: ignore[call-arg]


def test_what_a_record_checks_is_checked_of_one_made_of_another() -> None:
    with pytest.raises(ValueError, match="not a transfer"):
        replace(Transfer("p1", "p2", 3, "bet"), payee="p1")


def test_records_are_alike_if_all_their_fields_are() -> None:
    assert Waiting(pot=3) == Waiting(pot=3) != Waiting(pot=4)
    assert len({Waiting(pot=3), Waiting(pot=3), Bidding(pot=3)}) == 2


if TYPE_CHECKING:  # mypy would say that nothing is to be ignored here, could a field be changed
    Waiting(pot=3).pot = 4  # type: ignore[misc]
