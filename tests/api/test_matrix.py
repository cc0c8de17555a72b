"""Every call by every kind of caller: who is let in, who is told that they may not, and who that it is not there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from unittest.mock import patch

import pytest
from flask import Flask
from flask.testing import FlaskClient

from ledger.exports import FORMATS
from tests.api.conftest import MakeApp
from tests.scorekeeper import Scorekeeper, event

OPEN, OPENING, READERS, SCORERS, OWNERS = "anybody", "whoever has the key", "viewers", "scorers", "owners"

CALLS: Mapping[str, str] = {
    **dict.fromkeys(("openapi", "swagger_ui.show", "health.livez", "health.readyz", "health.metrics"), OPEN),
    **dict.fromkeys(("pages.show_page", "pages.show_file", "pages.show_worker", "pages.show_manifest"), OPEN),
    **dict.fromkeys(
        ("limits.show_limits", "games.list_games", "games.show_game", "games.show_deck", "calculate.calculate_round"),
        OPEN,
    ),
    "reckonings.show_statistics_together": OPEN,  # the tokens are in its body
    "sessions.open_session": OPENING,
    "imports.import_session": OPENING,
    "sessions.show_session": READERS,
    "sessions.delete_session": OWNERS,
    "sessions.verify_session": OWNERS,
    "events.record_events": SCORERS,
    "events.list_events": READERS,
    "events.show_changes": READERS,
    "streams.stream_events": READERS,
    "rounds.list_rounds": READERS,
    "rounds.show_round": READERS,
    "rounds.recalculate_round": READERS,
    "rounds.replay_round": READERS,
    "rounds.list_entries": READERS,
    "rounds.show_odds": READERS,
    "reckonings.show_settlement": READERS,
    "reckonings.show_statistics": READERS,
    "reckonings.show_chart": READERS,
    **{f"exports.export_{form}": READERS for form in FORMATS},
    "links.make_link": OWNERS,
    "links.list_links": OWNERS,
    "links.show_my_link": READERS,
    "links.revoke_link": OWNERS,
}
"""Who may make each call."""

KEY = "open-sesame"
DENIED = {"not_admitted", "role_too_small", "not_there"}
LET_IN: Mapping[str, frozenset[str]] = {
    OPEN: frozenset({"nobody", "garbage", "revoked", "expired", "viewer", "scorer", "owner", "stranger", "key"}),
    OPENING: frozenset({"key"}),
    READERS: frozenset({"viewer", "scorer", "owner"}),
    SCORERS: frozenset({"scorer", "owner"}),
    OWNERS: frozenset({"owner"}),
}


@pytest.fixture(scope="module")
def app(make_app: MakeApp) -> Flask:
    return make_app(opening_key=KEY, rate_limit="off")


def calls(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Every call of the service: its endpoint, its method, and the pattern of its address."""
    for rule in app.url_map.iter_rules():
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            yield rule.endpoint, method, rule.rule


def test_every_call_says_who_may_make_it(app: Flask) -> None:
    """A new one without a line above fails here."""
    assert {endpoint for endpoint, _, _ in calls(app)} == CALLS.keys()


@pytest.fixture(scope="module")
def table(app: Flask) -> Scorekeeper:
    return opened(app)


def opened(app: Flask) -> Scorekeeper:
    scorekeeper = Scorekeeper(FlaskClient(app))
    asked = {"game": "shippin", "players": ["Aki", "Ben"]}
    answer = scorekeeper.client.post("/v1/sessions", json=asked, headers={"Authorization": f"Bearer {KEY}"})
    body = answer.get_json()
    scorekeeper.session_id, scorekeeper.token = body["session"]["id"], body["link"]["token"]
    scorekeeper.reports(event("round_opened"))
    return scorekeeper


@pytest.fixture(scope="module")
def callers(app: Flask, table: Scorekeeper) -> Mapping[str, str]:
    """A token of every kind of caller."""

    def makes(**link: object) -> dict[str, str]:
        told: dict[str, str] = table.client.post(
            f"{table.address}/links", json=link, headers=table.headers()
        ).get_json()
        return told

    revoked = makes(role="owner")
    table.client.delete(f"{table.address}/links/{revoked['id']}", headers=table.headers())
    with patch.object(app.extensions["session_service"].access, "clock", lambda: datetime(2020, 1, 1, tzinfo=UTC)):
        expired = makes(role="owner", expires_at="2020-01-02T00:00:00Z")
    return {
        "nobody": "",
        "garbage": f"{table.session_id}.nonsense",
        "revoked": revoked["token"],
        "expired": expired["token"],
        "viewer": makes(role="viewer")["token"],
        "scorer": makes(role="scorer")["token"],
        "owner": table.token,
        "stranger": opened(app).token,
        "key": KEY,
    }


@pytest.mark.parametrize("caller", sorted(LET_IN[OPEN]))
def test_a_call_lets_in_whom_it_should(app: Flask, table: Scorekeeper, callers: Mapping[str, str], caller: str) -> None:
    places = {"session_id": table.session_id, "number": "1", "seq": "1", "link_id": "none", "game": "shippin"}
    places |= {"deck": "kabufuda", "form": "csv", "path": "index.css", "unless_import:session_id": table.session_id}
    headers = {"Authorization": f"Bearer {callers[caller]}"} if callers[caller] else {}
    for endpoint, method, rule in calls(app):
        address = rule
        for place in [part.split(">")[0] for part in rule.split("<")[1:]]:
            address = address.replace(f"<{place}>", places.get(place, places.get(place.rpartition(":")[2], "?")))
        answer = table.client.open(address, method=method, headers=headers, json={} if method == "POST" else None)
        with answer:
            told = answer.get_json()["code"] if answer.status_code >= 400 else ""
            is_let_in = caller in LET_IN[CALLS[endpoint]]
            if endpoint == "links.revoke_link" and is_let_in:
                assert told == "not_there"  # there is no such link
                continue
            assert (told not in DENIED) == is_let_in, (endpoint, method, caller, answer.status_code, told)
            if not is_let_in:
                assert told == expected(caller, CALLS[endpoint]), (endpoint, method, caller)


def expected(caller: str, who: str) -> str:
    """What somebody who is not let in is told."""
    if who == OPENING or caller in {"nobody", "garbage", "revoked", "expired", "key"}:
        return "not_admitted"
    return "not_there" if caller == "stranger" else "role_too_small"
