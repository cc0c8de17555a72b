"""Whatever reads what comes from outside takes it or says what is wrong with it: JSON, notation, cards, files, CSV."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import strategies as st

from ledger.notation import NotationSyntaxError, format_lines, parse
from ledger.rulebook import cards
from tests.api.test_import import rechained
from tests.fuzz.conftest import Search, check_answer, check_log
from tests.fuzz.hostile import TEXTS, as_sent, changed, spoilt
from tests.scorekeeper import Json, Scorekeeper
from tests.service import ROOT

pytestmark = pytest.mark.endurance

TEXT_FILES = [path.read_bytes() for path in sorted((ROOT / "tests" / "rounds").glob("*.txt"))]
EXAMPLES: Json = json.loads((ROOT / "ledger" / "api" / "examples.json").read_bytes())
CALLS = {
    "open_session": "/v1/sessions",
    "record_events": "events",
    "make_link": "links",
    "show_statistics_together": "/v1/statistics",
    "recalculate_round": "rounds/1/recalculate",
    "calculate_round": "/v1/calculate/{game}",
}
CSV = [b"name,balance\nAki,-30\nBen,30\n", b'Aki,0\r\n"Chie, the elder",0\r\n', "千恵,1\nBen,-1\n".encode()]


@pytest.fixture
def table(app: Flask) -> Scorekeeper:
    """A table at which a round has been played."""
    scorekeeper = Scorekeeper(app.test_client())
    brought = app.test_client().post("/v1/sessions/import", data=TEXT_FILES[-1], content_type="text/plain").get_json()
    scorekeeper.session_id, scorekeeper.token = brought["session"]["id"], brought["link"]["token"]
    return scorekeeper


def sent_of(call: str) -> Sequence[Any]:
    """What the examples send in a call."""
    return list(EXAMPLES["calls"][call]["sent"]["application/json"].values())


def exported(client: FlaskClient, text: bytes) -> Json | None:
    """A round as an `export.json`."""
    brought = client.post("/v1/sessions/import", data=text, content_type="text/plain").get_json()
    if "session" not in brought:
        return None
    headers = {"Authorization": f"Bearer {brought['link']['token']}"}
    file: Json = client.get(f"/v1/sessions/{brought['session']['id']}/export.json", headers=headers).get_json()
    return file


@pytest.mark.parametrize("call", CALLS)
def test_any_body_is_taken_or_refused(search: Search, table: Scorekeeper, log: io.StringIO, call: str) -> None:
    address = CALLS[call].format(game="shippin")
    address = address if address.startswith("/") else f"{table.address}/{address}"
    events = [{"events": [event["sent"]]} for event in EXAMPLES["events"].values()]
    bodies = changed([*sent_of(call), *(events if call == "record_events" else ())])

    def check(body: bytes) -> None:
        answer = table.client.post(address, data=body, content_type="application/json", headers=table.headers())
        check_answer(answer)
        check_log(log)

    search(as_sent(bodies), check)


@pytest.mark.parametrize("where", ["import", "calculate"])
def test_any_text_is_taken_or_refused(search: Search, app: Flask, log: io.StringIO, where: str) -> None:
    client = app.test_client()
    address = {"import": "/v1/sessions/import", "calculate": "/v1/calculate/shirinma"}[where]

    def check(text: bytes) -> None:
        check_answer(client.post(address, data=text, content_type="text/plain"))
        check_log(log)

    search(spoilt(TEXT_FILES), check)


def test_what_is_read_of_a_text_can_be_written_and_reads_the_same(search: Search) -> None:
    def check(text: bytes) -> None:
        with suppress(NotationSyntaxError):
            score = parse(text.decode("utf-8", "surrogateescape"))
            with suppress(ValueError):  # an opening that no session has
                again = parse("".join(format_lines(score.opening, score.events)))
                assert again[:2] == score[:2]

    search(spoilt(TEXT_FILES), check)


def test_any_card_is_read_or_refused(search: Search) -> None:
    codes = [card.code for deck in cards.DECKS.values() for card in deck]
    pieces = st.sampled_from(
        ["A", "J", "10", "0", "1", "11", "q", "♥", "♡", "C", "s", "ſ", "K", "\ufe0e", "\ufe0f", "-", "\0"]
    )
    western = st.lists(pieces, min_size=2, max_size=4).map("".join)
    letters = western | st.text(
        st.sampled_from("AJQKajqk0123456789１２CSHD♣♠♥♦♧♤♡♢-\ufe0e\ufe0f \0\u200dſK"), max_size=6
    )

    def check(text: str) -> None:
        with suppress(cards.UnknownCard):
            card = cards.read(text)
            assert card.code in codes
            assert cards.read(card.code) == card

    search(
        letters | st.sampled_from(TEXTS) | spoilt([c.encode() for c in codes]).map(lambda b: b.decode("latin-1")), check
    )


def test_any_file_is_taken_or_refused(search: Search, app: Flask, log: io.StringIO) -> None:
    client = app.test_client()
    files = [file for text in TEXT_FILES if (file := exported(client, text))]
    assert len(files) > 5

    def check(sent: tuple[Any, bool, bytes | None]) -> None:
        file, is_chained, body = sent
        if body is None:
            with suppress(Exception):  # too odd to be chained
                file = rechained(file) if is_chained else file
            body = json.dumps(file).encode("utf-8", "surrogatepass")
        check_answer(client.post("/v1/sessions/import", data=body, content_type="application/json"))
        check_log(log)

    told = changed(files)
    within = st.builds(in_a_body, st.sampled_from(files), st.data())
    as_values = st.tuples(told | within, st.booleans(), st.none())
    as_bytes = st.tuples(st.none(), st.just(False), as_sent(told))  # noqa: FBT003
    search(as_values | as_bytes, check)


def in_a_body(file: Json, data: st.DataObject) -> Json:
    """A file in which something is changed in the body of an event or the opening, which is JSON within JSON."""
    file = json.loads(json.dumps(file))
    row = data.draw(st.sampled_from([file["log"]["opening"], *file["log"]["rows"]]))
    row["body"] = json.dumps(data.draw(changed([json.loads(row["body"])])))
    return file


@pytest.mark.parametrize("game", ["shippin", "shirinma", "poker"])
def test_any_list_of_balances_is_taken_or_refused(search: Search, app: Flask, log: io.StringIO, game: str) -> None:
    client = app.test_client()

    def check(text: bytes) -> None:
        check_answer(client.post(f"/v1/sessions/import?game={game}", data=text, content_type="text/csv"))
        check_log(log)

    search(spoilt(CSV), check)
