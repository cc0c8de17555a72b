"""The types that are hardest to describe: whatever stands in their place, every way in refuses the same.

HTTP, the codec below it, a row of the log and a row of an imported file are given the same values. What only goes out
(an event as it is stored, an outcome, a chance) is read back by none of them, and is written as it is described.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ledger import codec
from ledger.answers.events import LoggedEvent
from ledger.answers.rounds import Outcome
from ledger.api.openapi import description
from ledger.cards import read as card
from ledger.codec.reader import DEEPEST
from ledger.codec.writer import plain
from ledger.games import newest
from ledger.games.kakkuri import KakkuriWon
from ledger.games.shirinma import CardDealt, ShirinmaWon
from ledger.hash_chain import SaltedText, salted
from ledger.play import Event, Payout
from ledger.session import EventAmended
from tests.codec.shapes import ODD, altered
from tests.codec.ways import as_reported, from_file, from_log, over_http, read_or_refused, row_in_file, was_taken_once
from tests.scorekeeper import Json, event

SHIRINMA = newest("shirinma")
DEALT, UNNOTED = event("card_dealt", player="p1", card="cups-11"), event("card_dealt", player="p1", card="plain")
AMENDED = event("event_amended", seq=1, event=UNNOTED, part=2)
NOTED = event("card_dealt", player="p1", card="cups-11", note="misdeal")
BY = {"recorded_at": "2026-11-21T09:00:00Z", "recorded_by": "link", "recorded_by_label": None}
STORED = plain(LoggedEvent(event=CardDealt("p1", card("cups-11")), seq=3, round=1, **BY))  # type: ignore[arg-type]
PAID: Json = {"payouts": (Payout("p2", 5, "pot"),), "next_dealer": "p2"}
OUTCOMES = {
    "shirinma": ShirinmaWon(**PAID, winner="p8", card=card("cups-11"), back_rider=None),
    "kakkuri": KakkuriWon(**PAID, winner="p3", guri=True),
}
CHANCE = {"exact": "5/41", "percent": "12.20"}


every_odd_value = pytest.mark.parametrize("odd", ODD, ids=range(len(ODD)))


def agree(told: Json) -> Event | None:
    """Make sure that every way in reads the same or refuses it; give what is read."""
    said = over_http(told, SHIRINMA)
    assert as_reported(told, SHIRINMA) == said, told
    if not isinstance(told.get("type"), str):
        return None
    read, brought = from_log(told, SHIRINMA), from_file(told, SHIRINMA)
    assert brought == read if isinstance(read, Event) else not isinstance(brought, Event), told
    if isinstance(said, Event):
        assert read == said or plain(said) != told or "1.0" in json.dumps(told), told
        return said
    assert not isinstance(read, Event) or was_taken_once(told), told
    return None


HARD = {
    "a card": DEALT,
    "a card not noted": UNNOTED,
    "an event in an event": AMENDED,
    "a note": NOTED,
    "stored": STORED,
}


@pytest.mark.parametrize("what", HARD)
@settings(max_examples=150)
@given(data=st.data())
def test_what_is_hard_to_describe_is_refused_by_every_way_alike(what: str, data: st.DataObject) -> None:
    agree(data.draw(altered(HARD[what])))


@every_odd_value
def test_any_value_in_a_hard_place_is_refused_by_every_way_alike(odd: Any) -> None:
    agree({**DEALT, "card": odd})
    agree({**AMENDED, "event": odd})
    agree({**AMENDED, "event": {**DEALT, "card": odd}})
    agree({**NOTED, "note": odd})


@pytest.mark.parametrize("depth", [3, 4, 5])
def test_events_that_lie_deep_in_one_another_are_refused_by_every_way_alike(depth: int) -> None:
    deep = DEALT
    for _ in range(depth - 1):
        deep = event("event_amended", seq=1, event=deep)
    if depth <= DEEPEST:
        assert agree(deep) is not None
    else:
        assert over_http(deep, SHIRINMA) == frozenset({""})
        assert not any(isinstance(way(deep, SHIRINMA), Event) for way in (as_reported, from_log, from_file))


def test_the_hard_types_are_read_where_they_are_right() -> None:
    dealt, unnoted = CardDealt("p1", card("cups-11")), CardDealt("p1", "plain")
    assert agree(DEALT) == dealt
    assert agree(UNNOTED) == unnoted
    assert agree(AMENDED) == EventAmended(seq=1, event=unnoted, part=2)
    assert agree(NOTED) == CardDealt("p1", card("cups-11"), note="misdeal")


# --- what only goes out ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schemas() -> Json:
    found: Json = description()
    return found


def fits(schemas: Json, name: str, told: object) -> bool:
    """Whether JSON is what a schema of `/openapi.json` says."""
    return Draft202012Validator({**schemas, "$ref": f"#/components/schemas/{name}"}).is_valid(told)


def test_the_members_of_a_stored_event_stand_in_it_and_are_no_part_of_a_report(schemas: Json) -> None:
    beside = {"seq": 3, "round": 1, **BY, "status": "standing"}
    assert {**DEALT, **beside} == STORED
    assert fits(schemas, "StoredEvent", STORED)
    assert over_http(STORED, SHIRINMA) == frozenset(f"/{name}" for name in beside)
    assert agree(STORED) is None


@pytest.mark.parametrize("game", OUTCOMES)
def test_an_outcome_is_written_as_described_and_comes_in_nowhere(schemas: Json, game: str) -> None:
    own = plain(OUTCOMES[game])
    told = plain(Outcome(OUTCOMES[game], {"en": ("Won.",), "ja": ("勝ち。",)}))
    assert told == {**own, "explanation": {"en": ["Won."], "ja": ["勝ち。"]}}
    assert own["result"] == "won"
    assert fits(schemas, "Outcome", told)
    for name in own:
        wrong: tuple[Any, ...] = (5, {}, "", "won!", [5])
        assert not any(fits(schemas, "Outcome", {**told, name: odd}) for odd in wrong), name
        assert own[name] in (None, False) or not fits(schemas, "Outcome", {**told, name: None})
    for report in (told, {**told, "type": "won"}, {**DEALT, **told}, {**AMENDED, "event": told}):
        assert agree(report) is None


@pytest.mark.parametrize("wrong", [CHANCE, "5/41", "12.20", 5 / 41, [5, 41], "5"], ids=str)
def test_a_chance_is_written_exactly_and_is_no_number_of_chips(schemas: Json, wrong: object) -> None:
    assert plain([Fraction(5, 41)]) == [CHANCE]
    assert fits(schemas, "Chance", CHANCE)
    assert not fits(schemas, "Chance", wrong if wrong != CHANCE else {**CHANCE, "exact": 5})
    assert agree(event("bid_placed", player="p1", amount=wrong)) is None


# --- a note and its digest ------------------------------------------------------------------------------------------


def note_in_file(body_note: object, **words: object) -> Event | frozenset[str]:
    """What is made of a note as it stands in a row of a file, and of the texts beside the row."""
    body = {"player": "p1", "card": "cups-11", "note": body_note}
    return row_in_file({"type": "card_dealt", "version": 1, "body": json.dumps(body), "words": words}, SHIRINMA)


@every_odd_value
def test_in_place_of_a_note_stands_its_digest_and_nothing_else(odd: Any) -> None:
    note = salted("misdeal")
    beside = {"salt": note.salt.hex(), "text": note.text}
    assert note_in_file(note.digest, note=beside) == CardDealt("p1", card("cups-11"), note="misdeal")
    assert isinstance(note_in_file(odd), Event) == (odd is None)
    assert not isinstance(note_in_file(odd, note=beside), Event)
    assert not isinstance(note_in_file(note.digest, note=odd), Event)
    assert not isinstance(note_in_file(note.digest, other=beside), Event)
    assert isinstance(note_in_file(note.digest, note={**beside, "salt": odd}), Event) == (odd == "")
    read = note_in_file(note.digest, note={**beside, "text": odd})
    assert isinstance(read, Event) == (
        isinstance(odd, str) and len(odd) <= 500 and bool(odd.strip()) and "\0" not in odd
    )
    texts = {"note": SaltedText(note.salt, odd)} if isinstance(odd, str) else {}
    body = json.dumps({"player": "p1", "card": "cups-11", "note": note.digest})
    assert isinstance(row_of_log(body, texts), Event) == isinstance(read, Event)


def row_of_log(body: str, texts: dict[str, SaltedText]) -> Event | frozenset[str]:
    """What is made of a dealt card in the log."""
    return read_or_refused(lambda: codec.read_event("card_dealt", body, texts, SHIRINMA))
