"""Pages of other origins: those that are listed may ask, and no others."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.config import BadSetting, Config, Origins
from tests.api.conftest import MakeApp
from tests.scorekeeper import Scorekeeper, event

PAGE = "https://cards.example"
OTHER = "https://evil.example"
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, idempotency-key",
}


@pytest.fixture(scope="module")
def client(make_app: MakeApp) -> FlaskClient:
    return make_app(origins=f"{PAGE}, http://localhost:5173", opening_key="key").test_client()


@pytest.mark.parametrize("origin", [PAGE, "http://localhost:5173"])
def test_a_listed_page_may_send_what_it_needs(client: FlaskClient, origin: str) -> None:
    answer = client.options("/v1/sessions", headers={"Origin": origin, **PREFLIGHT})
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, origin)
    assert set(answer.headers["Access-Control-Allow-Methods"].split(", ")) == {"OPTIONS", "POST"}
    allowed = set(answer.headers["Access-Control-Allow-Headers"].split(", "))
    assert {"Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key"} <= allowed
    assert {"Prefer", "Last-Event-ID", "Accept-Language"} <= allowed
    assert int(answer.headers["Access-Control-Max-Age"]) > 0
    assert "Origin" in answer.headers["Vary"]


def test_a_page_is_told_before_it_asks_what_it_may(client: FlaskClient) -> None:
    for where in ("/docs", "/openapi.json", "/livez"):
        answer = client.options(where, headers={"Origin": PAGE, **PREFLIGHT})
        assert set(answer.headers["Access-Control-Allow-Methods"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_a_listed_page_may_read_every_answer(make_app: MakeApp) -> None:
    scorekeeper = Scorekeeper(make_app(origins=PAGE).test_client())
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    for where, status in (("", 200), ("/events", 200), ("/stream", 200), ("/export.csv", 200), ("/rounds/9", 404)):
        answer = scorekeeper.client.head(scorekeeper.address + where, headers=scorekeeper.headers(Origin=PAGE))
        assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (status, PAGE)
        exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
        assert {"ETag", "Location", "Link", "Idempotency-Replayed", "Retry-After"} <= exposed
        assert {"Preference-Applied", "Content-Disposition"} <= exposed
        assert "Access-Control-Allow-Credentials" not in answer.headers
    stranger = scorekeeper.client.get(scorekeeper.address, headers={"Origin": PAGE})
    assert (stranger.status_code, stranger.headers["Access-Control-Allow-Origin"]) == (401, PAGE)


@pytest.mark.parametrize("origin", [OTHER, "https://cards.example.evil.example", "http://cards.example", "null", ""])
@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_a_page_that_is_not_listed_is_not_let_in(client: FlaskClient, origin: str, method: str) -> None:
    answer = client.open("/v1/games/shippin", method=method, headers={"Origin": origin, **PREFLIGHT})
    assert answer.status_code == 200
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]


@pytest.mark.parametrize("headers", [{}, {"Origin": PAGE}, {"Origin": OTHER}])
def test_a_cache_is_told_that_it_depends_on_who_asks(client: FlaskClient, headers: dict[str, str]) -> None:
    for where in ("/v1/games/shippin", "/nowhere", "/livez"):
        assert "Origin" in client.get(where, headers=headers).headers["Vary"]
    assert client.get("/nowhere", headers=headers).headers["Vary"] == "Accept-Language, Origin"


def test_without_a_list_nobody_is_let_in_and_nothing_is_said(make_app: MakeApp) -> None:
    answer = make_app().test_client().get("/livez", headers={"Origin": PAGE})
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control-") or name == "Vary"]


@pytest.mark.parametrize(
    "listed", ["*", "cards.example", "https://cards.example/", "https://Cards.example", "null", f"{PAGE} {OTHER}"]
)
def test_what_is_no_origin_is_refused_at_the_start(listed: str) -> None:
    with pytest.raises(BadSetting, match="LEDGER_ORIGINS"):
        Config.read({"LEDGER_ORIGINS": listed})


def test_origins_are_read_with_or_without_spaces() -> None:
    assert Config.read({"LEDGER_ORIGINS": f"{PAGE},http://[::1]:80 , "}).origins == Origins(f"http://[::1]:80,{PAGE}")
    assert not Config.read({"LEDGER_ORIGINS": ""}).origins


SCORE = "game shippin\nplayers Aki Ben Chie\n"
"""An evening in the notation, which a page of any origin could send without a preflight."""


def imports(client: FlaskClient, **headers: str) -> TestResponse:
    sent = {"Content-Type": "text/plain", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return client.post("/v1/sessions/import", data=SCORE, headers=sent)


def session_ids(client: FlaskClient) -> Sequence[str]:
    found: Sequence[str] = client.application.extensions["desk"].store.session_ids()
    return found


@pytest.fixture(scope="module")
def open_to_all(make_app: MakeApp) -> FlaskClient:
    return make_app(origins=PAGE).test_client()


@pytest.mark.parametrize(
    "origin", [OTHER, "null", "", "http://cards.example", "https://[::1", "https://localhost:8000"]
)
@pytest.mark.parametrize("address", ["/v1/sessions/import", "/v1/calculate/shippin", "/v1/sessions", "/nowhere"])
def test_a_page_that_is_not_listed_writes_nothing(open_to_all: FlaskClient, origin: str, address: str) -> None:
    opened = session_ids(open_to_all)
    sent = {"Origin": origin, "Content-Type": "text/plain"}
    answer = open_to_all.post(address, data=SCORE, headers=sent)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "origin_not_allowed")
    assert session_ids(open_to_all) == opened


def test_nor_does_it_with_a_token_or_by_another_method(make_app: MakeApp) -> None:
    table = Scorekeeper(make_app(origins=PAGE).test_client())
    table.opens()
    asked = table.headers(Origin=OTHER)
    answer = table.client.post(f"{table.address}/events", json={"events": [event("round_opened")]}, headers=asked)
    assert answer.status_code == 403
    answer = table.client.delete(f"{table.address}?confirm={table.session_id}", headers=asked)
    assert answer.status_code == 403
    assert table.looks("")["seq"] == 0
    assert table.client.get(table.address, headers=asked).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": PAGE},
        {"Origin": "http://localhost"},
        {"Origin": "https://localhost"},
        {"Origin": "http://192.168.1.20:8000", "Host": "192.168.1.20:8000"},
        {"Origin": "http://[::1]:8000", "Host": "[::1]:8000"},
        {"Origin": "https://Cards.Home", "Host": "cards.home"},
        {"Origin": "https://club.example", "Host": "127.0.0.1:8000", "X-Forwarded-Host": "club.example"},
        {"Origin": "https://club.example", "Host": "127.0.0.1:8000", "Sec-Fetch-Site": "same-origin"},
        {"Origin": "https://cards.home", "Host": "cards.home:443"},
        {"Origin": "https://cards.home:443", "Host": "cards.home"},
        {"Origin": "http://cards.home", "Host": "cards.home:80"},
        {"Origin": "https://[::1]", "Host": "[::1]:443"},
        {"Origin": "https://club.example", "Host": "127.0.0.1:8000", "X-Forwarded-Host": "club.example:443"},
        {"Origin": "null", "Sec-Fetch-Site": "same-origin"},
        {"Origin": PAGE, "Sec-Fetch-Site": "cross-site"},
    ],
)
def test_the_own_page_a_listed_one_and_a_program_may_write(open_to_all: FlaskClient, headers: dict[str, str]) -> None:
    assert imports(open_to_all, **headers).status_code == 201


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://cards.home", "cards.home:443"),
        ("https://cards.home", "cards.home:80"),
        ("https://cards.home", "cards.home:8443"),
        ("https://cards.home:8443", "cards.home"),
        ("https://cards.home:8443", "cards.home:443"),
        ("https://cards.home:0", "cards.home"),
        ("https://cards.home:x", "cards.home:x"),
        ("https://", "cards.home"),
    ],
)
def test_another_port_is_another_origin(open_to_all: FlaskClient, origin: str, host: str) -> None:
    assert imports(open_to_all, Origin=origin, Host=host).status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_browser_that_says_where_it_comes_from_is_believed(open_to_all: FlaskClient, site: str) -> None:
    assert imports(open_to_all, Origin="http://localhost", Sec_Fetch_Site=site).status_code == 403
    assert imports(open_to_all, Sec_Fetch_Site=site).status_code == 403
