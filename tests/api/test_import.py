"""Bringing a session in: the same books, hashes and history as were taken home, and nothing of what is not whole.

A file can be written by anybody. Every hostile one here is refused in words, and leaves no row in any table.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from datetime import datetime, timedelta, timezone
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from werkzeug.test import TestResponse

from ledger.api.http.current import one_at_a_time
from ledger.api.http.rate_limits import IMPORTING
from ledger.codec.hash_chain import row_hash, salted
from ledger.games import GAMES
from ledger.services.importing import MAX_LINES
from tests.api.conftest import MakeApp
from tests.api.rounds import first_cards, recorded, second_cards
from tests.databases import rows_of
from tests.reckoning.evenings import evenings
from tests.scorekeeper import Json, Scorekeeper, event

ADDRESS = "/v1/sessions/import"


def brings_in(client: FlaskClient, file: object) -> TestResponse:
    """Send a file as JSON, whatever becomes of it."""
    return client.post(ADDRESS, data=json.dumps(file), content_type="application/json")


def lists(client: FlaskClient, text: str, query: str = "game=shippin") -> TestResponse:
    """Send a list of balances, whatever becomes of it."""
    return client.post(f"{ADDRESS}?{query}", data=text, content_type="text/csv")


def owner(client: FlaskClient, answer: TestResponse) -> Scorekeeper:
    """Speak for the owner of what was brought in."""
    assert answer.status_code == 201, answer.text
    scorekeeper, body = Scorekeeper(client), answer.get_json()
    scorekeeper.session_id, scorekeeper.token = body["session"]["id"], body["link"]["token"]
    return scorekeeper


def taken_home(scorekeeper: Scorekeeper) -> Json:
    """The export, but for the id of the session."""
    file = scorekeeper.looks("/export.json")
    return {**file, "session": {**file["session"], "id": None}}


@pytest.fixture
def nothing_stays(app: Flask, database: Path) -> Iterator[None]:
    """Whatever the test sends, afterwards every table has as many rows as before."""
    before = rows_of(database)
    assert before.keys() >= {"sessions", "events", "words", "entries", "links"}, app
    yield
    assert rows_of(database) == before


# --- a file that is whole -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
@given(data=st.data())
def test_what_was_taken_home_comes_back_whole_and_goes_on(game: str, data: st.DataObject, app: Flask) -> None:
    """The same books, hashes, history, names, a new owner; the rest of the evening comes to the same in both."""
    client = FlaskClient(app)
    state = data.draw(evenings(game, corrections=data.draw(st.booleans()), max_rounds=2))
    part = data.draw(st.integers(0, len(state.events)))
    here = Scorekeeper(client)
    here.opens(**state.opening)
    recorded_in_parts(here, state.events[:part])
    answer = brings_in(client, here.looks("/export.json"))
    there, link = owner(client, answer), answer.get_json()["link"]
    assert answer.headers["Location"] == there.address != here.address
    assert [(one["id"], one["role"]) for one in there.looks("/links")["links"]] == [(link["id"], "owner")]
    assert taken_home(there) == taken_home(here)
    assert there.looks("/verify") == here.looks("/verify")
    for scorekeeper in (here, there):
        recorded_in_parts(scorekeeper, state.events[part:])
    books, of_the_other = (scorekeeper.looks("/export.json") for scorekeeper in (here, there))
    for name in ("entries", "rounds", "balances"):
        assert books[name] == of_the_other[name]
    for place in ("/settlement", "/statistics"):
        assert there.looks(place) == here.looks(place)
    assert there.looks("/verify")["ok"]


def recorded_in_parts(scorekeeper: Scorekeeper, events: list[Json]) -> None:
    for first in range(0, len(events), 500):
        recorded(scorekeeper, *events[first : first + 500])


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


def test_who_was_forgotten_stays_forgotten(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Aki", "Ben", "Chie"])
    recorded(scorekeeper, event("chips_moved", from_="p1", to="p2", amount=5, note="Ben won a bet"))
    recorded(scorekeeper, event("player_erased", player="p2"))
    there = owner(scorekeeper.client, brings_in(scorekeeper.client, taken_home(scorekeeper)))
    assert there.looks("/verify") == scorekeeper.looks("/verify")
    assert "Ben" not in json.dumps(taken_home(there))


def test_times_and_what_a_file_tells_besides_may_be_written_otherwise(make_app: MakeApp, whole: Json) -> None:
    """The session, its events and rounds come from the log, as do its hashes, which are over the times in UTC.

    A file may be larger than other bodies, with a mark and other line ends.
    """
    ways: tuple[Callable[[datetime], str], ...] = (
        lambda time: time.isoformat().replace("+", "-"),
        lambda time: f"{time:%Y-%m-%dt%H:%M:%Sz}",
        lambda time: f"{time:%Y-%m-%d %H:%M:%S}.{'0' * 12}+00:00",
        lambda time: time.astimezone(timezone(timedelta(hours=9))).isoformat(),
    )
    file = deepcopy(whole) | {"session": {"name": "Other"}, "events": "none", "rounds": [1], "more": {}}
    times = [(file["log"]["opening"], "created_at"), *((row, "recorded_at") for row in file["log"]["rows"])]
    for (part, name), way in zip(times, cycle(ways), strict=False):
        part[name] = way(datetime.fromisoformat(part[name]))
    client = make_app(body_bytes=1000).test_client()
    marked = "\ufeff" + json.dumps(file, indent=1).replace("\n", "\r\n")
    answer = client.post(ADDRESS, data=marked.encode(), content_type="application/json")
    assert taken_home(owner(client, answer)) == whole


# --- what bringing one in may take ------------------------------------------------------------------------------------

CORRECTED = "game shippin\nplayers Aki Ben Chie\ngift p1 p2=1\n" + "insert 1 gift p1 p2=1\n" * 4000
TOO_MUCH: Mapping[str, tuple[str, str, str, str]] = {
    "objects": ("application/json", f"[{','.join(['[]'] * 524_288)}]", "", "at most 524288 objects"),
    "brackets in texts": ("application/json", json.dumps({"format": "{[" * 524_288 + '"'}), "/format", "export.json"),
    "lines": ("text/plain", "\n" * (MAX_LINES + 1), "", str(MAX_LINES)),
    "corrections": ("text/plain", CORRECTED, "", "4000 corrections"),
    "no game": ("text/plain", "dealer 1\n", "/game", f"one of these is needed: {', '.join(GAMES)}"),
    "no players": ("text/plain", "game shippin\n", "/players", "this field is needed"),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(("kind", "text", "place", "said"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_what_is_too_much_or_too_little_is_refused(
    client: FlaskClient, kind: str, text: str, place: str, said: str
) -> None:
    answer = client.post(ADDRESS, data=text, content_type=kind)
    errors = {error["pointer"]: error["detail"] for error in answer.get_json()["errors"]}
    assert answer.status_code == 422
    assert said in errors[place]


def test_one_file_is_brought_in_at_a_time(make_app: MakeApp, whole: Json) -> None:
    app = make_app(busy_seconds=0.01)
    client = app.test_client()
    with app.app_context(), one_at_a_time(IMPORTING):
        answer = brings_in(client, whole)
    assert (answer.status_code, answer.get_json()["code"]) == (503, "store_busy")
    assert int(answer.headers["Retry-After"]) > 0


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


def adds(*events: Json, words: Json | None = None) -> Change:
    """Write more rows for the log, in which anything may stand, each with these texts."""

    def make(file: Json) -> None:
        rows = file["log"]["rows"]
        for told in events:
            body = json.dumps({name: value for name, value in told.items() if name != "type"})
            rows.append(rows[-1] | {"seq": len(rows) + 1, "type": told["type"], "body": body, "words": words or {}})

    return make


def called(name: str) -> Change:
    """Write that somebody has a new name, with a digest that fits."""
    said = salted(name)
    words = {"name": {"salt": said.salt.hex(), "text": name}}
    return adds(event("player_renamed", player="p1", name=said.digest), words=words)


def changed(file: Json, change: Change) -> Json:
    file = deepcopy(file)
    change(file)
    return file


def rechained(file: Json) -> Json:
    """Make a file whose hashes all follow, as anybody can."""
    opening = file["log"]["opening"]
    before = row_hash(b"", opening["body"], opening["version"], opening["created_at"])
    for row in file["log"]["rows"]:
        sealed = ("seq", "type", "version", "body", "recorded_at", "recorded_by")
        before = row_hash(before, *(row[name] for name in sealed))
        row["hash"] = before.hex()
    return file


def is_refused(client: FlaskClient, file: object) -> Json:
    answer = brings_in(client, file)
    assert answer.status_code == 422, answer.text
    problem: Json = answer.get_json()
    return problem


FORGOTTEN = {"salt": "", "text": "Eve"}
BROKEN: Mapping[str, tuple[Change, str, object]] = {
    "an amount": (within("log.rows.0.body", amount=1000), "events", 1),
    "a time": (at("log.rows.2.recorded_at", "2026-11-21T09:00:00Z"), "events", 3),
    "the opening": (within("log.opening.body", dealer=2), "events", 1),
    "rows in another order": (at("log.rows", lambda rows: [rows[1], rows[0], *rows[2:]]), "events", 1),
    "rows cut off at the end": (at("log.rows", lambda rows: rows[:6]), "entries", 5),
    "10,000 corrections": (at("log.rows", lambda r: [{**r[6], "seq": n} for n in range(1, 10_001)]), "log", 10_000),
    "a name": (at("log.opening.words.players/0.text", "Eve"), "words", "0/players/0"),
    "a note": (at("log.rows.0.words.note.text", "on credit"), "words", "1/note"),
    "a name forgotten with nobody erased": (at("log.opening.words.players/0", FORGOTTEN), "words", "0/players/0"),
    "a name that is missing": (lambda file: file["log"]["opening"]["words"].pop("players/0"), "words", "0/players/0"),
    "a text where none belongs": (at("log.rows.0.words.amount", FORGOTTEN), "words", "1/amount"),
    "an entry's amount": (at("entries.0.amount", 99), "entries", 1),
    "an entry too many": (at("entries", lambda entries: [*entries, entries[-1]]), "entries", 7),
    "a balance": (at("balances.p1", 0), "balances", "p1"),
    "a balance that is missing": (lambda file: file["balances"].pop("p1"), "balances", "p1"),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(("change", "table", "row"), BROKEN.values(), ids=BROKEN)
def test_a_file_that_was_changed_is_refused_with_the_first_row_that_differs(
    client: FlaskClient, whole: Json, change: Change, table: str, row: object
) -> None:
    problem = is_refused(client, changed(whole, change))
    assert (problem["code"], problem["table"], problem["row"]) == ("file_is_broken", table, row), problem


def nested(depth: int) -> Json:
    return event("event_amended", seq=1, event=nested(depth - 1) if depth else event("round_opened"))


OPEN = event("session_reopened")
NO_BET = event("event_inserted", after=10, event=event("rules_changed", rules={"bet": 0}))
BODY = "log.opening.body"
FORGED: Mapping[str, tuple[Change, str]] = {
    "a deck that the game is not played with": (within(BODY, deck="mekurifuda"), "/deck Shippin is played with"),
    "a rule that cannot be so": (within(BODY, rules={"bet": -5}), "/rules/bet"),
    "an evening on no day": (within(BODY, played_on="tomorrow"), "/played_on"),
    "a blank name": (called(" "), "and not only spaces"),
    "a name over two lines": (called("A\nki"), "a name is one line"),
    "an opening of a later release": (at("log.opening.version", 2), "version 2 of the rules of shippin is not known"),
    "an event that nobody knows": (adds(event("cards_eaten")), "/type one of these is needed"),
    "an event that is out of place": (adds(OPEN, event("bet_placed", player="p2", column=1)), "possible where it"),
    "an event under later rules": (at("log.rows.2.version", 2), "version 2 of the rules of shippin is not"),
    "more chips than there are": (adds(event("chips_moved", from_="p1", to="p2", amount=10**30)), "/amount"),
    "an event 100,000 deep": (at("log.rows.1.body", '{"rules":' + "[" * 100_000), "event 2: "),
    "corrections within corrections": (adds(nested(151)), "event 10: "),
    "house rules that cannot be, within a correction": (adds(OPEN, NO_BET), "/event/rules/bet"),
}


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize(("change", "why"), FORGED.values(), ids=FORGED)
def test_a_log_whose_hashes_follow_is_not_believed_either(
    client: FlaskClient, whole: Json, change: Change, why: str
) -> None:
    """What it tells has to be possible, even if whoever made it knows how hashes are made."""
    problem = is_refused(client, rechained(changed(whole, change)))
    assert (problem["code"], why in problem["detail"]) == ("file_is_broken", True), problem


def test_what_follows_and_is_possible_is_taken(client: FlaskClient, whole: Json) -> None:
    """So what is refused above is refused for what it says, not for how it is made."""
    forged = rechained(changed(changed(whole, adds(OPEN)), called("Eve")))
    assert owner(client, brings_in(client, forged)).looks("")["players"][0]["name"] == "Eve"


MOMENTS = (
    *("２０２６-11-21T09:00:00Z", "2026-11-21T09:00:00", "2026-11-21T09:00:00+24:00", "2026-11-21T24:00:00Z"),
    *("2026-02-29T09:00:00Z", "2016-12-31T23:59:60Z", "2026-11-21T09:00:00.001Z"),
    *("0001-01-01T00:00:00+09:00", "1970-01-01T08:59:59+09:00", "9999-12-31T23:59:59Z"),
)
MALFORMED: list[tuple[str, tuple[Any, ...]]] = [
    ("format", ("ledger", None)),
    ("version", (2, 0, "1")),
    ("log", (None,)),
    ("balances", ([],)),
    ("balances.p1", (0.5, "1")),
    ("entries", ({},)),
    ("entries.0.amount", (0, 10**9 + 1)),
    ("entries.0.id", (2**63,)),
    ("log.rows.0", (1,)),
    ("log.rows.0.more", (1,)),
    ("log.rows.0.seq", (-1, 1.5, 10**400, True)),
    ("log.rows.0.hash", ("g" * 64, "0" * 63, "0" * 64 + "\n")),
    ("log.rows.0.recorded_at", MOMENTS),
    ("log.rows.0.recorded_by", ("<b>",)),
    ("log.rows.0.words.note.salt", ("salt",)),
    ("log.rows.0.words.note.text", ("x" * 501,)),
    ("log.rows.1.body", ({}, '{"rules":{"bet":10},"rules":{"bet":9}}')),
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


# --- what is another kind of file, or in another charset --------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "charset", "status"),
    [
        ("text/csv; charset=Shift-JIS", "cp932", 201),
        ("text/csv; charset=windows-31j", "cp932", 201),
        ("text/csv; charset=euc-jp", "euc-jp", 201),
        ("text/csv", "utf-16", 201),
        ("text/csv", "shift_jis", 400),
        ("text/csv; charset=zip", "utf-8", 415),
        ("text/csv; charset=klingon", "utf-8", 415),
        ("application/json; charset=shift_jis", "shift_jis", 415),
        ("application/xml", "utf-8", 415),
    ],
)
def test_a_charset_that_is_declared_is_honoured_and_another_kind_of_file_is_not_read(
    client: FlaskClient, kind: str, charset: str, status: int
) -> None:
    text = "山田　太郎,5\r\n佐藤,-5\r\n".encode(charset)
    answer = client.post(f"{ADDRESS}?game=shippin", data=text, content_type=kind)
    assert answer.status_code == status
    if status == 201:
        assert [one["name"] for one in owner(client, answer).looks("")["players"]] == ["山田　太郎", "佐藤"]


# --- balances from a list -------------------------------------------------------------------------------------------

LISTS: list[tuple[str, list[Any]]] = [
    ("Aki,30\nBen,-20\nChie,-10\n", [30, -20, -10]),
    ("Name, Balance\r\nAki, +30\r\n\r\nBen , -20\r\nChie,-10\r\n,\r\n", [30, -20, -10]),
    ('\ufeff"name","balance"\n"Aki","30"\n"Ben","-30"', [30, -30]),
    ("Aki\t30\nBen\t−20\nChie\t－１０\n", [30, -20, -10]),
    ("sep=;\r\nName;Balance;\r\nAki;30;\r\nBen;-30;\r\n", [30, -30]),
    ("プレイヤー\t席\t残高\nAki\t1\t３０\nBen\t2\t-30", [30, -30]),
    ('Aki;"-1,030"\nBen;1’030', [-1030, 1030]),
    (
        "name,balance\nAki,5\n\nBen,1.5\nChie",
        ["/balances/1: row 4, column 2: “1.5” is no", "/balances/2: row 5, column 2: a whole number"],
    ),
    ("Aki,5\n,-5", ["/balances/1: row 2, column 1: a name is needed"]),
    ("Aki,5,6\nBen,-5", ["/balances/0: row 1, column 3: “6” is too much"]),
    ("Aki,1000000001\nBen,-1000000001", ["/balances/0: ", "/balances/1: "]),
    ('sep="\nAki,0', ["/balances/0: row 1, column 2: a whole number of chips is needed"]),
    ('Aki,5\n"Ben,-5', ["/balances: "]),
    ("x" * 200_000 + ",0", ["/balances: "]),
    ('"two\nlines",0\nBen,0', ["/players/0: a name is one line"]),
    ("Ben,0\n" * 5 + "長" * 101 + ",0", ["/players/5: a text of 1 to 100 characters"]),
    ("Aki,0", ["/players: "]),
    ("", ["/players: "]),
    ("Aki,30\nBen,-20", ["balances_do_not_sum"]),
    ("Aki 2,0\n" * 10_000, ["/players: "]),
]


@pytest.mark.parametrize(("text", "outcome"), LISTS, ids=lambda case: ascii(case[:16]))
def test_a_list_is_read_or_refused_with_the_cell(
    client: FlaskClient, database: Path, text: str, outcome: list[Any]
) -> None:
    before, answer = rows_of(database), lists(client, text)
    if answer.status_code == 201:
        assert list(owner(client, answer).balances().values()) == outcome
        return
    problem = answer.get_json()
    told = [f"{error['pointer']}: {error['detail']}" for error in problem.get("errors", ())] or [problem["code"]]
    assert [detail[: len(said)] for detail, said in zip(told, outcome, strict=True)] == outcome
    assert rows_of(database) == before


def test_more_people_than_seats_are_listed_and_not_here(client: FlaskClient) -> None:
    people = "".join(f"Player {number},{balance}\n" for number, balance in enumerate([10, -10, 0, 0, 0, -7, 7], 1))
    there = owner(client, lists(client, people))
    listed = [(one["id"], one["seat"], one["active"], one["balance"]) for one in there.looks("")["players"]]
    assert listed[4:] == [("p5", 5, True, 0), ("p6", None, False, -7), ("p7", None, False, 7)]
    entries = there.looks("/ledger")["entries"]
    assert {entry["reason"] for entry in entries} == {"brought_forward"}
    moved = [(entry["from"], entry["to"], entry["amount"]) for entry in entries]
    assert moved == [("bank", "p1", 10), ("bank", "p7", 7), ("p2", "bank", 10), ("p6", "bank", 7)]
    owed = [(one["from"], one["to"], one["amount"]) for one in there.looks("/settlement")["payments"]]
    assert owed == [("p2", "p1", 10), ("p6", "p7", 7)]
    there.reports(event("player_left", player="p5"), event("player_joined", player="p6"))
    there.reports(event("settlement_paid", from_="p6", to="p7", amount=7))
    assert there.balances() == {"p1": 10, "p2": -10, "p3": 0, "p4": 0, "p5": 0, "p6": 0, "p7": 0}
    again = owner(client, brings_in(client, there.looks("/export.json")))
    assert again.looks("")["players"] == there.looks("")["players"]
    text = client.get(f"{there.address}/export.txt", headers=there.headers()).text
    copied = owner(client, client.post(ADDRESS, data=text.encode(), content_type="text/plain"))
    assert copied.looks("")["players"] == there.looks("")["players"]
    there.reports(event("player_erased", player="p7"))
    assert "Player 7" not in client.get(f"{there.address}/export.json", headers=there.headers()).text
    assert there.looks("/verify")["ok"]


def test_names_may_have_commas_quotes_and_any_letters_and_the_address_says_the_rest(client: FlaskClient) -> None:
    text = '"Aki, the ""Elder""",5\n千恵 🎴,-5\n"=1+1",0\n' + "\n".join(f"Player {number},0" for number in range(4))
    session = lists(client, text, "game=kakkuri&deck=western&name=New+year").get_json()["session"]
    assert [player["name"] for player in session["players"]][:3] == ['Aki, the "Elder"', "千恵 🎴", "=1+1"]
    assert (session["game"], session["deck"], session["name"]) == ("kakkuri", "western", "New year")


@pytest.mark.usefixtures("nothing_stays")
@pytest.mark.parametrize("query", ["game=poker", "game=shippin&deck=tarot", "game=kakkuri&name=", "game=shippin&x=1"])
def test_what_the_address_says_wrongly_is_named(client: FlaskClient, query: str) -> None:
    answer = lists(client, "Aki,0\nBen,0", query)
    wrong = query.rpartition("&")[2].partition("=")[0]
    assert (answer.status_code, [error["parameter"] for error in answer.get_json()["errors"]]) == (422, [wrong])


def test_what_is_wrong_in_the_query_of_a_list_of_balances_is_named_as_a_parameter(client: FlaskClient) -> None:
    people = "Aki,1\nBen,-1\nChie,0\nDai,0\nEmi,0\n"
    answer = client.post("/v1/sessions/import?game=shippin&deck=mekurifuda", data=people, content_type="text/csv")
    assert [error["parameter"] for error in answer.get_json()["errors"]] == ["deck"]
