"""The codec and HTTP refuse the same: every event of every game and the opening, right and wrong, is given to both."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marshmallow import ValidationError

from ledger import codec
from ledger.games import GAMES, newest
from ledger.hash_chain import SaltedText, salted
from ledger.play import Event, RuleBook, event_type
from ledger.sentences import Malformed
from ledger.session import EVENTS, Opening, RulesChanged
from schemas.events import load_event
from schemas.rules import checked
from schemas.sessions import OpeningSchema
from tests.codec.shapes import altered, kinds_of, openings, reports
from tests.scorekeeper import Json, event

OF_A_GAME = [(game, name) for game in GAMES for name in kinds_of(newest(game)) if name not in map(event_type, EVENTS)]
OF_ALL = [("shippin", event_type(kind)) for kind in EVENTS if kind is not RulesChanged]
RULES = [(game, event_type(RulesChanged)) for game in GAMES]
EVERY_EVENT = [pytest.param(*each, id=" ".join(each)) for each in (*OF_A_GAME, *OF_ALL, *RULES)]
every_event = pytest.mark.parametrize(("game", "name"), EVERY_EVENT)
every_game = pytest.mark.parametrize("game", GAMES)


def over_http(told: Json, book: RuleBook[Any]) -> Event | None:
    """What HTTP makes of an event; None if it refuses it."""
    try:
        return checked(load_event(told), book)
    except Malformed:
        return None


T = TypeVar("T")


def unless_malformed(read: Callable[[], T]) -> T | None:
    """What is read; None if it is refused, with a fault at least."""
    try:
        return read()
    except Malformed as error:
        faults = error.faults
    assert faults
    return None


def as_reported(told: Json, book: RuleBook[Any]) -> Event | None:
    """What the codec makes of the same."""
    return unless_malformed(lambda: codec.event_from(told, book))


def from_log(told: Json, book: RuleBook[Any]) -> Event | None:
    """What the codec makes of the same as a row of the log, with every text put aside that can be one."""
    texts: dict[str, SaltedText] = {}
    kind, body = told["type"], put_aside({name: value for name, value in told.items() if name != "type"}, texts)
    return unless_malformed(lambda: codec.read_event(kind, json.dumps(body), texts, book))


TEXTS = ("note", "overrule", "reason", "name", "players")


def put_aside(told: Any, texts: dict[str, SaltedText], path: str = "", *, is_text: bool = False) -> Any:
    match told:
        case str() if is_text:
            texts[path] = salted(told)
            return texts[path].digest
        case dict():
            before = f"{path}/" if path else ""
            return {
                name: put_aside(value, texts, f"{before}{name}", is_text=name in TEXTS) for name, value in told.items()
            }
        case list():
            return [put_aside(value, texts, f"{path}/{n}", is_text=is_text) for n, value in enumerate(told)]
    return told


@every_event
@settings(max_examples=10)
@given(data=st.data())
def test_what_is_right_is_read_as_http_reads_it_and_comes_back_from_the_log(
    game: str, name: str, data: st.DataObject
) -> None:
    book = newest(game)
    told = data.draw(reports(book, kinds_of(book)[name]))
    said = over_http(told, book)
    assert said == as_reported(told, book)
    if said is None:  # what only its own __post_init__ refuses
        return
    written = codec.write_event(said)
    assert codec.read_event(*written, book) == said
    assert codec.event_from(codec.event_to(said), book) == said
    assert codec.reported(*written) == codec.event_to(said)
    assert not {text.text for text in written.texts.values() if len(text.text) > 8} & set(texts_in(written.body))


def texts_in(body: str) -> list[str]:
    def within(told: Any) -> list[str]:
        match told:
            case dict():
                return [text for value in told.values() for text in within(value)]
            case list():
                return [text for value in told for text in within(value)]
        return [told] if isinstance(told, str) else []

    return within(json.loads(body))


@every_event
@settings(max_examples=25)
@given(data=st.data())
def test_what_http_refuses_of_an_event_the_codec_refuses(game: str, name: str, data: st.DataObject) -> None:
    book = newest(game)
    told = data.draw(reports(book, kinds_of(book)[name]).flatmap(altered))
    said = over_http(told, book)
    assert said == as_reported(told, book), told
    if said is None and isinstance(told.get("type"), str):
        assert from_log(told, book) is None, told
    if said is not None and codec.event_to(said) == told:
        assert from_log(told, book) == said, told


@every_game
@settings(max_examples=40)
@given(data=st.data())
def test_what_http_refuses_of_an_opening_the_codec_refuses(game: str, data: st.DataObject) -> None:
    told = data.draw(openings(newest(game)).flatmap(lambda told: st.just(told) | altered(told)))
    try:
        said: Opening | None = OpeningSchema().load(told)
    except ValidationError:
        said = None
    if not any(isinstance(person, dict) for person in seats_in(told)):
        assert unless_malformed(lambda: codec.opening_from(told)) == said, told
    if said is None and isinstance(told.get("game"), str):
        texts: dict[str, SaltedText] = {}
        with pytest.raises(Malformed):
            codec.read_opening(json.dumps(put_aside(told, texts)), texts, 1)
    if said is not None:
        written = codec.write_opening(said)
        assert codec.read_opening(written.body, written.texts, 1) == said
        assert codec.opening_from(codec.opening_to(said)) == said


def seats_in(told: Json) -> list[Any]:
    """The people of an opening. Only HTTP takes them as objects as well."""
    players = told.get("players")
    return players if isinstance(players, list) else []


# --- what only the log has ------------------------------------------------------------------------------------------

SHIPPIN = newest("shippin")
REASON = json.dumps({"reason": SaltedText(b"salt", "rain").digest})


def amended(levels: int) -> Json:
    inner = amended(levels - 1) if levels else event("round_opened")
    return event("event_amended", seq=1, event=inner)


@pytest.mark.parametrize("levels", range(6))
def test_events_lie_no_deeper_in_one_another_than_over_http(levels: int) -> None:
    said = over_http(amended(levels), SHIPPIN)
    assert (said is not None) == (levels < 2)
    assert as_reported(amended(levels), SHIPPIN) == said == from_log(amended(levels), SHIPPIN)


def faults(kind: str, body: str, texts: dict[str, str]) -> list[str]:
    """Where the codec finds something wrong with a row."""
    with pytest.raises(Malformed) as refused:
        codec.read_event(kind, body, {place: salted(text) for place, text in texts.items()}, SHIPPIN)
    return [fault.pointer for fault in refused.value.faults]


@pytest.mark.parametrize(
    ("body", "texts", "where"),
    [
        (REASON, {}, ["/reason"]),
        (REASON, {"note": "rain"}, ["/note"]),
        (REASON, {"reason": "rain", "reason/0": "rain"}, ["/reason/0"]),
        (REASON, {"reason": " "}, ["/reason"]),
        ('{"reason":"rain"}', {"reason": "rain"}, ["/reason"]),
        ('{"reason":5}', {"reason": "rain"}, ["/reason"]),
        (REASON[:-1] + ',"type":"round_voided"}', {"reason": "rain"}, ["/type"]),
        (REASON[:-1] + ',"a/b~c":1,"note":5}', {"reason": "rain"}, ["/a~1b~0c", "/note"]),
        ("[]", {}, [""]),
        ("[]", {"0": "rain"}, [""]),
        ("{", {}, [""]),
        ('{"reason":NaN}', {}, [""]),
        ("[" * 100_000, {}, [""]),
    ],
)
def test_every_fault_of_a_row_is_told_with_its_place(body: str, texts: dict[str, str], where: list[str]) -> None:
    assert faults("round_voided", body, texts) == where


def test_a_text_that_is_missing_is_no_digest() -> None:
    """What stands in a row in place of somebody's words is never told as their words."""
    written = codec.write_event(codec.event_from(event("round_voided", reason="rain"), SHIPPIN))
    with pytest.raises(Malformed) as refused:
        codec.read_event(written.type, written.body, {}, SHIPPIN)
    assert isinstance(refused.value.faults[0], codec.MisplacedText)


def test_texts_are_found_in_the_parts_of_an_event() -> None:
    parts = [
        event("event_taken_back", seq=3, note="first"),
        event("event_amended", seq=4, event=event("player_renamed", player="p1", name="Aki", note="second")),
    ]
    written = codec.write_event(codec.event_from(event("corrections_made", corrections=parts), SHIPPIN))
    assert {place: said.text for place, said in written.texts.items()} == {
        "corrections/0/note": "first",
        "corrections/1/event/name": "Aki",
        "corrections/1/event/note": "second",
    }
    assert codec.event_to(codec.read_event(*written, SHIPPIN))["corrections"] == parts


def test_a_part_is_one_of_a_few_kinds() -> None:
    assert faults("corrections_made", json.dumps({"corrections": [event("round_opened")]}), {}) == [
        "/corrections/0/type"
    ]
