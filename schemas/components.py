"""From an answer's hints to its schema in `/openapi.json`.

`Components` collects the schemas of all records that are answered with, each under the name of its class. What the
types say is told: bounds, words to choose from, what may be null and what may be absent. A record that spreads another
one which stands for several kinds (any event of the log, any outcome) is a `oneOf`, with the member that tells them
apart; the kinds are read off the rule books on the shelf when the description is made.

Where a request takes the same record, it is described once, as it is taken (`given`).
"""

from __future__ import annotations

import types
from collections.abc import Container, Iterable, Mapping
from dataclasses import is_dataclass
from enum import StrEnum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from ledger.answers.encoding import Absent, Member, described
from ledger.answers.events import LoggedEvent
from ledger.answers.pages import Listing
from ledger.cards import Card
from ledger.codec.values import AtMost
from ledger.games import every_book
from ledger.play import Between, Event, Kind, Outcome
from ledger.sentences import docline
from ledger.session import OUTCOMES
from schemas.events import event_types

Json = dict[str, Any]

PLAIN: Mapping[type, str] = {Card: "string", str: "string", bytes: "string", bool: "boolean", int: "integer"}
FREE: Json = {"type": "object", "additionalProperties": {}}
"""What only the rule book of a game can describe."""


class Components:
    """The schemas of answers. `given` has the names of those that are described already."""

    def __init__(self, given: Container[str]) -> None:
        self.given = given
        self.made: dict[str, Json] = {}

    def of_record(self, kind: type) -> Json:
        """Refer to a record, and describe it when it is first referred to."""
        name = name_of(kind)
        if name not in self.made and name not in self.given:
            self.made[name] = {}
            self.made[name] = self._described(kind)
        return reference(name)

    def page(self, listing: Listing) -> None:
        """Describe a page of a list."""
        elements = {"type": "array", "items": self.of_record(listing.of)}
        following = {"type": ["string", "null"], "description": "the address where the list goes on"}
        page = an_object({listing.member: elements, "next": following}, (listing.member, "next"))
        self.made[listing.name] = {**page, "description": "Some of a list, oldest first."}

    def _described(self, kind: type) -> Json:
        told = described(kind)
        others = [member for member in told if not member.spread]
        spread = [member.hint for member in told if member.spread]
        if not {Event, Outcome}.intersection(spread):
            inner = {own.name: own for hint in spread if get_origin(hint) is None for own in described(hint)}
            free = {name: of for hint in spread if get_origin(hint) for name, of in self.of(hint).items()}
            schema = self._members({**inner, **{member.name: member for member in others}}.values())
            return {**schema, **free, "description": docline(kind)}
        by, kinds = kinds_of(spread[0])
        mapping = {}
        for value, several in kinds.items():
            names = [inserted(one.__name__, kind) for one in several]
            self.made |= {
                name: self._spread(one, (by, value), others) for name, one in zip(names, several, strict=True)
            }
            if len(names) > 1:
                self.made[together := inserted(value.title(), kind)] = {"anyOf": [reference(name) for name in names]}
                names = [together]
            mapping[value] = reference(names[0])["$ref"]
        options = [{"$ref": option} for option in mapping.values()]
        return {"oneOf": options, "discriminator": {"propertyName": by, "mapping": mapping}}

    def _spread(self, one: type, told_by: tuple[str, str], others: Iterable[Member]) -> Json:
        """Describe a record with the members of one kind among its own."""
        by, value = told_by
        members = {member.name: member for member in (*described(one), *others) if member.name != by}
        schema = self._members(members.values())
        schema["properties"] = {by: {"type": "string", "enum": [value]}, **schema["properties"]}
        schema["required"] = [by, *schema["required"]]
        return {**schema, "description": docline(one)}

    def _members(self, told: Iterable[Member]) -> Json:
        told = list(told)
        properties = {member.name: {**self.of(member.hint), **notes(member)} for member in told}
        return an_object(properties, [member.name for member in told if not member.optional])

    def of(self, hint: Any) -> Json:
        """Describe a type. Raises TypeError for one that cannot be described."""
        parts, origin = get_args(hint), get_origin(hint)
        if origin is Annotated:
            return {**self.of(parts[0]), **bounds(parts[1])}
        if origin in (Union, types.UnionType):
            return self._one_of(parts)
        if origin is Literal:
            return {"type": "string", "enum": list(parts)}
        if origin is tuple:
            return {"type": "array", "items": self.of(parts[0])}
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(parts[1])}
        if hint in (object, Any):
            return dict(FREE if hint is object else {})
        if issubclass(hint, StrEnum):
            return {"type": "string", "enum": [each.value for each in hint]}
        for known, name in PLAIN.items():
            if issubclass(hint, known):
                return {"type": name}
        if hint is Event or is_dataclass(hint) or hasattr(hint, "_fields"):
            return self.of_record(hint)
        raise TypeError(f"{hint} cannot be described")

    def _one_of(self, parts: tuple[Any, ...]) -> Json:
        """Describe what may be one of several types, or null."""
        if all(isinstance(part, type) and issubclass(part, Event) for part in parts):
            return reference("Correction")
        kinds = [self.of(part) for part in parts if part not in (types.NoneType, Absent)]
        if len(kinds) > 1 and all(kind.keys() == {"type"} for kind in kinds):
            kinds = [{"type": list(dict.fromkeys(kind["type"] for kind in kinds))}]
        if len(kinds) > 1:
            kinds = [{"anyOf": kinds}]
        return nullable(kinds[0]) if types.NoneType in parts else kinds[0]


def kinds_of(base: type) -> tuple[str, Mapping[str, list[type]]]:
    """Say which member tells the kinds of a record apart, and which kinds there are for each of its values."""
    if base is Event:
        return "type", {name: [kind] for name, kind in event_types().items()}
    found: dict[str, dict[type, None]] = {}
    for book in every_book():
        for outcome in (*book.outcomes, *OUTCOMES):
            for result in get_args(get_type_hints(outcome)["result"]):
                found.setdefault(result, {})[outcome] = None
    return "result", {result: list(kinds) for result, kinds in found.items()}


def name_of(kind: type | Listing) -> str:
    """Give the name that a record, or a page of a list, is described under."""
    return kind.name if isinstance(kind, Listing) else "StoredEvent" if kind is LoggedEvent else kind.__name__


def inserted(name: str, kind: type) -> str:
    """Name a kind of a record: `StoredEvent` of a dealt card is `StoredCardDealtEvent`."""
    whole = name_of(kind)
    last = max(place for place, letter in enumerate(whole) if letter.isupper())
    return whole[:last] + name + whole[last:]


def notes(member: Member) -> Json:
    """Give what is told of a member besides its type."""
    return {name: member.notes[name] for name in ("description", "example") if name in member.notes}


def bounds(note: object) -> Json:
    """Give the bounds that a type has."""
    match note:
        case Between(least, most):
            return {"minimum": least, "maximum": most}
        case Kind(_, most):
            return {"maxLength": most}
        case AtMost(most):
            return {"maxItems": most}
    return {}


def nullable(schema: Json) -> Json:
    """Let something be null as well."""
    if not isinstance(schema.get("type"), str):
        return {"anyOf": [schema, {"type": "null"}]}
    words = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **words}


def an_object(properties: Mapping[str, Json], required: Iterable[str]) -> Json:
    """Describe an object that has these members and no others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(required),
        "additionalProperties": False,
    }


def reference(name: str) -> Json:
    """Refer to a schema by its name."""
    return {"$ref": f"#/components/schemas/{name}"}
