"""Security headers of every answer; no header of a request gets into an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.api.http.middleware import NOTHING, POLICY
from tests.scorekeeper import Scorekeeper, event

CONSTANT = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
}
EVIL = "evil.example"
FORWARDED = dict.fromkeys(("X-Forwarded-Host", "X-Forwarded-Server", "X-Forwarded-Proto"), EVIL)
FORWARDED |= dict.fromkeys(("X-Forwarded-Prefix", "X-Original-URL", "X-Rewrite-URL"), f"/{EVIL}")
FORWARDED |= {"X-HTTP-Method-Override": "DELETE", "Forwarded": f"host={EVIL};proto=evil"}
OWN = ("", "/events?limit=1", "/chart.svg", "/export.html")
OTHERS = ("/", "/sw.js", "/docs", "/docs/", "/docs/swagger-ui.css", "/openapi.json", "/livez", "/nowhere")
SLASHES = ("/page//evil.example/x", "/v1//games", "/%2fevil.example/%2f..", "/docs//", "/%2f%2f")


@pytest.fixture
def table(app: Flask) -> Scorekeeper:
    """A table whose client is not held against the documentation."""
    scorekeeper = Scorekeeper(FlaskClient(app))
    scorekeeper.opens("shippin")
    scorekeeper.reports(event("round_opened"), event("bet_placed", player="p2", column=1))
    return scorekeeper


def answers(table: Scorekeeper, **said: str) -> Iterator[TestResponse]:
    """An answer of every kind, in every way."""
    client, usual = table.client, {**table.headers(), **said}
    for where in (*(f"{table.address}{own}" for own in OWN), *OTHERS, *SLASHES):
        for asked in (usual, said, {**usual, "If-None-Match": '"2"'}, {**usual, "Accept": "text/html"}):
            for method in ("GET", "HEAD", "OPTIONS", "POST"):
                yield client.open(where, method=method, headers={**asked, **FORWARDED}, buffered=True)
    yield client.head(f"{table.address}/stream", headers=usual)
    yield table.tries(event("auction_closed"))
    for body in (b'{"game": "shippin", "players": ["Aki", "Ben"]}', b"{", b" " * (1024 * 1024 + 1)):
        yield client.post("/v1/sessions", data=body, content_type="application/json", headers=said)


def test_every_answer_tells_a_browser_to_be_careful(table: Scorekeeper) -> None:
    statuses = set[int]()
    for answer in answers(table):
        statuses.add(answer.status_code)
        assert all(answer.headers.getlist(name) == [value] for name, value in CONSTANT.items())
        policies = answer.headers.getlist(POLICY)
        assert len(policies) == (0 if answer.status_code == 304 else 1), answer.request.path
        assert all(policy.startswith(NOTHING) for policy in policies)
        assert not re.search(r"\*|http|unsafe-eval", "".join(policies))
        if answer.mimetype in {"application/json", "application/problem+json", "text/event-stream"}:
            assert policies == [NOTHING], "nothing is loaded or framed by default"
        assert "Strict-Transport-Security" not in answer.headers
    assert statuses >= {200, 201, 304, 400, 401, 404, 405, 409, 413}


def test_what_is_shown_runs_only_what_it_came_with(table: Scorekeeper) -> None:
    for address in ("export.html", "chart.svg"):
        policy = table.client.get(f"{table.address}/{address}", headers=table.headers()).headers[POLICY]
        assert (policy.endswith("; sandbox"), "script-src" in policy) == (True, False)
    answer = table.client.get("/docs")
    assert re.search(r"; script-src 'self' 'sha256-[A-Za-z0-9+/]{43}='; ", answer.headers[POLICY])
    held = table.client.get("/docs", headers={"If-None-Match": answer.headers["ETag"]})
    assert (held.status_code, held.headers[POLICY]) == (304, answer.headers[POLICY])


@pytest.mark.parametrize("host", [EVIL, f"{EVIL}:99", f"{EVIL}/x?", f'{EVIL}"><script>', "[::1", "a b"])
def test_no_host_that_is_said_stands_in_an_answer(table: Scorekeeper, host: str) -> None:
    for answer in answers(table, Host=host):
        assert answer.status_code < 300 or 304 <= answer.status_code < 500, "nobody is sent on"
        assert EVIL not in str(answer.headers) + answer.text
        if answer.status_code == 201:
            assert answer.headers["Location"].startswith("/v1/sessions/")
        if "Link" in answer.headers:
            assert answer.headers["Link"].startswith(f"<{table.address}/events?")
