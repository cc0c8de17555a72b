"""What every answer tells a browser, and what no header of a request can put into an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.exports import FORMATS
from ledger.guards import NOTHING, POLICY
from tests.scorekeeper import Scorekeeper, event

CONSTANT = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]
EVIL = "evil.example"
FORWARDED = {
    "X-Forwarded-Host": EVIL,
    "X-Forwarded-Proto": "evil",
    "X-Forwarded-Prefix": f"/{EVIL}",
    "X-Forwarded-Server": EVIL,
    "X-Original-URL": f"/{EVIL}",
    "X-Rewrite-URL": f"/{EVIL}",
    "X-HTTP-Method-Override": "DELETE",
    "Forwarded": f"host={EVIL};proto=evil",
}


@pytest.fixture
def table(app: Flask) -> Scorekeeper:
    """A table that is asked for more than is documented."""
    scorekeeper = Scorekeeper(FlaskClient(app))
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"), event("bet_placed", player="p2", column=1))
    return scorekeeper


def answers(table: Scorekeeper) -> Iterator[TestResponse]:
    """An answer of every kind."""
    for answer in asked(table):
        with answer:
            yield answer


def asked(table: Scorekeeper) -> Iterator[TestResponse]:
    """Ask for everything, in every way."""
    client, headers = table.client, table.headers()
    own = ("", "/events", "/ledger", "/rounds", "/settlement", "/statistics", "/links", "/links/me", "/verify")
    for address in (*own, "/chart.svg", "/stream", *(f"/export.{form}" for form in FORMATS)):
        yield client.get(table.address + address, headers=headers)
        yield client.head(table.address + address, headers=headers)
        yield client.options(table.address + address, headers=headers)
        yield client.get(table.address + address)
        yield client.post(table.address + address, headers=headers)
    seen = client.get(table.address, headers=headers).headers["ETag"]
    yield client.get(table.address, headers={**headers, "If-None-Match": seen})
    yield client.get(f"{table.address}/export.csv", headers={**headers, "Accept-Encoding": "gzip"})
    yield table.tries(event("auction_closed"))
    yield client.post("/v1/sessions", json={"game": "shippin", "players": ["Aki", "Ben"]})
    yield client.post(f"{table.address}/links", json={"role": "viewer"}, headers=headers)
    yield client.post("/v1/sessions", data=b"{", content_type="application/json")
    yield client.post("/v1/sessions", data=b" " * (1024 * 1024 + 1), content_type="application/json")
    for address in ("/docs", "/docs/", "/docs/swagger-ui.css", "/docs/oauth2-redirect.html", "/docs/none", "/v1/games"):
        yield client.get(address)
    yield client.get("/", headers={"Accept": "text/html"})
    for address in ("/", "/manifest.webmanifest", "/page/none.js"):
        yield client.get(address)
    for address in ("/openapi.json", "/livez", "/readyz", "/nowhere", "/v1/decks/kabufuda", "/v1/games/shippin"):
        yield client.get(address)


def test_every_answer_tells_a_browser_to_be_careful(table: Scorekeeper) -> None:
    statuses = set()
    for answer in answers(table):
        statuses.add(answer.status_code)
        for name, value in CONSTANT:
            assert answer.headers.getlist(name) == [value], answer.request.path
        policies = answer.headers.getlist(POLICY)
        assert len(policies) == (0 if answer.status_code == 304 else 1), answer.request.path
        for policy in policies:
            assert policy.startswith(NOTHING)
            assert "*" not in policy
            assert "http" not in policy
            assert "unsafe-eval" not in policy
        assert "Strict-Transport-Security" not in answer.headers
    assert statuses >= {200, 201, 304, 400, 401, 404, 405, 409, 413}


def test_nothing_is_loaded_or_framed_by_default() -> None:
    assert NOTHING.split("; ")[:2] == ["default-src 'none'", "frame-ancestors 'none'"]


def test_what_no_browser_is_to_show_may_load_nothing(table: Scorekeeper) -> None:
    shown = {"text/html", "image/svg+xml"}
    for answer in answers(table):
        if answer.content_type and answer.mimetype not in shown:
            assert answer.headers[POLICY] == NOTHING


def test_a_score_sheet_and_a_chart_run_nothing(table: Scorekeeper) -> None:
    for address in ("export.html", "chart.svg"):
        policy = table.client.get(f"{table.address}/{address}", headers=table.headers()).headers[POLICY]
        assert policy.endswith("; sandbox")
        assert "script-src" not in policy


def test_the_page_of_the_documents_runs_only_what_it_came_with(client: FlaskClient) -> None:
    answer = client.get("/docs")
    (sources,) = re.findall(r"script-src ([^;]*)", answer.headers[POLICY])
    assert re.fullmatch(r"'self' 'sha256-[A-Za-z0-9+/]{43}='", sources)
    assert "unsafe" not in answer.headers[POLICY]
    held = client.get("/docs", headers={"If-None-Match": answer.headers["ETag"]})
    assert (held.status_code, held.headers[POLICY]) == (304, answer.headers[POLICY])


# --- what a request says of where it was sent -------------------------------------------------------------------------


@pytest.mark.parametrize("host", [EVIL, f"{EVIL}:99", f"{EVIL}/x?", f'{EVIL}"><script>', "[::1", "a b"])
def test_no_host_that_is_said_stands_in_an_answer(table: Scorekeeper, host: str) -> None:
    own = table.address
    addresses = (
        "/",
        "/sw.js",
        "/page//evil.example/x",
        "/docs",
        "/docs/",
        "/openapi.json",
        "/nowhere",
        "/v1/games/",
        f"{own}/events?limit=1",
        f"{own}/links",
    )
    slashes = (f"/v1//sessions/{table.session_id}", f"{own}//events", "/%2fevil.example/%2f..", "/docs//", "/%2f%2f")
    for address in (*addresses, *slashes):
        for method in ("GET", "HEAD", "OPTIONS", "POST"):
            answer = table.client.open(address, method=method, headers={**table.headers(), **FORWARDED, "Host": host})
            assert answer.status_code < 300 or answer.status_code >= 400, "nobody is sent on"
            assert EVIL not in str(answer.headers)
            assert EVIL not in answer.text
            assert answer.status_code < 500
    opened = table.client.post(
        "/v1/sessions", json={"game": "shippin", "players": ["Aki", "Ben"]}, headers={**FORWARDED, "Host": host}
    )
    assert opened.headers["Location"] == f"/v1/sessions/{opened.get_json()['session']['id']}"
    events = table.client.get(f"{own}/events?limit=1", headers={**table.headers(), **FORWARDED, "Host": host})
    assert events.get_json()["next"].startswith(f"{own}/events?")
    assert events.headers["Link"].startswith(f"<{own}/events?")
