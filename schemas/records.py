"""From the description of a record to the schema that it is loaded by.

`schema_for(record)` is a visitor over the types of its members (`ledger.codec.description`). An event is told apart by
its `type` and read by the schema of its kind, which is made once.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

from marshmallow import ValidationError

from ledger.codec.description import MAX_IN_A_LIST, Group, Kinds, Nullable, Several, Switches, Type, members_of
from ledger.codec.reader import DEEPEST, pair_of
from ledger.codec.values import NEEDED
from ledger.games import GAMES, from_shelf, newest
from ledger.play.events import Event
from ledger.records import memoized
from ledger.sentences import Malformed, say
from ledger.session.events import EVENTS
from schemas.base import Listed, MessageField, Nested, Strict, SwitchesField, Value, all_wrong, faults_in, wrong

# --- records --------------------------------------------------------------------------------------------------------


class RecordSchema(Strict):
    """A schema that makes a record."""

    record: type[Any]

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Make the record; with `partial`, a plain mapping of what is named. Raises marshmallow's ValidationError.

        What the record says itself against its fields is a fault of the whole.
        """
        members = super().load(data, **kwargs)
        if kwargs.get("partial"):
            return members
        try:
            return self.record(**members)
        except Malformed as error:
            raise all_wrong(error) from None


@memoized
def schema_for(record: type[Any]) -> RecordSchema:
    """Give the schema of a record, made once: making one costs several times what loading a record does."""
    members = {
        member.field.attribute: field_for(member.type, data_key=member.name, required=member.field.required)
        for member in members_of(record)
    }
    made: RecordSchema = type(f"{record.__name__}Schema", (RecordSchema,), {"record": record, **members})()
    return made


def field_for(type_: Type, **options: Any) -> MessageField:
    """Give the field for a type: what holds events, house rules or records has schemas, all else is a value."""
    match type_:
        case Nullable(inner):
            return field_for(inner, allow_none=True, **options)
        case Kinds(_, few):
            return EventField(few, **options)
        case Several(Kinds(_, few), most=most):
            return Listed(EventField(few), most=most, **options)
        case Several(Group() as item, most=most):
            return Records(item, most, **options)
        case Switches():
            return SwitchesField(**options)
        case Group(record):
            return Nested(schema_for(record), **options)
    return Value(type_, **options)


class Records(Listed):
    """A list of records. One of pairs (player and amount) may be written as an object as well: `{"p1": 30}`."""

    def __init__(self, item: Group, most: int, **kwargs: Any) -> None:
        super().__init__(Nested(schema_for(item.record)), most=most, **kwargs)
        self.pair, self.enough = pair_of(item), most + 1

    def _deserialize(self, value: Any, *args: Any, **kwargs: Any) -> Any:
        if self.pair is None or not isinstance(value, dict):
            return super()._deserialize(value, *args, **kwargs)
        first, second = self.pair
        pairs = [{first.name: name, second.name: each} for name, each in islice(value.items(), self.enough)]
        try:
            return super()._deserialize(pairs, *args, **kwargs)
        except ValidationError as error:
            if isinstance(error.messages, list):
                raise
            wrongs, names = error.messages, list(value)
            raise ValidationError({names[at]: [f.sentence for f in faults_in(wrongs[at])] for at in wrongs}) from None


# --- events ---------------------------------------------------------------------------------------------------------


@from_shelf
def event_types() -> Mapping[str, type[Event]]:
    """Give every event that can be reported in any game, by its name on the wire."""
    books = [newest(game) for game in GAMES]
    kinds = (*EVENTS, *(kind for book in books for kind in (*book.between, *book.events)))
    return {kind.type: kind for kind in kinds}


class EventField(MessageField):
    """An event, of any kind or of one of a few: `type` says by which schema it is read."""

    needed = NEEDED[dict]

    def __init__(self, kinds: tuple[type[Event], ...] = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.few = {kind.type: kind for kind in kinds}

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Event:
        if not isinstance(value, dict):
            raise wrong(say("an event is an object with a `type`"))
        if depth(value, DEEPEST + 1) > DEEPEST:
            raise wrong(say("events do not lie this deep in one another"))
        known, members = self.few or event_types(), dict(value)
        kind = members.pop("type", None)
        if not isinstance(kind, str) or kind not in known:
            raise ValidationError({"type": [say("one of these is needed: {words}", words=", ".join(known))]})
        event: Event = schema_for(known[kind]).load(members)
        return event


def depth(body: Any, most: int) -> int:
    """Say how many events lie in one another, up to so many. Corrections made together do not lie in one another."""
    found = 0
    while found < most and isinstance(body, dict):
        if isinstance(parts := body.get("corrections"), list):
            return found + max((depth_of_part(part, most - found) for part in parts[:MAX_IN_A_LIST]), default=1)
        body, found = body.get("event"), found + 1
    return found


def depth_of_part(part: Any, most: int) -> int:
    """Say how many events lie in a part of a correction; one that has parts itself is none, and is refused by name."""
    is_none = isinstance(part, dict) and "corrections" in part
    return 1 if is_none else depth(part, most)
