"""Links: who may do what, for how long, and that a token is seen only once."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.api.conftest import MakeApp
from tests.databases import bytes_of
from tests.scorekeeper import Json, Scorekeeper, event
from tests.storage.contract import in_threads


def makes(scorekeeper: Scorekeeper, **link: object) -> TestResponse:
    return scorekeeper.client.post(f"{scorekeeper.address}/links", json=link, headers=scorekeeper.headers())


def with_link(scorekeeper: Scorekeeper, **link: object) -> tuple[Scorekeeper, Json]:
    """Make a link and give somebody who uses it."""
    answer = makes(scorekeeper, **link)
    assert answer.status_code == 201, answer.text
    told: Json = answer.get_json()
    other = Scorekeeper(scorekeeper.client)
    other.session_id, other.token = scorekeeper.session_id, told["token"]
    return other, told


def status(scorekeeper: Scorekeeper, method: str, where: str, body: object = None) -> int:
    address = scorekeeper.address + where
    answer = scorekeeper.client.open(address, method=method, json=body, headers=scorekeeper.headers())
    return answer.status_code


def test_a_link_is_answered_as_asked(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    _, told = with_link(scorekeeper, role="scorer", label="千恵's phone", expires_at="2999-12-31T23:59:59+09:00")
    wanted = {"role": "scorer", "label": "千恵's phone", "expires_at": "2999-12-31T14:59:59Z"}
    assert told | wanted == told
    _, told = with_link(scorekeeper, role="viewer")
    assert (told["label"], told["expires_at"]) == (None, None)


@pytest.mark.parametrize("role", ["owner", "scorer", "viewer"])
def test_whoever_has_a_link_may_ask_which_it_is(scorekeeper: Scorekeeper, role: str) -> None:
    scorekeeper.opens()
    with_link(scorekeeper, role="viewer", label="somebody else's")
    mine, told = with_link(scorekeeper, role=role, label="千恵's phone", expires_at="2999-12-31T23:59:59Z")
    answer = mine.looks("/links/me")
    assert answer == {name: value for name, value in told.items() if name != "token"}
    assert set(answer) == {"id", "role", "label", "created_at", "expires_at"}


def test_only_a_link_that_is_alive_and_of_this_session_is_told(scorekeeper: Scorekeeper) -> None:
    other = scorekeeper.opens()["link"]["token"]
    scorekeeper.opens()
    mine, told = with_link(scorekeeper, role="scorer")
    assert status(scorekeeper, "DELETE", f"/links/{told['id']}") == 204
    assert status(mine, "GET", "/links/me") == 401
    assert status(scorekeeper, "DELETE", "/links/me") == 404
    mine.token = other
    assert status(mine, "GET", "/links/me") == 404


def test_events_tell_what_the_link_is_called_that_they_were_recorded_through(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin")
    phone, told = with_link(scorekeeper, role="scorer", label="the red phone")
    tries = [phone.tries(event("round_opened"), Idempotency_Key="one") for _ in range(2)]
    tries.append(phone.tries(event("bet_placed", player="p2", column=1), query="?dry_run=true"))
    tries.append(phone.tries(event("bet_placed", player="p2", column=1), Prefer="return=minimal"))
    for answer in tries:
        (stored,) = answer.get_json()["events"]
        assert (stored["recorded_by"], stored["recorded_by_label"]) == (told["id"], "the red phone")
    assert tries[1].headers["Idempotency-Replayed"] == "true"
    scorekeeper.reports(event("event_taken_back"))
    phone.reports(event("event_taken_back", seq=3), event("event_taken_back", seq=2))
    labels = [each["recorded_by_label"] for each in scorekeeper.looks("/events")["events"]]
    assert labels == ["the red phone", "the red phone", None, "the red phone", "the red phone"]
    by = [each.get("correction", {}).get("recorded_by_label") for each in scorekeeper.looks("/events")["events"]]
    assert by == [None, "the red phone", "the red phone", None, None]


def test_a_link_is_told_by_what_it_is_called_now(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens("shippin", players=["Great-Aunt Zenobia", "Ben"])
    phone, told = with_link(scorekeeper, role="owner", label="Great-Aunt Zenobia's phone")
    phone.reports(event("round_opened"))
    (erased,) = phone.reports(event("player_erased", player="p1"))["events"]
    assert erased["recorded_by_label"] == "p1's phone"
    assert phone.looks("/links/me")["label"] == "p1's phone"
    assert status(scorekeeper, "DELETE", f"/links/{told['id']}") == 204
    assert [each["recorded_by_label"] for each in scorekeeper.looks("/events")["events"]] == ["p1's phone"] * 2


def test_an_owner_may_do_everything(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    owner, _ = with_link(scorekeeper, role="owner")
    assert status(owner, "POST", "/events", {"events": [event("round_opened")]}) == 201
    assert status(owner, "POST", "/links", {"role": "owner"}) == 201
    assert status(owner, "GET", "/links") == 200


def test_a_scorer_records_and_reads_and_makes_no_links(scorekeeper: Scorekeeper) -> None:
    owner_link = scorekeeper.opens()["link"]["id"]
    scorer, told = with_link(scorekeeper, role="scorer")
    assert scorer.reports(event("round_opened"))["events"][0]["recorded_by"] == told["id"]
    assert status(scorer, "GET", "/ledger") == 200
    assert status(scorer, "POST", "/links", {"role": "viewer"}) == 403
    assert status(scorer, "GET", "/links") == 403
    assert status(scorer, "DELETE", f"/links/{owner_link}") == 403
    assert status(scorekeeper, "GET", "") == 200


def test_a_viewer_only_reads(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorekeeper.reports(event("round_opened"))
    viewer, _ = with_link(scorekeeper, role="viewer")
    for where in ("", "/events", "/rounds", "/rounds/1", "/ledger", "/export.json", "/export.csv"):
        assert status(viewer, "GET", where) == 200
    for query in ("", "?dry_run=true"):
        answer = viewer.tries(event("round_voided", reason="?"), query=query)
        assert (answer.status_code, answer.get_json()["code"]) == (403, "role_too_small")
    assert status(viewer, "POST", "/links", {"role": "viewer"}) == 403
    assert scorekeeper.looks("")["seq"] == 1


def test_who_may_not_write_learns_nothing_about_the_body(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    viewer, _ = with_link(scorekeeper, role="viewer")
    assert status(viewer, "POST", "/events", {"events": "?"}) == 403
    viewer.token = "?"
    assert status(viewer, "POST", "/events", {"events": "?"}) == 401


def test_each_link_is_revoked_alone(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    scorer, told = with_link(scorekeeper, role="scorer")
    viewer, _ = with_link(scorekeeper, role="viewer")
    assert status(scorekeeper, "DELETE", f"/links/{told['id']}") == 204
    answer = scorer.tries(event("round_opened"))
    assert (answer.status_code, answer.get_json()["code"]) == (401, "not_admitted")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert status(viewer, "GET", "") == status(scorekeeper, "GET", "") == 200
    assert status(scorekeeper, "DELETE", f"/links/{told['id']}") == 404
    assert [link["revoked_at"] is not None for link in scorekeeper.looks("/links")["links"]] == [False, True, False]


def test_a_link_that_was_revoked_at_another_application_is_dead_at_once(
    scorekeeper: Scorekeeper, make_app: MakeApp
) -> None:
    """Two applications on one database: also whoever the other has let in a moment ago is not believed any more."""
    scorekeeper.opens("shippin")
    phone, told = with_link(scorekeeper, role="scorer")
    phone.client = make_app().test_client()
    moved, key = event("chips_moved", from_="bank", to="p1", amount=1), "k" * 32
    assert phone.tries(moved, Idempotency_Key=key).status_code == 201
    assert status(scorekeeper, "DELETE", f"/links/{told['id']}") == 204
    before = scorekeeper.looks("")
    for query in ("", "?dry_run=true", "?dry_run=perhaps"):
        for headers in ({}, {"Idempotency_Key": key}, {"Idempotency_Key": "another" + key}, {"If_Match": '"99"'}):
            for report in (moved, event("round_opened", trump="of nothing")):
                assert phone.tries(report, query=query, **headers).status_code == 401
    assert status(phone, "GET", "") == 401
    assert scorekeeper.looks("") == before
    phone.token = scorekeeper.token
    assert phone.reports(moved)["session"]["seq"] == before["seq"] + 1


def test_the_last_link_of_an_owner_goes_only_if_that_is_said(
    scorekeeper: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = scorekeeper.opens()["link"]
    with_link(scorekeeper, role="scorer")
    soon = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=5)
    expired, _ = with_link(scorekeeper, role="owner", expires_at=soon.isoformat())
    monkeypatch.setattr(app.extensions["session_service"].access, "clock", lambda: soon)
    assert status(expired, "GET", "") == 401
    _, revoked = with_link(scorekeeper, role="owner")
    assert status(scorekeeper, "DELETE", f"/links/{revoked['id']}") == 204
    for query in ("", "?even_if_last=false"):
        address = f"{scorekeeper.address}/links/{link['id']}{query}"
        answer = scorekeeper.client.delete(address, headers=scorekeeper.headers())
        assert (answer.status_code, answer.get_json()["code"]) == (409, "last_owner_link")
        assert status(scorekeeper, "GET", "/links/me") == 200
    assert status(scorekeeper, "DELETE", f"/links/{link['id']}?even_if_last=2") == 422
    assert status(scorekeeper, "DELETE", f"/links/{link['id']}?even_if_last=true") == 204
    assert status(scorekeeper, "GET", "/links/me") == 401


def test_of_two_owners_who_revoke_each_others_links_at_once_one_stays(
    scorekeeper: Scorekeeper, make_app: MakeApp
) -> None:
    first = scorekeeper.opens()["link"]
    other, second = with_link(scorekeeper, role="owner")
    other.client = make_app().test_client()
    answered: list[int] = []
    in_threads(
        lambda: answered.append(status(scorekeeper, "DELETE", f"/links/{second['id']}")),
        lambda: answered.append(status(other, "DELETE", f"/links/{first['id']}")),
    )
    assert sorted(answered) in ([204, 401], [204, 409])
    assert sorted([status(scorekeeper, "GET", ""), status(other, "GET", "")]) == [200, 401]


def test_another_owner_is_enough_also_one_whose_link_will_expire(scorekeeper: Scorekeeper) -> None:
    link = scorekeeper.opens()["link"]
    other, told = with_link(scorekeeper, role="owner", expires_at="2999-01-01T00:00:00Z")
    assert status(scorekeeper, "DELETE", f"/links/{link['id']}") == 204
    assert status(other, "DELETE", f"/links/{told['id']}") == 409
    assert status(other, "DELETE", "/links/nobody") == 404
    _, scorer = with_link(other, role="scorer")
    assert status(other, "DELETE", f"/links/{scorer['id']}") == 204


def test_a_link_of_another_session_cannot_be_revoked(scorekeeper: Scorekeeper) -> None:
    mine = scorekeeper.opens()["link"]
    other = Scorekeeper(scorekeeper.client)
    other.opens()
    assert status(other, "DELETE", f"/links/{mine['id']}") == 404
    assert status(scorekeeper, "GET", "") == 200


def test_an_expired_link_is_dead(scorekeeper: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    scorekeeper.opens()
    tonight = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    guest, _ = with_link(scorekeeper, role="owner", expires_at=tonight.isoformat())
    for moment, answer in ((tonight - timedelta(seconds=1), 200), (tonight, 401)):
        monkeypatch.setattr(app.extensions["session_service"].access, "clock", lambda moment=moment: moment)
        assert status(guest, "GET", "") == answer
    assert status(scorekeeper, "GET", "") == 200


@pytest.mark.parametrize(
    ("link", "pointer"),
    [
        ({}, "/role"),
        ({"role": "king"}, "/role"),
        ({"role": None}, "/role"),
        ({"role": ["owner"]}, "/role"),
        ({"role": "viewer", "label": ""}, "/label"),
        ({"role": "viewer", "label": "x" * 101}, "/label"),
        ({"role": "viewer", "label": "a\0b"}, "/label"),
        ({"role": "viewer", "expires_at": "tomorrow"}, "/expires_at"),
        ({"role": "viewer", "expires_at": 5}, "/expires_at"),
        ({"role": "viewer", "expires_at": "2020-01-01T00:00:00Z"}, "/expires_at"),
        ({"role": "viewer", "expires_at": "2099-W01-1T00:00:00Z"}, "/expires_at"),
        ({"role": "viewer", "expires_at": "20990101T000000Z"}, "/expires_at"),
        ({"role": "viewer", "expires_at": "2030-01-01"}, "/expires_at"),
        ({"role": "viewer", "expires_at": "2030-01-01T00:00:00"}, "/expires_at"),
        ({"role": "viewer", "expires_at": "9999-12-31T23:59:59-23:59"}, "/expires_at"),
        ({"role": "viewer", "expires_at": "0001-01-01T00:00:00+14:00"}, "/expires_at"),
        ({"role": "viewer", "expires_at": "0500-01-01T00:00:00Z"}, "/expires_at"),
        ({"role": "viewer", "token": "mine"}, "/token"),
    ],
    ids=str,
)
def test_a_wrong_field_of_a_link_is_named(scorekeeper: Scorekeeper, link: Json, pointer: str) -> None:
    scorekeeper.opens()
    answer = makes(scorekeeper, **link)
    assert answer.status_code == 422, answer.text
    assert [error["pointer"] for error in answer.get_json()["errors"]] == [pointer]
    assert len(scorekeeper.looks("/links")["links"]) == 1


def test_no_answer_but_the_first_shows_a_token(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    _, told = with_link(scorekeeper, role="scorer")
    scorekeeper.reports(event("round_opened"))
    for where in ("/links", "", "/events", "/export.json", "/export.csv"):
        answer = scorekeeper.client.get(scorekeeper.address + where, headers=scorekeeper.headers())
        for token in (scorekeeper.token, told["token"]):
            assert token.partition(".")[2] not in answer.text
    assert all("token" not in link for link in scorekeeper.looks("/links")["links"])


def test_tokens_are_neither_stored_nor_logged(
    scorekeeper: Scorekeeper, database: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    scorekeeper.opens()
    other, told = with_link(scorekeeper, role="scorer", label="a label that is stored")
    other.reports(event("round_opened"))
    other.tries(event("round_opened"))
    assert status(scorekeeper, "DELETE", f"/links/{told['id']}") == 204
    assert status(other, "GET", "") == 401
    monkeypatch.setattr("ledger.services.sessions.SessionService.entries", lambda *_: 1 // 0)
    assert status(scorekeeper, "GET", "/ledger") == 500
    assert "ZeroDivisionError" in caplog.text
    kept = bytes_of(database)
    assert b"a label that is stored" in kept
    for token in (scorekeeper.token, told["token"]):
        secret = token.partition(".")[2]
        assert len(secret) >= 40
        assert secret.encode() not in kept
        assert secret not in caplog.text


def test_tokens_are_not_alike(scorekeeper: Scorekeeper) -> None:
    scorekeeper.opens()
    tokens = {makes(scorekeeper, role="viewer").get_json()["token"] for _ in range(20)}
    assert len({token.partition(".")[2][:8] for token in tokens}) == 20
