"""A backup made under load, restored elsewhere: of each session it has the log up to some event, and that is whole.

Whatever was acknowledged before the backup began is in it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crash.test_kill import witnesses_at
from tests.crash.whole import whole
from tests.crash.witnesses import Number, Witness, at_work, so_much_is_answered
from tests.service import ROOT, Service

pytestmark = [pytest.mark.endurance, pytest.mark.timeout(600), pytest.mark.sqlite("backups are files")]

TIMES = 3


def command(database: Path, *words: str | Path) -> str:
    """Run `fuda-ledger` on a database, and give what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "ledger", *words],
        cwd=ROOT,
        env={**os.environ, "LEDGER_DATABASE": str(database)},
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_backup_made_under_load_is_restored_to_a_prefix_with_all_that_was_acknowledged_before(
    tmp_path: Path, figures: Callable[..., None]
) -> None:
    restored = [tmp_path / f"restored {time}.db" for time in range(TIMES)]
    before = list[list[dict[Number, int]]]()
    with Service(tmp_path / "ledger.db", workers=2) as service:
        witnesses = witnesses_at(service, seed=3)
        with at_work(service, witnesses):
            for place in restored:
                so_much_is_answered(witnesses, 100)
                before.append([dict(witness.acknowledged) for witness in witnesses])
                copy = place.with_suffix(".backup")
                command(Path(service.database), "backup", copy)
                command(place, "restore", copy)
        assert not any(witness.tally.broken for witness in witnesses)
    rows = [
        is_a_prefix(place, Path(service.database), witnesses, told)
        for place, told in zip(restored, before, strict=True)
    ]
    of_all = [sum(map(len, told)) for told in before]
    assert rows == sorted(rows)
    figures(backups=TIMES, acknowledged_before_each=of_all, events_in_each=rows)


def is_a_prefix(restored: Path, original: Path, witnesses: list[Witness], before: list[dict[Number, int]]) -> int:
    """Make sure that a copy is whole and begins as the original does; give how many events are in it."""
    command(restored, "verify")
    count = 0
    for session_id in {witness.owner.session_id: None for witness in witnesses}:
        rows, all_rows = whole(restored, session_id).rows, whole(original, session_id).rows
        assert rows == all_rows[: len(rows)]
        told = [seqs for witness, seqs in zip(witnesses, before, strict=True) if witness.owner.session_id == session_id]
        assert max((seq for seqs in told for seq in seqs.values()), default=0) <= len(rows)
        count += len(rows)
    return count
