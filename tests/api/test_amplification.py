"""A small request is answered little: what is wrong is named up to a bound, and nothing that was sent comes back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.codec.json_text import MAX_DEPTH
from ledger.i18n.sentences import MAX_FAULTS, MAX_NAMED
from tests.scorekeeper import Json

MAX_BYTES = 16 * 1024
"""How much any refusal may say."""

PLAYERS = ["Aki", "Ben", "Chie", "Dai"]
STRANGE = {f"a{number}": 0 for number in range(5_000)}
FILE: Json = {"format": "fuda-ledger", "version": 1, "balances": {}, "entries": [], "log": {"opening": {}, "rows": []}}


def calculated(*events: object, **more: object) -> Json:
    return {"players": PLAYERS, "events": list(events), **more}


def together(*parts: object) -> Json:
    return {"type": "corrections_made", "corrections": list(parts)}


def nested(deep: int, innermost: object) -> object:
    for _ in range(deep):
        innermost = {"type": "event_amended", "seq": 1, "event": innermost}
    return innermost


def nested_together(deep: int) -> object:
    innermost: object = 0
    for _ in range(deep):
        innermost = together(innermost)
    return innermost


CALCULATED: dict[str, Json] = {
    "strange members": calculated({"type": "round_opened"}, **STRANGE),
    "strange house rules": calculated({"type": "round_opened"}, rules=STRANGE),
    "strange members of a person": calculated({"type": "round_opened"}, players=[STRANGE, *PLAYERS]),
    "strange members of an event": calculated({"type": "round_opened", **STRANGE}),
    "strange members of many events": calculated(*[{"type": "round_opened", **dict(list(STRANGE.items())[:15])}] * 500),
    "events that are none": calculated(*[0] * 500),
    "corrections that are none": calculated(*[together(*[0] * 100)] * 500),
    "corrections that say nothing": calculated(*[together(*[{}] * 100)] * 100),
    "payments to whom nobody knows": calculated(
        {"type": "round_entered", "payments": dict.fromkeys(STRANGE, "x"), "payouts": dict.fromkeys(STRANGE, "x")}
    ),
    "cards that are none": calculated({"type": "second_cards_dealt", "columns": ["x" * 9_999] * 4, "dealer": 4}),
    "events far within events": calculated(nested(300, 0)),
    "corrections far within corrections": calculated(nested_together(MAX_DEPTH // 2 - 2)),
    "a long name": calculated(**{"x" * 100_000: 1}),
    "a long text": calculated({"type": "round_opened", "note": "x" * 100_000}),
    "a long type": calculated({"type": "x" * 100_000}),
    "a long rule": calculated({"type": "round_opened"}, rules={"x" * 100_000: "x" * 100_000}),
    "a long card": calculated({"type": "first_cards_revealed", "columns": ["4"] * 4, "dealer": "x" * 100_000}),
    "a long player": calculated({"type": "bet_placed", "player": "x" * 100_000, "column": 1}),
    "a large number": calculated({"type": "bet_placed", "player": "p1", "column": 10**18}),
}
TOO_LONG: dict[str, Json] = {
    "events": calculated(*[0] * 501),
    "players": calculated({"type": "round_opened"}, players=[0] * 101),
    "corrections": calculated(together(*[0] * 101)),
    "payments": calculated({"type": "round_entered", "payments": dict.fromkeys(list(STRANGE)[:101], "x")}),
    "cards": calculated({"type": "turn_played", "player": "p1", "cards": [0] * 101}),
    "seats": calculated({"type": "seats_changed", "seats": [0] * 101}),
    "draws": calculated({"type": "cards_drawn_for_seats", "draws": [0] * 101}),
    "columns": calculated({"type": "second_cards_dealt", "columns": [0] * 5, "dealer": "4"}),
}
IMPORTED: dict[str, Json] = {
    "empty rows": {**FILE, "log": {"opening": {}, "rows": [{}] * 20_000}},
    "rows that are none": {**FILE, "log": {"opening": {}, "rows": [0] * 20_000}},
    "empty entries": {**FILE, "entries": [{}] * 20_000},
    "balances that are none": {**FILE, "balances": dict.fromkeys(STRANGE, "x")},
    "strange members of a row": {**FILE, "log": {"opening": {}, "rows": [STRANGE]}},
    "words that are none": {**FILE, "log": {"opening": {"words": STRANGE}, "rows": []}},
    "a long text": {**FILE, "format": "x" * 100_000, "balances": {"x" * 100_000: "x" * 100_000}},
}


def wrong(answer: TestResponse) -> tuple[list[Json], int]:
    """The wrong fields that are named, and how many more there are said to be."""
    problem: Any = answer.get_json()
    assert (answer.status_code, problem["code"]) == (422, "malformed_fields"), answer.text[:500]
    assert len(answer.data) <= MAX_BYTES
    assert 0 < len(problem["errors"]) <= MAX_NAMED
    more = problem.get("more_errors", 0)
    assert 0 <= more <= MAX_FAULTS - MAX_NAMED
    assert not more or len(problem["errors"]) == MAX_NAMED
    return problem["errors"], more


@pytest.mark.parametrize("body", CALCULATED.values(), ids=CALCULATED)
def test_a_refused_round_is_answered_little(client: FlaskClient, body: Json) -> None:
    for game in ("shippin", "kakkuri"):
        wrong(client.post(f"/v1/calculate/{game}", data=json.dumps(body), content_type="application/json"))


@pytest.mark.parametrize("body", IMPORTED.values(), ids=IMPORTED)
def test_a_refused_file_is_answered_little(client: FlaskClient, body: Json) -> None:
    wrong(client.post("/v1/sessions/import", json=body))


@pytest.mark.parametrize(("what", "body"), TOO_LONG.items(), ids=TOO_LONG)
def test_a_list_is_counted_before_its_elements_are_looked_at(client: FlaskClient, what: str, body: Json) -> None:
    (error,), more = wrong(client.post("/v1/calculate/kakkuri", json=body))
    assert error["pointer"].rpartition("/")[2] == what
    assert not more


def test_of_many_wrong_fields_twenty_are_named_and_the_others_counted(client: FlaskClient) -> None:
    for count, more in {19: 0, 20: 0, 21: 1, 120: 100, 500: 480}.items():
        named, others = wrong(client.post("/v1/calculate/shippin", json=calculated(*[0] * count)))
        assert ([error["pointer"] for error in named], others) == (
            [f"/events/{n}" for n in range(min(count, 20))],
            more,
        )


def test_parameters_nobody_knows_are_counted_too(client: FlaskClient) -> None:
    query = "&".join(f"{name}=1" for name in list(STRANGE)[:300])
    named, others = wrong(client.get(f"/v1/games?{query}"))
    assert ([error["parameter"] for error in named], others) == (list(STRANGE)[:20], 280)


def test_lines_of_the_notation_that_are_no_events_of_the_game(client: FlaskClient) -> None:
    text = "game shippin\nplayers A B C D\n" + '{"type": "x"}\n'.replace("{", "json {") * 2_000
    answer = client.post("/v1/sessions/import", data=text, content_type="text/plain")
    assert len(answer.data) <= MAX_BYTES, json.dumps(answer.get_json())[:500]
    assert answer.status_code == 422
