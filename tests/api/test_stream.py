"""The stream: every stored event once, in order, as it is recorded."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import islice
from time import monotonic
from typing import NamedTuple

import pytest
from flask import Flask
from werkzeug.test import TestResponse
from werkzeug.wrappers import Response

from ledger import live
from tests.api.conftest import MakeApp
from tests.scorekeeper import Json, Scorekeeper, event


class Told(NamedTuple):
    """A block of a stream."""

    id: int
    event: str
    data: Json


def gift(amount: int) -> Json:
    return event("chips_moved", from_="p1", to="p2", amount=amount)


def blocks(answer: Response) -> Iterator[str]:
    """Read a stream block by block, as it comes."""
    text = ""
    for piece in answer.iter_encoded():
        text += piece.decode()
        *whole, text = text.split("\n\n")
        yield from whole
    assert not text


def told(answer: Response) -> Iterator[Told]:
    """Read the events of a stream."""
    for block in blocks(answer):
        if block.startswith(("retry:", ":")):
            continue
        fields = dict(line.split(": ", 1) for line in block.split("\n"))
        yield Told(int(fields["id"]), fields["event"], json.loads(fields["data"]))


def listens(table: Scorekeeper, query: str = "", **headers: str) -> TestResponse:
    """Open a stream; nothing of it has been read yet."""
    return table.client.get(f"{table.address}/stream{query}", headers=table.headers(**headers))


def seqs(answer: Response, most: int | None = None) -> list[int]:
    """Read so many events of a stream, or all until it ends, and give their numbers."""
    return [each.id for each in islice(told(answer), most)]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "LOOK_SECONDS", 0.02)


@pytest.fixture(scope="module")
def app(make_app: MakeApp) -> Flask:
    """A service whose streams do not end by themselves while a test goes on."""
    return make_app(stream_seconds=3600, streams=3)


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    scorekeeper.opens("shippin")
    return scorekeeper


def test_every_event_is_told_once_in_order_as_it_is_recorded(table: Scorekeeper) -> None:
    table.reports(gift(1), gift(2))
    with listens(table) as answer:
        events = told(answer)
        assert [next(events).id, next(events).id] == [1, 2]
        table.reports(gift(3))
        assert next(events).data["amount"] == 3
        assert table.tries(gift(4), gift(5)).status_code == 201
        assert [next(events).id, next(events).id] == [4, 5]


def test_it_is_told_as_the_log_tells_it(table: Scorekeeper) -> None:
    table.reports(gift(1), event("event_taken_back"), event("round_opened"))
    with listens(table) as answer:
        events = list(islice(told(answer), 3))
    assert [each.data for each in events] == table.looks("/events")["events"]
    assert [each.id for each in events] == [each.data["seq"] for each in events]
    assert {each.event for each in events} == {"recorded"}
    assert answer.content_type == "text/event-stream; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"


def test_who_listened_before_a_correction_and_who_listens_after_it_are_told_as_it_stands(table: Scorekeeper) -> None:
    table.reports(gift(1))
    with listens(table) as early, listens(table) as late:
        before = told(early)
        assert next(before).data["status"] == "standing"
        table.reports(event("event_taken_back"))
        assert next(before).id == 2
        assert next(told(late)).data["status"] == "taken_back"


def test_it_goes_on_after_the_event_that_was_told_last(table: Scorekeeper) -> None:
    table.reports(*map(gift, range(1, 6)))
    with listens(table, "?after=2") as answer:
        assert seqs(answer, 3) == [3, 4, 5]
    with listens(table, Last_Event_ID="4") as answer:
        assert seqs(answer, 1) == [5]


def test_of_who_comes_back_the_header_knows_better_than_the_address(table: Scorekeeper) -> None:
    table.reports(*map(gift, range(1, 6)))
    with listens(table, "?after=1", Last_Event_ID="3") as answer:
        assert seqs(answer, 2) == [4, 5]
    with listens(table, "?after=1", Last_Event_ID="") as answer:
        assert seqs(answer, 1) == [2]


def test_a_long_log_is_told_to_its_end(table: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PAGE", 7)
    assert table.tries(*map(gift, range(1, 301))).status_code == 201
    with listens(table) as one, listens(table) as other:
        assert seqs(one, 300) == list(range(1, 301))
        assert seqs(other, 300) == list(range(1, 301))


def test_it_ends_by_itself_and_says_when_to_come_back(table: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    table.reports(gift(1))
    with listens(table) as answer:
        told = blocks(answer)
        assert next(told) == "retry: 1000"
        assert next(told).startswith("id: 1\n")
        in_two_hours = monotonic() + 7200
        monkeypatch.setattr(live, "monotonic", lambda: in_two_hours)
        assert list(told) == []


def test_who_comes_back_is_told_although_looking_has_failed(
    table: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(app.extensions["desk"].store, "last_seqs", lambda _ids: 1 / 0)
        with listens(table) as answer:
            assert [*told(answer)] == []
    table.reports(gift(1))
    with listens(table) as answer:
        assert seqs(answer, 1) == [1]


def test_a_comment_says_that_the_line_is_not_dead(table: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BEAT_SECONDS", 0)
    with listens(table) as answer:
        assert ": still here" in blocks(answer)


def test_it_ends_when_its_link_is_revoked(table: Scorekeeper) -> None:
    link = table.client.post(f"{table.address}/links", json={"role": "viewer"}, headers=table.headers()).get_json()
    viewer = Scorekeeper(table.client)
    viewer.session_id, viewer.token = table.session_id, link["token"]
    with listens(viewer) as answer:
        events = told(answer)
        table.reports(gift(1))
        assert next(events).id == 1
        assert table.client.delete(f"{table.address}/links/{link['id']}", headers=table.headers()).status_code == 204
        assert list(events) == []


def test_it_ends_when_its_link_expires(table: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    soon = datetime.now(UTC) + timedelta(minutes=5)
    body = {"role": "viewer", "expires_at": soon.isoformat()}
    link = table.client.post(f"{table.address}/links", json=body, headers=table.headers()).get_json()
    viewer = Scorekeeper(table.client)
    viewer.session_id, viewer.token = table.session_id, link["token"]
    with listens(viewer) as answer:
        monkeypatch.setattr(app.extensions["desk"].access, "clock", lambda: soon)
        assert list(told(answer)) == []


def test_it_ends_when_the_service_stops(table: Scorekeeper, make_app: MakeApp) -> None:
    app = make_app(stream_seconds=3600)
    other = Scorekeeper(app.test_client())
    other.session_id, other.token = table.session_id, table.token
    table.reports(gift(1))
    with listens(other) as answer:
        events = told(answer)
        assert next(events).id == 1
        app.extensions["live"].end()
        assert list(events) == []


def test_no_more_are_open_at_a_time_than_the_service_keeps(table: Scorekeeper) -> None:
    with ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(listens(table))
        refused = listens(table)
        assert refused.status_code == 503
        assert refused.get_json()["code"] == "too_many_streams"
        assert int(refused.headers["Retry-After"]) > 0
        assert table.reports(gift(1))["events"][0]["seq"] == 1
    with listens(table) as answer:
        assert seqs(answer, 1) == [1]


def test_a_stream_that_nobody_reads_takes_no_place(table: Scorekeeper) -> None:
    for _ in range(5):
        asked = table.client.head(f"{table.address}/stream", headers=table.headers())
        assert asked.status_code == 200
        assert asked.content_type == "text/event-stream; charset=utf-8"
        asked.close()


def test_what_other_processes_record_is_told(table: Scorekeeper, make_app: MakeApp) -> None:
    other = Scorekeeper(make_app().test_client())
    other.session_id, other.token = table.session_id, table.token
    with listens(table) as answer:
        events = told(answer)
        for amount in range(1, 4):
            other.reports(gift(amount))
            assert next(events).data["amount"] == amount


def test_who_has_seen_more_than_the_log_has_is_told_so(table: Scorekeeper) -> None:
    table.reports(gift(1))
    for beyond in listens(table, "?after=2"), listens(table, Last_Event_ID="2"):
        assert beyond.status_code == 409
        assert (beyond.get_json()["code"], beyond.get_json()["last"]) == ("no_such_event", 1)


def test_a_link_just_made_is_good_while_others_listen(table: Scorekeeper) -> None:
    table.reports(gift(1))
    with listens(table) as answer:
        others = told(answer)
        assert next(others).id == 1
        for _ in range(20):
            link = table.client.post(f"{table.address}/links", json={"role": "viewer"}, headers=table.headers())
            viewer = Scorekeeper(table.client)
            viewer.session_id, viewer.token = table.session_id, link.get_json()["token"]
            with listens(viewer) as new:
                assert seqs(new, 1) == [1]


@pytest.mark.parametrize("said", ["x", "-1", "1.0", "٣", "9" * 17])
def test_what_was_told_last_is_the_number_of_an_event(table: Scorekeeper, said: str) -> None:
    problem = listens(table, Last_Event_ID=said)
    assert problem.status_code == 400
    assert "Last-Event-ID" in problem.get_json()["detail"]


def test_strangers_are_told_nothing(table: Scorekeeper) -> None:
    other = Scorekeeper(table.client)
    other.opens("kakkuri")
    assert table.client.get(f"{table.address}/stream").status_code == 401
    assert table.client.get(f"{table.address}/stream", headers=other.headers()).status_code == 404
    assert listens(table, "?after=-1").status_code == 422


def test_a_place_is_free_as_soon_as_its_connection_is_closed(make_app: MakeApp) -> None:
    table = Scorekeeper(make_app(streams=1).test_client())
    table.opens()
    phone, connection = socket.socketpair()
    with connection:
        with phone, listening(table, connection) as first:
            assert first.status_code == 200
            assert listens(table).get_json()["code"] == "too_many_streams"
            phone.close()
            with listens(table) as second:
                assert second.status_code == 200
                assert listens(table).status_code == 503
        with listens(table) as third:  # the first has given its place up once, not twice
            assert third.status_code == 200
            assert listens(table).status_code == 503


def listening(table: Scorekeeper, connection: socket.socket) -> TestResponse:
    """Open a stream on a connection that can be closed."""
    over = {"gunicorn.socket": connection}
    return table.client.get(f"{table.address}/stream", headers=table.headers(), environ_overrides=over)
