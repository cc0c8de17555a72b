"""Settings: read from the environment, defaults, and what is refused."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from ledger.app import create_app
from ledger.config import BadSetting, Config


def test_settings_have_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEDGER_DATABASE", raising=False)
    assert str(Config.read().database) == "instance/ledger.db"


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEDGER_DATABASE", "elsewhere.db")
    monkeypatch.setenv("LEDGER_WORKERS", "3")
    assert (str(Config.read().database), Config.read().workers) == ("elsewhere.db", 3)


def test_sessions_are_kept_for_ever_unless_somebody_says_how_long() -> None:
    assert Config.read({}).keep_days is None
    assert Config.read({"LEDGER_KEEP_DAYS": "400"}).keep_days == 400


def test_settings_that_are_given_go_before_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEDGER_DATABASE", "elsewhere.db")
    app = create_app({"LEDGER_DATABASE": tmp_path / "given.db"})
    assert str(app.extensions["config"].database) == str(tmp_path / "given.db")
    assert (tmp_path / "given.db").exists()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        *(("LEDGER_TIMEZONE", zone) for zone in ("", "Asia/Tokio", "asia/tokyo", "America", "../etc/passwd")),
        *(("LEDGER_RATE_LIMIT", rate) for rate in ("", "often", "0", "5/week", "-1/minute")),
        *(("LEDGER_PROXIES", count) for count in ("-1", "10", "one")),
        ("LEDGER_KEEP_DAYS", "0"),
        ("LEDGER_KEEP_DAYS", ""),
        ("LEDGER_WORKERS", "many"),
        ("LEDGER_WORKERS", "0"),
        ("LEDGER_BUSY_SECONDS", "-1"),
        ("LEDGER_BODY_BYTES", "1.5"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"{variable} is '{value}'"):
        Config.read({variable: value})


def test_a_time_zone_is_one_by_its_name_and_otherwise_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LEDGER_TIMEZONE", raising=False)
    assert Config.read().timezone == ZoneInfo("UTC")
    assert Config.read({"LEDGER_TIMEZONE": "Asia/Tokyo"}).timezone == ZoneInfo("Asia/Tokyo")


def test_a_time_zone_that_is_none_is_refused_in_one_sentence() -> None:
    with pytest.raises(BadSetting, match=r"^LEDGER_TIMEZONE is 'Tokyo'; it has to be the name of a time zone, as in"):
        Config.read({"LEDGER_TIMEZONE": "Tokyo"})
