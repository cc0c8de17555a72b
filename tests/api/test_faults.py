"""What is wrong with a field is said by its place, in the reader's language, whatever is wrong with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from ledger.sentences import MAX_TOLD
from tests.scorekeeper import Json, Scorekeeper, event

SHIPPIN: Json = {"game": "shippin", "players": ["Aki", "Ben"]}
WHOLE = {"players": ["Aki", "Ben"], "events": [event("round_opened")]}
OTHERS: dict[str, tuple[str, Any]] = {
    "a body that is no object": ("/v1/sessions", []),
    "an opening without anything": ("/v1/sessions", {}),
    "an unknown game": ("/v1/sessions", SHIPPIN | {"game": "poker"}),
    "no game": ("/v1/sessions", SHIPPIN | {"game": 5}),
    "another deck of cards": ("/v1/sessions", SHIPPIN | {"deck": "tarot"}),
    "a deck that is not for it": (
        "/v1/sessions",
        {**SHIPPIN, "game": "kakkuri", "deck": "kabufuda", "players": ["x"] * 5},
    ),
    "too few players": ("/v1/sessions", {"game": "shirinma", "players": ["x"]}),
    "no players": ("/v1/sessions", SHIPPIN | {"players": "x"}),
    "people without names": ("/v1/sessions", SHIPPIN | {"players": [5, "", None, {}, {"name": "x", "age": 3}]}),
    "too many people": ("/v1/sessions", SHIPPIN | {"players": ["x"] * 101}),
    "no seat": ("/v1/sessions", SHIPPIN | {"dealer": 9}),
    "a dealer who is null": ("/v1/sessions", SHIPPIN | {"dealer": None}),
    "no rules": ("/v1/sessions", SHIPPIN | {"rules": []}),
    "wrong rules": ("/v1/sessions", SHIPPIN | {"rules": {"min_bet": 0, "x": 1}}),
    "no value": ("/v1/sessions", SHIPPIN | {"chip_value": 5}),
    "a wrong value": ("/v1/sessions", SHIPPIN | {"chip_value": {"currency": "yen", "per_chip": "-1"}}),
    "half a value": ("/v1/sessions", SHIPPIN | {"chip_value": {"currency": "JPY"}}),
    "no role": ("links", {"role": "king", "label": "", "expires_at": "tomorrow"}),
    "no time zone": ("links", {"role": "viewer", "expires_at": "2030-01-01T00:00:00"}),
    "before its time": ("links", {"role": "viewer", "expires_at": "0001-01-01T00:00:00Z"}),
    "no events": ("events", {"events": []}),
    "events that are none": ("events", {"events": 5}),
    "too many events": ("events", {"events": [event("round_opened")] * 501}),
    "too many chips": ("/v1/calculate/shippin", WHOLE | {"carried": -1}),
    "other rules": ("rounds/1/recalculate", {"rules": {"min_bet": 0}}),
    "no other rules": ("rounds/1/recalculate", {}),
    "no tokens": ("/v1/statistics", {"tokens": []}),
    "tokens that are none": ("/v1/statistics", {"tokens": [5, None]}),
    "a file of another program": ("/v1/sessions/import", {"format": "x", "version": 99, "entries": 5, "log": {}}),
}
QUERIES = {
    "events": ["limit=0", "limit=x", "after=-1", "page=2", "limit=" + "9" * 20],
    "": ["at=x", "at="],
    "settlement": ["through=p1"],
    "chart.svg": ["lang=xx"],
    "export.csv": ["what=cards", "lang="],
    "export.html": ["what=rounds"],
}


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    scorekeeper.opens(**SHIPPIN)
    scorekeeper.reports(event("round_opened"))
    return scorekeeper


def told(answer: TestResponse) -> dict[str, str]:
    problem = answer.get_json()
    assert (answer.status_code, problem["code"]) == (422, "malformed_fields"), answer.text
    assert problem["errors"]
    return {error.get("pointer", error.get("parameter")): error["detail"] for error in problem["errors"]}


def is_japanese(text: str) -> bool:
    return any("\u3040" <= letter <= "\u30ff" for letter in text)


def holds(english: TestResponse, japanese: TestResponse) -> None:
    """Both say the same of the same places, each in its language."""
    assert told(english).keys() == told(japanese).keys()
    for pointer, detail in told(japanese).items():
        assert is_japanese(detail), detail
        assert not is_japanese(told(english)[pointer])
        assert "{" not in detail


def posted(table: Scorekeeper, address: str, body: Any, language: str) -> TestResponse:
    place = address if address.startswith("/") else f"{table.address}/{address}"
    headers = {**table.headers(), "Accept-Language": language, "Content-Type": "application/json"}
    return table.client.post(place, data=json.dumps(body), headers=headers)


@pytest.mark.parametrize(("address", "wrong"), OTHERS.values(), ids=OTHERS)
def test_whatever_is_wrong_with_a_body_is_said_in_the_readers_language(
    table: Scorekeeper, address: str, wrong: Any
) -> None:
    holds(*(posted(table, address, wrong, language) for language in ("en", "ja")))


@pytest.mark.parametrize(
    ("place", "query"), [(place, query) for place, queries in QUERIES.items() for query in queries]
)
def test_whatever_is_wrong_with_a_query_is_said_in_the_readers_language(
    table: Scorekeeper, place: str, query: str
) -> None:
    address = f"{table.address}/{place}?{query}"
    answers = (
        table.client.get(address, headers={**table.headers(), "Accept-Language": language}) for language in ("en", "ja")
    )
    holds(*answers)


@pytest.mark.parametrize(
    ("kind", "body"), [("text/csv", b"name,balance\nAki\n"), ("text/csv", b'"'), ("text/plain", b"game: poker\n")]
)
def test_whatever_is_wrong_with_a_file_is_said_in_the_readers_language(
    table: Scorekeeper, kind: str, body: bytes
) -> None:
    english, japanese = (
        table.client.post(
            "/v1/sessions/import?game=shippin", data=body, content_type=kind, headers={"Accept-Language": language}
        ).get_json()
        for language in ("en", "ja")
    )
    assert english["code"] == japanese["code"]
    for problem, whether in ((english, False), (japanese, True)):
        details = [error["detail"] for error in problem.get("errors", ())] or [problem["detail"]]
        assert [is_japanese(detail) for detail in details] == [whether] * len(details), details


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b'{"events": NaN}', "application/json", 400),
        (b"", "application/json", 400),
        (b"{}", "application/xml", 415),
        (b"x" * (1024 * 1024 + 1), "application/json", 413),
    ],
)
def test_what_cannot_be_read_is_said_in_the_readers_language(
    table: Scorekeeper, body: bytes, kind: str, status: int
) -> None:
    for language, whether in (("en", False), ("ja", True)):
        headers = {**table.headers(), "Accept-Language": language, "Content-Type": kind}
        answer = table.client.post(f"{table.address}/events", data=body, headers=headers)
        assert answer.status_code == status
        assert is_japanese(answer.get_json()["detail"]) == whether, answer.text
    key = {**table.headers(), "Accept-Language": "ja", "Idempotency-Key": "x" * 256}
    refused = table.client.post(f"{table.address}/events", json={"events": [event("round_opened")]}, headers=key)
    assert is_japanese(refused.get_json()["detail"])


PLAYER = {"player": "p1"}
MANY = {f"x{place}": 1 for place in range(25)}
ORDERED: dict[str, tuple[Any, list[str]]] = {
    "what is missing before what is not known": ([{"x": 1, **PLAYER}], ["0/balance", "0/x"]),
    "what is not known as it was sent": (
        [{**dict.fromkeys("edcbagf", 1), "balance": 3}],
        [f"0/{name}" for name in "edcbagf"],
    ),
    "only what is not known, where that is much": ([{**MANY, **PLAYER}], [f"0/{name}" for name in MANY][:MAX_TOLD]),
    "by its name in an object": ({"p1": None, "a/b": 0.5, "p2": 5}, ["p1", "a~1b"]),
}


@pytest.mark.parametrize(("balances", "places"), ORDERED.values(), ids=ORDERED)
def test_what_is_wrong_with_records_in_a_list_is_said_in_order(
    table: Scorekeeper, balances: Any, places: list[str]
) -> None:
    answer = posted(table, "events", {"events": [event("balances_brought", balances=balances)]}, "en")
    assert list(told(answer)) == [f"/events/0/balances/{place}" for place in places]
