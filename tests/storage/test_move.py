"""Sessions moved from one database to another, there and back: what a service tells of them is the same everywhere."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ledger.app import create_app
from ledger.cli import main
from ledger.storage.address import open_store
from tests.scorekeeper import Json, Scorekeeper, event
from tests.storage.conftest import Addresses

TOLD = ("", "/events", "/ledger", "/rounds", "/settlement", "/statistics", "/links", "/verify", "/export.json")


def moved(source: str, target: str, exit_code: int = 0) -> Any:
    """Move all from one address to another, and give what became of each session."""
    done = CliRunner().invoke(main, ["move", target, "--json"], env={"LEDGER_DATABASE": source})
    assert done.exit_code == exit_code, done.output
    return json.loads(done.stdout)["sessions"]


def asks(keeper: Scorekeeper, address: str, work: Callable[[Scorekeeper], Any]) -> Any:
    """Do something with the service on a database."""
    app = create_app({"LEDGER_DATABASE": address})
    keeper.client = app.test_client()
    try:
        return work(keeper)
    finally:
        app.extensions["session_service"].store.engine.close()


def tells(keeper: Scorekeeper) -> Mapping[str, Json]:
    return {place: keeper.looks(place) for place in TOLD}


def requests(keeper: Scorekeeper) -> list[Json]:
    """Open a session, make a link and report something, each with a key, so that a repeat finds what was done."""
    opening = {"game": "shippin", "players": ["Aki", "Ben", "Chie", "Dai", "Emi"], "name": "Aki's birthday"}
    key = {"Idempotency-Key": "of an opening, a link and a report"}
    opened = keeper.client.post("/v1/sessions", json=opening, headers=key)
    keeper.session_id, keeper.token = opened.get_json()["session"]["id"], opened.get_json()["link"]["token"]
    headers = {**keeper.headers(), "Idempotency-Key": "of a link in this session"}
    link = keeper.client.post(f"{keeper.address}/links", json={"role": "scorer", "label": "a phone"}, headers=headers)
    report = keeper.tries(event("chips_moved", from_="bank", to="p2", amount=3), Idempotency_Key="of a report in it")
    assert all(answer.status_code < 300 for answer in (opened, link, report)), (opened.text, link.text, report.text)
    return [answer.get_json() for answer in (opened, link, report)]


def plays(keeper: Scorekeeper) -> list[Json]:
    """Have something of everything in a session; give what repeats of requests are answered."""
    requests(keeper)
    keeper.reports(event("round_opened"), event("player_erased", player="p1"))
    lost = keeper.client.post(f"{keeper.address}/links", json={"role": "viewer"}, headers=keeper.headers())
    keeper.client.delete(f"{keeper.address}/links/{lost.get_json()['id']}", headers=keeper.headers())
    return requests(keeper)


@pytest.mark.parametrize(
    "way",
    [
        "sqlite:a sqlite:b",
        pytest.param("sqlite:a postgresql:b sqlite:c", marks=pytest.mark.integration),
        pytest.param("postgresql:a sqlite:b postgresql:c", marks=pytest.mark.integration),
    ],
)
def test_all_that_a_service_tells_it_tells_over_there_and_back_again(addresses: Addresses, way: str) -> None:
    source, *others = map(addresses, way.split())
    keeper = Scorekeeper(create_app({"LEDGER_DATABASE": source}).test_client())
    repeats = asks(keeper, source, plays)
    before = asks(keeper, source, tells)
    for target in others:
        assert moved(source, target) == {keeper.session_id: "moved"}
        assert asks(keeper, target, tells) == before
        assert asks(keeper, target, requests) == repeats
        assert moved(source, target) == {keeper.session_id: "there already"}
        source = target


def test_what_is_another_over_there_or_damaged_here_is_not_moved(addresses: Addresses, tmp_path: Path) -> None:
    here, there, empty = map(addresses, ("sqlite:here", "sqlite:there", "sqlite:empty"))
    keeper = Scorekeeper(create_app({"LEDGER_DATABASE": here}).test_client())
    asks(keeper, here, plays)
    moved(here, there)
    asks(keeper, there, lambda keeper: keeper.reports(event("player_renamed", player="p2", name="Bea")))
    before = asks(keeper, there, tells)
    assert "is another" in moved(here, there, exit_code=1)[keeper.session_id]
    assert asks(keeper, there, tells) == before
    with closing(sqlite3.connect(tmp_path / "here.db")) as db, db:
        db.execute("UPDATE entries SET amount = amount + 1 WHERE id = 1")
    assert "is damaged" in moved(here, empty, exit_code=1)[keeper.session_id]
    assert open_store(empty).session_ids() == []
