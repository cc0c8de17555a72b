"""What witnesses count as lost, doubled, torn, moved or strange, tried on logs that are so."""

from __future__ import annotations

import random
from itertools import count
from typing import Any

import pytest

from tests.crash.witnesses import Losses, Number, Report, Witness, links_are_as_told, log_is_as_told
from tests.scorekeeper import event
from tests.service import Client


class Told(Client):
    """A client that is told a list of our choice, and that the session is whole or not."""

    def __init__(self, *told: Any, findings: Any = ()) -> None:
        super().__init__(0)
        self._told, self._findings = told, findings

    def looks(self, where: str = "") -> Any:
        noun = where[1:].partition("?")[0]
        return {"findings": self._findings, noun: self._told, "next": None}


def witness() -> Witness:
    """Somebody who was told of n1 and n2, and was not answered about n3 with n4, nor about a link."""
    them = Witness(Client(0), count(), random.Random(0))
    them.acknowledged = {Number("n1"): 1, Number("n2"): 2}
    them.unanswered = [Report([event("chips_moved", note="n3"), event("chips_moved", note="n4")], None)]
    them.links = {"link n5": "abc"}
    return them


def counted(*log: str, findings: Any = ()) -> Losses:
    losses = Losses()
    log_is_as_told(Told(*({"note": number} for number in log), findings=findings), [witness()], losses)
    return losses


@pytest.mark.parametrize(("log", "kept"), [(("n1", "n2"), 0), (("n1", "n2", "n3", "n4"), 2)])
def test_what_was_not_answered_may_be_there_as_a_whole(log: tuple[str, ...], kept: int) -> None:
    losses = counted(*log)
    assert not losses.wrong
    assert (losses.acknowledged, losses.unanswered, losses.kept_unanswered) == (2, 2, kept)


@pytest.mark.parametrize(
    ("log", "wrong"),
    [
        (("n1",), {"lost": 1}),
        (("n1", "n2", "n2"), {"doubled": 1, "moved": 1}),
        (("n2", "n1"), {"moved": 2}),
        (("n1", "n2", "n3"), {"torn": 1}),
        (("n1", "n2", "n4", "n3"), {"torn": 1}),
        (("n1", "n2", "n3", "n4", "n3", "n4"), {"doubled": 2}),
        (("n1", "n2", "n9"), {"strange": 1}),
    ],
)
def test_what_is_wrong_is_counted(log: tuple[str, ...], wrong: dict[str, int]) -> None:
    assert counted(*log).wrong == wrong


def test_a_log_that_verify_finds_something_in_is_not_whole() -> None:
    assert counted("n1", "n2", findings=["a hash"]).wrong == {"not whole": 1}


@pytest.mark.parametrize(
    ("links", "right"),
    [
        ([(None, "1"), ("link n5", "abc")], True),
        ([(None, "1")], False),
        ([("link n5", "abc"), ("link n5", "abd")], False),
        ([("link n5", "abc"), ("link n6", "abd")], False),
    ],
)
def test_a_link_is_there_once_and_nobody_else_made_one(links: list[tuple[str | None, str]], *, right: bool) -> None:
    losses = Losses()
    links_are_as_told(Told(*({"label": label, "id": id_} for label, id_ in links)), [witness()], losses)
    assert (not losses.wrong) == right
