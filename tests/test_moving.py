"""Sessions moved from one database to another: nothing is lost, nothing written over, and what is wrong is found."""

from __future__ import annotations

import json
import secrets
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from ledger import moving
from ledger.app import create_app
from ledger.books import Entry
from ledger.cli import main
from ledger.hash_chain import SaltedText
from ledger.records import replace
from ledger.store import Head, Packed, Store, StoreBusy, StoredEvent, address, open_store
from ledger.verification import verify
from tests.postgres import Server
from tests.scorekeeper import Json, Scorekeeper, event
from tests.store import memory, shards
from tests.store.contract import StoreContract

MOVED: Json = event("chips_moved", from_="bank", to="p2", amount=3, note="for Ben")
OPENING: Json = {"game": "shippin", "players": ["Aki", "Ben", "Chie", "Dai", "Emi"], "name": "Aki's birthday"}

Places = Callable[[str], str]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Places]:
    """Addresses, by an engine and a name: `sqlite:here`."""
    monkeypatch.setitem(address.ENGINES, "memory", shards.ENGINE)
    monkeypatch.setattr(shards, "AWAY", set[str]())
    memory.PLACES.clear()
    schemas: dict[str, str] = {}

    def place(name: str) -> str:
        engine, _, rest = name.partition(":")
        if engine == "shards":
            parts = {part: (place(f"memory:{rest}{part}"), 1) for part in ("east", "west")}
            return str(shards.listed(tmp_path / f"{rest}.toml", parts))
        if engine != "postgresql":
            return {"sqlite": f"sqlite:///{tmp_path}/{rest}.db", "memory": f"memory://{rest}"}[engine]
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


@pytest.fixture(params=["sqlite", "postgresql"])
def there(places: Places, request: pytest.FixtureRequest) -> str:
    return places(f"{request.param}:there")


def texts_at(there: str, tmp_path: Path) -> str:
    """All that people wrote, and in a file whatever else is there."""
    with closing(open_store(there)) as store:
        said = str([StoreContract.contents_of(store, session_id) for session_id in store.session_ids()])
    return said + "".join(file.read_text("latin-1") for file in tmp_path.glob("there.db*"))


# --- what is moved --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "way",
    [
        "sqlite:a sqlite:b sqlite:c",
        "sqlite:a memory:b sqlite:c",
        "memory:a sqlite:b memory:c",
        "sqlite:a postgresql:b sqlite:c",
        "postgresql:a sqlite:b postgresql:c",
        "sqlite:a shards:b sqlite:c",
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


def test_links_open_over_there_what_they_opened_and_dead_ones_nothing(evening: Evening, here: str, there: str) -> None:
    moves(here, there)
    evening.is_asked_at(there)
    keeper = evening.keeper
    for link, reads, records in ((evening.phone, 200, 201), (evening.wall, 200, 403), (evening.lost, 401, 401)):
        keeper.token = link["token"]
        assert keeper.client.get(keeper.address, headers=keeper.headers()).status_code == reads
        assert keeper.tries(MOVED).status_code == records
    assert evening.store.revoke_expired_links("2099-01-01T00:00:00Z") == 1
    keeper.token = evening.wall["token"]
    assert keeper.client.get(keeper.address, headers=keeper.headers()).status_code == 401


def test_who_was_forgotten_arrives_forgotten(evening: Evening, here: str, there: str, tmp_path: Path) -> None:
    moves(here, there)
    stored = open_store(there).session(evening.keeper.session_id)
    assert stored is not None
    assert [said.salt for said in stored.words.values()].count(b"") == 2
    said = texts_at(there, tmp_path)
    assert ("Aki" in said, "Ben" in said) == (False, True)


def test_a_session_that_is_being_deleted_is_not_moved(evening: Evening, here: str, there: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "here.db")) as db, db:
        db.execute("UPDATE sessions SET deleted_at = '2026-11-21T00:00:00Z', sum = NULL")
    assert moves(here, there)["sessions"] == {}
    assert "there are no sessions" in run("move", "--from", here, "--to", there).output
    assert evening.store.session_ids() == open_store(there).session_ids() == []


def test_the_source_is_only_read(evening: Evening, here: str, there: str, tmp_path: Path) -> None:
    evening.closes()
    before = (tmp_path / "here.db").read_bytes()
    moves(here, there)
    assert (tmp_path / "here.db").read_bytes() == before


