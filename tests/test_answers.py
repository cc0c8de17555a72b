"""How a record is written: every member under its name, null told apart from what is not there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Any

import pytest

from ledger.answers.pages import Listing, Page
from ledger.cards import read
from ledger.codec.description import members_of
from ledger.codec.writer import encoded, members, plain
from ledger.games.shirinma import CardDealt
from ledger.play import Expected, PlayerId, Seats, Timestamp
from ledger.records import UNSET, Meta, Record, UnsetType, field
from ledger.session import ChipsMoved, EventAmended
from schemas.components import Components


class Net(Record):
    round: int
    net: int


class Inner(Record):
    kind: str
    name: str = "inner"


class Outer(Record, kw_only=True):
    """What there may be in an answer."""

    payer: Annotated[PlayerId, Meta(description="Who pays.")] = field(name="from", default="p1")
    name: Annotated[str, Meta(description="The outer name.")] = "outer"
    nothing: Timestamp | None = None
    absent: int | UnsetType | None = UNSET
    inner: Annotated[Inner, Meta(extra={"spread": True})] = Inner("x")
    net: Net | None = None
    more: Annotated[Mapping[str, Any], Meta(extra={"spread": True})] = field(default_factory=dict)


def test_a_member_is_called_as_it_is_on_the_wire() -> None:
    assert list(members(Outer())) == ["from", "name", "nothing", "kind", "net"]


def test_null_is_told_apart_from_what_is_not_there() -> None:
    assert encoded(Outer()) == b'{"from":"p1","name":"outer","nothing":null,"kind":"x","net":null}'
    assert plain(Outer(absent=None))["absent"] is None
    assert plain(Outer(absent=5))["absent"] == 5


def test_what_is_spread_gives_way_to_what_is_always_there() -> None:
    told = plain(Outer(more={"name": "more", "absent": 7, "further": [1]}))
    assert (told["name"], told["absent"], told["further"]) == ("outer", 7, [1])


def test_what_was_not_said_is_left_out_of_an_event() -> None:
    dealt = CardDealt("p1", read("cups-12"))
    assert encoded(dealt) == b'{"type":"card_dealt","player":"p1","card":"cups-12"}'
    assert plain(EventAmended(3, dealt, note="so it was")) == {
        "type": "event_amended",
        "note": "so it was",
        "seq": 3,
        "event": plain(dealt),
    }
    assert plain(ChipsMoved("bank", "p1", 5)) == {"type": "chips_moved", "from": "bank", "to": "p1", "amount": 5}
    assert plain(Expected(type="bid_placed", not_players=("p1",))) == {"type": "bid_placed", "not_players": ["p1"]}


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (Seats(("p1", "p2")), b'["p1","p2"]'),
        (Counter("aab"), b'{"a":2,"b":1}'),
        (MappingProxyType({"a": Net(1, 2)}), b'{"a":{"round":1,"net":2}}'),
        (Page(Listing("NetPage", "nets", Net), [Net(1, -2)], None), b'{"nets":[{"round":1,"net":-2}],"next":null}'),
    ],
    ids=str,
)
def test_collections_are_written_as_what_they_are(value: object, json: bytes) -> None:
    assert encoded(value) == json


def test_what_is_no_record_cannot_be_written() -> None:
    for value in (object(), {1, 2}, Inner):
        with pytest.raises(TypeError):
            encoded([value])
    with pytest.raises(TypeError):
        members_of(object)


def test_a_record_is_described_by_its_hints() -> None:
    """A field that does not describe itself has no description: no other record's field of this name lends it one."""
    components = Components()
    assert components.of_record(Outer) == {"$ref": "#/components/schemas/Outer"}
    assert components.made["Outer"] == {
        "type": "object",
        "description": "What there may be in an answer.",
        "properties": {
            "from": {"type": "string", "pattern": "^p[1-9][0-9]*$", "description": "Who pays.", "examples": ["p1"]},
            "name": {"type": "string", "description": "The outer name."},
            "nothing": {"type": ["string", "null"], "format": "date-time", "examples": ["2026-11-21T09:00:00Z"]},
            "absent": {"type": ["integer", "null"], "format": "int64"},
            "kind": {"type": "string"},
            "net": {
                "anyOf": [{"$ref": "#/components/schemas/Net"}, {"type": "null"}],
            },
        },
        "required": ["kind", "name", "from", "nothing", "net"],
    }
    assert components.made["Net"]["required"] == ["round", "net"]
