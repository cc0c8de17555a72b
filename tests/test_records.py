"""Records that are made anew with every event: how one comes of another, and that nobody changes one."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Annotated

import pytest

from ledger.play import Between, Transfer
from ledger.records import UNSET, Meta, Record, UnsetType, convert, field, fields_of, is_record, replace


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


def test_a_record_does_not_change() -> None:
    waiting = Waiting(pot=3)
    with pytest.raises(AttributeError, match="immutable"):
        waiting.pot = 4  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable"):
        del waiting.pot
    assert waiting == Waiting(pot=3)


def test_a_record_is_read_by_another_process_as_it_is() -> None:
    assert pickle.loads(pickle.dumps(Payment("p1", 3, note="late"))) == Payment("p1", 3, note="late")  # noqa: S301


class Payment(Record):
    payer: str = field(name="from")
    amount: Annotated[int, Between(1, 10), Meta(description="in whole chips", examples=[3], extra={"row": "TA-1"})]
    note: str | UnsetType = UNSET
    shares: Mapping[str, int] = field(default_factory=dict)


def test_the_fields_of_a_record_are_described_by_its_annotations() -> None:
    payer, amount, note, shares = fields_of(Payment)
    assert (payer.attribute, payer.name, payer.hint, payer.required) == ("payer", "from", str, True)
    assert amount.hint == Annotated[int, Between(1, 10)]
    assert (amount.description, amount.examples, amount.extra) == ("in whole chips", (3,), {"row": "TA-1"})
    assert note.default is not None
    assert note.default() is UNSET
    assert shares.default is not None
    assert shares.default() == {}
    assert [each.required for each in fields_of(Payment)] == [True, True, False, False]


def test_only_records_have_fields() -> None:
    assert is_record(Payment)
    assert not is_record(int)
    with pytest.raises(TypeError):
        fields_of(int)
