"""Two applications on one PostgreSQL: a link that one of them knows is as the other has left it, whatever is asked."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask

from ledger.app import create_app
from ledger.desk import Desk
from ledger.store.postgresql.store import PostgreSQLStore
from tests.postgres import Server
from tests.scorekeeper import Json, Scorekeeper, event

KEY = "k" * 32
BUYS_IN = event("chips_moved", **{"from": "bank", "to": "p1", "amount": 1})
TOO_MUCH = event("round_opened", trump="of nothing")


@pytest.fixture
def apps(postgres: Server) -> Iterator[list[Flask]]:
    name = f"known_{secrets.token_hex(6)}"
    made = [create_app({"LEDGER_DATABASE": postgres.schema(name)}) for _ in range(2)]
    yield made
    for each in made:
        desk_of(each).store.close()
    postgres.drop(name)


@pytest.fixture
def owner(apps: list[Flask]) -> Scorekeeper:
    """Somebody who opened a session at one application."""
    made = Scorekeeper(apps[0].test_client())
    made.opens("shippin")
    return made


def desk_of(app: Flask) -> Desk:
    found: Desk = app.extensions["desk"]
    return found


def helper(app: Flask, owner: Scorekeeper, **link: object) -> tuple[Scorekeeper, Json]:
    """Give somebody who uses a link of the owner's at an application, which knows it by now."""
    told = owner.client.post(f"{owner.address}/links", json={"role": "scorer", **link}, headers=owner.headers())
    assert told.status_code == 201, told.text
    made = Scorekeeper(app.test_client())
    made.session_id, made.token = owner.session_id, told.get_json()["token"]
    made.looks("")
    return made, told.get_json()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every link that is looked for in a database."""
    looked: list[bytes] = []
    link_with = PostgreSQLStore.link_with

    def noted(self: PostgreSQLStore, session_id: str, token_hash: bytes) -> object:
        looked.append(token_hash)
        return link_with(self, session_id, token_hash)

    monkeypatch.setattr(PostgreSQLStore, "link_with", noted)
    return looked


def test_who_records_by_a_known_link_has_it_looked_for_by_the_statement_that_records(
    apps: list[Flask], owner: Scorekeeper, looks: list[bytes]
) -> None:
    scorer, _ = helper(apps[1], owner)
    looks.clear()
    for seq in range(1, 4):
        assert scorer.reports(BUYS_IN)["session"]["seq"] == seq
    assert scorer.tries(BUYS_IN, Idempotency_Key=KEY).status_code == 201
    assert looks == []


@pytest.mark.parametrize(
    ("status", "how"),
    [
        (200, {"query": "?dry_run=true"}),
        (201, {"Idempotency_Key": KEY}),
        (412, {"If_Match": '"99"'}),
        (422, {"query": "?dry_run=perhaps"}),
    ],
    ids=["tried", "done before", "stale", "not understood"],
)
def test_what_is_not_recorded_is_told_once_the_link_was_looked_for(
    apps: list[Flask], owner: Scorekeeper, looks: list[bytes], status: int, how: dict[str, str]
) -> None:
    scorer, _ = helper(apps[1], owner)
    assert scorer.tries(BUYS_IN, Idempotency_Key=KEY).status_code == 201
    looks.clear()
    assert scorer.tries(BUYS_IN, **how).status_code == status
    assert len(looks) == 1


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"query": "?dry_run=true"},
        {"Idempotency_Key": KEY},
        {"Idempotency_Key": "another" + KEY},
        {"If_Match": '"99"'},
        {"query": "?dry_run=perhaps"},
    ],
    ids=["an event", "tried", "done before", "with a key", "stale", "not understood"],
)
def test_a_link_that_was_revoked_elsewhere_is_dead_at_once(
    apps: list[Flask], owner: Scorekeeper, how: dict[str, str]
) -> None:
    scorer, link = helper(apps[1], owner)
    assert scorer.tries(BUYS_IN, Idempotency_Key=KEY).status_code == 201
    address = f"{owner.address}/links/{link['id']}"
    assert owner.client.delete(address, headers=owner.headers()).status_code == 204
    before = owner.looks("")
    for _ in range(2):
        assert scorer.tries(BUYS_IN, **how).status_code == 401
        assert scorer.tries(TOO_MUCH, **how).status_code == 401
    assert owner.looks("") == before
    other = Scorekeeper(apps[1].test_client())
    other.session_id, other.token = owner.session_id, owner.token
    assert other.reports(BUYS_IN)["session"]["seq"] == before["seq"] + 1


def test_of_a_session_that_was_deleted_elsewhere_no_link_is_known(apps: list[Flask], owner: Scorekeeper) -> None:
    scorer, _ = helper(apps[1], owner)
    scorer.reports(BUYS_IN)
    assert (
        owner.client.delete(f"{owner.address}?confirm={owner.session_id}", headers=owner.headers()).status_code == 204
    )
    assert scorer.tries(BUYS_IN).status_code == 401


def test_a_name_that_was_erased_elsewhere_is_not_told_with_the_next_report(
    apps: list[Flask], owner: Scorekeeper
) -> None:
    scorer, _ = helper(apps[1], owner, label="Player 3's phone")
    assert "Player 3's phone" in scorer.tries(BUYS_IN).text
    owner.reports(event("player_erased", player="p3"))
    answer = scorer.tries(BUYS_IN)
    assert answer.status_code == 201, answer.text
    assert "Player 3" not in answer.text
    assert owner.looks("")["seq"] == answer.get_json()["session"]["seq"] == 3


def test_a_known_link_ends_when_it_was_to_end(
    apps: list[Flask], owner: Scorekeeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = datetime.now(UTC)
    scorer, _ = helper(apps[1], owner, expires_at=(now + timedelta(hours=1)).isoformat())
    scorer.reports(BUYS_IN)
    monkeypatch.setattr(desk_of(apps[1]).access, "clock", lambda: now + timedelta(hours=1))
    before = owner.looks("")
    assert scorer.tries(BUYS_IN).status_code == 401
    assert owner.looks("") == before


def test_a_known_link_of_another_role_or_session_records_nothing(apps: list[Flask], owner: Scorekeeper) -> None:
    viewer, _ = helper(apps[1], owner, role="viewer")
    assert viewer.tries(BUYS_IN).status_code == 403
    stranger = Scorekeeper(apps[1].test_client())
    stranger.opens("kakkuri")
    stranger.looks("")
    stranger.session_id = owner.session_id
    assert stranger.tries(BUYS_IN).status_code == 404
    assert owner.looks("")["seq"] == 0
