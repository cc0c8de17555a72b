"""The API's description of itself: valid, complete, and read without asking anybody outside."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from ledger.exports import FORMATS
from ledger.games import GAMES
from ledger.rulebook.cards import DECK_NAMES, DECKS
from tests.api.documented import described, operations
from tests.scorekeeper import Json, Scorekeeper, event

FREE = {
    *("list_games", "show_game", "show_deck", "show_limits", "calculate_round", "show_statistics_together"),
    *("livez", "metrics", "readyz"),
}
"""What needs no token in the header."""

OPENING = {"open_session", "import_session"}
"""What needs the operator's key, if there is one."""

FITTING: Json = {
    "NewSession": [
        {"game": "shippin", "players": ["Aki", {"name": "Ben"}], "dealer": "p2"},
        {"game": "shippin", "players": ["Aki"], "dealer": 2, "chip_value": {"currency": "JPY", "per_chip": "0.5"}},
        {"game": "kakkuri", "rules": {"chips_per_share": 2}, "name": None},
        {"continues": "token"},
    ],
    "NewEvent": [
        {"type": "round_entered", "payments": {"p1": 5}, "payouts": [{"player": "p1", "amount": 5}]},
        {"type": "rules_changed", "rules": {"must_bet": True, "payments": {"dragon": 5}}},
        {"type": "event_amended", "seq": 1, "event": {"type": "card_dealt", "player": "p1", "card": "plain"}},
        *({"type": "card_dealt", "player": "p1", "card": card.code} for deck in DECKS.values() for card in deck),
    ],
    "Event": [{"type": "bell_rung"}, {"type": "bell_rung", "player": "p1", "loud": True}],
    "Outcome": [{"result": "shared", "payouts": [], "next_dealer": "p1", "explanation": {"en": [], "ja": []}}],
    "HouseRules": [{"ante": 5, "limit": 7}, {}],
    "Recorded": [{"events": [], "entries": [], "seq": 1, "rounds_ended": []}],
}
"""What fits, by schema: in answers also what a later release adds."""

NOT_FITTING: Json = {
    "NewSession": [
        {"players": ["Aki", 5]},
        {"players": ["Aki", {}]},
        {"players": [{"name": "Ben", "age": 3}]},
        {"dealer": [2]},
        {"rules": {"stakes": 5}},
        {"rules": {"ante": -1}},
        {"stakes": 5},
        {"chip_value": {"currency": "yen", "per_chip": "0.5"}},
    ],
    "NewEvent": [
        {"type": "bell_rung"},
        {"type": "round_opened", "player": "p1"},
        {"type": "round_entered", "payments": {"p1": "5"}},
        {"type": "bid_placed", "player": "p1"},
    ],
    "Event": [{"type": "card_dealt", "player": 5}, {"player": "p1"}],
    "Outcome": [{"result": "won"}],
    "HouseRules": [{"ante": "5"}],
}


def everywhere(value: Any, name: str) -> Iterator[Any]:
    """Every value of a member, however deep."""
    if isinstance(value, dict) and name in value:
        yield value[name]
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from everywhere(inner, name)


def reached(spec: Json, told: Any) -> set[str]:
    """The schemas that something refers to, and those that they refer to."""
    found, waiting = set[str](), [told]
    while waiting:
        addresses = [each for each in everywhere(waiting.pop(), "$ref") if "/schemas/" in str(each)]
        for name in {address.rpartition("/")[2] for address in addresses} - found:
            found.add(name)
            waiting.append(spec["components"]["schemas"][name])
    return found


def validator(spec: Json, schema: Json) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": spec["components"]})


def test_it_is_valid_openapi_31_and_no_larger_than_needed(spec: Json) -> None:
    validate(spec)
    assert spec["openapi"].startswith("3.1.")
    assert len(msgspec.json.encode(spec)) < 350_000
    assert all(reference.startswith("#/") for reference in everywhere(spec, "$ref") if isinstance(reference, str))
    assert reached(spec, [spec["paths"], spec["components"]["responses"]]) == spec["components"]["schemas"].keys()
    for pattern in (each for each in everywhere(spec, "pattern") if isinstance(each, str)):
        assert not re.search(r"\\[AZz]|\(\?P<|\(\?[aiLmsux]", pattern), "it means the same everywhere"


