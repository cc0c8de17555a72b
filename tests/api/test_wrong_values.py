"""Wrong values of every kind in every field of every call: what is said of them is ours.

A library's own sentences are English, and ours are known to be said in both languages, so it is asked in Japanese, and
whatever has no Japanese letter in it is not ours. Where nobody asks for Japanese, the same places are named in English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.i18n.sentences import MAX_NAMED
from schemas.loading import event_types
from tests.api.examples import FILE, OPENING, place_of
from tests.scorekeeper import Json, Scorekeeper, event

WRONG: tuple[Any, ...] = (
    None,
    True,
    5,
    -1,
    0.5,
    10**400,
    "",
    "x",
    "x" * 600,
    "\0",
    [],
    [None],
    ["x"],
    {},
    {"x": 1},
    [[]],
)
SURPLUS = "surplus"

JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")


def altered(told: Any) -> Iterator[Any]:
    """The same with a wrong value in one place, one member missing, or one too many."""
    yield from WRONG
    for path in places(told):
        for value in WRONG:
            yield put(told, path, value)
        if isinstance(path[-1], str):
            yield put(told, path, SURPLUS)
            yield put(told, (*path[:-1], SURPLUS), 1)


def places(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in some JSON; of a longer list only the first elements."""
    if path:
        yield path
    inner = told.items() if isinstance(told, dict) else enumerate(told[:2]) if isinstance(told, list) else ()
    for step, value in inner:
        yield from places(value, (*path, step))


