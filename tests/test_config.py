"""Settings: their defaults, what is refused, unknown names, and that no secret is shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.app import create_app
from ledger.config import DEFAULTS, BadSetting, Config, shown_settings, unknown_settings

REFUSED = {
    "LEDGER_DATABASE": ("", "mysql://ledger"),
    "LEDGER_BIND": ("", "8000", "127.0.0.1:99999", "127.0.0.1:8000,[::1]", "unix:", "127.0.0.1:８０００"),
    "LEDGER_WORKERS": ("", "many", "0", "1.5", "100000"),
    "LEDGER_STREAMS": ("0", "9" * 30),
    "LEDGER_OPENING_KEY": ("開けゴマ", "se\u0301same", "sesame "),
    "LEDGER_BUSY_SECONDS": ("-1", "nan", "inf", "1e300"),
    "LEDGER_TIMEZONE": ("", "Asia/Tokio", "asia/tokyo", "America", "../etc/passwd"),
    "LEDGER_ORIGINS": ("cards.example", "*"),
    "LEDGER_BODY_BYTES": ("0", "1.5"),
    "LEDGER_IMPORT_BYTES": ("-5", "9" * 30),
    "LEDGER_RATE_LIMIT": ("", "often", "0", "0/minute", "5/week", "-1/minute"),
    "LEDGER_RATE_LIMIT_STORAGE": ("", "sesame", "mongodb://:sesame@x"),
    "LEDGER_PROXIES": ("-1", "10", "one", "١"),
    "LEDGER_KEEP_DAYS": ("", "0", "4000000"),
    "LEDGER_LOG": ("", "JSON"),
    "LEDGER_LOG_LEVEL": ("loud",),
    "LEDGER_LOG_REQUESTS": ("yes",),
}


@pytest.mark.parametrize(("variable", "value"), [(name, value) for name in REFUSED for value in REFUSED[name]])
def test_a_setting_that_cannot_be_is_refused_by_its_variable(variable: str, value: str) -> None:
    with pytest.raises(BadSetting, match=f"^{variable} is .") as refused:
        Config.read({variable: value})
    assert "same" not in str(refused.value)


def test_every_setting_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert DEFAULTS.keys() == REFUSED.keys()
    for variable in REFUSED:
        monkeypatch.delenv(variable, raising=False)
    assert Config.read() == Config()
    assert (str(Config().database), Config().workers) == ("instance/ledger.db", 2)
    assert not Config().keep_days


def test_settings_that_are_given_go_before_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEDGER_DATABASE", "elsewhere.db")
    config = create_app({"LEDGER_DATABASE": tmp_path / "given.db"}).extensions["config"]
    assert str(config.database) == str(tmp_path / "given.db")


def test_a_variable_that_is_no_setting_is_named_with_the_nearest_that_is_one_and_secrets_are_not_shown() -> None:
    told = [*unknown_settings({"LEDGER_WORKER": "3", "LEDGER_X": "", "LEDGER_BIND": "", "PATH": ""})]
    assert told == ["LEDGER_WORKER is no setting; is it LEDGER_WORKERS that is meant?", "LEDGER_X is no setting"]
    secrets = {"LEDGER_OPENING_KEY": "open://sesame", "LEDGER_RATE_LIMIT_STORAGE": "redis://:sesame@x"}
    shown = shown_settings(secrets | {"LEDGER_DATABASE": "postgresql://me:sesame@db/ledger"})
    assert "sesame" not in str(shown) + repr(Config.read({"LEDGER_OPENING_KEY": "sesame"}))
