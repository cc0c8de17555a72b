"""What is not JSON, not ours, too much or of the wrong kind: refused with its place, and nothing stays of it."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.conftest import MakeApp
from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Scorekeeper, event

ADDRESSES = ("events", "links", "/v1/sessions", "/v1/calculate/shirinma")


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Iterator[Scorekeeper]:
    """A table in the middle of an auction, at which nothing may have changed afterwards."""
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:3])
    places = ("", "/events", "/ledger", "/links")
    before = [scorekeeper.looks(place) for place in places]
    yield scorekeeper
    assert [scorekeeper.looks(place) for place in places] == before


def sends(
    table: Scorekeeper, body: bytes, where: str = "events", kind: str | None = "application/json"
) -> TestResponse:
    """Post a body as it is to an address of the session, or to any other."""
    address = where if where.startswith("/") else f"{table.address}/{where}"
    return table.client.post(address, data=body, headers=table.headers(), content_type=kind)


def wrong_fields(answer: TestResponse) -> dict[str, str]:
    """What is wrong with which field, by its pointer."""
    problem = answer.get_json()
    assert (answer.status_code, problem["code"]) == (422, "malformed_fields"), answer.text
    return {error["pointer"]: error["detail"] for error in problem["errors"]}


# --- bodies ---------------------------------------------------------------------------------------------------------

NOT_JSON = (b"", b"{}{}", b'{"x": NaN}', b"[" * 5000, b'{"x": "\\ud83c"}', '{"x": "雨"}'.encode("shift_jis"))


@pytest.mark.parametrize("where", ADDRESSES)
def test_every_address_reads_bodies_as_carefully(table: Scorekeeper, where: str) -> None:
    for body in NOT_JSON:
        answer = sends(table, body, where)
        assert (answer.status_code, answer.get_json()["code"], "JSON" in answer.text) == (400, "bad_request", True)
    assert sends(table, b"x" * (1024 * 1024 + 1), where).status_code == 413
    for kind in (None, "json", "multipart/form-data", "application/xml"):
        answer = sends(table, b"{}", where, kind)
        assert (answer.status_code, "application/json" in answer.get_json()["detail"]) == (415, True)
    assert "/x" in wrong_fields(sends(table, b'{"x": 1}', where))
    for body in (b"null", b"[]", b'"x"', b"1", b"true"):
        assert list(wrong_fields(sends(table, body, where))) == [""]


ENDS_BY_ITSELF = {"wsgi.input_terminated": True}
"""What a web server says of a body whose end it finds by itself, as gunicorn does of every body."""


@pytest.mark.parametrize("chunked", [True, False])
@pytest.mark.parametrize(
    ("address", "kind", "filled"),
    [
        ("/v1/sessions", "application/json", b'{"game": "shippin", "players": ["x", "y"]%b}'),
        ("/v1/sessions/import", "text/plain", b"game shippin%b\nplayers x y\n"),
    ],
)
def test_a_body_of_exactly_the_allowed_size_is_taken(
    make_app: MakeApp, address: str, kind: str, filled: bytes, *, chunked: bool
) -> None:
    client = make_app(body_bytes=300, import_bytes=300).test_client()
    told = ENDS_BY_ITSELF | ({"HTTP_TRANSFER_ENCODING": "chunked"} if chunked else {})
    for length, status in {300: 201, 301: 413}.items():
        body = io.BytesIO(filled % (b" " * (length - len(filled % b""))))
        answer = client.post(address, input_stream=body, content_type=kind, environ_overrides=told)
        assert answer.status_code == status, answer.text


def test_a_body_that_ends_before_its_length_is_not_taken_for_whole(client: FlaskClient) -> None:
    answer = client.post(
        "/v1/sessions/import?game=shippin",
        input_stream=io.BytesIO(b"Aki,-30\nBen,30\n"),
        content_type="text/csv",
        environ_overrides={**ENDS_BY_ITSELF, "CONTENT_LENGTH": "100"},
    )
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")


# --- names that are given twice -------------------------------------------------------------------------------------

TWICE = (
    b'{"events": [], "events": []}',
    b'[{"type": "round_opened", "t\\u0079pe": "round_opened"}]',
    b'{"%b": 1, "%b": 2}' % (b"x" * 50_000, b"x" * 50_000),
    b'{"a":' * 499 + b'{"b": 1, "b": 2}' + b"}" * 499,
)


@pytest.mark.parametrize("where", [*ADDRESSES, "/v1/statistics", "/v1/sessions/import"])
def test_an_object_in_which_a_name_stands_twice_is_refused(table: Scorekeeper, where: str) -> None:
    for body in TWICE:
        answer = sends(table, body, where)
        assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request"), answer.text
        assert re.search("'[a-z_]{1,40}' twice", answer.get_json()["detail"])


# --- fields ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("amount", "chips"), [("5.0", 5), ("1.5e1", 15), ("1000000000.0", 10**9)])
def test_a_whole_number_may_be_written_with_a_point(scorekeeper: Scorekeeper, amount: str, chips: int) -> None:
    """JSON Schema says that 1.0 is an integer, and programs send it; what is stored is the number alone."""
    scorekeeper.opens()
    body = f'{{"events": [{{"type": "chips_moved", "from": "bank", "to": "p1", "amount": {amount}}}]}}'
    assert sends(scorekeeper, body.encode()).status_code == 201
    assert scorekeeper.balances()["p1"] == chips
    (row,) = scorekeeper.looks("/export.json")["log"]["rows"]
    assert row["body"].endswith(f'"amount":{chips}}}')


BID = event("bid_placed", player="p2", amount=1)
DEALT = event("card_dealt", player="p2", card="plain")
ODD: tuple[Any, ...] = (None, 5, [])
WRONG: list[tuple[object, list[str]]] = [
    *((element, [""]) for element in (*ODD, "round_opened")),
    *(({"type": kind}, ["/type"]) for kind in (*ODD, "Round_Opened")),
    *((event("round_opened", **{name: 1}), [f"/{name}"]) for name in ("seq", "recorded_by", "json", "")),
    *((event("round_opened", note=note), ["/note"]) for note in (5, "", "x" * 501)),
    (event("round_opened", overrule=True), ["/overrule"]),
    ({}, ["/type"]),
    (event("card_dealt", player="p2"), ["/card"]),
    *((DEALT | {"player": player}, ["/player"]) for player in (None, 2, "", "p" * 101)),
    *((DEALT | {"card": card}, ["/card"]) for card in (4, None, ["plain"], "cups-13")),
    (event("chips_moved", payer="p1", from_="p1", to="p2", amount=1), ["/payer"]),
    (event("cards_drawn_for_seats", draws=[{"player": "p1", "card": "44", "x": 1}]), ["/draws/0/card", "/draws/0/x"]),
    (event("cards_drawn_for_seats", draws=["p1"]), ["/draws/0"]),
    (event("cards_drawn_for_seats", draws="p1"), ["/draws"]),
    *((BID | {"amount": n}, ["/amount"]) for n in (0, 10**9 + 1, 10**4000, 1.5, True, None, "5")),
    (BID | {"player": 5, "amount": 0, "x": 1}, ["/player", "/amount", "/x"]),
]


@pytest.mark.parametrize(("told", "places"), WRONG, ids=lambda case: str(case)[:80])
def test_every_wrong_field_of_every_event_is_named_at_once(table: Scorekeeper, told: object, places: list[str]) -> None:
    body = {"events": [event("auction_closed"), told, event("poker")]}
    wrong = wrong_fields(sends(table, json.dumps(body).encode()))
    assert list(wrong) == [*(f"/events/1{place}" for place in places), "/events/2/type"]
    assert "card_dealt" in wrong["/events/2/type"]


def test_wild_addresses_are_answered_calmly(client: FlaskClient, table: Scorekeeper) -> None:
    for wild in ("%00", "%ff%fe", "..%2f..", "%F0%9F%8E%B4", "x" * 3000, "{id}", "'; DROP TABLE events; --"):
        assert client.get(f"/v1/sessions/{wild}", headers=table.headers()).status_code == 404
        assert client.get(f"/v1/games/{wild}").status_code == 404
        assert client.get(f"{table.address}/rounds/{wild}", headers=table.headers()).status_code == 404
        assert client.delete(f"{table.address}/links/{wild}", headers=table.headers()).status_code in {404, 405}
    assert client.get(f"{table.address}/rounds/{'9' * 5000}", headers=table.headers()).status_code == 404


# --- what people write ------------------------------------------------------------------------------------------------

CODES = (*(0, 8, 0xB, 0xC, 0xE, 0x1B, 0x1F, 0x7F, 0x9F), *(0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069))
UNFIT = {
    **{f"U+{code:04X}": f"A{chr(code)}B" for code in CODES},
    "spaces": "  \u3000\u00a0",
    "no width": "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f",
    "fillers": "\u3164\uffa0\u115f\u1160\u2800",
    "marks on nothing": "\u0301\ufe0f\u034f",
}
SEEN = (
    *("千恵", "山田\u3000太郎", "👨‍👩‍👧", "🎴\ufe0f", "שירה\u200f", "می\u200cخواهم"),
    *("e\u0301", "\ue000", "\U0001fae9", "-"),
)
LINES = ("A\nB", "A\rB", "A\r\nB", "A\tB")


def written(text: str) -> bytes:
    """Somebody's words, in every place where there may be any."""
    voided = event("round_voided", reason=text, note=text, overrule=text)
    return json.dumps({"events": [event("player_joined", name=text), event("round_opened"), voided]}).encode()


@pytest.mark.parametrize("text", UNFIT.values(), ids=UNFIT)
def test_what_cannot_be_seen_or_turns_what_is_around_it_is_refused(table: Scorekeeper, text: str) -> None:
    places = {"/events/0/name", *(f"/events/2/{name}" for name in ("reason", "note", "overrule"))}
    assert wrong_fields(sends(table, written(text))).keys() == places


@pytest.mark.parametrize("text", [*SEEN, *LINES])
def test_what_can_be_seen_can_be_written_and_only_a_name_is_one_line(scorekeeper: Scorekeeper, text: str) -> None:
    scorekeeper.opens()
    answer = sends(scorekeeper, written(text), kind="Application/JSON; charset=UTF-8")
    if text in LINES:
        assert list(wrong_fields(answer)) == ["/events/0/name"]
    else:
        assert answer.status_code == 201, answer.text
