"""Sessions that earlier releases recorded are replayed by this one, and give the same books.

What is in `fixtures/recorded/` was written once and is never made anew; `fixtures/record.py` says how a new one is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ledger.books import Entry, audit
from ledger.calculation import recalculate
from ledger.codec import read_opening, read_row
from ledger.codec.writer import plain
from ledger.desk import Desk
from ledger.games import GAMES, newest
from ledger.hash_chain import SaltedText, row_hash
from ledger.history import SessionState
from ledger.session.events import EVENTS
from ledger.session_cache import first_hash
from ledger.store import Contents, StoredEvent, StoredLink, StoredSession, open_store
from ledger.verification import check
from tests.databases import kept_at
from tests.fixtures.record import EVENINGS, RECORDED, recorded, round_told, rounds_told
from tests.scorekeeper import Json

each_recording = pytest.mark.parametrize("path", sorted(RECORDED.glob("*.json")), ids=lambda path: path.stem)


class Recording(NamedTuple):
    """A session as it lay in the store of the release that recorded it."""

    session: StoredSession
    contents: Contents
    rounds: list[Json]


def words(told: dict[str, list[str]]) -> dict[str, SaltedText]:
    return {place: SaltedText(bytes.fromhex(salt), text) for place, (salt, text) in told.items()}


def read(path: Path) -> Recording:
    told = json.loads(path.read_text("utf-8"))
    rows = [
        StoredEvent(**{**row, "hash": bytes.fromhex(row["hash"]), "words": words(row["words"])}) for row in told["rows"]
    ]
    entries = [Entry(*entry) for entry in told["entries"]]
    session = StoredSession(**{**told["session"], "words": words(told["session"]["words"])})
    return Recording(session, Contents(rows, entries, told["balances"]), told["rounds"])


def lived(recording: Recording) -> tuple[SessionState, list[Entry]]:
    """Fold a recorded session, row by row, with all the entries that come of it."""
    session = recording.session
    opening = read_opening(session.body, session.words, session.version)
    on, entries = SessionState.opened(GAMES[opening.game], opening), list[Entry]()
    for row in recording.contents.events:
        done = on.record(read_row(row, opening.game), row.version)
        on, entries = done.state, [*entries, *done.entries]
    return on, entries


def contains(now: Any, then: Any) -> bool:
    """Whether all that was told then is told now; a later release may tell more."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(name in now and contains(now[name], then[name]) for name in then)
    if isinstance(then, list):
        return len(now) == len(then) and all(map(contains, now, then))
    return bool(now == then)


def reported(reports: Iterable[Json]) -> Iterator[Json]:
    """What was reported, also within corrections."""
    for report in reports:
        yield report
        yield from reported(report.get("corrections", [report["event"]] if "event" in report else []))


@pytest.mark.parametrize("game", GAMES)
def test_everything_that_can_be_reported_has_been_recorded(game: str) -> None:
    """In the game, of a session, and as a part of corrections made together."""
    recorded = [said for script in EVENINGS.values() for said in reported(script.events)]
    of_game = {kind.type for kind in (*newest(game).events, *newest(game).between)}
    assert {*of_game, *(kind.type for kind in EVENTS)} <= {said["type"] for said in recorded}
    parts = [part for said in recorded for part in said.get("corrections", [])]
    assert {part["type"] for part in parts} == {"event_amended", "event_inserted", "event_taken_back"}


@pytest.mark.parametrize("game", GAMES)
def test_every_house_rule_has_been_recorded_as_something_else_than_its_default(game: str) -> None:
    set_to: dict[str, set[Any]] = {}
    for script in EVENINGS.values():
        if script.opening["game"] == game:
            changes = [said["rules"] for said in reported(script.events) if said["type"] == "rules_changed"]
            for rules in (script.opening.get("rules", {}), *changes):
                for switch, value in rules.items():
                    set_to.setdefault(switch, set()).add(json.dumps(value))
    defaults = plain(newest(game).rules())
    assert not {switch for switch, value in defaults.items() if set_to.get(switch, set()) <= {json.dumps(value)}}


def test_every_evening_of_the_script_has_been_recorded() -> None:
    assert {path.stem for path in RECORDED.glob("*.json")} == EVENINGS.keys()


@each_recording
def test_a_recorded_session_has_the_same_books_today(path: Path) -> None:
    recording = read(path)
    on, entries = lived(recording)
    assert entries == recording.contents.entries
    assert on.balances == recording.contents.balances
    assert audit(entries, on.balances) == ()


@each_recording
def test_its_rounds_come_out_as_they_did(path: Path) -> None:
    recording = read(path)
    on, _ = lived(recording)
    assert contains(rounds_told(on), recording.rounds)


@each_recording
def test_its_chain_of_hashes_is_the_one_that_was_written(path: Path) -> None:
    recording = read(path)
    before = first_hash(recording.session)
    for row in recording.contents.events:
        before = row_hash(before, *row.hashed)
        assert row.hash == before


@each_recording
def test_every_check_of_today_finds_it_whole(path: Path) -> None:
    session, contents, _ = read(path)
    assert list(check(session, (len(contents.events), contents.events[-1].hash), contents)) == []


@each_recording
def test_it_goes_on_in_a_database_of_today(path: Path, tmp_path: Path) -> None:
    session, contents, rounds = read(path)
    with closing(open_store(kept_at(tmp_path / "ledger.db"))) as store:
        store.prepare()
        link = StoredLink("owner", "owner", None, b"nobody knows", session.created_at)
        store.open_session(session, first_hash(session), link, contents)
        desk = Desk(store)
        assert contains(rounds_told(desk.session(session.id).state), rounds)
        assert desk.verify(session.id).findings == ()
        assert len(desk.events(session.id, 0, 500)) == len(contents.events)
        for number in range(1, len(rounds) + 1):
            assert desk.replay(session.id, number)
            assert contains(round_told(recalculate(desk.session(session.id), number, {}).round), rounds[number - 1])


@pytest.mark.parametrize("name", EVENINGS)
def test_the_same_evening_recorded_today_gives_the_same_books(name: str, tmp_path: Path) -> None:
    """What is not replayed but recorded anew: the events are read and checked as they are reported today."""
    with closing(open_store(kept_at(tmp_path / "ledger.db"))) as store:
        store.prepare()
        today = recorded(EVENINGS[name], store)
    then = json.loads((RECORDED / f"{name}.json").read_text("utf-8"))
    assert (today["entries"], today["balances"]) == (then["entries"], then["balances"])
    assert contains(today["rounds"], then["rounds"])
