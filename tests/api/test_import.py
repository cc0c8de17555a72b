"""Bringing a session in: the same books, hashes and history as were taken home, and nothing of what is not whole.

A file can be written by anybody. Every hostile one here is refused in words, and leaves no row in any table.
"""

from __future__ import annotations

import json
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
    answer, again = brings_in(client, whole), brings_in(client, whole)
    body = answer.get_json()
    assert (answer.status_code, again.get_json()["session"]["id"] != body["session"]["id"]) == (201, True)
    assert answer.headers["Location"] == f"/v1/sessions/{body['session']['id']}"
    assert body["link"]["role"] == "owner"
    scorekeeper = owner(client, body)
    (link,) = scorekeeper.looks("/links")["links"]
    assert link["id"] == body["link"]["id"]
    session = scorekeeper.looks("")
    assert (session["name"], session["status"], session["seq"]) == ("New year", "closed", 9)
    assert [player["name"] for player in session["players"]] == ["Aki", "Ben", "Chie", "Dai", "Emi"]
    assert [told["note"] for told in scorekeeper.looks("/events")["events"] if "note" in told] == ["in cash"]


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
    file = deepcopy(file)
    times = [(file["log"]["opening"], "created_at"), *((row, "recorded_at") for row in file["log"]["rows"])]
    for part, name in times:
        part[name] = how(datetime.fromisoformat(part[name]))
    return file


