"""What is long is sent compressed to who takes that, and stays what it is."""

from __future__ import annotations

import gzip

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.api.compression import LEAST
from tests.api.rounds import recorded, shirinma_round
from tests.scorekeeper import Scorekeeper, event

LONG = ("", "/events", "/ledger", "/rounds", "/chart.svg", "/export.csv", "/export.json", "/export.html", "/export.txt")


@pytest.fixture
def table(app: Flask) -> Scorekeeper:
    """A table whose answers are not held against their documentation, which tells of what is in the parcel."""
    scorekeeper = Scorekeeper(FlaskClient(app))
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round())
    return scorekeeper


def asks(table: Scorekeeper, where: str, **headers: str) -> TestResponse:
    address = where if where.startswith(("/v1", "/livez", "/openapi")) else f"{table.address}{where}"
    return table.client.get(address, headers=table.headers(**headers))


@pytest.mark.parametrize("where", [*LONG, "/export.journal", "/export.beancount", "/v1/games/shippin", "/openapi.json"])
def test_what_is_long_is_compressed_for_who_takes_it(table: Scorekeeper, where: str) -> None:
    plain = asks(table, where)
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Content-Encoding" not in plain.headers
    packed = asks(table, where, Accept_Encoding="br, gzip")
    assert (packed.headers["Content-Encoding"], packed.headers["Vary"]) == ("gzip", plain.headers["Vary"])
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data)
    assert packed.headers.get("Content-Length", str(len(packed.data))) == str(len(packed.data))
    assert packed.headers["Content-Type"] == plain.headers["Content-Type"]


@pytest.mark.parametrize("accepted", ["", "br", "identity", "gzip;q=0", "gzip;q=0, *", "deflate"])
def test_who_does_not_take_it_gets_it_plain(table: Scorekeeper, accepted: str) -> None:
    assert "Content-Encoding" not in asks(table, "", Accept_Encoding=accepted).headers


def test_a_tag_is_weak_then_and_holds_all_the_same(table: Scorekeeper) -> None:
    seq = table.looks("")["seq"]
    for where in ("", "/events"):
        packed = asks(table, where, Accept_Encoding="gzip")
        assert packed.headers["ETag"] == f'W/"{seq}"'
        assert asks(table, where, Accept_Encoding="gzip", If_None_Match=packed.headers["ETag"]).status_code == 304
        assert asks(table, where, If_None_Match=packed.headers["ETag"]).status_code == 304
    assert table.tries(event("round_opened"), If_Match=packed.headers["ETag"]).status_code == 201


def test_what_is_short_is_left_as_it_is(table: Scorekeeper) -> None:
    answer = asks(table, "/livez", Accept_Encoding="gzip")
    assert len(answer.data) < LEAST
    assert not {"Content-Encoding", "Vary"} & set(answer.headers.keys())


def test_a_report_and_a_long_problem_are_compressed(table: Scorekeeper) -> None:
    report = table.tries(event("round_opened"), Accept_Encoding="gzip")
    assert (report.status_code, report.headers["Content-Encoding"]) == (201, "gzip")
    problem = table.tries(*[event("poker")] * 10, Accept_Encoding="gzip")
    assert (problem.status_code, problem.headers["Content-Encoding"]) == (422, "gzip")
    assert b'"malformed_fields"' in gzip.decompress(problem.data)


def test_an_answer_with_a_token_is_left_as_it_is(table: Scorekeeper) -> None:
    """Its length would tell something of the token to who can choose other parts of it."""
    opening = {"game": "shippin", "players": ["Aki" * 20, "Ben" * 20], "name": "long " * 20}
    opened = table.client.post("/v1/sessions", json=opening, headers={"Accept-Encoding": "gzip"})
    assert (opened.status_code, len(opened.data) > LEAST) == (201, True)
    assert "Content-Encoding" not in opened.headers


@pytest.mark.parametrize("where", ["/export.xlsx", "/stream"])
def test_what_is_compressed_already_or_has_to_be_there_at_once_is_left_as_it_is(table: Scorekeeper, where: str) -> None:
    answer = table.client.head(f"{table.address}{where}", headers=table.headers(Accept_Encoding="gzip"))
    assert (answer.status_code, "Content-Encoding" in answer.headers) == (200, False)


def test_a_head_has_the_headers_of_what_is_compressed(table: Scorekeeper) -> None:
    got = asks(table, "", Accept_Encoding="gzip")
    head = table.client.head(table.address, headers=table.headers(Accept_Encoding="gzip"))
    assert head.headers.pop("X-Request-ID") != got.headers.pop("X-Request-ID")
    assert dict(head.headers) == dict(got.headers)
    assert head.data == b""
