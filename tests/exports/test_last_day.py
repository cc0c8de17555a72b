"""Books whose clock stood at the end of all days: earlier releases brought such files in, and they are still there."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ledger.exports import FORMATS
from tests.exports.recorder import Recorder
from tests.exports.test_beancount import balances, read
from tests.scorekeeper import event

THE_LAST_DAY = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@pytest.fixture
def late(recorder: Recorder) -> Recorder:
    recorder.opens(["Aki", "Ben"])
    recorder.reports(event("chips_moved", from_="p1", to="p2", amount=1), after=THE_LAST_DAY - recorder.now)
    return recorder


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/New_York"])
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_takes_the_last_day_home(late: Recorder, form: str, zone: str) -> None:
    assert late.takes_home(form, zone=zone)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_beancount_reads_the_last_day(late: Recorder, zone: str) -> None:
    assert balances(read(late.takes_home("beancount", zone=zone))) == {"p1": -1, "p2": 1}
