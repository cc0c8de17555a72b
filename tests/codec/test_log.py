"""The log: every event of every game comes back as it was written, and what was not written so is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ledger.codec import log as codec
from ledger.codec.encoding import encoded, plain
from ledger.codec.hash_chain import salted
from ledger.codec.log import MisplacedText
from ledger.games import GAMES, newest
from ledger.i18n.sentences import Malformed
from ledger.session.events import EVENTS, ChipValue
from ledger.session.table import Opening
from schemas.loading import load_event
from tests.scorekeeper import Json, event
from tests.service import ROOT

EXAMPLES = json.loads((ROOT / "ledger/api/examples.json").read_bytes())["events"]
EVERY_EVENT = [(game, kind.type) for game in GAMES for kind in (*EVENTS, *newest(game).between, *newest(game).events)]
SHIPPIN = newest("shippin")
RENAMED = event("event_amended", seq=4, event=event("player_renamed", player="p1", name="千恵", note="then"))
WITHIN = [event("event_taken_back", seq=3, note="千恵"), RENAMED]


@pytest.mark.parametrize(("game", "kind"), EVERY_EVENT)
def test_every_event_comes_back_from_the_log(game: str, kind: str) -> None:
    sent = EXAMPLES[kind]["sent"]
    of_the_game = {"rules": plain(newest(game).rules()), "event": RENAMED, "corrections": WITHIN}
    told = {name: of_the_game.get(name, value) for name, value in sent.items()}
    said = load_event({**told, "note": "千恵\nsaw it", "overrule": "by 千恵"})
    written = codec.write_record(said)
    assert "千恵" not in written.body
    assert codec.read_event(*written, newest(game)) == said
    assert codec.reported(*written) == plain(said)


@pytest.mark.parametrize("game", GAMES)
def test_an_opening_comes_back_from_the_log(game: str) -> None:
    book, seated = newest(game), dict[str, Any](game=game, name="New year", odds=True, overrule="rain")
    players, value = ("千恵", *"x" * (book.seats.start - 1)), ChipValue("JPY", "0.50")
    said = Opening(**seated, deck=book.decks[-1], players=players, rules=book.rules(), dealer=2, chip_value=value)
    written = codec.write_record(said)
    assert "千恵" not in written.body
    assert codec.read_opening(written.body, written.texts, 1) == said


# --- what was not written so ----------------------------------------------------------------------------------------

REASON = {"reason": salted("rain").digest}
TEXTS: list[tuple[str, Json, list[str], str]] = [
    ("round_voided", REASON, [], "/reason"),
    ("round_voided", REASON, ["reason", "note"], "/note"),
    ("round_voided", REASON, ["reason", "reason/0"], "/reason/0"),
    ("round_voided", {"reason": "rain"}, ["reason"], "/reason"),
    ("bet_placed", {"player": REASON["reason"], "column": 1}, ["player"], "/player"),
]


@pytest.mark.parametrize(("kind", "body", "places", "place"), TEXTS)
def test_a_text_that_is_missing_or_misplaced_is_refused(kind: str, body: Json, places: list[str], place: str) -> None:
    with pytest.raises(Malformed) as refused:
        codec.read_event(kind, json.dumps(body), dict.fromkeys(places, salted("rain")), SHIPPIN)
    assert [(fault.pointer, type(fault)) for fault in refused.value.faults] == [(place, MisplacedText)]


NO_BET = event("event_inserted", after=0, event=event("rules_changed", rules={"bet": 0}))
WRONG: list[tuple[str, Any, str]] = [
    ("round_opened", {"more": 1}, ""),
    ("session_described", {"chip_value": {"currency": "JPY", "per_chip": "1", "more": 1}}, "/chip_value"),
    ("bet_placed", {"player": "p1"}, ""),
    *(("bet_placed", {"player": "p1", "column": n}, "/column") for n in (0, 5, True, 1.0, "1", 10**30)),
    ("event_taken_back", {"seq": 2**53}, "/seq"),
    ("second_cards_dealt", {"dealer": "cups-13", "columns": ["1"] * 4}, "/dealer"),
    ("session_closed", {"pot": "x - at `$.y`"}, "/pot"),
    *(("rules_changed", {"rules": rules}, "/rules") for rules in (5, {"x": 1})),
    *(("rules_changed", {"rules": {"bet": n}}, "/rules/bet") for n in (0, True, 5.0, None)),
    ("round_entered", {"payments": [{"player": "p1", "amount": 1}, {"player": ""}]}, "/payments/1/player"),
    ("corrections_made", {"corrections": [*WITHIN, NO_BET]}, "/corrections/2/event/rules/bet"),
    ("corrections_made", {"corrections": [event("round_opened")]}, "/corrections/0/type"),
    ("event_amended", {"seq": 1, "event": {}}, "/event/type"),
    ("turn_played", {"player": "p1"}, "/type"),
    *(("round_opened", body, "") for body in ("[]", '{"note":NaN}', '{"note":"\ud800"}', "[" * 100_000)),
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
        ({"game": "poker"}, "/game"),
        ({"game": ["shippin"]}, "/game"),
        ({"deck": "mekurifuda"}, "/deck"),
        *(({"dealer": dealer}, "/dealer") for dealer in (0, 6, 1.0)),
        ({"rules": {"x": 1}}, "/rules"),
        ({"chip_value": {"currency": "yen", "per_chip": "1"}}, "/chip_value/currency"),
        ({"more": 1}, ""),
    ],
)
def test_a_wrong_opening_is_refused_with_the_place(changes: Json, place: str) -> None:
    said = Opening(game="shippin", deck="kabufuda", players=tuple("abcde"), rules=SHIPPIN.rules())
    written = codec.write_record(said)
    with pytest.raises(Malformed) as refused:
        codec.read_opening(json.dumps(json.loads(written.body) | changes), written.texts, 1)
    assert [fault.pointer for fault in refused.value.faults] == [place]
