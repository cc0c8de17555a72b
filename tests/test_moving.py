"""Sessions moved from one database to another: nothing is lost, nothing written over, and what is wrong is found."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ledger.app import create_app
from ledger.cli import main
from ledger.store import Store
from ledger.verification import verify
from tests.postgres import Server
from tests.scorekeeper import Json, Scorekeeper, event
from tests.store.contract import StoreContract

MOVED: Json = event("chips_moved", from_="bank", to="p2", amount=3, note="for Ben")
OPENING: Json = {"game": "shippin", "players": ["Aki", "Ben", "Chie", "Dai", "Emi"], "name": "Aki's birthday"}

Places = Callable[[str], str]


@pytest.fixture
def places(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Places]:
    """Addresses, by an engine and a name: `sqlite:here`."""
    schemas: dict[str, str] = {}

    def place(name: str) -> str:
        engine, _, rest = name.partition(":")
        if engine == "sqlite":
            return f"sqlite:///{tmp_path}/{rest}.db"
        server: Server = request.getfixturevalue("postgres")
        return server.schema(schemas.setdefault(rest, f"{rest}_{secrets.token_hex(6)}"))

    yield place
    if schemas:
        request.getfixturevalue("postgres").drop(*schemas.values())


def run(*words: str, exit_code: int = 0) -> Result:
    done = CliRunner().invoke(main, words)
    assert done.exit_code == exit_code, done.output
    return done


def moves(source: str, target: str, exit_code: int = 0) -> Any:
    """Move all from one address to another, and give what a program is told."""
    return json.loads(run("move", "--from", source, "--to", target, "--json", exit_code=exit_code).stdout)


def what_became(told: Any) -> dict[str, str]:
    return {session_id: one["what"] for session_id, one in told["sessions"].items()}


def key(name: str) -> str:
    return name * 8


class Evening:
    """A session over HTTP in which there is something of everything, at one address or another."""

    def __init__(self, at: str) -> None:
        self.app = create_app({"LEDGER_DATABASE": at})
        self.keeper = Scorekeeper(self.app.test_client())
        self.opened = self.opens()
        self.keeper.session_id = self.opened["session"]["id"]
        self.keeper.token = self.opened["link"]["token"]
        self.keeper.reports(
            event("chips_moved", from_="bank", to="p1", amount=5, note="for Aki"),
            event("round_opened"),
            event("player_erased", player="p1"),
        )
        self.answered = self.reports()
        self.phone = self.makes({"role": "scorer", "label": "a phone"}, Idempotency_Key=key("phone"))
        self.wall = self.makes({"role": "viewer", "expires_at": "2099-01-01T00:00:00Z"})
        self.lost = self.makes({"role": "viewer", "label": "a lost phone"})
        where = f"{self.keeper.address}/links/{self.lost['id']}"
        assert self.keeper.client.delete(where, headers=self.keeper.headers()).status_code == 204

    def opens(self) -> Json:
        answer = self.keeper.client.post("/v1/sessions", json=OPENING, headers={"Idempotency-Key": key("opening")})
        assert answer.status_code == 201, answer.text
        body: Json = answer.get_json()
        return body

    def reports(self) -> Json:
        answer = self.keeper.tries(MOVED, Idempotency_Key=key("report"))
        assert answer.status_code == 201, answer.text
        body: Json = answer.get_json()
        return body

    def makes(self, link: Json, **headers: str) -> Json:
        answer = self.keeper.client.post(
            f"{self.keeper.address}/links", json=link, headers=self.keeper.headers(**headers)
        )
        assert answer.status_code == 201, answer.text
        body: Json = answer.get_json()
        return body

    def told(self) -> Mapping[str, Json]:
        """All that the service tells of it."""
        every = ("", "/events", "/ledger", "/rounds", "/settlement", "/statistics", "/links", "/verify", "/export.json")
        return {where: self.keeper.looks(where) for where in every}

    def is_asked_at(self, at: str) -> None:
        """Ask the service at another address from now on."""
        self.closes()
        self.app = create_app({"LEDGER_DATABASE": at})
        self.keeper.client = self.app.test_client()

    @property
    def store(self) -> Store:
        store: Store = self.app.extensions["desk"].store
        return store

    def closes(self) -> None:
        self.store.close()


@pytest.fixture
def evening(places: Places) -> Iterator[Evening]:
    made = Evening(places("sqlite:here"))
    yield made
    made.closes()


@pytest.fixture
def here(places: Places) -> str:
    return places("sqlite:here")


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.integration)])
def there(places: Places, request: pytest.FixtureRequest) -> str:
    return places(f"{request.param}:there")


@pytest.mark.parametrize(
    "way",
    [
        "sqlite:a sqlite:b sqlite:c",
        pytest.param("sqlite:a postgresql:b sqlite:c", marks=pytest.mark.integration),
        pytest.param("postgresql:a sqlite:b postgresql:c", marks=pytest.mark.integration),
    ],
)
def test_all_that_a_service_tells_it_tells_over_there_and_back_again(places: Places, way: str) -> None:
    first, *others = map(places, way.split())
    evening = Evening(first)
    before = evening.told()
    packed = StoreContract.contents_of(evening.store, evening.keeper.session_id)
    for source, target in zip([first, *others], others, strict=False):
        told = moves(source, target)
        assert (told["ok"], told["damage"], told["moved_on"], told["only_there"]) == (True, [], [], [])
        assert what_became(told) == {evening.keeper.session_id: "moved"}
        evening.is_asked_at(target)
        assert evening.told() == before
        assert StoreContract.contents_of(evening.store, evening.keeper.session_id) == packed
        assert verify(evening.store, evening.keeper.session_id).findings == ()
    evening.closes()


def test_a_request_that_is_repeated_over_there_finds_what_it_did(evening: Evening, here: str, there: str) -> None:
    moves(here, there)
    evening.is_asked_at(there)
    again = evening.opens()
    assert (again["session"]["id"], again["link"]) == (evening.opened["session"]["id"], evening.opened["link"])
    assert evening.makes({"role": "scorer", "label": "a phone"}, Idempotency_Key=key("phone")) == evening.phone
    repeated = evening.keeper.tries(MOVED, Idempotency_Key=key("report"))
    assert repeated.headers["Idempotency-Replayed"] == "true"
    assert repeated.get_json()["events"] == evening.answered["events"]
    assert evening.store.session_ids() == [evening.keeper.session_id]
