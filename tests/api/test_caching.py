"""What may be kept of answers, and how it is asked whether they still hold; what goes with GET: HEAD and OPTIONS."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.conftest import MakeApp
from tests.api.rounds import recorded, shirinma_round
from tests.api.test_queries import every_call
from tests.scorekeeper import Json, Scorekeeper, event

LISTS = ("events", "rounds", "ledger", "links")
OPEN = ("/v1/games", "/v1/games/shippin", "/v1/decks/kabufuda", "/openapi.json")


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    scorekeeper.opens()
    recorded(scorekeeper, *shirinma_round()[:5])
    return scorekeeper


def asks(table: Scorekeeper, where: str, **headers: str) -> TestResponse:
    address = where if where.startswith("/") else f"{table.address}/{where}"
    return table.client.get(address, headers=table.headers(**headers))


# --- does it still hold? ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [*LISTS, "events?after=2&limit=1", "ledger?account=p1", *OPEN])
def test_what_has_not_changed_is_not_sent_again(table: Scorekeeper, where: str) -> None:
    first = asks(table, where)
    tag = first.headers["ETag"]
    assert (first.status_code, tag[0], tag[-1]) == (200, '"', '"')
    for known in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = asks(table, where, If_None_Match=known)
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
        assert again.headers["Cache-Control"] == first.headers["Cache-Control"]
        assert again.headers["Vary"] == "Accept-Encoding" == first.headers.get("Vary", "Accept-Encoding")
        assert "Content-Type" not in again.headers
    assert asks(table, where, If_None_Match='"other"').data == first.data


@pytest.mark.parametrize("where", ["events", "rounds", "ledger"])
def test_whatever_is_recorded_changes_the_lists(table: Scorekeeper, where: str) -> None:
    """A correction changes what was told of older events, a person forgotten what they and links are called."""
    link = {"role": "scorer", "label": "Player 2"}
    table.client.post(f"{table.address}/links", json=link, headers=table.headers())
    for reported in (
        event("chips_moved", from_="bank", to="p1", amount=5, note="Player 2"),
        event("event_taken_back", seq=6),
        event("player_renamed", player="p2", name="Ben"),
        event("player_erased", player="p2"),
    ):
        before = asks(table, where)
        table.reports(reported)
        after = asks(table, where, If_None_Match=before.headers["ETag"])
        assert (after.status_code, after.headers["ETag"] == before.headers["ETag"]) == (200, False)


def test_a_link_that_is_made_revoked_or_called_otherwise_changes_the_links(table: Scorekeeper) -> None:
    def tag() -> str:
        return asks(table, "links").headers["ETag"]

    tags = [tag()]
    new = {"role": "viewer", "label": "Player 3's phone"}
    made: Json = table.client.post(f"{table.address}/links", json=new, headers=table.headers()).get_json()
    tags.append(tag())
    table.client.delete(f"{table.address}/links/{made['id']}", headers=table.headers())
    tags.append(tag())
    table.reports(event("player_erased", player="p3"))
    tags.append(tag())
    table.reports(event("chips_moved", from_="bank", to="p1", amount=5))
    assert tag() == tags[-1]
    assert len(set(tags)) == 4


def test_what_is_wrong_with_a_parameter_is_said_whatever_is_known(table: Scorekeeper) -> None:
    assert asks(table, "events?limit=0", If_None_Match="*").status_code == 422
    assert asks(table, "events?page=1", If_None_Match="*").status_code == 422


def test_a_stranger_is_not_told_whether_anything_changed(table: Scorekeeper) -> None:
    tag = asks(table, "events").headers["ETag"]
    assert table.client.get(f"{table.address}/events", headers={"If-None-Match": tag}).status_code == 401


def test_a_304_says_what_the_whole_answer_depends_on(scorekeeper: Scorekeeper, client: FlaskClient) -> None:
    scorekeeper.opens("shippin", players=["A", "B"])
    addresses = [f"{scorekeeper.address}{where}" for where in ("", "/events", "/rounds", "/ledger", "/links")]
    scorekeeper.reports(event("round_opened"))
    for address in [*addresses, f"{scorekeeper.address}/events?after=1", "/v1/games", "/openapi.json", "/docs"]:
        whole = client.get(address, headers=scorekeeper.headers())
        again = client.get(address, headers=scorekeeper.headers(If_None_Match=whole.headers["ETag"]))
        assert (again.status_code, again.headers["ETag"]) == (304, whole.headers["ETag"]), address
        assert again.headers.get("Vary") == whole.headers.get("Vary"), address
        assert "Content-Type" not in again.headers


@pytest.mark.parametrize("known", ['"{seq}"', 'W/"{seq}"', '"1", W/"{seq}"', 'W/"1", "{seq}"', "*"])
def test_a_report_is_taken_whatever_a_proxy_made_of_the_tag(table: Scorekeeper, known: str) -> None:
    """nginx makes a weak tag of a strong one where it compresses. The tag is a seq, so that does not matter."""
    seq = table.looks("")["seq"]
    moved = event("chips_moved", from_="bank", to="p1", amount=5)
    taken = table.tries(moved, If_Match=known.format(seq=seq))
    assert (taken.status_code, taken.headers["ETag"]) == (201, f'"{seq + 1}"')
    if known != "*":
        stale = table.tries(moved, If_Match=known.format(seq=seq))
        assert (stale.status_code, stale.get_json()["seq"]) == (412, seq + 1)


# --- for how long, and by whom ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "control"),
    [
        *((where, "public, max-age=300") for where in OPEN),
        *((where, "private, no-cache") for where in (*LISTS, "settlement", "statistics", "chart.svg", "export.csv")),
        *((where, "no-store") for where in ("/livez", "/readyz", "/nowhere", "rounds/99")),
    ],
)
def test_it_is_said_who_may_keep_an_answer(table: Scorekeeper, where: str, control: str) -> None:
    assert asks(table, where).headers["Cache-Control"] == control


def test_nobody_keeps_an_answer_with_a_token_in_it(table: Scorekeeper) -> None:
    file = asks(table, "export.json").get_json()
    opening = {"game": "shippin", "players": ["Aki", "Ben"]}
    for where, body in (("/v1/sessions", opening), ("/v1/sessions/import", file), ("links", {"role": "viewer"})):
        address = where if where.startswith("/") else f"{table.address}/{where}"
        made = table.client.post(address, json=body, headers=table.headers())
        assert (made.status_code, "token" in made.text, made.headers["Cache-Control"]) == (201, True, "no-store")


# --- pages ------------------------------------------------------------------------------------------------------------


def test_the_next_page_is_linked_in_a_header_too(table: Scorekeeper) -> None:
    answer = asks(table, "events?limit=2")
    following = answer.get_json()["next"]
    assert answer.headers["Link"] == f'<{following}>; rel="next"'
    assert "Link" not in asks(table, "events").headers


# --- HEAD and OPTIONS -------------------------------------------------------------------------------------------------


def test_a_head_of_every_address_is_its_get_without_the_body(app: Flask, table: Scorekeeper) -> None:
    for method, address in every_call(app, table):
        if method == "GET" and address != "/metrics":  # which tells that it was asked
            got = table.client.get(address, headers=table.headers())
            head = table.client.head(address, headers=table.headers())
            assert (head.status_code, head.data) == (got.status_code, b""), address
            new = {"X-Request-ID": "", **({"Content-Length": ""} if address == "/metrics" else {})}  # each time
            told, said = ({**answer.headers, **new} for answer in (head, got))
            assert told == said, address
            got.close()
            head.close()


def methods_of(app: Flask) -> dict[str, set[str]]:
    """Which methods each address has, by its rule."""
    methods: dict[str, set[str]] = {}
    for rule in app.url_map.iter_rules():
        methods.setdefault(rule.rule, set()).update(rule.methods or set())
    return methods


def test_options_tell_the_truth_without_a_token(app: Flask, table: Scorekeeper) -> None:
    assert methods_of(app)["/v1/sessions/<session_id>/events"] == {"GET", "HEAD", "POST", "OPTIONS"}
    allowed = {}
    for method, address in every_call(app, table):
        answer = table.client.options(address)
        assert (answer.status_code, answer.data) == (200, b""), address
        allowed[address] = set(answer.headers["Allow"].split(", "))
        assert method in allowed[address], address
    for address, said in allowed.items():
        for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"):
            refused = table.client.open(address, method=method)  # without a token, so that nothing comes of it
            assert (refused.status_code == 405) == (method not in said), (method, address)
            if refused.status_code == 405:
                assert set(refused.headers["Allow"].split(", ")) == said
            refused.close()
    assert table.client.options("/v1/nowhere").status_code == 404


@pytest.mark.parametrize("behind", ["", "/"])
@pytest.mark.parametrize(
    ("address", "methods"),
    [
        ("/v1/sessions/import", {"POST", "OPTIONS"}),
        ("/v1/sessions", {"POST", "OPTIONS"}),
        ("/livez", {"GET", "HEAD", "OPTIONS"}),
        ("/docs", {"GET", "HEAD", "OPTIONS"}),
        ("/docs/swagger-ui.css", {"GET", "HEAD", "OPTIONS"}),
    ],
)
def test_every_address_knows_its_methods(app: Flask, address: str, methods: set[str], behind: str) -> None:
    client = FlaskClient(app)  # what is documented is found without a slash
    answer = client.options(address + behind)
    assert (answer.status_code, answer.data) == (200, b"")
    assert "Content-Type" not in answer.headers
    assert set(answer.headers["Allow"].split(", ")) == methods
    for method in {"GET", "POST", "DELETE"} - methods:
        refused = client.open(address + behind, method=method)
        assert (refused.status_code, set(refused.headers["Allow"].split(", "))) == (405, methods)


def test_the_page_to_read_the_description_by_is_kept_like_it(client: FlaskClient) -> None:
    page = client.get("/docs")
    assert (page.status_code, page.headers["Cache-Control"]) == (200, "public, max-age=300")
    assert client.get("/docs", headers={"If-None-Match": page.headers["ETag"]}).status_code == 304
    with client.get("/docs/swagger-ui.css") as file:
        assert file.headers["Cache-Control"] == "no-cache"
    for where in ("/docs?x=1", "/docs/swagger-ui.css?x=1"):
        assert client.get(where).get_json()["errors"][0]["parameter"] == "x"


def test_options_need_no_key_where_opening_does(make_app: MakeApp) -> None:
    client: FlaskClient = make_app(opening_key="secret").test_client()
    for address in ("/v1/sessions", "/v1/sessions/import"):
        assert client.post(address, json={}).status_code == 401
        answer = client.options(address)
        assert (answer.status_code, "POST" in answer.headers["Allow"]) == (200, True)


def test_a_head_of_the_stream_takes_no_place_away(make_app: MakeApp) -> None:
    scorekeeper = Scorekeeper(make_app(streams=1).test_client())
    scorekeeper.opens()
    for _ in range(3):
        with scorekeeper.client.head(f"{scorekeeper.address}/stream", headers=scorekeeper.headers()) as answer:
            assert (answer.status_code, answer.headers["Cache-Control"]) == (200, "no-store")
