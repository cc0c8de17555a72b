"""The API's description of itself: valid, complete, and read without asking anybody outside."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import permutations
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from ledger.cards import DECK_NAMES
from ledger.codec.writer import members
from ledger.exports import FORMATS
from ledger.games import GAMES, newest
from schemas.records import event_types
from tests.api.documented import described, operations
from tests.scorekeeper import Json, Scorekeeper, event

FREE = {
    "list_games",
    "show_game",
    "show_deck",
    "show_limits",
    "calculate_round",
    "show_statistics_together",
    "livez",
    "metrics",
    "readyz",
}
"""What needs no token in the header."""

OPENING = {"open_session", "import_session"}
"""What needs the operator's key, if there is one."""


def schema(spec: Json, name: str) -> Json:
    found: Json = spec["components"]["schemas"][name]
    return found


def named(reference: str) -> str:
    return reference.removeprefix("#/components/schemas/")


def everywhere(value: Any, name: str) -> list[Any]:
    """Every value of a member, however deep."""
    if isinstance(value, dict):
        inside = [found for inner in value.values() for found in everywhere(inner, name)]
        return [value[name], *inside] if name in value else inside
    return [found for inner in value for found in everywhere(inner, name)] if isinstance(value, list) else []


def test_it_is_valid_openapi_31(spec: Json) -> None:
    validate(spec)
    assert spec["openapi"].startswith("3.1.")


