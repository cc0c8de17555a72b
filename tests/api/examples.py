"""The examples in `/openapi.json`: every call, and every event, as they were sent to a service and answered by it.

`played` plays them on a fresh service, whose clock stands and whose chance is always the same. What comes of it lies in
`ledger/api/examples.json`, so that describing the API needs no service; `test_examples` plays it again and compares.

    python -m tests.api.examples        writes the file anew
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from ledger.api.http.openapi import description
from ledger.app import create_app
from ledger.notation import parse
from ledger.services.sessions import SessionService
from schemas.loading import event_types
from tests.api.rounds import first_cards, second_cards
from tests.scorekeeper import Json, Scorekeeper, event

FILE = Path(__file__).parents[2] / "ledger" / "api" / "examples.json"
ROUNDS = Path(__file__).parents[1] / "rounds"
NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
MAX_ELEMENTS = 3
"""Longer lists are shortened in the examples of answers, so that somebody reads them."""

NEVER_ENDS = {"stream_events"}
"""What goes on for a minute; its example is written by hand."""

OPENING: Json = {
    "game": "shippin",
    "players": ["Aki", "Ben", {"name": "Chie"}],
    "rules": {"bet": 5},
    "name": "New year",
    "odds": True,
}
SHIPPIN = (
    event("round_opened"),
    event("bet_placed", player="p2", column=1),
    event("bet_placed", player="p3", column=4),
    second_cards("7", "3", "5", "10", dealer="9"),
    first_cards("2", "2", "2", "10", dealer="8"),
)
BALANCES = "name,balance\nAki,30\nBen,-10\nChie,-20\n"


@contextmanager
def service() -> Iterator[FlaskClient]:
    """Start a service whose clock stands, and to whom chance is always the same."""
    chance = Random(10)
    same: Json = {
        "token_hex": lambda count: chance.randbytes(count).hex(),
        "token_bytes": chance.randbytes,
        "token_urlsafe": lambda count: base64.urlsafe_b64encode(chance.randbytes(count)).rstrip(b"=").decode(),
    }
    with TemporaryDirectory() as folder:
        app = create_app({"LEDGER_DATABASE": f"{folder}/ledger.db"})  # migrations take as much chance as they need
        service = app.extensions["session_service"]
        app.extensions["session_service"] = SessionService(service.store, clock=lambda: NOW)
        with patch.multiple("secrets", **same):
            yield app.test_client()
        service.store.engine.close()


def played() -> Json:
    """Play every call and every event, and give what was sent and answered."""
    with service() as client:
        return {"calls": dict(sorted(calls(client).items())), "events": dict(sorted(events(client).items()))}


def events(client: FlaskClient) -> dict[str, Json]:
    """Play the rounds that were worked out by hand, until every event has been reported."""
    found: dict[str, Json] = {}
    evenings = [parse(path.read_text("utf-8")) for path in sorted(ROUNDS.glob("*.txt"))]
    forgets = (event("odds_switched", on=True), event("player_left", player="p3"), event("player_erased", player="p3"))
    for opening, said_there in (*((each.opening, each.events) for each in evenings), (OPENING, forgets)):
        if not {each["type"] for each in said_there} - found.keys():
            continue
        table = Scorekeeper(client)
        table.opens(**opening)
        for said in said_there:
            stored = table.reports(dict(said))["events"][0]
            found.setdefault(said["type"], {"sent": said, "stored": stored})
    assert found.keys() == event_types().keys(), event_types().keys() - found.keys()
    return found


def bodies(table: Scorekeeper) -> Mapping[str, Mapping[str, Any]]:
    """What can be sent to each call, by media type and name; JSON comes first, as `/docs` proposes it."""
    seed = parse((ROUNDS / "shirinma-seed-example.txt").read_text("utf-8"))
    opening = {name: value for name, value in seed.opening.items() if name != "game"}
    shown = table.looks("/export.json")
    return {
        "open_session": {"application/json": {"shippin": OPENING, "shirinma": seed.opening}},
        "record_events": {
            "application/json": {
                "a round begins": {"events": [SHIPPIN[0]]},
                "a whole round of Shippin": {"events": list(SHIPPIN)},
                "a buy-in": {"events": [event("chips_moved", from_="bank", to="p1", amount=100)]},
            }
        },
        "make_link": {"application/json": {"a link to look": {"role": "viewer", "label": "Chie's phone"}}},
        "recalculate_round": {"application/json": {"a higher bet": {"rules": {"bet": 10}}}},
        "show_statistics_together": {
            "application/json": {
                "one session": {
                    "tokens": [table.token],
                    "people": {"Aki": [{"session": table.session_id, "player": "p1"}]},
                }
            }
        },
        "calculate_round": {
            "application/json": {"a round of Shirinma": {**opening, "events": list(seed.events)}},
            "text/plain": {"a round of Shirinma": "\n".join(text_of_seed())},
        },
        "import_session": {
            "application/json": {"an export.json": {name: shown[name] for name in NEEDED}},
            "text/plain": {"a round of Shirinma": "\n".join(text_of_seed())},
            "text/csv": {"balances": BALANCES},
        },
    }


NEEDED = ("format", "version", "balances", "entries", "log")


def text_of_seed() -> list[str]:
    """The worked example in the notation, without what it is to come to."""
    text = (ROUNDS / "shirinma-seed-example.txt").read_text("utf-8").split("\n")
    return [re.sub(r"\s+;.*", "", line) for line in text if line and line[0] not in "=;"]


def calls(client: FlaskClient) -> dict[str, Json]:
    """Send every call that is described, and give what was sent and what was answered."""
    table = opened(client)
    assert table.tries(*SHIPPIN).status_code == 201
    spec, sent = description(), bodies(table)
    found: dict[str, Json] = {
        "stream_events": {"answer": {"text/event-stream": streamed(table)}},
        "metrics": {"answer": {"text/plain": COUNTED}},  # of what there really is, something is another each time
    }
    last = ("delete_session",)
    all_calls = [
        (path, method, told)
        for path, methods in spec["paths"].items()
        for method, told in methods.items()
        if method != "parameters" and told["operationId"] not in NEVER_ENDS
    ]
    for path, method, told in sorted(all_calls, key=lambda call: call[2]["operationId"] in last):
        name = told["operationId"]
        place = place_of(table, name)
        for sent_as, examples in sent.get(name, {None: {None: None}}).items():
            for body in examples.values():
                at = opened(client) if name == "record_events" else table
                place["session_id"] = at.session_id
                answer = ask(at, method, path.format_map(place), sent_as, body)
                assert answer.status_code < 300, (name, answer.text)
                kept = found.setdefault(name, {"sent": sent[name]} if name in sent else {})
                if answer.data and (answer.is_json or re.match("text/|image/svg", answer.mimetype or "")):
                    kept.setdefault("answer", {}).setdefault(answer.mimetype, told_in(answer))
    return found


def opened(client: FlaskClient) -> Scorekeeper:
    """A session as the example opens it, in which nothing has happened."""
    table = Scorekeeper(client)
    table.opens(**OPENING)
    return table


COUNTED = """# HELP fuda_ledger_events_total Events that were recorded.
# TYPE fuda_ledger_events_total counter
fuda_ledger_events_total{game="shirinma",type="card_dealt"} 41.0
"""


def place_of(table: Scorekeeper, name: str) -> Json:
    """What stands in the address of a call."""
    place = {"session_id": table.session_id, "number": 1, "seq": 5, "deck": "kabufuda"}
    place["game"] = "shirinma" if name == "calculate_round" else "shippin"
    if name == "revoke_link":
        answer = table.client.post(f"{table.address}/links", json={"role": "scorer"}, headers=table.headers())
        place["link_id"] = answer.get_json()["id"]
    return place


def ask(table: Scorekeeper, method: str, address: str, sent_as: str | None, body: Any) -> TestResponse:
    """Send a call with a body; the parameters are those that it has to have."""
    if sent_as == "text/csv":
        address += "?game=shippin"
    if address.endswith("/odds"):
        address += "?round=1"
    if method == "delete" and address == table.address:
        address += f"?confirm={table.session_id}"
    data = {} if body is None else {"json": body} if sent_as == "application/json" else {"data": body}
    return table.client.open(address, method=method, headers=table.headers(), content_type=sent_as, **data)


def streamed(table: Scorekeeper) -> str:
    """An event as the stream has it."""
    last = table.looks("/events")["events"][-1]
    return f"event: recorded\nid: {last['seq']}\ndata: {json.dumps(last, separators=(',', ':'))}\n\n"


def told_in(answer: TestResponse) -> Any:
    """What an answer says; of a longer list only the first elements."""
    if not answer.is_json:
        return answer.text
    told = answer.get_json()
    if told.get("format") == "fuda-ledger":  # an export, of which only what an import needs is described
        told = {name: told[name] for name in NEEDED}
    return {"games": [shortened(told["games"][0])]} if "games" in told else shortened(told)


def shortened(told: Any) -> Any:
    """The same with shorter lists."""
    if isinstance(told, dict):
        return {name: shortened(value) for name, value in told.items()}
    if isinstance(told, list):
        kept = told if len(told) <= MAX_ELEMENTS + 1 else told[:MAX_ELEMENTS]
        return [shortened(value) for value in kept]
    return told


def as_text(examples: Json) -> str:
    """The examples as they lie in the file."""
    return json.dumps(examples, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(as_text(played()), "utf-8")