WAYS: Mapping[str, Callable[[datetime], str]] = {
    "-00:00": lambda time: time.isoformat().replace("+", "-"),
    "lower case": lambda time: f"{time:%Y-%m-%dt%H:%M:%Sz}",
    "a long fraction of zero": lambda time: f"{time:%Y-%m-%d %H:%M:%S}.{'0' * 12}+00:00",
    "elsewhere": lambda time: time.astimezone(timezone(timedelta(hours=9))).isoformat(),
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


def test_a_file_may_be_larger_than_other_bodies_with_a_mark_and_other_line_ends(make_app: MakeApp, whole: Json) -> None:
    client = make_app(body_bytes=1000).test_client()
    marked = "\ufeff" + json.dumps(whole, indent=1).replace("\n", "\r\n")
    answer = client.post(ADDRESS, data=marked.encode(), content_type="application/json")
    assert but_for_the_id(taken_home(owner(client, answer.get_json()))) == but_for_the_id(whole)


# --- what bringing one in may take ------------------------------------------------------------------------------------

CORRECTED = "game shippin\nplayers Aki Ben Chie\ngift p1 p2=1\n" + "insert 1 gift p1 p2=1\n" * 4000
TOO_MUCH: Mapping[str, tuple[str, str, str, str]] = {
    "objects": ("application/json", f"[{','.join(['[]'] * 524_288)}]", "", "at most 524288 objects"),
    "brackets in texts": ("application/json", json.dumps({"format": "{[" * 524_288 + '"'}), "/format", "export.json"),
    "lines of the notation": ("text/plain", "\n" * (MAX_LINES + 1), "", str(MAX_LINES)),
    "lines of a list": ("text/csv", "\n" * (MAX_LINES + 1), "", str(MAX_LINES)),
    "corrections": ("text/plain", CORRECTED, "", "4000 corrections"),
    "no game": ("text/plain", "dealer 1\n", "/game", f"one of these is needed: {', '.join(GAMES)}"),
    "no players": ("text/plain", "game shippin\n", "/players", "this field is needed"),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(("kind", "text", "place", "said"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_is_too_much_or_too_little_is_refused(
    client: FlaskClient, kind: str, text: str, place: str, said: str
) -> None:
    address = f"{ADDRESS}?game=shippin" if kind == "text/csv" else ADDRESS
    answer = client.post(address, data=text, content_type=kind)
    errors = {error["pointer"]: error["detail"].replace(",", "") for error in answer.get_json()["errors"]}
    assert answer.status_code == 422
    assert said.replace(",", "") in errors[place]


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
    "a type": (at("log.rows.2.type", "session_closed"), "events", 3),
    "the opening": (within("log.opening.body", dealer=2), "events", 1),
    "the version of its rule book": (at("log.opening.version", 2), "events", 1),
    "rows in another order": (at("log.rows", swapped), "events", 1),
    "a row twice": (at("log.rows", lambda rows: [rows[0], *rows]), "events", 2),
    "rows cut off at the end": (at("log.rows", lambda rows: rows[:6]), "entries", 5),
    "a name": (at("log.opening.words.players/0.text", "Eve"), "words", "0/players/0"),
    "a note": (at("log.rows.0.words.note.text", "on credit"), "words", "1/note"),
    "a name that was forgotten without anybody's being erased": (
        at("log.opening.words.players/0", {"salt": "", "text": "Eve"}),
        "words",
        "0/players/0",
    ),
    "a name that is missing": (lambda file: file["log"]["opening"]["words"].pop("players/0"), "words", "0/players/0"),
    "a text where none belongs": (at("log.rows.0.words.amount", {"salt": "", "text": "1000"}), "words", "1/amount"),
    "a text in place of a player": (
        at("log.rows.3.words", {"player": {"salt": "", "text": "p3"}}),
        "words",
        "4/player",
    ),
    "an entry's amount": (at("entries.0.amount", 99), "entries", 1),
    "an entry's round": (at("entries.0.round", 1), "entries", 1),
    "what an entry reverses": (at("entries.0.reverses", 1), "entries", 1),
    "an entry that is missing": (at("entries", lambda entries: entries[1:]), "entries", 1),
    "an entry too many": (at("entries", lambda entries: [*entries, entries[-1]]), "entries", 7),
    "a balance": (at("balances.p1", 0), "balances", "p1"),
    "a balance that is missing": (lambda file: file["balances"].pop("p1"), "balances", "p1"),
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


def one_after_the_other(*changes: Change) -> Change:
    def make(file: Json) -> None:
        for change in changes:
            change(file)

    return make


BODY = "log.opening.body"
YEN = {"currency": "JPY", "per_chip": "10"}


def nested(depth: int) -> Json:
    return {"type": "event_amended", "seq": 1, "event": nested(depth - 1) if depth else {"type": "round_opened"}}


def paid(**told: Any) -> Change:
    return adds("settlement_paid", **{"from": "p1", "to": "p2", "amount": 5, **told})


OPENINGS: Mapping[str, tuple[Change, str]] = {
    "with a deck that the game is not played with": (within(BODY, deck="mekurifuda"), "/deck Shippin is played with"),
    "with a rule that there is not": (within(BODY, rules={"anteater": 1}), "/rules"),
    "with a rule that cannot be so": (within(BODY, rules={"bet": -5}), "/rules/bet"),
    "with more than a worth": (within(BODY, chip_value=YEN | {"more": 1}), "/chip_value"),
    "on no day": (within(BODY, played_on="tomorrow"), "/played_on"),
    "with players who are a number": (within(BODY, players=4), "no text belongs there"),
    "with nobody": (one_after_the_other(within(BODY, players=[]), at("log.opening.words", {})), "players; here are 0"),
    "with a blank name": (called("players/0", " "), "and not only spaces"),
    "with a name too long": (called("players/0", "長" * 101), "/players/0"),
    "with a name that cannot be stored": (called("players/0", "A\0ki"), "cannot hold the character NUL"),
    "with a name over two lines": (called("players/0", "A\nki"), "a name is one line"),
    "with a name that nobody sees": (called("players/0", "\u200b\ufeff"), "and not only spaces"),
    "that is no JSON": (at(BODY, "NaN"), "not JSON that can be"),
    "of a later release": (at("log.opening.version", 2), "version 2 of the rules of shippin is not known here"),
}
LOGS: Mapping[str, tuple[Change, str]] = {
    "an event that nobody knows": (adds("cards_eaten"), "/type one of these is needed"),
    "an event of another game": (reopened_for("turn_played", player="p1"), "/type one of these is needed"),
    "an event that is out of place": (
        reopened_for("bet_placed", player="p2", column=1),
        "not possible where it stands",
    ),
    "an event after closing": (adds("round_opened"), "(This session is closed: "),
    "an event under later rules": (at("log.rows.2.version", 2), "version 2 of the rules of shippin is not"),
    "chips of a stranger": (paid(**{"from": "p99"}), "(p99 has no account in this session"),
    "more chips than there are": (paid(amount=10**30), "/amount"),
    "an event that is no JSON": (at("log.rows.4.body", '{"dealer": NaN}'), "event 5: "),
    "half a character": (at("log.rows.3.body", '{"player": "\\ud800", "column": 1}'), "event 4: "),
    "an event 100,000 deep": (at("log.rows.1.body", '{"rules":' + "[" * 100_000), "event 2: "),
    "corrections within corrections": (adds("event_amended", seq=1, event=nested(150)), "event 10: "),
    "a correction of itself": (adds("event_taken_back", seq=10), "(There is no event 10"),
    "house rules that there are not": (reopened_for("rules_changed", rules={"anteater": 1}), "/rules"),
    "house rules that cannot be, within a correction": (
        reopened_for("event_inserted", after=10, event={"type": "rules_changed", "rules": {"bet": 0}}),
        "/event/rules/bet",
    ),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(("change", "why"), [*OPENINGS.values(), *LOGS.values()], ids=[*OPENINGS, *LOGS])
def test_a_log_whose_hashes_follow_is_not_believed_either(
    client: FlaskClient, whole: Json, bare: Json, change: Change, why: str
) -> None:
    """What it tells has to be possible, even if whoever made it knows how hashes are made."""
    file = bare if (change, why) in OPENINGS.values() else whole
    problem = is_refused(client, rechained(changed(file, change)))
    assert (problem["code"], why in problem["detail"]) == ("file_is_broken", True), problem


@pytest.fixture(scope="module")
def bare(app: Flask) -> Json:
    """A session in which nothing has happened."""
    scorekeeper = Scorekeeper(app.test_client())
    scorekeeper.opens("shippin")
    return taken_home(scorekeeper)


def test_what_follows_and_is_possible_is_taken(client: FlaskClient, whole: Json, bare: Json) -> None:
    """So what is refused above is refused for what it says, not for how it is made."""
    brought(client, rechained(deepcopy(whole)))
    there = brought(client, rechained(changed(bare, called("players/0", "Eve"))))
    assert there.looks("")["players"][0]["name"] == "Eve"


MOMENTS = (
    *("2026-13-41T25:61:61Z", "２０２６-11-21T09:00:00Z", "1970-01-01T08:59:59+09:00", "9999-12-31T23:59:59Z"),
    *("2026-11-21T09:00:00", "2026-11-21T09:00:00.001Z", "2016-12-31T23:59:60Z", "2026-11-21T24:00:00Z"),
    *("2026-02-29T09:00:00Z", "2026-11-21T09:00:00+00:60", "2026-11-21T09:00:00+24:00", "0001-01-01T00:00:00+09:00"),
)
BODIES: tuple[Any, ...] = ({}, '{"rules":{"bet":9,"bet":9}}', '{"rules":{"bet":10},"rules":{"bet":9}}')
MALFORMED: list[tuple[str, tuple[Any, ...]]] = [
    ("format", ("ledger", None)),
    ("version", (2, 0, "1")),
    ("log", (None,)),
    ("balances", (None, [])),
    ("balances.p1", (0.5, "1")),
    ("entries", (None, {})),
    ("entries.0.amount", (-1, 0, 10**9 + 1)),
    ("entries.0.id", (2**63,)),
    ("log.rows", ({}, [0] * (MAX_EVENTS_IN_A_FILE + 1))),
    ("log.rows.0", (1, None)),
    ("log.rows.0.more", (1,)),
    ("log.rows.0.seq", (-1, 1.5, 10**400, True)),
    ("log.rows.0.hash", ("g" * 64, "0" * 63, "0" * 64 + "\n")),
    ("log.rows.0.recorded_at", MOMENTS),
    ("log.rows.0.recorded_by", ("<b>", "")),
    ("log.rows.0.words.note.salt", ("salt",)),
    ("log.rows.0.words.note.text", ("x" * 501,)),
    ("log.rows.1.body", BODIES),
    ("log.opening.created_at", MOMENTS[:5]),
    ("log.opening.body", ({}, '{"game":"shippin","game":"shippin"}')),
]


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(("path", "values"), MALFORMED)
def test_a_file_that_is_none_is_refused_with_the_field(
    client: FlaskClient, whole: Json, path: str, values: tuple[Any, ...]
) -> None:
    for value in values:
        problem = is_refused(client, changed(whole, at(path, value)))
        errors = [error["pointer"] for error in problem["errors"]]
        assert (problem["code"], errors) == ("malformed_fields", ["/" + path.replace(".", "/")]), value


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
    ("kind", "body", "status"),
    [
        *(("application/json", body, 422) for body in (b"[]", b"null", b"1", b'"file"')),
        *(("application/json", body, 400) for body in (b"", b"[" * 100_000, b"\xff\xfe{}", b"PK\x03\x04")),
        *((kind, b"{}", 415) for kind in ("application/xml", "text/html", "", "application/json; charset=shift_jis")),
        *((f"text/csv; charset={charset}", b"Aki,0", 415) for charset in ("zip", "idna", "klingon", "utf-7")),
        ("text/csv", "山田,0".encode("shift_jis"), 400),
    ],
    ids=lambda part: ascii(part[:40]) if isinstance(part, bytes | str) else None,
)
def test_another_kind_of_file_is_not_read(client: FlaskClient, kind: str, body: bytes, status: int) -> None:
    assert client.post(f"{ADDRESS}?game=shippin", data=body, content_type=kind).status_code == status


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


@pytest.mark.parametrize("text", ['Aki,"-1,030"\nBen,"1,030"', "Aki;-1,030\nBen;1 030", "Aki\t-1'030\nBen\t1’030"])
def test_balances_may_be_grouped(client: FlaskClient, text: str) -> None:
    answer = lists(client, text)
    assert answer.status_code == 201, answer.text
    assert owner(client, answer.get_json()).balances() == {"p1": -1030, "p2": 1030}


@pytest.mark.parametrize("charset", ["Shift-JIS", "windows-31j", "euc-jp", "utf-16"])
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


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,balance\nAki,5\n\nBen,1.5", "row 4, column 2: “1.5” is no whole number of chips, such as 25"),
        ("Aki,5\n,-5", "row 2, column 1: a name is needed"),
        ("Aki,5,6\nBen,-5", "row 1, column 3: “6” is too much"),
        ('sep="\nAki,0', "row 1, column 2: a whole number of chips is needed"),
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


def test_names_may_have_commas_quotes_and_any_letters_and_the_address_says_the_rest(client: FlaskClient) -> None:
    text = '"Aki, the ""Elder""",5\n千恵 🎴,-5\n"=1+1",0\n' + "\n".join(f"Player {number},0" for number in range(4))
    session = lists(client, text, "?game=kakkuri&deck=western&name=New+year").get_json()["session"]
    assert [player["name"] for player in session["players"]][:3] == ['Aki, the "Elder"', "千恵 🎴", "=1+1"]
    assert (session["game"], session["deck"], session["name"]) == ("kakkuri", "western", "New year")


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("name,balance\nAki,5\nBen,x\nChie", ["/balances/1", "/balances/2"]),
        ("Aki,5,5\nBen,-10", ["/balances/0"]),
        ("Aki,1000000001\nBen,-1000000001", ["/balances/0", "/balances/1"]),
        ('Aki,5\n"Ben,-5', ["/balances"]),
        ("x" * 200_000 + ",0", ["/balances"]),
        ("長" * 101 + ",0\nBen,0", ["/players/0"]),
        ("A\0ki,0\nBen,0", ["/players/0"]),
        ('"two\nlines",0\nBen,0', ["/players/0"]),
        ("Aki,0", ["/players"]),
        ("Ben,0\n" * 5 + "長" * 101 + ",0", ["/players/5"]),
        ("", ["/players"]),
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
    "query", ["game=", "game=poker", "game=shippin&deck=tarot", "game=kakkuri&name=", "game=shippin&x=1"]
)
def test_what_the_address_says_wrongly_is_named(client: FlaskClient, query: str) -> None:
    answer = lists(client, "Aki,0\nBen,0", f"?{query}")
    wrong = query.rpartition("&")[2].partition("=")[0]
    assert (answer.status_code, [error["parameter"] for error in answer.get_json()["errors"]]) == (422, [wrong])
