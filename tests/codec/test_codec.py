"""The codec and HTTP refuse the same: every event of every game and the opening, right and wrong, is given to both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import codec
from ledger.codec import reader
from ledger.codec.description import type_of
from ledger.codec.values import At
from ledger.codec.writer import plain
from ledger.games import GAMES, newest
from ledger.hash_chain import SaltedText, salted
from ledger.language import render
from ledger.play.events import Event
from ledger.play.values import Between
from ledger.sentences import Malformed
from ledger.session.events import EVENTS, RulesChanged
from ledger.session.table import Opening
from schemas.base import loaded
from schemas.sessions import OpeningSchema
from tests.codec.shapes import altered, kinds_of, openings, reports
from tests.codec.ways import (
    Faults,
    as_reported,
    from_file,
    from_log,
    over_http,
    put_aside,
    read_or_refused,
    texts_in,
    was_taken_once,
)
from tests.scorekeeper import Json, event

ALWAYS = {kind.type for kind in EVENTS}
OF_A_GAME = [(game, name) for game in GAMES for name in kinds_of(newest(game)) if name not in ALWAYS]
OF_ALL = [("shippin", kind.type) for kind in EVENTS if kind is not RulesChanged]
RULES = [(game, RulesChanged.type) for game in GAMES]
EVERY_EVENT = [pytest.param(*each, id=" ".join(each)) for each in (*OF_A_GAME, *OF_ALL, *RULES)]
every_event = pytest.mark.parametrize(("game", "name"), EVERY_EVENT)
every_game = pytest.mark.parametrize("game", GAMES)


@every_event
@given(data=st.data())
def test_what_is_right_is_read_as_http_reads_it_and_comes_back_from_the_log(
    game: str, name: str, data: st.DataObject
) -> None:
    book = newest(game)
    told = data.draw(reports(book, kinds_of(book)[name]))
    said = over_http(told, book)
    assert said == as_reported(told, book)
    if not isinstance(said, Event):  # what only its own __post_init__ refuses
        return
    written = codec.write_event(said)
    assert codec.read_event(*written, book) == said
    assert codec.event_from(plain(said), book) == said
    assert codec.reported(*written) == plain(said)
    assert not {text.text for text in written.texts.values() if len(text.text) > 8} & set(texts_in(written.body))


@every_event
@given(data=st.data())
def test_what_http_refuses_of_an_event_the_codec_refuses(game: str, name: str, data: st.DataObject) -> None:
    book = newest(game)
    told = data.draw(reports(book, kinds_of(book)[name]).flatmap(altered))
    said = over_http(told, book)
    assert said == as_reported(told, book), told
    if (
        isinstance(said, Event)
        and plain(said) == told
        and (game == "kakkuri" or "turn_played" not in str(told))
        and "1.0" not in json.dumps(told)
    ):
        assert from_log(told, book) == said, told
    if not isinstance(told.get("type"), str):
        return
    if not isinstance(said, Event) and not was_taken_once(told):
        assert not isinstance(from_log(told, book), Event), told
    read, brought = from_log(told, book), from_file(told, book)
    assert brought == read if isinstance(read, Event) else not isinstance(brought, Event), told


@every_game
@given(data=st.data())
def test_what_http_refuses_of_an_opening_the_codec_refuses(game: str, data: st.DataObject) -> None:
    told = data.draw(openings(newest(game)).flatmap(lambda told: st.just(told) | altered(told)))
    said = opened_over_http(told)
    if not any(isinstance(person, dict) for person in seats_in(told)):
        again = read_or_refused(lambda: codec.opening_from(told))
        assert again == said or (not isinstance(again, Opening) and not isinstance(said, Opening)), told
    if not isinstance(said, Opening) and isinstance(told.get("game"), str) and not was_taken_once(told):
        texts: dict[str, SaltedText] = {}
        with pytest.raises(Malformed):
            codec.read_opening(json.dumps(put_aside(told, texts)), texts, 1)
    if isinstance(said, Opening):
        written = codec.write_opening(said)
        assert codec.read_opening(written.body, written.texts, 1) == said
        assert codec.opening_from(codec.opening_to(said)) == said


def opened_over_http(told: Json) -> Opening | Faults:
    """What HTTP makes of an opening."""
    return read_or_refused(lambda: loaded(OpeningSchema(), told))


def seats_in(told: Json) -> list[Any]:
    """The people of an opening. Only HTTP takes them as objects as well."""
    players = told.get("players")
    return players if isinstance(players, list) else []


# --- bounds, one by one ---------------------------------------------------------------------------------------------


class Bound(NamedTuple):
    """An event, a field of it, and what may stand there and what may not."""

    game: str
    report: Json
    field: str
    right: Sequence[Any]
    wrong: Sequence[Any]


FOUR = ["1", "2", "3", "4"]
TURN = event("turn_played", player="p1")
YEN = {"currency": "JPY", "per_chip": "10"}
BOUNDS = [
    Bound("shirinma", event("bid_placed", player="p1"), "amount", [1, 10**9], [0, -1, 10**9 + 1, True, 1.5, "1"]),
    Bound("shirinma", event("card_dealt", player="p1"), "card", ["plain", "cups-1", "QH"], ["cups-13", "", "Plain", 4]),
    Bound("shirinma", event("rules_changed"), "rules", [{"payments": {"maid": 0}}], [{"payments": {"maid": -1}}]),
    Bound("shippin", event("rules_changed"), "rules", [{}, {"bet": 10**9}], [{"bet": 0}, {"b": 1}, [], {"tie": "x"}]),
    Bound("shippin", event("bet_placed", player="p1"), "column", [1, 4], [0, 5, None]),
    Bound("shippin", event("second_cards_dealt", dealer="1"), "columns", [FOUR, [None] * 4], [FOUR[:3], [*FOUR, "5"]]),
    Bound("shippin", event("first_cards_revealed", dealer="1"), "columns", [["1", None, "3", "4"]], [[], "1234"]),
    Bound("shippin", event("first_cards_revealed", columns=FOUR), "dealer", ["1"], [None, "", "-"]),
    Bound("shippin", event("round_opened"), "note", ["x" * 500, None], ["", " ", "\u3000", "x" * 501, "a\0b", 5]),
    Bound("shippin", event("player_renamed", player="p1"), "name", ["x" * 100], ["", "\t", "x" * 101, {"name": "x"}]),
    Bound("shippin", event("session_described"), "name", ["x" * 100], ["", "x" * 101, None]),
    Bound(
        "shippin",
        event("session_described"),
        "chip_value",
        [YEN],
        [None, {}, {**YEN, "per_chip": "0"}, {**YEN, "x": 1}],
    ),
    Bound("shippin", event("odds_switched"), "on", [True, False], ["true", "yes", 1, 0, None, [True]]),
    Bound("shippin", event("player_joined"), "name", ["x" * 100], ["x" * 101, None]),
    Bound("shippin", event("player_left"), "player", ["p1", "x" * 100], ["", "x" * 101, 1, None]),
    Bound("shippin", event("event_taken_back"), "seq", [1, 2**53 - 1, None], [0, 2**53, "1", 0.5]),
    Bound("shippin", event("event_inserted", event={"type": "round_opened"}), "after", [0, 1], [-1, 2**53]),
    Bound("shippin", event("session_closed"), "pot", ["split", None], ["", "lost", True]),
    Bound("kakkuri", TURN, "cards", [["cups-1"] * 100, []], [["cups-1"] * 101, [None], ["plain"]]),
    Bound("kakkuri", TURN, "count", [0, 6], [-1, 7]),
    Bound("kakkuri", TURN | {"count": 2}, "top", ["cups-1", "QH", None], ["plain", "", ["cups-1"], 7]),
    Bound(
        "kakkuri",
        event("rules_changed"),
        "rules",
        [{"empty_turn_shares": n} for n in (0, 10)],
        [{"empty_turn_shares": 11}],
    ),
]


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda bound: f"{bound.game} {bound.report['type']} {bound.field}")
def test_what_stands_at_a_bound_is_read_and_what_is_beyond_refused_by_both(bound: Bound) -> None:
    book = newest(bound.game)
    for value, is_right in (*((v, True) for v in bound.right), *((v, False) for v in bound.wrong)):
        told = bound.report | {bound.field: value}
        said = over_http(told, book)
        assert isinstance(said, Event) == is_right, told
        assert as_reported(told, book) == said
        assert isinstance(from_log(told, book), Event) == is_right, told


WITH_A_POINT = [
    event("bid_placed", player="p1", amount=5.0),
    event("event_inserted", after=0.0, event=event("chips_moved", from_="p1", to="p2", amount=1e3)),
    event("balances_brought", balances={"p1": 30.0, "p2": -3e1}),
    event("rules_changed", rules={"ante": 20.0, "payments": {"maid": 1e1}}),
]


@pytest.mark.parametrize("told", WITH_A_POINT, ids=lambda told: told["type"])
def test_a_whole_number_with_a_point_is_read_by_both_and_stands_in_the_log_without(told: Json) -> None:
    book = newest("shirinma")
    said = over_http(told, book)
    assert said == as_reported(told, book) == over_http(json.loads(re.sub(r"(\d)\.0", r"\1", json.dumps(told))), book)
    assert isinstance(said, Event)
    assert ".0" not in codec.write_event(said).body
    assert not isinstance(from_log(told, book), Event)


@pytest.mark.parametrize("hint", [int, Annotated[int, Between(0, 9)]])
def test_a_whole_number_is_one_and_stands_in_the_log_without_a_point_whatever_its_bounds(hint: object) -> None:
    read = reader.reader(type_of(hint))
    assert type(read(5.0, At())) is int
    wrong = (5.0, At(in_log=True)), (True, At()), (True, At(in_log=True)), (5.5, At()), ("5", At()), (2**63, At())
    for value, at in wrong:
        with pytest.raises(Malformed):
            read(value, at)


def test_an_opening_may_write_whole_numbers_with_a_point() -> None:
    right, pointed = OPENING | {"dealer": 2, "rules": {"bet": 5}}, OPENING | {"dealer": 2.0, "rules": {"bet": 5.0}}
    assert codec.opening_from(pointed) == codec.opening_from(right) == opened_over_http(pointed)
    assert ".0" not in codec.write_opening(codec.opening_from(pointed)).body


OPENING: Json = {"game": "shippin", "deck": "kabufuda", "players": ["Aki", "Ben", "Chie"], "rules": {}, "dealer": 1}
AT_THE_TABLE: Mapping[str, tuple[Sequence[Any], Sequence[Any]]] = {
    "players": ([["Aki"] * 2, ["Aki"] * 5], [["Aki"], ["Aki"] * 6, [], "Aki", [" "], ["x" * 101] * 2, [5, 6]]),
    "dealer": ([1, 3], [0, 4, -1, True, 1.5, "p0", "p4", "1", None]),
    "deck": (["western"], ["mekurifuda", "", None, ["western"]]),
    "game": (["shippin"], ["poker", "", None, ["shippin"]]),
    "name": (["x" * 100, None], ["", " ", "x" * 101, "a\0b", 5]),
    "rules": ([{"bet": 1}], [{"bet": 0}, {"ante": 1}, [], None]),
    "chip_value": (
        [YEN, None, YEN | {"per_chip": "0.01"}],
        [
            YEN | {"per_chip": "0"},
            YEN | {"per_chip": "1\n"},
            YEN | {"currency": "yen"},
            {},
            YEN | {"more": 1},
            "10 JPY",
        ],
    ),
    "more": ([], [1]),
}


@pytest.mark.parametrize("name", AT_THE_TABLE)
def test_an_opening_at_a_bound_is_read_and_one_beyond_refused_by_both(name: str) -> None:
    right, wrong = AT_THE_TABLE[name]
    for value, is_right in (*((v, True) for v in right), *((v, False) for v in wrong)):
        told, texts = OPENING | {name: value}, dict[str, SaltedText]()
        said = opened_over_http(told)
        assert isinstance(said, Opening) == is_right, told
        assert read_or_refused(lambda told=told: codec.opening_from(told)) == said  # type: ignore[misc]
        body = json.dumps(put_aside(told, texts))
        logged = read_or_refused(lambda body=body, texts=texts: codec.read_opening(body, texts, 1))  # type: ignore[misc]
        assert isinstance(logged, Opening) == is_right, told


NO_TEXT = "a text of 1 to 100 characters is needed, and not only spaces"
NO_CHIPS = "a whole number from 1 to 1000000000 is needed"
NO_SEAT = "a seat from 1 to 3 or a player from p1 to p3 is needed"
NO_CONTROLS = "a text cannot hold control characters, or marks that turn its direction"
CARDS_ARE = "cards are written like cups-11, QH or Q♥, pine-crane, or 4"


@pytest.mark.parametrize(
    ("changed", "where", "sentence"),
    [
        ({"game": "poker"}, "/game", "one of these is needed: shirinma, shippin, kakkuri"),
        ({"players": ["Aki"]}, "/players", "Shippin takes 2 to 5 players; here are 1"),
        ({"deck": "mekurifuda"}, "/deck", "Shippin is played with one of these: kabufuda, hanafuda, western"),
        ({"dealer": 4}, "/dealer", NO_SEAT),
        ({"dealer": "p4"}, "/dealer", NO_SEAT),
        ({"rules": {"bet": 0}}, "/rules/bet", NO_CHIPS),
        ({"rules": {"ante": 0}}, "/rules/ante", "there is no such field here"),
        ({"name": " "}, "/name", NO_TEXT),
        ({"chip_value": YEN | {"currency": "yen"}}, "/chip_value/currency", "three capital letters, as in JPY"),
    ],
)
def test_what_is_wrong_with_an_opening_is_said_in_words(changed: Json, where: str, sentence: str) -> None:
    assert said_wrong(lambda: codec.opening_from(OPENING | changed)) == [(where, sentence)]


@pytest.mark.parametrize(
    ("told", "where", "sentence"),
    [
        (event("card_dealt", player="", card="plain"), "/player", NO_TEXT),
        (event("card_dealt", player="p1", card=7), "/card", f"a card is a text; {CARDS_ARE}"),
        (
            event("card_dealt", player="p1", card="cups-13" + "3" * 50),
            "/card",
            f"'cups-13{'3' * 33}' is not a card of any deck; {CARDS_ARE}",
        ),
        (event("bid_placed", player="p1", amount=1.5), "/amount", NO_CHIPS),
        (event("bid_placed", player="p1"), "/amount", "this field is needed"),
        (event("bid_placed", player="p1", amount=1, more=1), "/more", "there is no such field here"),
        (event("round_voided", reason="a\0b"), "/reason", "a text cannot hold the character NUL"),
        (event("round_voided", reason="a\x07b"), "/reason", NO_CONTROLS),
        (event("round_voided", reason="a\u202eb"), "/reason", NO_CONTROLS),
        (event("session_closed", pot="keep"), "/pot", "one of these is needed: split, refund, bank"),
    ],
)
def test_what_is_wrong_with_an_event_is_said_in_words(told: Json, where: str, sentence: str) -> None:
    assert said_wrong(lambda: codec.event_from(told, newest("shirinma"))) == [(where, sentence)]


def said_wrong(read: Callable[[], object]) -> list[tuple[str, str]]:
    """Where something is wrong, and what would be right."""
    with pytest.raises(Malformed) as refused:
        read()
    return [(fault.pointer, render(fault.sentence, "en", {})) for fault in refused.value.faults]


# --- what only the log has ------------------------------------------------------------------------------------------

SHIPPIN = newest("shippin")
REASON = json.dumps({"reason": SaltedText(b"salt", "rain").digest})


LIBERTIES = [
    event("rules_changed", rules={"must_bet": True}),
    event("round_entered", payments={"p1": 30}, payouts={"p2": 30}),
    event("balances_brought", balances={"p1": 30, "p2": -30}),
    event("event_inserted", after=0, event=event("rules_changed", rules={"must_bet": False})),
]


@pytest.mark.parametrize("told", LIBERTIES, ids=lambda told: told["type"])
def test_the_log_takes_none_of_the_liberties_that_people_have(told: Json) -> None:
    """What may be reported in two ways stands in the log in one."""
    said = over_http(told, SHIPPIN)
    assert isinstance(said, Event)
    assert as_reported(told, SHIPPIN) == said
    assert not isinstance(from_log(told, SHIPPIN), Event)
    assert codec.read_event(*codec.write_event(said), SHIPPIN) == said


def amended(levels: int) -> Json:
    inner = amended(levels - 1) if levels else event("round_opened")
    return event("event_amended", seq=1, event=inner)


@pytest.mark.parametrize("levels", range(6))
def test_events_lie_no_deeper_in_one_another_than_over_http(levels: int) -> None:
    said = over_http(amended(levels), SHIPPIN)
    assert isinstance(said, Event) == (levels < 2)
    for again in (as_reported(amended(levels), SHIPPIN), from_log(amended(levels), SHIPPIN)):
        assert again == said if levels < 2 else not isinstance(again, Event)


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
    assert plain(codec.read_event(*written, SHIPPIN))["corrections"] == parts


# --- what people write ------------------------------------------------------------------------------------------------

ON_NO_LINE = {
    **{f"U+{code:04X}": f"A{chr(code)}B" for code in (0, 1, 8, 0xB, 0xC, 0xE, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9F)},
    **{f"U+{code:04X}": f"A{chr(code)}B" for code in (0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069)},
}
ON_SEVERAL = {"a line break": "A\nB", "a return": "A\rB", "both": "A\r\nB", "a tab": "A\tB"}
NOTHING_SEEN = {
    "spaces": "  \u3000\u00a0",
    "no width": "\u200b\u200c\u200d\u2060\ufeff",
    "a soft hyphen": "\u00ad",
    "signs of direction": "\u200e\u200f",
    "fillers": "\u3164\uffa0\u115f\u1160",
    "an empty pattern of dots": "\u2800",
    "marks on nothing": "\u0301\ufe0f\u034f",
}
SEEN = [
    "A",
    "千恵",
    "山田\u3000太郎",
    "👨‍👩‍👧",
    "🎴\ufe0f",
    "שירה\u200f",
    "می\u200cخواهم",
    "é",
    "e\u0301",
    "\ue000",
    "\U0001fae9",
    "-",
]


def told_with(text: str, place: str) -> Json:
    if place == "name":
        return {"type": "player_joined", "name": text}
    return {"type": "round_voided", "reason": "tea"} | {place: text}


@pytest.mark.parametrize("text", SEEN)
@pytest.mark.parametrize("place", ["name", "note", "reason", "overrule"])
def test_what_can_be_seen_can_be_written(text: str, place: str) -> None:
    assert isinstance(over_http(told_with(text, place), newest("shippin")), Event)


@pytest.mark.parametrize("text", [*ON_NO_LINE.values(), *NOTHING_SEEN.values()], ids=[*ON_NO_LINE, *NOTHING_SEEN])
@pytest.mark.parametrize("place", ["name", "note", "reason", "overrule"])
def test_what_cannot_be_seen_is_refused_as_it_comes_in_and_is_read_from_the_log(text: str, place: str) -> None:
    book, told = newest("shippin"), told_with(text, place)
    assert over_http(told, book) == as_reported(told, book) == frozenset({f"/{place}"})
    if text.strip() and "\0" not in text:
        assert isinstance(from_log(told, book), Event)


@pytest.mark.parametrize("text", ON_SEVERAL.values(), ids=ON_SEVERAL)
def test_a_note_may_have_several_lines_and_a_name_may_not(text: str) -> None:
    book = newest("shippin")
    for place in ("note", "reason", "overrule"):
        assert isinstance(over_http(told_with(text, place), book), Event)
        assert isinstance(as_reported(told_with(text, place), book), Event)
    assert not isinstance(over_http(told_with(text, "name"), book), Event)
    assert not isinstance(as_reported(told_with(text, "name"), book), Event)
    assert isinstance(from_log(told_with(text, "name"), book), Event)
