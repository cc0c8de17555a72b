"""Long answers are compressed for clients that accept it; decompressed, they are the same."""

from __future__ import annotations

import gzip

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.scorekeeper import Scorekeeper, event


@pytest.fixture
def table(app: Flask) -> Scorekeeper:
    scorekeeper = Scorekeeper(FlaskClient(app))
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened", note="long " * 90))
    return scorekeeper


@pytest.mark.parametrize("where", ["", "/chart.svg", "/export.csv?what=events", "/export.html", "/docs/swagger-ui.css"])
@pytest.mark.parametrize("accepted", ["br, gzip", "", "br", "gzip;q=0, *"])
def test_what_is_long_is_compressed_for_who_takes_it(table: Scorekeeper, where: str, accepted: str) -> None:
    def asks(**headers: str) -> TestResponse:
        address = where if where.startswith("/docs") else table.address + where
        return table.client.get(address, headers=table.headers(**headers), buffered=True)

    plain, packed = asks(), asks(Accept_Encoding=accepted)
    assert (packed.headers["Vary"], "Accept-Encoding" in packed.headers["Vary"]) == (plain.headers["Vary"], True)
    is_packed = packed.headers.get("Content-Encoding") == "gzip"
    assert is_packed is (accepted == "br, gzip")
    assert (gzip.decompress(packed.data) if is_packed else packed.data) == plain.data
    assert packed.headers["Content-Type"] == plain.headers["Content-Type"]
    if tag := plain.headers.get("ETag"):
        assert packed.headers["ETag"] == (f"W/{tag}" if is_packed else tag)
        held = asks(If_None_Match=packed.headers["ETag"])
        assert (held.status_code, held.headers["Vary"]) == (304, plain.headers["Vary"])


def test_tokens_streams_and_pieces_are_left_as_they_are(table: Scorekeeper) -> None:
    asked = table.headers(Accept_Encoding="gzip", Range="bytes=0-999")
    opening = {"game": "shippin", "players": ["Aki" * 20, "Ben" * 20], "name": "long " * 20}
    stream = table.client.head(f"{table.address}/stream", headers=asked)
    opened = table.client.post("/v1/sessions", json=opening, headers=asked)
    piece = table.client.get("/docs/swagger-ui.css", headers=asked, buffered=True)
    assert [answer.status_code for answer in (stream, opened, piece)] == [200, 201, 206]
    assert not [answer for answer in (stream, opened, piece) if "Content-Encoding" in answer.headers]
