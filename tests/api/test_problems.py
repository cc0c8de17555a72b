"""A failure is always a problem with a code, in the reader's language, and shows nothing of the service's insides."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from ledger.accounting.books import BooksDoNotBalance
from ledger.services.sessions import SessionService
from tests.api.conftest import MakeApp
from tests.api.rounds import recorded, shirinma_round
from tests.databases import nobody_writes
from tests.scorekeeper import Json, Scorekeeper, event

ROUND = event("round_opened")
LANGUAGES = {"ja-JP,ja;q=0.9,en;q=0.1": "ja", "fr, ja;q=0.2": "ja", "en-GB, ja;q=0.5": "en", "fr": "en", "": "en"}
JAPANESE = re.compile("[\u3040-\u30ff]")
NOT_THERE = ("/page", "/page/x/y", "/v1", "/v1/", "/v2/sessions", "/v1/session", "/v1/sessions/x/y", "/livez/x")
ALLOWED = {
    "GET": {"/v1/sessions": "POST", "/v1/calculate/shirinma": "POST"},
    "PUT": {"/v1/sessions/x": "DELETE", "/v1/sessions/x/ledger": "GET"},
    "PATCH": {"/v1/sessions/x": "GET", "/v1/sessions/x/events": "POST"},
    "DELETE": {"/v1/sessions/x/events": "POST"},
    "POST": {"/v1/sessions/x/rounds/1": "GET", "/v1/games": "GET", "/openapi.json": "GET"},
}
"""Methods that addresses do not take, and one that each does."""

FAILURES: list[tuple[str, int, str, Json]] = [
    *((f"{method} {address}", 404, "not_found", {}) for address in NOT_THERE for method in ("GET", "POST", "DELETE")),
    *((f"{method} {address}", 405, "method_not_allowed", {}) for method, each in ALLOWED.items() for address in each),
    ("POST events", 400, "bad_request", {"data": "{", "content_type": "application/json"}),
    ("GET events", 401, "not_admitted", {}),
    ("POST events", 409, "session_is_open", {"json": {"events": [event("session_reopened")]}}),
    ("POST events", 412, "stale", {"json": {"events": [ROUND]}, "headers": {"If-Match": '"9"'}}),
    ("POST events", 413, "request_entity_too_large", {"data": "x" * 2_000_000, "content_type": "application/json"}),
    ("POST events", 415, "unsupported_media_type", {"data": "{}"}),
    ("POST events", 422, "malformed_fields", {"json": {}}),
]
"""A request, `events` those of a session, the status and code of its problem, and what is sent."""


@pytest.mark.parametrize(("request_", "status", "code", "sent"), FAILURES)
def test_a_failure_is_a_problem_in_the_readers_language(
    scorekeeper: Scorekeeper, request_: str, status: int, code: str, sent: Json
) -> None:
    scorekeeper.opens()
    method, _, address = request_.replace(" events", f" {scorekeeper.address}/events").partition(" ")
    own = scorekeeper.headers() if code != "not_admitted" else {}
    for accepted, language in LANGUAGES.items():
        headers = {**own, **sent.get("headers", {}), "Accept-Language": accepted}
        answer = scorekeeper.client.open(address, method=method, **{**sent, "headers": headers})
        problem = answer.get_json()
        assert (answer.status_code, problem["code"], answer.headers["Content-Language"]) == (status, code, language)
        assert all(bool(JAPANESE.search(problem[part])) == (language == "ja") for part in ("title", "detail"))
        assert status != 405 or ALLOWED[method][address] in answer.headers["Allow"]


def test_names_stand_in_a_refusal_as_they_are(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(players=["千恵", "Ben {expected}", *["x"] * 10])
    recorded(scorekeeper, *shirinma_round()[:2])
    early = event("card_dealt", player="p2", card="plain")
    english, japanese = (scorekeeper.tries(early, Accept_Language=each).get_json()["detail"] for each in ("en", "ja"))
    assert english == "It's 千恵's turn, not Ben {expected}'s."
    assert re.search("千恵.*Ben {expected}|Ben {expected}.*千恵", japanese)
    assert JAPANESE.search(japanese)


# --- faults, a busy database and a full disk ------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [ZeroDivisionError, BooksDoNotBalance])
def test_a_fault_shows_nothing_of_the_insides(
    scorekeeper: Scorekeeper, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: type[Exception]
) -> None:
    scorekeeper.opens()
    monkeypatch.setattr(SessionService, "entries", Mock(side_effect=fault("/srv/secret/place")))
    answer = scorekeeper.client.get(f"{scorekeeper.address}/ledger", headers=scorekeeper.headers())
    code = "internal_error" if fault is ZeroDivisionError else "books_do_not_balance"
    assert (answer.status_code, answer.get_json()["code"]) == (500, code)
    assert not re.search(f"secret|Traceback|{fault.__name__}|File", answer.text)
    assert "/srv/secret/place" in caplog.text


def test_of_a_request_that_fails_nothing_stays(scorekeeper: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    scorekeeper.opens()
    before = scorekeeper.looks("")
    with monkeypatch.context() as patch:
        patch.setattr("ledger.storage.store.insert_words", lambda *_: 1 // 0)
        assert scorekeeper.tries(ROUND).status_code == 500
    assert scorekeeper.looks("") == before
    assert scorekeeper.tries(ROUND).status_code == 201


def test_a_busy_database_asks_to_come_back(make_app: MakeApp, database: Path) -> None:
    scorekeeper = Scorekeeper(make_app(busy_seconds=0.05).test_client())
    scorekeeper.opens()
    opening, links = {"game": "shippin", "players": ["Aki", "Ben"]}, f"{scorekeeper.address}/links"
    with nobody_writes(database):
        for answer in (
            scorekeeper.tries(ROUND, Idempotency_Key="a"),
            scorekeeper.client.post("/v1/sessions", json=opening),
            scorekeeper.client.post(links, json={"role": "viewer"}, headers=scorekeeper.headers()),
        ):
            assert (answer.status_code, answer.get_json()["code"]) == (503, "store_busy")
            assert int(answer.headers["Retry-After"]) >= 1
        assert scorekeeper.looks("")["seq"] == 0
        assert scorekeeper.tries(ROUND, query="?dry_run=true").status_code == 200
    again = scorekeeper.tries(ROUND, Idempotency_Key="a")
    assert (again.status_code, again.headers.get("Idempotency-Replayed")) == (201, None)
    assert len(scorekeeper.looks("/links")["links"]) == 1


@pytest.mark.sqlite("the size of its file can be bounded")
def test_a_full_disk_loses_nothing(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(database=tmp_path / "small.db")
    scorekeeper = Scorekeeper(app.test_client())
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:10])
    note = event("chips_moved", from_="bank", to="p1", amount=1, note="x" * 500)
    before = [scorekeeper.looks(where) for where in ("", "/events", "/ledger", "/rounds/1")]
    engine = app.extensions["session_service"].store.engine
    with engine.transaction(lambda _query: False) as connection:
        connection.query("PRAGMA max_page_count = 1")  # that is, as many as there are
    full = scorekeeper.tries(*[note] * 100, Idempotency_Key="a")
    assert (full.status_code, full.get_json()["code"]) == (507, "store_full")
    assert [scorekeeper.looks(where) for where in ("", "/events", "/ledger", "/rounds/1")] == before
    with engine.transaction(lambda _query: False) as connection:
        connection.query("PRAGMA max_page_count = 1000000")
    assert scorekeeper.tries(*[note] * 100, Idempotency_Key="a").status_code == 201
