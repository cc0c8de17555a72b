"""The stream: every stored event once, in order, as it is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest
from flask import Flask
from werkzeug.test import TestResponse
from werkzeug.wrappers import Response

from ledger.services import streams as live
from tests.api.conftest import MakeApp
from tests.scorekeeper import Json, Scorekeeper, event


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


def told(answer: Response) -> Iterator[Json]:
    """Read the events of a stream."""
    for block in blocks(answer):
        if not block.startswith(("retry:", ":")):
            fields = dict(line.split(": ", 1) for line in block.split("\n"))
            data = json.loads(fields["data"])
            assert (fields["id"], fields["event"]) == (str(data["seq"]), "recorded")
            yield data


def listens(table: Scorekeeper, query: str = "", **headers: str) -> TestResponse:
    """Open a stream; nothing of it has been read yet."""
    return table.client.get(f"{table.address}/stream{query}", headers=table.headers(**headers))


def seqs(answer: Response, most: int | None = None) -> list[int]:
    """Read so many events of a stream, or all until it ends, and give their numbers."""
    return [each["seq"] for each in islice(told(answer), most)]


@pytest.fixture(scope="module")
def app(make_app: MakeApp) -> Iterator[Flask]:
    """A service whose streams do not end by themselves while a test goes on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "STREAM_SECONDS", 3600.0)
        yield make_app(streams=3)


@pytest.fixture
def table(scorekeeper: Scorekeeper) -> Scorekeeper:
    scorekeeper.opens("shippin")
    return scorekeeper


def viewer_of(table: Scorekeeper, **more: str) -> tuple[Scorekeeper, str]:
    made = table.client.post(f"{table.address}/links", json={"role": "viewer", **more}, headers=table.headers())
    viewer = Scorekeeper(table.client)
    viewer.session_id, viewer.token = table.session_id, made.get_json()["token"]
    return viewer, made.get_json()["id"]


def test_every_event_is_told_once_as_it_is_recorded_by_whichever_process(table: Scorekeeper, make_app: MakeApp) -> None:
    other = Scorekeeper(make_app().test_client())
    other.session_id, other.token = table.session_id, table.token
    table.reports(gift(1), gift(2))
    with listens(table) as answer:
        events = told(answer)
        assert [next(events)["seq"], next(events)["seq"]] == [1, 2]
        for seq, keeper in enumerate((table, other, other, table), start=3):
            assert keeper.tries(gift(seq)).status_code == 201
            assert next(events)["amount"] == seq


def test_it_is_told_as_the_log_tells_it_before_and_after_a_correction(table: Scorekeeper) -> None:
    table.reports(gift(1))
    with listens(table) as early, listens(table) as late:
        events = told(early)
        assert next(events)["status"] == "standing"
        table.reports(event("event_taken_back"))
        assert next(events)["seq"] == 2
        assert list(islice(told(late), 2)) == table.looks("/events")["events"]
    assert early.content_type == "text/event-stream; charset=utf-8"
    assert early.headers["Cache-Control"] == "no-store"


def test_it_goes_on_after_the_event_that_was_told_last_first_of_all_by_the_header(table: Scorekeeper) -> None:
    table.reports(*map(gift, range(1, 6)))
    for query, headers, expected in (
        ("?after=2", {}, [3, 4, 5]),
        ("?after=1", {"Last_Event_ID": "3"}, [4, 5]),
        ("?after=1", {"Last_Event_ID": ""}, [2, 3, 4, 5]),
    ):
        with listens(table, query, **headers) as answer:
            assert seqs(answer, len(expected)) == expected


def test_a_long_log_is_told_to_its_end(table: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PAGE", 7)
    assert table.tries(*map(gift, range(1, 301))).status_code == 201
    with listens(table) as answer:
        assert seqs(answer, 300) == list(range(1, 301))


def test_it_ends_by_itself_and_says_when_to_come_back(table: Scorekeeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "STREAM_SECONDS", 0.1)
    monkeypatch.setattr(live, "HEARTBEAT_SECONDS", 0.01)
    with listens(table) as answer:
        assert {*blocks(answer)} == {"retry: 1000", ": still here"}


def test_it_ends_when_looking_fails_and_a_client_that_comes_back_is_told(
    table: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(app.extensions["session_service"].store, "last_seqs", lambda _ids: 1 / 0)
        with listens(table) as answer:
            assert seqs(answer) == []
    table.reports(gift(1))
    with listens(table) as answer:
        assert seqs(answer, 1) == [1]


def test_it_ends_when_its_link_is_revoked_or_expires_and_others_go_on(
    table: Scorekeeper, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = datetime.now(UTC) + timedelta(minutes=5)
    (revoked, link), (expired, _) = viewer_of(table), viewer_of(table, expires_at=soon.isoformat())
    table.reports(gift(1))
    with listens(table) as own, listens(revoked) as first, listens(expired) as second:
        events = told(own)
        assert next(events)["seq"] == 1
        assert table.client.delete(f"{table.address}/links/{link}", headers=table.headers()).status_code == 204
        assert seqs(first) in ([], [1])
        monkeypatch.setattr(app.extensions["session_service"].access, "clock", lambda: soon)
        assert seqs(second) in ([], [1])
        table.reports(gift(2))
        assert next(events)["seq"] == 2


def test_a_link_just_made_is_good_while_others_listen(table: Scorekeeper) -> None:
    table.reports(gift(1))
    with listens(table) as answer:
        assert seqs(answer, 1) == [1]
        for _ in range(20):
            with listens(viewer_of(table)[0]) as new:
                assert seqs(new, 1) == [1]


def test_all_end_when_the_service_stops(make_app: MakeApp) -> None:
    table = Scorekeeper((app := make_app()).test_client())
    table.opens("shippin")
    with listens(table) as answer:
        app.extensions["live"].end()
        assert seqs(answer) == []
    table.reports(gift(1))
    with listens(table) as answer:  # until the worker accepts no more, and its client goes on at another one
        assert (answer.status_code, seqs(answer)) == (200, [])


def test_no_more_are_open_at_a_time_than_is_set(table: Scorekeeper) -> None:
    with ExitStack() as opened:
        for _ in range(3):
            table.client.head(f"{table.address}/stream", headers=table.headers()).close()  # takes no place
            opened.enter_context(listens(table))
        refused = listens(table)
        assert (refused.status_code, refused.get_json()["code"]) == (503, "too_many_streams")
        assert int(refused.headers["Retry-After"]) > 0
    table.reports(gift(1))
    with listens(table) as answer:
        assert seqs(answer, 1) == [1]


def test_a_cursor_is_the_number_of_an_event_that_is_there(table: Scorekeeper) -> None:
    table.reports(gift(1))
    for beyond in listens(table, "?after=2"), listens(table, Last_Event_ID="2"):
        assert (beyond.get_json()["code"], beyond.get_json()["last"]) == ("no_such_event", 1)
    for said in ("x", "-1", "1.0", "٣", "9" * 17):
        assert "Last-Event-ID" in listens(table, Last_Event_ID=said).get_json()["detail"]
    assert listens(table, "?after=-1").status_code == 422