def test_every_address_is_described(app: Flask, spec: Json) -> None:
    told = {
        (path, method) for path, operations in spec["paths"].items() for method in operations.keys() - {"parameters"}
    }
    served = {
        (described(rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if rule.rule.startswith("/v1") or rule.endpoint.startswith("health")
    }
    assert told == served


def test_every_operation_has_a_name_a_summary_and_a_description(spec: Json) -> None:
    names = [name for path in spec["paths"].values() for name in everywhere(path, "operationId")]
    assert len(names) == len(set(names)) == len(operations(spec))
    for name, told in operations(spec).items():
        assert 0 < len(told["summary"]) <= 80, name
        assert len(told["description"]) > 20, name
        assert told["description"] != told["summary"]


def test_every_answer_is_described_by_a_schema(spec: Json) -> None:
    for name, told in operations(spec).items():
        assert told["responses"]["default"] == {"$ref": "#/components/responses/Problem"}
        failures = {status for status in told["responses"] if status.startswith(("4", "5"))}
        assert failures >= {"422"}, name
        assert failures >= {"400", "413", "415"} or "requestBody" not in told, name
        successes = {status: answer for status, answer in told["responses"].items() if status.startswith("2")}
        assert successes, name
        for status, answer in successes.items():
            assert answer.get("content") or status == "204", name
    failures = {*["400", "401", "403", "404", "409", "412", "413", "415", "422", "429", "503", "507"]}
    assert operations(spec)["record_events"]["responses"].keys() == {"200", "201", "default", *failures}
    assert "304" in operations(spec)["show_session"]["responses"]


def test_a_failure_is_described_as_a_problem_with_room_for_numbers(spec: Json) -> None:
    problem = spec["components"]["responses"]["Problem"]["content"]
    assert list(problem) == ["application/problem+json"]
    told = schema(spec, "Problem")
    assert set(told["required"]) == {"type", "title", "status", "detail", "code"}
    assert "additionalProperties" not in told, "open, and in the way in which makers of clients take it"


def test_who_needs_a_token_is_described(spec: Json) -> None:
    scheme = spec["components"]["securitySchemes"]["bearer"]
    assert (scheme["type"], scheme["scheme"]) == ("http", "bearer")
    for name, told in operations(spec).items():
        wanted: list[Json] = [] if name in FREE else [{}, {"bearer": []}] if name in OPENING else [{"bearer": []}]
        assert told.get("security") == wanted, name


def test_whatever_is_described_to_need_a_token_needs_it(spec: Json, scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    stranger = Scorekeeper(scorekeeper.client)
    stranger.opens()
    place = {"session_id": scorekeeper.session_id, "number": 1, "link_id": "00000000", "seq": 1}
    for path, told in spec["paths"].items():
        for method in told.keys() - {"parameters"}:
            address = re.sub(r"{(\w+)}", lambda found: str(place.get(found[1], "x")), path)
            needs_a_token = told[method].get("security") == [{"bearer": []}]
            answer = scorekeeper.client.open(address, method=method)
            assert (answer.status_code == 401) == needs_a_token, address
            if needs_a_token:
                answer = scorekeeper.client.open(address, method=method, headers=stranger.headers())
                assert (answer.status_code, answer.get_json()["code"]) == (404, "not_there"), address
    assert scorekeeper.looks("")["seq"] == 1


def test_a_viewer_changes_nothing(spec: Json, scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    answer = scorekeeper.client.post(
        f"{scorekeeper.address}/links", json={"role": "viewer"}, headers=scorekeeper.headers()
    )
    viewer = {"Authorization": f"Bearer {answer.get_json()['token']}"}
    place = {"session_id": scorekeeper.session_id, "number": 1, "link_id": answer.get_json()["id"]}
    changing = [
        (path, method)
        for path, told in spec["paths"].items()
        for method in told.keys() - {"parameters", "get"}
        if told[method].get("security") == [{"bearer": []}] and told[method]["operationId"] != "recalculate_round"
    ]
    assert len(changing) >= 3
    for path, method in changing:
        address = re.sub(r"{(\w+)}", lambda found: str(place.get(found[1], "x")), path)
        answer = scorekeeper.client.open(address, method=method, json={}, headers=viewer)
        assert (answer.status_code, answer.get_json()["code"]) == (403, "role_too_small"), address


def test_the_headers_that_count_are_described(spec: Json) -> None:
    headers = {
        (name, parameter["name"])
        for name, told in operations(spec).items()
        for parameter in told.get("parameters", [])
        if parameter["in"] == "header"
    }
    assert headers >= {
        ("record_events", "If-Match"),
        ("delete_session", "If-Match"),
        ("record_events", "Idempotency-Key"),
        ("show_session", "If-None-Match"),
    }


def kinds_in_answers(spec: Json, union: str) -> Json:
    """How the known kinds of a union in answers are told apart."""
    told = schema(spec, union)["dependentSchemas"]
    by = next(iter(told))
    return (
        {**told[by]["then"], "if": told[by]["if"]}
        if "discriminator" in told[by]["then"]
        else {"oneOf": [one["then"] for one in told.values()]}
    )


def options(spec: Json, name: str) -> list[Json]:
    """The kinds of what may be a union of several games' kinds."""
    found: list[Json] = kinds_in_answers(spec, name)["oneOf"] if "dependentSchemas" in schema(spec, name) else []
    return found


@pytest.mark.parametrize("union", ["Event", "ToldEvent", "StoredEvent"])
def test_events_are_told_apart_by_their_type(spec: Json, union: str) -> None:
    told = schema(spec, union) if union == "Event" else kinds_in_answers(spec, union)
    mapping = told["discriminator"]["mapping"]
    assert told["discriminator"]["propertyName"] == "type"
    assert mapping.keys() == event_types().keys()
    assert {option["$ref"] for option in told["oneOf"]} == set(mapping.values())
    assert len(told["oneOf"]) == len(mapping)
    for kind, reference in mapping.items():
        event = schema(spec, named(reference))
        assert event["properties"]["type"]["const"] == kind
        assert "type" in event["required"]


def test_how_a_round_ended_is_told_apart_by_its_result(spec: Json) -> None:
    told = kinds_in_answers(spec, "Outcome")
    assert told["discriminator"]["propertyName"] == "result"
    assert told["discriminator"]["mapping"].keys() == {"won", "settled", "forfeited", "void"}
    for result, reference in told["discriminator"]["mapping"].items():
        one = schema(spec, named(reference))
        for kind in [schema(spec, named(option["$ref"])) for option in options(spec, named(reference))] or [one]:
            assert kind["properties"]["result"]["const"] == result
            assert set(kind["required"]) >= {"result", "payouts", "next_dealer", "explanation"}
    assert "reasons" in schema(spec, "ShirinmaForfeitedOutcome")["required"]
    assert "reasons" not in schema(spec, "ShirinmaWonOutcome")["properties"]


@pytest.mark.parametrize("plain", ["", "Plain"])
def test_a_known_result_keeps_the_members_that_it_needs(spec: Json, plain: str) -> None:
    """A game of a later release may add members to it; clients read these of today as they always did."""
    explained = set() if plain else {"explanation"}
    needed = {"result", "payouts", "next_dealer"} | explained
    mapping = kinds_in_answers(spec, f"{plain}Outcome")["discriminator"]["mapping"]
    told = {result: schema(spec, named(reference)) for result, reference in mapping.items()}
    assert {result: set(one["required"]) for result, one in told.items()} == {
        "won": needed | {"winner"},
        "settled": needed,
        "forfeited": needed | {"reasons"},
        "void": needed,
    }
    for result, one in told.items():
        assert one["properties"]["result"]["const"] == result


@pytest.mark.parametrize("union", ["ToldEvent", "StoredEvent", "ToldCorrection", "Outcome", "PlainOutcome"])
def test_a_union_in_answers_is_one_object_in_which_a_kind_that_is_not_known_fits(spec: Json, union: str) -> None:
    """Generators try kinds in turn or make an enum of their words, and fail at one that a later release adds."""
    told = schema(spec, union)
    assert not {"oneOf", "anyOf", "allOf", "discriminator"} & told.keys()
    apart = kinds_in_answers(spec, union)
    by = apart["discriminator"]["propertyName"]
    assert told["properties"][by]["type"] == "string"
    assert not {"enum", "const"} & told["properties"][by].keys()
    mapping = apart["discriminator"]["mapping"]
    assert told["properties"][by]["x-extensible-enum"] == list(mapping) == apart["if"]["properties"][by]["enum"]
    validator = Draft202012Validator({"$ref": f"#/components/schemas/{union}", "components": spec["components"]})
    strange = {**schema(spec, "StoredRoundOpenedEvent")["examples"][0], "payouts": [], "next_dealer": "p1"}
    strange["explanation"] = {"en": [], "ja": []}
    assert validator.is_valid({**strange, by: "bell_rung"})
    assert not validator.is_valid({**strange, by: next(iter(mapping)), "status": 5, "winner": 5, "seq": "x"})
    for reference in mapping.values():
        one = schema(spec, named(reference))
        for kind in [schema(spec, named(option["$ref"])) for option in options(spec, named(reference))] or [one]:
            assert kind["properties"].keys() <= told["properties"].keys()
            assert set(told["required"]) <= set(kind["required"])


@pytest.mark.parametrize(
    ("union", "later"),
    [
        ("HouseRules", {"ante": 5}),
        ("Table", {"dealer": "p1", "turned": []}),
        ("Table", {}),
        ("OddsOfTheGame", {"unseen": 3, "columns": []}),
        ("WonOutcome", {"winner": "p1", "card": "cups-1"}),
    ],
)
def test_a_later_kind_may_have_members_of_a_known_one(spec: Json, union: str, later: Json) -> None:
    outcome = {"result": "won", "payouts": [], "next_dealer": "p1", "explanation": {"en": ["Won."], "ja": ["勝ち"]}}
    validator = Draft202012Validator({"$ref": f"#/components/schemas/{union}", "components": spec["components"]})
    assert validator.is_valid({**outcome, **later} if union == "WonOutcome" else later)
    for option in kinds_in_answers(spec, union)["oneOf"]:
        needed = schema(spec, named(option["$ref"]))["required"]
        assert not validator.is_valid({**{name: {} for name in needed}, **outcome}), (
            "all that a known kind has, and wrong"
        )


def test_the_short_answer_to_a_report_is_the_usual_one_with_members_left_out(spec: Json) -> None:
    answer = operations(spec)["record_events"]["responses"]["201"]["content"]["application/json"]
    assert answer["schema"] == {"$ref": "#/components/schemas/Recorded"}
    told = schema(spec, "Recorded")
    assert set(told["required"]) == {"events", "entries"}
    assert told["properties"].keys() == {"events", "entries", "session", "ended", "seq", "rounds_ended", "changes"}
    assert {name for name, one in told["properties"].items() if "Left out" in one["description"]} == {
        "session",
        "ended",
    }
    validator = Draft202012Validator({"$ref": "#/components/schemas/Recorded", "components": spec["components"]})
    assert validator.is_valid({"events": [], "entries": [], "seq": 1, "rounds_ended": []})
    assert not validator.is_valid({"events": [], "entries": [], "seq": 1})
    assert not validator.is_valid({"events": [], "entries": [], "ended": []})


def test_the_log_has_more_to_say_of_an_event_than_its_report(spec: Json) -> None:
    mapping = kinds_in_answers(spec, "StoredEvent")["discriminator"]["mapping"]
    for reference in mapping.values():
        assert set(schema(spec, named(reference))["required"]) >= {"seq", "round", "recorded_at", "recorded_by"}
    reported = operations(spec)["record_events"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema(spec, named(reported["$ref"]))["properties"]["events"]["items"] == {
        "$ref": "#/components/schemas/Event"
    }


def test_what_an_opening_may_say_is_described(spec: Json) -> None:
    opening = Draft202012Validator({"$ref": "#/components/schemas/Opening", "components": spec["components"]})
    good = {"game": "shippin", "players": ["Aki", {"name": "Ben"}], "dealer": "p2"}
    assert opening.is_valid(good)
    assert opening.is_valid(good | {"dealer": 2, "chip_value": {"currency": "JPY", "per_chip": "0.5"}})
    assert opening.is_valid({"game": "shippin", "continues": "token"})
    for bad in (
        {"players": ["Aki", 5]},
        {"players": ["Aki", ""]},
        {"players": ["Aki", {}]},
        {"players": ["Aki", {"name": "Ben", "age": 3}]},
        {"dealer": [2]},
        {"stakes": 5},
        {"chip_value": {"currency": "yen", "per_chip": "0.5"}},
    ):
        assert not opening.is_valid(good | bad), bad


TOLD_APART_BY_WHAT_THEY_HAVE = {"HouseRules", "OddsOfTheGame", "Table", "WonOutcome", "PlainWonOutcome"} | {
    "SettledOutcome",
    "PlainSettledOutcome",
}
"""What the games have of their own, each kind with members that no other has."""


def test_a_union_says_how_its_kinds_are_told_apart(spec: Json) -> None:
    for name, component in spec["components"]["schemas"].items():
        union = kinds_in_answers(spec, name) if "dependentSchemas" in component else component
        if "oneOf" in union:
            assert ("discriminator" in union) != (name in TOLD_APART_BY_WHAT_THEY_HAVE), name


@pytest.mark.parametrize("name", sorted(TOLD_APART_BY_WHAT_THEY_HAVE))
def test_no_kind_of_a_union_without_a_discriminator_has_all_that_another_needs(spec: Json, name: str) -> None:
    kinds = [schema(spec, named(option["$ref"])) for option in kinds_in_answers(spec, name)["oneOf"]]
    for one, other in permutations(kinds, 2):
        assert not set(one["required"]) <= set(other["properties"]), name


def objects(spec: Json) -> dict[str, Json]:
    """Every object that is described by its members."""
    return {name: told for name, told in spec["components"]["schemas"].items() if "properties" in told}


def reached(spec: Json, told: Any) -> set[str]:
    """The schemas that something refers to, and those that they refer to."""
    found: set[str] = set()
    waiting = [told]
    while waiting:
        for name in {named(address) for address in everywhere(waiting.pop(), "$ref")} - found:
            if name in spec["components"]["schemas"]:
                found.add(name)
                waiting.append(schema(spec, name))
    return found


def test_requests_are_closed_and_answers_open(spec: Json) -> None:
    """A later release may add members to answers, and a strict client made from this one goes on working.

    A file goes both ways as it is: its parts are closed, and a later release that adds to them counts its version up.
    """
    taken = reached(spec, [told.get("requestBody", {}) for told in operations(spec).values()])
    given = reached(spec, [[told["responses"] for told in operations(spec).values()], spec["components"]["responses"]])
    assert len(taken) > 50
    assert len(given) > 100
    both = reached(spec, [{"$ref": "#/components/schemas/SessionFile"}])
    for name, told in objects(spec).items():
        if name in given - both:
            assert told.get("additionalProperties") is not False, name
        elif name != "SessionFile":
            assert told["additionalProperties"] is False, name
    assert {name for name in taken & given if name in objects(spec)} == both & objects(spec).keys()


def test_everything_has_a_name_that_a_type_can_be_made_of(spec: Json) -> None:
    """What is described in place gets a number from generators as soon as it may be one of several things."""
    for name, told in spec["components"]["schemas"].items():
        assert not re.search(r"\d", name)
        for inner in [
            inner for keyword in ("anyOf", "oneOf") for several in everywhere(told, keyword) for inner in several
        ]:
            assert not {"properties", "enum"} & inner.keys(), (name, inner)
        for inner in told.get("properties", {}).values():
            assert not {"properties", "enum"} & inner.keys(), (name, inner)
        assert told["description"], name


def test_every_parameter_and_tag_is_described(spec: Json) -> None:
    for path in spec["paths"].values():
        parameters = [*path.get("parameters", ())]
        parameters += [one for told in path.values() if isinstance(told, dict) for one in told.get("parameters", ())]
        assert all(one["description"] and one["schema"] for one in parameters)
    assert all(tag["description"] for tag in spec["tags"])
    assert spec["info"]["license"]["identifier"] == "MIT"
    assert spec["info"]["description"]
    assert spec["servers"]


def test_games_and_decks_are_sets_of_words(spec: Json) -> None:
    parameters = {one["name"]: one["schema"] for path in spec["paths"].values() for one in path.get("parameters", ())}
    assert schema(spec, named(parameters["game"]["$ref"]))["enum"] == list(GAMES)
    assert schema(spec, named(parameters["deck"]["$ref"]))["enum"] == list(DECK_NAMES)


CLOSED_IN_ANSWERS = {
    *("EventStatus", "FieldKind", "FindingSeverity", "PartStatus", "SessionClosedPot", "SessionStatus", "ShapeKind"),
    *("ShippinHandVerdict", "ShirinmaTableTrump", "WesternCourts"),
}
"""Sets of words in answers that no release adds to, besides the values of house rules; docs/api.md names them."""


def test_words_in_answers_are_texts_but_for_a_few_sets(spec: Json) -> None:
    """An enum of a generated client fails at a word that a later release adds; in requests sets are closed."""
    given = reached(spec, [[told["responses"] for told in operations(spec).values()], spec["components"]["responses"]])
    given -= reached(spec, [{"$ref": "#/components/schemas/SessionFile"}])
    closed = {name for name in given if "enum" in schema(spec, name)}
    assert {name for name in closed if not re.match("[A-Z][a-z]+Rules", name)} == CLOSED_IN_ANSWERS
    for of, member, words in (
        ("Link", "role", "Role"),
        ("Deck", "deck", "DeckName"),
        ("Field", "only_with", "DeckName"),
    ):
        told = schema(spec, named(schema(spec, of)["properties"][member]["$ref"]))
        assert (told["type"], told["x-extensible-enum"]) == ("string", schema(spec, words)["enum"])
        assert "enum" not in told
    assert schema(spec, "NewLink")["properties"]["role"]["$ref"] == "#/components/schemas/Role"


def test_each_form_of_the_books_is_an_operation_that_says_what_its_file_is(spec: Json) -> None:
    told = {form: spec["paths"][f"/v1/sessions/{{session_id}}/export.{form}"]["get"] for form in FORMATS}
    assert {form: each["operationId"] for form, each in told.items()} == {form: f"export_{form}" for form in FORMATS}
    for form, each in told.items():
        (media,) = each["responses"]["200"]["content"]
        assert FORMATS[form].media_type.startswith(media)
        of_query = {one["name"] for one in each["parameters"] if one["in"] == "query"}
        assert of_query == ({"lang", "what", "bom"} if form == "csv" else {"lang"}), form
    files = {form: next(iter(each["responses"]["200"]["content"].values()))["schema"] for form, each in told.items()}
    assert (files["xlsx"]["type"], files["xlsx"]["format"]) == ("string", "binary")
    assert {form for form in FORMATS if files[form].get("format") == "binary"} == {"xlsx"}
    taken = operations(spec)["import_session"]["requestBody"]["content"]["application/json"]["schema"]
    assert files["json"] == taken


@pytest.mark.parametrize("game", GAMES)
def test_an_opening_knows_the_seats_decks_and_house_rules_of_its_game(spec: Json, game: str) -> None:
    book = newest(game)
    told = schema(spec, named(schema(spec, "Opening")["discriminator"]["mapping"][game]))["properties"]
    assert (told["players"]["minItems"], told["players"]["maxItems"]) == (book.fewest, book.seats.stop - 1)
    assert schema(spec, named(told["deck"]["$ref"]))["enum"] == list(book.decks)
    assert schema(spec, named(told["rules"]["$ref"]))["properties"].keys() == members(book.rules()).keys()
    assert "required" not in schema(spec, named(told["rules"]["$ref"]))


def test_patterns_mean_the_same_everywhere(spec: Json) -> None:
    patterns = [pattern for pattern in everywhere(spec, "pattern") if isinstance(pattern, str)]  # one is a member
    assert patterns
    for pattern in patterns:
        assert not re.search(r"\\[AZz]|\(\?P<|\(\?[aiLmsux]", pattern), pattern


def test_every_schema_described_is_used(spec: Json) -> None:
    used = {named(reference) for reference in everywhere(spec, "$ref")}
    assert schema(spec, "Session")
    assert {name for name in spec["components"]["schemas"] if name not in used} == set()


def test_no_reference_leads_outside(spec: Json) -> None:
    assert all(reference.startswith("#/") for reference in everywhere(spec, "$ref"))


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
    assert any(address.endswith(".js") for address in addresses)
    assert any(address.endswith(".css") for address in addresses)
    assert '"/openapi.json"' in page.text
    assert '"validatorUrl": null' in page.text
    for address in addresses:
        assert re.match(r"/(?!/)|(?!\w+:)\w", address), address
        with client.get(address) as asset:
            assert asset.status_code == 200, address
            if address.endswith(".css"):
                assert not re.search(rb"url\(['\"]?(https?:)?//|@import", asset.data), address


def test_the_page_is_found_with_and_without_a_slash(client: FlaskClient) -> None:
    assert client.get("/docs", follow_redirects=True).status_code == 200
    assert client.get("/docs/no-such-file.js").status_code == 404
    assert client.get("/docs/..%2f..%2fapp.py").status_code == 404
