"""What is not JSON, not ours, too much or of the wrong kind: refused with its place, and nothing stays of it."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.conftest import MakeApp
from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Json, Scorekeeper, event

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


def one_event(fields: bytes) -> bytes:
    return b'{"events": [{' + fields + b"}]}"


# --- bodies ---------------------------------------------------------------------------------------------------------

NOT_JSON = {
    "nothing": b"",
    "words": b"card_dealt",
    "cut off": b'{"events": [',
    "NaN": one_event(b'"type": "bid_placed", "player": "p2", "amount": NaN'),
    "Infinity": one_event(b'"type": "bid_placed", "player": "p2", "amount": -Infinity'),
    "NaN beside 400 digits": b"[NaN, " + b"9" * 400 + b"]",
    "5,000 brackets": b"[" * 5000,
    "5,000 nested lists": b'{"events": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "5,000 nested objects": b'{"events":' * 5000 + b"1" + b"}" * 5000,
    "5,000 nested lists and 400 digits": b"[" * 5000 + b"9" * 400 + b"]" * 5000,
    "half a character": one_event(b'"type": "round_voided", "reason": "\\ud83c"'),
    "the halves the wrong way round": one_event(b'"type": "round_voided", "reason": "\\udfb4\\ud83c"'),
    "half a character in a name": b'{"\\ud83c": 1}',
    "half a character in a name beside 1e400": b'{"\\ud83c": 1, "events": 1e400}',
    "half a character in a name within, beside 1e400": b'{"events": [{"rules": {"\\ud83c": 1e400}}]}',
    "half a character beside 400 digits": one_event(b'"note": "\\ud83c", "amount": ' + b"9" * 400),
    "a raw half beside 1e400": one_event(b'"note": "\xed\xa0\xbc", "amount": 1e400'),
    "UTF-16 beside 1e400": '{"events": [1e400]}'.encode("utf-16-le"),
    "another encoding": one_event('"type": "round_voided", "reason": "雨"'.encode("shift_jis")),
    "a raw half": one_event(b'"type": "round_voided", "reason": "\xed\xa0\xbc"'),
    "two values": b"{}{}",
    "a trailing comma": b'{"events": [],}',
    "single quotes": b"{'events': []}",
    "a number with leading zeros": one_event(b'"type": "bid_placed", "player": "p2", "amount": 007'),
    "a control character": one_event(b'"type": "round_voided", "reason": "a\0b"'),
}


@pytest.mark.parametrize("body", NOT_JSON.values(), ids=NOT_JSON)
def test_what_is_not_json_is_refused(table: Scorekeeper, body: bytes) -> None:
    answer = sends(table, body)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")
    assert "JSON" in answer.get_json()["detail"]


@pytest.mark.parametrize("where", ADDRESSES)
def test_every_address_reads_bodies_as_carefully(table: Scorekeeper, where: str) -> None:
    assert sends(table, b"", where).status_code == 400
    assert sends(table, b"[" * 5000, where).status_code == 400
    assert sends(table, b"{}", where, "application/xml").status_code == 415
    assert sends(table, b"x" * (1024 * 1024 + 1), where).status_code == 413
    assert "/x" in wrong_fields(sends(table, b'{"x": 1}', where))
    for body in (b"null", b"[]", b'"x"', b"1", b"true"):
        assert list(wrong_fields(sends(table, body, where))) == [""]


@pytest.mark.parametrize(
    "kind",
    [None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml", "json"],
)
def test_a_body_of_another_kind_is_refused(table: Scorekeeper, kind: str | None) -> None:
    answer = sends(table, b'{"events": [{"type": "auction_closed"}]}', kind=kind)
    assert answer.status_code == 415
    assert "application/json" in answer.get_json()["detail"]


def test_the_kind_of_body_may_name_its_charset(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    body = '{"events": [{"type": "round_opened", "note": "雨"}]}'.encode()
    assert sends(scorekeeper, body, kind="Application/JSON; charset=UTF-8").status_code == 201


def test_a_body_that_is_too_large_is_refused_by_its_length(table: Scorekeeper) -> None:
    answer = sends(table, b" " * (3 * 1024 * 1024))
    assert (answer.status_code, answer.get_json()["at_most"]) == (413, 1024 * 1024)


def test_a_body_that_is_too_large_is_refused_without_a_length(table: Scorekeeper) -> None:
    chunked = {"wsgi.input_terminated": True, "HTTP_TRANSFER_ENCODING": "chunked"}
    body = io.BytesIO(b'{"events": "' + b"x" * (3 * 1024 * 1024) + b'"}')
    answer = table.client.post(
        f"{table.address}/events",
        input_stream=body,
        headers=table.headers(),
        content_type="application/json",
        environ_overrides=chunked,
    )
    assert answer.status_code == 413


ENDS_BY_ITSELF = {"wsgi.input_terminated": True}
"""What a web server says of a body whose end it finds by itself, as gunicorn does of every body."""


@pytest.mark.parametrize("more", [0, 1])
@pytest.mark.parametrize("chunked", [True, False])
@pytest.mark.parametrize(
    ("address", "kind", "filled"),
    [
        ("/v1/sessions", "application/json", b'{"game": "shippin", "players": ["x", "y"]%b}'),
        ("/v1/sessions/import", "text/plain", b"game shippin%b\nplayers x y\n"),
    ],
)
def test_a_body_of_exactly_the_allowed_size_is_taken(
    make_app: MakeApp, address: str, kind: str, filled: bytes, *, chunked: bool, more: int
) -> None:
    body = filled % (b" " * (300 - len(filled) + 2 + more))
    assert len(body) == 300 + more
    client = make_app(body_bytes=300, import_bytes=300).test_client()
    coding = {"HTTP_TRANSFER_ENCODING": "chunked"} if chunked else {}  # without it the client says the length by itself
    answer = client.post(
        address, input_stream=io.BytesIO(body), content_type=kind, environ_overrides={**ENDS_BY_ITSELF, **coding}
    )
    assert answer.status_code == (413 if more else 201), answer.text


def test_a_body_that_ends_before_its_length_is_not_taken_for_whole(make_app: MakeApp) -> None:
    answer = (
        make_app()
        .test_client()
        .post(
            "/v1/sessions/import?game=shippin",
            input_stream=io.BytesIO(b"Aki,-30\nBen,30\n"),
            content_type="text/csv",
            environ_overrides={**ENDS_BY_ITSELF, "CONTENT_LENGTH": "100"},
        )
    )
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request")


def test_how_large_a_body_may_be_is_for_the_operator_to_say(make_app: MakeApp) -> None:
    client = make_app(body_bytes=100).test_client()
    answer = client.post("/v1/sessions", json={"game": "shippin", "players": ["x" * 50, "y" * 50]})
    assert (answer.status_code, answer.get_json()["at_most"]) == (413, 100)
    assert client.post("/v1/sessions", json={"game": "shippin", "players": ["x", "y"]}).status_code == 201


# --- names that are given twice -------------------------------------------------------------------------------------

TWICE = {
    "at the top": b'{"events": [], "events": []}',
    "in an event": one_event(b'"type": "round_opened", "type": "round_opened"'),
    "written in two ways": one_event(b'"type": "round_opened", "t\\u0079pe": "round_opened"'),
    "the same value": one_event(b'"type": "round_opened", "note": "x", "note": "x"'),
    "null beside a value": one_event(b'"type": "round_opened", "note": null, "note": "x"'),
    "deep within": b'{"events": [{"type": "rules_changed", "rules": {"min_bid": 1, "min_bid": 2}}]}',
    "beside colons in texts": one_event(b'"note": "a:b\\":\\\\", "type": "x", "type": "y"'),
    "beside a number beyond all bounds": one_event(b'"type": "x", "type": "y", "amount": 1e400'),
    "with a text that ends in a backslash": one_event(b'"\\\\": 1, "type": "\\\\", "type": "\\\\"'),
    "the empty name": b'{"": 1, "": 2}',
    "as deep as may be": b'{"a":' * 499 + b'{"b": 1, "b": 2}' + b"}" * 499,
}


@pytest.mark.parametrize("body", TWICE.values(), ids=TWICE)
@pytest.mark.parametrize("where", [*ADDRESSES, "/v1/statistics", "/v1/sessions/import", "rounds/1/recalculate"])
def test_an_object_in_which_a_name_stands_twice_is_refused(table: Scorekeeper, body: bytes, where: str) -> None:
    answer = sends(table, body, where)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request"), answer.text
    assert "twice" in answer.get_json()["detail"]


def test_the_name_that_stands_twice_is_told_and_cut_short(table: Scorekeeper) -> None:
    assert "'amount'" in sends(table, one_event(b'"amount": 1, "amount": 2')).get_json()["detail"]
    long = b'"' + b"x" * 500_000 + b'": 1'
    assert len(sends(table, b"{" + long + b"," + long + b"}").get_json()["detail"]) < 100


@pytest.mark.parametrize("note", ["a:b", '":"', "\\", '\\":', "::" * 200, "\u003a", "雨:"])
def test_colons_in_texts_are_no_names(scorekeeper: Scorekeeper, note: str) -> None:
    scorekeeper.opens()
    for ascii_only in (True, False):
        body = json.dumps({"events": [event("round_opened", note=note)]}, ensure_ascii=ascii_only).encode()
        assert sends(scorekeeper, body, "events?dry_run=true").status_code == 200


def test_a_name_may_stand_in_two_objects(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    body = b'{"events": [{"type": "round_opened", "note": "a:b"}, {"type": "round_voided", "reason": "c:d"}]}'
    assert sends(scorekeeper, body).status_code == 201


# --- amounts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "amount",
    [
        *("0", "-1", "-0", "1000000001", "9" * 19, "9" * 20, "9" * 400, "-" + "9" * 400, "9" * 5000),
        *("0.0", "1.5", "1e10", "1e-1", "1e400", "0.1", "true", "false", "null", "[]", "{}"),
        *('"5"', '""', '"５"', '"1_000"', '" 5"', '"five"', '"NaN"'),
    ],
    ids=lambda amount: f"{amount[:12]} ({len(amount)})",
)
def test_an_amount_is_a_whole_number_of_chips(table: Scorekeeper, amount: str) -> None:
    bid = sends(table, one_event(b'"type": "bid_placed", "player": "p2", "amount": ' + amount.encode()))
    moved = b'"type": "chips_moved", "from": "bank", "to": "p1", "amount": ' + amount.encode()
    for answer in (bid, sends(table, one_event(moved))):
        assert list(wrong_fields(answer)) == ["/events/0/amount"]


@pytest.mark.parametrize(("amount", "chips"), [("5.0", 5), ("1e3", 1000), ("1.5e1", 15), ("1000000000.0", 10**9)])
def test_a_whole_number_may_be_written_with_a_point(scorekeeper: Scorekeeper, amount: str, chips: int) -> None:
    """JSON Schema says that 1.0 is an integer, and programs send it; what is stored is the number alone."""
    scorekeeper.opens()
    moved = b'"type": "chips_moved", "from": "bank", "to": "p1", "amount": ' + amount.encode()
    answer = sends(scorekeeper, one_event(moved))
    assert answer.status_code == 201, answer.text
    assert f'"amount":{chips},' in answer.text + ","
    assert scorekeeper.balances()["p1"] == chips
    assert f'"amount":{chips}}}' in scorekeeper.client.get(
        f"{scorekeeper.address}/export.json", headers=scorekeeper.headers()
    ).text.replace("\\", "").replace(" ", "")


def test_an_amount_says_what_it_may_be(table: Scorekeeper) -> None:
    for amount in (b"0", b'"5"', b"1.5", b"9" * 400):
        fields = b'"type": "bid_placed", "player": "p2", "amount": ' + amount
        detail = wrong_fields(sends(table, one_event(fields)))["/events/0/amount"]
        assert "1" in detail
        assert "1000000000" in detail


def test_beside_a_number_beyond_all_bounds_what_is_right_is_not_called_wrong(table: Scorekeeper) -> None:
    gift = {"type": "chips_moved", "from": "p1", "to": "p2", "amount": 5}
    body = json.dumps({"events": [gift, gift | {"amount": 10**400}, gift | {"note": "whole \U0001f3b4"}]})
    assert list(wrong_fields(sends(table, body.encode()))) == ["/events/1/amount"]


def test_the_largest_amount_can_be_recorded(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("chips_moved", from_="bank", to="p1", amount=10**9))
    assert scorekeeper.balances()["p1"] == 10**9


# --- fields ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({}, "/type"),
        ({"type": None}, "/type"),
        ({"type": 5}, "/type"),
        ({"type": []}, "/type"),
        ({"type": {}}, "/type"),
        ({"type": "Round_Opened"}, "/type"),
        ({"type": "card_deal"}, "/type"),
        ({"type": "round_opened", "seq": 4}, "/seq"),
        ({"type": "round_opened", "round": 4}, "/round"),
        ({"type": "round_opened", "recorded_by": "x"}, "/recorded_by"),
        ({"type": "round_opened", "json": 1}, "/json"),
        ({"type": "round_opened", "": 1}, "/"),
        ({"type": "round_opened", "note": 5}, "/note"),
        ({"type": "round_opened", "note": ""}, "/note"),
        ({"type": "round_opened", "note": "a\0b"}, "/note"),
        ({"type": "round_opened", "note": "x" * 501}, "/note"),
        ({"type": "round_opened", "overrule": True}, "/overrule"),
        ({"type": "card_dealt", "player": "p2"}, "/card"),
        ({"type": "card_dealt", "card": "plain"}, "/player"),
        ({"type": "card_dealt", "card": "plain", "player": 2}, "/player"),
        ({"type": "card_dealt", "card": "plain", "player": ""}, "/player"),
        ({"type": "card_dealt", "card": "plain", "player": "p" * 101}, "/player"),
        ({"type": "card_dealt", "card": 4, "player": "p2"}, "/card"),
        ({"type": "card_dealt", "card": None, "player": "p2"}, "/card"),
        ({"type": "card_dealt", "card": ["plain"], "player": "p2"}, "/card"),
        ({"type": "chips_moved", "payer": "p1", "from": "p1", "to": "p2", "amount": 1}, "/payer"),
        ({"type": "cards_drawn_for_seats", "draws": [{"player": "p1", "card": "4", "x": 1}]}, "/draws/0/x"),
        ({"type": "cards_drawn_for_seats", "draws": [{"player": "p1", "card": "44"}]}, "/draws/0/card"),
        ({"type": "cards_drawn_for_seats", "draws": ["p1"]}, "/draws/0"),
        ({"type": "cards_drawn_for_seats", "draws": "p1"}, "/draws"),
        ({"type": "turn_played", "player": "p1", "cards": ["cups-1"] * 101}, "/cards"),
    ],
    ids=str,
)
def test_a_wrong_field_of_an_event_is_named(table: Scorekeeper, fields: Json, pointer: str) -> None:
    problem = table.is_refused(event("auction_closed"), fields, status=422)
    assert [error["pointer"] for error in problem["errors"]] == ["/events/1" + pointer]


@pytest.mark.parametrize("element", [None, 5, "round_opened", [], [{"type": "round_opened"}], True])
def test_an_event_is_an_object(table: Scorekeeper, element: object) -> None:
    answer = sends(table, json.dumps({"events": [element]}).encode())
    assert list(wrong_fields(answer)) == ["/events/0"]


def test_every_wrong_field_of_every_event_is_named_at_once(table: Scorekeeper) -> None:
    bid = event("bid_placed", player=5, amount=0, x=1)
    problem = table.is_refused(bid, event("auction_closed"), event("poker"), status=422)
    places = {error["pointer"] for error in problem["errors"]}
    assert places == {"/events/0/player", "/events/0/amount", "/events/0/x", "/events/2/type"}


@pytest.mark.parametrize("body", [{"events": [event("auction_closed")], "json": 1}, {"events": [], "dry_run": True}])
def test_an_unknown_field_of_the_request_is_named(table: Scorekeeper, body: Json) -> None:
    (name,) = body.keys() - {"events"}
    assert f"/{name}" in wrong_fields(sends(table, json.dumps(body).encode()))


def test_an_unknown_type_names_those_that_there_are(table: Scorekeeper) -> None:
    (error,) = table.is_refused(event("card_deal"), status=422)["errors"]
    assert "card_dealt" in error["detail"]


@pytest.mark.parametrize("query", ["dry_run=2", "dryrun=true", "dry_run=true&x=1", "dry_run="])
def test_a_query_that_is_not_understood_is_refused(table: Scorekeeper, query: str) -> None:
    assert table.tries(event("auction_closed"), query=f"?{query}").status_code == 422


def test_wild_addresses_are_answered_calmly(client: FlaskClient, table: Scorekeeper) -> None:
    for wild in ("%00", "%ff%fe", "..%2f..", "%F0%9F%8E%B4", "x" * 3000, "{id}", "'; DROP TABLE events; --"):
        assert client.get(f"/v1/sessions/{wild}", headers=table.headers()).status_code == 404
        assert client.get(f"/v1/games/{wild}").status_code == 404
        assert client.get(f"{table.address}/rounds/{wild}", headers=table.headers()).status_code == 404
        assert client.delete(f"{table.address}/links/{wild}", headers=table.headers()).status_code in {404, 405}
    assert client.get(f"{table.address}/rounds/{'9' * 5000}", headers=table.headers()).status_code == 404
