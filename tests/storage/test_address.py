"""Where a database may be, and how an address is shown: never with its password."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.app import create_app
from ledger.config import BadSetting, Config
from ledger.storage import address
from ledger.storage.address import Address, BadAddress, open_store

WITH_PASSWORDS = [
    "mysql://aki:s/e:s@sesame@db.example/ledger",
    "mysql://a/ki:sesame@db.example/ledger",
    "mysql://:sesame@db.example/ledger",
    "mysql://db.example/ledger?user=aki&password=sesame",
    "mysql://db.example/ledger?sslPassword=open&sesame=1",
    "mysql:aki:sesame@db.example/ledger",
    '"mysql+x://aki:sesame@db.example/ledger"',
    "sqlite://aki:sesame@db.example/ledger.db",
]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- what is an address, and what is a path -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "file"),
    [
        ("evening.db", "evening.db"),
        ("sqlite:///books/evening.db", "books/evening.db"),
        ("sqlite:///a:b@c%20d.db", "a:b@c%20d.db"),
        ("./a:b.db", "a:b.db"),
        ("./odd://name.db", "odd:/name.db"),
        ("2026-11-21T12:00.db", "2026-11-21T12:00.db"),
        ("C:\\books\\evening.db", "C:\\books\\evening.db"),
        ("what now?.db", "what now?.db"),
        (Path("postgresql:evening.db"), "postgresql:evening.db"),
        ("木曜日.db", "木曜日.db"),
    ],
)
def test_the_books_are_in_the_file_that_is_named(given: str | Path, file: str, tmp_path: Path) -> None:
    store = open_store(given)
    store.engine.prepare()
    store.engine.close()
    assert (tmp_path / file).is_file()


def test_four_slashes_begin_at_the_root(tmp_path: Path) -> None:
    for given in (f"sqlite:///{tmp_path}/one.db", f"{tmp_path}/two.db"):
        open_store(given).engine.prepare()
    assert {file.name for file in tmp_path.glob("*.db")} == {"one.db", "two.db"}


@pytest.mark.parametrize(
    "given",
    [
        *WITH_PASSWORDS,
        *(
            "mysql://db.example/ledger",
            "mysql:ledger",
            "://db.example/ledger",
            "file:evening.db",
            "evening:thursday.db",
        ),
        *("sqlite:", "sqlite:evening.db", "sqlite://", "sqlite:///", "sqlite://books/evening.db", "sqlite:///:memory:"),
        *("sqlite:///evening.db?mode=memory", "sqlite+pysqlite:///evening.db", ":memory:", "", "nu\0l.db"),
    ],
)
def test_no_other_address_is_taken_for_a_path_and_nothing_is_made(given: str, tmp_path: Path) -> None:
    with pytest.raises(BadAddress):
        open_store(given)
    with pytest.raises(BadSetting, match=r"^LEDGER_DATABASE is .*sqlite:///beside/here.db") as refused:
        create_app({"LEDGER_DATABASE": given})
    assert "sesame" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


# --- how it is shown ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", WITH_PASSWORDS)
def test_a_password_is_not_shown(given: str) -> None:
    shown = address.without_password(given)
    assert "***" in shown
    assert "sesame" not in shown


@pytest.mark.parametrize("given", ["instance/ledger.db", "./a:b@c.db", "sqlite:////srv/books/ledger.db"])
def test_what_has_no_password_is_shown_as_it_is(given: str) -> None:
    assert str(Address(given)) == given


def test_settings_show_neither_password_nor_key() -> None:
    given = "postgresql://aki:sesame@db.example/ledger"
    config = Config.read({"LEDGER_DATABASE": given, "LEDGER_OPENING_KEY": "knock"})
    assert config.database.whole == given
    for text in (repr(config), str(config), repr(config.database), str(config.database)):
        assert "sesame" not in text
        assert "knock" not in text
