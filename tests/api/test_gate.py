"""Whatever comes in over HTTP goes through a marshmallow schema: no view reads a body or a query past it.

Every call that is described is sent as in its examples, with a body of every kind that it takes and with a parameter
that no call knows, and every other address of the application is asked for. Meanwhile it is watched who reads the
request, and what is given to `Schema.load`.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from types import FrameType
from typing import Any, ClassVar
from unittest.mock import patch

import pytest
from flask import Flask, Request, request
from flask.testing import FlaskClient
from marshmallow import Schema
from werkzeug.test import TestResponse

from schemas.records import event_types, schema_for
from tests.api.conftest import MakeApp
from tests.api.examples import calls, events, opened, place_of
from tests.scorekeeper import Json, Scorekeeper

DATA = ("args", "data", "files", "form", "get_data", "get_json", "json", "query_string", "stream", "values")
"""The attributes of a request that have its body or its query."""

GATE = {"ledger.api.parsing.read_query", "ledger.api.parsing._read", "ledger.api.parsing.whole_body"}
"""What reads a request for a schema."""

UNREAD = {
    "ledger.api.blueprint.following": "an address to go on from has the parameters that were there",
    "ledger.api.events.fingerprint": "the digest of a request",
    "ledger.api.once.fingerprint": "the digest of a request",
}
"""What handles a body or query without looking at what it says."""


class Watched(Request):
    """A request that notes who reads its body or query; `events` are the types that were read by their schemas."""

    seen: list[Watched]
    events: ClassVar[set[str]] = set()

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.readers = set[str]()
        self.loaded: list[tuple[type[Schema], Any]] = []
        self.seen.append(self)

    def __getattribute__(self, name: str) -> Any:
        if name in DATA:
            reader = reader_of(inspect.currentframe())
            if reader.startswith(("ledger.", "tests.")):
                self.readers.add(reader)
        return super().__getattribute__(name)


def reader_of(frame: FrameType | None) -> str:
    """The function that reads an attribute, as `module.function`."""
    caller = frame and frame.f_back
    return f"{caller.f_globals['__name__']}.{caller.f_code.co_name}" if caller else ""


class WatchedClient(FlaskClient):
    """A client that makes sure of every request it sends that what was read of it went through a schema."""

    def open(self, *args: Any, **named: Any) -> TestResponse:
        Watched.seen = []
        answer = super().open(*args, **named)
        for sent in Watched.seen:
            check(sent, named)
            if answer.status_code < HTTPStatus.BAD_REQUEST:
                check_events(sent)
        return answer


def check(sent: Watched, named: Json) -> None:
    what = f"{sent.method} {sent.full_path}"
    past = sent.readers - GATE - UNREAD.keys()
    assert not past, f"{what} is read past the schemas by {past}"
    if "ledger.api.parsing._read" in sent.readers:
        queries = [told for _, told in sent.loaded if isinstance(told, dict) and told.keys() <= sent.args.keys()]
        assert queries, f"the query of {what} was given to no schema"
    if "ledger.api.parsing.whole_body" in sent.readers:
        assert any(is_body(told, sent, named.get("json")) for _, told in sent.loaded), f"the body of {what} to none"


def check_events(sent: Watched) -> None:
    """Make sure that each event in a body was read by the schema of its type. An export has rows of the log instead."""
    for body in [told for _, told in sent.loaded if is_body(told, sent, None)]:
        for kind, members in events_in(body) if "format" not in body else ():
            assert (type(schema_for(event_types()[kind])), members) in sent.loaded, f"{kind} was read by no schema"
            Watched.events.add(kind)


def events_in(body: Any) -> Iterator[tuple[str, Json]]:
    """Every object with the `type` of an event, at any depth, and what it has besides."""
    if isinstance(body, dict) and (kind := body.get("type")) in event_types():
        yield str(kind), {name: value for name, value in body.items() if name != "type"}
    for inner in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        yield from events_in(inner)


def is_body(told: Any, sent: Watched, body: Any) -> bool:
    """Whether what a schema was given is the body: as it was sent, or as the JSON that stands for a text."""
    if sent.is_json:
        return bool(told == (json.loads(sent.get_data()) if body is None else body))
    return isinstance(told, dict) and {"players"} < told.keys()


@contextmanager
def watched(app: Flask) -> Iterator[FlaskClient]:
    """A client whose requests are watched."""
    load = Schema.load

    def note(schema: Schema, data: Any, **kwargs: Any) -> Any:
        if request:
            request.loaded.append((type(schema), data))  # type: ignore[attr-defined]
        return load(schema, data, **kwargs)

    with patch.object(app, "request_class", Watched), patch.object(Schema, "load", note):
        yield WatchedClient(app)


@pytest.fixture(scope="module")
def app(make_app: MakeApp) -> Flask:
    """A service of its own: what is watched is cached nowhere else."""
    return make_app(metrics="on")


TAKES_NOTHING = {"pages.show_page", "pages.show_file", "pages.show_worker", "pages.show_manifest"}
"""What looks at neither body nor query."""


def test_every_call_reads_bodies_and_queries_by_a_schema(app: Flask) -> None:
    asked = set[str]()
    app.before_request_funcs.setdefault(None, []).append(lambda: asked.add(str(request.endpoint)))
    with watched(app) as client:
        calls(client)
        table = opened(client)
        for rule in app.url_map.iter_rules():
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                for answer in asked_wrongly(table, rule.rule, method):
                    assert answer.status_code == 422 or rule.endpoint in TAKES_NOTHING, (rule, answer.text)
    assert asked == {rule.endpoint for rule in app.url_map.iter_rules()}


def asked_wrongly(table: Scorekeeper, rule: str, method: str) -> Iterator[TestResponse]:
    """Ask for something with a parameter that there is not, and with bodies that nothing takes."""
    place = place_of(table, "") | {"form": "csv", "link_id": "0", "path": "x", "file": "x"}
    address = re.sub(r"<(?:[^>]*:)?(\w+)>", lambda step: str(place[step[1]]), rule)
    yield table.client.open(f"{address}?surplus=1", method=method, headers=table.headers())
    bodies: tuple[Any, ...] = ({"surplus": 1}, [])
    for body in bodies if method == "POST" else ():
        yield table.client.open(address, method=method, headers=table.headers(), json=body)


def test_every_event_is_read_by_the_schema_of_its_type(app: Flask) -> None:
    with watched(app) as client:
        Watched.events.clear()
        events(client)
    assert Watched.events == event_types().keys()
