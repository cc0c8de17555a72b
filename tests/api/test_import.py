"""Bringing a session in: the same books, hashes and history as were taken home, and nothing of what is not whole.

A file can be written by anybody. Every hostile one here is refused in words, and leaves no row in any table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from ledger.api.here import one_at_a_time
from ledger.api.rates import IMPORTING
from ledger.codec.files import MAX_EVENTS_IN_A_FILE
from ledger.config import Config
from ledger.games import GAMES
from ledger.hash_chain import row_hash, salted
from ledger.importing import MAX_LINES
from tests.api.conftest import MakeApp
from tests.api.rounds import first_cards, recorded, second_cards
from tests.databases import rows_of
from tests.reckoning.evenings import Evening, evenings
from tests.scorekeeper import Json, Scorekeeper, event

ADDRESS = "/v1/sessions/import"


def brings_in(client: FlaskClient, file: object, **headers: str) -> TestResponse:
    """Send a file as JSON, whatever becomes of it."""
    return client.post(ADDRESS, data=json.dumps(file), content_type="application/json", headers=headers)


def brought(client: FlaskClient, file: object) -> Scorekeeper:
    """Bring a file in, and speak for its new owner."""
    answer = brings_in(client, file)
    assert answer.status_code == 201, answer.text
    return owner(client, answer.get_json())


def owner(client: FlaskClient, body: Json) -> Scorekeeper:
    scorekeeper = Scorekeeper(client)
    scorekeeper.session_id, scorekeeper.token = body["session"]["id"], body["link"]["token"]
    return scorekeeper


def taken_home(scorekeeper: Scorekeeper) -> Json:
    return scorekeeper.looks("/export.json")


@pytest.fixture
def nothing_stays(app: Flask, database: Path) -> Iterator[None]:
    """Whatever the test sends, afterwards every table has as many rows as before."""
    before = rows_of(database)
    assert before.keys() >= {"sessions", "events", "words", "entries", "links"}, app
    yield
    assert rows_of(database) == before


# --- a file that is whole -------------------------------------------------------------------------------------------


def recorded_at_once(scorekeeper: Scorekeeper, state: Evening, events: list[Json]) -> None:
    if not scorekeeper.session_id:
        game = state.opening["game"]
        scorekeeper.opens(game, **{name: told for name, told in state.opening.items() if name != "game"})
    for first in range(0, len(events), 500):
        recorded(scorekeeper, *events[first : first + 500])


def came_to(scorekeeper: Scorekeeper) -> list[Json]:
    """All that an evening comes to; who recorded what, and the hashes over that, are not in it."""
    file = taken_home(scorekeeper)
    books = {name: file[name] for name in ("entries", "rounds", "balances")}
    return [books, scorekeeper.looks("/settlement"), scorekeeper.looks("/statistics")]


def but_for_the_id(file: Json) -> Json:
    return {**file, "session": {**file["session"], "id": None}}


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_what_was_taken_home_comes_back_whole_and_goes_on(game: str, data: st.DataObject, app: Flask) -> None:
    """The same books, hashes, history, names; and the rest of the evening comes to the same in both."""
    client = FlaskClient(app)
    state = data.draw(evenings(game, corrections=data.draw(st.booleans()), max_rounds=2))
    part = data.draw(st.integers(0, len(state.events)))
    here = Scorekeeper(client)
    recorded_at_once(here, state, state.events[:part])
    file = taken_home(here)
    there = brought(client, file)
    assert there.session_id != here.session_id
    is_the_same = but_for_the_id(taken_home(there)) == but_for_the_id(file)
    assert is_the_same
    assert there.looks("/verify") == here.looks("/verify")
    assert there.looks("/verify")["ok"]
    for scorekeeper in (here, there):
        recorded_at_once(scorekeeper, state, state.events[part:])
    comes_to_the_same = came_to(there) == came_to(here)
    assert comes_to_the_same
    assert there.looks("/verify")["ok"]


@pytest.fixture(scope="module")
def whole(app: Flask) -> Json:
    """A session with names, notes, a chip's worth, house rules, a round, a correction, somebody new, all closed."""
    scorekeeper = Scorekeeper(app.test_client())
    value = {"currency": "JPY", "per_chip": "10"}
    scorekeeper.opens("shippin", name="New year", players=["Aki", "Ben", "Chie", "Dai"], chip_value=value)
    recorded(
        scorekeeper,
        event("chips_moved", from_="bank", to="p1", amount=100, note="in cash"),
        event("rules_changed", rules={"bet": 10}),
        event("round_opened"),
        event("bet_placed", player="p2", column=1),
        second_cards("7", "3", "5", "10", dealer="9"),
        first_cards("2", "2", "2", "10", dealer="8"),
        event("event_amended", seq=1, event=event("chips_moved", from_="bank", to="p1", amount=120, note="counted")),
        event("player_joined", name="Emi"),
        event("session_closed"),
    )
    return taken_home(scorekeeper)


def test_a_session_that_is_brought_in_has_a_new_owner(client: FlaskClient, whole: Json) -> None:
    answer = brings_in(client, whole)
    body = answer.get_json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == f"/v1/sessions/{body['session']['id']}"
    assert body["link"]["role"] == "owner"
    scorekeeper = owner(client, body)
    (link,) = scorekeeper.looks("/links")["links"]
    assert link["id"] == body["link"]["id"]
    session = scorekeeper.looks("")
    assert (session["name"], session["status"], session["seq"]) == ("New year", "closed", 9)
    assert [player["name"] for player in session["players"]] == ["Aki", "Ben", "Chie", "Dai", "Emi"]
    assert [told["note"] for told in scorekeeper.looks("/events")["events"] if "note" in told] == ["in cash"]


def test_the_same_file_makes_as_many_sessions_as_it_is_brought_in(client: FlaskClient, whole: Json) -> None:
    first, second = brought(client, whole), brought(client, whole)
    assert first.session_id != second.session_id
    first.reports(event("session_reopened"))
    assert second.looks("")["seq"] == 9