def test_every_address_is_described(app: Flask, spec: Json) -> None:
    told = {(path, method) for path, calls in spec["paths"].items() for method in calls.keys() - {"parameters"}}
    served = {
        (described(rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/v1") or rule.endpoint.startswith("health")
    }
    assert told == served
    assert len(operations(spec)) == len(told)


def test_every_operation_parameter_schema_and_member_is_described(spec: Json) -> None:
    for name, told in operations(spec).items():
        assert 0 < len(told["summary"]) <= 80, name
        assert len(told["description"]) > 20, name
    parameters = [each for path in spec["paths"].values() for one in everywhere(path, "parameters") for each in one]
    assert all(each["description"] and each["schema"] for each in (*parameters, *spec["tags"]) if "in" in each)
    words = {each["name"]: each["schema"].get("enum") for each in parameters if each["in"] == "path"}
    assert (words["game"], words["deck"]) == (list(GAMES), list(DECK_NAMES))
    for name, told in spec["components"]["schemas"].items():
        assert re.fullmatch("[A-Z][A-Za-z]+", name)
        assert told["description"], name
        assert all(member.get("description") for member in told.get("properties", {}).values()), name


def test_every_answer_and_failure_is_described(spec: Json) -> None:
    for name, told in operations(spec).items():
        answers = told["responses"]
        assert answers["default"] == {"$ref": "#/components/responses/default"}
        assert answers.keys() >= {"422"} | ({"400", "413", "415"} if "requestBody" in told else set()), name
        successes = [answer for status, answer in answers.items() if status.startswith("2")]
        assert successes, name
        assert all(answer["content"] for answer in successes) or "204" in answers, name
    failures = {*["400", "401", "403", "404", "409", "412", "413", "415", "422", "429", "503", "507"]}
    assert operations(spec)["record_events"]["responses"].keys() == {"200", "201", "default", *failures}
    assert "304" in operations(spec)["show_session"]["responses"]
    for response in spec["components"]["responses"].values():
        assert list(response["content"]) == ["application/problem+json"]


@pytest.mark.parametrize("name", FITTING)
def test_what_fits_a_schema(spec: Json, name: str) -> None:
    checked = validator(spec, {"$ref": f"#/components/schemas/{name}"})
    for fitting in FITTING[name]:
        checked.validate(fitting)
    for wrong in NOT_FITTING.get(name, ()):
        assert not checked.is_valid(wrong), wrong


def test_requests_are_closed_and_answers_open(spec: Json) -> None:
    """A later release may add members and words to answers, and a client made from this one goes on working."""
    calls, schemas = operations(spec).values(), spec["components"]["schemas"]
    taken = reached(spec, [told.get("requestBody", {}) for told in calls])
    given = reached(spec, [[told["responses"] for told in calls], spec["components"]["responses"]])
    both = reached(spec, {"$ref": "#/components/schemas/SessionFile"})
    assert taken & given == both
    for name in (taken | given) - {"SessionFile"}:
        if "properties" in schemas[name]:
            assert (schemas[name].get("additionalProperties") is False) == (name in taken), name
        assert name in taken or not [*everywhere(schemas[name], "enum")], name


def test_who_needs_a_token_is_described_and_needs_it(spec: Json, scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    stranger = Scorekeeper(scorekeeper.client)
    stranger.opens()
    place = {"session_id": scorekeeper.session_id, "number": 1, "link_id": "00000000", "seq": 1}
    for path, calls in spec["paths"].items():
        for method in calls.keys() - {"parameters"}:
            name, security = calls[method]["operationId"], calls[method]["security"]
            assert security == ([] if name in FREE else [{}, {"bearer": []}] if name in OPENING else [{"bearer": []}])
            address = re.sub(r"{(\w+)}", lambda found: str(place.get(found[1], "x")), path)
            answer = scorekeeper.client.open(address, method=method)
            assert (answer.status_code == 401) == (security == [{"bearer": []}]), address
            if answer.status_code == 401:
                answer = scorekeeper.client.open(address, method=method, headers=stranger.headers())
                assert (answer.status_code, answer.get_json()["code"]) == (404, "not_there"), address
    assert scorekeeper.looks("")["seq"] == 1


def test_each_form_of_the_books_is_an_operation_that_says_what_its_file_is(spec: Json) -> None:
    for form, kind in FORMATS.items():
        told = spec["paths"][f"/v1/sessions/{{session_id}}/export.{form}"]["get"]
        ((media, content),) = told["responses"]["200"]["content"].items()
        assert told["operationId"] == f"export_{form}"
        assert kind.media_type.startswith(media)
        assert (content["schema"].get("format") == "binary") == (form == "xlsx")
    taken = operations(spec)["import_session"]["requestBody"]["content"]["application/json"]["schema"]
    given = operations(spec)["export_json"]["responses"]["200"]["content"]["application/json"]["schema"]
    assert taken == given == {"$ref": "#/components/schemas/SessionFile"}


class Assets(HTMLParser):
    """Every address that a page loads something from."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002 - as it is called
        self.addresses += [value for name, value in attrs if name in {"src", "href"} and value]


def test_the_page_to_read_it_by_asks_nobody_outside(client: FlaskClient) -> None:
    page = client.get("/docs/")
    addresses = Assets(page.text).addresses
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert {address.rpartition(".")[2] for address in addresses} >= {"js", "css"}
    assert '"/openapi.json"' in page.text
    assert '"validatorUrl": null' in page.text
    for address in addresses:
        assert re.match(r"/(?!/)|(?!\w+:)\w", address), address
        with client.get(address) as asset:
            assert asset.status_code == 200, address
            if address.endswith(".css"):
                assert not re.search(rb"url\(['\"]?(https?:)?//|@import", asset.data), address
    assert client.get("/docs", follow_redirects=True).status_code == 200
    assert client.get("/docs/no-such-file.js").status_code == 404
    assert client.get("/docs/..%2f..%2fapp.py").status_code == 404
