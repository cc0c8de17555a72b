"""Pages of other origins: those that are listed may ask, and no others."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

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
