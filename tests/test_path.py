"""What the benchmark counts of a report's path."""

from pathlib import Path

from tests.bench.path import files_of, paths_of_reports


def test_the_path_of_a_report_begins_at_the_application_and_passes_its_view_once(tmp_path: Path) -> None:
    (path,) = paths_of_reports(tmp_path / "ledger.db", 1)
    assert path[0] == ("ledger/app.py", "Service.wsgi_app", 0)
    assert [call.depth for call in path if call.function == "SQLiteLog.append"] != []
    assert [call.file for call in path if call.function == "record_events"] == ["ledger/api/events.py"]
    assert files_of(path)[0] == "ledger/app.py"
    assert len(files_of(path)) == len({call.file for call in path})


def test_what_is_a_call_in_one_release_of_python_alone_is_not_counted(tmp_path: Path) -> None:
    (path,) = paths_of_reports(tmp_path / "ledger.db", 1)
    assert not [call for call in path if call.function.endswith(("<listcomp>", "<dictcomp>", "<setcomp>"))]


def test_each_time_that_a_generator_goes_on_is_an_entry(tmp_path: Path) -> None:
    (path,) = paths_of_reports(tmp_path / "ledger.db", 1)
    assert [call.file for call in path if call.function == "limited"] == ["ledger/budget.py"] * 2