def test_a_session_in_which_nothing_has_happened_comes_back_too(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("kakkuri")
    file = taken_home(scorekeeper)
    assert but_for_the_id(taken_home(brought(scorekeeper.client, file))) == but_for_the_id(file)


def test_who_was_forgotten_stays_forgotten(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben", "Chie"])
    recorded(scorekeeper, event("chips_moved", from_="p1", to="p2", amount=5, note="Ben won a bet"))
    recorded(scorekeeper, event("player_erased", player="p2"))
    there = brought(scorekeeper.client, taken_home(scorekeeper))
    assert there.looks("/verify") == scorekeeper.looks("/verify")
    assert "Ben" not in json.dumps(taken_home(there))


def test_what_a_file_tells_besides_is_not_believed(client: FlaskClient, whole: Json) -> None:
    """The session, its events and rounds are there for people to read; they come from the log."""
    told = {"session": {"name": "Other"}, "events": "none", "rounds": [1], "more": {}}
    assert but_for_the_id(taken_home(brought(client, whole | told))) == but_for_the_id(whole)


def rewritten(file: Json, how: Callable[[datetime], str]) -> Json:
    """Write every time of a file in another way."""

    def again(told: Any) -> Any:
        match told:
            case dict():
                return {name: moved(name, inner) for name, inner in told.items()}
            case list():
                return [again(inner) for inner in told]
        return told

    def moved(name: str, inner: Any) -> Any:
        return how(datetime.fromisoformat(inner)) if name.endswith("_at") and inner else again(inner)

    other: Json = again(file)
    return other


TOKYO = timezone(timedelta(hours=9))
WAYS: Mapping[str, Callable[[datetime], str]] = {
    "+00:00": lambda time: time.isoformat(),
    "-00:00": lambda time: time.isoformat().replace("+", "-"),
    "lower case": lambda time: f"{time:%Y-%m-%dt%H:%M:%Sz}",
    "a space": lambda time: f"{time:%Y-%m-%d %H:%M:%SZ}",
    "a fraction of zero": lambda time: f"{time:%Y-%m-%dT%H:%M:%S.000Z}",
    "a long fraction of zero": lambda time: f"{time:%Y-%m-%dT%H:%M:%S}.{'0' * 12}+00:00",
    "elsewhere": lambda time: time.astimezone(TOKYO).isoformat(),
    "far west": lambda time: time.astimezone(timezone(-timedelta(hours=23, minutes=59))).isoformat(),
}
"""How programs write a time: all as RFC 3339 has it."""


@pytest.mark.parametrize("way", WAYS)
def test_times_are_taken_as_any_client_writes_them(client: FlaskClient, whole: Json, way: str) -> None:
    """The chain is checked over the times in UTC, so what comes in is what was exported."""
    other = rewritten(whole, WAYS[way])
    assert other["log"]["rows"][0]["recorded_at"] != whole["log"]["rows"][0]["recorded_at"]
    there = brought(client, other)
    assert but_for_the_id(taken_home(there))["log"] == whole["log"]
    assert there.looks("/verify")["ok"]


def test_another_time_is_found_however_it_is_written(client: FlaskClient, whole: Json) -> None:
    written = datetime.fromisoformat(whole["log"]["rows"][0]["recorded_at"]).replace(tzinfo=TOKYO).isoformat()
    problem = brings_in(client, changed(whole, at("log.rows.0.recorded_at", written))).get_json()
    assert problem["code"] == "file_is_broken"


def test_a_file_may_be_larger_than_other_bodies(make_app: MakeApp, whole: Json) -> None:
    client = make_app(body_bytes=1000).test_client()
    assert len(json.dumps(whole)) > 1000
    brought(client, whole)


# --- what bringing one in may take ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("piece", ["{}", "[]", '{"a":[]}', '{"\\"":"{["}'])
def test_what_has_more_objects_than_an_export_is_refused_before_it_is_parsed(
    client: FlaskClient, piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two or three bytes of it would be some hundred in memory."""
    most = Config().import_objects
    assert most == 524_288
    monkeypatch.setattr("ledger.api.parsing.read_json", None)
    body = f"[{','.join([piece] * most)}]"
    answer = client.post("/v1/sessions/import", data=body, content_type="application/json")
    (error,) = answer.get_json()["errors"]
    assert (answer.status_code, error["pointer"]) == (422, "")
    assert f"at most {most:,} objects" in error["detail"].replace(str(most), f"{most:,}")


@pytest.mark.usefixtures("nothing_stays")
def test_brackets_in_texts_are_no_objects(client: FlaskClient) -> None:
    body = json.dumps({"format": "{[" * Config().import_objects + '"\\'})
    answer = client.post("/v1/sessions/import", data=body, content_type="application/json")
    assert "/format" in {error["pointer"] for error in answer.get_json()["errors"]}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("kind", ["text/plain", "text/csv"])
def test_a_text_of_more_lines_than_a_session_needs_is_refused_unread(
    client: FlaskClient, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.api.parsing.parse", None)
    answer = client.post("/v1/sessions/import?game=shippin", data="\n" * (MAX_LINES + 1), content_type=kind)
    (error,) = answer.get_json()["errors"]
    assert (answer.status_code, error["pointer"]) == (422, "")
    assert str(MAX_LINES) in error["detail"].replace(",", "")


@pytest.mark.usefixtures("nothing_stays")
def test_a_text_of_more_corrections_than_are_worked_out_is_refused(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.importing.MAX_WORK", 5)
    text = "game shippin\nplayers Aki Ben Chie\ngift p1 p2=1\ninsert 1 gift p1 p2=1\ninsert 1 gift p1 p2=1\n"
    answer = client.post(ADDRESS, data=text, content_type="text/plain")
    assert (answer.status_code, answer.get_json()["errors"][0]["pointer"]) == (422, "")
    assert "2 corrections" in answer.get_json()["errors"][0]["detail"]


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("text", ["", "players Aki Ben Chie\n", "dealer 1\n"])
@pytest.mark.parametrize(("language", "needed"), [("en", "one of these is needed"), ("ja", "次のどれかが必要です")])
def test_a_text_without_a_game_is_refused_with_the_games(
    client: FlaskClient, text: str, language: str, needed: str
) -> None:
    headers = {"Accept-Language": language}
    answer = client.post("/v1/sessions/import", data=text, content_type="text/plain", headers=headers)
    (error,) = answer.get_json()["errors"]
    assert (answer.status_code, error["pointer"]) == (422, "/game")
    assert re.fullmatch(f"{needed}[:：] ?{', '.join(GAMES)}", error["detail"])


@pytest.mark.usefixtures("nothing_stays")
def test_a_text_without_players_is_refused_with_them(client: FlaskClient) -> None:
    answer = client.post("/v1/sessions/import", data="game shippin\n", content_type="text/plain")
    assert [error["pointer"] for error in answer.get_json()["errors"]] == ["/players"]


def test_one_file_is_brought_in_at_a_time(make_app: MakeApp, whole: Json) -> None:
    app = make_app(busy_seconds=0.01)
    client = app.test_client()
    with app.app_context(), one_at_a_time(IMPORTING):
        answer = client.post("/v1/sessions/import", json=whole)
    assert (answer.status_code, answer.get_json()["code"]) == (503, "store_busy")
    assert int(answer.headers["Retry-After"]) > 0
    brought(client, whole)


# --- files that are not whole ---------------------------------------------------------------------------------------

Change = Callable[[Json], object]


def at(path: str, change: Callable[[Any], object] | object) -> Change:
    """Put something else in a place of a file: a value, or what is made of the one that stands there."""

    def make(file: Json) -> None:
        *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
        inner: Any = file
        for step in way:
            inner = inner[step]
        inner[last] = change(inner[last]) if callable(change) else change

    return make


def within(path: str, **told: Any) -> Change:
    """Say something else in a body, which is JSON text."""
    return at(path, lambda body: json.dumps({**json.loads(body), **told}))


def lacking(path: str, name: str) -> Change:
    """Leave something out of a body."""
    return at(path, lambda body: json.dumps({key: value for key, value in json.loads(body).items() if key != name}))


def rechained(file: Json) -> Json:
    """Make a file whose hashes all follow, as anybody can."""
    opening = file["log"]["opening"]
    before = row_hash(b"", opening["body"], opening["version"], opening["created_at"])
    for row in file["log"]["rows"]:
        sealed = ("seq", "type", "version", "body", "recorded_at", "recorded_by")
        before = row_hash(before, *(row[name] for name in sealed))
        row["hash"] = before.hex()
    return file


def changed(file: Json, change: Change) -> Json:
    file = deepcopy(file)
    change(file)
    return file


def is_refused(client: FlaskClient, file: object, status: int = 422) -> Json:
    answer = brings_in(client, file)
    assert answer.status_code == status, answer.text
    problem: Json = answer.get_json()
    return problem


def swapped(rows: list[Json]) -> list[Json]:
    return [rows[1], rows[0], *rows[2:]]


BROKEN: Mapping[str, tuple[Change, str, object]] = {
    "an amount": (within("log.rows.0.body", amount=1000), "events", 1),
    "a time": (at("log.rows.2.recorded_at", "2026-11-21T09:00:00Z"), "events", 3),
    "who recorded": (at("log.rows.2.recorded_by", "00000000"), "events", 3),
    "a type": (at("log.rows.2.type", "session_closed"), "events", 3),
    "a hash": (at("log.rows.3.hash", "0" * 64), "events", 4),
    "the opening": (within("log.opening.body", dealer=2), "events", 1),
    "when it was opened": (at("log.opening.created_at", "2026-11-21T09:00:00Z"), "events", 1),
    "the version of its rule book": (at("log.opening.version", 2), "events", 1),
    "rows in another order": (at("log.rows", swapped), "events", 1),
    "a row twice": (at("log.rows", lambda rows: [rows[0], *rows]), "events", 2),
    "a row that is missing": (at("log.rows", lambda rows: [*rows[:3], *rows[4:]]), "events", 4),
    "a huge number of a row": (at("log.rows.8.seq", 2**53 - 1), "events", 9),
    "rows cut off at the end": (at("log.rows", lambda rows: rows[:6]), "entries", 5),
    "a name": (at("log.opening.words.players/0.text", "Eve"), "words", "0/players/0"),
    "a note": (at("log.rows.0.words.note.text", "on credit"), "words", "1/note"),
    "the salt of a name": (at("log.opening.words.players/0.salt", "0" * 32), "words", "0/players/0"),
    "a name that was forgotten without anybody's being erased": (
        at("log.opening.words.players/0", {"salt": "", "text": "Eve"}),
        "words",
        "0/players/0",
    ),
    "a name that is missing": (lambda file: file["log"]["opening"]["words"].pop("players/0"), "words", "0/players/0"),
    "a note that is missing": (lambda file: file["log"]["rows"][0]["words"].clear(), "words", "1/note"),
    "a text where none belongs": (at("log.rows.0.words.amount", {"salt": "", "text": "1000"}), "words", "1/amount"),
    "a text in place of a player": (
        at("log.rows.3.words", {"player": {"salt": "", "text": "p3"}}),
        "words",
        "4/player",
    ),
    "an entry's amount": (at("entries.0.amount", 99), "entries", 1),
    "an entry's account": (at("entries.0.to", "p2"), "entries", 1),
    "an entry's reason": (at("entries.0.reason", "gift"), "entries", 1),
    "an entry's round": (at("entries.0.round", 1), "entries", 1),
    "an entry's number": (at("entries.1.id", 1), "entries", 2),
    "what an entry reverses": (at("entries.0.reverses", 1), "entries", 1),
    "an entry that is missing": (at("entries", lambda entries: entries[1:]), "entries", 1),
    "an entry too many": (at("entries", lambda entries: [*entries, entries[-1]]), "entries", 7),
    "a balance": (at("balances.p1", 0), "balances", "p1"),
    "a huge balance": (at("balances.p1", -(2**60)), "balances", "p1"),
    "a balance that is missing": (lambda file: file["balances"].pop("p1"), "balances", "p1"),
    "a balance too many": (at("balances.p9", 0), "balances", "p9"),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("what", BROKEN)
def test_a_file_that_was_changed_is_refused_with_the_first_row_that_differs(
    client: FlaskClient, whole: Json, what: str
) -> None:
    change, table, row = BROKEN[what]
    problem = is_refused(client, changed(whole, change))
    assert (problem["code"], problem["table"], problem["row"]) == ("file_is_broken", table, row), problem


def adds(kind: str, **told: Any) -> Change:
    """Write one more row for the log, in which anything may stand."""

    def make(file: Json) -> None:
        rows = file["log"]["rows"]
        rows.append({**rows[-1], "seq": len(rows) + 1, "type": kind, "body": json.dumps(told)})

    return make


def reopened_for(kind: str, **told: Any) -> Change:
    """Open the session again, and write one more row."""
    return one_after_the_other(adds("session_reopened"), adds(kind, **told))


def nested(depth: int) -> Json:
    return {"type": "event_amended", "seq": 1, "event": nested(depth - 1) if depth else {"type": "round_opened"}}


def called(place: str, text: str) -> Change:
    """Write a name over, or another word of the opening, with a digest that fits."""
    said = salted(text)

    def make(file: Json) -> None:
        opening = file["log"]["opening"]
        body = json.loads(opening["body"])
        at(place.replace("/", "."), said.digest)(body)
        opening["body"] = json.dumps(body)
        opening["words"][place] = {"salt": said.salt.hex(), "text": said.text}

    return make


def sits_alone(file: Json) -> None:
    """Only the first of the players is left."""
    opening = file["log"]["opening"]
    opening["words"] = {place: said for place, said in opening["words"].items() if place == "players/0"}
    within("log.opening.body", players=json.loads(opening["body"])["players"][:1])(file)


def one_after_the_other(*changes: Change) -> Change:
    def make(file: Json) -> None:
        for change in changes:
            change(file)

    return make


BODY = "log.opening.body"
YEN = {"currency": "JPY", "per_chip": "10"}
OPENINGS: Mapping[str, tuple[Change, str]] = {
    "of a game that nobody knows": (within(BODY, game="poker"), "one of these is needed: shirinma"),
    "of a game that is no text": (within(BODY, game=["shippin"]), "one of these is needed: shirinma"),
    "with a deck that the game is not played with": (within(BODY, deck="mekurifuda"), "is played with one of these"),
    "with a deck that nobody knows": (within(BODY, deck="tarot"), "/deck Shippin is played with one of these"),
    "without a deck": (lacking(BODY, "deck"), "/deck this field is needed"),
    "with a dealer who does not sit there": (within(BODY, dealer=6), "a seat from 1 to 5"),
    "with no dealer": (within(BODY, dealer=0), "a seat from 1 to 5"),
    "with a dealer below zero": (within(BODY, dealer=-1), "a seat from 1 to 5"),
    "with half a dealer": (within(BODY, dealer=1.5), "a seat from 1 to 5"),
    "with a rule that there is not": (within(BODY, rules={"anteater": 1}), "there is no such field here"),
    "with a rule that cannot be so": (within(BODY, rules={"bet": -5}), "/rules/bet a whole number from 1"),
    "in a currency that is none": (within(BODY, chip_value=YEN | {"currency": "yen"}), "three capital letters"),
    "with chips that are worth nothing": (
        within(BODY, chip_value=YEN | {"per_chip": "0"}),
        "a positive decimal number",
    ),
    "with chips beyond all worth": (within(BODY, chip_value=YEN | {"per_chip": "1e500"}), "a positive decimal number"),
    "with more than a worth": (within(BODY, chip_value=YEN | {"more": 1}), "/chip_value/more there is no such field"),
    "with nobody": (one_after_the_other(within(BODY, players=[]), at("log.opening.words", {})), "players; here are 0"),
    "with somebody alone": (sits_alone, "takes 2 to 5 players; here are 1"),
    "with players who are a number": (within(BODY, players=4), "no text belongs there"),
    "with a blank name": (called("players/0", " "), "and not only spaces"),
    "with a name too long": (called("players/0", "長" * 101), "a text of 1 to 100 characters is needed"),
    "with a name that cannot be stored": (called("players/0", "A\0ki"), "cannot hold the character NUL"),
    "with a name over two lines": (called("players/0", "A\nki"), "a name is one line"),
    "with a name that turns what follows": (called("players/0", "A\u202eki"), "marks that turn its direction"),
    "with a name that nobody sees": (called("players/0", "\u200b\ufeff"), "a text that can be seen is needed"),
    "that is no JSON": (at(BODY, "{"), "not JSON that can be"),
    "that is a list": (at(BODY, "[]"), "an object is needed"),
    "that is NaN": (at(BODY, "NaN"), "not JSON that can be"),
    "of a later release": (at("log.opening.version", 2), "version 2 of the rules of shippin is not known here"),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("what", OPENINGS)
def test_an_opening_whose_hash_is_right_is_not_believed_either(client: FlaskClient, bare: Json, what: str) -> None:
    change, why = OPENINGS[what]
    problem = is_refused(client, rechained(changed(bare, change)))
    assert (problem["code"], why in problem["detail"]) == ("file_is_broken", True), problem


@pytest.fixture(scope="module")
def bare(app: Flask) -> Json:
    """A session in which nothing has happened."""
    scorekeeper = Scorekeeper(app.test_client())
    scorekeeper.opens("shippin")
    return taken_home(scorekeeper)


def test_an_opening_may_tell_other_names(client: FlaskClient, bare: Json) -> None:
    """So what is refused above is refused for what it says, not for how it is made."""
    there = brought(client, rechained(changed(bare, called("players/0", "Eve"))))
    assert there.looks("")["players"][0]["name"] == "Eve"


def paid(**told: Any) -> Change:
    return adds("settlement_paid", **{"from": "p1", "to": "p2", "amount": 5, **told})


def deep(levels: int) -> str:
    return '{"rules":' + "[" * levels + "]" * levels + "}"


LOGS: Mapping[str, tuple[Change, str]] = {
    "an event that nobody knows": (adds("cards_eaten"), "/type one of these is needed"),
    "an event of another game": (reopened_for("turn_played", player="p1"), "/type one of these is needed"),
    "an event with more than it has": (adds("session_reopened", more=1), "there is no such field here"),
    "an event that is out of place": (
        reopened_for("bet_placed", player="p2", column=1),
        "it is not possible where it stands (",
    ),
    "an event after closing": (adds("round_opened"), "(This session is closed: "),
    "an event under rules of a later release": (
        at("log.rows.2.version", 2),
        "version 2 of the rules of shippin is not",
    ),
    "chips of a stranger": (paid(**{"from": "p99"}), "(p99 has no account in this session"),
    "chips below zero": (paid(amount=-5), "/amount a whole number from 1 to 1000000000 is needed"),
    "more chips than there are": (paid(amount=10**30), "a whole number from 1 to 1000000000 is needed"),
    "chips that are a text": (paid(amount="5"), "a whole number from 1 to 1000000000 is needed"),
    "half a chip": (paid(amount=0.5), "a whole number from 1 to 1000000000 is needed"),
    "an event that is no JSON": (at("log.rows.2.body", "{"), "not JSON that can be"),
    "an event that is NaN": (at("log.rows.4.body", '{"dealer": NaN}'), "not JSON that can be"),
    "an event that is a list": (at("log.rows.2.body", "[]"), "an object is needed"),
    "an event that is a number": (at("log.rows.2.body", "1"), "an object is needed"),
    "an event with half a character": (
        at("log.rows.3.body", '{"player": "\\ud800", "column": 1}'),
        "not JSON that can be",
    ),
    "an event 100,000 deep": (at("log.rows.1.body", deep(100_000)), "deeper in one another than"),
    "an event 1000 deep": (at("log.rows.4.body", deep(1000)), "event 5: "),
    "house rules 1000 deep": (at("log.rows.1.body", deep(1000)), "event 2: "),
    "corrections within corrections": (
        adds("event_amended", **{name: told for name, told in nested(150).items() if name != "type"}),
        "events do not lie this deep in one another",
    ),
    "a correction of what never was": (adds("event_taken_back", seq=99), "(There is no event 99"),
    "a correction of itself": (adds("event_taken_back", seq=10), "(There is no event 10"),
    "house rules that cannot be": (
        reopened_for("rules_changed", rules={"bet": -5}),
        "/rules/bet a whole number from 1",
    ),
    "house rules that there are not": (
        reopened_for("rules_changed", rules={"anteater": 1}),
        "there is no such field here",
    ),
    "house rules that are none": (reopened_for("rules_changed", rules=[]), "/rules an object is needed"),
    "house rules that cannot be, within a correction": (
        reopened_for("event_inserted", after=10, event={"type": "rules_changed", "rules": {"bet": 0}}),
        "/event/rules/bet a whole number from 1 to 1000000000",
    ),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("what", LOGS)
def test_a_log_whose_hashes_follow_is_not_believed_either(client: FlaskClient, whole: Json, what: str) -> None:
    """What it tells has to be possible, even if whoever made it knows how hashes are made."""
    change, why = LOGS[what]
    problem = is_refused(client, rechained(changed(whole, change)))
    assert (problem["code"], why in problem["detail"]) == ("file_is_broken", True), problem


def test_hashes_made_anew_are_right(client: FlaskClient, whole: Json) -> None:
    """So what is refused above is refused for what it says."""
    brought(client, rechained(deepcopy(whole)))


MALFORMED: Mapping[str, tuple[Change, str]] = {
    "another program's": (at("format", "ledger"), "/format"),
    "of a later release": (at("version", 2), "/version"),
    "of no release": (at("version", 0), "/version"),
    "of a release that is a text": (at("version", "1"), "/version"),
    "without a format": (lambda file: file.pop("format"), "/format"),
    "without a log": (lambda file: file.pop("log"), "/log"),
    "without balances": (lambda file: file.pop("balances"), "/balances"),
    "without entries": (at("entries", None), "/entries"),
    "with rows that are an object": (at("log.rows", {}), "/log/rows"),
    "with a row that is a number": (at("log.rows.0", 1), "/log/rows/0"),
    "with more in a row than it has": (at("log.rows.0.more", 1), "/log/rows/0/more"),
    "with a row below zero": (at("log.rows.0.seq", -1), "/log/rows/0/seq"),
    "with half a row": (at("log.rows.0.seq", 1.5), "/log/rows/0/seq"),
    "with a row beyond all numbers": (at("log.rows.0.seq", 10**400), "/log/rows/0/seq"),
    "with true for a row": (at("log.rows.0.seq", True), "/log/rows/0/seq"),  # noqa: FBT003
    "with an entry below zero": (at("entries.0.amount", -1), "/entries/0/amount"),
    "with an entry of nothing": (at("entries.0.amount", 0), "/entries/0/amount"),
    "with an entry too large": (at("entries.0.amount", 10**9 + 1), "/entries/0/amount"),
    "with a huge number of an entry": (at("entries.0.id", 2**63), "/entries/0/id"),
    "with half a balance": (at("balances.p1", 0.5), "/balances/p1"),
    "with a hash that is none": (at("log.rows.0.hash", "g" * 64), "/log/rows/0/hash"),
    "with a hash too short": (at("log.rows.0.hash", "0" * 63), "/log/rows/0/hash"),
    "with a moment that is none": (at("log.rows.0.recorded_at", "2026-13-41T25:61:61Z"), "/log/rows/0/recorded_at"),
    "with a moment in other digits": (
        at("log.opening.created_at", "２０２６-11-21T09:00:00Z"),
        "/log/opening/created_at",
    ),
    "with a moment before any clock": (at("log.opening.created_at", "1969-12-31T23:59:59Z"), "/log/opening/created_at"),
    "with a moment on the last of all days": (
        at("log.rows.0.recorded_at", "9999-12-31T23:59:59Z"),
        "/log/rows/0/recorded_at",
    ),
    "with a time without its offset": (at("log.opening.created_at", "2026-11-21T09:00:00"), "/log/opening/created_at"),
    "with a fraction of a second": (
        at("log.rows.0.recorded_at", "2026-11-21T09:00:00.001Z"),
        "/log/rows/0/recorded_at",
    ),
    "with a leap second": (at("log.rows.0.recorded_at", "2016-12-31T23:59:60Z"), "/log/rows/0/recorded_at"),
    "with the hour 24": (at("log.rows.0.recorded_at", "2026-11-21T24:00:00Z"), "/log/rows/0/recorded_at"),
    "with a day that its month has not": (
        at("log.rows.0.recorded_at", "2026-02-29T09:00:00Z"),
        "/log/rows/0/recorded_at",
    ),
    "with an offset of 60 minutes": (
        at("log.rows.0.recorded_at", "2026-11-21T09:00:00+00:60"),
        "/log/rows/0/recorded_at",
    ),
    "with an offset of 24 hours": (
        at("log.rows.0.recorded_at", "2026-11-21T09:00:00+24:00"),
        "/log/rows/0/recorded_at",
    ),
    "with a time before the year 1": (
        at("log.rows.0.recorded_at", "0001-01-01T00:00:00+09:00"),
        "/log/rows/0/recorded_at",
    ),
    "with a time before any clock, in UTC": (
        at("log.opening.created_at", "1970-01-01T08:59:59+09:00"),
        "/log/opening/created_at",
    ),
    "recorded by markup": (at("log.rows.0.recorded_by", "<b>"), "/log/rows/0/recorded_by"),
    "recorded by nobody": (at("log.rows.0.recorded_by", ""), "/log/rows/0/recorded_by"),
    "with a salt that is none": (at("log.rows.0.words.note.salt", "salt"), "/log/rows/0/words/note/salt"),
    "with a text too long": (at("log.rows.0.words.note.text", "x" * 501), "/log/rows/0/words/note/text"),
    "with a name twice in an event": (
        at("log.rows.1.body", lambda body: body[:-1] + ',"rules":{"bet":9}}'),
        "/log/rows/1/body",
    ),
    "with a name twice within": (at("log.rows.1.body", '{"rules":{"bet":9,"bet":9}}'), "/log/rows/1/body"),
    "with a name twice in the opening": (
        at("log.opening.body", lambda body: '{"game":"shippin",' + body[1:]),
        "/log/opening/body",
    ),
    "with an event that is no text": (at("log.rows.1.body", {}), "/log/rows/1/body"),
    "with too many rows": (at("log.rows", [0] * (MAX_EVENTS_IN_A_FILE + 1)), "/log/rows"),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("what", MALFORMED)
def test_a_file_that_is_none_is_refused_with_the_field(client: FlaskClient, whole: Json, what: str) -> None:
    change, pointer = MALFORMED[what]
    problem = is_refused(client, changed(whole, change))
    assert problem["code"] == "malformed_fields"
    assert [error["pointer"] for error in problem["errors"]] == [pointer]


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("file", [[], None, 1, "file", True])
def test_a_file_is_an_object(client: FlaskClient, file: object) -> None:
    assert is_refused(client, file)["code"] == "malformed_fields"


@pytest.mark.usefixtures("nothing_stays")
def test_more_corrections_than_can_be_worked_out_again_are_refused_at_once(client: FlaskClient, whole: Json) -> None:
    """10,000 rows that are all corrections."""
    file = deepcopy(whole)
    row = file["log"]["rows"][6]
    file["log"]["rows"] = [{**row, "seq": number} for number in range(1, 10_001)]
    problem = is_refused(client, file)
    assert (problem["code"], problem["table"], problem["row"]) == ("file_is_broken", "log", 10_000)


# --- what is no file at all -----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b'{"format": NaN}', b"[" * 100_000, b"\xff\xfe{}", b'{"format": "\xff"}', b'"\\ud800"', b"PK\x03\x04"],
    ids=lambda body: ascii(body[:12]),
)
def test_what_is_no_json_cannot_be_read(client: FlaskClient, body: bytes) -> None:
    answer = client.post(ADDRESS, data=body, content_type="application/json")
    assert answer.status_code == 400


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(
    "kind", ["application/xml", "application/octet-stream", "text/html", "multipart/form-data", ""]
)
def test_another_kind_of_file_is_not_understood(client: FlaskClient, whole: Json, kind: str) -> None:
    answer = client.post(ADDRESS, data=json.dumps(whole), content_type=kind)
    assert answer.status_code == 415


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("kind", ["application/json", "text/csv"])
def test_a_file_that_is_too_large_is_refused_with_what_there_may_be(make_app: MakeApp, kind: str) -> None:
    client = make_app(import_bytes=1000).test_client()
    answer = client.post(ADDRESS, data=b" " * 1001, content_type=kind)
    assert (answer.status_code, answer.get_json()["at_most"]) == (413, 1000)


@pytest.mark.parametrize("kind", ["application/json", "text/csv"])
def test_once_a_key_is_needed_to_open_sessions_it_is_needed_here(make_app: MakeApp, whole: Json, kind: str) -> None:
    client = make_app(opening_key="open sesame").test_client()
    body = json.dumps(whole) if kind == "application/json" else "Aki,5\nBen,-5"
    for token, status in {"": 401, "sesame": 401, "open sesame": 201}.items():
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer = client.post(f"{ADDRESS}?game=shippin", data=body, content_type=kind, headers=headers)
        assert answer.status_code == status


# --- balances from a list -------------------------------------------------------------------------------------------


def lists(client: FlaskClient, text: str | bytes, query: str = "?game=shippin") -> TestResponse:
    return client.post(ADDRESS + query, data=text, content_type="text/csv")


@pytest.mark.parametrize(
    "text",
    [
        "Aki,30\nBen,-20\nChie,-10\n",
        "name,balance\nAki,30\nBen,-20\nChie,-10",
        "Name, Balance\r\nAki, +30\r\n\r\nBen , -20\r\nChie,-10\r\n,\r\n",
        "\ufeffname,balance\nAki,30\nBen,-20\nChie,-10",
        '"name","balance"\n"Aki","30"\n"Ben","-20"\n"Chie","-10"',
        "Aki;30\nBen;-20\nChie;-10",
        "Aki\t30\nBen\t−20\nChie\t－１０\n",
        "sep=;\r\nName;Balance;\r\nAki;30;\r\nBen;-20;\r\nChie;-10;\r\n",
        "名前,収支\nAki,３０\nBen,－２０\nChie,-10",
        "プレイヤー\t席\t残高\nAki\t1\t30\nBen\t2\t-20\nChie\t3\t-10",
    ],
)
def test_balances_are_brought_along(client: FlaskClient, text: str) -> None:
    answer = lists(client, text)
    assert answer.status_code == 201, answer.text
    there = owner(client, answer.get_json())
    assert there.balances() == {"p1": 30, "p2": -20, "p3": -10}
    assert [player["name"] for player in there.looks("")["players"]] == ["Aki", "Ben", "Chie"]
    assert [(e["from"], e["to"], e["amount"], e["reason"]) for e in there.looks("/ledger")["entries"]] == [
        ("bank", "p1", 30, "brought_forward"),
        ("p2", "bank", 20, "brought_forward"),
        ("p3", "bank", 10, "brought_forward"),
    ]
    assert there.looks("/verify")["ok"]
    recorded(there, event("round_opened"), event("bet_placed", player="p2", column=1))


def test_a_file_may_begin_with_a_mark_and_have_other_line_ends(client: FlaskClient, scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben"])
    recorded(scorekeeper, event("chips_moved", **{"from": "p1"}, to="p2", amount=5))
    file = scorekeeper.client.get(f"{scorekeeper.address}/export.json", headers=scorekeeper.headers()).data
    marked = b"\xef\xbb\xbf" + file.replace(b"\n", b"\r\n")
    answer = client.post(ADDRESS, data=marked, content_type="application/json")
    assert answer.status_code == 201, answer.text
    assert owner(client, answer.get_json()).balances() == {"p1": -5, "p2": 5}


def test_the_version_of_no_file_is_answered_with_what_is_read(client: FlaskClient, scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben"])
    file = scorekeeper.looks("/export.json")
    (error,) = client.post(ADDRESS, json=file | {"version": 0}).get_json()["errors"]
    assert error == {"pointer": "/version", "detail": "the version of a file is a whole number; this release reads 1"}


@pytest.mark.parametrize("text", ['Aki,"-1,030"\nBen,"1,030"', "Aki;-1,030\nBen;1 030", "Aki\t-1'030\nBen\t1’030"])
def test_balances_may_be_grouped(client: FlaskClient, text: str) -> None:
    answer = lists(client, text)
    assert answer.status_code == 201, answer.text
    assert owner(client, answer.get_json()).balances() == {"p1": -1030, "p2": 1030}


@pytest.mark.parametrize("charset", ["shift_jis", "Shift-JIS", "cp932", "windows-31j", "euc-jp", "utf-8", "utf-16"])
@pytest.mark.parametrize("kind", ["text/csv", "text/plain"])
def test_a_charset_that_is_declared_is_honoured(client: FlaskClient, kind: str, charset: str) -> None:
    text = {"text/csv": "山田　太郎,5\r\n佐藤,-5\r\n", "text/plain": 'game shippin\nplayers "山田　太郎" 佐藤\n'}[kind]
    answer = client.post(
        f"{ADDRESS}?game=shippin",
        data=text.encode(charset.replace("windows-31j", "cp932")),
        content_type=f"{kind}; charset={charset}",
    )
    assert answer.status_code == 201, answer.text
    assert [person["name"] for person in answer.get_json()["session"]["players"]] == ["山田　太郎", "佐藤"]


def test_what_excel_calls_unicode_text_is_read(client: FlaskClient) -> None:
    answer = lists(client, "山田\t5\r\n佐藤\t-5\r\n".encode("utf-16"))
    assert answer.status_code == 201, answer.text
    assert [person["name"] for person in answer.get_json()["session"]["players"]] == ["山田", "佐藤"]


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("charset", ["zip", "rot13", "hex", "idna", "unicode_escape", "klingon", "utf-7"])
def test_any_other_charset_is_refused(client: FlaskClient, charset: str) -> None:
    answer = client.post(f"{ADDRESS}?game=shippin", data=b"Aki,0", content_type=f"text/csv; charset={charset}")
    assert answer.status_code == 415
    assert "shift_jis" in answer.get_json()["detail"]


@pytest.mark.usefixtures("nothing_stays")
def test_what_is_not_in_its_charset_is_refused(client: FlaskClient) -> None:
    text = "山田,0".encode("shift_jis")
    assert lists(client, text).status_code == 400
    answer = client.post(ADDRESS, data=b'{"a": "\x8e"}', content_type="application/json; charset=shift_jis")
    assert (answer.status_code, answer.get_json()["detail"]) == (415, "JSON is sent in UTF-8")


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,balance\nAki,5\n\nBen,1.5", "row 4, column 2: “1.5” is no whole number of chips, such as 25"),
        ("Aki;5\nBen", "row 2, column 2: a whole number of chips is needed, and nothing stands there"),
        ("Aki,5\n,-5", "row 2, column 1: a name is needed"),
        ("Aki,5,6\nBen,-5", "row 1, column 3: “6” is too much"),
        ("name,seat,balance\nAki,1,x", "row 2, column 3: “x” is no whole number"),
        ('sep="\nAki,0', "row 1, column 2: a whole number of chips is needed"),
        ("Spieler;Saldo\nAki;0", "row 1, column 2: “Saldo” is no whole number"),
    ],
)
def test_a_wrong_cell_is_named(client: FlaskClient, text: str, said: str) -> None:
    (error,) = lists(client, text).get_json()["errors"]
    assert said in error["detail"]


def test_more_people_than_seats_are_listed_and_not_here(client: FlaskClient) -> None:
    people = "".join(f"Player {number},{balance}\n" for number, balance in enumerate([10, -10, 0, 0, 0, -7, 7], 1))
    there = owner(client, lists(client, people).get_json())
    listed = [(one["id"], one["seat"], one["active"], one["balance"]) for one in there.looks("")["players"]]
    assert listed[4:] == [("p5", 5, True, 0), ("p6", None, False, -7), ("p7", None, False, 7)]
    owed = [(one["from"], one["to"], one["amount"]) for one in there.looks("/settlement")["payments"]]
    assert owed == [("p2", "p1", 10), ("p6", "p7", 7)]
    there.reports(event("player_left", player="p5"), event("player_joined", player="p6"))
    there.reports(event("settlement_paid", from_="p6", to="p7", amount=7))
    assert there.balances() == {"p1": 10, "p2": -10, "p3": 0, "p4": 0, "p5": 0, "p6": 0, "p7": 0}
    again = owner(client, client.post(ADDRESS, json=there.looks("/export.json")).get_json())
    assert again.looks("")["players"] == there.looks("")["players"]
    text = client.get(f"{there.address}/export.txt", headers=there.headers()).text
    copied = owner(client, client.post(ADDRESS, data=text.encode(), content_type="text/plain").get_json())
    assert copied.looks("")["players"] == there.looks("")["players"]
    there.reports(event("player_erased", player="p7"))
    assert "Player 7" not in client.get(f"{there.address}/export.json", headers=there.headers()).text
    assert there.looks("/verify")["ok"]


def test_names_may_have_commas_quotes_and_any_letters(client: FlaskClient) -> None:
    answer = lists(client, '"Aki, the ""Elder""",5\n千恵 🎴,-5\n"=1+1",0\n')
    there = owner(client, answer.get_json())
    assert [player["name"] for player in there.looks("")["players"]] == ['Aki, the "Elder"', "千恵 🎴", "=1+1"]


def test_a_name_of_a_list_is_one_line(client: FlaskClient) -> None:
    problem = lists(client, 'Aki,0\n"two\nlines",0\n').get_json()
    assert [(error["pointer"], "one line" in error["detail"]) for error in problem["errors"]] == [("/players/1", True)]


def test_game_deck_and_name_are_said_in_the_address(client: FlaskClient) -> None:
    people = "\n".join(f"Player {number},0" for number in range(1, 8))
    session = lists(client, people, "?game=kakkuri&deck=western&name=New+year").get_json()["session"]
    assert (session["game"], session["deck"], session["name"]) == ("kakkuri", "western", "New year")


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Aki,5\nBen,minus five", ["/balances/1"]),
        ("name,balance\nAki,5\nBen,x\nChie", ["/balances/1", "/balances/2"]),
        ("Aki,5,5\nBen,-10", ["/balances/0"]),
        ("Aki,5.0\nBen,-5", ["/balances/0"]),
        ("Aki,1e3\nBen,-1000", ["/balances/0"]),
        ("Aki,1000000001\nBen,-1000000001", ["/balances/0", "/balances/1"]),
        ("Aki,=1+1\nBen,-2", ["/balances/0"]),
        (",5\nBen,-5", ["/balances/0"]),
        ('Aki,5\n"Ben,-5', ["/balances"]),
        ("x" * 200_000 + ",0", ["/balances"]),
        ("長" * 101 + ",0\nBen,0", ["/players/0"]),
        ("A\0ki,0\nBen,0", ["/players/0"]),
        ("Aki,0", ["/players"]),
        ("Ben,0\n" * 5 + "長" * 101 + ",0", ["/players/5"]),
        ("", ["/players"]),
        ("name,balance\n", ["/players"]),
        ("Aki,0\n" * 101, ["/players"]),
        ("Aki 2,0\n" * 10_000, ["/players"]),
    ],
    ids=lambda case: ascii(case[:16]) if isinstance(case, str) else "is wrong",
)
def test_a_list_that_cannot_be_read_is_refused_with_the_row(client: FlaskClient, text: str, wrong: list[str]) -> None:
    answer = lists(client, text)
    assert answer.status_code == 422, answer.text
    assert [error["pointer"] for error in answer.get_json()["errors"]] == wrong


@pytest.mark.usefixtures("nothing_stays")
def test_balances_that_come_to_something_are_refused_with_what(client: FlaskClient) -> None:
    answer = lists(client, "Aki,30\nBen,-20")
    problem = answer.get_json()
    assert (answer.status_code, problem["code"], problem["total"]) == (409, "balances_do_not_sum", 10)


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("", "game"),
        ("?game=poker", "game"),
        ("?game=shippin&deck=tarot", "deck"),
        ("?game=shippin&name=", "name"),
        ("?game=shippin&rules=1", "rules"),
    ],
)
def test_what_the_address_says_wrongly_is_named(client: FlaskClient, query: str, wrong: str) -> None:
    answer = lists(client, "Aki,0\nBen,0", query)
    assert answer.status_code == 422
    assert [error["parameter"] for error in answer.get_json()["errors"]] == [wrong]


@pytest.mark.usefixtures("nothing_stays")
def test_a_list_is_text_in_utf_8(client: FlaskClient) -> None:
    assert lists(client, "名前,0\nBen,0".encode("shift_jis")).status_code == 400