def test_what_is_moved_is_told_to_people_too(evening: Evening, here: str, there: str) -> None:
    told = run("move", "--from", here, "--to", there)
    assert f"{evening.keeper.session_id}       4 events  moved, ends with" in told.stdout
    assert "\nmoved: 1\n" in told.stdout
    assert "\nthere already: 1\n" in run("move", "--from", here, "--to", there).stdout


# --- moved again ----------------------------------------------------------------------------------------------------


def test_what_is_over_there_is_not_moved_again(
    evening: Evening, here: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves(here, there)
    monkeypatch.setattr(type(open_store(there)), "unpack", lambda *_words, **_more: pytest.fail("it is there"))
    assert what_became(moves(here, there)) == {evening.keeper.session_id: "there already"}


def test_of_two_who_move_at_the_same_time_the_second_finds_it_there(
    evening: Evening, here: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine: Any = type(open_store(there))
    unpack = engine.unpack

    def unpacks_after_another(store: Store, packed: Packed, over: Head | None) -> None:
        unpack(store, packed, over=over)
        unpack(store, packed, over=over)

    for goes_on in (records, links):
        with monkeypatch.context() as patch:
            patch.setattr(engine, "unpack", unpacks_after_another)
            assert what_became(moves(here, there)) == {evening.keeper.session_id: "there already"}
        goes_on(evening)


def test_what_keeps_a_session_from_being_kept_is_told(
    evening: Evening, here: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_busy(_store: Store, _packed: Packed, over: Head | None) -> None:
        assert over is None
        raise StoreBusy

    with monkeypatch.context() as patch:
        patch.setattr(type(open_store(there)), "unpack", is_busy)
        assert "The database is busy" in run("move", "--from", here, "--to", there, exit_code=1).output
    assert what_became(moves(here, there)) == {evening.keeper.session_id: "moved"}


def records(evening: Evening) -> None:
    evening.keeper.reports(MOVED)


def erases(evening: Evening) -> None:
    evening.keeper.reports(event("player_erased", player="p2"))


def revokes(evening: Evening) -> None:
    where = f"{evening.keeper.address}/links/{evening.phone['id']}"
    assert evening.keeper.client.delete(where, headers=evening.keeper.headers()).status_code == 204


def links(evening: Evening) -> None:
    evening.makes({"role": "viewer"}, Idempotency_Key=key("another"))


@pytest.mark.parametrize("goes_on", [records, erases, revokes, links])
def test_what_has_moved_on_since_is_moved_anew_whole(
    evening: Evening, here: str, there: str, tmp_path: Path, goes_on: Callable[[Evening], None]
) -> None:
    moves(here, there)
    goes_on(evening)
    assert what_became(moves(here, there)) == {evening.keeper.session_id: "moved anew"}
    with closing(open_store(there)) as target:
        for store in (evening.store, target):
            assert verify(store, evening.keeper.session_id).findings == ()
        now = StoreContract.contents_of(evening.store, evening.keeper.session_id)
        assert StoreContract.contents_of(target, evening.keeper.session_id) == now
        assert list(target.damage()) == []
    if goes_on is erases:
        assert "Ben" not in texts_at(there, tmp_path)


@pytest.mark.parametrize(
    ("goes_on", "why"),
    [
        (records, "it went on over there, to event 5"),
        (revokes, "its links were changed over there"),
        (links, "its links were changed over there"),
    ],
)
@pytest.mark.parametrize("as_well", [False, True])
def test_what_went_on_over_there_is_not_written_over(
    evening: Evening, here: str, there: str, goes_on: Callable[[Evening], None], why: str, *, as_well: bool
) -> None:
    moves(here, there)
    if as_well:
        evening.keeper.reports(event("chips_moved", from_="bank", to="p3", amount=9))
    evening.is_asked_at(there)
    goes_on(evening)
    before = evening.told()
    told = moves(here, there, exit_code=1)
    assert what_became(told) == {evening.keeper.session_id: "refused"}
    reason = told["sessions"][evening.keeper.session_id]["why"]
    assert reason.startswith(why if not as_well else "the one over there has another history, up to event")
    assert (told["ok"], told["moved_on"]) == (False, [])
    assert evening.told() == before


def test_what_is_recorded_or_opened_or_deleted_meanwhile_is_said_and_moved_the_next_time(
    evening: Evening, here: str, there: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, app = evening.keeper, evening.app
    first = keeper.session_id
    gone, beside = opened_beside(app), opened_beside(app)
    fresh, last = list[str](), evening.store.session_ids()[-1]
    move = moving.move

    def moves_while_it_is_used(source: Store, target: Store, session_id: str) -> moving.Outcome:
        done = move(source, target, session_id)
        if session_id == last:
            keeper.reports(MOVED)
            assert evening.store.delete_session(gone)
            fresh.append(opened_beside(app))
        return done

    with monkeypatch.context() as patch:
        patch.setattr("ledger.cli.moving.move", moves_while_it_is_used)
        told = moves(here, there, exit_code=1)
    assert what_became(told) == dict.fromkeys([first, gone, beside], "moved")
    assert sorted(told["moved_on"]) == sorted([first, *fresh])
    assert told["only_there"] == [gone]
    again = moves(here, there)
    assert what_became(again) == {first: "moved anew", beside: "there already", fresh[0]: "moved"}
    assert (again["ok"], again["moved_on"], again["only_there"]) == (True, [], [gone])
    said = run("move", "--from", here, "--to", there).stdout
    assert f"only over there, as they were recorded there, or deleted here since: {gone}" in said


def opened_beside(app: Flask) -> str:
    """Open another session, without a word in it."""
    opened: str = Scorekeeper(app.test_client()).opens("shippin")["session"]["id"]
    return opened


def test_a_session_that_is_deleted_before_its_turn_is_gone(evening: Evening, there: str) -> None:
    target = open_store(there)
    target.prepare()
    assert moving.move(evening.store, target, "nobody") == moving.Outcome("gone")


def test_a_shard_that_cannot_be_reached_is_said(
    evening: Evening, here: str, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    there, back = places("shards:there"), places("sqlite:back")
    moves(here, there)
    away = places("memory:thereeast")
    shards.AWAY.add(away)
    assert "it cannot be reached" in run("move", "--from", there, "--to", back, exit_code=1).output
    assert not open_store(back).exists()
    shards.AWAY.clear()

    def goes_away(_source: Store, _target: Store, session_id: str) -> moving.Outcome:
        shards.AWAY.add(away)
        return moving.Outcome("gone", why=session_id)

    with monkeypatch.context() as patch:
        patch.setattr("ledger.cli.moving.move", goes_away)
        told = moves(there, back, exit_code=1)
    assert (told["ok"], told["missing"]) == (False, ["east"])
    shards.AWAY.clear()
    assert what_became(moves(there, back)) == {evening.keeper.session_id: "moved"}


def test_a_session_that_was_opened_with_a_key_is_moved_to_where_a_repeat_looks_for_it(
    evening: Evening, here: str, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even while the other shards cannot be reached, whoever repeats the opening finds it, and opens nothing."""
    monkeypatch.setattr("ledger.store.sharded.shard.LEFT_ALONE_SECONDS", 0.0)
    client, opened = evening.app.test_client(), {}
    for number in range(24):
        keys = {"Idempotency-Key": f"{number:032x}"}
        opened[number] = keeper = Scorekeeper(client)
        answer = client.post("/v1/sessions", json=OPENING, headers=keys).get_json()
        keeper.session_id, keeper.token = answer["session"]["id"], answer["link"]["token"]
        made = client.post(f"{keeper.address}/links", json={"role": "viewer"}, headers={**keeper.headers(), **keys})
        assert made.status_code == 201
    there = places("shards:there")
    moves(here, there)
    evening.is_asked_at(there)
    client = evening.app.test_client()
    found = []
    for away in ("east", "west"):
        shards.AWAY.add(places(f"memory:there{away}"))
        for number, keeper in opened.items():
            answer = client.post("/v1/sessions", json=OPENING, headers={"Idempotency-Key": f"{number:032x}"})
            if answer.status_code != 503:
                assert answer.get_json()["session"]["id"] == keeper.session_id
                found.append(number)
        shards.AWAY.clear()
    assert sorted(found) == sorted(opened)


# --- what is left over there ------------------------------------------------------------------------------------------


def there_by_hand(there: str, *statements: str) -> None:
    """Do something in the target as somebody with the engine's own shell does."""
    if there.startswith("sqlite"):
        with closing(sqlite3.connect(there.removeprefix("sqlite:///"))) as db, db:
            for statement in statements:
                assert db.execute(statement).rowcount > 0
        return
    with import_module("psycopg").connect(there) as db:
        for statement in statements:
            assert db.execute(statement).rowcount > 0


def test_what_somebody_has_half_deleted_over_there_is_gone_before_it_is_moved_there_again(
    evening: Evening, here: str, there: str
) -> None:
    """Whoever deleted it was killed in between."""
    moves(here, there)
    there_by_hand(
        there,
        "UPDATE sessions SET deleted_at = '2026-11-21T00:00:00Z', sum = NULL",
        "DELETE FROM links",
        "DELETE FROM events WHERE seq < 3",
    )
    assert what_became(moves(here, there)) == {evening.keeper.session_id: "moved"}
    evening.is_asked_at(there)
    assert evening.keeper.looks("/verify")["ok"]


def test_a_copy_that_has_not_arrived_in_its_shard_is_left_as_it_is_and_said(
    evening: Evening, here: str, there: str
) -> None:
    """Whoever moved it between shards was killed, and of these the target is only one."""
    session_id, target = evening.keeper.session_id, open_store(there)
    target.prepare()
    with evening.store.pack(session_id) as packed:
        target.unpack(packed, move="2026-11-21T00:00:00Z abc east west")
    beside = opened_beside(evening.app)
    told = moves(here, there, exit_code=1)
    assert what_became(told) == {session_id: "refused", beside: "moved"}
    why = told["sessions"][session_id]["why"]
    assert why.startswith("a copy of it is over there that has not arrived (2026-11-21T00:00:00Z abc east west)")
    assert [one.is_found for one in target.passages(session_id)] == [False]
    target.close()


def test_rows_of_no_session_that_are_in_the_way_over_there_are_said(evening: Evening, here: str, there: str) -> None:
    moves(here, there)
    there_by_hand(there, "DELETE FROM sessions", "DELETE FROM links")
    beside = opened_beside(evening.app)
    told = moves(here, there, exit_code=1)
    assert what_became(told) == {evening.keeper.session_id: "refused", beside: "moved"}
    assert "rows of it are over there that belong to no session" in told["sessions"][evening.keeper.session_id]["why"]


# --- what is wrong --------------------------------------------------------------------------------------------------


def by_hand(statement: str) -> Callable[[Path], None]:
    def edit(path: Path) -> None:
        with closing(sqlite3.connect(path)) as db, db:
            assert db.execute(statement).rowcount == 1

    return edit


IN_A_SESSION = {
    "an entry": "UPDATE entries SET amount = amount + 1 WHERE id = 1",
    "a balance": "UPDATE balances SET balance = balance + 1 WHERE account = 'p2'",
    "an event": "UPDATE events SET recorded_by = 'nobody' WHERE seq = 2",
    "an event that is missing": "DELETE FROM events WHERE seq = 2",
    "the last event": "DELETE FROM events WHERE seq = 4",
    "the head": "UPDATE sessions SET seq = 3",
    "no text": "UPDATE events SET body = CAST(x'ff' AS TEXT) WHERE seq = 2",
    "no JSON": "UPDATE entries SET amount = 9223372036854775807 WHERE id = 1",
}


@pytest.mark.parametrize("what", IN_A_SESSION)
def test_a_session_that_is_damaged_is_refused_and_the_others_are_moved(
    evening: Evening, here: str, there: str, tmp_path: Path, what: str
) -> None:
    damaged = evening.keeper.session_id
    by_hand(IN_A_SESSION[what])(tmp_path / "here.db")
    beside = opened_beside(evening.app)
    told = moves(here, there, exit_code=1)
    assert what_became(told) == {damaged: "refused", beside: "moved"}
    assert "it is damaged" in told["sessions"][damaged]["why"]
    assert "put a backup in the source's place" in told["sessions"][damaged]["why"]
    assert open_store(there).session_ids() == [beside]


def test_what_is_damaged_in_postgresql_is_refused_as_well(evening: Evening, here: str, places: Places) -> None:
    there, back = places("postgresql:there"), places("sqlite:back")
    moves(here, there)
    damaged = evening.keeper.session_id
    with import_module("psycopg").connect(there) as db:
        assert db.execute("UPDATE entries SET amount = amount + 1 WHERE id = 1").rowcount == 1
    told = moves(there, back, exit_code=1)
    assert "entries 1: it should be" in told["sessions"][damaged]["why"]
    with import_module("psycopg").connect(there) as db:
        assert db.execute("UPDATE links SET role = 'owner' WHERE role = 'scorer'").rowcount == 1
    assert "is damaged, and nothing was moved" in run("move", "--from", there, "--to", back, exit_code=1).output
    assert open_store(back).session_ids() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE links SET role = 'owner' WHERE role = 'scorer'",
        "UPDATE words SET text = 'Ken' WHERE text = 'Ben'",
        "UPDATE replies SET first_seq = 1",
        "UPDATE made SET link = 'nobody' WHERE key = (SELECT MIN(key) FROM made)",
    ],
)
def test_what_the_checksums_of_the_source_contradict_is_not_moved(
    evening: Evening, here: str, there: str, tmp_path: Path, statement: str
) -> None:
    by_hand(statement)(tmp_path / "here.db")
    assert evening.keeper.session_id
    assert not open_store(there).exists()
    said = run("move", "--from", here, "--to", there, exit_code=1).output
    assert "is damaged, and nothing was moved" in said
    assert "`fuda-ledger restore`" in said
    assert not open_store(there).exists()


def wrong(packed: Packed, part: str) -> Packed:
    """Make something of a session that it was not."""
    rows, entries = list(packed.events), list(packed.entries)
    whole = packed._replace(events=rows, entries=entries, replies=list(packed.replies))
    changed: dict[str, Any] = {
        "words of the opening": {"session": replace(packed.session, words={"name": SaltedText(b"s", "other")})},
        "head": {"head": Head(packed.head.seq, bytes(32)), "events": []},
        "link": {"links": [*packed.links[:-1], packed.links[-1]._replace(revoked_at=None)]},
        "event": {"events": [replace(rows[0], recorded_by="nobody"), *rows[1:]]},
        "word": {"events": [replace(rows[0], words={}), *rows[1:]]},
        "entry": {"entries": entries[:-1]},
        "one entry more": {"entries": [*entries, Entry(99, 1, None, "p1", "p2", 1, entries[0].reason)]},
        "balance": {"balances": {**packed.balances, "p2": 0}},
        "reply": {"replies": []},
        "made": {"made": []},
    }
    assert isinstance(rows[0], StoredEvent)
    return whole._replace(**changed[part])


PARTS = (
    "words of the opening",
    "head",
    "link",
    "event",
    "word",
    "entry",
    "one entry more",
    "balance",
    "reply",
    "made",
)


@pytest.mark.parametrize("part", PARTS)
def test_what_arrives_otherwise_than_it_was_is_found(
    evening: Evening, here: str, there: str, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    engine: Any = type(open_store(there))
    unpack = engine.unpack
    with monkeypatch.context() as patch:
        patch.setattr(engine, "unpack", lambda store, packed, over: unpack(store, wrong(packed, part), over=over))
        told = moves(here, there, exit_code=1)
    assert "what is over there is not what is here" in told["sessions"][evening.keeper.session_id]["why"]
    if part in {"event", "word", "entry", "one entry more", "balance", "reply", "words of the opening"}:
        again = moves(here, there, exit_code=1)
        assert "what is over there is not what is here" in again["sessions"][evening.keeper.session_id]["why"]


def test_damage_over_there_is_said(evening: Evening, here: str, places: Places, tmp_path: Path) -> None:
    assert evening.keeper.session_id
    there = places("sqlite:there")
    moves(here, there)
    by_hand("UPDATE made SET link = 'nobody' WHERE key = (SELECT MIN(key) FROM made)")(tmp_path / "there.db")
    told = moves(here, there, exit_code=1)
    assert (told["ok"], [one.split()[0] for one in told["damage"]]) == (False, ["made"])


def test_a_source_that_is_not_there_or_another_releases_is_refused_and_left_as_it_is(
    evening: Evening, here: str, places: Places, tmp_path: Path
) -> None:
    evening.closes()
    there = places("sqlite:there")
    assert "there is no database at" in run("move", "--from", there, "--to", here, exit_code=1).output
    assert "are the same database" in run("move", "--from", here, "--to", here, exit_code=2).output
    assert "it has to be the path of a file" in run("move", "--from", "b4d://x", "--to", here, exit_code=2).output
    newer = by_hand(
        "INSERT INTO _sqlite_migrations (migration_set, name, applied_at)"
        " SELECT migration_set, 'm999_tomorrow', applied_at FROM _sqlite_migrations WHERE name LIKE 'm007%'"
    )
    older = by_hand("DELETE FROM _sqlite_migrations WHERE name LIKE 'm008%'")
    for edit, why in ((newer, "m999_tomorrow"), (older, "has an older schema")):
        edit(tmp_path / "here.db")
        before = (tmp_path / "here.db").read_bytes()
        assert why in run("move", "--from", here, "--to", there, exit_code=1).output
        assert (tmp_path / "here.db").read_bytes() == before
    assert not (tmp_path / "there.db").exists()
