"""Files are made piece by piece, so that others go first in between and nobody waits long for the first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from ledger import budget
from ledger.budget import TakesTooLong, breathe, limited
from ledger.exports import FORMATS, file_of
from ledger.exports.pieces import BYTES_A_PIECE, at_leisure, in_pieces
from ledger.exports.wanted import Wanted
from tests.exports.recorder import Recorder, an_evening


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that were made for others; every time somebody could go first, they do."""
    made: list[float] = []
    monkeypatch.setattr(budget, "SLICE_SECONDS", 0)
    monkeypatch.setattr(budget.time, "sleep", made.append)  # type: ignore[attr-defined]
    return made


def test_the_first_line_goes_by_itself_and_the_rest_in_large_pieces() -> None:
    lines = [b"first\n", *[b"x" * 999 + b"\n"] * 200]
    first, *others, last = in_pieces(lines)
    assert first == b"first\n"
    assert b"".join([first, *others, last]) == b"".join(lines)
    assert all(BYTES_A_PIECE < len(piece) < BYTES_A_PIECE + 2_000 for piece in others)


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_lets_others_go_first(recorder: Recorder, form: str, pauses: list[float]) -> None:
    an_evening(recorder)
    assert b"".join(file_of(recorder.archive, form, Wanted()).pieces)
    assert pauses


def busy(seconds: float) -> Iterator[bytes]:
    """Take so long for a piece, saying now and then that others may go first."""
    yield b"begun"
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        breathe()
    yield b"done"


def test_an_export_is_not_refused_however_long_it_takes() -> None:
    with limited(0.01):
        assert b"".join(at_leisure(busy(0.05))) == b"begundone"


def test_an_export_leaves_the_budget_of_its_asker_alone() -> None:
    pieces = at_leisure(busy(0))
    with limited(0.01):
        assert next(pieces) == b"begun"
        with pytest.raises(TakesTooLong):
            list(busy(10))
    assert list(pieces) == [b"done"]


def test_a_piece_that_waits_to_be_sent_is_no_work_under_way() -> None:
    """Works under way share the time before others go first."""

    def long() -> Iterator[bytes]:
        for _ in range(2):
            time.sleep(2 * budget.SLICE_SECONDS)
            breathe()
            assert budget.Budget.long
            yield b"piece"

    pieces = at_leisure(long())
    assert next(pieces) == next(pieces) == b"piece"
    assert not budget.Budget.long


def test_pieces_may_be_asked_for_by_one_and_given_up_by_another() -> None:
    pieces = at_leisure(busy(1))
    with ThreadPoolExecutor(1) as other:
        assert other.submit(next, pieces).result() == b"begun"
    pieces.close()
    assert list(pieces) == []
