"""What is told when something fails: always a problem, with a code, in the reader's language, without our insides."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from ledger.books import BooksDoNotBalance
from ledger.desk import Desk
from tests.api.conftest import MakeApp
from tests.api.rounds import recorded, shirinma_round
from tests.databases import nobody_writes
from tests.scorekeeper import Scorekeeper, event


def is_japanese(text: str) -> bool:
    return any("\u3040" <= letter <= "\u30ff" for letter in text)


# --- addresses and methods ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["/page", "/page/x/y", "/v1", "/v1/", "/v2/sessions", "/v1/session", "/v1/sessions/x/y", "/livez/x"]
)
def test_an_unknown_address_is_a_problem(client: FlaskClient, address: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        answer = client.open(address, method=method)
        assert (answer.status_code, answer.get_json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "address", "allowed"),
    [
        ("GET", "/v1/sessions", "POST"),
        ("PUT", "/v1/sessions/x", "DELETE"),
        ("PATCH", "/v1/sessions/x", "GET"),
        ("PATCH", "/v1/sessions/x/events", "POST"),
        ("DELETE", "/v1/sessions/x/events", "POST"),
        ("PUT", "/v1/sessions/x/ledger", "GET"),
        ("POST", "/v1/sessions/x/rounds/1", "GET"),
        ("GET", "/v1/calculate/shirinma", "POST"),
        ("POST", "/v1/games", "GET"),
        ("POST", "/openapi.json", "GET"),
    ],
)
def test_a_method_that_an_address_does_not_take_names_those_it_does(
    client: FlaskClient, method: str, address: str, allowed: str
) -> None:
    answer = client.open(address, method=method)
    assert (answer.status_code, answer.get_json()["code"]) == (405, "method_not_allowed")
    assert allowed in answer.headers["Allow"]


def test_a_head_is_a_get_without_its_body(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    answer = scorekeeper.client.head(scorekeeper.address, headers=scorekeeper.headers())
    assert (answer.status_code, answer.headers["ETag"], answer.data) == (200, '"0"', b"")


# --- faults of our own ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "code"), [(ZeroDivisionError, "internal_error"), (BooksDoNotBalance, "books_do_not_balance")]
)
def test_a_fault_of_ours_shows_nothing_of_our_insides(
    scorekeeper: Scorekeeper,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: type[Exception],
    code: str,
) -> None:
    scorekeeper.opens()

    def fails(*_: object) -> None:
        raise fault("/srv/secret/place")

    monkeypatch.setattr(Desk, "entries", fails)
    answer = scorekeeper.client.get(f"{scorekeeper.address}/ledger", headers=scorekeeper.headers())
    assert (answer.status_code, answer.get_json()["code"]) == (500, code)
    for inside in ("secret", "Traceback", fault.__name__, "File"):
        assert inside not in answer.text
    assert "/srv/secret/place" in caplog.text


def test_of_a_request_that_we_fail_nothing_stays(scorekeeper: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    scorekeeper.opens()
    before = scorekeeper.looks("")
    with monkeypatch.context() as patch:
        patch.setattr("ledger.storage.store.insert_entries", lambda *_: 1 // 0)
        assert scorekeeper.tries(event("round_opened")).status_code == 500
    assert scorekeeper.looks("") == before
    assert scorekeeper.tries(event("round_opened")).status_code == 201


# --- busy and full --------------------------------------------------------------------------------------------------


def test_a_busy_database_asks_to_come_back(make_app: MakeApp, database: Path) -> None:
    scorekeeper = Scorekeeper(make_app(busy_seconds=0.05).test_client())
    scorekeeper.opens()
    links = f"{scorekeeper.address}/links"
    with nobody_writes(database):
        opening = {"game": "shippin", "players": ["Aki", "Ben"]}
        for answer in (
            scorekeeper.tries(event("round_opened"), Idempotency_Key="a"),
            scorekeeper.client.post("/v1/sessions", json=opening),
            scorekeeper.client.post(links, json={"role": "viewer"}, headers=scorekeeper.headers()),
        ):
            assert (answer.status_code, answer.get_json()["code"]) == (503, "store_busy")
            assert int(answer.headers["Retry-After"]) >= 1
        assert scorekeeper.looks("")["seq"] == 0
        assert scorekeeper.tries(event("round_opened"), query="?dry_run=true").status_code == 200
    again = scorekeeper.tries(event("round_opened"), Idempotency_Key="a")
    assert (again.status_code, again.headers.get("Idempotency-Replayed")) == (201, None)
    assert len(scorekeeper.looks("/links")["links"]) == 1


@pytest.mark.sqlite("the size of its file can be bounded")
def test_a_full_disk_loses_nothing(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(database=tmp_path / "small.db")
    scorekeeper = Scorekeeper(app.test_client())
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:10])
    before = [scorekeeper.looks(where) for where in ("", "/events", "/ledger", "/rounds/1")]
    engine = app.extensions["desk"].store.engine
    with engine.transaction(lambda _query: False) as connection:
        (pages,) = connection.query("PRAGMA page_count")[0].values()
        connection.query(f"PRAGMA max_page_count = {pages}")
    note = event("chips_moved", from_="bank", to="p1", amount=1, note="x" * 500)
    full = scorekeeper.tries(*[note] * 100, Idempotency_Key="a")
    assert (full.status_code, full.get_json()["code"]) == (507, "store_full")
    assert [scorekeeper.looks(where) for where in ("", "/events", "/ledger", "/rounds/1")] == before
    with engine.transaction(lambda _query: False) as connection:
        connection.query("PRAGMA max_page_count = 1000000")
    assert scorekeeper.tries(*[note] * 100, Idempotency_Key="a").status_code == 201


# --- languages ------------------------------------------------------------------------------------------------------


def refused_in(scorekeeper: Scorekeeper, language: str) -> tuple[str, str, str]:
    """How a deal out of turn is told: language, title and detail."""
    answer = scorekeeper.tries(event("card_dealt", player="p2", card="plain"), Accept_Language=language)
    problem = answer.get_json()
    assert (answer.status_code, problem["code"]) == (409, "out_of_turn")
    return answer.headers["Content-Language"], problem["title"], problem["detail"]


def test_a_refusal_is_told_in_the_readers_language(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens(players=["千恵", "Ben {expected}", *["x"] * 10])
    recorded(scorekeeper, *shirinma_round()[:2])
    language, title, detail = refused_in(scorekeeper, "en")
    assert (language, detail) == ("en", "It is the turn of 千恵, not of Ben {expected}.")
    assert not is_japanese(title)
    language, title, detail = refused_in(scorekeeper, "ja")
    assert language == "ja"
    assert is_japanese(title)
    assert is_japanese(detail.replace("千恵", ""))
    assert "千恵" in detail
    assert "Ben {expected}" in detail


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("ja-JP,ja;q=0.9,en;q=0.1", "ja"), ("en-GB, ja;q=0.5", "en"), ("fr", "en"), ("fr, ja;q=0.2", "ja"), ("", "en")],
)
def test_the_language_is_the_one_liked_best(scorekeeper: Scorekeeper, accepted: str, language: str) -> None:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:2])
    assert refused_in(scorekeeper, accepted)[0] == language


def test_failures_of_every_kind_have_a_japanese_title(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    japanese = {"Accept-Language": "ja"}
    own = {**scorekeeper.headers(), **japanese}
    events = f"{scorekeeper.address}/events"
    failures = [
        scorekeeper.client.post(events, data=b"{", headers=own, content_type="application/json"),
        scorekeeper.client.get(events, headers=japanese),
        scorekeeper.client.get("/v1/nothing", headers=japanese),
        scorekeeper.client.put(events, headers=japanese),
        scorekeeper.client.post(events, json={"events": [event("round_opened")]}, headers=own | {"If-Match": '"9"'}),
        scorekeeper.client.post(events, data=b"x" * 2_000_000, headers=own, content_type="application/json"),
        scorekeeper.client.post(events, data=b"{}", headers=own),
        scorekeeper.client.post(events, json={}, headers=own),
    ]
    assert [answer.status_code for answer in failures] == [400, 401, 404, 405, 412, 413, 415, 422]
    for answer in failures:
        assert is_japanese(answer.get_json()["title"]), answer.text
