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


def one_event(fields: bytes) -> bytes:
    return b'{"events": [{' + fields + b"}]}"


# --- bodies ---------------------------------------------------------------------------------------------------------

NOT_JSON = {
    "nothing": b"",
    "half a character in a name": b'{"\\ud83c": 1, "events": 1e400}',
    "cut off": b'{"events": [',
    "NaN": one_event(b'"type": "bid_placed", "player": "p2", "amount": NaN'),
    "5,000 brackets": b"[" * 5000,
    "5,000 nested lists and 400 digits": b"[" * 5000 + b"9" * 400 + b"]" * 5000,
    "half a character": one_event(b'"type": "round_voided", "reason": "\\ud83c"'),
    "another encoding": one_event('"type": "round_voided", "reason": "雨"'.encode("shift_jis")),
    "two values": b"{}{}",
    "a trailing comma": b'{"events": [],}',
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


def test_a_body_may_name_its_charset_and_a_name_in_each_of_two_objects(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    body = '{"events": [{"type": "round_opened", "note": "雨:"}, {"type": "round_voided", "reason": "c:d"}]}'.encode()
    assert sends(scorekeeper, body, kind="Application/JSON; charset=UTF-8").status_code == 201


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


# --- names that are given twice -------------------------------------------------------------------------------------

TWICE = {
    "at the top": b'{"events": [], "events": []}',
    "written in two ways": one_event(b'"type": "round_opened", "t\\u0079pe": "round_opened"'),
    "a long name": b'{"%b": 1, "%b": 2}' % (b"x" * 50_000, b"x" * 50_000),
    "null beside a value": one_event(b'"type": "round_opened", "note": null, "note": "x"'),
    "deep within": b'{"events": [{"type": "rules_changed", "rules": {"min_bid": 1, "min_bid": 2}}]}',
    "beside a number beyond all bounds": one_event(b'"type": "x", "type": "y", "amount": 1e400'),
    "as deep as may be": b'{"a":' * 499 + b'{"b": 1, "b": 2}' + b"}" * 499,
}


@pytest.mark.parametrize("body", TWICE.values(), ids=TWICE)
@pytest.mark.parametrize("where", [*ADDRESSES, "/v1/statistics", "/v1/sessions/import"])
def test_an_object_in_which_a_name_stands_twice_is_refused(table: Scorekeeper, body: bytes, where: str) -> None:
    answer = sends(table, body, where)
    assert (answer.status_code, answer.get_json()["code"]) == (400, "bad_request"), answer.text
    assert re.search("'[a-z_]{1,40}' twice", answer.get_json()["detail"])


# --- amounts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "amount",
    [
        *("0", "-1", "1000000001", "9" * 20, "-" + "9" * 400, "9" * 5000, "1.5", "1e10", "1e400", "true", "null", "[]"),
        *('"5"', '"５"', '""'),
    ],
    ids=lambda amount: f"{amount[:12]} ({len(amount)})",
)
def test_an_amount_is_a_whole_number_of_chips(table: Scorekeeper, amount: str) -> None:
    """Beside it what is right is not called wrong."""
    bid = b'"type": "bid_placed", "player": "p2", "amount": ' + amount.encode()
    moved = b'"type": "chips_moved", "from": "bank", "to": "p1", "note": "\\u96e8", "amount": '
    answer = sends(table, one_event(moved + b"5}, {" + bid + b"}, {" + moved + amount.encode()))
    assert wrong_fields(answer) == dict.fromkeys(
        ("/events/1/amount", "/events/2/amount"), "a whole number from 1 to 1000000000 is needed"
    )


@pytest.mark.parametrize(("amount", "chips"), [("5.0", 5), ("1e3", 1000), ("1.5e1", 15), ("1000000000.0", 10**9)])
def test_a_whole_number_may_be_written_with_a_point(scorekeeper: Scorekeeper, amount: str, chips: int) -> None:
    """JSON Schema says that 1.0 is an integer, and programs send it; what is stored is the number alone."""
    scorekeeper.opens()
    moved = b'"type": "chips_moved", "from": "bank", "to": "p1", "amount": ' + amount.encode()
    answer = sends(scorekeeper, one_event(moved))
    assert answer.status_code == 201, answer.text
    assert f'"amount":{chips},' in answer.text + ","
    assert scorekeeper.balances()["p1"] == chips
    (row,) = scorekeeper.looks("/export.json")["log"]["rows"]
    assert row["body"].endswith(f'"amount":{chips}}}')


# --- fields ---------------------------------------------------------------------------------------------------------

DEALT = event("card_dealt", player="p2", card="plain")
NO_TYPES: tuple[Any, ...] = (None, 5, [], {}, "Round_Opened", "card_deal")
WRONG: list[tuple[object, list[str]]] = [
    *((element, [""]) for element in (None, 5, "round_opened", [], [{"type": "round_opened"}], True)),
    *(({"type": kind}, ["/type"]) for kind in NO_TYPES),
    *((event("round_opened", **{name: 1}), [f"/{name}"]) for name in ("seq", "round", "recorded_by", "json", "")),
    *((event("round_opened", note=note), ["/note"]) for note in (5, "", "a\0b", "x" * 501)),
    (event("round_opened", overrule=True), ["/overrule"]),
    ({}, ["/type"]),
    (event("card_dealt", player="p2"), ["/card"]),
    *((DEALT | {"player": player}, ["/player"]) for player in (None, 2, "", "p" * 101)),
    *((DEALT | {"card": card}, ["/card"]) for card in (4, None, ["plain"], "cups-13")),
    (event("chips_moved", payer="p1", from_="p1", to="p2", amount=1), ["/payer"]),
    (event("cards_drawn_for_seats", draws=[{"player": "p1", "card": "44", "x": 1}]), ["/draws/0/card", "/draws/0/x"]),
    (event("cards_drawn_for_seats", draws=["p1"]), ["/draws/0"]),
    (event("cards_drawn_for_seats", draws="p1"), ["/draws"]),
    (event("turn_played", player="p1", cards=["cups-1"] * 101), ["/cards"]),
    (event("bid_placed", player=5, amount=0, x=1), ["/player", "/amount", "/x"]),
]


@pytest.mark.parametrize(("told", "places"), WRONG, ids=str)
def test_every_wrong_field_of_every_event_is_named_at_once(table: Scorekeeper, told: object, places: list[str]) -> None:
    body = {"events": [event("auction_closed"), told, event("poker")]}
    wrong = wrong_fields(sends(table, json.dumps(body).encode()))
    assert list(wrong) == [*(f"/events/1{place}" for place in places), "/events/2/type"]
    assert "card_dealt" in wrong["/events/2/type"]


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


# --- what people write ------------------------------------------------------------------------------------------------

UNFIT = {
    **{f"U+{code:04X}": f"A{chr(code)}B" for code in (0, 1, 8, 0xB, 0xC, 0xE, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9F)},
    **{f"U+{code:04X}": f"A{chr(code)}B" for code in (0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069)},
    "spaces": "  \u3000\u00a0",
    "no width": "\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f",
    "fillers": "\u3164\uffa0\u115f\u1160\u2800",
    "marks on nothing": "\u0301\ufe0f\u034f",
}
SEEN = (
    "千恵",
    "山田\u3000太郎",
    "👨‍👩‍👧",
    "🎴\ufe0f",
    "שירה\u200f",
    "می\u200cخواهم",
    "e\u0301",
    "\ue000",
    "\U0001fae9",
    "-",
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
    answer = sends(scorekeeper, written(text))
    if text in LINES:
        assert list(wrong_fields(answer)) == ["/events/0/name"]
    else:
        assert answer.status_code == 201, answer.text
