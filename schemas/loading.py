"""From a record to the schema that it is loaded by: derived once, from the types of its members.

Whatever comes in passes here: `loaded` reads a body or the texts of a query. An event is read by the schema of its
`type`; `checked` does what needs the rule book of its game, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar, cast

from marshmallow import EXCLUDE, Schema, ValidationError
from msgspec import Struct, inspect

from ledger.games import GAMES, from_shelf, newest
from ledger.i18n.sentences import MAX_FAULTS, Malformed, say
from ledger.records import Member, element, members_of, memoized, replace
from ledger.rulebook.cards import INSTEAD, words_of
from ledger.rulebook.event import AnyEvent, Event
from ledger.rulebook.rule_book import RuleBook
from ledger.session.corrections import CorrectionsMade, EventAmended, EventInserted
from ledger.session.events import EVENTS, RulesChanged
from schemas import fields
from schemas.fields import MAX_IN_A_LIST, MAX_NAME, Check, Field, Value, faults_in, wrong

MAX_STRANGE = 20
"""How many members that it does not know an object may have, for the faults of the others to be named, too."""
MAX_EVENTS_WITHIN = 3
"""How many events may lie in one another. More than a correction and its event is refused later, by name."""

T = TypeVar("T", bound=Struct)
E = TypeVar("E", bound=Event)
Given = TypeVar("Given")
Made = TypeVar("Made")


def loaded(record: type[T], body: Any, *, query: bool = False) -> T:
    """Read a body, or the texts of a query. Raises Malformed."""
    return cast("T", well_formed(schema_for(record, query=query).load, body))


def well_formed(load: Callable[..., Any], value: Any, **options: Any) -> Any:
    """Load a value by marshmallow. Raises Malformed with what that has found, each fault at its place."""
    try:
        return load(value, **options)
    except ValidationError as error:
        messages = error.normalized_messages()  # type: ignore[no-untyped-call]
        raise Malformed(*islice(faults_in(messages), MAX_FAULTS)) from None


# --- records --------------------------------------------------------------------------------------------------------


class RecordSchema(Schema):
    """A schema that makes a record.

    A record that `is_open` ignores unknown members. One with `also_needed` names members that are needed besides its
    required ones, by what was sent.
    """

    error_messages = {"type": fields.OBJECT}  # type: ignore[dict-item]  # noqa: RUF012 - marshmallow puts it into a list
    record: type[Any]
    known: frozenset[str]

    def load(self, data: Any, **kwargs: Any) -> Any:
        """Make the record; with `partial`, a plain mapping of what is named. Raises marshmallow's ValidationError.

        Unknown members are named in the order they were sent, after the faults of others; of an object that has far
        too many of them nothing else is looked at. What the record says itself against its fields is a fault of the
        whole.
        """
        errors = dict[str, Any]()
        if isinstance(data, dict):
            if not self.known.issuperset(data) and not getattr(self.record, "is_open", False):
                errors = {name: [fields.UNKNOWN] for name in data if name not in self.known}
                if len(data) > len(self.known) + MAX_STRANGE:
                    raise ValidationError(dict(islice(errors.items(), MAX_FAULTS)))
            if also_needed := getattr(self.record, "also_needed", None):
                errors |= {name: [fields.MISSING] for name in also_needed(data)}
        try:
            members = super().load(data, **{**kwargs, "unknown": EXCLUDE})
            if not errors:
                return members if kwargs.get("partial") else self.record(**members)
        except ValidationError as error:
            errors = error.normalized_messages() | errors  # type: ignore[no-untyped-call]
        except Malformed as error:
            raise ValidationError([*error.faults]) from None
        raise ValidationError(errors)


@memoized
def schema_for(record: type[Any], *, query: bool = False) -> RecordSchema:
    """Give the schema of a record, made once: making one costs several times what loading a record does."""
    about: dict[str, Any] = {"record": record, "known": frozenset(member.name for member in members_of(record))}
    for member in members_of(record):
        about[member.attribute] = field_for(member, query=query, data_key=member.name, required=member.required)
    made: RecordSchema = type(f"{record.__name__}Schema", (RecordSchema,), about)()
    return made


def field_for(member: Member, *, query: bool = False, **options: Any) -> Field:
    """Give the field for a member of a record; of a query, whose values are texts."""
    options["allow_none"] = member.nullable and not query
    most = getattr(member.type, "max_length", None)
    match member.type:
        case inspect.VarTupleType(inspect.StructType(record) as item, least) if names := pair_of(record):
            return fields.Pairs(field_for(element(item)), names, least, most, **options)
        case inspect.VarTupleType(item, least):
            return fields.Listed(field_for(element(item)), least, most, **options)
        case inspect.TupleType(items):
            return fields.Listed(field_for(element(items[0])), len(items), len(items), **options)
        case inspect.DictType(value_type=inspect.AnyType()):
            return Value(fields.switches, **options)
        case inspect.DictType(key_type, value_type):
            name = element(key_type)
            key = check_of(name) if name.extra.get("kind") == "name" else None
            return fields.ByName(field_for(element(value_type)), key, most, **options)
        case inspect.StructType(record) if issubclass(record, Event):
            return EventField((record,), **options)
        case inspect.StructType(record):
            return fields.Nested(schema_for(record), **options)
        case inspect.UnionType(types):
            kinds: Any = tuple(each.cls for each in types if isinstance(each, inspect.StructType))
            return EventField(kinds, **options)
        case inspect.CustomType(kind) if kind is AnyEvent:
            return EventField(**options)
        case inspect.BoolType() if query:
            return fields.TrueOrFalse(**options)
        case inspect.IntType(le=largest) if query:
            return Value(fields.digits(check_of(member), largest), **options)
    return Value(check_of(member), **options)


def pair_of(record: type[Any]) -> tuple[str, str] | None:
    """Name the two members of a record that is a pair: a player, and something required; no more is required."""
    if issubclass(record, Event):
        return None
    match members_of(record):
        case (Member(extra={"kind": "player"}) as first, second, *more) if second.required:
            return None if any(each.required for each in more) else (first.name, second.name)
    return None


def check_of(member: Member) -> Check:
    """Give the check of a value without parts, by what it stands for. Raises TypeError for a type that is not taken."""
    match member.type, member.extra:
        case inspect.AnyType(), {"kind": "dealer"}:
            return fields.dealer
        case inspect.AnyType(), _:
            return lambda value: value
        case inspect.IntType(), {"kind": "version"}:
            return fields.version
        case inspect.IntType(ge=least, le=most), _:
            return fields.whole(least, most)
        case inspect.BoolType(), _:
            return fields.flag
        case inspect.LiteralType() | inspect.EnumType(), _:
            return fields.one_of(words_of(member))
        case inspect.CustomType(kind), _ if kind in INSTEAD:
            return fields.card_or(words_of(member))
        case inspect.DateTimeType(), _:
            return fields.instant
        case inspect.StrType(), {"words": known}:
            return fields.one_of(known)
        case inspect.StrType(pattern=pattern), {"needed": needed}:
            return fields.such(str, needed, re.compile(pattern or "").fullmatch)
        case inspect.StrType(), {"kind": "day" | "moment" | "body" as kind}:
            return {"day": fields.day, "moment": fields.moment, "body": fields.body}[kind]
        case inspect.StrType(max_length=longest), {"kind": "person"}:
            return fields.person(longest or MAX_NAME)
        case inspect.StrType(max_length=longest), {"kind": "name" | "words" as kind}:
            return fields.words(longest or MAX_NAME, one_line=kind == "name")
        case inspect.StrType(max_length=longest), {"kind": _}:
            return fields.identifier(longest or MAX_NAME)
        case inspect.StrType(max_length=int(longest)), _:
            return fields.at_most_characters(longest)
        case inspect.StrType(), _:
            return fields.such(str, fields.TEXT, lambda _: True)
    raise TypeError(f"{member.type} is not taken")


# --- events ---------------------------------------------------------------------------------------------------------


@from_shelf
def event_types() -> Mapping[str, type[Event]]:
    """Give every event that can be reported in any game, by its name on the wire."""
    books = [newest(game) for game in GAMES]
    kinds = (*EVENTS, *(kind for book in books for kind in (*book.between, *book.events)))
    return {kind.type: kind for kind in kinds}


class EventField(Field):
    """An event, of any kind or of one of a few: `type` says by which schema it is read."""

    needed = fields.OBJECT

    def __init__(self, kinds: tuple[type[Event], ...] = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.few = {kind.type: kind for kind in kinds}

    def _deserialize(self, value: Any, *_args: Any, **_kwargs: Any) -> Event:
        if not isinstance(value, dict):
            raise wrong(say("an event is an object with a `type`"))
        if depth(value, MAX_EVENTS_WITHIN + 1) > MAX_EVENTS_WITHIN:
            raise wrong(say("events do not lie this deep in one another"))
        known, members = self.few or event_types(), dict(value)
        kind = members.pop("type", None)
        if not isinstance(kind, str) or kind not in known:
            raise ValidationError({"type": [say("one of these is needed: {words}", words=", ".join(known))]})
        event: Event = schema_for(known[kind]).load(members)
        return event


def depth(body: Any, most: int, *, is_part: bool = False) -> int:
    """Count the events that lie in one another, up to so many. Corrections made together do not lie in one another."""
    if most == 0 or not isinstance(body, dict):
        return 0
    if is_part and "corrections" in body:
        return 1  # such a part of a correction is refused by name later
    if isinstance(parts := body.get("corrections"), list):
        return max((depth(part, most, is_part=True) for part in parts[:MAX_IN_A_LIST]), default=1)
    return 1 + depth(body.get("event"), most - 1)


ANY_EVENT = EventField(required=True)


def load_event(body: Mapping[str, Any]) -> Event:
    """Make an event from its JSON. Raises Malformed."""
    return cast("Event", well_formed(ANY_EVENT.deserialize, body))


# --- what only the rule book can check ------------------------------------------------------------------------------


CHECKED_BY_THE_GAME = frozenset({RulesChanged, EventAmended, EventInserted, CorrectionsMade})
"""Events of whose form there is more to check than their schemas can, and what holds such events."""


def load_rules(changes: Mapping[str, Any], book: RuleBook[Any]) -> dict[str, Any]:
    """Check some switches of a rule book and give them in their plain form. Raises Malformed."""
    return dict(well_formed(schema_for(book.rules).load, changes, partial=True))


def checked(event: E, book: RuleBook[Any]) -> E:
    """Check what only the game can tell of an event's form. Raises Malformed."""
    match event:
        case RulesChanged(rules=switches):
            return replace(event, rules=below("rules", load_rules, switches, book))
        case EventAmended(event=inner) | EventInserted(event=inner):
            return replace(event, event=below("event", checked, inner, book))
        case CorrectionsMade(corrections=parts):
            return replace(event, corrections=below("corrections", checked_all, parts, book))
    return event


def checked_all(events: Sequence[E], book: RuleBook[Any]) -> tuple[E, ...]:
    """Check what only the game can tell of some events. Raises Malformed, by their places."""
    return tuple(below(place, checked, event, book) for place, event in enumerate(events))


def below(place: str | int, check: Callable[[Given, RuleBook[Any]], Made], value: Given, book: RuleBook[Any]) -> Made:
    """Check what stands at a place of a body. Raises Malformed."""
    try:
        return check(value, book)
    except Malformed as error:
        raise error.within(place) from None