def put(told: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The same with another value in one place; `SURPLUS` takes away what is there."""
    told = within = deepcopy(told)
    for step in path[:-1]:
        within = within[step]
    if value == SURPLUS:
        del within[path[-1]]
    else:
        within[path[-1]] = value
    return told


@pytest.fixture(scope="module")
def client(app: Flask) -> FlaskClient:
    """A client that is not held against the documentation: most of what is sent here is not documented."""
    return FlaskClient(app)


@pytest.fixture(scope="module")
def spec(app: Flask) -> Json:
    told: Json = app.test_client().get("/openapi.json").get_json()
    return told


@pytest.fixture(scope="module")
def table(client: FlaskClient) -> Scorekeeper:
    table = Scorekeeper(client)
    table.opens(**OPENING)
    table.reports(event("round_opened"))
    return table


def send(table: Scorekeeper, address: str, body: Any, language: str = "ja") -> TestResponse:
    """Post a body that not every JSON library can write."""
    headers = table.headers(Accept_Language=language)
    return table.client.post(address, data=json.dumps(body), headers=headers, content_type="application/json")


def said_of(answer: TestResponse) -> list[str]:
    """What is said of the wrong fields."""
    if answer.status_code != 422 or answer.get_json()["code"] != "malformed_fields":
        assert answer.status_code < 500, answer.text
        return []
    return [error["detail"] for error in answer.get_json()["errors"]]


def check(answer: TestResponse) -> int:
    """Make sure that all that is said is ours; give how much was said."""
    told = said_of(answer)
    assert all(JAPANESE.search(detail) and "{" not in detail for detail in told), told
    return len(told)


def test_whatever_is_wrong_in_a_body_is_said_in_our_words(table: Scorekeeper, spec: Json) -> None:
    found = 0
    for path, methods in spec["paths"].items():
        for told in [told for method, told in methods.items() if method != "parameters" and "requestBody" in told]:
            for example in told["requestBody"]["content"]["application/json"]["examples"].values():
                address = path.format_map(place_of(table, told["operationId"]))
                for body in altered(example["value"]):
                    found += check(send(table, address, body))
    assert found > 1_000


@pytest.mark.parametrize("kind", event_types())
def test_whatever_is_wrong_in_an_event_is_said_in_our_words(table: Scorekeeper, kind: str) -> None:
    example = json.loads(FILE.read_bytes())["events"][kind]["sent"]
    bodies = ({"events": [told]} for told in altered(example | {"note": "x"}))
    answers = [send(table, f"{table.address}/events?dry_run=true", body) for body in bodies]
    assert sum(check(answer) for answer in answers) > len(WRONG)


def test_whatever_is_wrong_in_a_query_is_said_in_our_words(table: Scorekeeper, spec: Json) -> None:
    found = 0
    for path, methods in spec["paths"].items():
        told = methods.get("get", {"operationId": "", "parameters": []})
        address = path.format_map(place_of(table, told["operationId"]) | {"form": "csv", "link_id": "0"})
        for parameter in [one for one in told.get("parameters", []) if one["in"] == "query"]:
            for value in ("", "x", "-1", "1.5", "%00", "x" * 600, "9" * 400, "true&" + parameter["name"] + "=true"):
                query = f"{address}?{parameter['name']}={value}"
                if told["operationId"] != "stream_events":
                    found += check(table.client.get(query, headers=table.headers(Accept_Language="ja")))
        if told["operationId"]:
            answer = table.client.get(f"{address}?surplus=1", headers=table.headers(Accept_Language="ja"))
            found += check(answer)
    assert found > 30


YEN = {"currency": "JPY\n", "per_chip": "1"}
SHIPPIN: Json = {"game": "shippin", "players": ["Aki", "Ben"]}
BEYOND: dict[str, tuple[str, Any, list[str]]] = {
    "an opening without anything": ("/v1/sessions", {}, ["/game", "/players"]),
    "a deck that is not for it": ("/v1/sessions", SHIPPIN | {"deck": "mekurifuda"}, ["/deck"]),
    "too few people": ("/v1/sessions", SHIPPIN | {"players": ["x"]}, ["/players"]),
    "too many people": ("/v1/sessions", SHIPPIN | {"players": ["x"] * 101}, ["/players"]),
    "no seat": ("/v1/sessions", SHIPPIN | {"dealer": 9}, ["/dealer"]),
    "wrong switches": ("/v1/sessions", SHIPPIN | {"rules": {"bet": 0, "x": 1}}, ["/rules/bet", "/rules/x"]),
    "no currency": ("/v1/sessions", SHIPPIN | {"chip_value": YEN}, ["/chip_value/currency"]),
    "no day": ("/v1/sessions", SHIPPIN | {"played_on": "2026-02-30"}, ["/played_on"]),
    "no time zone": ("links", {"role": "viewer", "expires_at": "2030-01-01T00:00:00"}, ["/expires_at"]),
    "before its time": ("links", {"role": "viewer", "expires_at": "0001-01-01T00:00:00Z"}, ["/expires_at"]),
    "too many events": ("events", {"events": [event("round_opened")] * 501}, ["/events"]),
}


@pytest.mark.parametrize(("address", "body", "places"), BEYOND.values(), ids=BEYOND)
def test_what_is_wrong_is_named_by_its_place_in_both_languages(
    table: Scorekeeper, address: str, body: Any, places: list[str]
) -> None:
    address = address if address.startswith("/") else f"{table.address}/{address}"
    english, japanese = (send(table, address, body, language) for language in ("en", "ja"))
    assert named(english) == named(japanese) == places
    assert check(japanese)
    assert not any(map(JAPANESE.search, said_of(english)))


def named(answer: TestResponse) -> list[str]:
    """The places of the wrong fields, in the order in which they are named."""
    return [error["pointer"] for error in answer.get_json()["errors"]]


PLAYER = {"player": "p1"}
MANY = {f"x{place}": 1 for place in range(25)}
ORDERED: dict[str, tuple[Any, list[str]]] = {
    "what is missing before what is not known": ([{"x": 1, **PLAYER}], ["0/balance", "0/x"]),
    "what is not known as it was sent": (
        [{**dict.fromkeys("edcbagf", 1), "balance": 3}],
        [f"0/{name}" for name in "edcbagf"],
    ),
    "only what is not known, where that is much": ([{**MANY, **PLAYER}], [f"0/{name}" for name in MANY][:MAX_NAMED]),
    "by its name in an object": ({"p1": None, "a/b": 0.5, "p2": 5}, ["p1", "a~1b"]),
}


@pytest.mark.parametrize(("balances", "places"), ORDERED.values(), ids=ORDERED)
def test_what_is_wrong_with_records_in_a_list_is_said_in_order(
    table: Scorekeeper, balances: Any, places: list[str]
) -> None:
    answer = send(table, f"{table.address}/events", {"events": [event("balances_brought", balances=balances)]})
    assert named(answer) == [f"/events/0/balances/{place}" for place in places]


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{", 400),
        ("application/xml", b"{}", 415),
        ("application/json", b"x" * (1024 * 1024 + 1), 413),
        ("text/csv", b"name,balance\nAki\n", 422),
        ("text/csv", b'"', 422),
        ("text/plain", b"game: poker\n", 422),
    ],
)
def test_what_cannot_be_read_is_said_in_the_readers_language(
    table: Scorekeeper, kind: str, body: bytes, status: int
) -> None:
    address = "/v1/sessions/import?game=shippin" if kind.startswith("text") else f"{table.address}/events"
    for language in ("en", "ja"):
        headers = table.headers(Accept_Language=language)
        answer = table.client.post(address, data=body, headers=headers, content_type=kind)
        problem = answer.get_json()
        assert answer.status_code == status
        for part in problem.get("errors", [problem]):
            assert (JAPANESE.search(part["detail"]) is not None) == (language == "ja")
