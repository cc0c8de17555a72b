"""No file to take home needs a temporary one: a disk without room is when people want their books."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from ledger.exports import FORMATS
from tests.exports.recorder import Recorder, an_evening


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_is_made_where_there_is_no_place_for_temporary_ones(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, form: str
) -> None:
    an_evening(recorder)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(FileNotFoundError):
        tempfile.TemporaryFile().close()
    assert recorder.takes_home(form)
