"""Cross-origin requests: pages of listed origins may send them, and no others."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from ledger.config import BadSetting, Config
from tests.api.conftest import MakeApp
from tests.scorekeeper import Scorekeeper

PAGE, OTHER = "https://cards.example", "https://evil.example"
SENT = "accept-language, authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, prefer"
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": f"{SENT}, x-request-id, cookie"}


@pytest.fixture(scope="module")
def client(make_app: MakeApp) -> FlaskClient:
    return make_app(origins=f"{PAGE}, http://[::1]:5173").test_client()


@pytest.mark.parametrize("origin", [PAGE, "http://[::1]:5173"])
def test_a_listed_page_may_send_what_it_needs_and_read_every_answer(client: FlaskClient, origin: str) -> None:
    answer = client.options("/v1/sessions", headers={"Origin": origin, **PREFLIGHT})
    assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (200, origin)
    assert {"GET", "HEAD", "POST", "DELETE"} <= set(answer.headers["Access-Control-Allow-Methods"].split(", "))
    assert answer.headers["Access-Control-Allow-Headers"] == f"{SENT}, x-request-id"
    assert int(answer.headers["Access-Control-Max-Age"]) > 0
    (table := Scorekeeper(client)).opens("shippin")
    for where, status in (("", 200), ("/events", 200), ("/stream", 200), ("/export.csv", 200), ("/rounds/9", 404)):
        answer = client.head(table.address + where, headers=table.headers(Origin=origin))
        assert (answer.status_code, answer.headers["Access-Control-Allow-Origin"]) == (status, origin)
        exposed = set(answer.headers["Access-Control-Expose-Headers"].split(", "))
        assert {"ETag", "Location", "Link", "Idempotency-Replayed", "Retry-After", "X-Request-ID"} <= exposed
        assert "Access-Control-Allow-Credentials" not in answer.headers
    stranger = client.get(table.address, headers={"Origin": origin})
    assert (stranger.status_code, stranger.headers["Access-Control-Allow-Origin"]) == (401, origin)


@pytest.mark.parametrize("origin", [OTHER, f"{PAGE}.evil.example", "http://cards.example", "http://:5173", "null", ""])
@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_a_page_that_is_not_listed_is_not_let_in(client: FlaskClient, origin: str, method: str) -> None:
    answer = client.open("/v1/games/shippin", method=method, headers={"Origin": origin, **PREFLIGHT})
    assert answer.status_code == 200
    assert not [name for name, _ in answer.headers if name.startswith("Access-Control-")]


@pytest.mark.parametrize("headers", [{}, {"Origin": PAGE}, {"Origin": OTHER}])
def test_a_cache_is_told_that_it_depends_on_who_asks(
    make_app: MakeApp, client: FlaskClient, headers: dict[str, str]
) -> None:
    for where in ("/v1/games/shippin", "/nowhere", "/livez"):
        assert "Origin" in client.get(where, headers=headers).headers["Vary"]
    unlisted = make_app().test_client().get("/livez", headers=headers)
    assert not [name for name, _ in unlisted.headers if name.startswith("Access-Control-") or name == "Vary"]


@pytest.mark.parametrize("listed", ["*", "cards.example", f"{PAGE}/", "https://Cards.example", "null"])
def test_what_is_no_origin_is_refused_at_the_start(listed: str) -> None:
    assert Config.read({"LEDGER_ORIGINS": f"{PAGE},http://[::1]:80 , "})
    with pytest.raises(BadSetting, match="LEDGER_ORIGINS"):
        Config.read({"LEDGER_ORIGINS": listed})


FORWARDED = {"Origin": "https://club.example", "Host": "127.0.0.1:8000", "X-Forwarded-Host": "club.example:443"}
WRITERS: list[tuple[int, dict[str, str]]] = [
    *((403, {"Origin": origin}) for origin in (OTHER, "null", "", "http://cards.example", "https://[::1", "https://")),
    *((201, {"Origin": origin}) for origin in (PAGE, "http://localhost", "https://localhost:443")),
    (201, {}),
    (201, {"Origin": "http://[::1]:8000", "Host": "[::1]:8000"}),
    (201, {"Origin": "https://Cards.Home", "Host": "cards.home:443"}),
    (403, {"Origin": "http://cards.home", "Host": "cards.home:443"}),
    (403, {"Origin": "https://cards.home:8443", "Host": "cards.home"}),
    (201, FORWARDED),
    (201, {"Origin": "null", "Sec-Fetch-Site": "same-origin"}),
    (201, {"Origin": PAGE, "Sec-Fetch-Site": "cross-site"}),
    *((403, {"Origin": "http://localhost", "Sec-Fetch-Site": site}) for site in ("cross-site", "same-site")),
    (403, {"Sec-Fetch-Site": "cross-site"}),
]


@pytest.mark.parametrize(("status", "headers"), WRITERS)
def test_only_the_own_page_a_listed_one_and_a_program_may_write(
    client: FlaskClient, status: int, headers: dict[str, str]
) -> None:
    opened = client.application.extensions["session_service"].store.session_ids
    before, score = len(opened()), "game shippin\nplayers Aki Ben"
    answer = client.post("/v1/sessions/import", data=score, headers={"Content-Type": "text/plain", **headers})
    assert (answer.status_code, len(opened()) - before) == (status, 1 if status == 201 else 0)
    assert status == 201 or answer.get_json()["code"] == "origin_not_allowed"
    assert client.get("/v1/games", headers=headers).status_code == 200, "reading is allowed to all"
