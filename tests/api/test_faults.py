"""What is wrong with a field is said by its place, in the reader's language, whatever is wrong with it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from marshmallow import fields
from werkzeug.test import TestResponse

import schemas.links
import schemas.rounds
import schemas.statistics
from ledger.sentences import MOST_TOLD
from schemas.base import MessageField, Strict
from schemas.records import event_types, schema_for
from tests.scorekeeper import Json, Scorekeeper, event

SHIPPIN: Json = {"game": "shippin", "players": ["Aki", "Ben"]}
WHOLE = {"players": ["Aki", "Ben"], "events": [event("round_opened")]}
EVENTS: dict[str, Any] = {
    "no object": 5,
    "no type": {},
    "an unknown type": event("poker"),
    "an unknown field": event("round_opened", stakes=5),
    "a missing field": event("round_voided"),
    "null": event("round_voided", reason=None),
    "no text": event("round_voided", reason=5),
    "a blank text": event("round_voided", reason=" "),
    "a long text": event("round_voided", reason="x" * 501),
    "NUL": event("round_voided", reason="a\0b"),
    "no account": event("chips_moved", from_=5, to="p1", amount=1),
    "an empty account": event("chips_moved", from_="", to="p1", amount=1),
    "no whole number": event("chips_moved", from_="bank", to="p1", amount="5"),
    "too large a number": event("chips_moved", from_="bank", to="p1", amount=10**400),
    "no list": event("cards_drawn_for_seats", draws=5),
    "too long a list": event("round_entered", payments=[{"player": "p1", "amount": 1}] * 101),
    "another count": event("second_cards_dealt", columns=["4"], dealer="4"),
    "no object in a list": event("cards_drawn_for_seats", draws=[5]),
    "no card": event("field_card_revealed", card=5),
    "an unknown card": event("field_card_revealed", card="zz"),
    "another word": event("session_closed", pot="mine"),
    "no switches": event("rules_changed", rules=5),
    "an unknown switch": event("rules_changed", rules={"stakes": 5}),
    "a wrong switch": event("rules_changed", rules={"min_bet": 0, "dealer_role": "x"}),
    "a wrong switch within": event("event_amended", seq=1, event=event("rules_changed", rules={"min_bet": 0})),
    "a wrong switch among parts": event(
        "corrections_made",
        corrections=[event("event_amended", seq=1, event=event("rules_changed", rules={"min_bet": 0}))],
    ),
    "no part": event("corrections_made", corrections=[event("round_opened")]),
    "too deep": event("event_amended", seq=1, event=event("event_amended", seq=1, event={"event": {"event": {}}})),
    "neither of two": event("player_joined"),
    "both of two": event("turn_played", player="p1", cards=["cups-1"], count=1),
}
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


@pytest.mark.parametrize("wrong", EVENTS.values(), ids=EVENTS)
def test_whatever_is_wrong_with_an_event_is_said_in_the_readers_language(table: Scorekeeper, wrong: Any) -> None:
    english, japanese = (posted(table, "events", {"events": [wrong]}, language) for language in ("en", "ja"))
    holds(english, japanese)
    assert all(pointer.startswith("/events/0") for pointer in told(english))


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
    ("kind", "body"),
    [("text/csv", b"name,balance\nAki\n"), ("text/csv", b'"'), ("text/plain", b"game: poker\n")],
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


def every_field(schema: type[Strict] = Strict) -> Iterator[tuple[str, fields.Field[Any]]]:
    """Every field of every schema that something is taken by, those of lists too."""
    for kind in schema.__subclasses__():
        for name, field in kind._declared_fields.items():
            yield f"{kind.__name__}.{name}", field
            if isinstance(field, fields.List):
                yield f"{kind.__name__}.{name}[]", field.inner
        yield from every_field(kind)


def test_no_field_says_what_marshmallow_would() -> None:
    assert [schema_for(kind) for kind in event_types().values()]
    assert {schemas.links, schemas.rounds, schemas.statistics}
    assert len(list(every_field())) > 100
    assert [name for name, field in every_field() if not isinstance(field, MessageField)] == []


PLAYER = {"player": "p1"}
MANY = {f"x{place}": 1 for place in range(25)}
ORDERED: dict[str, tuple[Any, list[str]]] = {
    "what is missing before what is not known": ([{"x": 1, **PLAYER}], ["0/balance", "0/x"]),
    "what is not known as it was sent": (
        [{**dict.fromkeys("edcbagf", 1), "balance": 3}],
        ["0/player", *(f"0/{name}" for name in "edcbagf")],
    ),
    "only what is not known, where that is much": ([{**MANY, **PLAYER}], [f"0/{name}" for name in MANY][:MOST_TOLD]),
    "by its name in an object": ({"p1": None, "a/b": 0.5, "p2": 5}, ["p1", "a~1b"]),
}


@pytest.mark.parametrize(("balances", "places"), ORDERED.values(), ids=ORDERED)
def test_what_is_wrong_with_records_in_a_list_is_said_in_order(
    table: Scorekeeper, balances: Any, places: list[str]
) -> None:
    answer = posted(table, "events", {"events": [event("balances_brought", balances=balances)]}, "en")
    assert list(told(answer)) == [f"/events/0/balances/{place}" for place in places]
