"""The log: every event of every game comes back as it was written, and what was not written so is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger import codec
from ledger.codec.encoding import encoded, plain
from ledger.codec.texts import MisplacedText
from ledger.games import GAMES, newest
from ledger.hash_chain import salted
from ledger.sentences import Malformed
from ledger.session.events import EVENTS, ChipValue
from ledger.session.table import Opening
from schemas.events import load_event
from tests.scorekeeper import Json, event
from tests.service import ROOT

EXAMPLES = json.loads((ROOT / "ledger/api/examples.json").read_bytes())["events"]
EVERY_EVENT = [(game, kind.type) for game in GAMES for kind in (*EVENTS, *newest(game).between, *newest(game).events)]
SHIPPIN = newest("shippin")
PART = event("event_taken_back", seq=1)


def example(game: str, kind: str) -> Json:
    """An event as it can be reported in a game, with every switch of its rules."""
    within = {"rules": plain(newest(game).rules()), "event": event("round_opened"), "corrections": [PART]}
    sent = EXAMPLES[kind]["sent"]
    return {**sent, **{name: told for name, told in within.items() if name in sent}}


@pytest.mark.parametrize(("game", "kind"), EVERY_EVENT)
def test_every_event_comes_back_from_the_log(game: str, kind: str) -> None:
    said = load_event({**example(game, kind), "note": "千恵\nsaw it", "overrule": "by 千恵"})
    written = codec.write_event(said)
    assert "千恵" not in written.body
    assert codec.read_event(*written, newest(game)) == said
    assert codec.reported(*written) == plain(said)


def test_texts_of_events_within_others_come_back_into_their_places() -> None:
    parts = [
        event("event_taken_back", seq=3, note="first"),
        event("event_amended", seq=4, event=event("player_renamed", player="p1", name="Aki", note="second")),
        event("event_inserted", after=0, event=event("event_inserted", after=0, event=event("round_opened"))),
    ]
    written = codec.write_event(load_event(event("corrections_made", corrections=parts)))
    texts = {place: text.text for place, text in written.texts.items()}
    names = ("corrections/0/note", "corrections/1/event/name", "corrections/1/event/note")
    assert texts == dict(zip(names, ("first", "Aki", "second"), strict=True))
    assert {place: codec.digest_at(written.body, place) for place in texts} == {
        place: text.digest for place, text in written.texts.items()
    }
    assert plain(codec.read_event(*written, SHIPPIN))["corrections"] == parts


@pytest.mark.parametrize("game", GAMES)
def test_an_opening_comes_back_from_the_log(game: str) -> None:
    book, seated = newest(game), dict[str, Any](game=game, name="New year", odds=True, overrule="rain")
    players, value = ("千恵", *"x" * (book.seats.start - 1)), ChipValue("JPY", "0.50")
    said = Opening(**seated, deck=book.decks[-1], players=players, rules=book.rules(), dealer=2, chip_value=value)
    written = codec.write_opening(said)
    assert "千恵" not in written.body
    assert codec.read_opening(written.body, written.texts, 1) == said


# --- what was not written so ----------------------------------------------------------------------------------------

REASON = {"reason": salted("rain").digest}
TEXTS: list[tuple[str, Json, list[str], str]] = [
    ("round_voided", REASON, [], "/reason"),
    ("round_voided", REASON, ["reason", "note"], "/note"),
    ("round_voided", REASON, ["reason", "reason/0"], "/reason/0"),
    ("round_voided", {"reason": "rain"}, ["reason"], "/reason"),
    ("round_voided", {"reason": 5}, ["reason"], "/reason"),
    ("bet_placed", {"player": REASON["reason"], "column": 1}, ["player"], "/player"),
]


@pytest.mark.parametrize(("kind", "body", "places", "place"), TEXTS)
def test_a_text_that_is_missing_or_misplaced_is_refused(kind: str, body: Json, places: list[str], place: str) -> None:
    with pytest.raises(Malformed) as refused:
        codec.read_event(kind, json.dumps(body), dict.fromkeys(places, salted("rain")), SHIPPIN)
    assert [(fault.pointer, type(fault)) for fault in refused.value.faults] == [(place, MisplacedText)]


def corrected(told: Json) -> Json:
    return {"corrections": [PART, event("event_inserted", after=0, event=told)]}


NO_RULES: tuple[Any, ...] = ([], None, {"x": 1}, {"__class__": 1})
YEN = {"currency": "JPY", "per_chip": "1"}
WRONG: list[tuple[str, Any, str]] = [
    ("round_opened", {"more": 1}, ""),
    ("session_described", {"chip_value": YEN | {"more": 1}}, "/chip_value"),
    ("bet_placed", {"player": "p1"}, ""),
    *(("bet_placed", {"player": "p1", "column": n}, "/column") for n in (0, 5, True, 1.0, "1", 10**30)),
    *(("event_taken_back", {"seq": n}, "/seq") for n in (0, 2**53, 1.0)),
    ("second_cards_dealt", {"dealer": "1", "columns": ["1", "2", "3"]}, "/columns"),
    ("second_cards_dealt", {"dealer": "cups-13", "columns": ["1"] * 4}, "/dealer"),
    ("session_closed", {"pot": "x - at `$.y`"}, "/pot"),
    *(("rules_changed", {"rules": rules}, "/rules") for rules in NO_RULES),
    *(("rules_changed", {"rules": {"bet": n}}, "/rules/bet") for n in (0, True, 5.0, None)),
    ("round_entered", {"payments": [{"player": "p1", "amount": 1}, {"player": ""}]}, "/payments/1/player"),
    ("balances_brought", {"balances": [{"balance": 1}]}, "/balances/0"),
    ("corrections_made", corrected(event("rules_changed", rules={"bet": 0})), "/corrections/1/event/rules/bet"),
    ("corrections_made", corrected(event("turn_played", player="p1")), "/corrections/1/event/type"),
    ("corrections_made", {"corrections": [event("round_opened")]}, "/corrections/0/type"),
    ("event_amended", {"seq": 1, "event": {}}, "/event/type"),
    ("turn_played", {"player": "p1"}, "/type"),
    *(("round_opened", body, "") for body in ("[]", "null", "{", '{"note":NaN}', '{"note":"\ud800"}', "[" * 100_000)),
]


@pytest.mark.parametrize(("kind", "body", "place"), WRONG)
def test_a_wrong_row_is_refused_with_the_place(kind: str, body: Any, place: str) -> None:
    with pytest.raises(Malformed) as refused:
        codec.read_event(kind, body if isinstance(body, str) else json.dumps(body), {}, SHIPPIN)
    assert [fault.pointer for fault in refused.value.faults] == [place]
    assert encoded(refused.value.faults[0].sentence.facts)


@pytest.mark.parametrize(
    ("changes", "place"),
    [
        *(({"game": game}, "/game") for game in ("poker", ["shirinma"], None)),
        *(({"deck": deck}, "/deck") for deck in ("tarot", "kabufuda", None)),
        *(({"dealer": dealer}, "/dealer") for dealer in (0, 13, 1.0, True, "1")),
        *(({"rules": rules}, "/rules") for rules in NO_RULES),
        *(({"rules": {"payments": value}}, "/rules/payments") for value in (5, None, {"x": 1})),
        ({"rules": {"payments": {"maid": -1}}}, "/rules/payments/maid"),
        ({"chip_value": {"currency": "yen", "per_chip": "1"}}, "/chip_value/currency"),
        ({"more": 1}, ""),
    ],
)
def test_a_wrong_opening_is_refused_with_the_place(changes: Json, place: str) -> None:
    book = newest("shirinma")
    written = codec.write_opening(
        Opening(game=book.name, deck="mekurifuda", players=tuple("abcdefghijkl"), rules=book.rules())
    )
    with pytest.raises(Malformed) as refused:
        codec.read_opening(json.dumps(json.loads(written.body) | changes), written.texts, 1)
    assert [fault.pointer for fault in refused.value.faults] == [place]
